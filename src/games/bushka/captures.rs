//! Captures: those of phalanxes, which come first, those of single pieces, and what a capture takes off the board.

use super::board::{Board, Direction, Sight, Square, nearest, squares};
use super::moves::{Move, rears};
use super::position::Position;

/// The soldiers of the side to move that face an enemy piece in this direction over one empty square.
///
/// Each of them captures there: as the head of a phalanx if a soldier stands behind it, and else by itself, for then it
/// is isolated on that line.
fn facing(position: &Position, empty: u64, direction: Direction) -> u64 {
    let back = direction.back();
    back.shift(back.shift(position.enemies()) & empty) & position.own_soldiers()
}

/// Whether a soldier of the side to move captures, in a phalanx or alone. `empty`: the squares without a piece.
pub fn soldier_can_capture(position: &Position, empty: u64) -> bool {
    Direction::ALL.iter().any(|&direction| facing(position, empty, direction) != 0)
}

/// Whether the side to move must capture.
pub fn is_due(board: &Board, position: &Position) -> bool {
    let (occupied, enemies) = (position.occupied(), position.enemies());
    soldier_can_capture(position, position.empty(board))
        || squares(position.own_kings()).any(|king| {
            Direction::ALL.iter().any(|&direction| {
                let found = nearest(&board.far, king, direction, occupied);
                found.is_some_and(|found| found.bit() & enemies != 0 && found.distance(king) > 1)
            })
        })
}

/// Appends the phalanx captures that take the most pieces: every phalanx, sub-phalanxes too, one step along its line
/// onto an empty square beyond which stands an enemy piece.
pub fn of_phalanxes(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let (soldiers, empty) = (position.own_soldiers(), position.empty(board));
    let before = moves.len();
    let mut most = 0;
    for direction in Direction::ALL {
        for head in squares(facing(position, empty, direction) & direction.shift(soldiers)) {
            let to = head.next(direction);
            let count = struck_by_phalanx(position, to.next(direction).bit(), direction).count_ones();
            if count > most {
                moves.truncate(before);
                most = count;
            }
            if count == most {
                let phalanxes = rears(soldiers, head, direction).skip(1);
                moves.extend(phalanxes.map(|rear| Move::begin(rear).then(to)));
            }
        }
    }
}

/// What a phalanx captures whose step leads it in this direction right before the enemy piece `first`: a king, or the
/// unbroken run of soldiers that begins there.
fn struck_by_phalanx(position: &Position, first: u64, direction: Direction) -> u64 {
    let soldiers = position.soldiers[(!position.side).index()];
    let (mut run, mut next) = (first, first & soldiers);
    while next != 0 {
        run |= next;
        next = direction.shift(next) & soldiers;
    }
    run
}

/// Appends the captures by single soldiers and kings that take the most pieces. There must be no phalanx capture.
pub fn of_pieces(board: &Board, position: &Position, moves: &mut Vec<Move>) {
    let empty = position.empty(board);
    // Without a phalanx capture every soldier that faces an enemy is isolated on that line, so that a soldier may begin
    // wherever it may go on.
    let soldiers = Direction::ALL.iter().fold(0, |set, &direction| set | facing(position, empty, direction));
    let before = moves.len();
    let mut most = 1;
    for (men, sight) in [(soldiers, &board.near), (position.own_kings(), &board.far)] {
        for man in squares(men) {
            let occupied = position.occupied() & !man.bit();
            let mut chains = Chains { sight, occupied, before, most, moves: &mut *moves };
            chains.extend(Move::begin(man), position.enemies(), 1);
            most = chains.most;
        }
    }
}

/// The search for the longest captures of one piece.
struct Chains<'a> {
    /// How far the piece sees.
    sight: &'a Sight,
    /// All pieces but the one that captures: the captured ones stay on the board until the turn is over.
    occupied: u64,
    /// Where the captures found begin in `moves`.
    before: usize,
    /// How many pieces each of them takes.
    most: u32,
    moves: &'a mut Vec<Move>,
}

impl Chains<'_> {
    /// Tries every way to capture one of the `targets`, the enemy pieces not captured so far, as the `count`th piece.
    ///
    /// The piece goes up to the last empty square before the first piece it sees, which must leave it at least one step
    /// to go. Seeing two squares far, a soldier goes just one.
    fn extend(&mut self, path: Move, targets: u64, count: u32) {
        let at = path.to();
        for direction in Direction::ALL {
            let found = nearest(self.sight, at, direction, self.occupied);
            let Some(target) = found.filter(|found| found.bit() & targets != 0) else { continue };
            let stop = target.next(direction.back());
            if stop == at {
                continue;
            }
            let longer = path.then(stop);
            if count > self.most {
                self.moves.truncate(self.before);
                self.most = count;
            }
            if count == self.most {
                self.moves.push(longer);
            }
            self.extend(longer, targets & !target.bit(), count + 1);
        }
    }
}

/// Whether a legal move is a phalanx's.
pub fn is_by_phalanx(position: &Position, mv: Move) -> bool {
    position.own_soldiers() & mv.from().bit() != 0 && mv.legs().next().is_some_and(|(from, to)| from.distance(to) > 1)
}

/// The pieces that a legal move captures: those right behind the stops, and for a phalanx the run that its one heads.
pub fn captured(position: &Position, mv: Move) -> u64 {
    let behind = |(from, to): (Square, Square)| from.heading(to).shift(to.bit());
    let struck = mv.legs().fold(0, |set, leg| set | behind(leg)) & position.enemies();
    if is_by_phalanx(position, mv) { struck_by_phalanx(position, struck, mv.from().heading(mv.to())) } else { struck }
}
