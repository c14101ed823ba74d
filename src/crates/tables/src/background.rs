//! Values that take long to compute, such as tables. Such values are computed on a separate thread,
//! or in parts on a system without threads.
//!
//! A job is a closure that can be called repeatedly. Each call continues where the last call ended;
//! the final call returns the value. After each piece of work, the job asks its
//! [control](TableJobControl::should_continue) whether to continue. On a separate thread, a job may
//! continue until the value is complete or no longer needed. On the caller's thread, a call ends
//! after 10 to 20 milliseconds; such a call computes one part of the value.

use std::error;
use std::io::ErrorKind;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use pentarch_core::Warning;
use pentarch_system::memory::{self, ThreadError};
use thiserror::Error;

use super::retrograde_control::{GroupSolveError, RetrogradeControl};

/// The interval at which a waiting thread checks whether it should stop waiting.
const GIVE_UP_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The time for computing one part of a value on the caller's thread, in units of about half a
/// millisecond.
const PART_WORK_HALF_MILLISECONDS: usize = 32;

/// A value that is computed when it is first needed, on a separate thread or in parts. All clones
/// share the value.
pub struct BackgroundValue<T>(Arc<BackgroundState<T>>);

/// The reason why tables are not computed.
#[derive(Debug, Error)]
enum TableJobError {
    /// The code that computes the tables has panicked.
    #[error("the tables failed inside; this is a fault of the program")]
    Panic,
    /// The tables cannot be computed.
    #[error("there are no tables for {game}: {why}")]
    Unsolved {
        /// The name of the game.
        game: &'static str,
        /// The reason why the tables cannot be computed.
        why: GroupSolveError,
    },
}

/// The control of a job. The control tells the job when to stop, and records the faults that the
/// job reports.
pub struct TableJobControl<T> {
    state: Arc<BackgroundState<T>>,
    /// The time that is left for the current part, in half milliseconds; `None` if the job runs on
    /// a separate thread.
    remaining: Option<AtomicUsize>,
}

struct BackgroundState<T> {
    /// The value, set when the job ends. The inner `None` means that the value could not be
    /// computed.
    value: OnceLock<Option<T>>,
    progress: Mutex<BackgroundProgress<T>>,
    /// Notified when a thread has set the value.
    ended: Condvar,
    /// The faults that [`BackgroundValue::take_faults`] has not returned yet.
    faults: Mutex<Vec<Warning>>,
}

/// A job that computes a value. A call returns [`Poll::Pending`] if the job must be called again.
/// The last call returns the value, or `None` if the value cannot be computed.
pub type BackgroundJob<T> = Box<dyn FnMut(&TableJobControl<T>) -> Poll<Option<T>> + Send>;

/// The state of the computation.
struct BackgroundProgress<T> {
    /// The job, if it has begun and is not on a separate thread.
    job: Option<BackgroundJob<T>>,
    /// Whether the job is on a separate thread or about to move there. Otherwise the job is run in
    /// parts by the threads that call [`BackgroundValue::compute_next_table_part`] or wait for the
    /// value.
    is_on_thread: bool,
}

impl<T> Clone for BackgroundValue<T> {
    fn clone(&self) -> BackgroundValue<T> {
        BackgroundValue(self.0.clone())
    }
}

impl<T> Default for BackgroundValue<T> {
    fn default() -> BackgroundValue<T> {
        BackgroundValue(Arc::new(BackgroundState {
            value: OnceLock::new(),
            progress: Mutex::new(BackgroundProgress { job: None, is_on_thread: false }),
            ended: Condvar::new(),
            faults: Mutex::new(Vec::new()),
        }))
    }
}

impl<T: Send + Sync> TableJobControl<T> {
    /// Returns whether the job should continue. The job calls this method after each piece of work,
    /// with the time that the work took. If the result is `false`, the job must return
    /// [`Poll::Pending`]. The job may be called again later.
    pub fn should_continue(&self, half_milliseconds: usize) -> bool {
        let Some(remaining) = &self.remaining else { return !self.is_cancelled() };
        // Only one thread works on a part.
        remaining.store(remaining.load(Relaxed).saturating_sub(half_milliseconds), Relaxed);
        remaining.load(Relaxed) > 0
    }

    /// Runs a retrograde analysis as the work of this job. Calls `analyse` with the budget of the
    /// analysis.
    pub fn run_analysis<R>(&self, analyse: impl FnOnce(&RetrogradeControl) -> R) -> R {
        // In the first pass, the analysis looks one move ahead from each position of a chunk, so a
        // chunk takes long. In later passes, few positions are due.
        let should_continue = |plies| {
            self.should_continue(if plies == 0 { PART_WORK_HALF_MILLISECONDS / 2 } else { 1 })
        };
        let threads = self.remaining.as_ref().map_or_else(super::table_thread_count, |_| 1);
        analyse(&RetrogradeControl { threads, should_continue: &should_continue })
    }

    /// Returns whether all clones of the [`BackgroundValue`] have been dropped, so that nobody
    /// needs the value any longer.
    fn is_cancelled(&self) -> bool {
        Arc::strong_count(&self.state) == 1
    }

    /// Records a fault. The job continues.
    pub fn report_fault(&self, fault: impl error::Error + Send + Sync + 'static) {
        self.state.report_fault(fault);
    }

    /// Runs the job until it ends or must not continue. If the job panics, it ends without a value.
    fn run(&self, job: &mut BackgroundJob<T>) -> Poll<Option<T>> {
        catch_unwind(AssertUnwindSafe(|| job(self))).unwrap_or_else(|_| {
            self.report_fault(TableJobError::Panic);
            Poll::Ready(None)
        })
    }
}

/// Creates a job that computes the tables of a game in steps. `game` is the name of the game.
///
/// The first step is a call of `begin`. Each further step is a call of `step`, which returns
/// whether there was still work to do. When no work is left, `finish` returns the tables. A step
/// takes about the time `half_milliseconds`. If `begin` or `step` does more work, that function
/// reports this work to the control itself.
///
/// If the tables cannot be computed, the reason is recorded as a fault. A lack of memory is only
/// logged.
pub fn stepwise_table_job<T: Send + Sync, S: Send + 'static>(
    game: &'static str,
    half_milliseconds: usize,
    begin: impl Fn(&TableJobControl<T>) -> Result<S, GroupSolveError> + Send + 'static,
    step: impl Fn(&mut S, &TableJobControl<T>) -> Result<bool, GroupSolveError> + Send + 'static,
    finish: impl Fn(S) -> T + Send + 'static,
) -> BackgroundJob<T> {
    let mut begun = None;
    Box::new(move |control| {
        loop {
            let stepped = match &mut begun {
                Some(state) => step(state, control),
                None => begin(control).map(|state| begun.insert(state)).map(|_| true),
            };
            match stepped {
                Ok(true) if control.should_continue(half_milliseconds) => {}
                Ok(true) | Err(GroupSolveError::Interrupted) => return Poll::Pending,
                Ok(false) => return Poll::Ready(begun.take().map(&finish)),
                Err(why) => {
                    // The program computes these tables without a request, so a lack of memory is
                    // not a fault.
                    let is_only_logged = why == GroupSolveError::Memory;
                    let fault = TableJobError::Unsolved { game, why };
                    if is_only_logged {
                        log::info!("{fault}")
                    } else {
                        control.report_fault(fault)
                    }
                    return Poll::Ready(None);
                }
            }
        }
    })
}

impl<T: Send + Sync + 'static> BackgroundValue<T> {
    /// Returns the value, if it is complete.
    pub fn get(&self) -> Option<&T> {
        self.0.value.get()?.as_ref()
    }

    /// Returns whether the computation of the value has failed.
    pub fn has_computation_failed(&self) -> bool {
        self.0.value.get().is_some_and(Option::is_none)
    }

    /// Begins to compute the value on a separate thread. Does nothing if the value is known, or if
    /// a thread is already computing it. Returns at once. Normally the thread runs `job`. If
    /// [`compute_next_table_part`](BackgroundValue::compute_next_table_part) has already run parts
    /// of an earlier job, the thread continues the earlier job instead.
    ///
    /// If the system cannot start a thread now, the error is recorded as a fault, and a later call
    /// tries again. Until then, the waiting threads compute the value in parts. On a system without
    /// threads, only [`compute_next_table_part`](BackgroundValue::compute_next_table_part) and
    /// waiting threads compute the value.
    pub fn begin_computing_tables(&self, job: BackgroundJob<T>) {
        let mut progress = self.0.lock();
        if progress.is_on_thread || self.0.value.get().is_some() {
            return;
        }
        progress.job.get_or_insert(job);
        progress.is_on_thread = true;
        let control = TableJobControl { state: self.0.clone(), remaining: None };
        let run = move || {
            let Some(mut job) = control.state.lock().job.take() else { return };
            let value = loop {
                match control.run(&mut job) {
                    Poll::Ready(value) => break value,
                    Poll::Pending if control.is_cancelled() => break None,
                    Poll::Pending => {}
                }
            };
            // `set` cannot fail, because no other thread computes the value.
            let _ = control.state.value.set(value);
            // A waiting thread may have checked the value before it was set. The waiting thread
            // holds this lock from the check until it listens for the notification. So after this
            // thread has held the lock, the waiting thread cannot miss the notification.
            drop(control.state.lock());
            control.state.ended.notify_all();
        };
        let Err(error) =
            memory::spawn_detached_thread(thread::Builder::new().name("tables".into()), run)
        else {
            return;
        };
        progress.is_on_thread = false;
        if error.kind() != ErrorKind::Unsupported {
            self.0.report_fault(ThreadError { purpose: "make tables on", error });
        }
    }

    /// Computes the next part of the value on this thread, which takes 10 to 20 milliseconds. The
    /// first call begins with `job`; later calls continue this job and ignore their argument. If a
    /// separate thread is already computing the value, this method computes nothing. Returns
    /// whether the value is complete or could not be computed.
    pub fn compute_next_table_part(&self, job: BackgroundJob<T>) -> bool {
        let mut progress = self.0.lock();
        if !progress.is_on_thread {
            progress.job.get_or_insert(job);
        }
        self.run_part(&mut progress)
    }

    /// Returns the faults recorded since the last call of this method.
    pub fn take_faults(&self) -> Vec<Warning> {
        take(&mut self.0.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until the value is complete or could not be computed, or until `given_up` returns
    /// `true`. If the job is not on a separate thread, the calling thread runs it. Returns at once
    /// if no job has begun. Calls `given_up` only while there is something to wait for.
    pub fn wait_until_computed(&self, given_up: &dyn Fn() -> bool) {
        let mut progress = self.0.lock();
        while self.0.value.get().is_none() {
            let has_begun = progress.is_on_thread || progress.job.is_some();
            if !has_begun || given_up() {
                return;
            }
            if progress.is_on_thread {
                let waited = self.0.ended.wait_timeout(progress, GIVE_UP_POLL_INTERVAL);
                progress = waited.unwrap_or_else(PoisonError::into_inner).0;
            } else {
                self.run_part(&mut progress);
            }
        }
    }

    /// Runs the next part of the job, unless the job is on a separate thread. Returns whether the
    /// job has ended.
    fn run_part(&self, progress: &mut BackgroundProgress<T>) -> bool {
        if !progress.is_on_thread
            && let Some(job) = progress.job.as_mut().filter(|_| self.0.value.get().is_none())
        {
            let control = TableJobControl {
                state: self.0.clone(),
                remaining: Some(PART_WORK_HALF_MILLISECONDS.into()),
            };
            if let Poll::Ready(value) = control.run(job) {
                // `set` cannot fail, because the job runs under a lock. The job itself is no longer
                // needed.
                let _ = self.0.value.set(value);
                progress.job = None;
            }
        }
        self.0.value.get().is_some()
    }
}

impl<T> BackgroundState<T> {
    fn lock(&self) -> MutexGuard<'_, BackgroundProgress<T>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report_fault(&self, fault: impl error::Error + Send + Sync + 'static) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.push(Warning::new(fault));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once() {
        let value = BackgroundValue::default();
        value.wait_until_computed(&|| false);
        value.begin_computing_tables(Box::new(|_| Poll::Ready(Some(5))));
        value.begin_computing_tables(Box::new(|_| Poll::Ready(Some(6))));
        value.wait_until_computed(&|| false);
        assert_eq!(value.get(), Some(&5));
    }

    #[test]
    fn waiting_ends_on_failure_and_when_given_up() {
        let (never, failing) = (BackgroundValue::<u8>::default(), BackgroundValue::<u8>::default());
        never.begin_computing_tables(Box::new(|_| {
            thread::sleep(Duration::from_secs(3600));
            Poll::Pending
        }));
        never.wait_until_computed(&|| true);
        failing.begin_computing_tables(Box::new(|_| panic!("no value")));
        failing.wait_until_computed(&|| false);
        assert_eq!((never.get(), failing.get()), (None, None));
        assert_eq!((failing.take_faults().len(), failing.take_faults().len()), (1, 0));
    }

    /// The program computes the tables without a request, so a lack of memory is only logged.
    #[test]
    fn missing_memory_is_not_a_fault() {
        for (why, faults) in [(GroupSolveError::Memory, 0), (GroupSolveError::TooLong, 1)] {
            let value = BackgroundValue::<u8>::default();
            let begin = move |_: &TableJobControl<u8>| Err::<(), _>(why);
            value.begin_computing_tables(stepwise_table_job(
                "a game",
                1,
                begin,
                |_, _| Ok(false),
                |()| 0,
            ));
            value.wait_until_computed(&|| false);
            assert!(value.has_computation_failed());
            assert_eq!(value.take_faults().len(), faults);
        }
    }

    #[test]
    fn dropping_the_last_clone_cancels_the_job() {
        let value = BackgroundValue::<u8>::default();
        let (sender, receiver) = std::sync::mpsc::channel();
        value.begin_computing_tables(Box::new(move |control| {
            sender.send(control.should_continue(1)).unwrap();
            while control.should_continue(1) {
                thread::sleep(Duration::from_millis(1));
            }
            sender.send(true).unwrap();
            Poll::Pending
        }));
        assert!(receiver.recv().unwrap());
        drop(value);
        assert!(receiver.recv().unwrap());
    }

    /// Creates a job that counts up to a number. Each of its steps adds one.
    fn counting(up_to: usize) -> BackgroundJob<usize> {
        let step = move |count: &mut usize, _: &_| {
            *count += 1;
            Ok(*count < up_to)
        };
        stepwise_table_job("none", PART_WORK_HALF_MILLISECONDS / 4, |_| Ok(0), step, |count| count)
    }

    #[test]
    fn a_value_can_be_computed_in_parts() {
        let value = BackgroundValue::default();
        let parts =
            1 + (0..100).take_while(|_| !value.compute_next_table_part(counting(50))).count();
        assert_eq!((parts, value.get()), (13, Some(&50)));
        assert!(value.compute_next_table_part(counting(1)));
        value.wait_until_computed(&|| false);
        let failing = BackgroundValue::<u8>::default();
        assert!(failing.compute_next_table_part(Box::new(|_| panic!("no value"))));
        assert_eq!((failing.get(), failing.take_faults().len()), (None, 1));
    }

    #[test]
    fn parts_continue_on_a_thread_or_while_waiting() {
        let (threaded, waited) = (BackgroundValue::default(), BackgroundValue::default());
        assert!(
            !threaded.compute_next_table_part(counting(1000))
                && !waited.compute_next_table_part(counting(1000))
        );
        threaded.begin_computing_tables(counting(1));
        threaded.wait_until_computed(&|| false);
        waited.wait_until_computed(&|| true);
        assert_eq!((threaded.get(), waited.get()), (Some(&1000), None));
        waited.wait_until_computed(&|| false);
        assert_eq!(waited.get(), Some(&1000));
    }
}
