//! An exercise at the turning points of a reviewed game. The task is to find the best move or a
//! move about as good.

use std::ops::ControlFlow;
use std::sync::Arc;

use pentarch_core::notation::parsing::capitalise;
use pentarch_core::{Options, Side};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::review::{MAX_NEGLIGIBLE_CHANCE_LOSS, ReviewedMove};
use pentarch_engine::session::Session;
use pentarch_search::transposition::TranspositionTable;

use super::exercise::{self, CommandDescriptions, Exercise, TerminalIo};
use super::local_game::LocalGame;
use super::review::{ReviewError, ReviewedGame, review_session};
use super::text_formatting;

/// An exercise in which people try the turning points of a game again.
struct TurningPointExercise {
    options: Options,
    /// The session with the position before the current turning point.
    session: Box<dyn Session>,
    points: Vec<PracticeTurningPoint>,
    /// The index of the current turning point.
    current: usize,
    /// Number of hints given for the current turning point.
    hints: usize,
    transposition_table: Arc<TranspositionTable>,
}

/// A turning point to practise.
struct PracticeTurningPoint {
    /// The FEN of the position before the move.
    position: String,
    /// The move that lost much.
    mv: ReviewedMove,
    /// Whether the person has found a good move.
    is_found: bool,
    /// Whether the solution was shown. After that, moves no longer count.
    is_shown: bool,
}

/// Runs the exercise with the turning points of the people. In a game without people, uses all
/// turning points.
///
/// # Errors
/// If there are no such turning points, or the input cannot be read.
pub fn run_turning_point_exercise(
    reviewed: &ReviewedGame,
    game: &mut LocalGame,
    io: &mut TerminalIo,
) -> Result<(), ReviewError> {
    let mut session = game.session().copy_session();
    let mut points = Vec::new();
    let start = reviewed.start.as_deref().map(InputWord::split_into_words);
    for mv in reviewed.turning_points_to_practise(&game.players) {
        let moves: Vec<InputWord> =
            reviewed.moves_before(mv).iter().map(|mv| InputWord::from_text(mv)).collect();
        session.set_position(start.as_deref(), &moves)?;
        let position = session.position_fen();
        points.push(PracticeTurningPoint {
            position,
            mv: mv.clone(),
            is_found: false,
            is_shown: false,
        });
    }
    if points.is_empty() {
        return Err(reviewed.no_turning_points_error());
    }
    let mut practice = TurningPointExercise {
        options: game.engine.options.clone(),
        session,
        points,
        current: 0,
        hints: 0,
        transposition_table: game.engine.transposition_table(),
    };
    practice.start_exercise_task(0, io);
    let result = exercise::run_exercise(&mut practice, io);
    practice.transposition_table.clear();
    let found = practice.points.iter().filter(|point| point.is_found).count();
    let count = practice.points.len();
    io.print(&format!("You have found {found} of {count}. The game is unchanged."));
    result?;
    Ok(())
}

impl Exercise for TurningPointExercise {
    const EXERCISE_COMMANDS: CommandDescriptions = &[
        ("hint", "something about the best move; again for more"),
        ("solution", "the best move, and the expected line"),
        ("next", "the next turning point"),
        ("point N", "the turning point with this number"),
        ("board", "the board again"),
        ("moves", "the legal moves"),
        ("rules", "the rules of the game; 'rules TOPIC' shows one topic"),
        ("help", "this list"),
        ("quit", "back to the game"),
    ];

    fn game_options(&self) -> &Options {
        &self.options
    }

    fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    /// Returns the side to move at the turning point.
    fn side_at_bottom(&self) -> Side {
        self.current_turning_point().mv.mover
    }

    const TASK_NOUN: &'static str = "point";

    fn exercise_task_count(&self) -> usize {
        self.points.len()
    }

    fn current_exercise_task_index(&self) -> usize {
        self.current
    }

    fn is_exercise_task_done(&self, index: usize) -> bool {
        self.points[index].is_found
    }

    fn start_exercise_task(&mut self, index: usize, io: &mut TerminalIo) {
        self.current = index;
        self.hints = 0;
        let PracticeTurningPoint { position, mv, .. } = &self.points[index];
        // The FEN is valid, because it comes from a session with the same rules.
        let _ = self.session.set_position(Some(&InputWord::split_into_words(position)), &[]);
        let lost = (100. * mv.lost).floor();
        let sentences = format!(
            "Turning point {} of {}: {}{} cost {} {lost:.0} % of the chances. {} is to move: what is better?",
            index + 1,
            self.points.len(),
            mv.numbered_move(),
            mv.mark,
            mv.side,
            capitalise(mv.side)
        );
        io.show_board(self.session.as_ref(), self.side_at_bottom(), &sentences);
    }

    /// Starts the next turning point. Returns `Break` after the last one.
    fn next(&mut self, io: &mut TerminalIo) -> ControlFlow<()> {
        if self.current + 1 == self.points.len() {
            return ControlFlow::Break(());
        }
        self.start_exercise_task(self.current + 1, io);
        ControlFlow::Continue(())
    }

    fn run_exercise_command(&mut self, command: &str, io: &mut TerminalIo) -> bool {
        match command {
            "hint" => {
                self.hints += 1;
                let best = &self.current_turning_point().mv.best;
                io.print(&match self.hints {
                    1 => exercise::wanted_move_kind_hint(self.session(), best),
                    _ => exercise::candidate_moves_hint(self.session(), best, self.current),
                });
            }
            "solution" => {
                let ReviewedMove { mv, best, line, refutation, reason, .. } =
                    &self.current_turning_point().mv;
                let rest = line.get(1..5.min(line.len())).unwrap_or_default().join(" ");
                let rest = if rest.is_empty() {
                    String::new()
                } else {
                    format!(" The game may continue: {rest}.")
                };
                let reason = reason.as_ref().map_or_else(String::new, |reason| {
                    format!(" {mv} {reason}: {}.", refutation.join(" "))
                });
                io.print(&format!("The best move was {best}.{rest}{reason} 'next' continues."));
                self.points[self.current].is_shown = true;
            }
            _ => return false,
        }
        true
    }

    fn move_blocked_reason(&self) -> Option<&'static str> {
        self.current_turning_point()
            .is_shown
            .then_some("The best move was shown: 'next' continues.")
    }

    fn try_typed_move(&mut self, mv: &str, io: &mut TerminalIo) -> ControlFlow<()> {
        let best = self.current_turning_point().mv.best.clone();
        if mv != best {
            let evaluated = match self.evaluate_move(mv, io) {
                Ok(evaluated) => evaluated,
                Err(error) => {
                    io.print(&text_formatting::error_as_sentence(&error));
                    return ControlFlow::Continue(());
                }
            };
            if evaluated.lost >= MAX_NEGLIGIBLE_CHANCE_LOSS {
                let reply = match evaluated.reply {
                    Some(reply) => format!(", because of {reply}"),
                    None => String::new(),
                };
                let reason =
                    evaluated.reason.map_or_else(String::new, |lost| format!(": it {lost}"));
                let percent = (100. * evaluated.lost).floor();
                io.print(&format!(
                    "{mv} costs {percent:.0} % of the chances{reply}{reason}. Another move is better: \
                     try again."
                ));
                return ControlFlow::Continue(());
            }
        }
        self.points[self.current].is_found = true;
        io.print(&match mv == best {
            true => format!("Right: {mv} is the best move."),
            false => format!("Right: {mv} is about as good as {best}."),
        });
        self.next(io)
    }
}

/// The evaluation of a tried move.
struct TriedMoveEvaluation {
    /// The loss of the chance of winning by the move, from 0 to 1.
    lost: f64,
    /// The best reply to a move that loses much; `None` if the move ends the game.
    reply: Option<String>,
    /// The loss in the words of the game.
    reason: Option<String>,
}

impl TurningPointExercise {
    fn current_turning_point(&self) -> &PracticeTurningPoint {
        &self.points[self.current]
    }

    /// Evaluates a move by a search.
    fn evaluate_move(&self, mv: &str, io: &TerminalIo) -> Result<TriedMoveEvaluation, ReviewError> {
        let mut tried = self.session.copy_session();
        tried.play_moves(&[InputWord::from_text(mv)])?;
        let review = review_session(tried.as_ref(), io.terminal, &self.transposition_table, |_| {});
        let review = review?.ok_or(ReviewError::NotEvaluated)?;
        let Some(mv) = review.moves.into_iter().next() else {
            return Err(ReviewError::NotEvaluated);
        };
        let reply = mv.refutation.into_iter().next();
        Ok(TriedMoveEvaluation { lost: mv.lost, reply, reason: mv.reason })
    }
}
