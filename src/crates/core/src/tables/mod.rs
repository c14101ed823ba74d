//! Tablebase probing, and the making of tables: exact values of positions that are known without a search.
//!
//! Tables take time and memory to make, so they are no part of the rules: a search gets the rules and the tables.
//!
//! | module | what it holds |
//! |---|---|
//! | [`table_files`] | where tables are read from during play |
//! | [`directory`] | a directory of tables |
//! | [`write_tables`] | making files of tables, for the command `tables` |

pub mod directory;
pub mod table_files;
pub mod write_tables;

use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;

use crate::{Players, Rules, Side, TableFiles};

/// A fault that costs time or strength but not the result, such as a damaged file or a thread that does not start. Each
/// source has its error type; the callers only report it. Two warnings are equal if they are the same one.
#[derive(Debug, Clone)]
pub struct Warning(Arc<dyn Error + Send + Sync>);

impl Warning {
    /// Creates a warning of this error.
    pub fn new(error: impl Error + Send + Sync + 'static) -> Warning {
        Warning(Arc::new(error))
    }
}

impl PartialEq for Warning {
    fn eq(&self, other: &Warning) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Warning {}

impl Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

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
pub enum ProbeResult {
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

impl ProbeResult {
    /// The exact value.
    pub fn value(self) -> Option<TableValue> {
        if let ProbeResult::Value(value) = self { Some(value) } else { None }
    }

    /// The rank of a position that is lost.
    pub fn rank(self) -> Option<u32> {
        if let ProbeResult::Lost(rank) = self { Some(rank) } else { None }
    }
}

/// How much may be done to find out what is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProbeLimit {
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
        probing: ProbeLimit,
    ) -> Option<ProbeResult> {
        let _ = (tables, position, probing);
        None
    }

    /// How often at most a position with the repetition key of this one, whose repetition the loser wins, still stands
    /// if `winner` always moves to a position of the least [rank](ProbeResult::Lost), and has just moved to one of this
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

    /// Returns the faults of the tables and of their files since the last call.
    fn take_faults(&self) -> Vec<Warning> {
        Vec::new()
    }
}

impl<R: Rules> MakeTables<R> for () {
    fn new(_: &R, _: Option<Arc<dyn TableFiles>>) {}
}
