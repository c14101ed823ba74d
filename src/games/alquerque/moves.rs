//! The moves of Alquerque and their generation.

use super::board::{ALL, Direction, Image, Spot, map_direction, map_spot, spots};
use super::position::Position;
use super::rules::{Alquerque, MissedCapture, MultiCapture, Removal};

/// A turn: a huff if one is due, then a step or jumps, unless the huff has ended the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Three bits for each direction taken, the first lowest. A turn has at most 20 jumps: jumps keep the parity of
    /// file and rank, so a checker has nine points at most to land on, and each jump takes one of twelve checkers or
    /// lands on a point for the first time.
    path: u64,
    /// The enemy checker that is huffed first.
    pub huffed: Option<Spot>,
    /// Where the checker that moves stands; the point huffed if nothing moves.
    pub from: Spot,
    kind: Kind,
    /// How many directions the path has.
    length: u8,
}

/// What is done after the huff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    Step,
    Jumps,
}

impl Move {
    /// The huff that takes the last checker.
    pub fn huff_alone(spot: Spot) -> Move {
        Move { path: 0, huffed: Some(spot), from: spot, kind: Kind::Nothing, length: 0 }
    }

    /// A step.
    pub fn new_step(huffed: Option<Spot>, from: Spot, direction: Direction) -> Move {
        Move { huffed, from, kind: Kind::Step, length: 1, path: u64::from(direction.0) }
    }

    /// Jumps, of which there are none yet.
    fn new_jumps(huffed: Option<Spot>, from: Spot) -> Move {
        Move { path: 0, huffed, from, kind: Kind::Jumps, length: 0 }
    }

    /// The same jumps and one more.
    fn and_jump(self, direction: Direction) -> Move {
        Move { path: self.path | u64::from(direction.0) << (3 * self.length), length: self.length + 1, ..self }
    }

    /// The directions of the step or of the jumps, in order.
    fn directions(self) -> impl Iterator<Item = Direction> {
        (0..self.length).map(move |at| Direction((self.path >> (3 * at) & 7) as u8))
    }

    /// Whether it is a step.
    pub fn is_step(self) -> bool {
        self.kind == Kind::Step
    }

    /// The direction of the step, if it is one.
    pub fn step(self) -> Option<Direction> {
        self.directions().next().filter(|_| self.is_step())
    }

    /// The points that the checker visits, its start first; none if the huff is all.
    pub fn points(self) -> impl Iterator<Item = Spot> {
        let stride = if self.is_step() { 1 } else { 2 };
        let mut at = self.from.bit();
        let landings = self.directions().map(move |direction| {
            at = (0..stride).fold(at, |at, _| direction.ahead(at));
            Spot::of(at)
        });
        (self.kind != Kind::Nothing).then_some(self.from).into_iter().chain(landings)
    }

    /// Where the checker ends, and which checkers it jumps over.
    pub fn reach(self) -> (u32, u32) {
        let start = (self.from.bit(), 0);
        if self.is_step() {
            self.directions().fold(start, |(at, taken), direction| (direction.ahead(at), taken))
        } else {
            self.directions().fold(start, |(at, taken), direction| {
                let over = direction.ahead(at);
                (direction.ahead(over), taken | over)
            })
        }
    }

    /// The image under a symmetry of the board.
    pub fn map(self, image: Image) -> Move {
        let directions = self.directions().enumerate();
        Move {
            path: directions.fold(0, |path, (at, way)| path | u64::from(map_direction(way, image).0) << (3 * at)),
            huffed: self.huffed.map(|spot| map_spot(spot, image)),
            from: map_spot(self.from, image),
            ..self
        }
    }
}

/// A checker in the middle of its jumps.
#[derive(Debug, Clone, Copy)]
pub struct Capture {
    /// The jumps so far.
    pub mv: Move,
    /// Where it is.
    at: u32,
    /// The points on which it can land. They do not change: jumps keep the parity of file and rank, so no checker that
    /// it jumps over can stand where it lands.
    pub free: u32,
    /// The enemy checkers on the board: also those jumped over that have not left yet.
    pub standing: u32,
    /// The enemy checkers jumped over.
    pub taken: u32,
    /// The points it has been on in this turn.
    pub visited: u32,
    /// The directions in which its rank (REQ.23.ALT.3) lets it jump in this turn.
    pub allowed: u8,
    /// The direction opposite to its last jump (REQ.15), as a set.
    pub reverse: u8,
}

impl Capture {
    /// The capture that this checker has still to begin; a huff that was due is done.
    pub fn new(rules: &Alquerque, position: &Position, huffed: Option<Spot>, from: Spot) -> Capture {
        let along_rank = rules.along_rank[position.side.index()] & from.bit() != 0;
        Capture {
            mv: Move::new_jumps(huffed, from),
            at: from.bit(),
            free: ALL & !position.occupied() | from.bit(),
            standing: position.enemy(),
            taken: 0,
            visited: from.bit(),
            allowed: if along_rank { Direction::SIDEWAYS } else { !0 },
            reverse: 0,
        }
    }

    /// Whether the next jump can be in this direction.
    pub fn can_jump(&self, direction: Direction) -> bool {
        let over = direction.ahead(self.at) & self.standing;
        let land = direction.ahead(over) & self.free;
        land != 0
            && self.at & direction.double_lines() != 0
            && direction.bit() & self.allowed & !self.reverse != 0
            // REQ.24.ALT.2: jumped again, but not round in circles.
            && (over & self.taken == 0 || land & self.visited == 0)
    }

    /// The directions of all jumps that are possible next.
    pub fn jumps(&self) -> impl Iterator<Item = Direction> + '_ {
        Direction::ALL.into_iter().filter(|&direction| self.can_jump(direction))
    }

    /// The same capture with one more jump.
    pub fn jump(&self, removal: Removal, direction: Direction) -> Capture {
        let over = direction.ahead(self.at);
        let at = direction.ahead(over);
        let leaves = if removal == Removal::Instant { over } else { 0 };
        Capture {
            mv: self.mv.and_jump(direction),
            at,
            standing: self.standing & !leaves,
            taken: self.taken | over,
            visited: self.visited | at,
            reverse: direction.opposite().bit(),
            ..*self
        }
    }

    /// Where it is.
    pub fn spot(&self) -> Spot {
        Spot::of(self.at)
    }

    /// How many different checkers it has captured.
    pub fn count(&self) -> u32 {
        self.taken.count_ones()
    }
}

impl Alquerque {
    /// The checkers of the side to move that can jump; a huff that was due is done.
    pub fn jumpers(&self, position: &Position) -> u32 {
        let (own, enemy, free) = (position.own(), position.enemy(), ALL & !position.occupied());
        let upright = own & !self.along_rank[position.side.index()];
        let in_direction = |direction: Direction| {
            let allowed = if direction.bit() & Direction::SIDEWAYS != 0 { own } else { upright };
            allowed & direction.double_lines() & direction.behind(enemy & direction.behind(free))
        };
        Direction::ALL.into_iter().fold(0, |set, direction| set | in_direction(direction))
    }

    /// The checkers of the side to move that can step in this direction, jumps aside; a huff that was due is done.
    pub fn steppers(&self, position: &Position, direction: Direction) -> u32 {
        let may = self.step_from[position.side.index()][direction.index()] & !position.banned[direction.index()];
        position.own() & !position.spent & may & direction.behind(ALL & !position.occupied())
    }

    /// Whether the side to move has a step or a jump; a huff that was due is done.
    pub fn can_move(&self, position: &Position) -> bool {
        self.jumpers(position) != 0 || Direction::ALL.into_iter().any(|way| self.steppers(position, way) != 0)
    }

    /// Whether a step may be made although these checkers can jump.
    pub fn may_step(&self, jumpers: u32) -> bool {
        jumpers == 0 || self.missed_capture == MissedCapture::Huff
    }

    /// Whether a capture that has begun may end here, what other checkers can capture aside.
    pub fn may_end(&self, capture: &Capture) -> bool {
        match self.multi_capture {
            MultiCapture::Off | MultiCapture::Stop => true,
            MultiCapture::Complete | MultiCapture::Maximum => capture.jumps().next().is_none(),
        }
    }

    /// Whether a capture may go on with another jump.
    pub fn may_go_on(&self, capture: &Capture) -> bool {
        self.multi_capture != MultiCapture::Off || capture.taken == 0
    }

    /// Visits every capture that goes on from this one to where it may end, what other checkers can capture aside.
    fn captures(&self, capture: &Capture, visit: &mut impl FnMut(&Capture)) {
        if capture.taken != 0 && self.may_end(capture) {
            visit(capture);
        }
        if self.may_go_on(capture) {
            for direction in capture.jumps() {
                self.captures(&capture.jump(self.removal, direction), visit);
            }
        }
    }

    /// Visits every capture of these checkers to where it may end; a huff that was due is done.
    pub fn all_captures(
        &self,
        position: &Position,
        huffed: Option<Spot>,
        jumpers: u32,
        mut visit: impl FnMut(&Capture),
    ) {
        for from in spots(jumpers) {
            self.captures(&Capture::new(self, position, huffed, from), &mut visit);
        }
    }

    /// Appends the moves of a turn that begins with this huff and goes on in this position.
    fn turns(&self, position: &Position, huffed: Option<Spot>, moves: &mut Vec<Move>) {
        let jumpers = self.jumpers(position);
        let (before, mut most) = (moves.len(), 0);
        self.all_captures(position, huffed, jumpers, |capture| {
            if self.multi_capture == MultiCapture::Maximum {
                if capture.count() < most {
                    return;
                }
                if capture.count() > most {
                    most = capture.count();
                    moves.truncate(before);
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
        for (huffed, after) in position.beginnings() {
            match huffed {
                Some(spot) if after.enemy() == 0 => moves.push(Move::huff_alone(spot)),
                _ => self.turns(&after, huffed, moves),
            }
        }
    }
}
