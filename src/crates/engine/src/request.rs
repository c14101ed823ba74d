//! A request: what is asked about which position, and how far to search.
//!
//! A request that has one of the members [`NEW`] is of format 2; any other is of format 1, which knows analyses only.

use std::time::Duration;

use serde_json::Value;

use pentarch_search::Limits;
use pentarch_search::levels::Level;
use pentarch_search::time_management::{Budget, TimeControl, for_analysis};

use super::builtin_problems::BuiltinProblem;
use super::input_word::Word;
use super::read_request::questions;
use super::refused::Refused;
use super::request_members::Members;

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

/// The greatest number of moves to report.
pub const MOST_LINES: usize = 256;

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

/// The form of a request and of its answer. The number grows with changes that can break a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// An analysis.
    One = 1,
    /// Answers to any of the [`Question`]s.
    Two,
}

/// What can be asked. The documentation says what each answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the word of its name")]
pub enum Question {
    Board,
    Scene,
    Clicks,
    Details,
    Successor,
    Rules,
    Lesson,
    Problem,
    Problems,
    IsProblem,
    Prove,
    Drills,
    Status,
    Moves,
    Legal,
    Analysis,
    Play,
    DrawOffer,
    Review,
    Record,
    Course,
    Diagram,
    Games,
    Options,
    Version,
}

use Question::*;

impl Question {
    /// All questions.
    pub const ALL: [Question; 25] = [
        Board, Scene, Clicks, Details, Successor, Rules, Lesson, Problem, Problems, IsProblem,
        Prove, Drills, Status, Moves, Legal, Analysis, Play, DrawOffer, Review, Record, Course,
        Diagram, Games, Options, Version,
    ];

    /// The word for the question, and the member of its answer.
    pub fn word(self) -> String {
        format!("{self:?}").to_ascii_lowercase()
    }

    /// Whether the answer takes a search.
    pub fn is_searched(self) -> bool {
        matches!(self, IsProblem | Prove | Analysis | Play | DrawOffer | Review)
    }

    /// Whether the question is about a position.
    pub fn is_about_position(self) -> bool {
        !matches!(self, Games | Options | Version)
    }
}

/// The members of format 1.
pub(super) const OLD: [&str; 9] =
    ["id", "game", "options", "fen", "moves", "depth", "nodes", "movetime", "multipv"];
/// The members any of which makes a request one of format 2.
pub const NEW: [&str; 4] = ["ask", "every", "priority", "stop"];
/// The other members of format 2.
pub(super) const MORE: [&str; 12] = [
    "record",
    "problem",
    "end",
    "clicks",
    "move",
    "topic",
    "flip",
    "searchmoves",
    "level",
    "clock",
    "memory",
    "tables",
];

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

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The form of the answer.
    pub format: Format,
    /// What is asked, each question once.
    pub questions: Vec<Question>,
    /// About which position.
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
    /// Checks that the request has what its questions take.
    pub(super) fn check(&self) -> Result<(), Refused> {
        let asks = |question| self.questions.contains(&question);
        if self.mv.is_none() && (asks(Legal) || asks(Details)) {
            return Err(Refused::of_form("move", "a text expected: the move that is asked about"));
        }
        if self.problem.is_none() && asks(Problem) {
            return Err(Refused::of_form(
                "problem",
                "a number expected: which of the problems that the program has",
            ));
        }
        if self.effort.nodes.is_none() && asks(Prove) {
            return Err(Refused::of_form(
                "nodes",
                "a number expected: how many positions each side's question may take",
            ));
        }
        let is_limited = self.effort.is_bounded() || self.clock.is_some();
        // A level below the full strength is limited by itself, and so are proofs.
        let unlimited = |question: &&Question| {
            let is_bounded = matches!(question, IsProblem | Prove)
                || (**question == Play && self.level < Level::Champion);
            question.is_searched() && !is_limited && !is_bounded
        };
        match (self.questions.iter().find(unlimited), self.format) {
            (None, _) => Ok(()),
            (Some(_), Format::One) => Err("depth, nodes or movetime expected".into()),
            (Some(_), Format::Two) => Err("depth, nodes, movetime or clock expected".into()),
        }
    }

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

/// The form of a request with these members.
pub fn format_of(members: &Members) -> Format {
    if NEW.iter().any(|name| members.has(name)) { Format::Two } else { Format::One }
}

/// What the member `stop` names: an id, or `null` for all requests; none if there is no such member.
///
/// # Errors
/// If the request has other members than `id` and `stop`.
pub fn stop(members: &Members) -> Result<Option<Value>, Refused> {
    if !members.has("stop") {
        return Ok(None);
    }
    members.check("a stop", &["id", "stop"])?;
    Ok(Some(members.get("stop").cloned().unwrap_or_default()))
}

/// The priority of a request, 0 if it says nothing.
///
/// # Errors
/// If it is no number.
pub fn priority(members: &Members) -> Result<f64, Refused> {
    let Some(value) = members.get("priority") else { return Ok(0.) };
    let number = value.as_f64().filter(|number| number.is_finite());
    // Nothing is less than 0 by its sign alone.
    number
        .map(|number| number + 0.)
        .ok_or_else(|| Refused::of_form("priority", "a number expected"))
}

/// Whether a search is asked for. What has a fault is asked for nothing.
pub fn is_searched(members: &Members) -> bool {
    match format_of(members) {
        Format::One => true,
        Format::Two => questions(members)
            .is_ok_and(|asked| asked.iter().any(|question| question.is_searched())),
    }
}
