//! The program `pentarch`: a board-game engine for Alcaxar, Alquerque, Guerre des Deux Roses, Quoridor and Bushka.
//!
//! The rules, the search and the engine are libraries, each a separate crate in `src/crates`. A crate imports only from
//! crates above it:
//!
//! | crate | what it holds |
//! |---|---|
//! | [`pentarch_system`] | memory, files and the places of errors |
//! | [`pentarch_core`] | the building blocks of every game: rules, notation, evaluation, tables, views |
//! | [`pentarch_tables`] | retrograde analysis and tables of solved positions, for any game that can number its positions |
//! | [`pentarch_search`] | one search for all games: alpha-beta, move ordering, transposition table; proof-number search |
//! | `pentarch-GAME` | the rules of a game |
//! | [`pentarch_games`] | the only list of games; its page has examples of random games, legal moves and a search |
//! | [`pentarch_diagram`] | SVG diagrams of positions and games |
//! | [`pentarch_training`] | logistic regression and gradient descent, for `tune` |
//! | [`pentarch_engine`] | the interface of every front end: games, searches, boards, reviews; requests and responses as data |
//!
//! The modules of the program. A module imports only from modules above it:
//!
//! | module | what it holds |
//! |---|---|
//! | [`io`] | input and output that the modules below share: lines, progress, files; the system as the engine's host |
//! | [`shard`] | parts of a job for several machines |
//! | [`protocol`] | the line protocols, UGI and GTP: grammar, event loop, answers |
//! | `analysis` | batches of requests and whole games, on several threads |
//! | [`convert`] | games in the formats of others |
//! | [`arena`] | matches between engines: processes, referee, openings, what results say |
//! | [`tune`] | weights and nets of evaluations, from games of the engine with itself |
//! | [`problems`] | positions in which one move wins, to be solved |
//! | `merge` | joins shard files into one result |
//! | [`play`] | a game at the terminal |
//! | `serve` | a page for a browser, and the server that gives it sessions; only with the feature `serve`, a default one |
//! | [`cli`] | the command line |
//!
//! Modules without a link are private. No library needs a terminal, a thread or a clock of the system, or any file that
//! the caller does not give: `pentarch-engine` by itself runs in a browser.

mod analysis;
pub mod arena;
pub mod cli;
pub mod convert;
pub mod io;
mod merge;
pub mod play;
pub mod problems;
pub mod protocol;
#[cfg(feature = "serve")]
mod serve;
pub mod shard;
pub mod tune;
