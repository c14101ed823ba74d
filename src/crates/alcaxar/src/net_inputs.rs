//! The inputs of Alcaxar's net.
//!
//! The net sees the board from the side to move, by one of the board's symmetries. The fortress of
//! the side to move is always where Red's is, and its knight is never above the diagonal between
//! the fortresses. If its knight is on this diagonal, the other knight decides which of the two
//! mirror images the net sees. If both knights are on the diagonal, the walls decide. So the
//! evaluation is the same for all images of a position.
//!
//! | inputs | active if |
//! |---|---|
//! | knight pair | the own knight is on square `a`, and the other knight on square `b` |
//! | knights | the own knight, or the other knight, is on this square |
//! | walls | a wall is in this slot |
//! | walls by knight | a wall is in this slot, and the own knight, or the other knight, is on this square |
//! | blocked | a wall that may not be moved now is in this slot |
//! | turns | the side to move, or the other side, could turn a wall into this slot without opening an exit |
//! | distances | the path of the own knight, or of the other knight, to the enemy fortress has `n` steps |
//! | race | the paths of the two knights have `m` and `n` steps |
//! | safe distances | as distances, if walls were also in all slots that the enemy could turn one into |
//! | mobility | the own knight, or the other knight, has `m` exits, of which the enemy could close `n` |
//! | threat | the other side could win at once if it were to move |

use std::sync::LazyLock;

use pentarch_core::Side;

use super::board::{self, Square, WallSlot, slots};
use super::eval_cache::{EvalCache, MAX_DISTANCE};
use super::position::Position;

const SQUARE_COUNT: usize = 16;
const SLOT_COUNT: usize = WallSlot::COUNT as usize;
/// The number of distances, from 1 step to the greatest distance.
const DISTANCE_COUNT: usize = MAX_DISTANCE as usize;
/// The number of pairs of exits, from 0 to 4, and closable exits among them.
const MOBILITY_COUNT: usize = 15;

// The first input of each kind. Most kinds have inputs for the own knight, then for the other
// knight.
const KNIGHT_PAIR_OFFSET: usize = 0;
const KNIGHT_OFFSET: usize = KNIGHT_PAIR_OFFSET + SQUARE_COUNT * SQUARE_COUNT;
const WALL_OFFSET: usize = KNIGHT_OFFSET + 2 * SQUARE_COUNT;
const WALL_BY_KNIGHT_OFFSET: usize = WALL_OFFSET + SLOT_COUNT;
const BLOCKED_OFFSET: usize = WALL_BY_KNIGHT_OFFSET + 2 * SQUARE_COUNT * SLOT_COUNT;
const TURN_OFFSET: usize = BLOCKED_OFFSET + SLOT_COUNT;
const DISTANCE_OFFSET: usize = TURN_OFFSET + 2 * SLOT_COUNT;
const RACE_OFFSET: usize = DISTANCE_OFFSET + 2 * DISTANCE_COUNT;
const SAFE_DISTANCE_OFFSET: usize = RACE_OFFSET + DISTANCE_COUNT * DISTANCE_COUNT;
const MOBILITY_OFFSET: usize = SAFE_DISTANCE_OFFSET + 2 * DISTANCE_COUNT;
const THREAT_OFFSET: usize = MOBILITY_OFFSET + 2 * MOBILITY_COUNT;
/// The number of inputs.
pub(crate) const INPUT_COUNT: usize = THREAT_OFFSET + 1;

/// Calls `input` with the number of each active input. `blocked` is the set of slots whose walls
/// may not be moved now.
#[inline]
pub(crate) fn for_each(
    position: &Position,
    cache: &EvalCache,
    blocked: u64,
    mut input: impl FnMut(usize),
) {
    let image = canonical_image(position, blocked);
    let sides = [position.side, !position.side].map(Side::index);
    let knights = sides.map(|side| image.square(position.knights[side].0));
    input(KNIGHT_PAIR_OFFSET + SQUARE_COUNT * knights[0] + knights[1]);
    for slot in slots(position.walls).map(|slot| image.slot(slot)) {
        input(WALL_OFFSET + slot);
        for (player, knight) in knights.into_iter().enumerate() {
            input(WALL_BY_KNIGHT_OFFSET + (SQUARE_COUNT * player + knight) * SLOT_COUNT + slot);
        }
    }
    slots(position.walls & blocked).for_each(|slot| input(BLOCKED_OFFSET + image.slot(slot)));
    let distances = sides.map(|side| cache.distance[side] as usize - 1);
    input(RACE_OFFSET + DISTANCE_COUNT * distances[0] + distances[1]);
    for (player, side) in sides.into_iter().enumerate() {
        input(KNIGHT_OFFSET + SQUARE_COUNT * player + knights[player]);
        // The turns of this side are those that may close the path of the other side's knight.
        slots(cache.closing[1 - side])
            .for_each(|slot| input(TURN_OFFSET + SLOT_COUNT * player + image.slot(slot)));
        input(DISTANCE_OFFSET + DISTANCE_COUNT * player + distances[player]);
        input(
            SAFE_DISTANCE_OFFSET + DISTANCE_COUNT * player + cache.safe_distance[side] as usize - 1,
        );
        let [exits, closable] =
            [cache.exits, cache.closable].map(|sets| sets[side].count_ones() as usize);
        input(MOBILITY_OFFSET + MOBILITY_COUNT * player + exits * (exits + 1) / 2 + closable);
    }
    if cache.can_win[sides[1]] {
        input(THREAT_OFFSET);
    }
}

/// The image of each square and slot under a symmetry of the board, by number.
#[derive(Debug, Clone, Copy)]
struct SymmetryImage {
    squares: [u8; SQUARE_COUNT],
    slots: [u8; SLOT_COUNT],
}

/// The images of the board: for each side to move, without and with the mirror on the diagonal
/// between the fortresses.
static SYMMETRY_IMAGES: LazyLock<[[SymmetryImage; 2]; 2]> = LazyLock::new(|| {
    [false, true].map(|half_turn| [false, true].map(|mirror| SymmetryImage::new(half_turn, mirror)))
});

impl SymmetryImage {
    /// Computes the image under a half turn, the mirror on the diagonal from a9 to i1, both, or
    /// neither.
    fn new(half_turn: bool, mirror: bool) -> SymmetryImage {
        let mirrored =
            |point| if mirror { board::half_turn(board::mirror_point(point)) } else { point };
        let image =
            |point| if half_turn { board::half_turn(mirrored(point)) } else { mirrored(point) };
        let square =
            |square| Square::at(image(Square(square).point())).map_or(square, |image| image.0);
        let slot = |slot| WallSlot::at(image(WallSlot(slot).point())).map_or(slot, |image| image.0);
        SymmetryImage {
            squares: std::array::from_fn(|number| square(number as u8)),
            slots: std::array::from_fn(|number| slot(number as u8)),
        }
    }

    /// Returns the image of a square, by number.
    fn square(&self, square: u8) -> usize {
        self.squares[usize::from(square)].into()
    }

    /// Returns the number of the image of a slot.
    fn slot(&self, slot: WallSlot) -> usize {
        self.slots[usize::from(slot.0)].into()
    }

    fn slot_set(&self, set: u64) -> u64 {
        slots(set).fold(0, |image, slot| image | 1 << self.slots[usize::from(slot.0)])
    }
}

/// Returns the image in which the net sees a position.
fn canonical_image(position: &Position, blocked: u64) -> &'static SymmetryImage {
    let [plain, mirrored] = &SYMMETRY_IMAGES[position.side.index()];
    // The number of steps from the diagonal between the fortresses up to the knight.
    let height = |side: Side| {
        let square = plain.squares[usize::from(position.knight(side).0)];
        i32::from(square / 4 + square % 4) - 3
    };
    let walls = |image: &SymmetryImage| {
        [position.walls, position.walls & blocked].map(|set| image.slot_set(set))
    };
    let sides = [position.side, !position.side];
    let is_mirrored = match sides.into_iter().map(height).find(|&height| height != 0) {
        Some(height) => height > 0,
        None => walls(mirrored) < walls(plain),
    };
    if is_mirrored { mirrored } else { plain }
}

#[cfg(test)]
mod tests {
    use super::super::Alcaxar;
    use super::super::eval_cache::tests::in_random_games;
    use super::*;
    use pentarch_core::{Evaluate, NetInputs, Rules};

    #[test]
    fn all_images_of_a_position_have_the_same_inputs() {
        let rules = Alcaxar::default();
        let active_inputs = |position: &Position| {
            let mut inputs = Vec::new();
            rules.inputs(position, &rules.eval_cache(position), |input| inputs.push(input));
            inputs.sort_unstable();
            assert!(
                inputs.windows(2).all(|pair| pair[0] < pair[1])
                    && *inputs.last().unwrap() < INPUT_COUNT
            );
            inputs
        };
        let mut on_diagonal = 0;
        let mut blocked = 0;
        in_random_games(|_, position| {
            let expected = active_inputs(position);
            for symmetry in rules.symmetries() {
                let image = (symmetry.position)(&rules, position);
                assert_eq!(active_inputs(&image), expected, "{position:?} {}", symmetry.name);
            }
            on_diagonal +=
                usize::from(position.knights.iter().all(|knight| knight.0 / 4 + knight.0 % 4 == 3));
            blocked += usize::from(position.last_wall.is_some());
        });
        assert!(on_diagonal > 200 && blocked > 1000, "{on_diagonal} {blocked}");
    }
}
