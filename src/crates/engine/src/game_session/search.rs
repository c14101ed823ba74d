//! Implements [`SearchAccess`] for a session: prepares searches and other operations on the current
//! game that take long.

use std::collections::HashSet;

use pentarch_core::{GameHistory, MakeTables, ProbeWorkLimit, Side, TableValue};
use pentarch_games::Game;
use pentarch_search::{Limits, SearchResult};

use crate::error::EngineError;
use crate::input_word::InputWord;
use crate::session::{PerftJob, SearchAccess, SearchJob, TablesJob};

use super::game_search::GameSearch;
use super::{GameSession, sorted_legal_moves};

impl<G: Game> SearchAccess for GameSession<G> {
    fn prepare_search_job(
        &self,
        limits: &Limits<InputWord>,
    ) -> Result<Option<Box<dyn SearchJob>>, EngineError> {
        let mut moves = Vec::new();
        let mut known = HashSet::new();
        for (number, word) in (1..).zip(&limits.moves) {
            let found = self.history.find_move(&word.text);
            let mv = found.map_err(|error| EngineError::invalid_move(number, word, error))?;
            if known.insert(self.history.rules().move_text(mv)) {
                moves.push(mv);
            }
        }
        if moves.is_empty() {
            self.history.legal_moves(&mut moves);
        }
        let Some(best) = moves.get(..1).and_then(|first| SearchResult::from_pv(first, None, 0))
        else {
            return Ok(None);
        };
        let history = self.history.clone();
        let tables = self.tables.clone();
        Ok(Some(Box::new(GameSearch::new(history, tables, limits.with_moves(moves), best))))
    }

    fn prepare_perft_job(&self, depth: u32) -> PerftJob {
        let mut history = GameHistory::new(self.history.rules().clone(), *self.history.position());
        Box::new(move |control, report| {
            let Some(remaining_depth) = depth.checked_sub(1) else { return Some(1) };
            let mut sum = 0;
            for (text, mv) in sorted_legal_moves(&history) {
                history.push(mv);
                let leaves = (G::search_functions().perft)(&mut history, remaining_depth, &|| {
                    control.is_over()
                });
                history.pop();
                report(&text, leaves?);
                sum += leaves?;
            }
            Some(sum)
        })
    }

    fn prepare_tables_job(&self) -> TablesJob {
        let tables = self.tables.clone();
        Box::new(move |control| {
            tables.begin_computing_tables();
            tables.wait_until_computed(&|| control.is_over());
            tables.take_faults()
        })
    }

    fn known_winner(&self) -> Option<Option<Side>> {
        // With each move, a winner in the tablebases comes nearer to the win. So no position occurs
        // twice on the way. Therefore the loser can save itself only if a position has already
        // occurred twice.
        if self.history.outcome().is_some() || self.history.has_repetitions() {
            return None;
        }
        let side = self.history.side_to_move();
        let probed = self.history.rules().probe(
            &self.tables,
            self.history.position(),
            ProbeWorkLimit::Thorough,
        )?;
        Some(match probed.value()? {
            TableValue::Win(_) => Some(side),
            TableValue::Draw => None,
            TableValue::Loss(_) => Some(!side),
        })
    }

    fn is_game_solved(&self) -> bool {
        self.tables.have_solved_game()
    }
}
