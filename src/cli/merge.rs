//! The subcommand `merge`: its arguments.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::Failure;
use crate::io::interrupt::on_interrupt;
use crate::merge::merge;
use pentarch_system::ErrorContext;

use super::exit;

/// Puts the shards of a work together: writes what the command on one machine would have written.
///
/// Of a match it writes the file that 'arena --record' writes, of games for tuning the one that 'tune --data' writes,
/// and of analysed lines what the command prints, byte for byte but for measured times. Shards by other settings or by
/// another program are refused, with what differs; so are shards in which the same number has come out differently,
/// which happens under limits of time only, and numbers that are missing. Of a match with a sequential test the pairs
/// count in their order up to its decision.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MergeArguments {
    /// The new file; one with the same contents may be there already
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// A file that a command with --shard has written, or a folder of which all files named *.shard are meant
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  Two halves of a match, which two machines may play, and its result:
    pentarch arena --game bushka --nodes 500 --games 40 --shard 0..10 --output a.shard
    pentarch arena --game bushka --nodes 500 --games 40 --shard 10..20 --output b.shard
    pentarch merge match.games a.shard b.shard
    pentarch arena --game bushka --nodes 500 --games 40 --record match.games";

impl MergeArguments {
    /// Merges the shards.
    ///
    /// # Errors
    /// As those of [`merge`]; also if a folder cannot be read.
    pub fn run(&self) -> Result<(), Failure> {
        let mut shards = Vec::new();
        for path in &self.shards {
            if !path.is_dir() {
                shards.push(path.clone());
                continue;
            }
            for entry in path.read_dir().in_file(path).map_err(Failure::failed)? {
                let file = entry.in_file(path).map_err(Failure::failed)?.path();
                shards.extend(
                    file.extension().is_some_and(|ending| ending == "shard").then_some(file),
                );
            }
        }
        // So that the same shard is named in an error, whatever the order of the folder.
        shards.sort();
        let remove_if_interrupted = |part: &Path| {
            let part = part.to_path_buf();
            on_interrupt(move |code| {
                let _ = fs::remove_file(&part);
                exit(code);
            })
        };
        merge(&self.out, &shards, remove_if_interrupted).map_err(Failure::failed)
    }
}
