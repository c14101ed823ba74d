//! The clock of a search. The caller provides the clock: no code in this crate asks the system for
//! the time.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A clock, which returns the time since a fixed point and never runs backwards. All clones share
/// the same clock.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    /// Creates a clock from a function that returns the current time.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(now))
    }

    /// Returns the current time.
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

/// A clock that always shows 0.
impl Default for Clock {
    fn default() -> Clock {
        Clock::new(|| Duration::ZERO)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Clock").field(&self.now()).finish()
    }
}
