//! Pictures in SVG (W3C, *Scalable Vector Graphics 2*) that need no other file: boards with what stands on them, and
//! graphs.
//!
//! | module | what it holds |
//! |---|---|
//! | [`board`] | a position as a picture |
//! | [`style`] | the stylesheet of boards, which the page shares |
//! | [`graph`] | an amount over the moves of a game or the games of a match |
//! | [`intervals`] | values with their intervals, such as ratings |

pub mod board;
pub mod graph;
pub mod intervals;
pub mod style;
