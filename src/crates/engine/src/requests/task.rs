//! A request whose answer takes searches, as a state machine: it is worked on as a whole or in slices, reports what is
//! known so far, and can be stopped.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use pentarch_core::GivenFile;
use pentarch_search::Info;
use pentarch_search::clock::Clock;
use pentarch_search::control::Control;
use pentarch_search::time_management::Budget;
use pentarch_search::transposition::TranspositionTable;

use super::fields::Question;
use super::response::{Analysis, DrawResponse, PlayedMove, Response};
use crate::best_lines::Lines;
use crate::review::{Judge, Position, Positions};
use crate::session::SearchJob;
use crate::stopper::Stopper;

/// Why a proof has found nothing out that was stopped.
pub const STOPPED: &str = "it was stopped";

/// Why a position in which the game is over is no problem, and nothing is proved of it.
pub const OVER: &str = "the game is over there";

/// Answers a question by proofs in the response; the control ends it.
type Prove = dyn FnOnce(&Arc<Control>, &mut Response) + Send;

/// One of the searches of a task, each with the limit of time of a search.
pub enum Work {
    /// A search of the position that answers this question; none if there is nothing to search, or it has begun.
    Search(Question, Option<Box<dyn SearchJob>>, Option<Budget>),
    /// The proofs that answer a question.
    Proofs(Box<Prove>),
    /// The searches of a game's positions, one after the other.
    Review(Box<Positions>, Box<Judge>, Option<Budget>),
}

/// A search that has begun.
pub(super) struct Running {
    job: Box<dyn SearchJob>,
    control: Arc<Control>,
    lines: Lines,
}

/// A request whose answer takes searches.
pub struct Task {
    /// The response without the results of the searches that have not ended.
    pub(super) response: Response,
    /// The fields that each report has.
    pub(super) head: Response,
    /// What is to be done, in order.
    pub(super) work: VecDeque<Work>,
    /// The number of moves to report.
    pub(super) multipv: usize,
    /// Tells the time.
    pub(super) clock: Clock,
    /// The scale of the chances of winning.
    pub(super) scale: i32,
    /// The time between two reports; none if there are to be none.
    pub every: Option<Duration>,
    /// The search that has begun.
    pub(super) running: Option<Running>,
    /// Stops the task.
    pub stopper: Stopper,
    /// The time after which a step ends, whatever it has searched.
    pub longest_step: Duration,
    /// The files that the program lacked when the request came. Whoever works on the task gives them to the program
    /// before, or takes those from here that are not [needed](GivenFile::is_needed).
    pub files: Vec<&'static dyn GivenFile>,
}

impl Task {
    /// The files that the task waits for. Without them it is only worked on if it was stopped, and nothing is searched.
    pub fn lacking(&self) -> impl Iterator<Item = &'static dyn GivenFile> {
        self.files.iter().copied().filter(|file| !file.is_there())
    }

    /// Works on the task with this table to its end, calls `report` with each report, and gives the answer.
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

    /// Works on the task for about so many nodes, or without a number to its end, with this table, which nothing else
    /// uses as long as the task is worked on. Calls `report` with each report, and gives the answer when it is known.
    /// Not to be called after that.
    pub fn step(
        &mut self,
        nodes: Option<u64>,
        table: &TranspositionTable,
        report: &mut dyn FnMut(Response),
    ) -> Poll<Response> {
        while let Some(work) = self.work.pop_front() {
            match work {
                Work::Search(question, job, budget) => {
                    match self.search(question, job, budget, nodes, table, report) {
                        None => self.work.push_front(Work::Search(question, None, budget)),
                        Some((lines, _)) if question == Question::Review => {
                            self.judge(None, lines, report)
                        }
                        Some((lines, time)) => {
                            add_result(&mut self.response, question, lines, time)
                        }
                    }
                }
                Work::Proofs(prove) => {
                    let control = Arc::new(Control::new(&self.clock, None, false, false));
                    self.stopper.begin(&control);
                    prove(&control, &mut self.response);
                }
                Work::Review(mut positions, judge, budget) => {
                    // A review that was stopped ends before the next position.
                    let next = if self.stopper.is_stopped() { None } else { positions.next() };
                    let Some(position) = next else {
                        self.response.review = Some(judge.review);
                        continue;
                    };
                    self.work.push_front(Work::Review(positions, judge, budget));
                    match position {
                        Position::Over(half_points) => {
                            self.judge(Some(half_points), Lines::default(), report)
                        }
                        Position::Open(job) => {
                            self.work.push_front(Work::Search(Question::Review, Some(job), budget));
                            continue;
                        }
                    }
                }
            }
            if nodes.is_some() && !self.work.is_empty() {
                return Poll::Pending;
            }
        }
        Poll::Ready(std::mem::take(&mut self.response))
    }

    /// Searches on, and gives what was found when the search has ended, with its time in milliseconds. The job is that
    /// of a search that has not begun.
    fn search(
        &mut self,
        question: Question,
        job: Option<Box<dyn SearchJob>>,
        budget: Option<Budget>,
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
        // A draw is accepted or declined once, and of a review whole moves are reported.
        let is_reported =
            self.every.is_some() && matches!(question, Question::Analysis | Question::Play);
        let mut tell = |info: &Info<String>| {
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
            None => job.run(table, &control, &mut tell),
            Some(nodes) => match job.step(nodes, table, &control, &mut tell) {
                Poll::Ready(answer) => answer,
                Poll::Pending => {
                    self.running = Some(Running { job, control, lines });
                    return None;
                }
            },
        };
        Some((finish(lines.end(answer, multipv)), milliseconds()))
    }

    /// Gives the review that is next what was found of its position, and reports the move that led there.
    fn judge(&mut self, over: Option<u8>, lines: Lines, report: &mut dyn FnMut(Response)) {
        let Some(Work::Review(_, judge, _)) = self.work.front_mut() else { return };
        // What was found of a position whose search was stopped judges nothing.
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
