//! The clock of the system.

use std::time::Instant;

use crate::search::clock::Clock;

/// The clock of the system, which shows the time since this call.
pub fn system() -> Clock {
    let begun = Instant::now();
    Clock::new(move || begun.elapsed())
}
