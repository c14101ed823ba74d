//! Reviews the game at the terminal: shows its turning points, and lets people try again from
//! there.

use crate::analysis::review::{format_numbered_move, review_summary_text, search_position};
use crate::io::host::SystemHost;
use crate::io::progress::ProgressLine;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::Host;
use pentarch_engine::review::{Review, ReviewedMove, prepare_review};
use pentarch_search::Limits;
use pentarch_search::control::SearchControl;
use thiserror::Error;

use pentarch_engine::session::GameMoves;

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
        let (positions, mut builder) = prepare_review(
            game.session(),
            Limits { nodes: Some(REVIEW_NODES_PER_POSITION), ..Limits::default() },
        )?;
        let mut progress = ProgressLine::begin("Going over the game (Ctrl-C: enough)".into());
        let transposition_table = game.engine.transposition_table();
        for (number, position) in positions.enumerate() {
            progress.show(&format!("{number} of {} moves", game_moves.moves.len()));
            let control = SearchControl::new(&SystemHost.host_clock(), None, false, false).into();
            terminal.stop_on_interrupt(&control);
            let result = search_position(position, &control, 1, &transposition_table);
            if terminal.take_interrupt() {
                return Err(ReviewError::Interrupted);
            }
            builder.add_position(result.half_points, result.lines);
        }
        transposition_table.clear();
        let moves = game_moves.moves_with_typed_signs();
        Ok(ReviewedGame { start: game_moves.start, moves, review: builder.review })
    }

    /// Returns the turning points in the order of the game. Turning points are moves that lost
    /// much.
    fn turning_points(&self) -> impl Iterator<Item = &ReviewedMove> {
        self.review.moves.iter().filter(|mv| !mv.mark.is_empty())
    }

    /// Returns the turning points to practise. These are the turning points of people. If people
    /// have none, all turning points are returned.
    pub fn turning_points_to_practise(&self, players: &[PlayerKind]) -> Vec<&ReviewedMove> {
        let has_person = self.turning_points().any(|mv| is_move_by_person(mv, players));
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

    /// Returns the text of the review: a summary, and the turning points.
    pub fn review_report_text(&self) -> String {
        let mut text = review_summary_text(&self.review);
        for (number, mv) in (1..).zip(self.turning_points()) {
            let named = format_numbered_move(mv);
            let lost = (100. * mv.lost).floor();
            text += &format!(
                "\n{number:2}  {named}{} cost {} {lost:.0} %; best was {}",
                mv.mark, mv.side, mv.best
            );
            if let Some(race) = &mv.race {
                text += &format!("; {}", race.sentence());
            }
        }
        let hint = match self.turning_points().next() {
            Some(_) => {
                "\n'retry N' goes back to one of these; 'save FILE' saves the game first.\n\
                 'practise' lets you try each again; 'annotate' writes them into the record."
            }
            None => "",
        };
        text + hint
    }

    /// Returns the turning point with this number, from 1. Without a number, returns the turning
    /// point that lost most. People's turning points take precedence over the others.
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
            return Err(ReviewError::NoTurningPoints);
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
        worst.ok_or(ReviewError::NoTurningPoints)
    }
}

/// Returns whether a person has made this move.
fn is_move_by_person(mv: &ReviewedMove, players: &[PlayerKind]) -> bool {
    players.get(mv.mover.index()) == Some(&PlayerKind::Person)
}
