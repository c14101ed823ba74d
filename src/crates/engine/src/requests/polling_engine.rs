//! Responds to requests on one thread, in slices, for hosts without threads such as a worker of a browser.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::{Duration, Instant};
//!
//! use pentarch_engine::requests::responder::Responder;
//! use pentarch_engine::host::Host;
//! use pentarch_engine::requests::polling_engine::PollingEngine;
//! use pentarch_search::clock::Clock;
//!
//! /// A host with a clock, and nothing else.
//! struct Program(Instant);
//!
//! impl Host for Program {
//!     fn clock(&self) -> Clock {
//!         let begun = self.0;
//!         Clock::new(move || begun.elapsed())
//!     }
//! }
//!
//! let responder = Responder::with_defaults(Arc::new(Program(Instant::now())));
//! let mut engine = PollingEngine::new(responder, 1);
//! // A request without a search has its response at once.
//! let answer = engine.receive(r#"{"id": 1, "game": "quoridor", "moves": "e2", "ask": "status"}"#);
//! assert!(answer[0].contains(r#""sentence":"Black is to move""#));
//! // A search runs in slices, between which other requests can come.
//! assert!(engine.receive(r#"{"id": 2, "game": "bushka", "ask": "analysis", "depth": 3}"#).is_empty());
//! let mut answers = Vec::new();
//! while !engine.is_idle() {
//!     answers.extend(engine.step(5_000));
//! }
//! assert!(answers[0].starts_with(r#"{"analysis":{"lines":[{"#));
//! ```

use std::task::Poll;
use std::time::Duration;

use pentarch_core::LoadableFile;
use pentarch_search::clock::Clock;
use pentarch_search::transposition::TranspositionTable;

use super::check::{RequestError, Unavailable};
use super::fields::Message;
use super::responder::{Prepared, Responder};
use super::response::Response;
use super::task::Task;
use super::throttle::Throttle;
use crate::error::{EngineError, Fault};
use crate::scheduler::{CommandHandle, Scheduler, StopEffect};

/// Responds to requests on the thread that calls it. Requests with a higher priority come first, and those with the
/// same priority in the order in which they arrived. A request without a search has its response at once. Searches wait
/// for the [files](PollingEngine::lacking) that they need, and do not block others.
pub struct PollingEngine {
    responder: Responder,
    clock: Clock,
    /// The size of the transposition table of each search in MiB.
    hash: usize,
    longest_step: Duration,
    /// The requests that take searches, as jobs that wait between two steps.
    scheduler: Scheduler<Open>,
}

/// A request that takes searches.
struct Open {
    task: Box<Task>,
    /// The transposition table; `None` before the task has begun.
    table: Option<TranspositionTable>,
    throttle: Throttle,
}

impl Open {
    /// Returns whether it can run: it has its files, or it was stopped.
    fn is_ready(&self, handle: &CommandHandle) -> bool {
        handle.stopper.is_stopped() || self.task.lacking().next().is_none()
    }
}

impl PollingEngine {
    /// Creates an engine with a transposition table of `hash` MiB for each search that has begun.
    pub fn new(responder: Responder, hash: usize) -> PollingEngine {
        PollingEngine {
            clock: responder.clock(),
            responder,
            hash,
            longest_step: Duration::MAX,
            scheduler: Scheduler::default(),
        }
    }

    /// Returns the engine with steps that end soon after this time, however few nodes they have searched.
    pub fn with_longest_step(self, time: Duration) -> PollingEngine {
        PollingEngine { longest_step: time, ..self }
    }

    /// Accepts a request, a line of JSON. Returns the lines of the responses that are ready: at most one.
    pub fn receive(&mut self, line: &str) -> Vec<String> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let fields = match Message::parse(line) {
            Ok(Message::Request(fields)) => *fields,
            Ok(Message::Stop { id, target }) => {
                let count = self.scheduler.stop(target.as_ref());
                let response = id.map(|id| Response::stopped(id, count).line());
                return response.into_iter().collect();
            }
            Ok(Message::Console { id, .. }) => {
                let error = RequestError::from(Unavailable::Console).of_field("ugi");
                return vec![Response::error(id, error).line()];
            }
            Err(invalid) => return vec![Response::error(invalid.id, invalid.error).line()],
        };
        let id = fields.id.clone().unwrap_or_default();
        let priority = fields.priority.unwrap_or_default().0;
        match self.responder.prepare(fields) {
            Prepared::Response(response) => vec![response.line()],
            Prepared::Task(mut task) => {
                task.longest_step = self.longest_step;
                let throttle = Throttle::new(task.every.unwrap_or_default());
                let stopper = task.stopper.clone();
                let handle = CommandHandle { id, stop_effect: StopEffect::Searches, stopper };
                self.scheduler.push_job(priority, Open { task, table: None, throttle }, handle);
                Vec::new()
            }
        }
    }

    /// Returns whether there is nothing to search: each request has its response, or waits for
    /// [files](PollingEngine::lacking).
    pub fn is_idle(&self) -> bool {
        !self.scheduler.jobs().any(|(open, handle)| open.is_ready(handle))
    }

    /// Returns the files that requests wait for.
    fn lacking_files(&self) -> impl Iterator<Item = &'static dyn LoadableFile> {
        self.scheduler.jobs().flat_map(|(open, _)| open.task.lacking())
    }

    /// Returns the names of the files that requests wait for.
    pub fn lacking(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.lacking_files().map(LoadableFile::name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Gives the program a file that requests wait for. Returns whether it has the file then.
    pub fn give(&mut self, name: &str, bytes: Vec<u8>) -> bool {
        let file = self.lacking_files().find(|file| file.name() == name);
        file.is_some_and(|file| file.load(bytes))
    }

    /// Continues the requests that wait for a file which is not available, or rejects them if they need it. Returns the
    /// lines of these errors. Later requests wait for the file again.
    pub fn do_without(&mut self, name: &str) -> Vec<String> {
        let error = EngineError::new(Fault::MissingFile { name: name.into() });
        let mut answers = Vec::new();
        self.scheduler.retain_jobs(|open, handle| {
            let is_required = |file: &dyn LoadableFile| file.name() == name && file.is_required();
            if !open.is_ready(handle) && open.task.lacking().any(is_required) {
                answers.push(Response::error(handle.id.clone(), error.clone()).line());
                return false;
            }
            open.task.files.retain(|file| file.name() != name || file.is_required());
            true
        });
        answers
    }

    /// Continues the search of the first request by about `nodes` nodes, or by more if these bring nothing new. Returns
    /// the lines of the reports and responses that are ready. [Stopped](PollingEngine::receive) requests come first.
    pub fn step(&mut self, nodes: u64) -> Vec<String> {
        let Some(mut started) = self.scheduler.next_ready_job(Open::is_ready) else {
            return Vec::new();
        };
        let Open { task, table, throttle } = &mut started.item;
        let table = table.get_or_insert_with(|| TranspositionTable::largest_up_to(self.hash));
        if let Poll::Ready(answer) =
            task.step(Some(nodes), table, &mut |report| throttle.hold(report))
        {
            self.scheduler.end(started.number);
            return vec![answer.line()];
        }
        let report = throttle.release(self.clock.now());
        self.scheduler.suspend(started);
        let partial = report.map(|report| Response { partial: Some(true), ..report }.line());
        partial.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
    use std::time::Duration;

    use serde_json::Value;

    use super::*;

    /// A host whose clock goes on by a millisecond whenever somebody looks at it.
    struct Ticking;

    impl crate::host::Host for Ticking {
        fn clock(&self) -> Clock {
            let looks = AtomicU64::new(0);
            Clock::new(move || Duration::from_millis(looks.fetch_add(1, Relaxed)))
        }
    }

    /// The answers after so many steps.
    fn steps(engine: &mut PollingEngine, count: usize) -> Vec<Value> {
        let lines = (0..count).flat_map(|_| engine.step(200)).collect::<Vec<_>>();
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn searches_come_by_their_priorities_then_as_they_came_and_those_that_are_stopped_come_first() {
        let mut engine = PollingEngine::new(Responder::with_defaults(Arc::new(Ticking)), 1);
        let analysis = |id: u32, fields: &str| {
            format!(
                r#"{{"id": {id}, "game": "bushka", "ask": "analysis", "depth": 1000, "every": 1{fields}}}"#
            )
        };
        for id in 1..=2 {
            assert!(engine.receive(&analysis(id, "")).is_empty());
        }
        let reported = steps(&mut engine, 60);
        assert!(
            !reported.is_empty() && reported.iter().all(|report| report["id"] == 1),
            "{reported:?}"
        );
        // What is more urgent comes before both, until it has ended.
        assert!(engine.receive(&analysis(3, r#", "priority": 1"#)).is_empty());
        assert!(steps(&mut engine, 60).iter().all(|report| report["id"] == 3));
        assert!(engine.receive(r#"{"stop": 2}"#).is_empty());
        let answers = steps(&mut engine, 1);
        assert_eq!(
            (answers.len(), &answers[0]["id"], answers[0].get("partial")),
            (1, &2.into(), None)
        );
        assert!(engine.receive(r#"{"stop": null}"#).is_empty());
        assert_eq!(
            steps(&mut engine, 2).iter().filter(|answer| answer.get("partial").is_none()).count(),
            2
        );
        assert!(engine.is_idle());
    }

    #[test]
    fn a_step_ends_with_its_time() {
        let answers = Responder::with_defaults(Arc::new(Ticking));
        let mut engine =
            PollingEngine::new(answers, 1).with_longest_step(Duration::from_millis(20));
        assert!(
            engine
                .receive(r#"{"id": 1, "game": "bushka", "ask": "analysis", "depth": 1000}"#)
                .is_empty()
        );
        for _ in 0..3 {
            assert!(engine.step(u64::MAX).is_empty());
        }
        assert!(engine.receive(r#"{"stop": 1}"#).is_empty());
        assert!(engine.step(u64::MAX)[0].contains(r#""id":1"#));
    }

    /// A file that the program does not have before it is given.
    struct Late {
        name: &'static str,
        is_required: bool,
        is_loaded: AtomicBool,
    }

    impl LoadableFile for Late {
        fn name(&self) -> &'static str {
            self.name
        }

        fn is_required(&self) -> bool {
            self.is_required
        }

        fn is_loaded(&self) -> bool {
            self.is_loaded.load(Relaxed)
        }

        fn load(&self, bytes: Vec<u8>) -> bool {
            self.is_loaded.fetch_or(!bytes.is_empty(), Relaxed);
            self.is_loaded()
        }
    }

    #[test]
    fn searches_wait_for_files_and_hold_up_no_others() {
        let mut engine = PollingEngine::new(Responder::with_defaults(Arc::new(Ticking)), 1);
        let late = |name, is_required| {
            &*Box::leak(Box::new(Late { name, is_required, is_loaded: false.into() }))
        };
        let (net, book) = (late("a.net", true), late("a.book", false));
        let ask = |engine: &mut PollingEngine, id: u32, question: &str, files: &[&'static Late]| {
            let request = format!(
                r#"{{"id": {id}, "game": "bushka", "ask": "{question}", "depth": 2, "every": 1}}"#
            );
            assert!(engine.receive(&request).is_empty());
            engine.scheduler.retain_jobs(|open, handle| {
                if handle.id == u64::from(id).into() {
                    open.task.files = files.iter().map(|&file| file as &dyn LoadableFile).collect();
                }
                true
            });
        };
        let answers = |engine: &mut PollingEngine| {
            let answers = steps(engine, 100);
            assert!(engine.is_idle());
            answers.into_iter().filter(|answer| answer.get("partial").is_none()).collect::<Vec<_>>()
        };
        ask(&mut engine, 1, "play", &[net, book]);
        ask(&mut engine, 2, "analysis", &[book]);
        ask(&mut engine, 3, "analysis", &[]);
        assert_eq!(engine.lacking(), ["a.book", "a.net"]);
        assert!(matches!(&answers(&mut engine)[..], [only] if only["id"] == 3));
        // A request that waits and is stopped answers as any other: `play` with a legal move.
        for (id, question) in [(4, "play"), (5, "analysis"), (6, "review")] {
            ask(&mut engine, id, question, &[net]);
            assert!(engine.receive(&format!(r#"{{"stop": {id}}}"#)).is_empty());
            let stopped = answers(&mut engine);
            let [answer] = &stopped[..] else { panic!("{stopped:?}") };
            assert!(answer["id"] == id && answer.get("error").is_none(), "{answer}");
            match question {
                "play" => assert!(answer["play"]["move"].is_string(), "{answer}"),
                "analysis" => {
                    assert!(answer["analysis"]["lines"][0]["move"].is_string(), "{answer}")
                }
                _ => assert!(answer["review"].is_object(), "{answer}"),
            }
        }
        // Without a book a search goes on; without a net it is refused, and the next one waits again.
        assert!(engine.do_without("a.book").is_empty());
        assert!(matches!(&answers(&mut engine)[..], [only] if only["id"] == 2));
        assert!(!engine.give("a.net", Vec::new()), "that is no such file");
        let refused = engine.do_without("a.net");
        assert!(
            refused.len() == 1 && refused[0].contains(r#""id":1"#) && refused[0].contains("a.net"),
            "{refused:?}"
        );
        ask(&mut engine, 7, "play", &[net]);
        assert_eq!(engine.lacking(), ["a.net"]);
        assert!(engine.is_idle() && engine.give("a.net", vec![1]) && !engine.is_idle());
        assert!(matches!(&answers(&mut engine)[..], [only] if only["id"] == 7));
        assert!(engine.lacking().is_empty());
    }
}
