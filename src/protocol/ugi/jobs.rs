//! Jobs, commands that take long and run on a thread of their own: searches, perfts, benchmarks, and the making of
//! tables.

use std::mem::replace;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::core::{Game, GameHistory, MakeTables, Options};
use crate::engine::session::{PerftJob, TablesJob};
use crate::engine::state::Search;
use crate::games::{GameId, Visitor};
use crate::io::output::Output;
use crate::io::progress::Progress;
use crate::protocol::uci_lines;
use crate::search::control::Control;
use crate::search::transposition::TranspositionTable;
use crate::search::{self, Answer, Limits};

/// The work of a job. It prints its own answer, and returns the score that a search found.
pub type Run = Box<dyn FnOnce(&Output) -> Option<i32> + Send>;

/// A command that takes long, ready to run on a thread of its own.
pub struct Job {
    /// Stops the job.
    pub control: Arc<Control>,
    /// Whether all other commands wait for the job, even those that are carried out during a search.
    pub is_exclusive: bool,
    /// Runs the job: writes its answer, and returns the score of a search.
    pub run: Run,
}

impl Job {
    /// A job without a time limit.
    fn new(work: impl FnOnce(&Control, &Output) -> Option<i32> + Send + 'static) -> Job {
        let control = Arc::new(Control::default());
        let own = control.clone();
        Job { control, is_exclusive: false, run: Box::new(move |out| work(&own, out)) }
    }
}

/// A search. It answers with exactly one `bestmove`, which names the expected reply if `ponder` is set.
pub fn search(search: Search, ponder: bool) -> Job {
    let control = search.control.clone();
    let run = move |out: &Output| {
        let control = search.control.clone();
        let mut is_told = false;
        let Answer { best, ponder: reply, score, faults, .. } = search.run(&mut |step| {
            out.lines(&uci_lines::info(step));
            if step.is_known && !replace(&mut is_told, true) {
                out.lines("info string proven");
            }
        });
        control.wait_until_released();
        faults.iter().for_each(|fault| out.error(fault));
        match reply.filter(|_| ponder) {
            Some(reply) => out.lines(&format!("bestmove {best} ponder {reply}")),
            None => out.lines(&format!("bestmove {best}")),
        }
        score
    };
    Job { control, is_exclusive: false, run: Box::new(run) }
}

/// The making of the tablebases of a game that begins, which is answered by `readyok` when they are made. Other
/// commands wait for it, so that all answers keep their order.
pub fn ready(tables: TablesJob) -> Job {
    let make = move |control: &Control, out: &Output| {
        tables(control).iter().for_each(|fault| out.error(fault));
        out.lines("readyok");
        None
    };
    Job { is_exclusive: true, ..Job::new(make) }
}

/// A perft, which answers with the leaves in all and, if `divide` is set, with those below each move.
pub fn perft(job: PerftJob, depth: u32, divide: bool) -> Job {
    Job::new(move |control, out| {
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
        None
    })
}

/// The size of the benchmark's transposition table, in MiB.
const BENCH_HASH: usize = 16;

/// The benchmark: a search of the benchmark positions of all games, to this depth or to the one that each game chooses.
pub fn bench(depth: Option<u32>) -> Job {
    Job::new(move |control, out| {
        let Some(table) = TranspositionTable::new(BENCH_HASH) else {
            out.error("no memory for the benchmark");
            return None;
        };
        let mut total = Measurement::default();
        for id in GameId::ALL {
            match id.visit(BenchGame { depth, table: &table, control, out }) {
                Some(measured) => total.add(measured),
                None => {
                    out.lines("info string stopped");
                    return None;
                }
            }
        }
        out.lines(&format!("Nodes: {}\nNPS: {}", total.nodes, total.per_second()));
        None
    })
}

/// The nodes of searches, and the time that they took.
#[derive(Debug, Clone, Copy, Default)]
struct Measurement {
    nodes: u64,
    time: Duration,
}

impl Measurement {
    fn add(&mut self, other: Measurement) {
        self.nodes += other.nodes;
        self.time += other.time;
    }

    fn per_second(self) -> u128 {
        (u128::from(self.nodes) * 1_000_000).checked_div(self.time.as_micros()).unwrap_or(0)
    }
}

/// The benchmark of one game.
struct BenchGame<'a> {
    depth: Option<u32>,
    table: &'a TranspositionTable,
    control: &'a Control,
    out: &'a Output,
}

impl Visitor for BenchGame<'_> {
    type Output = Option<Measurement>;

    fn visit<G: Game>(self) -> Option<Measurement> {
        let (depth, texts) = G::BENCH;
        let depth = self.depth.unwrap_or(depth);
        let rules = Arc::new(G::from_options(&Options::default()));
        let mut progress = Progress::begin(format!("bench {}", G::ID));
        let tables = rules.new_tables(None);
        // The search would wait for the tables, too, but only the search is to be measured.
        tables.begin();
        tables.wait(&|| self.control.is_over());
        let mut measured = Measurement::default();
        for (number, text) in (1..).zip(texts) {
            progress.show(&format!("position {number} of {}", texts.len()));
            let Ok(position) = rules.parse_position(text) else { continue };
            let history = GameHistory::new(rules.clone(), position);
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            self.table.clear();
            let begun = Instant::now();
            let answer = search::search(&history, &tables, &limits, self.table, self.control, |_| {})?;
            measured.add(Measurement { nodes: answer.nodes, time: begun.elapsed() });
            if self.control.is_over() {
                return None;
            }
        }
        drop(progress);
        let (nodes, milliseconds, nps) = (measured.nodes, measured.time.as_millis(), measured.per_second());
        let width = GameId::WORDS.iter().map(|word| word.len()).max().unwrap_or(0).max(10);
        let row = format!("{:width$} depth {depth:2} {nodes:>12} nodes {milliseconds:>7} ms {nps:>10} nps", G::ID);
        self.out.lines(&row);
        Some(measured)
    }
}
