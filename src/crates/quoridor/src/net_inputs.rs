//! The inputs of Quoridor's net. One net evaluates boards of every size with any number of walls.
//!
//! The inputs show the board from the side to move. The pawn of this side always moves up the
//! board, and is never to the right of the middle. If this pawn is on the middle file, the other
//! pawn decides which of the two mirror images is shown. If both pawns are on the middle file, the
//! walls decide. So the evaluation is the same for all images of a position.
//!
//! The squares of a small board are mapped to squares of the largest board, so that the middle
//! files and the goal match. The mapping preserves two kinds of distances. A pawn's own square and
//! the squares on its shortest paths keep their distance from that pawn's goal. Walls keep their
//! distance from the goal of the side to move. So everything that the net learns on one board also
//! applies to the other boards.
//!
//! | inputs | meaning of the active inputs |
//! |---|---|
//! | size | the number of files of the board |
//! | pawns | the square of the own pawn, and the square of the other pawn |
//! | walls | the posts and directions of the walls |
//! | distances | the lengths of the shortest paths of the own pawn and of the other pawn |
//! | lead | the length of the other pawn's shortest path minus the length of the own pawn's shortest path |
//! | walls left | the numbers of walls in hand of the side to move and of the other side |
//! | squares | the squares on shortest paths of the own pawn, and on shortest paths of the other pawn |
//! | steps | the additional steps of a pawn's path if it begins with the second, third or fourth best step |
//! | lengthening walls | the number of placeable walls that lengthen the shortest path of a pawn |
//! | by two, by four | the number of lengthening walls that add at least two steps, or at least four steps |
//! | gain | the maximum number of steps that a lengthening wall adds |
//! | net gain | the maximum, over the lengthening walls, of the added steps minus the steps added to the other pawn's path |

use std::cmp::Ordering;

use pentarch_core::Side;

use super::bidirectional_flood::BidirectionalFlood;
use super::board::Board;
use super::position::Position;
use super::shortest_paths::ShortestPaths;
use super::square_sets::{FILE_STRIDE, PassageSet, Square, iter_squares};
use super::walls::Walls;
use super::{MAX_WALLS_WITH_TWO_PLAYERS, MIN_BOARD_SIZE};

const BOARD_SIZE_COUNT: usize = (FILE_STRIDE - MIN_BOARD_SIZE + 1) as usize;
/// The number of squares of the largest board.
const SQUARE_COUNT: usize = FILE_STRIDE as usize * FILE_STRIDE as usize;
const POST_COUNT: usize = (FILE_STRIDE as usize - 1) * (FILE_STRIDE as usize - 1);
/// The number of inputs for the length of a path. The last input stands for 39 steps or more.
const DISTANCE_INPUT_COUNT: usize = 40;
const LEAD_INPUT_COUNT: usize = 40;
/// The input that stands for a lead of 0.
const ZERO_LEAD_INPUT: i32 = 20;
const WALLS_LEFT_INPUT_COUNT: usize = MAX_WALLS_WITH_TWO_PLAYERS as usize + 1;
/// The number of inputs for the detour of a step. The last input stands for 9 steps or more.
const DETOUR_INPUT_COUNT: usize = 10;

/// A minimum number of added steps, and the number of inputs for the count of walls that add at
/// least this number.
struct PathLengtheningThreshold {
    min_steps: u32,
    inputs: usize,
}

/// The three counts of lengthening walls: walls that add at least one, two and four steps.
const PATH_LENGTHENING_THRESHOLDS: [PathLengtheningThreshold; 3] = [
    PathLengtheningThreshold { min_steps: 1, inputs: 12 },
    PathLengtheningThreshold { min_steps: 2, inputs: 8 },
    PathLengtheningThreshold { min_steps: 4, inputs: 8 },
];
/// The number of inputs for a gain or a net gain.
const ADDED_STEPS_INPUT_COUNT: usize = 16;

/// The number of the first input of each kind. Most kinds have a block of inputs for the own pawn,
/// and then a block for the other pawn. The exceptions are the size, the walls and the lead.
const BOARD_SIZE_INPUT_OFFSET: usize = 0;
const PAWN_INPUT_OFFSET: usize = BOARD_SIZE_INPUT_OFFSET + BOARD_SIZE_COUNT;
const WALLS_INPUT_OFFSET: usize = PAWN_INPUT_OFFSET + 2 * SQUARE_COUNT;
const DISTANCE_INPUT_OFFSET: usize = WALLS_INPUT_OFFSET + 2 * POST_COUNT;
const LEAD_INPUT_OFFSET: usize = DISTANCE_INPUT_OFFSET + 2 * DISTANCE_INPUT_COUNT;
const WALLS_LEFT_INPUT_OFFSET: usize = LEAD_INPUT_OFFSET + LEAD_INPUT_COUNT;
const PATH_SQUARE_INPUT_OFFSET: usize = WALLS_LEFT_INPUT_OFFSET + 2 * WALLS_LEFT_INPUT_COUNT;
const DETOUR_INPUT_OFFSET: usize = PATH_SQUARE_INPUT_OFFSET + 2 * SQUARE_COUNT;
const ADDED_STEPS_INPUT_OFFSET: usize = DETOUR_INPUT_OFFSET + 2 * 3 * DETOUR_INPUT_COUNT;
const ADDED_STEPS_BALANCE_INPUT_OFFSET: usize =
    ADDED_STEPS_INPUT_OFFSET + 2 * ADDED_STEPS_INPUT_COUNT;
const LENGTHENING_BY_ONE_INPUT_OFFSET: usize =
    ADDED_STEPS_BALANCE_INPUT_OFFSET + 2 * ADDED_STEPS_INPUT_COUNT;
const LENGTHENING_BY_TWO_INPUT_OFFSET: usize =
    LENGTHENING_BY_ONE_INPUT_OFFSET + 2 * PATH_LENGTHENING_THRESHOLDS[0].inputs;
const LENGTHENING_BY_FOUR_INPUT_OFFSET: usize =
    LENGTHENING_BY_TWO_INPUT_OFFSET + 2 * PATH_LENGTHENING_THRESHOLDS[1].inputs;
pub(crate) const NET_INPUT_COUNT: usize =
    LENGTHENING_BY_FOUR_INPUT_OFFSET + 2 * PATH_LENGTHENING_THRESHOLDS[2].inputs;

/// The number of classes into which [`net_output_bucket`] divides the numbers of walls left.
const WALLS_LEFT_BUCKET_COUNT: usize = 5;
pub(crate) const OUTPUT_BUCKET_COUNT: usize = WALLS_LEFT_BUCKET_COUNT * WALLS_LEFT_BUCKET_COUNT;

/// The features of one pawn's paths to its goal, from which the inputs are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PathFeatures {
    /// The length of the shortest paths.
    pub steps: u32,
    /// The squares on the shortest paths.
    squares: u128,
    /// The numbers of steps that are added to the pawn's path if it begins with the second, third
    /// or fourth best step instead of the best step.
    detours: [u32; 3],
    /// The numbers of walls with which the opponent can lengthen the shortest path by at least one,
    /// two and four steps.
    wall_counts: [u32; 3],
    /// The maximum number of steps that one of these walls adds to the shortest path.
    gain: u32,
    /// The maximum net gain of one of these walls: the steps added to this pawn's path, minus those
    /// added to the path of the opponent's own pawn.
    net_gain: u32,
}

impl PathFeatures {
    /// Returns the features of both pawns. `paths` are the shortest paths of the pawns.
    /// `lengthening_walls` are the placeable walls that lengthen the path of each pawn.
    pub(crate) fn for_both_pawns(
        board: &Board,
        position: &Position,
        open: PassageSet,
        paths: &[ShortestPaths; 2],
        lengthening_walls: &[Walls; 2],
    ) -> [PathFeatures; 2] {
        let floods = BidirectionalFlood::for_both_pawns(board, position, open, paths);
        Side::BOTH_SIDES.map(|side| {
            let own = side.index();
            let other = (!side).index();
            let [_, detours @ ..] = floods[own].detours_by_step(DETOUR_INPUT_COUNT as u32 - 1);
            let mut features = PathFeatures {
                steps: paths[own].length,
                squares: floods[own].path_squares(),
                detours,
                ..PathFeatures::default()
            };
            let walls =
                if position.walls_left[other] > 0 { lengthening_walls[own] } else { Walls::EMPTY };
            for wall in walls.iter() {
                let gain = floods[own].steps_added_by_wall(wall);
                let cost = if lengthening_walls[other].contains(wall) {
                    floods[other].steps_added_by_wall(wall)
                } else {
                    0
                };
                for (count, threshold) in
                    features.wall_counts.iter_mut().zip(PATH_LENGTHENING_THRESHOLDS)
                {
                    *count += u32::from(gain >= threshold.min_steps);
                }
                features.gain = features.gain.max(gain);
                features.net_gain = features.net_gain.max(gain.saturating_sub(cost));
            }
            features
        })
    }
}

/// Returns the output bucket of a position. The bucket depends on the numbers of walls that the two
/// sides have left. Each number belongs to one of five classes: no wall, one wall, two or three
/// walls, four to six walls, and more walls.
pub(crate) fn net_output_bucket(position: &Position) -> usize {
    let class = |side: Side| match position.walls_left[side.index()] {
        0 => 0,
        1 => 1,
        2..=3 => 2,
        4..=6 => 3,
        _ => 4,
    };
    WALLS_LEFT_BUCKET_COUNT * class(position.mover) + class(!position.mover)
}

/// Calls `input` with the number of each active input. `path_features` are the features of the
/// first side's pawn and of the second side's pawn.
#[inline]
pub(crate) fn for_each_input(
    board: &Board,
    position: &Position,
    path_features: &[PathFeatures; 2],
    mut input: impl FnMut(usize),
) {
    let sides = [position.mover, !position.mover];
    let mappings = sides.map(MappingToLargestBoard::select(board, position));
    input(BOARD_SIZE_INPUT_OFFSET + usize::from(board.size - MIN_BOARD_SIZE));
    for (direction, set) in
        [position.walls.horizontal, position.walls.vertical].into_iter().enumerate()
    {
        iter_squares(set).for_each(|post| {
            input(WALLS_INPUT_OFFSET + POST_COUNT * direction + mappings[0].post_index(post))
        });
    }
    let [own, other] = sides.map(|side| path_features[side.index()].steps as i32);
    input(
        LEAD_INPUT_OFFSET
            + (other - own + ZERO_LEAD_INPUT).clamp(0, LEAD_INPUT_COUNT as i32 - 1) as usize,
    );
    for (number, side) in sides.into_iter().enumerate() {
        let features = &path_features[side.index()];
        let mapping = mappings[number];
        let mut input_of_kind = |offset: usize, count: usize, value: usize| {
            input(offset + number * count + value.min(count - 1))
        };
        input_of_kind(PAWN_INPUT_OFFSET, SQUARE_COUNT, mapping.square_index(position.pawn(side)));
        input_of_kind(DISTANCE_INPUT_OFFSET, DISTANCE_INPUT_COUNT, features.steps as usize);
        input_of_kind(
            WALLS_LEFT_INPUT_OFFSET,
            WALLS_LEFT_INPUT_COUNT,
            position.walls_left[side.index()].into(),
        );
        input_of_kind(ADDED_STEPS_INPUT_OFFSET, ADDED_STEPS_INPUT_COUNT, features.gain as usize);
        input_of_kind(
            ADDED_STEPS_BALANCE_INPUT_OFFSET,
            ADDED_STEPS_INPUT_COUNT,
            features.net_gain as usize,
        );
        let offsets = [
            LENGTHENING_BY_ONE_INPUT_OFFSET,
            LENGTHENING_BY_TWO_INPUT_OFFSET,
            LENGTHENING_BY_FOUR_INPUT_OFFSET,
        ];
        for ((offset, threshold), count) in
            offsets.into_iter().zip(PATH_LENGTHENING_THRESHOLDS).zip(features.wall_counts)
        {
            input_of_kind(offset, threshold.inputs, count as usize);
        }
        iter_squares(features.squares).for_each(|square| {
            input_of_kind(PATH_SQUARE_INPUT_OFFSET, SQUARE_COUNT, mapping.square_index(square))
        });
        for (rank, detour) in features.detours.into_iter().enumerate() {
            input(DETOUR_INPUT_OFFSET + (3 * number + rank) * DETOUR_INPUT_COUNT + detour as usize);
        }
    }
}

/// A mapping from the squares and posts of a board to those of the largest board. The image shows
/// the board from a side that moves up.
#[derive(Debug)]
struct MappingToLargestBoard {
    /// For each square, the index of its image.
    squares: [u8; SQUARE_COUNT],
    /// For each post, the index of its image.
    posts: [u8; SQUARE_COUNT],
}

/// The mappings, by board size and then by side. For each side, there are two: the first keeps the
/// order of the files, and the second reverses it.
static MAPPINGS_TO_LARGEST_BOARD: [[[MappingToLargestBoard; 2]; 2]; BOARD_SIZE_COUNT] = {
    const EMPTY: MappingToLargestBoard =
        MappingToLargestBoard { squares: [0; SQUARE_COUNT], posts: [0; SQUARE_COUNT] };
    let mut all = [const { [const { [EMPTY; 2] }; 2] }; BOARD_SIZE_COUNT];
    let mut number = 0;
    while number < BOARD_SIZE_COUNT {
        let mut view = 0;
        while view < 4 {
            all[number][view / 2][view % 2] = MappingToLargestBoard::for_board(
                number as u8 + MIN_BOARD_SIZE,
                view / 2 == 0,
                view % 2 == 1,
            );
            view += 1;
        }
        number += 1;
    }
    all
};

impl MappingToLargestBoard {
    /// Computes a mapping of the boards of this size. If `goal_is_last` is `true`, the goal of the
    /// side is the last rank, otherwise the first rank. If `mirrored` is `true`, the order of the
    /// files is reversed.
    const fn for_board(size: u8, goal_is_last: bool, mirrored: bool) -> MappingToLargestBoard {
        let mut mapping =
            MappingToLargestBoard { squares: [0; SQUARE_COUNT], posts: [0; SQUARE_COUNT] };
        let margin = (FILE_STRIDE - size) / 2;
        let mut number = 0;
        while number < FILE_STRIDE * FILE_STRIDE {
            let file = number / FILE_STRIDE;
            let rank = number % FILE_STRIDE;
            mapping.squares[number as usize] =
                image_index(file, rank, size, margin, FILE_STRIDE, goal_is_last, mirrored);
            mapping.posts[number as usize] =
                image_index(file, rank, size - 1, margin, FILE_STRIDE - 1, goal_is_last, mirrored);
            number += 1;
        }
        mapping
    }

    /// Chooses the mappings for a position, and returns them as a function of the side. The order
    /// of the files is reversed for both sides or for neither.
    fn select(
        board: &Board,
        position: &Position,
    ) -> impl Fn(Side) -> &'static MappingToLargestBoard {
        let all = &MAPPINGS_TO_LARGEST_BOARD[usize::from(board.size - MIN_BOARD_SIZE)];
        let sides = [position.mover, !position.mover];
        let walls = |mirrored: usize| {
            let mapping = &all[position.mover.index()][mirrored];
            let image = |set| {
                iter_squares(set).fold(0, |image: u128, post| image | 1 << mapping.post_index(post))
            };
            [position.walls.horizontal, position.walls.vertical].map(image)
        };
        let from_middle =
            sides.map(|side| (2 * position.pawn(side).point().file).cmp(&(board.size - 1)));
        let is_right = from_middle.into_iter().find(|order| order.is_ne()).map(Ordering::is_gt);
        let mirrored = usize::from(is_right.unwrap_or_else(|| walls(1) < walls(0)));
        move |side| &all[side.index()][mirrored]
    }

    /// Returns the index of a square's image.
    fn square_index(&self, square: Square) -> usize {
        self.squares[usize::from(square.0)].into()
    }

    /// Returns the index of a post's image.
    fn post_index(&self, post: Square) -> usize {
        self.posts[usize::from(post.0)].into()
    }
}

/// Returns the index of the image of a square or a post. `size` is the number of files of squares
/// or posts on the board, and `max_size` is that of the largest board. The images on a file have
/// consecutive indices, beginning at the goal. Points off the board have index 0.
const fn image_index(
    file: u8,
    rank: u8,
    size: u8,
    margin: u8,
    max_size: u8,
    goal_is_last: bool,
    mirrored: bool,
) -> u8 {
    if file >= size || rank >= size {
        return 0;
    }
    let file = if mirrored { size - 1 - file } else { file };
    let from_goal = if goal_is_last { size - 1 - rank } else { rank };
    max_size * (file + margin) + from_goal
}

#[cfg(test)]
mod tests {
    use super::super::test_positions::random_position;
    use super::super::wall_placement;
    use super::*;
    use pentarch_core::notation::points::BoardReflection;

    /// Returns the path features of both pawns, and the active inputs in ascending order.
    fn features_and_inputs(board: &Board, position: &Position) -> ([PathFeatures; 2], Vec<usize>) {
        let open = position.open_passages(board);
        let paths = Side::BOTH_SIDES.map(|side| {
            open.shortest_paths(position.pawn(side).bit(), board.goals[side.index()]).unwrap()
        });
        let placeable = wall_placement::placeable_walls(board, position, open);
        let lengthening_walls = Side::BOTH_SIDES
            .map(|side| paths[side.index()].lengthening_walls(board, open, side) & placeable);
        let features =
            PathFeatures::for_both_pawns(board, position, open, &paths, &lengthening_walls);
        let mut inputs = Vec::new();
        for_each_input(board, position, &features, |input| inputs.push(input));
        inputs.sort_unstable();
        (features, inputs)
    }

    #[test]
    fn all_images_of_a_position_have_the_same_inputs() {
        let mut rng = fastrand::Rng::with_seed(16);
        let mut middle = 0;
        for number in 0..4000 {
            let board = Board::new(rng.u8(MIN_BOARD_SIZE..=FILE_STRIDE));
            let mut position = random_position(&board, &mut rng);
            position.walls_left = [(); 2].map(|()| rng.u8(..=MAX_WALLS_WITH_TWO_PLAYERS));
            // In some positions, both pawns are placed on the middle file if they have paths from
            // there, so that the walls decide the mirror.
            let start = Position::start(&board, [MAX_WALLS_WITH_TWO_PLAYERS; 2]).pawns;
            let has_path = |side: Side| {
                position.open_passages(&board).reachable_from(start[side.index()].bit())
                    & board.goals[side.index()]
                    != 0
            };
            if number % 4 == 0 && Side::BOTH_SIDES.into_iter().all(has_path) {
                position.pawns = start;
                middle += u32::from(board.size % 2 == 1);
            }
            let expected = features_and_inputs(&board, &position).1;
            assert!(
                expected.windows(2).all(|pair| pair[0] != pair[1])
                    && expected.iter().all(|&input| input < NET_INPUT_COUNT)
            );
            for (files, ranks) in [(true, false), (false, true), (true, true)] {
                let image = position.mirrored(&board, BoardReflection { files, ranks });
                let inputs = features_and_inputs(&board, &image).1;
                assert_eq!(inputs, expected, "{position:?} {files} {ranks}");
            }
        }
        assert!(middle > 100, "{middle}");
    }

    /// For each board size, the goal maps to the top rank of the largest board, and the middle
    /// files map to its middle.
    #[test]
    fn small_boards_map_to_the_middle_below_the_goal() {
        for size in MIN_BOARD_SIZE..=FILE_STRIDE {
            let board = Board::new(size);
            let [white, _, black, _] = board.start_squares();
            let position = Position::start(&board, [10; 2]);
            let mapping = MappingToLargestBoard::select(&board, &position);
            for (side, square) in [(Side::First, white), (Side::Second, black)] {
                assert_eq!(
                    mapping(side).square_index(square) % 11,
                    usize::from(size) - 1,
                    "of {size}"
                );
                assert_eq!(
                    mapping(side).square_index(square) / 11,
                    5 - usize::from(size % 2 == 0 && side == Side::First),
                    "of {size}"
                );
            }
            let count_images = |side: Side, posts: bool| {
                let all = if posts { board.posts } else { board.all_squares() };
                let mapping = mapping(side);
                let images = iter_squares(all).map(|at| {
                    if posts { mapping.post_index(at) } else { mapping.square_index(at) }
                });
                images.collect::<std::collections::BTreeSet<_>>().len()
            };
            for side in Side::BOTH_SIDES {
                assert_eq!(count_images(side, false), usize::from(size).pow(2));
                assert_eq!(count_images(side, true), usize::from(size - 1).pow(2));
            }
        }
    }

    /// Compares the features with the path lengths that a flood finds for each placeable wall.
    #[test]
    fn path_features_agree_with_a_flood_for_each_wall() {
        let mut rng = fastrand::Rng::with_seed(17);
        let mut net = 0;
        for _ in 0..1000 {
            let board = Board::new(rng.u8(MIN_BOARD_SIZE..=FILE_STRIDE));
            let mut position = random_position(&board, &mut rng);
            position.walls_left = [(); 2].map(|()| rng.u8(..3));
            let open = position.open_passages(&board);
            let steps = |open: PassageSet, side: Side| {
                open.distance(position.pawn(side).bit(), board.goals[side.index()]).unwrap()
            };
            let features = features_and_inputs(&board, &position).0;
            for side in Side::BOTH_SIDES {
                let mut expected = PathFeatures {
                    wall_counts: [0; 3],
                    gain: 0,
                    net_gain: 0,
                    ..features[side.index()]
                };
                expected.steps = steps(open, side);
                let has_walls = position.walls_left[(!side).index()] > 0;
                for wall in wall_placement::placeable_walls(&board, &position, open)
                    .iter()
                    .filter(|_| has_walls)
                {
                    let [gain, cost] = [side, !side].map(|side| {
                        steps(open.without_walls(wall.into()), side) - steps(open, side)
                    });
                    for (count, least) in expected.wall_counts.iter_mut().zip([1, 2, 4]) {
                        *count += u32::from(gain >= least);
                    }
                    expected.gain = expected.gain.max(gain);
                    expected.net_gain = expected.net_gain.max(gain.saturating_sub(cost));
                }
                net += u32::from(expected.net_gain < expected.gain);
                assert_eq!(features[side.index()], expected, "{position:?} {side:?}");
            }
        }
        assert!(net > 20, "{net}");
    }
}
