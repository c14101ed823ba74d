//! A search in slices, for a host with one thread that must do other things in between, such as a page in a browser.
//!
//! The host calls [`SlicedSearch::step`] again and again until it gives the answer. Each call searches some nodes more.
//! Books, tables, levels, limits and the scores that are reported are those of [`search`](super::search), with one
//! thread.
//!
//! # Contract
//!
//! - A step searches about as many nodes as it is given. One that looks for a win within a number of moves
//!   ([`Limits::mate`]), asks an opening book or plays below the full strength gives the answer, whatever that takes.
//! - The tables of solved positions are made in parts, by the steps. Without a limit of time the search begins when
//!   they are made, and a step before that makes one part of them and searches nothing. With one, each step makes a
//!   part and then searches, and the search probes the tables from the first iteration after they are made.
//! - The limits of depth and nodes hold for all steps together. [`Control::stop`] and the limits of time end the search
//!   in the next step, or in the present one, with the best move so far: a legal one from the first step on.
//! - If a single step suffices, the answer, the reports and the number of nodes are exactly those of
//!   [`search`](super::search). With smaller steps other nodes are searched, but proven scores are proofs all the same.
//! - The search ends, however small the steps and the transposition table are: steps that gain nothing become larger.
//! - [`Control::with_longest_slice`] has a step also end when its time has passed, so that a host hears in time that it
//!   has to [stop](Control::stop) the search. Then no step becomes larger than that, and a search that is limited by
//!   its depth alone need not end where so much time is too little for a move of the root.
//!
//! # Why
//!
//! The search of [`iterative_deepening`](super::iterative_deepening) is a state that is run: the moves of the root with
//! their scores and principal variations, the depth, the extension of the time limit; inside an iteration the rank of
//! the move that is looked for, the aspiration window, the bound that was reached, and the next move of the root; and
//! what the thread has learnt, which is its move ordering. [`search`](super::search) runs this state without an end. A
//! step runs it up to a number of nodes.
//!
//! What is not kept is the stack below the root, because keeping it would cost the search of each node something. A
//! move of the root that was being searched when a step ended is searched anew by the next step. That is little work,
//! because the transposition table cuts off the nodes that were finished, but for those of the principal variation: in
//! the five games, searches of 200,000 to 400,000 nodes took up to 15 per cent more nodes in steps of 20,000, up to 40
//! per cent more in steps of 5,000, and in steps of 1,000 up to five times as many. Moves of the root that are finished
//! are not searched again.
//!
//! A move of the root is finished or not begun, and so the bound and the list of moves are never those of half a
//! search. What an interruption changes is what the transposition table and the move ordering hold when a node is
//! searched, and no proof rests on that: proven scores stay proofs.
//!
//! If the table is too small for what a step has found, the next step can lose as much as it gains. So after each
//! [`INTERRUPTIONS`] interruptions of the same move of the root its steps become twice as large. The search of one move
//! to one depth is finite, so that some step is large enough for it; there are finitely many moves, windows and depths.

use std::sync::Arc;
use std::task::Poll;

use pentarch_core::{GameHistory, MakeTables, Searchable};

use super::control::Control;
use super::iterative_deepening::Search;
use super::transposition::TranspositionTable;
use super::{CompiledSearch, Limits, SearchContext, SearchReport, SearchResult, answer_at_once};

/// After so many interruptions of the search of the same move of the root its steps become twice as large, and after as
/// many again four times, and so on.
pub const INTERRUPTIONS: u32 = 64;

/// A search that is done in steps.
pub struct SlicedSearch<G: Searchable> {
    history: GameHistory<G>,
    tables: Arc<G::Tables>,
    limits: Limits<G::Move>,
    /// Whether the tables are made or not used.
    has_tables: bool,
    /// The search by iterative deepening, when it has begun.
    search: Option<Search<G>>,
}

impl<G: Searchable> SlicedSearch<G> {
    /// A search of the current position of a game that has not begun. `tables` must come from `new_tables` of the same
    /// rules. The number of threads in the limits does not count.
    pub fn new(
        history: GameHistory<G>,
        tables: Arc<G::Tables>,
        limits: Limits<G::Move>,
    ) -> SlicedSearch<G> {
        let history = history.seen_by_mover();
        let limits = Limits { threads: 1, ..limits.resolved(&history) };
        SlicedSearch { has_tables: !limits.use_tablebases, history, tables, limits, search: None }
    }

    /// [`step`](SlicedSearch::step), to be compiled for a game.
    pub(super) fn generic_step(
        &mut self,
        nodes: u64,
        table: &TranspositionTable,
        control: &Control,
        report: &mut dyn FnMut(SearchReport<G::Move>),
    ) -> Poll<Option<SearchResult<G::Move>>> {
        let SlicedSearch { history, tables, limits, has_tables, search } = self;
        if !*has_tables && !control.is_over() {
            *has_tables = tables.advance();
            let waits = !control.has_time_limit()
                || limits.is_bounded() && !control.is_timed()
                || G::Tables::SOLVES_GAME && !control.is_half_over();
            if !*has_tables && waits {
                return Poll::Pending;
            }
        }
        let context = &SearchContext { history, tables, limits, table, control };
        if search.is_none() {
            table.begin_search(history.has_repetitions());
            if let Some(answer) = answer_at_once(context, report) {
                return Poll::Ready(Some(answer));
            }
            *search = Search::new(context);
        }
        let Some(search) = search else { return Poll::Ready(None) };
        let doublings = search.interruptions() / INTERRUPTIONS;
        let slice = nodes.max(1).saturating_mul(1_u64.checked_shl(doublings).unwrap_or(u64::MAX));
        control.begin_slice();
        let has_ended = search.run(context, slice, report);
        control.end_slice();
        if has_ended { Poll::Ready(search.answer()) } else { Poll::Pending }
    }
}

impl<G: CompiledSearch> SlicedSearch<G> {
    /// Searches about so many nodes more, at least one. Gives the answer when the search ends; none if the game is
    /// over. It must not be called again then.
    ///
    /// `report` is called for each of the best moves at the end of each iteration. The transposition table and the
    /// control are to be the same in all steps.
    pub fn step(
        &mut self,
        nodes: u64,
        table: &TranspositionTable,
        control: &Control,
        report: &mut dyn FnMut(SearchReport<G::Move>),
    ) -> Poll<Option<SearchResult<G::Move>>> {
        (G::functions().step)(self, nodes, table, control, report)
    }
}
