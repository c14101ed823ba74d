//! Texts for the game of the search's tests, so that the protocols can play it.

use crate::core::{Illegal, Notation, PositionError, Side, SyntaxError};
use crate::search::tests::nim::{Nim, Pile};

/// The length of a text is the move.
impl Notation for Nim {
    type MoveText = u32;

    fn parse_position(&self, text: &str) -> Result<Pile, PositionError> {
        Err(PositionError::Invalid(text.into()))
    }

    fn position_text(&self, position: &Pile) -> String {
        position.size.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u32, SyntaxError> {
        Ok(text.len() as u32)
    }

    fn find_move(&self, _: &Pile, text: &u32) -> Result<u32, Illegal> {
        Ok(*text)
    }

    fn move_text(&self, mv: u32) -> String {
        mv.to_string()
    }

    fn diagram(&self, position: &Pile, _: Side) -> String {
        "|".repeat(position.size as usize)
    }
}

crate::keep_defaults!(Nim: Layout, Projection);
