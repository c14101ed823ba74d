//! The evaluation cache of Alcaxar. For each knight it contains the distance to the enemy fortress,
//! the exits, and whether the side threatens to win.

use pentarch_core::Side;

use super::bitboard::{OpenPassages, adjacent_wall_slots, square_bitboard, wall_turn_targets};
use super::board::Board;
use super::position::Position;

/// The greatest distance of a knight to the enemy fortress, in steps. This is also the distance if
/// the path is longer or if there is none, because walls will turn before a knight could walk such
/// a path.
pub(crate) const MAX_FORTRESS_DISTANCE: u32 = 9;

/// Data about an undecided position, for evaluation and move ordering. Each field has a value for
/// each side. Sets of squares and slots are [bitboards](super::bitboard).
///
/// Only `closing`, `closable`, `safe_distance` and `can_win` depend on the side to move. The reason
/// is that the last moved wall and its neighbours are blocked only for the side to move.
#[derive(Debug, Clone, Copy, Default)]
pub struct PositionEvalData {
    /// The squares to which the knight can step.
    pub accessible: [u64; 2],
    /// The exits of the knight: the empty slots between its square and the neighbouring squares
    /// that the other knight does not occupy.
    pub exits: [u64; 2],
    /// The slots into which the enemy could turn a wall without opening an exit, if it were the
    /// enemy's turn.
    pub closing: [u64; 2],
    /// The exits of the knight that the enemy could close by turning a wall into a `closing` slot.
    pub closable: [u64; 2],
    /// The knight's distance to the enemy fortress, in steps round the walls. The other knight is
    /// ignored.
    pub distance: [u32; 2],
    /// The squares that are nearer to the enemy fortress than the knight's square, along open
    /// passages.
    pub nearer: [u64; 2],
    /// The knight's distance to the enemy fortress if walls were also in all slots of `closing`.
    pub safe_distance: [u32; 2],
    /// Whether the side could win at once if it had the move.
    pub can_win: [bool; 2],
}

impl PositionEvalData {
    /// Computes the cache of an undecided position.
    pub fn new(board: &Board, position: &Position) -> PositionEvalData {
        let walls = position.walls;
        let passages = OpenPassages::for_walls(walls);
        let knights = position.knights.map(square_bitboard);
        let both = knights[0] | knights[1];
        let mut cache = PositionEvalData::default();
        for side in Side::BOTH_SIDES {
            let at = side.index();
            let other = (!side).index();
            let gates = adjacent_wall_slots(knights[at]) & !adjacent_wall_slots(knights[other]);
            let target = square_bitboard(Position::target_fortress(side));
            let blocked = if position.side == side { 0 } else { position.blocked_slots(board) };
            let closing = wall_turn_targets(walls, walls & !blocked & !gates, both);
            cache.closing[at] = closing;
            cache.accessible[at] = passages.neighbours(knights[at]) & !both;
            cache.exits[at] = gates & !walls;
            cache.closable[at] = cache.exits[at] & closing;
            (cache.distance[at], cache.nearer[at]) =
                passages.distance_and_nearer_squares(knights[at], target, MAX_FORTRESS_DISTANCE);
            cache.safe_distance[at] = OpenPassages::for_walls(walls | closing)
                .distance_and_nearer_squares(knights[at], target, MAX_FORTRESS_DISTANCE)
                .0;
        }
        for side in Side::BOTH_SIDES {
            let at = side.index();
            let other = (!side).index();
            let enters =
                cache.accessible[at] & square_bitboard(Position::target_fortress(side)) != 0;
            let has_one_exit = cache.exits[other].is_power_of_two();
            let blocks = cache.accessible[other] & cache.accessible[at] != 0;
            let traps = has_one_exit && (cache.closable[other] != 0 || blocks);
            cache.can_win[at] = enters || traps;
        }
        cache
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::Alcaxar;
    use super::super::board::{KnightStep, iter_slots};
    use super::super::moves::{Move, find_immediate_win, generate_moves};
    use super::*;
    use pentarch_core::{Evaluate, MIN_NOISY_ORDERING_SCORE};

    /// Calls `check` with each undecided position of random games.
    pub(crate) fn for_each_random_position(mut check: impl FnMut(&Board, &Position)) {
        let board = Board::default();
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut position = Position::start();
            while position.outcome(&board).is_none() && position.full_move < 60 {
                check(&board, &position);
                let mut moves = Vec::new();
                generate_moves(&board, &position, &mut moves);
                position = position.play(moves[rng.usize(..moves.len())]);
            }
        }
    }

    /// Returns the position with this side to move, and the legal moves in it. If the other side is
    /// to move in `position`, it makes a null move first.
    fn moves_for_side(board: &Board, position: &Position, side: Side) -> (Position, Vec<Move>) {
        let last_wall = position.last_wall.filter(|_| position.side == side);
        let position = Position { side, last_wall, ..*position };
        let mut moves = Vec::new();
        generate_moves(board, &position, &mut moves);
        (position, moves)
    }

    #[test]
    fn turn_targets_match_the_table_of_turns() {
        for_each_random_position(|board, position| {
            let walls = position.walls;
            let knights = position.knights.map(square_bitboard);
            let movers = walls & !position.blocked_slots(board);
            let turns = iter_slots(movers).flat_map(|from| &board.turns[usize::from(from.0)]);
            let clear = turns.filter(|turn| turn.is_path_clear(walls, position.knight_squares()));
            let expected = clear.fold(0, |set, turn| set | turn.to.bit());
            assert_eq!(
                wall_turn_targets(walls, movers, knights[0] | knights[1]),
                expected,
                "{position:?}"
            );
        });
    }

    #[test]
    fn exits_and_closable_exits_match_the_legal_moves() {
        for_each_random_position(|board, position| {
            let cache = PositionEvalData::new(board, position);
            for side in Side::BOTH_SIDES {
                let own = position.knight(side);
                let enemy = position.knight(!side);
                let squares = board
                    .knight_step_targets(own, enemy, position.walls)
                    .fold(0, |set, to| set | square_bitboard(to));
                assert_eq!(cache.accessible[side.index()], squares, "{position:?}");
                let steps = &board.steps[usize::from(own.0)];
                let gates = steps
                    .iter()
                    .filter(|step| step.to != enemy)
                    .fold(0, |set, step| set | step.gate);
                assert_eq!(cache.exits[side.index()], gates & !position.walls, "{position:?}");
                let closed = |mv: Move| match mv {
                    Move::Wall { from, to } if from.bit() & gates == 0 => to.bit() & gates,
                    _ => 0,
                };
                let (_, moves) = moves_for_side(board, position, !side);
                let closable = moves.into_iter().fold(0, |set, mv| set | closed(mv));
                assert_eq!(cache.closable[side.index()], closable, "{position:?}");
            }
        });
    }

    #[test]
    fn can_win_matches_the_legal_moves() {
        for_each_random_position(|board, position| {
            let cache = PositionEvalData::new(board, position);
            for side in Side::BOTH_SIDES {
                let (position, moves) = moves_for_side(board, position, side);
                let wins = |mv: &Move| position.play(*mv).outcome(board).is_some();
                let winning: Vec<Move> = moves.into_iter().filter(wins).collect();
                assert_eq!(cache.can_win[side.index()], !winning.is_empty(), "{position:?}");
                let found = find_immediate_win(board, &position, &cache);
                assert_eq!(found.is_some(), !winning.is_empty(), "{position:?}");
                assert!(found.is_none_or(|mv| winning.contains(&mv)), "{position:?} {found:?}");
            }
        });
    }

    #[test]
    fn only_moves_that_win_at_once_are_noisy() {
        let rules = Alcaxar::default();
        for_each_random_position(|board, position| {
            let cache = PositionEvalData::new(board, position);
            let ordering_score = rules.move_ordering_scores(position, &cache);
            for mv in moves_for_side(board, position, position.side).1 {
                let wins = position.play(mv).outcome(board).is_some();
                assert_eq!(
                    ordering_score(mv) >= MIN_NOISY_ORDERING_SCORE,
                    wins,
                    "{position:?} {mv:?}"
                );
            }
        });
    }

    #[test]
    fn distances_are_shortest_paths_round_the_walls() {
        for_each_random_position(|board, position| {
            let cache = PositionEvalData::new(board, position);
            for side in Side::BOTH_SIDES {
                // The distance from every square to the fortress, computed by relaxation over all
                // steps.
                let mut distances = [MAX_FORTRESS_DISTANCE; 16];
                distances[usize::from(Position::target_fortress(side).0)] = 0;
                for _ in 0..MAX_FORTRESS_DISTANCE {
                    for (from, steps) in board.steps.iter().enumerate() {
                        let open = steps.iter().filter(|step| step.gate & position.walls == 0);
                        let shorter_distance = |least: u32, step: &KnightStep| {
                            least.min(distances[usize::from(step.to.0)] + 1)
                        };
                        distances[from] = open.fold(distances[from], shorter_distance);
                    }
                }
                let distance = distances[usize::from(position.knight(side).0)];
                assert_eq!(cache.distance[side.index()], distance, "{position:?}");
                assert!(cache.safe_distance[side.index()] >= distance, "{position:?}");
                for to in board.knight_step_targets(
                    position.knight(side),
                    position.knight(!side),
                    position.walls,
                ) {
                    let nearer =
                        distance < MAX_FORTRESS_DISTANCE && distances[usize::from(to.0)] < distance;
                    assert_eq!(
                        cache.nearer[side.index()] & square_bitboard(to) != 0,
                        nearer,
                        "{position:?}"
                    );
                }
            }
        });
    }
}
