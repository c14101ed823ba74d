//! Runs the searches of a response as a state machine. A caller can run the task as a whole or in
//! slices, gets reports of the results so far, and can stop the task.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use pentarch_core::LoadableFile;
use pentarch_search::SearchReport;
use pentarch_search::clock::Clock;
use pentarch_search::control::SearchControl;
use pentarch_search::time_management::TimeBudget;
use pentarch_search::transposition::TranspositionTable;

use super::fields::RequestQuestion;
use super::response::{Analysis, DrawResponse, PlayedMove, Response};
use crate::best_lines::BestLines;
use crate::review::searches::{GameReview, ReviewSearch, ReviewSearchId};
use crate::session::SearchJob;
use crate::stopper::Stopper;

/// The reason why a stopped proof has no result.
pub(crate) const STOPPED_PROOF_REASON: &str = "it was stopped";

/// The reason why there is no problem or proof if the game is over in the position.
pub(crate) const GAME_IS_OVER_MESSAGE: &str = "the game is over there";

/// A function that runs proofs or looks up known values, and adds the results to the response. The
/// control can stop the function.
type ProofOrLookupJob = dyn FnOnce(&Arc<SearchControl>, &mut Response) + Send;

/// A part of a task. The parts with searches contain the time budget of each search.
pub enum ResponseTaskPart {
    /// A search of the position for this question. The job is `None` if there is nothing to search
    /// or if the search has already started.
    Search(RequestQuestion, Option<Box<dyn SearchJob>>, Option<TimeBudget>),
    /// The proofs for a question, or the lookup of known values.
    Proofs(Box<ProofOrLookupJob>),
    /// The searches of a review, one after another, with the search that was started last.
    Review(Box<GameReview>, Option<ReviewSearchId>, Option<TimeBudget>),
}

/// A search that has started.
pub(super) struct ActiveSearch {
    job: Box<dyn SearchJob>,
    control: Arc<SearchControl>,
    lines: BestLines,
}

/// A response that needs searches.
pub struct ResponseTask {
    /// The response so far, without the results of searches that have not ended.
    pub(super) response: Response,
    /// The fields that are the same in all reports.
    pub(super) head: Response,
    /// The remaining parts, in order.
    pub(super) parts: VecDeque<ResponseTaskPart>,
    /// The number of moves to report.
    pub(super) multipv: usize,
    /// Whether the searches choose from all legal moves.
    pub(super) has_all_moves: bool,
    /// The clock of the searches.
    pub(super) clock: Clock,
    /// The scale of the curve that converts scores to winning chances.
    pub(super) win_rate_scale: i32,
    /// The time between two reports; `None` for no reports.
    pub every: Option<Duration>,
    /// The current search; `None` if no search has started.
    pub(super) current: Option<ActiveSearch>,
    /// The handle that stops the task.
    pub stopper: Stopper,
    /// The maximum time of a step.
    pub longest_step: Duration,
    /// The files that were missing when the request arrived. Before running the task, the caller
    /// loads each file, or removes it from this list if the task can run [without
    /// it](LoadableFile::is_required_for_search).
    pub files: Vec<&'static dyn LoadableFile>,
}

impl ResponseTask {
    /// Returns the files for which the task waits. A stopped task may run without these files,
    /// because it does not search.
    pub fn missing_files(&self) -> impl Iterator<Item = &'static dyn LoadableFile> {
        self.files.iter().copied().filter(|file| !file.is_file_loaded())
    }

    /// Runs the task to its end with this table. Calls `report` with each report, and returns the
    /// response.
    pub fn run(
        &mut self,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Response),
    ) -> Response {
        loop {
            if let Poll::Ready(response) = self.step(None, table, report) {
                return response;
            }
        }
    }

    /// Runs the task for about `nodes` nodes, or to its end if `nodes` is `None`. Calls `report`
    /// with each report. Returns the response at the end of the task. After that the method must
    /// not be called again. No other task may use the table before this task ends.
    pub fn step(
        &mut self,
        nodes: Option<u64>,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Response),
    ) -> Poll<Response> {
        while let Some(part) = self.parts.pop_front() {
            match part {
                ResponseTaskPart::Search(question, job, budget) => {
                    match self.continue_search(question, job, budget, nodes, table, report) {
                        None => {
                            self.parts.push_front(ResponseTaskPart::Search(question, None, budget))
                        }
                        Some(analysis) if question == RequestQuestion::Review => {
                            self.add_search_to_review(analysis.lines, report);
                        }
                        Some(analysis) => {
                            if question == RequestQuestion::Analysis
                                && let Some(known) = &mut self.response.known
                            {
                                known.add_search(&analysis.lines, self.has_all_moves);
                            }
                            add_analysis_to_response(&mut self.response, question, analysis)
                        }
                    }
                }
                ResponseTaskPart::Proofs(prove) => {
                    let control = Arc::new(SearchControl::new(&self.clock, None, false, false));
                    self.stopper.connect_search_control(&control);
                    prove(&control, &mut self.response);
                }
                ResponseTaskPart::Review(mut review, _, budget) => {
                    // A stopped review ends before the next search.
                    let next = if self.stopper.is_stopped() { None } else { review.next_search() };
                    let Some(ReviewSearch { id, job }) = next else {
                        self.response.review = Some(review.into_review());
                        continue;
                    };
                    let search_budget = budget.map(|budget| id.effort.scale_budget(budget));
                    self.parts.push_front(ResponseTaskPart::Review(review, Some(id), budget));
                    self.parts.push_front(ResponseTaskPart::Search(
                        RequestQuestion::Review,
                        Some(job),
                        search_budget,
                    ));
                    continue;
                }
            }
            if nodes.is_some() && !self.parts.is_empty() {
                return Poll::Pending;
            }
        }
        Poll::Ready(std::mem::take(&mut self.response))
    }

    /// Continues the current search. If there is no current search, starts the search of `job`.
    /// Returns the result if the search has ended.
    fn continue_search(
        &mut self,
        question: RequestQuestion,
        job: Option<Box<dyn SearchJob>>,
        budget: Option<TimeBudget>,
        nodes: Option<u64>,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Response),
    ) -> Option<Analysis> {
        // A review compares all moves that a search reports.
        let multipv = if question == RequestQuestion::Review { usize::MAX } else { self.multipv };
        let analysis = |lines: BestLines, time: Duration| Analysis {
            lines: lines.with_win_chances(self.win_rate_scale),
            time: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        };
        let ActiveSearch { mut job, control, mut lines } = match (self.current.take(), job) {
            (Some(search), _) => search,
            (None, None) => return Some(analysis(BestLines::default(), Duration::ZERO)),
            (None, Some(mut job)) if self.missing_files().next().is_some() => {
                let lines = BestLines::default()
                    .finish_with_search_result(job.stop_with_best_move(), multipv);
                return Some(analysis(lines, Duration::ZERO));
            }
            (None, Some(job)) => {
                table.clear();
                let control = SearchControl::new(&self.clock, budget, false, false)
                    .with_max_slice_time(self.longest_step);
                let control = Arc::new(control);
                self.stopper.connect_search_control(&control);
                ActiveSearch { job, control, lines: BestLines::default() }
            }
        };
        // The response to a draw offer is final, and a review reports whole moves. Therefore only
        // `analysis` and `play` have reports of a running search.
        let is_reported = self.every.is_some()
            && matches!(question, RequestQuestion::Analysis | RequestQuestion::Play);
        let mut report_lines = |info: &SearchReport<String>| {
            lines.add_report(info);
            // A report contains the best moves of a single iteration.
            if is_reported && info.rank >= multipv.min(lines.lines.len()) {
                let mut reported = lines.clone();
                reported.lines.truncate(multipv);
                let mut partial = self.head.clone();
                let reported = analysis(reported, control.elapsed());
                add_analysis_to_response(&mut partial, question, reported);
                report(partial);
            }
        };
        let answer = match nodes {
            None => job.search_to_end(table, &control, &mut report_lines),
            Some(nodes) => match job.search_slice(nodes, table, &control, &mut report_lines) {
                Poll::Ready(answer) => answer,
                Poll::Pending => {
                    self.current = Some(ActiveSearch { job, control, lines });
                    return None;
                }
            },
        };
        Some(analysis(lines.finish_with_search_result(answer, multipv), control.elapsed()))
    }

    /// Passes the result of a search to the review, which is the next part of the task. If the
    /// review has a new move, reports the progress of the review.
    fn add_search_to_review(&mut self, lines: BestLines, report: &mut dyn FnMut(Response)) {
        let Some(ResponseTaskPart::Review(review, Some(id), _)) = self.parts.front_mut() else {
            return;
        };
        // The result of a stopped search is not a valid evaluation of a move.
        if self.stopper.is_stopped() {
            return;
        }
        let moves = review.moves().len();
        review.add_result(*id, lines);
        if self.every.is_some() && review.moves().len() > moves {
            report(Response { review: Some(review.review().clone()), ..self.head.clone() });
        }
    }
}

/// Adds the result of a search to the response. The field depends on the question.
fn add_analysis_to_response(
    response: &mut Response,
    question: RequestQuestion,
    analysis: Analysis,
) {
    let best = analysis.lines.lines.first();
    match question {
        RequestQuestion::Play => {
            let mv = best.map(|line| line.mv.clone());
            response.play = Some(PlayedMove { mv, analysis });
        }
        RequestQuestion::DrawOffer => {
            let score = best.and_then(|line| line.score.value);
            let accepts = score.is_some_and(|score| score <= 0);
            response.drawoffer =
                Some(if accepts { DrawResponse::Accept } else { DrawResponse::Decline });
        }
        RequestQuestion::Swap => {
            let score = best.and_then(|line| line.score.value);
            response.swap = Some(score.is_some_and(|score| score < 0));
        }
        _ => response.analysis = Some(analysis),
    }
}
