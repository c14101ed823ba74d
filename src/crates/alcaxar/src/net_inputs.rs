//! The inputs of Alcaxar's net: what of a position it sees.
//!
//! The board is seen from the side to move: its own fortress is always that of Red, and its knight never stands above
//! the diagonal between the fortresses. Where it stands on this diagonal, the other knight decides which of the two
//! mirror images is seen, and then the walls do. So the evaluation is the same for all images of a position.
//!
//! | inputs | each is active if |
//! |---|---|
//! | pair | the own knight stands on this square and the other one on that |
//! | knights | the own knight, or the other one, stands on this square |
//! | walls | a wall stands in this slot |
//! | walls by knight | a wall stands in this slot, and the own knight, or the other one, on this square |
//! | blocked | a wall that may not be moved now stands in this slot |
//! | turns | the side to move, or the other one, could turn a wall into this slot, and free no exit by that |
//! | distances | the way of the own knight, or of the other one, to the enemy fortress has so many steps |
//! | race | the ways of the two knights have so many steps |
//! | safe distances | the same, if a wall stood also in each slot into which the enemy could turn one |
//! | mobility | the own knight, or the other one, has so many exits, and the enemy could close so many of them |
//! | threat | the other side could win at once if it were to move |

use std::sync::LazyLock;

use pentarch_core::Side;

use super::board::{self, Slot, Square, slots};
use super::eval_cache::{EvalCache, MAX_DISTANCE};
use super::position::Position;

const SQUARES: usize = 16;
const SLOTS: usize = Slot::COUNT as usize;
/// The number of distances: from 1 step to the greatest one.
const DISTANCES: usize = MAX_DISTANCE as usize;
/// The number of pairs of the number of exits, from 0 to 4, and the number of closable ones among them.
const MOBILITIES: usize = 15;

/// Where the inputs of each kind begin. Most kinds have a part for the own knight and then one for the other.
const PAIR: usize = 0;
const KNIGHT: usize = PAIR + SQUARES * SQUARES;
const WALL: usize = KNIGHT + 2 * SQUARES;
const WALL_BY_KNIGHT: usize = WALL + SLOTS;
const BLOCKED: usize = WALL_BY_KNIGHT + 2 * SQUARES * SLOTS;
const TURN: usize = BLOCKED + SLOTS;
const DISTANCE: usize = TURN + 2 * SLOTS;
const RACE: usize = DISTANCE + 2 * DISTANCES;
const SAFE_DISTANCE: usize = RACE + DISTANCES * DISTANCES;
const MOBILITY: usize = SAFE_DISTANCE + 2 * DISTANCES;
const THREAT: usize = MOBILITY + 2 * MOBILITIES;
/// The number of inputs.
pub const INPUTS: usize = THREAT + 1;

/// Calls `input` with each active input. `blocked` are the slots whose walls may not be moved now.
#[inline]
pub fn for_each(
    position: &Position,
    cache: &EvalCache,
    blocked: u64,
    mut input: impl FnMut(usize),
) {
    let view = View::new(position, blocked);
    let sides = [position.side, !position.side].map(Side::index);
    let knights = sides.map(|side| view.square(position.knights[side].0));
    input(PAIR + SQUARES * knights[0] + knights[1]);
    for slot in slots(position.walls).map(|slot| view.slot(slot)) {
        input(WALL + slot);
        for (number, knight) in knights.into_iter().enumerate() {
            input(WALL_BY_KNIGHT + (SQUARES * number + knight) * SLOTS + slot);
        }
    }
    slots(position.walls & blocked).for_each(|slot| input(BLOCKED + view.slot(slot)));
    let distances = sides.map(|side| cache.distance[side] as usize - 1);
    input(RACE + DISTANCES * distances[0] + distances[1]);
    for (number, side) in sides.into_iter().enumerate() {
        input(KNIGHT + SQUARES * number + knights[number]);
        // The turns of one side are those that may close the way of the other's knight.
        slots(cache.closing[1 - side])
            .for_each(|slot| input(TURN + SLOTS * number + view.slot(slot)));
        input(DISTANCE + DISTANCES * number + distances[number]);
        input(SAFE_DISTANCE + DISTANCES * number + cache.safe_distance[side] as usize - 1);
        let [exits, closable] =
            [cache.exits, cache.closable].map(|sets| sets[side].count_ones() as usize);
        input(MOBILITY + MOBILITIES * number + exits * (exits + 1) / 2 + closable);
    }
    if cache.can_win[sides[1]] {
        input(THREAT);
    }
}

/// How the board is seen: by one of its four symmetries.
#[derive(Debug, Clone, Copy)]
struct View(&'static Image);

/// What a symmetry of the board makes of squares and slots, by their numbers.
#[derive(Debug, Clone, Copy)]
struct Image {
    squares: [u8; SQUARES],
    slots: [u8; SLOTS],
}

/// The images of the board, for each side to move, without and with the mirror on the diagonal between the fortresses.
static IMAGES: LazyLock<[[Image; 2]; 2]> = LazyLock::new(|| {
    [false, true].map(|half_turn| [false, true].map(|mirror| Image::new(half_turn, mirror)))
});

impl Image {
    /// The image by a half turn, by the mirror on the diagonal from a9 to i1, or by both.
    fn new(half_turn: bool, mirror: bool) -> Image {
        let mirrored = |point| if mirror { board::half_turn(board::mirror(point)) } else { point };
        let image =
            |point| if half_turn { board::half_turn(mirrored(point)) } else { mirrored(point) };
        let square =
            |square| Square::at(image(Square(square).point())).map_or(square, |image| image.0);
        let slot = |slot| Slot::at(image(Slot(slot).point())).map_or(slot, |image| image.0);
        Image {
            squares: std::array::from_fn(|number| square(number as u8)),
            slots: std::array::from_fn(|number| slot(number as u8)),
        }
    }

    /// A set of slots as it is seen.
    fn set(&self, set: u64) -> u64 {
        slots(set).fold(0, |image, slot| image | 1 << self.slots[usize::from(slot.0)])
    }
}

impl View {
    fn new(position: &Position, blocked: u64) -> View {
        let [plain, mirrored] = &IMAGES[position.side.index()];
        // How far a square lies above the diagonal between the fortresses.
        let above = |side: Side| {
            let square = plain.squares[usize::from(position.knight(side).0)];
            i32::from(square / 4 + square % 4) - 3
        };
        let seen =
            |image: &Image| [position.walls, position.walls & blocked].map(|set| image.set(set));
        let sides = [position.side, !position.side];
        let mirror = sides.into_iter().map(above).find(|&above| above != 0);
        View(if mirror.map_or_else(|| seen(mirrored) < seen(plain), |above| above > 0) {
            mirrored
        } else {
            plain
        })
    }

    /// The number of a square as it is seen.
    fn square(&self, square: u8) -> usize {
        self.0.squares[usize::from(square)].into()
    }

    /// The number of a slot as it is seen.
    fn slot(&self, slot: Slot) -> usize {
        self.0.slots[usize::from(slot.0)].into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Alcaxar;
    use super::super::eval_cache::tests::in_random_games;
    use super::*;
    use pentarch_core::{Evaluate, NetInputs, Rules};

    #[test]
    fn all_images_of_a_position_look_the_same() {
        let rules = Alcaxar::default();
        let seen = |position: &Position| {
            let mut inputs = Vec::new();
            rules.inputs(position, &rules.eval_cache(position), |input| inputs.push(input));
            inputs.sort_unstable();
            assert!(
                inputs.windows(2).all(|pair| pair[0] < pair[1]) && *inputs.last().unwrap() < INPUTS
            );
            inputs
        };
        let (mut on_diagonal, mut blocked) = (0, 0);
        in_random_games(|_, position| {
            let expected = seen(position);
            for symmetry in rules.symmetries() {
                let image = (symmetry.position)(&rules, position);
                assert_eq!(seen(&image), expected, "{position:?} {}", symmetry.name);
            }
            on_diagonal +=
                usize::from(position.knights.iter().all(|knight| knight.0 / 4 + knight.0 % 4 == 3));
            blocked += usize::from(position.last_wall.is_some());
        });
        assert!(on_diagonal > 200 && blocked > 1000, "{on_diagonal} {blocked}");
    }
}
