//! The trait of a game's rules: positions, legal moves, the end of a game, and symmetries.
//!
//! | module | contents |
//! |---|---|
//! | [`outcome`] | the two sides, and how a game can end |
//! | [`players`] | the players, and their sides |
//! | [`options`] | options of rules and engine |
//! | [`history`] | the moves of a game, and repetition |
//! | [`bans`] | move bans that result from a position's history |
//! | [`key`] | hash keys of positions |
//! | [`perft`](mod@perft) | the number of leaf positions at a depth |

pub mod bans;
pub mod history;
pub mod key;
pub mod options;
pub mod outcome;
pub mod perft;
pub mod players;

use std::fmt::Debug;

use crate::{OptionSpec, Options, Outcome, Side};

/// The rules of one game. The board size and the rule variants are chosen once, from [`Options`],
/// and then the tables for move generation are computed. Two equal values represent the same rules.
/// The default value uses the default options.
///
/// Positions are small values that can be copied. A move is one whole turn. These methods consider
/// only a single position; [`GameHistory`](crate::GameHistory) adds the effects of repetition.
///
/// The methods also accept positions in which the game is over. Callers pass only legal moves to
/// [`play`](Rules::play) and [`is_irreversible_move`](Rules::is_irreversible_move).
pub trait Rules: Clone + Default + PartialEq + Debug + Send + Sync + 'static {
    /// A position with its full-move number, but without the earlier positions of the game.
    type Position: HasTurn + Copy + Eq + Debug + Send + Sync;
    /// One whole turn, including every jump of a capture. In a game with huffs, the turn also
    /// includes the huff: the removal of a piece that has missed a capture.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// The word that selects the game, such as `quoridor`.
    const GAME_ID: &'static str;
    /// The name for people, such as `Quoridor`.
    const GAME_NAME: &'static str;
    /// A line about the game, for people.
    const GAME_SUMMARY: &'static str;
    /// Whether a first move under the default rules can lose at once, because the opponent then has
    /// a winning move. A front end offers such a game to newcomers last.
    const FIRST_MOVE_CAN_LOSE: bool = false;
    /// The score of the first side in per cent, in games between players of the level `average`
    /// from the start position under the default rules. `None` if nobody has measured it.
    const FIRST_SIDE_SCORE_PERCENT: Option<u8> = None;
    /// The names of the sides in lower case; the first side to move comes first. The two initials
    /// differ, because a position string has only the [initial](crate::notation::side_initial)
    /// of the side to move.
    const SIDE_NAMES: [&'static str; 2];
    /// The options of the game's rules. Each option's name begins with the name of the game, as in
    /// `Quoridor_Walls`.
    const RULE_OPTIONS: &'static [OptionSpec] = &[];
    /// The option that selects a published rule set; `None` if the game has only one rule set.
    const RULESET_OPTION: Option<&'static OptionSpec> = None;

    /// Returns the rules that these options select. Options of other games are ignored; a game
    /// without options returns the default value.
    fn from_options(options: &Options) -> Self {
        let _ = options;
        Self::default()
    }

    /// Returns the start position.
    fn start_position(&self) -> Self::Position;

    /// Returns the outcome of the game if the position alone decides it, or `None` if the position
    /// does not end the game. The reason in the outcome is one or a few words in lower case, such
    /// as `goal` or `four in a row`.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Appends the legal moves to `moves`, each once. There are no legal moves if and only if the
    /// [`outcome`](Rules::outcome) is decided.
    ///
    /// The order depends only on the data that [`search_key`](Rules::search_key) covers.
    fn legal_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// Returns the position after a legal move. If the sides
    /// [alternate](crate::HasPlayers::SIDES_ALTERNATE), the other side is to move in that position,
    /// even if the game is over.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Returns the hash key of a position for a search. The key covers everything that affects how
    /// the game can continue, except earlier positions. The key does not cover the full-move
    /// number.
    fn search_key(&self, position: &Self::Position) -> u64;

    /// Returns the hash key of a position for the repetition rule. The key covers the parts of the
    /// position that this rule compares. The default is the [`search_key`](Rules::search_key).
    fn repetition_key(&self, position: &Self::Position) -> u64 {
        self.search_key(position)
    }

    /// The minimum number of plies between two positions of a game that have the same [repetition
    /// key](Rules::repetition_key) but different [search keys](Rules::search_key). The keys are
    /// those of the positions as [seen by the mover](crate::HasPlayers::position_seen_by_mover).
    /// The default is `None`: the game has no such positions.
    const MIN_PLIES_TO_REPETITION_WITH_OTHER_SEARCH_KEY: Option<u32> = None;

    /// Returns the outcome of the game at the third occurrence of this position. Returns `None`,
    /// the default, if these rules ignore repetition or if no position can occur again.
    ///
    /// If positions of a game can occur again, the game must return a draw at least when the option
    /// [`REPETITION_DRAW_OPTION`](crate::rules::options::REPETITION_DRAW_OPTION) is on.
    fn repetition_outcome(&self, position: &Self::Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// Returns whether the move is irreversible: no earlier position can occur again after it.
    /// Examples are a capture, a drop, and placing a wall from the hand.
    ///
    /// The result `true` only shortens the search for repetitions. The default, `false`, is always
    /// correct.
    fn is_irreversible_move(&self, position: &Self::Position, mv: Self::Move) -> bool {
        let _ = (position, mv);
        false
    }

    /// Returns the symmetries of these rules, without the identity. A game may omit any of its
    /// symmetries.
    fn symmetries(&self) -> Vec<Symmetry<Self>> {
        Vec::new()
    }
}

/// Returns the legal moves of a position as a new list.
pub fn legal_move_list<R: Rules>(rules: &R, position: &R::Position) -> Vec<R::Move> {
    let mut moves = Vec::new();
    rules.legal_moves(position, &mut moves);
    moves
}

/// The turn of a position: the side to move and the full-move number.
#[diagnostic::on_unimplemented(note = "write `pentarch_core::turn_from_fields!({Self});`")]
pub trait HasTurn {
    /// Returns the side whose turn it is.
    fn side_to_move(&self) -> Side;

    /// Returns the full-move number. The number is 1 at the start of a game and grows by 1 after
    /// each turn of the second side. This number is the last field of every position string.
    fn full_move_number(&self) -> u32;

    /// Returns the same position with the full-move number `full_move`.
    #[must_use]
    fn with_full_move_number(self, full_move: u32) -> Self;
}

/// Implements [`HasTurn`](crate::HasTurn) for a position type with the fields `side` and
/// `full_move`.
#[macro_export]
macro_rules! turn_from_fields {
    ($position:ty) => {
        impl $crate::HasTurn for $position {
            fn side_to_move(&self) -> $crate::Side {
                self.side
            }

            fn full_move_number(&self) -> u32 {
                self.full_move
            }

            fn with_full_move_number(self, full_move: u32) -> Self {
                Self { full_move, ..self }
            }
        }
    };
}

/// A symmetry: a map of a game's positions and moves that preserves all rules, except for those
/// listed in the game's module. The map is its own inverse.
pub struct Symmetry<R: Rules> {
    /// The name of the symmetry, such as `half turn` or `mirror left and right`.
    ///
    /// A symmetry must preserve the evaluation. An evaluation with a [net] is an exception: only
    /// the symmetry `half turn` must preserve it. The net may have been trained on some positions
    /// but not on their mirror images.
    ///
    /// [net]: crate::evaluation::net
    pub name: &'static str,
    /// Whether the map exchanges the two sides: the pieces change their owners, and the other side
    /// is to move.
    pub swaps_sides: bool,
    /// Returns the image of a position.
    pub position: fn(&R, &R::Position) -> R::Position,
    /// Returns the image of a move.
    pub mv: fn(&R, R::Move) -> R::Move,
}

/// Creates a [`Symmetry`] from a symmetry of the board. The game's `Position` and `Move` must be in
/// scope, and each must have a method `apply_symmetry`.
#[macro_export]
macro_rules! symmetry {
    ($name:literal, $swaps_sides:literal, $image:expr) => {
        $crate::Symmetry {
            name: $name,
            swaps_sides: $swaps_sides,
            position: |_, position: &Position| position.apply_symmetry($swaps_sides, $image),
            mv: |_, mv: Move| mv.apply_symmetry($image),
        }
    };
}
