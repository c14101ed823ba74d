//! The flags by which a command computes a shard of its job.

use std::ops::Range;
use std::path::PathBuf;

use clap::Args;

use crate::cli::CliError;
use crate::shard::ShardOptions;
use crate::shard::error::ShardError;

/// The shard that a command computes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Shards")]
pub(super) struct ShardArguments {
    /// Compute only the numbers from FROM to TO - 1, for 'pentarch merge'; numbers count from 0
    #[arg(long, value_name = "FROM..TO", requires = "output", value_parser = parse_shard_range)]
    shard: Option<Range<u64>>,
    /// The file for the results; if it already contains these results, it stays unchanged
    #[arg(long, value_name = "SHARD", requires = "shard")]
    output: Option<PathBuf>,
    /// End when the standard input ends; this happens when the program that started this program
    /// ends
    #[arg(long, requires = "shard")]
    until_eof: bool,
}

impl ShardArguments {
    /// Returns the shard that the flags request; `None` without these flags. `end` must end the
    /// program and all processes that it has started.
    pub(super) fn shard_options(&self, end: fn(i32)) -> Option<ShardOptions> {
        Some(ShardOptions {
            range: self.shard.clone()?,
            output: self.output.clone()?,
            end_with_input: self.until_eof.then_some(end),
        })
    }
}

fn parse_shard_range(text: &str) -> Result<Range<u64>, String> {
    let ends =
        text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let range = ends.map(|(from, to)| from..to).filter(|range| range.start <= range.end);
    range.ok_or_else(|| "expected two whole numbers, the smaller one first: 0..100".into())
}

impl From<ShardError> for CliError {
    fn from(error: ShardError) -> CliError {
        if error.is_usage_error() {
            CliError::invalid_arguments(error)
        } else {
            CliError::command_failed(error)
        }
    }
}
