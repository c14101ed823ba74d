//! Implements [`GameJobPreparer`] for a program without the search. This implementation can only
//! count leaf positions.
//!
//! This module does not refer to the compiled search of a game, so the linker omits the search.

use pentarch_core::Side;
use pentarch_core::rules::perft::perft;
use pentarch_games::Game;
use pentarch_search::Limits;

use crate::error::{EngineError, EngineFault};
use crate::input_word::InputWord;
use crate::known::{KnownFacts, SidesSeenByMover};
use crate::session::{GameJobPreparer, PerftJob, SearchJob, TablebaseBuildJob};

use super::GameSession;

impl<G: Game> GameJobPreparer for GameSession<G> {
    fn prepare_search_job(
        &self,
        _: &Limits<InputWord>,
    ) -> Result<Option<Box<dyn SearchJob>>, EngineError> {
        Err(EngineFault::NoSearch.into())
    }

    fn prepare_perft_job(&self, depth: u32) -> PerftJob {
        self.new_perft_job(depth, perft)
    }

    fn prepare_tablebase_build_job(&self) -> TablebaseBuildJob {
        Box::new(|_| Vec::new())
    }

    fn known_winner(&self) -> Option<Option<Side>> {
        None
    }

    fn known_values(&self, _: &dyn Fn() -> bool) -> KnownFacts {
        let seen_sides = SidesSeenByMover {
            names: self.history.side_names(),
            to_move: self.history.side_to_move().index(),
            alternate: G::SIDES_ALTERNATE,
            checked_search: "",
        };
        KnownFacts {
            value: None,
            plies: None,
            source: None,
            checked: None,
            moves: Default::default(),
            is_complete: false,
            seen_sides,
        }
    }

    fn is_game_solved(&self) -> bool {
        false
    }
}
