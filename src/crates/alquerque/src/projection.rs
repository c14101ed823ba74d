//! Alquerque on the board of a Go front end, which has the same five files and ranks. Such a front
//! end does not draw the diagonal lines, so the points that have them are coloured.

use pentarch_core::view::projection::BoardText;
use pentarch_core::{BoardTextPart, GoGrid, GoProjection};

use super::board::SIZE;
use super::notation::{ForbiddenStep, forbidden_steps};
use super::position::Position;
use super::rules::Alquerque;

impl GoProjection for Alquerque {
    fn grid(&self) -> Option<GoGrid> {
        Some(GoGrid { size: SIZE, hexagonal: false })
    }

    /// Labels a checker with `!` and the point to which it must not step back.
    fn board_text(&self, position: &Position) -> BoardText {
        let mut board_text = BoardText::default();
        for ForbiddenStep { from, to } in forbidden_steps(position) {
            let [from, to] = [from, to].map(|point| point.coordinates());
            board_text.labels.push((from.into(), vec!["!".into(), BoardTextPart::Point(to)]));
            let opening = if board_text.note.is_empty() { "no step back: " } else { ", " };
            let note = [
                opening.into(),
                BoardTextPart::Point(from),
                " to ".into(),
                BoardTextPart::Point(to),
            ];
            board_text.note.extend(note);
        }
        board_text
    }
}
