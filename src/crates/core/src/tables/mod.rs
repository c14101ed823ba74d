//! Tablebase probing and the computation of tables: exact values of positions that are known
//! without a search.
//!
//! Tables take time and memory, so they are not part of the rules: a search gets the rules and the
//! tables.
//!
//! | module | contents |
//! |---|---|
//! | [`table_files`] | the table files that are read during play |
//! | [`directory`] | a directory of tables |
//! | [`write_tables`] | writing table files, for the command `tables` |

pub mod directory;
pub mod table_files;
pub mod write_tables;

use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;

use crate::{Players, Rules, Side, TableFiles};

/// A fault that costs time or strength but does not change the result, such as a damaged file or a
/// thread that does not start. Each source has its error type; callers only report it. Two warnings
/// are equal if they are the same object.
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

/// The exact value of a position for the side to move, with the distance to mate: the number of
/// plies to the end of the game with best play by both sides.
///
/// Where the history of a position restricts its moves, the tables may not know that history. Then
/// the plies are the most that the winner needs, for any history.
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
    /// Returns the plies to the end of a game that is won or lost, or 0 for a draw.
    pub fn plies(self) -> u32 {
        match self {
            TableValue::Win(plies) | TableValue::Loss(plies) => plies,
            TableValue::Draw => 0,
        }
    }
}

/// The result of a probe: what is known of a position without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeResult {
    /// The exact value of the position.
    Value(TableValue),
    /// The side to move loses if the position begins the game. The position has this rank; the
    /// distance to the end is unknown.
    ///
    /// The winner wins if it always moves to a position of minimal rank: the rank never increases,
    /// and it decreases after each position whose repetition the other side wins. With rank 0 no
    /// such position can follow, so that the win is certain after any earlier game.
    Lost(u32),
    /// The value under similar rules: usually correct, but not proven.
    Similar(TableValue),
}

impl ProbeResult {
    /// Returns the exact value.
    pub fn value(self) -> Option<TableValue> {
        if let ProbeResult::Value(value) = self { Some(value) } else { None }
    }

    /// Returns the rank of a lost position.
    pub fn rank(self) -> Option<u32> {
        if let ProbeResult::Lost(rank) = self { Some(rank) } else { None }
    }
}

/// A limit of the work for a probe. Each variant includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProbeLimit {
    /// Computations that are quick and need no table.
    Computed,
    /// Lookups of tables in memory.
    Quick,
    /// Lookups of files.
    FromFiles,
    /// Computations that take about as long as a search of a few plies.
    Thorough,
    /// Computations that take up to seconds.
    Exhaustive,
}

/// Tablebase probing: values of positions without a search. Games without tables write `type Tables
/// = ();` and keep the defaults.
pub trait Probe: Players {
    /// The tables of solved positions.
    type Tables: MakeTables<Self>;

    /// Returns what is known of this position. The game must not be over in it.
    fn probe(
        &self,
        tables: &Self::Tables,
        position: &Self::Position,
        limit: ProbeLimit,
    ) -> Option<ProbeResult> {
        let _ = (tables, position, limit);
        None
    }

    /// Returns an upper bound on how often the repetition key of `position` can still occur while
    /// `winner` always moves to a position of minimal [rank](ProbeResult::Lost). `winner` has just
    /// moved to a position of this rank, which is included in the count. The method is only called
    /// for positions whose repetition the loser wins.
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

    /// Creates tables for these rules, none of which is computed yet; `files`, if given, save the
    /// work.
    fn new_tables(&self, files: Option<Arc<dyn TableFiles>>) -> Arc<Self::Tables> {
        Arc::new(Self::Tables::new(self, files))
    }

    /// Creates tables, or shares them: tables without files are computed once in this process, if
    /// the game [shares](MakeTables::shared) them.
    fn shared_tables(&self, files: Option<Arc<dyn TableFiles>>) -> Arc<Self::Tables> {
        if files.is_some() { self.new_tables(files) } else { Self::Tables::shared(self) }
    }
}

/// The computation and loading of tables of solved positions, on separate threads or in parts.
///
/// `()` implements this for games without tables.
pub trait MakeTables<R: Rules>: Send + Sync + Sized + 'static {
    /// Whether the tables contain all positions and are complete within seconds, so that a search
    /// that has the time waits for them.
    const SOLVES_GAME: bool = false;

    /// Creates tables for these rules that are not computed yet. Later they are read from `files`
    /// as far as these contain them, and the rest is computed.
    fn new(rules: &R, files: Option<Arc<dyn TableFiles>>) -> Self;

    /// Creates tables without files, or shares them: the result of one engine of this process
    /// serves all others. Tables that are never computed, or in which searches store their results,
    /// are not shared.
    fn shared(rules: &R) -> Arc<Self> {
        Arc::new(Self::new(rules, None))
    }

    /// Begins to compute the tables, unless that has already begun. Returns at once; probes find
    /// the values as soon as the tables are complete.
    fn begin_computing(&self) {}

    /// Returns whether the complete tables can contain this position. A search that meets no such
    /// position does not need them.
    fn may_hold(&self, position: &R::Position) -> bool {
        let _ = position;
        true
    }

    /// Returns whether the tables are complete, if they [solve the game](MakeTables::SOLVES_GAME).
    fn have_solved_game(&self) -> bool {
        false
    }

    /// Returns whether the tables could not be computed.
    fn has_failed(&self) -> bool {
        false
    }

    /// Computes the next part of the tables on this thread, some ten to fifty milliseconds of work,
    /// on a host without threads. Begins the computation if necessary. Returns whether the tables
    /// are complete or have failed. If a thread already computes the tables, this only returns
    /// their state.
    fn advance(&self) -> bool {
        true
    }

    /// Begins to compute tables for a proof instead, in memory and without files. They contain all
    /// positions with at most `pieces` pieces, if the game can compute such tables; without
    /// `pieces`, the positions of the game's default tables.
    fn begin_for_proof(&self, pieces: Option<usize>) {
        let _ = pieces;
        self.begin_computing();
    }

    /// Waits until the tables that were begun are complete or have failed, or until `given_up`
    /// returns `true`. On a host without threads, this thread computes them.
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
