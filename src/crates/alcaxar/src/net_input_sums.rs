//! The sums of the net's weights for groups of inputs.
//!
//! In a typical position about 75 of the [inputs](super::net_inputs) are active, and adding their
//! weights takes most of the time of an evaluation. Some inputs depend on the same facts, for
//! example on the squares of the two knights. The weights of such inputs are added once, for all
//! values of these facts. An evaluation then adds about 45 of these sums.

use std::sync::LazyLock;

use pentarch_core::Side;

use super::board::iter_slots;
use super::eval::{ALCAXAR_NET, AlcaxarAccumulator, AlcaxarNet};
use super::net_inputs::{
    self as inputs, DISTANCE_VALUE_COUNT, MOBILITY_CLASS_COUNT, SLOT_GROUP_COUNT,
    SLOT_GROUP_SET_COUNT, SLOTS_PER_GROUP, SQUARE_COUNT, WALL_SLOT_COUNT,
};
use super::position::Position;
use super::position_eval_data::PositionEvalData;

/// The sums for the net of the program.
pub(crate) static NET_INPUT_SUMS: LazyLock<NetInputSums> =
    LazyLock::new(|| NetInputSums::new(&ALCAXAR_NET));

/// The sums for all groups of inputs. The first player is the side to move. A list by two values
/// is in ascending order of the first value, and then of the second.
pub(crate) struct NetInputSums {
    /// The biases.
    biases: AlcaxarAccumulator,
    /// The knight pair and the knights, by the squares of both knights.
    knights: Vec<AlcaxarAccumulator>,
    /// For each player: a wall, by the square of the player's knight and the slot. The input of the
    /// wall without a knight belongs to the first player.
    walls: [Vec<AlcaxarAccumulator>; 2],
    /// A blocked wall, by its slot.
    blocked_wall: Vec<AlcaxarAccumulator>,
    /// For each player: the turns, by a group of slots and a set of slots of this group.
    turns: [Vec<AlcaxarAccumulator>; 2],
    /// The distances and the race, by both distances minus 1.
    distances: Vec<AlcaxarAccumulator>,
    /// The safe distances, by both distances minus 1.
    safe_distances: Vec<AlcaxarAccumulator>,
    /// The mobility, by the mobility classes of both knights.
    mobility: Vec<AlcaxarAccumulator>,
    /// The threat.
    threat: AlcaxarAccumulator,
}

impl NetInputSums {
    fn new(net: &AlcaxarNet) -> NetInputSums {
        let sum = |active: &[usize]| {
            let mut sums = AlcaxarAccumulator::ZERO_SUMS;
            active.iter().for_each(|&input| net.add_input(&mut sums, input));
            sums
        };
        let sums_by_pair = |counts: [usize; 2], active: &dyn Fn(usize, usize) -> Vec<usize>| {
            value_pairs(counts).map(|[first, second]| sum(&active(first, second))).collect()
        };
        let distances = [DISTANCE_VALUE_COUNT; 2];
        NetInputSums {
            biases: net.new_accumulator(),
            knights: sums_by_pair([SQUARE_COUNT; 2], &|own, other| {
                vec![
                    inputs::KNIGHT_PAIR_INPUT_OFFSET + SQUARE_COUNT * own + other,
                    inputs::KNIGHT_INPUT_OFFSET + own,
                    inputs::KNIGHT_INPUT_OFFSET + SQUARE_COUNT + other,
                ]
            }),
            walls: [0, 1].map(|player| {
                sums_by_pair([SQUARE_COUNT, WALL_SLOT_COUNT], &|knight, slot| {
                    let mut active = vec![inputs::wall_by_knight_input(player, knight, slot)];
                    if player == 0 {
                        active.push(inputs::WALL_INPUT_OFFSET + slot);
                    }
                    active
                })
            }),
            blocked_wall: (0..WALL_SLOT_COUNT)
                .map(|slot| sum(&[inputs::BLOCKED_WALL_INPUT_OFFSET + slot]))
                .collect(),
            turns: [0, 1].map(|player| {
                let first_input = inputs::TURNABLE_SLOT_INPUT_OFFSET + WALL_SLOT_COUNT * player;
                sums_by_pair([SLOT_GROUP_COUNT, SLOT_GROUP_SET_COUNT], &|group, set| {
                    iter_slots((set as u64) << (SLOTS_PER_GROUP * group))
                        .map(|slot| first_input + usize::from(slot.0))
                        .collect()
                })
            }),
            distances: sums_by_pair(distances, &|own, other| {
                vec![
                    inputs::RACE_INPUT_OFFSET + DISTANCE_VALUE_COUNT * own + other,
                    inputs::DISTANCE_INPUT_OFFSET + own,
                    inputs::DISTANCE_INPUT_OFFSET + DISTANCE_VALUE_COUNT + other,
                ]
            }),
            safe_distances: sums_by_pair(distances, &|own, other| {
                vec![
                    inputs::SAFE_DISTANCE_INPUT_OFFSET + own,
                    inputs::SAFE_DISTANCE_INPUT_OFFSET + DISTANCE_VALUE_COUNT + other,
                ]
            }),
            mobility: sums_by_pair([MOBILITY_CLASS_COUNT; 2], &|own, other| {
                vec![
                    inputs::MOBILITY_INPUT_OFFSET + own,
                    inputs::MOBILITY_INPUT_OFFSET + MOBILITY_CLASS_COUNT + other,
                ]
            }),
            threat: sum(&[inputs::THREAT_INPUT_OFFSET]),
        }
    }

    /// Returns the accumulator with all active inputs of a position. `blocked` is the set of slots
    /// whose walls may not be moved now.
    #[inline]
    pub(crate) fn accumulate_active_inputs(
        &self,
        position: &Position,
        data: &PositionEvalData,
        blocked: u64,
    ) -> AlcaxarAccumulator {
        let image = inputs::canonical_symmetry(position, blocked);
        let sides = [position.side, !position.side].map(Side::index);
        let knights = sides.map(|side| image.map_square(position.knights[side].0));
        let mut sums = self.biases.clone();
        sums.add_sums(&self.knights[value_pair_index(knights, SQUARE_COUNT)]);
        for slot in iter_slots(position.walls).map(|slot| image.map_slot(slot)) {
            for (walls, knight) in self.walls.iter().zip(knights) {
                sums.add_sums(&walls[value_pair_index([knight, slot], WALL_SLOT_COUNT)]);
            }
        }
        iter_slots(position.walls & blocked)
            .for_each(|slot| sums.add_sums(&self.blocked_wall[image.map_slot(slot)]));
        for (turns, side) in self.turns.iter().zip(sides) {
            // The enemy's `closing` contains the slots into which this side can turn a wall.
            let slots = image.map_slot_set(data.closing[1 - side]);
            for (group, set) in inputs::slot_group_sets(slots).enumerate() {
                sums.add_sums(&turns[value_pair_index([group, set], SLOT_GROUP_SET_COUNT)]);
            }
        }
        let distance_index = |distances: [u32; 2]| {
            let values = sides.map(|side| distances[side] as usize - 1);
            value_pair_index(values, DISTANCE_VALUE_COUNT)
        };
        sums.add_sums(&self.distances[distance_index(data.distance)]);
        sums.add_sums(&self.safe_distances[distance_index(data.safe_distance)]);
        let mobility = sides.map(|side| inputs::mobility_class(data, side));
        sums.add_sums(&self.mobility[value_pair_index(mobility, MOBILITY_CLASS_COUNT)]);
        if data.can_win[sides[1]] {
            sums.add_sums(&self.threat);
        }
        sums
    }
}

/// Iterates over all pairs of a value below the first count and a value below the second count, in
/// ascending order.
fn value_pairs([first_count, second_count]: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
    (0..first_count).flat_map(move |first| (0..second_count).map(move |second| [first, second]))
}

/// Returns the index of a pair among all [pairs](value_pairs) with this `second_count`.
#[inline]
fn value_pair_index([first, second]: [usize; 2], second_count: usize) -> usize {
    first * second_count + second
}

#[cfg(test)]
mod tests {
    use super::super::Alcaxar;
    use super::super::position_eval_data::tests::for_each_random_position;
    use super::*;
    use pentarch_core::{Evaluate, NetInputs};

    #[test]
    fn the_sums_of_groups_equal_the_sums_of_single_inputs() {
        let rules = Alcaxar::default();
        for_each_random_position(|board, position| {
            let data = rules.compute_eval_data(position);
            let mut expected = ALCAXAR_NET.new_accumulator();
            rules.visit_net_inputs(position, &data, |input| {
                ALCAXAR_NET.add_input(&mut expected, input);
            });
            let blocked = position.blocked_slots(board);
            let sums = NET_INPUT_SUMS.accumulate_active_inputs(position, &data, blocked);
            assert_eq!(sums, expected, "{position:?}");
        });
    }
}
