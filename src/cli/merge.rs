//! The subcommand `merge`: parses its arguments.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::CliError;
use crate::io::interrupt::set_interrupt_handler;
use crate::io::output::print_to_stderr;
use crate::merge_shards::merge_shards;
use pentarch_system::WithErrorLocation;

use super::exit_process;

/// Merges the shards of a job: writes the result of the same command on one machine.
///
/// For a match the result is the file of 'arena --record'. For tuning games it is the file of 'tune
/// --data', and for analysed lines the output of the command. Only measured times differ; all other
/// bytes are equal. The command rejects shards with other settings or from another program, and
/// prints the differences. It also rejects missing numbers, and shards with different results for
/// the same number. Such differences occur only under time limits. In a match with a sequential
/// test the pairs count in their order, up to the decision of the test.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct MergeArguments {
    /// The new file; if it exists, it must have the same contents
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// A file that a command with --shard has written, or a folder, for all its files named *.shard
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
}

const EXAMPLES_HELP: &str = "\
Examples:
  Two halves of a match, which two machines can play, and its result:
    pentarch arena --game bushka --nodes 500 --games 40 --shard 0..10 --output a.shard
    pentarch arena --game bushka --nodes 500 --games 40 --shard 10..20 --output b.shard
    pentarch merge match.games a.shard b.shard
    pentarch arena --game bushka --nodes 500 --games 40 --record match.games";

impl MergeArguments {
    /// Merges the shards.
    ///
    /// # Errors
    /// The errors of [`merge_shards`], and an error if a folder cannot be read.
    pub(super) fn run(&self) -> Result<(), CliError> {
        let mut shards = Vec::new();
        for path in &self.shards {
            if !path.is_dir() {
                shards.push(path.clone());
                continue;
            }
            for entry in path.read_dir().with_file_path(path).map_err(CliError::command_failed)? {
                let file = entry.with_file_path(path).map_err(CliError::command_failed)?.path();
                shards.extend(
                    file.extension().is_some_and(|ending| ending == "shard").then_some(file),
                );
            }
        }
        // The paths are sorted, so that errors do not depend on the order in the folder.
        shards.sort();
        let remove_if_interrupted = |part: &Path| {
            let part = part.to_path_buf();
            set_interrupt_handler(move |code| {
                let _ = fs::remove_file(&part);
                exit_process(code);
            })
        };
        let warnings = merge_shards(&self.out, &shards, remove_if_interrupted)
            .map_err(CliError::command_failed)?;
        warnings.iter().for_each(|warning| print_to_stderr(&warning.to_string()));
        Ok(())
    }
}
