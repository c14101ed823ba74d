//! Views of a game for people and front ends.
//!
//! | module | contents |
//! |---|---|
//! | [`diagram`] | the board in characters: rows of cells |
//! | [`layout`] | the board as front ends draw it: sites, pieces, and moves as clicks |
//! | `grid_layout` | the default board of front ends: a grid |
//! | [`position_counts`] | the numbers with which players assess a position |
//! | [`go_board_projection`] | a game on the board of a Go front end |
//! | [`rules_text`] | the rules as a text that teaches the game |
//! | [`rules_page`] | the rules text printed with its diagrams |
//! | [`lesson`] | the steps of a guided first game |

pub mod diagram;
pub mod go_board_projection;
mod grid_layout;
pub mod layout;
pub mod lesson;
pub mod position_counts;
pub mod rules_page;
pub mod rules_text;
