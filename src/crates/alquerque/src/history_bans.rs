//! Finds the steps that REQ.25 forbids because of earlier moves. Proofs use these bans.

use pentarch_core::{BanSet, HistoryBans, MoveBans, Side};

use super::Alquerque;
use super::board::Direction;
use super::moves::{Move, MoveEffect};
use super::position::Position;

/// The directions right and left. With Bell's movement, REQ.25.ALT.2 can only forbid steps in these
/// directions.
const SIDEWAYS_DIRECTIONS: [Direction; 2] = [Direction(2), Direction(6)];

/// Returns the bans of steps to the right from the points in `right`, and to the left from those in
/// `left`.
fn sideways_bans([right, left]: [u32; 2]) -> BanSet {
    BanSet(u64::from(right) | u64::from(left) << 32)
}

impl HistoryBans for Alquerque {
    fn search_key_position(&self, position: &Position) -> Position {
        Position { banned: position.effective_step_bans(self), full_move: 1, ..*position }
    }

    fn position_without_past_moves_of(&self, position: &Position, side: Side) -> Position {
        let others = !position.checkers[side.index()];
        Position { banned: position.banned.map(|set| set & others), ..*position }
    }

    /// Returns the banned steps along the ranks, for each side. A position string can also forbid a
    /// step forward, although this never happens in a game. In that case returns `None`, because
    /// the bans along the ranks would not be the only effect of the past.
    fn position_bans(&self, position: &Position) -> Option<[BanSet; 2]> {
        let forbidden = |side: Side, direction: Direction| {
            position.banned[direction.index()]
                & position.checkers[side.index()]
                & self.step_start_points[side.index()][direction.index()]
        };
        let is_complete = |direction: &Direction| {
            SIDEWAYS_DIRECTIONS.contains(direction)
                || Side::BOTH_SIDES.iter().all(|&side| forbidden(side, *direction) == 0)
        };
        if !self.has_sideways_bans_only() || !Direction::ALL.iter().all(is_complete) {
            return None;
        }
        Some(Side::BOTH_SIDES.map(|side| {
            sideways_bans(SIDEWAYS_DIRECTIONS.map(|direction| forbidden(side, direction)))
        }))
    }

    fn bans_on_mover(&self, position: &Position) -> BanSet {
        if self.jumping_checkers(position) != 0 {
            return BanSet::NO_BANS;
        }
        let free = Position { banned: [0; 8], ..*position };
        sideways_bans(SIDEWAYS_DIRECTIONS.map(|direction| {
            self.stepping_checkers(&free, direction) & position.banned[direction.index()]
        }))
    }

    fn bans_of_move(&self, mv: Move) -> MoveBans {
        let step = SIDEWAYS_DIRECTIONS.map(|direction| {
            if mv.step_direction() == Some(direction) { mv.from.bit() } else { 0 }
        });
        let MoveEffect { to, captured } = mv.effect();
        MoveBans {
            against: sideways_bans(step),
            decided: sideways_bans([mv.from.bit() | to | captured; 2]),
        }
    }

    /// Returns these rules, except that REQ.25.ALT.3 binds only this side. Returns `None` if
    /// REQ.25.ALT.3 does not bind both sides, or if earlier moves affect the game in any other way.
    fn rules_relaxed_for_proof(&self, side: Side) -> Option<Alquerque> {
        let retreat_binds = Side::BOTH_SIDES.map(|bound| bound == side);
        (self.has_player_retreat_ban_only() && self.retreat_binds == [true; 2])
            .then(|| Alquerque { retreat_binds, ..self.clone() })
    }
}
