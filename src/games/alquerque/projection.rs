//! Alquerque on the board of a Go front end, which has the same five files and ranks. It does not draw the diagonal
//! lines, so the points that have them are coloured.

use std::iter::{once, repeat};

use crate::core::layout::Piece;
use crate::core::{Grid, Part, Projection};

use super::board::{SIZE, Spot};
use super::notation::bans;
use super::position::Position;
use super::rules::Alquerque;

impl Projection for Alquerque {
    fn grid(&self) -> Option<Grid> {
        Some(Grid { size: SIZE, hexagonal: false })
    }

    /// A checker has the point to which it may not step back, after a `!`.
    fn label(&self, position: &Position, piece: Piece) -> Vec<Part> {
        let ban = bans(position).find(|(spot, _)| spot.point() == piece.site.point);
        ban.map_or_else(Vec::new, |(_, back)| vec!["!".into(), Part::Point(back.point())])
    }

    fn note(&self, position: &Position) -> Vec<Part> {
        let openings = once("no step back: ").chain(repeat(", "));
        let ban = |(opening, (spot, back)): (&str, (Spot, Spot))| {
            [opening.into(), Part::Point(spot.point()), " to ".into(), Part::Point(back.point())]
        };
        openings.zip(bans(position)).flat_map(ban).collect()
    }
}
