//! Parses the arguments of the command `go`.

use nom::Parser;
use nom::combinator::verify;
use nom::error::{ErrorKind, ParseError};
use nom::multi::many1;

use pentarch_core::notation::parsing::{FurthestParseError, ParseResult};
use pentarch_engine::engine_state::GoCommandParameters;

use GoCommandArgumentKind::{Flag, Moves, Number};

use super::command::Command;
use super::command_arguments::parse_perft_depth;
use super::word_parsers::{
    BLANK_CHARACTERS, input_words_with_columns, parse_keyword, parse_nonempty_word, parse_number,
    parse_or_expect_after_blanks,
};

/// An argument of `go`: its names, and the kind of the value that follows.
type GoCommandArgument = (&'static [&'static str], GoCommandArgumentKind);

/// The kind of the value after the name of an argument, with a function that sets the value.
enum GoCommandArgumentKind {
    /// A whole number in this range.
    Number(NumberRange, fn(&mut GoCommandParameters, i64)),
    /// No value.
    Flag(fn(&mut GoCommandParameters)),
    /// Moves, up to the next argument.
    Moves,
}

/// A range of numbers: its description for errors, its minimum and its maximum.
type NumberRange = (&'static str, i64, i64);

/// The range of a count. The range includes 0, because some front ends write every argument and
/// send 0 for unused arguments.
const GO_COUNT_RANGE: NumberRange = ("a whole number from 0 to 1000000", 0, 1_000_000);
const GO_NODE_RANGE: NumberRange = ("a number of nodes from 0 to 9223372036854775807", 0, i64::MAX);
const GO_TIME_RANGE: NumberRange =
    ("milliseconds from -9223372036854775808 to 9223372036854775807", i64::MIN, i64::MAX);

/// All arguments of `go` except `perft`. With `perft` there are no other arguments.
const GO_ARGUMENTS: &[GoCommandArgument] = &[
    (&["depth"], Number(GO_COUNT_RANGE, |go, depth| go.limits.depth = Some(depth as u32))),
    (&["nodes"], Number(GO_NODE_RANGE, |go, nodes| go.limits.nodes = Some(nodes as u64))),
    (&["mate"], Number(GO_COUNT_RANGE, |go, moves| go.limits.mate = Some(moves as u32))),
    (&["movetime"], Number(GO_TIME_RANGE, |go, time| go.time.movetime = Some(time))),
    (&["p1time", "wtime"], Number(GO_TIME_RANGE, |go, time| go.time.time[0] = Some(time))),
    (&["p2time", "btime"], Number(GO_TIME_RANGE, |go, time| go.time.time[1] = Some(time))),
    (&["p1inc", "winc"], Number(GO_TIME_RANGE, |go, time| go.time.increment[0] = Some(time))),
    (&["p2inc", "binc"], Number(GO_TIME_RANGE, |go, time| go.time.increment[1] = Some(time))),
    (&["p3time"], Number(GO_TIME_RANGE, |go, time| go.time.time[2] = Some(time))),
    (&["p4time"], Number(GO_TIME_RANGE, |go, time| go.time.time[3] = Some(time))),
    (&["p3inc"], Number(GO_TIME_RANGE, |go, time| go.time.increment[2] = Some(time))),
    (&["p4inc"], Number(GO_TIME_RANGE, |go, time| go.time.increment[3] = Some(time))),
    (&["movestogo"], Number(GO_COUNT_RANGE, |go, moves| go.time.moves_to_go = Some(moves as u32))),
    (&["infinite"], Flag(|go| go.infinite = true)),
    (&["ponder"], Flag(|go| go.ponder = true)),
    (&["searchmoves"], Moves),
];

/// Returns the names of all arguments, each with its kind of value.
fn go_argument_usages() -> impl Iterator<Item = (&'static str, &'static GoCommandArgumentKind)> {
    GO_ARGUMENTS.iter().flat_map(|(names, value)| names.iter().map(move |name| (*name, value)))
}

/// Returns the names of all arguments.
pub(super) fn go_argument_names() -> impl Iterator<Item = &'static str> {
    go_argument_usages().map(|(name, _)| name)
}

/// Parses the arguments of `go`.
pub(super) fn parse_go_arguments<'a>(line: &'a str, input: &'a str) -> ParseResult<'a, Command> {
    if let Ok((rest, _)) = parse_keyword("perft").parse(input) {
        return parse_perft_depth.map(|depth| Command::Perft { depth, divide: true }).parse(rest);
    }
    let mut go = GoCommandParameters::default();
    let mut rest = input;
    while !rest.trim_matches(BLANK_CHARACTERS).is_empty() {
        rest = parse_go_argument(line, rest, &mut go)?.0;
    }
    Ok((rest, Command::Go(Box::new(go))))
}

/// Parses one argument of `go` and sets it. If there is no argument, the error lists all possible
/// arguments.
fn parse_go_argument<'a>(
    line: &'a str,
    input: &'a str,
    go: &mut GoCommandParameters,
) -> ParseResult<'a, ()> {
    let mut error: Option<FurthestParseError> = None;
    for (name, value) in go_argument_usages() {
        match value.parse_named_argument(name, line, input, go) {
            Err(nom::Err::Error(other)) => {
                error = Some(error.map_or(other.clone(), |error| error.or(other)))
            }
            result => return result,
        }
    }
    Err(nom::Err::Error(
        error.unwrap_or_else(|| FurthestParseError::from_error_kind(input, ErrorKind::Alt)),
    ))
}

impl GoCommandArgumentKind {
    fn parse_named_argument<'a>(
        &self,
        name: &'static str,
        line: &'a str,
        input: &'a str,
        go: &mut GoCommandParameters,
    ) -> ParseResult<'a, ()> {
        let (rest, _) = parse_keyword(name).parse(input)?;
        match *self {
            Number((what, min, max), set) => {
                let (rest, value) = parse_number(what, min, max).parse(rest)?;
                set(go, value);
                Ok((rest, ()))
            }
            Flag(set) => {
                set(go);
                Ok((rest, ()))
            }
            Moves => {
                // No move has the name of an argument, so the next argument ends the list.
                let move_word =
                    verify(parse_nonempty_word, |word: &str| !is_go_argument_name(word));
                let (rest, moves) =
                    many1(parse_or_expect_after_blanks("a move", move_word)).parse(rest)?;
                go.limits.moves = input_words_with_columns(line, moves);
                Ok((rest, ()))
            }
        }
    }
}

/// Returns whether a word ends a list of moves, because it is the name of another argument.
fn is_go_argument_name(word: &str) -> bool {
    go_argument_usages()
        .any(|(name, value)| name.eq_ignore_ascii_case(word) && !matches!(value, Moves))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use pentarch_search::time_management::PlayerOnClock;

    use super::*;
    use crate::protocol::ugi::command_table::{UGI_COMMANDS, command_usage};

    #[test]
    fn ignores_zeros_next_to_other_limits_and_ends_the_search_otherwise() {
        let player = PlayerOnClock { index: 0, player_count: 2, expected_moves: 25 };
        let overhead = Duration::ZERO;
        let limits = |text: &str| {
            let (_, Command::Go(mut go)) = parse_go_arguments(text, text).unwrap() else {
                panic!("{text}")
            };
            go.limits.resolve_zero_limits(&mut go.time, 2, go.infinite);
            let time =
                go.time.move_time_budget(player, overhead).map(|budget| budget.hard.as_millis());
            (go.limits.depth, go.limits.nodes, go.limits.mate, time)
        };
        let at_once = (None, None, None, Some(0));
        for (text, expected) in [
            ("", (None, None, None, None)),
            ("depth 0", (Some(1), None, None, None)),
            ("nodes 0", at_once),
            ("mate 0", at_once),
            ("movestogo 0", at_once),
            ("movetime 0", at_once),
            ("wtime 0 btime 0 depth 0 nodes 0 mate 0 movetime 0", (Some(1), None, None, Some(0))),
            ("depth 0 movestogo 9", (Some(1), None, None, None)),
            ("depth 0 nodes 7 mate 0", (None, Some(7), None, None)),
            ("depth 3 movetime 0 wtime 0 btime 9000", (Some(3), None, None, None)),
            ("mate 2 wtime -5 btime -5 winc 0 binc 0", (None, None, Some(2), None)),
            ("depth 0 nodes 0 mate 0 movestogo 0 movetime 80", (None, None, None, Some(80))),
            ("depth 3 wtime 1000 btime 0 movestogo 1", (Some(3), None, None, Some(895))),
            ("nodes 0 wtime 0 btime 5000", at_once),
            ("depth 0 p3time 5000", (Some(1), None, None, None)),
            ("nodes 0 p4inc 1", at_once),
            ("infinite wtime 0 btime 0 depth 0 movetime 0", (None, None, None, None)),
        ] {
            assert_eq!(limits(text), expected, "{text}");
        }
    }

    #[test]
    fn the_help_names_every_argument_of_go() {
        let go = UGI_COMMANDS
            .iter()
            .find(|command| command.command_names().any(|name| name == "go"))
            .unwrap();
        let help = format!("{} {}", command_usage(go), go.details.join(" "));
        for name in go_argument_names() {
            assert!(help.contains(name), "{name}");
        }
    }
}
