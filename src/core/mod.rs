//! What every game is made of: the traits, outcomes, options, history, keys, perft, points, nets and shared text pieces;
//! and what every room needs: files, and room in memory.
//! Nothing here knows a particular game, a protocol or a clock.

pub mod evaluate;
pub mod files;
pub mod game;
pub mod key;
pub mod line;
pub mod net;
pub mod options;
pub mod outcome;
pub mod perft;
pub mod points;
pub mod projection;
pub mod ranks;
pub mod room;
pub mod text;

pub use evaluate::{Evaluate, NOISY, Tension};
pub use game::{Complete, Game, Notation, Probe, Symmetry, TableFailure, TableNews, TablePlan, TableValue};
pub use line::Line;
pub use options::{OptionKind, OptionSpec, Options};
pub use outcome::{Outcome, Side};
pub use points::Point;
pub use projection::{Field, Grid, Projection};
pub use text::{Illegal, MoveError, PositionError, SyntaxError};
