//! The state of an engine between commands: the options, the current game, and the transposition
//! table.

use std::sync::{Arc, Mutex};

use pentarch_core::notation::record::GameRecord;
use pentarch_core::rules::options::{REPETITION_DRAW_OPTION, TABLE_PATH_OPTION};
use pentarch_core::{OptionKind, OptionSpec, OptionValue, Options};
use pentarch_search::control::SearchControl;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::time_management::MoveTimeControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchEvent, SearchReport, SearchResult};

use super::best_lines::{BestLines, is_proven_report};
use super::engine_options::{self as engine_options, EngineOptions, HashTableSize};
use super::error::{EngineError, EngineFault};
use super::games::{GAME_OPTION, RulesId};
use super::host::Host;
use super::input_word::InputWord;
use super::known::KnownFacts;
use super::session::{GameMoves, SearchJob, Session};

/// The state of an engine between two commands.
pub struct Engine {
    /// The current values of the options.
    pub options: Options,
    /// The current game, with its position.
    pub session: Box<dyn Session>,
    /// The score of the last search in centipawns, for the side to move in that search.
    pub last_score: Option<i32>,
    /// The last search that was started; `None` if its results were cleared.
    last_search: Option<LastSearch>,
    /// The host, which provides the clock, memory and files.
    pub(super) host: Arc<dyn Host>,
    /// The transposition table with its requested size; `None` before the table is first used.
    table: Option<(HashTableSize, Arc<TranspositionTable>)>,
    /// The record that was last loaded or annotated. It stores the comments, marks and variations
    /// of the current game.
    pub(super) annotated_record: Option<GameRecord>,
    /// Whether the table may contain scores that were stored before the tablebases solved the game.
    has_unsolved_scores: bool,
    /// A warning that has not been shown yet. The warning is about too little memory for the table,
    /// or about the record that was loaded last.
    pub warning: Option<String>,
}

/// The parameters of the command `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoCommandParameters {
    /// The limits on depth, nodes and moves to a mate, and the moves to choose from. The other
    /// limits come from the options.
    pub limits: Limits<InputWord>,
    /// The clocks of the game, and the time for this move.
    pub time: MoveTimeControl,
    /// Whether the search continues until it is stopped.
    pub infinite: bool,
    /// Whether the search runs on the opponent's time. If so, the search continues until it is
    /// stopped, or until a signal reports that the expected move was made.
    pub ponder: bool,
}

/// A search that was started.
struct LastSearch {
    /// The game whose last position was searched.
    game: GameMoves,
    /// Whether the search considered all legal moves.
    has_all_moves: bool,
    /// The lines that the search has proved.
    proven: Arc<Mutex<BestLines>>,
}

/// A search that is ready to run on any thread. Its clock is already running.
pub struct PreparedSearch {
    /// The control that stops the search.
    pub control: Arc<SearchControl>,
    /// The transposition table that the search fills.
    pub table: Arc<TranspositionTable>,
    job: Box<dyn SearchJob>,
    /// The lines of the last iteration, if its best line is proven.
    proven: Arc<Mutex<BestLines>>,
}

impl dyn SearchJob {
    /// Searches to the end, calls `report` with each report, and returns the best move.
    pub fn search_to_end(
        self: Box<Self>,
        table: &TranspositionTable,
        control: &SearchControl,
        report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchResult<String> {
        self.run_with_events(table, control, &mut |event| {
            if let SearchEvent::Report(info) = event {
                report(&info);
            }
        })
    }
}

impl PreparedSearch {
    /// Searches, calls `report` with each report, and returns the best move. The method returns a
    /// best move even if the search panics.
    pub fn run(self, report: &mut dyn FnMut(&SearchReport<String>)) -> SearchResult<String> {
        self.run_with_events(&mut |event| {
            if let SearchEvent::Report(info) = event {
                report(&info);
            }
        })
    }

    /// Does the same as [`run`](PreparedSearch::run), but also reports the result before the helper
    /// threads end. The returned result can contain more faults than the reported result.
    pub fn run_with_events(
        self,
        on_event: &mut dyn FnMut(SearchEvent<String>),
    ) -> SearchResult<String> {
        let PreparedSearch { control, table, job, proven } = self;
        let mut has_proven_best = false;
        job.run_with_events(&table, &control, &mut |event| {
            if let SearchEvent::Report(info) = &event
                && let Ok(mut lines) = proven.lock()
            {
                if info.rank == 1 {
                    lines.lines.clear();
                    has_proven_best = is_proven_report(info);
                }
                if has_proven_best {
                    lines.add_report(info);
                }
            }
            on_event(event);
        })
    }
}

impl Engine {
    /// Creates an engine with these options. The current game is in its start position.
    pub fn new(options: Options, host: Arc<dyn Host>) -> Engine {
        let session = new_session_with_tables(&options, host.as_ref());
        Engine::from_session(options, session, host)
    }

    /// Creates an engine. `session` must have the rules that `options` select.
    fn from_session(options: Options, session: Box<dyn Session>, host: Arc<dyn Host>) -> Engine {
        Engine {
            session,
            options,
            last_score: None,
            last_search: None,
            host,
            table: None,
            annotated_record: None,
            has_unsolved_scores: false,
            warning: None,
        }
    }

    /// Returns an engine with a copy of the options and of the current game, but without results of
    /// searches.
    pub fn copy_without_search_results(&self) -> Engine {
        let session = self.session.copy_session();
        let annotated_record = self.annotated_record.clone();
        let copy = Engine::from_session(self.options.clone(), session, Arc::clone(&self.host));
        Engine { annotated_record, ..copy }
    }

    /// Clears the results of earlier searches: the transposition table and the last score.
    pub(crate) fn clear_search_results(&mut self) {
        self.last_score = None;
        self.last_search = None;
        if let Some((_, table)) = &self.table {
            table.clear();
        }
    }

    /// Starts another game. Clears the results of searches and the annotations of the current game.
    pub fn clear_for_new_game(&mut self) {
        self.clear_search_results();
        self.annotated_record = None;
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If no option has this name, or if the option does not accept this value. In both cases the
    /// engine is unchanged.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let spec = engine_options::find_option(name)?;
        let mut options = self.options.clone();
        options.set(spec, value)?;
        if *spec == engine_options::HASH_OPTION.spec {
            let freed = self.table.as_ref().map_or(0, |(_, table)| table.size_mib());
            engine_options::check_hash_memory(&options, freed, self.host.as_ref())?;
        }
        if *spec == GAME_OPTION.spec
            || RulesId::from_options(&options) != RulesId::from_options(&self.options)
        {
            self.session = new_session_with_tables(&options, self.host.as_ref());
            self.annotated_record = None;
            self.clear_search_results();
        } else if *spec == TABLE_PATH_OPTION.spec {
            self.session.set_table_files(engine_options::open_configured_tablebases(
                &options,
                self.host.as_ref(),
            )?);
            self.clear_search_results();
        } else if self.session.configure_rules(&options) {
            self.annotated_record = None;
            self.clear_search_results();
        } else if spec.kind == OptionKind::Button {
            self.clear_search_results();
        }
        self.options = options;
        Ok(())
    }

    /// Prepares a search of the current position and starts its clock. Returns `None` if the game
    /// is over.
    ///
    /// # Errors
    /// If one of the moves to be searched is not legal.
    pub fn prepare_search(
        &mut self,
        go: &GoCommandParameters,
    ) -> Result<Option<PreparedSearch>, EngineError> {
        let options = EngineOptions::new(&self.options);
        let mut limits = Limits {
            multi_pv: options.multi_pv,
            threads: options.threads,
            level: options.level,
            seed: options.seed,
            use_books: options.own_book,
            ..go.limits.clone()
        };
        let player = self.session.player_on_clock();
        let mut time = go.time;
        limits.resolve_zero_limits(&mut time, player.player_count, go.infinite);
        let budget = time.move_time_budget(player, options.move_overhead);
        let infinite = go.infinite || (budget.is_none() && !limits.is_bounded());
        // The clock starts before the table is allocated, because the allocation also takes time.
        let control =
            Arc::new(SearchControl::new(&self.host.host_clock(), budget, go.ponder, infinite));
        let Some(job) = self.session.prepare_search_job(&limits)? else { return Ok(None) };
        let table = self.transposition_table();
        // Entries of earlier searches must not influence some kinds of searches, so the table is
        // cleared before these searches. A search for a mate must not use the scores of reduced
        // searches. Scores from before the tablebases solved the game are estimates, and must not
        // be mixed with exact scores.
        let is_solved = self.session.is_game_solved();
        let had_unsolved_scores = std::mem::replace(&mut self.has_unsolved_scores, !is_solved);
        let is_newly_solved = is_solved && had_unsolved_scores;
        if limits.mate.is_some() || is_newly_solved {
            table.clear();
        }
        let proven = Arc::default();
        let game = self.session.game_moves();
        let is_strongest = options.level == StrengthLevel::Champion;
        let has_all_moves = is_strongest && go.limits.moves.is_empty();
        self.last_search = Some(LastSearch { game, has_all_moves, proven: Arc::clone(&proven) });
        Ok(Some(PreparedSearch { control, table, job, proven }))
    }

    /// Returns the facts about the current position that are certain. While the game is not over,
    /// they include the results of the last search, if it searched this position or a position
    /// shortly before. If the tablebases may contain the position or a position after one of its
    /// moves, waits for the tablebases until `given_up` returns `true`.
    pub fn known_values(&self, given_up: &dyn Fn() -> bool) -> KnownFacts {
        let mut known = self.session.known_values(given_up);
        if let Some(search) = &self.last_search
            && self.session.game_state().outcome.is_none()
            && let Some(moves) = self.session.game_moves().moves_since(&search.game)
            && let Ok(lines) = search.proven.lock()
        {
            if moves.is_empty() {
                known.add_search(&lines, search.has_all_moves);
            } else {
                known.add_earlier_search(&lines, moves);
            }
        }
        known
    }

    /// Returns the transposition table. The option `Hash` determines its size. If the option was
    /// set but there is not enough memory, the old table remains, and [`Engine::warning`] is set.
    /// If there is no old table, the size is halved until there is enough memory. If the option was
    /// not set, the size is halved without a warning.
    pub fn transposition_table(&mut self) -> Arc<TranspositionTable> {
        let size = EngineOptions::new(&self.options).hash;
        if let Some((requested, table)) = &self.table
            && *requested == size
        {
            return table.clone();
        }
        let old = self.table.take().map(|(_, table)| table);
        let table = size.allocate_table(self.host.as_ref()).map(Arc::new).unwrap_or_else(|| {
            let fallback =
                old.unwrap_or_else(|| TranspositionTable::allocate_up_to_mib(size.mib / 2).into());
            let requested = size.mib;
            let actual = fallback.size_mib();
            self.warning =
                Some(format!("no memory for a Hash of {requested} MiB; using {actual} MiB"));
            fallback
        });
        self.table = Some((size, table.clone()));
        table
    }
}

/// Returns the rule options of the current game.
pub fn rule_options(options: &Options) -> impl Iterator<Item = &'static OptionSpec> + use<> {
    game_specific_options(options).iter().chain([&REPETITION_DRAW_OPTION.spec])
}

/// Returns the [`rule_options`] that are specific to the game selected by `options`.
pub fn game_specific_options(options: &Options) -> &'static [OptionSpec] {
    RulesId::from_options(options).game_definition().options
}

/// Creates a session with the game that these options select. The game is in its start position and
/// has no tablebase files.
pub fn new_game_session(options: &Options) -> Box<dyn Session> {
    RulesId::from_options(options).operations().new_session(options, None)
}

/// Creates a session like [`new_game_session`], but with the tablebase files of the options.
pub(super) fn new_session_with_tables(options: &Options, host: &dyn Host) -> Box<dyn Session> {
    // An unusable directory was rejected when the option was set. If the directory has disappeared
    // since then, there are no files.
    let files = engine_options::open_configured_tablebases(options, host).unwrap_or_default();
    RulesId::from_options(options).operations().new_session(options, files)
}

/// Returns the rules that these options select, which must be for two players.
///
/// # Errors
/// If the rules are for more players. The message begins with `needed_by`.
pub fn two_player_rules(
    options: &Options,
    needed_by: &'static str,
) -> Result<RulesId, EngineError> {
    let game = RulesId::from_options(options);
    match game.player_count() {
        2 => Ok(game),
        players => Err(EngineFault::NotForTwo { needed_by, players }.into()),
    }
}

/// Returns the rule options that differ from their defaults, with their values.
pub fn non_default_rules(options: &Options) -> Vec<(&'static OptionSpec, OptionValue)> {
    let rules = rule_options(options).map(|spec| (spec, options.value(spec)));
    rules.filter(|(spec, value)| *value != spec.default_value()).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use pentarch_search::clock::Clock;
    use pentarch_search::transposition::{ScoreBound, TranspositionEntry};

    use super::*;

    /// A host with a frozen clock and this amount of free memory in MiB; `None` if the amount is
    /// unknown.
    struct FrozenHost(Option<u64>);

    impl Host for FrozenHost {
        fn host_clock(&self) -> Clock {
            Clock::new(|| Duration::ZERO)
        }

        fn free_memory_mib(&self) -> Option<u64> {
            self.0
        }
    }

    #[test]
    fn halves_a_default_table_until_it_fits_and_rejects_any_other() {
        for (free, fitting) in [(33 + 16, 16), (33 + 15, 8), (33 + 1, 1), (10, 0)] {
            let mut engine = Engine::new(Options::default(), Arc::new(FrozenHost(Some(free))));
            assert_eq!(engine.transposition_table().size_mib(), fitting);
            let error = engine.set_option("Hash", "100").unwrap_err().to_string();
            let left = free.saturating_sub(33) + fitting as u64;
            assert!(
                error.contains(&format!("does not fit into the {left} MiB of free memory")),
                "{error}"
            );
        }
    }

    /// An analysis to a given depth and a match with a node limit use the same search as a game on
    /// the clock.
    #[test]
    fn only_a_search_for_a_mate_clears_the_search_table() {
        let mut engine = Engine::new(Options::default(), Arc::new(FrozenHost(None)));
        let entry =
            TranspositionEntry { score: 128, depth: 9, bound: ScoreBound::Exact, best: None };
        engine.transposition_table().put(7, entry);
        let limits = [
            Limits { depth: Some(1), ..Limits::default() },
            Limits { nodes: Some(1), ..Limits::default() },
            Limits { mate: Some(1), ..Limits::default() },
        ];
        let is_kept = limits.map(|limits| {
            let go = GoCommandParameters { limits, ..GoCommandParameters::default() };
            assert!(engine.prepare_search(&go).unwrap().is_some());
            engine.transposition_table().get(7).is_some()
        });
        assert_eq!(is_kept, [true, true, false]);
    }

    /// Scores from before the tablebases solved the game must not be mixed with exact scores.
    #[test]
    fn solving_the_game_clears_the_search_table() {
        let mut engine = Engine::new(Options::default(), Arc::new(FrozenHost(None)));
        engine.set_option("Game", "roses").unwrap();
        let entry =
            TranspositionEntry { score: 128, depth: 9, bound: ScoreBound::Exact, best: None };
        let keeps_entry = |engine: &mut Engine| {
            engine.transposition_table().put(7, entry);
            let go = GoCommandParameters { infinite: true, ..GoCommandParameters::default() };
            assert!(engine.prepare_search(&go).unwrap().is_some());
            engine.transposition_table().get(7).is_some()
        };
        engine.has_unsolved_scores = true;
        engine.session.prepare_tablebase_build_job()(&SearchControl::default());
        assert!(engine.session.is_game_solved());
        assert_eq!([(); 2].map(|()| keeps_entry(&mut engine)), [false, true]);
    }
}
