//! A search of a game in play, whose answers are texts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::Poll;

use pentarch_core::{GameHistory, MakeTables, Warning};

use pentarch_games::Game;
use pentarch_search::control::Control;
use pentarch_search::mate::score_in_own_moves;
use pentarch_search::sliced_search::SlicedSearch;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchReport, SearchResult, search};
use thiserror::Error;

use crate::session::SearchJob;

/// The fault that the code of a search has panicked.
#[derive(Debug, Error)]
#[error("the search failed inside; this is a fault of the program")]
struct SearchPanic;

/// A search of the current position of a game.
pub(super) struct GameSearch<G: Game> {
    history: GameHistory<G>,
    tables: Arc<G::Tables>,
    limits: Limits<G::Move>,
    /// The best answer so far, which is given if the search panics.
    best: SearchResult<G::Move>,
    /// The last score of the search for the best move, and the same as it is reported.
    last: (i32, i32),
    /// The search in slices, when it has begun so.
    slices: Option<SlicedSearch<G>>,
}

impl<G: Game> GameSearch<G> {
    /// A search of the game's position within these limits, with the answer that is given if nothing is found.
    pub(super) fn new(
        history: GameHistory<G>,
        tables: Arc<G::Tables>,
        limits: Limits<G::Move>,
        best: SearchResult<G::Move>,
    ) -> Self {
        GameSearch { history, tables, limits, best, last: (0, 0), slices: None }
    }

    /// Reports what the search has found, and keeps the best move.
    fn tell(
        &mut self,
        step: &SearchReport<G::Move>,
        report: &mut dyn FnMut(&SearchReport<String>),
    ) {
        let reported = score_in_own_moves(&self.history, step.score, step.pv);
        if step.rank == 1
            && let Some(best) = SearchResult::from_pv(step.pv, Some(step.score), step.nodes)
        {
            (self.last, self.best) = ((step.score, reported), best);
        }
        let pv: Vec<String> =
            step.pv.iter().map(|&mv| self.history.rules().move_text(mv)).collect();
        report(&step.with_line(reported, &pv));
    }

    /// The answer in texts: that of the search, or the best so far if it has none because it panicked.
    fn answer(
        &mut self,
        searched: std::thread::Result<Option<SearchResult<G::Move>>>,
    ) -> SearchResult<String> {
        let mut answer =
            searched.map(|answer| answer.unwrap_or(self.best.clone())).unwrap_or_else(|_| {
                let mut best = self.best.clone();
                best.faults.push(Warning::new(SearchPanic));
                best
            });
        answer.faults.extend(self.tables.take_faults());
        answer.score =
            answer.score.map(|score| if score == self.last.0 { self.last.1 } else { score });
        answer.map(|mv| self.history.rules().move_text(mv))
    }
}

impl<G: Game> SearchJob for GameSearch<G> {
    fn run(
        mut self: Box<Self>,
        table: &TranspositionTable,
        control: &Control,
        report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchResult<String> {
        let (history, tables, limits) =
            (self.history.clone(), self.tables.clone(), self.limits.clone());
        let mut tell = |step: SearchReport<G::Move>| self.tell(&step, report);
        let searched = catch_unwind(AssertUnwindSafe(|| {
            search(&history, &tables, &limits, table, control, &mut tell)
        }));
        self.answer(searched)
    }

    fn step(
        &mut self,
        nodes: u64,
        table: &TranspositionTable,
        control: &Control,
        report: &mut dyn FnMut(&SearchReport<String>),
    ) -> Poll<SearchResult<String>> {
        let begin =
            || SlicedSearch::new(self.history.clone(), self.tables.clone(), self.limits.clone());
        let mut slices = self.slices.take().unwrap_or_else(begin);
        let mut tell = |step: SearchReport<G::Move>| self.tell(&step, report);
        match catch_unwind(AssertUnwindSafe(|| slices.step(nodes, table, control, &mut tell))) {
            Ok(Poll::Pending) => {
                self.slices = Some(slices);
                Poll::Pending
            }
            Ok(Poll::Ready(answer)) => Poll::Ready(self.answer(Ok(answer))),
            Err(panic) => Poll::Ready(self.answer(Err(panic))),
        }
    }

    fn give_up(&mut self) -> SearchResult<String> {
        self.answer(Ok(None))
    }
}
