//! The parser of records. It reads words one by one and keeps the open variations on a stack, so
//! that no text makes the program recurse.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag as text, take_till1};
use nom::character::complete::{
    char, digit1, multispace0, multispace1, none_of, not_line_ending, one_of, satisfy,
};
use nom::combinator::{cut, eof, fail, map, opt, peek, recognize, value, verify};
use nom::multi::{many_till, many0, many0_count, many1_count};
use nom::sequence::{delimited, pair, preceded, separated_pair, terminated};

use crate::notation::text::{ParseResult, expect};

use super::notes::{add_comment, is_hidden};
use super::{MAX_NESTING, RESULTS, Record, RecordedMove, SearchEvaluation};

/// Reads a text that consists of one record.
pub(super) fn parse_one_record(input: &str) -> ParseResult<'_, Record> {
    preceded(skip_record_start, terminated(parse_record, expect("the end of the record", eof)))
        .parse(input)
}

/// Reads a text that consists of any number of records, one after another. Comments alone are not a
/// record.
pub(super) fn parse_all_records(input: &str) -> ParseResult<'_, Vec<Record>> {
    let nothing = terminated(skip_blank, eof).map(|()| Vec::new());
    let records = many_till(parse_record, eof).map(|(records, _)| records);
    preceded(skip_record_start, alt((nothing, records))).parse(input)
}

/// Skips the byte order mark and white space before the first record. Comments remain, because
/// without a following tag they are comments on the game.
fn skip_record_start(input: &str) -> ParseResult<'_, ()> {
    value((), pair(opt(char('\u{feff}')), multispace0)).parse(input)
}

/// Skips white space and comments that belong to no move.
fn skip_blank(input: &str) -> ParseResult<'_, ()> {
    value((), many0(alt((value((), multispace1), value((), parse_comment))))).parse(input)
}

/// Reads a record with the white space and comments after it.
fn parse_record(input: &str) -> ParseResult<'_, Record> {
    let (rest, tags) = many0(preceded(blank_before_tag, parse_tag)).parse(input)?;
    parse_movetext(rest, Record { tags, ..Record::new(Vec::new()) })
}

/// Skips white space and comments before a tag.
fn blank_before_tag(input: &str) -> ParseResult<'_, ()> {
    terminated(skip_blank, peek(char('['))).parse(input)
}

fn parse_tag(input: &str) -> ParseResult<'_, (String, String)> {
    let name = expect(
        "the name of a tag",
        verify(is_not(" \t\r\n\"]"), |name: &str| !name.contains(is_hidden)),
    );
    let text = delimited(expect("\"", char('"')), tag_text, expect("\"", char('"')));
    let name_and_value = separated_pair(name, multispace1, text);
    let closing = pair(multispace0, expect("]", char(']')));
    let body = cut(terminated(name_and_value, closing));
    preceded(char('['), body)
        .map(|(name, text): (&str, &str)| (name.into(), text.into()))
        .parse(input)
}

/// Reads the text between the quotes of a tag, unchanged; a quote or backslash in it is escaped by
/// a backslash.
fn tag_text(input: &str) -> ParseResult<'_, &str> {
    let plain = is_not("\\\"\r\n");
    let escape = recognize(pair(char('\\'), none_of("\r\n")));
    let (rest, text) = recognize(many0_count(alt((plain, escape)))).parse(input)?;
    reject_control_characters(input, text)?;
    Ok((rest, text))
}

/// Fails at this point, because `what` was expected, and stops all alternatives.
fn fail_at<'a, O>(what: &'static str, at: &'a str) -> ParseResult<'a, O> {
    cut(expect(what, fail())).parse(at)
}

/// Rejects a text at the beginning of the input if it has control characters.
fn reject_control_characters<'a>(input: &'a str, text: &str) -> ParseResult<'a, ()> {
    match text.find(is_hidden) {
        Some(at) => fail_at("text without control characters", &input[at..]),
        None => Ok((input, ())),
    }
}

/// A token of the text after the tags.
#[derive(Clone, Copy)]
enum RecordToken<'a> {
    /// The number of a move, which is ignored.
    Number,
    /// A numeric annotation glyph; `None` if the number is too large for one.
    Glyph(Option<u8>),
    Comment(Comment<'a>),
    Open,
    Close,
    Move(&'a str),
    /// The result, or the end of the text.
    End(&'a str),
}

/// A comment as it is written.
#[derive(Clone, Copy)]
struct Comment<'a> {
    text: &'a str,
    /// Whether it is in braces. Then `}}` in it stands for `}`, and a program may have written it.
    braced_comment_text: bool,
}

impl Comment<'_> {
    /// Returns the contents on one line.
    fn normalised(self, text: &str) -> String {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.braced_comment_text { line.replace("}}", "}") } else { line }
    }
}

/// Reads a comment: `{ ... }`, or `; ...` to the end of the line.
fn parse_comment(input: &str) -> ParseResult<'_, Comment<'_>> {
    if let Some(contents) = input.strip_prefix('{') {
        let (rest, text) = braced_comment_text(input)?;
        reject_control_characters(contents, text)?;
        return Ok((rest, Comment { text, braced_comment_text: true }));
    }
    let (rest, text) = preceded(char(';'), not_line_ending).parse(input)?;
    reject_control_characters(&input[1..], text)?;
    Ok((rest, Comment { text, braced_comment_text: false }))
}

/// Reads the text of a comment in braces, up to a single closing brace.
fn braced_comment_text(input: &str) -> ParseResult<'_, &str> {
    let mut letters = input.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == '}' {
            if !input[at + 1..].starts_with('}') {
                return Ok((&input[at + 1..], &input[1..at]));
            }
            letters.next();
        }
    }
    fail_at("a comment that ends in }", input)
}

fn parse_token(input: &str) -> ParseResult<'_, RecordToken<'_>> {
    let number = recognize(pair(digit1, many1_count(char('.'))));
    let glyph = preceded(char('$'), digit1).map(|digits: &str| digits.parse().ok());
    let word = take_till1(|c: char| c.is_whitespace() || "{;[()".contains(c));
    let mv = verify(word, |word: &str| !RESULTS.contains(&word));
    let words = alt((
        value(RecordToken::Number, number),
        map(glyph, RecordToken::Glyph),
        map(mv, RecordToken::Move),
    ));
    let brackets = alt((value(RecordToken::Open, char('(')), value(RecordToken::Close, char(')'))));
    // A square written as its column and row is a move of Quoridor, not a variation.
    let marks = many0_count(one_of("!?"));
    let coordinates = recognize((char('('), digit1, char(','), digit1, char(')'), marks));
    let mut brackets = alt((map(coordinates, RecordToken::Move), brackets));
    match input.as_bytes().first() {
        Some(b'{' | b';') => map(parse_comment, RecordToken::Comment).parse(input),
        Some(b'(' | b')') => brackets.parse(input),
        _ => alt((map(parse_record_end, RecordToken::End), expect("a move or a result", words)))
            .parse(input),
    }
}

/// Reads the end of a record: its result, which may be missing at the end of the text. Unless it is
/// a result, nothing is read, because this is tried before every move.
fn parse_record_end(input: &str) -> ParseResult<'_, &str> {
    let [first, second, drawn, open] = RESULTS.map(text);
    let after = alt((recognize(one_of(" \t\r\n{;()")), eof));
    let result = terminated(alt((first, second, drawn, open)), peek(after));
    alt((result, value("*", eof))).parse(input)
}

/// Reads the moves of a record up to its result, with the white space and comments after it.
fn parse_movetext(mut rest: &str, mut record: Record) -> ParseResult<'_, Record> {
    // The lines outside the current one, the main line first.
    let mut outer: Vec<Vec<RecordedMove>> = Vec::new();
    let mut line: Vec<RecordedMove> = Vec::new();
    // A comment at the beginning of a variation belongs to its first move.
    let mut pending_comment = String::new();
    loop {
        (rest, _) = multispace0(rest)?;
        let here = rest;
        let token;
        (rest, token) = self::parse_token(here)?;
        if let Some(expected) = expected_instead_error(token, &line, outer.len()) {
            return fail_at(expected, here);
        }
        match token {
            RecordToken::Number => {}
            RecordToken::Glyph(glyph) => {
                if let Some(glyph) = glyph
                    && let Some(mv) = line.last_mut()
                {
                    mv.notes_mut().add_glyph(glyph);
                }
            }
            RecordToken::Move(word) => {
                let mut mv = RecordedMove::from(word.to_string());
                if !pending_comment.is_empty() {
                    mv.notes_mut().comment = std::mem::take(&mut pending_comment);
                }
                line.push(mv);
            }
            RecordToken::Comment(comment) => {
                let opening =
                    if outer.is_empty() { &mut record.comment } else { &mut pending_comment };
                let is_short_enough = match line.last_mut() {
                    Some(mv) => add_to_move(comment, mv),
                    None => append_text(opening, &comment.normalised(comment.text)),
                };
                if !is_short_enough {
                    let what = "comments of at most 10000 characters together";
                    return fail_at(what, here);
                }
            }
            RecordToken::Open => outer.push(std::mem::take(&mut line)),
            RecordToken::Close => {
                let variation = std::mem::replace(&mut line, outer.pop().unwrap_or_default());
                // There is a move before each variation.
                if let Some(mv) = line.last_mut() {
                    mv.notes_mut().variations.push(variation);
                }
            }
            RecordToken::End(result) => {
                record.moves = line;
                record.result = result.into();
                let (rest, ()) = skip_blank(rest)?;
                return Ok((rest, record));
            }
        }
    }
}

/// Returns what was expected instead of this token, if it must not follow the moves of `line` in a
/// variation of depth `nesting`.
fn expected_instead_error(
    token: RecordToken,
    line: &[RecordedMove],
    nesting: usize,
) -> Option<&'static str> {
    match token {
        RecordToken::Open if line.is_empty() => Some("a move before its variation"),
        RecordToken::Open if nesting == MAX_NESTING => Some("at most 100 nested variations"),
        RecordToken::Close if nesting == 0 => Some("a move or a result"),
        RecordToken::Close if line.is_empty() => Some("a move of the variation"),
        RecordToken::End(_) if nesting > 0 => Some(") at the end of the variation"),
        _ => None,
    }
}

/// Adds a comment to a move: the score and depth of a search, a clock time, or words. Returns
/// whether it is short enough.
fn add_to_move(comment: Comment, mv: &mut RecordedMove) -> bool {
    let mut text = comment.text;
    if comment.braced_comment_text {
        if let (None, Ok(("", evaluation))) = (mv.evaluation, parse_evaluation(text)) {
            mv.evaluation = Some(evaluation);
            return true;
        }
        if let Ok((rest, time)) = parse_clock(text) {
            mv.notes_mut().clock = Some(time);
            text = rest;
        }
    }
    let text = comment.normalised(text);
    text.is_empty() || append_text(&mut mv.notes_mut().comment, &text)
}

/// Appends to a comment. Returns whether the result is short enough.
fn append_text(comment: &mut String, text: &str) -> bool {
    text.is_empty() || add_comment(comment, text).is_ok()
}

/// Reads the score and depth of a search: `+0.35/12`.
fn parse_evaluation(input: &str) -> ParseResult<'_, SearchEvaluation> {
    let sign = alt((value(1, char('+')), value(-1, char('-'))));
    let hundredths = verify(digit1, |digits: &str| digits.len() == 2);
    let score = (sign, terminated(digit1, char('.')), hundredths).map_opt(
        |(sign, whole, hundredths): (i32, &str, &str)| {
            let amount = whole
                .parse::<i32>()
                .ok()?
                .checked_mul(100)?
                .checked_add(hundredths.parse().ok()?)?;
            Some(sign * amount)
        },
    );
    let depth = preceded(char('/'), digit1).map_opt(|digits: &str| digits.parse().ok());
    pair(score, depth)
        .map(|(centipawns, depth)| SearchEvaluation { centipawns, depth })
        .parse(input)
}

/// Reads a clock time in milliseconds, as in PGN: `[%clk 0:09:59]`, perhaps with a fraction of a
/// second.
fn parse_clock(input: &str) -> ParseResult<'_, u64> {
    let two = || {
        let digits =
            recognize(pair(satisfy(|c| ('0'..='5').contains(&c)), satisfy(|c| c.is_ascii_digit())));
        digits.map_opt(|digits: &str| digits.parse::<u64>().ok())
    };
    let hours = verify(digit1, |digits: &str| digits.len() <= 4)
        .map_opt(|digits: &str| digits.parse::<u64>().ok());
    let seconds = preceded(char(':'), two());
    let minutes = preceded(char(':'), two());
    let fraction = verify(preceded(char('.'), digit1), |digits: &str| digits.len() <= 3);
    let thousandths = opt(fraction)
        .map_opt(|digits: Option<&str>| format!("{:0<3}", digits.unwrap_or("")).parse().ok());
    let time = (hours, minutes, seconds, thousandths).map(
        |(hours, minutes, seconds, thousandths): (u64, u64, u64, u64)| {
            ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths
        },
    );
    delimited((text("[%clk"), multispace1), time, char(']')).parse(input)
}
