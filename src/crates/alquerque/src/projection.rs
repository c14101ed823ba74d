//! Alquerque on the board of a Go front end, which has the same five files and ranks. It does not draw the diagonal
//! lines, so the points that have them are coloured.

use std::iter::{once, repeat};

use pentarch_core::view::projection::BoardText;
use pentarch_core::{GoGrid, Projection, TextPart};

use super::board::{SIZE, Spot};
use super::notation::bans;
use super::position::Position;
use super::rules::Alquerque;

impl Projection for Alquerque {
    fn grid(&self) -> Option<GoGrid> {
        Some(GoGrid { size: SIZE, hexagonal: false })
    }

    /// A checker has the point to which it may not step back, after a `!`.
    fn board_text(&self, position: &Position) -> BoardText {
        let label = |(spot, back): (Spot, Spot)| {
            (spot.point().into(), vec!["!".into(), TextPart::Point(back.point())])
        };
        let openings = once("no step back: ").chain(repeat(", "));
        let ban = |(opening, (spot, back)): (&str, (Spot, Spot))| {
            [
                opening.into(),
                TextPart::Point(spot.point()),
                " to ".into(),
                TextPart::Point(back.point()),
            ]
        };
        BoardText {
            labels: bans(position).map(label).collect(),
            note: openings.zip(bans(position)).flat_map(ban).collect(),
            ..BoardText::default()
        }
    }
}
