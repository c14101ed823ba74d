//! Explains why a move of Bushka is illegal: returns the rule that forbids the move, with the
//! facts.

use pentarch_core::{Notation, Rules};

use super::Bushka;
use super::board::{DiagonalDirection, Square, first_blocker, iter_squares};
use super::captures;
use super::moves::Move;
use super::position::Position;
use super::rule_violations::{BlockedMove, IllegalMove, NoCaptureReason};

/// Returns the rule that forbids the move along this path. The move must not be among the `legal`
/// moves of the position. If legal moves take precedence over the move, the error contains one of
/// them as an example.
pub(crate) fn illegal_move_error(
    rules: &Bushka,
    position: &Position,
    path: &[Square],
    legal: &[Move],
) -> IllegalMove {
    let EffectsAlongPath { by_phalanx, captured } = match check_path_legality(rules, position, path)
    {
        Ok(effects) => effects,
        Err(error) => return error,
    };
    // The example is the legal move whose path has the longest common prefix with this path.
    let example = legal.iter().min_by_key(|mv| {
        let common = mv.path_squares().zip(path).take_while(|(a, b)| a == *b).count();
        (std::cmp::Reverse(common), rules.move_text(**mv))
    });
    let Some(&best) = example else { return IllegalMove::GameOver };
    let most = captures::captured_pieces(position, best).count_ones();
    let example = rules.move_text(best);
    match (captures::is_phalanx_move(position, best), by_phalanx && captured > 0) {
        (true, false) => IllegalMove::PhalanxFirst { example, most },
        _ if captured == 0 => IllegalMove::CaptureFirst { example, most },
        (true, _) => IllegalMove::PhalanxCapturesMore { most, captured, example },
        (false, _) => IllegalMove::PieceCapturesMore { most, captured, example },
    }
}

/// The effects of a move along a path.
struct EffectsAlongPath {
    /// Whether a phalanx moves.
    by_phalanx: bool,
    /// The number of captured pieces.
    captured: u32,
}

/// Checks a path against all rules except those of precedence.
///
/// # Errors
/// The rule that forbids the move.
fn check_path_legality(
    rules: &Bushka,
    position: &Position,
    path: &[Square],
) -> Result<EffectsAlongPath, IllegalMove> {
    let [from, stop, ..] = *path else {
        return Err(IllegalMove::OneSquare);
    };
    let point = from.point();
    if position.occupied_squares() & from.bit() == 0 {
        return Err(IllegalMove::NoPiece(point));
    }
    if position.enemy_pieces() & from.bit() != 0 {
        let [mover, owner] =
            [position.side, !position.side].map(|side| Bushka::SIDE_NAMES[side.index()]);
        return Err(IllegalMove::EnemyPiece { point, owner, mover });
    }
    if let Some(leg) = path.windows(2).find(|leg| leg[0].direction_to(leg[1]).is_none()) {
        let [from, to] = [leg[0], leg[1]].map(Square::point);
        return Err(if from == to {
            IllegalMove::SquareTwice(to)
        } else {
            IllegalMove::NotDiagonal { from, to }
        });
    }
    let is_king = position.own_kings() & from.bit() != 0;
    match path {
        [_, _] if !is_king && from.distance(stop) > 1 => {
            check_phalanx_path(rules, position, from, stop)
        }
        [_, _, _, ..] if !is_king && from.distance(stop) > 1 => {
            Err(IllegalMove::PhalanxGoesOn { from: point, to: stop.point() })
        }
        _ => check_piece_path(rules, position, path, is_king),
    }
}

/// Checks the move of a phalanx: a path from a soldier with one leg of several steps.
fn check_phalanx_path(
    rules: &Bushka,
    position: &Position,
    from: Square,
    to: Square,
) -> Result<EffectsAlongPath, IllegalMove> {
    let direction = from.direction_along_diagonal(to);
    let between =
        std::iter::successors(Some(from), |at| Some(at.neighbour_unchecked(direction))).skip(1);
    for square in between.take(usize::from(from.distance(to)) - 1) {
        if position.own_kings() & square.bit() != 0 {
            return Err(IllegalMove::KingInPhalanx(square.point()));
        }
        if position.own_soldiers() & square.bit() == 0 {
            return Err(IllegalMove::GapInPhalanx { from: from.point(), gap: square.point() });
        }
    }
    if position.occupied_squares() & to.bit() != 0 {
        return Err(IllegalMove::PhalanxOntoPiece(to.point()));
    }
    let captured = Move::from_path(&[from, to])
        .map_or(0, |mv| captures::captured_pieces(position, mv).count_ones());
    if captured == 0 && !DiagonalDirection::forward_directions(position.side).contains(&direction) {
        return Err(IllegalMove::PhalanxBackward(no_capture_reason(rules, to, direction)));
    }
    Ok(EffectsAlongPath { by_phalanx: true, captured })
}

/// Checks the path of a single piece, leg by leg.
fn check_piece_path(
    rules: &Bushka,
    position: &Position,
    path: &[Square],
    is_king: bool,
) -> Result<EffectsAlongPath, IllegalMove> {
    // Only captures have several legs.
    let kind = match (is_king, path.len() > 2) {
        (false, false) => BlockedMove::SoldierStep,
        (false, true) => BlockedMove::SoldierCapture,
        (true, false) => BlockedMove::KingMove,
        (true, true) => BlockedMove::KingCapture,
    };
    let mut targets = position.enemy_pieces();
    for (number, leg) in path.windows(2).enumerate() {
        let from = leg[0];
        let to = leg[1];
        if !is_king && from.distance(to) > 1 {
            return Err(IllegalMove::LongStep { from: from.point(), to: to.point() });
        }
        // The square where the turn began is treated as empty. Captured pieces stay on the board
        // until the turn is over.
        let occupied = position.occupied_squares() & !path[0].bit();
        if let Some(obstacle) = first_obstacle(rules, occupied, from, to) {
            let is_captured = position.enemy_pieces() & !targets & obstacle.bit() != 0;
            let blocked = if is_captured { BlockedMove::ByCaptured } else { kind };
            if obstacle == to {
                return Err(IllegalMove::NotEmpty { point: to.point(), blocked });
            }
            let [from, to, at] = [from, to, obstacle].map(Square::point);
            return Err(IllegalMove::PieceBetween { at, from, to, blocked });
        }
        let direction = from.direction_along_diagonal(to);
        let target = direction.shift(to.bit()) & rules.board.squares;
        if target & targets != 0 {
            let neighbours = direction.opposite().shift(from.bit()) & position.own_soldiers();
            if let Some(friend) =
                iter_squares(neighbours).next().filter(|_| number == 0 && !is_king)
            {
                let [from, friend] = [from, friend].map(Square::point);
                return Err(IllegalMove::NotIsolated { from, friend });
            }
            targets &= !target;
        } else if path.len() > 2 {
            return Err(if target & position.enemy_pieces() != 0 {
                let piece = to.neighbour_unchecked(direction).point();
                IllegalMove::CapturedAlready { to: to.point(), piece }
            } else {
                let why = no_capture_reason(rules, to, direction);
                IllegalMove::CapturesNothing { to: to.point(), why }
            });
        } else if !is_king
            && !DiagonalDirection::forward_directions(position.side).contains(&direction)
        {
            return Err(IllegalMove::SoldierBackward(no_capture_reason(rules, to, direction)));
        }
    }
    let captured = (position.enemy_pieces() & !targets).count_ones();
    Ok(EffectsAlongPath { by_phalanx: false, captured })
}

/// Returns the first occupied square on the way from `from` to `to`; `None` if all squares are
/// empty.
fn first_obstacle(rules: &Bushka, occupied: u64, from: Square, to: Square) -> Option<Square> {
    let direction = from.direction_along_diagonal(to);
    let blocker = first_blocker(&rules.board.king_rays, from, direction, occupied)?;
    (from.distance(blocker) <= from.distance(to)).then_some(blocker)
}

/// Returns the reason why a step in this direction that ends on `to` captures nothing.
fn no_capture_reason(rules: &Bushka, to: Square, direction: DiagonalDirection) -> NoCaptureReason {
    if direction.shift(to.bit()) & rules.board.squares == 0 {
        NoCaptureReason::Edge(to.point())
    } else {
        NoCaptureReason::NoEnemy(to.neighbour_unchecked(direction).point())
    }
}
