//! Second implementations of the rules of the games. They are slow and plain, and contain no code
//! of the engine. The tests compare the engine with them. They are a separate crate. So they are
//! compiled with optimisation, unlike the tests.
//!
//! [`ugi`] serves them as an engine: `cargo run -p pentarch-slow-rules`. [`quoridor_solver`] is a
//! second solver, based on the slow rules.

pub mod alcaxar;
pub mod alquerque;
pub mod bushka;
pub mod quoridor;
pub mod quoridor_four;
pub mod quoridor_solver;
pub mod roses;
pub mod ugi;
