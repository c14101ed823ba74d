//! Writes whole lines, and flushes them at once.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use pentarch_core::notation::parsing::{escape_for_terminal, to_ascii};

/// A writer of lines that threads can share. Clones have the same destination. The lines of one
/// call stay together.
#[derive(Clone)]
pub struct Output(Arc<Mutex<OutputSink>>);

struct OutputSink {
    writer: Box<dyn Write + Send>,
    errors: ErrorTarget,
    /// Whether a write has failed or the output was closed. In either case, later writes do
    /// nothing.
    closed: bool,
    /// The first failure of reading or writing. A closed pipe is not a failure.
    failure: Option<InputOutputError>,
    /// Whether any error was reported.
    has_errors: bool,
    /// The function that is called once when the output closes.
    on_close: Option<Box<dyn FnOnce() + Send>>,
}

/// An error while a command reads its input or writes its output.
#[derive(Debug, Error)]
pub enum InputOutputError {
    /// The input cannot be read.
    #[error("the input cannot be read: {0}")]
    Read(io::Error),
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Write(io::Error),
}

/// The destination of error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorTarget {
    /// Messages are written among the other lines, as `info string error: ...`.
    InBand,
    /// Messages are written to the standard error output, as `pentarch: ...`.
    Stderr,
}

impl Output {
    /// Creates an output to this writer.
    pub fn new(writer: impl Write + Send + 'static, errors: ErrorTarget) -> Output {
        Output(Arc::new(Mutex::new(OutputSink {
            writer: Box::new(writer),
            errors,
            closed: false,
            failure: None,
            has_errors: false,
            on_close: None,
        })))
    }

    /// Sets the function to call when the output closes. The output closes at the first failed
    /// write (a write to a closed pipe also fails), or through
    /// [`close_callback`](Output::close_callback). If the output is already closed, calls the
    /// function now.
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

    /// Writes one or more lines. Omits empty lines and trailing spaces.
    pub fn write_lines(&self, text: &str) {
        self.lock().write(text);
    }

    /// Writes a line that must not appear in the log.
    pub fn write_unlogged_line(&self, line: &str) {
        self.lock().write_bytes(format!("{line}\n").as_bytes());
    }

    /// Writes a text unchanged.
    pub fn write_unchanged(&self, text: &str) {
        text.lines().for_each(|line| log::debug!("< {line}"));
        self.lock().write_bytes(text.as_bytes());
    }

    /// Returns a page of text for people. The page is in ASCII if the locale of the system has no
    /// Unicode.
    pub fn to_terminal_charset(&self, text: &str) -> String {
        let page = if terminal_has_unicode() { text.into() } else { to_ascii(text) };
        format!("{page}\n")
    }

    /// Reports an error of an input.
    pub fn report_error(&self, error: impl Display) {
        let message = &error.to_string();
        let mut sink = self.lock();
        sink.has_errors = true;
        match sink.errors {
            ErrorTarget::InBand => {
                sink.write(&format!("info string error: {}", escape_for_terminal(message)))
            }
            ErrorTarget::Stderr => {
                log::error!("{message}");
                print_to_stderr(message);
            }
        }
    }

    /// Returns whether [`report_error`](Output::report_error) was called.
    pub fn has_errors(&self) -> bool {
        self.lock().has_errors
    }

    /// Returns a function that closes the output. Call the function when the reader has gone away,
    /// even if no write has failed. The function does not keep the writer alive: when the last
    /// clone of the output is dropped, the writer is also dropped.
    pub fn close_callback(&self) -> impl FnOnce() + use<> {
        let sink = Arc::downgrade(&self.0);
        move || {
            if let Some(sink) = sink.upgrade() {
                Output(sink).lock().close();
            }
        }
    }

    /// Returns whether a write has failed or the output was closed.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Records a failure of the input whose responses go to this output.
    pub fn record_input_failure(&self, error: io::Error) {
        self.lock().failure.get_or_insert(InputOutputError::Read(error));
    }

    /// Takes the first failure of reading or writing since the last call, and returns it as an
    /// error. A closed pipe is not a failure.
    ///
    /// # Errors
    /// The first failure, if there is one.
    pub fn take_first_failure(&self) -> Result<(), InputOutputError> {
        self.lock().failure.take().map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, OutputSink> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a message of the program to the standard error output.
pub fn print_to_stderr(message: &str) {
    // If the standard error output also fails, there is nowhere left to report to.
    let _ = writeln!(io::stderr(), "pentarch: {}", escape_for_terminal(message));
}

impl OutputSink {
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
                self.failure.get_or_insert(InputOutputError::Write(error));
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

/// Returns whether the terminal shows Unicode. On Unix this depends on the locale. On other systems
/// the result is always `true`.
fn terminal_has_unicode() -> bool {
    if !cfg!(unix) {
        return true;
    }
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
        if let Some(locale) = std::env::var(name).ok().filter(|value| !value.is_empty()) {
            let locale = locale.to_ascii_lowercase();
            return locale.contains("utf-8") || locale.contains("utf8");
        }
    }
    false
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A writer into memory. All its clones share the memory.
    #[derive(Clone, Default)]
    pub(crate) struct MemoryWriter(Arc<Mutex<Vec<u8>>>);

    impl MemoryWriter {
        /// Returns the lines written so far.
        pub(crate) fn written_lines(&self) -> Vec<String> {
            let bytes = self.0.lock().unwrap();
            String::from_utf8_lossy(&bytes).lines().map(String::from).collect()
        }
    }

    impl Write for MemoryWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A writer on which each write fails with this kind of error.
    struct FailingWriter(ErrorKind);

    impl Write for FailingWriter {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn closed_pipes_are_not_failures() {
        for (kind, is_failure) in [(ErrorKind::BrokenPipe, false), (ErrorKind::StorageFull, true)] {
            let out = Output::new(FailingWriter(kind), ErrorTarget::InBand);
            let (sender, closed) = std::sync::mpsc::channel();
            out.on_close(move || sender.send(()).unwrap());
            assert!(!out.is_closed());
            out.write_lines("one\ntwo");
            out.write_lines("three");
            assert_eq!((out.is_closed(), closed.iter().count()), (true, 1));
            assert_eq!(
                (out.take_first_failure().is_err(), out.take_first_failure().is_err()),
                (is_failure, false)
            );
        }
    }

    #[test]
    fn output_closes_through_close_callback() {
        let kept = MemoryWriter::default();
        let out = Output::new(kept.clone(), ErrorTarget::InBand);
        let close = out.close_callback();
        out.write_lines("one");
        close();
        out.write_lines("two");
        assert_eq!((out.is_closed(), kept.written_lines()), (true, vec!["one".to_string()]));
        let (sender, told) = std::sync::mpsc::channel();
        out.on_close(move || sender.send(()).unwrap());
        assert_eq!(told.iter().count(), 1);
        assert!(out.take_first_failure().is_ok());
        let late = out.close_callback();
        drop(out);
        late();
        assert_eq!(Arc::strong_count(&kept.0), 1);
    }
}
