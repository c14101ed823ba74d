//! The evaluation of Quoridor for four: the distances of the pawns to their goals, and the walls
//! left.
//!
//! The most important pawn of a side is the one nearest to its goal, because one pawn on its goal
//! is enough to win. The weights are set by hand.

use pentarch_core::{Evaluate, HasTurn, MIN_NOISY_ORDERING_SCORE, QuiescenceState, Side};

use super::super::moves::Move;
use super::super::shortest_paths::ShortestPaths;
use super::super::square_sets::{FILE_STRIDE, PassageSet};
use super::super::walls::Walls;
use super::position::Position;
use super::{QuoridorForFour, moves};

/// The move ordering score of a pawn move that brings the pawn nearer to its goal.
const GOAL_APPROACH_ORDERING_SCORE: i32 = 200;
/// The move ordering score of a wall across the path of the enemy pawn nearest to its goal.
const ENEMY_PATH_WALL_ORDERING_SCORE: i32 = 150;
/// The move ordering score of a wall across the mover's own path.
const OWN_PATH_WALL_ORDERING_SCORE: i32 = -100;

/// Data derived from a position for evaluation and move ordering.
#[derive(Debug, Default)]
pub struct PositionEvalData {
    /// The passages that the walls leave open.
    open: PassageSet,
    paths: [ShortestPaths; 4],
}

impl PositionEvalData {
    /// Returns two numbers of steps for a side: from the pawn that is nearest to its goal, and from
    /// the second nearest pawn. If the side has only one pawn, both numbers are equal.
    fn path_lengths_of_nearest_two_pawns(&self, position: &Position, side: Side) -> [i32; 2] {
        let mut lengths = [0, 1, 2, 3].map(|player| {
            let is_own = position.mover.side_containing_player(player) == side;
            if is_own { self.paths[player].length as i32 } else { i32::MAX }
        });
        lengths.sort_unstable();
        [lengths[0], if lengths[1] == i32::MAX { lengths[0] } else { lengths[1] }]
    }
}

impl Evaluate for QuoridorForFour {
    type PositionEvalData = PositionEvalData;

    const HISTORY_TABLE_SIZE: usize = 3 * FILE_STRIDE as usize * FILE_STRIDE as usize;

    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] = &[
        ("steps to the goal", -1000),
        ("steps of the second pawn", -200),
        ("walls left per two players", 150),
        ("the move", 400),
    ];

    fn expected_moves_left(&self, moves_made: u32) -> u32 {
        self.board.expected_moves_left(moves_made)
    }

    fn compute_eval_data(&self, position: &Position) -> PositionEvalData {
        let open = position.open_passages(&self.board);
        let shortest_paths = |player: usize| {
            open.shortest_paths(position.pawns[player].bit(), self.goals[player])
                .unwrap_or_default()
        };
        PositionEvalData { open, paths: [0, 1, 2, 3].map(shortest_paths) }
    }

    fn visit_features(
        &self,
        position: &Position,
        cache: &PositionEvalData,
        mut feature: impl FnMut([i32; 2]),
    ) {
        let lengths =
            Side::BOTH_SIDES.map(|side| cache.path_lengths_of_nearest_two_pawns(position, side));
        feature(lengths.map(|lengths| lengths[0]));
        feature(lengths.map(|lengths| lengths[1]));
        feature(Side::BOTH_SIDES.map(|side| {
            let own =
                (0..4).filter(|&player| position.mover.side_containing_player(player) == side);
            let (sum, players) = own.fold((0, 0), |(sum, players), player| {
                (sum + i32::from(position.walls_left[player]), players + 1)
            });
            2 * sum / players.max(1)
        }));
        feature(position.side_to_move().one_sided_pair(1));
    }

    fn quiescence_state(&self, position: &Position, cache: &PositionEvalData) -> QuiescenceState {
        let can_win = |player: usize| {
            moves::pawn_targets(&position.pawns, player, cache.open) & self.goals[player] != 0
        };
        let side = position.side_to_move();
        if can_win(position.player_index()) {
            QuiescenceState::Noisy
        } else if (0..4)
            .any(|player| position.mover.side_containing_player(player) != side && can_win(player))
        {
            QuiescenceState::Forced
        } else {
            QuiescenceState::Quiet
        }
    }

    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Position,
        cache: &'a PositionEvalData,
    ) -> impl Fn(Move) -> i32 + 'a {
        let own = position.player_index();
        let side = position.side_to_move();
        let enemies =
            (0..4).filter(|&player| position.mover.side_containing_player(player) != side);
        let nearest = enemies.min_by_key(|&player| cache.paths[player].length).unwrap_or(own);
        let crossing = |player: usize| -> Walls { cache.paths[player].path.crossing_walls() };
        let on_own_path = crossing(own);
        let on_enemy_path = crossing(nearest);
        move |mv| match mv {
            Move::Pawn(to) if to.bit() & self.goals[own] != 0 => MIN_NOISY_ORDERING_SCORE,
            Move::Pawn(to) => {
                GOAL_APPROACH_ORDERING_SCORE
                    * i32::from(cache.paths[own].nearer_squares & to.bit() != 0)
            }
            Move::Wall(wall) => {
                ENEMY_PATH_WALL_ORDERING_SCORE * i32::from(on_enemy_path.contains(wall))
                    + OWN_PATH_WALL_ORDERING_SCORE * i32::from(on_own_path.contains(wall))
            }
        }
    }

    fn history_table_index(&self, mv: Move) -> usize {
        mv.history_table_index()
    }
}
