//! The file that keeps games: text, one game a line, written as the games end.
//!
//! ```text
//! quoridor seed=1 RepetitionDraw=true Quoridor_BoardSize=5
//! 0 1-0 c2 a1h c3:50 c4:10 d3:90
//! 2 0-1 c1h c4 c2:-30 ...
//! ```
//!
//! The first line names the game, the seed and all options of the rules that differ from their defaults. A game is its
//! number, its result and its moves from the start position, each with the score in centipawns that the search gave it
//! for the side to move; moves without a score are random ones. Lines stand in the order in which the games ended. The
//! result is that of the last position, or what the search proved there, or a draw because the game was long.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::core::files::check_plain;
use crate::core::options::REPETITION_DRAW;
use crate::core::text::{quoted, shortened};
use crate::core::{Complete, Line, OptionSpec, Options, Side};

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<M> {
    /// The seed of the game, next to that of the file.
    pub number: u32,
    /// Who has won; nobody in a draw.
    pub winner: Option<Side>,
    /// The moves, each with its score by search, in centipawns for the side to move; none for random moves.
    pub moves: Vec<(M, Option<i32>)>,
}

/// How many games ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won by either side.
    pub won: [u32; 2],
    /// Won by neither.
    pub drawn: u32,
}

impl Tally {
    /// Counts one game.
    pub fn count(&mut self, winner: Option<Side>) {
        match winner {
            Some(side) => self.won[side.index()] += 1,
            None => self.drawn += 1,
        }
    }
}

/// A file of games by one set of rules.
#[derive(Debug)]
pub struct GamesFile<G: Complete> {
    path: PathBuf,
    file: File,
    rules: Arc<G>,
    records: BTreeMap<u32, Record<G::Move>>,
}

impl<G: Complete> GamesFile<G> {
    /// Opens a file to add games by these rules to it, and reads it; it is created if there is none.
    ///
    /// # Errors
    /// If it cannot be read and written, or holds something else.
    pub fn open(path: &Path, rules: Arc<G>, options: &Options, seed: u64) -> Result<GamesFile<G>, String> {
        let fail = |error| format!("{}: {error}", path.display());
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(fail)?;
        check_plain(path).map_err(fail)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fail)?;
        let head = head::<G>(options, seed);
        // A line without its end is the rest of a game whose writing was cut short.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut games = GamesFile { path: path.into(), file, rules, records: BTreeMap::new() };
        if head.starts_with(&text) {
            games.file.set_len(0).map_err(fail)?;
            games.file.write_all(format!("{head}\n").as_bytes()).map_err(fail)?;
            return Ok(games);
        }
        let found = text.lines().next().unwrap_or_default();
        if found != head {
            let (place, found) = (path.display(), shortened(found));
            return Err(format!("{place}: holds something else\n  its first line: {found}\n  it should be:   {head}"));
        }
        games.read_lines(&text[..whole])?;
        games.file.set_len(whole as u64).map_err(fail)?;
        Ok(games)
    }

    /// Reads a file of games by any rules.
    ///
    /// # Errors
    /// If it cannot be read, or holds something else.
    pub fn read(path: &Path) -> Result<GamesFile<G>, String> {
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        check_plain(path).map_err(|error| fail(&error))?;
        let mut file = File::open(path).map_err(|error| fail(&error))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| fail(&error))?;
        let options = options::<G>(text.lines().next().unwrap_or_default()).map_err(|error| fail(&error))?;
        let rules = Arc::new(G::from_options(&options));
        let mut games = GamesFile { path: path.into(), file, rules, records: BTreeMap::new() };
        games.read_lines(&text[..text.rfind('\n').map_or(0, |end| end + 1)])?;
        Ok(games)
    }

    fn read_lines(&mut self, text: &str) -> Result<(), String> {
        for (number, line) in (1..).zip(text.lines()).skip(1) {
            let record =
                parse(&self.rules, line).map_err(|error| format!("{}: line {number}: {error}", self.path.display()))?;
            self.records.insert(record.number, record);
        }
        Ok(())
    }

    /// The rules that the games were played by.
    pub fn rules(&self) -> &Arc<G> {
        &self.rules
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The games by their numbers.
    pub fn records(&self) -> impl Iterator<Item = &Record<G::Move>> {
        self.records.values()
    }

    /// Whether the file holds the game of this number.
    pub fn holds(&self, number: u32) -> bool {
        self.records.contains_key(&number)
    }

    /// How many games the file holds.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether the file holds no game.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: Record<G::Move>) -> Result<(), String> {
        let line = text(&*self.rules, &record) + "\n";
        self.file.write_all(line.as_bytes()).map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.records.insert(record.number, record);
        Ok(())
    }
}

fn specs<G: Complete>() -> impl Iterator<Item = &'static OptionSpec> {
    std::iter::once(&REPETITION_DRAW).chain(G::OPTIONS)
}

/// The first line of a file.
fn head<G: Complete>(options: &Options, seed: u64) -> String {
    let set = specs::<G>().filter(|spec| options.text(spec) != spec.default_value());
    set.fold(format!("{} seed={seed}", G::ID), |line, spec| line + &format!(" {}={}", spec.name, options.text(spec)))
}

/// The options in the first line of a file.
fn options<G: Complete>(head: &str) -> Result<Options, String> {
    let mut words = head.split(' ');
    if words.next() != Some(G::ID) || words.next().is_none_or(|word| !word.starts_with("seed=")) {
        return Err(format!("no games of {}: the first line is {}", G::ID, quoted(head)));
    }
    let mut options = Options::default();
    for word in words {
        let (name, value) = word.split_once('=').ok_or_else(|| format!("line 1: no NAME=VALUE: {}", quoted(word)))?;
        let spec = specs::<G>().find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| format!("line 1: there is no option {}", quoted(name)))?;
        options.set(spec, value).map_err(|error| format!("line 1: {error}"))?;
    }
    Ok(options)
}

/// How results are written: a win of the first side, of the second, a draw.
const RESULTS: [(&str, Option<Side>); 3] = [("1-0", Some(Side::First)), ("0-1", Some(Side::Second)), ("1/2-1/2", None)];

fn text<G: Complete>(rules: &G, record: &Record<G::Move>) -> String {
    let result = RESULTS.iter().find(|(_, winner)| *winner == record.winner).map_or("", |(text, _)| text);
    let mut line = format!("{} {result}", record.number);
    for &(mv, score) in &record.moves {
        line += " ";
        line += &rules.move_text(mv);
        line += &score.map_or(String::new(), |score| format!(":{score}"));
    }
    line
}

fn parse<G: Complete>(rules: &Arc<G>, text: &str) -> Result<Record<G::Move>, String> {
    let mut words = text.split(' ');
    let mut next = |what| words.next().ok_or_else(|| format!("there is no {what}"));
    let (number, result) = (next("number")?, next("result")?);
    let number = number.parse().map_err(|_| format!("no number of a game: {}", quoted(number)))?;
    let winner = RESULTS.iter().find(|(text, _)| *text == result).map(|(_, winner)| *winner);
    let winner = winner.ok_or_else(|| format!("no result of a game: {}", quoted(result)))?;
    let mut line = Line::new(rules.clone(), rules.start());
    let mut moves = Vec::new();
    for word in words {
        let (mv, score) = match word.split_once(':') {
            None => (word, None),
            Some((mv, score)) => (mv, Some(score.parse().map_err(|_| format!("no score: {}", quoted(score)))?)),
        };
        let mv = line.find_move(mv).map_err(|error| format!("{}: {error}", quoted(mv)))?;
        line.push(mv);
        moves.push((mv, score));
    }
    Ok(Record { number, winner, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Game;
    use crate::games::quoridor::Quoridor;

    #[test]
    fn games_are_read_as_they_were_written() {
        let mut options = Options::default();
        options.set(&Quoridor::OPTIONS[0], "5").unwrap();
        let head_line = head::<Quoridor>(&options, 7);
        assert_eq!(head_line, "quoridor seed=7 Quoridor_BoardSize=5");
        assert_eq!(super::options::<Quoridor>(&head_line), Ok(options.clone()));
        let rules = Arc::new(Quoridor::from_options(&options));
        for line in ["3 1-0 c2 a1h c3:-50 c4:10", "4 0-1", "5 1/2-1/2 c2:0"] {
            assert_eq!(text(&*rules, &parse(&rules, line).unwrap()), line);
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let rules = Arc::new(Quoridor::from_options(&Options::default()));
        let error = |line| parse(&rules, line).unwrap_err();
        assert_eq!(error("x 1-0"), "no number of a game: 'x'");
        assert_eq!(error("1"), "there is no result");
        assert_eq!(error("1 * e2"), "no result of a game: '*'");
        assert_eq!(error("1 1-0 e2 e8:z"), "no score: 'z'");
        assert!(error("1 1-0 e2:3 e3:4").starts_with("'e3': "));
        let refused = |head| options::<Quoridor>(head).unwrap_err();
        assert_eq!(refused("roses seed=1"), "no games of quoridor: the first line is 'roses seed=1'");
        assert_eq!(refused("quoridor seed=1 Size=9"), "line 1: there is no option 'Size'");
        assert!(refused("quoridor seed=1 Quoridor_BoardSize=99").starts_with("line 1: Quoridor_BoardSize takes"));
    }
}
