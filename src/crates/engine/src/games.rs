//! The games that the program plays. All parts of the engine look up games in this module.
//!
//! [`GameDefinition`] describes a game without the type of its rules, so the engine is compiled
//! once for any list of games. The default list is that of [`pentarch_games`]; a program can [set
//! another list](set_games).

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock, OnceLock};

use pentarch_core::notation::record::GameRecord;
use pentarch_core::view::rules_page;
use pentarch_core::view::rules_text::RulesText;
use pentarch_core::{ComboOption, Handicap, LoadableFile, OptionSpec, Options, TableFiles};
use pentarch_games::{BuiltinRules, Game, GameEntry};

#[cfg(feature = "console")]
use super::benchmark::{self, BenchResult, GameBenchmark};
use super::builtin_drills::Drill;
use super::error::EngineError;
use super::game_session::new_session_with_rules;
use super::problem::Problem;
use super::rules_info::{self, Lesson};
use super::session::Session;

/// A game with its rules for each number of players.
#[derive(Clone)]
pub struct GameDefinition {
    /// The [word](pentarch_core::Rules::GAME_ID) that selects the game.
    pub word: &'static str,
    /// The [name](pentarch_core::Rules::GAME_NAME) of the game.
    pub name: &'static str,
    /// The [sides](pentarch_core::Rules::SIDE_NAMES) of the game.
    pub sides: [&'static str; 2],
    /// The [summary](pentarch_core::Rules::GAME_SUMMARY) of the game.
    pub summary: &'static str,
    /// Whether [a first move can lose at once](pentarch_core::Rules::FIRST_MOVE_CAN_LOSE).
    pub is_sharp: bool,
    /// The [score of the first side](pentarch_core::Rules::FIRST_SIDE_SCORE_PERCENT) in per cent.
    pub first_side_score_percent: Option<u8>,
    /// The [options](pentarch_core::Rules::RULE_OPTIONS) of the rules.
    pub options: &'static [OptionSpec],
    /// The [option](pentarch_core::Rules::RULESET_OPTION) that selects a published rule set; `None`
    /// if the game has only one rule set.
    pub ruleset_option: Option<&'static OptionSpec>,
    /// The [option](pentarch_core::HasPlayers::PLAYER_COUNT_OPTION) for the number of players.
    player_count_option: Option<&'static ComboOption<usize>>,
    problem_records: &'static str,
    drill_positions: &'static str,
    /// The rules for each number of players. The rules for two players come first.
    rules: Vec<&'static dyn RulesOperations>,
    problems: OnceLock<Vec<Problem>>,
    drills: OnceLock<Vec<Drill>>,
}

/// The engine's operations on a game's rules for one number of players.
pub(crate) trait RulesOperations: Sync {
    /// Returns the number of players.
    fn player_count(&self) -> usize;

    /// Creates a session in the start position, with the rules of these options.
    fn new_session(
        &self,
        options: &Options,
        files: Option<Arc<dyn TableFiles>>,
    ) -> Box<dyn Session>;

    /// Runs the benchmark. Returns `None` if it was stopped.
    #[cfg(feature = "console")]
    fn run_benchmark(&self, benchmark: GameBenchmark<'_, '_>) -> Option<BenchResult>;

    /// Returns the text that explains the rules.
    fn rules_text(&self) -> Result<RulesText<'static>, EngineError>;

    /// Returns the text that explains the rules, or one topic of it, as `pentarch rules` prints it.
    #[cfg(feature = "console")]
    fn printed_rules_text(&self, topic: Option<&str>, width: usize) -> Result<String, EngineError>;

    /// Returns a summary of the rules that these options select.
    #[cfg(feature = "console")]
    fn rules_summary(&self, options: &Options, width: usize) -> Option<String>;

    /// Returns the guided first game.
    fn lesson(&self) -> Result<Lesson, EngineError>;

    /// Returns the [openings](pentarch_core::MatchOpenings::match_openings) under the rules of
    /// these options.
    fn match_openings(&self, options: &Options) -> Option<&'static str>;

    /// Returns the [handicaps](pentarch_core::MatchOpenings::handicaps) under the rules of these
    /// options.
    fn handicaps(&self, options: &Options) -> Vec<Handicap>;

    /// Returns the files that searches under these rules use and that are not loaded yet.
    fn missing_search_files(&self, options: &Options) -> Vec<&'static dyn LoadableFile>;
}

/// A value that represents the rules of the type `G`.
struct RulesOf<G>(PhantomData<fn() -> G>);

impl<G: Game> RulesOperations for RulesOf<G> {
    fn player_count(&self) -> usize {
        G::PLAYER_NAMES.len()
    }

    fn new_session(
        &self,
        options: &Options,
        files: Option<Arc<dyn TableFiles>>,
    ) -> Box<dyn Session> {
        new_session_with_rules(G::from_options(options), files)
    }

    #[cfg(feature = "console")]
    fn run_benchmark(&self, benchmark: GameBenchmark<'_, '_>) -> Option<BenchResult> {
        benchmark::run_game_benchmark::<G>(benchmark)
    }

    fn rules_text(&self) -> Result<RulesText<'static>, EngineError> {
        Ok(rules_page::parse_rules_text::<G>()?)
    }

    #[cfg(feature = "console")]
    fn printed_rules_text(&self, topic: Option<&str>, width: usize) -> Result<String, EngineError> {
        Ok(rules_page::format_rules::<G>(topic, width)?)
    }

    #[cfg(feature = "console")]
    fn rules_summary(&self, options: &Options, width: usize) -> Option<String> {
        rules_page::rules_summary(&G::from_options(options), width)
    }

    fn lesson(&self) -> Result<Lesson, EngineError> {
        rules_info::lesson_of_game::<G>()
    }

    fn match_openings(&self, options: &Options) -> Option<&'static str> {
        G::from_options(options).match_openings()
    }

    fn handicaps(&self, options: &Options) -> Vec<Handicap> {
        G::from_options(options).handicaps()
    }

    fn missing_search_files(&self, options: &Options) -> Vec<&'static dyn LoadableFile> {
        if cfg!(not(feature = "search")) {
            return Vec::new();
        }
        let mut files = G::from_options(options).search_data_files();
        files.retain(|file| !file.is_file_loaded());
        files
    }
}

impl GameEntry for GameDefinition {
    fn new<G: Game>() -> GameDefinition {
        const {
            let [first, second] = G::SIDE_NAMES;
            let differ = G::PLAYER_NAMES.len() > 2 || first.as_bytes()[0] != second.as_bytes()[0];
            assert!(differ, "the names in SIDE_NAMES must have different initials");
        }
        GameDefinition {
            word: G::GAME_ID,
            name: G::GAME_NAME,
            sides: G::SIDE_NAMES,
            summary: G::GAME_SUMMARY,
            is_sharp: G::FIRST_MOVE_CAN_LOSE,
            first_side_score_percent: G::FIRST_SIDE_SCORE_PERCENT,
            options: G::RULE_OPTIONS,
            ruleset_option: G::RULESET_OPTION,
            player_count_option: G::PLAYER_COUNT_OPTION,
            problem_records: G::PROBLEM_RECORDS,
            drill_positions: G::DRILL_POSITIONS,
            rules: vec![&RulesOf::<G>(PhantomData)],
            problems: OnceLock::new(),
            drills: OnceLock::new(),
        }
    }

    fn with_additional_rules<G: Game>(mut self) -> GameDefinition {
        self.rules.push(&RulesOf::<G>(PhantomData));
        self
    }
}

impl GameDefinition {
    /// Returns the built-in [problems](pentarch_core::Exercises::PROBLEM_RECORDS), ordered by grade
    /// and then by length. The problems are parsed once.
    ///
    /// # Panics
    /// If the built-in text is not a list of problems. The tests ensure that this cannot occur.
    pub fn problems(&self) -> &[Problem] {
        self.problems.get_or_init(|| {
            let records =
                GameRecord::parse_all(self.problem_records).expect("the text is a list of records");
            let mut problems: Vec<Problem> = records
                .iter()
                .map(|record| Problem::from_record(record).expect("each record is a problem"))
                .collect();
            problems.sort_by_key(|problem| (problem.grade, problem.solver_move_count()));
            problems
        })
    }

    /// Returns the built-in [drills](pentarch_core::Exercises::DRILL_POSITIONS) for the default
    /// rules, ordered by grade. The drills are parsed once.
    pub fn drills(&self) -> &[Drill] {
        self.drills.get_or_init(|| self.drill_positions.lines().filter_map(Drill::parse).collect())
    }
}

impl fmt::Debug for GameDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

static GAMES: OnceLock<Vec<GameDefinition>> = OnceLock::new();

/// Sets the list of the games. The first game is the default.
///
/// # Panics
/// If the list is empty or has two games with the same word. If the list was already set, or if the
/// engine has already used the default list of [`pentarch_games`].
pub fn set_games(games: Vec<GameDefinition>) {
    assert!(!games.is_empty(), "a program has at least one game");
    let words: BTreeSet<&str> = games.iter().map(|game| game.word).collect();
    assert_eq!(words.len(), games.len(), "each game has its own GAME_ID: {games:?}");
    assert!(GAMES.set(games).is_ok(), "the list of games is set once, before its first use");
}

/// Returns the games in the order of the list.
pub fn all_games() -> &'static [GameDefinition] {
    GAMES.get_or_init(BuiltinRules::list_games)
}

/// The words that select the games, in the order of the list.
static ALL_GAME_WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| all_games().iter().map(|game| game.word).collect());

/// The indices of the games in the list.
static ALL_GAME_INDICES: LazyLock<Vec<usize>> = LazyLock::new(|| (0..all_games().len()).collect());

/// The option that selects the game to play. Its value is the index of the game in [`all_games`].
pub static GAME_OPTION: LazyLock<ComboOption<usize>> = LazyLock::new(|| {
    OptionSpec::define_combo("Game", "Game to be played", &ALL_GAME_WORDS, &ALL_GAME_INDICES, 0)
});

/// Returns the words that select the games, in the order of the list.
pub fn all_game_words() -> &'static [&'static str] {
    &ALL_GAME_WORDS
}

/// The id of a game's rules for one number of players, as two indices into the list of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesId {
    /// The index of the game in [`all_games`].
    pub game: usize,
    /// The index among the rules of the game.
    pub rules: usize,
}

impl RulesId {
    /// Returns the ids of the rules of all games for all numbers of players, in the order of the
    /// games.
    pub fn all() -> impl Iterator<Item = RulesId> {
        all_games().iter().enumerate().flat_map(|(game, entry)| {
            (0..entry.rules.len()).map(move |rules| RulesId { game, rules })
        })
    }

    /// Returns the id of a game's rules for two players. `game` is the index of the game in
    /// [`all_games`].
    pub fn for_two_players(game: usize) -> RulesId {
        RulesId { game, rules: 0 }
    }

    /// Returns the id of the rules that the options select. [`GAME_OPTION`] selects the game, and
    /// an [option of the game](pentarch_core::HasPlayers::PLAYER_COUNT_OPTION) selects the number
    /// of players.
    pub fn from_options(options: &Options) -> RulesId {
        let game = options.combo_value(&GAME_OPTION);
        let GameDefinition { player_count_option, rules, .. } = &all_games()[game];
        let players = player_count_option.map_or(2, |option| options.combo_value(option));
        let found = rules.iter().position(|rules| rules.player_count() == players);
        RulesId { game, rules: found.unwrap_or(0) }
    }

    /// Returns the game.
    pub fn game_definition(self) -> &'static GameDefinition {
        &all_games()[self.game]
    }

    /// Returns the number of players.
    pub fn player_count(self) -> usize {
        self.operations().player_count()
    }

    /// Returns the operations of the engine on these rules.
    pub(crate) fn operations(self) -> &'static dyn RulesOperations {
        self.game_definition().rules[self.rules]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_players_option_chooses_among_the_rules_of_a_game() {
        let mut chosen = Vec::new();
        for game in all_games() {
            let mut options = Options::default();
            options.set(&GAME_OPTION, game.word).unwrap();
            let numbers = game.player_count_option.map_or(&[2][..], |option| option.values());
            for &players in numbers {
                if let Some(option) = game.player_count_option {
                    options.set(option, &players.to_string()).unwrap();
                }
                let id = RulesId::from_options(&options);
                assert_eq!((id.game_definition().word, id.player_count()), (game.word, players));
                chosen.push(id.player_count());
            }
        }
        assert_eq!(chosen.len(), BuiltinRules::ALL_RULES.len());
    }
}
