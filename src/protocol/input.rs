//! The input: lines of bytes, of any length and content, and how many of them may wait.

use std::io::{self, BufRead, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

/// The most bytes that a line may have, its end not counted: 1 MiB.
pub const LONGEST: usize = 1024 * 1024;

/// A line that is not text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadLine {
    /// It is longer than [`LONGEST`]; this is how it begins.
    #[error("a line has more than {LONGEST} bytes; it is ignored")]
    TooLong(String),
    /// It is not UTF-8 at this column; this is the line with `\u{FFFD}` in the place of what is not.
    #[error("column {0}: the line is not UTF-8 text")]
    NotText(usize, String),
}

impl BadLine {
    /// What can be read of it.
    pub fn readable(&self) -> &str {
        match self {
            BadLine::TooLong(text) | BadLine::NotText(_, text) => text,
        }
    }
}

/// How much of a line that is too long is kept, in bytes.
const KEPT: usize = 100;
/// How much of a line is read before it is too long: with a byte order mark and an end of two bytes, and one more.
const MOST_READ: u64 = (LONGEST + BYTE_ORDER_MARK.len() + 3) as u64;

/// What some programs write before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The next line without its end, LF or CRLF, and without a byte order mark; none at the end of the input.
///
/// # Errors
/// If reading fails.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, BadLine>>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(MOST_READ).read_until(b'\n', &mut bytes)? == 0 {
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
    if bytes.len() > LONGEST {
        if !ended {
            input.skip_until(b'\n')?;
        }
        return Ok(Some(Err(BadLine::TooLong(String::from_utf8_lossy(&bytes[..KEPT]).into_owned()))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let column = String::from_utf8_lossy(valid).chars().count() + 1;
        BadLine::NotText(column, String::from_utf8_lossy(error.as_bytes()).into_owned())
    })))
}

/// The most bytes that lines may have which wait to be carried out: 64 MiB. What comes after them is not read before
/// there is room.
pub const MOST_WAITING: usize = 64 * 1024 * 1024;
/// What a line takes beside its text.
const LINE: usize = 128;

/// Reads lines, as long as not too many of them wait.
pub struct Lines<R> {
    input: R,
    room: Arc<Room>,
}

/// A line that was read. It waits until it is dropped.
pub struct Line {
    /// What it says.
    pub text: Result<String, BadLine>,
    bytes: usize,
    room: Arc<Room>,
}

/// The room that waiting lines share.
struct Room {
    /// The bytes that wait.
    taken: Mutex<usize>,
    most: usize,
    left: Condvar,
}

impl<R: BufRead> Lines<R> {
    /// The lines of this input, of which this many bytes may wait; one line always may.
    pub fn new(input: R, most: usize) -> Lines<R> {
        Lines { input, room: Arc::new(Room { taken: Mutex::new(0), most, left: Condvar::new() }) }
    }

    /// The next line, as soon as there is room for it; none at the end of the input.
    ///
    /// # Errors
    /// If reading fails.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        let Some(text) = next_line(&mut self.input)? else { return Ok(None) };
        let length = match &text {
            Ok(text) | Err(BadLine::TooLong(text) | BadLine::NotText(_, text)) => text.len(),
        };
        let bytes = length + LINE;
        let is_full = |taken: &mut usize| *taken > 0 && *taken + bytes > self.room.most;
        let taken = self.room.left.wait_while(self.room.lock(), is_full);
        *taken.unwrap_or_else(PoisonError::into_inner) += bytes;
        Ok(Some(Line { text, bytes, room: self.room.clone() }))
    }
}

impl Room {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        *self.room.lock() -= self.bytes;
        self.room.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(lines(b"\xc3\xa4\xff\nb"), [Err(BadLine::NotText(2, "ä\u{fffd}".into())), Ok("b".into())]);
        let long = vec![b'x'; LONGEST];
        let too_long = || Err(BadLine::TooLong("x".repeat(KEPT)));
        assert_eq!(lines(&[&long[..], b"\r\nb"].concat()), [Ok("x".repeat(LONGEST)), Ok("b".into())]);
        assert_eq!(lines(&[&long[..], b"x\nb"].concat()), [too_long(), Ok("b".into())]);
        assert_eq!(lines(&[&long[..], &long[..], b"\nb"].concat()), [too_long(), Ok("b".into())]);
        assert_eq!(lines(&[&long[..], &long[..]].concat()), [too_long()]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_line() {
        assert_eq!(lines(b"\xef\xbb\xbfa\n\xef\xbb\xbf\r\nb"), ["a", "", "b"].map(|line| Ok(line.to_string())));
        let long = vec![b'x'; LONGEST];
        assert_eq!(lines(&[BYTE_ORDER_MARK, &long[..], b"\r\nb"].concat())[1], Ok("b".into()));
    }

    #[test]
    fn lines_are_read_only_while_there_is_room() {
        let mut reading = Lines::new(&b"first\nsecond\nthird"[..], 2 * LINE + 11);
        let mut next = move || reading.next_line().unwrap();
        let waiting = [next(), next()];
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(next().map(|line| line.text.clone())).unwrap());
        assert!(receiver.recv_timeout(std::time::Duration::from_millis(50)).is_err());
        drop(waiting);
        assert_eq!(receiver.recv().unwrap(), Some(Ok("third".into())));
        // However little room there is, there is room for one.
        assert!(Lines::new(&b"first"[..], 0).next_line().unwrap().is_some());
    }
}
