//! The signals that reach a command from outside, before its searches begin and while they run.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pentarch_search::control::Control;

/// Stops the search that runs, and those that begin later; and tells them that the expected move was made. Clones reach
/// the same ones.
#[derive(Debug, Clone, Default)]
pub struct Stopper(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_stopped: AtomicBool,
    has_ponder_hit: AtomicBool,
    /// The control of the search that began last.
    running: Mutex<Option<Arc<Control>>>,
}

impl Stopper {
    /// Has searches end with what they have. Returns whether that is new.
    pub fn stop(&self) -> bool {
        let was_stopped = self.0.is_stopped.swap(true, Relaxed);
        if let Some(control) = self.running().as_ref() {
            control.stop();
        }
        !was_stopped
    }

    /// Whether searches are stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Relaxed)
    }

    /// Tells the search that runs, and those that begin later, that the expected move was made.
    pub fn ponder_hit(&self) {
        self.0.has_ponder_hit.store(true, Relaxed);
        if let Some(control) = self.running().as_ref() {
            control.ponderhit();
        }
    }

    /// Returns whether the expected move was made.
    pub fn has_ponder_hit(&self) -> bool {
        self.0.has_ponder_hit.load(Relaxed)
    }

    /// Returns whether a search runs whose answer waits for a signal.
    pub fn is_held_back(&self) -> bool {
        self.running().as_ref().is_some_and(|control| control.is_held_back())
    }

    /// Lets the searches run that begin from now on. Returns whether they would have been stopped.
    pub fn reset(&self) -> bool {
        self.0.is_stopped.swap(false, Relaxed)
    }

    /// Has the search with this control stopped, too, from now on.
    pub fn begin(&self, control: &Arc<Control>) {
        *self.running() = Some(control.clone());
        if self.is_stopped() {
            control.stop();
        }
        if self.has_ponder_hit() {
            control.ponderhit();
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Arc<Control>>> {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
