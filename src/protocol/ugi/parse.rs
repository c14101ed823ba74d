//! The grammar of commands: a line of text is parsed into a typed command, without regard to the game and its position.

use nom::character::complete::space0;
use nom::sequence::terminated;
use nom::{Offset, Parser};

use crate::io::input::BadLine;
use pentarch_core::SyntaxError;
use pentarch_core::notation::text::{did_you_mean, finish, quoted};
use pentarch_engine::error::EngineError;

use super::command::Command;
use super::go_arguments;
use super::help::{COMMANDS, usage};
use super::words::BLANKS;

/// Parses a line; `None` if it is empty or a comment.
///
/// # Errors
/// If the line does not begin with the name of a command, or its arguments do not have the form that the command takes.
pub fn parse<'a>(line: &'a str) -> Result<Option<Command>, EngineError> {
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
        return Err(EngineError::at_column(column, message));
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
        EngineError::at_column(
            column,
            format!("expected {expected}, found {found}{hint}; usage: {usage}"),
        )
    })
}

/// The command in a line of input; `None` if the line is empty or a comment, be that comment too long or not UTF-8.
///
/// # Errors
/// If the line cannot be read, or is no command.
pub fn command_of(line: &Result<String, BadLine>) -> Result<Option<Command>, EngineError> {
    match line {
        Ok(text) => parse(text),
        Err(error) if error.readable().trim_start_matches(BLANKS).starts_with('#') => Ok(None),
        Err(error) => Err(error.into()),
    }
}
