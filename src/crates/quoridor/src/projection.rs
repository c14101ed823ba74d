//! Quoridor on the board of a Go front end. The grooves between the squares are also points, so the
//! Go board has almost twice as many files and ranks.
//!
//! The square on file `f` and rank `r`, both counted from 0, is the point `(2f, 2r)`. Between two
//! squares is an edge, between four a post. A wall is clicked on one of the two edges that it
//! closes: the edge next to the square that names the wall. That is the left edge, above that
//! square, for a horizontal wall, and the lower edge, to the right of that square, for a vertical
//! wall.

use pentarch_core::view::layout::Site;
use pentarch_core::view::projection::BoardText;
use pentarch_core::{GoGrid, GoProjection, Point, Side};

use super::Quoridor;
use super::position::Position;
use super::walls::WallDirection;

impl GoProjection for Quoridor {
    fn grid(&self) -> Option<GoGrid> {
        Some(GoGrid { size: 2 * self.board.size - 1, hexagonal: false })
    }

    /// A wall covers the edge on which it is clicked, its post, and its other edge.
    fn points(&self, site: Site) -> Vec<Point> {
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

    /// A pawn is labelled with the number of walls that its side has left.
    fn board_text(&self, position: &Position) -> BoardText {
        let left = |side: Side| position.walls_left[side.index()];
        BoardText {
            labels: Side::BOTH
                .map(|side| {
                    (position.pawn(side).point().into(), vec![left(side).to_string().into()])
                })
                .into(),
            remarks: Side::BOTH.map(|side| vec![format!("has {} walls left", left(side)).into()]),
            ..BoardText::default()
        }
    }
}
