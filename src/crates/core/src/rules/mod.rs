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
//! | [`perft`](mod@perft) | counting the positions at a depth |

pub mod bans;
pub mod history;
pub mod key;
pub mod options;
pub mod outcome;
pub mod perft;
pub mod players;

use std::fmt::Debug;

use crate::{OptionSpec, Options, Outcome, Side};

/// The rules of one game, as a value: board size and rule variants are chosen once, from
/// [`Options`], and compiled into the tables that move generation needs. Two equal values play the
/// same game. The default value is that of the default options.
///
/// Positions are small plain values that are copied; a move is one whole turn. Effects of the
/// history (repetition) are kept separate from those of a position alone:
/// [`GameHistory`](crate::GameHistory) combines the two.
///
/// The methods also accept positions in which the game is over, but [`play`](Rules::play) and
/// [`is_irreversible`](Rules::is_irreversible) get only legal moves.
pub trait Rules: Clone + Default + PartialEq + Debug + Send + Sync + 'static {
    /// A position without its history, with the full-move number.
    type Position: Turn + Copy + Eq + Debug + Send + Sync;
    /// One whole turn: it includes every jump of a capture, and the huff.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// The word that selects the game: `quoridor`.
    const ID: &'static str;
    /// The name for people: `Quoridor`.
    const NAME: &'static str;
    /// A line for people about the game.
    const SUMMARY: &'static str;
    /// The game's names of its sides, in lower case, the first to move first. Their initials
    /// differ, because position strings write the side to move as its
    /// [initial](crate::notation::initial_of_side).
    const SIDE_NAMES: [&'static str; 2];
    /// The options that choose among the game's rules. Their names begin with that of the game:
    /// `Quoridor_Walls`.
    const OPTIONS: &'static [OptionSpec] = &[];
    /// The option that chooses a published rule set as a whole; `None` if the game has just one.
    const RULESET_OPTION: Option<&'static OptionSpec> = None;

    /// Returns the rules that these options choose. Options of other games are ignored; a game
    /// without options returns the default value.
    fn from_options(options: &Options) -> Self {
        let _ = options;
        Self::default()
    }

    /// Returns the start position.
    fn start(&self) -> Self::Position;

    /// Returns how the game has ended, as far as the position alone decides; `None` if it has not
    /// ended. The reason is a word or a few words of the rules, in lower case: `goal`, `four in a
    /// row`.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Appends the legal moves to `moves`, each once. There are none exactly if the
    /// [`outcome`](Rules::outcome) is decided.
    ///
    /// The order depends only on what [`search_key`](Rules::search_key) covers.
    fn legal_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// Returns the position after a legal move. The other side is to move then, even if the game is
    /// over, unless the sides do not [alternate](crate::Players::SIDES_ALTERNATE).
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Returns the key of everything that decides how the game can continue, except its history.
    /// The full-move number is not included.
    fn search_key(&self, position: &Self::Position) -> u64;

    /// Returns the key of what the repetition rule compares; by default the
    /// [`search_key`](Rules::search_key).
    fn repetition_key(&self, position: &Self::Position) -> u64 {
        self.search_key(position)
    }

    /// The minimum number of plies between two positions of a game with the same [repetition
    /// key](Rules::repetition_key) and different [search keys](Rules::search_key), as a search
    /// [sees](crate::Players::seen_by_mover) the positions. `None`, the default, if there are no
    /// such positions.
    const MIN_PLIES_TO_SAME_REPETITION_KEY: Option<u32> = None;

    /// Returns the outcome of the third occurrence of this position. Returns `None`, the default,
    /// if these rules ignore it or if no position can occur again.
    ///
    /// A game in which positions can occur again must return a draw at least where the option
    /// [`REPETITION_DRAW_OPTION`](crate::rules::options::REPETITION_DRAW_OPTION) is on.
    fn repetition_outcome(&self, position: &Self::Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// Returns whether no earlier position can occur again after this move (a capture, a drop, a
    /// wall from the hand).
    ///
    /// The result only shortens the search for repetitions; `false`, the default, is always
    /// correct.
    fn is_irreversible(&self, position: &Self::Position, mv: Self::Move) -> bool {
        let _ = (position, mv);
        false
    }

    /// Returns the symmetries of these rules, without the identity. It is always correct to return
    /// fewer.
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

/// The turn of a position: whose it is, and its number.
pub trait Turn {
    /// Returns the side whose turn it is.
    fn side_to_move(&self) -> Side;

    /// Returns the full-move number: 1 at the start of a game, one more after each turn of the
    /// second side. It is the last field of every position string.
    fn full_move(&self) -> u32;

    /// Returns the same position with this number.
    #[must_use]
    fn with_full_move(self, full_move: u32) -> Self;
}

/// Implements [`Turn`](crate::Turn) for a position that has the turn in its fields `side` and
/// `full_move`.
#[macro_export]
macro_rules! turn_from_fields {
    ($position:ty) => {
        impl $crate::Turn for $position {
            fn side_to_move(&self) -> $crate::Side {
                self.side
            }

            fn full_move(&self) -> u32 {
                self.full_move
            }

            fn with_full_move(self, full_move: u32) -> Self {
                Self { full_move, ..self }
            }
        }
    };
}

/// A map of a game's positions and moves that preserves all rules, apart from exceptions that the
/// game's module lists. It is its own inverse.
pub struct Symmetry<R: Rules> {
    /// The map of the board: `half turn`, `mirror left and right`. Every symmetry preserves the
    /// evaluation, with one exception: an evaluation with a [net] must be preserved only by the
    /// symmetry `half turn`, because the net may have learned from some positions and not from
    /// their images.
    ///
    /// [net]: crate::evaluation::net
    pub name: &'static str,
    /// Whether it turns the first side's pieces into the second's and back, together with the side
    /// to move.
    pub swaps_sides: bool,
    /// Returns the image of a position.
    pub position: fn(&R, &R::Position) -> R::Position,
    /// Returns the image of a move.
    pub mv: fn(&R, R::Move) -> R::Move,
}

/// Creates the [`Symmetry`] of a symmetry of the board. The game's `Position` and `Move` must be in
/// scope, and each must have a method `map` for it.
#[macro_export]
macro_rules! symmetry {
    ($name:literal, $swaps_sides:literal, $image:expr) => {
        $crate::Symmetry {
            name: $name,
            swaps_sides: $swaps_sides,
            position: |_, position: &Position| position.map($swaps_sides, $image),
            mv: |_, mv: Move| mv.map($image),
        }
    };
}
