//! Runs the loop that problems, turning points and drills share: shows a board with a task, tries
//! moves and executes commands.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::io::output::Output;
use crate::io::pager;
use pentarch_core::notation::parsing::{did_you_mean_hint, quote_for_message};
use pentarch_core::{MoveError, Options, Side};
use pentarch_engine::session::Session;

use super::terminal::{ReadLineResult, Terminal, TerminalError};
use super::{board, rules_text_for_people, text_formatting};

/// Number of moves that the second hint names.
const HINTED_MOVE_COUNT: usize = 3;

/// The commands of an exercise, each with its description for `help`.
pub type CommandDescriptions = &'static [(&'static str, &'static str)];

/// The input and the output of an exercise.
pub struct TerminalIo<'a> {
    /// The terminal from which the exercise reads.
    pub terminal: &'a mut Terminal,
    /// The output to which the exercise writes.
    pub out: &'a Output,
}

impl TerminalIo<'_> {
    /// Prints sentences, wrapped to the width of a terminal.
    pub fn print(&self, text: &str) {
        self.out.write_unchanged(&format!("{}\n", self.terminal.screen().wrap(text)));
    }

    /// Prints the board with the side `viewer` at the bottom, and then `below`: sentences below the
    /// board.
    pub fn show_board(&mut self, session: &dyn Session, viewer: Side, below: &str) {
        let screen = self.terminal.screen();
        let lines_below = screen.wrap(below).lines().count();
        let board = board::render_board(session, viewer, screen, lines_below, &BTreeSet::new());
        if !screen.is_terminal {
            return self.out.write_unchanged(&format!("{board}\n{}\n", screen.wrap(below)));
        }
        let (board, last) = board.rsplit_once('\n').unwrap_or(("", &board));
        self.out.write_unchanged(&format!("{board}\n{}\n", screen.wrap(&format!("{last}{below}"))));
    }
}

/// A series of tasks at the board.
pub trait Exercise {
    /// The commands, for `help` and completion. [`run_exercise`] executes the commands that all
    /// exercises have: `next`, `again`, [`TASK_NOUN`](Exercise::TASK_NOUN) with a number, `board`,
    /// `moves`, `rules`, `help` and `quit`.
    const EXERCISE_COMMANDS: CommandDescriptions;

    /// Returns the session with the position of the current task.
    fn session(&self) -> &dyn Session;

    /// Returns the options, which include the rules.
    fn game_options(&self) -> &Options;

    /// Returns the side whose pieces the board shows at the bottom.
    fn side_at_bottom(&self) -> Side;

    /// The word for a task. It is also the command that starts a task by its number.
    const TASK_NOUN: &'static str;

    /// Returns the number of tasks.
    fn exercise_task_count(&self) -> usize;

    /// Returns the index of the current task.
    fn current_exercise_task_index(&self) -> usize;

    /// Returns whether the task with this index is done.
    fn is_exercise_task_done(&self, index: usize) -> bool;

    /// Starts the task with this index, and shows it.
    fn start_exercise_task(&mut self, index: usize, io: &mut TerminalIo);

    /// Starts the next task that is not done. If all tasks are done, starts the next task. Returns
    /// `Break` if the exercise is over.
    fn next(&mut self, io: &mut TerminalIo) -> ControlFlow<()> {
        let count = self.exercise_task_count();
        let current = self.current_exercise_task_index();
        let mut next = (current + 1) % count;
        for step in 1..=count {
            if !self.is_exercise_task_done((current + step) % count) {
                next = (current + step) % count;
                break;
            }
        }
        self.start_exercise_task(next, io);
        ControlFlow::Continue(())
    }

    /// Returns whether Enter starts the next task.
    fn can_enter_start_next_task(&self) -> bool {
        false
    }

    /// Runs a command that only this exercise has. Returns `false` if the exercise has no such
    /// command.
    fn run_exercise_command(&mut self, command: &str, io: &mut TerminalIo) -> bool;

    /// Returns the reason why no move is possible now; `None` if moves are possible.
    fn move_blocked_reason(&self) -> Option<&'static str>;

    /// Plays a legal move that the person has typed. Returns `Break` if the exercise is over.
    fn try_typed_move(&mut self, mv: &str, io: &mut TerminalIo) -> ControlFlow<()>;
}

/// Runs an exercise until it ends, the input ends, or the person quits. Returns whether the input
/// has ended.
///
/// # Errors
/// If the input cannot be read.
pub fn run_exercise<E: Exercise>(
    exercise: &mut E,
    io: &mut TerminalIo,
) -> Result<bool, TerminalError> {
    while !io.out.is_closed() {
        let session = exercise.session();
        let game_state = session.game_state();
        let side = session.game_constants().players[game_state.player];
        let is_done = game_state.outcome.is_some() || exercise.can_enter_start_next_task();
        let prompt = if is_done { "> ".into() } else { format!("{side}> ") };
        let mut completions = session.legal_move_strings();
        for (command, _) in E::EXERCISE_COMMANDS {
            completions.push(first_word(command).to_string());
        }
        let flow = match io.terminal.read_line(&prompt, completions)? {
            ReadLineResult::Line(line) => handle_input_line(exercise, line.trim(), io),
            ReadLineResult::Interrupted => {
                io.print("'quit' or Ctrl-D leaves.");
                ControlFlow::Continue(())
            }
            ReadLineResult::End => return Ok(true),
        };
        if flow.is_break() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Executes a line of input: a command or a move. Returns `Break` if the exercise is over.
fn handle_input_line<E: Exercise>(
    exercise: &mut E,
    line: &str,
    io: &mut TerminalIo,
) -> ControlFlow<()> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word.to_ascii_lowercase().as_str(), rest.trim()) {
        ("", _) if exercise.can_enter_start_next_task() => return exercise.next(io),
        ("", _) => {}
        ("quit" | "q" | "exit", "") => return ControlFlow::Break(()),
        ("help" | "?", "") => show_help::<E>(io),
        ("board", "") => {
            let below = format!("{}.", exercise.session().game_status().sentence);
            io.show_board(exercise.session(), exercise.side_at_bottom(), &below);
        }
        ("moves", "") => match text_formatting::list_moves_by_kind(exercise.session(), None) {
            Ok(moves) => io.print(&moves),
            Err(error) => io.print(&text_formatting::error_as_sentence(&error)),
        },
        ("rules", topic) => match rules_text_for_people(
            exercise.game_options(),
            io.terminal.screen(),
            Some(topic).filter(|topic| !topic.is_empty()),
        ) {
            Ok(text) => pager::show_in_pager(&text, true, io.out),
            Err(error) => io.print(&text_formatting::error_as_sentence(&error)),
        },
        ("next", "") => return exercise.next(io),
        ("again", "") => exercise.start_exercise_task(exercise.current_exercise_task_index(), io),
        (word, number) if word == E::TASK_NOUN => {
            match parse_one_based_index(number, exercise.exercise_task_count()) {
                Some(index) => exercise.start_exercise_task(index, io),
                None => {
                    let count = exercise.exercise_task_count();
                    let typed = quote_for_message(number);
                    io.print(&format!("Expected a number from 1 to {count}, not {typed}."));
                }
            }
        }
        (word, rest) => {
            if rest.is_empty() && exercise.run_exercise_command(word, io) {
                return ControlFlow::Continue(());
            }
            if !rest.is_empty() {
                io.print(&format!(
                    "Expected one move or one command per line, not {}. 'help' lists the commands.",
                    quote_for_message(line)
                ));
            } else if let Some(reason) = exercise.move_blocked_reason() {
                io.print(reason);
            } else {
                match exercise.session().resolve_move(line) {
                    Ok(mv) => return exercise.try_typed_move(&mv.text, io),
                    Err(error) => io.print(&move_error_text(exercise, line, &error, io)),
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Shows the list of the commands. A pipe gets it without line breaks in a description.
fn show_help<E: Exercise>(io: &TerminalIo) {
    let help = help_of_all_commands::<E>();
    match io.terminal.is_interactive() {
        true => io.print(help.trim_end()),
        false => io.out.write_unchanged(&help),
    }
}

/// Returns the list of the commands.
fn help_of_all_commands<E: Exercise>() -> String {
    let rows: Vec<String> =
        E::EXERCISE_COMMANDS.iter().map(|(word, text)| format!("  {word:10} {text}")).collect();
    format!("Type a move, or one of these:\n{}\n", rows.join("\n"))
}

/// Returns the sentence for input that is not a legal move. A script gets the error of the parser;
/// a person gets an example.
fn move_error_text<E: Exercise>(
    exercise: &E,
    typed: &str,
    error: &MoveError,
    io: &TerminalIo,
) -> String {
    let is_person = io.terminal.is_interactive();
    match error {
        MoveError::Illegal(violation) => {
            text_formatting::illegal_move_text(typed, violation, is_person)
        }
        MoveError::Syntax(error) => {
            let commands = E::EXERCISE_COMMANDS.iter().map(|(command, _)| first_word(command));
            let hint = did_you_mean_hint(typed, commands);
            let moves = exercise.session().legal_move_strings();
            let hint = match moves.first() {
                _ if !hint.is_empty() => hint,
                _ if !is_person => format!(": {error}"),
                Some(mv) => format!(": a move looks like {mv}"),
                None => String::new(),
            };
            let typed = quote_for_message(typed);
            format!("{typed} is neither a move nor a command{hint}. 'help' lists the commands.")
        }
    }
}

/// Returns the word of a command without its argument.
fn first_word(command: &'static str) -> &'static str {
    command.split(' ').next().unwrap_or(command)
}

/// Parses a number from 1 to `count`. Returns the index from 0.
fn parse_one_based_index(typed: &str, count: usize) -> Option<usize> {
    let number = typed.parse::<usize>().ok().filter(|number| (1..=count).contains(number))?;
    Some(number - 1)
}

/// Returns the first hint: the kind of the wanted move.
pub fn wanted_move_kind_hint(session: &dyn Session, wanted_move: &str) -> String {
    format!("Look among the {}.", kind_with_its_legal_moves(session, wanted_move).0.to_lowercase())
}

/// Returns the kind of the wanted move, and the legal moves of that kind.
fn kind_with_its_legal_moves(
    session: &dyn Session,
    wanted_move: &str,
) -> (&'static str, Vec<String>) {
    let groups = session.legal_moves_by_kind();
    groups
        .into_iter()
        .find(|(_, moves)| moves.iter().any(|mv| mv == wanted_move))
        .unwrap_or_default()
}

/// Returns the second hint: the wanted move and its neighbours in a list. The list has the moves of
/// the same kind, or all moves if that kind has too few. The index of the task determines the
/// position of the wanted move in the hint, so that the position reveals nothing.
pub fn candidate_moves_hint(session: &dyn Session, wanted_move: &str, task: usize) -> String {
    let (_, group) = kind_with_its_legal_moves(session, wanted_move);
    let moves = if group.len() < HINTED_MOVE_COUNT { session.legal_move_strings() } else { group };
    let index = moves.iter().position(|mv| mv == wanted_move).unwrap_or(0);
    let last_first = moves.len().saturating_sub(HINTED_MOVE_COUNT);
    let first = index.saturating_sub(task % HINTED_MOVE_COUNT).min(last_first);
    let end = moves.len().min(first + HINTED_MOVE_COUNT);
    format!("It is one of these: {}.", moves[first..end].join(", "))
}
