//! The progress of a long job, shown on a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The progress of a long job: one line of the standard error output that is overwritten. Nothing is shown where that
/// output is no terminal.
pub struct Progress {
    title: String,
    begun: Instant,
    on_terminal: bool,
    shown: bool,
}

impl Progress {
    /// How long a job runs before its progress is shown.
    const DELAY: Duration = Duration::from_secs(1);

    /// A job that begins now.
    pub fn begin(title: String) -> Progress {
        Progress { title, begun: Instant::now(), on_terminal: can_overwrite(), shown: false }
    }

    /// Whether there is a terminal to show anything on.
    pub fn is_on_terminal(&self) -> bool {
        self.on_terminal
    }

    /// Shows how far the job is.
    pub fn show(&mut self, state: &str) {
        let time = self.begun.elapsed();
        if self.on_terminal && time >= Progress::DELAY {
            self.shown = true;
            // If the terminal cannot be written to, only the progress is missing.
            let _ = write!(std::io::stderr(), "\r\x1b[K{}: {state}, {} s", self.title, time.as_secs());
        }
    }

    /// Clears the line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
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
