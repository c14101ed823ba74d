//! The engine as a WebAssembly module for a browser. The module answers requests in JSON, on one
//! thread, in short steps. `.ci/page` builds the module, and a worker of the page runs it.
//!
//! A panic does not unwind here. Instead, it throws its message as an exception, and the module
//! must not be used after that.

use std::panic;
use std::sync::Arc;
use std::time::Duration;

use wasm_bindgen::prelude::wasm_bindgen;

use pentarch_engine::host::Host;
use pentarch_engine::requests::polling_engine::PollingEngine;
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::requests::responder::Responder;
use pentarch_search::clock::Clock;

/// The size of the transposition table of each search in MiB.
const BROWSER_HASH_MIB: usize = 16;
/// The maximum number of moves in a request. The page's server has the same maximum.
const MAX_REQUEST_MOVES: usize = 10_000;
/// The intended duration of a step in milliseconds. A `stop` waits for the end of the current step.
const TARGET_SEARCH_STEP_MILLISECONDS: f64 = 20.;
/// The maximum duration of a step. The number of nodes of a step is chosen so that it takes
/// [`TARGET_SEARCH_STEP_MILLISECONDS`], but the step may take longer. This happens if the search
/// slows down, or if the search had to enlarge the step.
const MAX_SEARCH_STEP_DURATION: Duration = Duration::from_millis(45);
/// The minimum and the maximum number of nodes of a step. If steps were smaller, the search would
/// visit many nodes again.
const SEARCH_STEP_NODES_RANGE: [f64; 2] = [1_000., 20_000.];
/// The minimum ratio between the new and the old estimate of the speed after a slow step. The
/// estimate falls slowly, because a single slow step on a busy machine says little about the speed
/// of the search.
const SEARCH_SPEED_DECAY: f64 = 0.8;

#[wasm_bindgen]
extern "C" {
    /// Returns the milliseconds since the worker began.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds_since_start() -> f64;

    /// Returns a random number from 0 to 1.
    #[wasm_bindgen(js_namespace = Math)]
    fn random() -> f64;
}

/// A browser's worker as the engine's host, with a clock and no files.
struct BrowserHost;

impl Host for BrowserHost {
    fn host_clock(&self) -> Clock {
        Clock::new(|| Duration::from_secs_f64(milliseconds_since_start() / 1000.))
    }
}

/// An engine that answers requests. [`step`](Engine::step) continues the searches. Other requests
/// can arrive between two steps.
#[wasm_bindgen]
pub struct Engine {
    requests: PollingEngine,
    /// An estimate of the speed of a search, in nodes per millisecond; 0 before the first step.
    speed: f64,
}

#[wasm_bindgen]
impl Engine {
    /// Creates an engine without requests. A module needs only one engine.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "only scripts call it")]
    pub fn new() -> Engine {
        panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
        // The module has no other source of random numbers. Without this seed, the engine would
        // play the same games at each level every time.
        fastrand::seed(random().to_bits());
        let host = Arc::new(BrowserHost);
        let responder =
            Responder::new(Default::default(), SearchLimits::UNLIMITED, MAX_REQUEST_MOVES, host);
        Engine {
            requests: PollingEngine::new(responder, BROWSER_HASH_MIB)
                .with_max_step_duration(MAX_SEARCH_STEP_DURATION),
            speed: 0.,
        }
    }

    /// Accepts a request in a line of JSON. Returns the responses that are available at once, as
    /// lines of JSON.
    pub fn receive(&mut self, line: &str) -> Vec<String> {
        self.requests.receive_request(line)
    }

    /// Continues the searches for some milliseconds. Returns the responses that are then available,
    /// as lines of JSON.
    pub fn step(&mut self) -> Vec<String> {
        let nodes = (self.speed * TARGET_SEARCH_STEP_MILLISECONDS)
            .clamp(SEARCH_STEP_NODES_RANGE[0], SEARCH_STEP_NODES_RANGE[1]);
        let start = milliseconds_since_start();
        let lines = self.requests.step(nodes as u64);
        let speed = nodes / (milliseconds_since_start() - start).max(1.);
        self.speed = speed.max(SEARCH_SPEED_DECAY * self.speed);
        lines
    }

    /// Returns whether there is nothing to search.
    pub fn is_idle(&self) -> bool {
        self.requests.is_idle()
    }

    /// Returns the names of the files that searches are waiting for.
    pub fn missing_files(&self) -> Vec<String> {
        self.requests.missing_file_names().into_iter().map(String::from).collect()
    }

    /// Adds a file that searches are waiting for. Returns whether its contents are valid.
    pub fn add_file(&mut self, file: &str, bytes: Vec<u8>) -> bool {
        self.requests.supply_file(file, bytes)
    }

    /// Continues the searches that wait for a file although the file is not available. A search
    /// that needs the file ends with an error response. Any other search continues without the
    /// file, and may be weaker. Returns the responses as lines of JSON.
    pub fn continue_without_file(&mut self, file: &str) -> Vec<String> {
        self.requests.continue_without_file(file)
    }
}
