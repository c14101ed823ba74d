//! The subcommand `tables`: its flags, and the files of tablebases that it writes.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;

use crate::cli::Failure;
use crate::io::free_disk::free_bytes;
use crate::io::free_memory::free_mib;
use crate::io::host::System;
use crate::io::output::{Output, tell};
use crate::io::progress::{Progress, time_left};
use crate::tune::fill_file;
use crate::tune::game_settings::GameSettings;
use pentarch_core::rules::options::TABLE_PATH;
use pentarch_core::tables::directory::table_path;
use pentarch_core::{Options, TablePlan, TableReport, WriteTablesError};
use pentarch_engine::options as engine_options;
use pentarch_games::{Game, Visitor};
use pentarch_system::ErrorContext;
use pentarch_system::new_file::replace_file;

/// Solves positions with few men, or with few walls, and keeps what it finds in files.
///
/// It solves all positions of the game and the rules that --game and --set choose, Alquerque's with up to MEN men on
/// the board, Alcaxar's with MEN walls, Quoridor's with MEN walls of each side and those of Guerre des Deux Roses with
/// its 8 soldiers, and writes what it finds to the directory that --set TablePath names; if there is none, it is made.
/// Engines that have this directory as their TablePath then know these values.
/// Files that are there are kept: after an interruption the same command goes on where it was, or a little before.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TablesArguments {
    /// Up to how many men there are on the board, both sides together (Alquerque; 8 in Guerre des Deux Roses); how many
    /// walls (Alcaxar); how many walls each side has, or the sides have, as in 4/3 (Quoridor)
    #[arg(allow_negative_numbers = true)]
    men: String,
    /// Inspect existing files block by block, and compare all values in them with those that the moves of their
    /// positions lead to; in files with 200 million positions or more, those of every third position or fewer. New files
    /// of Alcaxar are checked without this flag
    #[arg(long)]
    check: bool,
    /// On how many threads to work [default: as many as there are cores, but four at most]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// What to solve, in this order, parted by commas (Alcaxar): 'red' and 'green', the wins of a side that the engine
    /// plays by; 'plain', those without repetition; 'repetition', those in which a repetition may come too early;
    /// 'red-start' and 'green-start', only whether a side wins the start, which is known sooner [default: red,green]
    #[arg(long, value_name = "STAGES")]
    stages: Option<String>,
    /// Then keep in FOLDER, which is made if there is none, what is small enough to hand on: all results, who wins the
    /// openings, a book for each side that does not lose, and with eight walls games with exact values; a million random
    /// positions are held against the moves of the game (Alcaxar)
    #[arg(long, value_name = "FOLDER", conflicts_with = "stages")]
    extract: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  Alquerque with up to nine checkers under the rules 'modern'; those without Retreat share the files:
    pentarch --game alquerque --set TablePath=tables tables 9
  Look through files that are there:
    pentarch --game alquerque --set Alquerque_Ruleset=bell --set TablePath=tables \\
      tables 8 --check
  Play with them:
    pentarch --game alquerque --set TablePath=tables go movetime 1000
  Have the engines of a match know Guerre des Deux Roses at once:
    pentarch --game roses --set TablePath=tables tables 8
    pentarch arena --game roses --set TablePath=tables --movetime 10
  Solve Alcaxar with four walls, or only from where Red wins:
    pentarch --game alcaxar --set TablePath=tables tables 4
    pentarch --game alcaxar --set TablePath=tables tables 4 --stages red
  Only learn who wins the start with six walls:
    pentarch --game alcaxar --set TablePath=tables tables 6 --stages green-start,red-start
  Solve the game, and keep what can be handed on:
    pentarch --game alcaxar --set TablePath=tables tables 8 --extract answer
  Solve Quoridor on 5x5 squares with four walls of each side:
    pentarch --game quoridor --set Quoridor_BoardSize=5 --set TablePath=tables tables 4

Memory: a byte for each position up to symmetry, and two more for those that are being solved; the files are \
compressed, and the lines that are printed tell their sizes on the disk. For Alquerque with free movement, up to 8 \
checkers take 49 MB, 9 take 189 MB, 10 take 0.64 GB, 11 take 1.9 GB; with Bell's four times as much. Guerre des Deux \
Roses takes 45 MB. Alcaxar with four walls takes 34 MB, with five 0.3 GB, with six 1.5 GB, with seven 5 GB, with \
eight 22.7 GB, half as much again on the disk while it works, and about as much in the end. Quoridor on 5x5 squares \
with four walls of each side takes 0.3 GB, with ten 2.9 GB, on 6x6 squares with three 4.1 GB, and less on the disk.";

impl TablesArguments {
    /// The run that these arguments ask for.
    ///
    /// # Errors
    /// If the options name no directory, or something else is at its path.
    pub fn make<'a>(self, options: &'a Options, out: &'a Output) -> Result<Make<'a>, Failure> {
        let path = options.text(&TABLE_PATH);
        if path.is_empty() {
            let fault = format!("tables needs a directory: --set {}=DIRECTORY", TABLE_PATH.name);
            return Err(Failure::BadArguments(fault));
        }
        if Path::new(path).exists() {
            engine_options::table_files(options, &System).map_err(Failure::bad_arguments)?;
        }
        Ok(Make { arguments: self, options, out })
    }
}

/// Writes the files of a game's tablebases.
pub struct Make<'a> {
    arguments: TablesArguments,
    options: &'a Options,
    out: &'a Output,
}

impl Visitor for Make<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self) -> Result<(), Failure> {
        let Make {
            arguments: TablesArguments { men, check, threads, stages, extract },
            options,
            out,
        } = self;
        if stages.is_some() && G::STAGES.is_empty() {
            return Err(Failure::BadArguments(format!(
                "tables of {} have no stages to choose",
                G::ID
            )));
        }
        if extract.is_some() && !G::HAS_EXTRACT {
            return Err(Failure::BadArguments(format!(
                "there is nothing to extract from tables of {}",
                G::ID
            )));
        }
        // Nothing is solved for hours before it turns out that the folder is none.
        let folder = extract.as_deref();
        if let Some(folder) = folder {
            fs::create_dir_all(folder).in_file(folder).map_err(Failure::failed)?;
        }
        let path = options.text(&TABLE_PATH);
        let directory = Path::new(path);
        let report = Mutex::new(Report::begin(directory, out));
        let tell =
            |told: TableReport| report.lock().unwrap_or_else(PoisonError::into_inner).tell(told);
        let threads = threads.map_or_else(pentarch_tables::thread_count, usize::from);
        let plan = TablePlan {
            directory,
            count: &men,
            check,
            threads,
            stages: stages.as_deref(),
            free_memory: free_mib().map(|mib| mib * 1024 * 1024),
            free_disk: free_bytes(directory),
        };
        let rules = G::from_options(options);
        rules.write_files(&plan, &tell).map_err(failure)?;
        let Some(folder) = folder else { return Ok(()) };
        let are_of_game = rules.extract(&plan, folder, &tell).map_err(failure)?;
        let results = report.into_inner().unwrap_or_else(PoisonError::into_inner).end();
        let path = folder.join(format!("{}-{men}-results.txt", G::ID));
        replace_file(&path, results.as_bytes()).in_file(&path).map_err(Failure::failed)?;
        if are_of_game {
            let concurrency = u16::try_from(threads).unwrap_or(u16::MAX);
            let play =
                GameSettings { nodes: 1, random_plies: 40, plies: 10_000, seed: 1, concurrency };
            let games = folder.join(format!("{}.games", G::ID));
            fill_file::<G>(&games, EXACT_GAMES, &play, true, options).map_err(Failure::failed)?;
        }
        Ok(())
    }
}

/// Returns the failure for an error of a game. Arguments that ask for other tables than the game makes are invalid.
fn failure<E: Error>(error: WriteTablesError<E>) -> Failure {
    match error {
        WriteTablesError::Plan(error) => Failure::bad_arguments(error),
        WriteTablesError::Failed(error) => Failure::failed(error),
    }
}

/// How many games with exact values are kept, of some 32 positions each.
const EXACT_GAMES: u32 = 62_500;

/// What is told of the work: lines on the standard output, and the progress on a terminal.
struct Report<'a> {
    /// Where the files are.
    directory: &'a Path,
    out: &'a Output,
    /// The lines that were written there.
    lines: String,
    progress: Progress,
    begun: Instant,
    /// When the file that is being made was begun.
    file_begun: Instant,
    /// Which share of the work was done before this run of the program.
    share_before: Option<f64>,
    /// Which share of the work is done, and since when.
    done: (f64, Duration),
}

impl<'a> Report<'a> {
    fn begin(directory: &'a Path, out: &'a Output) -> Report<'a> {
        let [begun, file_begun] = [Instant::now(); 2];
        Report {
            directory,
            out,
            lines: String::new(),
            progress: Progress::begin("tables".into()),
            begun,
            file_begun,
            share_before: None,
            done: (0., Duration::ZERO),
        }
    }

    fn tell(&mut self, report: TableReport) {
        match report {
            TableReport::Working(what, share) => {
                let (before, now) = (*self.share_before.get_or_insert(share), self.begun.elapsed());
                if self.done.0 != share {
                    self.done = (share, now);
                }
                let (_, then) = self.done;
                let left = time_left(then, share - before, 1. - share, now - then);
                let left = left.map_or_else(String::new, |left| format!(", some {left} left"));
                self.progress.show(&format!("{what}{left}"));
            }
            TableReport::Checking(name, share) => {
                let done =
                    share.map_or_else(String::new, |share| format!(", {:.0} % done", 100. * share));
                self.progress.show(&format!("checking {name}{done}"));
            }
            TableReport::Note(note) => tell(note),
            TableReport::Result(result) => self.line(result),
            TableReport::Written(name, bytes) => self.file(name, bytes, "made"),
            TableReport::Existing(name, bytes) => self.file(name, bytes, "kept"),
            TableReport::Unusable(fault) => {
                self.progress.clear();
                tell(&format!("{fault}; it is discarded, and recomputed where needed"));
            }
        }
    }

    /// Tells of a file that is complete, and how large it is on the disk, or with how many bytes of values if the
    /// system does not say.
    fn file(&mut self, name: &str, values: usize, what: &str) {
        let bytes = table_path(self.directory, name)
            .metadata()
            .map_or(values as u64, |metadata| metadata.len());
        let seconds = self.file_begun.elapsed().as_secs_f64();
        self.line(&format!("{name} {bytes:>12} bytes {what} {seconds:>8.1} s"));
        self.file_begun = Instant::now();
    }

    /// Writes a line.
    fn line(&mut self, line: &str) {
        self.progress.clear();
        self.out.lines(line);
        self.lines += line;
        self.lines.push('\n');
    }

    /// Ends the report, and gives its lines.
    fn end(mut self) -> String {
        self.progress.clear();
        self.lines
    }
}
