//! What is searched less deep than the rest, and what is not searched at all.

/// The least depth at which moves that come late are reduced.
pub const LEAST_REDUCED_DEPTH: i32 = 3;
/// The least depth at which it is asked whether even passing the turn would be good enough.
pub const LEAST_PASS_DEPTH: i32 = 3;
/// Up to this depth a static evaluation far above `beta` is believed.
const DEEPEST_BELIEF: i32 = 6;
/// How far for each ply, in centipawns.
const BELIEF: i32 = 200;

/// Beyond this ply, only replies are searched no deeper than others.
pub const DEEPEST_EXTENDED_PLY: usize = 64;

/// How many plies less deep the move of this number, from 0, is searched: more for deep searches and for late moves.
pub fn reduction(depth: i32, number: usize) -> i32 {
    let log = |number: i32| 31 - (number.max(1) as u32).leading_zeros() as i32;
    log(depth * depth) * log((number * number) as i32 + 1) / 16
}

/// How much less deep a search goes after a passed turn.
pub fn pass_reduction(depth: i32) -> i32 {
    2 + depth / 4
}

/// How far above `beta` the static evaluation must be to be believed at this depth, in centipawns.
pub fn margin_above(depth: i32) -> Option<i32> {
    (depth <= DEEPEST_BELIEF).then_some(BELIEF * depth)
}
