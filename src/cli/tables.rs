//! The subcommand `tables`: parses its flags, and writes or checks files of tablebases.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;

use crate::cli::CliError;
use crate::io::free_disk::free_disk_bytes;
use crate::io::free_memory::free_memory_mib;
use crate::io::host::SystemHost;
use crate::io::output::{Output, print_to_stderr};
use crate::io::progress::{ProgressLine, estimate_time_left};
use crate::tune::fill_selfplay_file;
use crate::tune::selfplay_settings::SelfPlaySettings;
use pentarch_core::rules::options::TABLE_PATH_OPTION;
use pentarch_core::tables::directory::table_file_path;
use pentarch_core::{Options, TableWriteProgress, TableWriteRequest, WriteTablesError};
use pentarch_engine::engine_options;
use pentarch_games::{Game, GameOperation};
use pentarch_system::WithErrorLocation;
use pentarch_system::new_file::replace_file;

/// Solves positions with few pieces, or with few walls, and writes the results to files.
///
/// The options --game and --set choose the game and the rules. The command solves all positions
/// with up to COUNT pieces in Alquerque and Bushka, with COUNT walls in Alcaxar, with COUNT walls of
/// each side in Quoridor, and with the 8 soldiers in Guerre des Deux Roses. It writes the results to
/// the directory that --set TablePath names, and creates the directory if necessary. Engines with
/// this directory as their TablePath then know these values. They know those of Guerre des Deux
/// Roses without a file. Existing files stay. After an interruption, the same command continues at
/// the same place or a little before it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct TablesArguments {
    /// Alquerque and Bushka: the maximum number of pieces of both sides together. Guerre des Deux
    /// Roses: 8. Alcaxar: the number of walls. Quoridor: the number of walls of each side, or two
    /// numbers as in 4/3
    #[arg(allow_negative_numbers = true)]
    count: String,
    /// Inspect existing files block by block, and compare the value of each position with the
    /// values after its moves; in files with 200 million positions or more, only for every third
    /// position or fewer. New files of Alcaxar are checked without this flag
    #[arg(long)]
    check: bool,
    /// Number of threads [default: the number of cores, but at most four]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The stages to solve, in this order, separated by commas (Alcaxar). 'red' and 'green' solve
    /// the wins of a side; the engine plays by these results. 'plain' solves the wins without
    /// repetition. 'repetition' solves the wins in which a repetition may come too early.
    /// 'red-start' and 'green-start' only show whether a side wins the start, in less time
    /// [default: red,green]
    #[arg(long, value_name = "STAGES")]
    stages: Option<String>,
    /// Then write an extract to FOLDER, which is created if necessary (Alcaxar). The extract has
    /// everything that is small enough to share: all results, the winner of each opening, a book
    /// for each side that does not lose, and, with eight walls, games with exact values. A million
    /// random positions are compared with the moves of the game
    #[arg(long, value_name = "FOLDER", conflicts_with = "stages")]
    extract: Option<PathBuf>,
}

const EXAMPLES_HELP: &str = "\
Examples:
  Alquerque with up to nine checkers under the rules 'modern'; those without Retreat share the files:
    pentarch --game alquerque --set TablePath=tables tables 9
  Inspect existing files:
    pentarch --game alquerque --set Alquerque_Ruleset=bell --set TablePath=tables \\
      tables 8 --check
  Play with them:
    pentarch --game alquerque --set TablePath=tables go movetime 1000
  Solve Alcaxar with four walls, or only from where Red wins:
    pentarch --game alcaxar --set TablePath=tables tables 4
    pentarch --game alcaxar --set TablePath=tables tables 4 --stages red
  Only determine who wins the start with six walls:
    pentarch --game alcaxar --set TablePath=tables tables 6 --stages green-start,red-start
  Solve the game, and extract the files to pass on:
    pentarch --game alcaxar --set TablePath=tables tables 8 --extract answer
  Solve Quoridor on 5x5 squares with four walls of each side:
    pentarch --game quoridor --set Quoridor_BoardSize=5 --set TablePath=tables tables 4

Memory: a byte for each position up to symmetry, and two more for those that are being solved; the files are \
compressed, and the printed lines have their sizes on the disk. For Alquerque with free movement, up to 8 \
checkers take 49 MB, 9 take 189 MB, 10 take 0.64 GB, 11 take 1.9 GB; with Bell's four times as much. Bushka with 4 \
pieces takes 47 MB. Guerre des Deux Roses takes 45 MB. Alcaxar with four walls takes 34 MB, with five 0.3 GB, with six 1.5 GB, with seven 5 GB, with \
eight 22.7 GB, half as much again on the disk while it is solved, and about as much in the end. Quoridor on 5x5 squares \
with four walls of each side takes 0.3 GB, with ten 2.9 GB, on 6x6 squares with three 4.1 GB, and less on the disk.";

impl TablesArguments {
    /// Returns the writer of the tables that these arguments request.
    ///
    /// # Errors
    /// If the options name no directory, or name an existing file instead.
    pub(super) fn create_writer<'a>(
        self,
        options: &'a Options,
        out: &'a Output,
    ) -> Result<TablebaseWriteOperation<'a>, CliError> {
        let path = options.string_value(&TABLE_PATH_OPTION);
        if path.is_empty() {
            let error =
                format!("tables needs a directory: --set {}=DIRECTORY", TABLE_PATH_OPTION.name);
            return Err(CliError::InvalidArguments(error));
        }
        if Path::new(path).exists() {
            engine_options::open_configured_tablebases(options, &SystemHost)
                .map_err(CliError::invalid_arguments)?;
        }
        Ok(TablebaseWriteOperation { arguments: self, options, out })
    }
}

/// A writer of the files of a game's tablebases.
pub(crate) struct TablebaseWriteOperation<'a> {
    arguments: TablesArguments,
    options: &'a Options,
    out: &'a Output,
}

impl GameOperation for TablebaseWriteOperation<'_> {
    type Output = Result<(), CliError>;

    fn run_for_game_type<G: Game>(self) -> Result<(), CliError> {
        let TablebaseWriteOperation {
            arguments: TablesArguments { count, check, threads, stages, extract },
            options,
            out,
        } = self;
        if stages.is_some() && G::TABLE_STAGE_NAMES.is_empty() {
            return Err(CliError::InvalidArguments(format!(
                "tables of {} have no stages to choose",
                G::GAME_ID
            )));
        }
        if extract.is_some() && !G::CAN_EXTRACT_SHAREABLE_TABLE_PARTS {
            return Err(CliError::InvalidArguments(format!(
                "there is nothing to extract from tables of {}",
                G::GAME_ID
            )));
        }
        // The folder is checked first, because solving takes hours.
        let folder = extract.as_deref();
        if let Some(folder) = folder {
            fs::create_dir_all(folder).with_file_path(folder).map_err(CliError::command_failed)?;
        }
        let path = options.string_value(&TABLE_PATH_OPTION);
        let directory = Path::new(path);
        let reporter = Mutex::new(TablebaseProgressReporter::begin(directory, out));
        let report = |report: TableWriteProgress| {
            reporter.lock().unwrap_or_else(PoisonError::into_inner).report(report)
        };
        let threads = threads.map_or_else(pentarch_tables::table_thread_count, usize::from);
        let plan = TableWriteRequest {
            directory,
            count: &count,
            check,
            threads,
            stages: stages.as_deref(),
            free_memory: free_memory_mib().map(|mib| mib * 1024 * 1024),
            free_disk: free_disk_bytes(directory),
        };
        let rules = G::from_options(options);
        rules.write_table_files(&plan, &report).map_err(to_cli_error)?;
        let Some(folder) = folder else { return Ok(()) };
        let includes_start =
            rules.extract_shareable_table_parts(&plan, folder, &report).map_err(to_cli_error)?;
        let results = reporter.into_inner().unwrap_or_else(PoisonError::into_inner).finish_report();
        let path = folder.join(format!("{}-{count}-results.txt", G::GAME_ID));
        replace_file(&path, results.as_bytes())
            .with_file_path(&path)
            .map_err(CliError::command_failed)?;
        if includes_start {
            let concurrency = u16::try_from(threads).unwrap_or(u16::MAX);
            let play = SelfPlaySettings {
                nodes: 1,
                random_plies: 40,
                plies: 10_000,
                seed: 1,
                concurrency,
            };
            let games = folder.join(format!("{}.games", G::GAME_ID));
            fill_selfplay_file::<G>(&games, GAMES_PER_EXTRACT, &play, true, options)
                .map_err(CliError::command_failed)?;
        }
        Ok(())
    }
}

/// Converts an error of writing a game's tables. A request for tables that the game does not have
/// is an error of the arguments.
fn to_cli_error<E: Error>(error: WriteTablesError<E>) -> CliError {
    match error {
        WriteTablesError::Request(error) => CliError::invalid_arguments(error),
        WriteTablesError::Failed(error) => CliError::command_failed(error),
    }
}

/// The number of games with exact values that the extract of the tables contains. Each game has
/// about 32 positions.
const GAMES_PER_EXTRACT: u32 = 62_500;

/// A reporter of the progress of a game's tables: lines on the standard output, and a progress line
/// on a terminal.
struct TablebaseProgressReporter<'a> {
    /// The directory of the files.
    directory: &'a Path,
    out: &'a Output,
    /// The lines on the standard output so far.
    lines: String,
    progress: ProgressLine,
    begun: Instant,
    file_begun: Instant,
    /// The share of the computation that was done before this run of the program.
    share_before: Option<f64>,
    /// The share of the computation done at the last report, from 0 to 1, and the time of that
    /// report.
    done: (f64, Duration),
}

impl<'a> TablebaseProgressReporter<'a> {
    fn begin(directory: &'a Path, out: &'a Output) -> TablebaseProgressReporter<'a> {
        let [begun, file_begun] = [Instant::now(); 2];
        TablebaseProgressReporter {
            directory,
            out,
            lines: String::new(),
            progress: ProgressLine::begin("tables".into()),
            begun,
            file_begun,
            share_before: None,
            done: (0., Duration::ZERO),
        }
    }

    fn report(&mut self, report: TableWriteProgress) {
        match report {
            TableWriteProgress::Working(activity, share) => {
                let before = *self.share_before.get_or_insert(share);
                let now = self.begun.elapsed();
                if self.done.0 != share {
                    self.done = (share, now);
                }
                let (_, then) = self.done;
                let left = estimate_time_left(then, share - before, 1. - share, now - then);
                let left = left.map_or_else(String::new, |left| format!(", some {left} left"));
                self.progress.show(&format!("{activity}{left}"));
            }
            TableWriteProgress::Checking(name, share) => {
                let done =
                    share.map_or_else(String::new, |share| format!(", {:.0} % done", 100. * share));
                self.progress.show(&format!("checking {name}{done}"));
            }
            TableWriteProgress::Note(note) => print_to_stderr(note),
            TableWriteProgress::Result(result) => self.write_line(result),
            TableWriteProgress::Written(name, bytes) => self.write_file_line(name, bytes, "made"),
            TableWriteProgress::Existing(name, bytes) => self.write_file_line(name, bytes, "kept"),
            TableWriteProgress::Unusable(fault) => {
                self.progress.clear();
                print_to_stderr(&format!("{fault}; it is discarded, and recomputed where needed"));
            }
        }
    }

    /// Writes the line of a complete file, with its size on the disk. If the system does not report
    /// the size, the line contains the number of bytes of the values instead.
    fn write_file_line(&mut self, name: &str, values: usize, action: &str) {
        let bytes = table_file_path(self.directory, name)
            .metadata()
            .map_or(values as u64, |metadata| metadata.len());
        let seconds = self.file_begun.elapsed().as_secs_f64();
        self.write_line(&format!("{name} {bytes:>12} bytes {action} {seconds:>8.1} s"));
        self.file_begun = Instant::now();
    }

    /// Writes a line, and stores it.
    fn write_line(&mut self, line: &str) {
        self.progress.clear();
        self.out.write_lines(line);
        self.lines += line;
        self.lines.push('\n');
    }

    /// Ends the report, and returns its lines.
    fn finish_report(mut self) -> String {
        self.progress.clear();
        self.lines
    }
}
