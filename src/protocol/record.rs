//! Game records: a game with its rules, start, moves and result as a text that people read and the engine replays.
//!
//! Tags in the manner of PGN, then the moves in the engine's own notation:
//!
//! ```text
//! [Game "quoridor"]
//! [Option "Quoridor_Walls=3"]
//! [Fen "e2e8 - b 3/3 4"]
//! [Outcome "ongoing"]
//! 4... e7 5. e3 { a comment } e6 *
//! ```
//!
//! `Fen` is left out for the start position, and an option at its default.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, take_till1, take_until};
use nom::character::complete::{anychar, char, digit1, multispace0, multispace1, not_line_ending};
use nom::combinator::{cut, eof, opt, recognize, value, verify};
use nom::multi::{many_till, many0, many0_count, many1_count};
use nom::sequence::{delimited, pair, preceded, separated_pair, terminated};

use crate::core::SyntaxError;
use crate::core::text::{Parsed, expect, finish};
use crate::core::{Outcome, Side};

/// A record as it was written: the texts in it have not been looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The tags, in their order.
    pub tags: Vec<(String, String)>,
    /// The moves.
    pub moves: Vec<String>,
    /// How the game ended, as the record says: `1-0`, `0-1`, `1/2-1/2`, or `*` if it goes on or nothing is said.
    pub result: String,
}

/// The column that lines of moves end before.
const WIDTH: usize = 80;

/// The results that end a record.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The result of a game with this outcome.
pub fn result(outcome: Option<Outcome>) -> &'static str {
    outcome.map_or(RESULTS[3], |outcome| result_of(outcome.winner()))
}

/// The result of a game that this side has won, or that nobody has.
pub fn result_of(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::First) => RESULTS[0],
        Some(Side::Second) => RESULTS[1],
        None => RESULTS[2],
    }
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    /// If it is not of the form; the column counts all characters of the text.
    pub fn parse(text: &str) -> Result<Record, SyntaxError> {
        finish(preceded(start, terminated(record, expect("the end of the record", eof))), text)
    }

    /// Reads a text of any number of records, one after another.
    ///
    /// # Errors
    /// If one of them is not of the form; the column counts all characters of the text.
    pub fn parse_all(text: &str) -> Result<Vec<Record>, SyntaxError> {
        finish(preceded(start, many_till(record, eof)).map(|(records, _)| records), text)
    }

    /// The values of a tag.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.tags.iter().filter(move |(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The text of the record; `first` is the full-move number and the side of its first move.
    pub fn text(&self, (mut number, mut side): (u32, Side)) -> String {
        let mut lines: Vec<String> = self.tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]")).collect();
        let mut line = String::new();
        let mut push = |word: &str| {
            if !line.is_empty() && line.len() + 1 + word.len() >= WIDTH {
                lines.push(std::mem::take(&mut line));
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        };
        for (at, mv) in self.moves.iter().enumerate() {
            match side {
                Side::First => push(&format!("{number}.")),
                Side::Second if at == 0 => push(&format!("{number}...")),
                Side::Second => {}
            }
            push(mv);
            number = crate::core::text::next_full_move(number, side);
            side = !side;
        }
        push(&self.result);
        lines.push(line);
        lines.join("\n")
    }
}

/// What stands before the first record.
fn start(input: &str) -> Parsed<'_, ()> {
    value((), pair(opt(char('\u{feff}')), blank)).parse(input)
}

/// A record with the blanks after it.
fn record(input: &str) -> Parsed<'_, Record> {
    let tags = many0(terminated(tag, blank));
    let moves = many_till(terminated(movement, blank), end);
    let whole = |(tags, (moves, result)): (_, (Vec<Option<&str>>, &str))| {
        let moves = moves.into_iter().flatten().map(String::from).collect();
        Record { tags, moves, result: result.into() }
    };
    pair(tags, moves).map(whole).parse(input)
}

/// White space and comments: `{ ... }`, and `; ...` to the end of the line.
fn blank(input: &str) -> Parsed<'_, ()> {
    let braces = recognize(delimited(char('{'), take_until("}"), char('}')));
    let to_end = recognize(preceded(char(';'), not_line_ending));
    value((), many0(alt((multispace1, braces, to_end)))).parse(input)
}

fn tag(input: &str) -> Parsed<'_, (String, String)> {
    let name = expect("the name of a tag", is_not(" \t\r\n\"]"));
    let text = delimited(expect("\"", char('"')), tag_text, expect("\"", char('"')));
    let inside = separated_pair(name, multispace1, text);
    let closing = pair(multispace0, expect("]", char(']')));
    let body = cut(terminated(inside, closing));
    preceded(char('['), body).map(|(name, text): (&str, &str)| (name.into(), text.into())).parse(input)
}

/// What stands between the quotes of a tag, as it is written: a backslash takes the next character's meaning away.
fn tag_text(input: &str) -> Parsed<'_, &str> {
    let plain = is_not("\\\"\n");
    recognize(many0_count(alt((plain, recognize(pair(char('\\'), anychar)))))).parse(input)
}

/// A move, or a number before one or a note on one, which says nothing.
fn movement(input: &str) -> Parsed<'_, Option<&str>> {
    let number = recognize(pair(digit1, many1_count(char('.'))));
    let note = recognize(pair(char('$'), digit1));
    let word = take_till1(|c: char| c.is_whitespace() || "{;[".contains(c));
    let mv = verify(word, |word: &str| !RESULTS.contains(&word));
    expect("a move or a result", alt((value(None, alt((number, note))), mv.map(Some)))).parse(input)
}

/// The end of a record: its result, which may be missing.
fn end(input: &str) -> Parsed<'_, &str> {
    let word = take_till1(|c: char| c.is_whitespace() || "{;".contains(c));
    let result = verify(word, |word: &str| RESULTS.contains(&word));
    alt((terminated(result, blank), value("*", eof))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            tags: vec![("Game".into(), "quoridor".into()), ("Fen".into(), "e2e8 - b 10/10 4".into())],
            moves: ["e7", "e3h", "e6"].map(String::from).to_vec(),
            result: "*".into(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let text = record().text((4, Side::Second));
        assert_eq!(text, "[Game \"quoridor\"]\n[Fen \"e2e8 - b 10/10 4\"]\n4... e7 5. e3h e6 *");
        assert_eq!(Record::parse(&text), Ok(record()));
        let long = Record { moves: vec!["e3h".into(); 300], ..record() };
        let text = long.text((1, Side::First));
        assert!(text.lines().all(|line| line.len() < WIDTH));
        assert_eq!(Record::parse(&text), Ok(long));
    }

    #[test]
    fn records_stand_one_after_another() {
        let next = Record { moves: vec![], result: "0-1".into(), ..record() };
        let text = format!("{}\n\n{}\n", record().text((4, Side::Second)), next.text((4, Side::Second)));
        assert_eq!(Record::parse_all(&text), Ok(vec![record(), next]));
        assert_eq!(Record::parse_all(" ; nothing"), Ok(vec![]));
        assert_eq!(Record::parse_all("e2 1-0 [Game").unwrap_err().column, 13);
        assert_eq!(Record::parse_all("e2 e8").unwrap(), [Record::parse("e2 e8").unwrap()]);
    }

    #[test]
    fn comments_numbers_and_notes_are_passed_over() {
        let text =
            "\u{feff}; by hand\n[Game \"quoridor\"] [Fen \"e2e8 - b 10/10 4\"]\n\n4...e7 {good} 5.e3h $1 {}e6 ; end\n";
        assert_eq!(Record::parse(text), Ok(record()));
        let quoted = Record::parse("[Event \"a \\\"good\\\" one\"] [Game \"x\"]").unwrap();
        assert_eq!(quoted.values("game").collect::<Vec<_>>(), ["x"]);
        assert_eq!(Record::parse(""), Ok(Record { tags: vec![], moves: vec![], result: "*".into() }));
    }

    #[test]
    fn bad_records_are_refused_with_a_place() {
        let error = |text| Record::parse(text).unwrap_err().to_string();
        assert_eq!(error("[Game quoridor]"), "column 7: expected \", found 'quoridor]'");
        assert_eq!(error("[Game \"x\""), "column 10: expected ], found the end");
        assert_eq!(error("e2 1-0 e8"), "column 8: expected the end of the record, found 'e8'");
        assert!(Record::parse("{ open").is_err());
    }
}
