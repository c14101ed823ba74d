//! Generates the captures, and finds the pieces that a capture removes.
//!
//! Captures are compulsory. Captures by a phalanx take precedence over captures by single pieces.
//! Among the captures of the preferred kind, only the largest ones are legal.

use super::board::{Board, DiagonalDirection, RayTable, first_blocker, iter_squares};
use super::moves::{Move, phalanx_rears};
use super::position::Position;

/// Returns the soldiers of the side to move that face an enemy piece in this direction. Such a
/// soldier has an empty square in front of it, and an enemy piece on the square beyond.
///
/// Each such soldier can capture in this direction. A soldier with a friendly soldier behind it
/// captures as the head of a phalanx. Any other soldier is isolated on that line and captures
/// alone.
fn soldiers_facing_enemy(position: &Position, empty: u64, direction: DiagonalDirection) -> u64 {
    let back = direction.opposite();
    back.shift(back.shift(position.enemy_pieces()) & empty) & position.own_soldiers()
}

/// Returns whether a soldier of the side to move can capture, in a phalanx or alone. `empty` is the
/// set of squares without a piece.
pub(crate) fn soldier_can_capture(position: &Position, empty: u64) -> bool {
    DiagonalDirection::ALL
        .iter()
        .any(|&direction| soldiers_facing_enemy(position, empty, direction) != 0)
}

/// Returns whether the side to move can capture. A side that can capture must capture.
pub(crate) fn must_capture(board: &Board, position: &Position) -> bool {
    let occupied = position.occupied_squares();
    let enemies = position.enemy_pieces();
    soldier_can_capture(position, position.empty_squares(board))
        || iter_squares(position.own_kings()).any(|king| {
            DiagonalDirection::ALL.iter().any(|&direction| {
                let blocker = first_blocker(&board.king_rays, king, direction, occupied);
                blocker.is_some_and(|blocker| {
                    blocker.bit() & enemies != 0 && blocker.distance(king) > 1
                })
            })
        })
}

/// Appends the phalanx captures that capture the most pieces. In a phalanx capture, a row of
/// soldiers moves one step along its line to an empty square, and an enemy piece is on the square
/// beyond. The moving soldiers may be a part of a longer row.
pub(crate) fn generate_phalanx_captures(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let soldiers = position.own_soldiers();
    let empty = position.empty_squares(board);
    let first = moves.len();
    let mut most = 0;
    for direction in DiagonalDirection::ALL {
        for head in iter_squares(
            soldiers_facing_enemy(position, empty, direction) & direction.shift(soldiers),
        ) {
            let to = head.neighbour_unchecked(direction);
            let count = pieces_captured_by_phalanx(
                position,
                to.neighbour_unchecked(direction).bit(),
                direction,
            )
            .count_ones();
            if count > most {
                moves.truncate(first);
                most = count;
            }
            if count == most {
                let phalanxes = phalanx_rears(soldiers, head, direction).skip(1);
                moves.extend(phalanxes.map(|rear| Move::starting_at(rear).with_next_square(to)));
            }
        }
    }
}

/// Returns the pieces that a phalanx captures if it stops right before the enemy piece `first`. If
/// this piece is a king, only the king is captured. Otherwise the unbroken run of soldiers that
/// starts with this piece is captured.
fn pieces_captured_by_phalanx(
    position: &Position,
    first: u64,
    direction: DiagonalDirection,
) -> u64 {
    let soldiers = position.soldiers[(!position.side).index()];
    let mut run = first;
    let mut next = first & soldiers;
    while next != 0 {
        run |= next;
        next = direction.shift(next) & soldiers;
    }
    run
}

/// Appends the largest captures by single soldiers and kings: those that capture the most pieces.
/// The position must have no phalanx capture.
pub(crate) fn generate_single_piece_captures(
    board: &Board,
    position: &Position,
    moves: &mut Vec<Move>,
) {
    let empty = position.empty_squares(board);
    // There is no phalanx capture. Therefore every soldier that faces an enemy is isolated on that
    // line. So the rule about isolated soldiers need not be checked.
    let soldiers = DiagonalDirection::ALL
        .iter()
        .fold(0, |set, &direction| set | soldiers_facing_enemy(position, empty, direction));
    let first = moves.len();
    let mut most = 1;
    for (pieces, rays) in
        [(soldiers, &board.soldier_rays), (position.own_kings(), &board.king_rays)]
    {
        for from in iter_squares(pieces) {
            let occupied = position.occupied_squares() & !from.bit();
            let mut search =
                MaximumCaptureSearch { rays, occupied, first, most, moves: &mut *moves };
            search.extend(Move::starting_at(from), position.enemy_pieces(), 1);
            most = search.most;
        }
    }
}

/// A depth-first search for the captures of one piece that capture the most pieces.
struct MaximumCaptureSearch<'a> {
    /// The rays of the piece.
    rays: &'a RayTable,
    /// All pieces except the capturing piece. Captured pieces stay on the board until the turn is
    /// over.
    occupied: u64,
    /// The index of the first capture in `moves`.
    first: usize,
    /// The number of pieces that each capture in `moves` captures.
    most: u32,
    moves: &'a mut Vec<Move>,
}

impl MaximumCaptureSearch<'_> {
    /// Extends the capture along `path` by each possible next captured piece. `count` is the number
    /// of captured pieces including the next one. `targets` is the set of enemy pieces that the
    /// path has not captured yet.
    ///
    /// The piece moves at least one step, to the last empty square before the first blocker. The
    /// rays of a soldier are two squares long, so a soldier moves exactly one step.
    fn extend(&mut self, path: Move, targets: u64, count: u32) {
        let at = path.last_square();
        for direction in DiagonalDirection::ALL {
            let blocker = first_blocker(self.rays, at, direction, self.occupied);
            let Some(target) = blocker.filter(|blocker| blocker.bit() & targets != 0) else {
                continue;
            };
            let stop = target.neighbour_unchecked(direction.opposite());
            if stop == at {
                continue;
            }
            let longer = path.with_next_square(stop);
            if count > self.most {
                self.moves.truncate(self.first);
                self.most = count;
            }
            if count == self.most {
                self.moves.push(longer);
            }
            self.extend(longer, targets & !target.bit(), count + 1);
        }
    }
}

/// Returns whether a legal move is made by a phalanx.
pub(crate) fn is_phalanx_move(position: &Position, mv: Move) -> bool {
    position.own_soldiers() & mv.from().bit() != 0
        && mv.legs().next().is_some_and(|(from, to)| from.distance(to) > 1)
}

/// Returns the pieces that a legal move captures. These are the enemy pieces right behind the stops
/// of its path. A phalanx captures the whole run that starts there.
pub(crate) fn captured_pieces(position: &Position, mv: Move) -> u64 {
    let behind_stops = mv
        .legs()
        .fold(0, |set, (from, to)| set | from.direction_along_diagonal(to).shift(to.bit()));
    let captured = behind_stops & position.enemy_pieces();
    if captured != 0 && is_phalanx_move(position, mv) {
        pieces_captured_by_phalanx(
            position,
            captured,
            mv.from().direction_along_diagonal(mv.last_square()),
        )
    } else {
        captured
    }
}
