//! The bans that the past of a position leaves by REQ.25, for proofs.

use pentarch_core::{BanSet, HistoryBans, MoveBans, Side};

use super::Alquerque;
use super::board::Direction;
use super::moves::{Move, MoveEffect};
use super::position::Position;

/// The directions in which Bell's movement allows steps that REQ.25.ALT.2 can forbid: right and
/// left.
const SIDEWAYS_DIRECTIONS: [Direction; 2] = [Direction(2), Direction(6)];

/// Returns the bans of steps from these points, in the order of [`SIDEWAYS_DIRECTIONS`].
fn sideways_bans([right, left]: [u32; 2]) -> BanSet {
    BanSet(u64::from(right) | u64::from(left) << 32)
}

impl HistoryBans for Alquerque {
    fn searched_position(&self, position: &Position) -> Position {
        Position { banned: position.effective_bans(self), full_move: 1, ..*position }
    }

    fn without_past_of(&self, position: &Position, side: Side) -> Position {
        let others = !position.checkers[side.index()];
        Position { banned: position.banned.map(|set| set & others), ..*position }
    }

    /// Returns the bans of steps along the ranks. If a step forward is forbidden, these bans are
    /// not the whole effect of the past. A position string can forbid such a step, although no game
    /// leads there.
    fn bans(&self, position: &Position) -> Option<[BanSet; 2]> {
        let forbidden = |side: Side, direction: Direction| {
            position.banned[direction.index()]
                & position.checkers[side.index()]
                & self.step_starts[side.index()][direction.index()]
        };
        let is_complete = |direction: &Direction| {
            SIDEWAYS_DIRECTIONS.contains(direction)
                || Side::BOTH.iter().all(|&side| forbidden(side, *direction) == 0)
        };
        if !self.has_sideways_bans_only() || !Direction::ALL.iter().all(is_complete) {
            return None;
        }
        Some(Side::BOTH.map(|side| {
            sideways_bans(SIDEWAYS_DIRECTIONS.map(|direction| forbidden(side, direction)))
        }))
    }

    fn binding_bans(&self, position: &Position) -> BanSet {
        if self.jumpers(position) != 0 {
            return BanSet::NONE;
        }
        let free = Position { banned: [0; 8], ..*position };
        sideways_bans(
            SIDEWAYS_DIRECTIONS.map(|direction| {
                self.steppers(&free, direction) & position.banned[direction.index()]
            }),
        )
    }

    fn move_bans(&self, mv: Move) -> MoveBans {
        let step = SIDEWAYS_DIRECTIONS
            .map(|direction| if mv.step() == Some(direction) { mv.from.bit() } else { 0 });
        let MoveEffect { to, captured } = mv.effect();
        MoveBans {
            against: sideways_bans(step),
            decided: sideways_bans([mv.from.bit() | to | captured; 2]),
        }
    }

    /// Returns the rules in which REQ.25.ALT.3 binds only this side.
    fn relaxation_for(&self, side: Side) -> Option<Alquerque> {
        let retreat_binds = Side::BOTH.map(|bound| bound == side);
        (self.has_player_ban_only() && self.retreat_binds == [true; 2])
            .then(|| Alquerque { retreat_binds, ..self.clone() })
    }
}
