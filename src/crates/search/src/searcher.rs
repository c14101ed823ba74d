//! The front door of the search: what one search has learnt, kept for the next one.

use std::sync::Arc;

use pentarch_core::GameHistory;

use super::control::Control;
use super::transposition::TranspositionTable;
use super::{CompiledSearch, Limits, SearchReport, SearchResult, search};

/// The size in MiB of a transposition table about whose size nothing is said.
const HASH_MIB: usize = 16;

/// Searches positions of games by the same rules, one after the other.
///
/// It keeps a transposition table from one search to the next, so that the second search of a game begins with what the
/// first one knows, and the tables of solved positions that the game makes by itself, which are made once. Games by
/// other rules need a searcher of their own.
#[derive(Debug)]
pub struct Searcher<G: CompiledSearch> {
    tables: Arc<G::Tables>,
    table: TranspositionTable,
}

impl<G: CompiledSearch> Searcher<G> {
    /// A searcher for games by these rules, with a transposition table of 16 MiB; where there is not so much memory, it
    /// searches without one.
    pub fn new(rules: Arc<G>) -> Searcher<G> {
        Searcher {
            tables: rules.shared_tables(None),
            table: TranspositionTable::new(HASH_MIB).unwrap_or_default(),
        }
    }

    /// A searcher with these tables, which must come from `new_tables` of the rules, and with a transposition table of
    /// so many MiB; none if there is not enough memory.
    pub fn with_tables(tables: Arc<G::Tables>, mib: usize) -> Option<Searcher<G>> {
        Some(Searcher { tables, table: TranspositionTable::new(mib)? })
    }

    /// The best move in the current position of a game, with its score; none if the game is over.
    ///
    /// The limits should bound the search ([`Limits::is_bounded`]): without them it goes on to the greatest depth. With
    /// one thread the first search of a searcher always gives the same answer, and so does each after
    /// [`clear`](Searcher::clear).
    pub fn search(
        &self,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
    ) -> Option<SearchResult<G::Move>> {
        self.search_with(history, limits, &Control::default(), &mut |_| {})
    }

    /// The same with a control, which limits the time and can stop the search from another thread. `report` is called
    /// for each of the best moves at the end of each iteration.
    pub fn search_with(
        &self,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
        control: &Control,
        report: &mut dyn FnMut(SearchReport<G::Move>),
    ) -> Option<SearchResult<G::Move>> {
        search(history, &self.tables, limits, &self.table, control, report)
    }

    /// Forgets what earlier searches have learnt.
    pub fn clear(&self) {
        self.table.clear();
    }
}
