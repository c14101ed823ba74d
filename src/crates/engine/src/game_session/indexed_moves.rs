//! Implements [`IndexedMoves`]: makes legal moves by their indices.

use pentarch_games::Game;

use crate::session::{IndexedMoves, MAX_GAME_PLIES};

use super::GameSession;

impl<G: Game> IndexedMoves for GameSession<G> {
    fn generate_legal_moves(&mut self) -> usize {
        self.generated.clear();
        self.history.legal_moves(&mut self.generated);
        self.generated.len()
    }

    fn generated_move_text(&self, index: usize) -> Option<String> {
        Some(self.history.rules().move_text(*self.generated.get(index)?))
    }

    fn play_generated_move(&mut self, index: usize) -> bool {
        let Some(&mv) = self.generated.get(index) else { return false };
        if self.history.len() >= MAX_GAME_PLIES {
            return false;
        }
        self.generated.clear();
        self.history.push(mv);
        true
    }

    fn last_move_text(&self) -> Option<String> {
        let (_, mv) = self.history.last_position_and_move()?;
        Some(self.history.rules().move_text(mv))
    }
}
