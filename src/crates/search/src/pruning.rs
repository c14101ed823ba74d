//! The margins and limits of pruning and reductions. These numbers decide which moves are searched
//! less deep and which are not searched at all. A game can set some of them in its
//! [`SearchParameters`].
//!
//! The techniques are the standard ones of chess programming. Nothing is pruned if a bound is
//! proven, or in an exhaustive search. A reduced move that raises alpha is searched again at full
//! depth.

use pentarch_core::SearchParameters;

/// The maximum depth of a node, in plies, for reverse futility pruning (static null move pruning).
const MAX_REVERSE_FUTILITY_DEPTH: i32 = 6;

/// The minimum depth of a node, in plies, for null move pruning.
pub const MIN_NULL_MOVE_DEPTH: i32 = 3;

/// The maximum depth of a node, in plies, for late move pruning and futility pruning.
const MAX_MOVE_PRUNING_DEPTH: i32 = 4;

/// The minimum depth of a node, in plies, for late move reductions.
pub const MIN_LATE_MOVE_REDUCTION_DEPTH: i32 = 3;

/// From this ply on, the search extends neither singular moves nor nodes with only one legal move.
pub const MAX_EXTENSION_PLY: usize = 64;

/// The minimum depth of a node, in plies, for internal iterative reduction.
pub const MIN_ITERATIVE_REDUCTION_DEPTH: i32 = 4;

/// The minimum depth of a node, in plies, for singular extensions.
pub const MIN_SINGULAR_DEPTH: i32 = 6;

/// The maximum number of plies by which a table entry may be less deep than the node, for singular
/// extensions.
pub const MAX_SINGULAR_ENTRY_DEPTH_GAP: i32 = 3;

/// Returns the margin of singular extensions, in centipawns. A move is singular if all other moves
/// stay below its score in the transposition table by more than this margin.
pub fn singular_extension_margin(depth: i32) -> i32 {
    2 * depth
}

/// Returns the depth to which all other moves are searched, in the test for a singular move.
/// `depth` is the depth of the node.
pub fn singular_search_depth(depth: i32) -> i32 {
    (depth - 1) / 2
}

/// The minimum depth of a node, in plies, at which the exact value of its position is computed even
/// if the computation takes a while. After a move of the root, a smaller depth is enough.
pub const MIN_EXACT_VALUE_DEPTH: i32 = 4;

/// Returns the late move reduction: the number of plies by which a move is searched less deep.
/// `number` is the number of the move, counted from 0. The reduction grows with the depth and with
/// the number, and is greater in expected cut nodes.
pub fn late_move_reduction(
    parameters: &SearchParameters,
    depth: i32,
    number: usize,
    is_cut_node: bool,
) -> i32 {
    let SearchParameters { reduction, reduction_slope, cut_node_reduction, .. } = *parameters;
    let product = i64::from(log2_in_256ths(depth.max(1) as u32))
        * i64::from(log2_in_256ths(number as u32 + 1));
    let constant = reduction + if is_cut_node { cut_node_reduction } else { 0 };
    ((product * i64::from(reduction_slope) / 1000 + i64::from(constant) * 65536 / 1000) >> 16)
        as i32
}

/// Returns the logarithm of a number to base 2, in units of 1/256, rounded down. Between powers of
/// two, the logarithm is interpolated linearly.
fn log2_in_256ths(number: u32) -> u32 {
    let whole = number.ilog2();
    (whole << 8) + ((number << 8) >> whole) - 256
}

/// Returns the number of plies by which the search after a null move is reduced (null move
/// pruning).
pub fn null_move_reduction(parameters: &SearchParameters, depth: i32) -> i32 {
    (parameters.null_move_reduction + parameters.null_move_slope * depth) / 1000
}

/// Returns the margin of reverse futility pruning at this depth, in centipawns; `None` if the depth
/// is too great. A node is cut off if its static evaluation is above `beta` by at least this
/// margin.
pub fn reverse_futility_margin(parameters: &SearchParameters, depth: i32) -> Option<i32> {
    (depth <= MAX_REVERSE_FUTILITY_DEPTH).then_some(parameters.reverse_futility_margin * depth)
}

/// Returns the number of moves of a node that are searched before the remaining quiet moves are
/// pruned (late move pruning). `lead` is the static evaluation minus `alpha`, in centipawns. If
/// even the evaluation plus the futility margin does not exceed `alpha`, the number is 1. So
/// futility pruning is a special case of late move pruning here.
pub fn late_move_pruning_count(parameters: &SearchParameters, depth: i32, lead: i32) -> usize {
    let SearchParameters { futility_margin, late_moves, late_moves_slope, .. } = *parameters;
    match depth {
        1..=MAX_MOVE_PRUNING_DEPTH if lead + futility_margin * depth + futility_margin / 2 <= 0 => {
            1
        }
        1..=MAX_MOVE_PRUNING_DEPTH => {
            ((late_moves + late_moves_slope * depth * depth) / 100) as usize
        }
        _ => usize::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_moves_are_tried_where_little_depth_or_lead_is_left() {
        let late_move_pruning_count = |depth, lead| {
            late_move_pruning_count(&SearchParameters::DEFAULT_PARAMETERS, depth, lead)
        };
        assert_eq!(
            [0, 1, 2, 4, 5].map(|depth| late_move_pruning_count(depth, 0)),
            [usize::MAX, 6, 12, 36, usize::MAX]
        );
        assert_eq!([-149, -150].map(|lead| late_move_pruning_count(1, lead)), [6, 1]);
        assert_eq!([-249, -250].map(|lead| late_move_pruning_count(2, lead)), [12, 1]);
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let late_move_reduction = |depth, number| {
            late_move_reduction(&SearchParameters::DEFAULT_PARAMETERS, depth, number, false)
        };
        assert_eq!(
            [
                log2_in_256ths(1),
                log2_in_256ths(2),
                log2_in_256ths(3),
                log2_in_256ths(4),
                log2_in_256ths(6)
            ],
            [0, 256, 384, 512, 640]
        );
        assert_eq!(
            [(3, 0), (3, 2), (8, 3), (10, 29), (6, 99)]
                .map(|(depth, at)| late_move_reduction(depth, at)),
            [0, 0, 1, 4, 4]
        );
        for depth in 1..200 {
            let grows = |at| late_move_reduction(depth, at) >= late_move_reduction(depth, at - 1);
            assert!((1..100_000).step_by(37).all(grows), "{depth}");
            assert!(
                late_move_reduction(depth + 1, 20) >= late_move_reduction(depth, 20),
                "{depth}"
            );
        }
    }
}
