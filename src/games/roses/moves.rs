//! The moves of Guerre des Deux Roses and their generation.

use super::board::{Board, Cell, Cells, Direction, RED, cells};
use super::position::Position;

/// A turn.
///
/// The soldiers of a side are all alike, so line move, attack by phalanx and attack by support do the same to the
/// board: the rearmost soldier's cell becomes empty, the cell in front is taken, and an enemy piece there is pushed on
/// or captured. They are one variant, told apart by what stands on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// A soldier from the reserve is put on this cell.
    Drop(Cell),
    /// Soldiers go one cell along a line.
    Forward {
        /// The cell of the rearmost soldier that moves.
        from: Cell,
        /// The cell that the foremost reaches.
        to: Cell,
        /// From the one to the other.
        direction: Direction,
    },
    /// Two adjacent soldiers go one cell in a direction that is not along their own line.
    Translation {
        /// Where they stand, in ascending order.
        from: [Cell; 2],
        /// Where each goes.
        to: [Cell; 2],
    },
}

impl Move {
    /// The image under the half turn.
    pub fn half_turn(self) -> Move {
        let turned = |[first, second]: [Cell; 2]| [second.half_turn(), first.half_turn()];
        match self {
            Move::Drop(cell) => Move::Drop(cell.half_turn()),
            Move::Forward { from, to, direction } => {
                Move::Forward { from: from.half_turn(), to: to.half_turn(), direction: direction.opposite() }
            }
            Move::Translation { from, to } => Move::Translation { from: turned(from), to: turned(to) },
        }
    }
}

/// Appends the legal moves of a position with both castles.
pub fn generate(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    if position.is_drop_phase() {
        moves.extend(cells(drops(board, position)).map(Move::Drop));
        return;
    }
    let (own, occupied) = (position.soldiers(position.side), position.occupied());
    for from in cells(own) {
        for direction in Direction::ALL {
            let Some(to) = board.next(from, direction) else { continue };
            // Most often there is nothing to look at but the next cell.
            if occupied & to.bit() == 0 {
                moves.push(Move::Forward { from, to, direction });
            } else {
                moves.extend(forward(board, position, from, direction));
            }
        }
        for line in Direction::ASCENDING {
            let Some(second) = board.next(from, line).filter(|second| own & second.bit() != 0) else { continue };
            let aside = Direction::ALL.into_iter().filter(|direction| !direction.is_along(line));
            moves.extend(aside.filter_map(|direction| translation(board, position, [from, second], direction)));
        }
    }
}

/// Whether the side to move has a legal move in a position with both castles.
pub fn any(board: &Board, position: &Position) -> bool {
    if position.is_drop_phase() {
        return drops(board, position) != 0;
    }
    // Whatever is no attack ends on an empty cell next to a soldier, to which that soldier can also step alone.
    let (own, occupied) = (position.soldiers(position.side), position.occupied());
    cells(own).any(|from| board.neighbours(from) & !occupied != 0)
        || cells(own).any(|from| Direction::ALL.into_iter().any(|way| forward(board, position, from, way).is_some()))
}

/// Drop phase: the cells on which the side to move may drop a soldier: empty, not red, and adjacent to one of its own
/// pieces.
pub fn drops(board: &Board, position: &Position) -> Cells {
    let beside = cells(position.pieces(position.side)).fold(0, |set, cell| set | board.neighbours(cell));
    beside & !position.occupied() & !RED
}

/// The move along a line whose rearmost soldier is this one, if it is legal.
///
/// There is at most one. The soldiers from the rearmost to the next cell that holds no own soldier all move, and what
/// is on that cell decides the rule: empty, a line move; an enemy piece before two soldiers, an attack by phalanx; an
/// enemy soldier before one, an attack by support.
#[inline]
pub fn forward(board: &Board, position: &Position, from: Cell, direction: Direction) -> Option<Move> {
    let (own, occupied) = (position.soldiers(position.side), position.occupied());
    let (mut to, mut soldiers) = (from, 0);
    while own & to.bit() != 0 {
        to = board.next(to, direction)?;
        soldiers += 1;
    }
    let holds = |enemies: Cells| enemies & to.bit() != 0;
    let can_push = || board.next(to, direction).is_none_or(|behind| occupied & behind.bit() == 0);
    let legal = match soldiers {
        _ if occupied & to.bit() == 0 => true,
        1 => holds(position.soldiers(!position.side)) && own & board.supporters(from, direction) != 0 && can_push(),
        2 => holds(position.pieces(!position.side)) && can_push(),
        _ => false,
    };
    legal.then_some(Move::Forward { from, to, direction })
}

/// The translation of two adjacent soldiers, in ascending order, in a direction that is not along their own line, if it
/// is legal: both cells they go to must exist and be empty.
pub fn translation(board: &Board, position: &Position, from: [Cell; 2], direction: Direction) -> Option<Move> {
    let to = [board.next(from[0], direction)?, board.next(from[1], direction)?];
    let free = position.occupied() & (to[0].bit() | to[1].bit()) == 0;
    free.then_some(Move::Translation { from, to })
}
