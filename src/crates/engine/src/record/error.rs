//! The errors of records and annotations.

use thiserror::Error;

use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::notation::record::checksum::ChecksumError;
use pentarch_core::notation::record::{CommentError, MAX_VARIATION_NESTING};

use crate::error::ErrorKind;
use crate::session::MAX_GAME_PLIES;

/// A fault of a record or of an annotation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordError {
    /// The annotation is for a move, but no move was made yet.
    #[error("no move was made yet")]
    NoMove,
    /// A variation has no move.
    #[error("a variation needs at least one move")]
    EmptyVariation,
    /// Variations are nested deeper than [`MAX_VARIATION_NESTING`].
    #[error("variations lie at most {MAX_VARIATION_NESTING} deep in one another")]
    TooDeep,
    /// The name of a tag has an invalid character.
    #[error("the name of a tag may have only letters, digits and _, not {}", quote_for_message(.name))]
    TagName {
        /// The invalid name.
        name: String,
    },
    /// The user must not set the tag, because the program determines its value.
    #[error("the game itself determines the tag {name}")]
    OwnTag {
        /// The name of the tag.
        name: String,
    },
    /// The value of a tag has a control character.
    #[error("a tag may not have control characters, but there is one at character {at}")]
    ControlCharacter {
        /// The position of the character, from 1.
        at: usize,
    },
    /// A text cannot be a comment or the value of a tag.
    #[error(transparent)]
    Comment(#[from] CommentError),
    /// The record has a tag twice.
    #[error("the record has the tag {name} twice")]
    DuplicateTag {
        /// The name of the tag.
        name: String,
    },
    /// A tag contradicts the rest of the record.
    #[error("the tag {tag} says {}, but {}", quote_for_message(.stated), .found)]
    Contradiction {
        /// The name of the tag.
        tag: &'static str,
        /// The value of the tag.
        stated: String,
        /// The contradicting contents of the record, as a clause.
        found: String,
    },
    /// The record sets an option twice.
    #[error("the record sets the option {name} twice")]
    DuplicateOption {
        /// The name of the option.
        name: String,
    },
    /// The record names no game.
    #[error("the record has no tag Game")]
    NoGameTag,
    /// The record with its variations has more than [`MAX_GAME_PLIES`] moves.
    #[error("a record has at most {MAX_GAME_PLIES} moves with its variations")]
    TooManyMoves,
    /// Loading was stopped before all moves were made.
    #[error("loading was stopped; the current game is unchanged")]
    Stopped,
    /// The checksum of the record differs from the stated checksum.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// The outcome in the record differs from the outcome of its moves.
    #[error("the record says {}, but the game is: {outcome}", quote_for_message(.stated))]
    Outcome {
        /// The outcome in the record.
        stated: String,
        /// The outcome of the game.
        outcome: String,
    },
    /// The result in the record differs from the result of its moves.
    #[error("the record ends in {stated}, but the game is: {outcome}")]
    Result {
        /// The result at the end of the record.
        stated: String,
        /// The outcome of the game.
        outcome: String,
    },
    /// The text has no game with this number.
    #[error("{}", format_game_numbers(*.games))]
    GameNumber {
        /// The number of games in the text.
        games: usize,
    },
    /// The text contains several games, but must contain one.
    #[error("it holds {games} games: {advice}")]
    SeveralGames {
        /// The number of games in the text.
        games: usize,
        /// A hint on how to choose one of the games.
        advice: &'static str,
    },
}

impl RecordError {
    /// Returns the kind of the fault.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            RecordError::NoMove | RecordError::Stopped => ErrorKind::State,
            RecordError::TooDeep
            | RecordError::TooManyMoves
            | RecordError::Comment(CommentError::TooLong) => ErrorKind::Limit,
            RecordError::DuplicateTag { .. }
            | RecordError::Contradiction { .. }
            | RecordError::DuplicateOption { .. }
            | RecordError::NoGameTag
            | RecordError::EmptyVariation
            | RecordError::TagName { .. }
            | RecordError::ControlCharacter { .. } => ErrorKind::Syntax,
            _ => ErrorKind::Value,
        }
    }
}

/// Returns a sentence about the numbers of the games in a text.
fn format_game_numbers(games: usize) -> String {
    match games {
        0 => "it holds no game".into(),
        1 => "it holds game 1 only".into(),
        games => format!("it holds games 1 to {games}"),
    }
}
