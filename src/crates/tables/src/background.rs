//! A value that takes long to make, made on a thread of its own, or in parts where there are no threads.
//!
//! The work is a closure that can be called again and again: each call goes on where the last one ended, until it gives
//! the value. It asks its [task](JobControl::goes_on) after each piece whether to go on. On a thread of its own it
//! is told to go on until the value is made or of no use; a part on the thread of a caller ends after some pieces.

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

use super::budget::{RetrogradeBudget, SolveError};

/// The time between two looks at whether to give up waiting.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The work of a part on the thread of a caller, in units of about half a millisecond.
const PART: usize = 32;

/// A value that is made when it is first needed, on a thread of its own or in parts. Clones share it.
pub struct Background<T>(Arc<Shared<T>>);

/// The reason why tables are not made.
#[derive(Debug, Error)]
enum TableTaskError {
    /// The code that makes them has panicked.
    #[error("the tables failed inside; this is a fault of the program")]
    Panic,
    /// They cannot be computed.
    #[error("there are no tables for {game}: {why}")]
    SolveError {
        /// The name of the game.
        game: &'static str,
        /// The reason.
        why: SolveError,
    },
}

/// The task of making such a value: what the work knows of its owner and of where it runs.
pub struct JobControl<T> {
    shared: Arc<Shared<T>>,
    /// How much is left of this part of the work; none on a thread of its own.
    left: Option<AtomicUsize>,
}

struct Shared<T> {
    /// Not set until the task has ended; then the value, or none if it could not be made.
    value: OnceLock<Option<T>>,
    progress: Mutex<Progress<T>>,
    /// Is notified when the value is set by a thread.
    ended: Condvar,
    /// What went wrong, as far as [`Background::take_faults`] has not given it yet.
    faults: Mutex<Vec<Warning>>,
}

/// Work that ends with a value, or with none if it cannot be made.
pub type BackgroundJob<T> = Box<dyn FnMut(&JobControl<T>) -> Poll<Option<T>> + Send>;

/// How far the making is.
struct Progress<T> {
    /// The work that has begun and that no thread has taken.
    work: Option<BackgroundJob<T>>,
    /// Whether a thread of its own has the work or will take it. Otherwise it is done in parts, on the threads of those
    /// who call [`Background::advance`] or wait.
    is_on_thread: bool,
}

impl<T> Clone for Background<T> {
    fn clone(&self) -> Background<T> {
        Background(self.0.clone())
    }
}

impl<T> Default for Background<T> {
    fn default() -> Background<T> {
        Background(Arc::new(Shared {
            value: OnceLock::new(),
            progress: Mutex::new(Progress { work: None, is_on_thread: false }),
            ended: Condvar::new(),
            faults: Mutex::new(Vec::new()),
        }))
    }
}

impl<T: Send + Sync> JobControl<T> {
    /// Whether the work is to go on now, after a piece of it that took about so many half milliseconds. If not, the
    /// work returns [`Poll::Pending`], and may or may not be called again.
    pub fn goes_on(&self, done: usize) -> bool {
        let Some(left) = &self.left else { return !self.is_cancelled() };
        // Only one thread works on a part.
        left.store(left.load(Relaxed).saturating_sub(done), Relaxed);
        left.load(Relaxed) > 0
    }

    /// Calls `analyse` with the effort of a retrograde analysis that is this work.
    pub fn analyse<R>(&self, analyse: impl FnOnce(&RetrogradeBudget) -> R) -> R {
        // In the first pass each position looks one move ahead; later few of them are due.
        let should_continue = |plies| self.goes_on(if plies == 0 { PART / 2 } else { 1 });
        let threads = self.left.as_ref().map_or_else(super::thread_count, |_| 1);
        analyse(&RetrogradeBudget { threads, should_continue: &should_continue })
    }

    /// Whether all clones of the [`Background`] have been dropped, so that the value is of no use any more.
    fn is_cancelled(&self) -> bool {
        Arc::strong_count(&self.shared) == 1
    }

    /// Records a fault. It does not keep the value from being made.
    pub fn report_fault(&self, fault: impl error::Error + Send + Sync + 'static) {
        self.shared.report_fault(fault);
    }

    /// Does the work until it has ended or is not to go on. A panic ends it without a value.
    fn run(&self, work: &mut BackgroundJob<T>) -> Poll<Option<T>> {
        catch_unwind(AssertUnwindSafe(|| work(self))).unwrap_or_else(|_| {
            self.report_fault(TableTaskError::Panic);
            Poll::Ready(None)
        })
    }
}

/// The work of making the tables of the game of this name in steps. `begin` prepares it, and counts as a step. Each
/// `step` does the next piece and returns whether there was anything left; when nothing is, `finish` gives the tables.
/// A step takes about `done` half milliseconds, besides what it tells the task itself. Why tables are not made is
/// recorded as a fault; in the log, if there is not enough memory.
pub fn stepwise_job<T: Send + Sync, S: Send + 'static>(
    game: &'static str,
    done: usize,
    begin: impl Fn(&JobControl<T>) -> Result<S, SolveError> + Send + 'static,
    step: impl Fn(&mut S, &JobControl<T>) -> Result<bool, SolveError> + Send + 'static,
    finish: impl Fn(S) -> T + Send + 'static,
) -> BackgroundJob<T> {
    let mut begun = None;
    Box::new(move |task| {
        loop {
            let stepped = match &mut begun {
                Some(making) => step(making, task),
                None => begin(task).map(|making| begun.insert(making)).map(|_| true),
            };
            match stepped {
                Ok(true) if task.goes_on(done) => {}
                Ok(true) | Err(SolveError::Interrupted) => return Poll::Pending,
                Ok(false) => return Poll::Ready(begun.take().map(&finish)),
                Err(why) => {
                    // Nobody has asked for them.
                    let is_only_logged = why == SolveError::Memory;
                    let fault = TableTaskError::SolveError { game, why };
                    if is_only_logged {
                        log::info!("{fault}")
                    } else {
                        task.report_fault(fault)
                    }
                    return Poll::Ready(None);
                }
            }
        }
    })
}

impl<T: Send + Sync + 'static> Background<T> {
    /// The value, if it has been made.
    pub fn get(&self) -> Option<&T> {
        self.0.value.get()?.as_ref()
    }

    /// Whether the value could not be made.
    pub fn has_failed(&self) -> bool {
        self.0.value.get().is_some_and(Option::is_none)
    }

    /// Begins to make the value by this work on a thread of its own, unless that has begun already. Work that was begun
    /// in parts goes on there. Returns at once. If the system has no thread to give now, that is recorded as a fault,
    /// and a later call tries again; until then the work is done in parts, by those who wait. Where there are no
    /// threads at all, the value is made by [`advance`](Background::advance).
    pub fn begin(&self, work: BackgroundJob<T>) {
        let mut progress = self.0.lock();
        if progress.is_on_thread || self.0.value.get().is_some() {
            return;
        }
        progress.work.get_or_insert(work);
        progress.is_on_thread = true;
        let task = JobControl { shared: self.0.clone(), left: None };
        let run = move || {
            let Some(mut work) = task.shared.lock().work.take() else { return };
            let value = loop {
                match task.run(&mut work) {
                    Poll::Ready(value) => break value,
                    Poll::Pending if task.is_cancelled() => break None,
                    Poll::Pending => {}
                }
            };
            // Setting cannot fail, because only one thread makes the value.
            let _ = task.shared.value.set(value);
            // A waiting thread that has not seen the value holds this lock until it listens for the notification.
            drop(task.shared.lock());
            task.shared.ended.notify_all();
        };
        let Err(error) = memory::spawn_detached(thread::Builder::new().name("tables".into()), run)
        else {
            return;
        };
        progress.is_on_thread = false;
        if error.kind() != ErrorKind::Unsupported {
            self.0.report_fault(ThreadError { purpose: "make tables on", error });
        }
    }

    /// Makes the next part of the value on this thread, which takes some ten milliseconds, and returns whether it has
    /// been made or has failed. If none has begun, this work begins. If a thread makes the value already, nothing
    /// is done.
    pub fn advance(&self, work: BackgroundJob<T>) -> bool {
        let mut progress = self.0.lock();
        if !progress.is_on_thread {
            progress.work.get_or_insert(work);
        }
        self.make_part(&mut progress)
    }

    /// The faults recorded since the last call of this method.
    pub fn take_faults(&self) -> Vec<Warning> {
        take(&mut self.0.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until work that has begun has ended, with or without a value, or until `given_up` is true. What is made in
    /// parts is made on this thread.
    pub fn wait(&self, given_up: &dyn Fn() -> bool) {
        let mut progress = self.0.lock();
        while self.0.value.get().is_none() && !given_up() {
            if progress.is_on_thread {
                let waited = self.0.ended.wait_timeout(progress, POLL_INTERVAL);
                progress = waited.unwrap_or_else(PoisonError::into_inner).0;
            } else if progress.work.is_none() {
                return;
            } else {
                self.make_part(&mut progress);
            }
        }
    }

    /// Makes the next part of work that is done in parts, and returns whether it has ended.
    fn make_part(&self, progress: &mut Progress<T>) -> bool {
        if !progress.is_on_thread
            && let Some(work) = progress.work.as_mut().filter(|_| self.0.value.get().is_none())
        {
            let task = JobControl { shared: self.0.clone(), left: Some(PART.into()) };
            if let Poll::Ready(value) = task.run(work) {
                // Setting cannot fail, because the work is done under a lock. What it holds is needed no more.
                let _ = self.0.value.set(value);
                progress.work = None;
            }
        }
        self.0.value.get().is_some()
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Progress<T>> {
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
    fn a_value_is_made_once() {
        let value = Background::default();
        value.wait(&|| false);
        value.begin(Box::new(|_| Poll::Ready(Some(5))));
        value.begin(Box::new(|_| Poll::Ready(Some(6))));
        value.wait(&|| false);
        assert_eq!(value.get(), Some(&5));
    }

    #[test]
    fn waiting_ends_when_nothing_comes_or_nobody_wants_it() {
        let (never, failing) = (Background::<u8>::default(), Background::<u8>::default());
        never.begin(Box::new(|_| {
            thread::sleep(Duration::from_secs(3600));
            Poll::Pending
        }));
        never.wait(&|| true);
        failing.begin(Box::new(|_| panic!("no value")));
        failing.wait(&|| false);
        assert_eq!((never.get(), failing.get()), (None, None));
        assert_eq!((failing.take_faults().len(), failing.take_faults().len()), (1, 0));
    }

    /// Nobody has asked for the tables: that memory is missing is for the log.
    #[test]
    fn missing_memory_is_no_fault() {
        for (why, faults) in [(SolveError::Memory, 0), (SolveError::TooLong, 1)] {
            let value = Background::<u8>::default();
            let begin = move |_: &JobControl<u8>| Err::<(), _>(why);
            value.begin(stepwise_job("a game", 1, begin, |_, _| Ok(false), |()| 0));
            value.wait(&|| false);
            assert!(value.has_failed());
            assert_eq!(value.take_faults().len(), faults);
        }
    }

    #[test]
    fn what_nobody_can_ask_for_need_not_be_made() {
        let value = Background::<u8>::default();
        let (sender, receiver) = std::sync::mpsc::channel();
        value.begin(Box::new(move |task| {
            sender.send(task.goes_on(1)).unwrap();
            while task.goes_on(1) {
                thread::sleep(Duration::from_millis(1));
            }
            sender.send(true).unwrap();
            Poll::Pending
        }));
        assert!(receiver.recv().unwrap());
        drop(value);
        assert!(receiver.recv().unwrap());
    }

    /// Work that counts up to a number, one piece after the other.
    fn counting(up_to: usize) -> BackgroundJob<usize> {
        let step = move |count: &mut usize, _: &_| {
            *count += 1;
            Ok(*count < up_to)
        };
        stepwise_job("none", PART / 4, |_| Ok(0), step, |count| count)
    }

    #[test]
    fn a_value_can_be_made_in_parts() {
        let value = Background::default();
        let parts = 1 + (0..100).take_while(|_| !value.advance(counting(50))).count();
        assert_eq!((parts, value.get()), (13, Some(&50)));
        assert!(value.advance(counting(1)));
        value.wait(&|| false);
        let failing = Background::<u8>::default();
        assert!(failing.advance(Box::new(|_| panic!("no value"))));
        assert_eq!((failing.get(), failing.take_faults().len()), (None, 1));
    }

    #[test]
    fn parts_go_on_on_a_thread_or_where_they_are_waited_for() {
        let (threaded, waited) = (Background::default(), Background::default());
        assert!(!threaded.advance(counting(1000)) && !waited.advance(counting(1000)));
        threaded.begin(counting(1));
        threaded.wait(&|| false);
        waited.wait(&|| true);
        assert_eq!((threaded.get(), waited.get()), (Some(&1000), None));
        waited.wait(&|| false);
        assert_eq!(waited.get(), Some(&1000));
    }
}
