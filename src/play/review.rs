//! Reviews the game at the terminal: shows its turning points, and lets people try again from
//! there.

use crate::analysis::review::{mistake_details_text, review_summary_text, run_review_search};
use crate::io::host::SystemHost;
use crate::io::progress::ProgressLine;
use pentarch_core::Side;
use pentarch_engine::engine_options::EngineOptions;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::Host;
use pentarch_engine::review::{Review, ReviewedMove, prepare_review};
use pentarch_search::Limits;
use pentarch_search::control::SearchControl;
use pentarch_search::strength_levels::StrengthLevel;
use pentarch_search::transposition::TranspositionTable;
use thiserror::Error;

use pentarch_engine::session::{GameMoves, Session};

use super::local_game::{LocalGame, PlayerKind};
use super::terminal::{Terminal, TerminalError};

/// Nodes of the search of each position.
pub const REVIEW_NODES_PER_POSITION: u64 = 20_000;

/// An error in the review of a game, or in the practice of its turning points.
#[derive(Debug, Error)]
pub enum ReviewError {
    /// The game has no moves.
    #[error("there is no move to review")]
    NoMoves,
    /// Ctrl-C has ended the review.
    #[error("the review was interrupted")]
    Interrupted,
    /// No move lost much.
    #[error("this game has no turning points")]
    NoTurningPoints,
    /// No move of a person lost much.
    #[error("none of your moves lost much; 'retry N' goes back to a turning point of the engine")]
    NoOwnTurningPoints,
    /// There is no turning point with this number.
    #[error("'retry' takes the number of a turning point, from 1 to {count}")]
    TurningPoint {
        /// The number as the user typed it.
        typed: String,
        /// The number of turning points.
        count: usize,
    },
    /// Ctrl-C has ended the search of a tried move.
    #[error("the move was not evaluated")]
    NotEvaluated,
    /// The engine rejects the game.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An error of the terminal.
    #[error(transparent)]
    Terminal(#[from] TerminalError),
}

/// A game with its review.
pub struct ReviewedGame {
    /// The FEN of the first position; `None` for the rules' start position.
    pub(super) start: Option<String>,
    moves: Vec<String>,
    pub(super) review: Review,
}

impl ReviewedGame {
    /// Reviews the current game. Ctrl-C interrupts it.
    ///
    /// # Errors
    /// If the game has no moves, the rules are for more than two players, or the review is
    /// interrupted.
    pub fn review(game: &mut LocalGame, terminal: &Terminal) -> Result<ReviewedGame, ReviewError> {
        let game_moves = game.session().game_moves();
        if game_moves.moves.is_empty() {
            return Err(ReviewError::NoMoves);
        }
        let mut progress = ProgressLine::begin("Going over the game (Ctrl-C: enough)".into());
        let transposition_table = game.engine.transposition_table();
        let review = review_session(game.session(), terminal, &transposition_table, |done| {
            progress.show(&format!("{done} of {} moves", game_moves.moves.len()));
        });
        transposition_table.clear();
        let review = review?.ok_or(ReviewError::Interrupted)?;
        let moves = game_moves.moves_with_typed_signs();
        Ok(ReviewedGame { start: game_moves.start, moves, review })
    }

    /// Returns the turning points in the order of the game. Turning points are moves that lost
    /// much.
    fn turning_points(&self) -> impl Iterator<Item = &ReviewedMove> {
        self.review.moves.iter().filter(|mv| !mv.mark.is_empty())
    }

    /// Returns the turning points to practise: those of the people. In a game without people,
    /// returns all turning points.
    pub fn turning_points_to_practise(&self, players: &[PlayerKind]) -> Vec<&ReviewedMove> {
        let has_person = players.contains(&PlayerKind::Person);
        self.turning_points().filter(|mv| !has_person || is_move_by_person(mv, players)).collect()
    }

    /// Returns the moves of the game before a reviewed move.
    pub fn moves_before(&self, mv: &ReviewedMove) -> &[String] {
        &self.moves[..mv.ply - 1]
    }

    /// Returns whether this is a review of the current game. Moves may have been taken back or
    /// added since the review.
    pub fn is_review_of_game(&self, game_moves: &GameMoves) -> bool {
        self.start == game_moves.start
            && self
                .moves
                .iter()
                .zip(&game_moves.moves_with_typed_signs())
                .all(|(one, other)| one == other)
    }

    /// Returns the text of the review: a summary, and the turning points. The moves of the sides
    /// `unjudged` get no accuracy.
    pub fn review_report_text(&self, unjudged: &[Side]) -> String {
        let mut text = review_summary_text(&self.review, unjudged);
        for (number, mv) in (1..).zip(self.turning_points()) {
            let named = mv.numbered_move();
            let lines = mistake_details_text(mv);
            text += &format!("\n{number:2}  {named}{} {}{lines}", mv.mark, mv.cost_text());
        }
        let hint = match self.turning_points().next() {
            Some(_) => {
                "\n'retry N' goes back to one of these; 'save FILE' saves the game first.\n\
                 'practise' lets you try yours again; 'annotate' writes them into the record."
            }
            None => "",
        };
        text + hint
    }

    /// Returns the error for a game without turning points to practise.
    pub(super) fn no_turning_points_error(&self) -> ReviewError {
        match self.turning_points().next() {
            Some(_) => ReviewError::NoOwnTurningPoints,
            None => ReviewError::NoTurningPoints,
        }
    }

    /// Returns the turning point with this number, from 1. Without a number, returns the
    /// [turning point to practise](ReviewedGame::turning_points_to_practise) that lost most.
    ///
    /// # Errors
    /// If there is no such turning point.
    pub fn find_turning_point(
        &self,
        typed: Option<&str>,
        players: &[PlayerKind],
    ) -> Result<&ReviewedMove, ReviewError> {
        let points: Vec<&ReviewedMove> = self.turning_points().collect();
        if points.is_empty() {
            return Err(self.no_turning_points_error());
        }
        if let Some(typed) = typed {
            let index = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let count = points.len();
            let point = index.and_then(|index| points.get(index).copied());
            return point.ok_or_else(|| ReviewError::TurningPoint { typed: typed.into(), count });
        }
        let worst = self
            .turning_points_to_practise(players)
            .into_iter()
            .max_by(|a, b| a.lost.total_cmp(&b.lost));
        worst.ok_or_else(|| self.no_turning_points_error())
    }
}

/// Reviews the game of a session. Before each search, calls `progress` with the number of moves
/// that have been reviewed. Returns `None` if Ctrl-C has ended a search.
///
/// # Errors
/// If the rules are for more than two players.
pub(super) fn review_session(
    session: &dyn Session,
    terminal: &Terminal,
    table: &TranspositionTable,
    mut progress: impl FnMut(usize),
) -> Result<Option<Review>, EngineError> {
    let limits = Limits { nodes: Some(REVIEW_NODES_PER_POSITION), ..Limits::default() };
    let mut review = prepare_review(session, limits)?;
    while let Some(search) = review.next_search() {
        progress(review.moves().len());
        let control = SearchControl::new(&SystemHost.host_clock(), None, false, false).into();
        terminal.stop_on_interrupt(&control);
        let lines = run_review_search(search.job, &control, table);
        if terminal.take_interrupt() {
            return Ok(None);
        }
        review.add_result(search.id, lines);
    }
    Ok(Some(review.into_review()))
}

/// Returns the sides for which an engine of full strength plays. The review comes from an engine of
/// the same strength, so its verdict on them would say little.
pub fn full_strength_engine_sides(game: &LocalGame) -> Vec<Side> {
    let level = EngineOptions::new(&game.engine.options).level;
    if game.auto_levels.is_on || level < StrengthLevel::Champion {
        return Vec::new();
    }
    let sides = Side::BOTH_SIDES.into_iter().zip(&game.players);
    sides.filter(|(_, player)| **player == PlayerKind::Engine).map(|(side, _)| side).collect()
}

/// Returns whether a person has made this move.
fn is_move_by_person(mv: &ReviewedMove, players: &[PlayerKind]) -> bool {
    players.get(mv.mover.index()) == Some(&PlayerKind::Person)
}
