//! Alcaxar on the board of a Go front end. The board has the same nine files and ranks. The knights
//! are stones.

use pentarch_core::view::go_board_projection::GoBoardLabelsAndNote;
use pentarch_core::view::layout::Site;
use pentarch_core::{GoBoardLabelFragment, GoBoardProjection, GoBoardShape, Point};

use super::Alcaxar;
use super::board::{BOARD_SIZE, WallSlot};
use super::position::Position;

impl GoBoardProjection for Alcaxar {
    fn go_board_shape(&self) -> Option<GoBoardShape> {
        Some(GoBoardShape { size: BOARD_SIZE, hexagonal: false })
    }

    /// Returns the point of the site. For a wall, also returns the points of the two towers that it
    /// joins.
    fn go_points_of_site(&self, site: Site) -> Vec<Point> {
        let towers = WallSlot::from_point(site.point).map(WallSlot::towers);
        [site.point].into_iter().chain(towers.into_iter().flatten()).collect()
    }

    fn go_board_labels_and_note(&self, position: &Position) -> GoBoardLabelsAndNote {
        let note = position.last_wall.map_or_else(Vec::new, |wall| {
            let [one, other] = wall.towers().map(GoBoardLabelFragment::Point);
            vec!["walls on ".into(), one, " and ".into(), other, " are blocked".into()]
        });
        GoBoardLabelsAndNote { note, ..GoBoardLabelsAndNote::default() }
    }
}
