//! The moves of Alquerque and their generation.

use super::board::{
    ALL_POINTS, BoardPoint, Direction, SymmetryFn, iter_points_of_set, map_direction, map_point,
};
use super::position::{HuffChoice, Position};
use super::rules::{Alquerque, CaptureRemovalRule, MissedCaptureRule, MultiCaptureRule};

/// A turn: a step or one or more jumps. A due huff comes first. A huff removes an enemy checker
/// that missed a capture. If the huff ends the game, no step or jump follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The directions of the step or of the jumps, three bits each, the first in the lowest bits. A
    /// turn has at most 20 jumps. Jumps keep the parity of file and rank, so that a checker can
    /// land on nine points at most. Each jump captures one of twelve checkers or lands on a point
    /// for the first time.
    path: u64,
    /// The enemy checker that is huffed first.
    pub huffed: Option<BoardPoint>,
    /// The point of the checker before the move. If no checker moves, the huffed point.
    pub from: BoardPoint,
    kind: MoveKind,
    /// The number of directions in `path`.
    length: u8,
}

/// The part of a turn after the huff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MoveKind {
    HuffOnly,
    Step,
    Capture,
}

/// The result of a step or capture.
#[derive(Debug, Clone, Copy)]
pub struct MoveEffect {
    /// The point on which the checker ends, as a set.
    pub to: u32,
    /// The set of the checkers over which the checker jumps.
    pub captured: u32,
}

impl Move {
    /// Creates a turn that ends with a huff, because the huffed checker is the last enemy checker.
    pub fn huff_only(point: BoardPoint) -> Move {
        Move { path: 0, huffed: Some(point), from: point, kind: MoveKind::HuffOnly, length: 0 }
    }

    /// Creates a step, after a huff if `huffed` is not `None`.
    pub fn new_step(huffed: Option<BoardPoint>, from: BoardPoint, direction: Direction) -> Move {
        Move { huffed, from, kind: MoveKind::Step, length: 1, path: u64::from(direction.0) }
    }

    /// Returns the directions of the step or of the jumps, in order.
    fn directions(self) -> impl Iterator<Item = Direction> {
        (0..self.length).map(move |index| Direction((self.path >> (3 * index) & 7) as u8))
    }

    /// Returns whether the turn is a step.
    pub fn is_step(self) -> bool {
        self.kind == MoveKind::Step
    }

    /// Returns the direction of the step; `None` if the turn has no step.
    pub fn step_direction(self) -> Option<Direction> {
        self.directions().next().filter(|_| self.is_step())
    }

    /// Returns the points that the checker visits, beginning with its start. Returns no points if
    /// the turn is only a huff.
    pub fn visited_points(self) -> impl Iterator<Item = BoardPoint> {
        let stride = if self.is_step() { 1 } else { 2 };
        let mut at = self.from.bit();
        let landings = self.directions().map(move |direction| {
            at = (0..stride).fold(at, |at, _| direction.shift_set(at));
            BoardPoint::from_lowest_bit(at)
        });
        let start = (self.kind != MoveKind::HuffOnly).then_some(self.from);
        start.into_iter().chain(landings)
    }

    /// Returns the point on which the checker ends, and the checkers that it captures.
    pub fn effect(self) -> MoveEffect {
        let mut effect = MoveEffect { to: self.from.bit(), captured: 0 };
        if self.is_step() {
            for direction in self.directions() {
                effect.to = direction.shift_set(effect.to);
            }
        } else {
            for direction in self.directions() {
                let over = direction.shift_set(effect.to);
                effect.to = direction.shift_set(over);
                effect.captured |= over;
            }
        }
        effect
    }

    /// Returns the image of the move under a symmetry of the board.
    pub fn apply_symmetry(self, symmetry: SymmetryFn) -> Move {
        let directions = self.directions().enumerate();
        Move {
            path: directions.fold(0, |path, (index, direction)| {
                path | u64::from(map_direction(direction, symmetry).0) << (3 * index)
            }),
            huffed: self.huffed.map(|point| map_point(point, symmetry)),
            from: map_point(self.from, symmetry),
            ..self
        }
    }
}

/// A capture after some of its jumps.
#[derive(Debug, Clone, Copy)]
pub struct PartialCapture {
    /// The jumps that the checker has made so far.
    pub mv: Move,
    /// The point of the checker now, as a set.
    at: u32,
    /// The points on which the checker can land. These points stay the same during the turn. Jumps
    /// keep the parity of file and rank, so a jumped checker is never on such a point.
    pub landings: u32,
    /// The enemy checkers on the board. If jumped checkers leave only when the turn ends, these
    /// checkers are included.
    pub enemies: u32,
    /// The enemy checkers that have been jumped over.
    pub captured: u32,
    /// The points that the checker has visited in this turn, including its start.
    pub visited: u32,
    /// The set of the directions in which the checker may jump in this turn. REQ.23.ALT.3 restricts
    /// these directions.
    pub allowed_directions: u8,
    /// The direction opposite to the last jump, as a set of directions. The next jump must not go
    /// in this direction (REQ.15).
    pub reverse_direction: u8,
}

impl PartialCapture {
    /// Creates a capture by this checker before its first jump. `position` is the position after
    /// the huff, if one was due.
    pub fn new(
        rules: &Alquerque,
        position: &Position,
        huffed: Option<BoardPoint>,
        from: BoardPoint,
    ) -> PartialCapture {
        let is_sideways_only = rules.sideways_only[position.side.index()] & from.bit() != 0;
        PartialCapture {
            mv: Move { path: 0, huffed, from, kind: MoveKind::Capture, length: 0 },
            at: from.bit(),
            landings: ALL_POINTS & !position.occupied_points() | from.bit(),
            enemies: position.enemy_checkers(),
            captured: 0,
            visited: from.bit(),
            allowed_directions: if is_sideways_only {
                Direction::SIDEWAYS_DIRECTION_SET
            } else {
                !0
            },
            reverse_direction: 0,
        }
    }

    /// Returns whether the next jump can go in this direction.
    pub fn can_jump(&self, direction: Direction) -> bool {
        let over = direction.shift_set(self.at) & self.enemies;
        let landing = direction.shift_set(over) & self.landings;
        landing != 0
            && self.at & direction.double_line_start_points() != 0
            && direction.bit() & self.allowed_directions & !self.reverse_direction != 0
            // REQ.24.ALT.2: a second jump over a checker must land on a point not yet visited.
            && (over & self.captured == 0 || landing & self.visited == 0)
    }

    /// Returns the directions in which the next jump can go.
    pub fn jump_directions(&self) -> impl Iterator<Item = Direction> + '_ {
        Direction::ALL.into_iter().filter(|&direction| self.can_jump(direction))
    }

    /// Returns the capture with one more jump.
    pub fn with_jump(&self, removal: CaptureRemovalRule, direction: Direction) -> PartialCapture {
        let over = direction.shift_set(self.at);
        let at = direction.shift_set(over);
        let path = self.mv.path | u64::from(direction.0) << (3 * self.mv.length);
        let removed = if removal == CaptureRemovalRule::Instant { over } else { 0 };
        PartialCapture {
            mv: Move { path, length: self.mv.length + 1, ..self.mv },
            at,
            enemies: self.enemies & !removed,
            captured: self.captured | over,
            visited: self.visited | at,
            reverse_direction: direction.opposite().bit(),
            ..*self
        }
    }

    /// Returns the point on which the checker is after the jumps so far.
    pub fn end_point(&self) -> BoardPoint {
        BoardPoint::from_lowest_bit(self.at)
    }

    /// Returns the number of different checkers that have been jumped over.
    pub fn captured_count(&self) -> u32 {
        self.captured.count_ones()
    }
}

impl Alquerque {
    /// Returns the checkers of the side to move that can jump. `position` is the position after the
    /// huff, if one was due.
    pub fn jumping_checkers(&self, position: &Position) -> u32 {
        let own = position.own_checkers();
        let enemy = position.enemy_checkers();
        let free = ALL_POINTS & !position.occupied_points();
        let unrestricted = own & !self.sideways_only[position.side.index()];
        let mut jumpers = 0;
        for direction in Direction::ALL {
            let is_sideways = direction.bit() & Direction::SIDEWAYS_DIRECTION_SET != 0;
            let allowed = if is_sideways { own } else { unrestricted };
            jumpers |= allowed
                & direction.double_line_start_points()
                & direction.shift_set_back(enemy & direction.shift_set_back(free));
        }
        jumpers
    }

    /// Returns the checkers of the side to move that can step in this direction. Ignores the
    /// precedence of jumps. `position` is the position after the huff, if one was due.
    pub fn stepping_checkers(&self, position: &Position, direction: Direction) -> u32 {
        let allowed = self.step_start_points[position.side.index()][direction.index()]
            & !position.banned[direction.index()];
        let free = ALL_POINTS & !position.occupied_points();
        position.own_checkers() & !position.spent & allowed & direction.shift_set_back(free)
    }

    /// Returns whether the side to move has a step or a jump. `position` is the position after the
    /// huff, if one was due.
    pub fn can_move(&self, position: &Position) -> bool {
        self.jumping_checkers(position) != 0
            || Direction::ALL
                .into_iter()
                .any(|direction| self.stepping_checkers(position, direction) != 0)
    }

    /// Returns whether steps are legal. `jumpers` is the set of the own checkers that can jump.
    pub fn are_steps_legal(&self, jumpers: u32) -> bool {
        jumpers == 0 || self.missed_capture == MissedCaptureRule::Huff
    }

    /// Returns whether a capture that has begun may end here. Does not check whether another
    /// capture takes more checkers.
    pub fn can_end_capture(&self, capture: &PartialCapture) -> bool {
        match self.multi_capture {
            MultiCaptureRule::Off | MultiCaptureRule::Stop => true,
            MultiCaptureRule::Complete | MultiCaptureRule::Maximum => {
                capture.jump_directions().next().is_none()
            }
        }
    }

    /// Returns whether a capture may continue with another jump.
    pub fn rules_allow_another_jump(&self, capture: &PartialCapture) -> bool {
        self.multi_capture != MultiCaptureRule::Off || capture.captured == 0
    }

    /// Visits every capture that begins with `capture` and may end, by depth-first search. Does not
    /// check whether another capture takes more checkers.
    fn visit_capture_continuations(
        &self,
        capture: &PartialCapture,
        visit: &mut impl FnMut(&PartialCapture),
    ) {
        if capture.captured != 0 && self.can_end_capture(capture) {
            visit(capture);
        }
        if self.rules_allow_another_jump(capture) {
            for direction in capture.jump_directions() {
                self.visit_capture_continuations(
                    &capture.with_jump(self.removal, direction),
                    visit,
                );
            }
        }
    }

    /// Visits every capture by these checkers that may end. `position` is the position after the
    /// huff, if one was due.
    pub fn visit_captures(
        &self,
        position: &Position,
        huffed: Option<BoardPoint>,
        jumpers: u32,
        mut visit: impl FnMut(&PartialCapture),
    ) {
        for from in iter_points_of_set(jumpers) {
            let start = PartialCapture::new(self, position, huffed, from);
            self.visit_capture_continuations(&start, &mut visit);
        }
    }

    /// Appends the turns that begin with the huff of `huffed`, or the turns without a huff if
    /// `huffed` is `None`. `position` is the position after the huff.
    fn generate_moves_after_huff(
        &self,
        position: &Position,
        huffed: Option<BoardPoint>,
        moves: &mut Vec<Move>,
    ) {
        let jumpers = self.jumping_checkers(position);
        let first = moves.len();
        let mut most = 0;
        self.visit_captures(position, huffed, jumpers, |capture| {
            if self.multi_capture == MultiCaptureRule::Maximum {
                if capture.captured_count() < most {
                    return;
                }
                if capture.captured_count() > most {
                    most = capture.captured_count();
                    moves.truncate(first);
                }
            }
            moves.push(capture.mv);
        });
        if self.are_steps_legal(jumpers) {
            for direction in Direction::ALL {
                let steppers = iter_points_of_set(self.stepping_checkers(position, direction));
                moves.extend(steppers.map(|from| Move::new_step(huffed, from, direction)));
            }
        }
    }

    /// Appends the legal moves of a position. Both sides must have checkers.
    pub fn generate_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        for HuffChoice { huffed, after } in position.huff_choices() {
            match huffed {
                Some(point) if after.enemy_checkers() == 0 => moves.push(Move::huff_only(point)),
                _ => self.generate_moves_after_huff(&after, huffed, moves),
            }
        }
    }
}
