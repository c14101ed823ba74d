//! The parser for records. The parser reads words one by one and stores the open variations on a
//! stack, so it does not recurse even if variations are deeply nested.

use std::collections::BTreeSet;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag as text, take_till1, take_while1};
use nom::character::complete::{
    char, digit0, digit1, multispace0, multispace1, none_of, not_line_ending, one_of, satisfy,
};
use nom::combinator::{cut, eof, fail, map, opt, peek, recognize, value, verify};
use nom::multi::{many_till, many0_count, many1_count};
use nom::sequence::{delimited, pair, preceded, separated_pair, terminated};

use crate::notation::parsing::{ParseResult, label_expected_input};

use super::notes::{CLOCK_COMMENT_PREFIX, append_to_comment, is_ellipsis, is_forbidden_character};
use super::{
    GameRecord, MAX_VARIATION_NESTING, RECORD_RESULT_STRINGS, RecordedMove, SearchEvaluation,
};

/// Parses a text that contains exactly one record.
pub(super) fn parse_one_record(input: &str) -> ParseResult<'_, GameRecord> {
    let end = label_expected_input("the end of the record", eof);
    preceded(skip_byte_order_mark, terminated(parse_record, end)).parse(input)
}

/// Parses a text that contains any number of records, one after another. If the text consists only
/// of comments, it contains no record.
pub(super) fn parse_all_records(input: &str) -> ParseResult<'_, Vec<GameRecord>> {
    let (rest, ()) = skip_byte_order_mark(input)?;
    let (after, ()) = parse_leading_comments(rest, true, &mut GameRecord::new(Vec::new()))?;
    if after.is_empty() {
        return Ok((after, Vec::new()));
    }
    many_till(parse_record, eof).map(|(records, _)| records).parse(rest)
}

fn skip_byte_order_mark(input: &str) -> ParseResult<'_, ()> {
    value((), opt(char('\u{feff}'))).parse(input)
}

/// The beginning of a word in the text of a record, after the preceding white space and commas.
struct RecordTokenStart<'a> {
    rest: &'a str,
    /// Whether only white space and commas precede this word in its line.
    begins_line: bool,
    /// Whether an empty line was skipped.
    follows_empty_line: bool,
}

/// Skips white space and commas. `begins_line` states whether the input begins at the start of a
/// line.
fn skip_blanks(input: &str, begins_line: bool) -> RecordTokenStart<'_> {
    let rest = input.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
    let skipped = &input[..input.len() - rest.len()];
    // The first and the last part of the skipped text share their lines with other words.
    let mut lines = skipped.split('\n');
    lines.next();
    lines.next_back();
    RecordTokenStart {
        rest,
        begins_line: begins_line || skipped.contains(['\n', '\r']),
        follows_empty_line: lines.any(|line| line.trim().is_empty()),
    }
}

/// Reads a record and the white space after it. Also reads the comments after the record if no
/// other record follows.
fn parse_record(input: &str) -> ParseResult<'_, GameRecord> {
    let mut record = GameRecord::new(Vec::new());
    let (mut rest, ()) = parse_leading_comments(input, true, &mut record)?;
    let mut names = BTreeSet::new();
    while rest.starts_with('[') {
        let here = rest;
        let tag;
        (rest, tag) = parse_record_tag(rest)?;
        if !names.insert(duplicate_check_key(&tag)) {
            return fail_at_duplicate_tag(here, &tag.0);
        }
        record.tags.push(tag);
        (rest, ()) = parse_leading_comments(rest, false, &mut record)?;
    }
    parse_movetext(rest, record)
}

/// Reads the comments before the first move of a record, and the white space around these comments.
fn parse_leading_comments<'a>(
    input: &'a str,
    begins_line: bool,
    record: &mut GameRecord,
) -> ParseResult<'a, ()> {
    let mut start = skip_blanks(input, begins_line);
    loop {
        let here = start.rest;
        let rest;
        match here.chars().next() {
            Some('%') if start.begins_line => {
                (rest, _) = not_line_ending(here)?;
                record.unread.add(PERCENT_LINE_DESCRIPTION, Some(here.len()));
            }
            Some('#') if !start.begins_line => return Ok((here, ())),
            Some('#' | ';' | '{') => {
                let comment;
                (rest, comment) = parse_record_comment(here)?;
                if !append_comment_text(&mut record.comment, &comment.into_comment_text(None)) {
                    return parse_failure_at(COMMENT_LIMIT_DESCRIPTION, here);
                }
            }
            _ => return Ok((here, ())),
        }
        start = skip_blanks(rest, false);
    }
}

/// The name in the list of unread elements for a line that begins with `%`. PGN reserves such lines
/// for data of other programs.
const PERCENT_LINE_DESCRIPTION: &str = "a line that begins with %";

/// The description of comments within the length limit, for error messages.
const COMMENT_LIMIT_DESCRIPTION: &str = "comments of at most 10000 characters together";

fn parse_record_tag(input: &str) -> ParseResult<'_, (String, String)> {
    let name = label_expected_input(
        "the name of a tag",
        take_while1(|letter: char| letter.is_alphanumeric() || letter == '_'),
    );
    let text = delimited(
        label_expected_input("\"", char('"')),
        parse_quoted_tag_value,
        label_expected_input("\"", char('"')),
    );
    let name_and_value = separated_pair(name, multispace1, text);
    let closing = pair(multispace0, label_expected_input("]", char(']')));
    let body = cut(terminated(name_and_value, closing));
    preceded(char('['), body)
        .map(|(name, text): (&str, &str)| (name.into(), text.into()))
        .parse(input)
}

/// Fails at a tag or an option whose name the record already has.
fn fail_at_duplicate_tag<'a, O>(input: &'a str, name: &str) -> ParseResult<'a, O> {
    let value = input.split_once('"').map_or(input, |(_, value)| value);
    match name.eq_ignore_ascii_case("Option") {
        true => parse_failure_at("each option only once", value),
        false => parse_failure_at("each tag only once", &input[1..]),
    }
}

/// Returns a key that must be unique among the tags of the record: the name of the tag, and for the
/// tag `Option` also the name of the option.
fn duplicate_check_key((name, value): &(String, String)) -> String {
    let name = name.to_ascii_lowercase();
    match (name.as_str(), value.split('=').next()) {
        ("option", Some(option)) => format!("{name} {}", option.to_ascii_lowercase()),
        _ => name,
    }
}

/// Reads the text between the quotes of a tag. In this text, a backslash escapes a quote or a
/// backslash. The result still contains the escapes.
fn parse_quoted_tag_value(input: &str) -> ParseResult<'_, &str> {
    let plain = is_not("\\\"\r\n");
    let escape = recognize(pair(char('\\'), none_of("\r\n")));
    let (rest, text) = recognize(many0_count(alt((plain, escape)))).parse(input)?;
    reject_control_characters(input, text)?;
    Ok((rest, text))
}

/// Returns an error at the position `at`, where `what` was expected. The parser then does not try
/// any other alternative.
fn parse_failure_at<'a, O>(what: &'static str, at: &'a str) -> ParseResult<'a, O> {
    cut(label_expected_input(what, fail())).parse(at)
}

/// Returns an error if `text`, at the beginning of `input`, contains control characters.
fn reject_control_characters<'a>(input: &'a str, text: &str) -> ParseResult<'a, ()> {
    match text.find(is_forbidden_character) {
        Some(at) => parse_failure_at("text without control characters", &input[at..]),
        None => Ok((input, ())),
    }
}

/// A token of the text after the tags.
#[derive(Clone, Copy)]
enum RecordToken<'a> {
    /// A move number, or only its dots.
    Number {
        /// The digits; empty if there are only dots.
        digits: &'a str,
        dots: &'a str,
    },
    Glyph(u8),
    Comment(RecordComment<'a>),
    /// A line that begins with `%`, for other programs.
    PercentLine,
    Open,
    Close,
    Move(&'a str),
    /// The result at the end of a record. The string is empty if the text ends without a result.
    End(&'a str),
}

/// A comment as it is written.
#[derive(Clone, Copy)]
struct RecordComment<'a> {
    text: &'a str,
    /// Whether the comment is in braces. Only comments in braces can contain the escape `}}` for
    /// `}`, scores and clock times.
    is_braced: bool,
}

impl RecordComment<'_> {
    /// Returns the text of the comment as a single line. If `clock` is given and still empty, the
    /// first clock time is moved from the text to `clock`.
    fn into_comment_text(self, clock: Option<&mut Option<u64>>) -> String {
        let line = collapse_white_space(self.text);
        if self.is_braced { extract_clock_time(line.replace("}}", "}"), clock) } else { line }
    }
}

/// Returns the text as a single line, in which each run of white space is replaced by one space.
fn collapse_white_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Moves the first clock time from a comment to `clock`, if `clock` is given and still empty. Other
/// clock times stay in the comment. In a comment, `[[%clk` is the escape for the plain text
/// `[%clk`, so this function removes one of the brackets.
fn extract_clock_time(line: String, mut clock: Option<&mut Option<u64>>) -> String {
    if !line.contains(CLOCK_COMMENT_PREFIX) {
        return line;
    }
    let mut text = String::new();
    let mut rest = line.as_str();
    while let Some(at) = rest.find(CLOCK_COMMENT_PREFIX) {
        let (before, command) = rest.split_at(at);
        let place = clock.as_deref_mut().filter(|clock| clock.is_none());
        match (before.strip_suffix('['), place, parse_clock_time(command)) {
            (None, Some(place), Ok((after, time))) => {
                *place = Some(time);
                text += before;
                rest = after;
            }
            (plain, ..) => {
                text += plain.unwrap_or(before);
                text += CLOCK_COMMENT_PREFIX;
                rest = &command[CLOCK_COMMENT_PREFIX.len()..];
            }
        }
    }
    collapse_white_space(&(text + rest))
}

/// Reads a comment: `{ ... }`, or `; ...` or `# ...` to the end of the line.
fn parse_record_comment(input: &str) -> ParseResult<'_, RecordComment<'_>> {
    if let Some(contents) = input.strip_prefix('{') {
        let (rest, text) = parse_braced_text(input)?;
        reject_control_characters(contents, text)?;
        return Ok((rest, RecordComment { text, is_braced: true }));
    }
    let (rest, text) = preceded(one_of(";#"), not_line_ending).parse(input)?;
    reject_control_characters(&input[1..], text)?;
    Ok((rest, RecordComment { text, is_braced: false }))
}

/// Reads the text of a comment in braces, up to a single closing brace.
fn parse_braced_text(input: &str) -> ParseResult<'_, &str> {
    let mut letters = input.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == '}' {
            if !input[at + 1..].starts_with('}') {
                return Ok((&input[at + 1..], &input[1..at]));
            }
            letters.next();
        }
    }
    parse_failure_at("a comment that ends in }", input)
}

fn parse_record_token<'a>(start: &RecordTokenStart<'a>) -> ParseResult<'a, RecordToken<'a>> {
    let input = start.rest;
    let number = pair(digit0, recognize(many1_count(one_of(MOVE_NUMBER_DOT_CHARS))));
    let number = map(number, |(digits, dots)| RecordToken::Number { digits, dots });
    let glyph = preceded(char('$'), digit1).map_opt(|digits: &str| digits.parse().ok());
    let mut glyph = map(label_expected_input("a glyph from $0 to $255", glyph), RecordToken::Glyph);
    let word = take_till1(|c: char| c.is_whitespace() || "{;[(),".contains(c));
    // A word that begins with # or % is not a move. At the beginning of a line, it would be skipped
    // as a comment.
    let mv = verify(word, |word: &str| {
        !RECORD_RESULT_STRINGS.contains(&word) && !word.starts_with(['#', '%'])
    });
    let words = alt((number, map(mv, RecordToken::Move)));
    let brackets = alt((value(RecordToken::Open, char('(')), value(RecordToken::Close, char(')'))));
    // In Quoridor, a square can be written as its column and row: `(5,2)`. This is a move, not a
    // variation.
    let marks = many0_count(one_of("!?"));
    let coordinates = recognize((char('('), digit1, char(','), digit1, char(')'), marks));
    let mut brackets = alt((map(coordinates, RecordToken::Move), brackets));
    match input.as_bytes().first() {
        Some(b'{' | b';') => map(parse_record_comment, RecordToken::Comment).parse(input),
        Some(b'#') if start.begins_line => {
            map(parse_record_comment, RecordToken::Comment).parse(input)
        }
        Some(b'%') if start.begins_line => {
            value(RecordToken::PercentLine, not_line_ending).parse(input)
        }
        Some(b'$') => glyph.parse(input),
        Some(b'(' | b')') => brackets.parse(input),
        _ => alt((
            map(parse_record_end, RecordToken::End),
            label_expected_input("a move or a result", words),
        ))
        .parse(input),
    }
}

/// The dots after a move number.
const MOVE_NUMBER_DOT_CHARS: &str = ".\u{2026}";

/// Returns whether the first move of a game begins here: the number 1, one dot, and more text.
/// Several dots would precede a move of the second player.
fn begins_game(input: &str) -> bool {
    let Some(after) = input.strip_prefix("1.") else { return false };
    let rest = skip_blanks(after, false).rest;
    !rest.is_empty() && !rest.starts_with(['.', '\u{2026}'])
}

/// Reads the result at the end of a record. At the end of the text, the result may be missing. If
/// the input is neither a result nor the end of the text, this parser fails without reading
/// anything. Callers try this parser before every move.
fn parse_record_end(input: &str) -> ParseResult<'_, &str> {
    let [first, second, drawn, open] = RECORD_RESULT_STRINGS.map(text);
    let after = alt((recognize(one_of(" \t\r\n{;(),")), eof));
    let result = terminated(alt((first, second, drawn, open)), peek(after));
    alt((result, eof)).parse(input)
}

/// The notes that are written before the move they describe.
#[derive(Default)]
struct PendingNotes {
    /// The move number.
    number: Option<u32>,
    /// Whether an ellipsis follows the number.
    has_ellipsis: bool,
    /// The comment at the beginning of a variation.
    comment: String,
    /// The clock time in this comment.
    clock: Option<u64>,
}

impl PendingNotes {
    fn add_to(self, mv: &mut RecordedMove) {
        mv.set_stated_number(self.number, self.has_ellipsis);
        if self.clock.is_some() {
            mv.notes_mut().clock = self.clock;
        }
        if !self.comment.is_empty() {
            mv.notes_mut().comment = self.comment;
        }
    }
}

/// Reads the moves of a record up to its result, and the white space and comments after the result.
/// A record without a result ends at the end of the text, or before an empty line that another game
/// follows.
fn parse_movetext(mut rest: &str, record: GameRecord) -> ParseResult<'_, GameRecord> {
    let mut movetext = Movetext::new(record);
    loop {
        let start = skip_blanks(rest, false);
        let here = start.rest;
        if movetext.next_game_begins(&start) {
            return Ok((here, movetext.into_record("")));
        }
        let token;
        (rest, token) = parse_record_token(&start)?;
        if let Some(expected) =
            expected_instead_of_token(token, &movetext.line, movetext.outer.len())
        {
            return parse_failure_at(expected, here);
        }
        match token {
            RecordToken::Comment(comment) if !movetext.add_comment(comment) => {
                return parse_failure_at(COMMENT_LIMIT_DESCRIPTION, here);
            }
            RecordToken::PercentLine => {
                movetext.record.unread.add(PERCENT_LINE_DESCRIPTION, Some(here.len()))
            }
            RecordToken::End(result) => {
                return parse_comments_after_result(rest, movetext.into_record(result));
            }
            token => movetext.add_token(token),
        }
    }
}

struct Movetext {
    record: GameRecord,
    /// The lines around the current line, the main line first.
    outer: Vec<Vec<RecordedMove>>,
    line: Vec<RecordedMove>,
    pending: PendingNotes,
    /// The length of the input that is not yet searched for another game. This input begins after
    /// the last searched comments.
    unsearched: usize,
}

impl Movetext {
    fn new(record: GameRecord) -> Movetext {
        Movetext {
            record,
            outer: Vec::new(),
            line: Vec::new(),
            pending: PendingNotes::default(),
            unsearched: usize::MAX,
        }
    }

    /// Returns whether another game begins here, possibly after comments on that game. Games
    /// without results can only be separated by an empty line.
    fn next_game_begins(&mut self, start: &RecordTokenStart) -> bool {
        let input = start.rest;
        // A game without moves, or with an open variation, does not end here.
        let must_continue = self.line.is_empty() || !self.outer.is_empty();
        // Comments that were searched are not searched again, even if they have many empty lines.
        if !start.follows_empty_line || must_continue || input.len() >= self.unsearched {
            return false;
        }
        let comments = parse_leading_comments(input, true, &mut GameRecord::new(Vec::new()));
        let after = comments.map_or("", |(after, ())| after);
        self.unsearched = after.len();
        begins_game(after)
    }

    /// Adds a comment to the move before it, to the game or to the next move of a variation.
    /// Returns whether the extended comment is still short enough.
    fn add_comment(&mut self, comment: RecordComment) -> bool {
        match self.line.last_mut() {
            Some(mv) => add_comment_to_move(comment, mv),
            None if self.outer.is_empty() => {
                append_comment_text(&mut self.record.comment, &comment.into_comment_text(None))
            }
            None => {
                let text = comment.into_comment_text(Some(&mut self.pending.clock));
                append_comment_text(&mut self.pending.comment, &text)
            }
        }
    }

    /// Adds a token other than a comment.
    fn add_token(&mut self, token: RecordToken) {
        match token {
            RecordToken::Number { digits, dots } => {
                if !digits.is_empty() {
                    // A number that is too large is replaced by a number that no move has.
                    self.pending.number = digits.parse().ok().or(Some(u32::MAX));
                    self.pending.has_ellipsis = false;
                }
                self.pending.has_ellipsis |= is_ellipsis(dots);
            }
            RecordToken::Glyph(glyph) => {
                if let Some(mv) = self.line.last_mut() {
                    mv.notes_mut().add_glyph(glyph);
                }
            }
            RecordToken::Move(word) => {
                let mut mv = RecordedMove::from(word.to_string());
                std::mem::take(&mut self.pending).add_to(&mut mv);
                self.line.push(mv);
            }
            RecordToken::Open => {
                self.pending.number = None;
                self.outer.push(std::mem::take(&mut self.line));
            }
            RecordToken::Close => {
                self.pending.number = None;
                let outer = self.outer.pop().unwrap_or_default();
                let variation = std::mem::replace(&mut self.line, outer);
                // There is a move before each variation.
                if let Some(mv) = self.line.last_mut() {
                    mv.notes_mut().variations.push(variation);
                }
            }
            _ => {}
        }
    }

    /// Returns the record with its moves, and with `result` if this string is not empty.
    fn into_record(self, result: &str) -> GameRecord {
        let mut record = GameRecord { moves: self.line, ..self.record };
        if !result.is_empty() {
            record.result = result.into();
        }
        record
    }
}

/// Reads the comments after the result of a record. If the text ends with these comments, they are
/// comments on the last move of this record. Otherwise they are part of the next record.
fn parse_comments_after_result(input: &str, mut record: GameRecord) -> ParseResult<'_, GameRecord> {
    let mut after = GameRecord::new(Vec::new());
    let (rest, ()) = parse_leading_comments(input, false, &mut after)?;
    if !rest.is_empty() {
        return Ok((skip_blanks(input, false).rest, record));
    }
    let comment = match record.moves.last_mut() {
        Some(mv) if !after.comment.is_empty() => &mut mv.notes_mut().comment,
        _ => &mut record.comment,
    };
    if !append_comment_text(comment, &after.comment) {
        return parse_failure_at(COMMENT_LIMIT_DESCRIPTION, input);
    }
    record.unread.append(after.unread);
    Ok((rest, record))
}

/// Returns a description of what was expected instead of `token` after the moves of `line`.
/// `nesting` is the depth of the variation. Returns `None` if the token is allowed there.
fn expected_instead_of_token(
    token: RecordToken,
    line: &[RecordedMove],
    nesting: usize,
) -> Option<&'static str> {
    match token {
        RecordToken::Glyph(_) if line.is_empty() => Some("a move before its glyph"),
        RecordToken::Open if line.is_empty() => Some("a move before its variation"),
        RecordToken::Open if nesting == MAX_VARIATION_NESTING => {
            Some("at most 100 nested variations")
        }
        RecordToken::Close if nesting == 0 => Some("a move or a result"),
        RecordToken::Close if line.is_empty() => Some("a move of the variation"),
        RecordToken::End(_) if nesting > 0 => Some(") at the end of the variation"),
        _ => None,
    }
}

/// Adds a comment to a move. The comment is either the score and depth of a search, or words,
/// possibly with a clock time. Returns `false` if the comment of the move would become too long.
fn add_comment_to_move(comment: RecordComment, mv: &mut RecordedMove) -> bool {
    if comment.is_braced
        && let (None, Ok(("", evaluation))) = (mv.evaluation, parse_score_and_depth(comment.text))
    {
        mv.evaluation = Some(evaluation);
        return true;
    }
    let mut clock = mv.notes().clock;
    let text = comment.into_comment_text(Some(&mut clock));
    if clock != mv.notes().clock {
        mv.notes_mut().clock = clock;
    }
    text.is_empty() || append_comment_text(&mut mv.notes_mut().comment, &text)
}

/// Appends a text to a comment. Returns `false` if the comment would become too long.
fn append_comment_text(comment: &mut String, text: &str) -> bool {
    text.is_empty() || append_to_comment(comment, text).is_ok()
}

/// Reads the score and depth of a search, such as `+0.35/12`.
pub(super) fn parse_score_and_depth(input: &str) -> ParseResult<'_, SearchEvaluation> {
    let sign = alt((value(1, char('+')), value(-1, char('-'))));
    let hundredths = verify(digit1, |digits: &str| digits.len() == 2);
    let score = (sign, terminated(digit1, char('.')), hundredths).map_opt(
        |(sign, whole, hundredths): (i64, &str, &str)| {
            let amount = whole
                .parse::<i64>()
                .ok()?
                .checked_mul(100)?
                .checked_add(hundredths.parse().ok()?)?;
            i32::try_from(sign * amount).ok()
        },
    );
    let depth = preceded(char('/'), digit1).map_opt(|digits: &str| digits.parse().ok());
    pair(score, depth)
        .map(|(centipawns, depth)| SearchEvaluation { centipawns, depth })
        .parse(input)
}

/// Reads a clock time as in PGN, such as `[%clk 0:09:59]`, possibly with a fraction of a second.
/// Returns milliseconds.
fn parse_clock_time(input: &str) -> ParseResult<'_, u64> {
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
    delimited((text(CLOCK_COMMENT_PREFIX), multispace1), time, (multispace0, char(']')))
        .parse(input)
}
