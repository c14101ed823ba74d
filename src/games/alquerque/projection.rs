//! Alquerque on the board of a Go front end, which has the same five files and ranks. It does not draw the diagonal
//! lines, so the points that have them are coloured.

use crate::core::layout::Piece;
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

    /// A checker has the point to which it may not step back: `!D3`.
    fn label(&self, position: &Position, piece: Piece) -> Option<String> {
        let (_, back) = bans(position).find(|(spot, _)| spot.point() == piece.site.point)?;
        Some(format!("!{}", vertex(back.point())))
    }

    fn note(&self, position: &Position) -> Option<String> {
        let bans = bans(position).map(|(spot, back)| format!("{} to {}", vertex(spot.point()), vertex(back.point())));
        let bans = bans.collect::<Vec<_>>().join(", ");
        (!bans.is_empty()).then(|| format!("no step back: {bans}"))
    }
}
