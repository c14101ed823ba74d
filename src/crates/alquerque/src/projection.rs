//! Alquerque on the board of a Go front end, which has the same five files and ranks. Such a front
//! end does not draw the diagonal lines, so the points that have them are coloured.

use pentarch_core::view::projection::BoardText;
use pentarch_core::{GoGrid, Projection, TextPart};

use super::board::SIZE;
use super::notation::{ForbiddenStep, forbidden_steps};
use super::position::Position;
use super::rules::Alquerque;

impl Projection for Alquerque {
    fn grid(&self) -> Option<GoGrid> {
        Some(GoGrid { size: SIZE, hexagonal: false })
    }

    /// Labels a checker with `!` and the point to which it must not step back.
    fn writing(&self, position: &Position) -> Writing {
        let mut writing = Writing::default();
        for ForbiddenStep { from, to } in forbidden_steps(position) {
            let [from, to] = [from, to].map(|point| point.coordinates());
            writing.labels.push((from.into(), vec!["!".into(), Part::Point(to)]));
            let opening = if writing.note.is_empty() { "no step back: " } else { ", " };
            let note = [opening.into(), Part::Point(from), " to ".into(), Part::Point(to)];
            writing.note.extend(note);
        }
        writing
    }
}
