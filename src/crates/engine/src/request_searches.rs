//! A request whose answer takes searches, as a state machine: it is worked on as a whole or in slices, reports what is
//! known so far, and can be stopped.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};

use pentarch_core::GivenFile;
use pentarch_search::Info;
use pentarch_search::clock::Clock;
use pentarch_search::control::Control;
use pentarch_search::time_management::Budget;
use pentarch_search::transposition::TranspositionTable;

use super::best_lines::Lines;
use super::request::{Format, Question};
use super::review::{Judge, Position, Positions};
use super::session::SearchJob;
use super::stopper::Stopper;
use super::value;

/// Why a proof has found nothing out that was stopped.
pub const STOPPED: &str = "it was stopped";

/// Why a position in which the game is over is no problem, and nothing is proved of it.
pub const OVER: &str = "the game is over there";

/// An object of JSON.
pub type Object = Map<String, Value>;

/// What is known of a position, with the time that it took in milliseconds.
#[derive(Debug, Clone, Serialize)]
struct Analysis {
    #[serde(flatten)]
    lines: Lines,
    time: u64,
}

/// Finds out by proofs what a question asks; the control ends it.
type Prove = dyn FnOnce(&Arc<Control>) -> Value + Send;

/// One of the searches of a task, each with the limit of time of a search.
pub enum Work {
    /// A search of the position that answers this question; none if there is nothing to search, or it has begun.
    Search(Question, Option<Box<dyn SearchJob>>, Option<Budget>),
    /// The proofs that answer this question.
    Proofs(Question, Box<Prove>),
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
    /// The form of the answer.
    pub format: Format,
    /// What the answer has besides what is searched for.
    pub(super) answer: Object,
    /// The members that reports have, too.
    pub(super) head: Object,
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
    pub fn run(&mut self, table: &TranspositionTable, report: &mut dyn FnMut(Object)) -> Object {
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
        report: &mut dyn FnMut(Object),
    ) -> Poll<Object> {
        while let Some(work) = self.work.pop_front() {
            match work {
                Work::Search(question, job, budget) => {
                    match self.search(question, job, budget, nodes, table, report) {
                        None => self.work.push_front(Work::Search(question, None, budget)),
                        Some((lines, _)) if question == Question::Review => {
                            self.judge(None, lines, report)
                        }
                        Some((lines, time)) => self.answer.extend(match self.format {
                            // Its members are those of the answer.
                            Format::One => value(&lines).as_object().cloned().unwrap_or_default(),
                            Format::Two => told(question, lines, time),
                        }),
                    }
                }
                Work::Proofs(question, prove) => {
                    let control = Arc::new(Control::new(&self.clock, None, false, false));
                    self.stopper.begin(&control);
                    self.answer.insert(question.word(), prove(&control));
                }
                Work::Review(mut positions, judge, budget) => {
                    // A review that was stopped ends before the next position.
                    let next = if self.stopper.is_stopped() { None } else { positions.next() };
                    let Some(position) = next else {
                        self.answer.insert("review".into(), value(&judge.review));
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
        Poll::Ready(std::mem::take(&mut self.answer))
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
        report: &mut dyn FnMut(Object),
    ) -> Option<(Lines, u64)> {
        let multipv = self.multipv;
        let finish = |lines: Lines| match self.format {
            Format::One => lines,
            Format::Two => lines.with_chances(self.scale),
        };
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
                let members = told(question, finish(known), milliseconds());
                report(self.head.clone().into_iter().chain(members).collect());
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
    fn judge(&mut self, over: Option<u8>, lines: Lines, report: &mut dyn FnMut(Object)) {
        let Some(Work::Review(_, judge, _)) = self.work.front_mut() else { return };
        // What was found of a position whose search was stopped judges nothing.
        if !self.stopper.is_stopped() && judge.take(over, lines).is_some() && self.every.is_some() {
            let review = ("review".to_string(), value(&judge.review));
            report(self.head.clone().into_iter().chain([review]).collect());
        }
    }
}

/// The member that tells what a search for this question has found.
fn told(question: Question, lines: Lines, time: u64) -> Object {
    let best = lines.lines.first();
    let told = match question {
        Question::Play => {
            json!({ "move": best.map(|line| line.mv.clone()), "analysis": Analysis { lines, time } })
        }
        Question::DrawOffer => match best.and_then(|line| line.score.value) {
            Some(score) if score <= 0 => "accept".into(),
            _ => "decline".into(),
        },
        _ => value(&Analysis { lines, time }),
    };
    Object::from_iter([(question.word(), told)])
}
