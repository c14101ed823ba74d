//! Parses a line of text into a typed command, without regard to the game and the position.

use nom::character::complete::space0;
use nom::sequence::terminated;
use nom::{Offset, Parser};

use crate::io::input::InvalidLine;
use pentarch_core::notation::parsing::parse_whole_string;

use super::command::Command;
use super::command_table::UGI_COMMANDS;
use super::error::CommandError;
use super::word_parsers::BLANK_CHARACTERS;

/// Parses a line; `None` if the line is empty or a comment.
///
/// # Errors
/// If the line does not begin with the name of a command, or if its arguments are invalid.
pub fn parse_ugi_command<'a>(line: &'a str) -> Result<Option<Command>, CommandError> {
    let text = line.trim_matches(BLANK_CHARACTERS);
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let start = line.offset(text);
    let name = text.split(BLANK_CHARACTERS).next().unwrap_or_default();
    let Some(help) = UGI_COMMANDS
        .iter()
        .find(|command| command.command_names().any(|known| known.eq_ignore_ascii_case(name)))
    else {
        let column = line[..start].chars().count() + 1;
        return Err(CommandError::unknown_command(name).at_column(column));
    };
    let end = start + name.len();
    let command =
        |_: &'a str| terminated(|rest| (help.parse)(line, rest), space0).parse(&line[end..]);
    match parse_whole_string(command, line) {
        Ok(command) => Ok(Some(command)),
        Err(error) => Err(CommandError::invalid_arguments(help, error)),
    }
}

/// Parses the command in a line of input; `None` if the line is empty or a comment. A comment may
/// be too long or not UTF-8.
///
/// # Errors
/// If the line cannot be read, or if the line is not a command.
pub fn parse_input_line(
    line: &Result<String, InvalidLine>,
) -> Result<Option<Command>, CommandError> {
    match line {
        Ok(text) => parse_ugi_command(text),
        Err(error)
            if error.readable_part().trim_start_matches(BLANK_CHARACTERS).starts_with('#') =>
        {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
