//! Images in SVG (W3C, *Scalable Vector Graphics 2*): boards with their pieces, and graphs. The
//! images need no other files.
//!
//! | module | contents |
//! |---|---|
//! | [`board`] | a position as an image |
//! | [`stylesheet`] | the stylesheet of boards, for images and for the page |
//! | [`line_chart`] | a graph of a value over the moves of a game, or over the games of a match |
//! | [`interval_chart`] | values with their intervals, such as ratings |

pub mod board;
pub mod interval_chart;
pub mod line_chart;
pub mod stylesheet;
