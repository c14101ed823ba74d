//! Parses the arguments of each command except `go`.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{space0, space1};
use nom::combinator::{opt, recognize, success, value, verify};
use nom::multi::{many0, many0_count, many1};
use nom::sequence::{pair, preceded};

use pentarch_core::notation::parsing::{FurthestParseError, ParseResult, label_expected_input};
use pentarch_engine::input_word::InputWord;

use super::command::{Command, QueryPosition, UgiQuery};
use super::word_parsers::{
    BLANK_CHARACTERS, input_word_with_column, input_words_with_columns, parse_keyword,
    parse_nonempty_word, parse_number, parse_or_expect_after_blanks, parse_unless_at_end,
    take_next_word,
};

/// A parser of the arguments of a command. The parser receives the whole line, for the columns, and
/// the rest of the line after the name.
pub(super) type ArgumentParser =
    for<'a> fn(line: &'a str, rest: &'a str) -> ParseResult<'a, Command>;

/// Parses a command without arguments.
pub(super) fn parse_no_arguments(command: Command, rest: &str) -> ParseResult<'_, Command> {
    Ok((rest, command))
}

/// Parses a command with an optional word.
pub(super) fn parse_optional_word<'a>(
    command: fn(Option<InputWord>) -> Command,
    line: &'a str,
    rest: &'a str,
) -> ParseResult<'a, Command> {
    opt(take_next_word.map(|text| input_word_with_column(line, text))).map(command).parse(rest)
}

pub(super) fn parse_debug_arguments<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    value(Command::Ignored, alt((parse_keyword("on"), parse_keyword("off")))).parse(rest)
}

/// Skips all arguments.
pub(super) fn parse_register_arguments<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    value(Command::Ignored, nom::combinator::rest).parse(rest)
}

pub(super) fn parse_play_arguments<'a>(line: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    many1(parse_or_expect_after_blanks("a move", parse_nonempty_word))
        .map(|words| Command::Play(input_words_with_columns(line, words)))
        .parse(rest)
}

pub(super) fn parse_undo_arguments<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    let count =
        parse_unless_at_end(parse_number("a number of moves from 1 to 1000000", 1, 1_000_000));
    count.map(|count| Command::Undo(count.unwrap_or(1) as u32)).parse(rest)
}

pub(super) fn parse_perft_arguments<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    parse_perft_depth.map(|depth| Command::Perft { depth, divide: false }).parse(rest)
}

pub(super) fn parse_bench_arguments<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    let depth = parse_unless_at_end(parse_number("a depth from 1 to 100", 1, 100));
    depth.map(|depth| Command::Bench(depth.map(|depth| depth as u32))).parse(rest)
}

pub(super) fn parse_record_arguments<'a>(_: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    opt(parse_file_path).map(Command::Record).parse(rest)
}

pub(super) fn parse_load_arguments<'a>(line: &'a str, rest: &'a str) -> ParseResult<'a, Command> {
    let record = label_expected_input("a record", parse_file_path)
        .map(move |record| blank_out_line_before(line, &record));
    let text = preceded(parse_keyword("text"), record).map(Command::LoadText);
    let name = verify(parse_file_path, |name: &String| !name.eq_ignore_ascii_case("text"));
    let file = label_expected_input("the name of a file", name).map(Command::Load);
    alt((text, file)).parse(rest)
}

/// Returns the line with a blank for each character before its end. So the columns of errors are
/// relative to the beginning of the line.
fn blank_out_line_before(line: &str, end: &str) -> String {
    let before = line.trim_end_matches(BLANK_CHARACTERS).chars().count() - end.chars().count();
    " ".repeat(before) + end
}

fn parse_file_path(input: &str) -> ParseResult<'_, String> {
    let name = preceded(space1, nom::combinator::rest)
        .map(|name: &str| name.trim_matches(BLANK_CHARACTERS).to_string());
    verify(name, |name: &String| !name.is_empty()).parse(input)
}

pub(super) fn parse_perft_depth(input: &str) -> ParseResult<'_, u32> {
    parse_number("a depth from 0 to 100", 0, 100).map(|depth| depth as u32).parse(input)
}

pub(super) fn parse_set_option_arguments<'a>(
    line: &'a str,
    input: &'a str,
) -> ParseResult<'a, Command> {
    let name_word =
        || verify(parse_nonempty_word, |word: &str| !word.eq_ignore_ascii_case("value"));
    let more = many0_count(preceded(space0, name_word()));
    let mut name =
        recognize(pair(parse_or_expect_after_blanks("the name of an option", name_word()), more));
    let (rest, _) = parse_keyword("name").parse(input)?;
    let (rest, name) = name.parse(rest)?;
    let (rest, text) = opt(preceded(parse_keyword("value"), nom::combinator::rest)).parse(rest)?;
    let value = text.unwrap_or_default().trim_matches(BLANK_CHARACTERS).to_string();
    let name = input_word_with_column(line, name.trim_matches(BLANK_CHARACTERS));
    let name =
        InputWord { text: name.text.split_whitespace().collect::<Vec<_>>().join(" "), ..name };
    Ok((rest, Command::SetOption { name, value }))
}

pub(super) fn parse_position_arguments<'a>(
    line: &'a str,
    input: &'a str,
) -> ParseResult<'a, Command> {
    pair(parse_start_position(line), parse_moves(line))
        .map(|(fen, moves)| Command::Position { fen, moves })
        .parse(input)
}

/// Parses the first position of a game: a FEN, or the start position (`None`).
fn parse_start_position<'a>(
    line: &'a str,
) -> impl Parser<&'a str, Output = Option<Vec<InputWord>>, Error = FurthestParseError<'a>> {
    let fen_word = verify(parse_nonempty_word, |word: &str| !word.eq_ignore_ascii_case("moves"));
    let fen = preceded(
        parse_keyword("fen"),
        many1(parse_or_expect_after_blanks("a position string", fen_word)),
    );
    alt((
        value(None, parse_keyword("startpos")),
        fen.map(move |words| Some(input_words_with_columns(line, words))),
    ))
}

fn parse_moves<'a>(
    line: &'a str,
) -> impl Parser<&'a str, Output = Vec<InputWord>, Error = FurthestParseError<'a>> {
    parse_unless_at_end(preceded(parse_keyword("moves"), many0(take_next_word)))
        .map(move |moves| input_words_with_columns(line, moves.unwrap_or_default()))
}

pub(super) fn parse_query_arguments<'a>(line: &'a str, input: &'a str) -> ParseResult<'a, Command> {
    let is_legal = preceded(
        parse_keyword("islegal"),
        parse_or_expect_after_blanks("a move", parse_nonempty_word),
    )
    .map(|text| UgiQuery::IsLegal(input_word_with_column(line, text)));
    let rules = preceded(
        parse_keyword("rules"),
        parse_unless_at_end(parse_or_expect_after_blanks("a topic", parse_nonempty_word)),
    )
    .map(|text| UgiQuery::Rules(text.map(|text| input_word_with_column(line, text))));
    let clicks = preceded(parse_keyword("clicks"), many0(take_next_word))
        .map(|sites| UgiQuery::Clicks(input_words_with_columns(line, sites)));
    let details = preceded(
        parse_keyword("details"),
        parse_or_expect_after_blanks("a move", parse_nonempty_word),
    )
    .map(|text| UgiQuery::Details(input_word_with_column(line, text)));
    let counts = preceded(
        parse_keyword("counts"),
        parse_unless_at_end(parse_or_expect_after_blanks("a move", parse_nonempty_word)),
    )
    .map(|text| UgiQuery::Counts(text.map(|text| input_word_with_column(line, text))));
    let scene = preceded(parse_keyword("scene"), parse_query_position(line)).map(UgiQuery::Scene);
    let flipped = preceded(parse_keyword("flip"), parse_query_position(line))
        .map(|position| UgiQuery::Diagram { flipped: true, position });
    let unflipped =
        parse_query_position(line).map(|position| UgiQuery::Diagram { flipped: false, position });
    let diagram = preceded(parse_keyword("diagram"), alt((flipped, unflipped)));
    let query = alt((
        value(UgiQuery::GameOver, parse_keyword("gameover")),
        value(UgiQuery::P1Turn, parse_keyword("p1turn")),
        value(UgiQuery::P2Turn, parse_keyword("p2turn")),
        value(UgiQuery::Turn, parse_keyword("turn")),
        value(UgiQuery::Result, parse_keyword("result")),
        value(UgiQuery::Outcome, parse_keyword("outcome")),
        value(UgiQuery::Game, parse_keyword("game")),
        value(UgiQuery::Fen, parse_keyword("fen")),
        value(UgiQuery::Moves, parse_keyword("moves")),
        value(UgiQuery::Protocol, parse_keyword("protocol")),
        value(UgiQuery::Known, parse_keyword("known")),
        is_legal,
        rules,
        value(UgiQuery::Board, parse_keyword("board")),
        scene,
        diagram,
        clicks,
        details,
        counts,
    ));
    query.map(Command::Query).parse(input)
}

/// Parses the position of a query.
fn parse_query_position<'a>(
    line: &'a str,
) -> impl Parser<&'a str, Output = QueryPosition, Error = FurthestParseError<'a>> {
    let with_start = pair(parse_start_position(line).map(Some), parse_moves(line));
    let from_current = pair(success(None), parse_moves(line));
    alt((with_start, from_current)).map(|(start, moves)| QueryPosition { start, moves })
}
