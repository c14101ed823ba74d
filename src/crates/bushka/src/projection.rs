//! Bushka on the board of a Go front end. The board keeps its files and ranks. On 11x9 two ranks
//! are missing at the top, because a Go board is square. Light squares are empty points. Without
//! light squares, the dark squares would touch only at their corners.

use pentarch_core::view::projection::BoardText;
use pentarch_core::{GoGrid, GoProjection};

use super::Bushka;
use super::board::iter_squares;
use super::position::Position;

impl GoProjection for Bushka {
    fn go_grid(&self) -> Option<GoGrid> {
        Some(GoGrid { size: self.board.files.max(self.board.ranks), hexagonal: false })
    }

    fn go_board_text(&self, position: &Position) -> BoardText {
        let kings = iter_squares(position.kings[0] | position.kings[1]);
        BoardText {
            labels: kings.map(|king| (king.point().into(), vec!["K".into()])).collect(),
            ..BoardText::default()
        }
    }
}
