//! The control of one search. The searching threads share the control with the thread that listens
//! to the front end.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::clock::Clock;
use super::time_management::TimeBudget;

/// The value of a limit in microseconds if there is no time limit.
const NO_TIME_LIMIT_MICROS: u64 = u64::MAX;

/// The control of one search. The control stops the search on request or at the time limit, and
/// holds the result back until the result may be sent.
#[derive(Debug)]
pub struct SearchControl {
    clock: Clock,
    /// The time at which the search began.
    started: Duration,
    stopped: AtomicBool,
    budget: Option<TimeBudget>,
    /// The soft time limit, in microseconds after `started`.
    soft: AtomicU64,
    /// The hard time limit, in microseconds after `started`.
    hard: AtomicU64,
    /// The maximum duration of a slice of the search. Between two [slices](super::sliced_search), a
    /// host with one thread can do other tasks.
    longest_slice: Duration,
    /// The time at which the current [slice](super::sliced_search) ends, in microseconds after
    /// `started`.
    slice_end: AtomicU64,
    delay_reasons: Mutex<ResultDelayReasons>,
    /// A condition variable for the threads that wait for the result. The variable is notified when
    /// a reason to hold the result back has ended.
    released: Condvar,
}

/// The reasons to hold the result back.
#[derive(Debug, Clone, Copy)]
struct ResultDelayReasons {
    /// Whether the search ponders and waits for `ponderhit` or `stop`.
    pondering: bool,
    /// Whether the search is infinite and waits for `stop`.
    infinite: bool,
}

/// The control of a search without a time limit. Its clock always shows 0, and its result is not
/// held back.
impl Default for SearchControl {
    fn default() -> SearchControl {
        SearchControl::new(&Clock::default(), None, false, false)
    }
}

impl SearchControl {
    /// Creates the control of a search that begins now. While the search is `pondering`, its clock
    /// does not run, and its result is held back until [`ponderhit`](SearchControl::ponderhit) or
    /// [`stop`](SearchControl::stop). The result of an `infinite` search is held back until
    /// [`stop`](SearchControl::stop).
    pub fn new(
        clock: &Clock,
        budget: Option<TimeBudget>,
        pondering: bool,
        infinite: bool,
    ) -> SearchControl {
        let control = SearchControl {
            clock: clock.clone(),
            started: clock.now(),
            stopped: AtomicBool::new(false),
            budget,
            soft: AtomicU64::new(NO_TIME_LIMIT_MICROS),
            hard: AtomicU64::new(NO_TIME_LIMIT_MICROS),
            longest_slice: Duration::MAX,
            slice_end: AtomicU64::new(NO_TIME_LIMIT_MICROS),
            delay_reasons: Mutex::new(ResultDelayReasons { pondering, infinite }),
            released: Condvar::new(),
        };
        if !pondering {
            control.start_clock();
        }
        control
    }

    /// Returns the same control for a search in [slices](super::sliced_search). Each slice ends
    /// soon after `time` has passed.
    pub fn with_max_slice_time(self, time: Duration) -> SearchControl {
        SearchControl { longest_slice: time, ..self }
    }

    fn start_clock(&self) {
        if let Some(TimeBudget { soft, hard }) = self.budget {
            let now = self.elapsed();
            if soft < Duration::MAX {
                self.soft.store(to_micros(now.saturating_add(soft)), Relaxed);
            }
            self.hard.store(to_micros(now.saturating_add(hard)), Relaxed);
        }
    }

    /// Ends the search as soon as possible, and releases its result.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
        let mut hold = self.lock_delay_reasons();
        hold.pondering = false;
        hold.infinite = false;
        self.released.notify_all();
    }

    /// Reports to a pondering search that the expected move was made. The clock of the search runs
    /// from now on.
    pub fn ponderhit(&self) {
        let mut hold = self.lock_delay_reasons();
        if hold.pondering {
            self.start_clock();
            hold.pondering = false;
            self.released.notify_all();
        }
    }

    /// Returns whether the result is held back: the search ponders or is infinite, and its result
    /// is not released.
    pub fn is_result_held_back(&self) -> bool {
        let hold = self.lock_delay_reasons();
        hold.pondering || hold.infinite
    }

    /// Returns whether the search must end: it was stopped, or its time is up. Reads the clock.
    #[inline]
    pub fn is_over(&self) -> bool {
        if !self.is_stopped() && to_micros(self.elapsed()) >= self.hard.load(Relaxed) {
            self.stopped.store(true, Relaxed);
        }
        self.is_stopped()
    }

    /// Returns whether the search was stopped. Does not read the clock.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Begins a slice of the search.
    pub(super) fn begin_slice(&self) {
        if self.longest_slice < Duration::MAX {
            self.slice_end
                .store(to_micros(self.elapsed().saturating_add(self.longest_slice)), Relaxed);
        }
    }

    /// Ends the current [slice](super::sliced_search) of the search. The time until the next slice
    /// begins is not limited.
    pub(super) fn end_slice(&self) {
        self.slice_end.store(NO_TIME_LIMIT_MICROS, Relaxed);
    }

    /// Returns whether the time of the current [slice](super::sliced_search) is over. Reads the
    /// clock only if the slice has a time limit.
    #[inline]
    pub fn is_slice_over(&self) -> bool {
        let slice_end = self.slice_end.load(Relaxed);
        slice_end != NO_TIME_LIMIT_MICROS && to_micros(self.elapsed()) >= slice_end
    }

    /// Returns whether no new iteration should begin: `per_cent` per cent of the soft time limit
    /// have passed, or the search must end anyway. Reads the clock.
    pub fn is_past_soft_limit(&self, per_cent: u64) -> bool {
        self.is_over()
            || to_micros(self.elapsed()) >= self.soft.load(Relaxed).saturating_mul(per_cent) / 100
    }

    /// Returns whether half of the time to the first time limit, soft or hard, has passed, or the
    /// search must end anyway. Reads the clock.
    pub fn is_half_time_over(&self) -> bool {
        let limit = self.soft.load(Relaxed).min(self.hard.load(Relaxed));
        self.is_over() || to_micros(self.elapsed()) >= limit / 2
    }

    /// Returns whether the search uses the time of a player's clock. Returns `false` in analysis,
    /// and before the `ponderhit` of a pondering search.
    pub fn is_player_clock_running(&self) -> bool {
        self.soft.load(Relaxed) != NO_TIME_LIMIT_MICROS
    }

    /// Returns whether the search has any time limit.
    pub fn has_time_limit(&self) -> bool {
        self.budget.is_some()
    }

    /// Returns the time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    /// Waits until the result is no longer held back.
    pub fn wait_until_released(&self) {
        let mut hold = self.lock_delay_reasons();
        while hold.pondering || hold.infinite {
            hold = self.released.wait(hold).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock_delay_reasons(&self) -> MutexGuard<'_, ResultDelayReasons> {
        self.delay_reasons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn to_micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(NO_TIME_LIMIT_MICROS - 1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const AT_ONCE: TimeBudget = TimeBudget { soft: Duration::ZERO, hard: Duration::ZERO };

    #[test]
    fn a_search_without_limits_ends_when_stopped() {
        let control = SearchControl::new(&Clock::default(), None, false, true);
        assert!(
            control.is_result_held_back()
                && !control.is_over()
                && !control.is_past_soft_limit(100)
                && !control.is_player_clock_running()
        );
        control.stop();
        assert!(!control.is_result_held_back() && control.is_over());
        control.wait_until_released();
    }

    #[test]
    fn the_clock_runs_from_the_ponderhit() {
        let control = SearchControl::new(&Clock::default(), Some(AT_ONCE), true, false);
        assert!(control.is_result_held_back() && !control.is_over());
        control.ponderhit();
        assert!(
            !control.is_result_held_back()
                && control.is_over()
                && control.is_player_clock_running()
        );
        control.wait_until_released();
    }

    #[test]
    fn time_passes_by_the_given_clock() {
        let millis = Arc::new(AtomicU64::new(5000));
        let shown = millis.clone();
        let clock = Clock::new(move || Duration::from_millis(shown.load(Relaxed)));
        let budget =
            TimeBudget { soft: Duration::from_millis(10), hard: Duration::from_millis(30) };
        let control = SearchControl::new(&clock, Some(budget), false, false)
            .with_max_slice_time(Duration::from_millis(5));
        assert!(!control.is_past_soft_limit(100) && control.elapsed().is_zero());
        millis.store(5010, Relaxed);
        assert!(
            control.is_past_soft_limit(100)
                && !control.is_past_soft_limit(200)
                && !control.is_over()
        );
        millis.store(5030, Relaxed);
        assert!(control.is_over());
        assert_eq!(control.elapsed(), Duration::from_millis(30));
        assert!(!control.is_slice_over());
        control.begin_slice();
        millis.store(5034, Relaxed);
        assert!(!control.is_slice_over());
        millis.store(5035, Relaxed);
        assert!(control.is_slice_over());
        control.end_slice();
        assert!(!control.is_slice_over());
        // A clock that runs backwards is harmless.
        millis.store(0, Relaxed);
        assert!(control.elapsed().is_zero());
    }

    #[test]
    fn a_ponderhit_without_pondering_changes_nothing() {
        let control = SearchControl::new(&Clock::default(), None, false, true);
        control.ponderhit();
        assert!(control.is_result_held_back() && !control.is_over());
    }
}
