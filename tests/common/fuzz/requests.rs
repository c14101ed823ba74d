//! Checks of requests in JSON, several to one engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use pentarch::problems::grader::problem_of_position;
use pentarch_core::Options;
use pentarch_engine::games::all_game_words;
use pentarch_engine::host::Host;
use pentarch_engine::requests::polling_engine::PollingEngine;
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::requests::responder::Responder;
use pentarch_search::clock::Clock;
use serde_json::{Map, Value};

use super::ugi::low_cost_options;

/// A host without files whose clock advances by a millisecond at each query.
struct TickingHost;

impl Host for TickingHost {
    fn host_clock(&self) -> Clock {
        let queries = AtomicU64::new(0);
        Clock::new(move || Duration::from_millis(queries.fetch_add(1, Relaxed)))
    }
}

/// Maximum number of moves of a request.
const MAX_MOVES: usize = 1_000;
/// Number of steps after each request. The other searches are stopped after the last one.
const STEPS: usize = 3;
/// Number of nodes of a step.
const STEP_NODES: u64 = 30;

/// Checks that each request gets one response: at once, or after its search.
pub(crate) fn check_requests<'a>(options: &Options, lines: impl Iterator<Item = &'a str>) {
    let defaults = low_cost_options(options.clone());
    let responder =
        Responder::new(defaults, SearchLimits::UNLIMITED, MAX_MOVES, Arc::new(TickingHost))
            .with_problem_maker(problem_of_position);
    let mut engine = PollingEngine::new(responder, 1);
    let mut searches = 0;
    let mut responses = 0;
    for line in lines {
        let at_once = engine.receive_request(line);
        at_once.iter().for_each(|response| drop(response_fields(response)));
        assert!(at_once.len() <= 1, "{line:?}: {at_once:?}");
        let gets_none = line.trim().is_empty() || is_stop(line);
        if at_once.is_empty() && !gets_none {
            searches += 1;
        }
        responses += (0..STEPS).map(|_| finish_step(&mut engine)).sum::<usize>();
    }
    assert!(engine.receive_request(r#"{"stop": null}"#).is_empty());
    while !engine.is_idle() {
        responses += finish_step(&mut engine);
    }
    assert_eq!(responses, searches);
    let last = engine.receive_request(r#"{"id": "last", "ask": "version"}"#);
    assert!(matches!(&last[..], [last] if last.contains(r#""id":"last""#)), "{last:?}");
}

/// Continues the searches. Returns the number of responses other than reports.
fn finish_step(engine: &mut PollingEngine) -> usize {
    let responses = engine.step(STEP_NODES);
    responses.iter().filter(|line| !response_fields(line).contains_key("partial")).count()
}

/// Returns whether a line stops requests, so that it may have no response.
fn is_stop(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}');
    serde_json::from_str::<Map<String, Value>>(line).is_ok_and(|line| line.contains_key("stop"))
}

/// Checks that a line is a response, and no fault of the program. Returns its fields.
pub(crate) fn response_fields(line: &str) -> Map<String, Value> {
    assert!(!line.contains("fault of the program"), "{line}");
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
}

/// Builds the tables of solved positions of all games, which takes seconds. Otherwise the first
/// search of a game would do this.
pub(crate) fn build_tables() {
    let requests: Vec<String> = all_game_words()
        .iter()
        .map(|game| format!(r#"{{"game": "{game}", "depth": 1}}"#))
        .collect();
    check_requests(&Options::default(), requests.iter().map(String::as_str));
}
