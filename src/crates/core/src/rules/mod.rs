//! The trait of a game's rules: positions, legal moves, how a game ends, and symmetries.
//!
//! | module | what it holds |
//! |---|---|
//! | [`outcome`] | the two sides, and how a game can end |
//! | [`players`] | who plays, and for which side |
//! | [`options`] | options of rules and engine |
//! | [`history`] | the moves of a game, and repetition |
//! | [`bans`] | what the past of a position forbids |
//! | [`key`] | hash keys of positions |
//! | [`perft`](mod@perft) | counting the positions after some plies |

pub mod bans;
pub mod history;
pub mod key;
pub mod options;
pub mod outcome;
pub mod perft;
pub mod players;

use std::fmt::Debug;

use crate::{OptionSpec, Options, Outcome, Side};

/// The rules of one game, as a value: board size and rule alternatives are chosen once, from [`Options`], and compiled
/// into whatever tables move generation needs. Two equal values play the same game. The default value is that of the default
/// options.
///
/// Positions are small, plain and copied; a move is one whole turn. What the history of a game decides (repetition) is
/// kept apart from what a position alone decides: [`GameHistory`](crate::GameHistory) puts the two together.
///
/// The methods are asked about positions in which the game is over, too, except that [`play`](Rules::play) and
/// [`is_irreversible`](Rules::is_irreversible) get only legal moves.
pub trait Rules: Clone + Default + PartialEq + Debug + Send + Sync + 'static {
    /// A position without its history, with the full-move number.
    type Position: Turn + Copy + Eq + Debug + Send + Sync;
    /// One whole turn: every jump of a capture and the huff included.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// The word that selects the game: `quoridor`.
    const ID: &'static str;
    /// The name for people: `Quoridor`.
    const NAME: &'static str;
    /// One line for people that says what the game is about.
    const SUMMARY: &'static str;
    /// What the game calls its sides, in lower case, the first to move first. Their initials differ, because position
    /// texts write the side to move as its [initial](crate::notation::initial).
    const SIDES: [&'static str; 2];
    /// The options that choose among the game's rules, named with the game in front: `Quoridor_Walls`.
    const OPTIONS: &'static [OptionSpec] = &[];
    /// The one of the options that chooses a published rule set as a whole; none if the game has just one.
    const RULESET_OPTION: Option<&'static OptionSpec> = None;

    /// Returns the rules that these options choose. It ignores the options of other games, and if the game has no
    /// options it returns the default value.
    fn from_options(options: &Options) -> Self {
        let _ = options;
        Self::default()
    }

    /// The start position.
    fn start(&self) -> Self::Position;

    /// How the game has ended, as far as the position alone tells; `None` if it goes on. The reason is a word of the
    /// rules, or a few, in lower case: `goal`, `four in a row`.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Appends the legal moves to `moves`, each once: none exactly if the [`outcome`](Rules::outcome) is decided.
    ///
    /// The order depends on nothing but what [`search_key`](Rules::search_key) covers.
    fn legal_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// The position after a legal move. The other side is to move then, even if the game is over, unless the sides do
    /// not [alternate](crate::Players::SIDES_ALTERNATE).
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// The key of everything that decides how the game can go on, the history aside: not the full-move number.
    fn search_key(&self, position: &Self::Position) -> u64;

    /// The key of what the repetition rule compares. By default it is the [`search_key`](Rules::search_key).
    fn repetition_key(&self, position: &Self::Position) -> u64 {
        self.search_key(position)
    }

    /// The least number of plies between two positions of a game whose [repetition keys](Rules::repetition_key) are the
    /// same and whose [search keys](Rules::search_key) differ; none if there are no such positions as a search
    /// [sees](crate::Players::seen_by_mover) them, which is the default.
    const MIN_PLIES_TO_SAME_REPETITION_KEY: Option<u32> = None;

    /// The outcome of the third occurrence of this position. None if these rules let it pass or if no position can
    /// occur again, which is the default.
    ///
    /// A game in which positions can occur again must draw here at least where the option
    /// [`REPETITION_DRAW`](crate::rules::options::REPETITION_DRAW) is on.
    fn repetition_outcome(&self, position: &Self::Position) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// Whether after this move no earlier position can ever occur again (a capture, a drop, a wall from the hand).
    ///
    /// It only shortens the search for repetitions; `false`, the default, is always right.
    fn is_irreversible(&self, position: &Self::Position, mv: Self::Move) -> bool {
        let _ = (position, mv);
        false
    }

    /// The symmetries of these rules, the identity left out. It is always right to list fewer than there are.
    fn symmetries(&self) -> Vec<Symmetry<Self>> {
        Vec::new()
    }
}

/// The legal moves of a position, as a list of their own.
pub fn legal_move_list<R: Rules>(rules: &R, position: &R::Position) -> Vec<R::Move> {
    let mut moves = Vec::new();
    rules.legal_moves(position, &mut moves);
    moves
}

/// The turn of a position: whose it is, and its number.
pub trait Turn {
    /// The side whose turn it is.
    fn side_to_move(&self) -> Side;

    /// The full-move number: 1 at the start of a game, one more after each turn of the second side. It is the last
    /// field of every position text.
    fn full_move(&self) -> u32;

    /// The same position with this number.
    #[must_use]
    fn with_full_move(self, full_move: u32) -> Self;
}

/// Implements [`Turn`](crate::Turn) for a position whose fields `side` and `full_move` have the turn.
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

/// A map of a game's positions and moves that keeps all rules, except for what the game's module lists. It is its own
/// inverse.
pub struct Symmetry<R: Rules> {
    /// What it does to the board: `half turn`, `mirror left and right`. Every symmetry keeps the evaluation; but one
    /// with a [net], which may have learnt from some positions and not from their images, need only be kept
    /// by the symmetry called `half turn`.
    ///
    /// [net]: crate::evaluation::net
    pub name: &'static str,
    /// Whether it turns the first side's men into the second's and back, the side to move with them.
    pub swaps_sides: bool,
    /// The image of a position.
    pub position: fn(&R, &R::Position) -> R::Position,
    /// The image of a move.
    pub mv: fn(&R, R::Move) -> R::Move,
}

/// The [`Symmetry`] that belongs to a symmetry of the board, for a game whose `Position` and `Move`, both in scope,
/// have a method `map` for it.
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
