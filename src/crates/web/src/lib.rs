//! The engine as a module for a browser: answers to requests in JSON, on one thread, in slices. `.ci/page` makes the
//! module, and a worker of the page runs it.
//!
//! There is no unwinding here. A panic throws its message as an exception, and the module is not to be used after that.

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
const HASH: usize = 16;
/// The most moves that a request may name, as with the page's server.
const MOST_MOVES: usize = 10_000;
/// How long a step is to take in milliseconds. A `stop` waits for its end.
const STEP: f64 = 20.;
/// How long a step takes at most, one of a slower game or one that had to become larger.
const LONGEST_STEP: Duration = Duration::from_millis(45);
/// The fewest and the most nodes of a step. In small steps much is searched anew.
const NODES: [f64; 2] = [1_000., 20_000.];
/// What is left of the speed that was seen, after each step that was slower. Where the machine is busy, a single step
/// says little.
const FADING: f64 = 0.8;

#[wasm_bindgen]
extern "C" {
    /// The milliseconds since the worker began.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds() -> f64;

    /// A number from 0 to 1.
    #[wasm_bindgen(js_namespace = Math)]
    fn random() -> f64;
}

/// A worker of a browser, which has a clock and no files.
struct Worker;

impl Host for Worker {
    fn clock(&self) -> Clock {
        Clock::new(|| Duration::from_secs_f64(milliseconds() / 1000.))
    }
}

/// Responds to requests. [`step`](Engine::step) continues the searches; between its calls other requests can
/// come.
#[wasm_bindgen]
pub struct Engine {
    requests: PollingEngine,
    /// How many nodes a millisecond are searched, as far as is known by now.
    speed: f64,
}

#[wasm_bindgen]
impl Engine {
    /// An engine that nothing has been asked. One is enough for a module.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "only scripts call it")]
    pub fn new() -> Engine {
        panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
        // Where the system gives nothing that is random, the levels would play the same games every time.
        fastrand::seed(random().to_bits());
        let responder =
            Responder::new(Default::default(), SearchLimits::NONE, MOST_MOVES, Arc::new(Worker));
        Engine {
            requests: PollingEngine::new(responder, HASH).with_longest_step(LONGEST_STEP),
            speed: 0.,
        }
    }

    /// Takes in a request, a line of JSON, and gives the lines of JSON that are known now.
    pub fn receive(&mut self, line: &str) -> Vec<String> {
        self.requests.receive(line)
    }

    /// Searches for some milliseconds, and gives the lines of JSON that are known then.
    pub fn step(&mut self) -> Vec<String> {
        let nodes = (self.speed * STEP).clamp(NODES[0], NODES[1]);
        let begun = milliseconds();
        let lines = self.requests.step(nodes as u64);
        self.speed = (nodes / (milliseconds() - begun).max(1.)).max(FADING * self.speed);
        lines
    }

    /// Whether there is nothing to search.
    pub fn is_idle(&self) -> bool {
        self.requests.is_idle()
    }

    /// The names of the files that searches wait for.
    pub fn lacking(&self) -> Vec<String> {
        self.requests.missing_file_names().into_iter().map(String::from).collect()
    }

    /// Gives the engine a file, and says whether it is one.
    pub fn give(&mut self, file: &str, bytes: Vec<u8>) -> bool {
        self.requests.supply_file(file, bytes)
    }

    /// Has searches go on without a file that only makes them better, or refuses them, in lines of JSON.
    pub fn do_without(&mut self, file: &str) -> Vec<String> {
        self.requests.continue_without(file)
    }
}
