//! Alquerque on the board of a Go front end, which has the same five files and ranks. It does not draw the diagonal
//! lines, so the points that have them are coloured.

use std::iter::{once, repeat};

use pentarch_core::view::projection::Writing;
use pentarch_core::{Grid, Part, Projection};

use super::board::{SIZE, Spot};
use super::notation::bans;
use super::position::Position;
use super::rules::Alquerque;

impl Projection for Alquerque {
    fn grid(&self) -> Option<Grid> {
        Some(Grid { size: SIZE, hexagonal: false })
    }

    /// A checker has the point to which it may not step back, after a `!`.
    fn writing(&self, position: &Position) -> Writing {
        let label = |(spot, back): (Spot, Spot)| {
            (spot.point().into(), vec!["!".into(), Part::Point(back.point())])
        };
        let openings = once("no step back: ").chain(repeat(", "));
        let ban = |(opening, (spot, back)): (&str, (Spot, Spot))| {
            [opening.into(), Part::Point(spot.point()), " to ".into(), Part::Point(back.point())]
        };
        Writing {
            labels: bans(position).map(label).collect(),
            note: openings.zip(bans(position)).flat_map(ban).collect(),
            ..Writing::default()
        }
    }
}
