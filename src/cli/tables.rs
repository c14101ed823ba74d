//! The subcommand `tables`: its flags, and the files of tablebases that it writes.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;

use crate::core::options::TABLE_PATH;
use crate::core::{Failure, Game, MakeTables, Options, TablePlan, TableReport};
use crate::games::Visitor;
use crate::io::output::{Output, tell};
use crate::io::progress::Progress;
use crate::protocol::engine_options;

/// Solves positions with few men and keeps their values in files.
///
/// It solves all positions of the game and the rules that --game and --set choose with up to MEN men on the board, and
/// writes their values to the directory that --set TablePath names; if there is none, it is made. Engines that have
/// this directory as their TablePath then know these values. Files that are there are kept: after an interruption the
/// same command goes on with the first one that is missing.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TablesArguments {
    /// Up to how many men there are on the board, both sides together
    #[arg(allow_negative_numbers = true)]
    men: String,
    /// Hold every value, also in files that were there, against those that the moves of its position lead to
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Examples:
  Alquerque with up to nine checkers under the rules 'modern'; those without Retreat share the files:
    pentarch --game alquerque --set TablePath=tables tables 9
  Look through files that are there:
    pentarch --game alquerque --set Alquerque_Ruleset=bell --set TablePath=tables tables 8 --check
  Play with them:
    pentarch --game alquerque --set TablePath=tables go movetime 1000

Memory and disk: a byte for each position up to symmetry, and two more for those that are being solved. For Alquerque
with free movement, up to 8 checkers make 49 MB, 9 make 189 MB, 10 make 0.64 GB, 11 make 1.9 GB; with Bell's four \
times as much.";

impl TablesArguments {
    /// The run that these arguments ask for.
    ///
    /// # Errors
    /// If the options name no directory, or something else is at its path.
    pub fn make<'a>(self, options: &'a Options, out: &'a Output) -> Result<Make<'a>, String> {
        let path = options.text(&TABLE_PATH);
        if path.is_empty() {
            return Err(format!("tables needs a directory: --set {}=DIRECTORY", TABLE_PATH.name));
        }
        if Path::new(&path).exists() {
            engine_options::check_table_path(options)?;
        }
        Ok(Make { arguments: self, options, out })
    }
}

/// The least time between two updates of the progress.
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);

/// Writes the files of a game's tablebases.
pub struct Make<'a> {
    arguments: TablesArguments,
    options: &'a Options,
    out: &'a Output,
}

impl Visitor for Make<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Game>(self) -> Result<(), Failure> {
        let Make { arguments: TablesArguments { men, check }, options, out } = self;
        let path = options.text(&TABLE_PATH);
        let directory = Path::new(&path);
        let now = Instant::now();
        let state = Mutex::new((Progress::begin("tables".into()), now, now));
        let tell = |report: TableReport| {
            let (progress, begun, shown) = &mut *state.lock().unwrap_or_else(PoisonError::into_inner);
            let mut line = |name, bytes, what| {
                progress.clear();
                out.lines(&format!("{name} {bytes:>12} bytes {what} {:>8.1} s", begun.elapsed().as_secs_f64()));
                *begun = Instant::now();
            };
            match report {
                TableReport::Solving(name, plies) if shown.elapsed() >= REFRESH_INTERVAL => {
                    progress.show(&format!("{name}, {plies} plies back"));
                    *shown = Instant::now();
                }
                TableReport::Solving(..) => {}
                TableReport::Checking(name) => progress.show(&format!("{name}, looking through it")),
                TableReport::Made(name, bytes) => line(name, bytes, "made"),
                TableReport::Kept(name, bytes) => line(name, bytes, "kept"),
                TableReport::Refused(fault) => {
                    progress.clear();
                    tell(&format!("{fault}; it is made anew"));
                }
            }
        };
        let plan = TablePlan { directory, men: &men, check };
        G::Tables::write_files(&G::from_options(options), &plan, &tell)
    }
}
