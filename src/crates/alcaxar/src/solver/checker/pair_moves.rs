//! The moves that a set of walls allows, for all pairs of knights at once.
//!
//! All of it follows from the board and the rules of the game. It shares no code with the solver.
//! In a file of wins, the winner has the side of red. So "red wins" in this module means "the
//! winner wins".

use pentarch_core::notation::points::bit_indices;

use super::super::wall_sets::MAX_WALLS;
use crate::board::{Board, Square, WallSlot, half_turn, mirror_point, slots};
use crate::position::{FORTRESSES, slot_image, square_image};
const SLOT_COUNT: usize = WallSlot::COUNT as usize;
/// The squares that the red and the green knight try to reach.
const TARGET_SQUARES: [usize; 2] = [FORTRESSES[1].0 as usize, FORTRESSES[0].0 as usize];

/// A set of pairs of knights: for each square of the red knight, the squares of the green knight.
pub type Pairs = [u16; 16];

/// The empty set of pairs.
pub const NO_PAIRS: Pairs = [0; 16];

/// Returns the pairs of an entry of the files or the solver, which has 16 bits for each square of
/// the red knight.
pub fn from_words(words: [u64; 4]) -> Pairs {
    std::array::from_fn(|red| (words[red / 4] >> (red % 4 * 16)) as u16)
}

/// Returns the entry of these pairs, as in the files and the solver.
pub fn to_words(pairs: Pairs) -> [u64; 4] {
    std::array::from_fn(|word| {
        (0..4).fold(0, |bits, row| bits | u64::from(pairs[4 * word + row]) << (16 * row))
    })
}

/// Combines two sets square by square.
pub fn combine_sets(one: Pairs, other: Pairs, combine: impl Fn(u16, u16) -> u16) -> Pairs {
    std::array::from_fn(|red| combine(one[red], other[red]))
}

/// Returns the pairs that are in both sets.
pub fn intersect_pairs(one: Pairs, other: Pairs) -> Pairs {
    combine_sets(one, other, |one, other| one & other)
}

/// Returns the pairs that are in at least one of the sets.
pub fn unite_pairs(one: Pairs, other: Pairs) -> Pairs {
    combine_sets(one, other, |one, other| one | other)
}

/// Returns the pairs of the first set that are not in the second.
pub fn subtract_pairs(one: Pairs, other: Pairs) -> Pairs {
    combine_sets(one, other, |one, other| one & !other)
}

/// Returns the number of pairs.
pub fn count_pairs(pairs: Pairs) -> u64 {
    pairs.iter().map(|row| u64::from(row.count_ones())).sum()
}

/// Returns the first pair of a set.
pub fn first_pair(pairs: Pairs) -> Option<[Square; 2]> {
    let red = pairs.iter().position(|&row| row != 0)?;
    Some([Square(red as u8), Square(pairs[red].trailing_zeros() as u8)])
}

/// A turn of a wall, with the pairs of knights that leave its path clear.
#[derive(Debug)]
pub struct TurnPairs {
    /// The slot that the wall leaves.
    pub from: WallSlot,
    /// The slot that the wall reaches.
    pub to: WallSlot,
    /// For each direction, the slots that must be empty, and the pairs in which no knight is on the
    /// path.
    paths: [(u64, Pairs); 2],
}

impl TurnPairs {
    /// Returns the pairs that leave a path for this turn. `walls` are the walls before it.
    pub fn clear(&self, walls: u64) -> Pairs {
        let mut clear = NO_PAIRS;
        for &(slots, pairs) in &self.paths {
            if slots & walls == 0 {
                clear = unite_pairs(clear, pairs);
            }
        }
        clear
    }

    /// Returns these walls after the turn.
    pub fn after(&self, walls: u64) -> u64 {
        walls ^ self.from.bit() ^ self.to.bit()
    }

    /// Returns the walls before the turn that has led to these.
    pub fn before(&self, walls: u64) -> u64 {
        walls ^ self.to.bit() ^ self.from.bit()
    }
}

/// The tables of the board.
#[derive(Debug)]
pub struct BoardTables {
    board: Board,
    /// For each slot, the squares that it separates; `None` on the rim.
    between: [Option<[usize; 2]>; SLOT_COUNT],
    /// All turns, by the slot that the wall leaves.
    pub turn_numbers_from: [Vec<TurnPairs>; SLOT_COUNT],
    /// All turns, by the slot that the wall reaches.
    pub turns_to: [Vec<TurnPairs>; SLOT_COUNT],
    /// The pairs in which red is nearer to its target than green, and those in which both are
    /// equally near.
    distances: [Pairs; 2],
    /// The image of each square in the mirror that maps each fortress to itself.
    mirror_squares: [usize; 16],
    /// For the low and the high byte of a set of squares, its image in the mirror.
    mirror_bytes: [[u16; 256]; 2],
    /// The image of each slot in the same mirror.
    mirror_slots: [WallSlot; SLOT_COUNT],
}

impl BoardTables {
    /// Computes the tables.
    pub fn new(board: &Board) -> BoardTables {
        let image =
            |square: u8| square_image(Square(square), |point| half_turn(mirror_point(point)));
        let byte_image = |byte: usize, first: u8| {
            bit_indices(byte as u64).fold(0, |set, square| set | image(first + square).bit())
        };
        let distance = |square: usize, side: usize| {
            Square(square as u8).distance(Square(TARGET_SQUARES[side] as u8))
        };
        let pairs = |has: &dyn Fn(usize, usize) -> bool| -> Pairs {
            std::array::from_fn(|red| {
                (0..16).filter(|&green| has(red, green)).fold(0, |row, green| row | 1 << green)
            })
        };
        let turns = |is_wanted: &dyn Fn(WallSlot, WallSlot) -> bool| {
            let all = (0..WallSlot::COUNT)
                .flat_map(|from| board.turns[usize::from(from)].iter().map(move |t| (from, t)));
            let wanted = all.filter(|&(from, turn)| is_wanted(WallSlot(from), turn.to));
            let turn = |(from, turn): (u8, &crate::board::SlotTurn)| TurnPairs {
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
            turn_numbers_from: std::array::from_fn(|at| turns(&|from, _| from == slot(at))),
            turns_to: std::array::from_fn(|at| turns(&|_, to| to == slot(at))),
            distances: [
                pairs(&|red, green| distance(red, 0) < distance(green, 1)),
                pairs(&|red, green| distance(red, 0) == distance(green, 1)),
            ],
            mirror_squares: std::array::from_fn(|square| usize::from(image(square as u8).0)),
            mirror_bytes: [0, 8].map(|first| std::array::from_fn(|byte| byte_image(byte, first))),
            mirror_slots: std::array::from_fn(|at| {
                slot_image(slot(at), |point| half_turn(mirror_point(point)))
            }),
            board: board.clone(),
        }
    }

    /// Returns the mirror image of a set of pairs.
    pub fn mirror(&self, pairs: Pairs) -> Pairs {
        let [low, high] = &self.mirror_bytes;
        std::array::from_fn(|red| {
            let [first, second] = pairs[self.mirror_squares[red]].to_le_bytes().map(usize::from);
            low[first] | high[second]
        })
    }

    /// Returns the mirror image of the pair with a number, 16 times the square of red plus that of
    /// green.
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
        slots(walls).fold(0, |image, slot| image | self.mirror_slot(slot).bit())
    }

    /// Returns the blocked sets of these walls.
    pub fn blocked_sets(&self, walls: u64) -> BlockedSets {
        let mut sets =
            BlockedSets { sets: [0; MAX_WALLS + 1], lasts: [None; MAX_WALLS + 1], count: 1 };
        for slot in slots(walls) {
            let blocked = walls & self.board.touching[usize::from(slot.0)];
            if !sets.sets[1..sets.count].contains(&blocked) {
                (sets.sets[sets.count], sets.lasts[sets.count]) = (blocked, Some(slot));
                sets.count += 1;
            }
        }
        sets
    }

    /// Returns the blocked walls after a turn to this slot has led to these walls.
    pub fn blocked_after(&self, walls: u64, to: WallSlot) -> u64 {
        walls & self.board.touching[usize::from(to.0)]
    }

    /// Returns the steps of the knights between these walls.
    pub fn knights(&self, walls: u64) -> KnightSteps {
        let step = |set, step: &crate::board::KnightStep| {
            if step.gate & walls == 0 { set | step.to.bit() } else { set }
        };
        KnightSteps::new(std::array::from_fn(|square| {
            self.board.steps[square].iter().fold(0, step)
        }))
    }

    /// Returns the steps of the knights after a wall has moved from one slot to another.
    pub fn knights_after(
        &self,
        knights: &KnightSteps,
        from: WallSlot,
        to: WallSlot,
    ) -> KnightSteps {
        let mut steps = knights.steps;
        if let Some([one, other]) = self.between[usize::from(from.0)] {
            steps[one] |= 1 << other;
            steps[other] |= 1 << one;
        }
        if let Some([one, other]) = self.between[usize::from(to.0)] {
            steps[one] &= !(1 << other);
            steps[other] &= !(1 << one);
        }
        KnightSteps::new(steps)
    }

    /// Returns the pairs whose repetition red wins: its knight is nearer to its target, or as near
    /// and can step to more squares. `wins_ties` says whether red also wins if neither differs.
    ///
    /// If the knights are next to each other with an open step between them, this takes one square
    /// from both. So it is enough to compare the open steps.
    pub fn owned(&self, knights: &KnightSteps, wins_ties: bool) -> Pairs {
        let [nearer, as_near] = self.distances;
        let counts = knights.steps.map(u16::count_ones);
        // By the number of open steps of red: the squares on which green has fewer, or with
        // `wins_ties` as many.
        let fewer: [u16; 5] = std::array::from_fn(|count| {
            let limit = count as u32 + u32::from(wins_ties);
            (0..16).filter(|&green| counts[green] < limit).fold(0, |set, green| set | 1 << green)
        });
        std::array::from_fn(|red| nearer[red] | as_near[red] & fewer[counts[red] as usize])
    }
}

/// The blocked sets of a set of walls, by number: the empty set, then the sets after a turn to each
/// wall's slot.
#[derive(Debug)]
pub struct BlockedSets {
    sets: [u64; MAX_WALLS + 1],
    /// For each number, the first slot that a wall may have moved to last.
    lasts: [Option<WallSlot>; MAX_WALLS + 1],
    count: usize,
}

impl BlockedSets {
    /// Returns the blocked walls, by number.
    pub fn sets(&self) -> &[u64] {
        &self.sets[..self.count]
    }

    /// Returns the first slot whose wall may have been moved last if the set with this number is
    /// blocked.
    pub fn last(&self, number: usize) -> Option<WallSlot> {
        self.lasts[number]
    }

    /// Returns the number of the set of these blocked walls.
    pub fn number(&self, blocked: u64) -> Option<usize> {
        self.sets().iter().position(|&set| set == blocked)
    }
}

/// The open steps of the knights between some walls.
#[derive(Debug, Clone, Copy)]
pub struct KnightSteps {
    /// For each square, the squares to which a step is open. A step is open in both directions.
    pub steps: [u16; 16],
    /// For each side, the pairs in which its knight has a square to step to.
    free: [Pairs; 2],
}

impl KnightSteps {
    fn new(steps: [u16; 16]) -> KnightSteps {
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
        KnightSteps { steps, free: [red, only.map(|only| any & !only)] }
    }

    /// Returns the pairs in which the game is not over, and which can occur.
    pub fn undecided(&self) -> Pairs {
        let [red, green] = &self.free;
        std::array::from_fn(|square| {
            let others = !(1 << square | 1 << TARGET_SQUARES[1]);
            if square == TARGET_SQUARES[0] { 0 } else { red[square] & green[square] & others }
        })
    }

    /// Returns the pairs after a legal move of red that wins.
    pub fn won_by_red(&self) -> Pairs {
        let [red, green] = &self.free;
        std::array::from_fn(|square| {
            let is_won = if square == TARGET_SQUARES[0] { u16::MAX } else { !green[square] };
            red[square] & is_won & !(1 << square)
        })
    }

    /// Returns the pairs that a legal move of green can lead to.
    pub fn after_green(&self) -> Pairs {
        std::array::from_fn(|square| self.free[1][square] & !(1 << square))
    }

    /// Returns the pairs from which a step of red leads to one of these.
    pub fn before_red(&self, pairs: &Pairs) -> Pairs {
        self.steps
            .map(|to| bit_indices(u64::from(to)).fold(0, |set, to| set | pairs[usize::from(to)]))
    }

    /// Returns the pairs from which a step of green leads to one of these.
    pub fn before_green(&self, pairs: &Pairs) -> Pairs {
        pairs.map(|row| {
            bit_indices(u64::from(row)).fold(0, |set, to| set | self.steps[usize::from(to)])
        })
    }
}

#[cfg(test)]
mod tests {
    use pentarch_core::Side;

    use super::super::super::undecided::is_undecided;
    use super::*;
    use crate::position::Position;

    #[test]
    fn sets_of_pairs_match_the_positions() {
        let (board, mut rng) = (Board::default(), fastrand::Rng::with_seed(76));
        let tables = BoardTables::new(&board);
        for _ in 0..200 {
            let walls = (0..8).fold(0, |walls, _| walls | WallSlot(rng.u8(0..40)).bit());
            let knights = tables.knights(walls);
            let owned = [false, true].map(|ties| tables.owned(&knights, ties));
            for (red, green) in (0..16).flat_map(|red| (0..16).map(move |green| (red, green))) {
                let has = |pairs: &Pairs| pairs[usize::from(red)] >> green & 1 != 0;
                let knights_on = [Square(red), Square(green)];
                let position = Position {
                    knights: knights_on,
                    walls,
                    side: Side::First,
                    last_wall: None,
                    full_move: 1,
                };
                assert_eq!(has(&knights.undecided()), is_undecided(&board, &position));
                let free = Side::BOTH.map(|side| position.accessible(&board, side) > 0);
                let [arrived, other] =
                    Side::BOTH.map(|side| position.knight(side) == Position::target(side));
                assert_eq!(
                    has(&knights.won_by_red()),
                    red != green && free[0] && (arrived || !free[1])
                );
                assert_eq!(has(&knights.after_green()), red != green && free[1]);
                if red != green && !arrived && !other {
                    assert_eq!(has(&owned[0]), position.stalemate(&board).winner == Side::First);
                    let turned = position.map(true, half_turn);
                    assert_eq!(has(&owned[1]), turned.stalemate(&board).winner == Side::Second);
                }
            }
            let random: Pairs = std::array::from_fn(|_| rng.u16(..));
            assert_eq!(tables.mirror(tables.mirror(random)), random);
            let [red, green] = first_pair(random).unwrap();
            let image = tables.mirror_pair(red.0 * 16 + green.0);
            assert_eq!(tables.mirror(random)[usize::from(image / 16)] >> (image % 16) & 1, 1);
            assert_eq!(from_words(to_words(random)), random);
        }
    }

    #[test]
    fn both_tables_have_all_turns() {
        let tables = BoardTables::new(&Board::default());
        let count =
            |turns: &[Vec<TurnPairs>; SLOT_COUNT]| turns.iter().map(Vec::len).sum::<usize>();
        assert_eq!(count(&tables.turn_numbers_from), count(&tables.turns_to));
        let all = (0..WallSlot::COUNT).map(WallSlot);
        assert!(all.clone().all(|slot| {
            tables.turn_numbers_from[usize::from(slot.0)].iter().all(|turn| turn.from == slot)
        }));
        assert!(
            all.clone().all(|slot| tables.turns_to[usize::from(slot.0)]
                .iter()
                .all(|turn| turn.to == slot))
        );
        let (walls, turn) = (WallSlot(7).bit(), &tables.turn_numbers_from[7][0]);
        assert_eq!(turn.before(turn.after(walls)), walls);
        let moved = tables.knights_after(&tables.knights(walls), turn.from, turn.to);
        assert_eq!(moved.steps, tables.knights(turn.after(walls)).steps);
    }
}
