//! Checks of files: records and other game formats, lists of openings, match files, games of the
//! tuner, shards, proofs, books and tables.

use std::cell::Cell;
use std::collections::HashMap;
use std::error::Error;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pentarch::arena::MatchConfig;
use pentarch::arena::adjudication::AdjudicationConditions;
use pentarch::arena::match_file::MatchFile;
use pentarch::arena::move_limit::MoveLimit;
use pentarch::arena::opening::{NumberedOpenings, OpeningSource};
use pentarch::arena::process::EngineSpec;
use pentarch::arena::results::MatchResults;
use pentarch::arena::schedule::Schedule;
use pentarch::convert;
use pentarch::convert::format::{GameFileFormat, GameFormatKind};
use pentarch::convert::opening_list::parse_openings;
use pentarch::io::host::SystemHost;
use pentarch::io::proof_file::ProofFile;
use pentarch::shard::ShardReader;
use pentarch::shard::error::ShardFileError;
use pentarch::tune::selfplay_file::SelfPlayGames;
use pentarch_alquerque::Alquerque;
use pentarch_alquerque::numbering::AlquerqueNumbering;
use pentarch_core::evaluation::data_format::BOOK_FILE_FORMAT;
use pentarch_core::notation::record::unread_elements::UnreadElements;
use pentarch_core::notation::record::{GameRecord, two_player_turns_from};
use pentarch_core::tables::directory::{TableDirectory, table_file_path};
use pentarch_core::{GameHistory, Options, Side};
use pentarch_engine::engine_state::{Engine, new_game_session};
use pentarch_engine::game_session::build_game_history;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::record::ReplayedGame;
use pentarch_games::Game;
use pentarch_search::control::SearchControl;
use pentarch_search::prover::ProofVerdict;
use pentarch_search::prover::proof_table::ProofTable;
use pentarch_search::prover::question::{ProofBudget, ProofQuestion};
use pentarch_system::LocatedError;
use pentarch_tables::endgame_tables::EndgameNumbering;
use pentarch_tables::xor_filter::{self, XorFilter};
use pentarch_tables::{RetrogradeNumbering, Tablebase, retrograde, table_file};

use super::super::no_tables;
use super::super::temporary::Folder;
use super::notation::check_reason;

/// Returns the game of an engine as a record.
fn record_text(engine: &Engine) -> String {
    engine.annotated_record().text(engine.session.game_moves().turns)
}

fn input_words(text: &str) -> Vec<InputWord> {
    text.split_whitespace().map(InputWord::from_text).collect()
}

/// Returns the record of a game that begins at the position `fen`.
pub(crate) fn valid_record(options: &Options, fen: &str, moves: &str) -> String {
    let mut engine = Engine::new(options.clone(), SystemHost::shared_host());
    engine.session.set_position(Some(&input_words(fen)), &input_words(moves)).unwrap();
    record_text(&engine)
}

/// Checks that a text is rejected, or is read as records whose written form is read as the same
/// records. Also checks that an engine that loads a record can write it and load it again. After an
/// error, the current game of the engine must be unchanged.
pub(crate) fn check_record(options: &Options, text: &str) {
    match GameRecord::parse_all(text) {
        Ok(records) => records.iter().for_each(|record| {
            let written = record.text(two_player_turns_from((1, Side::First)));
            let stored = GameRecord { unread: UnreadElements::default(), ..record.clone() };
            assert_eq!(GameRecord::parse(&written), Ok(stored), "{text:?}: {written:?}");
        }),
        Err(error) => {
            assert!((1..=text.chars().count() + 1).contains(&error.column), "{text:?}: {error}");
            check_reason(text, &error);
        }
    }
    let mut engine = Engine::new(options.clone(), SystemHost::shared_host());
    let before = record_text(&engine);
    for number in [None, Some(1), Some(2), Some(0)] {
        if let Err(error) = engine.load_record(text, number) {
            check_reason(text, &error);
            assert_eq!(
                (record_text(&engine), &engine.options),
                (before.clone(), options),
                "{text:?}"
            );
            continue;
        }
        let written = record_text(&engine);
        let mut other = Engine::new(options.clone(), SystemHost::shared_host());
        assert_eq!(other.load_record(&written, None), Ok(()), "{text:?}: {written}");
        assert_eq!(record_text(&other), written, "{text:?}");
        engine = Engine::new(options.clone(), SystemHost::shared_host());
    }
}

/// Checks in each game format that a text is rejected, or is read as games that can be written in
/// this format and read again.
pub(crate) fn check_formats(options: &Options, text: &str) {
    for (word, kind) in GameFormatKind::ALL {
        let format = GameFileFormat { kind, style: None };
        let lines = |error: &dyn Display| {
            error.to_string().lines().for_each(|line| drop(check_reason(text, &line)));
        };
        match convert::read_games(text, &format, options) {
            Err(error) => lines(&error),
            Ok(games) => match convert::format_games(&games, &format) {
                Err(error) => lines(&error),
                Ok((written, _)) => {
                    // Some formats write nothing for a game without moves.
                    let is_written = |game: &&ReplayedGame| {
                        let alone = convert::format_games(slice::from_ref(*game), &format);
                        alone.is_ok_and(|(written, _)| !written.trim().is_empty())
                    };
                    let count = games.iter().filter(is_written).count();
                    let again = convert::read_games(&written, &format, options);
                    let again = again.map(|games| games.len()).map_err(|error| error.to_string());
                    assert_eq!(again, Ok(count), "{word}: {text:?}: {written:?}");
                }
            },
        }
    }
}

/// Checks that a file is rejected, or is read as a shard with the numbers of its range.
pub(crate) fn check_shard(bytes: &[u8]) {
    let (_folder, path) = write_file(bytes);
    let read = || {
        let mut reader = ShardReader::open(&path)?;
        let range = reader.header.range.clone();
        let mut next = range.start;
        while let Some((number, _)) = reader.read_next_result()? {
            assert_eq!(number, next);
            next += 1;
        }
        assert!(next >= range.end || range.is_empty());
        Ok(())
    };
    let result: Result<(), LocatedError<ShardFileError>> = read();
    if let Err(error) = result {
        error.to_string().lines().for_each(|line| drop(check_reason("a shard", &line)));
    }
}

/// Checks that a text is rejected, or is read as a list of openings that can be set up.
pub(crate) fn check_openings(options: &Options, text: &str) {
    match parse_openings(text, options) {
        Err(error) => drop(check_reason(text, &error)),
        Ok(openings) => openings.iter().for_each(|opening| {
            assert_eq!(
                opening.set_up_session(new_game_session(options).as_mut()),
                Ok(()),
                "{text:?}: {opening:?}"
            );
        }),
    }
}

/// Writes these bytes to a file in a separate folder. Returns the folder and the path of the file.
fn write_file(bytes: &[u8]) -> (Folder, PathBuf) {
    let folder = Folder::new("fuzz");
    let path = folder.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// Checks that a text is rejected, or is read as a file of self-play games that is not empty.
pub(crate) fn check_selfplay_games<G: Game>(text: &str) {
    let (_folder, path) = write_file(text.as_bytes());
    match SelfPlayGames::<G>::read(&path) {
        // If two games have different rules, the error shows the rules of each game on a separate
        // line.
        Err(error) => error.to_string().lines().for_each(|line| drop(check_reason(text, &line))),
        Ok(games) => assert!(!games.games.is_empty(), "{text:?}"),
    }
}

/// Returns the conditions of a match between two engines.
pub(crate) fn conditions(options: &Options) -> MatchConfig {
    let spec = |name: &str| EngineSpec {
        name: name.into(),
        command: Vec::new(),
        settings: Vec::new(),
        limit: MoveLimit::Depth(1),
    };
    MatchConfig {
        options: options.clone(),
        engines: vec![spec("one"), spec("other")],
        schedule: Schedule::round_robin(2, false),
        tournament: None,
        openings: OpeningSource::Start,
        games: 10,
        max_plies: 100,
        margin: Duration::ZERO,
        patience: Duration::ZERO,
        fail_on_crash: false,
        adjudication: AdjudicationConditions::default(),
        retries: 0,
        concurrency: 1,
        sprt: None,
        format: pentarch::arena::export::OutputFormat::Text,
        games_file: None,
        plot: None,
    }
}

/// Returns the file of a match with this single game.
pub(crate) fn valid_match_file(options: &Options, record: &str) -> String {
    let tags = format!("[Match \"{}\"]\n[Number \"1\"]\n[End \"goal\"]\n", conditions(options));
    let record = GameRecord::parse(&format!("{tags}{record}")).unwrap();
    record.with_checksum().text(two_player_turns_from((1, Side::First))) + "\n\n"
}

/// Checks a match file. Either opening it fails and does not change it, or opening it succeeds. On
/// success, at most one of two changes was made: an unfinished game was cut off, or the empty line
/// after the last game was added.
pub(crate) fn check_match_file(options: &Options, text: &str) {
    let (_folder, path) = write_file(text.as_bytes());
    let conditions = conditions(options);
    let mut results = MatchResults::new(false);
    let mut openings = NumberedOpenings::new(&conditions.openings, options);
    let opened = MatchFile::open(&path, &conditions, &mut openings, &mut results).map(drop);
    let left = std::fs::read_to_string(&path).unwrap();
    match opened {
        // If the file has the conditions of another match, the error shows them on a separate line.
        Err(error) => {
            error.to_string().lines().for_each(|line| drop(check_reason(text, &line)));
            assert_eq!(left, text);
        }
        Ok(()) => {
            let added =
                left.strip_prefix(text).is_some_and(|added| ["\n", "\n\n"].contains(&added));
            assert!(added || text.starts_with(&left), "{text:?}: {left:?}");
        }
    }
}

/// Returns a proof of the winner of a game that is nearly over; `None` if the proof takes too long.
pub(crate) fn valid_proof<G: Game>(history: &GameHistory<G>) -> Option<String> {
    let side = history.side_to_move();
    let control = SearchControl::default();
    [side, !side].into_iter().find_map(|attacker| {
        let question =
            ProofQuestion::new(history.clone(), no_tables(history.rules().as_ref()), attacker);
        let mut effort = ProofBudget {
            control: &control,
            nodes: 0,
            max_nodes: 200,
            table_hits: 0.into(),
            on_progress: &mut |_| {},
        };
        match (G::search_functions().prove)(
            &question,
            &mut ProofTable::new(1, history.rules().as_ref())?,
            &mut effort,
        ) {
            ProofVerdict::Proved(proof) if proof.replies.len() < 200 => {
                Some(ProofFile::format_proof(&question, &proof, &[]))
            }
            _ => None,
        }
    })
}

/// Checks that a text is rejected, or is read as a proof that can be checked. If `must_hold` is
/// true, the proof must be valid. Otherwise this also checks the text with a correct checksum.
pub(crate) fn check_proof<G: Game>(rules: &Arc<G>, text: &str, must_hold: bool) {
    let sealed = ProofFile::with_checksum(text.into());
    let text = if must_hold || ProofFile::parse(text).is_ok() { text } else { &sealed };
    let check = || -> Result<_, Box<dyn Error>> {
        let proof = ProofFile::parse(text)?;
        let (attacker, claim) = proof.claimed_side_and_result::<G>()?;
        let moves = input_words(proof.tag_values("Moves").next().unwrap_or_default());
        let history =
            build_game_history(rules, Some(&input_words(proof.tag_value("Position")?)), &moves)?;
        let calls = Cell::new(0);
        let question = ProofQuestion::new(history, no_tables(rules.as_ref()), attacker);
        Ok(proof.check_claim(&question, claim, &|| calls.replace(calls.get() + 1) > 20_000)?)
    };
    let checked = check();
    assert!(checked.is_ok() || !must_hold, "{text}: {checked:?}");
    drop(checked.map_err(|error| check_reason(text, &error.to_string())));
}

/// Returns the contents of a book with `size` positions.
pub(crate) fn valid_book(size: u64) -> Vec<u8> {
    let numbers: HashMap<u64, u8> =
        (0..size).map(|number| (number, number as u8 & xor_filter::MAX_FILTER_NUMBER)).collect();
    let book = xor_filter::build_xor_filter(&numbers.into_iter().collect::<Vec<_>>(), 7).unwrap();
    BOOK_FILE_FORMAT.unverified_contents(&book).unwrap().to_vec()
}

/// Checks that a book with any contents returns either no number or a number in the valid range.
pub(crate) fn check_book(bytes: &[u8]) {
    if let Some(book) = XorFilter::new(&BOOK_FILE_FORMAT.file_with_contents(bytes)) {
        assert!(
            (0..100).all(|key| book
                .get(key)
                .is_none_or(|number| number <= xor_filter::MAX_FILTER_NUMBER))
        );
    }
}

/// A small group of positions of Alquerque, with its table file.
struct SolvedGroup {
    numbering: AlquerqueNumbering,
    /// The bytes of the table file.
    bytes: Vec<u8>,
}

/// The number of checkers in these positions.
const CHECKERS: usize = 2;

impl SolvedGroup {
    fn get() -> &'static SolvedGroup {
        static SOLVED: OnceLock<SolvedGroup> = OnceLock::new();
        SOLVED.get_or_init(|| {
            let rules = Alquerque::default();
            let mut solved = SolvedGroup {
                numbering: AlquerqueNumbering::new(&rules, CHECKERS),
                bytes: Vec::new(),
            };
            let group = solved.group();
            let mut tables = Tablebase::default();
            let effort = pentarch_tables::retrograde_control::RetrogradeControl {
                threads: 1,
                should_continue: &|_| true,
            };
            retrograde::solve_group(&solved.numbering, &group, &mut tables, &effort).unwrap();
            let folder = Folder::new("fuzz-tables");
            solved.bytes = solved.table_bytes(&tables, folder.path());
            solved
        })
    }

    fn group(&self) -> Vec<usize> {
        self.numbering.class_groups().remove(0)
    }

    fn name(&self) -> String {
        self.numbering.group_file_name(&self.group())
    }

    /// Returns the bytes of a file with the values of these tables.
    fn table_bytes(&self, tables: &Tablebase, folder: &Path) -> Vec<u8> {
        let classes: Vec<&[u8]> =
            self.group().iter().map(|&class| tables.class_values(class)).collect();
        table_file::save_table_file(folder, &self.name(), &classes).unwrap();
        std::fs::read(table_file_path(folder, &self.name())).unwrap()
    }
}

/// Returns the bytes of a table file.
pub(crate) fn valid_table() -> &'static [u8] {
    &SolvedGroup::get().bytes
}

/// Checks that a table file is rejected, or contains the original values. The same values can be
/// compressed in several ways.
pub(crate) fn check_table(bytes: &[u8]) {
    let solved = SolvedGroup::get();
    let folder = Folder::new("fuzz-tables");
    let mut tables = Tablebase::default();
    std::fs::write(table_file_path(folder.path(), &solved.name()), bytes).unwrap();
    let files = TableDirectory(folder.path());
    let group = solved.group();
    let loaded =
        table_file::load_group_file(&files, &solved.name(), &solved.numbering, &group, &mut tables);
    if loaded.is_ok() {
        let again = solved.table_bytes(&tables, folder.path());
        assert!(again == solved.bytes, "{:?}", String::from_utf8_lossy(bytes));
    }
    assert!(loaded.is_ok() || bytes != solved.bytes, "{loaded:?}");
    drop(loaded.map_err(|error| check_reason("a table", &error)));
}
