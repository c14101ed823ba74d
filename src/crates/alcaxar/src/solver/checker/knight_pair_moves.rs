//! The moves that a set of walls allows, for all pairs of knights at once.
//!
//! The checker uses these moves to check the solver. So this module shares no code with the solver:
//! it computes the moves from the board and the rules of the game. In a file of wins, the winner is
//! always red. So "red wins" in this module means "the winner wins".

use pentarch_core::notation::points::bit_indices;

use super::super::wall_sets::MAX_WALLS;
use crate::board::{Board, Square, WallSlot, half_turn_point, iter_slots, mirror_point};
use crate::position::{FORTRESS_SQUARES, map_slot, map_square};
const WALL_SLOT_COUNT: usize = WallSlot::SLOT_COUNT as usize;
/// The squares that the red knight and the green knight try to reach.
const KNIGHT_GOAL_SQUARES: [usize; 2] =
    [FORTRESS_SQUARES[1].0 as usize, FORTRESS_SQUARES[0].0 as usize];

/// A set of pairs of knights: for each square of the red knight, the squares of the green knight.
pub type KnightPairsByRedSquare = [u16; 16];

/// The empty set of pairs.
pub const NO_KNIGHT_PAIRS: KnightPairsByRedSquare = [0; 16];

/// Returns the set of pairs that these words represent. The words have the format of the solver's
/// entries and files: for each red square, 16 bits, one for each green square.
pub fn knight_pairs_from_words(words: [u64; 4]) -> KnightPairsByRedSquare {
    std::array::from_fn(|red| (words[red / 4] >> (red % 4 * 16)) as u16)
}

/// Returns the words that represent a set of pairs in the solver's entries and files.
pub fn knight_pairs_to_words(pairs: KnightPairsByRedSquare) -> [u64; 4] {
    std::array::from_fn(|word| {
        (0..4).fold(0, |bits, row| bits | u64::from(pairs[4 * word + row]) << (16 * row))
    })
}

/// Combines two sets square by square.
pub fn combine_knight_pair_sets(
    one: KnightPairsByRedSquare,
    other: KnightPairsByRedSquare,
    combine: impl Fn(u16, u16) -> u16,
) -> KnightPairsByRedSquare {
    std::array::from_fn(|red| combine(one[red], other[red]))
}

/// Returns the pairs that are in both sets.
pub fn intersect_knight_pairs(
    one: KnightPairsByRedSquare,
    other: KnightPairsByRedSquare,
) -> KnightPairsByRedSquare {
    combine_knight_pair_sets(one, other, |one, other| one & other)
}

/// Returns the pairs that are in at least one of the sets.
pub fn unite_knight_pairs(
    one: KnightPairsByRedSquare,
    other: KnightPairsByRedSquare,
) -> KnightPairsByRedSquare {
    combine_knight_pair_sets(one, other, |one, other| one | other)
}

/// Returns the pairs of the first set that are not in the second set.
pub fn subtract_knight_pairs(
    one: KnightPairsByRedSquare,
    other: KnightPairsByRedSquare,
) -> KnightPairsByRedSquare {
    combine_knight_pair_sets(one, other, |one, other| one & !other)
}

/// Returns the number of pairs.
pub fn count_knight_pairs(pairs: KnightPairsByRedSquare) -> u64 {
    pairs.iter().map(|row| u64::from(row.count_ones())).sum()
}

/// Returns the first pair of a set.
pub fn first_knight_pair(pairs: KnightPairsByRedSquare) -> Option<[Square; 2]> {
    let red = pairs.iter().position(|&row| row != 0)?;
    Some([Square(red as u8), Square(pairs[red].trailing_zeros() as u8)])
}

/// A turn of a wall, with the conditions under which its path is clear of walls and knights.
#[derive(Debug)]
pub struct ConditionalWallTurn {
    /// The slot that the wall leaves.
    pub from: WallSlot,
    /// The slot that the wall reaches.
    pub to: WallSlot,
    /// For each direction, clockwise and counter-clockwise: the slots that must be empty, and the
    /// pairs in which no knight is on the path.
    paths: [(u64, KnightPairsByRedSquare); 2],
}

impl ConditionalWallTurn {
    /// Returns the pairs of knights for which this turn is possible. `walls` are the walls before
    /// the turn.
    pub fn knight_pairs_allowing_turn(&self, walls: u64) -> KnightPairsByRedSquare {
        let mut clear = NO_KNIGHT_PAIRS;
        for &(slots, pairs) in &self.paths {
            if slots & walls == 0 {
                clear = unite_knight_pairs(clear, pairs);
            }
        }
        clear
    }

    /// Returns these walls after the turn.
    pub fn wall_set_after(&self, walls: u64) -> u64 {
        walls ^ self.from.bit() ^ self.to.bit()
    }

    /// Returns the walls before the turn. `walls` are the walls after the turn.
    pub fn walls_before(&self, walls: u64) -> u64 {
        walls ^ self.to.bit() ^ self.from.bit()
    }
}

/// The tables of the board.
#[derive(Debug)]
pub struct BoardTables {
    board: Board,
    /// For each slot, the two squares that a wall in this slot separates; `None` on the rim.
    between: [Option<[usize; 2]>; WALL_SLOT_COUNT],
    /// For each slot, the turns of a wall from this slot.
    pub turns_from: [Vec<ConditionalWallTurn>; WALL_SLOT_COUNT],
    /// For each slot, the turns of a wall into this slot.
    pub turns_to: [Vec<ConditionalWallTurn>; WALL_SLOT_COUNT],
    /// Two sets of pairs, by distance on an empty board: those in which the red knight is nearer to
    /// its target than the green knight is to its own, and those in which both are equally near.
    distances: [KnightPairsByRedSquare; 2],
    /// The mirror image of each square. The mirror maps each fortress to itself.
    mirror_squares: [usize; 16],
    /// A table for the mirror images of sets of 16 squares. The first array has the image of each
    /// low byte, and the second array the image of each high byte.
    mirror_bytes: [[u16; 256]; 2],
    /// The mirror image of each slot. The mirror maps each fortress to itself.
    mirror_slots: [WallSlot; WALL_SLOT_COUNT],
}

impl BoardTables {
    /// Computes the tables.
    pub fn new(board: &Board) -> BoardTables {
        let image =
            |square: u8| map_square(Square(square), |point| half_turn_point(mirror_point(point)));
        let byte_image = |byte: usize, first: u8| {
            bit_indices(byte as u64).fold(0, |set, square| set | image(first + square).bit())
        };
        let distance = |square: usize, side: usize| {
            Square(square as u8).distance(Square(KNIGHT_GOAL_SQUARES[side] as u8))
        };
        let pairs = |has: &dyn Fn(usize, usize) -> bool| -> KnightPairsByRedSquare {
            std::array::from_fn(|red| {
                (0..16).filter(|&green| has(red, green)).fold(0, |row, green| row | 1 << green)
            })
        };
        let turns = |is_wanted: &dyn Fn(WallSlot, WallSlot) -> bool| {
            let all = (0..WallSlot::SLOT_COUNT)
                .flat_map(|from| board.turns[usize::from(from)].iter().map(move |t| (from, t)));
            let wanted = all.filter(|&(from, turn)| is_wanted(WallSlot(from), turn.to));
            let turn = |(from, turn): (u8, &crate::board::WallTurn)| ConditionalWallTurn {
                from: WallSlot(from),
                to: turn.to,
                paths: turn.sweeps.map(|sweep| {
                    let row = |red| if sweep.squares >> red & 1 == 0 { !sweep.squares } else { 0 };
                    (sweep.slots, std::array::from_fn(row))
                }),
            };
            wanted.map(turn).collect()
        };
        let slot = |at: usize| WallSlot(at as u8);
        BoardTables {
            between: std::array::from_fn(|at| {
                let from = board
                    .steps
                    .iter()
                    .position(|steps| steps.iter().any(|step| step.gate == slot(at).bit()))?;
                let step = board.steps[from].iter().find(|step| step.gate == slot(at).bit())?;
                Some([from, usize::from(step.to.0)])
            }),
            turns_from: std::array::from_fn(|at| turns(&|from, _| from == slot(at))),
            turns_to: std::array::from_fn(|at| turns(&|_, to| to == slot(at))),
            distances: [
                pairs(&|red, green| distance(red, 0) < distance(green, 1)),
                pairs(&|red, green| distance(red, 0) == distance(green, 1)),
            ],
            mirror_squares: std::array::from_fn(|square| usize::from(image(square as u8).0)),
            mirror_bytes: [0, 8].map(|first| std::array::from_fn(|byte| byte_image(byte, first))),
            mirror_slots: std::array::from_fn(|at| {
                map_slot(slot(at), |point| half_turn_point(mirror_point(point)))
            }),
            board: board.clone(),
        }
    }

    /// Returns the mirror image of a set of pairs.
    pub fn mirror_pairs(&self, pairs: KnightPairsByRedSquare) -> KnightPairsByRedSquare {
        let [low, high] = &self.mirror_bytes;
        std::array::from_fn(|red| {
            let [first, second] = pairs[self.mirror_squares[red]].to_le_bytes().map(usize::from);
            low[first] | high[second]
        })
    }

    /// Returns the mirror image of a pair of knights. A pair is given as a number: 16 times the
    /// square of the red knight plus the square of the green knight.
    pub fn mirror_pair(&self, pair: u8) -> u8 {
        let [red, green] =
            [pair / 16, pair % 16].map(|square| self.mirror_squares[usize::from(square)]);
        (16 * red + green) as u8
    }

    /// Returns the mirror image of a slot.
    pub fn mirror_slot(&self, slot: WallSlot) -> WallSlot {
        self.mirror_slots[usize::from(slot.0)]
    }

    /// Returns the mirror image of a set of slots.
    pub fn mirror_walls(&self, walls: u64) -> u64 {
        iter_slots(walls).fold(0, |image, slot| image | self.mirror_slot(slot).bit())
    }

    /// Returns the blocked sets of these walls.
    pub fn blocked_sets(&self, walls: u64) -> SetsOfBlockedWalls {
        let mut sets =
            SetsOfBlockedWalls { sets: [0; MAX_WALLS + 1], lasts: [None; MAX_WALLS + 1], count: 1 };
        for slot in iter_slots(walls) {
            let blocked = walls & self.board.touching[usize::from(slot.0)];
            if !sets.sets[1..sets.count].contains(&blocked) {
                (sets.sets[sets.count], sets.lasts[sets.count]) = (blocked, Some(slot));
                sets.count += 1;
            }
        }
        sets
    }

    /// Returns the blocked walls after a turn into the slot `to`. `walls` are the walls after the
    /// turn.
    pub fn blocked_walls_after(&self, walls: u64, to: WallSlot) -> u64 {
        walls & self.board.touching[usize::from(to.0)]
    }

    /// Returns the steps that these walls leave open to the knights.
    pub fn knight_steps(&self, walls: u64) -> KnightStepsPastWalls {
        let step = |set, step: &crate::board::KnightStep| {
            if step.gate & walls == 0 { set | step.to.bit() } else { set }
        };
        KnightStepsPastWalls::new(std::array::from_fn(|square| {
            self.board.steps[square].iter().fold(0, step)
        }))
    }

    /// Returns the open steps of the knights after a wall has moved from one slot to another.
    /// `knights` are the open steps before.
    pub fn knight_steps_after(
        &self,
        knights: &KnightStepsPastWalls,
        from: WallSlot,
        to: WallSlot,
    ) -> KnightStepsPastWalls {
        let mut steps = knights.steps;
        if let Some([one, other]) = self.between[usize::from(from.0)] {
            steps[one] |= 1 << other;
            steps[other] |= 1 << one;
        }
        if let Some([one, other]) = self.between[usize::from(to.0)] {
            steps[one] &= !(1 << other);
            steps[other] &= !(1 << one);
        }
        KnightStepsPastWalls::new(steps)
    }

    /// Returns the pairs that red owns, which means that red wins by their repetition. Red owns a
    /// pair if its knight is nearer to its target. If both knights are equally near, red owns the
    /// pair if its knight can step to more squares. `wins_ties` says whether red also wins if these
    /// numbers are equal.
    ///
    /// If the knights are next to each other with an open step between them, each knight can step
    /// to one square less. So it is enough to compare the numbers of open steps.
    pub fn pairs_with_repetition_won_by_red(
        &self,
        knights: &KnightStepsPastWalls,
        wins_ties: bool,
    ) -> KnightPairsByRedSquare {
        let [nearer, as_near] = self.distances;
        let counts = knights.steps.map(u16::count_ones);
        // For each number of open steps of red's knight, the squares on which green's knight has
        // fewer open steps. With `wins_ties`, also the squares with equally many.
        let fewer: [u16; 5] = std::array::from_fn(|count| {
            let limit = count as u32 + u32::from(wins_ties);
            (0..16).filter(|&green| counts[green] < limit).fold(0, |set, green| set | 1 << green)
        });
        std::array::from_fn(|red| nearer[red] | as_near[red] & fewer[counts[red] as usize])
    }
}

/// The blocked sets of a set of walls, by number. A blocked set consists of the walls that may not
/// be moved now. The first set is empty. The others are, for each wall, the walls that are blocked
/// if this wall was moved last. Equal sets are listed once.
#[derive(Debug)]
pub struct SetsOfBlockedWalls {
    sets: [u64; MAX_WALLS + 1],
    /// For each blocked set, the slot of the wall whose move leads to it. If several walls lead to
    /// it, the slot is that of the first; `None` for the empty set.
    lasts: [Option<WallSlot>; MAX_WALLS + 1],
    count: usize,
}

impl SetsOfBlockedWalls {
    /// Returns the blocked sets, by number.
    pub fn sets_by_index(&self) -> &[u64] {
        &self.sets[..self.count]
    }

    /// Returns the slot of a wall whose move leads to the blocked set with this number. If several
    /// walls lead to it, returns the slot of the first. For the empty set, returns `None`.
    pub fn last_moved_slot(&self, number: usize) -> Option<WallSlot> {
        self.lasts[number]
    }

    /// Returns the number of the blocked set with these walls.
    pub fn find_number(&self, blocked: u64) -> Option<usize> {
        self.sets_by_index().iter().position(|&set| set == blocked)
    }
}

/// The steps of a knight that some walls leave open.
#[derive(Debug, Clone, Copy)]
pub struct KnightStepsPastWalls {
    /// For each square, the squares to which a step is open. A step is open in both directions.
    pub steps: [u16; 16],
    /// For each side, the pairs in which the side's knight can step to at least one square.
    free: [KnightPairsByRedSquare; 2],
}

impl KnightStepsPastWalls {
    fn new(steps: [u16; 16]) -> KnightStepsPastWalls {
        let red = steps
            .map(|to| if to.is_power_of_two() { !to } else { u16::from(to != 0).wrapping_neg() });
        let mut any = 0;
        let mut only = [0; 16];
        for (green, &to) in steps.iter().enumerate() {
            any |= u16::from(to != 0) << green;
            if to.is_power_of_two() {
                only[to.trailing_zeros() as usize] |= 1 << green;
            }
        }
        KnightStepsPastWalls { steps, free: [red, only.map(|only| any & !only)] }
    }

    /// Returns the pairs that can occur in an unfinished game.
    pub fn undecided_pairs(&self) -> KnightPairsByRedSquare {
        let [red, green] = &self.free;
        std::array::from_fn(|square| {
            let others = !(1 << square | 1 << KNIGHT_GOAL_SQUARES[1]);
            if square == KNIGHT_GOAL_SQUARES[0] { 0 } else { red[square] & green[square] & others }
        })
    }

    /// Returns the pairs in which red has just won by a legal move.
    pub fn pairs_won_by_red(&self) -> KnightPairsByRedSquare {
        let [red, green] = &self.free;
        std::array::from_fn(|square| {
            let is_won = if square == KNIGHT_GOAL_SQUARES[0] { u16::MAX } else { !green[square] };
            red[square] & is_won & !(1 << square)
        })
    }

    /// Returns the pairs to which a legal move of green can lead.
    pub fn pairs_after_green_step(&self) -> KnightPairsByRedSquare {
        std::array::from_fn(|square| self.free[1][square] & !(1 << square))
    }

    /// Returns the pairs from which a step of red leads to one of `pairs`.
    pub fn predecessors_by_red_step(
        &self,
        pairs: &KnightPairsByRedSquare,
    ) -> KnightPairsByRedSquare {
        self.steps
            .map(|to| bit_indices(u64::from(to)).fold(0, |set, to| set | pairs[usize::from(to)]))
    }

    /// Returns the pairs from which a step of green leads to one of `pairs`.
    pub fn predecessors_by_green_step(
        &self,
        pairs: &KnightPairsByRedSquare,
    ) -> KnightPairsByRedSquare {
        pairs.map(|row| {
            bit_indices(u64::from(row)).fold(0, |set, to| set | self.steps[usize::from(to)])
        })
    }
}

#[cfg(test)]
mod tests {
    use pentarch_core::Side;

    use super::super::super::non_terminal_positions::is_non_terminal;
    use super::*;
    use crate::position::Position;

    #[test]
    fn sets_of_pairs_match_the_positions() {
        let (board, mut rng) = (Board::default(), fastrand::Rng::with_seed(76));
        let tables = BoardTables::new(&board);
        for _ in 0..200 {
            let walls = (0..8).fold(0, |walls, _| walls | WallSlot(rng.u8(0..40)).bit());
            let knights = tables.knight_steps(walls);
            let owned =
                [false, true].map(|ties| tables.pairs_with_repetition_won_by_red(&knights, ties));
            for (red, green) in (0..16).flat_map(|red| (0..16).map(move |green| (red, green))) {
                let has =
                    |pairs: &KnightPairsByRedSquare| pairs[usize::from(red)] >> green & 1 != 0;
                let knights_on = [Square(red), Square(green)];
                let position = Position {
                    knights: knights_on,
                    walls,
                    side: Side::First,
                    last_wall: None,
                    full_move: 1,
                };
                assert_eq!(has(&knights.undecided_pairs()), is_non_terminal(&board, &position));
                let free = Side::BOTH_SIDES
                    .map(|side| position.count_knight_step_targets(&board, side) > 0);
                let [arrived, other] = Side::BOTH_SIDES
                    .map(|side| position.knight(side) == Position::target_fortress(side));
                assert_eq!(
                    has(&knights.pairs_won_by_red()),
                    red != green && free[0] && (arrived || !free[1])
                );
                assert_eq!(has(&knights.pairs_after_green_step()), red != green && free[1]);
                if red != green && !arrived && !other {
                    assert_eq!(
                        has(&owned[0]),
                        position.third_occurrence_result(&board).winner == Side::First
                    );
                    let turned = position.apply_symmetry(true, half_turn_point);
                    assert_eq!(
                        has(&owned[1]),
                        turned.third_occurrence_result(&board).winner == Side::Second
                    );
                }
            }
            let random: KnightPairsByRedSquare = std::array::from_fn(|_| rng.u16(..));
            assert_eq!(tables.mirror_pairs(tables.mirror_pairs(random)), random);
            let [red, green] = first_knight_pair(random).unwrap();
            let image = tables.mirror_pair(red.0 * 16 + green.0);
            assert_eq!(tables.mirror_pairs(random)[usize::from(image / 16)] >> (image % 16) & 1, 1);
            assert_eq!(knight_pairs_from_words(knight_pairs_to_words(random)), random);
        }
    }

    #[test]
    fn both_tables_have_all_turns() {
        let tables = BoardTables::new(&Board::default());
        let count = |turns: &[Vec<ConditionalWallTurn>; WALL_SLOT_COUNT]| {
            turns.iter().map(Vec::len).sum::<usize>()
        };
        assert_eq!(count(&tables.turns_from), count(&tables.turns_to));
        let all = (0..WallSlot::SLOT_COUNT).map(WallSlot);
        assert!(all.clone().all(|slot| {
            tables.turns_from[usize::from(slot.0)].iter().all(|turn| turn.from == slot)
        }));
        assert!(
            all.clone().all(|slot| tables.turns_to[usize::from(slot.0)]
                .iter()
                .all(|turn| turn.to == slot))
        );
        let (walls, turn) = (WallSlot(7).bit(), &tables.turns_from[7][0]);
        assert_eq!(turn.walls_before(turn.wall_set_after(walls)), walls);
        let moved = tables.knight_steps_after(&tables.knight_steps(walls), turn.from, turn.to);
        assert_eq!(moved.steps, tables.knight_steps(turn.wall_set_after(walls)).steps);
    }
}
