//! The control of one search: made anew for every search, shared between the threads that search and the one that
//! listens.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::clock::Budget;

/// Microseconds that never pass.
const NEVER: u64 = u64::MAX;

/// Stops a search from outside or by its time, and holds its answer back while it may not be given.
#[derive(Debug)]
pub struct Control {
    started: Instant,
    stopped: AtomicBool,
    budget: Option<Budget>,
    /// When the limits fall, in microseconds after `started`.
    soft: AtomicU64,
    hard: AtomicU64,
    hold: Mutex<Hold>,
    released: Condvar,
}

/// Why an answer must wait.
#[derive(Debug, Clone, Copy)]
struct Hold {
    pondering: bool,
    infinite: bool,
}

impl Control {
    /// A search that begins now. While `pondering` the budget does not run; an answer waits for
    /// [`ponderhit`](Control::ponderhit) then, and for [`stop`](Control::stop) if the search is `infinite`.
    pub fn new(budget: Option<Budget>, pondering: bool, infinite: bool) -> Control {
        let control = Control {
            started: Instant::now(),
            stopped: AtomicBool::new(false),
            budget,
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
            hold: Mutex::new(Hold { pondering, infinite }),
            released: Condvar::new(),
        };
        if !pondering {
            control.start_clock();
        }
        control
    }

    fn start_clock(&self) {
        if let Some(Budget { soft, hard }) = self.budget {
            let now = self.elapsed();
            self.soft.store(micros(now.saturating_add(soft)), Relaxed);
            self.hard.store(micros(now.saturating_add(hard)), Relaxed);
        }
    }

    /// Ends the search as soon as can be.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
        let mut hold = self.lock();
        hold.pondering = false;
        hold.infinite = false;
        self.released.notify_all();
    }

    /// The move pondered on was made: the clock runs from now.
    pub fn ponderhit(&self) {
        let mut hold = self.lock();
        if hold.pondering {
            self.start_clock();
            hold.pondering = false;
            self.released.notify_all();
        }
    }

    /// Whether the search would go on until somebody stops it.
    pub fn is_unbounded(&self) -> bool {
        let hold = self.lock();
        hold.pondering || hold.infinite
    }

    /// Whether the search must end: it was stopped, or its time is up. Reads the clock.
    pub fn is_over(&self) -> bool {
        if !self.is_stopped() && micros(self.elapsed()) >= self.hard.load(Relaxed) {
            self.stopped.store(true, Relaxed);
        }
        self.is_stopped()
    }

    /// Whether the search was told to end. Does not read the clock.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether nothing new should be begun, if the matter is worth this many hundredths of the soft limit of time.
    pub fn is_late(&self, per_cent: u64) -> bool {
        self.is_over() || micros(self.elapsed()) >= self.soft.load(Relaxed).saturating_mul(per_cent) / 100
    }

    /// Whether a clock runs against the search, so that certainty is no reason to think on.
    pub fn is_timed(&self) -> bool {
        self.hard.load(Relaxed) != NEVER
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Waits until the answer may be given.
    pub fn wait_until_released(&self) {
        let waits = |hold: &mut Hold| hold.pondering || hold.infinite;
        drop(self.released.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner));
    }

    fn lock(&self) -> MutexGuard<'_, Hold> {
        self.hold.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(NEVER - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_ONCE: Budget = Budget { soft: Duration::ZERO, hard: Duration::ZERO };

    #[test]
    fn a_search_without_limits_ends_when_stopped() {
        let control = Control::new(None, false, true);
        assert!(control.is_unbounded() && !control.is_over() && !control.is_late(100) && !control.is_timed());
        control.stop();
        assert!(!control.is_unbounded() && control.is_over());
        control.wait_until_released();
    }

    #[test]
    fn the_clock_runs_from_the_ponderhit() {
        let control = Control::new(Some(AT_ONCE), true, false);
        assert!(control.is_unbounded() && !control.is_over());
        control.ponderhit();
        assert!(!control.is_unbounded() && control.is_over() && control.is_timed());
        control.wait_until_released();
    }

    #[test]
    fn a_ponderhit_without_pondering_changes_nothing() {
        let control = Control::new(None, false, true);
        control.ponderhit();
        assert!(control.is_unbounded() && !control.is_over());
    }
}
