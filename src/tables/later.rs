//! A value that takes its time, made on a thread of its own.

use std::fmt;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::core::room;

/// How often somebody who waits looks whether to give up.
const PATIENCE: Duration = Duration::from_millis(10);

/// A value that is made when it is first needed, on a thread of its own. Clones share it.
///
/// It adds nothing to what owns it but knowledge: all of them count as equal.
pub struct Later<T>(Arc<Shared<T>>);

/// What makes such a value has this in hand.
pub struct Making<T>(Arc<Shared<T>>);

struct Shared<T> {
    /// What the value is made from; empty if from nothing.
    source: String,
    /// The value; inside none if it could not be made.
    value: OnceLock<Option<T>>,
    /// Whether making it has begun.
    begun: Mutex<bool>,
    made: Condvar,
    /// What went wrong, if it has not been told yet.
    faults: Mutex<Vec<String>>,
}

impl<T> Making<T> {
    /// What the value is made from; empty if from nothing.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Whether all that could ask for the value are gone.
    pub fn is_unwanted(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    /// Takes note of a fault that does not keep the value from being made.
    pub fn complain(&self, fault: String) {
        self.0.faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
    }
}

impl<T: Send + Sync + 'static> Later<T> {
    /// A value that is to be made from this.
    pub fn new(source: String) -> Later<T> {
        Later(Arc::new(Shared {
            source,
            value: OnceLock::new(),
            begun: Mutex::new(false),
            made: Condvar::new(),
            faults: Mutex::new(Vec::new()),
        }))
    }

    /// The value, if it is there.
    pub fn get(&self) -> Option<&T> {
        self.0.value.get()?.as_ref()
    }

    /// Begins to make the value, unless that has begun. Returns at once. If there is no thread to make it on, that is a
    /// fault, and it has not begun.
    pub fn begin(&self, make: impl FnOnce(&Making<T>) -> Option<T> + Send + 'static) {
        let mut begun = self.0.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if *begun {
            return;
        }
        let making = Making(self.0.clone());
        let run = move || {
            let value = catch_unwind(AssertUnwindSafe(|| make(&making))).unwrap_or_else(|_| {
                making.complain("the tables failed inside; this is a fault of the program".into());
                None
            });
            making.0.finish(value);
        };
        match room::start(thread::Builder::new().name("tables".into()), run) {
            Ok(()) => *begun = true,
            Err(error) => Making(self.0.clone()).complain(format!("there is no thread to make tables on: {error}")),
        }
    }

    /// What went wrong since this was last asked.
    pub fn take_faults(&self) -> Vec<String> {
        take(&mut self.0.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until the value is there or cannot be made, if that has begun, or until `given_up` says so.
    pub fn wait(&self, given_up: &dyn Fn() -> bool) {
        let mut begun = self.0.begun.lock().unwrap_or_else(PoisonError::into_inner);
        while *begun && self.0.value.get().is_none() && !given_up() {
            begun = self.0.made.wait_timeout(begun, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl<T> Shared<T> {
    fn finish(&self, value: Option<T>) {
        // Only one thread makes it.
        let _ = self.value.set(value);
        // Whoever holds the lock has not seen the value yet, but waits before it lets go.
        drop(self.begun.lock());
        self.made.notify_all();
    }
}

impl<T: Send + Sync + 'static> Default for Later<T> {
    fn default() -> Self {
        Later::new(String::new())
    }
}

impl<T> Clone for Later<T> {
    fn clone(&self) -> Self {
        Later(self.0.clone())
    }
}

impl<T> PartialEq for Later<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Later<T> {}

impl<T> fmt::Debug for Later<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0.value.get().is_some() { "Later(made)" } else { "Later(not made)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_and_shared_by_clones() {
        let later = Later::default();
        later.wait(&|| false);
        let clone = later.clone();
        later.begin(|_| Some(5));
        later.begin(|_| Some(6));
        clone.wait(&|| false);
        assert_eq!((clone.get(), later == Later::default()), (Some(&5), true));
    }

    #[test]
    fn waiting_ends_when_nothing_comes_or_nobody_wants_it() {
        let (never, failing) = (Later::<u8>::default(), Later::<u8>::default());
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
        let later = Later::<u8>::new("that".into());
        let (sender, receiver) = std::sync::mpsc::channel();
        later.begin(move |making| {
            sender.send(making.source() == "that" && !making.is_unwanted()).unwrap();
            while !making.is_unwanted() {
                thread::sleep(Duration::from_millis(1));
            }
            sender.send(true).unwrap();
            None
        });
        assert!(receiver.recv().unwrap());
        drop(later);
        assert!(receiver.recv().unwrap());
    }
}
