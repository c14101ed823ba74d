//! The position of Alquerque: the state of a game, and playing a move.

use pentarch_core::Side;
use pentarch_core::notation::parsing::next_full_move_number;
use pentarch_core::rules::key;

use super::board::{
    ALL_POINTS, BoardPoint, Direction, SymmetryFn, iter_points_of_set, map_direction, map_point_set,
};
use super::moves::{Move, MoveEffect};
use super::rules::{Alquerque, MissedCaptureRule, RetreatBanRule};

/// A position of Alquerque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The light checkers and the dark checkers, as sets of points.
    pub checkers: [u32; 2],
    /// REQ.25: for each direction, the checkers that may not step in that direction. Such a step
    /// would take a move back.
    pub banned: [u32; 8],
    /// REQ.23.ALT.2: the checkers that never step again, except those on the opponent's base row.
    pub spent: u32,
    /// REQ.26.ALT.1: the enemy checkers that may be huffed; the side to move must huff one of
    /// these.
    pub huff: u32,
    /// The full-move number.
    pub full_move: u32,
    /// The side to move.
    pub side: Side,
}

/// One way to begin a turn.
#[derive(Debug, Clone, Copy)]
pub struct HuffChoice {
    /// The huffed checker; `None` if no huff is due.
    pub huffed: Option<BoardPoint>,
    /// The position after the huff. The same side still has to move.
    pub after: Position,
}

impl Position {
    /// Returns the checkers of the side to move.
    pub fn own_checkers(&self) -> u32 {
        self.checkers[self.side.index()]
    }

    /// Returns the checkers of the other side.
    pub fn enemy_checkers(&self) -> u32 {
        self.checkers[(!self.side).index()]
    }

    /// Returns the points that are not free.
    pub fn occupied_points(&self) -> u32 {
        self.checkers[0] | self.checkers[1]
    }

    /// Returns the position in which the side to move has huffed this enemy checker and still has
    /// to move.
    pub fn after_huff(&self, point: BoardPoint) -> Position {
        let others = !point.bit();
        Position {
            checkers: self.checkers.map(|set| set & others),
            banned: self.banned.map(|set| set & others),
            spent: self.spent & others,
            huff: 0,
            ..*self
        }
    }

    /// Returns the huffs with which the turn can begin. If no huff is due, returns a single choice
    /// without a huff.
    pub fn huff_choices(&self) -> impl Iterator<Item = HuffChoice> + '_ {
        let no_huff = (self.huff == 0).then_some(HuffChoice { huffed: None, after: *self });
        let huffs = iter_points_of_set(self.huff)
            .map(|point| HuffChoice { huffed: Some(point), after: self.after_huff(point) });
        no_huff.into_iter().chain(huffs)
    }

    /// Returns the position after a legal move.
    pub fn play(&self, rules: &Alquerque, mv: Move) -> Position {
        let mut next = mv.huffed.map_or(*self, |point| self.after_huff(point));
        let own = self.side.index();
        let enemy = (!self.side).index();
        let from = mv.from.bit();
        let MoveEffect { to, captured } = mv.effect();
        if mv.is_step() && rules.missed_capture == MissedCaptureRule::Huff {
            next.huff = move_checker_in_set(rules.jumping_checkers(&next), from, to);
        }
        next.checkers[own] = move_checker_in_set(next.checkers[own], from, to);
        next.checkers[enemy] &= !captured;
        // REQ.23.ALT.2: a checker that ends a turn on one of the `spending_points` never steps
        // again. It is listed as spent once it has left these points.
        let was_spent = (next.spent | rules.spending_points[own]) & from != 0;
        next.spent &= !(from | captured);
        if was_spent {
            next.spent |= to & !rules.spending_points[own];
        }
        let others =
            if rules.retreat == RetreatBanRule::Checker { next.checkers[own] & !to } else { 0 };
        let still_bound = if rules.retreat_binds[own] { others } else { 0 }
            | if rules.retreat_binds[enemy] { next.checkers[enemy] } else { 0 };
        next.banned = next.banned.map(|set| set & still_bound);
        if let Some(direction) = mv.step_direction().filter(|_| rules.retreat_binds[own]) {
            next.banned[direction.opposite().index()] |= to;
        }
        next.side = !self.side;
        next.full_move = next_full_move_number(self.full_move, self.side);
        next
    }

    /// Returns, for each direction, the checkers that only REQ.25 prevents from stepping in that
    /// direction.
    pub fn effective_step_bans(&self, rules: &Alquerque) -> [u32; 8] {
        if rules.retreat == RetreatBanRule::Free {
            return self.banned;
        }
        let [light, dark] = self.checkers;
        let mut banned = Direction::ALL.map(|direction| {
            let [by_light, by_dark] =
                rules.step_start_points.map(|starts| starts[direction.index()]);
            self.banned[direction.index()] & (light & by_light | dark & by_dark)
        });
        // REQ.25.ALT.3 forbids a step only in the next turn of its side. Therefore bans without
        // effect in that turn are left out.
        if rules.retreat == RetreatBanRule::Player && self.huff == 0 {
            let enemy = self.enemy_checkers();
            let free = ALL_POINTS & !self.occupied_points();
            let can_step = rules.are_steps_legal(rules.jumping_checkers(self));
            for direction in Direction::ALL {
                let possible = if can_step { direction.shift_set_back(free) } else { 0 };
                banned[direction.index()] &= enemy | possible;
            }
        }
        banned
    }

    /// Returns a key of the position with these steps forbidden. The key does not cover the
    /// full-move number.
    pub fn key_with_bans(&self, banned: [u32; 8]) -> u64 {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let [n, ne, e, se, s, sw, w, nw] = banned;
        key::hash_words(&[
            pair(self.checkers[0], self.checkers[1]),
            pair(n, ne),
            pair(e, se),
            pair(s, sw),
            pair(w, nw),
            pair(self.spent, self.huff | (self.side as u32) << 31),
        ])
    }

    /// Returns the image of the position under a symmetry of the board. If `swaps_sides` is `true`,
    /// the light checkers become dark and the dark checkers become light, and the side to move
    /// changes.
    pub fn apply_symmetry(&self, swaps_sides: bool, symmetry: SymmetryFn) -> Position {
        let mut checkers = self.checkers.map(|set| map_point_set(set, symmetry));
        if swaps_sides {
            checkers.reverse();
        }
        let mut banned = [0; 8];
        for direction in Direction::ALL {
            banned[map_direction(direction, symmetry).index()] =
                map_point_set(self.banned[direction.index()], symmetry);
        }
        Position {
            checkers,
            banned,
            spent: map_point_set(self.spent, symmetry),
            huff: map_point_set(self.huff, symmetry),
            full_move: self.full_move,
            side: if swaps_sides { !self.side } else { self.side },
        }
    }
}

/// Returns the set after a checker has moved from one point to another. If the set does not contain
/// the checker, returns the set unchanged.
fn move_checker_in_set(set: u32, from: u32, to: u32) -> u32 {
    if set & from == 0 { set } else { set & !from | to }
}
