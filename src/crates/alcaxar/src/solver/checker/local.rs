//! The local rule on all sets of walls: a state is won if the next state can be forced into the won ones.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use pentarch_core::Side;
use pentarch_tables::in_parallel;

use super::super::entry_numbering::EntryNumbering;
use super::super::stages::Stage;
use super::super::wall_sets::{count, unrank};
use super::CHUNK;
use super::walls::{
    BlockedSets, BoardTables, Knights, NONE, Pairs, and, first, from_words, len, or, without,
};
use crate::board::{Board, slots};
use crate::position::Position;

/// The rule that each state must satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// A state is won if a win can be forced, and only then.
    Exact,
    /// The same, of the states that belong to the winner; the others are not won.
    Owned {
        /// Whether a state belongs to the winner in which nothing differs.
        ties: bool,
    },
    /// A state is won only if a win can be forced. Wins may be missing.
    Sound,
}

impl Rule {
    /// The rule of a stage.
    pub fn of(stage: Stage) -> Rule {
        match stage {
            Stage::Plain | Stage::Repetition(_) => Rule::Exact,
            Stage::Safe(winner) => Rule::Owned { ties: winner == Side::Second },
            Stage::Certain(_) | Stage::Start(_) => Rule::Sound,
        }
    }
}

/// The entry of a side to move, in the words of the solver and of its files.
type Read<'a> = &'a (dyn Fn(Side, usize) -> [u64; 4] + Sync);

/// Checks each state of all sets of walls against those that its moves lead to. `read` returns the entries, and `tell`
/// gets the share that is done. Returns the number of states; a set of walls and its mirror image count once.
///
/// # Errors
/// The first position found wrong, with the winner on the side of red.
pub fn check(
    board: &Board,
    numbering: &EntryNumbering,
    rule: Rule,
    read: Read,
    threads: usize,
    tell: &(dyn Fn(f64) + Sync),
) -> Result<u64, Box<Position>> {
    let tables = BoardTables::new(board);
    let (states, done, wrong) = (AtomicU64::new(0), AtomicUsize::new(0), OnceLock::new());
    let chunks = count(numbering.walls).div_ceil(CHUNK);
    in_parallel(threads, 0..chunks, |chunk, _: &mut Vec<()>| {
        let ranks = chunk * CHUNK..count(numbering.walls).min((chunk + 1) * CHUNK);
        let mut found = 0;
        for rank in ranks.filter(|&rank| !numbering.entries_of(rank).is_empty()) {
            let set = WallSet::new(&tables, numbering, read, unrank(numbering.walls, rank));
            found += len(set.undecided) * 2 * set.blocked.sets().len() as u64;
            if let Some(position) = set.fault(rule) {
                let _ = wrong.set(Box::new(position));
                return false;
            }
        }
        states.fetch_add(found, Relaxed);
        tell((done.fetch_add(1, Relaxed) + 1) as f64 / chunks as f64);
        wrong.get().is_none()
    });
    wrong.into_inner().map_or(Ok(states.into_inner()), Err)
}

/// A set of walls, which is not greater than its mirror image.
struct WallSet<'a> {
    tables: &'a BoardTables,
    numbering: &'a EntryNumbering,
    read: Read<'a>,
    walls: u64,
    knights: Knights,
    undecided: Pairs,
    blocked: BlockedSets,
}

impl<'a> WallSet<'a> {
    fn new(
        tables: &'a BoardTables,
        numbering: &'a EntryNumbering,
        read: Read<'a>,
        walls: u64,
    ) -> WallSet<'a> {
        let knights = tables.knights(walls);
        let (undecided, blocked) = (knights.undecided(), tables.blocked_sets(walls));
        WallSet { tables, numbering, read, walls, knights, undecided, blocked }
    }

    /// The first position that breaks the rule.
    fn fault(&self, rule: Rule) -> Option<Position> {
        let owned = match rule {
            Rule::Owned { ties } => self.tables.owned(&self.knights, ties),
            Rule::Exact | Rule::Sound => [u16::MAX; 16],
        };
        let first_entry = self.numbering.index(self.walls, None).entry;
        for side in Side::BOTH {
            let forced = self.forced(side);
            for (number, forced) in forced.into_iter().take(self.blocked.sets().len()).enumerate() {
                let won = and(from_words((self.read)(side, first_entry + number)), self.undecided);
                let forced = and(forced, owned);
                let missing = if rule == Rule::Sound { NONE } else { without(forced, won) };
                if let Some(knights) = first(or(missing, without(won, forced))) {
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

    /// By the number of the blocked set: the states with this side to move from which the next state can be forced to
    /// be won, or the game is won at once.
    fn forced(&self, side: Side) -> Vec<Pairs> {
        // Red needs a move into these pairs; green must have none.
        let wanted = |walls: u64, last, knights: &Knights| {
            let place = self.numbering.index(walls, last);
            let won = from_words((self.read)(!side, place.entry));
            let won = and(
                if place.is_mirrored { self.tables.mirror(won) } else { won },
                knights.undecided(),
            );
            if side == Side::First {
                or(won, knights.won_by_red())
            } else {
                without(knights.after_green(), won)
            }
        };
        let here = wanted(self.walls, None, &self.knights);
        let by_step = match side {
            Side::First => self.knights.before_red(&here),
            Side::Second => self.knights.before_green(&here),
        };
        let mut reached = vec![by_step; self.blocked.sets().len()];
        for from in slots(self.walls) {
            let mut by_wall = NONE;
            for turn in &self.tables.turns_from[usize::from(from.0)] {
                let clear = turn.clear(self.walls);
                if clear != NONE {
                    let knights = self.tables.knights_after(&self.knights, from, turn.to);
                    by_wall = or(
                        by_wall,
                        and(clear, wanted(turn.after(self.walls), Some(turn.to), &knights)),
                    );
                }
            }
            for (reached, blocked) in reached.iter_mut().zip(self.blocked.sets()) {
                if blocked & from.bit() == 0 {
                    *reached = or(*reached, by_wall);
                }
            }
        }
        let select = if side == Side::First { and } else { without };
        reached.iter().map(|&reached| select(self.undecided, reached)).collect()
    }
}
