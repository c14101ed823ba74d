//! Checks the local rule in the entries of all sets of walls: a state is won if and only if the
//! winner can force the next state into the won states.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use pentarch_core::Side;
use pentarch_tables::run_in_parallel;

use super::super::entry_numbering::EntryNumbering;
use super::super::stages::Stage;
use super::super::wall_sets::{count_wall_sets, unrank_wall_set};
use super::WALL_SETS_PER_CHUNK;
use super::knight_pair_moves::{
    BoardTables, KnightPairsByRedSquare, KnightStepsPastWalls, NO_KNIGHT_PAIRS, SetsOfBlockedWalls,
    count_knight_pairs, first_knight_pair, intersect_knight_pairs, knight_pairs_from_words,
    subtract_knight_pairs, unite_knight_pairs,
};
use crate::board::{Board, iter_slots};
use crate::position::Position;

/// A version of the local rule, which derives the states that must be won from the states after
/// their moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuccessorWinRule {
    /// A state is won if and only if the winner can win at once or force the next state into the
    /// won states.
    Exact,
    /// Like [`Exact`](SuccessorWinRule::Exact) for the states that the winner owns. All other
    /// states are not won.
    Owned {
        /// Whether the winner owns a state in which both knights are equally near to their targets
        /// and can step to equally many squares.
        wins_ties: bool,
    },
    /// Like [`Exact`](SuccessorWinRule::Exact), but some won states may be missing.
    Sound,
}

impl SuccessorWinRule {
    /// Returns the rule of a stage.
    pub fn for_stage(stage: Stage) -> SuccessorWinRule {
        match stage {
            Stage::Plain | Stage::Repetition(_) => SuccessorWinRule::Exact,
            Stage::Safe(winner) => SuccessorWinRule::Owned { wins_ties: winner == Side::Second },
            Stage::Certain(_) | Stage::Start(_) => SuccessorWinRule::Sound,
        }
    }
}

/// A function that returns the words of an entry, as in the solver's entries and files. Its
/// arguments are the side to move and the number of the entry.
type EntryReader<'a> = &'a (dyn Fn(Side, usize) -> [u64; 4] + Sync);

/// Checks that the value of each state follows from the values of the states after its moves.
/// `read` returns the entries. Calls `report` with the completed fraction of the work. Returns the
/// number of checked states. A set of walls and its mirror image count only once.
///
/// # Errors
/// The first wrong position, turned so that the winner is red.
pub fn check_values_against_successors(
    board: &Board,
    numbering: &EntryNumbering,
    rule: SuccessorWinRule,
    read: EntryReader,
    threads: usize,
    report: &(dyn Fn(f64) + Sync),
) -> Result<u64, Box<Position>> {
    let tables = BoardTables::new(board);
    let states = AtomicU64::new(0);
    let done = AtomicUsize::new(0);
    let wrong = OnceLock::new();
    let chunks = count_wall_sets(numbering.walls).div_ceil(WALL_SETS_PER_CHUNK);
    run_in_parallel(threads, 0..chunks, |chunk, _: &mut Vec<()>| {
        let ranks = chunk * WALL_SETS_PER_CHUNK
            ..count_wall_sets(numbering.walls).min((chunk + 1) * WALL_SETS_PER_CHUNK);
        let mut found = 0;
        for rank in ranks.filter(|&rank| !numbering.entry_range(rank).is_empty()) {
            let set = LocalWallSetCheck::new(
                &tables,
                numbering,
                read,
                unrank_wall_set(numbering.walls, rank),
            );
            found +=
                count_knight_pairs(set.undecided) * 2 * set.blocked.sets_by_index().len() as u64;
            if let Some(position) = set.find_wrong_position(rule) {
                let _ = wrong.set(Box::new(position));
                return false;
            }
        }
        states.fetch_add(found, Relaxed);
        report((done.fetch_add(1, Relaxed) + 1) as f64 / chunks as f64);
        wrong.get().is_none()
    });
    wrong.into_inner().map_or(Ok(states.into_inner()), Err)
}

/// The check of the entries of one set of walls. A set shares its entries with its mirror image, so
/// only one of the two is checked.
struct LocalWallSetCheck<'a> {
    tables: &'a BoardTables,
    numbering: &'a EntryNumbering,
    read: EntryReader<'a>,
    walls: u64,
    knights: KnightStepsPastWalls,
    undecided: KnightPairsByRedSquare,
    blocked: SetsOfBlockedWalls,
}

impl<'a> LocalWallSetCheck<'a> {
    fn new(
        tables: &'a BoardTables,
        numbering: &'a EntryNumbering,
        read: EntryReader<'a>,
        walls: u64,
    ) -> LocalWallSetCheck<'a> {
        let knights = tables.knight_steps(walls);
        let undecided = knights.undecided_pairs();
        let blocked = tables.blocked_sets(walls);
        LocalWallSetCheck { tables, numbering, read, walls, knights, undecided, blocked }
    }

    fn find_wrong_position(&self, rule: SuccessorWinRule) -> Option<Position> {
        let owned = match rule {
            SuccessorWinRule::Owned { wins_ties } => {
                self.tables.pairs_with_repetition_won_by_red(&self.knights, wins_ties)
            }
            SuccessorWinRule::Exact | SuccessorWinRule::Sound => [u16::MAX; 16],
        };
        let first_entry = self.numbering.entry_index(self.walls, None).entry;
        for side in Side::BOTH_SIDES {
            let forced = self.forced_wins(side);
            for (number, forced) in
                forced.into_iter().take(self.blocked.sets_by_index().len()).enumerate()
            {
                let won = intersect_knight_pairs(
                    knight_pairs_from_words((self.read)(side, first_entry + number)),
                    self.undecided,
                );
                let forced = intersect_knight_pairs(forced, owned);
                let missing = if rule == SuccessorWinRule::Sound {
                    NO_KNIGHT_PAIRS
                } else {
                    subtract_knight_pairs(forced, won)
                };
                if let Some(knights) = first_knight_pair(unite_knight_pairs(
                    missing,
                    subtract_knight_pairs(won, forced),
                )) {
                    let last_wall = self.blocked.last_moved_slot(number);
                    return Some(Position {
                        knights,
                        walls: self.walls,
                        side,
                        last_wall,
                        full_move: 1,
                    });
                }
            }
        }
        None
    }

    /// Returns, for each blocked set, the pairs of knights for which red wins at once or can force
    /// the next state into the won states. `side` is the side to move.
    fn forced_wins(&self, side: Side) -> Vec<KnightPairsByRedSquare> {
        // The pairs after a move that determine whether the state is won. If red is to move, it
        // needs a move to one of these pairs. If green is to move, it must have no move to any of
        // them.
        let wanted = |walls: u64, last, knights: &KnightStepsPastWalls| {
            let index = self.numbering.entry_index(walls, last);
            let won = knight_pairs_from_words((self.read)(!side, index.entry));
            let won = intersect_knight_pairs(
                if index.is_mirrored { self.tables.mirror_pairs(won) } else { won },
                knights.undecided_pairs(),
            );
            if side == Side::First {
                unite_knight_pairs(won, knights.pairs_won_by_red())
            } else {
                subtract_knight_pairs(knights.pairs_after_green_step(), won)
            }
        };
        let here = wanted(self.walls, None, &self.knights);
        let by_step = match side {
            Side::First => self.knights.predecessors_by_red_step(&here),
            Side::Second => self.knights.predecessors_by_green_step(&here),
        };
        let mut reached = vec![by_step; self.blocked.sets_by_index().len()];
        for from in iter_slots(self.walls) {
            let mut by_wall = NO_KNIGHT_PAIRS;
            for turn in &self.tables.turns_from[usize::from(from.0)] {
                let clear = turn.knight_pairs_allowing_turn(self.walls);
                if clear != NO_KNIGHT_PAIRS {
                    let knights = self.tables.knight_steps_after(&self.knights, from, turn.to);
                    by_wall = unite_knight_pairs(
                        by_wall,
                        intersect_knight_pairs(
                            clear,
                            wanted(turn.wall_set_after(self.walls), Some(turn.to), &knights),
                        ),
                    );
                }
            }
            for (reached, blocked) in reached.iter_mut().zip(self.blocked.sets_by_index()) {
                if blocked & from.bit() == 0 {
                    *reached = unite_knight_pairs(*reached, by_wall);
                }
            }
        }
        let select =
            if side == Side::First { intersect_knight_pairs } else { subtract_knight_pairs };
        reached.iter().map(|&reached| select(self.undecided, reached)).collect()
    }
}
