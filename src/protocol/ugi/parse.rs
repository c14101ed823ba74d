//! The grammar of commands: a line of text is parsed into a typed command, without regard to the game and its position.

use nom::branch::alt;
use nom::bytes::complete::take_till1;
use nom::character::complete::{space0, space1};
use nom::combinator::{eof, opt, recognize, success, value, verify};
use nom::multi::{many0, many0_count, many1};
use nom::sequence::{pair, preceded, terminated};
use nom::{Offset, Parser};

use crate::io::input::BadLine;
use pentarch_core::SyntaxError;
use pentarch_core::text::{Furthest, Parsed, did_you_mean, expect, finish, quoted};
use pentarch_engine::engine_state::Go;
use pentarch_engine::input_word::Word;
use pentarch_engine::refused::Refused;

use super::go_arguments;
use super::help::{COMMANDS, usage};

/// A command, parsed but not checked against the game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the command of its name; `help` says what they do")]
pub enum Command {
    Ugi,
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: Word,
        value: String,
    },
    /// Without a text, the start position.
    Position {
        fen: Option<Vec<Word>>,
        moves: Vec<Word>,
    },
    Go(Box<Go>),
    Perft {
        depth: u32,
        divide: bool,
    },
    Stop,
    PonderHit,
    Query(Query),
    Legal(Option<Word>),
    Play(Vec<Word>),
    Undo(u32),
    Resign(Option<Word>),
    Agree,
    Flag(Option<Word>),
    Diagram,
    DrawOffer,
    Eval,
    Bench(Option<u32>),
    Games,
    Help(Option<Word>),
    Record(Option<String>),
    Load(String),
    /// The line with everything before the record replaced by blanks, so that columns in it are those of the line.
    LoadText(String),
    Quit,
}

/// A position that is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where the moves begin: at the position of a text, or without one at the start position; none for the game in
    /// play.
    pub start: Option<Option<Vec<Word>>>,
    /// The moves made from there.
    pub moves: Vec<Word>,
}

/// The question of a `query`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the word of its name")]
pub enum Query {
    GameOver,
    P1Turn,
    P2Turn,
    Turn,
    Result,
    Outcome,
    Game,
    Fen,
    Moves,
    IsLegal(Word),
    Protocol,
    Rules(Option<Word>),
    Board,
    Scene(Place),
    Diagram { flipped: bool, place: Place },
    Clicks(Vec<Word>),
    Details(Word),
}

/// Parses a line; `None` if it is empty or a comment.
///
/// # Errors
/// If the line does not begin with the name of a command, or its arguments do not have the form that the command takes.
pub fn parse<'a>(line: &'a str) -> Result<Option<Command>, Refused> {
    let text = line.trim_matches(BLANKS);
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let start = line.offset(text);
    let name = text.split(BLANKS).next().unwrap_or_default();
    let Some(known) = COMMANDS
        .iter()
        .find(|command| command.names().any(|known| known.eq_ignore_ascii_case(name)))
    else {
        let names = COMMANDS.iter().flat_map(|command| command.names());
        let column = line[..start].chars().count() + 1;
        let hint = did_you_mean(name, names);
        let message = format!("there is no command {}{hint}; 'help' lists them all", quoted(name));
        return Err(Refused::at_column(column, message));
    };
    let end = start + name.len();
    let known_name = known.names().next().unwrap_or_default();
    let whole =
        |_: &'a str| terminated(|rest| (known.parse)(line, rest), space0).parse(&line[end..]);
    finish(whole, line).map(Some).map_err(|error| {
        let SyntaxError { column, expected, found } = error;
        let word = found.trim_matches('\'');
        let synonyms = go_arguments::names().filter(|_| known_name == "go");
        let words = usage(known).split([' ', '|', '[', ']']).chain(synonyms);
        // Words in capitals stand for others.
        let is_keyword = |word: &str| word.chars().any(char::is_lowercase);
        let others = words.filter(|other| {
            other.len() > 2 && is_keyword(other) && !other.eq_ignore_ascii_case(word)
        });
        let (hint, usage) = (did_you_mean(word, others), usage(known));
        Refused::at_column(
            column,
            format!("expected {expected}, found {found}{hint}; usage: {usage}"),
        )
    })
}

/// The command in a line of input; `None` if the line is empty or a comment, be that comment too long or not UTF-8.
///
/// # Errors
/// If the line cannot be read, or is no command.
pub fn command_of(line: &Result<String, BadLine>) -> Result<Option<Command>, Refused> {
    match line {
        Ok(text) => parse(text),
        Err(error) if error.readable().trim_start_matches(BLANKS).starts_with('#') => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The characters that separate words.
pub(super) const BLANKS: [char; 2] = [' ', '\t'];

/// Parses the arguments of a command: the whole line, for columns, and its rest behind the name of the command.
pub(super) type ArgumentParser = for<'a> fn(line: &'a str, rest: &'a str) -> Parsed<'a, Command>;

/// A command without arguments.
pub(super) fn bare(command: Command, rest: &str) -> Parsed<'_, Command> {
    Ok((rest, command))
}

/// A command with a word, or without arguments.
pub(super) fn optional_word<'a>(
    command: fn(Option<Word>) -> Command,
    line: &'a str,
    rest: &'a str,
) -> Parsed<'a, Command> {
    opt(word.map(|text| at(line, text))).map(command).parse(rest)
}

pub(super) fn play<'a>(line: &'a str, rest: &'a str) -> Parsed<'a, Command> {
    many1(expect_word("a move", token))
        .map(|words| Command::Play(words_at(line, words)))
        .parse(rest)
}

pub(super) fn undo<'a>(_: &'a str, rest: &'a str) -> Parsed<'a, Command> {
    let count = optional(number("a number of moves from 1 to 1000000", 1, 1_000_000));
    count.map(|count| Command::Undo(count.unwrap_or(1) as u32)).parse(rest)
}

pub(super) fn perft<'a>(_: &'a str, rest: &'a str) -> Parsed<'a, Command> {
    perft_depth.map(|depth| Command::Perft { depth, divide: false }).parse(rest)
}

pub(super) fn bench<'a>(_: &'a str, rest: &'a str) -> Parsed<'a, Command> {
    let depth = optional(number("a depth from 1 to 100", 1, 100));
    depth.map(|depth| Command::Bench(depth.map(|depth| depth as u32))).parse(rest)
}

pub(super) fn record<'a>(_: &'a str, rest: &'a str) -> Parsed<'a, Command> {
    opt(file_name).map(Command::Record).parse(rest)
}

pub(super) fn load<'a>(line: &'a str, rest: &'a str) -> Parsed<'a, Command> {
    let record = expect("a record", file_name).map(move |record| aligned(line, &record));
    let text = preceded(keyword("text"), record).map(Command::LoadText);
    let is_name = |name: &String| !name.eq_ignore_ascii_case("text");
    let file = expect("the name of a file", verify(file_name, is_name)).map(Command::Load);
    alt((text, file)).parse(rest)
}

/// Parses a word after blanks. It is empty at the end of the line.
pub fn word(input: &str) -> Parsed<'_, &str> {
    preceded(space0, token).parse(input)
}

/// Parses a word.
pub(super) fn token(input: &str) -> Parsed<'_, &str> {
    take_till1(|character| BLANKS.contains(&character)).parse(input)
}

/// The end of a line, after as many blanks as it has characters before.
fn aligned(line: &str, end: &str) -> String {
    let before = line.trim_end_matches(BLANKS).chars().count() - end.chars().count();
    " ".repeat(before) + end
}

/// Parses the rest of the line as the name of a file.
fn file_name(input: &str) -> Parsed<'_, String> {
    let name = preceded(space1, nom::combinator::rest)
        .map(|name: &str| name.trim_matches(BLANKS).to_string());
    verify(name, |name: &String| !name.is_empty()).parse(input)
}

/// Parses this word, in any case, after blanks.
pub(super) fn keyword<'a>(
    name: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Furthest<'a>> {
    expect_word(name, verify(token, move |word: &str| word.eq_ignore_ascii_case(name)))
}

/// Skips blanks and applies a parser. Its error points to the place after the blanks and says that `what` is expected.
pub(super) fn expect_word<'a, O>(
    what: &'static str,
    parser: impl Parser<&'a str, Output = O, Error = Furthest<'a>>,
) -> impl Parser<&'a str, Output = O, Error = Furthest<'a>> {
    preceded(space0, expect(what, parser))
}

/// Parses a whole number from `min` to `max` after blanks.
pub(super) fn number<'a>(
    what: &'static str,
    min: i64,
    max: i64,
) -> impl Parser<&'a str, Output = i64, Error = Furthest<'a>> {
    let in_range =
        move |text: &str| text.parse().ok().filter(|number| (min..=max).contains(number));
    expect_word(what, token.map_opt(in_range))
}

/// Applies a parser unless the line is at its end.
fn optional<'a, O>(
    parser: impl Parser<&'a str, Output = O, Error = Furthest<'a>>,
) -> impl Parser<&'a str, Output = Option<O>, Error = Furthest<'a>> {
    let end = preceded(space0, eof).map(|_| None);
    alt((end, parser.map(Some)))
}

pub(super) fn perft_depth(input: &str) -> Parsed<'_, u32> {
    number("a depth from 0 to 100", 0, 100).map(|depth| depth as u32).parse(input)
}

pub(super) fn set_option<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let name_word = || verify(token, |word: &str| !word.eq_ignore_ascii_case("value"));
    let more = many0_count(preceded(space0, name_word()));
    let mut name = recognize(pair(expect_word("the name of an option", name_word()), more));
    let to_end = |rest: &'a str| Ok((&rest[rest.len()..], rest));
    let (rest, _) = keyword("name").parse(input)?;
    let (rest, name) = name.parse(rest)?;
    let (rest, text) = opt(preceded(keyword("value"), to_end)).parse(rest)?;
    let value = text.unwrap_or_default().trim_matches(BLANKS).to_string();
    let name = at(line, name.trim_matches(BLANKS));
    let name = Word { text: name.text.split_whitespace().collect::<Vec<_>>().join(" "), ..name };
    Ok((rest, Command::SetOption { name, value }))
}

pub(super) fn position<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    pair(start(line), moves(line)).map(|(fen, moves)| Command::Position { fen, moves }).parse(input)
}

/// Parses where a game begins: at the position of a text, or at the start position.
fn start<'a>(
    line: &'a str,
) -> impl Parser<&'a str, Output = Option<Vec<Word>>, Error = Furthest<'a>> {
    let fen_word = verify(token, |word: &str| !word.eq_ignore_ascii_case("moves"));
    let fen = preceded(keyword("fen"), many1(expect_word("a position text", fen_word)));
    alt((value(None, keyword("startpos")), fen.map(move |words| Some(words_at(line, words)))))
}

/// Parses the list of moves at the end of a line, if there is one.
fn moves<'a>(line: &'a str) -> impl Parser<&'a str, Output = Vec<Word>, Error = Furthest<'a>> {
    optional(preceded(keyword("moves"), many0(word)))
        .map(move |moves| words_at(line, moves.unwrap_or_default()))
}

pub(super) fn query<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let is_legal = preceded(keyword("islegal"), expect_word("a move", token));
    let rules = preceded(keyword("rules"), optional(expect_word("a topic", token)));
    let clicks = preceded(keyword("clicks"), many0(word));
    let details = preceded(keyword("details"), expect_word("a move", token));
    let place =
        || alt((pair(start(line).map(Some), moves(line)), pair(success(None), moves(line))));
    let place = || place().map(|(start, moves)| Place { start, moves });
    let scene = preceded(keyword("scene"), place()).map(Query::Scene);
    let diagram = |flipped| move |place| Query::Diagram { flipped, place };
    let flipped = preceded(keyword("flip"), place()).map(diagram(true));
    let diagram = preceded(keyword("diagram"), alt((flipped, place().map(diagram(false)))));
    alt((
        value(Query::GameOver, keyword("gameover")),
        value(Query::P1Turn, keyword("p1turn")),
        value(Query::P2Turn, keyword("p2turn")),
        value(Query::Turn, keyword("turn")),
        value(Query::Result, keyword("result")),
        value(Query::Outcome, keyword("outcome")),
        value(Query::Game, keyword("game")),
        value(Query::Fen, keyword("fen")),
        value(Query::Moves, keyword("moves")),
        value(Query::Protocol, keyword("protocol")),
        is_legal.map(|text| Query::IsLegal(at(line, text))),
        rules.map(|text| Query::Rules(text.map(|text| at(line, text)))),
        value(Query::Board, keyword("board")),
        scene,
        diagram,
        clicks.map(|sites| Query::Clicks(words_at(line, sites))),
        details.map(|text| Query::Details(at(line, text))),
    ))
    .map(Command::Query)
    .parse(input)
}

/// The word for this part of a line, with its column.
fn at(line: &str, text: &str) -> Word {
    Word { text: text.into(), column: line[..line.offset(text)].chars().count() + 1 }
}

/// The words for these parts of a line, in the order of the line, with their columns.
pub fn words_at(line: &str, texts: Vec<&str>) -> Vec<Word> {
    let (mut offset, mut column) = (0, 1);
    let place = |text: &str| {
        let start = line.offset(text);
        column += line[offset..start].chars().count();
        offset = start;
        Word { text: text.into(), column }
    };
    texts.into_iter().map(place).collect()
}
