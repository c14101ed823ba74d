//! Batches of requests and whole games, on several threads, and their printed forms.
//!
//! | module | what it holds |
//! |---|---|
//! | `graph` | the chances of winning over the moves of a game |
//! | `pool` | searches of many positions on several threads, whose results come in order |
//! | `requests` | requests and answers as lines of JSON, on several threads |
//! | `review` | the review of a whole game, printed |
//!
//! Each position is searched by one thread, with a transposition table that is cleared before. So a result does not
//! depend on the number of threads, nor on what was searched before, unless the search has a limit of time.

pub mod graph;
pub mod pool;
pub mod requests;
pub mod review;
