//! Implements [`GameJobPreparer`] for a session. Prepares searches and other long operations on the
//! current game.

use std::cell::Cell;
use std::collections::HashSet;

use pentarch_core::rules::key::hash_words;
use pentarch_core::{GameTables, KnownValueSource, ProbeWorkLimit, Side, TableValue};
use pentarch_games::Game;
use pentarch_search::known_value::{KnownValue, KnownValueLookup};
use pentarch_search::{Limits, SearchResult};

use crate::error::EngineError;
use crate::input_word::InputWord;
use crate::known::{KnownFacts, KnownMove, SidesSeenByMover};
use crate::session::{GameJobPreparer, PerftJob, SearchJob, TablebaseBuildJob};

use super::GameSession;
use super::game_search::GameSearch;

impl<G: Game> GameJobPreparer for GameSession<G> {
    fn prepare_search_job(
        &self,
        limits: &Limits<InputWord>,
    ) -> Result<Option<Box<dyn SearchJob>>, EngineError> {
        let mut moves = Vec::new();
        let mut known = HashSet::new();
        for (number, word) in (1..).zip(&limits.moves) {
            let found = self.history.resolve_move(&word.text);
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
        let mut limits = limits.with_moves(moves);
        // Without the history in the seed, a level would make the same random choices in all
        // positions of a game.
        limits.seed = limits.seed.map(|seed| hash_words(&[seed, history.hash()]));
        Ok(Some(Box::new(GameSearch::new(history, tables, limits, best))))
    }

    fn prepare_perft_job(&self, depth: u32) -> PerftJob {
        self.new_perft_job(depth, G::search_functions().perft)
    }

    fn prepare_tablebase_build_job(&self) -> TablebaseBuildJob {
        let tables = self.tables.clone();
        Box::new(move |control| {
            tables.begin_computing_tables();
            tables.wait_until_computed(&|| control.is_over());
            tables.take_faults()
        })
    }

    fn known_winner(&self) -> Option<Option<Side>> {
        // A winner who follows the tablebases comes nearer to the win with each move, so no
        // position occurs twice on the way. Therefore a repetition can save the loser only if a
        // position has already occurred twice.
        if self.history.outcome().is_some() || self.history.can_end_by_repetition() {
            return None;
        }
        let side = self.history.side_to_move();
        let probed = self.history.rules().probe_tables(
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

    fn known_values(&self, given_up: &dyn Fn() -> bool) -> KnownFacts {
        let history = self.history.history_seen_by_mover();
        let rules = history.rules();
        let side = history.side_to_move();
        let seen_sides = SidesSeenByMover {
            names: history.side_names(),
            to_move: side.index(),
            alternate: G::SIDES_ALTERNATE,
            checked_search: rules.value_verification_sentence(KnownValueSource::Search),
        };
        let moves = history.legal_move_list();
        let may_contain = |position: &_| self.tables.may_contain_position(position);
        let is_complete = Cell::new(true);
        if moves.iter().any(|&mv| may_contain(&rules.play(history.position(), mv)))
            || !moves.is_empty() && may_contain(history.position())
        {
            self.tables.begin_computing_tables();
            self.tables.wait_until_computed(&|| {
                is_complete.set(!given_up());
                !is_complete.get()
            });
            if self.tables.has_computation_failed() {
                is_complete.set(false);
            }
        }
        let lookup = KnownValueLookup::without_tables(&history)
            .with_tables(&self.tables, ProbeWorkLimit::Thorough);
        let known = lookup.values(&moves);
        let in_words = |value: KnownValue| KnownMove {
            value: value.winner.map_or_else(
                || "draw".into(),
                |winner| format!("win {}", seen_sides.names[winner.index()]),
            ),
            plies: value.plies,
            source: value.source.word(),
            checked: rules.value_verification_sentence(value.source),
        };
        let values = moves.iter().zip(known.moves).filter_map(|(&mv, value)| {
            Some((self.history.rules().move_text(mv), in_words(value?)))
        });
        let position = known.position.map(in_words);
        let source = position.as_ref().map(|value| value.source);
        let checked = position.as_ref().map(|value| value.checked);
        KnownFacts {
            plies: position.as_ref().and_then(|value| value.plies),
            source,
            checked,
            value: position.map(|value| value.value),
            moves: values.collect(),
            is_complete: is_complete.get(),
            seen_sides,
        }
    }

    fn is_game_solved(&self) -> bool {
        self.tables.have_solved_game()
    }
}
