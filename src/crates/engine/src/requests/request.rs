//! A request that was checked: its questions, the position they are about, and the limits of the search.

use std::time::Duration;

use pentarch_search::Limits;
use pentarch_search::levels::Level;
use pentarch_search::time_management::{MAX_CLOCKS, TimeBudget, TimeControl, for_analysis};

use super::fields::Question;
use crate::builtin_problems::BuiltinProblem;
use crate::input_word::Word;

/// The limits of a search, and the number of moves that it reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The maximum time in milliseconds.
    pub movetime: Option<u64>,
    /// The number of moves to report.
    pub multipv: usize,
}

impl Effort {
    /// No limit, and one move to report.
    pub const NONE: Effort = Effort { depth: None, nodes: None, movetime: None, multipv: 1 };

    /// Returns whether there is a limit that ends the search.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some()
    }

    /// Returns the limits of the search except the time.
    pub fn limits(&self) -> Limits<Word> {
        Limits { depth: self.depth, nodes: self.nodes, multi_pv: self.multipv, ..Limits::default() }
    }

    /// Resolves limits of 0, as [`Limits::resolve_zeros`] does.
    pub(crate) fn resolve_zeros(&mut self, clock: Option<&mut TimeControl>) {
        let mut no_clock = TimeControl::default();
        let clock = clock.unwrap_or(&mut no_clock);
        let mut limits = self.limits();
        let mut time = TimeControl { movetime: self.signed_movetime(), ..*clock };
        limits.resolve_zeros(&mut time, MAX_CLOCKS, false);
        clock.ignores_zero = time.ignores_zero;
        self.depth = limits.depth;
        self.nodes = limits.nodes;
        self.movetime = time.movetime.map(i64::unsigned_abs);
    }

    fn signed_movetime(&self) -> Option<i64> {
        self.movetime.map(|time| i64::try_from(time).unwrap_or(i64::MAX))
    }

    /// Returns the limit of time.
    pub fn budget(&self) -> Option<TimeBudget> {
        self.movetime.map(|time| for_analysis(Duration::from_millis(time)))
    }
}

/// How the players ended the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The side with this name resigned.
    Resign(String),
    /// The time of the side with this name ran out.
    Flag(String),
    /// The players agreed on a draw.
    Agree,
}

/// A position, with the game up to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// The position after these moves.
    Moves {
        /// The game and its rules.
        options: pentarch_core::Options,
        /// The words of the FEN; `None` for the start position.
        fen: Option<Vec<Word>>,
        /// The moves from there.
        moves: Vec<Word>,
    },
    /// The game of a record.
    Record(pentarch_core::notation::record::Record),
}

/// A request that was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The questions, each once.
    pub questions: Vec<Question>,
    /// The position that they are about.
    pub place: Place,
    /// The built-in problem with which the game begins.
    pub problem: Option<BuiltinProblem>,
    /// How the players ended the game.
    pub end: Option<End>,
    /// The clicked sites.
    pub clicks: Vec<Word>,
    /// The move of the questions `details`, `legal` and `successor`.
    pub mv: Option<Word>,
    /// The topic of the rules.
    pub topic: Option<String>,
    /// Whether the second side is at the bottom of the diagram.
    pub flip: bool,
    /// The limits of the search.
    pub effort: Effort,
    /// The moves to choose from; all if it is empty.
    pub searchmoves: Vec<Word>,
    /// The clocks of the players, and the time that a move loses on its way.
    pub clock: Option<(TimeControl, Duration)>,
    /// The level of the player.
    pub level: Level,
    /// The memory of a proof in MiB; `None` for the default.
    pub memory: Option<u32>,
    /// The greatest number of pieces of positions that are solved before a proof; `None` for the default of the game.
    pub tables: Option<usize>,
    /// The time between two reports of a search.
    pub every: Option<Duration>,
}

impl Request {
    /// Returns the limits of a search except the time.
    pub fn limits(&self) -> Limits<Word> {
        Limits { moves: self.searchmoves.clone(), ..self.effort.limits() }
    }

    /// Returns the limit of time of an analysis for the player with this index, of `players`. It saves no time for
    /// other moves, unless a clock runs.
    pub fn budget(&self, player: usize, players: usize) -> Option<TimeBudget> {
        let on_clock =
            self.clock.and_then(|(clock, overhead)| clock.budget(player, players, overhead));
        match (on_clock, self.effort.budget()) {
            (Some(a), Some(b)) => {
                Some(TimeBudget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
            }
            (a, b) => a.or(b),
        }
    }

    /// Returns the limit of time for a move of this player, who makes a forced move at once.
    pub fn budget_of_move(&self, player: usize, players: usize) -> Option<TimeBudget> {
        let (clock, overhead) = self.clock.unwrap_or_default();
        TimeControl { movetime: self.effort.signed_movetime(), ..clock }
            .budget(player, players, overhead)
    }
}
