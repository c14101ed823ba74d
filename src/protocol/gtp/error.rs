//! Errors of GTP commands, as values.

use thiserror::Error;

use pentarch_core::notation::parsing::{quote_for_message, spelling_hint, truncate_word};
use pentarch_core::rules::options::InvalidOptionValue;
use pentarch_core::{RuleViolation, Side, SyntaxError};
use pentarch_engine::error::{EngineError, ErrorKind};

use super::text::side_colour;

/// An error in a command. Its message is the response. If the GTP standard has a phrase for the
/// error, the phrase comes before the message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GtpError {
    /// An error of the engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An option does not accept a value.
    #[error(transparent)]
    OptionValue(#[from] InvalidOptionValue),
    /// The line does not have the form of a command.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// An argument is missing.
    #[error("expected {expected}, found the end")]
    Missing {
        /// A description of the missing argument.
        expected: &'static str,
    },
    /// The value of a named argument is missing.
    #[error("expected a value of {name}, found the end")]
    MissingValue {
        /// The name of the argument.
        name: String,
    },
    /// An argument does not have the expected form.
    #[error("expected {expected}, found {}", quote_for_message(.found))]
    InvalidArgument {
        /// The expected argument.
        expected: GtpArgument,
        /// The text of the argument.
        found: String,
    },
    /// A vertex is in the column I, which Go boards do not have.
    #[error("there is no column I: Go boards leave the letter out, and the ninth column is J")]
    ColumnI,
    /// The column of a vertex is beyond the last column of the board.
    #[error("there is no column {column}: the columns are A to {last}")]
    Column {
        /// The letter of the column.
        column: char,
        /// The letter of the last column of the board.
        last: char,
    },
    /// The board does not have the row of a vertex.
    #[error("there is no row {}: the rows are 1 to {last}", truncate_word(.row))]
    Row {
        /// The digits of the row.
        row: String,
        /// The last row of the board.
        last: u8,
    },
    /// The komi is not a number.
    #[error("komi takes a number, not {}", quote_for_message(.found))]
    Komi {
        /// The argument that is not a number.
        found: String,
    },
    /// There is no such command.
    #[error("unknown command {}{}", quote_for_message(.name), spelling_hint(*.nearest))]
    UnknownCommand {
        /// The unknown name.
        name: String,
        /// The command that the user probably meant.
        nearest: Option<&'static str>,
    },
    /// A command has more arguments than it takes.
    #[error("too many arguments: {name}{}{usage}", if usage.is_empty() { "" } else { " " })]
    TooManyArguments {
        /// The name of the command.
        name: &'static str,
        /// The names of the command's arguments.
        usage: &'static str,
    },
    /// The dialog does not have this option.
    #[error("no option {} is listed here{}", quote_for_message(.name), spelling_hint(*.nearest))]
    UnlistedOption {
        /// The name of the option.
        name: String,
        /// The option that the user probably meant.
        nearest: Option<&'static str>,
    },
    /// The game has no board of points.
    #[error("{game} has no board of points; use play_text and genmove_text")]
    NoBoard {
        /// The word that names the game.
        game: &'static str,
    },
    /// The front end requests another board size.
    #[error("unacceptable size: the board of this game has size {size}, not {}", quote_for_message(.found))]
    BoardSize {
        /// The size of the board.
        size: u8,
        /// The text of the argument.
        found: String,
    },
    /// The game is not over.
    #[error("the game is not over")]
    NotOver,
    /// The game is over.
    #[error("the game is over: {outcome}")]
    Over {
        /// The outcome, as a clause for people.
        outcome: String,
    },
    /// It is the turn of the other side.
    #[error("it is the turn of {}", side_colour(*.0))]
    Turn(Side),
    /// The input is a pass to end a half-made move, but the move is not complete.
    #[error("no legal move ends here")]
    NoEnd,
    /// No legal move begins or continues with this point.
    #[error("no legal move {} there", if *has_begun { "continues" } else { "begins" })]
    NoMove {
        /// Whether a move is half made.
        has_begun: bool,
    },
    /// A rule forbids the move formed by these points.
    #[error("{}", .0.reason)]
    IllegalPoints(RuleViolation),
    /// A rule forbids the move with this notation.
    #[error(transparent)]
    IllegalMove(RuleViolation),
    /// There is no input to take back.
    #[error("there is nothing to take back")]
    NothingToUndo,
    /// The side to move has no legal move.
    #[error("there is no legal move")]
    NoLegalMove,
    /// An analysis does not have this argument.
    #[error(
        "expected a colour, an interval or maxmoves, found {}{}", quote_for_message(.found), spelling_hint(*.nearest)
    )]
    AnalysisArgument {
        /// The text of the argument.
        found: String,
        /// The argument that the user probably meant.
        nearest: Option<&'static str>,
    },
    /// An argument that restricts the moves of an analysis is incomplete.
    #[error("a colour, vertices and a number of moves expected after {name}")]
    Restriction {
        /// The name of the argument.
        name: String,
    },
    /// The code of a command has panicked.
    #[error("the command failed inside; this is a fault of the program")]
    Panic,
}

impl GtpError {
    /// Returns the GTP standard's phrase at the beginning of the response to this command; `None`
    /// if the standard has none for this error.
    pub(super) fn standard_phrase(&self, command: &str) -> Option<&'static str> {
        let is_play = ["play", "play_text"].iter().any(|name| name.eq_ignore_ascii_case(command));
        match self {
            GtpError::Syntax(_)
            | GtpError::Missing { .. }
            | GtpError::MissingValue { .. }
            | GtpError::InvalidArgument { .. }
            | GtpError::ColumnI
            | GtpError::Column { .. }
            | GtpError::Row { .. }
            | GtpError::Komi { .. }
            | GtpError::TooManyArguments { .. }
            | GtpError::AnalysisArgument { .. }
            | GtpError::Restriction { .. } => Some("syntax error"),
            GtpError::IllegalPoints(_)
            | GtpError::IllegalMove(_)
            | GtpError::NoEnd
            | GtpError::NoMove { .. } => Some("illegal move"),
            GtpError::Turn(_) | GtpError::Over { .. } => is_play.then_some("illegal move"),
            GtpError::Engine(error) => match error.fault.kind() {
                ErrorKind::Syntax => Some("syntax error"),
                ErrorKind::Illegal => Some("illegal move"),
                _ => None,
            },
            GtpError::NothingToUndo => Some("cannot undo"),
            GtpError::NotOver => Some("cannot score"),
            GtpError::OptionValue(_)
            | GtpError::UnknownCommand { .. }
            | GtpError::UnlistedOption { .. }
            | GtpError::NoBoard { .. }
            | GtpError::BoardSize { .. }
            | GtpError::NoLegalMove
            | GtpError::Panic => None,
        }
    }
}

/// An argument of a command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GtpArgument {
    /// The colour of a side.
    #[error("black or white")]
    Colour,
    /// A time in seconds.
    #[error("seconds from 0 to 1000000000")]
    Seconds,
    /// A number of stones (moves) in a byo-yomi period.
    #[error("stones from 0 to {}", u32::MAX)]
    Stones,
    /// A whole number from 0 to a limit.
    #[error("a number from 0 to {most}")]
    Number {
        /// The greatest permitted number.
        most: i64,
    },
    /// A vertex of the board, or a pass.
    #[error("a vertex from A1 to {last} or pass")]
    Vertex {
        /// The last vertex of the board.
        last: String,
    },
}

impl GtpArgument {
    /// Returns the error for an argument that is not of this kind.
    pub fn invalid_argument_error(self, found: &str) -> GtpError {
        GtpError::InvalidArgument { expected: self, found: found.into() }
    }
}
