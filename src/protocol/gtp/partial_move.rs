//! Composes moves from the single points that a front end with a Go board sends.
//!
//! A move is *half made* while some of its points have not been sent. Until the move is complete,
//! the other side can only pass. Tools that always alternate the sides need this.

use pentarch_core::{EndByPlayers, MoveError, Point};
use pentarch_engine::error::EngineError;
use pentarch_engine::go_board::MovesMatchingClicks;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::session::Session;

use super::error::GtpError;

/// One input of a front end with a Go board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoardClick {
    /// A point of the board.
    At(Point),
    /// A pass. If the points so far form a complete move and also the beginning of another move, a
    /// pass ends the move. After the end of the game a pass is accepted and changes nothing.
    Pass,
}

impl BoardClick {
    /// Returns the point of the board; `None` for a pass.
    pub fn point(self) -> Option<Point> {
        match self {
            BoardClick::At(point) => Some(point),
            BoardClick::Pass => None,
        }
    }

    /// Returns the input that follows the first `made` points of a move. After the last point, the
    /// input is a pass.
    pub fn next_click_of_move(made: usize, points: &[Point]) -> BoardClick {
        points.get(made).map_or(BoardClick::Pass, |&at| BoardClick::At(at))
    }
}

/// The half-made move of the current game, and the inputs that led to it. The inputs can be taken
/// back one by one.
#[derive(Debug, Clone, Default)]
pub struct PartialMove {
    points: Vec<Point>,
    inputs: Vec<BoardInputUndo>,
}

/// An input that can be taken back.
#[derive(Debug, Clone)]
struct BoardInputUndo {
    /// The points of the half-made move before the input.
    points_before: Vec<Point>,
    /// Whether the input made a move or ended the game.
    has_changed_game: bool,
}

impl PartialMove {
    /// Returns the points of the half-made move. The list is empty if no move is half made.
    pub fn clicked_points(&self) -> &[Point] {
        &self.points
    }

    /// Returns the legal moves that begin with the points of the half-made move.
    pub fn legal_completions(&self, game: &dyn Session) -> Vec<String> {
        game.moves_matching_clicks(&self.points).moves.into_iter().map(|mv| mv.text).collect()
    }

    /// Returns the possible next inputs in sorted order. The list is empty if the game is over.
    pub fn legal_clicks(&self, game: &dyn Session) -> Vec<BoardClick> {
        let moves = game.moves_matching_clicks(&self.points).moves.into_iter();
        let mut clicks: Vec<BoardClick> =
            moves.map(|mv| BoardClick::next_click_of_move(self.points.len(), &mv.points)).collect();
        clicks.sort_unstable();
        clicks.dedup();
        clicks
    }

    /// Executes an input. The input begins, continues or ends a move.
    ///
    /// # Errors
    /// If no legal move continues with this input. In that case nothing changes.
    pub fn apply_click(
        &mut self,
        game: &mut dyn Session,
        click: BoardClick,
    ) -> Result<(), GtpError> {
        let is_over = game.game_state().outcome.is_some();
        let mut points = self.points.clone();
        match click {
            BoardClick::Pass if is_over => {
                self.record_pass();
                return Ok(());
            }
            BoardClick::At(_) if is_over => {
                return Err(GtpError::Over { outcome: game.outcome_sentence() });
            }
            BoardClick::Pass => {}
            BoardClick::At(at) => points.push(at),
        }
        let MovesMatchingClicks { moves, violation } = game.moves_matching_clicks(&points);
        // A move is usually complete with its last point. But if another move begins with the same
        // points, a pass must end the first one.
        let may_end = click == BoardClick::Pass || moves.len() == 1;
        match moves.iter().find(|mv| may_end && mv.points == points) {
            Some(mv) => self.make_move(game, &mv.text)?,
            None if click == BoardClick::Pass => return Err(GtpError::NoEnd),
            None if !moves.is_empty() => {
                let points_before = std::mem::replace(&mut self.points, points);
                self.inputs.push(BoardInputUndo { points_before, has_changed_game: false });
            }
            None => {
                let has_begun = !self.points.is_empty();
                let illegal = violation.map(GtpError::IllegalPoints);
                return Err(illegal.unwrap_or(GtpError::NoMove { has_begun }));
            }
        }
        Ok(())
    }

    /// Records a pass without effect, so that it can be taken back. Such a pass comes after the end
    /// of the game, or from the waiting side while a move is half made.
    pub fn record_pass(&mut self) {
        self.inputs
            .push(BoardInputUndo { points_before: self.points.clone(), has_changed_game: false });
    }

    /// Makes a complete move in place of the half-made one.
    ///
    /// # Errors
    /// If the word does not have the form of a move, or if the move is not legal. In that case
    /// nothing changes.
    pub fn replace_with_complete_move(
        &mut self,
        game: &mut dyn Session,
        word: &InputWord,
    ) -> Result<(), GtpError> {
        let mv = game.resolve_move(&word.text).map_err(|error| match error {
            MoveError::Syntax(error) => EngineError::syntax_error_in_word(word, error).into(),
            MoveError::Illegal(violation) => GtpError::IllegalMove(violation),
        })?;
        self.make_move(game, &mv.text)
    }

    fn make_move(&mut self, game: &mut dyn Session, mv: &str) -> Result<(), GtpError> {
        game.play_moves(&[InputWord::from_text(mv)])?;
        self.record_game_change();
        Ok(())
    }

    /// Records an input that has made a move or ended the game. Discards the half-made move.
    fn record_game_change(&mut self) {
        let points_before = std::mem::take(&mut self.points);
        self.inputs.push(BoardInputUndo { points_before, has_changed_game: true });
    }

    /// Ends the game by a decision of the players. Discards a half-made move.
    ///
    /// # Errors
    /// If the game is over.
    pub fn end_game_by_players(
        &mut self,
        game: &mut dyn Session,
        end: EndByPlayers,
    ) -> Result<(), GtpError> {
        game.end_game_by_players(end)?;
        self.record_game_change();
        Ok(())
    }

    /// Takes back the last input: a point, a pass, a complete move, or an end by the players.
    ///
    /// # Errors
    /// If there was no input yet.
    pub fn take_back_last_input(&mut self, game: &mut dyn Session) -> Result<(), GtpError> {
        let input = self.inputs.pop().ok_or(GtpError::NothingToUndo)?;
        if input.has_changed_game {
            game.undo_moves(1)?;
        }
        self.points = input.points_before;
        Ok(())
    }

    /// Returns the next input of this move. The move must be one of the
    /// [completions](PartialMove::legal_completions).
    pub fn next_click(&self, game: &dyn Session, text: &str) -> BoardClick {
        BoardClick::next_click_of_move(
            self.points.len(),
            &game.go_board_points_of_moves(&[text.into()]),
        )
    }
}
