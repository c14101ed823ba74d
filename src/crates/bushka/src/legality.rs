//! Explains why a move of Bushka is illegal: the rule that forbids it, with the facts.

use pentarch_core::{Notation, Rules};

use super::Bushka;
use super::board::{Direction, Square, squares};
use super::captures;
use super::errors::{Blocked, IllegalMove, NoTarget};
use super::moves::Move;
use super::position::Position;

/// The rule that forbids the move along this path, which is none of the `legal` moves of the position. If other moves
/// take precedence over it, one of them is the example.
pub fn why_illegal(
    rules: &Bushka,
    position: &Position,
    path: &[Square],
    legal: &[Move],
) -> IllegalMove {
    let (by_phalanx, captured) = match check_path(rules, position, path) {
        Ok(found) => found,
        Err(reason) => return reason,
    };
    // The example is the legal move that has the longest part of its path in common with this one.
    let common = |mv: &Move| mv.squares().zip(path).take_while(|(a, b)| a == *b).count();
    let best = legal.iter().min_by_key(|mv| (std::cmp::Reverse(common(mv)), rules.move_text(**mv)));
    let Some(&best) = best else { return IllegalMove::GameOver };
    let most = captures::captured(position, best).count_ones();
    let example = rules.move_text(best);
    match (captures::is_by_phalanx(position, best), by_phalanx && captured > 0) {
        (true, false) => IllegalMove::PhalanxFirst { example, most },
        _ if captured == 0 => IllegalMove::CaptureFirst { example, most },
        (true, _) => IllegalMove::PhalanxCapturesMore { most, captured, example },
        (false, _) => IllegalMove::PieceCapturesMore { most, captured, example },
    }
}

/// Checks a path against all rules but those of precedence. Returns whether a phalanx moves along it, and how many
/// pieces are captured.
///
/// # Errors
/// The rule that forbids the move.
fn check_path(
    rules: &Bushka,
    position: &Position,
    path: &[Square],
) -> Result<(bool, u32), IllegalMove> {
    let (Some(&from), Some(&stop)) = (path.first(), path.get(1)) else {
        return Err(IllegalMove::OneSquare);
    };
    let point = from.point();
    if position.occupied() & from.bit() == 0 {
        return Err(IllegalMove::NoPiece(point));
    }
    if position.enemies() & from.bit() != 0 {
        let [mover, owner] =
            [position.side, !position.side].map(|side| Bushka::SIDES[side.index()]);
        return Err(IllegalMove::EnemyPiece { point, owner, mover });
    }
    if let Some(leg) = path.windows(2).find(|leg| leg[0].towards(leg[1]).is_none()) {
        let [from, to] = [leg[0], leg[1]].map(Square::point);
        return Err(if from == to {
            IllegalMove::SquareTwice(to)
        } else {
            IllegalMove::NotDiagonal { from, to }
        });
    }
    let is_king = position.own_kings() & from.bit() != 0;
    match path {
        [_, _] if !is_king && from.distance(stop) > 1 => check_phalanx(rules, position, from, stop),
        [_, _, _, ..] if !is_king && from.distance(stop) > 1 => {
            Err(IllegalMove::PhalanxGoesOn { from: point, to: stop.point() })
        }
        _ => check_piece(rules, position, path, is_king),
    }
}

/// Checks a path with one leg of several steps that begins on a soldier: a move of a phalanx.
fn check_phalanx(
    rules: &Bushka,
    position: &Position,
    from: Square,
    to: Square,
) -> Result<(bool, u32), IllegalMove> {
    let direction = from.heading(to);
    let between = std::iter::successors(Some(from), |at| Some(at.next(direction))).skip(1);
    for square in between.take(usize::from(from.distance(to)) - 1) {
        if position.own_kings() & square.bit() != 0 {
            return Err(IllegalMove::KingInPhalanx(square.point()));
        }
        if position.own_soldiers() & square.bit() == 0 {
            return Err(IllegalMove::GapInPhalanx { from: from.point(), gap: square.point() });
        }
    }
    if position.occupied() & to.bit() != 0 {
        return Err(IllegalMove::PhalanxOntoPiece(to.point()));
    }
    let captured =
        Move::along(&[from, to]).map_or(0, |mv| captures::captured(position, mv).count_ones());
    if captured == 0 && !Direction::forward(position.side).contains(&direction) {
        return Err(IllegalMove::PhalanxBackward(why_no_target(rules, to, direction)));
    }
    Ok((true, captured))
}

/// Checks the path of a single piece, leg by leg.
fn check_piece(
    rules: &Bushka,
    position: &Position,
    path: &[Square],
    is_king: bool,
) -> Result<(bool, u32), IllegalMove> {
    // Only captures have several legs.
    let by = match (is_king, path.len() > 2) {
        (false, false) => Blocked::SoldierStep,
        (false, true) => Blocked::SoldierCapture,
        (true, false) => Blocked::KingMove,
        (true, true) => Blocked::KingCapture,
    };
    let mut targets = position.enemies();
    for (number, leg) in path.windows(2).enumerate() {
        let (from, to) = (leg[0], leg[1]);
        let direction = from.heading(to);
        // The square on which the turn began counts as empty. Captured pieces stay on the board until the turn is over.
        let occupied = position.occupied() & !path[0].bit();
        let blocked = |square: Square| {
            let taken = position.enemies() & !targets & square.bit() != 0;
            if taken { Blocked::ByCaptured } else { by }
        };
        let steps = from.distance(to);
        if !is_king && steps > 1 {
            return Err(IllegalMove::LongStep { from: from.point(), to: to.point() });
        }
        let between =
            squares(rules.board.king_rays[direction as usize][usize::from(from.0)] & occupied);
        let obstacle = between
            .filter(|square| from.distance(*square) < steps)
            .min_by_key(|at| from.distance(*at));
        if let Some(square) = obstacle {
            let [from, to, at] = [from, to, square].map(Square::point);
            return Err(IllegalMove::PieceBetween { at, from, to, by: blocked(square) });
        }
        if occupied & to.bit() != 0 {
            return Err(IllegalMove::NotEmpty { point: to.point(), by: blocked(to) });
        }
        let target = direction.shift(to.bit()) & rules.board.squares;
        if target & targets != 0 {
            let neighbours = direction.opposite().shift(from.bit()) & position.own_soldiers();
            if let Some(friend) = squares(neighbours).next().filter(|_| number == 0 && !is_king) {
                let [from, friend] = [from, friend].map(Square::point);
                return Err(IllegalMove::NotIsolated { from, friend });
            }
            targets &= !target;
        } else if path.len() > 2 {
            return Err(if target & position.enemies() != 0 {
                let piece = to.next(direction).point();
                IllegalMove::CapturedAlready { to: to.point(), piece }
            } else {
                let why = why_no_target(rules, to, direction);
                IllegalMove::CapturesNothing { to: to.point(), why }
            });
        } else if !is_king && !Direction::forward(position.side).contains(&direction) {
            return Err(IllegalMove::SoldierBackward(why_no_target(rules, to, direction)));
        }
    }
    Ok((false, (position.enemies() & !targets).count_ones()))
}

/// Why a step in this direction that ends on `to` captures nothing.
fn why_no_target(rules: &Bushka, to: Square, direction: Direction) -> NoTarget {
    if direction.shift(to.bit()) & rules.board.squares == 0 {
        NoTarget::Edge(to.point())
    } else {
        NoTarget::NoEnemy(to.next(direction).point())
    }
}
