//! The rules of the games once more: slow, plain, and sharing nothing with the engine, which the tests hold against
//! them. They are a crate, so that they are compiled with optimisation, unlike the tests.
//!
//! [`quoridor_solver`] is a second solver by the slow rules.

pub mod alcaxar;
pub mod alquerque;
pub mod bushka;
pub mod quoridor;
pub mod quoridor_four;
pub mod quoridor_solver;
pub mod roses;
