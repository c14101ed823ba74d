//! What the integration tests share: rule sets, random games, and the reader of fixture files.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentarch::core::options::REPETITION_DRAW;
use pentarch::core::{Complete, Line, OptionKind, OptionSpec, Options, Outcome};
use pentarch::games::{GameId, Visitor};

/// The folder of the fixtures of one game.
pub fn folder(id: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(id)
}

/// The options of a game, with the common one that changes rules.
pub fn specs<G: Complete>() -> Vec<OptionSpec> {
    G::OPTIONS.iter().copied().chain([REPETITION_DRAW]).collect()
}

/// Sets `NAME=VALUE`.
pub fn set<G: Complete>(options: &mut Options, setting: &str) {
    let (name, value) = setting.split_once('=').unwrap_or_else(|| panic!("NAME=VALUE, not {setting}"));
    let specs = specs::<G>();
    let spec = specs.iter().find(|spec| spec.name == name).unwrap_or_else(|| panic!("no option {name}"));
    options.set(spec, value).unwrap();
}

/// The rules that these `NAME=VALUE` settings choose.
pub fn rules<G: Complete>(settings: &[&str]) -> Arc<G> {
    let mut options = Options::default();
    settings.iter().for_each(|setting| set::<G>(&mut options, setting));
    Arc::new(G::from_options(&options))
}

/// Different rule sets of a game: each option at each value (numbers: least, default, greatest), the others at their
/// defaults, and a few at random. The first is the default one.
pub fn rule_sets<G: Complete>(random: usize) -> Vec<Arc<G>> {
    option_sets::<G>(random).iter().map(|options| Arc::new(G::from_options(options))).collect()
}

/// The options that choose the [`rule_sets`].
pub fn option_sets<G: Complete>(random: usize) -> Vec<Options> {
    let specs = specs::<G>();
    let values = |spec: &OptionSpec| match spec.kind {
        OptionKind::Check { .. } => vec!["false".to_string(), "true".into()],
        OptionKind::Spin { default, min, max } => [default, min, max].map(|number| number.to_string()).to_vec(),
        OptionKind::Combo { values, .. } => values.iter().map(ToString::to_string).collect(),
        OptionKind::Text | OptionKind::Button => vec![String::new()],
    };
    let mut found: Vec<(G, Options)> = Vec::new();
    let mut add = |options: Options| {
        let rules = G::from_options(&options);
        if found.iter().all(|(other, _)| *other != rules) {
            found.push((rules, options));
        }
    };
    add(Options::default());
    for spec in &specs {
        for value in values(spec) {
            let mut options = Options::default();
            options.set(spec, &value).unwrap();
            add(options);
        }
    }
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..random {
        let mut options = Options::default();
        for spec in &specs {
            let values = values(spec);
            options.set(spec, &values[rng.usize(..values.len())]).unwrap();
        }
        add(options);
    }
    found.into_iter().map(|(_, options)| options).collect()
}

/// Plays random legal moves from a start position, calling `visit` at every position, the last one included.
pub fn random_game<G: Complete>(
    mut line: Line<G>,
    rng: &mut fastrand::Rng,
    most: usize,
    mut visit: impl FnMut(&mut Line<G>),
) {
    let mut moves = Vec::new();
    for _ in 0..most {
        visit(&mut line);
        moves.clear();
        line.legal_moves(&mut moves);
        if moves.is_empty() {
            return;
        }
        line.push(moves[rng.usize(..moves.len())]);
    }
    visit(&mut line);
}

/// A game from the start position of these rules.
pub fn new_line<G: Complete>(rules: &Arc<G>) -> Line<G> {
    Line::new(rules.clone(), rules.start())
}

/// The legal moves as sorted texts.
pub fn move_texts<G: Complete>(line: &Line<G>) -> Vec<String> {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.into_iter().map(|mv| line.game().move_text(mv)).collect();
    texts.sort();
    texts
}

/// An outcome in the words of `query outcome`.
pub fn outcome_text<G: Complete>(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "ongoing".into(),
        Some(Outcome::Draw(reason)) => format!("draw {reason}"),
        Some(Outcome::Win(side, reason)) => format!("win {} {reason}", G::SIDES[side.index()]),
    }
}

/// A line of a fixture file, with what the lines before it chose.
pub struct Case<G: Complete> {
    /// `file:line`, for messages.
    pub place: String,
    /// By the last `set` line.
    pub rules: Arc<G>,
    /// By the last `fen` line; the start position if there was none since the last `set`.
    pub fen: String,
    /// The line itself.
    pub text: String,
}

/// Reads the fixture files of a game whose names end like this. In all of them
///
/// - empty lines and lines that begin with `# ` are for readers,
/// - `set NAME=VALUE ...` chooses the rules from there on (alone: the default rules),
/// - `fen TEXT` chooses the position from there on (`fen startpos`: the start position).
///
/// Every other line is a case.
pub fn cases<G: Complete>(ending: &str) -> Vec<Case<G>> {
    let mut files = Vec::new();
    let mut folders = vec![folder(G::ID)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let mut rules = rules::<G>(&[]);
        let mut fen = rules.position_text(&rules.start());
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with("# ") {
            } else if let Some(settings) = line.strip_prefix("set") {
                rules = self::rules(&settings.split_whitespace().collect::<Vec<_>>());
                fen = rules.position_text(&rules.start());
            } else if let Some(text) = line.strip_prefix("fen ") {
                fen = if text == "startpos" { rules.position_text(&rules.start()) } else { text.into() };
            } else {
                let place = format!("{}:{}", file.display(), number + 1);
                cases.push(Case { place, rules: rules.clone(), fen: fen.clone(), text: line.into() });
            }
        }
    }
    cases
}

impl<G: Complete> Case<G> {
    /// A game that begins at the case's position.
    pub fn line(&self) -> Line<G> {
        let position = self.rules.parse_position(&self.fen).unwrap_or_else(|error| panic!("{}: {error}", self.place));
        Line::new(self.rules.clone(), position)
    }

    /// The two halves of `left => right`.
    pub fn halves(&self) -> (&str, &str) {
        let halves = self.text.split_once(" => ").unwrap_or_else(|| panic!("{}: no ' => '", self.place));
        assert!(!halves.1.trim().is_empty(), "{}: nothing after ' => '", self.place);
        halves
    }
}

/// Calls a visitor with every game.
pub fn for_each_game<V: Visitor<Output = ()> + Clone>(visitor: V) {
    GameId::ALL.iter().for_each(|id| id.visit(visitor.clone()));
}

/// Plays random games under several rule sets and calls a check at each position.
pub struct Sample {
    /// How many rule sets are chosen at random, beside each option at each value.
    pub rule_sets: usize,
    /// How many games at least, spread over the rule sets: a game without options gets as many as one with a hundred.
    pub games: usize,
    /// How many plies a game has at most.
    pub plies: usize,
}

/// Enough for most checks.
pub const SAMPLE: Sample = Sample { rule_sets: 12, games: 24, plies: 120 };

impl Sample {
    /// Plays the games of one kind of board game.
    pub fn run<G: Complete>(&self, mut check: impl FnMut(&mut Line<G>)) {
        let mut rng = fastrand::Rng::with_seed(2026);
        let rule_sets = rule_sets::<G>(self.rule_sets);
        for rules in &rule_sets {
            for _ in 0..self.games.div_ceil(rule_sets.len()).max(2) {
                random_game(new_line(rules), &mut rng, self.plies, &mut check);
            }
        }
    }
}

/// Makes a test that runs a check at each position of a [`Sample`] of every game.
#[allow(unused_macros, reason = "each test program uses its own part")]
macro_rules! for_all_games {
    ($(#[$meta:meta])* $test:ident, $sample:expr, |$line:ident: &mut Line<$game:ident>| $check:block) => {
        $(#[$meta])*
        #[test]
        fn $test() {
            #[derive(Clone)]
            struct Check;
            impl pentarch::games::Visitor for Check {
                type Output = ();
                fn visit<$game: pentarch::core::Complete>(self) {
                    $sample.run(|$line: &mut pentarch::core::Line<$game>| $check);
                }
            }
            $crate::common::for_each_game(Check);
        }
    };
}
#[allow(unused_imports, reason = "each test program uses its own part")]
pub(crate) use for_all_games;
