//! Alquerque on the board of a Go front end, which has the same five files and ranks. It does not draw the diagonal
//! lines, so the points that have them are coloured.

use crate::core::projection::vertex;
use crate::core::{Grid, Projection};

use super::board::SIZE;
use super::notation::bans;
use super::position::Position;
use super::rules::Alquerque;

impl Projection for Alquerque {
    fn grid(&self) -> Option<Grid> {
        Some(Grid { size: SIZE, hexagonal: false })
    }

    fn note(&self, position: &Position) -> Option<String> {
        let bans = bans(position).map(|(spot, back)| format!("{} to {}", vertex(spot.point()), vertex(back.point())));
        let bans = bans.collect::<Vec<_>>().join(", ");
        (!bans.is_empty()).then(|| format!("no step back: {bans}"))
    }
}
