//! The subcommand `analyse`: its flags.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::Args;

use crate::analysis::proof::settle;
use crate::analysis::review::{self, CSV_HEADER, Game, HEADER};
use crate::analysis::shard::RequestShardError;
use crate::analysis::{Plan, graph, json_lines, shard};
use crate::cli::Failure;
use crate::cli::shard_arguments::ShardArguments;
use crate::io::files::open_plain;
use crate::io::host::System;
use crate::io::input::MAX_WAITING;
use crate::io::interrupt::on_interrupt;
use crate::io::output::{Output, tell};
use crate::io::progress::{Progress, clear_line, time_left};
use crate::io::standard;
use crate::problems::judge::problem_of;
use pentarch_core::Options;
use pentarch_engine::findings::write_findings;
use pentarch_engine::json;
use pentarch_engine::options::EngineOptions;
use pentarch_engine::requests::fields::MAX_MULTIPV;
use pentarch_engine::requests::request::Effort;
use pentarch_engine::requests::responder::Responder;
use pentarch_engine::session::MAX_PLIES;
use pentarch_system::ErrorContext;

use super::exit;

/// Analyses positions or a game: what is best, what a move was worth, and where a game turned.
///
/// With FILE it goes over the game of a record: a line for each move, with its value before and after it, how much of
/// the chance of winning it lost, and the best move; then a summary for each side. Without FILE it answers requests:
/// each line of the input is an object in JSON that asks for a board, its moves, an analysis or a level's move.
/// Reports of a search can precede its response ('protocol.md' has all fields).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalyseArguments {
    /// A record, as 'record' and 'arena --record' write them; of a file with several games FILE:NUMBER
    file: Option<String>,
    /// Answer the requests in this file instead of those on the standard input
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    requests: Option<PathBuf>,
    /// How many plies deep to search each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// How many nodes to search of each position [default for a game: 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How many milliseconds to search each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// How many of the best moves an answer has
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "file")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=MAX_MULTIPV as i64))]
    multipv: u16,
    /// How many positions to search at once, each on one thread
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Answer requests as soon as they are done, in any order: what needs no search does not wait for one
    #[arg(long, conflicts_with = "file")]
    unordered: bool,
    /// Write a game's moves as comma-separated values
    #[arg(long, requires = "file")]
    csv: bool,
    /// Write a game's moves and its summary as objects in JSON, one a line
    #[arg(long, requires = "file", conflicts_with = "csv")]
    json: bool,
    /// Write the chances of winning after each of a game's moves as a picture in SVG
    #[arg(long, requires = "file", conflicts_with_all = ["csv", "json"])]
    svg: bool,
    /// Write a game's record with what was found: marks, comments, and better lines as variations
    #[arg(long, requires = "file", conflicts_with_all = ["csv", "json", "svg"])]
    annotate: bool,
    #[command(flatten)]
    shard: ShardArguments,
}

const EXAMPLES: &str = "\
Examples:
  Go over a game:
    pentarch analyse game.txt
  The same as a picture:
    pentarch analyse game.txt --svg > game.svg
  Keep what was found with the game:
    pentarch analyse game.txt --annotate > annotated.txt
  Go over the third game of a match, more thoroughly, on four cores:
    pentarch analyse match.games:3 --nodes 500000 --concurrency 4
  Ask for the three best moves of a position:
    echo '{\"id\": 1, \"game\": \"quoridor\", \"moves\": [\"e2\"], \"nodes\": 10000, \"multipv\": 3}' \\
      | pentarch analyse
  Answer many requests on four cores:
    pentarch analyse --nodes 5000 --concurrency 4 < requests.jsonl \\
      > answers.jsonl

Limits of depth or nodes give the same values every time, whatever --concurrency is. Each thread has a table of the size
that --set Hash gives.";

/// How many nodes are searched of each position of a game if nothing else is said.
const DEFAULT_NODES: u64 = 20_000;

impl AnalyseArguments {
    /// Responds to requests, or reviews a game.
    ///
    /// # Errors
    /// If the game cannot be read, or if there is not enough memory.
    pub fn run(&self, options: &Options, out: &Output) -> Result<(), Failure> {
        let &AnalyseArguments { depth, nodes, movetime, multipv, concurrency, unordered, .. } =
            self;
        let mut effort = Effort { depth, nodes, movetime, multipv: multipv.into() };
        let hash = EngineOptions::of(options).hash;
        let plan = Plan { concurrency: concurrency.into(), hash, ordered: !unordered };
        let wanted = self.shard.plan(exit);
        if wanted.is_some() && self.requests.is_none() {
            return Err(Failure::BadArguments(
                "--shard requires --requests FILE: a shard has lines of it".into(),
            ));
        }
        let Some(file) = &self.file else {
            let responder = Responder::new(options.clone(), effort, MAX_PLIES, System::shared())
                .with_problems(problem_of);
            let responder = responder.with_proofs(settle);
            if let (Some(requests), Some(wanted)) = (&self.requests, wanted) {
                let plan = Plan { ordered: true, ..plan };
                return Ok(shard::run(requests, wanted, (options, effort), responder, plan)?);
            }
            let input: Box<dyn BufRead + Send> = match &self.requests {
                None => Box::new(BufReader::new(standard::input())),
                Some(path) => {
                    let file = open_plain(OpenOptions::new().read(true), path).in_file(path);
                    Box::new(BufReader::new(file.map_err(Failure::failed)?))
                }
            };
            return json_lines::answer_all(input, MAX_WAITING, out, responder, plan, None)
                .map(|_| ())
                .map_err(Failure::failed);
        };
        if !effort.is_bounded() {
            effort.nodes = Some(DEFAULT_NODES);
        }
        let game = Game::read(file, options, effort).in_file(Path::new(file));
        let game = game.map_err(Failure::failed)?;
        self.review(game, effort, plan, out)
    }

    fn review(&self, game: Game, effort: Effort, plan: Plan, out: &Output) -> Result<(), Failure> {
        let (moves, done) = (game.len(), Arc::new(AtomicUsize::new(0)));
        let counted = done.clone();
        let is_one = self.svg || self.annotate;
        let annotated = self.annotate.then(|| game.record());
        let interrupted = move |code| {
            let written = if is_one { 0 } else { counted.load(Relaxed) };
            clear_line();
            tell(&format!("interrupted: {written} of {moves} moves are written"));
            exit(code);
        };
        on_interrupt(interrupted).map_err(Failure::failed)?;
        if self.csv {
            out.lines(CSV_HEADER);
        } else if !self.json && !is_one {
            out.lines(HEADER);
        }
        let begun = Instant::now();
        let mut progress = Progress::at_once("analyse".into());
        progress.show(&format!("0 of {moves} moves"));
        let reviewed = game.review(effort, plan, |mv| {
            progress.clear();
            if self.csv {
                out.lines(&review::csv(mv));
            } else if self.json {
                out.lines(&json(mv));
            } else if !is_one {
                out.lines(&review::line(mv));
            }
            done.store(mv.ply, Relaxed);
            let left =
                time_left(begun.elapsed(), mv.ply as f64, (moves - mv.ply) as f64, Duration::ZERO);
            let left = left.map_or_else(String::new, |left| format!(", some {left} left"));
            progress.show(&format!("{} of {moves} moves{left}", mv.ply));
            !out.is_closed()
        });
        progress.clear();
        let reviewed = reviewed.map_err(Failure::failed)?;
        if let Some((mut record, session)) = annotated {
            let written = write_findings(&mut record, &reviewed, session.as_ref());
            written.map_err(Failure::failed)?;
            out.lines(&record.text(session.course().turns));
        } else if self.json {
            out.lines(&json(&reviewed.summary));
        } else if self.svg {
            out.raw(&graph::of_game(&reviewed).svg());
        } else if !self.csv {
            out.lines(&review::summary(&reviewed));
        }
        Ok(())
    }
}

impl From<RequestShardError> for Failure {
    fn from(error: RequestShardError) -> Failure {
        if error.is_usage() { Failure::bad_arguments(error) } else { Failure::failed(error) }
    }
}
