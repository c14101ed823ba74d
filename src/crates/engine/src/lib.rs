//! The engine: the interface that every front end uses.
//!
//! | module | what it holds |
//! |---|---|
//! | [`engine_state`] | the state between commands: options, the game in play, the transposition table |
//! | [`session`] | a game in play without the types of the game, as traits by purpose |
//! | [`game_session`] | their one implementation, generic over the game |
//! | `session_text` | strings that are composed from the values of the current game |
//! | [`game_rules`] | values and prose that depend on the rules of a game alone |
//! | [`scene`] | the board, positions, clicks and moves as data |
//! | [`rules_page`] | the rules as data |
//! | [`record`] | the game in play as a record, and back |
//! | [`record_data`] | records as data |
//! | [`best_lines`] | what a search has found of a position |
//! | [`review`] | what the moves of a game were worth |
//! | [`annotate`] | what a review has found as comments and variations of a record |
//! | [`problem`] | a problem for people, as it is written and read |
//! | [`builtin_drills`] | the built-in drills |
//! | [`proof`] | who can force a win, as requests ask it |
//! | [`builtin_problems`] | the built-in problems |
//! | [`job`] | commands that take long, and their events |
//! | [`options`] | the options that do not depend on the game, and the list of all options |
//! | [`go_board`] | a game in play on the board of a Go front end |
//! | [`requests`] | requests and responses in JSON |
//! | [`scheduler`] | the order of commands: which one runs, which ones wait |
//! | [`stopper`] | the signals that reach a command from outside |
//! | [`input_word`] | words of input with their places |
//! | [`error`] | errors of the engine |
//! | [`host`] | what the engine takes from outside |

pub mod annotate;
pub mod best_lines;
pub mod builtin_drills;
pub mod builtin_problems;
pub mod engine_state;
pub mod error;
pub mod game_rules;
pub mod game_session;
pub mod go_board;
pub mod host;
pub mod input_word;
pub mod job;
pub mod options;
pub mod problem;
pub mod proof;
pub mod record;
pub mod record_data;
pub mod requests;
pub mod review;
pub mod rules_page;
pub mod scene;
pub mod scheduler;
pub mod session;
mod session_text;
pub mod stopper;

use serde::Serialize;
use serde_json::Value;

/// Returns a value as one line of JSON, with the fields of objects sorted by name.
pub fn json(value: &impl Serialize) -> String {
    self::value(value).to_string()
}

/// Returns a value as JSON.
pub fn value(value: &impl Serialize) -> Value {
    // Serialising cannot fail, because the names of fields are strings.
    serde_json::to_value(value).unwrap_or_default()
}
