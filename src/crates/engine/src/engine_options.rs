//! The options that do not depend on the game, and the list of all options for front ends.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::iter::successors;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde::Serialize;

use super::games::{GAME_OPTION, all_game_words, all_games};
use pentarch_core::notation::parsing::nearest_known_word;
use pentarch_core::rules::options::{REPETITION_DRAW_OPTION, TABLE_PATH_OPTION};
use pentarch_core::{
    CheckOption, ComboOption, OptionKind, OptionSpec, OptionValue, Options, SpinOption, TableFiles,
};
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::transposition::TranspositionTable;

use super::error::{EngineError, EngineFault};
use super::host::Host;

/// The memory in MiB that a transposition table leaves for the rest of the program.
const RESERVED_MEMORY_MIB: usize = 33;

/// Another name of [`GAME_OPTION`], for UCI front ends.
pub const UCI_VARIANT_OPTION_NAME: &str = "UCI_Variant";
/// The size of the transposition table in MiB.
pub const HASH_OPTION: SpinOption =
    OptionSpec::define_spin("Hash", "Size of the transposition table, in MiB", 16, 1, 65_536);
/// The button that clears the transposition table.
pub const CLEAR_HASH_OPTION: OptionSpec =
    OptionSpec::define_button("Clear Hash", "Clears the results of earlier searches");
/// The number of search threads.
pub const THREADS_OPTION: SpinOption =
    OptionSpec::define_spin("Threads", "Number of search threads", 1, 1, 256);
/// The number of best moves that a search ranks. Each of them gets a principal variation.
pub const MULTI_PV_OPTION: SpinOption =
    OptionSpec::define_spin("MultiPV", "Number of best moves that a search ranks", 1, 1, 256);
/// Whether `bestmove` also names the expected reply, on which the engine can ponder.
pub const PONDER_OPTION: CheckOption =
    OptionSpec::define_check("Ponder", "Whether bestmove names the expected reply", false);
/// The time in milliseconds that each move loses between the front end and the engine. Time
/// management reserves this time.
pub const MOVE_OVERHEAD_OPTION: SpinOption = OptionSpec::define_spin(
    "Move Overhead",
    "Milliseconds of each move that are reserved for the communication with the front end",
    10,
    0,
    5_000,
);
/// Whether the engine uses its opening books.
pub const OWN_BOOK_OPTION: CheckOption = OptionSpec::define_check(
    "OwnBook",
    "Whether the engine prefers the moves of its opening books",
    true,
);
/// The option for the playing strength.
pub const LEVEL_OPTION: ComboOption<StrengthLevel> = OptionSpec::define_combo(
    "Level",
    "Playing strength",
    &StrengthLevel::STRENGTH_LEVEL_NAMES,
    &StrengthLevel::ALL,
    StrengthLevel::Champion as usize,
);
/// The seed for the random choices of a level; 0 for a new seed each time.
pub const SEED_OPTION: SpinOption = OptionSpec::define_spin(
    "Seed",
    "Seed of the random choices of a level: 0 means a new seed each time",
    0,
    0,
    MAX_SEED as i64,
);
/// The maximum seed.
pub const MAX_SEED: u64 = u32::MAX as u64;
/// Whether [`ELO_OPTION`] sets the playing strength instead of [`LEVEL_OPTION`].
pub const LIMIT_STRENGTH_OPTION: CheckOption = OptionSpec::define_check(
    "UCI_LimitStrength",
    "Whether UCI_Elo sets the playing strength instead of Level",
    false,
);
/// The playing strength in Elo points, for front ends without levels. The engine plays at the
/// nearest level.
pub const ELO_OPTION: SpinOption = {
    let [weakest, strongest] = [StrengthLevel::Beginner.elo(), StrengthLevel::Champion.elo()];
    OptionSpec::define_spin(
        "UCI_Elo",
        "Playing strength in Elo points: selects the nearest level, if UCI_LimitStrength is true",
        strongest as i64,
        weakest as i64,
        strongest as i64,
    )
};

/// The options that are independent of the game.
static COMMON_OPTIONS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    vec![
        GAME_OPTION.spec,
        HASH_OPTION.spec,
        CLEAR_HASH_OPTION,
        THREADS_OPTION.spec,
        MULTI_PV_OPTION.spec,
        PONDER_OPTION.spec,
        MOVE_OVERHEAD_OPTION.spec,
        OWN_BOOK_OPTION.spec,
        REPETITION_DRAW_OPTION.spec,
        LEVEL_OPTION.spec,
        SEED_OPTION.spec,
        LIMIT_STRENGTH_OPTION.spec,
        ELO_OPTION.spec,
        TABLE_PATH_OPTION.spec,
    ]
});

/// Returns all options: first the common options, then those of each game. The first common option
/// chooses the game.
pub fn all_options() -> impl Iterator<Item = &'static OptionSpec> {
    COMMON_OPTIONS.iter().chain(all_games().iter().flat_map(|game| game.options))
}

/// Returns the option with this name, ignoring case.
///
/// # Errors
/// If there is no such option. The error suggests the option with the most similar name.
pub fn find_option(name: &str) -> Result<&'static OptionSpec, EngineError> {
    if name.eq_ignore_ascii_case(UCI_VARIANT_OPTION_NAME) {
        return Ok(&COMMON_OPTIONS[0]);
    }
    let found = all_options().find(|spec| spec.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let nearest = nearest_known_word(
            name,
            all_options().map(|spec| spec.name).chain([UCI_VARIANT_OPTION_NAME]),
        );
        EngineFault::UnknownOption { name: name.into(), nearest }.into()
    })
}

/// The values of the engine's options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineOptions {
    /// The size of the transposition table: [`HASH_OPTION`].
    pub hash: HashTableSize,
    /// The number of search threads: [`THREADS_OPTION`].
    pub threads: usize,
    /// The number of best moves that a search ranks: [`MULTI_PV_OPTION`].
    pub multi_pv: usize,
    /// Whether `bestmove` names the expected reply: [`PONDER_OPTION`].
    pub ponder: bool,
    /// The time that each move loses between the front end and the engine:
    /// [`MOVE_OVERHEAD_OPTION`].
    pub move_overhead: Duration,
    /// Whether the engine uses its opening books: [`OWN_BOOK_OPTION`].
    pub own_book: bool,
    /// The playing strength: [`LEVEL_OPTION`]. If [`LIMIT_STRENGTH_OPTION`] is on, the strength is
    /// the level nearest to [`ELO_OPTION`].
    pub level: StrengthLevel,
    /// The seed of the random choices of the level: [`SEED_OPTION`]; `None` for a new seed each
    /// time.
    pub seed: Option<u64>,
    /// The directory of tablebase files: [`TABLE_PATH_OPTION`]; `None` if it is not set.
    pub table_path: Option<String>,
}

impl EngineOptions {
    /// Returns the values of these options.
    pub fn new(options: &Options) -> EngineOptions {
        let mib = options.spin_value(&HASH_OPTION) as usize;
        let level = match options.is_on(&LIMIT_STRENGTH_OPTION) {
            true => StrengthLevel::nearest_to_elo(options.spin_value(&ELO_OPTION) as u32),
            false => options.combo_value(&LEVEL_OPTION),
        };
        let path = options.string_value(&TABLE_PATH_OPTION);
        EngineOptions {
            hash: HashTableSize { mib, is_set: options.is_set(&HASH_OPTION) },
            threads: options.spin_value(&THREADS_OPTION) as usize,
            multi_pv: options.spin_value(&MULTI_PV_OPTION) as usize,
            ponder: options.is_on(&PONDER_OPTION),
            move_overhead: Duration::from_millis(options.spin_value(&MOVE_OVERHEAD_OPTION) as u64),
            own_book: options.is_on(&OWN_BOOK_OPTION),
            level,
            seed: Some(options.spin_value(&SEED_OPTION) as u64).filter(|&seed| seed > 0),
            table_path: (!path.is_empty()).then(|| path.into()),
        }
    }
}

/// The size of a transposition table according to the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashTableSize {
    /// The value of [`HASH_OPTION`], in MiB.
    pub mib: usize,
    /// Whether the option `Hash` was set. Otherwise `mib` is only the maximum size.
    is_set: bool,
}

impl HashTableSize {
    /// Creates a table of this size; `None` if there is not enough memory. A size that was not set
    /// is halved until the table fits. If less than 1 MiB is available, the table stores nothing.
    pub fn allocate_table(self, host: &dyn Host) -> Option<TranspositionTable> {
        if self.is_set {
            return TranspositionTable::new(self.mib);
        }
        let free = host
            .free_memory_mib()
            .map_or(usize::MAX, |free| (free as usize).saturating_sub(RESERVED_MEMORY_MIB));
        let fitting = successors(Some(self.mib), |mib| Some(mib / 2)).find(|mib| *mib <= free);
        Some(TranspositionTable::allocate_up_to_mib(fitting.unwrap_or(0)))
    }
}

/// Checks that there is memory for a transposition table of the size in these options. `freed` is
/// the size in MiB of the table that will be replaced.
///
/// The check allocates the memory and frees it again. Some systems grant more memory than they
/// have, so the size is also compared with the free memory and the memory limits, if the system
/// reports them.
///
/// # Errors
/// If there is not enough memory.
pub fn check_hash_memory(
    options: &Options,
    freed: usize,
    host: &dyn Host,
) -> Result<(), EngineError> {
    let mib = options.spin_value(&HASH_OPTION);
    match host.free_memory_mib().map(|free| free as i64 + freed as i64 - RESERVED_MEMORY_MIB as i64)
    {
        Some(free) if free < mib => {
            Err(EngineFault::HashTooLarge { mib, free: free.max(0) }.into())
        }
        // Without `black_box` the compiler could remove the allocation, because it is freed at
        // once.
        _ if black_box(TranspositionTable::new(mib as usize)).is_none() => {
            let fitting =
                black_box(TranspositionTable::allocate_up_to_mib(mib as usize / 2)).size_mib();
            Err(EngineFault::HashNotAllocated { mib, fitting }.into())
        }
        _ => Ok(()),
    }
}

/// An option of the engine or of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OptionEntry {
    /// The name of the option.
    pub name: &'static str,
    /// The meaning of the option and of its values, in one line for people.
    pub help: &'static str,
    /// The type, as in UCI.
    #[serde(rename = "type")]
    #[cfg_attr(test, schemars(extend("enum" = crate::requests::schema::OPTION_TYPES)))]
    pub kind: &'static str,
    /// The default value of the option.
    pub default: OptionDefault,
    /// The least number of a `spin`; `null` for other types.
    pub min: Option<i64>,
    /// The greatest number of a `spin`; `null` for other types.
    pub max: Option<i64>,
    /// The values of a `combo`; `null` for other types.
    pub values: Option<&'static [&'static str]>,
    /// The words that name the games with this option.
    pub games: Vec<&'static str>,
    /// The name and a value of another option. This option has an effect only while the other
    /// option has that value. The object is empty if there is no condition.
    pub when: BTreeMap<&'static str, &'static str>,
}

/// The default value of an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum OptionDefault {
    /// The default of a `check`.
    Check(bool),
    /// The default of a `spin`.
    Spin(i64),
    /// The default of a `combo` or a `string`.
    Text(String),
    /// The default of a `button`.
    Button(()),
}

impl OptionEntry {
    /// Creates the entry for an option. The default of the entry is the option's value in
    /// `initial`.
    pub fn new(spec: &OptionSpec, initial: &Options) -> OptionEntry {
        let (kind, min, max, values) = match spec.kind {
            OptionKind::Check { .. } => ("check", None, None, None),
            OptionKind::Spin { min, max, .. } => ("spin", Some(min), Some(max), None),
            OptionKind::Combo { values, .. } => ("combo", None, None, Some(values)),
            OptionKind::String => ("string", None, None, None),
            OptionKind::Button => ("button", None, None, None),
        };
        let default = match initial.value(spec) {
            OptionValue::Check(value) => OptionDefault::Check(value),
            OptionValue::Spin(value) => OptionDefault::Spin(value),
            OptionValue::Combo { word, .. } => OptionDefault::Text(word.into()),
            OptionValue::String(text) => OptionDefault::Text(text),
            OptionValue::Button => OptionDefault::Button(()),
        };
        let own = all_games().iter().find(|game| game.options.contains(spec));
        let games = own.map_or_else(|| all_game_words().to_vec(), |game| vec![game.word]);
        let when = spec.when.into_iter().collect();
        OptionEntry {
            name: spec.name,
            help: spec.help,
            kind,
            default,
            min,
            max,
            values,
            games,
            when,
        }
    }
}

/// Returns the tablebase files in the directory of these options; `None` if the options name no
/// directory.
///
/// # Errors
/// If the path does not exist, is not a directory, or cannot be used.
pub fn open_configured_tablebases(
    options: &Options,
    host: &dyn Host,
) -> Result<Option<Arc<dyn TableFiles>>, EngineError> {
    let Some(path) = EngineOptions::new(options).table_path else { return Ok(None) };
    let files = host.open_table_files(&path);
    Ok(Some(files.map_err(|error| EngineFault::TablePath { path, error })?))
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use pentarch_games::{BuiltinRules, Game, GameOperation};

    use super::super::games::RulesId;

    use super::*;

    #[test]
    fn option_names_are_unique() {
        let mut names: Vec<String> =
            all_options().map(|spec| spec.name.to_ascii_lowercase()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn each_option_has_a_meaning_in_one_line() {
        for spec in all_options() {
            assert!(spec.help.starts_with(char::is_uppercase), "{}", spec.name);
            assert!(!spec.help.ends_with('.') && !spec.help.contains('\n'), "{}", spec.name);
        }
    }

    /// A test of whether two sets of options select the same rules. A game without rule options
    /// always has the same rules.
    struct SameRules<'a>([&'a Options; 2]);

    impl GameOperation for SameRules<'_> {
        type Output = bool;

        fn run_for_game_type<G: Game>(self) -> bool {
            G::RULE_OPTIONS.is_empty() || G::from_options(self.0[0]) == G::from_options(self.0[1])
        }
    }

    /// Returns a random value of an option.
    fn random_value(spec: &OptionSpec, rng: &mut Rng) -> String {
        match spec.kind {
            OptionKind::Check { .. } => rng.bool().to_string(),
            OptionKind::Spin { min, max, .. } => rng.i64(min..=max).to_string(),
            OptionKind::Combo { values, .. } => values[rng.usize(..values.len())].into(),
            OptionKind::String => "directory".into(),
            OptionKind::Button => String::new(),
        }
    }

    #[test]
    fn the_order_of_settings_does_not_matter() {
        let mut rng = Rng::with_seed(81);
        for _ in 0..20 {
            let mut settings: Vec<(&OptionSpec, String)> =
                all_options().map(|spec| (spec, random_value(spec, &mut rng))).collect();
            let mut set_all = || {
                let mut options = Options::default();
                rng.shuffle(&mut settings);
                for (spec, value) in &settings {
                    options.set(spec, value).unwrap();
                }
                options
            };
            let first = set_all();
            for _ in 0..50 {
                let other = set_all();
                assert_eq!(RulesId::from_options(&other), RulesId::from_options(&first));
                assert_eq!(EngineOptions::new(&other), EngineOptions::new(&first));
                for &game in BuiltinRules::ALL_RULES {
                    assert!(game.run_operation(SameRules([&first, &other])), "{first:?} {other:?}");
                }
            }
        }
    }
}
