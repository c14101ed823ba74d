//! The clock of a search, which the caller gives: nothing here asks the system for the time.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A clock: it tells the time since a point that is always the same, and never runs backwards. Clones are the same
/// clock.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    /// The clock whose time `now` tells.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(now))
    }

    /// The time that the clock shows.
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

/// A clock that stands still.
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
