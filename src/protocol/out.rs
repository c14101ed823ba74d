//! The output: whole lines, flushed at once, never empty and without trailing spaces.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where lines go; copies write to the same place. Blocks of lines are never mixed with others.
#[derive(Clone)]
pub struct Out(Arc<Mutex<Sink>>);

struct Sink {
    writer: Box<dyn Write + Send>,
    errors: Errors,
    /// Nobody reads any more: what is written from here on is dropped.
    closed: bool,
    refused: bool,
    /// Called when it turns out that nobody reads any more.
    on_close: Option<Box<dyn FnOnce() + Send>>,
}

/// Where error messages go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// Among the other lines, as `info string error: ...`.
    InBand,
    /// To the standard error output, as `pentarch: ...`.
    Apart,
}

impl Out {
    /// An output to this writer.
    pub fn new(writer: impl Write + Send + 'static, errors: Errors) -> Out {
        Out(Arc::new(Mutex::new(Sink {
            writer: Box::new(writer),
            errors,
            closed: false,
            refused: false,
            on_close: None,
        })))
    }

    /// Has this called as soon as a write fails because nobody reads any more.
    pub fn on_close(&self, call: impl FnOnce() + Send + 'static) {
        self.lock().on_close = Some(Box::new(call));
    }

    /// Writes one or more lines.
    pub fn lines(&self, text: &str) {
        self.lock().write(text);
    }

    /// Writes text as it is.
    pub fn raw(&self, text: &str) {
        text.lines().for_each(|line| log::debug!("< {line}"));
        self.lock().write_bytes(text.as_bytes());
    }

    /// Says that an input was refused, and why.
    pub fn error(&self, message: &str) {
        let mut sink = self.lock();
        sink.refused = true;
        match sink.errors {
            Errors::InBand => sink.write(&format!("info string error: {message}")),
            Errors::Apart => {
                log::error!("{message}");
                // Nothing is left to be done if even this cannot be written.
                let _ = writeln!(std::io::stderr(), "pentarch: {message}");
            }
        }
    }

    /// Whether any input was refused so far.
    pub fn has_refused(&self) -> bool {
        self.lock().refused
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    fn lock(&self) -> MutexGuard<'_, Sink> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink {
    fn write(&mut self, text: &str) {
        let mut block = String::with_capacity(text.len() + 1);
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            log::debug!("< {line}");
            block += line;
            block.push('\n');
        }
        self.write_bytes(block.as_bytes());
    }

    fn write_bytes(&mut self, bytes: &[u8]) {
        let written = self.writer.write_all(bytes).and_then(|()| self.writer.flush());
        if written.is_err() {
            self.closed = true;
            if let Some(call) = self.on_close.take() {
                call();
            }
        }
    }
}
