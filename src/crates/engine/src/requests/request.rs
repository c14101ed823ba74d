//! A checked request, with its questions, its position and the limits of the search.

use std::time::Duration;

use pentarch_search::Limits;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::time_management::{
    MAX_PLAYER_CLOCKS, MoveTimeControl, PlayerOnClock, TimeBudget, budget_for_analysis,
};

use super::fields::RequestQuestion;
use crate::builtin_problems::BuiltinProblem;
use crate::input_word::InputWord;

/// The limits of a search, and the number of moves that it reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchLimits {
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The maximum time in milliseconds.
    pub movetime: Option<u64>,
    /// The number of moves to report.
    pub multipv: usize,
}

impl SearchLimits {
    /// No limits, and one move to report.
    pub const UNLIMITED: SearchLimits =
        SearchLimits { depth: None, nodes: None, movetime: None, multipv: 1 };

    /// Returns whether a limit ends the search.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some()
    }

    /// Returns the limits of the search, except its time limit.
    pub fn limits_without_time(&self) -> Limits<InputWord> {
        Limits { depth: self.depth, nodes: self.nodes, multi_pv: self.multipv, ..Limits::default() }
    }

    /// Resolves limits of 0 like [`Limits::resolve_zero_limits`].
    pub(crate) fn resolve_zero_limits(&mut self, clock: Option<&mut MoveTimeControl>) {
        let mut no_clock = MoveTimeControl::default();
        let clock = clock.unwrap_or(&mut no_clock);
        let mut limits = self.limits_without_time();
        let mut time = MoveTimeControl { movetime: self.movetime_milliseconds(), ..*clock };
        limits.resolve_zero_limits(&mut time, MAX_PLAYER_CLOCKS, false);
        clock.ignores_zero = time.ignores_zero;
        self.depth = limits.depth;
        self.nodes = limits.nodes;
        self.movetime = time.movetime.map(i64::unsigned_abs);
    }

    fn movetime_milliseconds(&self) -> Option<i64> {
        self.movetime.map(|time| i64::try_from(time).unwrap_or(i64::MAX))
    }

    /// Returns the time budget.
    pub fn time_budget(&self) -> Option<TimeBudget> {
        self.movetime.map(|time| budget_for_analysis(Duration::from_millis(time)))
    }
}

/// How the players ended the game. Sides are identified by their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedGameEnd {
    /// The side with this name resigned.
    Resign(String),
    /// The time of the side with this name ran out.
    Flag(String),
    /// The players agreed on a draw.
    Agree,
}

/// The position of a request, with the game that led to it.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestPosition {
    /// The position after these moves.
    Moves {
        /// The game and its rules.
        options: pentarch_core::Options,
        /// The words of the FEN; `None` for the start position.
        fen: Option<Vec<InputWord>>,
        /// The moves that follow the position `fen`.
        moves: Vec<InputWord>,
    },
    /// The last position of the main line of a record.
    Record {
        /// The record.
        record: pentarch_core::notation::record::GameRecord,
        /// The options that choose the game and the rules if the record names no game.
        options: pentarch_core::Options,
    },
}

/// The players' clocks and the overhead per move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestClock {
    /// The times and the increments of the players.
    pub control: MoveTimeControl,
    /// The time that each move loses between the front end and the engine.
    pub overhead: Duration,
}

/// A request whose fields have passed all checks.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The questions, each once.
    pub questions: Vec<RequestQuestion>,
    /// The position to which the questions refer.
    pub position: RequestPosition,
    /// The built-in problem with which the game begins.
    pub problem: Option<BuiltinProblem>,
    /// How the players ended the game.
    pub end: Option<RequestedGameEnd>,
    /// The sites that the user has clicked, in order.
    pub clicks: Vec<InputWord>,
    /// The move of the questions `details`, `legal`, `counts` and `successor`.
    pub mv: Option<InputWord>,
    /// The topic of the rules.
    pub topic: Option<String>,
    /// Whether the second side is at the bottom of the diagram.
    pub flip: bool,
    /// The limits of the search.
    pub search_limits: SearchLimits,
    /// The moves to choose from. If the list is empty, all moves are allowed.
    pub searchmoves: Vec<InputWord>,
    /// The clocks of the players.
    pub clock: Option<RequestClock>,
    /// The level of the player.
    pub level: StrengthLevel,
    /// The seed of the random choices of the level; `None` for a new seed.
    pub seed: Option<u64>,
    /// The memory of a proof in MiB; `None` for the default.
    pub memory: Option<u32>,
    /// The number of pieces up to which the engine solves all positions before a proof; `None` for
    /// the default of the game.
    pub tables: Option<usize>,
    /// The time between two reports of a search.
    pub every: Option<Duration>,
}

impl Request {
    /// Returns the limits of a search, except its time limit.
    pub fn limits_without_time(&self) -> Limits<InputWord> {
        Limits { moves: self.searchmoves.clone(), ..self.search_limits.limits_without_time() }
    }

    /// Returns the time budget of an analysis for `player`. Without a clock, the budget reserves no
    /// time for later moves.
    pub fn analysis_time_budget(&self, player: PlayerOnClock) -> Option<TimeBudget> {
        let clock_budget =
            self.clock.and_then(|clock| clock.control.move_time_budget(player, clock.overhead));
        match (clock_budget, self.search_limits.time_budget()) {
            (Some(a), Some(b)) => {
                Some(TimeBudget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
            }
            (a, b) => a.or(b),
        }
    }

    /// Returns the time budget for a move of `player`. Unlike in an analysis, a forced move is made
    /// at once.
    pub(crate) fn move_time_budget(&self, player: PlayerOnClock) -> Option<TimeBudget> {
        let RequestClock { control, overhead } = self.clock.unwrap_or_default();
        let control =
            MoveTimeControl { movetime: self.search_limits.movetime_milliseconds(), ..control };
        control.move_time_budget(player, overhead)
    }
}
