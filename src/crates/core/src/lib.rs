//! What every game is made of: its traits, and the types that all games share.
//!
//! Nothing here knows a particular game, a protocol or a clock.
//!
//! | module | what it holds |
//! |---|---|
//! | [`rules`] | the rules of a game as a value: positions, legal moves, symmetries |
//! | [`players`] | who plays, and for which side |
//! | [`evaluate`] | static evaluation and move ordering |
//! | [`search_file`](mod@search_file) | files that searches take: nets and opening books |
//! | [`search_parameters`] | the numbers on which pruning and reductions depend |
//! | [`tablebase`] | probing and making tables of solved positions |
//! | [`table_files`] | where tables are read from during play |
//! | [`files`] | files of the system, for what reads and writes tables and for what stands above it |
//! | [`past`] | what the past of a position forbids |
//! | [`game`] | opening books, and these traits combined |
//! | [`notation`] | texts of positions and moves |
//! | [`rules_text`] | the rules as a text that teaches them |
//! | [`rules_page`] | this text printed, with its pictures |
//! | [`lesson`] | the tasks of a guided first game |
//! | [`layout`] | the board as front ends draw it: sites, pieces, and moves as clicks |
//! | [`projection`] | a game on the board of a Go front end |
//! | [`outcome`] | the two sides, and how a game can end |
//! | [`history`] | the moves of a game, and repetition |
//! | [`perft`](mod@perft) | counting the positions after some plies |
//! | [`options`] | options of rules and engine |
//! | [`text`](mod@text) | error types of texts, and shared pieces of their grammars |
//! | [`board_field`] | the board field of a position text |
//! | [`points`] | points of a board and their names |
//! | [`key`] | hash keys of positions |
//! | [`net`] | a small neural net for evaluation |
//! | [`memory`] | memory for large tables, and detached threads |
//! | [`record`] | records of games as texts: tags, moves, comments, result |
//! | [`command_failure`] | why a command of the program did not succeed |

pub mod board_field;
pub mod command_failure;
pub mod evaluate;
pub mod files;
pub mod game;
pub mod history;
pub mod key;
pub mod layout;
pub mod lesson;
pub mod memory;
pub mod net;
pub mod notation;
pub mod options;
pub mod outcome;
pub mod past;
pub mod perft;
pub mod players;
pub mod points;
pub mod projection;
pub mod record;
pub mod rules;
pub mod rules_page;
pub mod rules_text;
pub mod search_file;
pub mod search_parameters;
pub mod table_files;
pub mod tablebase;
pub mod text;

pub use command_failure::Failure;
pub use evaluate::{Evaluate, NET_FEATURE, NOISY, NetInputs, Tension};
pub use game::{OpeningBook, Searchable};
pub use history::GameHistory;
pub use layout::Layout;
pub use notation::{MoveStyle, Notation, SourceNotation};
pub use options::{OptionKind, OptionSpec, Options};
pub use outcome::{Outcome, PlayerEnd, Side};
pub use past::{Bans, MoveBans, Past};
pub use players::Players;
pub use points::Point;
pub use projection::{Grid, Part, Projection};
pub use rules::{Rules, Symmetry, Turn};
pub use search_file::{GivenFile, SearchFile};
pub use search_parameters::SearchParameters;
pub use table_files::{TableFile, TableFiles};
pub use tablebase::{MakeTables, Probe, Probed, Probing, TablePlan, TableReport, TableValue};
pub use text::{Illegal, MoveError, PositionError, SyntaxError};
