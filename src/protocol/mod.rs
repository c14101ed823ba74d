//! The line protocols: the Universal Game Interface (UGI), which is UCI for any two-player game with `query`; UCI
//! itself; and the Go Text Protocol (GTP).
//!
//! | module | what it holds |
//! |---|---|
//! | [`ugi`] | UGI and UCI: the grammar of commands, the event loop, the answers |
//! | [`gtp`] | GTP, for Go front ends |
//! | [`engine`] | the state that all protocols share: the options, the game in play, the transposition table |
//! | [`session`] | the traits of a game in play, without the types of the game |
//! | [`game_session`] | their one implementation, generic over the game |
//! | [`request`] | words with their places, and what `go` asks for |
//! | [`front_end`] | the answers to `query board`, `scene`, `clicks` and `details` |
//! | [`rules_json`] | the answer to `query rules` |
//! | [`clicks`] | moves put together from single points |
//! | [`engine_options`] | the options that do not depend on the game, and the list of all options |

pub mod clicks;
pub mod engine;
pub mod engine_options;
pub mod front_end;
pub mod game_session;
pub mod gtp;
#[cfg(test)]
mod nim;
pub mod request;
pub mod rules_json;
pub mod session;
pub mod ugi;
