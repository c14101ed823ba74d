//! Bushka on the board of a Go front end. The board keeps its files and ranks. On 11x9 two ranks
//! are missing at the top, because a Go board is square. Light squares are empty points. Without
//! light squares, the dark squares would touch only at their corners.

use pentarch_core::view::go_board_projection::GoBoardLabelsAndNote;
use pentarch_core::{GoBoardProjection, GoBoardShape};

use super::Bushka;
use super::board::iter_squares;
use super::position::Position;

impl GoBoardProjection for Bushka {
    fn go_board_shape(&self) -> Option<GoBoardShape> {
        Some(GoBoardShape { size: self.board.files.max(self.board.ranks), hexagonal: false })
    }

    fn go_board_labels_and_note(&self, position: &Position) -> GoBoardLabelsAndNote {
        let kings = iter_squares(position.kings[0] | position.kings[1]);
        GoBoardLabelsAndNote {
            labels: kings.map(|king| (king.point().into(), vec!["K".into()])).collect(),
            ..GoBoardLabelsAndNote::default()
        }
    }
}
