//! Finds the legal move that a move text names, or the rule that forbids it.
//!
//! The functions that generate moves decide what is legal.

use pentarch_core::{Point, Rules, Side};

use super::board::{Direction, Spot};
use super::errors::IllegalMove;
use super::move_text::ParsedMove;
use super::moves::{Capture, Move};
use super::position::Position;
use super::rules::{Alquerque, MissedCapture, Movement, MultiCapture, OPPONENTS_BASE, Retreat};

impl Alquerque {
    /// The legal move that this text names, in a position in which both sides have checkers.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn find(&self, position: &Position, text: &ParsedMove) -> Result<Move, IllegalMove> {
        let huffed = self.find_huff(position, text.huffed)?;
        let after = huffed.map_or(*position, |spot| position.huffed(spot));
        let path =
            text.path.iter().map(|&point| on_board(point)).collect::<Result<Vec<Spot>, _>>()?;
        match (huffed, path.as_slice()) {
            (Some(spot), []) if after.enemy() == 0 => Ok(Move::huff_alone(spot)),
            (Some(spot), _) if after.enemy() == 0 => {
                Err(IllegalMove::MoveAfterLastHuff { point: spot.point() })
            }
            (Some(spot), _) if !self.can_move(&after) => {
                let side = side_name(position.side);
                Err(IllegalMove::BlockingHuff { point: spot.point(), side })
            }
            (_, [from, path @ ..]) => self.find_path(&after, huffed, *from, path),
            (_, []) => Err(IllegalMove::HuffAlone { enemy: side_name(!position.side) }),
        }
    }

    /// The huff with which the turn begins, if one is due.
    fn find_huff(
        &self,
        position: &Position,
        huffed: Option<Point>,
    ) -> Result<Option<Spot>, IllegalMove> {
        let Some(point) = huffed else {
            return match position.huff {
                0 => Ok(None),
                due => Err(IllegalMove::MissingHuff { due }),
            };
        };
        if self.missed_capture == MissedCapture::Illegal {
            return Err(IllegalMove::HuffByOtherRules);
        }
        let spot = on_board(point)?;
        match position.huff {
            0 => Err(IllegalMove::NothingToHuff),
            due if due & spot.bit() == 0 => Err(IllegalMove::WrongHuff { point, due }),
            _ => Ok(Some(spot)),
        }
    }

    /// The step or capture along these points, after the huff.
    fn find_path(
        &self,
        position: &Position,
        huffed: Option<Spot>,
        from: Spot,
        path: &[Spot],
    ) -> Result<Move, IllegalMove> {
        let point = from.point();
        if position.enemy() & from.bit() != 0 {
            let [side, enemy] = [position.side, !position.side].map(side_name);
            return Err(IllegalMove::EnemyChecker { point, enemy, side });
        }
        if position.own() & from.bit() == 0 {
            return Err(IllegalMove::NoChecker { point });
        }
        match path {
            [to, rest @ ..] if straight_line(from, *to)?.1 == 1 => {
                let mv = self.find_step(position, huffed, from, *to)?;
                match rest {
                    [] => Ok(mv),
                    _ => Err(IllegalMove::MoveAfterStep { to: to.point() }),
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
    ) -> Result<Move, IllegalMove> {
        let (direction, _) = straight_line(from, to)?;
        let jumpers = self.jumpers(position);
        let can_step = self.steppers(position, direction) & from.bit() != 0;
        if can_step && self.may_step(jumpers) {
            return Ok(Move::new_step(huffed, from, direction));
        }
        let side = position.side;
        let (start, end) = (from.point(), to.point());
        Err(if direction.lines() & from.bit() == 0 {
            match turn_over(position, from, to) {
                Some(over) => IllegalMove::TurnedJump { from: start, over, to: end },
                None => IllegalMove::NoLine { from: start, to: end },
            }
        } else if position.occupied() & to.bit() != 0 {
            IllegalMove::OccupiedStep { point: end }
        } else if self.movement != Movement::Free && OPPONENTS_BASE[side.index()] & from.bit() != 0
        {
            IllegalMove::StepOnBaseRow { side, from: start }
        } else if position.spent & from.bit() != 0 {
            IllegalMove::SpentChecker { from: start }
        } else if self.step_from[side.index()][direction.index()] & from.bit() == 0 {
            IllegalMove::BackwardStep { side, from: start, to: end }
        } else if !can_step {
            match self.retreat {
                Retreat::Player => IllegalMove::RetreatOfPlayer { from: start, to: end },
                _ => IllegalMove::RetreatOfChecker { from: start, to: end },
            }
        } else {
            let best = self.largest_capture(position, jumpers);
            IllegalMove::MissedCapture { from: best.mv.from.point(), captured: best.captured }
        })
    }

    /// The capture over these points, jump by jump.
    fn find_jumps(
        &self,
        position: &Position,
        huffed: Option<Spot>,
        from: Spot,
        path: &[Spot],
    ) -> Result<Move, IllegalMove> {
        let mut capture = Capture::new(self, position, huffed, from);
        for &to in path {
            let (direction, distance) = straight_line(capture.spot(), to)?;
            if distance == 1 {
                let from = capture.spot().point();
                return Err(IllegalMove::ShortJump { from, to: to.point() });
            }
            if !self.may_go_on(&capture) {
                return Err(IllegalMove::SecondJump);
            }
            if !capture.can_jump(direction) {
                return Err(why_no_jump(position, &capture, direction, to));
            }
            capture = capture.jump(self.removal, direction);
        }
        if !self.may_end(&capture) {
            let at = capture.spot();
            let next = capture.jumps().fold(0, |set, direction| set | direction.ahead(at.bit()));
            let maximum = self.multi_capture == MultiCapture::Maximum;
            return Err(IllegalMove::UnfinishedCapture { at: at.point(), next, maximum });
        }
        if self.multi_capture == MultiCapture::Maximum {
            let best = self.largest_capture(position, self.jumpers(position));
            let (most, captured) = (best.count(), capture.count());
            if captured < most {
                let path = best.mv.points().map(Spot::point).collect();
                return Err(IllegalMove::SmallCapture { most, path, captured });
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
) -> IllegalMove {
    let at = capture.spot();
    let middle = direction.ahead(at.bit());
    let over = Spot::of(middle).point();
    let (from, end) = (at.point(), to.point());
    if direction.double_lines() & at.bit() == 0 {
        IllegalMove::NoJumpLine { from, to: end }
    } else if capture.reverse & direction.bit() != 0 {
        IllegalMove::ReversedJump { from, to: end }
    } else if position.own() & !capture.mv.from.bit() & middle != 0 {
        IllegalMove::JumpOverOwn { over }
    } else if position.enemy() & middle == 0 {
        IllegalMove::JumpOverNone { from, over, to: end }
    } else if capture.enemies & middle == 0 {
        IllegalMove::JumpOverCaptured { over }
    } else if capture.free & to.bit() == 0 {
        IllegalMove::OccupiedLanding { point: end }
    } else if capture.allowed & direction.bit() == 0 {
        IllegalMove::JumpOffBaseRow { start: capture.mv.from.point() }
    } else {
        IllegalMove::VisitedLanding { over, to: end }
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
fn straight_line(from: Spot, to: Spot) -> Result<(Direction, u8), IllegalMove> {
    let (from, to) = (from.point(), to.point());
    Direction::between(from, to).ok_or(if from == to {
        IllegalMove::NoDistance { point: to }
    } else {
        IllegalMove::NeitherStepNorJump { from, to }
    })
}

fn on_board(point: Point) -> Result<Spot, IllegalMove> {
    Spot::at(point).ok_or(IllegalMove::OffBoard { point })
}

fn side_name(side: Side) -> &'static str {
    Alquerque::SIDES[side.index()]
}
