//! What stops a search of GTP from outside, which the thread that reads tells the thread that answers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pentarch_search::control::Control;

/// The lines that stop searches, and the search that runs.
#[derive(Default)]
pub struct Interrupts(Mutex<State>);

#[derive(Default)]
struct State {
    /// The control of the search that runs; `None` while none runs.
    running: Option<Arc<Control>>,
    /// The number of the last line that was an interrupt. It stops the searches of all lines before it.
    last: u64,
    /// Whether any line stops the search that runs.
    any_line_stops: bool,
    /// The number of the last line that was read; the greatest number when the input has ended.
    read: u64,
}

impl State {
    /// Stops the search that runs.
    fn stop(&self) {
        self.running.iter().for_each(|control| control.stop());
    }
}

impl Interrupts {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles an interrupt on the line with this number.
    pub fn stop(&self, line: u64) {
        let mut state = self.state();
        state.last = line;
        state.stop();
    }

    /// Handles that the line with this number was read.
    pub fn read(&self, line: u64) {
        let mut state = self.state();
        state.read = line;
        if state.any_line_stops {
            state.stop();
        }
    }

    /// Lets any line stop the search that runs, which is that of the line with this number. If a line after it was read
    /// already, it has done so.
    pub fn let_any_line_stop(&self, line: u64) {
        let mut state = self.state();
        state.any_line_stops = true;
        if state.read > line {
            state.stop();
        }
    }

    /// Registers the search of the line with this number, and stops it if an interrupt after that line was read
    /// already.
    pub fn register(&self, line: u64, control: Arc<Control>) {
        let mut state = self.state();
        (state.running, state.any_line_stops) = (Some(control), false);
        if state.last > line {
            state.stop();
        }
    }

    /// Forgets the search that runs, which has ended.
    pub fn forget(&self) {
        self.state().running = None;
    }
}
