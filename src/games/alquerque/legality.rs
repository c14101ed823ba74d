//! Finds the legal move that a move text names, or the rule that forbids it.
//!
//! The functions that generate moves decide what is legal. The sentence about an illegal move begins with the number of
//! the requirement that it breaks.

use crate::core::{Notation, Point, Rules};

use super::board::{Direction, Spot, spots};
use super::moves::{Capture, Move};
use super::notation::MoveText;
use super::position::Position;
use super::rules::{Alquerque, MissedCapture, Movement, MultiCapture, OPPONENTS_BASE, Retreat};

impl Alquerque {
    /// The legal move that this text names, in a position in which both sides have checkers.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn find(&self, position: &Position, text: &MoveText) -> Result<Move, String> {
        let huffed = self.find_huff(position, text.huffed)?;
        let after = huffed.map_or(*position, |spot| position.huffed(spot));
        let path = text.path.iter().map(|&point| on_board(point)).collect::<Result<Vec<Spot>, String>>()?;
        match (huffed, path.as_slice()) {
            (Some(spot), []) if after.enemy() == 0 => Ok(Move::huff_alone(spot)),
            (Some(spot), _) if after.enemy() == 0 => {
                Err(format!("REQ.26.ALT.1: huffing {} takes the last checker: no move follows", spot.point()))
            }
            (Some(spot), _) if !self.can_move(&after) => {
                let own = side_name(position, true);
                Err(format!("REQ.26.ALT.1: huffing {} would leave {own} without a move", spot.point()))
            }
            (_, [from, path @ ..]) => self.find_path(&after, huffed, *from, path),
            (_, []) => {
                let enemy = side_name(position, false);
                Err(format!("REQ.26.ALT.1: after the huff a move follows, as {enemy} still has checkers"))
            }
        }
    }

    /// The huff with which the turn begins, if one is due.
    fn find_huff(&self, position: &Position, huffed: Option<Point>) -> Result<Option<Spot>, String> {
        let Some(point) = huffed else {
            return match position.huff {
                0 => Ok(None),
                due => Err(format!("REQ.26.ALT.1: the turn begins by huffing one of {}", names(due))),
            };
        };
        if self.missed_capture == MissedCapture::Illegal {
            return Err("REQ.26.ALT.2: under these rules nobody huffs".into());
        }
        let spot = on_board(point)?;
        match position.huff {
            0 => Err("REQ.26.ALT.1: there is nothing to huff: the move before did not miss a capture".into()),
            due if due & spot.bit() == 0 => {
                Err(format!("REQ.26.ALT.1: {point} could not have captured; what can be huffed is {}", names(due)))
            }
            _ => Ok(Some(spot)),
        }
    }

    /// The step or capture along these points, after the huff.
    fn find_path(&self, position: &Position, huffed: Option<Spot>, from: Spot, path: &[Spot]) -> Result<Move, String> {
        let [own, enemy] = [true, false].map(|own| side_name(position, own));
        if position.enemy() & from.bit() != 0 {
            return Err(format!("REQ.5: the checker on {} is {enemy}, and it is {own}'s turn", from.point()));
        }
        if position.own() & from.bit() == 0 {
            return Err(format!("REQ.5: no checker stands on {}", from.point()));
        }
        match path {
            [to, rest @ ..] if straight_line(from, *to)?.1 == 1 => {
                let mv = self.find_step(position, huffed, from, *to)?;
                if rest.is_empty() { Ok(mv) } else { Err(format!("REQ.8: the step to {} ends the turn", to.point())) }
            }
            _ => self.find_jumps(position, huffed, from, path),
        }
    }

    /// The step between these points.
    fn find_step(&self, position: &Position, huffed: Option<Spot>, from: Spot, to: Spot) -> Result<Move, String> {
        let (direction, _) = straight_line(from, to)?;
        let jumpers = self.jumpers(position);
        let can_step = self.steppers(position, direction) & from.bit() != 0;
        if can_step && self.may_step(jumpers) {
            return Ok(Move::new_step(huffed, from, direction));
        }
        let side = position.side.index();
        let (start, end) = (from.point(), to.point());
        Err(if direction.lines() & from.bit() == 0 {
            match turn_over(position, from, to) {
                Some(over) => {
                    format!("REQ.14: a jump from {start} over {over} goes straight on, it does not turn to {end}")
                }
                None => format!("REQ.7: no line joins {start} and {end}"),
            }
        } else if position.occupied() & to.bit() != 0 {
            format!("REQ.11: a checker stands on {end}")
        } else if self.movement != Movement::Free && OPPONENTS_BASE[side] & from.bit() != 0 {
            let requirement = ["REQ.21", "REQ.22"][side];
            format!("{requirement}: {start} is on the opponent's base row, where a checker only captures")
        } else if position.spent & from.bit() != 0 {
            format!("REQ.23.ALT.2: the checker on {start} has been on the opponent's base row and only captures")
        } else if self.step_from[side][direction.index()] & from.bit() == 0 {
            format!("{}: a step from {start} to {end} is backwards", ["REQ.19", "REQ.20"][side])
        } else if !can_step {
            match self.retreat {
                Retreat::Player => format!("REQ.25.ALT.3: {start}{end} takes back the player's last move"),
                _ => format!("REQ.25.ALT.2: the latest move of the checker on {start} began on {end}"),
            }
        } else {
            let best = self.largest_capture(position, jumpers);
            let (from, captured) = (best.mv.from.point(), names(best.captured));
            let all = if best.count() == 1 { String::new() } else { format!(" ({} checkers)", best.count()) };
            format!("REQ.26.ALT.2: a step while a jump is possible: {from} can capture {captured}{all}")
        })
    }

    /// The capture over these points, jump by jump.
    fn find_jumps(&self, position: &Position, huffed: Option<Spot>, from: Spot, path: &[Spot]) -> Result<Move, String> {
        let mut capture = Capture::new(self, position, huffed, from);
        for &to in path {
            let (direction, distance) = straight_line(capture.spot(), to)?;
            if distance == 1 {
                let (at, to) = (capture.spot().point(), to.point());
                return Err(format!(
                    "REQ.14: a jump goes straight over a checker to the point behind it, {at}{to} does not"
                ));
            }
            if !self.may_go_on(&capture) {
                return Err("REQ.10.ALT.2: a turn has one jump only".into());
            }
            if !capture.can_jump(direction) {
                return Err(why_no_jump(position, &capture, direction, to));
            }
            capture = capture.jump(self.removal, direction);
        }
        if !self.may_end(&capture) {
            let requirement = match self.multi_capture {
                MultiCapture::Maximum => "REQ.10.1.ALT.3",
                _ => "REQ.10.1.ALT.2",
            };
            let next = capture.jumps().fold(0, |set, direction| set | direction.ahead(capture.spot().bit()));
            let at = capture.spot().point();
            return Err(format!("{requirement}: the capture must go on: {at} can capture {}", names(next)));
        }
        if self.multi_capture == MultiCapture::Maximum {
            let best = self.largest_capture(position, self.jumpers(position));
            if capture.count() < best.count() {
                let (path, most, count) = (self.move_text(best.mv), best.count(), capture.count());
                return Err(format!("REQ.10.1.ALT.3: {most} checkers must be captured, as by {path}, not {count}"));
            }
        }
        Ok(capture.mv)
    }

    /// One of the captures by these checkers that take the most enemy checkers.
    fn largest_capture(&self, position: &Position, jumpers: u32) -> Capture {
        let mut best = Capture::new(self, position, None, Spot::of(jumpers));
        self.all_captures(position, None, jumpers, |capture| {
            if capture.count() > best.count() {
                best = *capture;
            }
        });
        best
    }
}

/// Why the next jump of a capture cannot lead in this direction to this point.
fn why_no_jump(position: &Position, capture: &Capture, direction: Direction, to: Spot) -> String {
    let at = capture.spot();
    let over = direction.ahead(at.bit());
    let (middle, start, end) = (Spot::of(over).point(), at.point(), to.point());
    if direction.double_lines() & at.bit() == 0 {
        format!("REQ.9: no line leads straight from {start} to {end}")
    } else if capture.reverse & direction.bit() != 0 {
        format!("REQ.15: the jump from {start} to {end} reverses the direction of the jump before it")
    } else if position.own() & !capture.mv.from.bit() & over != 0 {
        format!("REQ.17: the checker on {middle} is the player's own")
    } else if position.enemy() & over == 0 {
        format!("REQ.16: no checker stands on {middle}, which {start}{end} would jump over")
    } else if capture.enemies & over == 0 {
        format!("REQ.24.ALT.1: the checker on {middle} was captured by a jump before and has left the board")
    } else if capture.free & to.bit() == 0 {
        format!("REQ.12: a checker stands on {end}")
    } else if capture.allowed & direction.bit() == 0 {
        let began = capture.mv.from.point();
        format!("REQ.23.ALT.3: a turn that begins on the opponent's base row, on {began}, captures along the rank only")
    } else {
        format!(
            "REQ.24.ALT.2: {middle} was jumped over before, and then only a point new in this turn will do, not {end}"
        )
    }
}

/// The point of an enemy checker over which lines lead from one point to the other with a turn, if the latter is free:
/// a capture as it might be meant (Situation 1 of the source).
fn turn_over(position: &Position, from: Spot, to: Spot) -> Option<Point> {
    let beside = |spot: Spot| {
        let leading = Direction::ALL.iter().filter(|direction| direction.lines() & spot.bit() != 0);
        leading.fold(0, |set, direction| set | direction.ahead(spot.bit()))
    };
    let over = beside(from) & beside(to) & position.enemy();
    (over != 0 && position.occupied() & to.bit() == 0).then(|| Spot::of(over).point())
}

/// The direction that leads straight from one point to the other, and the distance, which is 1 or 2.
///
/// # Errors
/// If the points are the same or are not in such a line.
fn straight_line(from: Spot, to: Spot) -> Result<(Direction, u8), String> {
    let (from, to) = (from.point(), to.point());
    Direction::between(from, to).ok_or_else(|| {
        if from == to {
            format!("REQ.8: a checker does not stay on {to}")
        } else {
            format!("REQ.8, REQ.9: {to} is neither next to {from} nor the second point from it in a straight line")
        }
    })
}

fn on_board(point: Point) -> Result<Spot, String> {
    Spot::at(point).ok_or_else(|| format!("REQ.2: {point} is off the board"))
}

/// The name of the side to move (`own`), or of the other side.
fn side_name(position: &Position, own: bool) -> &'static str {
    let side = if own { position.side } else { !position.side };
    Alquerque::SIDES[side.index()]
}

/// The names of the points of a set, as a list.
fn names(set: u32) -> String {
    spots(set).map(|spot| spot.point().to_string()).collect::<Vec<_>>().join(", ")
}
