//! The games, each in a folder of its own, and the only list of them: a new game is one more line in it.

pub use pentarch_alcaxar as alcaxar;
pub use pentarch_alquerque as alquerque;
pub use pentarch_bushka as bushka;
pub use pentarch_quoridor as quoridor;
pub use pentarch_roses as roses;

use pentarch_core::players::players_option;
use pentarch_core::{NetInputs, OpeningBook, OptionSpec, Options, Players, Projection, Rules, SourceNotation};
use pentarch_search::CompiledSearch;

/// The game in play.
pub const GAME: OptionSpec = OptionSpec::combo("Game", GameId::WORDS);

/// Everything that the program asks of a game.
pub trait Game: CompiledSearch + NetInputs + SourceNotation + Projection {}

impl<G: CompiledSearch + NetInputs + SourceNotation + Projection> Game for G {}

/// A generic operation on the rules of a game that is chosen at run time: [`GameId::visit`] calls it with their type.
pub trait Visitor {
    /// The result of the operation.
    type Output;

    /// Carries out the operation for the game `G`.
    fn visit<G: Game>(self) -> Self::Output;
}

/// What lists say of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GameEntry {
    /// The [word](Rules::ID) that selects it.
    pub word: &'static str,
    /// Its [name](Rules::NAME).
    pub name: &'static str,
    /// Its [sides](Rules::SIDES).
    pub sides: [&'static str; 2],
    /// Its [summary](Rules::SUMMARY).
    pub summary: &'static str,
}

/// Defines [`GameId`] from the list of games: a line for each word, the rules for two players first.
macro_rules! games {
    ($($game:ident: $rules:ty $(, $other:ident: $other_rules:ty)*;)*) => {
        /// The rules of one of the games, for one number of players.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum GameId {
            $(
                #[doc = concat!("[`", stringify!($rules), "`]")]
                $game,
                $(
                    #[doc = concat!("[`", stringify!($other_rules), "`]")]
                    $other,
                )*
            )*
        }

        impl GameId {
            /// All rules, in the order in which they are listed.
            pub const ALL: &[GameId] = &[$(GameId::$game, $(GameId::$other,)*)*];

            /// The rules for two players, one for each game, in the order in which they are listed.
            pub const FOR_TWO: &[GameId] = &[$(GameId::$game),*];

            /// The words that select the games, in the same order, as are all lists below.
            pub const WORDS: &[&str] = &[$(<$rules>::ID),*];

            /// What lists say of the games.
            pub const ENTRIES: &[GameEntry] = &[$(GameEntry {
                word: <$rules>::ID,
                name: <$rules>::NAME,
                sides: <$rules>::SIDES,
                summary: <$rules>::SUMMARY,
            }),*];

            /// The [problems](OpeningBook::PROBLEMS) of the games.
            pub const PROBLEMS: &[&str] = &[$(<$rules>::PROBLEMS),*];

            /// The [drills](OpeningBook::DRILLS) of the games.
            pub const DRILLS: &[&str] = &[$(<$rules>::DRILLS),*];

            /// The [options](Rules::OPTIONS) of the games.
            pub const OPTIONS: &[&[OptionSpec]] = &[$(<$rules>::OPTIONS),*];

            /// The rules of each game, the ones for two players first.
            const BY_GAME: &[&[GameId]] = &[$(&[GameId::$game $(, GameId::$other)*]),*];

            /// The number of players.
            pub fn players(self) -> usize {
                match self {
                    $(
                        GameId::$game => <$rules>::PLAYERS.len(),
                        $(GameId::$other => <$other_rules>::PLAYERS.len(),)*
                    )*
                }
            }

            /// Calls the visitor with the type of these rules.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(
                        GameId::$game => visitor.visit::<$rules>(),
                        $(GameId::$other => visitor.visit::<$other_rules>(),)*
                    )*
                }
            }
        }
    };
}

games! {
    Alcaxar: alcaxar::Alcaxar;
    Alquerque: alquerque::Alquerque;
    Roses: roses::Roses;
    Quoridor: quoridor::Quoridor, QuoridorForFour: quoridor::four::QuoridorForFour;
    Bushka: bushka::Bushka;
}

impl GameId {
    /// The rules that these options choose: those of the game [`GAME`], for as many players as its
    /// [option](players_option) for their number says.
    pub fn chosen(options: &Options) -> GameId {
        let game = options.choice(&GAME);
        let number = players_option(GameId::OPTIONS[game]).map_or(0, |spec| options.choice(spec));
        GameId::BY_GAME[game][number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::OptionKind;

    #[test]
    fn the_option_for_the_number_of_players_chooses_among_the_rules_of_a_game() {
        let mut chosen = Vec::new();
        for (word, specs) in GameId::WORDS.iter().zip(GameId::OPTIONS) {
            let spec = players_option(specs);
            let OptionKind::Combo { values, .. } = spec.map_or(OptionSpec::combo("", &["2"]).kind, |spec| spec.kind)
            else {
                panic!("{word}: the number of players is a word of a list")
            };
            for &value in values {
                let mut options = Options::default();
                options.set(&GAME, word).unwrap();
                spec.into_iter().for_each(|spec| options.set(spec, value).unwrap());
                chosen.push(GameId::chosen(&options));
                assert_eq!(GameId::chosen(&options).players().to_string(), value);
            }
        }
        assert_eq!(chosen, GameId::ALL);
    }
}
