//! The review of the game at the terminal: where it turned, and another try from there.

use crate::analysis::review::{named, search, summary};
use crate::io::host::System;
use crate::io::progress::Progress;
use pentarch_core::notation::text::wrap;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::Host;
use pentarch_engine::review::{Move, Review, begin};
use pentarch_search::Limits;
use pentarch_search::control::Control;
use thiserror::Error;

use pentarch_engine::session::Course;

use super::table::{Player, Table};
use super::terminal::{Terminal, TerminalError};
use super::view::INDENT;

/// How many nodes are searched of each position.
pub const NODES: u64 = 20_000;

/// An error of a review, or of practising its turning points.
#[derive(Debug, Error)]
pub enum ReviewError {
    /// No move was made.
    #[error("no move was made that could be reviewed")]
    NoMoves,
    /// Ctrl-C has ended the review.
    #[error("the review was ended")]
    Interrupted,
    /// No move lost much.
    #[error("nothing turned in this game")]
    NoTurningPoints,
    /// There is no turning point of this number.
    #[error("'retry' takes the number of a turning point, from 1 to {count}")]
    TurningPoint {
        /// The number as it was typed.
        typed: String,
        /// The number of turning points.
        count: usize,
    },
    /// Ctrl-C has ended the search of a move that was tried.
    #[error("the move was not judged")]
    NotJudged,
    /// The engine rejects the game.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The terminal fails.
    #[error(transparent)]
    Terminal(#[from] TerminalError),
}

/// A game that was reviewed.
pub struct Reviewed {
    /// The text of the position that it began at; none for the start position.
    pub(super) start: Option<String>,
    moves: Vec<String>,
    /// What was found.
    pub(super) review: Review,
}

impl Reviewed {
    /// Reviews the game of the table. Ctrl-C ends it.
    ///
    /// # Errors
    /// If no move was made, the rules are for more than two players, or the review was ended.
    pub fn of(table: &mut Table, terminal: &Terminal) -> Result<Reviewed, ReviewError> {
        let course = table.session().course();
        if course.moves.is_empty() {
            return Err(ReviewError::NoMoves);
        }
        let (positions, mut judge) =
            begin(table.session(), Limits { nodes: Some(NODES), ..Limits::default() })?;
        let mut progress = Progress::begin("Going over the game (Ctrl-C: enough)".into());
        let memory = table.engine.table();
        for (number, position) in positions.enumerate() {
            progress.show(&format!("{number} of {} moves", course.moves.len()));
            let control = Control::new(&System.clock(), None, false, false).into();
            terminal.stop_on_interrupt(&control);
            let (over, lines) = search(position, &control, 1, &memory);
            if terminal.was_interrupted() {
                return Err(ReviewError::Interrupted);
            }
            judge.take(over, lines);
        }
        memory.clear();
        Ok(Reviewed { start: course.start, moves: course.marked, review: judge.review })
    }

    /// The moves that lost much, in their order.
    fn turning_points(&self) -> impl Iterator<Item = &Move> {
        self.review.moves.iter().filter(|mv| !mv.mark.is_empty())
    }

    /// The turning points of people, or if they have none, of all players; each with the moves before it.
    pub fn points(&self, players: &[Player]) -> Vec<(&Move, &[String])> {
        let is_of_person = |mv: &&Move| players.get(mv.mover.index()) == Some(&Player::Person);
        let all_engines = self.turning_points().all(|mv| !is_of_person(&mv));
        let points = self.turning_points().filter(|mv| all_engines || is_of_person(mv));
        points.map(|mv| (mv, &self.moves[..mv.ply - 1])).collect()
    }

    /// Whether it is a review of the game that this is now, or was before moves were taken back or added.
    pub fn is_of(&self, course: &Course) -> bool {
        self.start == course.start
            && self.moves.iter().zip(&course.marked).all(|(one, other)| one == other)
    }

    /// What the review tells.
    pub fn text(&self) -> String {
        let mut text = summary(&self.review);
        for (number, mv) in (1..).zip(self.turning_points()) {
            let (named, lost) = (named(mv), (100. * mv.lost).floor());
            text += &format!(
                "\n{number:2}  {named}{} cost {} {lost:.0} %; best was {}",
                mv.mark, mv.side, mv.best
            );
        }
        let lines: Vec<String> = text.lines().map(|line| wrap(line, INDENT)).collect();
        let hint = match self.turning_points().next() {
            Some(_) => {
                "\n'retry N' goes back to before one of these; 'save FILE' keeps the game first.\n\
                 'practise' asks you again at each; 'annotate' writes them into the record."
            }
            None => "",
        };
        lines.join("\n") + hint
    }

    /// The position that the game began at, and the moves up to before the turning point of this number, or without one
    /// before the move by which a person lost most, or if people lost nothing, the engine.
    ///
    /// # Errors
    /// If there is no such turning point.
    pub fn before(
        &self,
        typed: Option<&str>,
        players: &[Player],
    ) -> Result<(Option<&str>, &[String]), ReviewError> {
        let is_of_person = |mv: &Move| players.get(mv.mover.index()) == Some(&Player::Person);
        let worst = || {
            self.turning_points().max_by(|a, b| {
                (is_of_person(a), a.lost)
                    .partial_cmp(&(is_of_person(b), b.lost))
                    .unwrap_or(std::cmp::Ordering::Equal)
            })
        };
        let count = self.turning_points().count();
        let mv = match typed {
            None => worst().ok_or(ReviewError::NoTurningPoints)?,
            Some(_) if count == 0 => return Err(ReviewError::NoTurningPoints),
            Some(typed) => {
                let number = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let mv = number.and_then(|number| self.turning_points().nth(number));
                mv.ok_or_else(|| ReviewError::TurningPoint { typed: typed.into(), count })?
            }
        };
        Ok((self.start.as_deref(), &self.moves[..mv.ply - 1]))
    }
}
