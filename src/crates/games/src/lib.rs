//! The list of the games. No other list exists. Each game is a separate crate, and a new game needs
//! one more line in this list.
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
//! let error = history.find_move("a9").unwrap_err();
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
//!     history.push(history.find_move(&mv.text)?);
//! }
//! let limits = Limits { nodes: Some(10_000), ..Limits::default() };
//! let answer = Searcher::new(rules.clone()).search(&history, &limits).ok_or("the game is over")?;
//! println!("{}", rules.move_text(answer.best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use pentarch_core::{
    ComboOption, Exercises, GoBoardProjection, MatchOpenings, NetInputs, OptionSpec, Options,
    Players, PublishedNotation, Rules, WriteTables,
};
use pentarch_search::CompiledSearch;

/// The option that selects the game to play. Its value is the index of the game in the lists of
/// [`GameId`].
pub const GAME_OPTION: ComboOption<usize> = OptionSpec::combo(
    "Game",
    "Game to be played",
    GameId::GAME_OPTION_WORDS,
    &GameId::GAME_INDICES,
    0,
);

/// The word of the game that lists for newcomers put first: more people know it than the others.
pub const NEWCOMER_GAME_WORD: &str = pentarch_quoridor::Quoridor::GAME_ID;

/// All traits that a game implements.
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

/// An operation that is generic over the rules of a game. [`GameId::run`] calls it with the type of
/// the rules that were chosen at run time.
pub trait GameOperation {
    /// The result of the operation.
    type Output;

    /// Executes the operation for the game `G`.
    fn run_for_game<G: Game>(self) -> Self::Output;
}

/// The word, the name, the sides and the summary of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameEntry {
    /// The [word](Rules::GAME_ID) that selects the game.
    pub word: &'static str,
    /// The [name](Rules::GAME_NAME) of the game.
    pub name: &'static str,
    /// The [sides](Rules::SIDE_NAMES) of the game.
    pub sides: [&'static str; 2],
    /// The [summary](Rules::GAME_SUMMARY) of the game.
    pub summary: &'static str,
}

/// Defines [`GameId`] from the list of the games. Each line of the list is a game: first its rules
/// for two players, then its rules for other numbers of players.
macro_rules! games {
    ($($game:ident: $rules:ty $(, $other:ident: $other_rules:ty)*;)*) => {
        /// The rules of a game for one number of players.
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
            /// The rules of all games, for all numbers of players, in the order of the games.
            pub const ALL: &[GameId] = &[$(GameId::$game, $(GameId::$other,)*)*];

            /// The rules of each game for two players, in the order of the games.
            pub const TWO_PLAYER_GAMES: &[GameId] = &[$(GameId::$game),*];

            /// The words that select the games. All lists below have the same order.
            pub const GAME_OPTION_WORDS: &[&str] = &[$(<$rules>::GAME_ID),*];

            /// The indices of the games in the lists: 0, 1, 2 and so on.
            const GAME_INDICES: [usize; GameId::GAME_OPTION_WORDS.len()] = {
                let mut indices = [0; GameId::GAME_OPTION_WORDS.len()];
                let mut index = 0;
                while index < indices.len() {
                    indices[index] = index;
                    index += 1;
                }
                indices
            };

            /// The entries of the games.
            pub const GAME_ENTRIES: &[GameEntry] = &[$(GameEntry {
                word: <$rules>::GAME_ID,
                name: <$rules>::GAME_NAME,
                sides: <$rules>::SIDE_NAMES,
                summary: <$rules>::GAME_SUMMARY,
            }),*];

            /// The [problems](Exercises::PROBLEM_RECORDS) of the games.
            pub const PROBLEM_RECORDS: &[&str] = &[$(<$rules>::PROBLEM_RECORDS),*];

            /// The [drills](Exercises::DRILL_POSITIONS) of the games.
            pub const DRILL_POSITIONS: &[&str] = &[$(<$rules>::DRILL_POSITIONS),*];

            /// The [options](Rules::RULE_OPTIONS) of the games.
            pub const OPTIONS_BY_GAME: &[&[OptionSpec]] = &[$(<$rules>::RULE_OPTIONS),*];

            /// The [options](Players::PLAYER_COUNT_OPTION) for the number of players.
            const PLAYER_COUNT_OPTIONS_BY_GAME: &[Option<&ComboOption<usize>>] =
                &[$(<$rules>::PLAYER_COUNT_OPTION),*];

            /// For each game, the [option](Rules::RULESET_OPTION) that chooses a published rule
            /// set; `None` if the game has just one.
            pub const RULESET_OPTIONS_BY_GAME: &[Option<&OptionSpec>] = &[$(<$rules>::RULESET_OPTION),*];

            /// For each game, its rules for all numbers of players. The rules for two players come
            /// first.
            const GAME_IDS_BY_GAME: &[&[GameId]] = &[$(&[GameId::$game $(, GameId::$other)*]),*];

            /// Returns the number of players.
            pub fn player_count(self) -> usize {
                match self {
                    $(
                        GameId::$game => <$rules>::PLAYER_NAMES.len(),
                        $(GameId::$other => <$other_rules>::PLAYER_NAMES.len(),)*
                    )*
                }
            }

            /// Runs a generic operation with the type of the chosen rules.
            pub fn run<O: GameOperation>(self, operation: O) -> O::Output {
                match self {
                    $(
                        GameId::$game => operation.run_for_game::<$rules>(),
                        $(GameId::$other => operation.run_for_game::<$other_rules>(),)*
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

impl GameId {
    /// Returns the rules that the options choose: [`GAME_OPTION`] chooses the game, and an [option
    /// of the game](Players::PLAYER_COUNT_OPTION) chooses the number of players.
    pub fn from_options(options: &Options) -> GameId {
        let game = options.choice(&GAME_OPTION);
        let players =
            GameId::PLAYER_COUNT_OPTIONS_BY_GAME[game].map_or(2, |option| options.choice(option));
        let mut rules = GameId::GAME_IDS_BY_GAME[game].iter().copied();
        rules
            .find(|rules| rules.player_count() == players)
            .unwrap_or(GameId::TWO_PLAYER_GAMES[game])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_players_option_chooses_among_the_rules_of_a_game() {
        let mut chosen = Vec::new();
        for (word, option) in
            GameId::GAME_OPTION_WORDS.iter().zip(GameId::PLAYER_COUNT_OPTIONS_BY_GAME)
        {
            let mut options = Options::default();
            options.set(&GAME_OPTION, word).unwrap();
            let numbers = option.map_or(&[2][..], |option| option.values());
            for &players in numbers {
                if let Some(option) = option {
                    options.set(option, &players.to_string()).unwrap();
                }
                chosen.push(GameId::from_options(&options));
                assert_eq!(GameId::from_options(&options).player_count(), players);
            }
        }
        assert_eq!(chosen, GameId::ALL);
    }
}
