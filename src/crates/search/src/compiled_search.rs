//! The search of a game, compiled to machine code in the crate that contains the game's rules.
//!
//! The whole search is generic over the game. Rust compiles a generic function again in each crate
//! that calls it, with the optimisation settings of that crate.
//! [`compile_search!`](crate::compile_search) compiles the search once, in the crate of the game's
//! rules. There the compiler can inline the rules into the search. Callers of the game's
//! [search_functions](CompiledSearch::search_functions) only link to the compiled functions.

use std::sync::Arc;
use std::task::Poll;

use pentarch_core::rules::perft::perft;
use pentarch_core::{GameHistory, Rules, Searchable};

use super::control::SearchControl;
use super::prover::book_builder::{self, BookBuildError, ProofStrategyFn};
use super::prover::proof_table::ProofTable;
use super::prover::question::{ProofBudget, ProofQuestion};
use super::prover::verify::{StrategyFn, VerifyResult, verify_claim};
use super::prover::{ProofClaim, ProofVerdict, prove};
use super::sliced_search::SlicedSearch;
use super::transposition::TranspositionTable;
use super::{Limits, SearchEvent, SearchReport, SearchResult, generic_search};

/// A game whose crate contains a compiled copy of the search, made by
/// [`compile_search!`](crate::compile_search).
pub trait CompiledSearch: Searchable {
    /// Returns the search functions of this game.
    fn search_functions() -> &'static SearchFunctions<Self>;
}

/// A function that receives the reports of a search.
pub type SearchReportFn<'a, G> = &'a mut dyn FnMut(SearchReport<<G as Rules>::Move>);

/// A function that receives the events of a search.
pub type SearchEventFn<'a, G> = &'a mut dyn FnMut(SearchEvent<<G as Rules>::Move>);

/// The search functions that are compiled for one game. Each field is the function or method of the
/// same name, except `verify` ([`verify_claim`]) and `book` ([`book_builder::build_book`]).
#[expect(missing_docs, reason = "explained above")]
#[expect(clippy::type_complexity, reason = "these are the types of the functions")]
pub struct SearchFunctions<G: Searchable> {
    pub search_with_events: fn(
        &GameHistory<G>,
        &Arc<G::Tables>,
        &Limits<G::Move>,
        &TranspositionTable,
        &SearchControl,
        SearchEventFn<G>,
    ) -> Option<SearchResult<G::Move>>,
    pub step: fn(
        &mut SlicedSearch<G>,
        u64,
        &TranspositionTable,
        &SearchControl,
        SearchReportFn<G>,
    ) -> Poll<Option<SearchResult<G::Move>>>,
    pub perft: fn(&mut GameHistory<G>, u32, &dyn Fn() -> bool) -> Option<u64>,
    pub prove: fn(&ProofQuestion<G>, &mut ProofTable, &mut ProofBudget) -> ProofVerdict<G::Move>,
    pub verify: fn(
        &ProofQuestion<G>,
        ProofClaim,
        StrategyFn<G>,
        &dyn Fn() -> bool,
    ) -> VerifyResult<G::Position>,
    pub book: fn(
        &ProofQuestion<G>,
        ProofStrategyFn<G>,
        Arc<G::Tables>,
    ) -> Result<Vec<u8>, BookBuildError<G::Position>>,
}

impl<G: Searchable> SearchFunctions<G> {
    /// Returns the search functions of the game, compiled in the calling crate.
    pub const fn compile() -> SearchFunctions<G> {
        SearchFunctions {
            search_with_events: generic_search,
            step: SlicedSearch::generic_step,
            perft,
            prove,
            verify: verify_claim,
            book: book_builder::build_book,
        }
    }
}

/// Compiles the search for the type of a game, in the crate that invokes this macro.
#[macro_export]
macro_rules! compile_search {
    ($game:ty) => {
        impl $crate::CompiledSearch for $game {
            fn search_functions() -> &'static $crate::compiled_search::SearchFunctions<Self> {
                static COMPILED_SEARCH_FUNCTIONS: $crate::compiled_search::SearchFunctions<$game> =
                    $crate::compiled_search::SearchFunctions::compile();
                &COMPILED_SEARCH_FUNCTIONS
            }
        }
    };
}
