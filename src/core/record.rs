//! Game records: the rules, start, moves and result of a game as a text that people can read and the engine can replay.
//!
//! The form is that of PGN (Portable Game Notation, S. Edwards, 1994): tags, then the moves, here in the engine's own
//! notation.
//!
//! ```text
//! [Game "quoridor"]
//! [Option "Quoridor_Walls=3"]
//! [Fen "e2e8 - b 3/3 4"]
//! [Outcome "ongoing"]
//! 4... e7 5. e3 { a comment } e6 *
//! ```
//!
//! `Fen` is left out for the start position, and so is an option at its default. A move may be followed by the score
//! and the depth of the search that chose it, in braces as in the records of chess matches: `e6 {+0.35/12}`. The score
//! is for the side that moved; one centipawn is written as 0.01.

use std::{fmt, iter};

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag as text, take_till1, take_until};
use nom::character::complete::{anychar, char, digit1, multispace0, multispace1, not_line_ending, one_of};
use nom::combinator::{cut, eof, opt, peek, recognize, value, verify};
use nom::multi::{many_till, many0, many0_count, many1_count};
use nom::sequence::{delimited, pair, preceded, separated_pair, terminated};

use crate::text::{Parsed, expect, finish, next_full_move};
use crate::{Outcome, Side, SyntaxError};

/// A parsed record. Nothing has been checked against the rules: moves and tags are still texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The tags, names and values, in the order of the text.
    pub tags: Vec<(String, String)>,
    /// The moves.
    pub moves: Vec<RecordedMove>,
    /// The result that the record states: `1-0`, `0-1`, `1/2-1/2`, or `*` if the game goes on or no result is stated.
    pub result: String,
}

/// A move of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedMove {
    /// The text of the move.
    pub text: String,
    /// The score and depth of the search that chose the move, if the record has them.
    pub evaluation: Option<Evaluation>,
}

/// The score and depth of the search that chose a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evaluation {
    /// The score in centipawns, for the side that moved.
    pub centipawns: i32,
    /// The depth in plies.
    pub depth: u32,
}

impl From<String> for RecordedMove {
    fn from(text: String) -> RecordedMove {
        RecordedMove { text, evaluation: None }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sign = if self.centipawns < 0 { '-' } else { '+' };
        let amount = self.centipawns.unsigned_abs();
        write!(f, "{{{sign}{}.{:02}/{}}}", amount / 100, amount % 100, self.depth)
    }
}

/// Lines of moves are shorter than this many characters.
const WIDTH: usize = 80;

/// The results that end a record.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The result of a game with this outcome: `*` if it has none yet.
pub fn result(outcome: Option<Outcome>) -> &'static str {
    outcome.map_or(RESULTS[3], |outcome| result_of(outcome.winner()))
}

/// The result of a finished game with this winner, or of a draw if there is no winner.
pub fn result_of(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::First) => RESULTS[0],
        Some(Side::Second) => RESULTS[1],
        None => RESULTS[2],
    }
}

/// The winner of a game with this result: `Some(None)` for a draw, `None` if the text is not the result of a finished
/// game.
pub fn winner_of(result: &str) -> Option<Option<Side>> {
    let winners = [Some(Side::First), Some(Side::Second), None];
    winners.into_iter().find(|&winner| result_of(winner) == result)
}

/// The turns of a game for two, each by the index of its player and its full-move number, from this number and side on.
pub fn turns((number, side): (u32, Side)) -> impl Iterator<Item = (usize, u32)> {
    let turns = iter::successors(Some((side, number)), |&(side, number)| Some((!side, next_full_move(number, side))));
    turns.map(|(side, number)| (side.index(), number))
}

/// The column, from 1, of the first comment that ends with its line: after a `;` outside braces and quotes.
pub fn line_comment(text: &str) -> Option<usize> {
    let (mut in_braces, mut in_quotes, mut escaped) = (false, false, false);
    let begins = |letter: char| {
        let was_escaped = std::mem::take(&mut escaped);
        match letter {
            '\\' if in_quotes && !was_escaped => escaped = true,
            '"' if !in_braces && !was_escaped => in_quotes = !in_quotes,
            '{' if !in_quotes => in_braces = true,
            '}' => in_braces = false,
            _ => {}
        }
        letter == ';' && !in_braces && !in_quotes
    };
    text.chars().position(begins).map(|at| at + 1)
}

impl Record {
    /// Parses a text of one record.
    ///
    /// # Errors
    /// If the text has another form. The column of the error counts all characters of the text.
    pub fn parse(text: &str) -> Result<Record, SyntaxError> {
        finish(preceded(start, terminated(record, expect("the end of the record", eof))), text)
    }

    /// Parses a text of any number of records, one after another.
    ///
    /// # Errors
    /// If one of them has another form. The column of the error counts all characters of the text.
    pub fn parse_all(text: &str) -> Result<Vec<Record>, SyntaxError> {
        finish(preceded(start, many_till(record, eof)).map(|(records, _)| records), text)
    }

    /// Whether the game begins with these moves.
    pub fn begins_with(&self, moves: &[String]) -> bool {
        self.moves.len() >= moves.len() && self.moves.iter().zip(moves).all(|(mv, text)| mv.text == *text)
    }

    /// The values of all tags with this name, in any case.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.tags.iter().filter(move |(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The text of the record. The turns say who makes each move, as the index of a player, and its full-move number,
    /// which stands in front of the first move and of each that begins a new number.
    pub fn text(&self, turns: impl IntoIterator<Item = (usize, u32)>) -> String {
        let mut lines: Vec<String> = self.tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]")).collect();
        let mut line = String::new();
        let mut push = |word: &str| {
            if !line.is_empty() && line.len() + 1 + word.len() >= WIDTH {
                lines.push(std::mem::take(&mut line));
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        };
        let mut last = None;
        for (mv, (player, number)) in self.moves.iter().zip(turns) {
            if last.replace(number) != Some(number) {
                push(&format!("{number}{}", if player == 0 { "." } else { "..." }));
            }
            push(&mv.text);
            if let Some(evaluation) = mv.evaluation {
                push(&evaluation.to_string());
            }
        }
        push(&self.result);
        lines.push(line);
        lines.join("\n")
    }
}

/// The byte order mark, white space and comments before the first record.
fn start(input: &str) -> Parsed<'_, ()> {
    value((), pair(opt(char('\u{feff}')), blank)).parse(input)
}

/// A record with the white space and comments after it.
fn record(input: &str) -> Parsed<'_, Record> {
    let tags = many0(terminated(tag, blank));
    let moves = many_till(terminated(movement, blank), end);
    let whole = |(tags, (moves, result)): (_, (Vec<Option<RecordedMove>>, &str))| {
        let moves = moves.into_iter().flatten().collect();
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

/// The text between the quotes of a tag, as it is written; a quote or backslash in it is escaped by a backslash.
fn tag_text(input: &str) -> Parsed<'_, &str> {
    let plain = is_not("\\\"\n");
    recognize(many0_count(alt((plain, recognize(pair(char('\\'), anychar)))))).parse(input)
}

/// A move with its evaluation; or a move number or an annotation glyph (`$1`), which gives no move.
fn movement(input: &str) -> Parsed<'_, Option<RecordedMove>> {
    let number = recognize(pair(digit1, many1_count(char('.'))));
    let glyph = recognize(pair(char('$'), digit1));
    let word = take_till1(|c: char| c.is_whitespace() || "{;[".contains(c));
    let mv = verify(word, |word: &str| !RESULTS.contains(&word));
    let (rest, found) =
        expect("a move or a result", alt((value(None, alt((number, glyph))), mv.map(Some)))).parse(input)?;
    let Some(text) = found else { return Ok((rest, None)) };
    let (rest, evaluation) = opt(preceded(multispace0, evaluation)).parse(rest)?;
    Ok((rest, Some(RecordedMove { text: text.into(), evaluation })))
}

/// An evaluation: `{+0.35/12}`. All other texts in braces are comments.
fn evaluation(input: &str) -> Parsed<'_, Evaluation> {
    let sign = alt((value(1, char('+')), value(-1, char('-'))));
    let hundredths = verify(digit1, |digits: &str| digits.len() == 2);
    let score =
        (sign, terminated(digit1, char('.')), hundredths).map_opt(|(sign, whole, hundredths): (i32, &str, &str)| {
            let amount = whole.parse::<i32>().ok()?.checked_mul(100)?.checked_add(hundredths.parse().ok()?)?;
            Some(sign * amount)
        });
    let depth = preceded(char('/'), digit1).map_opt(|digits: &str| digits.parse().ok());
    delimited(char('{'), pair(score, depth), char('}'))
        .map(|(centipawns, depth)| Evaluation { centipawns, depth })
        .parse(input)
}

/// The end of a record: its result, which may be missing at the end of the text. Nothing behind the result is read
/// unless it is one, because this is tried in front of every move.
fn end(input: &str) -> Parsed<'_, &str> {
    let [first, second, drawn, open] = RESULTS.map(text);
    let after = alt((recognize(one_of(" \t\r\n{;")), eof));
    let result = terminated(alt((first, second, drawn, open)), peek(after));
    alt((terminated(result, blank), value("*", eof))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            tags: vec![("Game".into(), "quoridor".into()), ("Fen".into(), "e2e8 - b 10/10 4".into())],
            moves: ["e7", "e3h", "e6"].map(|text| RecordedMove::from(text.to_string())).to_vec(),
            result: "*".into(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let text = record().text(turns((4, Side::Second)));
        assert_eq!(text, "[Game \"quoridor\"]\n[Fen \"e2e8 - b 10/10 4\"]\n4... e7 5. e3h e6 *");
        assert_eq!(Record::parse(&text), Ok(record()));
        let long = Record { moves: vec![RecordedMove::from("e3h".to_string()); 300], ..record() };
        let text = long.text(turns((1, Side::First)));
        assert!(text.lines().all(|line| line.len() < WIDTH));
        assert_eq!(Record::parse(&text), Ok(long));
    }

    #[test]
    fn records_stand_one_after_another() {
        let next = Record { moves: vec![], result: "0-1".into(), ..record() };
        let text = format!("{}\n\n{}\n", record().text(turns((4, Side::Second))), next.text(turns((4, Side::Second))));
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

    /// Were the rest of the text looked through at each of them, this would take many minutes.
    #[test]
    fn tokens_without_blanks_are_read_in_one_pass() {
        for token in ["1.", "$1", "1-0;\n", "e2{}", "e2{+0.1/1}", "1.{"] {
            let text = token.repeat(1 << 18);
            assert_ne!(Record::parse(&text).map(|record| record.tags.len()), Ok(1), "{token}");
            assert_ne!(Record::parse_all(&text).map(|records| records.len()), Ok(0), "{token}");
        }
    }

    #[test]
    fn comments_that_end_with_their_line_are_found() {
        assert_eq!(line_comment("[A \"a;\\\";b\"] {c;} e2 *"), None);
        assert_eq!(line_comment("[A \"b\"] ; c"), Some(9));
        assert_eq!(line_comment("{a \" b} e2 ;"), Some(12));
    }

    #[test]
    fn evaluations_stand_after_their_moves() {
        let evaluated = |centipawns, depth| {
            let mut record = record();
            record.moves[1].evaluation = Some(Evaluation { centipawns, depth });
            record
        };
        for (centipawns, depth, text) in [(35, 12, "{+0.35/12}"), (-1207, 0, "{-12.07/0}"), (0, 7, "{+0.00/7}")] {
            let written = evaluated(centipawns, depth).text(turns((4, Side::Second)));
            assert!(written.ends_with(&format!("4... e7 5. e3h {text} e6 *")), "{written}");
            assert_eq!(Record::parse(&written), Ok(evaluated(centipawns, depth)));
        }
        for other in ["{0.35/12}", "{+0.3/12}", "{+0.35}", "{+99999999.00/1}", "{+0.35/12 }"] {
            let text = format!("[Game \"quoridor\"] [Fen \"e2e8 - b 10/10 4\"] e7 e3h {other} e6 *");
            assert_eq!(Record::parse(&text), Ok(record()), "{other}");
        }
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
