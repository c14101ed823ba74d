//! Alquerque on the board of a Go front end. The board has the same five files and ranks. A Go
//! front end does not draw diagonal lines. Therefore the points with diagonal lines are coloured.

use pentarch_core::view::go_board_projection::GoBoardLabelsAndNote;
use pentarch_core::{GoBoardLabelFragment, GoBoardProjection, GoBoardShape};

use super::board::BOARD_SIZE;
use super::notation::{ForbiddenStep, forbidden_steps};
use super::position::Position;
use super::rules::Alquerque;

impl GoBoardProjection for Alquerque {
    fn go_board_shape(&self) -> Option<GoBoardShape> {
        Some(GoBoardShape { size: BOARD_SIZE, hexagonal: false })
    }

    /// Labels a checker with `!` and the point to which the checker must not step back.
    fn go_board_labels_and_note(&self, position: &Position) -> GoBoardLabelsAndNote {
        let mut board_text = GoBoardLabelsAndNote::default();
        for ForbiddenStep { from, to } in forbidden_steps(position) {
            let [from, to] = [from, to].map(|point| point.coordinates());
            board_text
                .labels
                .push((from.into(), vec!["!".into(), GoBoardLabelFragment::Point(to)]));
            let opening = if board_text.note.is_empty() { "no step back: " } else { ", " };
            let note = [
                opening.into(),
                GoBoardLabelFragment::Point(from),
                " to ".into(),
                GoBoardLabelFragment::Point(to),
            ];
            board_text.note.extend(note);
        }
        board_text
    }
}
