//! Output by whole lines: flushed at once, without empty lines and trailing spaces.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use pentarch_core::notation::text::{escape_for_terminal, to_ascii};

/// A writer of lines that threads share: clones write to the same place, and the lines of one call stay together.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Sink>>);

struct Sink {
    writer: Box<dyn Write + Send>,
    errors: Errors,
    /// Whether a write has failed or the output was closed. Everything that is written after that is dropped.
    closed: bool,
    /// The first failure of reading or writing. A closed pipe is none.
    failure: Option<StreamError>,
    /// Whether any input was refused.
    refused: bool,
    /// Called once, when the output closes.
    on_close: Option<Box<dyn FnOnce() + Send>>,
}

/// An error of the input or the output of a command.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The input cannot be read.
    #[error("the input cannot be read: {0}")]
    Read(io::Error),
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Write(io::Error),
}

/// Where error messages go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// Among the other lines, as `info string error: ...`.
    InBand,
    /// To the standard error output, as `pentarch: ...`.
    Apart,
}

impl Output {
    /// An output to this writer.
    pub fn new(writer: impl Write + Send + 'static, errors: Errors) -> Output {
        Output(Arc::new(Mutex::new(Sink {
            writer: Box::new(writer),
            errors,
            closed: false,
            failure: None,
            refused: false,
            on_close: None,
        })))
    }

    /// Sets what is called when the first write fails, a closed pipe included, or when the output is closed: now, if
    /// that has happened.
    pub fn on_close(&self, call: impl FnOnce() + Send + 'static) {
        let mut sink = self.lock();
        match sink.closed {
            false => sink.on_close = Some(Box::new(call)),
            true => {
                drop(sink);
                call();
            }
        }
    }

    /// Writes one or more lines.
    pub fn lines(&self, text: &str) {
        self.lock().write(text);
    }

    /// Writes a line that the log must not have.
    pub fn secret(&self, line: &str) {
        self.lock().write_bytes(format!("{line}\n").as_bytes());
    }

    /// Writes a text unchanged.
    pub fn raw(&self, text: &str) {
        text.lines().for_each(|line| log::debug!("< {line}"));
        self.lock().write_bytes(text.as_bytes());
    }

    /// A page of text for people, in ASCII where the locale of the system does not say that it has Unicode.
    pub fn as_page(&self, text: &str) -> String {
        let page = if has_unicode() { text.into() } else { to_ascii(text) };
        format!("{page}\n")
    }

    /// Reports that an input was refused, and why.
    pub fn error(&self, error: impl Display) {
        let message = &error.to_string();
        let mut sink = self.lock();
        sink.refused = true;
        match sink.errors {
            Errors::InBand => {
                sink.write(&format!("info string error: {}", escape_for_terminal(message)))
            }
            Errors::Apart => {
                log::error!("{message}");
                tell(message);
            }
        }
    }

    /// Whether any input was refused so far.
    pub fn has_refused(&self) -> bool {
        self.lock().refused
    }

    /// What closes the output from outside, for a reader that goes away without a write that fails. It does not keep
    /// the writer, which is dropped with the last clone of the output.
    pub fn closer(&self) -> impl FnOnce() + use<> {
        let sink = Arc::downgrade(&self.0);
        move || {
            if let Some(sink) = sink.upgrade() {
                Output(sink).lock().close();
            }
        }
    }

    /// Whether a write has failed or the output was closed, so that nothing can be written any more.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Records that the input which this output answers has failed.
    pub fn input_failed(&self, error: io::Error) {
        self.lock().failure.get_or_insert(StreamError::Read(error));
    }

    /// Whether the output was written and its input read without a failure. That the reader of the output has closed it
    /// is no failure.
    ///
    /// # Errors
    /// The first failure since the last call.
    pub fn result(&self) -> Result<(), StreamError> {
        self.lock().failure.take().map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, Sink> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a message of the program to the standard error output.
pub fn tell(message: &str) {
    // There is no other place to report to if the standard error output fails, too.
    let _ = writeln!(io::stderr(), "pentarch: {}", escape_for_terminal(message));
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
        if self.closed {
            return;
        }
        if let Err(error) = self.writer.write_all(bytes).and_then(|()| self.writer.flush()) {
            if error.kind() != ErrorKind::BrokenPipe {
                self.failure.get_or_insert(StreamError::Write(error));
            }
            self.close();
        }
    }

    fn close(&mut self) {
        self.closed = true;
        if let Some(call) = self.on_close.take() {
            call();
        }
    }
}

/// Whether terminals show Unicode: everywhere but on Unix, and there if the locale says so.
fn has_unicode() -> bool {
    let value = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(value)
        .unwrap_or_default()
        .to_ascii_lowercase();
    !cfg!(unix) || locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A writer into memory that all its clones share.
    #[derive(Clone, Default)]
    pub struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Kept {
        /// The lines written so far.
        pub fn lines(&self) -> Vec<String> {
            let bytes = self.0.lock().unwrap();
            String::from_utf8_lossy(&bytes).lines().map(String::from).collect()
        }
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A writer whose every write fails with this kind of error.
    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_readers_may_go_away() {
        for (kind, is_failure) in [(ErrorKind::BrokenPipe, false), (ErrorKind::StorageFull, true)] {
            let out = Output::new(Failing(kind), Errors::InBand);
            let (sender, closed) = std::sync::mpsc::channel();
            out.on_close(move || sender.send(()).unwrap());
            assert!(!out.is_closed());
            out.lines("one\ntwo");
            out.lines("three");
            assert_eq!((out.is_closed(), closed.iter().count()), (true, 1));
            assert_eq!((out.result().is_err(), out.result().is_err()), (is_failure, false));
        }
    }

    #[test]
    fn an_output_can_be_closed_from_outside() {
        let kept = Kept::default();
        let out = Output::new(kept.clone(), Errors::InBand);
        let close = out.closer();
        out.lines("one");
        close();
        out.lines("two");
        assert_eq!((out.is_closed(), kept.lines()), (true, vec!["one".to_string()]));
        let (sender, told) = std::sync::mpsc::channel();
        out.on_close(move || sender.send(()).unwrap());
        assert_eq!(told.iter().count(), 1);
        assert!(out.result().is_ok());
        let late = out.closer();
        drop(out);
        late();
        assert_eq!(Arc::strong_count(&kept.0), 1);
    }
}
