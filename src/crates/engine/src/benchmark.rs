//! The benchmark: searches of positions of all games, to a fixed depth.

use std::sync::Arc;
use std::time::Duration;

use pentarch_core::{GameHistory, GameTables};
use pentarch_games::Game;
use pentarch_search::control::SearchControl;
use pentarch_search::transposition::TranspositionTable;
use pentarch_search::{Limits, search};

use crate::games::{RulesId, all_games};
use crate::job::{JobEvent, JobEventSink};

const BENCH_HASH_MIB: usize = 16;

pub(crate) fn run_bench(depth: Option<u32>, control: &SearchControl, report: &mut JobEventSink) {
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

/// Runs the benchmark of one game. Returns `None` if the benchmark was stopped.
pub(crate) fn run_game_benchmark<G: Game>(benchmark: GameBenchmark<'_, '_>) -> Option<BenchResult> {
    let GameBenchmark { table, control, report, .. } = benchmark;
    let (default_depth, texts) = G::BENCH_POSITIONS;
    let depth = benchmark.depth.unwrap_or(default_depth);
    let rules = Arc::new(G::default());
    let mut positions: Vec<_> =
        texts.iter().filter_map(|text| rules.parse_position(text).ok()).collect();
    if positions.is_empty() {
        positions.push(rules.start_position());
    }
    let tables = rules.create_or_share_tables(None);
    // Waits for the tables before the time starts. Otherwise the search would wait for them, and
    // the measured time would include this wait.
    tables.begin_computing_tables();
    tables.wait_until_computed(&|| control.is_over());
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for (number, position) in (1..).zip(&positions) {
        report(JobEvent::BenchPosition { game: G::GAME_ID, number, count: positions.len() });
        let history = GameHistory::new(rules.clone(), *position);
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
