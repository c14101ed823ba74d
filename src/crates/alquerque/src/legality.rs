//! Finds the legal move named by a move string, or the rule that forbids this move.
//!
//! The functions that generate moves decide what is legal.

use pentarch_core::{Notation, Point, Rules, Side};

use super::board::{BoardPoint, Direction, StraightPath};
use super::move_string::ParsedMove;
use super::moves::{Move, PartialCapture};
use super::position::Position;
use super::rule_violations::IllegalMove;
use super::rules::{
    Alquerque, MissedCaptureRule, MovementRule, MultiCaptureRule, OPPONENT_BASE_ROWS,
    RetreatBanRule,
};

impl Alquerque {
    /// Returns the legal move that `written` names. Both sides must have checkers.
    ///
    /// # Errors
    /// If a rule forbids the move, or if `written` is the shortened string of several captures.
    pub(super) fn resolve_parsed_move(
        &self,
        position: &Position,
        written: &ParsedMove,
    ) -> Result<Move, IllegalMove> {
        let found = self.resolve_whole_path(position, written);
        let Err(error) = found else { return found };
        let candidates = self.resolve_shortened_string(position, written);
        match candidates.as_slice() {
            [only] => Ok(*only),
            [] => Err(error),
            _ => {
                let mut candidates: Vec<String> =
                    candidates.into_iter().map(|mv| self.move_text(mv)).collect();
                candidates.sort();
                Err(IllegalMove::SeveralCaptures { candidates })
            }
        }
    }

    /// Returns the legal captures for which `written` may be the shortened string.
    fn resolve_shortened_string(&self, position: &Position, written: &ParsedMove) -> Vec<Move> {
        let path = written.path.as_ref().filter(|path| path.may_be_shortened);
        let Some([from, .., to]) = path.map(|path| path.points.as_slice()) else {
            return Vec::new();
        };
        let mut moves = Vec::new();
        self.generate_moves(position, &mut moves);
        moves.retain(|mv| {
            mv.huffed.map(BoardPoint::coordinates) == written.huffed
                && mv.visited_points().next().is_some_and(|point| point.coordinates() == *from)
                && mv.visited_points().last().is_some_and(|point| point.coordinates() == *to)
        });
        moves
    }

    /// Returns the legal move whose whole path is `written`.
    fn resolve_whole_path(
        &self,
        position: &Position,
        written: &ParsedMove,
    ) -> Result<Move, IllegalMove> {
        let huffed = self.resolve_huff(position, written.huffed)?;
        let after = huffed.map_or(*position, |point| position.after_huff(point));
        let points = written.path.iter().flat_map(|path| &path.points);
        let path: Result<Vec<BoardPoint>, _> =
            points.map(|&point| require_board_point(point)).collect();
        let path = path?;
        match (huffed, path.as_slice()) {
            (Some(point), []) if after.enemy_checkers() == 0 => Ok(Move::huff_only(point)),
            (Some(point), _) if after.enemy_checkers() == 0 => {
                Err(IllegalMove::MoveAfterLastHuff { point: point.coordinates() })
            }
            (Some(point), _) if !self.can_move(&after) => {
                let side = side_name(position.side);
                Err(IllegalMove::BlockingHuff { point: point.coordinates(), side })
            }
            (_, [from, path @ ..]) => self.resolve_step_or_capture(&after, huffed, *from, path),
            (_, []) => Err(IllegalMove::HuffWithoutMove { enemy: side_name(!position.side) }),
        }
    }

    /// Returns the huff with which the turn begins, if a huff is due.
    fn resolve_huff(
        &self,
        position: &Position,
        huffed: Option<Point>,
    ) -> Result<Option<BoardPoint>, IllegalMove> {
        let Some(point) = huffed else {
            return match position.huff {
                0 => Ok(None),
                due => Err(IllegalMove::MissingHuff { due }),
            };
        };
        if self.missed_capture == MissedCaptureRule::Illegal {
            return Err(IllegalMove::HuffNotInRules);
        }
        let checker = require_board_point(point)?;
        match position.huff {
            0 => Err(IllegalMove::NothingToHuff),
            due if due & checker.bit() == 0 => Err(IllegalMove::WrongHuff { point, due }),
            _ => Ok(Some(checker)),
        }
    }

    /// Returns the turn: the huff of `huffed` unless this is `None`, and then the step or the
    /// capture from `from` along `path`. `position` is the position after the huff.
    fn resolve_step_or_capture(
        &self,
        position: &Position,
        huffed: Option<BoardPoint>,
        from: BoardPoint,
        path: &[BoardPoint],
    ) -> Result<Move, IllegalMove> {
        let point = from.coordinates();
        if position.enemy_checkers() & from.bit() != 0 {
            let [side, enemy] = [position.side, !position.side].map(side_name);
            return Err(IllegalMove::EnemyChecker { point, enemy, side });
        }
        if position.own_checkers() & from.bit() == 0 {
            return Err(IllegalMove::NoChecker { point });
        }
        match path {
            [to, rest @ ..] if require_straight_path(from, *to)?.distance == 1 => {
                let mv = self.resolve_step(position, huffed, from, *to)?;
                match rest {
                    [] => Ok(mv),
                    _ => Err(IllegalMove::MoveAfterStep { to: to.coordinates() }),
                }
            }
            _ => self.resolve_jumps(position, huffed, from, path),
        }
    }

    /// Returns the step between these points.
    fn resolve_step(
        &self,
        position: &Position,
        huffed: Option<BoardPoint>,
        from: BoardPoint,
        to: BoardPoint,
    ) -> Result<Move, IllegalMove> {
        let direction = require_straight_path(from, to)?.direction;
        let jumpers = self.jumping_checkers(position);
        let is_stepper = self.stepping_checkers(position, direction) & from.bit() != 0;
        if is_stepper && self.are_steps_legal(jumpers) {
            return Ok(Move::new_step(huffed, from, direction));
        }
        let side = position.side;
        let start = from.coordinates();
        let end = to.coordinates();
        Err(if direction.line_start_points() & from.bit() == 0 {
            match checker_under_bent_jump(position, from, to) {
                Some(over) => IllegalMove::JumpWithTurn { from: start, over, to: end },
                None => IllegalMove::NoLine { from: start, to: end },
            }
        } else if position.occupied_points() & to.bit() != 0 {
            IllegalMove::OccupiedStep { point: end }
        } else if self.movement != MovementRule::Free
            && OPPONENT_BASE_ROWS[side.index()] & from.bit() != 0
        {
            IllegalMove::StepOnBaseRow { side, from: start }
        } else if position.spent & from.bit() != 0 {
            IllegalMove::SpentChecker { from: start }
        } else if self.step_start_points[side.index()][direction.index()] & from.bit() == 0 {
            IllegalMove::BackwardStep { side, from: start, to: end }
        } else if !is_stepper {
            match self.retreat {
                RetreatBanRule::Player => IllegalMove::RetreatOfPlayer { from: start, to: end },
                _ => IllegalMove::RetreatOfChecker { from: start, to: end },
            }
        } else {
            let best = self.find_largest_capture(position, jumpers);
            IllegalMove::MissedCapture { from: best.mv.from.coordinates(), captured: best.captured }
        })
    }

    /// Returns the capture over these points, jump by jump.
    fn resolve_jumps(
        &self,
        position: &Position,
        huffed: Option<BoardPoint>,
        from: BoardPoint,
        path: &[BoardPoint],
    ) -> Result<Move, IllegalMove> {
        let mut capture = PartialCapture::new(self, position, huffed, from);
        for &to in path {
            let StraightPath { direction, distance } =
                require_straight_path(capture.end_point(), to)?;
            if distance == 1 {
                let from = capture.end_point().coordinates();
                return Err(IllegalMove::ShortJump { from, to: to.coordinates() });
            }
            if !self.rules_allow_another_jump(&capture) {
                return Err(IllegalMove::SecondJump);
            }
            if !capture.can_jump(direction) {
                return Err(illegal_jump_reason(position, &capture, direction, to));
            }
            capture = capture.with_jump(self.removal, direction);
        }
        if !self.can_end_capture(&capture) {
            let at = capture.end_point();
            let next = capture
                .jump_directions()
                .fold(0, |set, direction| set | direction.shift_set(at.bit()));
            let maximum = self.multi_capture == MultiCaptureRule::Maximum;
            return Err(IllegalMove::UnfinishedCapture { at: at.coordinates(), next, maximum });
        }
        if self.multi_capture == MultiCaptureRule::Maximum {
            let best = self.find_largest_capture(position, self.jumping_checkers(position));
            let most = best.captured_count();
            let captured = capture.captured_count();
            if captured < most {
                let path = best.mv.visited_points().map(BoardPoint::coordinates).collect();
                return Err(IllegalMove::SmallCapture { most, path, captured });
            }
        }
        Ok(capture.mv)
    }

    /// Returns a capture by one of these checkers that takes the most enemy checkers.
    fn find_largest_capture(&self, position: &Position, jumpers: u32) -> PartialCapture {
        let mut best =
            PartialCapture::new(self, position, None, BoardPoint::from_lowest_bit(jumpers));
        self.visit_captures(position, None, jumpers, |capture| {
            if capture.captured_count() > best.captured_count() {
                best = *capture;
            }
        });
        best
    }
}

/// Returns the reason why the capture cannot continue with a jump in this direction to this point.
fn illegal_jump_reason(
    position: &Position,
    capture: &PartialCapture,
    direction: Direction,
    to: BoardPoint,
) -> IllegalMove {
    let at = capture.end_point();
    let middle = direction.shift_set(at.bit());
    let over = BoardPoint::from_lowest_bit(middle).coordinates();
    let from = at.coordinates();
    let end = to.coordinates();
    if direction.double_line_start_points() & at.bit() == 0 {
        IllegalMove::NoJumpLine { from, to: end }
    } else if capture.reverse_direction & direction.bit() != 0 {
        IllegalMove::ReversedJump { from, to: end }
    } else if position.own_checkers() & !capture.mv.from.bit() & middle != 0 {
        IllegalMove::JumpOverOwn { over }
    } else if position.enemy_checkers() & middle == 0 {
        IllegalMove::JumpOverNone { from, over, to: end }
    } else if capture.enemies & middle == 0 {
        IllegalMove::JumpOverCaptured { over }
    } else if capture.landings & to.bit() == 0 {
        IllegalMove::OccupiedLanding { point: end }
    } else if capture.allowed_directions & direction.bit() == 0 {
        IllegalMove::JumpOffBaseRow { start: capture.mv.from.coordinates() }
    } else {
        IllegalMove::VisitedLanding { over, to: end }
    }
}

/// Returns the point of the enemy checker that is next to both points, or `None` if there is no
/// such checker or `to` is occupied. A player might believe that a jump over this checker can
/// change its direction (Situation 1 of the source).
fn checker_under_bent_jump(position: &Position, from: BoardPoint, to: BoardPoint) -> Option<Point> {
    let over = line_neighbours(from) & line_neighbours(to) & position.enemy_checkers();
    (over != 0 && position.occupied_points() & to.bit() == 0)
        .then(|| BoardPoint::from_lowest_bit(over).coordinates())
}

/// Returns the points that a line joins with this point.
fn line_neighbours(point: BoardPoint) -> u32 {
    let mut neighbours = 0;
    for direction in Direction::ALL {
        if direction.line_start_points() & point.bit() != 0 {
            neighbours |= direction.shift_set(point.bit());
        }
    }
    neighbours
}

/// Returns the straight path from one point to another.
///
/// # Errors
/// If the points are equal, or if no straight path of 1 or 2 steps joins them.
fn require_straight_path(from: BoardPoint, to: BoardPoint) -> Result<StraightPath, IllegalMove> {
    let [from, to] = [from, to].map(BoardPoint::coordinates);
    Direction::direction_and_distance(from, to).ok_or(if from == to {
        IllegalMove::SamePoint { point: to }
    } else {
        IllegalMove::NeitherStepNorJump { from, to }
    })
}

fn require_board_point(point: Point) -> Result<BoardPoint, IllegalMove> {
    BoardPoint::from_coordinates(point).ok_or(IllegalMove::OffBoard { point })
}

fn side_name(side: Side) -> &'static str {
    Alquerque::SIDE_NAMES[side.index()]
}
