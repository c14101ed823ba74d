//! Bushka on the board of a Go front end. The board keeps its files and ranks; 11x9 has two missing ranks on top,
//! because a Go board is square. Light squares are empty points: if they were missing, the board would consist of
//! points that touch only at their corners.

use crate::core::layout::Piece;
use crate::core::{Grid, Part, Projection};

use super::Bushka;
use super::position::Position;

impl Projection for Bushka {
    fn grid(&self) -> Option<Grid> {
        Some(Grid { size: self.board.files.max(self.board.ranks), hexagonal: false })
    }

    fn label(&self, _: &Position, piece: Piece) -> Vec<Part> {
        (piece.kind == "king").then(|| "K".into()).into_iter().collect()
    }
}
