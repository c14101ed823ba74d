//! The position of Alcaxar: the game state, playing a move, and the outcome.

use pentarch_core::notation::parsing::next_full_move_number;
use pentarch_core::{Outcome, Point, Side};

use super::board::{Board, Square, WallSlot, iter_slots};
use super::moves::Move;

/// The fortresses of Red and Green.
pub const FORTRESS_SQUARES: [Square; 2] = [Square(3), Square(12)];

/// The reason reported for a win by repetition.
pub const REPETITION_WIN_REASON: &str = "stalemate";

/// A position of Alcaxar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The squares of the red and of the green knight.
    pub knights: [Square; 2],
    /// The eight walls, as a set of slots.
    pub walls: u64,
    /// The side to move.
    pub side: Side,
    /// The slot into which the last move turned a wall, or `None` after a knight move.
    pub last_wall: Option<WallSlot>,
    /// The full-move number.
    pub full_move: u32,
}

impl Position {
    /// Returns the start position: knights on b8 and h2, walls in b5 c6 d7 e2 e8 f3 g4 h5.
    pub fn start() -> Position {
        let walls = [(1, 4), (2, 5), (3, 6), (4, 1), (4, 7), (5, 2), (6, 3), (7, 4)];
        let slot = |(file, rank)| WallSlot::from_point(Point::new(file, rank));
        Position {
            knights: FORTRESS_SQUARES,
            walls: walls.into_iter().filter_map(slot).fold(0, |set, slot| set | slot.bit()),
            side: Side::First,
            last_wall: None,
            full_move: 1,
        }
    }

    /// Returns the square of a side's knight.
    pub fn knight(&self, side: Side) -> Square {
        self.knights[side.index()]
    }

    /// Returns both knights as a set of squares.
    pub fn knight_squares(&self) -> u16 {
        self.knights[0].bit() | self.knights[1].bit()
    }

    /// Returns the fortress that a side attacks.
    pub fn target_fortress(side: Side) -> Square {
        FORTRESS_SQUARES[(!side).index()]
    }

    /// Returns the number of squares to which a side's knight can step.
    pub fn count_knight_step_targets(&self, board: &Board, side: Side) -> usize {
        board.knight_step_targets(self.knight(side), self.knight(!side), self.walls).count()
    }

    /// Returns the slots whose walls are blocked. These slots share a tower with the wall that was
    /// moved last.
    pub fn blocked_slots(&self, board: &Board) -> u64 {
        self.last_wall.map_or(0, |slot| board.touching[usize::from(slot.0)])
    }

    /// Returns the parts of the position that the repetition rule compares, packed into 49 bits:
    /// the walls, the knights and the side to move.
    pub fn packed_bits(&self) -> u64 {
        let [red, green] = self.knights.map(|square| u64::from(square.0));
        self.walls | red << 40 | green << 44 | (self.side as u64) << 48
    }

    /// Returns the position after a legal move.
    pub fn play(&self, mv: Move) -> Position {
        let mut next = *self;
        next.last_wall = None;
        match mv {
            Move::Knight(to) => next.knights[self.side.index()] = to,
            Move::Wall { from, to } => {
                next.walls = self.walls ^ from.bit() ^ to.bit();
                next.last_wall = Some(to);
            }
        }
        next.side = !self.side;
        next.full_move = next_full_move_number(self.full_move, self.side);
        next
    }

    /// Returns the outcome of the last move, or `None` if the game goes on. The side that has just
    /// moved wins in two cases: its knight is on the enemy fortress, or the knight of the side to
    /// move is trapped and cannot step.
    pub fn outcome(&self, board: &Board) -> Option<Outcome> {
        let mover = !self.side;
        if self.knight(mover) == Position::target_fortress(mover) {
            Some(Outcome::Win(mover, "fortress"))
        } else if self.count_knight_step_targets(board, self.side) == 0 {
            Some(Outcome::Win(mover, "trapped"))
        } else {
            None
        }
    }

    /// Returns the result of the third occurrence of this position: the winner, and the rule that
    /// determines the winner.
    pub fn third_occurrence_result(&self, board: &Board) -> ThirdOccurrenceResult {
        let [red_steps, green_steps] = Side::BOTH_SIDES
            .map(|side| self.knight(side).distance(Position::target_fortress(side)));
        let [red_squares, green_squares] =
            Side::BOTH_SIDES.map(|side| self.count_knight_step_targets(board, side));
        let side = |is_red| if is_red { Side::First } else { Side::Second };
        if red_steps != green_steps {
            ThirdOccurrenceResult {
                winner: side(red_steps < green_steps),
                reason: "its knight is nearer to the enemy fortress",
            }
        } else if red_squares != green_squares {
            ThirdOccurrenceResult {
                winner: side(red_squares > green_squares),
                reason: "its knight, as near as the other, can step to more squares",
            }
        } else {
            ThirdOccurrenceResult {
                winner: Side::Second,
                reason: "the knights are equally near and equally free (then green wins)",
            }
        }
    }

    /// Returns the image of the position under a symmetry of the board. If `swaps` is `true`, the
    /// symmetry swaps the fortresses, and so it also swaps the sides.
    pub fn apply_symmetry(&self, swaps: bool, image: fn(Point) -> Point) -> Position {
        let mut knights = self.knights.map(|square| map_square(square, image));
        if swaps {
            knights.reverse();
        }
        Position {
            knights,
            walls: iter_slots(self.walls).fold(0, |set, slot| set | map_slot(slot, image).bit()),
            side: if swaps { !self.side } else { self.side },
            last_wall: self.last_wall.map(|slot| map_slot(slot, image)),
            full_move: self.full_move,
        }
    }
}

/// The result of the third occurrence of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThirdOccurrenceResult {
    /// The side that wins by the stalemate.
    pub winner: Side,
    /// The comparison that decides the stalemate.
    pub reason: &'static str,
}

/// Returns the image of a square under a symmetry of the board.
pub fn map_square(square: Square, image: fn(Point) -> Point) -> Square {
    Square::from_point(image(square.point())).unwrap_or(square)
}

/// Returns the image of a slot under a symmetry of the board.
pub fn map_slot(slot: WallSlot, image: fn(Point) -> Point) -> WallSlot {
    WallSlot::from_point(image(slot.point())).unwrap_or(slot)
}
