//! The moves of Guerre des Deux Roses and their generation.

use super::board::{BoardGraph, CellSet, Direction, HexCell, NO_DROP_CELLS, iter_cells};
use super::position::Position;

/// A turn.
///
/// A line move, an attack by phalanx and an attack by support are one variant, because all soldiers
/// of a side are alike. In all three moves, the cell of the rearmost soldier becomes empty, and the
/// cell in front of the foremost soldier is taken. An enemy piece on this cell is pushed or
/// captured. The position decides which of the three rules applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// A soldier from the reserve is put on this cell.
    Drop(HexCell),
    /// Soldiers go one cell along a line.
    Forward {
        /// The cell of the rearmost soldier that moves.
        from: HexCell,
        /// The cell that the foremost soldier reaches.
        to: HexCell,
        /// The direction that leads from `from` to `to`.
        direction: Direction,
    },
    /// Two adjacent soldiers go one cell in a direction that is not along their own line.
    Translation {
        /// The cells of the two soldiers, in ascending order.
        from: [HexCell; 2],
        /// The cells to which the soldiers go, in the same order.
        to: [HexCell; 2],
    },
}

impl Move {
    /// Returns the image under the half turn.
    pub fn half_turn(self) -> Move {
        let half_turn = |[first, second]: [HexCell; 2]| [second.half_turn(), first.half_turn()];
        match self {
            Move::Drop(cell) => Move::Drop(cell.half_turn()),
            Move::Forward { from, to, direction } => Move::Forward {
                from: from.half_turn(),
                to: to.half_turn(),
                direction: direction.opposite(),
            },
            Move::Translation { from, to } => {
                Move::Translation { from: half_turn(from), to: half_turn(to) }
            }
        }
    }
}

/// Appends the legal moves of a position with both castles.
pub(crate) fn generate_moves(board: &BoardGraph, position: &Position, moves: &mut Vec<Move>) {
    visit_moves(board, position, |mv| moves.push(mv));
}

/// Calls `visit` with each legal move of a position with both castles.
#[inline]
pub(crate) fn visit_moves(board: &BoardGraph, position: &Position, mut visit: impl FnMut(Move)) {
    if position.is_drop_phase() {
        iter_cells(legal_drop_cells(board, position)).map(Move::Drop).for_each(visit);
        return;
    }
    let own = position.soldiers(position.side);
    let occupied = position.occupied_cells();
    for from in iter_cells(own) {
        for direction in Direction::ALL {
            let Some(to) = board.next(from, direction) else { continue };
            // In most positions, the next cell is empty, and no other cells need to be examined.
            if occupied & to.bit() == 0 {
                visit(Move::Forward { from, to, direction });
            } else if let Some(mv) = line_move_or_attack(board, position, from, direction) {
                visit(mv);
            }
        }
        for line in Direction::ASCENDING_DIRECTIONS {
            let Some(second) = board.next(from, line).filter(|second| own & second.bit() != 0)
            else {
                continue;
            };
            for direction in Direction::ALL {
                if !direction.is_parallel_to(line)
                    && let Some(mv) =
                        legal_soldier_translation(board, position, [from, second], direction)
                {
                    visit(mv);
                }
            }
        }
    }
}

/// Returns whether the side to move has a legal move in a position with both castles.
pub(crate) fn has_move(board: &BoardGraph, position: &Position) -> bool {
    if position.is_drop_phase() {
        return legal_drop_cells(board, position) != 0;
    }
    // If there is a line move or a translation, a soldier has an empty neighbouring cell and can
    // also step there alone. So it is enough to search for steps of one soldier and for attacks.
    let own = position.soldiers(position.side);
    let occupied = position.occupied_cells();
    iter_cells(own).any(|from| board.neighbours(from) & !occupied != 0)
        || iter_cells(own).any(|from| {
            Direction::ALL
                .into_iter()
                .any(|direction| line_move_or_attack(board, position, from, direction).is_some())
        })
}

/// Returns the cells on which the side to move may drop a soldier in the drop phase. These are the
/// empty cells that are not red and are adjacent to a piece of this side.
pub(crate) fn legal_drop_cells(board: &BoardGraph, position: &Position) -> CellSet {
    let adjacent = iter_cells(position.pieces(position.side))
        .fold(0, |set, cell| set | board.neighbours(cell));
    adjacent & !position.occupied_cells() & !NO_DROP_CELLS
}

/// Returns the move along a line with this rearmost soldier, or `None` if the move is illegal.
///
/// There is at most one such move. All soldiers move, from the rearmost soldier up to the first
/// cell without an own soldier. This cell decides which rule applies:
///
/// - If the cell is empty, the move is a line move.
/// - If the cell has an enemy piece, and two soldiers move, the move is an attack by phalanx.
/// - If the cell has an enemy soldier, and one soldier moves, the move is an attack by support.
#[inline]
pub(crate) fn line_move_or_attack(
    board: &BoardGraph,
    position: &Position,
    from: HexCell,
    direction: Direction,
) -> Option<Move> {
    let own = position.soldiers(position.side);
    let occupied = position.occupied_cells();
    let mut to = from;
    let mut soldiers = 0;
    while own & to.bit() != 0 {
        to = board.next(to, direction)?;
        soldiers += 1;
    }
    let is_in_front = |enemies: CellSet| enemies & to.bit() != 0;
    let can_push = || board.next(to, direction).is_none_or(|behind| occupied & behind.bit() == 0);
    let is_legal = match soldiers {
        _ if occupied & to.bit() == 0 => true,
        1 => {
            is_in_front(position.soldiers(!position.side))
                && own & board.attack_supporters(from, direction) != 0
                && can_push()
        }
        2 => is_in_front(position.pieces(!position.side)) && can_push(),
        _ => false,
    };
    is_legal.then_some(Move::Forward { from, to, direction })
}

/// Returns the translation of two adjacent soldiers, or `None` if the translation is illegal. The
/// soldiers must be in ascending order, and the direction must not be along their own line. The
/// translation is legal if both target cells exist and are empty.
pub(crate) fn legal_soldier_translation(
    board: &BoardGraph,
    position: &Position,
    from: [HexCell; 2],
    direction: Direction,
) -> Option<Move> {
    let to = [board.next(from[0], direction)?, board.next(from[1], direction)?];
    let is_free = position.occupied_cells() & (to[0].bit() | to[1].bit()) == 0;
    is_free.then_some(Move::Translation { from, to })
}
