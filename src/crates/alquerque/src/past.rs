//! The bans that the past of a position leaves by REQ.25, for proofs.

use pentarch_core::{BanSet, HistoryBans, MoveBans, Side};

use super::Alquerque;
use super::board::Direction;
use super::moves::Move;
use super::position::Position;

/// The directions in which Bell's movement allows steps that REQ.25.ALT.2 can forbid.
const SIDEWAYS: [Direction; 2] = [Direction(2), Direction(6)];

/// The bans of steps to the right and to the left from these points.
fn bans_of_steps([right, left]: [u32; 2]) -> BanSet {
    BanSet(u64::from(right) | u64::from(left) << 32)
}

impl HistoryBans for Alquerque {
    fn searched_position(&self, position: &Position) -> Position {
        Position { banned: position.effective_bans(self), full_move: 1, ..*position }
    }

    fn without_past_of(&self, position: &Position, side: Side) -> Position {
        let others = !position.men[side.index()];
        Position { banned: position.banned.map(|men| men & others), ..*position }
    }

    /// The bans are those of steps along the ranks. They are not all that the past does if a step forward is forbidden,
    /// which a position text can say although no game leads there.
    fn bans(&self, position: &Position) -> Option<[BanSet; 2]> {
        let forbidden = |side: Side, direction: Direction| {
            let (side, direction) = (side.index(), direction.index());
            position.banned[direction] & position.men[side] & self.step_from[side][direction]
        };
        let is_sound = |direction: &Direction| {
            SIDEWAYS.contains(direction)
                || Side::BOTH.iter().all(|&side| forbidden(side, *direction) == 0)
        };
        let applies = self.has_sideways_bans_only() && Direction::ALL.iter().all(is_sound);
        applies.then(|| {
            Side::BOTH
                .map(|side| bans_of_steps(SIDEWAYS.map(|direction| forbidden(side, direction))))
        })
    }

    fn binding_bans(&self, position: &Position) -> BanSet {
        let free = Position { banned: [0; 8], ..*position };
        let jumps = self.jumpers(position) != 0;
        let bound = |direction: Direction| {
            self.steppers(&free, direction) & position.banned[direction.index()]
        };
        if jumps { BanSet::NONE } else { bans_of_steps(SIDEWAYS.map(bound)) }
    }

    fn move_bans(&self, mv: Move) -> MoveBans {
        let step =
            SIDEWAYS.map(|direction| if mv.step() == Some(direction) { mv.from.bit() } else { 0 });
        let (to, captured) = mv.reach();
        MoveBans {
            against: bans_of_steps(step),
            decided: bans_of_steps([mv.from.bit() | to | captured; 2]),
        }
    }

    /// The relaxed rules are those in which REQ.25.ALT.3 binds only this side.
    fn relaxation_for(&self, side: Side) -> Option<Alquerque> {
        let binds = Side::BOTH.map(|bound| bound == side);
        (self.has_player_ban_only() && self.binds == [true; 2])
            .then(|| Alquerque { binds, ..self.clone() })
    }
}
