//! The evaluation of Quoridor: a small neural net for boards of every size and for any number of
//! walls. If no wall is left in hand, the evaluation uses the distances of the pawns to their goals
//! instead.
//!
//! `quoridor.net` was trained by `pentarch tune --game quoridor --data 9x9-10.games --games 70000
//! --seed 11 --epochs 10 --net quoridor.net`, with a flag `--with FILE` for each of the other game
//! files. Each file was made by `pentarch tune --game quoridor --set Quoridor_BoardSize=SIZE --set
//! Quoridor_Walls=WALLS --set Quoridor_Walls2=SECOND --data FILE --nodes 1000 --random-plies PLIES
//! --seed SEED --games GAMES`:
//!
//! | size | walls | second | plies | seed | games | size | walls | second | plies | seed | games |
//! |---|---|---|---|---|---|---|---|---|---|---|---|
//! | 9 | 10 | same | 10 | 11 | 70000 | 6 | 6 | same | 6 | 36 | 2400 |
//! | 9 | 10 | same | 30 | 19 | 8000 | 8 | 8 | same | 8 | 37 | 1957 |
//! | 9 | 5 | same | 8 | 31 | 3200 | 9 | 10 | 6 | 8 | 38 | 800 |
//! | 7 | 8 | same | 8 | 32 | 4000 | 9 | 6 | 10 | 8 | 39 | 800 |
//! | 9 | 15 | same | 10 | 33 | 2400 | 10 | 10 | same | 10 | 40 | 800 |
//! | 11 | 10 | same | 10 | 34 | 2000 | 7 | 3 | same | 6 | 41 | 600 |
//! | 5 | 4 | same | 5 | 35 | 3200 | 11 | 16 | same | 10 | 42 | 400 |
//! | 4 | 3 | same | 3 | 43 | 400 | 3 | 2 | same | 2 | 44 | 100 |
//! | 9 | 3 | same | 6 | 45 | 600 | 5 | 8 | same | 5 | 46 | 400 |
//!
//! The program of commit 13823b6 played the games of seeds 11 and 19. The net of that program was
//! the fourth net for Quoridor, and was for the default board only. A further net was trained on
//! these games and on that program's games on other boards. This further net played the remaining
//! games. In the games of seed 19, many random moves at the beginning put many walls on the board
//! and leave few walls in hand.

use std::cmp::Ordering;

use pentarch_core::evaluation::HumanWinChanceCurve;
use pentarch_core::evaluation::net::{Net, NetShape};
use pentarch_core::search_file;
use pentarch_core::{
    Evaluate, MIN_NOISY_ORDERING_SCORE, NET_FEATURE_NAME, NetInputs, NoticeableMoveFeatures,
    QuiescenceState, SearchDataFile, SearchParameters, Side,
};

use super::Quoridor;
use super::bidirectional_flood::BidirectionalFlood;
use super::moves::Move;
use super::net_inputs::{self, NET_INPUT_COUNT, OUTPUT_BUCKET_COUNT, PathFeatures};
use super::position::Position;
use super::shortest_paths::ShortestPaths;
use super::square_sets::{FILE_STRIDE, PassageSet};
use super::wall_placement;
use super::walls::Walls;

/// The move ordering score of a pawn move that brings the pawn nearer to its goal.
const GOAL_APPROACH_ORDERING_SCORE: i32 = 200;
/// The move ordering scores of a wall that lengthens the opponent's shortest path: for the first
/// added step, and for each further added step.
const ENEMY_PATH_WALL_ORDERING_SCORES: [i32; 2] = [150, 60];
/// The move ordering scores of a wall that lengthens the mover's own shortest path: for the first
/// added step, and for each further added step.
const OWN_PATH_WALL_ORDERING_SCORES: [i32; 2] = [-100, -60];
/// The maximum distance of the opponent from its goal, in steps, at which any wall in its way is
/// urgent.
const URGENT_STEPS: u32 = 1;
/// The maximum number of steps that a wall may add to a path if a person is to see the new path at
/// once.
const MAX_OBVIOUS_ADDED_STEPS: u32 = 2;
/// The maximum number of added steps for which move ordering scores a wall.
const MAX_SCORED_ADDED_STEPS: u32 = 8;

pub(crate) type QuoridorNet = Net<NET_INPUT_COUNT, 64, OUTPUT_BUCKET_COUNT>;

/// The net for all boards.
pub(crate) static QUORIDOR_NET: SearchDataFile<QuoridorNet> =
    search_file!("quoridor.net", QuoridorNet::from_bytes);

/// Data derived from a position for evaluation and move ordering.
#[derive(Debug, Default)]
pub struct PositionEvalData {
    /// The passages that the walls leave open.
    open: PassageSet,
    /// The shortest paths of the first and of the second side's pawn.
    paths: [ShortestPaths; 2],
    /// The placeable walls that lengthen the shortest paths of the first side's pawn and of the
    /// second side's pawn. The sets are empty if neither side has a wall left.
    lengthening_walls: [Walls; 2],
}

impl Evaluate for Quoridor {
    type PositionEvalData = PositionEvalData;

    const BENCH_POSITIONS: (u32, &'static [&'static str]) = (
        5,
        &[
            "e1e9 - w 10/10 1",
            "e4e6 d6he3h w 9/9 5",
            "d5e5 a1ha5vb6hc3hd6he3hf6hg3hg8h w 6/5 10",
            "f5f4 a1ha6va7hb2vb4hb6vb8hc2hc6he2he6hf5vf7hg2hg6hh1hh7h b 1/2 15",
            "a4h3 a1ha3va5va7hb2vb6hc3hc4vd6he3he5vf2hf6hg3hg4vg8hh2hh6h w 1/1 25",
        ],
    );
    /// The index of a move depends on its kind (pawn move, horizontal wall or vertical wall), and
    /// on its square or post.
    const HISTORY_TABLE_SIZE: usize = 3 * FILE_STRIDE as usize * FILE_STRIDE as usize;

    const WIN_RATE_SCALE: i32 = 160;

    fn human_win_chance_curve(&self) -> HumanWinChanceCurve {
        // On a smaller board a step is worth more.
        let scale = if self.board.size <= 7 { 435 } else { 500 };
        HumanWinChanceCurve { scale, win_moves: 80 }
    }

    /// An evaluation needs a flood for each wall on a path, so it is expensive.
    const CACHES_EVALUATIONS: bool = true;

    const EXTENDS_SINGULAR_MOVES: bool = true;

    /// The weights of the features. All weights except that of the net are set by hand, for
    /// features that are used only if no wall is left.
    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] =
        &[(NET_FEATURE_NAME, 10), ("steps to the goal", -1000), ("ahead", 5300), ("the move", 300)];

    /// The values were tuned, from the default values, by the program of commit fc30795 with the
    /// command `pentarch tune --game quoridor --spsa FILE --iterations 240 --nodes 5000
    /// --random-plies 6 --plies 200`.
    const SEARCH_PARAMETERS: SearchParameters = SearchParameters {
        reverse_futility_margin: 66,
        futility_margin: 79,
        late_moves: 483,
        late_moves_slope: 81,
        null_move_reduction: 2311,
        null_move_slope: 206,
        reduction: 446,
        reduction_slope: 291,
        cut_node_reduction: 0,
        reduction_history: 284,
    };

    fn expected_moves_left(&self, moves_made: u32) -> u32 {
        self.board.expected_moves_left(moves_made)
    }

    fn compute_eval_data(&self, position: &Position) -> PositionEvalData {
        let open = position.open_passages(&self.board);
        let paths = self.shortest_paths(position, open);
        let mut lengthening_walls = [Walls::EMPTY; 2];
        if position.walls_left != [0; 2] {
            let placeable =
                wall_placement::placeable_walls_given_paths(&self.board, position.walls, || {
                    paths.map(|paths| paths.path)
                });
            lengthening_walls = self.lengthening_walls(open, &paths).map(|walls| walls & placeable);
        }
        PositionEvalData { open, paths, lengthening_walls }
    }

    #[inline]
    fn visit_features(
        &self,
        position: &Position,
        cache: &PositionEvalData,
        mut feature: impl FnMut([i32; 2]),
    ) {
        // If no wall is left, both the search and the net know the winner. But the net does not
        // prefer an early win. A weak level that follows the net would wander around instead of
        // running to its goal.
        if position.walls_left != [0; 2] {
            return feature(position.mover.one_sided_pair(self.net_output(position, cache)));
        }
        feature([0; 2]);
        let distances = cache.paths.each_ref().map(|paths| paths.length as i32);
        feature(distances);
        let to_move = position.mover.index();
        let ahead = if distances[to_move] <= distances[1 - to_move] {
            position.mover
        } else {
            !position.mover
        };
        feature(ahead.one_sided_pair(1));
        feature(position.mover.one_sided_pair(1));
    }

    /// Returns `Noisy` or `Forced` if a pawn can move into its goal. The net was not trained on
    /// such positions, and the distances do not reveal such a move either.
    fn quiescence_state(&self, position: &Position, cache: &PositionEvalData) -> QuiescenceState {
        let can_win = |side| position.can_move_into_goal(&self.board, side, cache.open);
        match position.mover {
            side if can_win(side) => QuiescenceState::Noisy,
            side if can_win(!side) => QuiescenceState::Forced,
            _ => QuiescenceState::Quiet,
        }
    }

    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Position,
        cache: &'a PositionEvalData,
    ) -> impl Fn(Move) -> i32 + 'a {
        let [own, enemy] = [position.mover, !position.mover].map(Side::index);
        let has_walls = position.walls_left[own] > 0;
        let floods = if has_walls {
            BidirectionalFlood::for_both_pawns(&self.board, position, cache.open, &cache.paths)
        } else {
            [BidirectionalFlood::EMPTY; 2]
        };
        let steps_added_by = move |side: usize, wall| {
            let lengthens = cache.lengthening_walls[side].contains(wall);
            if lengthens {
                floods[side].steps_added_by_wall(wall).min(MAX_SCORED_ADDED_STEPS) as i32
            } else {
                0
            }
        };
        let score = |[one, more]: [i32; 2], steps: i32| {
            if steps > 0 { one + more * (steps - 1) } else { 0 }
        };
        move |mv| match mv {
            Move::Pawn(to) if to.bit() & self.board.goals[own] != 0 => MIN_NOISY_ORDERING_SCORE,
            Move::Pawn(to) => {
                GOAL_APPROACH_ORDERING_SCORE
                    * i32::from(cache.paths[own].nearer_squares & to.bit() != 0)
            }
            Move::Wall(wall) => {
                score(ENEMY_PATH_WALL_ORDERING_SCORES, steps_added_by(enemy, wall))
                    + score(OWN_PATH_WALL_ORDERING_SCORES, steps_added_by(own, wall))
            }
        }
    }

    /// Returns the purpose of a move: 0 (to race) for a step on a shortest path, or 1 (to block)
    /// for a wall across the opponent's path.
    ///
    /// People keep their walls until they need them. So a wall has this purpose only while the
    /// mover would lose the race. The wall must also reverse the result of the race, unless the
    /// opponent is one step from its goal. The wall must lengthen the mover's own path less than
    /// that of the opponent. A wall that makes a long detour has no purpose either, because a
    /// person rarely sees a long detour in advance.
    fn move_purposes<'a>(
        &'a self,
        position: &'a Position,
        cache: &'a PositionEvalData,
    ) -> impl Fn(Move) -> Option<u8> + 'a {
        let [own, enemy] = [position.mover, !position.mover].map(Side::index);
        let [own_steps, enemy_steps] = [own, enemy].map(|side| cache.paths[side].length);
        let loses_race = own_steps > enemy_steps;
        let is_urgent = enemy_steps <= URGENT_STEPS;
        let floods = if loses_race {
            BidirectionalFlood::for_both_pawns(&self.board, position, cache.open, &cache.paths)
        } else {
            [BidirectionalFlood::EMPTY; 2]
        };
        let steps_added_by = move |side: usize, wall| {
            if cache.lengthening_walls[side].contains(wall) {
                floods[side].steps_added_by_wall(wall)
            } else {
                0
            }
        };
        move |mv| match mv {
            Move::Pawn(to) => (cache.paths[own].nearer_squares & to.bit() != 0).then_some(0),
            Move::Wall(_) if !loses_race => None,
            Move::Wall(wall) => {
                let own_added = steps_added_by(own, wall);
                let enemy_added = steps_added_by(enemy, wall);
                let is_plain = enemy_added > own_added && enemy_added <= MAX_OBVIOUS_ADDED_STEPS;
                let turns_race = enemy_steps + enemy_added > own_steps + own_added;
                (is_plain && (is_urgent || turns_race)).then_some(1)
            }
        }
    }

    /// Returns features that mark a step on a shortest path as forward, and a wall across the
    /// opponent's path as forcing.
    fn noticeable_move_features<'a>(
        &'a self,
        position: &'a Position,
        cache: &'a PositionEvalData,
    ) -> impl Fn(Move) -> Option<NoticeableMoveFeatures> + 'a {
        let [own, enemy] = [position.mover, !position.mover].map(Side::index);
        let from = position.pawn(position.mover).point();
        move |mv| {
            Some(match mv {
                Move::Pawn(to) => NoticeableMoveFeatures {
                    from: Some(from),
                    to: to.point(),
                    progress: if cache.paths[own].nearer_squares & to.bit() != 0 {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    },
                    is_forcing: false,
                },
                Move::Wall(wall) => NoticeableMoveFeatures {
                    from: None,
                    to: wall.post.point(),
                    progress: Ordering::Equal,
                    is_forcing: cache.lengthening_walls[enemy].contains(wall),
                },
            })
        }
    }

    fn history_table_index(&self, mv: Move) -> usize {
        mv.history_table_index()
    }

    fn position_after_null_move(&self, position: &Position) -> Option<Position> {
        Some(Position { mover: !position.mover, ..*position })
    }
}

impl NetInputs for Quoridor {
    const NET_SHAPE: Option<NetShape> = Some(QuoridorNet::NET_SHAPE);

    #[inline]
    fn visit_net_inputs(
        &self,
        position: &Position,
        cache: &PositionEvalData,
        input: impl FnMut(usize),
    ) {
        let path_features = PathFeatures::for_both_pawns(
            &self.board,
            position,
            cache.open,
            &cache.paths,
            &cache.lengthening_walls,
        );
        net_inputs::for_each_input(&self.board, position, &path_features, input);
    }

    fn net_output_bucket(&self, position: &Position) -> usize {
        net_inputs::net_output_bucket(position)
    }
}

impl Quoridor {
    /// Returns the output of the net in centipawns for the side to move. This function is separate
    /// from the generic [`visit_features`](Evaluate::visit_features), so that the compiler compiles
    /// it only once, in this crate, with the optimisation level of this crate.
    fn net_output(&self, position: &Position, cache: &PositionEvalData) -> i32 {
        let net: &QuoridorNet = &QUORIDOR_NET;
        let mut accumulator = net.new_accumulator();
        self.visit_net_inputs(position, cache, |input| net.add_input(&mut accumulator, input));
        net.output(&accumulator, self.net_output_bucket(position))
    }

    /// Returns the shortest paths of each side's pawn to its goal, ignoring the other pawn.
    fn shortest_paths(&self, position: &Position, open: PassageSet) -> [ShortestPaths; 2] {
        Side::BOTH_SIDES.map(|side| {
            let paths =
                open.shortest_paths(position.pawn(side).bit(), self.board.goals[side.index()]);
            paths.unwrap_or_default()
        })
    }

    /// Returns the walls that would lengthen the shortest path of the first side's pawn, and those
    /// for the second side's pawn. Some of these walls may be illegal.
    fn lengthening_walls(&self, open: PassageSet, paths: &[ShortestPaths; 2]) -> [Walls; 2] {
        Side::BOTH_SIDES.map(|side| paths[side.index()].lengthening_walls(&self.board, open, side))
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_positions::random_position;
    use super::*;
    use pentarch_core::rules::legal_move_list;
    use pentarch_core::{Notation, ProbeResult, ProbeTables, ProbeWorkLimit, Rules, TableValue};

    #[test]
    fn purposes_are_to_run_and_to_block() {
        let rules = Quoridor::default();
        let purposes = |position: &str, moves: [&str; 5]| {
            let position = rules.parse_position(position).unwrap();
            let cache = rules.compute_eval_data(&position);
            let purpose = rules.move_purposes(&position, &cache);
            let legal = legal_move_list(&rules, &position);
            moves.map(|text| {
                purpose(*legal.iter().find(|&&mv| rules.move_text(mv) == text).unwrap())
            })
        };
        // White, whose pawn moves up, does not lose the race.
        let start = "e1e9 - w 10/10 1";
        assert_eq!(
            purposes(start, ["e2", "d1", "e8h", "e1h", "a4v"]),
            [Some(0), None, None, None, None]
        );
        // White would win with its next step. Black's walls in its way are urgent.
        let urgent = "d8e5 - b 10/10 8";
        assert_eq!(
            purposes(urgent, ["e4", "d5", "d8h", "c8h", "e8h"]),
            [Some(0), None, Some(1), Some(1), None]
        );
    }

    #[test]
    fn winning_moves_are_noisy_and_threats_of_one_forced() {
        let mut rng = fastrand::Rng::with_seed(26);
        let rules = Quoridor::default();
        let wins = |position: &Position| -> Vec<Move> {
            let mut moves = legal_move_list(&rules, position);
            moves.retain(|&mv| rules.outcome(&rules.play(position, mv)).is_some());
            moves
        };
        let races = rules.create_uncomputed_tables(None);
        let mut counts = [0; 3];
        for _ in 0..20_000 {
            let mut position = random_position(&rules.board, &mut rng);
            position.walls_left = [(); 2].map(|()| rng.u8(..=10));
            if Side::BOTH_SIDES
                .into_iter()
                .any(|side| position.has_reached_goal(&rules.board, side))
            {
                continue;
            }
            let cache = rules.compute_eval_data(&position);
            let winning = wins(&position);
            let threatened = !wins(&Position { mover: !position.mover, ..position }).is_empty();
            let quiescence_state = match winning.is_empty() {
                false => QuiescenceState::Noisy,
                true if threatened => QuiescenceState::Forced,
                true => QuiescenceState::Quiet,
            };
            counts[quiescence_state as usize] += 1;
            assert_eq!(rules.quiescence_state(&position, &cache), quiescence_state, "{position:?}");
            let probed = rules.probe_tables(&races, &position, ProbeWorkLimit::Computed);
            let is_win = probed == Some(ProbeResult::Value(TableValue::Win(1)));
            assert_eq!(is_win, !winning.is_empty(), "{position:?}");
            let mut moves = legal_move_list(&rules, &position);
            let score = rules.move_ordering_scores(&position, &cache);
            moves.retain(|&mv| score(mv) >= MIN_NOISY_ORDERING_SCORE);
            assert_eq!(moves, winning, "{position:?}");
        }
        assert!(counts.into_iter().all(|count| count > 500), "{counts:?}");
    }
}
