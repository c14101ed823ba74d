//! Jobs, commands that take long and run on a thread of their own: searches, perfts, benchmarks, and the making of
//! tables.

use std::mem::replace;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::io::output::Output;
use crate::io::progress::Progress;
use crate::protocol::uci_lines;
use pentarch_core::{GameHistory, MakeTables, Options};
use pentarch_engine::engine_state::Search;
use pentarch_engine::session::{PerftJob, TablesJob};
use pentarch_games::{Game, GameId, Visitor};
use pentarch_search::control::Control;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Answer, Info, Limits, search};

/// A command that takes long, ready to run on a thread of its own.
pub struct Job {
    /// Stops the job.
    pub control: Arc<Control>,
    work: Work,
}

/// What a job does.
#[expect(missing_docs, reason = "explained above")]
pub enum Work {
    /// A search, which answers with exactly one `bestmove`, and names the expected reply if `ponder` is set.
    Search { search: Search, ponder: bool },
    /// The making of the tablebases of a game that begins, answered by `readyok` when they are made.
    Tables(TablesJob),
    /// A perft, answered with the leaves in all and, if `divide` is set, with those below each move.
    Perft { job: PerftJob, depth: u32, divide: bool },
    /// The benchmark: a search of the benchmark positions of all games, to this depth or to the one that each game
    /// chooses.
    Bench(Option<u32>),
}

impl From<Work> for Job {
    fn from(work: Work) -> Job {
        let control = match &work {
            Work::Search { search, .. } => search.control.clone(),
            _ => Arc::default(),
        };
        Job { control, work }
    }
}

impl Job {
    /// Whether all other commands wait for the job, even those that are carried out during a search: so all answers
    /// keep their order.
    pub fn is_exclusive(&self) -> bool {
        matches!(self.work, Work::Tables(_))
    }

    /// Runs the job: writes its answer, and returns the score of a search.
    pub fn run(self, out: &Output) -> Option<i32> {
        let Job { control, work } = self;
        match work {
            Work::Search { search, ponder } => return run_search(search, ponder, &control, out),
            Work::Tables(tables) => {
                tables(&control).iter().for_each(|fault| out.error(fault));
                out.lines("readyok");
            }
            Work::Perft { job, depth, divide } => run_perft(job, depth, divide, &control, out),
            Work::Bench(depth) => run_bench(depth, &control, out),
        }
        None
    }
}

fn run_search(search: Search, ponder: bool, control: &Control, out: &Output) -> Option<i32> {
    let table = search.table.clone();
    let mut is_told = false;
    // The last report on the best move, its principal variation, and the nodes in the last line.
    let (mut last, mut pv, mut told) = (Info::<String>::NOTHING, Vec::new(), 0);
    let Answer { best, ponder: reply, score, nodes, table_hits, faults } =
        search.run(&mut |step| {
            out.lines(&uci_lines::info(step));
            told = step.nodes;
            if step.rank == 1 {
                (last, pv) = (step.with(step.score, &[]), step.pv.to_vec());
            }
            if step.is_known && !replace(&mut is_told, true) {
                out.lines("info string proven");
            }
        });
    if nodes > told {
        if pv.is_empty() {
            pv.push(best.clone());
        }
        let (per_mille_full, time) = (table.per_mille_full(), control.elapsed());
        let total = Info { nodes, table_hits, per_mille_full, time, ..last.with(last.score, &pv) };
        out.lines(&uci_lines::info(&total));
    }
    control.wait_until_released();
    faults.iter().for_each(|fault| out.error(fault));
    match reply.filter(|_| ponder) {
        Some(reply) => out.lines(&format!("bestmove {best} ponder {reply}")),
        None => out.lines(&format!("bestmove {best}")),
    }
    score
}

fn run_perft(job: PerftJob, depth: u32, divide: bool, control: &Control, out: &Output) {
    let mut progress = Progress::begin(format!("perft {depth}"));
    let mut sum = 0;
    let counted = job(control, &mut |text, leaves| {
        sum += leaves;
        if divide {
            out.lines(&format!("{text}: {leaves}"));
        } else {
            progress.show(&format!("{sum} nodes up to {text}"));
        }
    });
    drop(progress);
    match counted {
        Some(nodes) => out.lines(&format!("Nodes: {nodes}")),
        None => out.lines("info string stopped"),
    }
}

/// The size of the benchmark's transposition table, in MiB.
const BENCH_HASH: usize = 16;

fn run_bench(depth: Option<u32>, control: &Control, out: &Output) {
    let Some(table) = TranspositionTable::new(BENCH_HASH) else {
        return out.error("no memory for the benchmark");
    };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for id in GameId::FOR_TWO {
        let Some(measured) = id.visit(BenchGame { depth, table: &table, control, out }) else {
            return out.lines("info string stopped");
        };
        (nodes, time) = (nodes + measured.0, time + measured.1);
    }
    out.lines(&format!("Nodes: {nodes}\nNPS: {}", uci_lines::per_second(nodes, time)));
}

/// The benchmark of one game.
struct BenchGame<'a> {
    depth: Option<u32>,
    table: &'a TranspositionTable,
    control: &'a Control,
    out: &'a Output,
}

impl Visitor for BenchGame<'_> {
    /// The nodes of the searches, and the time that they took; none if they were stopped.
    type Output = Option<(u64, Duration)>;

    fn visit<G: Game>(self) -> Option<(u64, Duration)> {
        let (depth, texts) = G::BENCH;
        let depth = self.depth.unwrap_or(depth);
        let rules = Arc::new(G::from_options(&Options::default()));
        let mut progress = Progress::begin(format!("bench {}", G::ID));
        let tables = rules.shared_tables(None);
        // The search would wait for the tables, too, but only the search is to be measured.
        tables.begin();
        tables.wait(&|| self.control.is_over());
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for (number, text) in (1..).zip(texts) {
            progress.show(&format!("position {number} of {}", texts.len()));
            let Ok(position) = rules.parse_position(text) else { continue };
            let history = GameHistory::new(rules.clone(), position);
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            self.table.clear();
            let begun = Instant::now();
            let answer = search(&history, &tables, &limits, self.table, self.control, &mut |_| {})?;
            (nodes, time) = (nodes + answer.nodes, time + begun.elapsed());
            if self.control.is_over() {
                return None;
            }
        }
        drop(progress);
        let (milliseconds, nps) = (time.as_millis(), uci_lines::per_second(nodes, time));
        let width = GameId::WORDS.iter().map(|word| word.len()).max().unwrap_or(0).max(10);
        let row = format!(
            "{:width$} depth {depth:2} {nodes:>12} nodes {milliseconds:>7} ms {nps:>10} nps",
            G::ID
        );
        self.out.lines(&row);
        Some((nodes, time))
    }
}
