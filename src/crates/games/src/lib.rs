//! The games of the program `pentarch`. Each game is a separate crate. A program with other games
//! has its own list.
//!
//! # A random game
//!
//! ```
//! use std::sync::Arc;
//!
//! use pentarch_core::{GameHistory, Notation, Rules, Side};
//! use pentarch_alquerque::Alquerque;
//!
//! let rules = Arc::new(Alquerque::default());
//! let mut history = GameHistory::new(rules.clone(), rules.start_position());
//! let mut random = fastrand::Rng::with_seed(1);
//! let mut moves = Vec::new();
//! while history.outcome().is_none() {
//!     moves.clear();
//!     history.legal_moves(&mut moves);
//!     history.push(moves[random.usize(..moves.len())]);
//! }
//! println!("{}\n{}", rules.board_diagram(history.position(), Side::First), history.status_protocol_words());
//! ```
//!
//! # Legal moves, and the reasons why others are illegal
//!
//! ```
//! use std::sync::Arc;
//!
//! use pentarch_core::{GameHistory, Rules};
//! use pentarch_quoridor::Quoridor;
//!
//! let rules = Arc::new(Quoridor::default());
//! let history = GameHistory::new(rules.clone(), rules.start_position());
//! assert_eq!(history.legal_move_strings().len(), 131);
//! let error = history.resolve_move("a9").unwrap_err();
//! assert!(error.to_string().starts_with("a9 is not a neighbour of e1, "));
//! ```
//!
//! # A recorded game, and the best move at its end
//!
//! ```
//! use std::sync::Arc;
//!
//! use pentarch_core::notation::record::GameRecord;
//! use pentarch_core::{GameHistory, Notation, Rules};
//! use pentarch_quoridor::Quoridor;
//! use pentarch_search::{Limits, Searcher};
//!
//! let rules = Arc::new(Quoridor::default());
//! let mut history = GameHistory::new(rules.clone(), rules.start_position());
//! let record = GameRecord::parse("[Game \"quoridor\"]\n1. e2 e8 2. e3 *")?;
//! for mv in &record.moves {
//!     history.push(history.resolve_move(&mv.text)?);
//! }
//! let limits = Limits { nodes: Some(10_000), ..Limits::default() };
//! let answer = Searcher::new(rules.clone()).search(&history, &limits).ok_or("the game is over")?;
//! println!("{}", rules.move_text(answer.best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use pentarch_core::{
    Exercises, GoBoardProjection, MatchOpenings, NetInputs, PublishedNotation, WriteTables,
};
use pentarch_search::CompiledSearch;

/// The word of the game that comes first in lists for newcomers, because most people know it.
pub const NEWCOMER_GAME_WORD: &str = <pentarch_quoridor::Quoridor as pentarch_core::Rules>::GAME_ID;

/// All traits that a game implements.
#[diagnostic::on_unimplemented(note = "`compile_search!({Self})` implements `CompiledSearch`")]
pub trait Game:
    CompiledSearch
    + NetInputs
    + PublishedNotation
    + GoBoardProjection
    + WriteTables
    + MatchOpenings
    + Exercises
{
}

impl<G> Game for G where
    G: CompiledSearch
        + NetInputs
        + PublishedNotation
        + GoBoardProjection
        + WriteTables
        + MatchOpenings
        + Exercises
{
}

/// An operation that is generic over the rules of a game.
pub trait GameOperation {
    /// The result of the operation.
    type Output;

    /// Executes the operation for the game `G`.
    fn run_for_game_type<G: Game>(self) -> Self::Output;
}

/// An entry in a list of games.
pub trait GameEntry: Sized {
    /// Returns a game with its rules for two players.
    fn new<G: Game>() -> Self;

    /// Adds the rules for another number of players.
    #[must_use]
    fn with_additional_rules<G: Game>(self) -> Self;
}

/// Defines [`BuiltinRules`] from the list of the games. Each line of the list contains a game's
/// rules: first for two players, then for other numbers of players.
macro_rules! games {
    ($($game:ident: $rules:ty $(, $other:ident: $other_rules:ty)*;)*) => {
        /// The rules of a built-in game for one number of players.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum BuiltinRules {
            $(
                #[doc = concat!("[`", stringify!($rules), "`]")]
                $game,
                $(
                    #[doc = concat!("[`", stringify!($other_rules), "`]")]
                    $other,
                )*
            )*
        }

        impl BuiltinRules {
            /// The rules of all games, for all numbers of players, in the order of the games.
            pub const ALL_RULES: &[BuiltinRules] = &[$(BuiltinRules::$game, $(BuiltinRules::$other,)*)*];

            /// The rules of each game for two players, in the order of the games.
            pub const TWO_PLAYER_GAMES: &[BuiltinRules] = &[$(BuiltinRules::$game),*];

            /// Returns an entry for each game, in the order of the games.
            pub fn list_games<E: GameEntry>() -> Vec<E> {
                vec![$(E::new::<$rules>()$(.with_additional_rules::<$other_rules>())*),*]
            }

            /// Runs a generic operation with the type of the rules.
            pub fn run_operation<O: GameOperation>(self, operation: O) -> O::Output {
                match self {
                    $(
                        BuiltinRules::$game => operation.run_for_game_type::<$rules>(),
                        $(BuiltinRules::$other => operation.run_for_game_type::<$other_rules>(),)*
                    )*
                }
            }
        }
    };
}

games! {
    Alcaxar: pentarch_alcaxar::Alcaxar;
    Alquerque: pentarch_alquerque::Alquerque;
    Roses: pentarch_roses::Roses;
    Quoridor: pentarch_quoridor::Quoridor, QuoridorForFour: pentarch_quoridor::four_players::QuoridorForFour;
    Bushka: pentarch_bushka::Bushka;
}
