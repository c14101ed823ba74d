//! Passes signals from other threads to a search. A signal stops the search or reports that the
//! expected move was made, and may arrive before or during the search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pentarch_search::control::SearchControl;

/// A handle that stops the current search and later searches. The handle can also signal that the
/// expected move was made. All clones share one state.
#[derive(Debug, Clone, Default)]
pub struct Stopper(Arc<StopperState>);

#[derive(Debug, Default)]
struct StopperState {
    is_stopped: AtomicBool,
    has_ponder_hit: AtomicBool,
    /// The control of the latest search.
    running_search: Mutex<Option<Arc<SearchControl>>>,
}

impl Stopper {
    /// Stops the searches, which then return their results so far. Returns `false` if the searches
    /// were already stopped.
    pub fn stop(&self) -> bool {
        let was_stopped = self.0.is_stopped.swap(true, Relaxed);
        if let Some(control) = self.lock_running_search().as_ref() {
            control.stop();
        }
        !was_stopped
    }

    /// Returns whether searches are stopped.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Relaxed)
    }

    /// Signals to the current search and to later searches that the expected move was made.
    pub fn ponder_hit(&self) {
        self.0.has_ponder_hit.store(true, Relaxed);
        if let Some(control) = self.lock_running_search().as_ref() {
            control.ponderhit();
        }
    }

    /// Returns whether the expected move was made.
    pub fn has_ponder_hit(&self) -> bool {
        self.0.has_ponder_hit.load(Relaxed)
    }

    /// Returns whether the current search can end only by a signal.
    pub fn can_end_only_by_signal(&self) -> bool {
        self.lock_running_search().as_ref().is_some_and(|control| control.is_result_held_back())
    }

    /// Cancels the stop, so that later searches run. Returns whether the searches were stopped.
    pub fn allow_later_searches(&self) -> bool {
        self.0.is_stopped.swap(false, Relaxed)
    }

    /// Connects the control of a search that starts. From then on, signals reach this search.
    /// Earlier signals also take effect.
    pub fn connect_search_control(&self, control: &Arc<SearchControl>) {
        *self.lock_running_search() = Some(control.clone());
        if self.is_stopped() {
            control.stop();
        }
        if self.has_ponder_hit() {
            control.ponderhit();
        }
    }

    fn lock_running_search(&self) -> MutexGuard<'_, Option<Arc<SearchControl>>> {
        self.0.running_search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
