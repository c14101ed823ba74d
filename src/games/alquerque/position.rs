//! The state of a game of Alquerque, playing a move, and how a game ends.

use crate::core::{Outcome, Side, key, text::next_full_move};

use super::board::{ALL, Direction, Image, Spot, half_turn, map_direction, map_set, rank, spots};
use super::moves::Move;
use super::rules::{Alquerque, MissedCapture, Retreat};

/// A position of Alquerque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The light checkers and the dark ones, as sets of points.
    pub men: [u32; 2],
    /// REQ.25: for each direction, the checkers that may not step that way because it would take a move back.
    pub banned: [u32; 8],
    /// REQ.23.ALT.2: the checkers that never step again, those on the opponent's base row left out.
    pub spent: u32,
    /// REQ.26.ALT.1: the enemy checkers of which the side to move must huff one.
    pub huff: u32,
    /// The full-move number.
    pub full_move: u32,
    /// Whose turn it is.
    pub side: Side,
}

impl Position {
    /// REQ.3, REQ.4, REQ.6: Light on ranks 1 and 2, d3 and e3, Dark opposite, Light to move.
    pub fn start() -> Position {
        let files_d_and_e = 0b11111_11111 << 15;
        let light = rank(0) | rank(1) | rank(2) & files_d_and_e;
        Position {
            men: [light, map_set(light, half_turn)],
            banned: [0; 8],
            spent: 0,
            huff: 0,
            full_move: 1,
            side: Side::First,
        }
    }

    /// The checkers of the side to move.
    pub fn own(&self) -> u32 {
        self.men[self.side.index()]
    }

    /// The checkers of the other side.
    pub fn enemy(&self) -> u32 {
        self.men[(!self.side).index()]
    }

    /// The points on which a checker stands.
    pub fn occupied(&self) -> u32 {
        self.men[0] | self.men[1]
    }

    /// The position in which the side to move has huffed this enemy checker, and has still to move.
    pub fn huffed(&self, spot: Spot) -> Position {
        let left = !spot.bit();
        Position {
            men: self.men.map(|men| men & left),
            banned: self.banned.map(|men| men & left),
            spent: self.spent & left,
            huff: 0,
            ..*self
        }
    }

    /// What the turn can begin with: a huff of each checker that may be huffed, or nothing if none is due; and the
    /// position that follows.
    pub fn beginnings(&self) -> impl Iterator<Item = (Option<Spot>, Position)> + '_ {
        let nothing = (self.huff == 0).then_some((None, *self));
        nothing.into_iter().chain(spots(self.huff).map(|spot| (Some(spot), self.huffed(spot))))
    }

    /// The position after a legal move.
    pub fn play(&self, rules: &Alquerque, mv: Move) -> Position {
        let mut next = mv.huffed.map_or(*self, |spot| self.huffed(spot));
        let (own, enemy) = (self.side.index(), (!self.side).index());
        let from = mv.from.bit();
        let (to, taken) = mv.reach();
        if mv.is_step() && rules.missed_capture == MissedCapture::Huff {
            next.huff = moved(rules.jumpers(&next), from, to);
        }
        next.men[own] = moved(next.men[own], from, to);
        next.men[enemy] &= !taken;
        next.move_spent(rules.spends[own], from, to, taken);
        let others = if rules.retreat == Retreat::Checker { next.men[own] & !to } else { 0 };
        let still = if rules.binds[own] { others } else { 0 } | if rules.binds[enemy] { next.men[enemy] } else { 0 };
        next.banned = next.banned.map(|men| men & still);
        if let Some(direction) = mv.step().filter(|_| rules.binds[own]) {
            next.banned[direction.opposite().index()] |= to;
        }
        next.side = !self.side;
        next.full_move = next_full_move(self.full_move, self.side);
        next
    }

    /// REQ.23.ALT.2: keeps the book of the checkers that never step again. `spends` are the points that make one so.
    fn move_spent(&mut self, spends: u32, from: u32, to: u32, taken: u32) {
        let was_spent = (self.spent | spends) & from != 0;
        self.spent &= !(from | taken);
        if was_spent {
            self.spent |= to & !spends;
        }
    }

    /// REQ.27: a side without checkers has lost; so has, or not, a side to move without a legal move.
    pub fn outcome(&self, rules: &Alquerque) -> Option<Outcome> {
        if let Some(side) = Side::BOTH.into_iter().find(|side| self.men[side.index()] == 0) {
            Some(Outcome::Win(!side, "captured"))
        } else if self.beginnings().any(|(_, after)| after.enemy() == 0 || rules.can_move(&after)) {
            None
        } else if rules.blocked_loses {
            Some(Outcome::Win(!self.side, "blocked"))
        } else {
            Some(Outcome::Draw("no move"))
        }
    }

    /// The key of the position and its status: everything but the full-move number.
    pub fn key(&self) -> u64 {
        self.key_with(self.banned)
    }

    /// The key of what decides how the game can go on: what REQ.25 forbids counts only where a step could be made.
    pub fn key_of_future(&self, rules: &Alquerque) -> u64 {
        if rules.retreat == Retreat::Free {
            return self.key();
        }
        let [light, dark] = Side::BOTH.map(|side| self.men[side.index()]);
        let mut banned = Direction::ALL.map(|direction| {
            let [by_light, by_dark] = rules.step_from.map(|from| from[direction.index()]);
            self.banned[direction.index()] & (light & by_light | dark & by_dark)
        });
        // REQ.25.ALT.3 forbids a step in the next turn or never.
        if rules.retreat == Retreat::Player && self.huff == 0 {
            let (enemy, free) = (self.enemy(), ALL & !self.occupied());
            let may_step = rules.may_step(rules.jumpers(self));
            for direction in Direction::ALL {
                let next = if may_step { direction.behind(free) } else { 0 };
                banned[direction.index()] &= enemy | next;
            }
        }
        self.key_with(banned)
    }

    fn key_with(&self, banned: [u32; 8]) -> u64 {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let [n, ne, e, se, s, sw, w, nw] = banned;
        key::hash(&[
            pair(self.men[0], self.men[1]),
            pair(n, ne),
            pair(e, se),
            pair(s, sw),
            pair(w, nw),
            pair(self.spent, self.huff | (self.side as u32) << 31),
        ])
    }

    /// The image under a symmetry of the board, which may swap the sides.
    pub fn map(&self, swaps: bool, image: Image) -> Position {
        let mut men = self.men.map(|men| map_set(men, image));
        if swaps {
            men.reverse();
        }
        let mut banned = [0; 8];
        for direction in Direction::ALL {
            banned[map_direction(direction, image).index()] = map_set(self.banned[direction.index()], image);
        }
        Position {
            men,
            banned,
            spent: map_set(self.spent, image),
            huff: map_set(self.huff, image),
            full_move: self.full_move,
            side: if swaps { !self.side } else { self.side },
        }
    }
}

/// A set after the checker on one point, if it belongs to it, has moved to another.
fn moved(set: u32, from: u32, to: u32) -> u32 {
    if set & from == 0 { set } else { set & !from | to }
}
