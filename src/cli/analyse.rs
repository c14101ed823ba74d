//! The subcommand `analyse`: parses its flags.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::Args;

use crate::analysis::proof::prove_position_value;
use crate::analysis::review::{self, GameToReview, MOVE_CSV_HEADING};
use crate::analysis::shard::AnalysisShardError;
use crate::analysis::{BatchThreadOptions, json_lines, shard, win_chance_chart};
use crate::cli::CliError;
use crate::cli::shard_arguments::ShardArguments;
use crate::io::host::SystemHost;
use crate::io::input::MAX_WAITING_LINES_BYTES;
use crate::io::interrupt::set_interrupt_handler;
use crate::io::output::{Output, print_to_stderr};
use crate::io::progress::{ProgressLine, clear_progress_line, estimate_time_left};
use crate::io::standard_streams;
use crate::io::whole_files::open_regular_file;
use crate::problems::grader::problem_of_position;
use pentarch_core::Options;
use pentarch_engine::annotate::annotate_record;
use pentarch_engine::engine_options::EngineOptions;
use pentarch_engine::requests::fields::MAX_REPORTED_MOVES;
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::requests::responder::Responder;
use pentarch_engine::session::MAX_GAME_PLIES;
use pentarch_engine::to_json;
use pentarch_system::WithErrorLocation;

use super::exit_process;

/// Analyses positions or a game: the best moves, the worth of each move, and the turning point of a
/// game.
///
/// With FILE it reviews the game of a record. It prints a line for each move: the values before and
/// after the move, the chance of winning that the move lost, and the best move. Then it prints a
/// summary for each side. Without FILE it responds to requests. Each line of the input is an object
/// in JSON that asks for a board, its moves, an analysis or a level's move. Reports of a search can
/// precede its response ('protocol.md' has all fields).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct AnalyseArguments {
    /// A record in the format of 'record' and 'arena --record'; FILE:NUMBER for one game of several
    file: Option<PathBuf>,
    /// Respond to the requests in this file instead of those on the standard input
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    requests: Option<PathBuf>,
    /// Number of plies to search in each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Number of nodes to search in each position [default for a game: 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of milliseconds to search each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Number of best moves in a response
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "file")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=MAX_REPORTED_MOVES as i64))]
    multipv: u16,
    /// Number of positions to search at once, each on one thread
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Respond to each request as soon as possible, in any order; requests without a search do not
    /// wait for searches
    #[arg(long, conflicts_with = "file")]
    unordered: bool,
    /// Write a game's moves as comma-separated values
    #[arg(long, requires = "file")]
    csv: bool,
    /// Write a game's moves and its summary as objects in JSON, one per line
    #[arg(long, requires = "file", conflicts_with = "csv")]
    json: bool,
    /// Write the chances of winning after each of a game's moves as a graph in SVG
    #[arg(long, requires = "file", conflicts_with_all = ["csv", "json"])]
    svg: bool,
    /// Write a game's record with the findings: marks, comments, and better lines as variations
    #[arg(long, requires = "file", conflicts_with_all = ["csv", "json", "svg"])]
    annotate: bool,
    #[command(flatten)]
    shard: ShardArguments,
}

const EXAMPLES_HELP: &str = "\
Examples:
  Review a game:
    pentarch analyse game.txt
  Draw the review as a graph:
    pentarch analyse game.txt --svg > game.svg
  Save the findings with the game:
    pentarch analyse game.txt --annotate > annotated.txt
  Review the third game of a match, more thoroughly, on four cores:
    pentarch analyse match.games:3 --nodes 500000 --concurrency 4
  Request the three best moves of a position:
    echo '{\"id\": 1, \"game\": \"quoridor\", \"moves\": [\"e2\"], \"nodes\": 10000, \"multipv\": 3}' \\
      | pentarch analyse
  Respond to many requests on four cores:
    pentarch analyse --nodes 5000 --concurrency 4 < requests.jsonl \\
      > answers.jsonl

Limits of depth or nodes yield the same values every time, with any --concurrency. Each thread has a table of the size
that --set Hash sets.";

const DEFAULT_REVIEW_NODES: u64 = 20_000;

impl AnalyseArguments {
    /// Responds to requests, or reviews a game.
    ///
    /// # Errors
    /// If the game cannot be read, or if there is not enough memory.
    pub(super) fn run(&self, options: &Options, out: &Output) -> Result<(), CliError> {
        let &AnalyseArguments { depth, nodes, movetime, multipv, concurrency, unordered, .. } =
            self;
        let mut limits = SearchLimits { depth, nodes, movetime, multipv: multipv.into() };
        let hash = EngineOptions::new(options).hash;
        let batch =
            BatchThreadOptions { concurrency: concurrency.into(), hash, ordered: !unordered };
        let shard = self.shard.shard_options(exit_process);
        if shard.is_some() && self.requests.is_none() {
            return Err(CliError::InvalidArguments(
                "--shard requires --requests FILE: a shard has lines of it".into(),
            ));
        }
        let Some(file) = &self.file else {
            let responder =
                Responder::new(options.clone(), limits, MAX_GAME_PLIES, SystemHost::shared_host())
                    .with_problem_maker(problem_of_position)
                    .with_winner_prover(prove_position_value);
            if let Some(requests) = &self.requests
                && let Some(shard) = shard
            {
                let batch = BatchThreadOptions { ordered: true, ..batch };
                let context = (options, limits);
                shard::respond_to_request_shard(requests, shard, context, responder, batch)?;
                return Ok(());
            }
            let input: Box<dyn BufRead + Send> = match &self.requests {
                None => Box::new(BufReader::new(standard_streams::standard_input())),
                Some(path) => {
                    let file =
                        open_regular_file(OpenOptions::new().read(true), path).with_file_path(path);
                    Box::new(BufReader::new(file.map_err(CliError::command_failed)?))
                }
            };
            return json_lines::respond_to_request_lines(
                input,
                MAX_WAITING_LINES_BYTES,
                out,
                responder,
                batch,
                None,
            )
            .map(|_| ())
            .map_err(CliError::command_failed);
        };
        if !limits.is_bounded() {
            limits.nodes = Some(DEFAULT_REVIEW_NODES);
        }
        let game = GameToReview::read(file, options, limits).with_file_path(file);
        let game = game.map_err(CliError::command_failed)?;
        self.review_game(game, limits, batch, out)
    }

    fn review_game(
        &self,
        game: GameToReview,
        limits: SearchLimits,
        batch: BatchThreadOptions,
        out: &Output,
    ) -> Result<(), CliError> {
        let moves = game.len();
        let done = Arc::new(AtomicUsize::new(0));
        let written_moves = done.clone();
        let is_written_at_end = self.svg || self.annotate;
        let annotated = self.annotate.then(|| game.record_and_session());
        set_interrupt_handler(move |code| {
            let written = if is_written_at_end { 0 } else { written_moves.load(Relaxed) };
            clear_progress_line();
            print_to_stderr(&format!("interrupted: {written} of {moves} moves are written"));
            exit_process(code);
        })
        .map_err(CliError::command_failed)?;
        if self.csv {
            out.write_lines(MOVE_CSV_HEADING);
        } else if !self.json && !is_written_at_end {
            out.write_lines(review::move_table_heading(game.is_race()));
        }
        let begun = Instant::now();
        let mut progress = ProgressLine::begin_and_show_at_once("analyse".into());
        progress.show(&format!("0 of {moves} moves"));
        let reviewed = game.review_moves(limits, batch, |mv| {
            progress.clear();
            if self.csv {
                out.write_lines(&review::move_csv_row(mv));
            } else if self.json {
                out.write_lines(&to_json(mv));
            } else if !is_written_at_end {
                out.write_lines(&review::move_table_row(mv));
            }
            done.store(mv.ply, Relaxed);
            let remaining = (moves - mv.ply) as f64;
            let left =
                estimate_time_left(begun.elapsed(), mv.ply as f64, remaining, Duration::ZERO);
            let left = left.map_or_else(String::new, |left| format!(", some {left} left"));
            progress.show(&format!("{} of {moves} moves{left}", mv.ply));
            !out.is_closed()
        });
        progress.clear();
        let reviewed = reviewed.map_err(CliError::command_failed)?;
        if let Some((mut record, session)) = annotated {
            let written = annotate_record(&mut record, &reviewed, session.as_ref());
            written.map_err(CliError::command_failed)?;
            out.write_lines(&record.text(session.game_moves().turns));
        } else if self.json {
            out.write_lines(&to_json(&reviewed.summary));
        } else if self.svg {
            out.write_unchanged(&win_chance_chart::win_chance_chart(&reviewed).to_svg_document());
        } else if !self.csv {
            let mistakes = review::mistakes_text(&reviewed);
            out.write_lines(&format!("{mistakes}{}", review::review_summary_text(&reviewed, &[])));
        }
        Ok(())
    }
}

impl From<AnalysisShardError> for CliError {
    fn from(error: AnalysisShardError) -> CliError {
        if error.is_usage_error() {
            CliError::invalid_arguments(error)
        } else {
            CliError::command_failed(error)
        }
    }
}
