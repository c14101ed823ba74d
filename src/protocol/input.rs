//! The input: lines of bytes, of any length and content.

use std::io::{self, BufRead, Read};

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

/// The next line without its end, LF or CRLF; none at the end of the input.
///
/// # Errors
/// If reading fails.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, BadLine>>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST as u64 + 2).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let ended = bytes.ends_with(b"\n");
    if ended {
        bytes.pop();
    }
    if bytes.ends_with(b"\r") {
        bytes.pop();
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
}
