//! The inputs of Quoridor's net: what of a position it sees. One net judges boards of every size with any number of
//! walls.
//!
//! The board is seen from the side to move: its pawn always moves up the board, and it never stands to the right of the
//! middle. Where it stands on the middle file, the other pawn decides which of the two mirror images is seen, and then
//! the walls do. So the evaluation is the same for all images of a position.
//!
//! What lies on a small board is seen where it would lie on the largest one if the middle files and a goal of the two
//! were the same: the squares of a pawn's way, and its own, lie as far from the goal of that pawn as they do on their
//! board, and walls as far from the goal of the side to move. So what the net learns from one board it knows about the
//! others.
//!
//! | inputs | each is active if |
//! |---|---|
//! | size | the board has so many files |
//! | pawns | the own pawn, or the other one, stands on this square |
//! | walls | a wall stands on this post, horizontal or vertical |
//! | distances | the shortest path of the own pawn, or of the other one, has so many steps |
//! | lead | the shortest path of the own pawn has so many steps less than that of the other |
//! | walls left | the side to move, or the other one, has so many walls in hand |
//! | squares | this square is on a shortest path of the own pawn, or of the other one |
//! | steps | the path of a pawn that begins with its second, third or fourth best step is so much longer |
//! | lengthening walls | so many walls can be placed that lengthen the shortest path of a pawn |
//! | by two, by four | so many of them lengthen it by two steps or more, and by four |
//! | gain | one of them lengthens it by so many steps, and none by more |
//! | net gain | so many steps are left of that at best after what the same wall adds to the other pawn's path |

use std::cmp::Ordering;

use pentarch_core::Side;

use super::board::Board;
use super::bidirectional_flood::BidirectionalFlood;
use super::shortest_paths::ShortestPaths;
use super::position::Position;
use super::square_sets::{Passages, STRIDE, Square, squares};
use super::walls::Walls;
use super::{MIN_SIZE, MAX_WALLS};

/// The number of sizes that a board can have.
const SIZES: usize = (STRIDE - MIN_SIZE + 1) as usize;
/// The number of squares of the largest board, and of its posts.
const SQUARES: usize = STRIDE as usize * STRIDE as usize;
const POSTS: usize = (STRIDE as usize - 1) * (STRIDE as usize - 1);
/// The number of inputs for a distance. The last one stands for all greater ones, too.
const DISTANCES: usize = 40;
/// The number of inputs for the lead, and the one for no lead.
const LEADS: usize = 40;
const NO_LEAD: i32 = 20;
/// The number of inputs for each number of walls in hand.
const LEFTS: usize = MAX_WALLS as usize + 1;
/// The number of inputs for how much longer the path is that begins with another step.
const DETOURS: usize = 10;
/// The gains in steps by which lengthening walls are counted, and the numbers of inputs for their number.
const COUNTED_GAINS: [(u32, usize); 3] = [(1, 12), (2, 8), (4, 8)];
/// The number of inputs for a gain.
const GAINS: usize = 16;

/// Where the inputs of each kind begin. Each kind but the first, `STANDING` and `LEAD` has a part for the own pawn and
/// then one for the other.
const SIZE: usize = 0;
const PAWN: usize = SIZE + SIZES;
const STANDING: usize = PAWN + 2 * SQUARES;
const DISTANCE: usize = STANDING + 2 * POSTS;
const LEAD: usize = DISTANCE + 2 * DISTANCES;
const LEFT: usize = LEAD + LEADS;
const ON_PATH: usize = LEFT + 2 * LEFTS;
const STEP: usize = ON_PATH + 2 * SQUARES;
const GAIN: usize = STEP + 2 * 3 * DETOURS;
const NET_GAIN: usize = GAIN + 2 * GAINS;
const LENGTHENING: usize = NET_GAIN + 2 * GAINS;
const BY_TWO: usize = LENGTHENING + 2 * COUNTED_GAINS[0].1;
const BY_FOUR: usize = BY_TWO + 2 * COUNTED_GAINS[1].1;
/// The number of inputs.
pub const INPUTS: usize = BY_FOUR + 2 * COUNTED_GAINS[2].1;

/// The number of classes of walls in hand: see [`output_bucket`].
const CLASSES: usize = 5;
/// The number of output buckets.
pub const BUCKETS: usize = CLASSES * CLASSES;

/// What the inputs tell of the way of one pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathInputs {
    /// The number of steps of the shortest paths.
    pub steps: u32,
    /// The squares on them.
    squares: u128,
    /// By how much the paths are longer that begin with the second, third and fourth best step.
    detours: [u32; 3],
    /// The numbers of walls that the opponent can place and that lengthen the shortest path by one step, by two, and by
    /// four.
    walls: [u32; 3],
    /// By how many steps one of these walls lengthens it at most.
    gain: u32,
    /// The greatest difference between this and what the same wall adds to the opponent's path.
    net_gain: u32,
}

impl PathInputs {
    /// The ways of both pawns. `paths` are their shortest paths, and `lengthening_walls` the walls that may be placed and
    /// lengthen them.
    pub fn for_both_pawns(
        board: &Board,
        position: &Position,
        open: Passages,
        paths: &[ShortestPaths; 2],
        lengthening_walls: &[Walls; 2],
    ) -> [PathInputs; 2] {
        let detours = BidirectionalFlood::for_both_pawns(board, position, open, paths);
        Side::BOTH.map(|side| {
            let (own, other) = (side.index(), (!side).index());
            let [_, others @ ..] = detours[own].detours_by_step(DETOURS as u32 - 1);
            let (steps, squares) = (paths[own].length, detours[own].squares());
            let mut way = PathInputs { steps, squares, detours: others, ..PathInputs::default() };
            let walls = if position.walls_left[other] > 0 { lengthening_walls[own] } else { Walls::NONE };
            for wall in walls.iter() {
                let gain = detours[own].added_steps(wall);
                let cost =
                    if lengthening_walls[other].contains(wall) { detours[other].added_steps(wall) } else { 0 };
                let counts = way.walls.iter_mut().zip(COUNTED_GAINS);
                counts.for_each(|(count, (least, _))| *count += u32::from(gain >= least));
                way.gain = way.gain.max(gain);
                way.net_gain = way.net_gain.max(gain.saturating_sub(cost));
            }
            way
        })
    }
}

/// The output bucket of a position. The phase of the game is how many walls each side has left: none, one, up to three,
/// up to six, or more.
pub fn output_bucket(position: &Position) -> usize {
    let class = |side: Side| match position.walls_left[side.index()] {
        0 => 0,
        1 => 1,
        2..=3 => 2,
        4..=6 => 3,
        _ => 4,
    };
    CLASSES * class(position.mover) + class(!position.mover)
}

/// Calls `input` with each active input. `ways` are those of the first side's and the second side's pawn.
#[inline]
pub fn for_each(board: &Board, position: &Position, ways: &[PathInputs; 2], mut input: impl FnMut(usize)) {
    let sides = [position.mover, !position.mover];
    let seen = sides.map(Seen::new(board, position));
    input(SIZE + usize::from(board.size - MIN_SIZE));
    for (direction, set) in
        [position.walls.horizontal, position.walls.vertical].into_iter().enumerate()
    {
        squares(set).for_each(|post| input(STANDING + POSTS * direction + seen[0].post(post)));
    }
    let [own, other] = sides.map(|side| ways[side.index()].steps as i32);
    input(LEAD + (other - own + NO_LEAD).clamp(0, LEADS as i32 - 1) as usize);
    for (number, side) in sides.into_iter().enumerate() {
        let (way, seen) = (&ways[side.index()], seen[number]);
        let mut one_of = |first: usize, length: usize, at: usize| {
            input(first + number * length + at.min(length - 1))
        };
        one_of(PAWN, SQUARES, seen.square(position.pawn(side)));
        one_of(DISTANCE, DISTANCES, way.steps as usize);
        one_of(LEFT, LEFTS, position.walls_left[side.index()].into());
        one_of(GAIN, GAINS, way.gain as usize);
        one_of(NET_GAIN, GAINS, way.net_gain as usize);
        for ((first, (_, length)), count) in
            [LENGTHENING, BY_TWO, BY_FOUR].into_iter().zip(COUNTED_GAINS).zip(way.walls)
        {
            one_of(first, length, count as usize);
        }
        squares(way.squares).for_each(|square| one_of(ON_PATH, SQUARES, seen.square(square)));
        for (rank, longer) in way.detours.into_iter().enumerate() {
            input(STEP + (3 * number + rank) * DETOURS + longer as usize);
        }
    }
}

/// Where the squares and posts of a board are seen on the largest one, by a side that moves up the board.
#[derive(Debug)]
struct Seen {
    /// By the number of a square, the place of the square that it is seen as.
    squares: [u8; SQUARES],
    /// The same of posts.
    posts: [u8; SQUARES],
}

/// For each size of a board, for each side, as it is and in the mirror of its files.
static SEEN: [[[Seen; 2]; 2]; SIZES] = {
    const NONE: Seen = Seen { squares: [0; SQUARES], posts: [0; SQUARES] };
    let mut all = [const { [const { [NONE; 2] }; 2] }; SIZES];
    let mut number = 0;
    while number < SIZES {
        let mut way = 0;
        while way < 4 {
            all[number][way / 2][way % 2] =
                Seen::on(number as u8 + MIN_SIZE, way / 2 == 0, way % 2 == 1);
            way += 1;
        }
        number += 1;
    }
    all
};

impl Seen {
    /// What is seen on a board of this size, whose goal is its last rank or its first, as it is or in the mirror.
    const fn on(size: u8, goal_is_last: bool, mirrored: bool) -> Seen {
        let mut seen = Seen { squares: [0; SQUARES], posts: [0; SQUARES] };
        let margin = (STRIDE - size) / 2;
        let mut number = 0;
        while number < STRIDE * STRIDE {
            let (file, rank) = (number / STRIDE, number % STRIDE);
            seen.squares[number as usize] =
                place(file, rank, size, margin, STRIDE, goal_is_last, mirrored);
            seen.posts[number as usize] =
                place(file, rank, size - 1, margin, STRIDE - 1, goal_is_last, mirrored);
            number += 1;
        }
        seen
    }

    /// Chooses what is seen of this position, for each side. The mirror is the same for both.
    fn new(board: &Board, position: &Position) -> impl Fn(Side) -> &'static Seen {
        let all = &SEEN[usize::from(board.size - MIN_SIZE)];
        let sides = [position.mover, !position.mover];
        let middle = |side: Side| (2 * position.pawn(side).point().file).cmp(&(board.size - 1));
        let walls = |mirrored: usize| {
            let seen = &all[position.mover.index()][mirrored];
            let image =
                |set| squares(set).fold(0, |image: u128, post| image | 1 << seen.post(post));
            [position.walls.horizontal, position.walls.vertical].map(image)
        };
        let is_right =
            sides.map(middle).into_iter().find(|order| order.is_ne()).map(Ordering::is_gt);
        let mirrored = usize::from(is_right.unwrap_or_else(|| walls(1) < walls(0)));
        move |side| &all[side.index()][mirrored]
    }

    /// The place of a square.
    fn square(&self, square: Square) -> usize {
        self.squares[usize::from(square.0)].into()
    }

    /// The place of a post.
    fn post(&self, post: Square) -> usize {
        self.posts[usize::from(post.0)].into()
    }
}

/// The place of a square or post on this file and rank, of which the board has so many files and the largest one has
/// `most`: the ranks of a file, the goal first, are neighbours. Squares beyond the board get the place 0.
const fn place(
    file: u8,
    rank: u8,
    size: u8,
    margin: u8,
    most: u8,
    goal_is_last: bool,
    mirrored: bool,
) -> u8 {
    if file >= size || rank >= size {
        return 0;
    }
    let file = if mirrored { size - 1 - file } else { file };
    let from_goal = if goal_is_last { size - 1 - rank } else { rank };
    most * (file + margin) + from_goal
}

#[cfg(test)]
mod tests {
    use super::super::wall_placement;
    use super::super::test_positions::random_position;
    use super::*;
    use pentarch_core::notation::points::Mirror;

    /// The ways of both pawns and the active inputs.
    fn seen(board: &Board, position: &Position) -> ([PathInputs; 2], Vec<usize>) {
        let open = position.open_passages(board);
        let paths = Side::BOTH.map(|side| {
            open.shortest_paths(position.pawn(side).bit(), board.goals[side.index()]).unwrap()
        });
        let placeable_walls = wall_placement::placeable_walls(board, position, open);
        let lengthening_walls =
            Side::BOTH.map(|side| paths[side.index()].lengthening_walls(board, open, side) & placeable_walls);
        let ways = PathInputs::for_both_pawns(board, position, open, &paths, &lengthening_walls);
        let mut inputs = Vec::new();
        for_each(board, position, &ways, |input| inputs.push(input));
        inputs.sort_unstable();
        (ways, inputs)
    }

    #[test]
    fn all_images_of_a_position_look_the_same() {
        let mut rng = fastrand::Rng::with_seed(16);
        let mut middle = 0;
        for number in 0..4000 {
            let board = Board::new(rng.u8(MIN_SIZE..=STRIDE));
            let mut position = random_position(&board, &mut rng);
            position.walls_left = [(); 2].map(|()| rng.u8(..=MAX_WALLS));
            // Both pawns on the middle file, if they have paths there: the walls decide.
            let start = Position::start(&board, [MAX_WALLS; 2]).pawns;
            let has_path = |side: Side| {
                position.open_passages(&board).reachable_from(start[side.index()].bit()) & board.goals[side.index()]
                    != 0
            };
            if number % 4 == 0 && Side::BOTH.into_iter().all(has_path) {
                position.pawns = start;
                middle += u32::from(board.size % 2 == 1);
            }
            let expected = seen(&board, &position).1;
            assert!(
                expected.windows(2).all(|pair| pair[0] != pair[1])
                    && expected.iter().all(|&input| input < INPUTS)
            );
            for (files, ranks) in [(true, false), (false, true), (true, true)] {
                let image = position.mirrored(&board, Mirror { files, ranks });
                assert_eq!(seen(&board, &image).1, expected, "{position:?} {files} {ranks}");
            }
        }
        assert!(middle > 100, "{middle}");
    }

    /// On a board of each size, the goals lie at the top of the largest board and the middle files in its middle.
    #[test]
    fn small_boards_are_seen_in_the_middle_below_the_goal() {
        for size in MIN_SIZE..=STRIDE {
            let board = Board::new(size);
            let [white, _, black, _] = board.start_squares();
            let position = Position::start(&board, [10; 2]);
            let seen = Seen::new(&board, &position);
            for (side, square) in [(Side::First, white), (Side::Second, black)] {
                assert_eq!(seen(side).square(square) % 11, usize::from(size) - 1, "of {size}");
                assert_eq!(
                    seen(side).square(square) / 11,
                    5 - usize::from(size % 2 == 0 && side == Side::First),
                    "of {size}"
                );
            }
            let places = |side: Side, posts: bool| {
                let all = if posts { board.posts } else { board.all_squares() };
                let places = squares(all)
                    .map(|at| if posts { seen(side).post(at) } else { seen(side).square(at) });
                places.collect::<std::collections::BTreeSet<_>>().len()
            };
            for side in Side::BOTH {
                assert_eq!(places(side, false), usize::from(size).pow(2));
                assert_eq!(places(side, true), usize::from(size - 1).pow(2));
            }
        }
    }

    /// Compares with a flood for each wall that may be placed.
    #[test]
    fn ways_tell_what_walls_add_to_them() {
        let mut rng = fastrand::Rng::with_seed(17);
        let mut net = 0;
        for _ in 0..1000 {
            let board = Board::new(rng.u8(MIN_SIZE..=STRIDE));
            let mut position = random_position(&board, &mut rng);
            position.walls_left = [(); 2].map(|()| rng.u8(..3));
            let open = position.open_passages(&board);
            let steps = |open: Passages, side: Side| {
                let (pawn, goal) = (position.pawn(side).bit(), board.goals[side.index()]);
                open.flood_to(pawn, goal).unwrap().1
            };
            let ways = seen(&board, &position).0;
            for side in Side::BOTH {
                let mut expected =
                    PathInputs { walls: [0; 3], gain: 0, net_gain: 0, ..ways[side.index()] };
                expected.steps = steps(open, side);
                let has_walls = position.walls_left[(!side).index()] > 0;
                for wall in wall_placement::placeable_walls(&board, &position, open).iter().filter(|_| has_walls)
                {
                    let [gain, cost] = [side, !side]
                        .map(|side| steps(open.without(wall.into()), side) - steps(open, side));
                    for (count, least) in expected.walls.iter_mut().zip([1, 2, 4]) {
                        *count += u32::from(gain >= least);
                    }
                    expected.gain = expected.gain.max(gain);
                    expected.net_gain = expected.net_gain.max(gain.saturating_sub(cost));
                }
                net += u32::from(expected.net_gain < expected.gain);
                assert_eq!(ways[side.index()], expected, "{position:?} {side:?}");
            }
        }
        assert!(net > 20, "{net}");
    }
}
