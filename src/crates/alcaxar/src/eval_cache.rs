//! The evaluation cache of Alcaxar: for each knight the distance to the enemy fortress, its exits, and the threat to
//! win.

use pentarch_core::Side;

use super::bitboard::{Passages, bitboard, gates, turn_targets};
use super::board::Board;
use super::position::Position;

/// The greatest distance in steps. Longer ways, and no way at all, count the same, because walls will have been turned
/// before such a way is walked.
pub const MAX_DISTANCE: u32 = 9;

/// What evaluation and move ordering derive from an undecided position, for each side. Sets are
/// [bitboards](super::bitboard).
///
/// Only `closing`, `closable`, `safe_distance` and `can_win` depend on the side to move, because the walls that are
/// blocked now are so only for that side.
#[derive(Debug, Clone, Copy, Default)]
pub struct EvalCache {
    /// The squares to which the knight can step.
    pub accessible: [u64; 2],
    /// The exits of the knight's square: the empty slots through which the knight can step to these squares.
    pub exits: [u64; 2],
    /// The slots into which the enemy could turn a wall if it were to move, without opening an exit by that.
    pub closing: [u64; 2],
    /// The exits that the enemy could close so.
    pub closable: [u64; 2],
    /// The distance of the knight to the enemy fortress in steps round the walls, the other knight ignored.
    pub distance: [u32; 2],
    /// The squares that are nearer to the enemy fortress than the knight.
    pub nearer: [u64; 2],
    /// The distance of the knight to the enemy fortress if a wall stood also in each slot into which the enemy could
    /// turn one.
    pub safe_distance: [u32; 2],
    /// Whether the side could win at once if it were to move.
    pub can_win: [bool; 2],
}

impl EvalCache {
    /// The cache of an undecided position.
    pub fn new(board: &Board, position: &Position) -> EvalCache {
        let walls = position.walls;
        let passages = Passages::between(walls);
        let knights = position.knights.map(bitboard);
        let both = knights[0] | knights[1];
        let mut cache = EvalCache::default();
        for side in Side::BOTH {
            let (at, other) = (side.index(), (!side).index());
            let inner = gates(knights[at]) & !gates(knights[other]);
            let target = bitboard(Position::target(side));
            let blocked = if position.side == side { 0 } else { position.blocked(board) };
            let closing = turn_targets(walls, walls & !blocked & !inner, both);
            cache.closing[at] = closing;
            cache.accessible[at] = passages.neighbours(knights[at]) & !both;
            cache.exits[at] = inner & !walls;
            cache.closable[at] = cache.exits[at] & closing;
            (cache.distance[at], cache.nearer[at]) =
                passages.distance(knights[at], target, MAX_DISTANCE);
            cache.safe_distance[at] =
                Passages::between(walls | closing).distance(knights[at], target, MAX_DISTANCE).0;
        }
        for side in Side::BOTH {
            let (at, other) = (side.index(), (!side).index());
            let enters = cache.accessible[at] & bitboard(Position::target(side)) != 0;
            let has_one_exit = cache.exits[other].is_power_of_two();
            let blocks = cache.accessible[other] & cache.accessible[at] != 0;
            let traps = has_one_exit && (cache.closable[other] != 0 || blocks);
            cache.can_win[at] = enters || traps;
        }
        cache
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::Alcaxar;
    use super::super::board::{Step, slots};
    use super::super::moves::{Move, generate};
    use super::*;
    use pentarch_core::{Evaluate, NOISY};

    /// Calls `check` for the undecided positions of random games.
    pub fn in_random_games(mut check: impl FnMut(&Board, &Position)) {
        let board = Board::default();
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut position = Position::start();
            while position.outcome(&board).is_none() && position.full_move < 60 {
                check(&board, &position);
                let mut moves = Vec::new();
                generate(&board, &position, &mut moves);
                position = position.play(moves[rng.usize(..moves.len())]);
            }
        }
    }

    /// The legal moves of a side in the position, or after a null move if it is not to move.
    fn moves(board: &Board, position: &Position, side: Side) -> (Position, Vec<Move>) {
        let last_wall = position.last_wall.filter(|_| position.side == side);
        let position = Position { side, last_wall, ..*position };
        let mut moves = Vec::new();
        generate(board, &position, &mut moves);
        (position, moves)
    }

    #[test]
    fn turns_reach_what_the_table_of_turns_says() {
        in_random_games(|board, position| {
            let (walls, knights) = (position.walls, position.knights.map(bitboard));
            let movers = walls & !position.blocked(board);
            let turns = slots(movers).flat_map(|from| &board.turns[usize::from(from.0)]);
            let clear = turns.filter(|turn| turn.is_clear(walls, position.knight_set()));
            let expected = clear.fold(0, |set, turn| set | turn.to.bit());
            assert_eq!(
                turn_targets(walls, movers, knights[0] | knights[1]),
                expected,
                "{position:?}"
            );
        });
    }

    #[test]
    fn exits_and_closable_ones_are_those_of_the_moves() {
        in_random_games(|board, position| {
            let cache = EvalCache::new(board, position);
            for side in Side::BOTH {
                let (own, enemy) = (position.knight(side), position.knight(!side));
                let squares = board
                    .accessible(own, enemy, position.walls)
                    .fold(0, |set, to| set | bitboard(to));
                assert_eq!(cache.accessible[side.index()], squares, "{position:?}");
                let steps = &board.steps[usize::from(own.0)];
                let inner = steps
                    .iter()
                    .filter(|step| step.to != enemy)
                    .fold(0, |set, step| set | step.gate);
                assert_eq!(cache.exits[side.index()], inner & !position.walls, "{position:?}");
                let closed = |mv: Move| match mv {
                    Move::Wall { from, to } if from.bit() & inner == 0 => to.bit() & inner,
                    _ => 0,
                };
                let (_, moves) = moves(board, position, !side);
                let closable = moves.into_iter().fold(0, |set, mv| set | closed(mv));
                assert_eq!(cache.closable[side.index()], closable, "{position:?}");
            }
        });
    }

    #[test]
    fn a_side_wins_at_once_exactly_if_one_of_its_moves_does() {
        in_random_games(|board, position| {
            let cache = EvalCache::new(board, position);
            for side in Side::BOTH {
                let (position, moves) = moves(board, position, side);
                let wins = moves.into_iter().any(|mv| position.play(mv).outcome(board).is_some());
                assert_eq!(cache.can_win[side.index()], wins, "{position:?}");
            }
        });
    }

    #[test]
    fn noisy_moves_are_those_that_win_at_once() {
        let rules = Alcaxar::default();
        in_random_games(|board, position| {
            let cache = EvalCache::new(board, position);
            let ordering_score = rules.move_ordering_scores(position, &cache);
            for mv in moves(board, position, position.side).1 {
                let wins = position.play(mv).outcome(board).is_some();
                assert_eq!(ordering_score(mv) >= NOISY, wins, "{position:?} {mv:?}");
            }
        });
    }

    #[test]
    fn distances_are_the_shortest_round_the_walls() {
        in_random_games(|board, position| {
            let cache = EvalCache::new(board, position);
            for side in Side::BOTH {
                // The distance of every square to the fortress, by relaxation over all steps.
                let mut distances = [MAX_DISTANCE; 16];
                distances[usize::from(Position::target(side).0)] = 0;
                for _ in 0..MAX_DISTANCE {
                    for (from, steps) in board.steps.iter().enumerate() {
                        let open = steps.iter().filter(|step| step.gate & position.walls == 0);
                        let relax = |least: u32, step: &Step| {
                            least.min(distances[usize::from(step.to.0)] + 1)
                        };
                        distances[from] = open.fold(distances[from], relax);
                    }
                }
                let distance = distances[usize::from(position.knight(side).0)];
                assert_eq!(cache.distance[side.index()], distance, "{position:?}");
                assert!(cache.safe_distance[side.index()] >= distance, "{position:?}");
                for to in
                    board.accessible(position.knight(side), position.knight(!side), position.walls)
                {
                    let nearer = distance < MAX_DISTANCE && distances[usize::from(to.0)] < distance;
                    assert_eq!(
                        cache.nearer[side.index()] & bitboard(to) != 0,
                        nearer,
                        "{position:?}"
                    );
                }
            }
        });
    }
}
