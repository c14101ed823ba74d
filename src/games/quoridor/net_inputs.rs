//! The inputs of Quoridor's net: what of a position it sees.
//!
//! The board is seen from the side to move: its pawn always moves up the board, and it never stands to the right of the
//! middle. Where it stands on the middle file, the other pawn decides which of the two mirror images is seen, and then
//! the walls do. So the evaluation is the same for all images of a position.
//!
//! | inputs | each is active if |
//! |---|---|
//! | pawns | the own pawn, or the other one, stands on this square |
//! | walls | a wall stands on this post, horizontal or vertical |
//! | distances | the shortest path of the own pawn, or of the other one, has so many steps |
//! | lead | the shortest path of the own pawn has so many steps less than that of the other |
//! | walls left | the side to move, or the other one, has so many walls in hand |
//! | squares | this square is on a shortest path of the own pawn, or of the other one |
//! | steps | the path of a pawn that begins with its second, third or fourth best step is so much longer |
//! | lengthening walls | so many walls can be placed that lengthen the shortest path of a pawn |
//! | by two | so many of them lengthen it by two steps or more |
//! | gain | one of them lengthens it by so many steps, and none by more |
//! | net gain | so many steps are left of that at best after what the same wall adds to the other pawn's path |

use pentarch_core::points::bits;
use pentarch_core::{Point, Side};

use super::board::{Board, STRIDE, Square, squares};
use super::detours::Detours;
use super::paths::{Passages, ShortestPaths};
use super::position::Position;
use super::walls::Walls;

/// The number of files, and of ranks, of the board for which the net is made.
pub const SIZE: u8 = 9;
/// The number of walls of each side for which the net is made.
pub const WALLS: u8 = 10;

/// The number of squares.
const SQUARES: usize = 81;
/// The number of places of a wall: two on each of 64 posts.
const PLACES: usize = 2 * 64;
/// The number of inputs for a distance. The last one stands for all greater ones, too; so it is below.
const DISTANCES: usize = 32;
/// The number of inputs for the lead, and the one for no lead.
const LEADS: usize = 40;
const NO_LEAD: i32 = 20;
/// The number of inputs for each number of walls in hand.
const LEFTS: usize = WALLS as usize + 1;
/// The number of inputs for how much longer the path is that begins with another step.
const DETOURS: usize = 10;
/// The number of inputs for the number of lengthening walls, and of those that lengthen by two.
const NUMBERS: [usize; 2] = [12, 8];
/// The number of inputs for a gain.
const GAINS: usize = 16;

/// Where the inputs of each kind begin. Each kind but `STANDING` and `LEAD` has a part for the own pawn and then one
/// for the other.
const PAWN: usize = 0;
const STANDING: usize = PAWN + 2 * SQUARES;
const DISTANCE: usize = STANDING + PLACES;
const LEAD: usize = DISTANCE + 2 * DISTANCES;
const LEFT: usize = LEAD + LEADS;
const ON_PATH: usize = LEFT + 2 * LEFTS;
const STEP: usize = ON_PATH + 2 * SQUARES;
const LENGTHENING: usize = STEP + 2 * 3 * DETOURS;
const BY_TWO: usize = LENGTHENING + 2 * NUMBERS[0];
const GAIN: usize = BY_TWO + 2 * NUMBERS[1];
const NET_GAIN: usize = GAIN + 2 * GAINS;
/// The number of inputs.
pub const INPUTS: usize = NET_GAIN + 2 * GAINS;

/// The number of output buckets. The phase of the game is the number of walls that both sides have left.
pub const BUCKETS: usize = 8;

/// What the inputs tell of the way of one pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Way {
    /// The number of steps of the shortest paths.
    pub steps: u32,
    /// The squares on them.
    squares: u128,
    /// By how much the paths are longer that begin with the second, third and fourth best step.
    detours: [u32; 3],
    /// The numbers of walls that the opponent can place and that lengthen the shortest path by one step, and by two.
    walls: [u32; 2],
    /// By how many steps one of these walls lengthens it at most.
    gain: u32,
    /// The greatest difference between this and what the same wall adds to the opponent's path.
    net_gain: u32,
}

impl Way {
    /// A way of which only the number of steps is known.
    pub fn of_steps(steps: u32) -> Way {
        Way { steps, ..Way::default() }
    }

    /// The ways of both pawns. `paths` are their shortest paths, and `lengthening` the walls that may be placed and
    /// lengthen them.
    pub fn of_both(
        board: &Board,
        position: &Position,
        open: Passages,
        paths: &[ShortestPaths; 2],
        lengthening: &[Walls; 2],
    ) -> [Way; 2] {
        let mut detours = [Detours::NONE; 2];
        for (side, detours) in Side::BOTH.into_iter().zip(&mut detours) {
            let (pawn, goal) = (position.pawn(side).bit(), board.goals[side.index()]);
            detours.flood(open, pawn, goal, paths[side.index()].length);
        }
        Side::BOTH.map(|side| {
            let (own, other) = (side.index(), (!side).index());
            let [_, others @ ..] = detours[own].by_step(DETOURS as u32 - 1);
            let (steps, squares) = (paths[own].length, detours[own].squares());
            let mut way = Way { steps, squares, detours: others, ..Way::default() };
            let walls = if position.walls_left[other] > 0 { lengthening[own] } else { Walls::NONE };
            for wall in walls.iter() {
                let gain = detours[own].gain(wall);
                let cost = if lengthening[other].contains(wall) { detours[other].gain(wall) } else { 0 };
                way.walls[0] += 1;
                way.walls[1] += u32::from(gain > 1);
                way.gain = way.gain.max(gain);
                way.net_gain = way.net_gain.max(gain.saturating_sub(cost));
            }
            way
        })
    }
}

/// The output bucket of a position.
pub fn output_bucket(position: &Position) -> usize {
    let [first, second] = position.walls_left.map(usize::from);
    (first + second).div_ceil(3).min(BUCKETS - 1)
}

/// Calls `input` with each active input. `ways` are those of the first side's and the second side's pawn.
#[inline]
pub fn for_each(position: &Position, ways: &[Way; 2], mut input: impl FnMut(usize)) {
    let view = View::new(position);
    for (direction, set) in view.walls.into_iter().enumerate() {
        bits(set).for_each(|post| input(STANDING + 64 * direction + usize::from(post)));
    }
    let sides = [position.mover, !position.mover];
    let [own, other] = sides.map(|side| ways[side.index()].steps as i32);
    input(LEAD + (other - own + NO_LEAD).clamp(0, LEADS as i32 - 1) as usize);
    for (number, side) in sides.into_iter().enumerate() {
        let way = &ways[side.index()];
        let mut one_of = |first: usize, length: usize, at: usize| input(first + number * length + at.min(length - 1));
        one_of(PAWN, SQUARES, view.square(position.pawn(side)));
        one_of(DISTANCE, DISTANCES, way.steps as usize);
        one_of(LEFT, LEFTS, position.walls_left[side.index()].into());
        one_of(LENGTHENING, NUMBERS[0], way.walls[0] as usize);
        one_of(BY_TWO, NUMBERS[1], way.walls[1] as usize);
        one_of(GAIN, GAINS, way.gain as usize);
        one_of(NET_GAIN, GAINS, way.net_gain as usize);
        squares(way.squares).for_each(|square| one_of(ON_PATH, SQUARES, view.square(square)));
        for (rank, longer) in way.detours.into_iter().enumerate() {
            input(STEP + (3 * number + rank) * DETOURS + longer as usize);
        }
    }
}

/// How the board is seen.
struct View {
    /// Whether the first rank is seen as the last one.
    ranks: bool,
    /// Whether the first file is seen as the last one.
    files: bool,
    /// The horizontal and the vertical walls as they are seen: the post on this file and rank is bit 8 * file + rank.
    walls: [u64; 2],
}

impl View {
    fn new(position: &Position) -> View {
        let middle = SIZE / 2;
        let mut view = View { ranks: position.mover == Side::Second, files: false, walls: [0; 2] };
        let walls = view.posts(position.walls);
        let image = walls.map(u64::swap_bytes);
        let files = [position.mover, !position.mover].map(|side| position.pawn(side).point().file);
        view.files = files.into_iter().find(|&file| file != middle).map_or(image < walls, |file| file > middle);
        view.walls = if view.files { image } else { walls };
        view
    }

    /// The number of a square as it is seen.
    fn square(&self, square: Square) -> usize {
        let Point { file, rank } = square.point();
        let image = |at: u8, reversed: bool| usize::from(if reversed { SIZE - 1 - at } else { at });
        usize::from(SIZE) * image(file, self.files) + image(rank, self.ranks)
    }

    /// Horizontal and vertical walls as they are seen.
    fn posts(&self, walls: Walls) -> [u64; 2] {
        [walls.horizontal, walls.vertical].map(|posts| {
            let file = |set: u64, file: u8| set | u64::from((posts >> (STRIDE * file)) as u8) << (8 * file);
            let set = (0..8).fold(0, file);
            let set = if self.ranks { set.reverse_bits().swap_bytes() } else { set };
            if self.files { set.swap_bytes() } else { set }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::placement;
    use super::super::test_positions::random_position;
    use super::*;
    use pentarch_core::points::Mirror;

    /// The ways of both pawns and the active inputs.
    fn seen(board: &Board, position: &Position) -> ([Way; 2], Vec<usize>) {
        let open = position.open(board);
        let paths =
            Side::BOTH.map(|side| open.shortest_paths(position.pawn(side).bit(), board.goals[side.index()]).unwrap());
        let allowed = placement::allowed(board, position, open);
        let lengthening = Side::BOTH.map(|side| paths[side.index()].lengthening(board, open, side) & allowed);
        let ways = Way::of_both(board, position, open, &paths, &lengthening);
        let mut inputs = Vec::new();
        for_each(position, &ways, |input| inputs.push(input));
        inputs.sort_unstable();
        (ways, inputs)
    }

    #[test]
    fn all_images_of_a_position_look_the_same() {
        let mut rng = fastrand::Rng::with_seed(16);
        let board = Board::new(SIZE);
        let mut middle = 0;
        for number in 0..2000 {
            let mut position = random_position(&board, &mut rng);
            position.walls_left = [(); 2].map(|()| rng.u8(..=WALLS));
            // Both pawns on the middle file, if they have paths there: the walls decide.
            let start = Position::start(&board, [WALLS; 2]).pawns;
            let has_path =
                |side: Side| position.open(&board).fill(start[side.index()].bit()) & board.goals[side.index()] != 0;
            if number % 4 == 0 && Side::BOTH.into_iter().all(has_path) {
                position.pawns = start;
                middle += 1;
            }
            let expected = seen(&board, &position).1;
            for (files, ranks) in [(true, false), (false, true), (true, true)] {
                let image = position.mirrored(&board, Mirror { files, ranks });
                assert_eq!(seen(&board, &image).1, expected, "{position:?} {files} {ranks}");
            }
        }
        assert!(middle > 100, "{middle}");
    }

    /// Compares with a flood for each wall that may be placed.
    #[test]
    fn ways_tell_what_walls_add_to_them() {
        let mut rng = fastrand::Rng::with_seed(17);
        let board = Board::new(SIZE);
        let mut net = 0;
        for _ in 0..500 {
            let mut position = random_position(&board, &mut rng);
            position.walls_left = [(); 2].map(|()| rng.u8(..3));
            let open = position.open(&board);
            let steps = |open: Passages, side: Side| {
                let (pawn, goal) = (position.pawn(side).bit(), board.goals[side.index()]);
                open.flood_to(pawn, goal).unwrap().1
            };
            let ways = seen(&board, &position).0;
            for side in Side::BOTH {
                let mut expected = Way { walls: [0; 2], gain: 0, net_gain: 0, ..ways[side.index()] };
                expected.steps = steps(open, side);
                let has_walls = position.walls_left[(!side).index()] > 0;
                for wall in placement::allowed(&board, &position, open).iter().filter(|_| has_walls) {
                    let [gain, cost] =
                        [side, !side].map(|side| steps(open.without(wall.into()), side) - steps(open, side));
                    expected.walls[0] += u32::from(gain > 0);
                    expected.walls[1] += u32::from(gain > 1);
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
