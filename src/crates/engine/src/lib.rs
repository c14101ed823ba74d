//! The engine: the interface that every front end uses.
//!
//! | module | contents |
//! |---|---|
//! | [`engine_state`] | the state between commands: options, the current game, the transposition table |
//! | [`session`] | the current game without the types of the game, as one trait for each purpose |
//! | [`game_session`] | the only implementation of these traits, generic over the game |
//! | `session_text` | strings that are composed from the values of the current game |
//! | [`games`] | the games that the program plays, as a list without their types |
//! | [`rules_info`] | values and prose that depend only on the rules of a game |
//! | [`scene`] | the board, positions, clicks and moves as data |
//! | [`rules_page`] | the rules as data |
//! | [`record`] | conversion of the current game to and from a record |
//! | [`record_json`] | records as data |
//! | [`best_lines`] | the best moves of a position |
//! | [`review`] | the values of the moves of a game |
//! | [`race_review`] | the race in a review: the steps of both sides before and after each move |
//! | [`annotate`] | writes a review into a record, as comments and variations |
//! | [`problem`] | problems for people, and their conversion to and from records |
//! | [`builtin_drills`] | the built-in drills |
//! | [`proof`] | proofs that determine which side can force a win |
//! | [`builtin_problems`] | the built-in problems |
//! | [`starts`] | the ways to begin a game other than the start position |
//! | [`known`] | the facts about a position that are certain |
//! | `benchmark` | the benchmark of all games; needs the feature `console` |
//! | [`job`] | long-running commands, and their events |
//! | [`engine_options`] | the options that do not depend on the game, and the list of all options |
//! | [`sgf_reader`] | games of Go front ends: the moves of the games as clicks |
//! | [`sgf_properties`] | the SGF properties of games, and their values |
//! | [`sgf_tree`] | SGF as trees of nodes |
//! | [`go_board`] | the current game on the board of a Go front end |
//! | [`requests`] | requests and responses in JSON |
//! | [`scheduler`] | the order of commands: which command runs, and which commands wait |
//! | [`stopper`] | the signals that reach a command from outside |
//! | [`input_word`] | words of input with their columns |
//! | [`error`] | errors of the engine |
//! | [`host`] | the environment of the engine: clock, memory and files |

pub mod annotate;
#[cfg(feature = "console")]
mod benchmark;
pub mod best_lines;
pub mod builtin_drills;
pub mod builtin_problems;
pub mod engine_options;
pub mod engine_state;
pub mod error;
pub mod game_session;
pub mod games;
pub mod go_board;
pub mod host;
pub mod input_word;
pub mod job;
pub mod known;
pub mod problem;
pub mod proof;
pub mod race_review;
pub mod record;
pub mod record_json;
pub mod requests;
pub mod review;
pub mod rules_info;
pub mod rules_page;
pub mod scene;
pub mod scheduler;
pub mod session;
mod session_text;
pub mod sgf_properties;
pub mod sgf_reader;
pub mod sgf_tree;
pub mod starts;
pub mod stopper;

use serde::Serialize;
use serde_json::Value;

/// Returns a value as one line of JSON, with the fields of objects sorted by name.
pub fn to_json(value: &impl Serialize) -> String {
    to_json_value(value).to_string()
}

/// Returns a value as JSON.
pub(crate) fn to_json_value(value: &impl Serialize) -> Value {
    // Serialising cannot fail, because the names of fields are strings.
    serde_json::to_value(value).unwrap_or_default()
}
