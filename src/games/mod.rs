//! The games, each in a folder of its own, and the only list of them: a new game is one more line in it.

pub mod alcaxar;
pub mod alquerque;
pub mod bushka;
pub mod quoridor;
pub mod roses;

use crate::core::{Game, OptionSpec, Options, Rules};

/// A generic operation on the rules of a game that is chosen at run time: [`GameId::visit`] calls it with their type.
pub trait Visitor {
    /// The result of the operation.
    type Output;

    /// Carries out the operation for the game `G`.
    fn visit<G: Game>(self) -> Self::Output;
}

/// Defines [`GameId`] from the list of games.
macro_rules! games {
    ($($module:ident::$game:ident $(or $other:ty, if $is_other:expr)?,)*) => {
        /// One of the games.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum GameId {
            $(
                #[doc = concat!("[`", stringify!($module), "::", stringify!($game), "`]")]
                $game,
            )*
        }

        impl GameId {
            /// Every game, in the order in which they are listed.
            pub const ALL: &[GameId] = &[$(GameId::$game),*];

            /// The [word](Rules::ID) that selects each game, in the order of [`ALL`](GameId::ALL).
            pub const WORDS: &[&str] = &[$($module::$game::ID),*];

            /// The [name](Rules::NAME) of each game, in the order of [`ALL`](GameId::ALL).
            pub const NAMES: &[&str] = &[$($module::$game::NAME),*];

            /// The [summary](Rules::SUMMARY) of each game, in the order of [`ALL`](GameId::ALL).
            pub const SUMMARIES: &[&str] = &[$($module::$game::SUMMARY),*];

            /// The [options](Rules::OPTIONS) of each game, in the order of [`ALL`](GameId::ALL).
            pub const OPTIONS: &[&[OptionSpec]] = &[$($module::$game::OPTIONS),*];

            /// Calls the visitor with the type of this game.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(GameId::$game => visitor.visit::<$module::$game>(),)*
                }
            }

            /// Whether these options choose rules of the game for which it has another type, for another number of
            /// players.
            pub fn has_other_rules(self, options: &Options) -> bool {
                let _ = options;
                match self {
                    $(GameId::$game => false $(|| $is_other(options))?,)*
                }
            }

            /// Calls the visitor with the type of the rules that these options choose.
            pub fn visit_rules<V: Visitor>(self, options: &Options, visitor: V) -> V::Output {
                match self {
                    $($(GameId::$game if $is_other(options) => visitor.visit::<$other>(),)?)*
                    _ => self.visit(visitor),
                }
            }
        }
    };
}

games! {
    alcaxar::Alcaxar,
    alquerque::Alquerque,
    roses::Roses,
    quoridor::Quoridor or quoridor::four::QuoridorForFour, if quoridor::four::is_chosen,
    bushka::Bushka,
}
