//! The position of Alcaxar: the state of a game, playing a move, and the outcome.

use pentarch_core::notation::text::next_full_move;
use pentarch_core::{Outcome, Point, Side};

use super::board::{Board, Slot, Square, slots};
use super::moves::Move;

/// The fortresses: Red's, then Green's.
pub const FORTRESSES: [Square; 2] = [Square(3), Square(12)];

/// The reason of an outcome by repetition.
pub const STALEMATE: &str = "stalemate";

/// A position of Alcaxar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The squares of the red and of the green knight.
    pub knights: [Square; 2],
    /// The eight walls, as a set of slots.
    pub walls: u64,
    /// The side to move.
    pub side: Side,
    /// The slot in which the last move put a wall, if it was a wall move.
    pub last_wall: Option<Slot>,
    /// The full-move number.
    pub full_move: u32,
}

impl Position {
    /// The start position: the knights on b8 and h2, the walls in b5 c6 d7 e2 e8 f3 g4 h5.
    pub fn start() -> Position {
        let walls = [(1, 4), (2, 5), (3, 6), (4, 1), (4, 7), (5, 2), (6, 3), (7, 4)];
        let slot = |(file, rank)| Slot::at(Point::new(file, rank));
        Position {
            knights: FORTRESSES,
            walls: walls.into_iter().filter_map(slot).fold(0, |set, slot| set | slot.bit()),
            side: Side::First,
            last_wall: None,
            full_move: 1,
        }
    }

    /// The knight of one side.
    pub fn knight(&self, side: Side) -> Square {
        self.knights[side.index()]
    }

    /// Both knights as a set of squares.
    pub fn knight_set(&self) -> u16 {
        self.knights[0].bit() | self.knights[1].bit()
    }

    /// The fortress that this side attacks.
    pub fn target(side: Side) -> Square {
        FORTRESSES[(!side).index()]
    }

    /// The number of squares to which the knight of this side can step.
    pub fn accessible(&self, board: &Board, side: Side) -> usize {
        board.accessible(self.knight(side), self.knight(!side), self.walls).count()
    }

    /// The slots whose walls may not be moved now: those that share a tower with the wall that was moved last.
    pub fn blocked(&self, board: &Board) -> u64 {
        self.last_wall.map_or(0, |slot| board.touching[usize::from(slot.0)])
    }

    /// What the repetition rule compares, packed into 49 bits: walls, knights and the side to move.
    pub fn packed(&self) -> u64 {
        let [red, green] = self.knights.map(|square| u64::from(square.0));
        self.walls | red << 40 | green << 44 | (self.side as u64) << 48
    }

    /// The position after a legal move.
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
        next.full_move = next_full_move(self.full_move, self.side);
        next
    }

    /// The end of the game: the knight of the side that has just moved stands on the enemy fortress, or the knight of
    /// the side to move is trapped, that is, it cannot step. The side that has just moved wins in both cases.
    pub fn outcome(&self, board: &Board) -> Option<Outcome> {
        let mover = !self.side;
        if self.knight(mover) == Position::target(mover) {
            Some(Outcome::Win(mover, "fortress"))
        } else if self.accessible(board, self.side) == 0 {
            Some(Outcome::Win(mover, "trapped"))
        } else {
            None
        }
    }

    /// The side that wins if this position occurs for the third time, and by what.
    pub fn stalemate_winner(&self, board: &Board) -> (Side, &'static str) {
        let [red_steps, green_steps] =
            Side::BOTH.map(|side| self.knight(side).distance(Position::target(side)));
        let [red_squares, green_squares] = Side::BOTH.map(|side| self.accessible(board, side));
        let side = |is_red| if is_red { Side::First } else { Side::Second };
        if red_steps != green_steps {
            (side(red_steps < green_steps), "its knight is nearer to the enemy fortress")
        } else if red_squares != green_squares {
            (
                side(red_squares > green_squares),
                "its knight, as near as the other, can step to more squares",
            )
        } else {
            (Side::Second, "the knights are equally near and equally free (then green wins)")
        }
    }

    /// The image under a symmetry of the board, which may swap the fortresses and with them the sides.
    pub fn map(&self, swaps: bool, image: fn(Point) -> Point) -> Position {
        let mut knights = self.knights.map(|square| map_square(square, image));
        if swaps {
            knights.reverse();
        }
        Position {
            knights,
            walls: slots(self.walls).fold(0, |set, slot| set | map_slot(slot, image).bit()),
            side: if swaps { !self.side } else { self.side },
            last_wall: self.last_wall.map(|slot| map_slot(slot, image)),
            full_move: self.full_move,
        }
    }
}

/// The image of a square under a symmetry of the board.
pub fn map_square(square: Square, image: fn(Point) -> Point) -> Square {
    Square::at(image(square.point())).unwrap_or(square)
}

/// The image of a slot under a symmetry of the board.
pub fn map_slot(slot: Slot, image: fn(Point) -> Point) -> Slot {
    Slot::at(image(slot.point())).unwrap_or(slot)
}
