//! The program `pentarch`: a board-game engine for Alcaxar, Alquerque, Guerre des Deux Roses,
//! Quoridor and Bushka.
//!
//! The rules, the search and the engine are libraries. Each library is a crate in `src/crates`. In
//! this table, a crate imports only from crates above it:
//!
//! | crate | contents |
//! |---|---|
//! | [`pentarch_system`] | memory, files and the locations of errors |
//! | [`pentarch_core`] | the building blocks of every game: rules, notation, evaluation, tables, views |
//! | [`pentarch_tables`] | retrograde analysis and tables, for any game that can number its positions |
//! | [`pentarch_search`] | one search for all games, and a proof-number search |
//! | `pentarch-GAME` | the rules of a game |
//! | [`pentarch_games`] | the games of `pentarch`; its page has examples |
//! | [`pentarch_diagram`] | SVG diagrams of positions and games |
//! | [`pentarch_training`] | logistic regression and gradient descent, for `tune` |
//! | [`pentarch_engine`] | the interface of every front end: games, searches, requests |
//!
//! The next table lists the modules of the program. A module imports only from modules above it,
//! with one exception: all modules use `games` to run their operations on the rules of a game.
//!
//! | module | contents |
//! |---|---|
//! | [`io`] | shared input and output: lines, progress, files, the system |
//! | [`shard`] | parts of a job for several machines |
//! | [`protocol`] | the line protocols, UGI and GTP: grammar, event loop, responses |
//! | `analysis` | batches of requests and whole games, on several threads |
//! | [`convert`] | games in the formats of other programs |
//! | [`arena`] | matches between engines: processes, referee, openings, statistics |
//! | [`conform`] | checks whether an engine plays by the rules |
//! | [`tune`] | evaluation weights and nets from self-play |
//! | [`problems`] | positions in which one move wins, as exercises |
//! | [`merge_shards`] | joins shard files into one result |
//! | [`play`] | a game at the terminal |
//! | [`serve`] | a page for a browser and its server; needs the default feature `serve` |
//! | [`cli`] | the command line |
//! | `games` | the games as values, with the operations of all modules |
//!
//! Modules without a link are private. The libraries can run without a terminal, threads or a
//! system clock. They read only files that the caller provides. Therefore `pentarch-engine` runs
//! even in a browser.

mod analysis;
pub mod arena;
pub mod cli;
pub mod conform;
pub mod convert;
mod games;
pub mod io;
pub mod merge_shards;
pub mod play;
pub mod problems;
pub mod protocol;
#[cfg(feature = "serve")]
pub mod serve;
pub mod shard;
pub mod tune;

pub use games::{ErasedGame, game, run};
