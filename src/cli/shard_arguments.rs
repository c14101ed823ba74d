//! The flags by which a command does a shard of its work.

use std::ops::Range;
use std::path::PathBuf;

use clap::Args;

use crate::cli::Failure;
use crate::shards::ShardPlan;
use crate::shards::error::ShardError;

/// Which shard of its work a command does.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Shards")]
pub struct ShardArguments {
    /// Do only the numbers from FROM, counted from 0, up to the one before TO, for 'pentarch merge'
    #[arg(long, value_name = "FROM..TO", requires = "output", value_parser = range)]
    shard: Option<Range<u64>>,
    /// The file for what comes of them; one that is there already, of the same command, is kept
    #[arg(long, value_name = "SHARD", requires = "shard")]
    output: Option<PathBuf>,
    /// End when the standard input ends, as it does with the program that started this one
    #[arg(long, requires = "shard")]
    until_eof: bool,
}

impl ShardArguments {
    /// The shard that the flags ask for, if they do. `end` ends the program and all that it has started.
    pub fn plan(&self, end: fn(i32)) -> Option<ShardPlan> {
        Some(ShardPlan {
            range: self.shard.clone()?,
            output: self.output.clone()?,
            end_with_input: self.until_eof.then_some(end),
        })
    }
}

fn range(text: &str) -> Result<Range<u64>, String> {
    let ends =
        text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let range = ends.map(|(from, to)| from..to).filter(|range| range.start <= range.end);
    range.ok_or_else(|| "two whole numbers expected, the smaller one first: 0..100".into())
}

impl From<ShardError> for Failure {
    fn from(error: ShardError) -> Failure {
        if error.is_usage() { Failure::bad_arguments(error) } else { Failure::failed(error) }
    }
}
