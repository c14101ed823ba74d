//! Tablebase probing and the computation of tables. Tables provide exact values of positions
//! without a search.
//!
//! Tables take time and memory, so they are not part of the rules. A search gets the rules and the
//! tables separately.
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

use crate::{HasPlayers, Rules, Side, TableFiles};

/// A fault that costs time or playing strength but never causes an incorrect result. Examples are a
/// damaged file and a thread that does not start. Each source of faults has its own error type;
/// callers only report the error. Two warnings are equal if they share one error object.
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

/// The exact value of a position for the side to move, with the distance to mate. This distance is
/// the number of plies until the game ends if both sides play best.
///
/// In some games, the history of a position restricts its moves, but the tables do not consider the
/// history. In these games, the number of plies is an upper bound for every history of the
/// position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableValue {
    /// The side to move wins in this number of plies.
    Win(u32),
    /// Neither side can force a win.
    Draw,
    /// The side to move loses in this number of plies.
    Loss(u32),
}

impl TableValue {
    /// Returns the number of plies to the end of the game if the position is won or lost, or 0 for
    /// a draw.
    pub fn plies(self) -> u32 {
        match self {
            TableValue::Win(plies) | TableValue::Loss(plies) => plies,
            TableValue::Draw => 0,
        }
    }
}

/// The source of a known value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownValueSource {
    /// The rules: the game is over, or a short computation decides it.
    Rules,
    /// Tables of solved positions.
    Table,
    /// An opening book that the game has followed from the start.
    Book,
    /// A proof that was found and checked in advance.
    Proof,
    /// A search.
    Search,
}

impl KnownValueSource {
    /// Returns the word for the source.
    pub fn word(self) -> &'static str {
        match self {
            KnownValueSource::Rules => "rules",
            KnownValueSource::Table => "table",
            KnownValueSource::Book => "book",
            KnownValueSource::Proof => "proof",
            KnownValueSource::Search => "search",
        }
    }
}

/// Returns the default sentence that says how values from this source were checked.
pub fn default_verification_sentence(source: KnownValueSource) -> &'static str {
    match source {
        KnownValueSource::Rules => "The rules decide the value, so there is nothing to check.",
        KnownValueSource::Search => {
            "The search proved the value, and no other code has checked this proof."
        }
        KnownValueSource::Table | KnownValueSource::Book | KnownValueSource::Proof => {
            "No other code has checked the value."
        }
    }
}

/// The result of a probe: the known facts about a position without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeResult {
    /// The exact value of the position.
    Value(TableValue),
    /// The side to move loses if the game begins with this position. The field is the rank of the
    /// position, a number that the winner can use to choose its moves. The distance to the end of
    /// the game is unknown.
    ///
    /// The winner wins by always moving to a position of minimal rank. With such moves, the rank
    /// never increases. In some positions, a repetition would be a win for the losing side. The
    /// rank decreases after each of these positions. At rank 0, no such position can follow, so the
    /// win is certain with any history.
    Lost(u32),
    /// The position's value under similar rules, such as rules that ignore its history. The value
    /// is usually correct, but not proven.
    Similar(TableValue),
}

impl ProbeResult {
    /// Returns the exact value.
    pub fn value(self) -> Option<TableValue> {
        if let ProbeResult::Value(value) = self { Some(value) } else { None }
    }

    /// Returns the rank of a lost position.
    pub fn win_rank_of_lost_position(self) -> Option<u32> {
        if let ProbeResult::Lost(rank) = self { Some(rank) } else { None }
    }
}

/// A limit on the work that a probe may do. Each variant also allows the work of all variants
/// before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProbeWorkLimit {
    /// Computations that are quick and need no table.
    Computed,
    /// Lookups of tables in memory.
    Quick,
    /// Lookups of files.
    FromFiles,
    /// Computations that take about as long as a search to a depth of a few plies.
    Thorough,
    /// Computations that take up to seconds.
    Exhaustive,
}

/// Tablebase probing: values of positions without a search. Games without tables write `type Tables
/// = ();` and use the defaults.
pub trait ProbeTables: HasPlayers {
    /// The tables of solved positions.
    type Tables: GameTables<Self>;

    /// Returns the known facts about this position. The game must not be over in this position.
    fn probe_tables(
        &self,
        tables: &Self::Tables,
        position: &Self::Position,
        limit: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        let _ = (tables, position, limit);
        None
    }

    /// Returns the value of this position if it was proved in advance. The tables and opening books
    /// of the game are not used. The number of plies is an upper bound. Callers ignore the value of
    /// a position in which the game is over.
    fn proved_value(&self, position: &Self::Position) -> Option<TableValue> {
        let _ = position;
        None
    }

    /// Returns a sentence that says how values from this source were checked: by which code, and
    /// whether the check covered all values or a sample.
    fn value_verification_sentence(&self, source: KnownValueSource) -> &'static str {
        default_verification_sentence(source)
    }

    /// Returns the maximum number of times that the repetition key of `position` can still occur if
    /// `winner` always moves to a position of minimal [rank](ProbeResult::Lost). `winner` has just
    /// moved to a position with the rank `rank`. The new position is counted if it has the same
    /// repetition key. Callers pass only a `position` whose repetition is a win for the loser.
    fn max_future_occurrences(
        &self,
        tables: &Self::Tables,
        position: &Self::Position,
        winner: Side,
        rank: u32,
    ) -> usize {
        let _ = (tables, position, winner, rank);
        usize::MAX
    }

    /// Creates tables for these rules without computing them yet. If `files` is given, the tables
    /// are later read from these files where possible instead of being computed.
    fn create_uncomputed_tables(&self, files: Option<Arc<dyn TableFiles>>) -> Arc<Self::Tables> {
        Arc::new(Self::Tables::new(self, files))
    }

    /// Creates tables, or returns shared ones. If the game
    /// [shares](GameTables::create_shared_tables) its tables, tables without files are computed
    /// only once in this process.
    fn create_or_share_tables(&self, files: Option<Arc<dyn TableFiles>>) -> Arc<Self::Tables> {
        if files.is_some() {
            self.create_uncomputed_tables(files)
        } else {
            Self::Tables::create_shared_tables(self)
        }
    }
}

/// A game's tables of solved positions. The trait computes the tables, on separate threads or in
/// parts, and loads them from files.
///
/// `()` implements this trait for games without tables.
pub trait GameTables<R: Rules>: Send + Sync + Sized + 'static {
    /// Whether the tables contain all positions of the game and are complete within seconds. If so,
    /// a search with enough time waits for the tables.
    const TABLES_SOLVE_GAME: bool = false;

    /// Creates tables for these rules without computing them yet. Later, tables that are in `files`
    /// are read from these files, and all other tables are computed.
    fn new(rules: &R, files: Option<Arc<dyn TableFiles>>) -> Self;

    /// Creates tables that use no files. If the tables are shared, one engine of this process
    /// computes them, and all other engines use the same tables. A game does not share tables that
    /// are never computed, or tables in which searches store their results.
    fn create_shared_tables(rules: &R) -> Arc<Self> {
        Arc::new(Self::new(rules, None))
    }

    /// Begins to compute the tables, unless the computation has already begun. Returns at once.
    /// Probes find the values as soon as the tables are complete.
    fn begin_computing_tables(&self) {}

    /// Returns whether the complete tables can contain this position, or whether a probe may
    /// compute its value. A search does not need the tables if they can contain none of its
    /// positions.
    fn may_contain_position(&self, position: &R::Position) -> bool {
        let _ = position;
        true
    }

    /// Returns whether the tables [solve the game](GameTables::TABLES_SOLVE_GAME) and are complete.
    fn have_solved_game(&self) -> bool {
        false
    }

    /// Returns whether the tables could not be computed.
    fn has_computation_failed(&self) -> bool {
        false
    }

    /// Computes the next part of the tables on this thread, for a host without threads. A part
    /// takes about ten to fifty milliseconds. The first call begins the computation. Returns
    /// whether the tables are complete or could not be computed. If another thread is already
    /// computing the tables, this method computes nothing.
    fn compute_next_table_part(&self) -> bool {
        true
    }

    /// Begins to compute special tables for a proof, in memory and without files. If the game can
    /// compute such tables, the tables contain all positions with at most `pieces` pieces. If
    /// `pieces` is `None`, the tables contain the positions of the game's default tables.
    fn begin_tablebases_for_proof(&self, pieces: Option<usize>) {
        let _ = pieces;
        self.begin_computing_tables();
    }

    /// Waits until the computation of the tables has ended or failed, or until `given_up` returns
    /// `true`. On a host without threads, the calling thread computes the tables. Calls `given_up`
    /// only while the tables are not complete.
    fn wait_until_computed(&self, given_up: &dyn Fn() -> bool) {
        let _ = given_up;
    }

    /// Returns the faults of the tables and of their files that have occurred since the last call.
    fn take_faults(&self) -> Vec<Warning> {
        Vec::new()
    }
}

impl<R: Rules> GameTables<R> for () {
    fn new(_: &R, _: Option<Arc<dyn TableFiles>>) {}

    fn may_contain_position(&self, _: &R::Position) -> bool {
        false
    }
}
