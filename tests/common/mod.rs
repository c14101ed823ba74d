//! Helpers that the tests share: rule sets, random games, and the reader of fixture files.

pub(crate) mod fuzz;
pub(crate) mod temporary;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{
    GameHistory, GameTables, OptionKind, OptionSpec, Options, Outcome, ProbeTables, ProbeWorkLimit,
    TableValue,
};
use pentarch_engine::games::all_game_words;
use pentarch_games::{BuiltinRules, Game, GameOperation};

/// Returns the folder of the fixtures of a game.
pub(crate) fn folder(id: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(id)
}

/// Returns the word for the rules of a game in file names. It is the id of the game, with a suffix
/// for four players.
pub(crate) fn rules_file_word<G: Game>() -> String {
    let four = if G::PLAYER_NAMES.len() == 4 { "-four" } else { "" };
    format!("{}{four}", G::GAME_ID)
}

/// Returns the options of a game. They include the common option that changes rules.
pub(crate) fn option_specs<G: Game>() -> Vec<OptionSpec> {
    G::RULE_OPTIONS.iter().copied().chain([REPETITION_DRAW_OPTION.spec]).collect()
}

/// Returns options that choose the rules of this type. A game may have separate rules for each
/// number of players.
pub(crate) fn default_options<G: Game>() -> Options {
    let mut options = Options::default();
    if let Some(players) = G::PLAYER_COUNT_OPTION {
        options.set(players, &G::PLAYER_NAMES.len().to_string()).unwrap();
    }
    options
}

/// Sets `NAME=VALUE`.
pub(crate) fn set<G: Game>(options: &mut Options, setting: &str) {
    let (name, value) =
        setting.split_once('=').unwrap_or_else(|| panic!("NAME=VALUE, not {setting}"));
    let specs = option_specs::<G>();
    let spec =
        specs.iter().find(|spec| spec.name == name).unwrap_or_else(|| panic!("no option {name}"));
    options.set(spec, value).unwrap();
}

/// Returns the rules that these `NAME=VALUE` settings choose.
pub(crate) fn rules<G: Game>(settings: &[&str]) -> Arc<G> {
    let mut options = default_options::<G>();
    settings.iter().for_each(|setting| set::<G>(&mut options, setting));
    Arc::new(G::from_options(&options))
}

/// If an option has more words than this, [`rule_sets`] uses only four of them.
const MAX_WORDS: usize = 12;

/// Returns different rule sets of a game. The first has the default rules. In the next ones, a
/// single option has one of its other values. The last `random` rule sets are random. A number has
/// its minimum, its default and its maximum. In a long list of words, only the first two words, the
/// last one and one between them are used.
pub(crate) fn rule_sets<G: Game>(random: usize) -> Vec<Arc<G>> {
    sets_of_options::<G>(random, MAX_WORDS)
        .iter()
        .map(|options| Arc::new(G::from_options(options)))
        .collect()
}

/// Returns options that choose rule sets in the same way as [`rule_sets`], but with all words.
pub(crate) fn option_sets<G: Game>(random: usize) -> Vec<Options> {
    sets_of_options::<G>(random, usize::MAX)
}

/// Returns options that choose different rule sets. If an option has more than `most_words` words,
/// only four of them are used.
fn sets_of_options<G: Game>(random: usize, most_words: usize) -> Vec<Options> {
    let mut specs = option_specs::<G>();
    specs.retain(|spec| G::PLAYER_COUNT_OPTION.is_none_or(|players| players.spec != *spec));
    let values = |spec: &OptionSpec| match spec.kind {
        OptionKind::Check { .. } => vec!["false".to_string(), "true".into()],
        OptionKind::Spin { default, min, max } => {
            [default, min, max].map(|number| number.to_string()).to_vec()
        }
        OptionKind::Combo { values: values @ [first, second, .., last], .. }
            if values.len() > most_words =>
        {
            [first, second, &values[values.len() / 3], last].map(|value| value.to_string()).to_vec()
        }
        OptionKind::Combo { values, .. } => values.iter().map(ToString::to_string).collect(),
        OptionKind::String | OptionKind::Button => vec![String::new()],
    };
    let mut found: Vec<(G, Options)> = Vec::new();
    let mut add = |options: Options| {
        let rules = G::from_options(&options);
        if found.iter().all(|(other, _)| *other != rules) {
            found.push((rules, options));
        }
    };
    add(default_options::<G>());
    for spec in &specs {
        for value in values(spec) {
            let mut options = default_options::<G>();
            options.set(spec, &value).unwrap();
            add(options);
        }
    }
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..random {
        let mut options = default_options::<G>();
        for spec in &specs {
            let values = values(spec);
            options.set(spec, &values[rng.usize(..values.len())]).unwrap();
        }
        add(options);
    }
    found.into_iter().map(|(_, options)| options).collect()
}

/// Plays random legal moves from a start position. Calls `visit` at each position, including the
/// last one.
pub(crate) fn random_game<G: Game>(
    mut history: GameHistory<G>,
    rng: &mut fastrand::Rng,
    most: usize,
    mut visit: impl FnMut(&mut GameHistory<G>),
) {
    let mut moves = Vec::new();
    for _ in 0..most {
        visit(&mut history);
        moves.clear();
        history.legal_moves(&mut moves);
        if moves.is_empty() {
            return;
        }
        history.push(moves[rng.usize(..moves.len())]);
    }
    visit(&mut history);
}

/// Returns the tables of solved positions for these rules, without files. The tables are not
/// computed yet.
pub(crate) fn no_tables<G: ProbeTables>(rules: &G) -> Arc<G::Tables> {
    rules.create_uncomputed_tables(None)
}

/// Returns the tables that a search under these rules computes by default. All of them are
/// finished.
pub(crate) fn built_tables<G: ProbeTables>(rules: &G) -> Arc<G::Tables> {
    let tables = rules.create_or_share_tables(None);
    tables.begin_computing_tables();
    tables.wait_until_computed(&|| false);
    tables
}

/// Returns the finished tables for a proof under these rules. If the game allows a choice, the
/// tables are for positions with `men` pieces.
pub(crate) fn proof_tables<G: ProbeTables>(rules: &G, men: Option<usize>) -> Arc<G::Tables> {
    let tables = no_tables(rules);
    tables.begin_tablebases_for_proof(men);
    tables.wait_until_computed(&|| false);
    tables
}

/// Returns the seed in the environment variable SEED, or a random seed. Prints the seed, so that
/// the test can be repeated.
pub(crate) fn fresh_seed() -> u64 {
    let seed = fuzz::runner::number_from_env("SEED", fastrand::u64(..1_000_000));
    println!("SEED={seed}");
    seed
}

/// Returns the exact value of a position in these tables.
pub(crate) fn table_value<G: ProbeTables>(
    rules: &G,
    tables: &G::Tables,
    position: &G::Position,
) -> Option<TableValue> {
    rules.probe_tables(tables, position, ProbeWorkLimit::Quick)?.value()
}

/// Returns the rank of a position in these tables; `None` if the position is not lost for the side
/// to move.
pub(crate) fn lost_rank<G: ProbeTables>(
    rules: &G,
    tables: &G::Tables,
    position: &G::Position,
) -> Option<u32> {
    rules.probe_tables(tables, position, ProbeWorkLimit::Thorough)?.win_rank_of_lost_position()
}

/// Returns a game at the start position of these rules.
pub(crate) fn new_history<G: Game>(rules: &Arc<G>) -> GameHistory<G> {
    GameHistory::new(rules.clone(), rules.start_position())
}

/// Returns the legal moves as sorted strings.
pub(crate) fn legal_move_strings<G: Game>(history: &GameHistory<G>) -> Vec<String> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut texts: Vec<String> =
        moves.into_iter().map(|mv| history.rules().move_text(mv)).collect();
    texts.sort();
    texts
}

/// Returns an outcome in the words of `query outcome`.
pub(crate) fn status_protocol_words<G: Game>(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "ongoing".into(),
        Some(Outcome::Draw(reason)) => format!("draw {reason}"),
        Some(Outcome::Win(side, reason)) => format!("win {} {reason}", G::SIDE_NAMES[side.index()]),
    }
}

/// A line of a fixture file, together with the settings of the lines before it.
pub(crate) struct Case<G: Game> {
    /// `file:line`, for messages.
    pub place: String,
    /// The rules of the last `set` line.
    pub rules: Arc<G>,
    /// The position of the last `fen` line. If there was no such line since the last `set`, it is
    /// the start position.
    pub fen: String,
    /// The line itself.
    pub text: String,
    /// The sentences of the rules that decide the case: those of the last comment that names
    /// sentences.
    pub ids: Vec<String>,
}

/// Reads the fixture files of a game whose names end in `ending`. These files have some lines in
/// common:
///
/// - Empty lines and lines that begin with `# ` are for readers.
/// - `set NAME=VALUE ...` chooses the rules of the following lines. `set` alone chooses the default
///   rules.
/// - `fen TEXT` chooses the position of the following lines. `fen startpos` chooses the start
///   position.
///
/// A comment `# GAME ID, ID: remark` names the sentences of the rules that decide the
/// following cases. Every other line is a case.
pub(crate) fn cases<G: Game>(ending: &str) -> Vec<Case<G>> {
    let mut cases = Vec::new();
    for file in fixture_files(&rules_file_word::<G>(), ending) {
        let mut rules = rules::<G>(&[]);
        let mut fen = rules.position_text(&rules.start_position());
        let mut ids = Vec::new();
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with("# ") {
                ids = ids_named::<G>(line).unwrap_or(ids);
            } else if let Some(settings) = line.strip_prefix("set") {
                rules = self::rules(&settings.split_whitespace().collect::<Vec<_>>());
                fen = rules.position_text(&rules.start_position());
            } else if let Some(text) = line.strip_prefix("fen ") {
                fen = if text == "startpos" {
                    rules.position_text(&rules.start_position())
                } else {
                    text.into()
                };
            } else {
                let place = format!("{}:{}", file.display(), number + 1);
                cases.push(Case {
                    place,
                    rules: rules.clone(),
                    fen: fen.clone(),
                    text: line.into(),
                    ids: ids.clone(),
                });
            }
        }
    }
    cases
}

/// Returns the sorted fixture files of a game whose names end in `ending`.
pub(crate) fn fixture_files(id: &str, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder(id)];
    while let Some(folder) = folders.pop() {
        // A game without such files has no cases.
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Returns the ids that a line of a fixture file names; `None` if the line is not a comment with
/// ids.
pub(crate) fn ids_named<G: Game>(line: &str) -> Option<Vec<String>> {
    let names = line.strip_prefix("# ")?.strip_prefix(G::GAME_ID)?.strip_prefix(' ')?;
    let names = names.split_once(':').map_or(names, |(names, _)| names);
    Some(names.split(',').map(|id| id.trim().to_string()).collect())
}

impl<G: Game> Case<G> {
    /// Returns a game that begins at the position of the case.
    pub(crate) fn history(&self) -> GameHistory<G> {
        let position = self
            .rules
            .parse_position(&self.fen)
            .unwrap_or_else(|error| panic!("{}: {error}", self.place));
        GameHistory::new(self.rules.clone(), position)
    }

    /// Returns the two halves of `left => right`.
    pub(crate) fn arrow_halves(&self) -> (&str, &str) {
        let halves =
            self.text.split_once(" => ").unwrap_or_else(|| panic!("{}: no ' => '", self.place));
        assert!(!halves.1.trim().is_empty(), "{}: nothing after ' => '", self.place);
        halves
    }
}

/// Calls a visitor with the rules of every game for two players.
pub(crate) fn for_each_game<V: GameOperation<Output = ()> + Clone>(visitor: V) {
    BuiltinRules::TWO_PLAYER_GAMES.iter().for_each(|id| id.run_operation(visitor.clone()));
}

/// Calls a visitor with the rules of every game for every number of players.
pub(crate) fn for_each_rules<V: GameOperation<Output = ()> + Clone>(visitor: V) {
    BuiltinRules::ALL_RULES.iter().for_each(|id| id.run_operation(visitor.clone()));
}

/// Returns the words of the games that have a board for Go front ends.
pub(crate) fn games_with_go_board() -> Vec<&'static str> {
    struct HasBoard;
    impl GameOperation for HasBoard {
        type Output = bool;
        fn run_for_game_type<G: Game>(self) -> bool {
            rules::<G>(&[]).go_board_shape().is_some()
        }
    }
    let games = BuiltinRules::TWO_PLAYER_GAMES
        .iter()
        .zip(all_game_words())
        .filter(|(id, _)| id.run_operation(HasBoard));
    games.map(|(_, &word)| word).collect()
}

/// The settings of random games under several rule sets.
pub(crate) struct Sample {
    /// The number of random [`rule_sets`].
    pub rule_sets: usize,
    /// The minimum number of games. They are spread over the rule sets. A game without options gets
    /// as many games as a game with a hundred options.
    pub games: usize,
    /// The maximum number of plies in a game.
    pub plies: usize,
}

/// A sample for checks that also inspect the positions after each move.
pub(crate) const SHORT: Sample = Sample { plies: 30, ..SAMPLE };
/// A sample for most checks.
pub(crate) const SAMPLE: Sample = Sample { rule_sets: 6, games: 12, plies: 120 };

impl Sample {
    /// Plays the games of one game type and calls `check` at each position. With the environment
    /// variable `SAMPLE=N` it plays N times as many games.
    pub(crate) fn run<G: Game>(&self, mut check: impl FnMut(&mut GameHistory<G>)) {
        let mut rng = fastrand::Rng::with_seed(2026);
        let factor = fuzz::runner::number_from_env("SAMPLE", 1) as usize;
        assert!(factor > 0, "SAMPLE is at least 1");
        let rule_sets = rule_sets::<G>(self.rule_sets);
        for rules in &rule_sets {
            for _ in 0..self.games.div_ceil(rule_sets.len()) * factor {
                random_game(new_history(rules), &mut rng, self.plies, &mut check);
            }
        }
    }
}

/// Defines a test that runs a check at each position of a [`Sample`] of every game. The check can
/// name the type of the rules.
macro_rules! for_all_games {
    ($(#[$meta:meta])* $test:ident, $game:ident, $sample:expr, |$line:ident| $check:block) => {
        $(#[$meta])*
        #[test]
        fn $test() {
            #[derive(Clone)]
            struct Check;
            impl pentarch_games::GameOperation for Check {
                type Output = ();
                fn run_for_game_type<$game: pentarch_games::Game>(self) {
                    $sample.run(|$line: &mut pentarch_core::GameHistory<$game>| $check);
                }
            }
            $crate::common::for_each_rules(Check);
        }
    };
}
pub(crate) use for_all_games;
