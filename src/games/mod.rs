//! The games: one folder each, and the only list of them.

pub mod alcaxar;
pub mod alquerque;
pub mod bushka;
pub mod quoridor;
pub mod roses;

use crate::core::{Complete, Game, OptionSpec};

/// Something to be done with a game whose type the caller does not know.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it with this game.
    fn visit<G: Complete>(self) -> Self::Output;
}

/// Makes [`GameId`] from the list of games.
macro_rules! games {
    ($($game:ty as $name:ident,)*) => {
        /// Which game.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum GameId {
            $(
                #[doc = concat!("[`", stringify!($game), "`]")]
                $name,
            )*
        }

        impl GameId {
            /// Every game, in the order in which they are listed.
            pub const ALL: &[GameId] = &[$(GameId::$name),*];

            /// The words that select them, in the same order.
            pub const WORDS: &[&str] = &[$(<$game>::ID),*];

            /// The options of every game.
            pub const OPTIONS: &[&[OptionSpec]] = &[$(<$game>::OPTIONS),*];

            /// Calls the visitor with the type of this game.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(GameId::$name => visitor.visit::<$game>(),)*
                }
            }
        }
    };
}

games! {
    alcaxar::Alcaxar as Alcaxar,
    alquerque::Alquerque as Alquerque,
    roses::Roses as Roses,
    quoridor::Quoridor as Quoridor,
    bushka::Bushka as Bushka,
}
