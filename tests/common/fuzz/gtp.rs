//! Checks of GTP sessions.

use std::io::Cursor;

use pentarch::io::input::{InvalidLine, read_next_line};
use pentarch::protocol::gtp;
use pentarch::protocol::gtp::text::preprocess_line;
use pentarch_core::Options;

use super::ugi::{OutputBuffer, low_cost_options};

/// Returns the cleaned text of a line; `None` if the line gets no answer.
fn command_text(line: &[u8]) -> Option<String> {
    let text = match read_next_line(&mut &line[..]).unwrap()? {
        Ok(text) => text,
        Err(InvalidLine::TooLong(text) | InvalidLine::NotUtf8(_, text)) => text,
    };
    Some(preprocess_line(&text)).filter(|text| !text.trim().is_empty())
}

/// Sends lines. Checks that each line gets one answer, and that rejected lines change nothing.
/// Returns the number of lines sent.
pub(crate) fn check_session(options: &Options, lines: impl IntoIterator<Item = Vec<u8>>) -> usize {
    let lines: Vec<(Vec<u8>, bool)> = lines
        .into_iter()
        .map(|line| (command_text(&line), line))
        .filter(|(text, _)| {
            text.as_ref().is_none_or(|text| !text.to_ascii_lowercase().contains("quit"))
        })
        .map(|(text, line)| (line, text.is_some()))
        .collect();
    let probe = b"\n7770 position_text\n7771 gogui-rules_legal_moves\n";
    let mut input = [b"time_settings 0.001 0 0", &probe[..]].concat();
    for (line, _) in &lines {
        input.extend_from_slice(line);
        input.extend_from_slice(probe);
    }
    // This line is read at once and ends all searches. So the answers come from searches that have
    // hardly begun.
    input.extend_from_slice(b"# interrupt\n");
    let written = OutputBuffer::default();
    gtp::run_gtp(Cursor::new(input), written.clone(), low_cost_options(options.clone())).unwrap();
    let text = written.take_text();
    assert!(text.ends_with("\n\n"), "{text}");
    let mut answers = text.split_terminator("\n\n");
    assert_eq!(answers.next(), Some("= "));
    let mut state = [answers.next(), answers.next()];
    for (line, is_answered) in &lines {
        let shown = String::from_utf8_lossy(&line[..line.len().min(500)]);
        let answer = if *is_answered { answers.next() } else { None };
        assert_eq!(answer.is_some(), *is_answered, "{shown:?}: no answer");
        let after = [answers.next(), answers.next()];
        let in_step = after[0].is_some_and(|answer| answer.starts_with("=7770 "));
        assert!(
            in_step && after[1].is_some_and(|answer| answer[1..].starts_with("7771")),
            "{shown:?}: {answer:?} {after:?}"
        );
        if let Some(answer) = answer {
            let id_and_text =
                answer.strip_prefix(['=', '?']).unwrap_or_else(|| panic!("{shown:?}: {answer:?}"));
            let text = id_and_text.trim_start_matches(|character: char| character.is_ascii_digit());
            assert!(
                text.starts_with(' ') && !text.contains("fault of the program"),
                "{shown:?}: {answer:?}"
            );
            assert!(
                answer.starts_with('=') || !text.contains(char::is_control),
                "{shown:?}: {answer:?}"
            );
            assert!(
                answer.starts_with('=') || state == after,
                "{shown:?}: {answer:?} {state:?} {after:?}"
            );
        }
        state = after;
    }
    assert_eq!(answers.next(), None);
    lines.len()
}
