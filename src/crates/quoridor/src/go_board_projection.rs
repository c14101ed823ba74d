//! Quoridor on the board of a Go front end. The grooves between the squares are also points, so the
//! Go board has almost twice as many files and ranks.
//!
//! The square on file `f` and rank `r`, both counted from 0, is the point `(2f, 2r)`. The point
//! between two squares is an edge, and the point between four squares is a post. A wall closes two
//! edges. To place a wall, click the edge next to the square that names the wall. For a horizontal
//! wall, this is the left edge, above that square. For a vertical wall, this is the lower edge, to
//! the right of that square.

use pentarch_core::view::go_board_projection::GoBoardLabelsAndNote;
use pentarch_core::view::layout::Site;
use pentarch_core::{GoBoardProjection, GoBoardShape, Point, Side};

use super::Quoridor;
use super::position::Position;
use super::walls::WallDirection;

impl GoBoardProjection for Quoridor {
    fn go_board_shape(&self) -> Option<GoBoardShape> {
        Some(GoBoardShape { size: 2 * self.board.size - 1, hexagonal: false })
    }

    /// Returns three points for a wall: the edge to click, its post, and its other edge.
    fn go_points_of_site(&self, site: Site) -> Vec<Point> {
        let file = 2 * site.point.file;
        let rank = 2 * site.point.rank;
        match site.letter {
            None => vec![Point::new(file, rank)],
            Some(letter) if letter == WallDirection::Horizontal.letter() => {
                [0, 1, 2].map(|along| Point::new(file + along, rank + 1)).into()
            }
            Some(_) => [0, 1, 2].map(|along| Point::new(file + 1, rank + along)).into(),
        }
    }

    /// Labels each pawn with the number of walls that its side has left.
    fn go_board_labels_and_note(&self, position: &Position) -> GoBoardLabelsAndNote {
        let left = |side: Side| position.walls_left[side.index()];
        GoBoardLabelsAndNote {
            labels: Side::BOTH_SIDES
                .map(|side| {
                    (position.pawn(side).point().into(), vec![left(side).to_string().into()])
                })
                .into(),
            remarks: Side::BOTH_SIDES
                .map(|side| vec![format!("has {} walls left", left(side)).into()]),
            ..GoBoardLabelsAndNote::default()
        }
    }
}
