//! The inputs of Alcaxar's net.
//!
//! The net always sees the board from the view of the side to move: a symmetry of the board is
//! applied to the position. In the image, the fortress of the side to move is where Red's fortress
//! is, and the knight of the side to move is not above the diagonal between the fortresses. If this
//! knight is on the diagonal, the square of the other knight determines which of the two mirror
//! images the net sees. If both knights are on the diagonal, the walls determine it. So the
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
//! | safe distances | like distances, but as if walls were also in all slots into which the enemy could turn a wall |
//! | mobility | the own knight, or the other knight, has `m` exits, and the enemy could close `n` of these exits |
//! | threat | the other side could win at once if it were to move |

use std::sync::LazyLock;

use pentarch_core::Side;

use super::board::{self, Square, WallSlot, iter_slots};
use super::position::Position;
use super::position_eval_data::{MAX_FORTRESS_DISTANCE, PositionEvalData};

pub(crate) const SQUARE_COUNT: usize = 16;
pub(crate) const WALL_SLOT_COUNT: usize = WallSlot::SLOT_COUNT as usize;
pub(crate) const DISTANCE_VALUE_COUNT: usize = MAX_FORTRESS_DISTANCE as usize;
/// The number of combinations of two counts: a knight's exits (0 to 4), and the exits that the
/// enemy could close.
pub(crate) const MOBILITY_CLASS_COUNT: usize = 15;

/// The number of neighbouring slots in a group. Sets of slots are mapped group by group.
pub(crate) const SLOTS_PER_GROUP: usize = 5;
pub(crate) const SLOT_GROUP_COUNT: usize = WALL_SLOT_COUNT / SLOTS_PER_GROUP;
/// The number of sets of slots in a group.
pub(crate) const SLOT_GROUP_SET_COUNT: usize = 1 << SLOTS_PER_GROUP;

// The number of the first input of each kind. Most kinds have inputs for the own knight, and then
// for the other knight.
pub(crate) const KNIGHT_PAIR_INPUT_OFFSET: usize = 0;
pub(crate) const KNIGHT_INPUT_OFFSET: usize =
    KNIGHT_PAIR_INPUT_OFFSET + SQUARE_COUNT * SQUARE_COUNT;
pub(crate) const WALL_INPUT_OFFSET: usize = KNIGHT_INPUT_OFFSET + 2 * SQUARE_COUNT;
const WALL_BY_KNIGHT_INPUT_OFFSET: usize = WALL_INPUT_OFFSET + WALL_SLOT_COUNT;
pub(crate) const BLOCKED_WALL_INPUT_OFFSET: usize =
    WALL_BY_KNIGHT_INPUT_OFFSET + 2 * SQUARE_COUNT * WALL_SLOT_COUNT;
pub(crate) const TURNABLE_SLOT_INPUT_OFFSET: usize = BLOCKED_WALL_INPUT_OFFSET + WALL_SLOT_COUNT;
pub(crate) const DISTANCE_INPUT_OFFSET: usize = TURNABLE_SLOT_INPUT_OFFSET + 2 * WALL_SLOT_COUNT;
pub(crate) const RACE_INPUT_OFFSET: usize = DISTANCE_INPUT_OFFSET + 2 * DISTANCE_VALUE_COUNT;
pub(crate) const SAFE_DISTANCE_INPUT_OFFSET: usize =
    RACE_INPUT_OFFSET + DISTANCE_VALUE_COUNT * DISTANCE_VALUE_COUNT;
pub(crate) const MOBILITY_INPUT_OFFSET: usize =
    SAFE_DISTANCE_INPUT_OFFSET + 2 * DISTANCE_VALUE_COUNT;
pub(crate) const THREAT_INPUT_OFFSET: usize = MOBILITY_INPUT_OFFSET + 2 * MOBILITY_CLASS_COUNT;
pub(crate) const NET_INPUT_COUNT: usize = THREAT_INPUT_OFFSET + 1;

/// Calls `input` with the number of each active input. `blocked` is the set of slots whose walls
/// may not be moved now.
#[inline]
pub(crate) fn for_each_active_input(
    position: &Position,
    cache: &PositionEvalData,
    blocked: u64,
    mut input: impl FnMut(usize),
) {
    let image = canonical_symmetry(position, blocked);
    let sides = [position.side, !position.side].map(Side::index);
    let knights = sides.map(|side| image.map_square(position.knights[side].0));
    input(KNIGHT_PAIR_INPUT_OFFSET + SQUARE_COUNT * knights[0] + knights[1]);
    for slot in iter_slots(position.walls).map(|slot| image.map_slot(slot)) {
        input(WALL_INPUT_OFFSET + slot);
        for (player, knight) in knights.into_iter().enumerate() {
            input(wall_by_knight_input(player, knight, slot));
        }
    }
    iter_slots(position.walls & blocked)
        .for_each(|slot| input(BLOCKED_WALL_INPUT_OFFSET + image.map_slot(slot)));
    let distances = sides.map(|side| cache.distance[side] as usize - 1);
    input(RACE_INPUT_OFFSET + DISTANCE_VALUE_COUNT * distances[0] + distances[1]);
    for (player, side) in sides.into_iter().enumerate() {
        input(KNIGHT_INPUT_OFFSET + SQUARE_COUNT * player + knights[player]);
        // The enemy's `closing` contains the slots into which this side can turn a wall.
        iter_slots(cache.closing[1 - side]).for_each(|slot| {
            input(TURNABLE_SLOT_INPUT_OFFSET + WALL_SLOT_COUNT * player + image.map_slot(slot))
        });
        input(DISTANCE_INPUT_OFFSET + DISTANCE_VALUE_COUNT * player + distances[player]);
        input(
            SAFE_DISTANCE_INPUT_OFFSET
                + DISTANCE_VALUE_COUNT * player
                + cache.safe_distance[side] as usize
                - 1,
        );
        let mobility = mobility_class(cache, side);
        input(MOBILITY_INPUT_OFFSET + MOBILITY_CLASS_COUNT * player + mobility);
    }
    if cache.can_win[sides[1]] {
        input(THREAT_INPUT_OFFSET);
    }
}

/// Returns the number of the input for a wall in this slot while the knight of this player is on
/// the square `knight`. Player 0 is the side to move.
#[inline]
pub(crate) fn wall_by_knight_input(player: usize, knight: usize, slot: usize) -> usize {
    WALL_BY_KNIGHT_INPUT_OFFSET + (SQUARE_COUNT * player + knight) * WALL_SLOT_COUNT + slot
}

/// Returns the mobility class of a side, below [`MOBILITY_CLASS_COUNT`].
#[inline]
pub(crate) fn mobility_class(data: &PositionEvalData, side: usize) -> usize {
    let [exits, closable] =
        [data.exits, data.closable].map(|sets| sets[side].count_ones() as usize);
    exits * (exits + 1) / 2 + closable
}

/// The mapping of squares and slots to their images under a symmetry of the board. Squares and
/// slots are given by their numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SymmetryMapping {
    squares: [u8; SQUARE_COUNT],
    slots: [u8; WALL_SLOT_COUNT],
    /// The images of all sets of slots in each group.
    slot_sets: [[u64; SLOT_GROUP_SET_COUNT]; SLOT_GROUP_COUNT],
}

/// For each side to move, the two mappings that move its fortress to the square of Red's fortress:
/// without and with reflection in the diagonal between the fortresses.
static SYMMETRY_MAPPINGS: LazyLock<[[SymmetryMapping; 2]; 2]> = LazyLock::new(|| {
    [false, true]
        .map(|half_turn| [false, true].map(|mirror| SymmetryMapping::new(half_turn, mirror)))
});

impl SymmetryMapping {
    /// Computes the mapping of a symmetry. If `mirror` is `true`, the symmetry includes reflection
    /// in the diagonal from a9 to i1. If `half_turn` is `true`, it includes a half turn.
    fn new(half_turn: bool, mirror: bool) -> SymmetryMapping {
        let mirrored =
            |point| if mirror { board::half_turn_point(board::mirror_point(point)) } else { point };
        let image = |point| {
            if half_turn { board::half_turn_point(mirrored(point)) } else { mirrored(point) }
        };
        let square = |square| {
            Square::from_point(image(Square(square).point())).map_or(square, |image| image.0)
        };
        let slot = |slot| {
            WallSlot::from_point(image(WallSlot(slot).point())).map_or(slot, |image| image.0)
        };
        SymmetryMapping {
            squares: std::array::from_fn(|number| square(number as u8)),
            slots: std::array::from_fn(|number| slot(number as u8)),
            slot_sets: std::array::from_fn(|group| {
                std::array::from_fn(|set| {
                    let slots = iter_slots((set as u64) << (SLOTS_PER_GROUP * group));
                    slots.fold(0, |image, from| image | 1 << slot(from.0))
                })
            }),
        }
    }

    pub(crate) fn map_square(&self, square: u8) -> usize {
        self.squares[usize::from(square)].into()
    }

    pub(crate) fn map_slot(&self, slot: WallSlot) -> usize {
        self.slots[usize::from(slot.0)].into()
    }

    pub(crate) fn map_slot_set(&self, set: u64) -> u64 {
        let groups = self.slot_sets.iter().zip(slot_group_sets(set));
        groups.fold(0, |image, (images, set)| image | images[set])
    }
}

/// Splits a set of slots into sets of the slots in each group. Bit 0 of a set is the first slot of
/// the group.
#[inline]
pub(crate) fn slot_group_sets(set: u64) -> impl Iterator<Item = usize> {
    (0..SLOT_GROUP_COUNT)
        .map(move |group| (set >> (SLOTS_PER_GROUP * group)) as usize % SLOT_GROUP_SET_COUNT)
}

/// Returns the mapping to the image of the board that the net sees.
pub(crate) fn canonical_symmetry(position: &Position, blocked: u64) -> &'static SymmetryMapping {
    let [plain, mirrored] = &SYMMETRY_MAPPINGS[position.side.index()];
    // The height of the knight above the diagonal between the fortresses, in steps. It is negative
    // below the diagonal.
    let height = |side: Side| {
        let square = plain.squares[usize::from(position.knight(side).0)];
        i32::from(square / 4 + square % 4) - 3
    };
    let walls = |image: &SymmetryMapping| {
        [position.walls, position.walls & blocked].map(|set| image.map_slot_set(set))
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
    use super::super::position_eval_data::tests::for_each_random_position;
    use super::*;
    use pentarch_core::{Evaluate, NetInputs, Rules};

    #[test]
    fn all_images_of_a_position_have_the_same_inputs() {
        let rules = Alcaxar::default();
        let active_inputs = |position: &Position| {
            let mut inputs = Vec::new();
            rules.visit_net_inputs(position, &rules.compute_eval_data(position), |input| {
                inputs.push(input)
            });
            inputs.sort_unstable();
            assert!(
                inputs.windows(2).all(|pair| pair[0] < pair[1])
                    && *inputs.last().unwrap() < NET_INPUT_COUNT
            );
            inputs
        };
        let mut on_diagonal = 0;
        let mut blocked = 0;
        for_each_random_position(|_, position| {
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
