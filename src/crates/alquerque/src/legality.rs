//! Finds the legal move that a move text names, or the rule that forbids it.
//!
//! The functions that generate moves decide what is legal. The sentence about an illegal move begins with the id of the
//! requirement that it breaks.

use pentarch_core::{Notation, Point, Rules, Side, Violation};

use super::board::{Direction, Spot, names};
use super::move_text::MoveText;
use super::moves::{Capture, Move};
use super::position::Position;
use super::rules::{Alquerque, MissedCapture, Movement, MultiCapture, OPPONENTS_BASE, Retreat};

impl Alquerque {
    /// The legal move that this text names, in a position in which both sides have checkers.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn find(&self, position: &Position, text: &MoveText) -> Result<Move, Violation> {
        let huffed = self.find_huff(position, text.huffed)?;
        let after = huffed.map_or(*position, |spot| position.huffed(spot));
        let path =
            text.path.iter().map(|&point| on_board(point)).collect::<Result<Vec<Spot>, _>>()?;
        let [own, enemy] = [position.side, !position.side].map(side_name);
        let reason = match (huffed, path.as_slice()) {
            (Some(spot), []) if after.enemy() == 0 => return Ok(Move::huff_alone(spot)),
            (Some(spot), _) if after.enemy() == 0 => {
                format!("huffing {} takes the last checker: no move follows", spot.point())
            }
            (Some(spot), _) if !self.can_move(&after) => {
                format!("huffing {} would leave {own} without a move", spot.point())
            }
            (_, [from, path @ ..]) => return self.find_path(&after, huffed, *from, path),
            (_, []) => format!("after the huff a move follows, as {enemy} still has checkers"),
        };
        Err(Violation::by(["REQ.26.ALT.1"], reason))
    }

    /// The huff with which the turn begins, if one is due.
    fn find_huff(
        &self,
        position: &Position,
        huffed: Option<Point>,
    ) -> Result<Option<Spot>, Violation> {
        let Some(point) = huffed else {
            return match position.huff {
                0 => Ok(None),
                due => Err(Violation::by(
                    ["REQ.26.ALT.1"],
                    format!("the turn begins by huffing one of {}", names(due)),
                )),
            };
        };
        if self.missed_capture == MissedCapture::Illegal {
            return Err(Violation::by(["REQ.26.ALT.2"], "under these rules nobody huffs"));
        }
        let spot = on_board(point)?;
        let reason = match position.huff {
            0 => "there is nothing to huff: the move before did not miss a capture".into(),
            due if due & spot.bit() == 0 => {
                format!("{point} could not have captured; what can be huffed is {}", names(due))
            }
            _ => return Ok(Some(spot)),
        };
        Err(Violation::by(["REQ.26.ALT.1"], reason))
    }

    /// The step or capture along these points, after the huff.
    fn find_path(
        &self,
        position: &Position,
        huffed: Option<Spot>,
        from: Spot,
        path: &[Spot],
    ) -> Result<Move, Violation> {
        let [own, enemy] = [position.side, !position.side].map(side_name);
        if position.enemy() & from.bit() != 0 {
            let reason =
                format!("the checker on {} is {enemy}, and it is {own}'s turn", from.point());
            return Err(Violation::by(["REQ.5"], reason));
        }
        if position.own() & from.bit() == 0 {
            return Err(Violation::by(["REQ.5"], format!("no checker stands on {}", from.point())));
        }
        match path {
            [to, rest @ ..] if straight_line(from, *to)?.1 == 1 => {
                let mv = self.find_step(position, huffed, from, *to)?;
                match rest {
                    [] => Ok(mv),
                    _ => Err(Violation::by(
                        ["REQ.8"],
                        format!("the step to {} ends the turn", to.point()),
                    )),
                }
            }
            _ => self.find_jumps(position, huffed, from, path),
        }
    }

    /// The step between these points.
    fn find_step(
        &self,
        position: &Position,
        huffed: Option<Spot>,
        from: Spot,
        to: Spot,
    ) -> Result<Move, Violation> {
        let (direction, _) = straight_line(from, to)?;
        let jumpers = self.jumpers(position);
        let can_step = self.steppers(position, direction) & from.bit() != 0;
        if can_step && self.may_step(jumpers) {
            return Ok(Move::new_step(huffed, from, direction));
        }
        let side = position.side.index();
        let (start, end) = (from.point(), to.point());
        let (rule, reason) = if direction.lines() & from.bit() == 0 {
            match turn_over(position, from, to) {
                Some(over) => (
                    "REQ.14",
                    format!(
                        "a jump from {start} over {over} goes straight on, it does not turn to {end}"
                    ),
                ),
                None => ("REQ.7", format!("no line joins {start} and {end}")),
            }
        } else if position.occupied() & to.bit() != 0 {
            ("REQ.11", format!("a checker stands on {end}"))
        } else if self.movement != Movement::Free && OPPONENTS_BASE[side] & from.bit() != 0 {
            let reason =
                format!("{start} is on the opponent's base row, where a checker only captures");
            (["REQ.21", "REQ.22"][side], reason)
        } else if position.spent & from.bit() != 0 {
            let reason = format!(
                "the checker on {start} has been on the opponent's base row and only captures"
            );
            ("REQ.23.ALT.2", reason)
        } else if self.step_from[side][direction.index()] & from.bit() == 0 {
            (["REQ.19", "REQ.20"][side], format!("a step from {start} to {end} is backwards"))
        } else if !can_step {
            match self.retreat {
                Retreat::Player => {
                    ("REQ.25.ALT.3", format!("{start}{end} takes back the player's last move"))
                }
                _ => (
                    "REQ.25.ALT.2",
                    format!("the latest move of the checker on {start} began on {end}"),
                ),
            }
        } else {
            let best = self.largest_capture(position, jumpers);
            let (from, captured) = (best.mv.from.point(), names(best.captured));
            let all = if best.count() == 1 {
                String::new()
            } else {
                format!(" ({} checkers)", best.count())
            };
            (
                "REQ.26.ALT.2",
                format!("a step while a jump is possible: {from} can capture {captured}{all}"),
            )
        };
        Err(Violation::by([rule], reason))
    }

    /// The capture over these points, jump by jump.
    fn find_jumps(
        &self,
        position: &Position,
        huffed: Option<Spot>,
        from: Spot,
        path: &[Spot],
    ) -> Result<Move, Violation> {
        let mut capture = Capture::new(self, position, huffed, from);
        for &to in path {
            let (direction, distance) = straight_line(capture.spot(), to)?;
            if distance == 1 {
                let (at, to) = (capture.spot().point(), to.point());
                let reason = format!(
                    "a jump goes straight over a checker to the point behind it, {at}{to} does not"
                );
                return Err(Violation::by(["REQ.14"], reason));
            }
            if !self.may_go_on(&capture) {
                return Err(Violation::by(["REQ.10.ALT.2"], "a turn has one jump only"));
            }
            if !capture.can_jump(direction) {
                return Err(why_no_jump(position, &capture, direction, to));
            }
            capture = capture.jump(self.removal, direction);
        }
        if !self.may_end(&capture) {
            let rule = match self.multi_capture {
                MultiCapture::Maximum => "REQ.10.1.ALT.3",
                _ => "REQ.10.1.ALT.2",
            };
            let next = capture
                .jumps()
                .fold(0, |set, direction| set | direction.ahead(capture.spot().bit()));
            let at = capture.spot().point();
            return Err(Violation::by(
                [rule],
                format!("the capture must go on: {at} can capture {}", names(next)),
            ));
        }
        if self.multi_capture == MultiCapture::Maximum {
            let best = self.largest_capture(position, self.jumpers(position));
            if capture.count() < best.count() {
                let (path, most, count) = (self.move_text(best.mv), best.count(), capture.count());
                let reason = format!("{most} checkers must be captured, as by {path}, not {count}");
                return Err(Violation::by(["REQ.10.1.ALT.3"], reason));
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
fn why_no_jump(
    position: &Position,
    capture: &Capture,
    direction: Direction,
    to: Spot,
) -> Violation {
    let at = capture.spot();
    let over = direction.ahead(at.bit());
    let (middle, start, end) = (Spot::of(over).point(), at.point(), to.point());
    let (rule, reason) = if direction.double_lines() & at.bit() == 0 {
        ("REQ.9", format!("no line leads straight from {start} to {end}"))
    } else if capture.reverse & direction.bit() != 0 {
        (
            "REQ.15",
            format!("the jump from {start} to {end} reverses the direction of the jump before it"),
        )
    } else if position.own() & !capture.mv.from.bit() & over != 0 {
        ("REQ.17", format!("the checker on {middle} is the player's own"))
    } else if position.enemy() & over == 0 {
        ("REQ.16", format!("no checker stands on {middle}, which {start}{end} would jump over"))
    } else if capture.enemies & over == 0 {
        (
            "REQ.24.ALT.1",
            format!("the checker on {middle} was captured by a jump before and has left the board"),
        )
    } else if capture.free & to.bit() == 0 {
        ("REQ.12", format!("a checker stands on {end}"))
    } else if capture.allowed & direction.bit() == 0 {
        let began = capture.mv.from.point();
        let reason = format!(
            "a turn that begins on the opponent's base row, on {began}, captures along the rank only"
        );
        ("REQ.23.ALT.3", reason)
    } else {
        let reason = format!(
            "{middle} was jumped over before, and then only a point new in this turn will do, not {end}"
        );
        ("REQ.24.ALT.2", reason)
    };
    Violation::by([rule], reason)
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
fn straight_line(from: Spot, to: Spot) -> Result<(Direction, u8), Violation> {
    let (from, to) = (from.point(), to.point());
    Direction::between(from, to).ok_or_else(|| {
        if from == to {
            Violation::by(["REQ.8"], format!("a checker does not stay on {to}"))
        } else {
            let reason = format!(
                "{to} is neither next to {from} nor the second point from it in a straight line"
            );
            Violation::by(["REQ.8", "REQ.9"], reason)
        }
    })
}

fn on_board(point: Point) -> Result<Spot, Violation> {
    Spot::at(point).ok_or_else(|| Violation::by(["REQ.2"], format!("{point} is off the board")))
}

fn side_name(side: Side) -> &'static str {
    Alquerque::SIDES[side.index()]
}
