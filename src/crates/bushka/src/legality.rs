//! Explains why a move of Bushka is illegal: the rule that forbids it, in words.

use pentarch_core::{Notation, Rules};

use super::Bushka;
use super::board::{Direction, Square, squares};
use super::captures;
use super::moves::Move;
use super::position::Position;

/// The rule that forbids the move along this path, which is none of the `legal` moves of the position. If other moves
/// take precedence over it, one of them is the example.
pub fn why_illegal(rules: &Bushka, position: &Position, path: &[Square], legal: &[Move]) -> String {
    let (by_phalanx, captured) = match check_path(rules, position, path) {
        Ok(found) => found,
        Err(reason) => return reason,
    };
    // The example is the legal move that has the longest part of its path in common with this one.
    let common = |mv: &Move| mv.squares().zip(path).take_while(|(a, b)| a == *b).count();
    let best = legal.iter().min_by_key(|mv| (std::cmp::Reverse(common(mv)), rules.move_text(**mv)));
    let Some(&best) = best else { return "the game is over".into() };
    let (most, text) = (captures::captured(position, best).count_ones(), rules.move_text(best));
    match (captures::is_by_phalanx(position, best), by_phalanx && captured > 0) {
        (true, false) => format!("a phalanx capture comes first: {text} captures {most}"),
        _ if captured == 0 => format!("a capture comes first: {text} captures {most}"),
        (true, _) => format!(
            "the most that a phalanx can capture is {most}, this captures {captured}: e.g. {text}"
        ),
        (false, _) => format!(
            "the most that can be captured is {most}, this captures {captured}: e.g. {text}"
        ),
    }
}

/// Checks a path against all rules but those of precedence. Returns whether a phalanx moves along it, and how many
/// pieces are captured.
///
/// # Errors
/// The rule that forbids the move.
fn check_path(rules: &Bushka, position: &Position, path: &[Square]) -> Result<(bool, u32), String> {
    let (Some(&from), Some(&stop)) = (path.first(), path.get(1)) else {
        return Err("a move needs two squares".into());
    };
    if position.occupied() & from.bit() == 0 {
        return Err(format!("no piece stands on {}", from.point()));
    }
    if position.enemies() & from.bit() != 0 {
        let [own, enemy] = [position.side, !position.side].map(|side| Bushka::SIDES[side.index()]);
        return Err(format!("the piece on {} is {enemy}'s, and it is {own}'s turn", from.point()));
    }
    if let Some(leg) = path.windows(2).find(|leg| leg[0].towards(leg[1]).is_none()) {
        let [from, to] = [leg[0], leg[1]].map(Square::point);
        return Err(if from == to {
            format!("{to} is named twice running")
        } else {
            format!("all lines are diagonals, and {from} and {to} share none")
        });
    }
    let is_king = position.own_kings() & from.bit() != 0;
    match path {
        [_, _] if !is_king && from.distance(stop) > 1 => check_phalanx(rules, position, from, stop),
        [_, _, _, ..] if !is_king && from.distance(stop) > 1 => Err(format!(
            "a phalanx never goes on after its step, and a soldier goes one step at a time, not from {} to {}",
            from.point(),
            stop.point()
        )),
        _ => check_piece(rules, position, path, is_king),
    }
}

/// Checks a path with one leg of several steps that begins on a soldier: a move of a phalanx.
fn check_phalanx(
    rules: &Bushka,
    position: &Position,
    from: Square,
    to: Square,
) -> Result<(bool, u32), String> {
    let direction = from.heading(to);
    let between = std::iter::successors(Some(from), |at| Some(at.next(direction))).skip(1);
    for square in between.take(usize::from(from.distance(to)) - 1) {
        let (start, here) = (from.point(), square.point());
        if position.own_kings() & square.bit() != 0 {
            return Err(format!("a king, as on {here}, is never part of a phalanx"));
        }
        if position.own_soldiers() & square.bit() == 0 {
            return Err(format!(
                "a soldier goes one step, and a phalanx from {start} needs a soldier on {here}"
            ));
        }
    }
    if position.occupied() & to.bit() != 0 {
        return Err(format!("a phalanx steps onto an empty square, and {} is not", to.point()));
    }
    let captured =
        Move::along(&[from, to]).map_or(0, |mv| captures::captured(position, mv).count_ones());
    if captured == 0 && !Direction::forward(position.side).contains(&direction) {
        let beyond = why_no_target(rules, to, direction);
        return Err(format!("a phalanx goes backward only to capture, and {beyond}"));
    }
    Ok((true, captured))
}

/// Checks the path of a single piece, leg by leg.
fn check_piece(
    rules: &Bushka,
    position: &Position,
    path: &[Square],
    is_king: bool,
) -> Result<(bool, u32), String> {
    let mut targets = position.enemies();
    for (number, leg) in path.windows(2).enumerate() {
        let (from, to) = (leg[0], leg[1]);
        let direction = from.heading(to);
        // The square on which the turn began counts as empty. Captured pieces stay on the board until the turn is over.
        let occupied = position.occupied() & !path[0].bit();
        let note = |square: Square| {
            let taken = position.enemies() & !targets & square.bit() != 0;
            if taken { ", for captured pieces stay until the turn is over" } else { "" }
        };
        let steps = from.distance(to);
        if !is_king && steps > 1 {
            let [from, to] = [from, to].map(Square::point);
            return Err(format!("a soldier goes one step at a time, not from {from} to {to}"));
        }
        let between =
            squares(rules.board.king_rays[direction as usize][usize::from(from.0)] & occupied);
        let obstacle = between
            .filter(|square| from.distance(*square) < steps)
            .min_by_key(|at| from.distance(*at));
        if let Some(square) = obstacle {
            let [from, to, at] = [from, to, square].map(Square::point);
            return Err(format!("a piece on {at} stands between {from} and {to}{}", note(square)));
        }
        if occupied & to.bit() != 0 {
            return Err(format!("{} is not empty{}", to.point(), note(to)));
        }
        let target = direction.shift(to.bit()) & rules.board.squares;
        if target & targets != 0 {
            let neighbours = direction.opposite().shift(from.bit()) & position.own_soldiers();
            if let Some(friend) = squares(neighbours).next().filter(|_| number == 0 && !is_king) {
                let [from, friend] = [from, friend].map(Square::point);
                return Err(format!(
                    "the soldier on {from} is not isolated on that line: a soldier stands on {friend}"
                ));
            }
            targets &= !target;
        } else if path.len() > 2 {
            let why = if target & position.enemies() != 0 {
                format!("the piece on {} is captured already", to.next(direction).point())
            } else {
                why_no_target(rules, to, direction)
            };
            return Err(format!(
                "only a capture goes on, and going to {} captures nothing: {why}",
                to.point()
            ));
        } else if !is_king && !Direction::forward(position.side).contains(&direction) {
            let beyond = why_no_target(rules, to, direction);
            return Err(format!("a soldier goes backward only to capture, and {beyond}"));
        }
    }
    Ok((false, (position.enemies() & !targets).count_ones()))
}

/// Why a step in this direction that ends on `to` captures nothing.
fn why_no_target(rules: &Bushka, to: Square, direction: Direction) -> String {
    if direction.shift(to.bit()) & rules.board.squares == 0 {
        format!("{} lies on the edge", to.point())
    } else {
        format!("no enemy piece stands on {}", to.next(direction).point())
    }
}
