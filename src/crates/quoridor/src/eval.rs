//! The evaluation of Quoridor: a small neural net for boards of every size and any number of walls, and where no wall
//! is left in hand the distances of the pawns to their goals.
//!
//! `quoridor.net` was trained by `pentarch tune --game quoridor --data 9x9-10.games --games 70000 --seed 11 --epochs 10
//! --net quoridor.net`, with a flag `--with FILE` for each of the other files of games. Each file was made by `pentarch
//! tune --game quoridor --set Quoridor_BoardSize=SIZE --set Quoridor_Walls=WALLS --set Quoridor_Walls2=SECOND --data
//! FILE --nodes 1000 --random-plies PLIES --seed SEED --games GAMES`:
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
//! The games of the seeds 11 and 19 were played by the program of commit 13823b6, whose net, for the usual board alone,
//! was the fourth in a row. A net trained on these and on games of that program on other boards played the others. Many
//! random moves at the beginning (seed 19) put many walls on the board and leave few in hand.

use pentarch_core::evaluation::net::{Net, NetShape};
use pentarch_core::search_file;
use pentarch_core::{
    Evaluate, NET_FEATURE, NOISY, NetInputs, QuiescenceState, SearchFile, SearchParameters, Side,
};

use super::Quoridor;
use super::detours::Detours;
use super::moves::Move;
use super::net_inputs::{self, BUCKETS, INPUTS, Way};
use super::paths::ShortestPaths;
use super::placement;
use super::position::Position;
use super::sets::{Passages, STRIDE, Square};
use super::walls::{Wall, Walls};

/// Move ordering: the score of a pawn move that shortens the distance to the goal.
const NEARER: i32 = 200;
/// Move ordering: the score of a wall that lengthens the opponent's shortest path by one step, and what each further
/// step adds to it.
const LENGTHENS_ENEMY_PATH: [i32; 2] = [150, 60];
/// Move ordering: the same of a wall that lengthens one's own shortest path.
const LENGTHENS_OWN_PATH: [i32; 2] = [-100, -60];
/// Move ordering: by how many steps at most a wall is counted to lengthen a path.
const MOST_STEPS: u32 = 8;

pub type QuoridorNet = Net<INPUTS, 64, BUCKETS>;

/// The net for all boards.
pub static NET: SearchFile<QuoridorNet> = search_file!("quoridor.net", QuoridorNet::from_bytes);

/// What evaluation and move ordering derive from a position.
#[derive(Debug, Default)]
pub struct EvalCache {
    /// The passages that the walls leave open.
    open: Passages,
    /// The shortest paths of the first and of the second side's pawn.
    paths: [ShortestPaths; 2],
    /// The walls that may be placed and lengthen the shortest paths of the first and of the second side's pawn; none
    /// where neither side has a wall left.
    lengthening: [Walls; 2],
}

impl Evaluate for Quoridor {
    type EvalCache = EvalCache;

    const BENCH: (u32, &'static [&'static str]) = (
        5,
        &[
            "e1e9 - w 10/10 1",
            "e4e6 d6he3h w 9/9 5",
            "d5e5 a1ha5vb6hc3hd6he3hf6hg3hg8h w 6/5 10",
            "f5f4 a1ha6va7hb2vb4hb6vb8hc2hc6he2he6hf5vf7hg2hg6hh1hh7h b 1/2 15",
            "a4h3 a1ha3va5va7hb2vb6hc3hc4vd6he3he5vf2hf6hg3hg4vg8hh2hh6h w 1/1 25",
        ],
    );
    /// A move counts by its kind (pawn move, horizontal wall or vertical wall) and by its square or post.
    const HISTORY_SIZE: usize = 3 * STRIDE as usize * STRIDE as usize;

    const WIN_RATE_SCALE: i32 = 160;

    /// What a wall adds to a path takes a flood.
    const KEEPS_EVALUATIONS: bool = true;

    const EXTENDS_SINGULAR_MOVES: bool = true;

    /// The weights of the distances, which count where no wall is left, are set by hand.
    const FEATURE_WEIGHTS: &'static [(&'static str, i32)] =
        &[(NET_FEATURE, 10), ("steps to the goal", -1000), ("ahead", 5300), ("the move", 300)];

    /// Found by `pentarch tune --game quoridor --spsa FILE --iterations 240 --nodes 5000 --random-plies 6 --plies 200`
    /// of the program of commit fc30795, from the default numbers.
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

    fn eval_cache(&self, position: &Position) -> EvalCache {
        let open = position.open(&self.board);
        let paths = self.shortest_paths(position, open);
        let mut lengthening = [Walls::NONE; 2];
        if position.walls_left != [0; 2] {
            let allowed = placement::allowed_beside(&self.board, position.walls, || {
                paths.map(|paths| paths.path)
            });
            lengthening = self.lengthening(open, &paths).map(|walls| walls & allowed);
        }
        EvalCache { open, paths, lengthening }
    }

    #[inline]
    fn features(&self, position: &Position, cache: &EvalCache, mut feature: impl FnMut([i32; 2])) {
        // Where no wall is left, a search at full strength knows who wins, and so does the net. But the net does not
        // care how soon, so that a weak level that follows it walks about instead of home.
        if position.walls_left != [0; 2] {
            return feature(position.mover.only(self.net_output(position, cache)));
        }
        feature([0; 2]);
        let distance = cache.paths.each_ref().map(|paths| paths.length as i32);
        feature(distance);
        let to_move = position.mover.index();
        let ahead = if distance[to_move] <= distance[1 - to_move] {
            position.mover
        } else {
            !position.mover
        };
        feature(ahead.only(1));
        feature(position.mover.only(1));
    }

    /// The net has never seen a position that a move into the goal decides, and the distances do not tell it either.
    fn quiescence_state(&self, position: &Position, cache: &EvalCache) -> QuiescenceState {
        let can_win = |side| position.can_reach_goal(&self.board, side, cache.open);
        match position.mover {
            side if can_win(side) => QuiescenceState::Noisy,
            side if can_win(!side) => QuiescenceState::Forced,
            _ => QuiescenceState::Quiet,
        }
    }

    fn move_ordering_scores<'a>(
        &'a self,
        position: &'a Position,
        cache: &'a EvalCache,
    ) -> impl Fn(Move) -> i32 + 'a {
        let [own, enemy] = [position.mover, !position.mover].map(Side::index);
        let has_walls = position.walls_left[own] > 0;
        let of_both = || Detours::of_both(&self.board, position, cache.open, &cache.paths);
        let detours = if has_walls { of_both() } else { [Detours::NONE; 2] };
        let steps = move |side: usize, wall| {
            let lengthens = cache.lengthening[side].contains(wall);
            if lengthens { detours[side].gain(wall).min(MOST_STEPS) as i32 } else { 0 }
        };
        let score = |[one, more]: [i32; 2], steps: i32| {
            if steps > 0 { one + more * (steps - 1) } else { 0 }
        };
        move |mv| match mv {
            Move::Pawn(to) if to.bit() & self.board.goals[own] != 0 => NOISY,
            Move::Pawn(to) => NEARER * i32::from(cache.paths[own].nearer & to.bit() != 0),
            Move::Wall(wall) => {
                score(LENGTHENS_ENEMY_PATH, steps(enemy, wall))
                    + score(LENGTHENS_OWN_PATH, steps(own, wall))
            }
        }
    }

    /// To race, by a step on a shortest path, or to block, by a wall in the opponent's way, unless it is in one's own,
    /// too, and nearer to oneself.
    fn purposes<'a>(
        &'a self,
        position: &'a Position,
        cache: &'a EvalCache,
    ) -> impl Fn(Move) -> Option<u8> + 'a {
        let [own, enemy] = [position.mover, !position.mover].map(Side::index);
        let away = move |wall: Wall, side: usize| {
            let [post, pawn] = [wall.post, position.pawns[side]].map(Square::point);
            post.file.abs_diff(pawn.file) + post.rank.abs_diff(pawn.rank)
        };
        move |mv| match mv {
            Move::Pawn(to) => (cache.paths[own].nearer & to.bit() != 0).then_some(0),
            Move::Wall(wall) => {
                let is_free =
                    !cache.lengthening[own].contains(wall) || away(wall, enemy) <= away(wall, own);
                (is_free && cache.lengthening[enemy].contains(wall)).then_some(1)
            }
        }
    }

    fn history_index(&self, mv: Move) -> usize {
        mv.history_index()
    }

    fn null_move(&self, position: &Position) -> Option<Position> {
        Some(Position { mover: !position.mover, ..*position })
    }
}

impl NetInputs for Quoridor {
    const NET: Option<NetShape> = Some(QuoridorNet::SHAPE);

    #[inline]
    fn inputs(&self, position: &Position, cache: &EvalCache, input: impl FnMut(usize)) {
        let ways =
            Way::of_both(&self.board, position, cache.open, &cache.paths, &cache.lengthening);
        net_inputs::for_each(&self.board, position, &ways, input);
    }

    fn output_bucket(&self, position: &Position) -> usize {
        net_inputs::output_bucket(position)
    }
}

impl Quoridor {
    /// The output of the net in centipawns for the side to move. It is no part of the generic
    /// [`features`](Evaluate::features), so that it is compiled here once, with the optimisation of the rules.
    fn net_output(&self, position: &Position, cache: &EvalCache) -> i32 {
        let net: &QuoridorNet = &NET;
        let mut accumulator = net.accumulator();
        self.inputs(position, cache, |input| net.add(&mut accumulator, input));
        net.output(&accumulator, self.output_bucket(position))
    }

    /// The shortest paths of the first and of the second side's pawn to their goals, as if the other pawn were not on
    /// the board.
    fn shortest_paths(&self, position: &Position, open: Passages) -> [ShortestPaths; 2] {
        Side::BOTH.map(|side| {
            let paths =
                open.shortest_paths(position.pawn(side).bit(), self.board.goals[side.index()]);
            paths.unwrap_or_default()
        })
    }

    /// The walls that lengthen the shortest paths of the first and of the second side's pawn. Some of them may not be
    /// placed.
    fn lengthening(&self, open: Passages, paths: &[ShortestPaths; 2]) -> [Walls; 2] {
        Side::BOTH.map(|side| paths[side.index()].lengthening(&self.board, open, side))
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_positions::random_position;
    use super::*;
    use pentarch_core::rules::legal_move_list;
    use pentarch_core::{Notation, Probe, ProbeLimit, ProbeResult, Rules, TableValue};

    #[test]
    fn purposes_are_to_come_nearer_and_to_stand_in_the_way() {
        let rules = Quoridor::default();
        let position = rules.start();
        let cache = rules.eval_cache(&position);
        let purpose = rules.purposes(&position, &cache);
        let moves = legal_move_list(&rules, &position);
        let of =
            |text: &str| purpose(*moves.iter().find(|&&mv| rules.move_text(mv) == text).unwrap());
        // White goes up from e1, and black down from e9.
        assert_eq!(
            ["e2", "d1", "e8h", "d8h", "e1h", "a4v"].map(of),
            [Some(0), None, Some(1), Some(1), None, None]
        );
    }

    #[test]
    fn a_move_into_the_goal_is_a_win_and_a_threat_of_one_forces() {
        let mut rng = fastrand::Rng::with_seed(26);
        let rules = Quoridor::default();
        let wins = |position: &Position| -> Vec<Move> {
            let mut moves = legal_move_list(&rules, position);
            moves.retain(|&mv| rules.outcome(&rules.play(position, mv)).is_some());
            moves
        };
        let (races, mut counts) = (rules.new_tables(None), [0; 3]);
        for _ in 0..20_000 {
            let mut position = random_position(&rules.board, &mut rng);
            position.walls_left = [(); 2].map(|()| rng.u8(..=10));
            if Side::BOTH.into_iter().any(|side| position.has_reached_goal(&rules.board, side)) {
                continue;
            }
            let cache = rules.eval_cache(&position);
            let winning = wins(&position);
            let threatened = !wins(&Position { mover: !position.mover, ..position }).is_empty();
            let (quiescence_state, at) = match winning.is_empty() {
                false => (QuiescenceState::Noisy, 0),
                true if threatened => (QuiescenceState::Forced, 1),
                true => (QuiescenceState::Quiet, 2),
            };
            counts[at] += 1;
            assert_eq!(rules.quiescence_state(&position, &cache), quiescence_state, "{position:?}");
            let probed = rules.probe(&races, &position, ProbeLimit::Computed);
            assert_eq!(
                probed == Some(ProbeResult::Value(TableValue::Win(1))),
                at == 0,
                "{position:?}"
            );
            let mut moves = legal_move_list(&rules, &position);
            let score = rules.move_ordering_scores(&position, &cache);
            moves.retain(|&mv| score(mv) >= NOISY);
            assert_eq!(moves, winning, "{position:?}");
        }
        assert!(counts.into_iter().all(|count| count > 500), "{counts:?}");
    }
}
