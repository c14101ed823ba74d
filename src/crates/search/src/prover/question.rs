//! The prover's question, and the budget for the answer.

use std::cell::Cell;
use std::sync::Arc;

use crate::control::SearchControl;
pub(super) use crate::search_worker::SearchStopped;
use pentarch_core::{
    GameHistory, HasTurn, ProbeResult, ProbeWorkLimit, Searchable, Side, TableValue,
};

const CLOCK_CHECK_INTERVAL_NODES: u64 = 128;
const REPORT_INTERVAL_NODES: u64 = 1 << 14;

/// The question whether a side can force a win from a position.
pub struct ProofQuestion<G: Searchable> {
    /// The game up to the position.
    pub history: GameHistory<G>,
    /// The side that should win.
    pub attacker: Side,
    /// The number of plies within which the attacker must win; `None` for no limit.
    pub plies: Option<u32>,
    /// The moves that are allowed in the position. An empty list stands for all legal moves.
    pub moves: Vec<G::Move>,
    /// The game's tablebases.
    pub tables: Arc<G::Tables>,
    /// Whether to probe tablebases.
    pub use_tablebases: bool,
    /// The side for which the rules are
    /// [relaxed](pentarch_core::HistoryBans::rules_relaxed_for_proof); `None` for the game's own
    /// rules.
    pub relaxed: Option<Side>,
}

/// The limits of the search for the answer to a question, and the amounts used so far.
pub struct ProofBudget<'a> {
    /// The control that ends the search.
    pub control: &'a SearchControl,
    /// The number of nodes expanded so far.
    pub nodes: u64,
    /// The number of nodes at which the search ends.
    pub max_nodes: u64,
    /// The number of positions found in tablebases so far.
    pub table_hits: Cell<u64>,
    /// A function that is called from time to time with the number of nodes expanded so far.
    pub on_progress: &'a mut dyn FnMut(u64),
}

impl ProofBudget<'_> {
    /// Returns whether the search must end, because its nodes are used up or because it was
    /// stopped.
    pub fn is_over(&self) -> bool {
        self.nodes >= self.max_nodes || self.control.is_over()
    }

    /// Counts a node.
    pub(super) fn count_node(&mut self) -> Result<(), SearchStopped> {
        let is_over =
            self.nodes.is_multiple_of(CLOCK_CHECK_INTERVAL_NODES) && self.control.is_over();
        if is_over || self.nodes >= self.max_nodes || self.control.is_stopped() {
            return Err(SearchStopped);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(REPORT_INTERVAL_NODES) {
            (self.on_progress)(self.nodes);
        }
        Ok(())
    }
}

/// A result that is known without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownResult {
    /// The attacker wins within this number of plies; 0 if the attacker has already won.
    Won(u32),
    /// The attacker does not win.
    NotWon,
}

impl<G: Searchable> ProofQuestion<G> {
    /// Creates the question whether this side can force a win by any legal moves, in any number of
    /// plies.
    pub fn new(history: GameHistory<G>, tables: Arc<G::Tables>, attacker: Side) -> Self {
        ProofQuestion {
            history,
            attacker,
            plies: None,
            moves: Vec::new(),
            tables,
            use_tablebases: true,
            relaxed: None,
        }
    }

    /// Returns the same question under [relaxed
    /// rules](pentarch_core::HistoryBans::rules_relaxed_for_proof). The relaxed rules forbid less to
    /// the opponent of `side`. So a claim that `side` upholds under the relaxed rules also holds
    /// under the rules of this question.
    ///
    /// Returns `None` if there are no relaxed rules. Also returns `None` if the answer depends on
    /// repeated positions or on the exact number of plies to a win. Positions under the relaxed
    /// rules do not contain this information.
    pub fn relaxed_question_for(&self, side: Side) -> Option<Self> {
        if self.plies.is_some() || !self.history.repeated_keys().is_empty() {
            return None;
        }
        let rules = Arc::new(self.history.rules().rules_relaxed_for_proof(side)?);
        // Under the relaxed rules, bans on the opponent end when `side` moves. So these bans have
        // no effect if `side` is to move. The position without them can occur later, and has the
        // same string.
        let mut position = *self.history.position();
        if position.side_to_move() == side {
            position = rules.position_without_past_moves_of(&position, !side);
        }
        let history = GameHistory::new(rules, position);
        let question = ProofQuestion::new(history, self.tables.clone(), self.attacker);
        Some(ProofQuestion {
            moves: self.moves.clone(),
            use_tablebases: self.use_tablebases,
            relaxed: Some(side),
            ..question
        })
    }

    /// Returns the result of a position below the root, if the game is over in this position or a
    /// tablebase knows the position.
    ///
    /// `repeated` are the [keys of repeated positions](GameHistory::repeated_keys) of the game. The
    /// next occurrence of such a position is the third, on any path to the position.
    pub fn known_result(&self, position: &G::Position, repeated: &[u64]) -> Option<KnownResult> {
        self.game_over_result(position, repeated).or_else(|| self.probe_tables(position, repeated))
    }

    /// Returns the result of a position in which the game is over.
    pub(super) fn game_over_result(
        &self,
        position: &G::Position,
        repeated: &[u64],
    ) -> Option<KnownResult> {
        let rules = self.history.rules();
        let outcome = rules.outcome(position).or_else(|| {
            let third = !repeated.is_empty() && repeated.contains(&rules.repetition_key(position));
            third.then(|| rules.repetition_outcome(position)).flatten()
        })?;
        Some(if outcome.winner() == Some(self.attacker) {
            KnownResult::Won(0)
        } else {
            KnownResult::NotWon
        })
    }

    /// Returns the result of a position according to tablebases. The game must not be over.
    pub(super) fn probe_tables(
        &self,
        position: &G::Position,
        repeated: &[u64],
    ) -> Option<KnownResult> {
        // A tablebase does not know which positions have already occurred twice.
        if !repeated.is_empty() {
            return None;
        }
        let rules = self.history.rules();
        let probing =
            if self.use_tablebases { ProbeWorkLimit::Quick } else { ProbeWorkLimit::Computed };
        let value =
            rules.probe_tables(&self.tables, position, probing).and_then(ProbeResult::value);
        let is_attacker_to_move = position.side_to_move() == self.attacker;
        Some(match value? {
            TableValue::Win(plies) if is_attacker_to_move => KnownResult::Won(plies),
            TableValue::Loss(plies) if !is_attacker_to_move => KnownResult::Won(plies),
            _ => KnownResult::NotWon,
        })
    }
}
