//! The file of games of the engine with itself: each game is written as a record when it ends.
//!
//! ```text
//! [Game "quoridor"]
//! [Option "Quoridor_BoardSize=5"]
//! [Option "RepetitionDraw=true"]
//! [Seed "1"]
//! [Number "0"]
//! [Outcome "ongoing"]
//! 1. c2 a1h 2. c3 {+0.50/9} c4 {+0.10/8} 3. d3 {+0.90/11} 1-0
//! ```
//!
//! `Option` gives an option of the rules that differs from its default, `Seed` the seed of the file, and `Number` the
//! number of the game in the file. A move has the score and the depth of the search that chose it; a move without them
//! was random. The records are in the order in which the games ended. The result is that of the last position, or the
//! one that the search has proved there, or a draw if the game has reached the greatest length.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::io::record_file::{Contents, RecordFile};
use pentarch_core::notation::record::{Evaluation, Record, RecordedMove, result_of, winner_of};
use pentarch_core::notation::text::quoted;
use pentarch_core::rules::options::REPETITION_DRAW;
use pentarch_core::{GameHistory, OptionSpec, Options, Side};
use pentarch_games::Game;
use pentarch_system::files::at;

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfPlayGame<M> {
    /// The number of the game, which together with the seed of the file decides the game.
    pub number: u32,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The moves, each with the score and depth of the search that chose it; `None` for a random move.
    pub moves: Vec<(M, Option<Evaluation>)>,
}

/// The numbers of games that were won by either side and drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of games won by each side, the first side first.
    pub won: [u32; 2],
    /// The number of games drawn.
    pub drawn: u32,
}

impl Tally {
    /// Counts a game with this winner, or a draw.
    pub fn count(&mut self, winner: Option<Side>) {
        match winner {
            Some(side) => self.won[side.index()] += 1,
            None => self.drawn += 1,
        }
    }
}

/// A file of games by one set of rules, open for appending.
#[derive(Debug)]
pub struct SelfPlayFile<G: Game> {
    file: RecordFile,
    /// The games in the file.
    pub games: SelfPlayGames<G>,
    /// The tags that all records of the file begin with.
    tags: Vec<(String, String)>,
}

/// The games in a file.
#[derive(Debug)]
pub struct SelfPlayGames<G: Game> {
    /// The rules that the games were played by.
    pub rules: Arc<G>,
    /// The games by their numbers.
    pub games: BTreeMap<u32, SelfPlayGame<G::Move>>,
}

impl<G: Game> SelfPlayFile<G> {
    /// Opens a file of games by these rules, or creates it if it does not exist, and reads the games in it. `options`
    /// are those that choose the rules.
    ///
    /// # Errors
    /// If the file cannot be read and written, or holds anything else than games with these rules and this seed.
    pub fn open(
        path: &Path,
        rules: Arc<G>,
        options: &Options,
        seed: u64,
    ) -> Result<SelfPlayFile<G>, String> {
        let (mut file, contents) = RecordFile::open(path)?;
        let tags = tags::<G>(options, seed);
        let mut games = SelfPlayGames { rules, games: BTreeMap::new() };
        let records = records::<G>(&contents).map_err(at(path))?;
        for record in records.iter().chain(&contents.unfinished) {
            if common_tags(record) != tags {
                let (theirs, ours) = (summary(common_tags(record)), summary(&tags));
                return Err(at(path)(format!(
                    "it holds other games\n  there: {theirs}\n  here:  {ours}"
                )));
            }
        }
        records.iter().try_for_each(|record| games.add(record)).map_err(at(path))?;
        file.remove_unfinished(&contents)?;
        Ok(SelfPlayFile { file, games, tags })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If the game cannot be written; the error names the file.
    pub fn add(&mut self, game: SelfPlayGame<G::Move>) -> Result<(), String> {
        self.file.append(&record(&self.games.rules, &self.tags, &game), (1, Side::First))?;
        self.games.games.insert(game.number, game);
        Ok(())
    }
}

impl<G: Game> SelfPlayGames<G> {
    /// Reads a file of games, which all have the same rules, whichever rules of the game these are.
    ///
    /// # Errors
    /// If the file cannot be read, or holds anything else than games of this game with itself.
    pub fn read(path: &Path) -> Result<SelfPlayGames<G>, String> {
        let contents = RecordFile::read(path)?;
        let records = records::<G>(&contents).map_err(at(path))?;
        let first = records.first().ok_or_else(|| at(path)("it holds no game"))?;
        let options = options::<G>(first).map_err(at(path))?;
        let mut games =
            SelfPlayGames { rules: Arc::new(G::from_options(&options)), games: BTreeMap::new() };
        for record in records {
            if common_tags(record) != common_tags(first) {
                let (one, other) = (summary(common_tags(first)), summary(common_tags(record)));
                return Err(at(path)(format!(
                    "it holds games of two kinds\n  one:   {one}\n  other: {other}"
                )));
            }
            games.add(record).map_err(at(path))?;
        }
        Ok(games)
    }

    fn add(&mut self, record: &Record) -> Result<(), String> {
        let game = parse(&self.rules, record)?;
        match self.games.insert(game.number, game) {
            Some(earlier) => Err(format!("it holds game {} twice", earlier.number)),
            None => Ok(()),
        }
    }
}

/// The records in a file, all of which must be self-play games of this game.
fn records<G: Game>(contents: &Contents) -> Result<&[Record], String> {
    let records = contents.records.as_deref().ok_or("it holds something else than game records")?;
    for record in records {
        let game = record.values("Game").next().unwrap_or_default();
        let is_own =
            record.values("Seed").next().is_some() && record.values("Fen").next().is_none();
        if game != G::ID || !is_own {
            return Err(format!("it holds other games than those of {} with itself", G::ID));
        }
    }
    Ok(records)
}

/// The options that choose among the rules of the game.
fn specs<G: Game>() -> impl Iterator<Item = &'static OptionSpec> {
    G::OPTIONS.iter().chain([&REPETITION_DRAW])
}

/// The tags that all records of a file begin with.
pub fn tags<G: Game>(options: &Options, seed: u64) -> Vec<(String, String)> {
    let changed = specs::<G>().filter(|spec| options.text(spec) != spec.default_value());
    let changed =
        changed.map(|spec| ("Option".to_string(), format!("{}={}", spec.name, options.text(spec))));
    let game = ("Game".to_string(), G::ID.to_string());
    std::iter::once(game).chain(changed).chain([("Seed".to_string(), seed.to_string())]).collect()
}

/// The tags of a record that all records of its file must have: those before the number.
fn common_tags(record: &Record) -> &[(String, String)] {
    let end = record.tags.iter().position(|(name, _)| name == "Number");
    &record.tags[..end.unwrap_or(record.tags.len())]
}

/// Tags in one line, for error messages.
fn summary(tags: &[(String, String)]) -> String {
    tags.iter()
        .map(|(name, value)| format!("{name} {}", quoted(value)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The options that the tags `Option` of a record set.
fn options<G: Game>(record: &Record) -> Result<Options, String> {
    let mut options = Options::default();
    for setting in record.values("Option") {
        options.set_rule(G::OPTIONS, setting).map_err(|error| error.to_string())?;
    }
    Ok(options)
}

/// The record of a game.
pub fn record<G: Game>(
    rules: &Arc<G>,
    tags: &[(String, String)],
    game: &SelfPlayGame<G::Move>,
) -> Record {
    let mut history = GameHistory::new(rules.clone(), rules.start());
    game.moves.iter().for_each(|&(mv, _)| history.push(mv));
    let own =
        [("Number".into(), game.number.to_string()), ("Outcome".into(), history.outcome_text())];
    let mv = |&(mv, evaluation): &(G::Move, _)| RecordedMove::new(rules.move_text(mv), evaluation);
    Record {
        tags: tags.iter().cloned().chain(own).collect(),
        moves: game.moves.iter().map(mv).collect(),
        result: result_of(game.winner).into(),
        ..Record::new(Vec::new())
    }
}

/// The game in a record.
fn parse<G: Game>(rules: &Arc<G>, record: &Record) -> Result<SelfPlayGame<G::Move>, String> {
    let number = record.values("Number").next().unwrap_or_default();
    let number = number.parse().map_err(|_| format!("no number of a game: {}", quoted(number)))?;
    let named = |error: String| format!("game {number}: {error}");
    let winner = winner_of(&record.result)
        .ok_or_else(|| named(format!("no result: {}", quoted(&record.result))))?;
    let mut history = GameHistory::new(rules.clone(), rules.start());
    let mut moves = Vec::new();
    for RecordedMove { text, evaluation, .. } in &record.moves {
        let mv =
            history.find_move(text).map_err(|error| named(format!("{}: {error}", quoted(text))))?;
        history.push(mv);
        moves.push((mv, *evaluation));
    }
    Ok(SelfPlayGame { number, winner, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::Rules;
    use pentarch_quoridor::Quoridor;

    fn small_board() -> Options {
        let mut options = Options::default();
        options.set(&Quoridor::OPTIONS[0], "5").unwrap();
        options
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let tags = tags::<Quoridor>(&small_board(), 7);
        let rules = Arc::new(Quoridor::from_options(&small_board()));
        for (number, moves, result) in [
            (3, "1. c2 a1h 2. c3 {-0.50/6} c4 {+0.10/3}", "1-0"),
            (4, "", "0-1"),
            (5, "1. c2 {+0.00/1}", "1/2-1/2"),
        ] {
            let head = "[Game \"quoridor\"]\n[Option \"Quoridor_BoardSize=5\"]\n[Seed \"7\"]";
            let text =
                format!("{head}\n[Number \"{number}\"]\n[Outcome \"ongoing\"]\n{moves} {result}");
            let parsed = Record::parse(&text).unwrap();
            let game = parse(&rules, &parsed).unwrap();
            assert_eq!(record(&rules, &tags, &game), parsed);
            assert_eq!(options::<Quoridor>(&parsed), Ok(small_board()));
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let rules = Arc::new(Quoridor::from_options(&Options::default()));
        let error = |text| parse(&rules, &Record::parse(text).unwrap()).unwrap_err();
        assert_eq!(error("[Number \"x\"] 1-0"), "no number of a game: 'x'");
        assert_eq!(error("1-0"), "no number of a game: ''");
        assert_eq!(error("[Number \"1\"] e2 *"), "game 1: no result: '*'");
        assert!(error("[Number \"1\"] e2 e3 1-0").starts_with("game 1: 'e3': "));
        let refused = |text| options::<Quoridor>(&Record::parse(text).unwrap()).unwrap_err();
        assert_eq!(refused("[Option \"Size=9\"]"), "the game has no rule 'Size'");
        assert!(
            refused("[Option \"Quoridor_BoardSize=99\"]").starts_with("Quoridor_BoardSize takes")
        );
    }
}
