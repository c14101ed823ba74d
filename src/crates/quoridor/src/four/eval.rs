//! The evaluation of Quoridor for four: the distances of the pawns to their goals, and the walls in hand.
//!
//! Each side counts by the pawn that is nearest to its goal, since one pawn at home is enough. The weights are set by
//! hand.

use pentarch_core::{Evaluate, NOISY, QuiescenceState, Side, Turn};

use super::super::moves::Move;
use super::super::paths::ShortestPaths;
use super::super::sets::{Passages, STRIDE};
use super::super::walls::Walls;
use super::position::Position;
use super::{QuoridorForFour, moves};

/// Move ordering: the score of a pawn move that shortens the distance to the goal.
const NEARER: i32 = 200;
/// Move ordering: the score of a wall across the path of the other side's nearest pawn.
const IN_THE_WAY: i32 = 150;
/// Move ordering: what is added for a wall across one's own path.
const IN_OWN_WAY: i32 = -100;

/// What evaluation and move ordering derive from a position.
#[derive(Debug, Default)]
pub struct EvalCache {
    /// The passages that the walls leave open.
    open: Passages,
    /// The shortest paths of the pawns.
    paths: [ShortestPaths; 4],
}

impl EvalCache {
    /// The lengths of the paths of a side's pawns, the shortest and the second, which is the same if it has one pawn.
    fn lengths(&self, position: &Position, side: Side) -> [i32; 2] {
        let is_own = |player: usize| position.mover.side_of(player) == side;
        let length =
            |player| if is_own(player) { self.paths[player].length as i32 } else { i32::MAX };
        let mut lengths = [0, 1, 2, 3].map(length);
        lengths.sort_unstable();
        [lengths[0], if lengths[1] == i32::MAX { lengths[0] } else { lengths[1] }]
    }
}

impl Evaluate for QuoridorForFour {
    type EvalCache = EvalCache;

    const HISTORY_SIZE: usize = 3 * STRIDE as usize * STRIDE as usize;

    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] = &[
        ("steps to the goal", -1000),
        ("steps of the second pawn", -200),
        ("walls left per two players", 150),
        ("the move", 400),
    ];

    fn eval_cache(&self, position: &Position) -> EvalCache {
        let open = position.open(&self.board);
        let path = |player: usize| {
            open.shortest_paths(position.pawns[player].bit(), self.goals[player])
                .unwrap_or_default()
        };
        EvalCache { open, paths: [0, 1, 2, 3].map(path) }
    }

    fn features(&self, position: &Position, cache: &EvalCache, mut feature: impl FnMut([i32; 2])) {
        let lengths = Side::BOTH.map(|side| cache.lengths(position, side));
        feature(lengths.map(|lengths| lengths[0]));
        feature(lengths.map(|lengths| lengths[1]));
        feature(Side::BOTH.map(|side| {
            let own = (0..4).filter(|&player| position.mover.side_of(player) == side);
            let (sum, players) = own.fold((0, 0), |(sum, players), player| {
                (sum + i32::from(position.walls_left[player]), players + 1)
            });
            2 * sum / players.max(1)
        }));
        feature(position.side_to_move().only(1));
    }

    fn quiescence_state(&self, position: &Position, cache: &EvalCache) -> QuiescenceState {
        let can_win = |player: usize| {
            moves::targets(&position.pawns, player, cache.open) & self.goals[player] != 0
        };
        let side = position.side_to_move();
        if can_win(position.player()) {
            QuiescenceState::Noisy
        } else if (0..4).any(|player| position.mover.side_of(player) != side && can_win(player)) {
            QuiescenceState::Forced
        } else {
            QuiescenceState::Quiet
        }
    }

    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Position,
        cache: &'a EvalCache,
    ) -> impl Fn(Move) -> i32 + 'a {
        let (own, side) = (position.player(), position.side_to_move());
        let nearest = (0..4).filter(|&player| position.mover.side_of(player) != side);
        let nearest = nearest.min_by_key(|&player| cache.paths[player].length).unwrap_or(own);
        let crossing = |player: usize| -> Walls { cache.paths[player].path.crossed_by() };
        let (in_own_way, in_the_way) = (crossing(own), crossing(nearest));
        move |mv| match mv {
            Move::Pawn(to) if to.bit() & self.goals[own] != 0 => NOISY,
            Move::Pawn(to) => NEARER * i32::from(cache.paths[own].nearer & to.bit() != 0),
            Move::Wall(wall) => {
                IN_THE_WAY * i32::from(in_the_way.contains(wall))
                    + IN_OWN_WAY * i32::from(in_own_way.contains(wall))
            }
        }
    }

    fn history_index(&self, mv: Move) -> usize {
        mv.history_index()
    }
}
