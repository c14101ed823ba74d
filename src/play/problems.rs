//! Runs problems at the terminal: positions in which one move wins or holds a draw. The player
//! solves them by typing moves.

use std::ops::ControlFlow;

use crate::io::host::SystemHost;
use crate::io::output::{Output, print_to_stderr};
use crate::problems::solved_problems::SolvedProblems;
use pentarch_core::notation::parsing::capitalise;
use pentarch_core::{Options, Side};
use pentarch_engine::engine_state::{Engine, GoCommandParameters, non_default_rules};
use pentarch_engine::error::EngineError;
use pentarch_engine::games::{GAME_OPTION, RulesId};
use pentarch_engine::input_word::InputWord;
use pentarch_engine::problem::Problem;
use pentarch_engine::record::set_rules_from_settings;
use pentarch_engine::session::Session;
use pentarch_search::Limits;

use super::error::PlayError;
use super::exercise::{self, CommandDescriptions, Exercise, TerminalIo};
use super::setup::ask_game_if_not_chosen;
use super::stored_games::is_user_state_disabled;
use super::terminal::Terminal;
use super::text_formatting;

/// Nodes of the search for the refutation of a wrong move.
const REFUTATION_NODES: u64 = 20_000;
/// The response to a move after the end of a problem.
const PROBLEM_OVER_RESPONSE: &str =
    "This problem is over: 'next' shows another one, 'again' repeats this one.";

/// An exercise in which people solve the problems of a game.
struct ProblemExercise {
    engine: Engine,
    problems: Vec<Problem>,
    solved: SolvedProblems,
    /// The index of the current problem.
    current: usize,
    /// Number of hints given for the current move.
    hints: usize,
}

/// Runs the problems of a game until the player quits or the input ends. Asks for the game if the
/// options name no game. With `no_state`, solved problems are neither read nor stored.
///
/// # Errors
/// If the game has no problems, or the input cannot be read.
pub fn run_problems(mut options: Options, no_state: bool, out: &Output) -> Result<(), PlayError> {
    let mut terminal = Terminal::new()?;
    if !ask_game_if_not_chosen(&mut options, None, &mut terminal, out)? {
        return Ok(());
    }
    let game = options.value(&GAME_OPTION).to_string();
    if let Some((spec, value)) = non_default_rules(&options).into_iter().next() {
        return Err(PlayError::ProblemRules { game, rule: spec.name, value: value.to_string() });
    }
    let problems = RulesId::from_options(&options).game_definition().problems().to_vec();
    if problems.is_empty() {
        return Err(PlayError::NoProblems { game });
    }
    let (solved, fault) = match no_state || is_user_state_disabled() {
        true => (SolvedProblems::default(), None),
        false => SolvedProblems::load(),
    };
    fault.iter().for_each(|fault| print_to_stderr(&fault.to_string()));
    let engine = Engine::new(options, SystemHost::shared_host());
    // The next problem is the first.
    let current = problems.len() - 1;
    let mut exercise = ProblemExercise { engine, problems, solved, current, hints: 0 };
    let mut io = TerminalIo { terminal: &mut terminal, out };
    out.write_unchanged("Type the best move, or 'help' for a list of commands.\n");
    let _ = exercise.next(&mut io);
    exercise::run_exercise(&mut exercise, &mut io)?;
    Ok(())
}

impl Exercise for ProblemExercise {
    const EXERCISE_COMMANDS: CommandDescriptions = &[
        ("hint", "a hint about the move; again for more"),
        ("solution", "the solution; the problem stays unsolved"),
        ("next", "the next problem that is not solved"),
        ("problem N", "the problem with this number"),
        ("board", "the board again"),
        ("moves", "the legal moves"),
        ("rules", "the rules of the game; 'rules TOPIC' shows one topic"),
        ("again", "the problem from its beginning"),
        ("help", "this list"),
        ("quit", "leave the program; solved problems stay solved"),
    ];

    fn game_options(&self) -> &Options {
        &self.engine.options
    }

    fn session(&self) -> &dyn Session {
        self.engine.session.as_ref()
    }

    /// Returns the side of the solver.
    fn side_at_bottom(&self) -> Side {
        self.session().game_moves().first_turn.1
    }

    const TASK_NOUN: &'static str = "problem";

    fn exercise_task_count(&self) -> usize {
        self.problems.len()
    }

    fn current_exercise_task_index(&self) -> usize {
        self.current
    }

    fn is_exercise_task_done(&self, index: usize) -> bool {
        let Problem { rules: (game, _), position, .. } = &self.problems[index];
        self.solved.contains(game, position)
    }

    fn start_exercise_task(&mut self, index: usize, io: &mut TerminalIo) {
        self.current = index;
        self.hints = 0;
        if let Err(error) =
            self.set_rules().and_then(|()| self.set_up_position_after_solution_plies(0))
        {
            return io.print(&text_formatting::error_as_sentence(&error));
        }
        let solved =
            (0..self.problems.len()).filter(|&index| self.is_exercise_task_done(index)).count();
        let problem = self.current_problem();
        let mark = if self.is_exercise_task_done(index) { ", solved" } else { "" };
        let count = self.problems.len();
        io.print(&format!(
            "Problem {} of {count}, grade {}{mark}. You have solved {solved}.",
            index + 1,
            problem.grade
        ));
        let task = match problem.solver_move_count() {
            1 if problem.is_draw() => "has one move that holds the draw".into(),
            length if problem.is_draw() => {
                format!("has one move that holds the draw, {length} times in a row")
            }
            1 => "wins in one move".into(),
            length => format!("wins in {length} moves"),
        };
        self.show_board(&format!("{} is to move and {task}.", capitalise(self.solver_name())), io);
    }

    fn run_exercise_command(&mut self, command: &str, io: &mut TerminalIo) -> bool {
        match command {
            "hint" => self.show_hint(io),
            "solution" => self.show_solution(io),
            _ => return false,
        }
        true
    }

    fn move_blocked_reason(&self) -> Option<&'static str> {
        self.next_solution_move().is_none().then_some(PROBLEM_OVER_RESPONSE)
    }

    fn try_typed_move(&mut self, mv: &str, io: &mut TerminalIo) -> ControlFlow<()> {
        let is_wanted = self.next_solution_move() == Some(mv);
        let ply = self.session().game_state().moves;
        // The caller has checked that the move is legal.
        let _ = self.engine.session.play_moves(&[InputWord::from_text(mv)]);
        let game_state = self.session().game_state();
        let has_won =
            game_state.outcome.and_then(|outcome| outcome.winner()) == Some(self.side_at_bottom());
        match self.current_problem().solution.get(ply + 1).cloned() {
            None if has_won || (self.current_problem().is_draw() && is_wanted) => {
                self.end_problem(io)
            }
            Some(reply) if is_wanted => {
                let _ = self.engine.session.play_moves(&[InputWord::from_text(&reply)]);
                self.hints = 0;
                self.show_board(&format!("Right: {mv}. The reply is {reply}. What now?"), io);
            }
            _ => self.show_refutation(ply, mv, io),
        }
        ControlFlow::Continue(())
    }
}

impl ProblemExercise {
    fn current_problem(&self) -> &Problem {
        &self.problems[self.current]
    }

    /// Returns the name of the solver's side.
    fn solver_name(&self) -> &'static str {
        let constants = self.session().game_constants();
        constants.sides[self.side_at_bottom().index()]
    }

    /// Sets the rules of the current problem, if the last problem had other rules.
    fn set_rules(&mut self) -> Result<(), EngineError> {
        let mut options = self.engine.options.clone();
        set_rules_from_settings(
            &mut options,
            self.current_problem().rules.1.iter().map(String::as_str),
        )?;
        let settings = |options: &Options| -> Vec<String> {
            non_default_rules(options)
                .into_iter()
                .map(|(spec, value)| format!("{}={value}", spec.name))
                .collect()
        };
        if settings(&options) != settings(&self.engine.options) {
            self.engine = Engine::new(options, SystemHost::shared_host());
        }
        Ok(())
    }

    /// Sets up the position of the problem after `plies` moves of its solution.
    fn set_up_position_after_solution_plies(&mut self, plies: usize) -> Result<(), EngineError> {
        let problem = &self.problems[self.current];
        let fen: Vec<InputWord> =
            problem.position.split_whitespace().map(InputWord::from_text).collect();
        let moves: Vec<InputWord> =
            problem.solution[..plies].iter().map(|mv| InputWord::from_text(mv)).collect();
        self.engine.session.set_position(Some(&fen), &moves)
    }

    fn show_board(&self, below: &str, io: &mut TerminalIo) {
        io.show_board(self.session(), self.side_at_bottom(), below);
    }

    /// Returns the next move of the solution; `None` if the problem is over.
    fn next_solution_move(&self) -> Option<&str> {
        let game_state = self.session().game_state();
        if game_state.outcome.is_some() {
            return None;
        }
        self.current_problem().solution.get(game_state.moves).map(String::as_str)
    }

    fn show_hint(&mut self, io: &TerminalIo) {
        let Some(wanted_move) = self.next_solution_move().map(str::to_string) else {
            return io.print(PROBLEM_OVER_RESPONSE);
        };
        self.hints += 1;
        if self.hints > 1 {
            return io.print(&exercise::candidate_moves_hint(
                self.session(),
                &wanted_move,
                self.current,
            ));
        }
        let is_key = self.session().game_state().moves == 0;
        let themes: Vec<&str> = self
            .current_problem()
            .themes
            .iter()
            .filter(|_| is_key)
            .map(|theme| theme.word())
            .collect();
        let themes = if themes.is_empty() {
            String::new()
        } else {
            format!(" Theme: {}.", themes.join(", "))
        };
        io.print(&format!(
            "{}{themes}",
            exercise::wanted_move_kind_hint(self.session(), &wanted_move)
        ));
    }

    fn show_solution(&mut self, io: &mut TerminalIo) {
        let solution = self.current_problem().solution.join(" ");
        if let Err(error) =
            self.set_up_position_after_solution_plies(self.current_problem().solution.len())
        {
            return io.print(&text_formatting::error_as_sentence(&error));
        }
        let status = self.session().game_status().sentence;
        self.show_board(
            &format!("The solution: {solution}. {status}. 'next' shows another problem."),
            io,
        );
    }

    /// Ends the problem as solved.
    fn end_problem(&mut self, io: &mut TerminalIo) {
        let Problem { rules: (game, _), position, .. } = &self.problems[self.current];
        let stored = self.solved.add_problem(game, position);
        let status = match self.current_problem().is_draw() {
            true => "The draw is held".into(),
            false => self.session().game_status().sentence,
        };
        self.show_board(&format!("Solved. {status}. 'next' shows another problem."), io);
        if let Err(error) = stored {
            print_to_stderr(&format!("solved problems cannot be stored: {error}"));
        }
    }

    /// Shows the refutation of a wrong move at this ply, and takes the move back.
    fn show_refutation(&mut self, ply: usize, mv: &str, io: &mut TerminalIo) {
        let status = self.session().game_status().sentence;
        // At the last move of a longer solution, other moves may also win, but later. At the first
        // move no other move wins.
        let is_last = ply > 0 && ply + 1 == self.current_problem().solution.len();
        let (fails, right) = match self.current_problem().is_draw() {
            true => ("loses", "holds the draw"),
            false if is_last => ("does not win at once", "does"),
            false => ("does not win", "wins"),
        };
        let sentences = if self.session().game_state().outcome.is_some() {
            format!("{mv} {fails}: {status}.")
        } else {
            let line = self.find_refutation(ply, mv);
            let [reply, ..] = &line[..] else { return };
            let played = self.engine.session.play_moves(&[InputWord::from_text(reply)]);
            debug_assert!(played.is_ok());
            let status = self.session().game_status();
            let after = if status.turn.is_none() {
                format!(" {}.", status.sentence)
            } else {
                String::new()
            };
            let rest = match &line[1..] {
                [] => String::new(),
                rest => format!(" It may continue: {}.", rest.join(" ")),
            };
            format!("{mv} {fails}, because of {reply}.{after}{rest}")
        };
        self.show_board(&sentences, io);
        match self.set_up_position_after_solution_plies(ply) {
            Ok(()) => self.show_board(&format!("It is taken back: another move {right}."), io),
            Err(error) => io.print(&text_formatting::error_as_sentence(&error)),
        }
    }

    /// Returns the refutation of the wrong move at this ply: the best reply, and the expected line
    /// after the reply.
    fn find_refutation(&mut self, ply: usize, mv: &str) -> Vec<String> {
        let known =
            self.current_problem().temptation.clone().filter(|[wrong, _]| ply == 0 && wrong == mv);
        if let Some([_, reply]) = known {
            return vec![reply];
        }
        let limits = Limits { nodes: Some(REFUTATION_NODES), ..Limits::default() };
        let mut line = Vec::new();
        let search = self
            .engine
            .prepare_search(&GoCommandParameters { limits, ..GoCommandParameters::default() });
        let Ok(Some(search)) = search else { return line };
        let answer = search.run(&mut |info| line = info.pv.iter().take(4).cloned().collect());
        if line.first() != Some(&answer.best) {
            line = vec![answer.best];
        }
        line
    }
}
