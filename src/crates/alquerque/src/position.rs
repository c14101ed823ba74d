//! The position of Alquerque: the state of a game, and playing a move.

use pentarch_core::Side;
use pentarch_core::notation::text::next_full_move;
use pentarch_core::rules::key;

use super::board::{ALL, Direction, Image, Spot, map_direction, map_set, spots};
use super::moves::Move;
use super::rules::{Alquerque, MissedCapture, Retreat};

/// A position of Alquerque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The light checkers and the dark ones, as sets of points.
    pub men: [u32; 2],
    /// REQ.25: for each direction, the checkers that may not step that way because it would take a move back.
    pub banned: [u32; 8],
    /// REQ.23.ALT.2: the checkers that never step again, except for those that stand on the opponent's base row.
    pub spent: u32,
    /// REQ.26.ALT.1: the enemy checkers of which the side to move must huff one.
    pub huff: u32,
    /// The full-move number.
    pub full_move: u32,
    /// The side to move.
    pub side: Side,
}

impl Position {
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

    /// The huffs with which the turn can begin, each with the position after it; or no huff and this position if none
    /// is due.
    pub fn huff_choices(&self) -> impl Iterator<Item = (Option<Spot>, Position)> + '_ {
        let no_huff = (self.huff == 0).then_some((None, *self));
        no_huff.into_iter().chain(spots(self.huff).map(|spot| (Some(spot), self.huffed(spot))))
    }

    /// The position after a legal move.
    pub fn play(&self, rules: &Alquerque, mv: Move) -> Position {
        let mut next = mv.huffed.map_or(*self, |spot| self.huffed(spot));
        let (own, enemy) = (self.side.index(), (!self.side).index());
        let from = mv.from.bit();
        let (to, captured) = mv.reach();
        if mv.is_step() && rules.missed_capture == MissedCapture::Huff {
            next.huff = move_point(rules.jumpers(&next), from, to);
        }
        next.men[own] = move_point(next.men[own], from, to);
        next.men[enemy] &= !captured;
        // REQ.23.ALT.2: a checker that comes to one of the points `spends` never steps again, once it has left them.
        let was_spent = (next.spent | rules.spends[own]) & from != 0;
        next.spent &= !(from | captured);
        if was_spent {
            next.spent |= to & !rules.spends[own];
        }
        let others = if rules.retreat == Retreat::Checker { next.men[own] & !to } else { 0 };
        let still_bound = if rules.binds[own] { others } else { 0 }
            | if rules.binds[enemy] { next.men[enemy] } else { 0 };
        next.banned = next.banned.map(|men| men & still_bound);
        if let Some(direction) = mv.step().filter(|_| rules.binds[own]) {
            next.banned[direction.opposite().index()] |= to;
        }
        next.side = !self.side;
        next.full_move = next_full_move(self.full_move, self.side);
        next
    }

    /// For each direction, the checkers that may not step that way because of REQ.25 alone.
    pub fn effective_bans(&self, rules: &Alquerque) -> [u32; 8] {
        if rules.retreat == Retreat::Free {
            return self.banned;
        }
        let [light, dark] = Side::BOTH.map(|side| self.men[side.index()]);
        let mut banned = Direction::ALL.map(|direction| {
            let [by_light, by_dark] = rules.step_from.map(|from| from[direction.index()]);
            self.banned[direction.index()] & (light & by_light | dark & by_dark)
        });
        // REQ.25.ALT.3 forbids a step only in the next turn of its side, so bans that do not matter in that turn are
        // left out.
        if rules.retreat == Retreat::Player && self.huff == 0 {
            let (enemy, free) = (self.enemy(), ALL & !self.occupied());
            let may_step = rules.may_step(rules.jumpers(self));
            for direction in Direction::ALL {
                let possible = if may_step { direction.behind(free) } else { 0 };
                banned[direction.index()] &= enemy | possible;
            }
        }
        banned
    }

    /// The key of everything but the full-move number, with these steps forbidden.
    pub fn key_with(&self, banned: [u32; 8]) -> u64 {
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
            banned[map_direction(direction, image).index()] =
                map_set(self.banned[direction.index()], image);
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

/// The set after a checker has moved from one point to another; the same set if that checker does not belong to it.
fn move_point(set: u32, from: u32, to: u32) -> u32 {
    if set & from == 0 { set } else { set & !from | to }
}
