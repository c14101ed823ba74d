//! The building blocks of every game: its traits, and the types that all games share.
//!
//! The modules do not depend on any particular game, protocol or clock. The crate root exports the
//! main names; all other names are in the modules.
//!
//! | module | contents |
//! |---|---|
//! | [`rules`] | the rules of a game: positions, legal moves, outcomes, options, game history, keys, perft |
//! | [`notation`] | position and move strings, parts of their grammars, game records |
//! | [`evaluation`] | static evaluation and move ordering, nets, search parameters |
//! | [`tables`] | tables of solved positions: how they are probed, computed and stored |
//! | [`view`] | the board for front ends, and a page that teaches the rules |
//! | [`sorting`] | sorting with little code |
//! | [`game_traits`] | opening books, match openings and exercises, and the traits that a search needs |

pub mod evaluation;
pub mod game_traits;
pub mod notation;
pub mod rules;
pub mod sorting;
pub mod tables;
pub mod view;

pub use evaluation::search_file::{LoadableFile, SearchDataFile};
pub use evaluation::search_parameters::SearchParameters;
pub use evaluation::{
    Evaluate, MIN_NOISY_ORDERING_SCORE, NET_FEATURE_NAME, NetInputs, NoticeableMoveFeatures,
    QuiescenceState,
};
pub use game_traits::{
    Exercises, Handicap, HandicapStart, MatchOpenings, OpeningBook, SearchDataFiles, Searchable,
};
pub use notation::parsing::{MoveError, PositionError, RuleError, RuleViolation, SyntaxError};
pub use notation::points::Point;
pub use notation::{MoveNotationStyle, MoveSuffixWord, Notation, PublishedNotation};
pub use rules::bans::{BanSet, HistoryBans, MoveBans};
pub use rules::history::GameHistory;
pub use rules::options::{
    CheckOption, ComboOption, OptionKind, OptionSpec, OptionValue, Options, SpinOption,
    StringOption,
};
pub use rules::outcome::{EndByPlayers, EndByPlayersError, Outcome, Side};
pub use rules::players::HasPlayers;
pub use rules::{HasTurn, Rules, Symmetry};
pub use tables::table_files::{TableFile, TableFiles};
pub use tables::write_tables::{
    TableWriteProgress, TableWriteRequest, TableWriteRequestError, WriteTables, WriteTablesError,
};
pub use tables::{
    GameTables, KnownValueSource, ProbeResult, ProbeTables, ProbeWorkLimit, TableValue, Warning,
};
pub use view::go_board_projection::{GoBoardLabelFragment, GoBoardProjection, GoBoardShape};
pub use view::layout::BoardLayout;
