//! What is searched less deep than the rest, and what is not searched at all.

/// The least depth at which moves that come late are reduced.
pub const LEAST_REDUCED_DEPTH: i32 = 3;
/// The least depth at which it is asked whether even passing the turn would be good enough.
pub const LEAST_PASS_DEPTH: i32 = 3;
/// The least depth at which working out the value of a position may take a while.
pub const LEAST_SOLVED_DEPTH: i32 = 4;
/// Up to this depth a static evaluation far above `beta` is believed.
const DEEPEST_BELIEF: i32 = 6;
/// How far for each ply, in centipawns.
const BELIEF: i32 = 200;

/// Up to this depth only the first moves are tried.
const DEEPEST_CHOICE: i32 = 4;
/// How much a quiet move and what follows it may gain for each ply, in centipawns.
const HOPE: i32 = 100;

/// Beyond this ply, only replies are searched no deeper than others.
pub const DEEPEST_EXTENDED_PLY: usize = 64;

/// A reduction is [`OFFSET`] plus [`SLOPE`] times the logarithms to base 2 of the depth and of the number of the move,
/// in thousandths of a ply.
const SLOPE: i64 = 240;
/// See [`SLOPE`].
const OFFSET: i64 = 400;

/// How many plies less deep the move of this number, from 0, is searched: more for deep searches and for late moves.
pub fn reduction(depth: i32, number: usize) -> i32 {
    let product = i64::from(log(depth.max(1) as u32)) * i64::from(log(number as u32 + 1));
    ((product * SLOPE / 1000 + OFFSET * 65536 / 1000) >> 16) as i32
}

/// The logarithm to base 2 in 256ths, rounded down between powers of two to a straight line.
fn log(number: u32) -> u32 {
    let whole = number.ilog2();
    (whole << 8) + ((number << 8) >> whole) - 256
}

/// How much less deep a search goes after a passed turn.
pub fn pass_reduction(depth: i32) -> i32 {
    2 + depth / 4
}

/// How far above `beta` the static evaluation must be to be believed at this depth, in centipawns.
pub fn margin_above(depth: i32) -> Option<i32> {
    (depth <= DEEPEST_BELIEF).then_some(BELIEF * depth)
}

/// After how many moves of a node of this depth, with a static evaluation so far above `alpha`, the others are left
/// out.
pub fn most_tried(depth: i32, lead: i32) -> usize {
    match depth {
        1..=DEEPEST_CHOICE if lead + HOPE * depth + HOPE / 2 <= 0 => 1,
        1..=DEEPEST_CHOICE => 4 + 2 * (depth * depth) as usize,
        _ => usize::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_moves_are_tried_where_little_depth_or_hope_is_left() {
        assert_eq!([0, 1, 2, 4, 5].map(|depth| most_tried(depth, 0)), [usize::MAX, 6, 12, 36, usize::MAX]);
        assert_eq!([-149, -150].map(|lead| most_tried(1, lead)), [6, 1]);
        assert_eq!([-249, -250].map(|lead| most_tried(2, lead)), [12, 1]);
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        assert_eq!([log(1), log(2), log(3), log(4), log(6)], [0, 256, 384, 512, 640]);
        assert_eq!(
            [(3, 0), (3, 2), (8, 3), (10, 29), (6, 99)].map(|(depth, at)| reduction(depth, at)),
            [0, 0, 1, 4, 4]
        );
        for depth in 1..200 {
            assert!((1..100_000).step_by(37).all(|at| reduction(depth, at) >= reduction(depth, at - 1)), "{depth}");
            assert!(reduction(depth + 1, 20) >= reduction(depth, 20), "{depth}");
        }
    }
}
