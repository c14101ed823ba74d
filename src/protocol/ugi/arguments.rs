//! The grammar of the arguments of each command, except `go`.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{space0, space1};
use nom::combinator::{opt, recognize, success, value, verify};
use nom::multi::{many0, many0_count, many1};
use nom::sequence::{pair, preceded};

use pentarch_core::notation::text::{FurthestError, ParseResult, expect};
use pentarch_engine::input_word::Word;

use super::command::{Command, Query, QueryPosition};
use super::words::{
    BLANKS, expect_word, parse_keyword, parse_number, parse_token, parse_unless_at_end, parse_word,
    word_at, words_at,
};

/// A parser of the arguments of a command. It receives the whole line, which is needed for columns,
/// and the rest of the line after the name.
pub(super) type ArgumentParser =
    for<'a> fn(line: &'a str, rest: &'a str) -> ParseResult<'a, Command>;

/// Parses a command without arguments.
pub(super) fn no_arguments(command: Command, rest: &str) -> ParseResult<'_, Command> {
    Ok((rest, command))
}

/// Parses a command with an optional word.
pub(super) fn optional_word<'a>(
    command: fn(Option<Word>) -> Command,
    line: &'a str,
    rest: &'a str,
) -> ParseResult<'a, Command> {
    opt(parse_word.map(|text| word_at(line, text))).map(command).parse(rest)
}

pub(super) fn parse_debug<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    value(Command::Ignored, alt((parse_keyword("on"), parse_keyword("off")))).parse(rest)
}

/// Skips all arguments.
pub(super) fn parse_register<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    value(Command::Ignored, nom::combinator::rest).parse(rest)
}

pub(super) fn parse_play<'a>(line: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    many1(expect_word("a move", parse_token))
        .map(|words| Command::Play(words_at(line, words)))
        .parse(rest)
}

pub(super) fn parse_undo<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    let count =
        parse_unless_at_end(parse_number("a number of moves from 1 to 1000000", 1, 1_000_000));
    count.map(|count| Command::Undo(count.unwrap_or(1) as u32)).parse(rest)
}

pub(super) fn parse_perft<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    perft_depth.map(|depth| Command::Perft { depth, divide: false }).parse(rest)
}

pub(super) fn parse_bench<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    let depth = parse_unless_at_end(parse_number("a depth from 1 to 100", 1, 100));
    depth.map(|depth| Command::Bench(depth.map(|depth| depth as u32))).parse(rest)
}

pub(super) fn parse_record<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    opt(file_name).map(Command::Record).parse(rest)
}

pub(super) fn parse_load<'a>(line: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    let record = expect("a record", file_name).map(move |record| blank_before_end(line, &record));
    let text = preceded(parse_keyword("text"), record).map(Command::LoadText);
    let name = verify(file_name, |name: &String| !name.eq_ignore_ascii_case("text"));
    let file = expect("the name of a file", name).map(Command::Load);
    alt((text, file)).parse(rest)
}

/// Returns the end of a line with blanks in front. There is a blank for each character that comes
/// before the end in the line.
fn blank_before_end(line: &str, end: &str) -> String {
    let before = line.trim_end_matches(BLANKS).chars().count() - end.chars().count();
    " ".repeat(before) + end
}

/// Parses the rest of the line as the name of a file.
fn file_name(input: &str) -> ParseResult<'_, String> {
    let name = preceded(space1, nom::combinator::rest)
        .map(|name: &str| name.trim_matches(BLANKS).to_string());
    verify(name, |name: &String| !name.is_empty()).parse(input)
}

pub(super) fn perft_depth(input: &str) -> ParseResult<'_, u32> {
    parse_number("a depth from 0 to 100", 0, 100).map(|depth| depth as u32).parse(input)
}

pub(super) fn set_option<'a>(line: &'a str, input: &'a str) -> ParseResult<'a, Command> {
    let name_word = || verify(parse_token, |word: &str| !word.eq_ignore_ascii_case("value"));
    let more = many0_count(preceded(space0, name_word()));
    let mut name = recognize(pair(expect_word("the name of an option", name_word()), more));
    let (rest, _) = parse_keyword("name").parse(input)?;
    let (rest, name) = name.parse(rest)?;
    let (rest, text) = opt(preceded(parse_keyword("value"), nom::combinator::rest)).parse(rest)?;
    let value = text.unwrap_or_default().trim_matches(BLANKS).to_string();
    let name = word_at(line, name.trim_matches(BLANKS));
    let name = Word { text: name.text.split_whitespace().collect::<Vec<_>>().join(" "), ..name };
    Ok((rest, Command::SetOption { name, value }))
}

pub(super) fn parse_position<'a>(line: &'a str, input: &'a str) -> ParseResult<'a, Command> {
    pair(parse_start_position(line), parse_moves(line))
        .map(|(fen, moves)| Command::Position { fen, moves })
        .parse(input)
}

/// Parses the first position of a game: a FEN or the start position.
fn parse_start_position<'a>(
    line: &'a str,
) -> impl Parser<&'a str, Output = Option<Vec<Word>>, Error = FurthestError<'a>> {
    let fen_word = verify(parse_token, |word: &str| !word.eq_ignore_ascii_case("moves"));
    let fen = preceded(parse_keyword("fen"), many1(expect_word("a position string", fen_word)));
    alt((value(None, parse_keyword("startpos")), fen.map(move |words| Some(words_at(line, words)))))
}

/// Parses the optional list of moves at the end of a line.
fn parse_moves<'a>(
    line: &'a str,
) -> impl Parser<&'a str, Output = Vec<Word>, Error = FurthestError<'a>> {
    parse_unless_at_end(preceded(parse_keyword("moves"), many0(parse_word)))
        .map(move |moves| words_at(line, moves.unwrap_or_default()))
}

pub(super) fn parse_query<'a>(line: &'a str, input: &'a str) -> ParseResult<'a, Command> {
    let is_legal = preceded(parse_keyword("islegal"), expect_word("a move", parse_token))
        .map(|text| Query::IsLegal(word_at(line, text)));
    let rules =
        preceded(parse_keyword("rules"), parse_unless_at_end(expect_word("a topic", parse_token)))
            .map(|text| Query::Rules(text.map(|text| word_at(line, text))));
    let clicks = preceded(parse_keyword("clicks"), many0(parse_word))
        .map(|sites| Query::Clicks(words_at(line, sites)));
    let details = preceded(parse_keyword("details"), expect_word("a move", parse_token))
        .map(|text| Query::Details(word_at(line, text)));
    let scene = preceded(parse_keyword("scene"), query_position(line)).map(Query::Scene);
    let flipped = preceded(parse_keyword("flip"), query_position(line))
        .map(|position| Query::Diagram { flipped: true, position });
    let unflipped =
        query_position(line).map(|position| Query::Diagram { flipped: false, position });
    let diagram = preceded(parse_keyword("diagram"), alt((flipped, unflipped)));
    let query = alt((
        value(Query::GameOver, parse_keyword("gameover")),
        value(Query::P1Turn, parse_keyword("p1turn")),
        value(Query::P2Turn, parse_keyword("p2turn")),
        value(Query::Turn, parse_keyword("turn")),
        value(Query::Result, parse_keyword("result")),
        value(Query::Outcome, parse_keyword("outcome")),
        value(Query::Game, parse_keyword("game")),
        value(Query::Fen, parse_keyword("fen")),
        value(Query::Moves, parse_keyword("moves")),
        value(Query::Protocol, parse_keyword("protocol")),
        is_legal,
        rules,
        value(Query::Board, parse_keyword("board")),
        scene,
        diagram,
        clicks,
        details,
    ));
    query.map(Command::Query).parse(input)
}

/// Parses the position of a query.
fn query_position<'a>(
    line: &'a str,
) -> impl Parser<&'a str, Output = QueryPosition, Error = FurthestError<'a>> {
    let with_start = pair(parse_start_position(line).map(Some), parse_moves(line));
    let from_current = pair(success(None), parse_moves(line));
    alt((with_start, from_current)).map(|(start, moves)| QueryPosition { start, moves })
}
