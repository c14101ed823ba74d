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
//! | walls near a pawn | a wall stands so many files and ranks away from the own pawn, or from the other one |
//! | distances | the shortest path of the own pawn, or of the other one, has so many steps |
//! | walls left | the side to move, or the other one, has so many walls in hand |
//! | lengthening walls | this wall can be placed and lengthens the shortest path of the own pawn, or of the other one |
//! | their number | there are so many of these walls |

use crate::core::Side;

use super::board::{STRIDE, Square};
use super::position::Position;
use super::walls::Walls;

/// The number of files, and of ranks, of the board for which the net is made.
pub const SIZE: u8 = 9;
/// The number of walls of each side for which the net is made.
pub const WALLS: u8 = 10;

/// The number of squares.
const SQUARES: usize = 81;
/// The number of walls on different places: two on each of 64 posts.
const PLACES: usize = 2 * 64;
/// The number of places of a wall seen from a pawn: two directions, and sixteen differences of files and of ranks.
const NEAR: usize = 2 * 256;
/// The number of inputs for a distance. The last one stands for all greater ones, too.
const DISTANCES: usize = 32;
/// The number of inputs for the number of lengthening walls. The last one stands for all greater numbers, too.
const NUMBERS: usize = 12;

/// Where the inputs of each kind begin. Each but `STANDING` has a part for the own pawn and then one for the other.
const PAWN: usize = 0;
const STANDING: usize = PAWN + 2 * SQUARES;
const NEAR_PAWN: usize = STANDING + PLACES;
const DISTANCE: usize = NEAR_PAWN + 2 * NEAR;
const LEFT: usize = DISTANCE + 2 * DISTANCES;
const LENGTHENING: usize = LEFT + 2 * (WALLS as usize + 1);
const NUMBER: usize = LENGTHENING + 2 * PLACES;
/// The number of inputs.
pub const INPUTS: usize = NUMBER + 2 * NUMBERS;

/// The number of output buckets. The phase of the game is the number of walls that both sides have left.
pub const BUCKETS: usize = 8;

/// The output bucket of a position.
pub fn output_bucket(position: &Position) -> usize {
    let [first, second] = position.walls_left.map(usize::from);
    (first + second).div_ceil(3).min(BUCKETS - 1)
}

/// Calls `input` with each active input. `distances` are those of the pawns, and `lengthening` the walls that may be
/// placed and lengthen their shortest paths, the first side's first.
#[inline]
pub fn for_each(position: &Position, distances: [u32; 2], lengthening: [Walls; 2], mut input: impl FnMut(usize)) {
    let view = View::new(position);
    let pawns = [position.side, !position.side].map(|side| view.square(position.pawn(side)));
    for (direction, set) in view.walls.into_iter().enumerate() {
        for post in bits(set) {
            input(STANDING + 64 * direction + post);
            let at = 16 * (post >> 3) + (post & 7) + 136 + 256 * direction;
            for (number, (file, rank)) in pawns.into_iter().enumerate() {
                input(NEAR_PAWN + number * NEAR + at - (16 * file + rank));
            }
        }
    }
    for (number, side) in [position.side, !position.side].into_iter().enumerate() {
        let (file, rank) = pawns[number];
        input(PAWN + number * SQUARES + usize::from(SIZE) * file + rank);
        input(DISTANCE + number * DISTANCES + (distances[side.index()] as usize).min(DISTANCES - 1));
        let left = position.walls_left[side.index()].min(WALLS);
        input(LEFT + number * (usize::from(WALLS) + 1) + usize::from(left));
        let lengthening = lengthening[side.index()];
        input(NUMBER + number * NUMBERS + (lengthening.count() as usize).min(NUMBERS - 1));
        for (direction, set) in view.posts(lengthening).into_iter().enumerate() {
            bits(set).for_each(|post| input(LENGTHENING + number * PLACES + 64 * direction + post));
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
        let mut view = View { ranks: position.side == Side::Second, files: false, walls: [0; 2] };
        let walls = view.posts(position.walls);
        let image = walls.map(u64::swap_bytes);
        let files = [position.side, !position.side].map(|side| position.pawn(side).point().file);
        view.files = files.into_iter().find(|&file| file != middle).map_or(image < walls, |file| file > middle);
        view.walls = if view.files { image } else { walls };
        view
    }

    /// The file and the rank on which a square is seen.
    fn square(&self, square: Square) -> (usize, usize) {
        let point = square.point();
        let image = |at: u8, reversed: bool| usize::from(if reversed { SIZE - 1 - at } else { at });
        (image(point.file, self.files), image(point.rank, self.ranks))
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

/// The numbers of the bits of a set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}
