//! Errors of commands, as values.

use std::fmt;
use std::io;

use thiserror::Error;

use crate::io::input::InvalidLine;
use crate::io::record_file::ReadRecordFileError;
use pentarch_core::SyntaxError;
use pentarch_core::notation::parsing::{
    FoundToken, nearest_known_word, quote_for_message, spelling_hint,
};
use pentarch_core::rules::options::InvalidOptionValue;
use pentarch_engine::error::EngineError;

use super::command_table::CommandSpec;
use super::session_permissions::MAX_PAGE_GAME_MOVES;
use super::{command_table, go_arguments};

/// A fault of a command that is not a fault of the engine.
#[derive(Debug, Error)]
pub enum CommandFault {
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] InvalidLine),
    /// There is no such command.
    #[error("there is no command {}{}; 'help' lists them all", quote_for_message(.name), spelling_hint(*.nearest))]
    UnknownCommand {
        /// The unknown name.
        name: String,
        /// The command that the user probably meant.
        nearest: Option<&'static str>,
    },
    /// The arguments do not have the form that the command requires.
    #[error("expected {expected}, found {found}{}; usage: {usage}", spelling_hint(*.nearest))]
    Arguments {
        /// The text that the parser expected, in words.
        expected: String,
        /// The text that the parser found.
        found: FoundToken,
        /// The word that the user probably meant.
        nearest: Option<&'static str>,
        /// The form of the command.
        usage: &'static str,
    },
    /// A record in one line has a comment that begins with `;`. The rest of the line would belong
    /// to the comment.
    #[error("a comment after ';' extends to the end of the line; write it in braces")]
    LineComment,
    /// A page in a browser names a file.
    #[error(
        "{what} is not allowed here: the session of a page in a browser neither reads nor writes files"
    )]
    NoFiles {
        /// The argument or the option that names a file.
        what: &'static str,
    },
    /// A game in the session of a page would become too long.
    #[error("a game in a page's session has at most {MAX_PAGE_GAME_MOVES} moves")]
    TooManyMoves,
    /// A record cannot be written.
    #[error("{}: {error}", quote_for_message(.file))]
    Write {
        /// The name of the file.
        file: String,
        /// The error of the system.
        error: io::Error,
    },
    /// A file of records cannot be read.
    #[error("{}: {error}", quote_for_message(.file))]
    Read {
        /// The name of the file.
        file: String,
        /// The error of the file.
        error: ReadRecordFileError,
    },
    /// The record in a file cannot be loaded.
    #[error("{}: {error}", quote_for_message(.file))]
    Load {
        /// The name of the file.
        file: String,
        /// The error of the record.
        error: EngineError,
    },
}

/// An error in a command, with its column in the line.
#[derive(Debug)]
pub enum CommandError {
    /// An error of the engine.
    Engine(EngineError),
    /// An error of the command itself.
    Command {
        /// The column, in characters from 1; `None` if there is none.
        column: Option<usize>,
        /// The fault in the command.
        fault: CommandFault,
    },
}

impl CommandError {
    /// Returns the same error, located in this column. Columns count from 1, and 0 means no column.
    #[must_use]
    pub fn at_column(self, column: usize) -> CommandError {
        match self {
            CommandError::Engine(error) => CommandError::Engine(error.at_column(column)),
            CommandError::Command { fault, .. } => {
                CommandError::Command { column: Some(column).filter(|&column| column > 0), fault }
            }
        }
    }

    /// Returns the error of an unknown command.
    pub(super) fn unknown_command(name: &str) -> CommandError {
        let names = command_table::UGI_COMMANDS.iter().flat_map(CommandSpec::command_names);
        CommandFault::UnknownCommand { name: name.into(), nearest: nearest_known_word(name, names) }
            .into()
    }

    /// Returns the error for arguments of an invalid form.
    pub(super) fn invalid_arguments(
        command: &'static CommandSpec,
        error: SyntaxError,
    ) -> CommandError {
        let SyntaxError { column, expected, found } = error;
        let word = match &found {
            FoundToken::Word(word) => word.as_str(),
            FoundToken::Space | FoundToken::End => "",
        };
        let usage = command_table::command_usage(command);
        let is_go = command.command_names().next() == Some("go");
        let synonyms = go_arguments::go_argument_names().filter(|_| is_go);
        let words = usage.split([' ', '|', '[', ']']).chain(synonyms);
        // Words in capital letters are placeholders.
        let keywords = words.filter(|other| {
            let is_keyword = other.chars().any(char::is_lowercase);
            other.len() > 2 && is_keyword && !other.eq_ignore_ascii_case(word)
        });
        let nearest = nearest_known_word(word, keywords);
        CommandError::from(CommandFault::Arguments { expected, found, nearest, usage })
            .at_column(column)
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CommandError::Engine(error) => error.fmt(f),
            CommandError::Command { column: Some(column), fault } => {
                write!(f, "column {column}: {fault}")
            }
            CommandError::Command { column: None, fault } => fault.fmt(f),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<CommandFault> for CommandError {
    fn from(fault: CommandFault) -> CommandError {
        CommandError::Command { column: None, fault }
    }
}

impl From<EngineError> for CommandError {
    fn from(error: EngineError) -> CommandError {
        CommandError::Engine(error)
    }
}

impl From<InvalidOptionValue> for CommandError {
    fn from(error: InvalidOptionValue) -> CommandError {
        CommandError::Engine(error.into())
    }
}

impl From<&InvalidLine> for CommandError {
    fn from(line: &InvalidLine) -> CommandError {
        CommandFault::Line(line.clone()).into()
    }
}
