//! The arguments of the command `go`.

use nom::Parser;
use nom::combinator::verify;
use nom::error::{ErrorKind, ParseError};
use nom::multi::many1;

use pentarch_core::notation::text::{Furthest, Parsed};
use pentarch_engine::engine_state::Go;

use GoValue::{Flag, Moves, Number};

use super::arguments::perft_depth;
use super::command::Command;
use super::words::{BLANKS, expect_word, keyword, number, token, words_at};

/// An argument of `go`: its names, and the value that follows.
type GoArgument = (&'static [&'static str], GoValue);

/// The value that follows the name of an argument, with a function that sets it.
enum GoValue {
    /// A whole number in this range.
    Number(NumberRange, fn(&mut Go, i64)),
    /// No value.
    Flag(fn(&mut Go)),
    /// Moves, up to the next argument.
    Moves,
}

/// The name of a number in errors, and its least and greatest value.
type NumberRange = (&'static str, i64, i64);

const COUNT: NumberRange = ("a whole number from 1 to 1000000", 1, 1_000_000);
/// A front end that sends 0 waits for a `bestmove` all the same: it counts as 1.
const DEPTH: NumberRange = ("a whole number from 0 to 1000000", 0, 1_000_000);
const NODES: NumberRange = ("a number of nodes from 1 to 9223372036854775807", 1, i64::MAX);
const TIME: NumberRange =
    ("milliseconds from -9223372036854775808 to 9223372036854775807", i64::MIN, i64::MAX);
const MOVES_TO_GO: NumberRange = ("a whole number from 0 to 1000000", 0, 1_000_000);

/// All arguments of `go` but `perft`, which allows no others.
const GO_ARGUMENTS: &[GoArgument] = &[
    (&["depth"], Number(DEPTH, |go, depth| go.limits.depth = Some(depth.max(1) as u32))),
    (&["nodes"], Number(NODES, |go, nodes| go.limits.nodes = Some(nodes as u64))),
    (&["mate"], Number(COUNT, |go, moves| go.limits.mate = Some(moves as u32))),
    (&["movetime"], Number(TIME, |go, time| go.time.movetime = Some(time))),
    (&["p1time", "wtime"], Number(TIME, |go, time| go.time.time[0] = Some(time))),
    (&["p2time", "btime"], Number(TIME, |go, time| go.time.time[1] = Some(time))),
    (&["p1inc", "winc"], Number(TIME, |go, time| go.time.increment[0] = Some(time))),
    (&["p2inc", "binc"], Number(TIME, |go, time| go.time.increment[1] = Some(time))),
    (&["p3time"], Number(TIME, |go, time| go.time.time[2] = Some(time))),
    (&["p4time"], Number(TIME, |go, time| go.time.time[3] = Some(time))),
    (&["p3inc"], Number(TIME, |go, time| go.time.increment[2] = Some(time))),
    (&["p4inc"], Number(TIME, |go, time| go.time.increment[3] = Some(time))),
    (
        &["movestogo"],
        Number(MOVES_TO_GO, |go, moves| {
            go.time.moves_to_go = Some(moves as u32).filter(|&moves| moves > 0);
        }),
    ),
    (&["infinite"], Flag(|go| go.infinite = true)),
    (&["ponder"], Flag(|go| go.ponder = true)),
    (&["searchmoves"], Moves),
];

/// The names of these arguments, each with the value that follows.
fn all() -> impl Iterator<Item = (&'static str, &'static GoValue)> {
    GO_ARGUMENTS.iter().flat_map(|(names, value)| names.iter().map(move |name| (*name, value)))
}

/// The names of the arguments.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|(name, _)| name)
}

/// Parses what follows `go`.
pub fn go<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    if let Ok((rest, _)) = keyword("perft").parse(input) {
        return perft_depth.map(|depth| Command::Perft { depth, divide: true }).parse(rest);
    }
    let mut go = Go::default();
    let mut rest = input;
    while !rest.trim_matches(BLANKS).is_empty() {
        rest = go_argument(line, rest, &mut go)?.0;
    }
    Ok((rest, Command::Go(Box::new(go))))
}

/// Parses one argument of `go` and sets it. The error names all arguments that are possible there.
fn go_argument<'a>(line: &'a str, input: &'a str, go: &mut Go) -> Parsed<'a, ()> {
    let mut error: Option<Furthest> = None;
    for (name, value) in all() {
        match value.read(name, line, input, go) {
            Err(nom::Err::Error(other)) => {
                error = Some(error.map_or(other.clone(), |error| error.or(other)))
            }
            done => return done,
        }
    }
    Err(nom::Err::Error(error.unwrap_or_else(|| Furthest::from_error_kind(input, ErrorKind::Alt))))
}

impl GoValue {
    fn read<'a>(
        &self,
        name: &'static str,
        line: &'a str,
        input: &'a str,
        go: &mut Go,
    ) -> Parsed<'a, ()> {
        let (rest, _) = keyword(name).parse(input)?;
        match *self {
            Number((what, min, max), set) => {
                let (rest, value) = number(what, min, max).parse(rest)?;
                set(go, value);
                Ok((rest, ()))
            }
            Flag(set) => {
                set(go);
                Ok((rest, ()))
            }
            Moves => {
                // No move looks like the name of an argument, so the list ends where the next argument begins.
                let ends = |word: &str, (name, value): (&str, &GoValue)| {
                    name.eq_ignore_ascii_case(word) && !matches!(value, Moves)
                };
                let is_move = |word: &str| !all().any(|argument| ends(word, argument));
                let (rest, moves) =
                    many1(expect_word("a move", verify(token, is_move))).parse(rest)?;
                go.limits.moves = words_at(line, moves);
                Ok((rest, ()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::ugi::help::{COMMANDS, usage};

    #[test]
    fn the_help_names_every_argument_of_go() {
        let go = COMMANDS.iter().find(|command| command.names().any(|name| name == "go")).unwrap();
        let help = format!("{} {}", usage(go), go.details.join(" "));
        for name in names() {
            assert!(help.contains(name), "{name}");
        }
    }
}
