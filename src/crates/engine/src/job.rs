//! Jobs: long-running commands, such as searches, perfts, the benchmark, and the building of
//! tablebases. A job can run on any thread. It reports [`JobEvent`]s, which a protocol writes as
//! lines.

use std::mem::replace;
use std::sync::Arc;
use std::time::Duration;

use pentarch_core::Warning;
#[cfg(feature = "console")]
use pentarch_search::clock::Clock;
use pentarch_search::control::SearchControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{SearchEvent, SearchReport, SearchResult};

#[cfg(feature = "console")]
use crate::benchmark::run_bench;
use crate::engine_state::PreparedSearch;
use crate::session::{PerftJob, TablebaseBuildJob};

/// A long-running command that is ready to run.
pub struct Job {
    /// The control that stops the job.
    pub control: Arc<SearchControl>,
    kind: JobKind,
}

/// The kinds of jobs.
#[cfg_attr(
    feature = "console",
    expect(missing_docs, reason = "the variants describe their fields")
)]
pub enum JobKind {
    /// A search of the current position.
    Search(PreparedSearch),
    /// The building of the tablebases of a new game.
    Tables(TablebaseBuildJob),
    /// A perft of the current position.
    Perft(PerftJob),
    /// A search of the benchmark positions of all two-player games. If `depth` is `None`, each game
    /// has its default depth.
    #[cfg(feature = "console")]
    Bench { depth: Option<u32>, clock: Clock },
}

/// An event of a job.
#[expect(missing_docs, reason = "the variants describe their fields")]
pub enum JobEvent<'a> {
    /// The search has a new result.
    SearchReport(&'a SearchReport<'a, String>),
    /// The search has proven its score. Later results do not repeat this event.
    Proven,
    /// The score is the known value of the position, but it is not known whether the move reaches
    /// this value. Later results do not repeat this event.
    PositionProven,
    /// A part of the job has failed. The job continues.
    Fault(&'a Warning),
    /// The search has ended with this best move and the expected reply.
    BestMove { best: String, reply: Option<String> },
    /// The tablebases are ready.
    TablesReady,
    /// The perft has counted `leaves` leaves below this move, and `sum` leaves in all so far.
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

impl JobEvent<'_> {
    /// Returns whether this event is the result of the job. After the result, only faults can
    /// follow.
    pub fn is_result(&self) -> bool {
        matches!(
            self,
            JobEvent::BestMove { .. }
                | JobEvent::TablesReady
                | JobEvent::PerftSum(_)
                | JobEvent::BenchSum { .. }
                | JobEvent::Stopped
                | JobEvent::NoMemory
        )
    }
}

/// A function that receives the events of a job.
pub type JobEventSink<'a> = dyn FnMut(JobEvent) + 'a;

impl From<JobKind> for Job {
    fn from(kind: JobKind) -> Job {
        let control = match &kind {
            JobKind::Search(search) => search.control.clone(),
            #[cfg(feature = "console")]
            JobKind::Bench { clock, .. } => Arc::new(SearchControl::new(clock, None, false, false)),
            JobKind::Tables(_) | JobKind::Perft(_) => Arc::default(),
        };
        Job { control, kind }
    }
}

impl Job {
    /// Returns whether all other commands must wait for the job, even commands that can run during
    /// a search. The wait ensures that the responses stay in order.
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
            #[cfg(feature = "console")]
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
            self.last = info.with_score_and_pv(info.score, &[]);
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
    /// search, waits for the signal before reporting the best move.
    fn report_end(&mut self, result: &SearchResult<String>) {
        let SearchResult { best, ponder, nodes, table_hits, faults, .. } = result;
        // A failed search may have no report.
        if *nodes > self.nodes && !self.pv.is_empty() {
            let total = SearchReport {
                nodes: *nodes,
                table_hits: *table_hits,
                per_mille_full: self.table.per_mille_full(),
                time: self.control.elapsed(),
                ..self.last.with_score_and_pv(self.last.score, &self.pv)
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
