//! The errors of nodes.

use thiserror::Error;

use pentarch_core::RuleViolation;
use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::notation::record::MAX_VARIATION_NESTING;
use pentarch_core::rules::options::RuleSettingError;

use crate::error::ErrorKind;

/// An error of a node.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SgfError {
    /// The rules have no board for Go front ends.
    #[error("these rules have no board for Go front ends")]
    NoBoard,
    /// The size in the property `SZ` differs from that of the board.
    #[error("the board has {size} lines by these rules, not {}", quote_for_message(.found))]
    Size {
        /// The number of lines of the board.
        size: u8,
        /// The value of the property.
        found: String,
    },
    /// A property sets up stones.
    #[error("stones set up by {property} do not define a start position")]
    SetUp {
        /// The name of the property.
        property: &'static str,
    },
    /// The property `PL` does not name Black as the player to move first.
    #[error("Black moves first, but PL is {}", quote_for_message(.found))]
    FirstPlayer {
        /// The value of the property.
        found: String,
    },
    /// A node has two moves.
    #[error("a node has one move, not B and W")]
    TwoMoves,
    /// A node has a property twice.
    #[error("the node has the property {name} twice")]
    Duplicate {
        /// The name of the property.
        name: &'static str,
    },
    /// A property that must have a single value has several values.
    #[error("{name} takes one value, not {count}")]
    SeveralValues {
        /// The name of the property.
        name: &'static str,
        /// The number of values.
        count: usize,
    },
    /// The property `RU` names rules that do not exist.
    #[error("RU: {0}")]
    Rules(#[from] RuleSettingError),
    /// Variations are nested deeper than [`MAX_VARIATION_NESTING`].
    #[error("variations may be nested at most {MAX_VARIATION_NESTING} deep")]
    TooDeep,
    /// Some clicks of the last move are missing.
    #[error("the last move is incomplete")]
    Incomplete,
    /// A click is not on a point of the board.
    #[error("expected two letters for a point of the board, found {}", quote_for_message(.found))]
    Point {
        /// The value of the node.
        found: String,
    },
    /// The click is by the side that is not to move.
    #[error("{to_move} is to move, not {found}")]
    WrongSide {
        /// The property of the side to move.
        to_move: &'static str,
        /// The property of the click.
        found: &'static str,
    },
    /// A rule forbids the move.
    #[error("{}", .0.reason)]
    Illegal(RuleViolation),
    /// The game is over before the click.
    #[error("the game is over: {outcome}")]
    GameOver {
        /// The outcome, as a sentence.
        outcome: String,
    },
    /// No legal move has these clicks.
    #[error("no legal move continues there")]
    NoMove,
}

impl SgfError {
    /// Returns the kind of the fault.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            SgfError::Illegal(_) | SgfError::NoMove | SgfError::WrongSide { .. } => {
                ErrorKind::Illegal
            }
            SgfError::GameOver { .. } => ErrorKind::State,
            SgfError::TooDeep => ErrorKind::Limit,
            SgfError::NoBoard | SgfError::SetUp { .. } | SgfError::FirstPlayer { .. } => {
                ErrorKind::Unavailable
            }
            SgfError::Size { .. } | SgfError::Rules(_) => ErrorKind::Value,
            _ => ErrorKind::Syntax,
        }
    }
}
