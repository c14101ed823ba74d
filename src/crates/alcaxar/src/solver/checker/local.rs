//! The local rule on all sets of walls: a state is won if the next state can be forced into the won
//! states.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use pentarch_core::Side;
use pentarch_tables::in_parallel;

use super::super::entry_numbering::EntryNumbering;
use super::super::stages::Stage;
use super::super::wall_sets::{count_wall_sets, unrank_wall_set};
use super::CHUNK_LEN;
use super::pair_moves::{
    BlockedSets, BoardTables, KnightSteps, NO_PAIRS, Pairs, count_pairs, first_pair, from_words,
    intersect_pairs, subtract_pairs, unite_pairs,
};
use crate::board::{Board, slots};
use crate::position::Position;

/// The rule that each state must satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalRule {
    /// A state is won if and only if a win can be forced.
    Exact,
    /// As [`Exact`](LocalRule::Exact) for the states that belong to the winner. The other states
    /// are not won.
    Owned {
        /// Whether a state belongs to the winner if both knights are equally near and equally free.
        wins_ties: bool,
    },
    /// A state is won only if a win can be forced. Wins may be missing.
    Sound,
}

impl LocalRule {
    /// Returns the rule of a stage.
    pub fn for_stage(stage: Stage) -> LocalRule {
        match stage {
            Stage::Plain | Stage::Repetition(_) => LocalRule::Exact,
            Stage::Safe(winner) => LocalRule::Owned { wins_ties: winner == Side::Second },
            Stage::Certain(_) | Stage::Start(_) => LocalRule::Sound,
        }
    }
}

/// A function that returns the entry of a side to move, as words of the solver and its files.
type ReadEntry<'a> = &'a (dyn Fn(Side, usize) -> [u64; 4] + Sync);

/// Checks each state of all sets of walls against the states that its moves lead to. `read` returns
/// the entries. `report` gets the share that is done. Returns the number of states; a set of walls
/// and its mirror image count once.
///
/// # Errors
/// The first wrong position, with the winner on the side of red.
pub fn check_states(
    board: &Board,
    numbering: &EntryNumbering,
    rule: LocalRule,
    read: ReadEntry,
    threads: usize,
    report: &(dyn Fn(f64) + Sync),
) -> Result<u64, Box<Position>> {
    let tables = BoardTables::new(board);
    let states = AtomicU64::new(0);
    let done = AtomicUsize::new(0);
    let wrong = OnceLock::new();
    let chunks = count_wall_sets(numbering.walls).div_ceil(CHUNK_LEN);
    in_parallel(threads, 0..chunks, |chunk, _: &mut Vec<()>| {
        let ranks =
            chunk * CHUNK_LEN..count_wall_sets(numbering.walls).min((chunk + 1) * CHUNK_LEN);
        let mut found = 0;
        for rank in ranks.filter(|&rank| !numbering.entries_of(rank).is_empty()) {
            let set =
                LocalCheck::new(&tables, numbering, read, unrank_wall_set(numbering.walls, rank));
            found += count_pairs(set.undecided) * 2 * set.blocked.sets().len() as u64;
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

/// The check of one set of walls. Of a set and its mirror image, only the smaller one is checked.
struct LocalCheck<'a> {
    tables: &'a BoardTables,
    numbering: &'a EntryNumbering,
    read: ReadEntry<'a>,
    walls: u64,
    knights: KnightSteps,
    undecided: Pairs,
    blocked: BlockedSets,
}

impl<'a> LocalCheck<'a> {
    fn new(
        tables: &'a BoardTables,
        numbering: &'a EntryNumbering,
        read: ReadEntry<'a>,
        walls: u64,
    ) -> LocalCheck<'a> {
        let knights = tables.knights(walls);
        let undecided = knights.undecided();
        let blocked = tables.blocked_sets(walls);
        LocalCheck { tables, numbering, read, walls, knights, undecided, blocked }
    }

    /// Returns the first position that breaks the rule.
    fn find_wrong_position(&self, rule: LocalRule) -> Option<Position> {
        let owned = match rule {
            LocalRule::Owned { wins_ties } => self.tables.owned(&self.knights, wins_ties),
            LocalRule::Exact | LocalRule::Sound => [u16::MAX; 16],
        };
        let first_entry = self.numbering.index(self.walls, None).entry;
        for side in Side::BOTH {
            let forced = self.forced_wins(side);
            for (number, forced) in forced.into_iter().take(self.blocked.sets().len()).enumerate() {
                let won = intersect_pairs(
                    from_words((self.read)(side, first_entry + number)),
                    self.undecided,
                );
                let forced = intersect_pairs(forced, owned);
                let missing =
                    if rule == LocalRule::Sound { NO_PAIRS } else { subtract_pairs(forced, won) };
                if let Some(knights) = first_pair(unite_pairs(missing, subtract_pairs(won, forced)))
                {
                    let last_wall = self.blocked.last(number);
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

    /// Returns, for each blocked set, the states with this side to move from which red can force
    /// that the next state is won, or wins at once.
    fn forced_wins(&self, side: Side) -> Vec<Pairs> {
        // Red needs a move to these pairs. Green must have no move to them.
        let wanted = |walls: u64, last, knights: &KnightSteps| {
            let index = self.numbering.index(walls, last);
            let won = from_words((self.read)(!side, index.entry));
            let won = intersect_pairs(
                if index.is_mirrored { self.tables.mirror(won) } else { won },
                knights.undecided(),
            );
            if side == Side::First {
                unite_pairs(won, knights.won_by_red())
            } else {
                subtract_pairs(knights.after_green(), won)
            }
        };
        let here = wanted(self.walls, None, &self.knights);
        let by_step = match side {
            Side::First => self.knights.before_red(&here),
            Side::Second => self.knights.before_green(&here),
        };
        let mut reached = vec![by_step; self.blocked.sets().len()];
        for from in slots(self.walls) {
            let mut by_wall = NO_PAIRS;
            for turn in &self.tables.turn_numbers_from[usize::from(from.0)] {
                let clear = turn.clear(self.walls);
                if clear != NO_PAIRS {
                    let knights = self.tables.knights_after(&self.knights, from, turn.to);
                    by_wall = unite_pairs(
                        by_wall,
                        intersect_pairs(
                            clear,
                            wanted(turn.after(self.walls), Some(turn.to), &knights),
                        ),
                    );
                }
            }
            for (reached, blocked) in reached.iter_mut().zip(self.blocked.sets()) {
                if blocked & from.bit() == 0 {
                    *reached = unite_pairs(*reached, by_wall);
                }
            }
        }
        let select = if side == Side::First { intersect_pairs } else { subtract_pairs };
        reached.iter().map(|&reached| select(self.undecided, reached)).collect()
    }
}
