//! Chooses the openings of games: start positions and first moves.

use std::collections::HashSet;

use thiserror::Error;

use crate::convert::opening_list::{Opening, OpeningListError, parse_openings};
use crate::games::RunOperation;
use pentarch_core::Options;
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::games::RulesId;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::session::Session;
use pentarch_games::{Game, GameOperation};

/// An error in a list of openings, with the name of the list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name}, {error}")]
pub struct OpeningSourceError {
    /// The name of the list in messages.
    pub name: String,
    /// The error in the list.
    pub error: OpeningListError,
}

/// The error if random moves have ended the game in every attempt.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{MAX_RANDOM_OPENING_ATTEMPTS} times {plies} random plies led to games that were over")]
pub struct RandomOpeningError {
    /// The number of random moves.
    pub plies: usize,
}

/// A source of openings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpeningSource {
    /// The start position for every game.
    Start,
    /// Random legal moves from the start position.
    Random {
        /// The number of random moves.
        plies: usize,
        /// The seed of the random generator. The same seed gives the same openings.
        seed: u64,
    },
    /// A list. After its last opening, the list starts again.
    List {
        /// The name of the list in messages.
        name: String,
        /// The openings of the list, in order.
        openings: Vec<Opening>,
    },
}

impl OpeningSource {
    /// Parses a list with this name and text; see [`parse_openings`].
    ///
    /// # Errors
    /// The errors of [`parse_openings`], with the name of the list.
    pub fn parse_list(
        name: String,
        text: &str,
        options: &Options,
    ) -> Result<OpeningSource, OpeningSourceError> {
        match parse_openings(text, options) {
            Ok(openings) => Ok(OpeningSource::List { name, openings }),
            Err(error) => Err(OpeningSourceError { name, error }),
        }
    }

    /// Returns the maximum number of moves of an opening.
    pub fn max_plies(&self) -> usize {
        match self {
            OpeningSource::Start => 0,
            OpeningSource::Random { plies, .. } => *plies,
            OpeningSource::List { openings, .. } => {
                openings.iter().map(|opening| opening.moves.len()).max().unwrap_or(0)
            }
        }
    }
}

/// Returns the [openings](pentarch_core::MatchOpenings::match_openings) of the game under the rules
/// in `options`; the start position if the game has none.
///
/// # Errors
/// If a line of the game's list is not an opening.
pub fn builtin_openings(options: &Options) -> Result<OpeningSource, OpeningSourceError> {
    match RulesId::from_options(options).run_operation(BuiltinOpeningsOperation(options)) {
        Some(text) => OpeningSource::parse_list("the game".into(), text, options),
        None => Ok(OpeningSource::Start),
    }
}

/// Returns the built-in openings of a game under the rules of these options.
pub(crate) struct BuiltinOpeningsOperation<'a>(&'a Options);

impl GameOperation for BuiltinOpeningsOperation<'_> {
    type Output = Option<&'static str>;

    fn run_for_game_type<G: Game>(self) -> Option<&'static str> {
        G::from_options(self.0).match_openings()
    }
}

/// The maximum number of attempts at a new random opening. An attempt fails if its moves end the
/// game, or if the opening repeats an earlier opening. If all attempts fail, a repeated opening is
/// used. It is an error if every attempt has ended the game.
const MAX_RANDOM_OPENING_ATTEMPTS: usize = 200;

/// The openings of a match by number. The openings depend only on their source and the rules.
pub struct NumberedOpenings {
    source: OpeningSource,
    session: Box<dyn Session>,
    /// The random openings generated so far.
    generated: Vec<Opening>,
    /// The FENs of the positions after the random openings.
    seen: HashSet<String>,
    rng: fastrand::Rng,
}

impl NumberedOpenings {
    /// Creates the openings of this source under these rules.
    pub fn new(source: &OpeningSource, options: &Options) -> NumberedOpenings {
        let seed = if let OpeningSource::Random { seed, .. } = source { *seed } else { 0 };
        NumberedOpenings {
            source: source.clone(),
            session: new_game_session(options),
            generated: Vec::new(),
            seen: HashSet::new(),
            rng: fastrand::Rng::with_seed(seed),
        }
    }

    /// Returns the opening with this number, from 0.
    ///
    /// # Errors
    /// If random moves ended the game in every attempt.
    pub fn opening_of_number(&mut self, number: usize) -> Result<Opening, RandomOpeningError> {
        match &self.source {
            OpeningSource::Start => Ok(Opening::default()),
            OpeningSource::List { openings, .. } => {
                let index = number.checked_rem(openings.len());
                Ok(index.map(|index| openings[index].clone()).unwrap_or_default())
            }
            &OpeningSource::Random { plies, .. } => {
                while self.generated.len() <= number {
                    let opening = self.random_opening(plies)?;
                    self.generated.push(opening);
                }
                Ok(self.generated[number].clone())
            }
        }
    }

    /// Returns a random opening. Tries several times to find an opening that does not repeat an
    /// earlier one. If every attempt fails, returns a repeated opening.
    fn random_opening(&mut self, plies: usize) -> Result<Opening, RandomOpeningError> {
        let mut repeated = None;
        for _ in 0..MAX_RANDOM_OPENING_ATTEMPTS {
            let Some(opening) = self.try_random_opening(plies) else { continue };
            if self.seen.insert(self.session.position_fen()) {
                return Ok(opening);
            }
            repeated = Some(opening);
        }
        repeated.ok_or(RandomOpeningError { plies })
    }

    /// Returns `plies` random moves from the start position; `None` if the moves end the game.
    fn try_random_opening(&mut self, plies: usize) -> Option<Opening> {
        Opening::default().set_up_session(self.session.as_mut()).ok()?;
        for _ in 0..plies {
            let moves = self.session.legal_moves();
            let mv = self.rng.choice(&moves)?;
            self.session.play_moves(&[InputWord::from_text(&mv.text)]).ok()?;
        }
        let is_unfinished = self.session.game_state().outcome.is_none();
        is_unfinished.then(|| Opening { fen: None, moves: self.session.game_moves().moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_engine::games::{GAME_OPTION, all_game_words};

    #[test]
    fn random_openings_are_undecided_distinct_and_reproducible() {
        for word in all_game_words() {
            let mut options = Options::default();
            options.set(&GAME_OPTION, word).unwrap();
            let source = OpeningSource::Random { plies: 5, seed: 7 };
            let mut one = NumberedOpenings::new(&source, &options);
            let mut other = NumberedOpenings::new(&source, &options);
            let last = other.opening_of_number(19).unwrap();
            let mut seen = HashSet::new();
            for number in 0..20 {
                let opening = one.opening_of_number(number).unwrap();
                let mut session = new_game_session(&options);
                opening.set_up_session(session.as_mut()).unwrap();
                assert!(
                    opening.moves.len() == 5 && session.game_state().outcome.is_none(),
                    "{word}"
                );
                assert!(seen.insert(session.position_fen()), "{word}");
            }
            assert_eq!(one.opening_of_number(19).unwrap(), last);
            let mut third =
                NumberedOpenings::new(&OpeningSource::Random { plies: 5, seed: 8 }, &options);
            assert_ne!(third.opening_of_number(19).unwrap(), last);
        }
    }

    #[test]
    fn impossible_random_openings_end_the_attempts() {
        let mut openings = NumberedOpenings::new(
            &OpeningSource::Random { plies: 0, seed: 1 },
            &Options::default(),
        );
        assert_eq!(
            (openings.opening_of_number(0), openings.opening_of_number(5)),
            (Ok(Opening::default()), Ok(Opening::default()))
        );
        let mut openings = NumberedOpenings::new(
            &OpeningSource::Random { plies: 100_000, seed: 1 },
            &Options::default(),
        );
        assert_eq!(openings.opening_of_number(0), Err(RandomOpeningError { plies: 100_000 }));
    }
}
