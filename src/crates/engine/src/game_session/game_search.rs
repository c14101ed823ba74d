//! Searches the current game, and returns moves as strings.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::Poll;

use pentarch_core::{GameHistory, GameTables, Warning};

use pentarch_games::Game;
use pentarch_search::control::SearchControl;
use pentarch_search::mate::mate_score_in_own_moves;
use pentarch_search::sliced_search::SlicedSearch;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchEvent, SearchReport, SearchResult, search_with_events};
use thiserror::Error;

use crate::session::SearchJob;

/// The code of a search has panicked.
#[derive(Debug, Error)]
#[error("the search failed inside; this is a fault of the program")]
struct SearchPanic;

/// A score of the search, and the score that is reported for it. The reported distance to mate is
/// in moves of the side to move.
#[derive(Clone, Copy, Default)]
struct ReportedScore {
    searched: i32,
    reported: i32,
}

/// A search of the current position of a game.
pub(super) struct GameSearch<G: Game> {
    history: GameHistory<G>,
    tables: Arc<G::Tables>,
    limits: Limits<G::Move>,
    /// The best result so far. This result is returned if the search panics.
    best: SearchResult<G::Move>,
    /// The last score of the best move.
    last_score: ReportedScore,
    /// The search in slices, if the search runs in slices and has started.
    slices: Option<SlicedSearch<G>>,
}

impl<G: Game> GameSearch<G> {
    /// Creates a search of the current position within these limits. The search returns `best` if
    /// it finds nothing.
    pub(super) fn new(
        history: GameHistory<G>,
        tables: Arc<G::Tables>,
        limits: Limits<G::Move>,
        best: SearchResult<G::Move>,
    ) -> Self {
        let last_score = ReportedScore::default();
        GameSearch { history, tables, limits, best, last_score, slices: None }
    }

    /// Reports a result of the search, and stores the best move.
    fn report_and_store_result(
        &mut self,
        info: &SearchReport<G::Move>,
        report: &mut dyn FnMut(SearchReport<String>),
    ) {
        let reported_score = mate_score_in_own_moves(&self.history, info.score, info.pv);
        if info.rank == 1
            && let Some(best) = SearchResult::from_pv(info.pv, Some(info.score), info.nodes)
        {
            self.last_score = ReportedScore { searched: info.score, reported: reported_score };
            self.best = best;
        }
        let pv: Vec<String> =
            info.pv.iter().map(|&mv| self.history.rules().move_text(mv)).collect();
        report(info.with_score_and_pv(reported_score, &pv));
    }

    /// Returns the result with moves as strings. If the search found no result or panicked, returns
    /// the best result so far.
    fn convert_search_result(
        &mut self,
        result: std::thread::Result<Option<SearchResult<G::Move>>>,
    ) -> SearchResult<String> {
        let mut answer = match result {
            Ok(Some(answer)) => answer,
            Ok(None) => self.best.clone(),
            Err(_) => {
                let mut best = self.best.clone();
                best.faults.push(Warning::new(SearchPanic));
                best
            }
        };
        answer.faults.extend(self.tables.take_faults());
        let ReportedScore { searched, reported } = self.last_score;
        answer.score = answer.score.map(|score| if score == searched { reported } else { score });
        answer.map(|mv| self.history.rules().move_text(mv))
    }
}

impl<G: Game> SearchJob for GameSearch<G> {
    fn run_with_events(
        mut self: Box<Self>,
        table: &TranspositionTable,
        control: &SearchControl,
        on_event: &mut dyn FnMut(SearchEvent<String>),
    ) -> SearchResult<String> {
        let history = self.history.clone();
        let tables = self.tables.clone();
        let limits = self.limits.clone();
        let mut early = None;
        let mut convert_event = |event: SearchEvent<G::Move>| match event {
            SearchEvent::Report(info) => {
                self.report_and_store_result(&info, &mut |info| {
                    on_event(SearchEvent::Report(info))
                });
            }
            SearchEvent::Result(result) => {
                let result = self.convert_search_result(Ok(Some(result.clone())));
                on_event(SearchEvent::Result(early.insert(result)));
            }
        };
        let run = catch_unwind(AssertUnwindSafe(|| {
            search_with_events(&history, &tables, &limits, table, control, &mut convert_event)
        }));
        match early {
            None => self.convert_search_result(run),
            Some(mut result) => {
                // A helper thread has failed, but the result does not depend on this thread.
                result.faults.extend(run.err().map(|_| Warning::new(SearchPanic)));
                result
            }
        }
    }

    fn search_slice(
        &mut self,
        nodes: u64,
        table: &TranspositionTable,
        control: &SearchControl,
        report: &mut dyn FnMut(&SearchReport<String>),
    ) -> Poll<SearchResult<String>> {
        let mut slices = self.slices.take().unwrap_or_else(|| {
            SlicedSearch::new(self.history.clone(), self.tables.clone(), self.limits.clone())
        });
        let step = || {
            slices.step(nodes, table, control, &mut |info: SearchReport<G::Move>| {
                self.report_and_store_result(&info, &mut |info| report(&info));
            })
        };
        match catch_unwind(AssertUnwindSafe(step)) {
            Ok(Poll::Pending) => {
                self.slices = Some(slices);
                Poll::Pending
            }
            Ok(Poll::Ready(answer)) => Poll::Ready(self.convert_search_result(Ok(answer))),
            Err(panic) => Poll::Ready(self.convert_search_result(Err(panic))),
        }
    }

    fn stop_with_best_move(&mut self) -> SearchResult<String> {
        self.convert_search_result(Ok(None))
    }
}
