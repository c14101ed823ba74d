//! Jobs: commands that take long. They are searches, perfts, the benchmark, and the building of
//! tablebases. A job runs on any thread. It reports [`JobEvent`]s, and a protocol writes the events
//! as lines.

use std::mem::replace;
use std::sync::Arc;
use std::time::Duration;

use pentarch_core::{GameHistory, MakeTables, Warning};
use pentarch_games::Game;
use pentarch_search::clock::Clock;
use pentarch_search::control::SearchControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, SearchEvent, SearchReport, SearchResult, search};

use crate::engine_state::PreparedSearch;
use crate::games::{RulesId, all_games};
use crate::session::{PerftJob, TablebaseBuildJob};

/// A command that takes long, ready to run.
pub struct Job {
    /// The control that stops the job.
    pub control: Arc<SearchControl>,
    kind: JobKind,
}

/// The kinds of jobs.
#[expect(missing_docs, reason = "the variants describe their fields")]
pub enum JobKind {
    /// A search of the current position.
    Search(PreparedSearch),
    /// The building of the tablebases of a new game.
    Tables(TablebaseBuildJob),
    /// A perft of the current position.
    Perft(PerftJob),
    /// A search of the benchmark positions of all two-player games. If `depth` is `None`, each game
    /// has its default depth.
    Bench { depth: Option<u32>, clock: Clock },
}

/// An event of a job.
#[expect(missing_docs, reason = "the variants describe their fields")]
pub enum JobEvent<'a> {
    /// The search has a new result.
    SearchReport(&'a SearchReport<'a, String>),
    /// The search has proven its score. Later results do not repeat this event.
    Proven,
    /// The score is the known value of the position, and the move is not known to reach it. Later
    /// results do not repeat this event.
    PositionProven,
    /// A part of the job has failed. The job continues.
    Fault(&'a Warning),
    /// The search has ended with its best move and the expected reply to it.
    BestMove { best: String, reply: Option<String> },
    /// The tablebases are ready.
    TablesReady,
    /// The perft has counted `leaves` leaves below this move, and `sum` leaves so far.
    PerftMove { text: &'a str, leaves: u64, sum: u64 },
    /// The perft has ended with this number of leaves.
    PerftSum(u64),
    /// The benchmark of a game begins position `number` of `count`.
    BenchPosition { game: &'static str, number: usize, count: usize },
    /// The benchmark of a game has searched this number of nodes.
    BenchGame { game: &'static str, depth: u32, nodes: u64, time: Duration },
    /// The benchmark has searched this number of nodes in all games.
    BenchSum { nodes: u64, time: Duration },
    /// The perft or the benchmark was stopped.
    Stopped,
    /// There is not enough memory for the benchmark.
    NoMemory,
}

/// A function that receives the events of a job.
pub type JobEventSink<'a> = dyn FnMut(JobEvent) + 'a;

impl From<JobKind> for Job {
    fn from(kind: JobKind) -> Job {
        let control = match &kind {
            JobKind::Search(search) => search.control.clone(),
            JobKind::Bench { clock, .. } => Arc::new(SearchControl::new(clock, None, false, false)),
            JobKind::Tables(_) | JobKind::Perft(_) => Arc::default(),
        };
        Job { control, kind }
    }
}

impl Job {
    /// Returns whether all other commands wait for the job, even commands that can run during a
    /// search. Because they wait, the responses stay in order.
    pub fn is_exclusive(&self) -> bool {
        matches!(self.kind, JobKind::Tables(_))
    }

    /// Runs the job. Returns the score of a search, in centipawns for the side to move.
    pub fn run(self, report: &mut JobEventSink) -> Option<i32> {
        let Job { control, kind } = self;
        match kind {
            JobKind::Search(search) => return run_search(search, &control, report),
            JobKind::Tables(tables) => {
                tables(&control).iter().for_each(|fault| report(JobEvent::Fault(fault)));
                report(JobEvent::TablesReady);
            }
            JobKind::Perft(perft) => run_perft(perft, &control, report),
            JobKind::Bench { depth, .. } => run_bench(depth, &control, report),
        }
        None
    }
}

/// Runs a search and returns its score. The best move is reported before the helper threads end.
fn run_search(
    search: PreparedSearch,
    control: &SearchControl,
    report: &mut JobEventSink,
) -> Option<i32> {
    let table = search.table.clone();
    let mut events = SearchEventReporter {
        control,
        table: &table,
        report,
        is_proven: false,
        is_position_proven: false,
        last: SearchReport::EMPTY_SEARCH_REPORT,
        pv: Vec::new(),
        nodes: 0,
        faults: None,
    };
    let result = search.run_with_events(&mut |event| match event {
        SearchEvent::Report(info) => events.report_progress(&info),
        SearchEvent::Result(result) => events.report_end(result),
    });
    match events.faults {
        None => events.report_end(&result),
        Some(reported) => {
            let later = result.faults.iter().skip(reported);
            later.for_each(|fault| report(JobEvent::Fault(fault)));
        }
    }
    result.score
}

struct SearchEventReporter<'a, 'b> {
    control: &'a SearchControl,
    table: &'a TranspositionTable,
    report: &'a mut JobEventSink<'b>,
    /// Whether [`JobEvent::Proven`] was reported.
    is_proven: bool,
    /// Whether [`JobEvent::PositionProven`] was reported.
    is_position_proven: bool,
    /// The last report on the best move, without its principal variation.
    last: SearchReport<'static, String>,
    /// The principal variation of the last report on the best move.
    pv: Vec<String>,
    /// The number of nodes of the last report.
    nodes: u64,
    /// The number of faults that were reported with the best move; `None` before that report.
    faults: Option<usize>,
}

impl SearchEventReporter<'_, '_> {
    fn report_progress(&mut self, info: &SearchReport<String>) {
        (self.report)(JobEvent::SearchReport(info));
        self.nodes = info.nodes;
        if info.rank == 1 {
            self.last = info.with_principal_variation(info.score, &[]);
            self.pv = info.pv.to_vec();
        }
        if info.move_score.is_some() {
            if !replace(&mut self.is_position_proven, true) {
                (self.report)(JobEvent::PositionProven);
            }
        } else if info.is_known && !replace(&mut self.is_proven, true) {
            (self.report)(JobEvent::Proven);
        }
    }

    /// Reports the total cost of the search, and then the best move. If only a signal can end the
    /// search, the best move is reported after that signal.
    fn report_end(&mut self, result: &SearchResult<String>) {
        let SearchResult { best, ponder, nodes, table_hits, faults, .. } = result;
        // A search that failed may have no report.
        if *nodes > self.nodes && !self.pv.is_empty() {
            let total = SearchReport {
                nodes: *nodes,
                table_hits: *table_hits,
                per_mille_full: self.table.per_mille_full(),
                time: self.control.elapsed(),
                ..self.last.with_principal_variation(self.last.score, &self.pv)
            };
            (self.report)(JobEvent::SearchReport(&total));
        }
        self.control.wait_until_released();
        faults.iter().for_each(|fault| (self.report)(JobEvent::Fault(fault)));
        self.faults = Some(faults.len());
        (self.report)(JobEvent::BestMove { best: best.clone(), reply: ponder.clone() });
    }
}

fn run_perft(perft: PerftJob, control: &SearchControl, report: &mut JobEventSink) {
    let mut sum = 0;
    let total = perft(control, &mut |text, leaves| {
        sum += leaves;
        report(JobEvent::PerftMove { text, leaves, sum });
    });
    report(total.map_or(JobEvent::Stopped, JobEvent::PerftSum));
}

const BENCH_HASH_MIB: usize = 16;

fn run_bench(depth: Option<u32>, control: &SearchControl, report: &mut JobEventSink) {
    let Some(table) = TranspositionTable::new(BENCH_HASH_MIB) else {
        return report(JobEvent::NoMemory);
    };
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for game in 0..all_games().len() {
        let benchmark = GameBenchmark { depth, table: &table, control, report };
        let Some(result) = RulesId::for_two_players(game).operations().run_benchmark(benchmark)
        else {
            return report(JobEvent::Stopped);
        };
        nodes += result.nodes;
        time += result.time;
    }
    report(JobEvent::BenchSum { nodes, time });
}

/// The benchmark of one game.
pub(crate) struct GameBenchmark<'a, 'b> {
    depth: Option<u32>,
    table: &'a TranspositionTable,
    control: &'a SearchControl,
    report: &'a mut JobEventSink<'b>,
}

/// The result of a benchmark.
pub(crate) struct BenchResult {
    nodes: u64,
    /// The time of the searches.
    time: Duration,
}

/// Runs the benchmark of one game. Returns `None` if it was stopped.
pub(crate) fn run_game_benchmark<G: Game>(benchmark: GameBenchmark<'_, '_>) -> Option<BenchResult> {
    let GameBenchmark { table, control, report, .. } = benchmark;
    let (default_depth, positions) = G::BENCH_POSITIONS;
    let depth = benchmark.depth.unwrap_or(default_depth);
    let rules = Arc::new(G::default());
    let tables = rules.shared_solved_tables(None);
    // Waits for the tables before the time starts. Otherwise the search would wait for them,
    // and the measured time must be that of the search alone.
    tables.begin_computing_tables();
    tables.wait_until_computed(&|| control.is_over());
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for (number, text) in (1..).zip(positions) {
        report(JobEvent::BenchPosition { game: G::GAME_ID, number, count: positions.len() });
        let Ok(position) = rules.parse_position(text) else { continue };
        let history = GameHistory::new(rules.clone(), position);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        table.clear();
        let start = control.elapsed();
        let answer = search(&history, &tables, &limits, table, control, &mut |_| {})?;
        nodes += answer.nodes;
        time += control.elapsed() - start;
        if control.is_over() {
            return None;
        }
    }
    report(JobEvent::BenchGame { game: G::GAME_ID, depth, nodes, time });
    Some(BenchResult { nodes, time })
}
