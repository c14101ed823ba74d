//! What threatens in a position of Alcaxar, and how far everybody has to go.

use crate::core::Side;

use super::areas::{Ways, area, gates, reachable};
use super::board::Board;
use super::position::Position;

/// The longest way that counts: walls will have turned before a longer one is walked. No way at all counts the same.
pub const FAR: u32 = 9;

/// What is known of a position beyond its men. Everything but `closable` and `wins` ignores whose turn it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Insight {
    /// The squares accessible to either knight, as areas.
    pub room: [u64; 2],
    /// The slots through which it would step there.
    pub open: [u64; 2],
    /// Those of them that the enemy, were it his turn, could close by turning a wall that opens none.
    pub closable: [u64; 2],
    /// How far either knight is from the enemy fortress round the walls, the other knight ignored.
    pub way: [u32; 2],
    /// The squares nearer to the fortress by walking.
    pub nearer: [u64; 2],
    /// How far it is if every wall the enemy could turn stood in every slot that he could turn it to.
    pub safe_way: [u32; 2],
    /// Whether either side, were it its turn, could win at once. The walls blocked now are so for the side to move.
    pub wins: [bool; 2],
}

impl Insight {
    /// Looks at an undecided position.
    pub fn of(board: &Board, position: &Position) -> Insight {
        let walls = position.walls;
        let ways = Ways::between(walls);
        let knights = position.knights.map(area);
        let both = knights[0] | knights[1];
        let mut insight = Insight::default();
        for side in Side::BOTH {
            let (at, other) = (side.index(), (!side).index());
            let inner = gates(knights[at]) & !gates(knights[other]);
            let target = area(Position::target(side));
            // What the enemy could do about it.
            let blocked = if position.side == side { 0 } else { position.blocked(board) };
            let reach = reachable(walls, walls & !blocked & !inner, both);
            insight.room[at] = ways.steps(knights[at]) & !both;
            insight.open[at] = inner & !walls;
            insight.closable[at] = insight.open[at] & reach;
            (insight.way[at], insight.nearer[at]) = ways.distance(knights[at], target, FAR);
            insight.safe_way[at] = Ways::between(walls | reach).distance(knights[at], target, FAR).0;
        }
        for side in Side::BOTH {
            let (at, other) = (side.index(), (!side).index());
            let enters = insight.room[at] & area(Position::target(side)) != 0;
            let cornered = insight.open[other].is_power_of_two();
            let traps = cornered && (insight.closable[other] != 0 || insight.room[other] & insight.room[at] != 0);
            insight.wins[at] = enters || traps;
        }
        insight
    }
}

#[cfg(test)]
mod tests {
    use super::super::Alcaxar;
    use super::super::board::slots;
    use super::super::moves::{Move, generate};
    use super::*;
    use crate::core::{Evaluate, Game, NOISY, Options};

    /// Calls `check` for the undecided positions of random games.
    fn in_random_games(check: impl Fn(&Board, &Position)) {
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

    /// The legal moves of a side, which if it is not its turn gets it by a passed one.
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
            let (walls, knights) = (position.walls, position.knights.map(area));
            let movers = walls & !position.blocked(board);
            let turns = slots(movers).flat_map(|from| &board.turns[usize::from(from.0)]);
            let clear = turns.filter(|turn| turn.is_clear(walls, position.knight_set()));
            let expected = clear.fold(0, |set, turn| set | turn.to.bit());
            assert_eq!(reachable(walls, movers, knights[0] | knights[1]), expected, "{position:?}");
        });
    }

    #[test]
    fn room_and_closable_ways_are_those_of_the_moves() {
        in_random_games(|board, position| {
            let insight = Insight::of(board, position);
            for side in Side::BOTH {
                let (own, enemy) = (position.knight(side), position.knight(!side));
                let squares = board.accessible(own, enemy, position.walls).fold(0, |set, to| set | area(to));
                assert_eq!(insight.room[side.index()], squares, "{position:?}");
                let steps = &board.steps[usize::from(own.0)];
                let inner = steps.iter().filter(|step| step.to != enemy).fold(0, |set, step| set | step.gate);
                assert_eq!(insight.open[side.index()], inner & !position.walls, "{position:?}");
                let closed = |mv: Move| match mv {
                    Move::Wall { from, to } if from.bit() & inner == 0 => to.bit() & inner,
                    _ => 0,
                };
                let (_, moves) = moves(board, position, !side);
                let closable = moves.into_iter().fold(0, |set, mv| set | closed(mv));
                assert_eq!(insight.closable[side.index()], closable, "{position:?}");
            }
        });
    }

    #[test]
    fn a_side_wins_at_once_exactly_if_one_of_its_moves_does() {
        in_random_games(|board, position| {
            let insight = Insight::of(board, position);
            for side in Side::BOTH {
                let (position, moves) = moves(board, position, side);
                let wins = moves.into_iter().any(|mv| position.play(mv).outcome(board).is_some());
                assert_eq!(insight.wins[side.index()], wins, "{position:?}");
            }
        });
    }

    #[test]
    fn noisy_moves_are_those_that_win_at_once() {
        let game = Alcaxar::from_options(&Options::default());
        in_random_games(|board, position| {
            let insight = Insight::of(board, position);
            let promise = game.promises(position, &insight);
            for mv in moves(board, position, position.side).1 {
                let wins = position.play(mv).outcome(board).is_some();
                assert_eq!(promise(mv) >= NOISY, wins, "{position:?} {mv:?}");
            }
        });
    }

    #[test]
    fn ways_are_the_shortest_round_the_walls() {
        in_random_games(|board, position| {
            let insight = Insight::of(board, position);
            for side in Side::BOTH {
                // How far every square is from the fortress, by trying every step again and again.
                let mut far = [FAR; 16];
                far[usize::from(Position::target(side).0)] = 0;
                for _ in 0..FAR {
                    for (from, steps) in board.steps.iter().enumerate() {
                        let open = steps.iter().filter(|step| step.gate & position.walls == 0);
                        far[from] = open.fold(far[from], |least, step| least.min(far[usize::from(step.to.0)] + 1));
                    }
                }
                let way = far[usize::from(position.knight(side).0)];
                assert_eq!(insight.way[side.index()], way, "{position:?}");
                assert!(insight.safe_way[side.index()] >= way, "{position:?}");
                for to in board.accessible(position.knight(side), position.knight(!side), position.walls) {
                    let nearer = way < FAR && far[usize::from(to.0)] < way;
                    assert_eq!(insight.nearer[side.index()] & area(to) != 0, nearer, "{position:?}");
                }
            }
        });
    }
}
