//! The positions that games begin at.

use std::collections::HashSet;

use crate::core::Options;
use crate::protocol::command::Word;
use crate::protocol::host::new_session;
use crate::protocol::session::Session;

/// Where openings come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Every game begins at the start position.
    Start,
    /// Random legal moves from the start position.
    Random {
        /// How many.
        plies: usize,
        /// What the chance begins with: the same seed gives the same openings.
        seed: u64,
    },
    /// A list, from its beginning again when it is used up.
    List {
        /// Where it comes from, for people.
        name: String,
        /// The openings.
        openings: Vec<Opening>,
    },
}

/// A position, and moves from there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opening {
    /// The text of the position; none for the start position.
    pub fen: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

impl Opening {
    /// Reads `[position] startpos|[fen] TEXT [moves MOVE...]`.
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

    /// Sets a game to this opening.
    ///
    /// # Errors
    /// If these rules do not know the position or forbid a move.
    pub fn set_up(&self, session: &mut dyn Session) -> Result<(), String> {
        let fen = self.fen.as_ref().map(|fen| fen.split_whitespace().map(Word::alone).collect::<Vec<_>>());
        let moves: Vec<Word> = self.moves.iter().map(|text| Word::alone(text)).collect();
        session.set_position(fen.as_deref(), &moves)
    }

    /// The `position` command for this opening and these moves after it.
    pub fn command(&self, moves: &[String]) -> String {
        let start = self.fen.as_ref().map_or("startpos".into(), |fen| format!("fen {fen}"));
        let mut command = format!("position {start}");
        if !(self.moves.is_empty() && moves.is_empty()) {
            command += " moves";
        }
        for mv in self.moves.iter().chain(moves) {
            command.push(' ');
            command += mv;
        }
        command
    }
}

/// Reads a list of openings, one a line; empty lines and those that begin with `#` are for readers.
///
/// # Errors
/// If a line is no undecided position of the game under these rules, or there is none.
pub fn read_list(text: &str, options: &Options) -> Result<Vec<Opening>, String> {
    let mut session = new_session(options);
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = Opening::parse(line);
        let checked = opening.set_up(session.as_mut()).and_then(|()| match session.outcome() {
            None => Ok(()),
            Some(_) => Err(format!("the game is over there: {}", session.verdict())),
        });
        checked.map_err(|error| format!("line {number}: {error}"))?;
        openings.push(opening);
    }
    if openings.is_empty() { Err("it holds no opening".into()) } else { Ok(openings) }
}

/// How often a random opening is thrown away because the game is over, or because it was there already, before the
/// second is put up with and the first is not.
const TRIES: usize = 200;

/// The openings of a match, in their order. They depend on nothing but their source and the rules.
pub struct Openings {
    source: Source,
    session: Box<dyn Session>,
    /// The random ones so far.
    made: Vec<Opening>,
    /// Their positions.
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
            made: Vec::new(),
            seen: HashSet::new(),
            rng: fastrand::Rng::with_seed(seed),
        }
    }

    /// The opening with this number, from 0.
    ///
    /// # Errors
    /// If there is none because random moves only lead to games that are over.
    pub fn get(&mut self, number: usize) -> Result<Opening, String> {
        match &self.source {
            Source::Start => Ok(Opening::default()),
            Source::List { openings, .. } => {
                let at = number.checked_rem(openings.len()).unwrap_or(0);
                Ok(openings.get(at).cloned().unwrap_or_default())
            }
            Source::Random { plies, .. } => {
                let plies = *plies;
                while self.made.len() <= number {
                    let opening = self.random(plies)?;
                    self.made.push(opening);
                }
                Ok(self.made[number].clone())
            }
        }
    }

    fn random(&mut self, plies: usize) -> Result<Opening, String> {
        let mut repeated = None;
        for _ in 0..TRIES {
            let Some(opening) = self.random_moves(plies) else { continue };
            if self.seen.insert(self.session.position_text()) {
                return Ok(opening);
            }
            repeated = Some(opening);
        }
        repeated.ok_or_else(|| format!("{TRIES} times {plies} random plies led to games that were over"))
    }

    /// Makes random moves; none if that ends the game.
    fn random_moves(&mut self, plies: usize) -> Option<Opening> {
        Opening::default().set_up(self.session.as_mut()).ok()?;
        for _ in 0..plies {
            let moves = self.session.legal_moves();
            let mv = self.rng.choice(&moves)?;
            self.session.play(&[Word::alone(mv)]).ok()?;
        }
        self.session.outcome().is_none().then(|| Opening { fen: None, moves: self.session.moves_made() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameId;

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
        let refused = |text: &str| read_list(text, &options).unwrap_err();
        assert_eq!(refused("# none"), "it holds no opening");
        assert!(refused("startpos\nstartpos moves zz").starts_with("line 2: move 1, zz: "));
        assert!(refused("what").starts_with("line 1: position text: "));
    }

    #[test]
    fn random_openings_are_undecided_different_and_the_same_for_the_same_seed() {
        for (id, word) in GameId::ALL.iter().zip(GameId::WORDS) {
            let mut options = Options::default();
            options.set(&crate::protocol::settings::GAME, word).unwrap();
            let source = Source::Random { plies: 5, seed: 7 };
            let (mut one, mut other) = (Openings::new(&source, &options), Openings::new(&source, &options));
            let last = other.get(19).unwrap();
            let mut seen = HashSet::new();
            for number in 0..20 {
                let opening = one.get(number).unwrap();
                let mut session = new_session(&options);
                opening.set_up(session.as_mut()).unwrap();
                assert!(opening.moves.len() == 5 && session.outcome().is_none(), "{id:?}");
                assert!(seen.insert(session.position_text()), "{id:?}");
            }
            assert_eq!(one.get(19).unwrap(), last);
            let mut third = Openings::new(&Source::Random { plies: 5, seed: 8 }, &options);
            assert_ne!(third.get(19).unwrap(), last);
        }
    }

    #[test]
    fn openings_that_cannot_be_are_no_endless_search() {
        let mut openings = Openings::new(&Source::Random { plies: 0, seed: 1 }, &Options::default());
        assert_eq!((openings.get(0), openings.get(5)), (Ok(Opening::default()), Ok(Opening::default())));
        let mut openings = Openings::new(&Source::Random { plies: 100_000, seed: 1 }, &Options::default());
        assert!(openings.get(0).unwrap_err().contains("random plies led to games that were over"));
    }
}
