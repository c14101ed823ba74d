//! Pentarch plays board games: Alcaxar, Alquerque, Guerre des Deux Roses, Quoridor and Bushka.
//!
//! The crate is the engine of the program `pentarch` and a library of rules and search for these games, and for others
//! that implement its traits ([`core`] says which). Imports run downwards only:
//!
//! | module | what it holds |
//! |---|---|
//! | [`core`] | what every game is made of: traits, outcomes, options, game history, keys, perft, points, text pieces |
//! | [`files`](mod@files) | files of the system, for what reads and writes tables and for what stands above it |
//! | [`tables`] | retrograde analysis and tables of solved positions, for any game that can number its positions |
//! | [`games`] | one folder a game, and the only list of them |
//! | [`search`] | one search for all games: alpha-beta, move ordering, transposition table; proof-number search |
#![cfg_attr(
    feature = "engine",
    doc = "\
| [`diagram`] | pictures of positions and of games, in SVG |
| [`engine`] | what every front end asks: games in play, searches, boards, reviews; requests and answers as data |
"
)]
#![cfg_attr(
    feature = "cli",
    doc = "\
| [`io`] | input and output that the modules below share: lines, progress, files; the system as the engine's host |
| [`protocol`] | the line protocols, UGI and GTP: grammar, event loop, answers |
| `analysis` | batches of requests and whole games, on several threads |
| [`arena`] | matches between engines: processes, referee, openings, what results say |
| [`tune`] | weights and nets of evaluations, from games of the engine with itself |
| [`play`] | a game at the terminal |
"
)]
#![cfg_attr(feature = "serve", doc = "| `serve` | a page for a browser, and the server that gives it sessions |")]
#![cfg_attr(feature = "cli", doc = "| [`cli`] | the command line |")]
//!
//! Modules without a link are the program's alone.
//!
//! The features `serve`, `cli` and `engine`, each of which includes the next, are on by default. Without them only the
//! first five are built. Nothing up to the engine needs a terminal, a thread or a clock of the system, or any file that
//! the caller does not give: with the feature `engine` alone the library runs in a browser (`engine` shows how it is
//! asked).
//!
//! # A random game
//!
//! ```
//! use std::sync::Arc;
//!
//! use pentarch::core::{GameHistory, Notation, Options, Rules, Side};
//! use pentarch::games::alquerque::Alquerque;
//!
//! let rules = Arc::new(Alquerque::from_options(&Options::default()));
//! let mut history = GameHistory::new(rules.clone(), rules.start());
//! let mut random = fastrand::Rng::with_seed(1);
//! let mut moves = Vec::new();
//! while history.outcome().is_none() {
//!     moves.clear();
//!     history.legal_moves(&mut moves);
//!     history.push(moves[random.usize(..moves.len())]);
//! }
//! println!("{}\n{}", rules.diagram(history.position(), Side::First), history.outcome_text());
//! ```
//!
//! # Legal moves, and why others are not
//!
//! ```
//! use std::sync::Arc;
//!
//! use pentarch::core::{GameHistory, Options, Rules};
//! use pentarch::games::quoridor::Quoridor;
//!
//! let rules = Arc::new(Quoridor::from_options(&Options::default()));
//! let history = GameHistory::new(rules.clone(), rules.start());
//! assert_eq!(history.move_texts().len(), 131);
//! let why = history.find_move("a9").unwrap_err();
//! assert!(why.to_string().starts_with("a9 is not a neighbour of e1, "));
//! ```
//!
//! # A recorded game, and the best move at its end
//!
//! ```
//! use std::sync::Arc;
//!
//! use pentarch::core::record::Record;
//! use pentarch::core::{GameHistory, Notation, Options, Rules};
//! use pentarch::games::quoridor::Quoridor;
//! use pentarch::search::{Limits, Searcher};
//!
//! let rules = Arc::new(Quoridor::from_options(&Options::default()));
//! let mut history = GameHistory::new(rules.clone(), rules.start());
//! let record = Record::parse("[Game \"quoridor\"]\n1. e2 e8 2. e3 *")?;
//! for mv in &record.moves {
//!     history.push(history.find_move(&mv.text)?);
//! }
//! let limits = Limits { nodes: Some(10_000), ..Limits::default() };
//! let answer = Searcher::new(rules.clone()).search(&history, &limits).ok_or("the game is over")?;
//! println!("{}", rules.move_text(answer.best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "cli")]
mod analysis;
#[cfg(feature = "cli")]
pub mod arena;
#[cfg(feature = "cli")]
pub mod cli;
pub mod core;
#[cfg(feature = "engine")]
pub mod diagram;
#[cfg(feature = "engine")]
pub mod engine;
pub mod files;
pub mod games;
#[cfg(feature = "cli")]
pub mod io;
#[cfg(feature = "cli")]
pub mod play;
#[cfg(feature = "cli")]
pub mod protocol;
pub mod search;
#[cfg(feature = "serve")]
mod serve;
pub mod tables;
#[cfg(feature = "cli")]
pub mod tune;
