//! Responds to requests on one thread, in slices, for hosts without threads, such as a worker in a
//! browser.
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
//!     fn host_clock(&self) -> Clock {
//!         let begun = self.0;
//!         Clock::new(move || begun.elapsed())
//!     }
//! }
//!
//! let responder = Responder::with_default_options(Arc::new(Program(Instant::now())));
//! let mut engine = PollingEngine::new(responder, 1);
//! // A request without a search has its response at once.
//! let response = engine.receive_request(r#"{"id": 1, "game": "quoridor", "moves": "e2", "ask": "status"}"#);
//! assert!(response[0].contains(r#""sentence":"Black is to move""#));
//! // A search runs in slices, between which other requests can come.
//! assert!(engine.receive_request(r#"{"id": 2, "game": "alcaxar", "ask": "analysis", "depth": 3}"#).is_empty());
//! let mut responses = Vec::new();
//! while !engine.is_idle() {
//!     responses.extend(engine.step(5_000));
//! }
//! assert!(responses[0].starts_with(r#"{"analysis":{"lines":[{"#));
//! ```

use std::task::Poll;
use std::time::Duration;

use pentarch_core::LoadableFile;
use pentarch_search::clock::Clock;
use pentarch_search::transposition::TranspositionTable;

use super::field_checks::{FieldCheckError, UnavailableFeature};
use super::fields::InputMessage;
use super::report_throttle::ReportThrottle;
use super::responder::{PreparedResponse, Responder};
use super::response::Response;
use super::response_task::ResponseTask;
use crate::error::{EngineError, EngineFault};
use crate::scheduler::{CommandHandle, Scheduler, StopEffect};

/// An engine that responds to requests on the calling thread. Requests with a higher priority come
/// first, and requests with the same priority in the order of arrival. A request without a search
/// is answered at once. Searches wait for the [files](PollingEngine::missing_file_names) that they
/// need. A waiting search does not block other requests.
pub struct PollingEngine {
    responder: Responder,
    clock: Clock,
    /// The size of the transposition table of each search in MiB.
    hash: usize,
    longest_step: Duration,
    /// The requests that need searches, as jobs. Each step runs a slice of one job.
    scheduler: Scheduler<PendingTask>,
}

/// A request with searches.
struct PendingTask {
    task: Box<ResponseTask>,
    /// The transposition table; `None` before the task has started.
    table: Option<TranspositionTable>,
    throttle: ReportThrottle,
}

impl PendingTask {
    /// Returns whether the task can run. A task needs its files, unless it was stopped.
    fn is_ready(&self, handle: &CommandHandle) -> bool {
        handle.stopper.is_stopped() || self.task.missing_files().next().is_none()
    }
}

impl PollingEngine {
    /// Creates an engine with a transposition table of `hash` MiB for each search that has started.
    pub fn new(responder: Responder, hash: usize) -> PollingEngine {
        PollingEngine {
            clock: responder.host_clock(),
            responder,
            hash,
            longest_step: Duration::MAX,
            scheduler: Scheduler::default(),
        }
    }

    /// Sets the maximum time of a step. A step ends soon after this time, even if it has searched
    /// few nodes.
    pub fn with_max_step_duration(self, time: Duration) -> PollingEngine {
        PollingEngine { longest_step: time, ..self }
    }

    /// Handles a request in a line of JSON. Returns the response as one line if it is ready, and
    /// otherwise no line.
    pub fn receive_request(&mut self, line: &str) -> Vec<String> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let fields = match InputMessage::parse(line) {
            Ok(InputMessage::Request(fields)) => *fields,
            Ok(InputMessage::Stop { id, target }) => {
                let count = self.scheduler.stop_commands_with_id(target.as_ref());
                let response = id.map(|id| Response::for_stop(id, count).to_json_line());
                return response.into_iter().collect();
            }
            Ok(InputMessage::Console { id, .. }) => {
                let error =
                    FieldCheckError::from(UnavailableFeature::Console).in_named_field("ugi");
                return vec![Response::for_error(id, error).to_json_line()];
            }
            Err(invalid) => {
                return vec![Response::for_error(invalid.id, invalid.error).to_json_line()];
            }
        };
        let id = fields.id.clone().unwrap_or_default();
        let priority = fields.priority.unwrap_or_default().0;
        match self.responder.prepare_response(fields) {
            PreparedResponse::Response(response) => vec![response.to_json_line()],
            PreparedResponse::Task(mut task) => {
                task.longest_step = self.longest_step;
                let throttle = ReportThrottle::new(task.every.unwrap_or_default());
                let stopper = task.stopper.clone();
                let handle = CommandHandle { id, stop_effect: StopEffect::Searches, stopper };
                self.scheduler.push_job(
                    priority,
                    PendingTask { task, table: None, throttle },
                    handle,
                );
                Vec::new()
            }
        }
    }

    /// Returns whether there is nothing to search, because each request has its response or waits
    /// for [files](PollingEngine::missing_file_names).
    pub fn is_idle(&self) -> bool {
        !self.scheduler.queued_jobs().any(|(pending, handle)| pending.is_ready(handle))
    }

    /// Returns the files that requests wait for.
    fn missing_files(&self) -> impl Iterator<Item = &'static dyn LoadableFile> {
        self.scheduler.queued_jobs().flat_map(|(pending, _)| pending.task.missing_files())
    }

    /// Returns the names of the files that requests wait for.
    pub fn missing_file_names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.missing_files().map(LoadableFile::file_name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Loads a file that requests wait for. Returns whether the program has the file afterwards.
    pub fn supply_file(&mut self, name: &str, bytes: Vec<u8>) -> bool {
        let file = self.missing_files().find(|file| file.file_name() == name);
        file.is_some_and(|file| file.load_from_bytes(bytes))
    }

    /// Records that a file is unavailable. Requests that need the file are rejected. Other requests
    /// that wait for the file continue without it. Returns the lines of the error responses. Later
    /// requests wait for the file again.
    pub fn continue_without_file(&mut self, name: &str) -> Vec<String> {
        let error = EngineError::new(EngineFault::MissingFile { name: name.into() });
        let mut errors = Vec::new();
        self.scheduler.retain_queued_jobs(|pending, handle| {
            let requires_file = pending
                .task
                .missing_files()
                .any(|file| file.file_name() == name && file.is_required_for_search());
            if requires_file && !pending.is_ready(handle) {
                errors.push(Response::for_error(handle.id.clone(), error.clone()).to_json_line());
                return false;
            }
            pending
                .task
                .files
                .retain(|file| file.file_name() != name || file.is_required_for_search());
            true
        });
        errors
    }

    /// Continues the search of the first request by about `nodes` nodes, or by more while there is
    /// nothing new to report. Returns the lines of the reports and responses that are ready.
    /// [Stopped](PollingEngine::receive_request) requests come first.
    pub fn step(&mut self, nodes: u64) -> Vec<String> {
        let Some(mut started) = self.scheduler.start_next_ready_job(PendingTask::is_ready) else {
            return Vec::new();
        };
        let PendingTask { task, table, throttle } = &mut started.item;
        let table = table.get_or_insert_with(|| TranspositionTable::allocate_up_to_mib(self.hash));
        if let Poll::Ready(response) =
            task.step(Some(nodes), table, &mut |report| throttle.store_report(report))
        {
            self.scheduler.remove_ended_command(started.number);
            return vec![response.to_json_line()];
        }
        let report = throttle.take_due_report(self.clock.now());
        self.scheduler.requeue_as_job(started);
        let partial =
            report.map(|report| Response { partial: Some(true), ..report }.to_json_line());
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

    /// A host whose clock advances by a millisecond each time it is read.
    struct TickingHost;

    impl crate::host::Host for TickingHost {
        fn host_clock(&self) -> Clock {
            let queries = AtomicU64::new(0);
            Clock::new(move || Duration::from_millis(queries.fetch_add(1, Relaxed)))
        }
    }

    /// Runs `count` steps and returns their lines.
    fn steps(engine: &mut PollingEngine, count: usize) -> Vec<Value> {
        let lines = (0..count).flat_map(|_| engine.step(200)).collect::<Vec<_>>();
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn searches_run_by_priority_then_arrival_and_stopped_ones_first() {
        let mut engine =
            PollingEngine::new(Responder::with_default_options(Arc::new(TickingHost)), 1);
        let analysis = |id: u32, fields: &str| {
            format!(
                r#"{{"id": {id}, "game": "alcaxar", "ask": "analysis", "depth": 1000, "every": 1{fields}}}"#
            )
        };
        for id in 1..=2 {
            assert!(engine.receive_request(&analysis(id, "")).is_empty());
        }
        let reported = steps(&mut engine, 60);
        assert!(
            !reported.is_empty() && reported.iter().all(|report| report["id"] == 1),
            "{reported:?}"
        );
        // A request with a higher priority runs until it ends, before the other two requests.
        assert!(engine.receive_request(&analysis(3, r#", "priority": 1"#)).is_empty());
        assert!(steps(&mut engine, 60).iter().all(|report| report["id"] == 3));
        assert!(engine.receive_request(r#"{"stop": 2}"#).is_empty());
        let responses = steps(&mut engine, 1);
        assert_eq!(
            (responses.len(), &responses[0]["id"], responses[0].get("partial")),
            (1, &2.into(), None)
        );
        assert!(engine.receive_request(r#"{"stop": null}"#).is_empty());
        assert_eq!(
            steps(&mut engine, 2)
                .iter()
                .filter(|response| response.get("partial").is_none())
                .count(),
            2
        );
        assert!(engine.is_idle());
    }

    #[test]
    fn a_step_ends_after_its_maximum_time() {
        let responder = Responder::with_default_options(Arc::new(TickingHost));
        let mut engine =
            PollingEngine::new(responder, 1).with_max_step_duration(Duration::from_millis(20));
        assert!(
            engine
                .receive_request(
                    r#"{"id": 1, "game": "alcaxar", "ask": "analysis", "depth": 1000}"#
                )
                .is_empty()
        );
        for _ in 0..3 {
            assert!(engine.step(u64::MAX).is_empty());
        }
        assert!(engine.receive_request(r#"{"stop": 1}"#).is_empty());
        assert!(engine.step(u64::MAX)[0].contains(r#""id":1"#));
    }

    /// A file that is missing until the test supplies it.
    struct LateFile {
        name: &'static str,
        is_required: bool,
        is_loaded: AtomicBool,
    }

    impl LoadableFile for LateFile {
        fn file_name(&self) -> &'static str {
            self.name
        }

        fn is_required_for_search(&self) -> bool {
            self.is_required
        }

        fn is_file_loaded(&self) -> bool {
            self.is_loaded.load(Relaxed)
        }

        fn load_from_bytes(&self, bytes: Vec<u8>) -> bool {
            self.is_loaded.fetch_or(!bytes.is_empty(), Relaxed);
            self.is_file_loaded()
        }
    }

    #[test]
    fn searches_wait_for_files_without_blocking_others() {
        let mut engine =
            PollingEngine::new(Responder::with_default_options(Arc::new(TickingHost)), 1);
        let late = |name, is_required| {
            &*Box::leak(Box::new(LateFile { name, is_required, is_loaded: false.into() }))
        };
        let (net, book) = (late("a.net", true), late("a.book", false));
        let send = |engine: &mut PollingEngine,
                    id: u32,
                    question: &str,
                    files: &[&'static LateFile]| {
            let request = format!(
                r#"{{"id": {id}, "game": "alcaxar", "ask": "{question}", "depth": 2, "every": 1}}"#
            );
            assert!(engine.receive_request(&request).is_empty());
            engine.scheduler.retain_queued_jobs(|pending, handle| {
                if handle.id == u64::from(id).into() {
                    pending.task.files =
                        files.iter().map(|&file| file as &dyn LoadableFile).collect();
                }
                true
            });
        };
        let responses = |engine: &mut PollingEngine| {
            let responses = steps(engine, 100);
            assert!(engine.is_idle());
            responses
                .into_iter()
                .filter(|response| response.get("partial").is_none())
                .collect::<Vec<_>>()
        };
        send(&mut engine, 1, "play", &[net, book]);
        send(&mut engine, 2, "analysis", &[book]);
        send(&mut engine, 3, "analysis", &[]);
        assert_eq!(engine.missing_file_names(), ["a.book", "a.net"]);
        assert!(matches!(&responses(&mut engine)[..], [only] if only["id"] == 3));
        // A stopped request that waits for a file gets a response like any other request. The
        // response to `play` contains a legal move.
        for (id, question) in [(4, "play"), (5, "analysis"), (6, "review")] {
            send(&mut engine, id, question, &[net]);
            assert!(engine.receive_request(&format!(r#"{{"stop": {id}}}"#)).is_empty());
            let stopped = responses(&mut engine);
            let [response] = &stopped[..] else { panic!("{stopped:?}") };
            assert!(response["id"] == id && response.get("error").is_none(), "{response}");
            match question {
                "play" => assert!(response["play"]["move"].is_string(), "{response}"),
                "analysis" => {
                    assert!(response["analysis"]["lines"][0]["move"].is_string(), "{response}")
                }
                _ => assert!(response["review"].is_object(), "{response}"),
            }
        }
        // A search continues without a book. Without a net, its request is rejected, and the next
        // request waits for the net again.
        assert!(engine.continue_without_file("a.book").is_empty());
        assert!(matches!(&responses(&mut engine)[..], [only] if only["id"] == 2));
        assert!(!engine.supply_file("a.net", Vec::new()), "an empty file is invalid");
        let errors = engine.continue_without_file("a.net");
        assert!(
            errors.len() == 1 && errors[0].contains(r#""id":1"#) && errors[0].contains("a.net"),
            "{errors:?}"
        );
        send(&mut engine, 7, "play", &[net]);
        assert_eq!(engine.missing_file_names(), ["a.net"]);
        assert!(engine.is_idle() && engine.supply_file("a.net", vec![1]) && !engine.is_idle());
        assert!(matches!(&responses(&mut engine)[..], [only] if only["id"] == 7));
        assert!(engine.missing_file_names().is_empty());
    }
}
