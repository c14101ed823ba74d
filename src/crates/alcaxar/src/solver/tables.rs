//! The wins that the solver has found as tablebases of the game.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::task::Poll;

use pentarch_core::{MakeTables, Probe, ProbeLimit, ProbeResult, Side, TableFiles, Warning};
use pentarch_tables::background::{self, Background};
use thiserror::Error;

use super::error::SolverFileError;
use super::stored::StoredWins;
use super::wall_sets::MAX_WALLS;
use crate::Alcaxar;
use crate::board::slots;
use crate::moves;
use crate::position::Position;

/// The tables of Alcaxar: the wins that the solver has found, in files that are read state by state.
pub struct AlcaxarTables {
    rules: Alcaxar,
    /// The number of walls of the positions.
    pub(super) walls: usize,
    /// The files; none if no files are used.
    files: Option<Arc<dyn TableFiles>>,
    pub(super) wins: Background<StoredWins>,
    /// Why a file could not be read.
    unreadable: OnceLock<Warning>,
    /// Whether that has been told.
    is_told: AtomicBool,
}

/// The error of a file that cannot be read during a search.
#[derive(Debug, Error)]
#[error("a file of the wins with {walls} walls cannot be read: {why}")]
struct UnreadableWins {
    /// The number of walls of the positions in the file.
    walls: usize,
    /// The reason.
    why: SolverFileError,
}

impl AlcaxarTables {
    /// The tables of the positions with so many walls. In the game there are always eight; positions with fewer are for
    /// the study of the solver.
    pub fn of_walls(
        rules: &Alcaxar,
        walls: usize,
        files: Option<Arc<dyn TableFiles>>,
    ) -> AlcaxarTables {
        AlcaxarTables {
            rules: rules.clone(),
            walls,
            files,
            wins: Background::default(),
            unreadable: OnceLock::new(),
            is_told: AtomicBool::new(false),
        }
    }

    /// The work of opening the files, which is one piece; none if no files are used.
    fn opening(&self) -> Option<background::BackgroundJob<StoredWins>> {
        let (files, board, walls) = (self.files.clone()?, self.rules.board.clone(), self.walls);
        Some(Box::new(move |task| {
            Poll::Ready(StoredWins::open(&*files, &board, walls, |fault| task.report_fault(fault)))
        }))
    }
}

impl Alcaxar {
    /// The rank of a position that is lost for the side to move. What keeps a file from being read is kept to be told.
    fn rank(&self, tables: &AlcaxarTables, position: &Position) -> Option<u32> {
        tables.wins.get()?.rank(!position.side, position).unwrap_or_else(|why| {
            let _ =
                tables.unreadable.set(Warning::new(UnreadableWins { walls: tables.walls, why }));
            None
        })
    }
}

impl Probe for Alcaxar {
    type Tables = AlcaxarTables;

    fn probe(
        &self,
        tables: &AlcaxarTables,
        position: &Position,
        probing: ProbeLimit,
    ) -> Option<ProbeResult> {
        if probing >= ProbeLimit::FromFiles {
            self.rank(tables, position).map(ProbeResult::Lost)
        } else {
            None
        }
    }

    /// A position with the same walls and knights has as many states as there are sets of blocked walls. Those that
    /// still stand have different ranks, or with the winner to move, ranks that belong to different
    /// [rounds](super).
    fn max_occurrences(
        &self,
        tables: &AlcaxarTables,
        position: &Position,
        winner: Side,
        rank: u32,
    ) -> usize {
        let last_walls = std::iter::once(None).chain(slots(position.walls).map(Some));
        let states = last_walls.map(|last_wall| Position { last_wall, ..*position });
        let mut ranks: Vec<u32> = if position.side == winner {
            let mut moves = Vec::new();
            let least = |state: Position| {
                moves.clear();
                moves::generate(&self.board, &state, &mut moves);
                let rank = |&mv: &_| {
                    let next = state.play(mv);
                    match next.outcome(&self.board) {
                        Some(outcome) => (outcome.winner() == Some(winner)).then_some(0),
                        None => self.rank(tables, &next),
                    }
                };
                moves.iter().filter_map(rank).min()
            };
            states
                .filter_map(least)
                .filter(|&least| least < rank)
                .map(|least| least.div_ceil(2))
                .collect()
        } else {
            states
                .filter_map(|state| self.rank(tables, &state))
                .filter(|&other| other <= rank)
                .collect()
        };
        ranks.sort_unstable();
        ranks.dedup();
        // What could not be read may be one more.
        if tables.unreadable.get().is_some() { usize::MAX } else { ranks.len() }
    }
}

impl MakeTables<Alcaxar> for AlcaxarTables {
    fn new(rules: &Alcaxar, files: Option<Arc<dyn TableFiles>>) -> AlcaxarTables {
        AlcaxarTables::of_walls(rules, MAX_WALLS, files)
    }

    fn begin(&self) {
        if let Some(opening) = self.opening() {
            self.wins.begin(opening);
        }
    }

    fn advance(&self) -> bool {
        self.opening().is_none_or(|opening| self.wins.advance(opening))
    }

    /// A proof rests only on what this program has computed itself, so no files are read.
    fn begin_for_proof(&self, _: Option<usize>) {}

    fn wait(&self, given_up: &dyn Fn() -> bool) {
        self.wins.wait(given_up);
    }

    fn take_faults(&self) -> Vec<Warning> {
        let mut faults = self.wins.take_faults();
        let unreadable = self.unreadable.get().filter(|_| !self.is_told.swap(true, Relaxed));
        faults.extend(unreadable.cloned());
        faults
    }
}
