//! The moves that a person notices or overlooks, and the moves that continue a plan.
//!
//! People see moves that are near the last moves, go forward or capture. They overlook moves that
//! go back, quiet moves, long moves, and moves of pieces that have stood still (Neiman and Afek,
//! *Invisible Chess Moves*, 2011). They follow a plan over several moves, and do not undo a move
//! without a reason.
//!
//! The module uses only the [noticeable features](NoticeableMoveFeatures) of moves, which the game
//! defines. Without features, all moves are equally easy to notice.

use std::cmp::Ordering;

use pentarch_core::{GameHistory, HasTurn, NoticeableMoveFeatures, Point, Searchable};

/// The number of plies of the game that a player remembers.
const REMEMBERED_PLIES: usize = 8;
/// The maximum distance between points that are near each other.
const NEAR_DISTANCE: u8 = 2;
/// The minimum distance between points that are far from each other.
const FAR_DISTANCE: u8 = 4;

/// An earlier move of the player.
struct EarlierOwnMove {
    features: Option<NoticeableMoveFeatures>,
    purpose: Option<u8>,
}

/// The last moves of a game, as the player to move remembers them.
pub(super) struct RememberedMoves {
    /// The player's own moves, the newest first.
    own: Vec<EarlierOwnMove>,
    /// The point that the opponent's last move reached.
    enemy_target: Option<Point>,
}

impl RememberedMoves {
    /// Returns the last moves of this game.
    pub(super) fn new<G: Searchable>(history: &GameHistory<G>) -> RememberedMoves {
        let rules = history.rules();
        let mut recent = RememberedMoves { own: Vec::new(), enemy_target: None };
        let skipped = history.len().saturating_sub(REMEMBERED_PLIES);
        for (position, mv) in history.positions_before_moves().zip(history.moves()).skip(skipped) {
            let eval_data = rules.compute_eval_data(position);
            let features = rules.noticeable_move_features(position, &eval_data)(mv);
            if position.side_to_move() == history.side_to_move() {
                let purpose = rules.move_purposes(position, &eval_data)(mv);
                recent.own.insert(0, EarlierOwnMove { features, purpose });
            } else {
                recent.enemy_target = features.map(|seen| seen.to);
            }
        }
        recent
    }

    /// Returns the purpose of the player's last move.
    pub(super) fn last_move_purpose(&self) -> Option<u8> {
        self.own.first()?.purpose
    }

    /// Returns how easily the player overlooks a move, in per cent of the average.
    pub(super) fn overlook_percent(&self, seen: NoticeableMoveFeatures) -> u32 {
        let is_near = self.distance_to_last_moves(seen).is_none_or(|steps| steps <= NEAR_DISTANCE);
        let is_far = self.is_far_from_last_moves(seen);
        let is_long = seen.from.is_some_and(|from| distance(from, seen.to) >= FAR_DISTANCE);
        let is_quiet = !seen.is_forcing && seen.progress != Ordering::Greater;
        let has_moved_lately =
            self.own.iter().filter_map(|own| own.features).any(|own| seen.from == Some(own.to));
        let factors = [
            (seen.is_forcing, 50),
            (seen.progress == Ordering::Less, 150),
            (is_quiet, 115),
            (is_near, 80),
            (is_far, 125),
            (is_long, 140),
            (has_moved_lately, 80),
        ];
        factors
            .iter()
            .filter(|(applies, _)| *applies)
            .fold(100, |sum, (_, factor)| sum * factor / 100)
    }

    /// Returns whether the move is far from the last move of each side.
    pub(super) fn is_far_from_last_moves(&self, seen: NoticeableMoveFeatures) -> bool {
        self.distance_to_last_moves(seen).is_some_and(|steps| steps >= FAR_DISTANCE)
    }

    /// Returns the distance between a move and the points that the last move of each side reached;
    /// `None` if there are no such moves.
    fn distance_to_last_moves(&self, seen: NoticeableMoveFeatures) -> Option<u8> {
        let own_target = self.own.first().and_then(|own| own.features).map(|own| own.to);
        let mut nearest = None;
        for point in [seen.from, Some(seen.to)].into_iter().flatten() {
            for target in [self.enemy_target, own_target].into_iter().flatten() {
                let steps = distance(point, target);
                nearest = Some(nearest.map_or(steps, |nearest: u8| nearest.min(steps)));
            }
        }
        nearest
    }

    /// Returns how much more a move appeals to the player than its score says. Positive: it goes
    /// forward or continues the plan. Negative: it goes back, or undoes a move.
    pub(super) fn appeal(&self, seen: Option<NoticeableMoveFeatures>, purpose: Option<u8>) -> i32 {
        let last = self.own.first();
        let mut appeal = 2 * i32::from(last.is_some_and(|last| last.purpose == purpose));
        let Some(seen) = seen else { return appeal };
        appeal += seen.progress as i32;
        let last = last.and_then(|last| last.features);
        appeal += i32::from(last.is_some_and(|last| seen.from == Some(last.to)));
        appeal - 6 * i32::from(self.goes_back(seen))
    }

    /// Returns whether the piece goes back to a point that it has left lately.
    fn goes_back(&self, seen: NoticeableMoveFeatures) -> bool {
        let mut at = seen.from;
        for own in self.own.iter().filter_map(|own| own.features) {
            if at == Some(own.to) {
                at = own.from;
                if at == Some(seen.to) {
                    return true;
                }
            }
        }
        false
    }
}

fn distance(one: Point, other: Point) -> u8 {
    one.file.abs_diff(other.file).max(one.rank.abs_diff(other.rank))
}
