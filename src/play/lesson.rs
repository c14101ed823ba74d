//! Runs the lesson of a game at the terminal: a guided first game of small tasks.

use std::ops::ControlFlow;

use crate::io::host::SystemHost;
use crate::io::output::Output;
use pentarch_core::{Options, Side};
use pentarch_engine::engine_state::{Engine, new_game_session};
use pentarch_engine::games::{GAME_OPTION, RulesId};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::rules_info::{Lesson, LessonTask, lesson_of_rules};
use pentarch_engine::session::Session;

use super::error::PlayError;
use super::exercise::{self, CommandDescriptions, Exercise, TerminalIo};
use super::terminal::Terminal;

/// The response to a move after a task is solved.
const TASK_DONE_RESPONSE: &str = "This task is done: Enter shows the next one.";

/// The lesson of a game.
struct LessonExercise {
    options: Options,
    session: Box<dyn Session>,
    tasks: Vec<LessonTask>,
    /// The index of the current task.
    current: usize,
    /// For each task, whether it is solved.
    done: Vec<bool>,
}

/// Runs the lesson of the game that the options choose, with the rules of the lesson. Returns
/// `false` if the input has ended, so that no game follows.
///
/// # Errors
/// If the game has no lesson, or the input cannot be read.
pub fn run_lesson(
    options: &Options,
    terminal: &mut Terminal,
    out: &Output,
) -> Result<bool, PlayError> {
    let Lesson { options: rules, tasks } =
        lesson_of_rules(RulesId::from_options(options)).map_err(PlayError::Option)?;
    let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
    let game = options.value(&GAME_OPTION).to_string();
    engine.set_option(GAME_OPTION.name, &game).map_err(PlayError::Option)?;
    for (name, value) in &rules {
        engine.set_option(name, value).map_err(PlayError::Option)?;
    }
    let options = engine.options;
    let session = new_game_session(&options);
    let done = vec![false; tasks.len()];
    let mut lesson = LessonExercise { options, session, tasks, current: 0, done };
    let mut io = TerminalIo { terminal, out };
    lesson.start_exercise_task(0, &mut io);
    let has_ended = exercise::run_exercise(&mut lesson, &mut io)?;
    Ok(!has_ended)
}

impl LessonExercise {
    fn task(&self) -> &LessonTask {
        &self.tasks[self.current]
    }
}

impl Exercise for LessonExercise {
    const EXERCISE_COMMANDS: CommandDescriptions = &[
        ("hint", "a hint about the task"),
        ("next", "the next task; after the last one, a game"),
        ("task N", "the task with this number"),
        ("board", "the board again"),
        ("moves", "the legal moves"),
        ("rules", "the rules of the game; 'rules TOPIC' shows one topic"),
        ("again", "the task from its beginning"),
        ("help", "this list"),
        ("quit", "leave the lesson and begin a game; Ctrl-D leaves the program"),
    ];

    fn game_options(&self) -> &Options {
        &self.options
    }

    fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    fn side_at_bottom(&self) -> Side {
        self.session.game_moves().first_turn.1
    }

    const TASK_NOUN: &'static str = "task";

    fn exercise_task_count(&self) -> usize {
        self.tasks.len()
    }

    fn current_exercise_task_index(&self) -> usize {
        self.current
    }

    fn is_exercise_task_done(&self, index: usize) -> bool {
        self.done[index]
    }

    fn can_enter_start_next_task(&self) -> bool {
        self.done[self.current]
    }

    fn start_exercise_task(&mut self, index: usize, io: &mut TerminalIo) {
        self.current = index;
        self.done[index] = false;
        let LessonTask { fen, text, .. } = self.task();
        let (fen, text) = (*fen, *text);
        // The positions of a lesson are valid.
        let _ = self.session.set_position(Some(&InputWord::split_into_words(fen)), &[]);
        let task = format!("Task {} of {}. {text}", index + 1, self.tasks.len());
        io.show_board(self.session.as_ref(), self.side_at_bottom(), &task);
    }

    /// Starts the next task. Returns `Break` after the last one.
    fn next(&mut self, io: &mut TerminalIo) -> ControlFlow<()> {
        if self.current + 1 == self.tasks.len() {
            return ControlFlow::Break(());
        }
        self.start_exercise_task(self.current + 1, io);
        ControlFlow::Continue(())
    }

    fn run_exercise_command(&mut self, command: &str, io: &mut TerminalIo) -> bool {
        if command != "hint" {
            return false;
        }
        io.print(self.task().hint);
        true
    }

    fn move_blocked_reason(&self) -> Option<&'static str> {
        self.done[self.current].then_some(TASK_DONE_RESPONSE)
    }

    fn try_typed_move(&mut self, mv: &str, io: &mut TerminalIo) -> ControlFlow<()> {
        if !self.task().moves.contains(&mv) {
            io.print(&format!(
                "{mv} is legal, but it does not solve the task. Try again; 'hint' helps."
            ));
            return ControlFlow::Continue(());
        }
        let viewer = self.side_at_bottom();
        // The caller has checked that the move is legal.
        let _ = self.session.play_moves(&[InputWord::from_text(mv)]);
        self.done[self.current] = true;
        let rest = if self.current + 1 == self.tasks.len() {
            "ends the lesson"
        } else {
            "shows the next task"
        };
        let sentences = format!("Right. {} Enter {rest}.", self.task().done);
        io.show_board(self.session.as_ref(), viewer, &sentences);
        ControlFlow::Continue(())
    }
}
