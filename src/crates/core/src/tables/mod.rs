//! Tablebase probing, and the making of tables: exact values of positions that are known without a search.
//!
//! Tables take time and memory to make, so they are no part of the rules: a search gets the rules and the tables.
//!
//! | module | what it holds |
//! |---|---|
//! | [`table_files`] | where tables are read from during play |
//! | [`directory`] | a directory of tables |

pub mod directory;
pub mod table_files;

use std::path::Path;
use std::sync::Arc;

use crate::{Players, Rules, Side, TableFiles};
use pentarch_system::Failure;

/// The exact value of a position for the side to move, with the distance to mate: the plies to the end of the game if
/// both sides play as well as they can.
///
/// Where the past of a position restricts its moves, the tables may not know that past. The plies are then the most
/// that the winner needs, whatever the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableValue {
    /// The side to move wins in this many plies.
    Win(u32),
    /// Neither side can force a win.
    Draw,
    /// The side to move loses in this many plies.
    Loss(u32),
}

impl TableValue {
    /// The plies to the end of a game that is won or lost; 0 for a draw.
    pub fn plies(self) -> u32 {
        match self {
            TableValue::Win(plies) | TableValue::Loss(plies) => plies,
            TableValue::Draw => 0,
        }
    }
}

/// What is known of a position without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probed {
    /// Its exact value.
    Value(TableValue),
    /// It is lost for the side to move if it begins the game, and has this rank; the distance to the end is not known.
    ///
    /// The winner wins if it always moves to a position of the least rank: no greater one than before follows, and a
    /// smaller one after each position whose repetition the other side wins. The rank 0 means that there is no such
    /// position any more, so that the win is certain whatever has occurred before.
    Lost(u32),
    /// Its value under similar rules: most often right, but no proof.
    Similar(TableValue),
}

impl Probed {
    /// The exact value.
    pub fn value(self) -> Option<TableValue> {
        if let Probed::Value(value) = self { Some(value) } else { None }
    }

    /// The rank of a position that is lost.
    pub fn rank(self) -> Option<u32> {
        if let Probed::Lost(rank) = self { Some(rank) } else { None }
    }
}

/// How much may be done to find out what is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Probing {
    /// What can be worked out quickly without a table.
    Computed,
    /// What tables hold in memory, too.
    Quick,
    /// What files hold, too.
    FromFiles,
    /// What takes about as long as a search of a few plies, too.
    Thorough,
    /// What takes up to seconds, too.
    Exhaustive,
}

/// Tablebase probing: what is known of positions without a search. Games without tables write `type Tables = ();` and
/// keep the defaults.
pub trait Probe: Players {
    /// The tables of solved positions.
    type Tables: MakeTables<Self>;

    /// What is known of this position, in which the game must not be over.
    fn probe(
        &self,
        tables: &Self::Tables,
        position: &Self::Position,
        probing: Probing,
    ) -> Option<Probed> {
        let _ = (tables, position, probing);
        None
    }

    /// How often at most a position with the repetition key of this one, whose repetition the loser wins, still stands
    /// if `winner` always moves to a position of the least [rank](Probed::Lost), and has just moved to one of this
    /// rank, which counts, too.
    fn max_occurrences(
        &self,
        tables: &Self::Tables,
        position: &Self::Position,
        winner: Side,
        rank: u32,
    ) -> usize {
        let _ = (tables, position, winner, rank);
        usize::MAX
    }

    /// Tables for these rules of which nothing is made yet; `files`, if there are any, save the work.
    fn new_tables(&self, files: Option<Arc<dyn TableFiles>>) -> Arc<Self::Tables> {
        Arc::new(Self::Tables::new(self, files))
    }

    /// The same, but what no files save is made once in this process, if the game [shares](MakeTables::shared) it.
    fn shared_tables(&self, files: Option<Arc<dyn TableFiles>>) -> Arc<Self::Tables> {
        if files.is_some() { self.new_tables(files) } else { Self::Tables::shared(self) }
    }
}

/// Making and loading tables of solved positions, on threads of their own or in parts.
///
/// `()` implements this for games without tables.
pub trait MakeTables<R: Rules>: Send + Sync + Sized + 'static {
    /// Whether the tables hold all positions and are made within seconds, so that a search that has the time waits for
    /// them.
    const SOLVES_GAME: bool = false;

    /// The names of what can be solved one after the other for files, if it can be chosen.
    const STAGES: &'static [&'static str] = &[];

    /// Whether something can be [extracted](MakeTables::extract) from the files.
    const HAS_EXTRACT: bool = false;

    /// Tables for these rules, not made yet. When they are made, they are read from `files` as far as these have them,
    /// and the rest is computed.
    fn new(rules: &R, files: Option<Arc<dyn TableFiles>>) -> Self;

    /// The same without files; what is made for one engine of this process serves all others. The tables of a game that
    /// makes none, or that keeps in them what a search has found, do not.
    fn shared(rules: &R) -> Arc<Self> {
        Arc::new(Self::new(rules, None))
    }

    /// Begins to make the tables, unless that has begun already. Returns at once; probes find the values as soon as the
    /// tables are made.
    fn begin(&self) {}

    /// Whether the tables can hold this position when they are made. As long as a search meets none that they can hold,
    /// they need not be made for it.
    fn may_hold(&self, position: &R::Position) -> bool {
        let _ = position;
        true
    }

    /// Whether the tables are made, if they are such as [solve the game](MakeTables::SOLVES_GAME).
    fn have_solved_game(&self) -> bool {
        false
    }

    /// Whether the tables could not be made.
    fn has_failed(&self) -> bool {
        false
    }

    /// On a host without threads: makes the next part of the tables on this thread, some ten to fifty milliseconds of
    /// work, and returns whether they are made or have failed. Begins to make them if that has not begun; where a
    /// thread makes them already, only the answer is given.
    fn advance(&self) -> bool {
        true
    }

    /// Begins to make tables for a proof instead, in memory and without files. They hold all positions with at most
    /// `men` men, if the game can make such tables; without `men`, the positions that the game makes tables of by
    /// default.
    fn begin_for_proof(&self, men: Option<usize>) {
        let _ = men;
        self.begin();
    }

    /// Waits until the tables that were begun are made or have failed, or until `given_up` is true. Where there are no
    /// threads, they are made on this one.
    fn wait(&self, given_up: &dyn Fn() -> bool) {
        let _ = given_up;
    }

    /// What went wrong with making the tables or with their files, in words; each fault is given only once.
    fn take_faults(&self) -> Vec<String> {
        Vec::new()
    }

    /// Makes the files that `plan` asks for, one after the other, and reports its progress to `tell`. Files that exist
    /// already are kept.
    ///
    /// # Errors
    /// If the game has no such files, if one cannot be made or written, or if its values turn out wrong.
    fn write_files(
        rules: &R,
        plan: &TablePlan,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<(), Failure> {
        let _ = (rules, plan, tell);
        Err(Failure::BadArguments(format!("{} has no tables in files", R::NAME)))
    }

    /// Writes to a folder, which must be there, what people need of the files of `plan`, which are too large to hand
    /// on. Returns whether the start position is among those that the files are about, so that games can be made from
    /// them.
    ///
    /// # Errors
    /// If the game has [nothing of the kind](MakeTables::HAS_EXTRACT), if a file of the plan is missing, cannot be read
    /// or turns out wrong, or if a file cannot be written.
    fn extract(
        rules: &R,
        plan: &TablePlan,
        folder: &Path,
        tell: &(dyn Fn(TableReport) + Sync),
    ) -> Result<bool, Failure> {
        let _ = (rules, plan, folder, tell);
        Err(Failure::BadArguments(format!("there is nothing to extract from tables of {}", R::ID)))
    }
}

impl<R: Rules> MakeTables<R> for () {
    fn new(_: &R, _: Option<Arc<dyn TableFiles>>) {}
}

/// Which tablebase files to make.
#[derive(Debug, Clone, Copy)]
pub struct TablePlan<'a> {
    /// The directory of the files.
    pub directory: &'a Path,
    /// The most men of a position, both sides together, or the number of walls, as it was entered: only the game knows
    /// which numbers it takes.
    pub men: &'a str,
    /// Whether to verify positions against those that their moves lead to.
    pub check: bool,
    /// On how many threads to work.
    pub threads: usize,
    /// How many bytes of memory are free, if that is known.
    pub free_memory: Option<u64>,
    /// How many bytes of the disk with the directory are free, if that is known.
    pub free_disk: Option<u64>,
    /// Which of the [stages](MakeTables::STAGES) to solve, parted by commas; none for those that a game is played by.
    pub stages: Option<&'a str>,
}

/// A report on the making of a tablebase file.
#[derive(Debug, Clone, Copy)]
pub enum TableReport<'a> {
    /// What is being done for the file of this name, and which share of the expected work is done.
    Working(&'a str, f64),
    /// Something to know before the work begins.
    Note(&'a str),
    /// A result, as one line.
    Result(&'a str),
    /// A file that exists cannot be used, for this reason; it is made anew.
    Refused(&'a str),
    /// The positions of the file of this name are being checked, of which this share is done, if that is known.
    Checking(&'a str, Option<f64>),
    /// The file of this name has been made, with so many bytes of values.
    Made(&'a str, usize),
    /// The file of this name existed already, with so many bytes of values.
    Kept(&'a str, usize),
}
