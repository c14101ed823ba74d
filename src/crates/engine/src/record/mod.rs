//! Conversion of the current game to a record, and of a record to the current game.
//!
//! A record contains more than moves, such as comments, marks, times, variations and names. The
//! engine stores this information next to the current game, in the record that was last loaded or
//! annotated. When the game is written, its moves become the main line of this record. So a move
//! retains its annotations even if it was taken back and made again.
//!
//! | module | contents |
//! | --- | --- |
//! | `annotation` | annotations of the current game |
//! | `canonical` | the canonical notation of the moves in a record |
//! | `checks` | checks that a record is consistent |
//! | `current_game` | the record of the current game |
//! | `error` | the errors of records and annotations |
//! | `loading` | chooses a record in a text, and loads it |
//! | `replay` | replaying a record |
//! | `rule_settings` | the rules that a record names |
//! | `tags` | the tags that a record or a user sets |

mod annotation;
mod canonical;
mod checks;
mod current_game;
mod error;
mod loading;
mod replay;
mod rule_settings;
mod tags;

pub use annotation::RecordAnnotation;
pub use checks::{TruncationWarning, check_record_tags};
pub(crate) use current_game::current_game_record;
pub use current_game::game_record;
pub use error::RecordError;
pub(crate) use loading::RecordSelection;
pub(crate) use replay::STOP_CHECK_INTERVAL_MOVES;
pub use replay::{RecordWarnings, ReplayedGame};
pub use rule_settings::{add_missing_game_and_rules, options_from_record, set_rules_from_settings};
pub(crate) use tags::check_tag_value;
pub use tags::{check_tag_name, is_derived_tag};
