//! Input by lines, which may be of any length and content, with a limit on the lines that wait to be carried out.

use std::io::{self, BufRead, Read};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use pentarch_engine::error::{EngineError, Fault};
use pentarch_system::memory::{self, ThreadError};

use super::output::Output;

/// The most bytes that a line may have, without its end: 1 MiB.
pub const MAX_LINE: usize = 1024 * 1024;

/// Why a line cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadLine {
    /// The line is longer than [`MAX_LINE`]. The text is its beginning.
    #[error("{}", Fault::LineTooLong { most: MAX_LINE })]
    TooLong(String),
    /// The line is not UTF-8. The number is the column of the first bad byte, in characters from 1; the text is the
    /// line with `\u{FFFD}` in place of what is not UTF-8.
    #[error("{}", EngineError::new(Fault::NotUtf8).at_column(*.0))]
    NotText(usize, String),
}

impl BadLine {
    /// The part of the line that can be read.
    pub fn readable(&self) -> &str {
        match self {
            BadLine::TooLong(text) | BadLine::NotText(_, text) => text,
        }
    }
}

impl From<&BadLine> for EngineError {
    fn from(line: &BadLine) -> EngineError {
        match line {
            BadLine::TooLong(_) => EngineError::new(Fault::LineTooLong { most: MAX_LINE }),
            BadLine::NotText(column, _) => EngineError::new(Fault::NotUtf8).at_column(*column),
        }
    }
}

/// How many bytes of a line that is too long are kept for messages.
const EXCERPT: usize = 100;
/// How many bytes are read before a line counts as too long: the longest line with a byte order mark and an end of two
/// bytes, and one byte more.
const MAX_READ: u64 = (MAX_LINE + BYTE_ORDER_MARK.len() + 3) as u64;

/// The byte order mark, which some programs write at the beginning of a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The next line, without its end (LF or CRLF) and without a byte order mark; `None` at the end of the input.
///
/// # Errors
/// If reading fails.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, BadLine>>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(MAX_READ).read_until(b'\n', &mut bytes)? == 0 {
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
    if bytes.len() > MAX_LINE {
        if !ended {
            input.skip_until(b'\n')?;
        }
        return Ok(Some(Err(BadLine::TooLong(
            String::from_utf8_lossy(&bytes[..EXCERPT]).into_owned(),
        ))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let column = String::from_utf8_lossy(valid).chars().count() + 1;
        BadLine::NotText(column, String::from_utf8_lossy(error.as_bytes()).into_owned())
    })))
}

/// The most memory that lines may take while they wait to be carried out: 64 MiB. No further line is read before enough
/// of it is free again.
pub const MAX_WAITING: usize = 64 * 1024 * 1024;
/// The number of bytes that a line takes in addition to its text.
const LINE_OVERHEAD: usize = 128;

/// Reads lines as long as those that wait do not take too much memory.
pub struct Lines<R> {
    input: R,
    limit: usize,
    /// The number of bytes that a waiting line takes in addition to its text.
    overhead: usize,
    waiting: Arc<Waiting>,
    /// The output that answers the input, and keeps its failure.
    out: Output,
}

/// A line that was read. It counts as waiting until it is dropped.
pub struct Line {
    /// The text of the line, or why it cannot be used.
    pub text: Result<String, BadLine>,
    bytes: usize,
    waiting: Arc<Waiting>,
}

/// How many bytes the waiting lines take, and what is notified when one of them is dropped.
#[derive(Default)]
struct Waiting(Mutex<usize>, Condvar);

impl Line {
    /// Returns whether the line is valid and has at most this many bytes.
    pub fn is_at_most(&self, bytes: usize) -> bool {
        self.text.as_ref().is_ok_and(|text| text.len() <= bytes)
    }
}

impl<R: BufRead> Lines<R> {
    /// The lines of this input, which `out` answers. Those that wait take `limit` bytes at most, but one line may
    /// always wait.
    pub fn new(input: R, limit: usize, out: &Output) -> Lines<R> {
        Lines { input, limit, overhead: LINE_OVERHEAD, waiting: Arc::default(), out: out.clone() }
    }

    /// Returns the lines, each of which takes this many bytes more while it waits.
    pub fn with_overhead(self, bytes: usize) -> Lines<R> {
        Lines { overhead: self.overhead + bytes, ..self }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Line;

    /// The next line; `None` at the end of the input, and if reading fails, which the output is told. Blocks until
    /// there is memory for the line under the limit.
    fn next(&mut self) -> Option<Line> {
        let text = next_line(&mut self.input).unwrap_or_else(|error| {
            self.out.input_failed(error);
            None
        })?;
        let bytes = text.as_deref().unwrap_or_else(|error| error.readable()).len() + self.overhead;
        let is_full = |used: &mut usize| *used > 0 && *used + bytes > self.limit;
        let Waiting(used, dropped) = &*self.waiting;
        let used = dropped.wait_while(used.lock().unwrap_or_else(PoisonError::into_inner), is_full);
        *used.unwrap_or_else(PoisonError::into_inner) += bytes;
        Some(Line { text, bytes, waiting: self.waiting.clone() })
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let Waiting(used, dropped) = &*self.waiting;
        *used.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        dropped.notify_one();
    }
}

/// Starts the thread that reads the input.
///
/// # Errors
/// If the system gives no thread.
pub fn start_reader(read: impl FnOnce() + Send + 'static) -> Result<(), ThreadError> {
    // The stack is small whatever size other threads are given, because nothing works without this thread.
    let thread = thread::Builder::new().name("input".into()).stack_size(2 * 1024 * 1024);
    memory::spawn_detached(thread, read)
        .map_err(|error| ThreadError { purpose: "read the input on", error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::output::Errors;

    fn lines(mut bytes: &[u8]) -> Vec<Result<String, BadLine>> {
        std::iter::from_fn(|| next_line(&mut bytes).unwrap()).collect()
    }

    #[test]
    fn lines_end_in_lf_or_crlf_or_with_the_input() {
        assert_eq!(lines(b"a\nb\r\n\nc"), ["a", "b", "", "c"].map(|line| Ok(line.to_string())));
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn bytes_that_are_no_text_and_long_lines_are_told_apart() {
        assert_eq!(
            lines(b"\xc3\xa4\xff\nb"),
            [Err(BadLine::NotText(2, "ä\u{fffd}".into())), Ok("b".into())]
        );
        let long = vec![b'x'; MAX_LINE];
        let too_long = || Err(BadLine::TooLong("x".repeat(EXCERPT)));
        assert_eq!(
            lines(&[&long[..], b"\r\nb"].concat()),
            [Ok("x".repeat(MAX_LINE)), Ok("b".into())]
        );
        assert_eq!(lines(&[&long[..], b"x\nb"].concat()), [too_long(), Ok("b".into())]);
        assert_eq!(lines(&[&long[..], &long[..], b"\nb"].concat()), [too_long(), Ok("b".into())]);
        assert_eq!(lines(&[&long[..], &long[..]].concat()), [too_long()]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_line() {
        assert_eq!(
            lines(b"\xef\xbb\xbfa\n\xef\xbb\xbf\r\nb"),
            ["a", "", "b"].map(|line| Ok(line.to_string()))
        );
        let long = vec![b'x'; MAX_LINE];
        assert_eq!(lines(&[BYTE_ORDER_MARK, &long[..], b"\r\nb"].concat())[1], Ok("b".into()));
    }

    #[test]
    fn lines_are_read_only_while_the_waiting_ones_leave_memory() {
        let out = Output::new(io::sink(), Errors::InBand);
        let mut reading = Lines::new(&b"first\nsecond\nthird"[..], 2 * LINE_OVERHEAD + 11, &out);
        let mut next = move || reading.next();
        let waiting = [next(), next()];
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(next().map(|line| line.text.clone())).unwrap());
        assert!(receiver.recv_timeout(std::time::Duration::from_millis(50)).is_err());
        drop(waiting);
        assert_eq!(receiver.recv().unwrap(), Some(Ok("third".into())));
        // One line may always wait.
        assert!(Lines::new(&b"first"[..], 0, &out).next().is_some());
    }
}
