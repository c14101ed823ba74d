//! The moves of Alquerque and their generation.

use super::board::{ALL, Direction, Image, Spot, map_direction, map_spot, spots};
use super::position::Position;
use super::rules::{Alquerque, MissedCapture, MultiCapture, Removal};

/// A turn: a huff if one is due, then a step or one or more jumps, unless the huff ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The directions of the step or of the jumps, three bits each, the first in the lowest bits. A turn has at most 20
    /// jumps: jumps keep the parity of file and rank, so a checker can land on nine points at most, and each jump
    /// either captures one of twelve checkers or lands on a point for the first time.
    path: u64,
    /// The enemy checker that is huffed first.
    pub huffed: Option<Spot>,
    /// The point on which the checker that moves stands, or the huffed point if no checker moves.
    pub from: Spot,
    kind: Kind,
    /// The number of directions in `path`.
    length: u8,
}

/// What a turn consists of after the huff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    Step,
    Jumps,
}

impl Move {
    /// The turn that consists only of the huff of the last enemy checker.
    pub fn huff_alone(spot: Spot) -> Move {
        Move { path: 0, huffed: Some(spot), from: spot, kind: Kind::Nothing, length: 0 }
    }

    /// A step, after a huff if there is one.
    pub fn new_step(huffed: Option<Spot>, from: Spot, direction: Direction) -> Move {
        Move { huffed, from, kind: Kind::Step, length: 1, path: u64::from(direction.0) }
    }

    /// The directions of the step or of the jumps, in order.
    fn directions(self) -> impl Iterator<Item = Direction> {
        (0..self.length).map(move |at| Direction((self.path >> (3 * at) & 7) as u8))
    }

    /// Whether the turn is a step.
    pub fn is_step(self) -> bool {
        self.kind == Kind::Step
    }

    /// The direction of the step; none if the turn is no step.
    pub fn step(self) -> Option<Direction> {
        self.directions().next().filter(|_| self.is_step())
    }

    /// The points that the checker visits, its start first; empty if the turn is only a huff.
    pub fn points(self) -> impl Iterator<Item = Spot> {
        let stride = if self.is_step() { 1 } else { 2 };
        let mut at = self.from.bit();
        let landings = self.directions().map(move |direction| {
            at = (0..stride).fold(at, |at, _| direction.ahead(at));
            Spot::of(at)
        });
        (self.kind != Kind::Nothing).then_some(self.from).into_iter().chain(landings)
    }

    /// The point on which the checker ends and the checkers over which it jumps, both as sets.
    pub fn reach(self) -> (u32, u32) {
        let start = (self.from.bit(), 0);
        if self.is_step() {
            self.directions()
                .fold(start, |(at, captured), direction| (direction.ahead(at), captured))
        } else {
            self.directions().fold(start, |(at, captured), direction| {
                let over = direction.ahead(at);
                (direction.ahead(over), captured | over)
            })
        }
    }

    /// The image under a symmetry of the board.
    pub fn map(self, image: Image) -> Move {
        let directions = self.directions().enumerate();
        Move {
            path: directions.fold(0, |path, (at, direction)| {
                path | u64::from(map_direction(direction, image).0) << (3 * at)
            }),
            huffed: self.huffed.map(|spot| map_spot(spot, image)),
            from: map_spot(self.from, image),
            ..self
        }
    }
}

/// A capture that has been made up to some jump, and can perhaps go on.
#[derive(Debug, Clone, Copy)]
pub struct Capture {
    /// The jumps so far.
    pub mv: Move,
    /// The point on which the checker stands now, as a set.
    at: u32,
    /// The points on which it can land. They stay the same during the turn: jumps keep the parity of file and rank, so
    /// the checkers over which it jumps never stand where it could land.
    pub free: u32,
    /// The enemy checkers on the board, including those already jumped over that leave only when the turn ends.
    pub enemies: u32,
    /// The enemy checkers that have been jumped over.
    pub captured: u32,
    /// The points on which the checker has stood in this turn.
    pub visited: u32,
    /// The directions in which the checker may jump in this turn, as a set: REQ.23.ALT.3 restricts them.
    pub allowed: u8,
    /// The direction opposite to the last jump, as a set: REQ.15 forbids it for the next jump.
    pub reverse: u8,
}

impl Capture {
    /// The capture by this checker before its first jump. `position` is that after the huff, if one was due.
    pub fn new(
        rules: &Alquerque,
        position: &Position,
        huffed: Option<Spot>,
        from: Spot,
    ) -> Capture {
        let along_rank = rules.along_rank[position.side.index()] & from.bit() != 0;
        Capture {
            mv: Move { path: 0, huffed, from, kind: Kind::Jumps, length: 0 },
            at: from.bit(),
            free: ALL & !position.occupied() | from.bit(),
            enemies: position.enemy(),
            captured: 0,
            visited: from.bit(),
            allowed: if along_rank { Direction::SIDEWAYS } else { !0 },
            reverse: 0,
        }
    }

    /// Whether the next jump can go in this direction.
    pub fn can_jump(&self, direction: Direction) -> bool {
        let over = direction.ahead(self.at) & self.enemies;
        let land = direction.ahead(over) & self.free;
        land != 0
            && self.at & direction.double_lines() != 0
            && direction.bit() & self.allowed & !self.reverse != 0
            // REQ.24.ALT.2: a checker may be jumped over again only towards a point that is new in this turn.
            && (over & self.captured == 0 || land & self.visited == 0)
    }

    /// The directions in which the next jump can go.
    pub fn jumps(&self) -> impl Iterator<Item = Direction> + '_ {
        Direction::ALL.into_iter().filter(|&direction| self.can_jump(direction))
    }

    /// The same capture with one more jump.
    pub fn jump(&self, removal: Removal, direction: Direction) -> Capture {
        let over = direction.ahead(self.at);
        let at = direction.ahead(over);
        let path = self.mv.path | u64::from(direction.0) << (3 * self.mv.length);
        let leaves = if removal == Removal::Instant { over } else { 0 };
        Capture {
            mv: Move { path, length: self.mv.length + 1, ..self.mv },
            at,
            enemies: self.enemies & !leaves,
            captured: self.captured | over,
            visited: self.visited | at,
            reverse: direction.opposite().bit(),
            ..*self
        }
    }

    /// The point on which the checker stands now.
    pub fn spot(&self) -> Spot {
        Spot::of(self.at)
    }

    /// The number of different checkers that it has captured.
    pub fn count(&self) -> u32 {
        self.captured.count_ones()
    }
}

impl Alquerque {
    /// The checkers of the side to move that can jump. `position` is that after the huff, if one was due.
    pub fn jumpers(&self, position: &Position) -> u32 {
        let (own, enemy, free) = (position.own(), position.enemy(), ALL & !position.occupied());
        let unrestricted = own & !self.along_rank[position.side.index()];
        let in_direction = |direction: Direction| {
            let allowed =
                if direction.bit() & Direction::SIDEWAYS != 0 { own } else { unrestricted };
            allowed & direction.double_lines() & direction.behind(enemy & direction.behind(free))
        };
        Direction::ALL.into_iter().fold(0, |set, direction| set | in_direction(direction))
    }

    /// The checkers of the side to move that can step in this direction if no jump takes precedence. `position` is that
    /// after the huff, if one was due.
    pub fn steppers(&self, position: &Position, direction: Direction) -> u32 {
        let allowed = self.step_from[position.side.index()][direction.index()]
            & !position.banned[direction.index()];
        position.own() & !position.spent & allowed & direction.behind(ALL & !position.occupied())
    }

    /// Whether the side to move has a step or a jump. `position` is that after the huff, if one was due.
    pub fn can_move(&self, position: &Position) -> bool {
        self.jumpers(position) != 0
            || Direction::ALL.into_iter().any(|direction| self.steppers(position, direction) != 0)
    }

    /// Whether a step is legal although these checkers can jump.
    pub fn may_step(&self, jumpers: u32) -> bool {
        jumpers == 0 || self.missed_capture == MissedCapture::Huff
    }

    /// Whether a capture that has begun may end here. How much other captures take is not considered.
    pub fn may_end(&self, capture: &Capture) -> bool {
        match self.multi_capture {
            MultiCapture::Off | MultiCapture::Stop => true,
            MultiCapture::Complete | MultiCapture::Maximum => capture.jumps().next().is_none(),
        }
    }

    /// Whether a capture may go on with another jump.
    pub fn may_go_on(&self, capture: &Capture) -> bool {
        self.multi_capture != MultiCapture::Off || capture.captured == 0
    }

    /// Visits every capture that begins with this one and may end, by depth-first search. How much other captures take
    /// is not considered.
    fn extensions(&self, capture: &Capture, visit: &mut impl FnMut(&Capture)) {
        if capture.captured != 0 && self.may_end(capture) {
            visit(capture);
        }
        if self.may_go_on(capture) {
            for direction in capture.jumps() {
                self.extensions(&capture.jump(self.removal, direction), visit);
            }
        }
    }

    /// Visits every capture by these checkers that may end. `position` is that after the huff, if one was due.
    pub fn all_captures(
        &self,
        position: &Position,
        huffed: Option<Spot>,
        jumpers: u32,
        mut visit: impl FnMut(&Capture),
    ) {
        for from in spots(jumpers) {
            self.extensions(&Capture::new(self, position, huffed, from), &mut visit);
        }
    }

    /// Appends the turns that begin with this huff. `position` is that after the huff, if one was due.
    fn generate_after_huff(
        &self,
        position: &Position,
        huffed: Option<Spot>,
        moves: &mut Vec<Move>,
    ) {
        let jumpers = self.jumpers(position);
        let (first, mut most) = (moves.len(), 0);
        self.all_captures(position, huffed, jumpers, |capture| {
            if self.multi_capture == MultiCapture::Maximum {
                if capture.count() < most {
                    return;
                }
                if capture.count() > most {
                    most = capture.count();
                    moves.truncate(first);
                }
            }
            moves.push(capture.mv);
        });
        if self.may_step(jumpers) {
            for direction in Direction::ALL {
                let steppers = spots(self.steppers(position, direction));
                moves.extend(steppers.map(|from| Move::new_step(huffed, from, direction)));
            }
        }
    }

    /// Appends the legal moves of a position in which both sides have checkers.
    pub fn generate(&self, position: &Position, moves: &mut Vec<Move>) {
        for (huffed, after) in position.huff_choices() {
            match huffed {
                Some(spot) if after.enemy() == 0 => moves.push(Move::huff_alone(spot)),
                _ => self.generate_after_huff(&after, huffed, moves),
            }
        }
    }
}
