//! Pentarch plays five board games: Alcaxar, Alquerque, Guerre des Deux Roses, Quoridor and Bushka.
//!
//! The map of the house, from the ground up; imports run downwards only:
//!
//! | room | what it holds |
//! |---|---|
//! | [`core`] | what every game is made of: traits, outcomes, options, history, keys, perft, points, text pieces |
//! | [`tables`] | retrograde analysis and tables of solved positions, for any game that can number its positions |
//! | [`games`] | one folder a game, and the only list of them |
//! | [`search`] | one search for all games: alpha-beta, move ordering, transposition table, clock, control |
//! | [`protocol`] | the two line protocols, UGI and GTP: commands, the session behind one boxed trait, the loops, replies |
//! | [`arena`] | matches between engines: processes, referee, openings, records, what results say |
//! | [`tune`] | the tuner: weights of evaluations from games of the engine with itself |
//! | [`cli`] | the command line |

pub mod arena;
pub mod cli;
pub mod core;
pub mod games;
pub mod protocol;
pub mod search;
pub mod tables;
pub mod tune;
