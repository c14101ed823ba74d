//! Requests and answers as lines of JSON, on several threads: each line asks something, and gets one line of answer,
//! perhaps after reports of what is known so far.
//!
//! One thread reads: it stops requests at once, and puts the others in a queue, those of a higher priority first. The
//! workers take requests out of the queue. One thread writes, in the order of the requests or as they are answered. In
//! the latter case one more thread stands before the workers: it answers what takes no search, whatever they do.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use serde_json::Value;

use crate::io::host::System;
use crate::io::input::{Line, Lines};
use crate::io::output::Output;
use pentarch_engine::host::Host;
use pentarch_engine::refused::Refused;
use pentarch_engine::request::{Format, format_of, is_searched, priority, stop};
use pentarch_engine::request_answers::{Answers, Prepared, refusal, stopped};
use pentarch_engine::request_members::Members;
use pentarch_engine::request_searches::Object;
use pentarch_engine::stopper::Stopper;
use pentarch_engine::throttle::Throttle;
use pentarch_search::transposition::TranspositionTable;
use pentarch_system::memory;

use super::Plan;
use super::queue::{Asked, Place, Queue, Waiting};

/// How many answers for each worker may wait for an earlier one.
const WAITING: u64 = 64;

/// How many answers and reports may wait to be written. Whoever has more waits, so that a reader of the answers who is
/// slow costs no memory.
const BACKLOG: usize = 64;

/// What is written.
enum Told {
    /// A report on the request with this number, at most so often.
    Report(u64, Duration, Object),
    /// The answer to the request with this number.
    Answer(u64, Object),
    /// The answer to a stop.
    AtOnce(Object),
}

/// What a line asks besides what the engine answers; none if it is for the engine. It is called on the thread that
/// reads.
pub type Aside<'a> = dyn FnMut(&Members) -> Option<Result<(), Refused>> + Send + 'a;

/// Answers each line of the input, until the input ends or the output closes. A request that takes no search is
/// answered at once where the plan is not ordered. `aside` is asked first about each request.
///
/// # Errors
/// If there is not enough memory; no thread works on then. A failure of the input or the output is kept by the output.
pub fn answer_all(
    input: impl BufRead + Send + 'static,
    limit: usize,
    out: &Output,
    answers: Answers,
    plan: Plan,
    aside: Box<Aside<'static>>,
) -> Result<(), String> {
    let queue = Arc::new(Queue::default());
    let closing = queue.clone();
    out.on_close(move || closing.close());
    let lines = Lines::new(input, limit, out);
    let told = start(&queue, lines, out, answers, plan, aside).inspect_err(|_| queue.close())?;
    write(&queue, &told, out, plan.ordered);
    Ok(())
}

/// Starts the threads, and returns what they tell.
fn start(
    queue: &Arc<Queue>,
    mut lines: Lines<impl BufRead + Send + 'static>,
    out: &Output,
    answers: Answers,
    plan: Plan,
    mut aside: Box<Aside<'static>>,
) -> Result<Receiver<Told>, String> {
    let Plan { concurrency, ordered, .. } = plan;
    let (tell, told) = sync_channel(BACKLOG);
    for number in 0..concurrency {
        let (queue, tell, answers) = (queue.clone(), tell.clone(), answers.for_another_thread());
        let most_ahead = ordered.then_some(WAITING * concurrency as u64);
        plan.start(number, move |table| work(&queue, answers, table, &tell, most_ahead))?;
    }
    let mut reader = Reader { queue: queue.clone(), tell: tell.clone(), ordered, count: 0 };
    // Only who works or reads has something to tell.
    if !ordered {
        let (preparing, most_tasks) = (queue.clone(), WAITING as usize * concurrency);
        let answers = move || prepare(&preparing, answers, &tell, most_tasks);
        memory::start(Builder::new().name("answers".into()), answers)
            .map_err(|error| format!("there is no thread to answer on: {error}"))?;
    }
    let (reading, out) = (queue.clone(), out.clone());
    let read = move || {
        while !out.is_closed()
            && let Some(line) = lines.next()
        {
            reader.receive(line, &mut aside);
        }
        reading.change(|state| {
            state.has_arrived = true;
            state.has_ended |= ordered;
        });
    };
    memory::start(Builder::new().name("requests".into()), read)
        .map_err(|error| format!("there is no thread to read on: {error}"))?;
    Ok(told)
}

/// What the reading thread knows.
struct Reader {
    queue: Arc<Queue>,
    tell: SyncSender<Told>,
    ordered: bool,
    /// How many requests have come.
    count: u64,
}

impl Reader {
    /// Takes in a line: stops what it stops, or puts it in the queue.
    fn receive(&mut self, line: Line, aside: &mut Aside) {
        if let Ok(text) = &line.text {
            if text.trim().is_empty() {
                return;
            }
            log::debug!("> {text}");
        }
        // What cannot be read is refused when it is prepared.
        let members = read(&line);
        let (is_read, is_searched) = (members.is_ok(), members.as_ref().is_ok_and(is_searched));
        let members = members.unwrap_or_default();
        match stop(&members) {
            Ok(None) => {}
            Ok(Some(id)) => {
                let count = self.queue.stop(&id);
                if members.has("id") {
                    self.tell(Told::AtOnce(stopped(members.id(), count)));
                }
                return;
            }
            Err(fault) => {
                return self.tell(Told::AtOnce(refusal(members.id(), Format::Two, &fault)));
            }
        }
        match aside(&members) {
            None => {}
            Some(Ok(())) => return,
            Some(Err(fault)) => {
                return self.tell(Told::AtOnce(refusal(members.id(), Format::Two, &fault)));
            }
        }
        // What is wrong with a priority is told by the answer.
        let place = Place { priority: priority(&members).unwrap_or_default(), number: self.count };
        self.count += 1;
        let asked = Asked { id: members.id(), is_searched, stopper: Stopper::default() };
        let mut waiting = Waiting { line, members: None, task: None, asked };
        match self.ordered {
            true => self.queue.wait(place, waiting),
            false => self.queue.change(|state| {
                let is_soon = is_read && state.arrived.len() < WAITING as usize;
                waiting.members = is_soon.then_some(members);
                state.arrived.push_back((place, waiting));
            }),
        }
    }

    fn tell(&self, told: Told) {
        // Sending fails only if nobody writes any more.
        let _ = self.tell.send(told);
    }
}

/// The members of the request on a line.
fn read(line: &Line) -> Result<Members, Refused> {
    line.text.as_ref().map_err(Refused::from).and_then(|text| Members::read(text))
}

/// What `work` gives for a request with this id and of this format. A fault of the program is answered, too.
fn guarded<T: From<Object>>(id: Value, format: Format, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        refusal(
            id,
            format,
            &Refused::from("the request failed inside; this is a fault of the program"),
        )
        .into()
    })
}

/// What comes of a request that waits.
fn prepared(answers: &mut Answers, waiting: &mut Waiting) -> Prepared {
    let mut members = || waiting.members.take().map_or_else(|| read(&waiting.line), Ok);
    let mut prepared = match waiting.task.take() {
        Some(task) => Prepared::Task(task),
        None => match members() {
            Err(refused) => Prepared::Answer(refusal(Value::Null, Format::One, &refused)),
            Ok(members) => guarded(members.id(), format_of(&members), || answers.prepare(members)),
        },
    };
    if let Prepared::Task(task) = &mut prepared {
        task.stopper = waiting.asked.stopper.clone();
    }
    prepared
}

/// Prepares requests as they arrive, until there are no more: answers at once what takes no search, and has the others
/// wait for a worker. Tasks take more memory than lines, so that not too many of them wait.
fn prepare(queue: &Queue, mut answers: Answers, tell: &SyncSender<Told>, most_tasks: usize) {
    while let Some((place, mut waiting)) = queue.next_arrived() {
        if waiting.asked.is_searched && queue.lock().waiting.len() >= most_tasks {
            queue.wait(place, Waiting { members: None, ..waiting });
            continue;
        }
        match prepared(&mut answers, &mut waiting) {
            Prepared::Task(task) => queue.wait(place, Waiting { task: Some(task), ..waiting }),
            Prepared::Answer(answer) => {
                queue.lock().running.remove(&place.number);
                if tell.send(Told::Answer(place.number, answer)).is_err() {
                    break;
                }
            }
        }
    }
    queue.change(|state| state.has_ended = true);
}

/// Answers requests until there are no more.
fn work(
    queue: &Queue,
    mut answers: Answers,
    table: &TranspositionTable,
    tell: &SyncSender<Told>,
    most_ahead: Option<u64>,
) {
    while let Some((number, mut waiting)) = queue.next(most_ahead) {
        let answer = match prepared(&mut answers, &mut waiting) {
            Prepared::Answer(answer) => answer,
            Prepared::Task(mut task) => {
                let every = task.every.unwrap_or_default();
                let mut report = |report| drop(tell.send(Told::Report(number, every, report)));
                guarded(waiting.asked.id, task.format, || task.run(table, &mut report))
            }
        };
        queue.lock().running.remove(&number);
        if tell.send(Told::Answer(number, answer)).is_err() {
            return;
        }
    }
}

/// Writes what is told until there is nothing more, or the output is closed.
fn write(queue: &Queue, told: &Receiver<Told>, out: &Output, ordered: bool) {
    let clock = System.clock();
    let mut reports: BTreeMap<u64, Throttle> = BTreeMap::new();
    let mut answers: BTreeMap<u64, Object> = BTreeMap::new();
    let mut next = 0;
    while !out.is_closed() {
        let due = reports.values().filter_map(Throttle::due).min();
        let received = match due {
            None => told.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(due) => told.recv_timeout(due.saturating_sub(clock.now())),
        };
        match received {
            Ok(Told::AtOnce(answer)) => out.lines(&Value::from(answer).to_string()),
            Ok(Told::Report(number, every, report)) => {
                reports.entry(number).or_insert_with(|| Throttle::new(every)).hold(report);
            }
            Ok(Told::Answer(number, answer)) => {
                reports.remove(&number);
                answers.insert(if ordered { number } else { next }, answer);
                while let Some(answer) = answers.remove(&next) {
                    next += 1;
                    out.lines(&Value::from(answer).to_string());
                }
                queue.change(|state| state.written = next);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        for report in reports.values_mut().filter_map(|throttle| throttle.release(clock.now())) {
            let partial = [("partial".to_string(), Value::from(true))];
            out.lines(
                &Value::from(report.into_iter().chain(partial).collect::<Object>()).to_string(),
            );
        }
    }
}
