//! Shows the progress of a long job on a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The progress of a long job: a line of the standard error output that is overwritten. The line is
/// shown only on a terminal.
pub struct ProgressLine {
    title: String,
    start: Instant,
    /// The time from the start until the progress is first shown.
    delay: Duration,
    /// Whether the standard error output is a terminal.
    pub is_on_terminal: bool,
    /// The time of the last update; `None` if the line was cleared since that time.
    last_shown: Option<Instant>,
}

impl ProgressLine {
    /// The default time from the start until the progress is first shown.
    const PROGRESS_DELAY: Duration = Duration::from_secs(1);
    /// The minimum time between two updates.
    const PROGRESS_UPDATE_INTERVAL: Duration = Duration::from_millis(100);

    /// Creates the progress of a job that starts now.
    pub fn begin(title: String) -> ProgressLine {
        ProgressLine {
            title,
            start: Instant::now(),
            delay: ProgressLine::PROGRESS_DELAY,
            is_on_terminal: can_overwrite_lines(),
            last_shown: None,
        }
    }

    /// Creates the progress of a job that starts now. In contrast to
    /// [`begin`](ProgressLine::begin), its first state is shown immediately, because the next state
    /// may come late.
    pub fn begin_and_show_at_once(title: String) -> ProgressLine {
        let mut progress = ProgressLine::begin(title);
        progress.delay = Duration::ZERO;
        progress
    }

    /// Shows the state of the job, at most ten times a second.
    pub fn show(&mut self, state: &str) {
        let time = self.start.elapsed();
        let is_due = self
            .last_shown
            .is_none_or(|shown| shown.elapsed() >= ProgressLine::PROGRESS_UPDATE_INTERVAL);
        if self.is_on_terminal && time >= self.delay && is_due {
            self.last_shown = Some(Instant::now());
            // If writing to the terminal fails, the job continues without a progress display.
            let _ =
                write!(std::io::stderr(), "\r\x1b[K{}: {state}, {} s", self.title, time.as_secs());
        }
    }

    /// Clears the line.
    pub fn clear(&mut self) {
        if self.last_shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Clears the line of any progress before something else is written to the terminal.
pub fn clear_progress_line() {
    if can_overwrite_lines() {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

/// Estimates the remaining time of a job and returns it in words. `done` is the amount that was
/// processed in the time `spent`. `left` is the amount that then remained, in the same unit.
/// `since` is the time that has passed since then. Returns `None` if nothing is done yet, or if
/// less than a second is left.
pub fn estimate_time_left(
    spent: Duration,
    done: f64,
    left: f64,
    since: Duration,
) -> Option<String> {
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

/// Returns whether the standard error output is a terminal that can overwrite a line.
fn can_overwrite_lines() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_follows_the_speed_so_far() {
        let left = |spent, done, left| {
            estimate_time_left(Duration::from_secs(spent), done, left, Duration::ZERO)
        };
        assert_eq!(left(10, 0., 1.), None);
        assert_eq!(left(10, 0.25, 0.75).as_deref(), Some("30 s"));
        assert_eq!(left(600, 1e6, 1e6).as_deref(), Some("10 minutes"));
        assert_eq!(left(36_000, 0.5, 0.5).as_deref(), Some("10 hours"));
        assert_eq!(left(10, 1., -1.), None);
        assert!(left(u64::MAX, 1e-300, 1e300).is_some());
        let after = |seconds| {
            estimate_time_left(Duration::from_secs(10), 0.25, 0.75, Duration::from_secs(seconds))
        };
        assert_eq!((after(20).as_deref(), after(30)), (Some("10 s"), None));
    }
}
