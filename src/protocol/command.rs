//! The grammar of commands: a line of text becomes a typed command, knowing neither game nor position.

use nom::branch::alt;
use nom::bytes::complete::take_till1;
use nom::character::complete::{space0, space1};
use nom::combinator::{eof, opt, recognize, value, verify};
use nom::multi::{many0, many0_count, many1};
use nom::sequence::{pair, preceded, terminated};
use nom::{Offset, Parser};
use thiserror::Error;

use crate::core::SyntaxError;
use crate::core::text::{Furthest, Parsed, did_you_mean, expect, finish, quoted};

use super::help::{COMMANDS, usage};

/// A word of a line, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// Its column in the line, in characters from 1; 0 if it comes from elsewhere.
    pub column: usize,
}

impl Word {
    /// A word that does not stand in a line of input.
    pub fn alone(text: &str) -> Word {
        Word { text: text.into(), column: 0 }
    }

    /// Where it stands, as the beginning of a message.
    pub fn place(&self) -> String {
        if self.column == 0 { String::new() } else { format!("column {}: ", self.column) }
    }
}

/// A command as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the command of its name; `help` says what they do")]
pub enum Command {
    Ugi,
    Uci,
    IsReady,
    NewGame,
    SetOption { name: Word, value: String },
    Position { fen: Option<Vec<Word>>, moves: Vec<Word> },
    Go(Go),
    Perft { depth: u32, divide: bool },
    Stop,
    PonderHit,
    Query(Query),
    Legal(Option<Word>),
    Play(Vec<Word>),
    Undo(u32),
    Diagram,
    DrawOffer,
    Eval,
    Bench(Option<u32>),
    Games,
    Help(Option<Word>),
    Record(Option<String>),
    Load(String),
    Quit,
}

/// What `go` was sent with. Times are milliseconds; those of the sides and their increments come first side first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the argument of its name")]
pub struct Go {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub mate: Option<u32>,
    pub movetime: Option<i64>,
    pub time: [Option<i64>; 2],
    pub increment: [Option<i64>; 2],
    pub moves_to_go: Option<u32>,
    pub infinite: bool,
    pub ponder: bool,
    pub search_moves: Vec<Word>,
}

/// What `query` asks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the word of its name")]
pub enum Query {
    GameOver,
    P1Turn,
    P2Turn,
    Result,
    Outcome,
    Game,
    Fen,
    Moves,
    IsLegal(Word),
}

/// A line that is no command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Its first word is not the name of one.
    #[error("column {column}: there is no command {}{hint}; 'help' lists them all", quoted(.word))]
    Unknown {
        /// That word.
        word: String,
        /// Its column.
        column: usize,
        /// The nearest name, if one is near.
        hint: String,
    },
    /// Its arguments are not of the form.
    #[error("{error}{hint}; usage: {usage}")]
    Arguments {
        /// Where and what.
        error: SyntaxError,
        /// The nearest right word, if one is near.
        hint: String,
        /// The form.
        usage: &'static str,
    },
}

/// Reads a line; none if it is empty or a comment.
///
/// # Errors
/// If it is no command, or not of the form of its command.
pub fn parse<'a>(line: &'a str) -> Result<Option<Command>, CommandError> {
    let text = line.trim_matches(BLANKS);
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let start = line.offset(text);
    let name = text.split(BLANKS).next().unwrap_or_default();
    let Some(known) = COMMANDS.iter().find(|command| command.names().any(|known| known.eq_ignore_ascii_case(name)))
    else {
        let names = COMMANDS.iter().flat_map(|command| command.names());
        let column = line[..start].chars().count() + 1;
        return Err(CommandError::Unknown { word: name.into(), column, hint: did_you_mean(name, names) });
    };
    let end = start + name.len();
    let known_name = known.names().next().unwrap_or_default();
    let whole = |_: &'a str| terminated(|rest| arguments(known_name, line, rest), space0).parse(&line[end..]);
    finish(whole, line).map(Some).map_err(|error| {
        let found = error.found.trim_matches('\'').to_string();
        let synonyms = if known_name == "go" { &GO_ARGUMENTS[..] } else { &[] };
        let words = usage(known).split([' ', '|', '[', ']']).chain(synonyms.iter().copied());
        let others = words.filter(|word| word.len() > 2 && !word.eq_ignore_ascii_case(&found));
        let hint = did_you_mean(&found, others);
        CommandError::Arguments { error, hint, usage: usage(known) }
    })
}

/// What parts words.
const BLANKS: [char; 2] = [' ', '\t'];

/// Reads what follows the name of a command to the end of the line.
fn arguments<'a>(name: &str, line: &'a str, rest: &'a str) -> Parsed<'a, Command> {
    let word = || word.map(|text| at(line, text));
    let all = |words: Vec<&str>| words_at(line, words);
    match name {
        "ugi" => bare(Command::Ugi, rest),
        "uci" => bare(Command::Uci, rest),
        "isready" => bare(Command::IsReady, rest),
        "uginewgame" => bare(Command::NewGame, rest),
        "setoption" => set_option(line, rest),
        "position" => position(line, rest),
        "go" => go(line, rest),
        "stop" => bare(Command::Stop, rest),
        "ponderhit" => bare(Command::PonderHit, rest),
        "query" => query(line, rest),
        "legal" => opt(word()).map(Command::Legal).parse(rest),
        "play" => many1(expect_word("a move", token)).map(all).map(Command::Play).parse(rest),
        "undo" => optional(number("a number of moves from 1 to 1000000", 1, 1_000_000))
            .map(|count| Command::Undo(count.unwrap_or(1) as u32))
            .parse(rest),
        "d" => bare(Command::Diagram, rest),
        "drawoffer" => bare(Command::DrawOffer, rest),
        "perft" => perft_depth.map(|depth| Command::Perft { depth, divide: false }).parse(rest),
        "eval" => bare(Command::Eval, rest),
        "bench" => optional(number("a depth from 1 to 100", 1, 100))
            .map(|depth| Command::Bench(depth.map(|depth| depth as u32)))
            .parse(rest),
        "games" => bare(Command::Games, rest),
        "record" => opt(file_name).map(Command::Record).parse(rest),
        "load" => expect("the name of a file", file_name).map(Command::Load).parse(rest),
        "help" => opt(word()).map(Command::Help).parse(rest),
        _ => bare(Command::Quit, rest),
    }
}

fn bare(command: Command, rest: &str) -> Parsed<'_, Command> {
    Ok((rest, command))
}

/// A word after blanks.
pub fn word(input: &str) -> Parsed<'_, &str> {
    preceded(space0, token).parse(input)
}

/// A word.
fn token(input: &str) -> Parsed<'_, &str> {
    take_till1(|character| BLANKS.contains(&character)).parse(input)
}

/// All that follows, as the name of a file.
fn file_name(input: &str) -> Parsed<'_, String> {
    let name = preceded(space1, nom::combinator::rest).map(|name: &str| name.trim_matches(BLANKS).to_string());
    verify(name, |name: &String| !name.is_empty()).parse(input)
}

/// This very word, in any case, after blanks.
fn keyword<'a>(name: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Furthest<'a>> {
    expect_word(name, verify(token, move |word: &str| word.eq_ignore_ascii_case(name)))
}

/// What stands after blanks; the error points behind these.
fn expect_word<'a, O>(
    what: &'static str,
    parser: impl Parser<&'a str, Output = O, Error = Furthest<'a>>,
) -> impl Parser<&'a str, Output = O, Error = Furthest<'a>> {
    preceded(space0, expect(what, parser))
}

/// A whole number in this range after blanks.
fn number<'a>(what: &'static str, min: i64, max: i64) -> impl Parser<&'a str, Output = i64, Error = Furthest<'a>> {
    let in_range = move |text: &str| text.parse().ok().filter(|number| (min..=max).contains(number));
    expect_word(what, token.map_opt(in_range))
}

/// Something or the end of the line.
fn optional<'a, O>(
    parser: impl Parser<&'a str, Output = O, Error = Furthest<'a>>,
) -> impl Parser<&'a str, Output = Option<O>, Error = Furthest<'a>> {
    let end = preceded(space0, eof).map(|_| None);
    alt((end, parser.map(Some)))
}

fn perft_depth(input: &str) -> Parsed<'_, u32> {
    number("a depth from 0 to 100", 0, 100).map(|depth| depth as u32).parse(input)
}

fn set_option<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
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

fn position<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let fen_word = verify(token, |word: &str| !word.eq_ignore_ascii_case("moves"));
    let fen = preceded(keyword("fen"), many1(expect_word("a position text", fen_word)));
    let (rest, fen) = alt((value(None, keyword("startpos")), fen.map(Some))).parse(input)?;
    let (rest, moves) = optional(preceded(keyword("moves"), many0(word))).parse(rest)?;
    let moves = words_at(line, moves.unwrap_or_default());
    Ok((rest, Command::Position { fen: fen.map(|words| words_at(line, words)), moves }))
}

/// What `go` takes.
const GO_ARGUMENTS: [&str; 15] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "p1time",
    "p2time",
    "wtime",
    "btime",
    "p1inc",
    "p2inc",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
];

/// One argument of `go`, to be entered in the whole.
type Argument<'a> = Box<dyn FnOnce(&mut Go) + 'a>;

fn go<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    if let Ok((rest, _)) = keyword("perft").parse(input) {
        return perft_depth.map(|depth| Command::Perft { depth, divide: true }).parse(rest);
    }
    let mut go = Go::default();
    let mut rest = input;
    while !rest.trim_matches(BLANKS).is_empty() {
        let (after, enter) = go_argument(line, rest)?;
        enter(&mut go);
        rest = after;
    }
    Ok((rest, Command::Go(go)))
}

fn go_argument<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Argument<'a>> {
    fn limit<'a>(
        name: &'static str,
        (what, min, max): (&'static str, i64, i64),
        enter: impl Fn(&mut Go, i64) + Copy + 'a,
    ) -> impl Parser<&'a str, Output = Argument<'a>, Error = Furthest<'a>> {
        preceded(keyword(name), number(what, min, max))
            .map(move |number| Box::new(move |go: &mut Go| enter(go, number)) as Argument)
    }
    fn flag<'a>(
        name: &'static str,
        enter: impl Fn(&mut Go) + Copy + 'a,
    ) -> impl Parser<&'a str, Output = Argument<'a>, Error = Furthest<'a>> {
        keyword(name).map(move |_| Box::new(enter) as Argument)
    }
    const COUNT: (&str, i64, i64) = ("a whole number from 1 to 1000000", 1, 1_000_000);
    const NODES: (&str, i64, i64) = ("a number of nodes from 1 to 9223372036854775807", 1, i64::MAX);
    const TIME: (&str, i64, i64) =
        ("milliseconds from -9223372036854775808 to 9223372036854775807", i64::MIN, i64::MAX);
    const TO_GO: (&str, i64, i64) = ("a whole number from 0 to 1000000", 0, 1_000_000);
    // No move is written like an argument, so that the list ends where another one begins.
    let is_move = |word: &str| !GO_ARGUMENTS.iter().any(|argument| argument.eq_ignore_ascii_case(word));
    let moves = many1(expect_word("a move", verify(token, is_move)));
    alt((
        limit("depth", COUNT, |go, depth| go.depth = Some(depth as u32)),
        limit("nodes", NODES, |go, nodes| go.nodes = Some(nodes as u64)),
        limit("mate", COUNT, |go, moves| go.mate = Some(moves as u32)),
        limit("movetime", TIME, |go, time| go.movetime = Some(time)),
        alt((
            limit("p1time", TIME, |go, time| go.time[0] = Some(time)),
            limit("wtime", TIME, |go, time| go.time[0] = Some(time)),
            limit("p2time", TIME, |go, time| go.time[1] = Some(time)),
            limit("btime", TIME, |go, time| go.time[1] = Some(time)),
            limit("p1inc", TIME, |go, time| go.increment[0] = Some(time)),
            limit("winc", TIME, |go, time| go.increment[0] = Some(time)),
            limit("p2inc", TIME, |go, time| go.increment[1] = Some(time)),
            limit("binc", TIME, |go, time| go.increment[1] = Some(time)),
        )),
        limit("movestogo", TO_GO, |go, moves| go.moves_to_go = Some(moves as u32).filter(|&moves| moves > 0)),
        flag("infinite", |go| go.infinite = true),
        flag("ponder", |go| go.ponder = true),
        preceded(keyword("searchmoves"), moves)
            .map(move |moves| Box::new(move |go: &mut Go| go.search_moves = words_at(line, moves)) as Argument),
    ))
    .parse(input)
}

fn query<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let is_legal = preceded(keyword("islegal"), expect_word("a move", token));
    alt((
        value(Query::GameOver, keyword("gameover")),
        value(Query::P1Turn, keyword("p1turn")),
        value(Query::P2Turn, keyword("p2turn")),
        value(Query::Result, keyword("result")),
        value(Query::Outcome, keyword("outcome")),
        value(Query::Game, keyword("game")),
        value(Query::Fen, keyword("fen")),
        value(Query::Moves, keyword("moves")),
        is_legal.map(|text| Query::IsLegal(at(line, text))),
    ))
    .map(Command::Query)
    .parse(input)
}

/// A part of a line as a word with its column.
fn at(line: &str, text: &str) -> Word {
    Word { text: text.into(), column: line[..line.offset(text)].chars().count() + 1 }
}

/// Parts of a line, in the order in which they stand there, as words with their columns.
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
