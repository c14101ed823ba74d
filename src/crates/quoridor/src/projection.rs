//! Quoridor on the board of a Go front end. The grooves between the squares are points, too, so the Go board has almost
//! twice as many files and ranks.
//!
//! The square on file `f` and rank `r`, both counted from 0, is the point `(2f, 2r)`. Between two squares lies an edge,
//! between four a post. A wall is clicked on that of the two edges it closes which lies beside the square that names
//! it: on the left edge, above that square, for a horizontal wall, and on the lower edge, right of that square, for a
//! vertical one.

use pentarch_core::view::layout::Site;
use pentarch_core::view::projection::BoardText;
use pentarch_core::{GoGrid, Point, Projection, Side};

use super::Quoridor;
use super::position::Position;
use super::walls::Direction;

impl Projection for Quoridor {
    fn grid(&self) -> Option<GoGrid> {
        Some(GoGrid { size: 2 * self.board.size - 1, hexagonal: false })
    }

    /// A wall covers the edge by which it is clicked, its post, and its other edge.
    fn points(&self, site: Site) -> Vec<Point> {
        let (file, rank) = (2 * site.point.file, 2 * site.point.rank);
        match site.letter {
            None => vec![Point::new(file, rank)],
            Some(letter) if letter == Direction::Horizontal.letter() => {
                [0, 1, 2].map(|along| Point::new(file + along, rank + 1)).into()
            }
            Some(_) => [0, 1, 2].map(|along| Point::new(file + 1, rank + along)).into(),
        }
    }

    /// A pawn has the number of walls that its side has left.
    fn board_text(&self, position: &Position) -> BoardText {
        let left = |side: Side| position.walls_left[side.index()];
        let label =
            |side| (position.pawn(side).point().into(), vec![left(side).to_string().into()]);
        BoardText {
            labels: Side::BOTH.map(label).into(),
            remarks: Side::BOTH.map(|side| vec![format!("has {} walls left", left(side)).into()]),
            ..BoardText::default()
        }
    }
}
