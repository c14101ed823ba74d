//! Reads input as lines of any length and content. The memory of lines that wait to be executed is
//! limited.

use std::io::{self, BufRead, Read};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use pentarch_engine::error::{EngineError, EngineFault};
use pentarch_system::memory::{self, ThreadError};

use super::output::Output;

/// The maximum number of bytes of a line without its end: 1 MiB.
pub const MAX_LINE_BYTES: usize = 1024 * 1024;

/// An error of a line of input.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidLine {
    /// The line is longer than [`MAX_LINE_BYTES`]. The string is the beginning of the line.
    #[error("{}", EngineFault::LineTooLong { most: MAX_LINE_BYTES })]
    TooLong(String),
    /// The line is not UTF-8. The number is the column of the first invalid byte, in characters
    /// from 1. The string is the line with `\u{FFFD}` in place of invalid bytes.
    #[error("{}", EngineError::new(EngineFault::NotUtf8).at_column(*.0))]
    NotUtf8(usize, String),
}

impl InvalidLine {
    /// Returns the readable part of the line.
    pub fn readable_part(&self) -> &str {
        match self {
            InvalidLine::TooLong(text) | InvalidLine::NotUtf8(_, text) => text,
        }
    }
}

impl From<&InvalidLine> for EngineError {
    fn from(line: &InvalidLine) -> EngineError {
        match line {
            InvalidLine::TooLong(_) => {
                EngineError::new(EngineFault::LineTooLong { most: MAX_LINE_BYTES })
            }
            InvalidLine::NotUtf8(column, _) => {
                EngineError::new(EngineFault::NotUtf8).at_column(*column)
            }
        }
    }
}

/// The number of bytes that a message quotes if a line is too long.
const INVALID_LINE_EXCERPT_BYTES: usize = 100;
/// The number of bytes to read before a line is considered too long. This number is one byte more
/// than the longest line with a byte order mark and a line end of two bytes.
const OVERLONG_LINE_READ_BYTES: u64 = (MAX_LINE_BYTES + BYTE_ORDER_MARK.len() + 3) as u64;

/// The byte order mark, which some programs write at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads the next line; `None` at the end of the input. The result has neither the line end (LF or
/// CRLF) nor a byte order mark.
///
/// # Errors
/// If reading fails.
pub fn read_next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, InvalidLine>>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(OVERLONG_LINE_READ_BYTES).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let ended = bytes.ends_with(b"\n");
    if ended {
        bytes.pop();
    }
    if bytes.ends_with(b"\r") {
        bytes.pop();
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    if bytes.len() > MAX_LINE_BYTES {
        if !ended {
            input.skip_until(b'\n')?;
        }
        return Ok(Some(Err(InvalidLine::TooLong(
            String::from_utf8_lossy(&bytes[..INVALID_LINE_EXCERPT_BYTES]).into_owned(),
        ))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let column = String::from_utf8_lossy(valid).chars().count() + 1;
        InvalidLine::NotUtf8(column, String::from_utf8_lossy(error.as_bytes()).into_owned())
    })))
}

/// The maximum memory of the lines that wait to be executed: 64 MiB. While the waiting lines take
/// this much, the reader blocks.
pub const MAX_WAITING_LINES_BYTES: usize = 64 * 1024 * 1024;
/// The memory of a waiting line in addition to its text, in bytes.
const INPUT_LINE_OVERHEAD_BYTES: usize = 128;

/// An iterator over the lines of an input. The iterator blocks while waiting lines take too much
/// memory.
pub struct InputLines<R> {
    input: R,
    /// The maximum memory of waiting lines, in bytes.
    limit: usize,
    /// The memory of a waiting line in addition to its text, in bytes.
    overhead: usize,
    waiting: Arc<WaitingLineBytes>,
    /// The output for the responses to the input. The output also stores a failure of the input.
    out: Output,
}

/// A line of input. The line counts as waiting until it is dropped.
pub struct WaitingInputLine {
    /// The text of the line, or its error.
    pub text: Result<String, InvalidLine>,
    bytes: usize,
    waiting: Arc<WaitingLineBytes>,
}

/// The memory of the waiting lines.
#[derive(Default)]
struct WaitingLineBytes {
    bytes: Mutex<usize>,
    /// Notified when a line is dropped.
    decreased: Condvar,
}

impl WaitingInputLine {
    /// Returns whether the line is valid and has at most this many bytes.
    pub fn is_valid_and_at_most_bytes(&self, bytes: usize) -> bool {
        self.text.as_ref().is_ok_and(|text| text.len() <= bytes)
    }
}

impl<R: BufRead> InputLines<R> {
    /// Creates an iterator over the lines of `input`. The responses go to `out`. Waiting lines take
    /// at most `limit` bytes, but a single line is always accepted.
    pub fn new(input: R, limit: usize, out: &Output) -> InputLines<R> {
        InputLines {
            input,
            limit,
            overhead: INPUT_LINE_OVERHEAD_BYTES,
            waiting: Arc::default(),
            out: out.clone(),
        }
    }

    /// Adds `bytes` to the memory of each waiting line.
    pub fn with_memory_overhead_per_line(self, bytes: usize) -> InputLines<R> {
        InputLines { overhead: self.overhead + bytes, ..self }
    }
}

impl<R: BufRead> Iterator for InputLines<R> {
    type Item = WaitingInputLine;

    /// Returns the next line; `None` at the end of the input, or if reading fails. A failure is
    /// reported to the output. Blocks until the line fits into the limit.
    fn next(&mut self) -> Option<WaitingInputLine> {
        let text = read_next_line(&mut self.input).unwrap_or_else(|error| {
            self.out.record_input_failure(error);
            None
        })?;
        let bytes =
            text.as_deref().unwrap_or_else(|error| error.readable_part()).len() + self.overhead;
        let used = self.waiting.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let used =
            self.waiting.decreased.wait_while(used, |used| *used > 0 && *used + bytes > self.limit);
        *used.unwrap_or_else(PoisonError::into_inner) += bytes;
        Some(WaitingInputLine { text, bytes, waiting: self.waiting.clone() })
    }
}

impl Drop for WaitingInputLine {
    fn drop(&mut self) {
        *self.waiting.bytes.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.waiting.decreased.notify_one();
    }
}

/// Starts the thread that reads the input.
///
/// # Errors
/// If the system cannot start a thread.
pub fn start_reader_thread(read: impl FnOnce() + Send + 'static) -> Result<(), ThreadError> {
    // The stack has a small, fixed size, so that the thread can start even if little memory is
    // left. The program cannot work without it.
    let thread = thread::Builder::new().name("input".into()).stack_size(2 * 1024 * 1024);
    memory::spawn_detached_thread(thread, read)
        .map_err(|error| ThreadError { purpose: "read the input on", error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::output::ErrorTarget;

    fn lines(mut bytes: &[u8]) -> Vec<Result<String, InvalidLine>> {
        std::iter::from_fn(|| read_next_line(&mut bytes).unwrap()).collect()
    }

    #[test]
    fn lines_end_in_lf_or_crlf_or_with_the_input() {
        assert_eq!(lines(b"a\nb\r\n\nc"), ["a", "b", "", "c"].map(|line| Ok(line.to_string())));
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn reports_invalid_utf8_and_long_lines() {
        assert_eq!(
            lines(b"\xc3\xa4\xff\nb"),
            [Err(InvalidLine::NotUtf8(2, "ä\u{fffd}".into())), Ok("b".into())]
        );
        let long = vec![b'x'; MAX_LINE_BYTES];
        let too_long = || Err(InvalidLine::TooLong("x".repeat(INVALID_LINE_EXCERPT_BYTES)));
        assert_eq!(
            lines(&[&long[..], b"\r\nb"].concat()),
            [Ok("x".repeat(MAX_LINE_BYTES)), Ok("b".into())]
        );
        assert_eq!(lines(&[&long[..], b"x\nb"].concat()), [too_long(), Ok("b".into())]);
        assert_eq!(lines(&[&long[..], &long[..], b"\nb"].concat()), [too_long(), Ok("b".into())]);
        assert_eq!(lines(&[&long[..], &long[..]].concat()), [too_long()]);
    }

    #[test]
    fn strips_byte_order_marks() {
        assert_eq!(
            lines(b"\xef\xbb\xbfa\n\xef\xbb\xbf\r\nb"),
            ["a", "", "b"].map(|line| Ok(line.to_string()))
        );
        let long = vec![b'x'; MAX_LINE_BYTES];
        assert_eq!(lines(&[BYTE_ORDER_MARK, &long[..], b"\r\nb"].concat())[1], Ok("b".into()));
    }

    #[test]
    fn blocks_while_waiting_lines_take_too_much_memory() {
        let out = Output::new(io::sink(), ErrorTarget::InBand);
        let mut reading =
            InputLines::new(&b"first\nsecond\nthird"[..], 2 * INPUT_LINE_OVERHEAD_BYTES + 11, &out);
        let mut next = move || reading.next();
        let waiting = [next(), next()];
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(next().map(|line| line.text.clone())).unwrap());
        assert!(receiver.recv_timeout(std::time::Duration::from_millis(50)).is_err());
        drop(waiting);
        assert_eq!(receiver.recv().unwrap(), Some(Ok("third".into())));
        // A single line is always accepted.
        assert!(InputLines::new(&b"first"[..], 0, &out).next().is_some());
    }
}
