//! A request that was checked: its questions, the position they are about, and the limits of the search.

use std::time::Duration;

use pentarch_search::Limits;
use pentarch_search::levels::Level;
use pentarch_search::time_management::{Budget, TimeControl, for_analysis};

use super::fields::Question;
use crate::builtin_problems::BuiltinProblem;
use crate::input_word::Word;

/// How far a position is searched, and how many of its best moves are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The greatest depth in plies.
    pub depth: Option<u32>,
    /// The greatest number of nodes.
    pub nodes: Option<u64>,
    /// The time in milliseconds.
    pub movetime: Option<u64>,
    /// The number of moves to report.
    pub multipv: usize,
}

impl Effort {
    /// No limit, and one move to report: a request says itself how far to search.
    pub const NONE: Effort = Effort { depth: None, nodes: None, movetime: None, multipv: 1 };

    /// Whether there is a limit that ends the search.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some()
    }

    /// The limits of the search but for that of time.
    pub fn limits(&self) -> Limits<Word> {
        Limits { depth: self.depth, nodes: self.nodes, multi_pv: self.multipv, ..Limits::default() }
    }

    /// The limit of time.
    pub fn budget(&self) -> Option<Budget> {
        self.movetime.map(|time| for_analysis(Duration::from_millis(time)))
    }
}

/// How the players have ended the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The side with this name has resigned.
    Resign(String),
    /// The time of the side with this name has run out.
    Flag(String),
    /// The players have agreed on a draw.
    Agree,
}

/// What a request names: a position, and the game on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// The position after these moves.
    Moves {
        /// The options that choose the game and its rules.
        options: pentarch_core::Options,
        /// The words of the position text; none for the start position.
        fen: Option<Vec<Word>>,
        /// The moves made from there.
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
    /// The problem at whose position the game begins; none if the request names none.
    pub problem: Option<BuiltinProblem>,
    /// How the players have ended the game there.
    pub end: Option<End>,
    /// The sites that were clicked.
    pub clicks: Vec<Word>,
    /// The move that is asked about.
    pub mv: Option<Word>,
    /// The topic of the rules that is asked for.
    pub topic: Option<String>,
    /// Whether the picture is turned round.
    pub flip: bool,
    /// How far to search.
    pub effort: Effort,
    /// The moves to choose from; all if there are none.
    pub searchmoves: Vec<Word>,
    /// The clocks of the players, and the time that a move loses on its way.
    pub clock: Option<(TimeControl, Duration)>,
    /// The level of a player.
    pub level: Level,
    /// The memory in MiB for what a proof finds out; none for as much as there usually is.
    pub memory: Option<u32>,
    /// The most men of the positions that are solved before a proof; none for those that the game chooses.
    pub tables: Option<usize>,
    /// The time between two reports of a search.
    pub every: Option<Duration>,
}

impl Request {
    /// The limits of a search but for those of time.
    pub fn limits(&self) -> Limits<Word> {
        Limits { moves: self.searchmoves.clone(), ..self.effort.limits() }
    }

    /// The limit of time of an analysis for the player with this index, of so many. It saves no time for other moves,
    /// unless a clock runs.
    pub fn budget(&self, player: usize, players: usize) -> Option<Budget> {
        let on_clock =
            self.clock.and_then(|(clock, overhead)| clock.budget(player, players, overhead));
        match (on_clock, self.effort.budget()) {
            (Some(a), Some(b)) => {
                Some(Budget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
            }
            (a, b) => a.or(b),
        }
    }

    /// The limit of time for a move of this player, who makes it at once where there is nothing to choose.
    pub fn budget_of_move(&self, player: usize, players: usize) -> Option<Budget> {
        let (clock, overhead) = self.clock.unwrap_or_default();
        let movetime = self.effort.movetime.map(|time| i64::try_from(time).unwrap_or(i64::MAX));
        TimeControl { movetime, ..clock }.budget(player, players, overhead)
    }
}
