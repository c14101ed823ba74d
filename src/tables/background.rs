//! A value that takes long to make, made on a thread of its own.

use std::fmt;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::core::memory;

use super::retrograde::Unsolved;

/// The time between two looks at whether to give up waiting.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A value that is made when it is first needed, on a thread of its own.
pub struct Background<T>(Arc<Shared<T>>);

/// The task of making such a value: what the thread that makes it knows of its owner.
pub struct BackgroundTask<T>(Arc<Shared<T>>);

struct Shared<T> {
    /// Not set until the task has ended; then the value, or none if it could not be made.
    value: OnceLock<Option<T>>,
    /// Whether the task has begun.
    begun: Mutex<bool>,
    /// Is notified when the value is set.
    ended: Condvar,
    /// What went wrong, as far as [`Background::take_faults`] has not given it yet.
    faults: Mutex<Vec<String>>,
}

impl<T> Default for Background<T> {
    fn default() -> Background<T> {
        Background(Arc::new(Shared {
            value: OnceLock::new(),
            begun: Mutex::new(false),
            ended: Condvar::new(),
            faults: Mutex::new(Vec::new()),
        }))
    }
}

impl<T> BackgroundTask<T> {
    /// Whether the [`Background`] has been dropped, so that the value is of no use any more.
    pub fn is_cancelled(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    /// Records that the tables of the game of this name are not made, and why.
    pub fn report_unsolved(&self, game: &str, why: &Unsolved) {
        self.report_fault(format!("there are no tables for {game}: {why}"));
    }

    /// Records a fault, in words. It does not keep the value from being made.
    pub fn report_fault(&self, fault: String) {
        self.0.faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
    }
}

impl<T: Send + Sync + 'static> Background<T> {
    /// The value, if it has been made.
    pub fn get(&self) -> Option<&T> {
        self.0.value.get()?.as_ref()
    }

    /// Begins to make the value by `make`, unless that has begun already. Returns at once. If the system has no thread
    /// to give, that is recorded as a fault, and a later call tries again.
    pub fn begin(&self, make: impl FnOnce(&BackgroundTask<T>) -> Option<T> + Send + 'static) {
        let mut begun = self.0.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if *begun {
            return;
        }
        let task = BackgroundTask(self.0.clone());
        let run = move || {
            let value = catch_unwind(AssertUnwindSafe(|| make(&task))).unwrap_or_else(|_| {
                task.report_fault("the tables failed inside; this is a fault of the program".into());
                None
            });
            task.0.finish(value);
        };
        match memory::start(thread::Builder::new().name("tables".into()), run) {
            Ok(()) => *begun = true,
            Err(error) => {
                BackgroundTask(self.0.clone()).report_fault(format!("there is no thread to make tables on: {error}"))
            }
        }
    }

    /// The faults recorded since the last call of this method.
    pub fn take_faults(&self) -> Vec<String> {
        take(&mut self.0.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until a task that has begun has ended, with or without a value, or until `given_up` is true.
    pub fn wait(&self, given_up: &dyn Fn() -> bool) {
        let mut begun = self.0.begun.lock().unwrap_or_else(PoisonError::into_inner);
        while *begun && self.0.value.get().is_none() && !given_up() {
            begun = self.0.ended.wait_timeout(begun, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl<T> Shared<T> {
    fn finish(&self, value: Option<T>) {
        // Setting cannot fail, because only one thread makes the value.
        let _ = self.value.set(value);
        // A waiting thread that has not seen the value holds this lock until it listens for the notification.
        drop(self.begun.lock());
        self.ended.notify_all();
    }
}

impl<T> fmt::Debug for Background<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0.value.get().is_some() { "Background(made)" } else { "Background(not made)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once() {
        let value = Background::default();
        value.wait(&|| false);
        value.begin(|_| Some(5));
        value.begin(|_| Some(6));
        value.wait(&|| false);
        assert_eq!(value.get(), Some(&5));
    }

    #[test]
    fn waiting_ends_when_nothing_comes_or_nobody_wants_it() {
        let (never, failing) = (Background::<u8>::default(), Background::<u8>::default());
        never.begin(|_| {
            thread::sleep(Duration::from_secs(3600));
            None
        });
        never.wait(&|| true);
        failing.begin(|_| panic!("no value"));
        failing.wait(&|| false);
        assert_eq!((never.get(), failing.get()), (None, None));
        assert_eq!((failing.take_faults().len(), failing.take_faults().len()), (1, 0));
    }

    #[test]
    fn what_nobody_can_ask_for_need_not_be_made() {
        let value = Background::<u8>::default();
        let (sender, receiver) = std::sync::mpsc::channel();
        value.begin(move |task| {
            sender.send(!task.is_cancelled()).unwrap();
            while !task.is_cancelled() {
                thread::sleep(Duration::from_millis(1));
            }
            sender.send(true).unwrap();
            None
        });
        assert!(receiver.recv().unwrap());
        drop(value);
        assert!(receiver.recv().unwrap());
    }
}
