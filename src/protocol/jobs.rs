//! Work that takes its time, each piece on a thread of its own: searches, counts and benchmarks.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::core::{Complete, Line, Options};
use crate::games::{GameId, Visitor};
use crate::search::control::Control;
use crate::search::table::Table;
use crate::search::{self, FULL_SKILL, Limits};

use super::out::Out;
use super::session::{CountJob, SearchAnswer, SearchJob};

/// A job on its thread: prints its own answer, and returns the score that a search found.
pub type Job = Box<dyn FnOnce(&Control, &Out) -> Option<i32> + Send>;

/// A search that answers with exactly one `bestmove`.
pub fn search(job: SearchJob, table: Arc<Table>, ponder: bool) -> Job {
    Box::new(move |control, out| {
        let SearchAnswer { best, ponder: reply, score, faults, .. } =
            job(&table, control, &mut |line| out.lines(&line));
        control.wait_until_released();
        faults.iter().for_each(|fault| out.error(fault));
        match reply.filter(|_| ponder) {
            Some(reply) => out.lines(&format!("bestmove {best} ponder {reply}")),
            None => out.lines(&format!("bestmove {best}")),
        }
        score
    })
}

/// A count of leaves, for each move (`divide`) or only in all.
pub fn count(job: CountJob, depth: u32, divide: bool) -> Job {
    Box::new(move |control, out| {
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

/// The table that benchmarks search with, in MiB.
const BENCH_HASH: usize = 16;

/// Searches the benchmark positions of all games, to this depth or to the one that each game chooses.
pub fn bench(depth: Option<u32>) -> Job {
    Box::new(move |control, out| {
        let Some(table) = Table::new(BENCH_HASH) else {
            out.error("no memory for the benchmark");
            return None;
        };
        let mut total = Effort::default();
        for id in GameId::ALL {
            match id.visit(BenchGame { depth, table: &table, control, out }) {
                Some(effort) => total.add(effort),
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

/// Nodes, and the time they took.
#[derive(Debug, Clone, Copy, Default)]
struct Effort {
    nodes: u64,
    time: Duration,
}

impl Effort {
    fn add(&mut self, other: Effort) {
        self.nodes += other.nodes;
        self.time += other.time;
    }

    fn per_second(self) -> u128 {
        (u128::from(self.nodes) * 1_000_000).checked_div(self.time.as_micros()).unwrap_or(0)
    }
}

struct BenchGame<'a> {
    depth: Option<u32>,
    table: &'a Table,
    control: &'a Control,
    out: &'a Out,
}

impl Visitor for BenchGame<'_> {
    type Output = Option<Effort>;

    fn visit<G: Complete>(self) -> Option<Effort> {
        let (depth, texts) = G::BENCH;
        let depth = self.depth.unwrap_or(depth);
        let rules = Arc::new(G::from_options(&Options::default()));
        let mut progress = Progress::begin(format!("bench {}", G::ID));
        // The search would wait for them too, but it is the search whose speed is measured.
        rules.begin_tables();
        rules.await_tables(&|| self.control.is_over());
        let mut effort = Effort::default();
        for (number, text) in (1..).zip(texts) {
            progress.show(&format!("position {number} of {}", texts.len()));
            let Ok(position) = rules.parse_position(text) else { continue };
            let line = Line::new(rules.clone(), position);
            let mut moves = Vec::new();
            line.legal_moves(&mut moves);
            let limits = Limits {
                depth: Some(depth),
                nodes: None,
                mate: None,
                moves,
                multi_pv: 1,
                solved: true,
                threads: 1,
                skill: FULL_SKILL,
            };
            self.table.clear();
            let begun = Instant::now();
            let answer = search::search(&line, &limits, self.table, self.control, |_| {})?;
            effort.add(Effort { nodes: answer.nodes, time: begun.elapsed() });
            if self.control.is_over() {
                return None;
            }
        }
        drop(progress);
        let (nodes, milliseconds, nps) = (effort.nodes, effort.time.as_millis(), effort.per_second());
        let row = format!("{:10} depth {depth:2} {nodes:>12} nodes {milliseconds:>7} ms {nps:>10} nps", G::ID);
        self.out.lines(&row);
        Some(effort)
    }
}

/// How far a long job is, on the terminal of a person: a line of the standard error output that is written over.
pub struct Progress {
    title: String,
    begun: Instant,
    on_terminal: bool,
    shown: bool,
}

impl Progress {
    /// Jobs that are done sooner show nothing.
    const PATIENCE: Duration = Duration::from_secs(1);

    /// A job that begins now.
    pub fn begin(title: String) -> Progress {
        Progress { title, begun: Instant::now(), on_terminal: std::io::stderr().is_terminal(), shown: false }
    }

    /// Whether there is a terminal to show anything on.
    pub fn is_on_terminal(&self) -> bool {
        self.on_terminal
    }

    /// Shows how far it is.
    pub fn show(&mut self, state: &str) {
        let time = self.begun.elapsed();
        if self.on_terminal && time >= Progress::PATIENCE {
            self.shown = true;
            // A terminal that cannot be written to shows no progress; that is all.
            let _ = write!(std::io::stderr(), "\r\x1b[K{}: {state}, {} s", self.title, time.as_secs());
        }
    }

    /// Shows nothing any more.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
