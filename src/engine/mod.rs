//! The engine: the one face that every front end talks to.

pub mod front_end;
pub mod game_session;
pub mod go_board;
pub mod go_clicks;
pub mod lines;
#[cfg(test)]
mod nim;
pub mod options;
pub mod rules_json;
pub mod session;
pub mod state;
pub mod word;
