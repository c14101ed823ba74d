//! The moves of Guerre des Deux Roses and their generation.

use super::board::{Board, Cell, Cells, Direction, RED, cells};
use super::position::Position;

/// A turn.
///
/// Line move, attack by phalanx and attack by support are one variant, because the soldiers of a side are all alike:
/// the cell of the rearmost soldier becomes empty, the cell in front of the foremost is taken, and an enemy piece there
/// is pushed or captured. Which of the three rules applies follows from the position.
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
        /// The direction that leads from `from` to `to`.
        direction: Direction,
    },
    /// Two adjacent soldiers go one cell in a direction that is not along their own line.
    Translation {
        /// The cells of the two soldiers, in ascending order.
        from: [Cell; 2],
        /// The cells to which they go, in the same order.
        to: [Cell; 2],
    },
}

impl Move {
    /// The image under the half turn.
    pub fn half_turn(self) -> Move {
        let turned = |[first, second]: [Cell; 2]| [second.half_turn(), first.half_turn()];
        match self {
            Move::Drop(cell) => Move::Drop(cell.half_turn()),
            Move::Forward { from, to, direction } => Move::Forward {
                from: from.half_turn(),
                to: to.half_turn(),
                direction: direction.opposite(),
            },
            Move::Translation { from, to } => {
                Move::Translation { from: turned(from), to: turned(to) }
            }
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
            // In most positions the next cell is empty, and nothing else needs to be examined.
            if occupied & to.bit() == 0 {
                moves.push(Move::Forward { from, to, direction });
            } else {
                moves.extend(forward(board, position, from, direction));
            }
        }
        for line in Direction::ASCENDING {
            let Some(second) = board.next(from, line).filter(|second| own & second.bit() != 0)
            else {
                continue;
            };
            let aside = Direction::ALL.into_iter().filter(|direction| !direction.is_along(line));
            moves.extend(
                aside.filter_map(|direction| {
                    translation(board, position, [from, second], direction)
                }),
            );
        }
    }
}

/// Whether the side to move has a legal move in a position with both castles.
pub fn any(board: &Board, position: &Position) -> bool {
    if position.is_drop_phase() {
        return drops(board, position) != 0;
    }
    // If there is a line move or a translation, a soldier has an empty neighbouring cell, and can step there alone. So
    // it is enough to look for such steps and for attacks.
    let (own, occupied) = (position.soldiers(position.side), position.occupied());
    cells(own).any(|from| board.neighbours(from) & !occupied != 0)
        || cells(own).any(|from| {
            Direction::ALL
                .into_iter()
                .any(|direction| forward(board, position, from, direction).is_some())
        })
}

/// The cells on which the side to move may drop a soldier in the drop phase: those that are empty, not red, and
/// adjacent to one of its own pieces.
pub fn drops(board: &Board, position: &Position) -> Cells {
    let beside =
        cells(position.pieces(position.side)).fold(0, |set, cell| set | board.neighbours(cell));
    beside & !position.occupied() & !RED
}

/// The move along a line whose rearmost soldier is this one, if it is legal.
///
/// There is at most one: all soldiers from the rearmost up to the next cell without an own soldier move. What stands on
/// that cell decides which rule applies. If it is empty, the move is a line move. If an enemy piece stands there before
/// two soldiers, it is an attack by phalanx. If an enemy soldier stands there before one soldier, it is an attack by
/// support.
#[inline]
pub fn forward(
    board: &Board,
    position: &Position,
    from: Cell,
    direction: Direction,
) -> Option<Move> {
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
        1 => {
            holds(position.soldiers(!position.side))
                && own & board.supporters(from, direction) != 0
                && can_push()
        }
        2 => holds(position.pieces(!position.side)) && can_push(),
        _ => false,
    };
    legal.then_some(Move::Forward { from, to, direction })
}

/// The translation of two adjacent soldiers, given in ascending order, in a direction that is not along their own line.
/// It is legal if both cells to which they go exist and are empty.
pub fn translation(
    board: &Board,
    position: &Position,
    from: [Cell; 2],
    direction: Direction,
) -> Option<Move> {
    let to = [board.next(from[0], direction)?, board.next(from[1], direction)?];
    let free = position.occupied() & (to[0].bit() | to[1].bit()) == 0;
    free.then_some(Move::Translation { from, to })
}
