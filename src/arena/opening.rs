//! The positions that games begin at.

use std::collections::HashSet;

use thiserror::Error;

use pentarch_core::Options;
use pentarch_engine::engine_state::new_session;
use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::Word;
use pentarch_engine::session::Session;
use pentarch_games::{Game, GameId, Visitor};
use pentarch_system::{ErrorContext, Located};

/// An error of an opening.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The position or a move is not legal.
    #[error(transparent)]
    Engine(#[from] Box<EngineError>),
    /// The game is over after the opening.
    #[error("the game is over there: {outcome}")]
    GameOver {
        /// The outcome in the words of the game: `red has won (fortress)`.
        outcome: String,
    },
}

/// An error of a list of openings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpeningListError {
    /// A line is not an opening.
    #[error(transparent)]
    Line(#[from] Located<OpeningError>),
    /// The list has no opening.
    #[error("it holds no opening")]
    Empty,
}

/// An error of a list of openings, with the name of the list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name}, {error}")]
pub struct SourceError {
    /// The name of the list for people.
    pub name: String,
    /// The error.
    pub error: OpeningListError,
}

/// All series of random moves that were tried have ended the game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{TRIES} times {plies} random plies led to games that were over")]
pub struct RandomOpeningError {
    /// The number of random moves.
    pub plies: usize,
}

/// The source of openings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Every game begins at the start position.
    Start,
    /// Random legal moves from the start position.
    Random {
        /// The number of random moves.
        plies: usize,
        /// The seed of the random generator: the same seed gives the same openings.
        seed: u64,
    },
    /// A list, which begins again when it is used up.
    List {
        /// The name of the list for people.
        name: String,
        /// The openings.
        openings: Vec<Opening>,
    },
}

impl Source {
    /// A list with this name and text, which [`read_list`] parses.
    ///
    /// # Errors
    /// As those of [`read_list`]; the error names the list.
    pub fn list(name: String, text: &str, options: &Options) -> Result<Source, SourceError> {
        match read_list(text, options) {
            Ok(openings) => Ok(Source::List { name, openings }),
            Err(error) => Err(SourceError { name, error }),
        }
    }

    /// The greatest number of moves of an opening.
    pub fn plies(&self) -> usize {
        match self {
            Source::Start => 0,
            Source::Random { plies, .. } => *plies,
            Source::List { openings, .. } => {
                openings.iter().map(|opening| opening.moves.len()).max().unwrap_or(0)
            }
        }
    }
}

/// An opening: a position, and moves from there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opening {
    /// The text of the position; `None` for the start position.
    pub fen: Option<String>,
    /// The texts of the moves.
    pub moves: Vec<String>,
}

impl Opening {
    /// Parses `[position] startpos|[fen] TEXT [moves MOVE...]`.
    fn parse(line: &str) -> Opening {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"position") {
            words.remove(0);
        }
        let split = words.iter().position(|&word| word == "moves");
        let (start, moves) = words.split_at(split.unwrap_or(words.len()));
        let fen = match start {
            ["startpos"] => None,
            ["fen", fen @ ..] | fen => Some(fen.join(" ")),
        };
        Opening { fen, moves: moves.iter().skip(1).map(ToString::to_string).collect() }
    }

    /// Sets up this opening in a session.
    ///
    /// # Errors
    /// If the text is no position of the session's rules, or a move is not legal.
    pub fn set_up(&self, session: &mut dyn Session) -> Result<(), EngineError> {
        let fen = self
            .fen
            .as_ref()
            .map(|fen| fen.split_whitespace().map(Word::alone).collect::<Vec<_>>());
        let moves: Vec<Word> = self.moves.iter().map(|text| Word::alone(text)).collect();
        session.set_position(fen.as_deref(), &moves)
    }

    /// Checks that the opening is legal and does not end the game.
    fn check(&self, session: &mut dyn Session) -> Result<(), OpeningError> {
        self.set_up(session).map_err(Box::new)?;
        match session.standing().outcome {
            None => Ok(()),
            Some(_) => Err(OpeningError::GameOver { outcome: session.outcome_sentence() }),
        }
    }

    /// The `position` command for this opening and these moves after it.
    pub fn command(&self, moves: &[String]) -> String {
        let start = self.fen.as_ref().map_or("startpos".into(), |fen| format!("fen {fen}"));
        let moves = [&self.moves, moves].concat();
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        format!("position {start}{moves}")
    }
}

/// Parses a list of openings, one a line. Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// If a line is no opening under the rules that these options choose, if the game is over after an opening, or if the
/// list has no opening.
pub fn read_list(text: &str, options: &Options) -> Result<Vec<Opening>, OpeningListError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut session = new_session(options);
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = Opening::parse(line);
        opening.check(session.as_mut()).at_line(number)?;
        openings.push(opening);
    }
    if openings.is_empty() { Err(OpeningListError::Empty) } else { Ok(openings) }
}

/// The [openings](pentarch_core::MatchOpenings::openings) that the game itself has under the rules that these options
/// choose; the start position if it has none.
///
/// # Errors
/// If a line of the game's list is no opening.
pub fn of_the_game(options: &Options) -> Result<Source, SourceError> {
    struct List<'a>(&'a Options);
    impl Visitor for List<'_> {
        type Output = Option<&'static str>;
        fn visit<G: Game>(self) -> Option<&'static str> {
            G::from_options(self.0).openings()
        }
    }
    match GameId::chosen(options).visit(List(options)) {
        Some(text) => Source::list("the game".into(), text, options),
        None => Ok(Source::Start),
    }
}

/// How many random openings are tried for one that leaves the game undecided and differs from those before. If all of
/// them end the game, that is an error; if they only repeat others, one of them is used.
const TRIES: usize = 200;

/// The openings of a match, by their numbers. They depend on nothing but their source and the rules.
pub struct Openings {
    source: Source,
    session: Box<dyn Session>,
    /// The random openings so far.
    generated: Vec<Opening>,
    /// The texts of the positions that they lead to.
    seen: HashSet<String>,
    rng: fastrand::Rng,
}

impl Openings {
    /// The openings of this source under these rules.
    pub fn new(source: &Source, options: &Options) -> Openings {
        let seed = if let Source::Random { seed, .. } = source { *seed } else { 0 };
        Openings {
            source: source.clone(),
            session: new_session(options),
            generated: Vec::new(),
            seen: HashSet::new(),
            rng: fastrand::Rng::with_seed(seed),
        }
    }

    /// The opening with this number, from 0.
    ///
    /// # Errors
    /// If random moves led only to games that were over.
    pub fn get(&mut self, number: usize) -> Result<Opening, RandomOpeningError> {
        match &self.source {
            Source::Start => Ok(Opening::default()),
            Source::List { openings, .. } => {
                let at = number.checked_rem(openings.len());
                Ok(at.map(|at| openings[at].clone()).unwrap_or_default())
            }
            &Source::Random { plies, .. } => {
                while self.generated.len() <= number {
                    let opening = self.random(plies)?;
                    self.generated.push(opening);
                }
                Ok(self.generated[number].clone())
            }
        }
    }

    /// A random opening, different from those before if that can be had.
    fn random(&mut self, plies: usize) -> Result<Opening, RandomOpeningError> {
        let mut repeated = None;
        for _ in 0..TRIES {
            let Some(opening) = self.random_moves(plies) else { continue };
            if self.seen.insert(self.session.position_text()) {
                return Ok(opening);
            }
            repeated = Some(opening);
        }
        repeated.ok_or(RandomOpeningError { plies })
    }

    /// This many random moves from the start position; `None` if they end the game.
    fn random_moves(&mut self, plies: usize) -> Option<Opening> {
        Opening::default().set_up(self.session.as_mut()).ok()?;
        for _ in 0..plies {
            let moves = self.session.legal_moves();
            let mv = self.rng.choice(&moves)?;
            self.session.play(&[Word::alone(&mv.text)]).ok()?;
        }
        let goes_on = self.session.standing().outcome.is_none();
        goes_on.then(|| Opening { fen: None, moves: self.session.course().moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_games::GameId;

    #[test]
    fn lists_are_read_and_checked() {
        let options = Options::default();
        let start = new_session(&options).position_text();
        let text = format!("# two\n\nstartpos\n{start}\nposition fen {start} moves\n");
        let openings = read_list(&text, &options).unwrap();
        let from_text = Opening { fen: Some(start.clone()), moves: vec![] };
        assert_eq!(openings, [Opening::default(), from_text.clone(), from_text]);
        assert_eq!(openings[1].command(&["x".into()]), format!("position fen {start} moves x"));
        assert_eq!(openings[0].command(&[]), "position startpos");
        let refused = |text: &str| read_list(text, &options).unwrap_err().to_string();
        assert_eq!(refused("# none"), "it holds no opening");
        assert!(refused("startpos\nstartpos moves zz").starts_with("line 2: move 1, zz: "));
        assert!(refused("what").starts_with("line 1: position text: "));
    }

    #[test]
    fn random_openings_are_undecided_different_and_the_same_for_the_same_seed() {
        for (id, word) in GameId::FOR_TWO.iter().zip(GameId::WORDS) {
            let mut options = Options::default();
            options.set(&pentarch_games::GAME, word).unwrap();
            let source = Source::Random { plies: 5, seed: 7 };
            let (mut one, mut other) =
                (Openings::new(&source, &options), Openings::new(&source, &options));
            let last = other.get(19).unwrap();
            let mut seen = HashSet::new();
            for number in 0..20 {
                let opening = one.get(number).unwrap();
                let mut session = new_session(&options);
                opening.set_up(session.as_mut()).unwrap();
                assert!(opening.moves.len() == 5 && session.standing().outcome.is_none(), "{id:?}");
                assert!(seen.insert(session.position_text()), "{id:?}");
            }
            assert_eq!(one.get(19).unwrap(), last);
            let mut third = Openings::new(&Source::Random { plies: 5, seed: 8 }, &options);
            assert_ne!(third.get(19).unwrap(), last);
        }
    }

    #[test]
    fn openings_that_cannot_be_are_no_endless_search() {
        let mut openings =
            Openings::new(&Source::Random { plies: 0, seed: 1 }, &Options::default());
        assert_eq!(
            (openings.get(0), openings.get(5)),
            (Ok(Opening::default()), Ok(Opening::default()))
        );
        let mut openings =
            Openings::new(&Source::Random { plies: 100_000, seed: 1 }, &Options::default());
        assert_eq!(openings.get(0), Err(RandomOpeningError { plies: 100_000 }));
    }
}
