//! The two sides, and how a game can end.

use std::ops::Not;

use thiserror::Error;

/// One of the two sides, identified by the order in which they move. [`Rules::SIDE_NAMES`] contains
/// the names of a game's sides.
///
/// [`Rules::SIDE_NAMES`]: crate::Rules::SIDE_NAMES
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that moves first in the start position.
    First,
    /// The side that moves second in the start position.
    Second,
}

impl Side {
    /// Both sides, in the order in which they move.
    pub const BOTH_SIDES: [Side; 2] = [Side::First, Side::Second];

    /// Returns 0 for the first side and 1 for the second side, as an index into pairs.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns 1 for the first side and -1 for the second side. Multiplication by this sign
    /// converts a value from the first side's view to this side's view, and back.
    pub const fn sign(self) -> i32 {
        match self {
            Side::First => 1,
            Side::Second => -1,
        }
    }

    /// Returns a pair with `amount` at the index of this side and 0 at the other index.
    pub const fn one_sided_pair(self, amount: i32) -> [i32; 2] {
        match self {
            Side::First => [amount, 0],
            Side::Second => [0, amount],
        }
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// The end of a game, with the reason in the words of the rules, such as `fortress`, `no move` or
/// `repetition`. A game that has not ended has no outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won, for this reason.
    Win(Side, &'static str),
    /// The game is drawn, for this reason.
    Draw(&'static str),
}

/// A way in which the players, rather than the rules, end a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndByPlayers {
    /// This side resigns.
    Resignation(Side),
    /// The players agree on a draw.
    Agreement,
    /// This side has run out of time.
    Time(Side),
}

/// The reason why the players cannot end the game in this way.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndByPlayersError {
    /// The game is already over.
    #[error("the game is over: {outcome}")]
    GameOver {
        /// The outcome that the game already has, as a clause for people.
        outcome: String,
    },
    /// The rules have no draw by agreement.
    #[error("these rules have no draw by agreement")]
    NoAgreement,
    /// Each player plays against all others, so one player cannot end the game for the others.
    #[error("where each player plays against all others, no player can end the game for them")]
    NoSides,
}

impl EndByPlayers {
    /// All ways in which players can end a game.
    pub const ALL: [EndByPlayers; 5] = [
        EndByPlayers::Resignation(Side::First),
        EndByPlayers::Resignation(Side::Second),
        EndByPlayers::Agreement,
        EndByPlayers::Time(Side::First),
        EndByPlayers::Time(Side::Second),
    ];

    /// Returns the outcome of the game.
    pub fn outcome(self) -> Outcome {
        match self {
            EndByPlayers::Resignation(side) => Outcome::Win(!side, "resignation"),
            EndByPlayers::Agreement => Outcome::Draw("agreement"),
            EndByPlayers::Time(side) => Outcome::Win(!side, "time"),
        }
    }
}

impl Outcome {
    /// Returns the side that has won, or `None` in a draw.
    #[inline]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side, _) => Some(side),
            Outcome::Draw(_) => None,
        }
    }

    /// Returns the outcome in the protocol's words, such as `win red fortress` or `draw
    /// repetition`. `sides` are the names of the sides.
    pub fn to_protocol_words(self, sides: [&str; 2]) -> String {
        match self {
            Outcome::Win(side, reason) => format!("win {} {reason}", sides[side.index()]),
            Outcome::Draw(reason) => format!("draw {reason}"),
        }
    }

    /// Returns the outcome for error messages, such as `red has won (fortress)`. `sides` are the
    /// names of the sides.
    pub fn sentence(self, sides: [&str; 2]) -> String {
        match self {
            Outcome::Win(side, reason) => format!("{} has won ({reason})", sides[side.index()]),
            Outcome::Draw(reason) => format!("it is a draw ({reason})"),
        }
    }

    /// Returns the reason for the end of the game, in the words of the rules.
    pub fn reason(self) -> &'static str {
        match self {
            Outcome::Win(_, reason) | Outcome::Draw(reason) => reason,
        }
    }
}
