//! A search in slices. A host with one thread, such as a page in a browser, can do other tasks
//! between the slices.
//!
//! The host calls [`SlicedSearch::step`] repeatedly until this method returns the result. Each step
//! searches one slice: some further nodes. The books, tables, levels, limits and reported scores
//! are those of [`search`](super::search) with one thread.
//!
//! # Contract
//!
//! - A step searches about as many nodes as the host requests. Two kinds of search return the
//!   result in a single step of any length: a search for a win within a number of moves
//!   ([`Limits::mate`]), and a search below the full strength.
//! - The steps compute the tables of solved positions in parts. Without a time limit, the search
//!   begins when the tables are complete. Until then each step computes one part of the tables and
//!   searches nothing. With a time limit, each step computes one part and then searches. The search
//!   probes the tables from the first iteration after the tables are complete.
//! - The limits of depth and nodes hold for all steps together. [`SearchControl::stop`] and the
//!   time limits end the search in the current step or in the next one. The result is the best move
//!   so far, which is a legal move from the first step on.
//! - If a single step suffices, the result, the reports and the number of nodes are exactly those
//!   of [`search`](super::search). Smaller steps search different nodes, but their proven scores
//!   are also proofs.
//! - The search always ends, even if the steps and the transposition table are small: steps without
//!   progress become larger.
//! - With [`SearchControl::with_max_slice_time`] a step also ends when its time has passed. So the
//!   host notices in time that it must [stop](SearchControl::stop) the search. Then no step lasts
//!   longer than this time. If the time is too short for a move of the root, a search that is
//!   limited only by its depth may never end.
//!
//! # Why
//!
//! In [`iterative_deepening`](super::iterative_deepening) a search is a state that can be run for
//! some nodes and continued later. The state contains the moves of the root with their scores and
//! principal variations, the depth, and the extension of the time limit. Inside an iteration, the
//! state also contains the rank that is searched for, the aspiration window, the bound that was
//! reached, and the next move of the root. Finally, the state contains what the thread has learned:
//! the move ordering and the cached evaluations. [`search`](super::search) runs this state to the
//! end. A step runs the state up to a number of nodes.
//!
//! The state does not contain the stack below the root. Storing the stack would slow down the
//! search of each node. If a step ends while a move of the root is being searched, the next step
//! searches the move again. That is little work, because the transposition table cuts off the
//! finished nodes. Only the nodes of the principal variation are searched again. The cost was
//! measured in the five games, with searches of 200,000 to 400,000 nodes. Steps of 20,000 nodes
//! took up to 15 per cent more nodes than a single step. Steps of 5,000 took up to 40 per cent
//! more, and steps of 1,000 took up to five times as many. Finished moves of the root are not
//! searched again.
//!
//! A move of the root is either finished or not begun. So the bound and the list of moves never
//! come from an unfinished search of a move. An interruption only changes the contents of the
//! transposition table and the move ordering at the time when a node is searched. No proof rests on
//! these, so proven scores stay proofs.
//!
//! If the table is too small for the results of a step, the next step can lose as much as it gains.
//! So the steps become twice as large after each [`INTERRUPTIONS_PER_STEP_DOUBLING`] interruptions
//! of the same move of the root. The search of one move to one depth is finite, so some step is
//! large enough for this search. The whole search ends because there are finitely many moves,
//! windows and depths.

use std::sync::Arc;
use std::task::Poll;

use pentarch_core::{GameHistory, GameTables, Searchable};

use super::control::SearchControl;
use super::iterative_deepening::MainThreadSearch;
use super::transposition::TranspositionTable;
use super::{
    CompiledSearch, Limits, SearchContext, SearchEvent, SearchReport, SearchResult,
    result_without_iterative_deepening,
};

/// The number of interruptions of the same root move after which the steps double in size. The
/// steps double again after the same number of further interruptions.
pub const INTERRUPTIONS_PER_STEP_DOUBLING: u32 = 64;

/// A search that is done in steps.
pub struct SlicedSearch<G: Searchable> {
    history: GameHistory<G>,
    tables: Arc<G::Tables>,
    limits: Limits<G::Move>,
    /// Whether the tables are complete, or the search uses no tables.
    has_tables: bool,
    /// The search by iterative deepening, once it has begun.
    search: Option<MainThreadSearch<G>>,
}

impl<G: Searchable> SlicedSearch<G> {
    /// Creates a search of the current position of a game. `tables` must come from
    /// `create_uncomputed_tables` of the same rules. The number of threads in the limits is
    /// ignored.
    pub fn new(
        history: GameHistory<G>,
        tables: Arc<G::Tables>,
        limits: Limits<G::Move>,
    ) -> SlicedSearch<G> {
        let history = history.history_seen_by_mover();
        let limits = Limits { threads: 1, ..limits.resolved_for_game(&history) };
        SlicedSearch { has_tables: !limits.use_tablebases, history, tables, limits, search: None }
    }

    /// The generic body of [`step`](SlicedSearch::step), which is compiled once for each game.
    pub(super) fn generic_step(
        &mut self,
        nodes: u64,
        table: &TranspositionTable,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchReport<G::Move>),
    ) -> Poll<Option<SearchResult<G::Move>>> {
        let SlicedSearch { history, tables, limits, has_tables, search } = self;
        if !*has_tables && !control.is_over() {
            *has_tables = tables.compute_next_table_part();
            let waits = !control.has_time_limit()
                || limits.is_bounded() && !control.is_player_clock_running()
                || G::Tables::TABLES_SOLVE_GAME && !control.is_half_time_over();
            if !*has_tables && waits {
                return Poll::Pending;
            }
        }
        let context = &SearchContext { history, tables, limits, table, control };
        // With one thread, all events are reports.
        let on_event = &mut |event: SearchEvent<G::Move>| {
            if let SearchEvent::Report(info) = event {
                report(info);
            }
        };
        if search.is_none() {
            table.begin_search(history.can_end_by_repetition());
            if let Some(result) = result_without_iterative_deepening(context, on_event) {
                return Poll::Ready(Some(result));
            }
            *search = MainThreadSearch::new(context);
        }
        let Some(search) = search else { return Poll::Ready(None) };
        let doublings = search.interruption_count() / INTERRUPTIONS_PER_STEP_DOUBLING;
        let slice = nodes.max(1).saturating_mul(1_u64.checked_shl(doublings).unwrap_or(u64::MAX));
        control.begin_slice();
        let has_ended = search.run_slice(context, slice, on_event);
        control.end_slice();
        if has_ended { Poll::Ready(search.result()) } else { Poll::Pending }
    }
}

impl<G: CompiledSearch> SlicedSearch<G> {
    /// Searches about `nodes` further nodes, at least one. Returns the result when the search ends;
    /// `None` if the game is over. Do not call the method again after that.
    ///
    /// Calls `report` for each of the best moves at the end of each iteration. The transposition
    /// table and the control must be the same in all steps.
    pub fn step(
        &mut self,
        nodes: u64,
        table: &TranspositionTable,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchReport<G::Move>),
    ) -> Poll<Option<SearchResult<G::Move>>> {
        (G::search_functions().step)(self, nodes, table, control, report)
    }
}
