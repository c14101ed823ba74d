//! The simple interface of the search: a searcher, which keeps its tables from one search to the
//! next.

use std::sync::Arc;

use pentarch_core::GameHistory;

use super::control::SearchControl;
use super::transposition::TranspositionTable;
use super::{CompiledSearch, Limits, SearchReport, SearchResult, search};

const DEFAULT_HASH_MIB: usize = 16;

/// Searches positions of games with the same rules, one after the other.
///
/// A searcher keeps the transposition table, so that the next search of a game begins with the
/// results of the last one. A searcher also keeps the tables that the game itself computes, so that
/// these tables are computed only once. Games with other rules need another searcher.
#[derive(Debug)]
pub struct Searcher<G: CompiledSearch> {
    tables: Arc<G::Tables>,
    table: TranspositionTable,
}

impl<G: CompiledSearch> Searcher<G> {
    /// Creates a searcher for games with these rules, with a transposition table of 16 MiB. If
    /// there is not enough memory, the searcher has no transposition table.
    pub fn new(rules: Arc<G>) -> Searcher<G> {
        Searcher {
            tables: rules.create_or_share_tables(None),
            table: TranspositionTable::new(DEFAULT_HASH_MIB).unwrap_or_default(),
        }
    }

    /// Creates a searcher with these tables and a transposition table of `mib` MiB. The tables must
    /// come from `create_uncomputed_tables` of the rules. Returns `None` if there is not enough
    /// memory.
    pub fn with_tables(tables: Arc<G::Tables>, mib: usize) -> Option<Searcher<G>> {
        Some(Searcher { tables, table: TranspositionTable::new(mib)? })
    }

    /// Returns the best move in the current position of a game, with its score; `None` if the game
    /// is over.
    ///
    /// The limits should bound the search ([`Limits::is_bounded`]). Otherwise the search continues
    /// to the maximum depth. With one thread, the first search and the first search after
    /// [`clear`](Searcher::clear) always have the same result.
    pub fn search(
        &self,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
    ) -> Option<SearchResult<G::Move>> {
        self.search_with_control(history, limits, &SearchControl::default(), &mut |_| {})
    }

    /// Searches like [`search`](Searcher::search), but under a control. The control sets the time
    /// limits, and another thread can use it to stop the search. Calls `report` for each of the
    /// best moves at the end of each iteration.
    pub fn search_with_control(
        &self,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
        control: &SearchControl,
        report: &mut dyn FnMut(SearchReport<G::Move>),
    ) -> Option<SearchResult<G::Move>> {
        search(history, &self.tables, limits, &self.table, control, report)
    }

    /// Forgets the results of earlier searches.
    pub fn clear(&self) {
        self.table.clear();
    }
}
