//! The generation of captures, and the pieces that a capture takes off the board.
//!
//! Captures are compulsory. Those of phalanxes take precedence over those of single pieces, and of either kind only
//! those that take the most pieces are legal.

use super::board::{Board, Direction, Rays, Square, first_blocker, squares};
use super::moves::{Move, rears};
use super::position::Position;

/// The soldiers of the side to move from which two steps in this direction lead first onto an empty square and then
/// onto an enemy piece.
///
/// Each of them can capture in this direction: as the head of a phalanx if a soldier of its own stands behind it, and
/// otherwise by itself, because it is isolated on that line then.
fn facing(position: &Position, empty: u64, direction: Direction) -> u64 {
    let back = direction.opposite();
    back.shift(back.shift(position.enemies()) & empty) & position.own_soldiers()
}

/// Whether a soldier of the side to move can capture, in a phalanx or alone. `empty` are the squares without a piece.
pub fn soldier_can_capture(position: &Position, empty: u64) -> bool {
    Direction::ALL.iter().any(|&direction| facing(position, empty, direction) != 0)
}

/// Whether the side to move can capture, and so must.
pub fn must_capture(board: &Board, position: &Position) -> bool {
    let (occupied, enemies) = (position.occupied(), position.enemies());
    soldier_can_capture(position, position.empty(board))
        || squares(position.own_kings()).any(|king| {
            Direction::ALL.iter().any(|&direction| {
                let blocker = first_blocker(&board.king_rays, king, direction, occupied);
                blocker.is_some_and(|blocker| {
                    blocker.bit() & enemies != 0 && blocker.distance(king) > 1
                })
            })
        })
}

/// Appends the phalanx captures that take the most pieces. A phalanx, which can be part of a longer one, goes one step
/// along its line onto an empty square beyond which an enemy piece stands.
pub fn generate_phalanx_captures(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let (soldiers, empty) = (position.own_soldiers(), position.empty(board));
    let first = moves.len();
    let mut most = 0;
    for direction in Direction::ALL {
        for head in squares(facing(position, empty, direction) & direction.shift(soldiers)) {
            let to = head.next(direction);
            let count =
                captured_by_phalanx(position, to.next(direction).bit(), direction).count_ones();
            if count > most {
                moves.truncate(first);
                most = count;
            }
            if count == most {
                let phalanxes = rears(soldiers, head, direction).skip(1);
                moves.extend(phalanxes.map(|rear| Move::begin(rear).then(to)));
            }
        }
    }
}

/// The pieces that a phalanx captures when its step in this direction ends right before the enemy piece `first`: that
/// piece alone if it is a king, otherwise the unbroken run of soldiers that begins with it.
fn captured_by_phalanx(position: &Position, first: u64, direction: Direction) -> u64 {
    let soldiers = position.soldiers[(!position.side).index()];
    let (mut run, mut next) = (first, first & soldiers);
    while next != 0 {
        run |= next;
        next = direction.shift(next) & soldiers;
    }
    run
}

/// Appends the captures by single soldiers and kings that take the most pieces, in a position without phalanx captures.
pub fn generate_piece_captures(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let empty = position.empty(board);
    // Since there is no phalanx capture, every soldier that faces an enemy is isolated on that line. So the rule that
    // only an isolated soldier captures excludes none of them.
    let soldiers =
        Direction::ALL.iter().fold(0, |set, &direction| set | facing(position, empty, direction));
    let first = moves.len();
    let mut most = 1;
    for (pieces, rays) in
        [(soldiers, &board.soldier_rays), (position.own_kings(), &board.king_rays)]
    {
        for from in squares(pieces) {
            let occupied = position.occupied() & !from.bit();
            let mut search = CaptureSearch { rays, occupied, first, most, moves: &mut *moves };
            search.extend(Move::begin(from), position.enemies(), 1);
            most = search.most;
        }
    }
}

/// The depth-first search for the captures of one piece that take the most pieces.
struct CaptureSearch<'a> {
    /// The rays of the piece.
    rays: &'a Rays,
    /// All pieces but the one that captures. Captured pieces stay on the board until the turn is over.
    occupied: u64,
    /// The index of the first capture in `moves`.
    first: usize,
    /// The number of pieces that each capture found so far takes.
    most: u32,
    moves: &'a mut Vec<Move>,
}

impl CaptureSearch<'_> {
    /// Extends the capture along `path` by each piece that can be captured next, as number `count` of its pieces.
    /// `targets` are the enemy pieces that it has not captured yet.
    ///
    /// The piece goes to the last empty square before the first blocker, at least one step far. The rays of a soldier
    /// are two squares long, so that it goes exactly one step.
    fn extend(&mut self, path: Move, targets: u64, count: u32) {
        let at = path.to();
        for direction in Direction::ALL {
            let blocker = first_blocker(self.rays, at, direction, self.occupied);
            let Some(target) = blocker.filter(|blocker| blocker.bit() & targets != 0) else {
                continue;
            };
            let stop = target.next(direction.opposite());
            if stop == at {
                continue;
            }
            let longer = path.then(stop);
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

/// Whether a legal move is made by a phalanx.
pub fn is_by_phalanx(position: &Position, mv: Move) -> bool {
    position.own_soldiers() & mv.from().bit() != 0
        && mv.legs().next().is_some_and(|(from, to)| from.distance(to) > 1)
}

/// The pieces that a legal move captures: the enemy pieces right behind the stops of its path, and for a phalanx the
/// whole run that begins there.
pub fn captured(position: &Position, mv: Move) -> u64 {
    let behind = |(from, to): (Square, Square)| from.heading(to).shift(to.bit());
    let captured = mv.legs().fold(0, |set, leg| set | behind(leg)) & position.enemies();
    if captured != 0 && is_by_phalanx(position, mv) {
        captured_by_phalanx(position, captured, mv.from().heading(mv.to()))
    } else {
        captured
    }
}
