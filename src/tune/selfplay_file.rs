//! The file of games of the engine with itself: each finished game is appended as a record.
//!
//! ```text
//! [Game "quoridor"]
//! [Option "Quoridor_BoardSize=5"]
//! [Option "RepetitionDraw=true"]
//! [Seed "1"]
//! [Number "0"]
//! [Outcome "ongoing"]
//! [Checksum "crc32:5f3c7a61"]
//! 1. c2 a1h 2. c3 {+0.50/9} c4 {+0.10/8} 3. d3 {+0.90/11} 1-0
//! ```
//!
//! The tags:
//!
//! - `Option` has an option of the rules that differs from its default.
//! - `Seed` is the seed of the file.
//! - `Number` is the number of the game in the file.
//!
//! A move has the score and the depth of the search that chose the move. A move without score and
//! depth was random. The records are in the order in which the games ended.
//!
//! The result of a game is the result of the last position, or the result that the search has
//! proved in this position. A game that has reached the maximum length is a draw.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::io::record_file::{RecordFile, RecordFileContents};
use pentarch_core::notation::parsing::quote_for_message;
use pentarch_core::notation::record::checksum::ChecksumError;
use pentarch_core::notation::record::{
    GameRecord, RecordedMove, SearchEvaluation, two_player_turns_from, winner_from_record_result,
    winner_to_record_result,
};
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{GameHistory, MoveError, OptionSpec, Options, Side};
use pentarch_engine::error::EngineError;
use pentarch_engine::record::options_from_record;
use pentarch_games::Game;
use pentarch_system::{FileError, LocatedError, WithErrorLocation};

/// An error in reading or writing a file of self-play games.
#[derive(Debug, Error)]
pub enum SelfPlayFileError {
    /// The file cannot be read or written, or another run has it open.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file has contents other than self-play games.
    #[error(transparent)]
    Contents(#[from] LocatedError<SelfPlayRecordError>),
}

/// An error in the contents of a file of self-play games.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelfPlayRecordError {
    /// The file does not consist of records.
    #[error("it holds something else than game records")]
    NotRecords,
    /// A record of another game, or not of self-play.
    #[error("it holds other games than those of {game} with itself")]
    NotSelfPlay {
        /// The ID of the expected game.
        game: &'static str,
    },
    /// The tags of a game differ from the tags of this run.
    #[error("it holds other games\n  there: {}\n  here:  {}", format_tag_list(.there), format_tag_list(.here))]
    OtherGames {
        /// The tags in the file.
        there: Vec<(String, String)>,
        /// The tags of this run.
        here: Vec<(String, String)>,
    },
    /// The file has no game.
    #[error("it holds no game")]
    NoGame,
    /// Two games have different tags.
    #[error("it holds games of two kinds\n  one:   {}\n  other: {}", format_tag_list(.one), format_tag_list(.other))]
    TwoKinds {
        /// The tags of the first game.
        one: Vec<(String, String)>,
        /// The tags of the other game.
        other: Vec<(String, String)>,
    },
    /// The tags do not choose valid rules of the game.
    #[error(transparent)]
    Rules(#[from] EngineError),
    /// A game was not written by this version, or was changed since then.
    #[error("game {number}: {error}")]
    Checksum {
        /// The number of the game.
        number: u32,
        /// The error of the game's checksum.
        error: ChecksumError,
    },
    /// Two games have the same number.
    #[error("it holds game {number} twice")]
    Duplicate {
        /// The number that two games have.
        number: u32,
    },
    /// A game has no number.
    #[error("not a game number: {}", quote_for_message(.found))]
    NoNumber {
        /// The value of the tag.
        found: String,
    },
    /// A game has no result.
    #[error("game {number}: not a result: {}", quote_for_message(.found))]
    NoResult {
        /// The number of the game.
        number: u32,
        /// The text in place of the result.
        found: String,
    },
    /// The stated number of a move is wrong.
    #[error("game {number}: the move number {stated} is in the place of {expected}")]
    MoveNumber {
        /// The number of the game.
        number: u32,
        /// The move number in the file.
        stated: u32,
        /// The number of the move.
        expected: u32,
    },
    /// A move of a game is not legal.
    #[error("game {number}: {}: {error}", quote_for_message(.text))]
    Move {
        /// The number of the game.
        number: u32,
        /// The move as in the file.
        text: String,
        /// The error in the move.
        error: MoveError,
    },
}

/// A finished self-play game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfPlayGame<M> {
    /// The number of the game. The number and the seed of the file determine the game.
    pub number: u32,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The moves, each with the score and depth of the search that chose it; `None` for a random
    /// move.
    pub moves: Vec<(M, Option<SearchEvaluation>)>,
}

/// Counts of games by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GameResultCounts {
    /// The number of games won by each side, the first side first.
    pub won: [u32; 2],
    /// The number of games drawn.
    pub drawn: u32,
}

impl GameResultCounts {
    /// Counts a game with this winner; `None` for a draw.
    pub fn count_game(&mut self, winner: Option<Side>) {
        match winner {
            Some(side) => self.won[side.index()] += 1,
            None => self.drawn += 1,
        }
    }
}

/// A file of games under one set of rules, open for appending.
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
    /// The rules of the games.
    pub rules: Arc<G>,
    /// The games by number.
    pub games: BTreeMap<u32, SelfPlayGame<G::Move>>,
}

impl<G: Game> SelfPlayFile<G> {
    /// Opens or creates a file of games under these rules, and reads its games. `options` choose
    /// the rules.
    ///
    /// # Errors
    /// If the file cannot be read or written, or has contents other than games with these rules and
    /// this seed.
    pub fn open(
        path: &Path,
        rules: Arc<G>,
        options: &Options,
        seed: u64,
    ) -> Result<SelfPlayFile<G>, SelfPlayFileError> {
        let (mut file, contents) = RecordFile::open(path)?;
        let tags = selfplay_file_tags::<G>(options, seed);
        let mut games = SelfPlayGames { rules, games: BTreeMap::new() };
        let records = selfplay_records::<G>(&contents).with_file_path(path)?;
        for record in records.iter().chain(&contents.unfinished) {
            if record_tags_before_number(record) != tags {
                let error = SelfPlayRecordError::OtherGames {
                    there: record_tags_before_number(record).to_vec(),
                    here: tags,
                };
                return Ok(Err(error).with_file_path(path)?);
            }
        }
        for record in records {
            // A run continues only with games that have a checksum.
            let number = games.add_record(record).with_file_path(path)?;
            let checked = record.verify_checksum();
            checked
                .map_err(|error| SelfPlayRecordError::Checksum { number, error })
                .with_file_path(path)?;
        }
        file.remove_unfinished_record(&contents)?;
        Ok(SelfPlayFile { file, games, tags })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If the game cannot be written; the error names the file.
    pub fn append_game(&mut self, game: SelfPlayGame<G::Move>) -> Result<(), FileError> {
        self.file
            .append(&selfplay_game_record(&self.games.rules, &self.tags, &game), FIRST_TURN)?;
        self.games.games.insert(game.number, game);
        Ok(())
    }
}

impl<G: Game> SelfPlayGames<G> {
    /// Reads a file of games. All games must have the same rules, but these may be any rules of the
    /// game.
    ///
    /// # Errors
    /// If the file cannot be read, or has contents other than self-play games of this game.
    pub fn read(path: &Path) -> Result<SelfPlayGames<G>, SelfPlayFileError> {
        let contents = RecordFile::read(path)?;
        Ok(SelfPlayGames::from_file_contents(&contents).with_file_path(path)?)
    }

    fn from_file_contents(
        contents: &RecordFileContents,
    ) -> Result<SelfPlayGames<G>, SelfPlayRecordError> {
        let records = selfplay_records::<G>(contents)?;
        let first = records.first().ok_or(SelfPlayRecordError::NoGame)?;
        let options = options_from_record(first, &Options::default())?;
        let mut games =
            SelfPlayGames { rules: Arc::new(G::from_options(&options)), games: BTreeMap::new() };
        for record in records {
            let one = record_tags_before_number(first);
            let other = record_tags_before_number(record);
            if one != other {
                return Err(SelfPlayRecordError::TwoKinds { one: one.into(), other: other.into() });
            }
            games.add_record(record)?;
        }
        Ok(games)
    }

    /// Adds the game of a record, and returns its number.
    fn add_record(&mut self, record: &GameRecord) -> Result<u32, SelfPlayRecordError> {
        let game = parse_selfplay_game(&self.rules, record)?;
        let number = game.number;
        match self.games.insert(number, game) {
            Some(_) => Err(SelfPlayRecordError::Duplicate { number }),
            None => Ok(number),
        }
    }
}

/// Returns the records in a file, all of which must be self-play games of this game.
fn selfplay_records<G: Game>(
    contents: &RecordFileContents,
) -> Result<&[GameRecord], SelfPlayRecordError> {
    let records = contents.records.as_deref().ok_or(SelfPlayRecordError::NotRecords)?;
    for record in records {
        let game = record.tag_values("Game").next().unwrap_or_default();
        let is_selfplay =
            record.tag_values("Seed").next().is_some() && record.tag_values("Fen").next().is_none();
        if game != G::GAME_ID || !is_selfplay {
            return Err(SelfPlayRecordError::NotSelfPlay { game: G::GAME_ID });
        }
    }
    Ok(records)
}

/// Returns the options that choose among the rules of the game.
fn rule_option_specs<G: Game>() -> impl Iterator<Item = &'static OptionSpec> {
    G::RULE_OPTIONS.iter().chain([&REPETITION_DRAW_OPTION.spec])
}

/// Returns the tags that all records of a file begin with.
pub fn selfplay_file_tags<G: Game>(options: &Options, seed: u64) -> Vec<(String, String)> {
    let mut tags = vec![("Game".to_string(), G::GAME_ID.to_string())];
    for spec in rule_option_specs::<G>().filter(|spec| options.value(spec) != spec.default_value())
    {
        tags.push(("Option".into(), format!("{}={}", spec.name, options.value(spec))));
    }
    tags.push(("Seed".into(), seed.to_string()));
    tags
}

/// Returns the tags before the number. All records of a file share these tags.
fn record_tags_before_number(record: &GameRecord) -> &[(String, String)] {
    let end = record.tags.iter().position(|(name, _)| name == "Number");
    &record.tags[..end.unwrap_or(record.tags.len())]
}

/// Returns tags in one line, for error messages.
fn format_tag_list(tags: &[(String, String)]) -> String {
    let tags: Vec<String> =
        tags.iter().map(|(name, value)| format!("{name} {}", quote_for_message(value))).collect();
    tags.join(", ")
}

/// Returns the record of a game.
pub fn selfplay_game_record<G: Game>(
    rules: &Arc<G>,
    tags: &[(String, String)],
    game: &SelfPlayGame<G::Move>,
) -> GameRecord {
    let mut history = GameHistory::new(rules.clone(), rules.start_position());
    game.moves.iter().for_each(|&(mv, _)| history.push(mv));
    let own = [
        ("Number".into(), game.number.to_string()),
        ("Outcome".into(), history.status_protocol_words()),
    ];
    let mv = |&(mv, evaluation): &(G::Move, _)| RecordedMove::new(rules.move_text(mv), evaluation);
    GameRecord {
        tags: tags.iter().cloned().chain(own).collect(),
        moves: game.moves.iter().map(mv).collect(),
        result: winner_to_record_result(game.winner).into(),
        ..GameRecord::new(Vec::new())
    }
}

/// The full-move number and the side of the first move of a game.
const FIRST_TURN: (u32, Side) = (1, Side::First);

/// Returns the game in a record.
fn parse_selfplay_game<G: Game>(
    rules: &Arc<G>,
    record: &GameRecord,
) -> Result<SelfPlayGame<G::Move>, SelfPlayRecordError> {
    let number = record.tag_values("Number").next().unwrap_or_default();
    let number =
        number.parse().map_err(|_| SelfPlayRecordError::NoNumber { found: number.into() })?;
    record
        .clone()
        .verify_and_remove_checksum()
        .map_err(|error| SelfPlayRecordError::Checksum { number, error })?;
    let winner = winner_from_record_result(&record.result)
        .ok_or_else(|| SelfPlayRecordError::NoResult { number, found: record.result.clone() })?;
    let mut history = GameHistory::new(rules.clone(), rules.start_position());
    let mut moves = Vec::new();
    for (recorded, (_, expected)) in record.moves.iter().zip(two_player_turns_from(FIRST_TURN)) {
        if let Some(stated) = recorded.stated_number().filter(|stated| *stated != expected) {
            return Err(SelfPlayRecordError::MoveNumber { number, stated, expected });
        }
        let text = recorded.text_with_suffix_signs();
        let mv = history.resolve_move(&text).map_err(|error| SelfPlayRecordError::Move {
            number,
            text: text.to_string(),
            error,
        })?;
        history.push(mv);
        moves.push((mv, recorded.evaluation));
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
        options.set(&Quoridor::RULE_OPTIONS[0], "5").unwrap();
        options
    }

    #[test]
    fn records_and_games_convert_both_ways() {
        let tags = selfplay_file_tags::<Quoridor>(&small_board(), 7);
        let rules = Arc::new(Quoridor::from_options(&small_board()));
        for (number, moves, result) in [
            (3, "1. c2 a1h 2. c3 {-0.50/6} c4 {+0.10/3}", "1-0"),
            (4, "", "0-1"),
            (5, "1. c2 {+0.00/1}", "1/2-1/2"),
        ] {
            let head = "[Game \"quoridor\"]\n[Option \"Quoridor_BoardSize=5\"]\n[Seed \"7\"]";
            let text =
                format!("{head}\n[Number \"{number}\"]\n[Outcome \"ongoing\"]\n{moves} {result}");
            let parsed = GameRecord::parse(&text).unwrap();
            let game = parse_selfplay_game(&rules, &parsed).unwrap();
            assert_eq!(selfplay_game_record(&rules, &tags, &game), parsed);
            let options = options_from_record(&parsed, &Options::default()).unwrap();
            assert_eq!(super::selfplay_file_tags::<Quoridor>(&options, 7), tags);
        }
    }

    #[test]
    fn rejects_invalid_games() {
        let rules = Arc::new(Quoridor::default());
        let error = |text| {
            parse_selfplay_game(&rules, &GameRecord::parse(text).unwrap()).unwrap_err().to_string()
        };
        assert_eq!(error("[Number \"x\"] 1-0"), "not a game number: 'x'");
        assert_eq!(error("1-0"), "not a game number: ''");
        assert_eq!(
            error("[Number \"1\"] 1. e2 e8 65. e3 1-0"),
            "game 1: the move number 65 is in the place of 2"
        );
        assert_eq!(error("[Number \"1\"] e2 *"), "game 1: not a result: '*'");
        assert!(error("[Number \"1\"] e2 e3 1-0").starts_with("game 1: 'e3': "));
    }
}
