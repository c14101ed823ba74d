//! The searches of a response, as a state machine: a caller runs it as a whole or in slices, gets reports of the
//! results so far, and can stop it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use pentarch_core::LoadableFile;
use pentarch_search::SearchReport;
use pentarch_search::clock::Clock;
use pentarch_search::control::Control;
use pentarch_search::time_management::TimeBudget;
use pentarch_search::transposition::TranspositionTable;

use super::fields::Question;
use super::response::{Analysis, DrawResponse, PlayedMove, Response};
use crate::best_lines::Lines;
use crate::review::{Judge, Position, Positions};
use crate::session::SearchJob;
use crate::stopper::Stopper;

/// The reason why a stopped proof has no result.
pub(crate) const STOPPED: &str = "it was stopped";

/// The reason why a position is neither a problem nor proved if the game is over.
pub(crate) const OVER: &str = "the game is over there";

/// Adds the result of proofs to the response; the control ends it.
type Prove = dyn FnOnce(&Arc<Control>, &mut Response) + Send;

/// A part of a task, with the limit of time of each search.
pub enum Job {
    /// A search of the position for this question; `None` if there is nothing to search, or if the search has begun.
    Search(Question, Option<Box<dyn SearchJob>>, Option<TimeBudget>),
    /// The proofs for a question.
    Proofs(Box<Prove>),
    /// The searches of a game's positions, one after the other.
    Review(Box<Positions>, Box<Judge>, Option<TimeBudget>),
}

/// A search that has begun.
pub(super) struct Running {
    job: Box<dyn SearchJob>,
    control: Arc<Control>,
    lines: Lines,
}

/// A response that takes searches.
pub struct Task {
    /// The response without the results of the searches that have not ended.
    pub(super) response: Response,
    /// The fields that each report has.
    pub(super) head: Response,
    /// The parts that are left, in order.
    pub(super) jobs: VecDeque<Job>,
    /// The number of moves to report.
    pub(super) multipv: usize,
    /// The clock.
    pub(super) clock: Clock,
    /// The scale of the chances of winning.
    pub(super) scale: i32,
    /// The time between two reports; `None` for no reports.
    pub every: Option<Duration>,
    /// The search that has begun.
    pub(super) running: Option<Running>,
    /// Stops the task.
    pub stopper: Stopper,
    /// The maximum time of a step.
    pub longest_step: Duration,
    /// The files that the program lacked when the request came. The caller loads them before it runs the task, or
    /// removes those that are not [needed](LoadableFile::is_required).
    pub files: Vec<&'static dyn LoadableFile>,
}

impl Task {
    /// Returns the files that the task waits for. If it runs without them, because it was stopped, it searches nothing.
    pub fn lacking(&self) -> impl Iterator<Item = &'static dyn LoadableFile> {
        self.files.iter().copied().filter(|file| !file.is_loaded())
    }

    /// Runs the task to its end with this table, calls `report` with each report, and returns the response.
    pub fn run(
        &mut self,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Response),
    ) -> Response {
        loop {
            if let Poll::Ready(answer) = self.step(None, table, report) {
                return answer;
            }
        }
    }

    /// Runs the task for about `nodes` nodes, or to its end with `None`, and calls `report` with each report. Returns
    /// the response at the end of the task; it must not be called after that. Nothing else may use the table before the
    /// end.
    pub fn step(
        &mut self,
        nodes: Option<u64>,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Response),
    ) -> Poll<Response> {
        while let Some(job) = self.jobs.pop_front() {
            match job {
                Job::Search(question, job, budget) => {
                    match self.search(question, job, budget, nodes, table, report) {
                        None => self.jobs.push_front(Job::Search(question, None, budget)),
                        Some((lines, _)) if question == Question::Review => {
                            self.judge(None, lines, report)
                        }
                        Some((lines, time)) => {
                            add_result(&mut self.response, question, lines, time)
                        }
                    }
                }
                Job::Proofs(prove) => {
                    let control = Arc::new(Control::new(&self.clock, None, false, false));
                    self.stopper.begin(&control);
                    prove(&control, &mut self.response);
                }
                Job::Review(mut positions, judge, budget) => {
                    // A review that was stopped ends before the next position.
                    let next = if self.stopper.is_stopped() { None } else { positions.next() };
                    let Some(position) = next else {
                        self.response.review = Some(judge.review);
                        continue;
                    };
                    self.jobs.push_front(Job::Review(positions, judge, budget));
                    match position {
                        Position::Over(half_points) => {
                            self.judge(Some(half_points), Lines::default(), report)
                        }
                        Position::Open(job) => {
                            self.jobs.push_front(Job::Search(Question::Review, Some(job), budget));
                            continue;
                        }
                    }
                }
            }
            if nodes.is_some() && !self.jobs.is_empty() {
                return Poll::Pending;
            }
        }
        Poll::Ready(std::mem::take(&mut self.response))
    }

    /// Continues the search, or begins that of `job`. Returns its result and its time in milliseconds if it has ended.
    fn search(
        &mut self,
        question: Question,
        job: Option<Box<dyn SearchJob>>,
        budget: Option<TimeBudget>,
        nodes: Option<u64>,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Response),
    ) -> Option<(Lines, u64)> {
        let multipv = self.multipv;
        let finish = |lines: Lines| lines.with_chances(self.scale);
        let Running { mut job, control, mut lines } = match (self.running.take(), job) {
            (Some(running), _) => running,
            (None, None) => return Some((Lines::default(), 0)),
            (None, Some(mut job)) if self.lacking().next().is_some() => {
                return Some((finish(Lines::default().end(job.give_up(), multipv)), 0));
            }
            (None, Some(job)) => {
                table.clear();
                let control = Control::new(&self.clock, budget, false, false)
                    .with_longest_slice(self.longest_step);
                let control = Arc::new(control);
                self.stopper.begin(&control);
                Running { job, control, lines: Lines::default() }
            }
        };
        let milliseconds = || u64::try_from(control.elapsed().as_millis()).unwrap_or(u64::MAX);
        // A draw offer has one response, and a review reports whole moves.
        let is_reported =
            self.every.is_some() && matches!(question, Question::Analysis | Question::Play);
        let mut report_lines = |info: &SearchReport<String>| {
            lines.add(info);
            // A report has the best moves of one iteration.
            if is_reported && info.rank >= multipv.min(lines.lines.len()) {
                let mut known = lines.clone();
                known.lines.truncate(multipv);
                let mut partial = self.head.clone();
                add_result(&mut partial, question, finish(known), milliseconds());
                report(partial);
            }
        };
        let answer = match nodes {
            None => job.run(table, &control, &mut report_lines),
            Some(nodes) => match job.step(nodes, table, &control, &mut report_lines) {
                Poll::Ready(answer) => answer,
                Poll::Pending => {
                    self.running = Some(Running { job, control, lines });
                    return None;
                }
            },
        };
        Some((finish(lines.end(answer, multipv)), milliseconds()))
    }

    /// Adds the result of a position to the review that is the next job, and reports the move that led there.
    fn judge(&mut self, over: Option<u8>, lines: Lines, report: &mut dyn FnMut(Response)) {
        let Some(Job::Review(_, judge, _)) = self.jobs.front_mut() else { return };
        // A stopped search evaluates no move.
        if !self.stopper.is_stopped() && judge.take(over, lines).is_some() && self.every.is_some() {
            report(Response { review: Some(judge.review.clone()), ..self.head.clone() });
        }
    }
}

/// Adds the result of the search for a question.
fn add_result(response: &mut Response, question: Question, lines: Lines, time: u64) {
    let best = lines.lines.first();
    match question {
        Question::Play => {
            let mv = best.map(|line| line.mv.clone());
            response.play = Some(PlayedMove { mv, analysis: Analysis { lines, time } });
        }
        Question::DrawOffer => {
            let score = best.and_then(|line| line.score.value);
            let accepts = score.is_some_and(|score| score <= 0);
            response.drawoffer =
                Some(if accepts { DrawResponse::Accept } else { DrawResponse::Decline });
        }
        _ => response.analysis = Some(Analysis { lines, time }),
    }
}
