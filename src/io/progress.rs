//! The progress of a long job, shown on a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The progress of a long job: one line of the standard error output that is overwritten. Nothing is shown where that
/// output is no terminal.
pub struct Progress {
    title: String,
    begun: Instant,
    /// How long it runs before its progress is shown.
    delay: Duration,
    /// Whether there is a terminal to show anything on.
    pub is_on_terminal: bool,
    /// When it was last shown, if it has not been cleared since.
    shown: Option<Instant>,
}

impl Progress {
    /// How long a job usually runs before its progress is shown.
    const DELAY: Duration = Duration::from_secs(1);
    /// The least time between two updates.
    const INTERVAL: Duration = Duration::from_millis(100);

    /// A job that begins now.
    pub fn begin(title: String) -> Progress {
        Progress {
            title,
            begun: Instant::now(),
            delay: Progress::DELAY,
            is_on_terminal: can_overwrite(),
            shown: None,
        }
    }

    /// The same, but its progress is shown from the beginning, because nothing may come for long to show the next.
    pub fn at_once(title: String) -> Progress {
        let mut progress = Progress::begin(title);
        progress.delay = Duration::ZERO;
        progress
    }

    /// Shows how far the job is, unless that was done only just now.
    pub fn show(&mut self, state: &str) {
        let time = self.begun.elapsed();
        let is_due = self.shown.is_none_or(|shown| shown.elapsed() >= Progress::INTERVAL);
        if self.is_on_terminal && time >= self.delay && is_due {
            self.shown = Some(Instant::now());
            // If the terminal cannot be written to, only the progress is missing.
            let _ =
                write!(std::io::stderr(), "\r\x1b[K{}: {state}, {} s", self.title, time.as_secs());
        }
    }

    /// Clears the line.
    pub fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Clears the line where a progress may stand, before something else is written there.
pub fn clear_line() {
    if can_overwrite() {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

/// The time that a job still takes, in words, about as exact as an estimate can be: in the time `spent` so much of it
/// was `done`, and so much was `left`, in any unit; since then more time has passed. None before anything is done, and
/// when the time is over.
pub fn time_left(spent: Duration, done: f64, left: f64, since: Duration) -> Option<String> {
    let seconds = spent.as_secs_f64() / done * left - since.as_secs_f64();
    if done <= 0. || seconds < 1. {
        return None;
    }
    Some(match seconds as u64 {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds @ 100..6000 => format!("{} minutes", seconds / 60),
        seconds => format!("{} hours", seconds / 3600),
    })
}

/// Whether the standard error output is a terminal on which a line can be overwritten.
fn can_overwrite() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_that_of_the_speed_so_far() {
        let left =
            |spent, done, left| time_left(Duration::from_secs(spent), done, left, Duration::ZERO);
        assert_eq!(left(10, 0., 1.), None);
        assert_eq!(left(10, 0.25, 0.75).as_deref(), Some("30 s"));
        assert_eq!(left(600, 1e6, 1e6).as_deref(), Some("10 minutes"));
        assert_eq!(left(36_000, 0.5, 0.5).as_deref(), Some("10 hours"));
        assert_eq!(left(10, 1., -1.), None);
        assert!(left(u64::MAX, 1e-300, 1e300).is_some());
        let after =
            |seconds| time_left(Duration::from_secs(10), 0.25, 0.75, Duration::from_secs(seconds));
        assert_eq!((after(20).as_deref(), after(30)), (Some("10 s"), None));
    }
}
