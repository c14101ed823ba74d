//! Pentarch plays board games: Alcaxar, Alquerque, Guerre des Deux Roses, Quoridor and Bushka.
//!
//! The crate is the program `pentarch`, and by the crates that it gives again below a library of rules and search for
//! these games, and for others that implement the traits of [`core`]. Imports run downwards only:
//!
//! | module | crate | what it holds |
//! |---|---|---|
//! | [`core`] | `pentarch-core` | what every game is made of: traits, outcomes, options, game history, keys, perft, points, text pieces |
//! | [`tables`] | `pentarch-tables` | retrograde analysis and tables of solved positions, for any game that can number its positions |
//! | [`search`] | `pentarch-search` | one search for all games: alpha-beta, move ordering, transposition table; proof-number search |
//! | [`games`] | `pentarch-games` | the only list of games; each is a crate of its own in the folder of this one |
//! | [`diagram`] | `pentarch-diagram` | pictures of positions and of games, in SVG |
//! | | `pentarch-training` | logistic regression and gradient descent, for `tune` |
//! | [`engine`] | `pentarch-engine` | what every front end asks: games in play, searches, boards, reviews; requests and answers as data |
//! | [`io`] | | input and output that the modules below share: lines, progress, files; the system as the engine's host |
//! | [`shards`] | | parts of a work for several machines |
//! | [`protocol`] | | the line protocols, UGI and GTP: grammar, event loop, answers |
//! | `analysis` | | batches of requests and whole games, on several threads |
//! | [`convert`] | | games in the formats of others |
//! | [`arena`] | | matches between engines: processes, referee, openings, what results say |
//! | [`problems`] | | positions in which one move wins, to be solved |
//! | [`tune`] | | weights and nets of evaluations, from games of the engine with itself |
//! | `merge` | | such parts as the whole |
//! | [`play`] | | a game at the terminal |
//! | `serve` | | a page for a browser, and the server that gives it sessions; only with the feature `serve`, a default one |
//! | [`cli`] | | the command line |
//!
//! Modules without a link are the program's alone. Nothing up to the engine needs a terminal, a thread or a clock of
//! the system, or any file that the caller does not give: `pentarch-engine` by itself runs in a browser ([`engine`]
//! shows how it is asked).
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

pub use pentarch_core as core;
pub use pentarch_core::{files, keep_defaults, turn_from_fields};
pub use pentarch_diagram as diagram;
pub use pentarch_engine as engine;
pub use pentarch_games as games;
pub use pentarch_search as search;
pub use pentarch_search::compile_search;
pub use pentarch_tables as tables;

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
pub mod shards;
pub mod tune;
