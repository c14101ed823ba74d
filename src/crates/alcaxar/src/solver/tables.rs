//! The solver's wins as tablebases of the game.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::task::Poll;

use pentarch_core::tables::default_verification_sentence;
use pentarch_core::{
    GameTables, KnownValueSource, ProbeResult, ProbeTables, ProbeWorkLimit, Side, TableFiles,
    Warning,
};
use pentarch_tables::background::{self, BackgroundValue};
use thiserror::Error;

use super::error::SolverFileError;
use super::stored_wins::StoredWins;
use super::wall_sets::MAX_WALLS;
use crate::Alcaxar;
use crate::board::iter_slots;
use crate::moves::{self, Move};
use crate::position::Position;

/// The tables of Alcaxar: the certain wins that the solver has found. A probe reads single states
/// from the files.
pub struct AlcaxarTablebase {
    rules: Alcaxar,
    /// The number of walls of the positions.
    pub(super) walls: usize,
    /// The source of the solver's files, or `None` if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    pub(super) wins: BackgroundValue<StoredWins>,
    /// The first error of reading a file.
    read_error: OnceLock<Warning>,
    /// Whether [`take_faults`](GameTables::take_faults) has returned the read error.
    is_read_error_taken: AtomicBool,
}

/// The error for a file that cannot be read during a search.
#[derive(Debug, Error)]
#[error("a file of the wins with {walls} walls cannot be read: {why}")]
struct UnreadableWinFile {
    /// The number of walls of the positions in the file.
    walls: usize,
    /// The reason why the file cannot be read.
    why: SolverFileError,
}

impl AlcaxarTablebase {
    /// Creates the tables for positions with `walls` walls. The game always has eight walls.
    /// Positions with fewer walls are only for the study of the solver.
    pub fn for_wall_count(
        rules: &Alcaxar,
        walls: usize,
        files: Option<Arc<dyn TableFiles>>,
    ) -> AlcaxarTablebase {
        AlcaxarTablebase {
            rules: rules.clone(),
            walls,
            files,
            wins: BackgroundValue::default(),
            read_error: OnceLock::new(),
            is_read_error_taken: AtomicBool::new(false),
        }
    }

    /// Returns the job that opens the files, or `None` if no files are used. The job has only one
    /// part.
    fn file_opening_job(&self) -> Option<background::BackgroundJob<StoredWins>> {
        let files = self.files.clone()?;
        let board = self.rules.board.clone();
        let walls = self.walls;
        Some(Box::new(move |task| {
            Poll::Ready(StoredWins::open(&*files, &board, walls, |fault| task.report_fault(fault)))
        }))
    }
}

impl Alcaxar {
    /// Returns the rank of a position from the files, if the position is lost for the side to move.
    /// If the files cannot be read, stores the error for [`take_faults`](GameTables::take_faults).
    fn stored_win_rank(&self, tables: &AlcaxarTablebase, position: &Position) -> Option<u32> {
        tables.wins.get()?.win_rank(!position.side, position).unwrap_or_else(|why| {
            let error = UnreadableWinFile { walls: tables.walls, why };
            let _ = tables.read_error.set(Warning::new(error));
            None
        })
    }

    /// Returns the least rank of the positions, lost for the other side, to which a move leads.
    /// Returns 0 if a move wins at once, and `None` if no move wins. `moves` is a scratch buffer.
    fn least_win_rank_after_move(
        &self,
        tables: &AlcaxarTablebase,
        position: &Position,
        moves: &mut Vec<Move>,
    ) -> Option<u32> {
        moves.clear();
        moves::generate_moves(&self.board, position, moves);
        let rank_after = |&mv: &_| {
            let next = position.play(mv);
            match next.outcome(&self.board) {
                Some(outcome) => (outcome.winner() == Some(position.side)).then_some(0),
                None => self.stored_win_rank(tables, &next),
            }
        };
        moves.iter().filter_map(rank_after).min()
    }
}

impl ProbeTables for Alcaxar {
    type Tables = AlcaxarTablebase;

    fn probe_tables(
        &self,
        tables: &AlcaxarTablebase,
        position: &Position,
        probing: ProbeWorkLimit,
    ) -> Option<ProbeResult> {
        if probing >= ProbeWorkLimit::FromFiles {
            self.stored_win_rank(tables, position).map(ProbeResult::Lost)
        } else {
            None
        }
    }

    fn value_verification_sentence(&self, source: KnownValueSource) -> &'static str {
        match source {
            KnownValueSource::Table => {
                "The command 'tables' checks the ranks of all wins when it makes a file, in full, \
                 by code that shares only the numbering of wall sets with the solver."
            }
            _ => default_verification_sentence(source),
        }
    }

    /// Returns the maximum number of times that these walls and knights can still occur: the number
    /// of different ranks among their states, one for each blocked set. A state cannot occur again
    /// if its rank is greater than the present rank. Two of these states can both still occur only
    /// if their ranks differ. With the winner to move, they must have entered in different
    /// [rounds](super).
    fn max_future_occurrences(
        &self,
        tables: &AlcaxarTablebase,
        position: &Position,
        winner: Side,
        rank: u32,
    ) -> usize {
        let last_walls = std::iter::once(None).chain(iter_slots(position.walls).map(Some));
        let states = last_walls.map(|last_wall| Position { last_wall, ..*position });
        let mut ranks = Vec::new();
        let mut moves = Vec::new();
        for state in states {
            if position.side == winner {
                let least = self.least_win_rank_after_move(tables, &state, &mut moves);
                let least = least.filter(|&least| least < rank);
                ranks.extend(least.map(|least| least.div_ceil(2)));
            } else {
                ranks.extend(self.stored_win_rank(tables, &state).filter(|&other| other <= rank));
            }
        }
        ranks.sort_unstable();
        ranks.dedup();
        // A state that could not be read might have another rank, so there is no limit.
        if tables.read_error.get().is_some() { usize::MAX } else { ranks.len() }
    }
}

impl GameTables<Alcaxar> for AlcaxarTablebase {
    fn new(rules: &Alcaxar, files: Option<Arc<dyn TableFiles>>) -> AlcaxarTablebase {
        AlcaxarTablebase::for_wall_count(rules, MAX_WALLS, files)
    }

    fn begin_computing_tables(&self) {
        if let Some(task) = self.file_opening_job() {
            self.wins.begin_computing_tables(task);
        }
    }

    fn compute_next_table_part(&self) -> bool {
        self.file_opening_job().is_none_or(|task| self.wins.compute_next_table_part(task))
    }

    fn may_contain_position(&self, _: &Position) -> bool {
        self.files.is_some()
    }

    /// Reads no files, because a proof uses only results that this program has computed itself.
    fn begin_tablebases_for_proof(&self, _: Option<usize>) {}

    fn wait_until_computed(&self, given_up: &dyn Fn() -> bool) {
        self.wins.wait_until_computed(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        let mut faults = self.wins.take_faults();
        let error = self.read_error.get();
        let error = error.filter(|_| !self.is_read_error_taken.swap(true, Relaxed));
        faults.extend(error.cloned());
        faults
    }
}
