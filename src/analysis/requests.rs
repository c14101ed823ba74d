//! Requests and answers as lines of JSON, on several threads: each line asks something, and gets one line of answer,
//! perhaps after reports of what is known so far.
//!
//! One thread reads: it stops requests at once, and puts the others in a queue, those of a higher priority first. The
//! workers take requests out of the queue. One thread writes, in the order of the requests or as they are answered. In
//! the latter case one more thread stands before the workers: it answers what takes no search, whatever they do.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use serde_json::Value;

use crate::core::memory;
use crate::engine::refused::Refused;
use crate::engine::request::{Format, format_of, is_searched, priority, stop};
use crate::engine::request_answers::{Answers, Prepared, refusal, stopped};
use crate::engine::request_json::Members;
use crate::engine::request_searches::{Object, Task};
use crate::engine::stopper::Stopper;
use crate::engine::throttle::Throttle;
use crate::io::clock;
use crate::io::input::{Line, Lines};
use crate::io::output::Output;
use crate::search::transposition::TranspositionTable;

use super::pool::Plan;

/// How many answers for each worker may wait for an earlier one.
const WAITING: u64 = 64;

/// How many answers and reports may wait to be written. Whoever has more waits, so that a reader of the answers who is
/// slow costs no memory.
const BACKLOG: usize = 64;

/// The place of a request in the queue: its priority, and its number among all requests.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    priority: f64,
    number: u64,
}

impl Eq for Place {}

impl Ord for Place {
    fn cmp(&self, other: &Place) -> Ordering {
        other.priority.total_cmp(&self.priority).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Place) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A request that waits.
struct Waiting {
    /// Its line, which counts as waiting until it is answered.
    line: Line,
    /// What was read of it, if it is to be prepared soon: that takes more memory than the line.
    members: Option<Members>,
    /// Its task, if it is prepared already.
    task: Option<Box<Task>>,
    asked: Asked,
}

/// What a stop must know of a request that waits or is being answered.
#[derive(Clone)]
struct Asked {
    id: Value,
    /// Whether a search is asked for: only that can be stopped.
    is_searched: bool,
    stopper: Stopper,
}

/// What the threads share.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// Is notified when the state has changed.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The requests that are to be prepared, in the order in which they came. Where answers are written in order there
    /// are none: the workers prepare.
    arrived: VecDeque<(Place, Waiting)>,
    /// Whether nothing more arrives.
    has_arrived: bool,
    /// The requests that wait for a worker, the one to be answered next first.
    waiting: BTreeMap<Place, Waiting>,
    /// The same by their numbers.
    places: BTreeMap<u64, Place>,
    /// The requests that are being prepared or answered.
    running: HashMap<u64, Asked>,
    /// How many answers were written.
    written: u64,
    /// Whether no more requests come to the workers.
    has_ended: bool,
    /// Whether nobody reads the answers any more.
    is_closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next request; none if no more come. Where answers are written in order, a request that would wait long to be
    /// written waits here instead, and the earliest one is taken.
    fn next(&self, most_ahead: Option<u64>) -> Option<(u64, Waiting)> {
        let mut state = self.lock();
        loop {
            let first = state.waiting.first_key_value().map(|(place, _)| *place);
            let earliest = state.places.first_key_value().map(|(_, place)| *place);
            let may_be_taken =
                |place: &Place| most_ahead.is_none_or(|most| place.number < state.written.saturating_add(most));
            let open = first.filter(may_be_taken).or(earliest.filter(may_be_taken)).filter(|_| !state.is_closed);
            if let Some(place) = open {
                state.places.remove(&place.number);
                if let Some(waiting) = state.waiting.remove(&place) {
                    state.running.insert(place.number, waiting.asked.clone());
                    return Some((place.number, waiting));
                }
            }
            if state.is_closed || state.waiting.is_empty() && state.has_ended {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next request to be prepared; none if no more come.
    fn next_arrived(&self) -> Option<(Place, Waiting)> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some((place, waiting)) = state.arrived.pop_front() {
                state.running.insert(place.number, waiting.asked.clone());
                return Some((place, waiting));
            }
            if state.has_arrived {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Has a request wait for a worker.
    fn wait(&self, place: Place, waiting: Waiting) {
        self.change(|state| {
            state.running.remove(&place.number);
            state.places.insert(place.number, place);
            state.waiting.insert(place, waiting);
        });
    }

    /// Changes the state, and tells all threads.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Ends all work: nobody reads the answers any more.
    fn close(&self) {
        self.change(|state| state.is_closed = true);
        self.stop(&Value::Null);
    }

    /// Stops the requests with this id, or all of them for `null`, and returns how many searches that ends. One that
    /// waits ends as soon as it begins.
    fn stop(&self, id: &Value) -> usize {
        let state = self.lock();
        let waiting = state.waiting.values().chain(state.arrived.iter().map(|(_, waiting)| waiting));
        let all = state.running.values().chain(waiting.map(|waiting| &waiting.asked));
        let meant = all.filter(|asked| asked.is_searched && (id.is_null() || asked.id == *id));
        meant.filter(|asked| asked.stopper.stop()).count()
    }
}

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

/// Answers each line of the input, until the input ends or the output closes. A request that takes no search is answered
/// at once where the plan is not ordered. `aside` is asked first about each request.
///
/// # Errors
/// If there is not enough memory. A failure of the input or the output is kept by the output.
pub fn answer_all(
    input: impl BufRead + Send + 'static,
    limit: usize,
    out: &Output,
    answers: Answers,
    plan: Plan,
    mut aside: Box<Aside<'static>>,
) -> Result<(), String> {
    let Plan { concurrency, hash, ordered } = plan;
    let queue = Arc::new(Queue::default());
    let (tell, told) = sync_channel(BACKLOG);
    let closing = queue.clone();
    out.on_close(move || closing.close());
    for number in 0..concurrency {
        let table = TranspositionTable::new(hash)
            .ok_or_else(|| format!("no memory for {concurrency} tables of {hash} MiB: set a smaller Hash"))?;
        let (queue, tell, answers) = (queue.clone(), tell.clone(), answers.for_another_thread());
        let most_ahead = ordered.then_some(WAITING * concurrency as u64);
        let work = move || work(&queue, answers, &table, &tell, most_ahead);
        memory::start(Builder::new().name(format!("analysis {number}")), work)
            .map_err(|error| format!("there is no thread to search on: {error}"))?;
    }
    let (reading, failed) = (queue.clone(), out.clone());
    let mut reader = Reader { queue: queue.clone(), tell: tell.clone(), ordered, count: 0 };
    if ordered {
        // Only who works or reads has something to tell.
        drop(tell);
    } else {
        let (preparing, most_tasks) = (queue.clone(), WAITING as usize * concurrency);
        memory::start(Builder::new().name("answers".into()), move || prepare(&preparing, answers, &tell, most_tasks))
            .map_err(|error| format!("there is no thread to answer on: {error}"))?;
    }
    let read = move || {
        let mut lines = Lines::new(input, limit);
        while !failed.is_closed() {
            match lines.next_line() {
                Ok(Some(line)) => reader.receive(line, &mut aside),
                Ok(None) => break,
                Err(error) => {
                    failed.input_failed(&error);
                    break;
                }
            }
        }
        reading.change(|state| {
            state.has_arrived = true;
            state.has_ended |= ordered;
        });
    };
    memory::start(Builder::new().name("requests".into()), read)
        .map_err(|error| format!("there is no thread to read on: {error}"))?;
    write(&queue, &told, out, ordered);
    Ok(())
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
            Err(fault) => return self.tell(Told::AtOnce(refusal(members.id(), Format::Two, &fault))),
        }
        match aside(&members) {
            None => {}
            Some(Ok(())) => return,
            Some(Err(fault)) => return self.tell(Told::AtOnce(refusal(members.id(), Format::Two, &fault))),
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
        refusal(id, format, &Refused::from("the request failed inside; this is a fault of the program")).into()
    })
}

/// What comes of a request that waits.
fn prepared(answers: &mut Answers, waiting: &mut Waiting) -> Prepared {
    let mut members = || waiting.members.take().map_or_else(|| read(&waiting.line), Ok);
    let prepared = match waiting.task.take() {
        Some(task) => Prepared::Task(task),
        None => match members() {
            Err(refused) => Prepared::Answer(refusal(Value::Null, Format::One, &refused)),
            Ok(members) => guarded(members.id(), format_of(&members), || answers.prepare(members)),
        },
    };
    match prepared {
        Prepared::Task(mut task) => {
            task.stopper = waiting.asked.stopper.clone();
            Prepared::Task(task)
        }
        answer => answer,
    }
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
                let every = task.every().unwrap_or_default();
                let mut report = |report| drop(tell.send(Told::Report(number, every, report)));
                guarded(waiting.asked.id, task.format(), || task.run(table, &mut report))
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
    let clock = clock::system();
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
            out.lines(&Value::from(report.into_iter().chain(partial).collect::<Object>()).to_string());
        }
    }
}
