//! The state of an engine between commands: the options, the game in play, and the transposition table.

use std::sync::Arc;

use pentarch_core::notation::record::Record;
use pentarch_core::rules::options::{REPETITION_DRAW, TABLE_PATH};
use pentarch_core::{OptionKind, OptionSpec, OptionValue, Options};
use pentarch_games::GameId;
use pentarch_search::control::Control;
use pentarch_search::time_management::TimeControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchReport, SearchResult};

use super::error::{EngineError, Fault};
use super::game_session::NewSession;
use super::host::Host;
use super::input_word::Word;
use super::options::{self as engine_options, EngineOptions, TableSize};
use super::session::{SearchJob, Session};

/// The state of the engine between commands.
pub struct Engine {
    /// The options in force.
    pub options: Options,
    /// The game in play.
    pub session: Box<dyn Session>,
    /// The score of the last search in centipawns, for the side that was to move.
    pub last_score: Option<i32>,
    /// Where the engine runs.
    pub(super) host: Arc<dyn Host>,
    /// The transposition table with the size that was asked for; none before it is needed.
    table: Option<(TableSize, Arc<TranspositionTable>)>,
    /// The record that was loaded or added to last.
    pub(super) kept: Option<Record>,
    /// Whether the table may hold scores of a time at which the tables that solve the game were not made.
    rests_on_guesses: bool,
    /// A warning that is still to be shown: the memory for the table was not available.
    pub warning: Option<String>,
}

/// What a search is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Go {
    /// The limits of depth, nodes and moves to a mate, and the moves to choose from. Options set the others.
    pub limits: Limits<Word>,
    /// The clocks and the time for the move.
    pub time: TimeControl,
    /// Whether the search goes on until it is stopped.
    pub infinite: bool,
    /// Whether the search begins on the opponent's time and goes on until it is told that its move was made, or
    /// stopped.
    pub ponder: bool,
}

/// A search that is ready to run on any thread. Its clock runs already.
pub struct Search {
    /// Stops the search.
    pub control: Arc<Control>,
    /// The transposition table that it fills.
    pub table: Arc<TranspositionTable>,
    job: Box<dyn SearchJob>,
}

impl Search {
    /// Searches, calls `report` with each report, and returns the answer. There is an answer even if the search fails
    /// inside.
    pub fn run(self, report: &mut dyn FnMut(&SearchReport<String>)) -> SearchResult<String> {
        self.job.run(&self.table, &self.control, report)
    }
}

impl Engine {
    /// An engine with these options; the game in play is in its start position.
    pub fn new(options: Options, host: Arc<dyn Host>) -> Engine {
        Engine {
            session: session_with_tables(&options, host.as_ref()),
            options,
            last_score: None,
            host,
            table: None,
            kept: None,
            rests_on_guesses: false,
            warning: None,
        }
    }

    /// Clears what earlier searches have left: their entries in the transposition table and the last score.
    pub fn clear_search(&mut self) {
        self.last_score = None;
        if let Some((_, table)) = &self.table {
            table.clear();
        }
    }

    /// Another game begins: what searches have left goes, and what was added to the record of the game in play.
    pub fn begin_game(&mut self) {
        self.clear_search();
        self.kept = None;
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If no option has this name, or the option does not take this value; nothing changes then.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let spec = engine_options::find(name)?;
        let mut options = self.options.clone();
        options.set(spec, value)?;
        if *spec == engine_options::HASH.spec {
            let freed = self.table.as_ref().map_or(0, |(_, table)| table.mib());
            engine_options::check_memory(&options, freed, self.host.as_ref())?;
        }
        if *spec == pentarch_games::GAME.spec
            || GameId::chosen(&options) != GameId::chosen(&self.options)
        {
            self.session = session_with_tables(&options, self.host.as_ref());
            self.kept = None;
            self.clear_search();
        } else if *spec == TABLE_PATH.spec {
            self.session
                .set_table_files(engine_options::table_files(&options, self.host.as_ref())?);
            self.clear_search();
        } else if self.session.configure(&options) {
            self.kept = None;
            self.clear_search();
        } else if spec.kind == OptionKind::Button {
            self.clear_search();
        }
        self.options = options;
        Ok(())
    }

    /// A search of the current position, its clock started; `None` if the game is over.
    ///
    /// # Errors
    /// If one of the moves to be searched is not legal.
    pub fn search(&mut self, go: &Go) -> Result<Option<Search>, EngineError> {
        let options = EngineOptions::of(&self.options);
        let mut limits = Limits {
            multi_pv: options.multi_pv,
            threads: options.threads,
            level: options.level,
            use_books: options.own_book,
            ..go.limits.clone()
        };
        let (player, players) =
            (self.session.standing().player, self.session.facts().players.len());
        let mut time = go.time;
        limits.resolve_zeros(&mut time, players, go.infinite);
        let budget = time.budget(player, players, options.move_overhead);
        let infinite = go.infinite || (budget.is_none() && !limits.is_bounded());
        // The clock starts before the table is allocated, since that takes time, too.
        let control = Arc::new(Control::new(&self.host.clock(), budget, go.ponder, infinite));
        let Some(job) = self.session.search(&limits)? else { return Ok(None) };
        let table = self.table();
        // The table is cleared where its entries must not have an influence: a search by depth or nodes is to give the
        // same result every time, and a search for a mate must not use scores of reduced searches. Scores from before
        // the tables were made that solve the game are no better than guesses beside them.
        let is_deterministic = budget.is_none() && limits.is_bounded() && limits.threads == 1;
        let is_solved = self.session.is_solved();
        let had_guesses = std::mem::replace(&mut self.rests_on_guesses, !is_solved);
        let is_new = is_solved && had_guesses;
        if is_deterministic || limits.mate.is_some() || is_new {
            table.clear();
        }
        Ok(Some(Search { control, table, job }))
    }

    /// The transposition table, of the size that the option asks for. If there is not enough memory, the old table
    /// stays, or without one the size is halved until there is; [`Engine::warning`] says so then, where the option was
    /// set.
    pub fn table(&mut self) -> Arc<TranspositionTable> {
        let size = EngineOptions::of(&self.options).hash;
        if let Some((asked, table)) = &self.table
            && *asked == size
        {
            return table.clone();
        }
        let old = self.table.take().map(|(_, table)| table);
        let table = size.table(self.host.as_ref()).map(Arc::new).unwrap_or_else(|| {
            let fallback =
                old.unwrap_or_else(|| TranspositionTable::largest_up_to(size.mib / 2).into());
            let (asked, serves) = (size.mib, fallback.mib());
            self.warning =
                Some(format!("no memory for a Hash of {asked} MiB; one of {serves} MiB serves"));
            fallback
        });
        self.table = Some((size, table.clone()));
        table
    }
}

/// The options that choose among the rules of the game that these options name.
pub fn rule_options(options: &Options) -> impl Iterator<Item = &'static OptionSpec> + use<> {
    own_rules(options).iter().chain([&REPETITION_DRAW.spec])
}

/// Those of the [`rule_options`] that no other game has.
pub fn own_rules(options: &Options) -> &'static [OptionSpec] {
    GameId::OPTIONS[options.choice(&pentarch_games::GAME)]
}

/// A session with the game that these options choose, in its start position, without files of tables.
pub fn new_session(options: &Options) -> Box<dyn Session> {
    GameId::chosen(options).visit(NewSession(options, None))
}

/// The same with the files of tables that the options name.
pub(super) fn session_with_tables(options: &Options, host: &dyn Host) -> Box<dyn Session> {
    // A directory that cannot be used was refused before, or has gone since: then there are no files.
    let files = engine_options::table_files(options, host).unwrap_or_default();
    GameId::chosen(options).visit(NewSession(options, files))
}

/// The rules that these options choose, if they are for two players, as what is to be done with them needs.
///
/// # Errors
/// If they are for more; the error begins with `needed_by`.
pub fn game_for_two(options: &Options, needed_by: &'static str) -> Result<GameId, EngineError> {
    let game = GameId::chosen(options);
    match game.players() {
        2 => Ok(game),
        players => Err(Fault::NotForTwo { needed_by, players }.into()),
    }
}

/// The options of the rules that differ from their defaults, with their values.
pub fn changed_rules(options: &Options) -> Vec<(&'static OptionSpec, OptionValue)> {
    let all = rule_options(options).map(|spec| (spec, options.value(spec)));
    all.filter(|(spec, value)| *value != spec.default_value()).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use pentarch_search::clock::Clock;
    use pentarch_search::transposition::{Bound, Entry};

    use super::*;

    /// A host whose time stands still, with so many MiB of free memory.
    struct Still(Option<u64>);

    impl Host for Still {
        fn clock(&self) -> Clock {
            Clock::new(|| Duration::ZERO)
        }

        fn free_memory(&self) -> Option<u64> {
            self.0
        }
    }

    #[test]
    fn a_default_table_is_halved_until_it_fits_and_any_other_is_refused() {
        for (free, fitting) in [(33 + 16, 16), (33 + 15, 8), (33 + 1, 1), (10, 0)] {
            let mut engine = Engine::new(Options::default(), Arc::new(Still(Some(free))));
            assert_eq!(engine.table().mib(), fitting);
            let refused = engine.set_option("Hash", "100").unwrap_err().to_string();
            let left = free.saturating_sub(33) + fitting as u64;
            assert!(
                refused.contains(&format!("does not fit into the {left} MiB of free memory")),
                "{refused}"
            );
        }
    }

    /// No score from before the tables were made that solve the game stands beside exact ones.
    #[test]
    fn what_a_search_kept_goes_when_the_game_is_solved() {
        let mut engine = Engine::new(Options::default(), Arc::new(Still(None)));
        engine.set_option("Game", "roses").unwrap();
        let entry = Entry { score: 128, depth: 9, bound: Bound::Exact, best: None };
        let keeps = |engine: &mut Engine| {
            engine.table().put(7, entry);
            let go = Go { infinite: true, ..Go::default() };
            assert!(engine.search(&go).unwrap().is_some());
            engine.table().get(7).is_some()
        };
        engine.rests_on_guesses = true;
        engine.session.make_tables()(&Control::default());
        assert!(engine.session.is_solved());
        assert_eq!([(); 2].map(|()| keeps(&mut engine)), [false, true]);
    }
}
