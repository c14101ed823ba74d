//! Checks of UGI sessions, line by line and without threads. They check the answer to each line and
//! the state after it.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use pentarch::io::input::read_next_line;
use pentarch::io::output::{ErrorTarget, Output};
use pentarch::protocol::ugi::command::{Command, UgiQuery};
use pentarch::protocol::ugi::commands::Ugi;
use pentarch::protocol::ugi::parse::parse_input_line;
use pentarch::protocol::ugi::session_permissions::SessionPermissions;
use pentarch_core::Options;
use pentarch_engine::engine_options;
use pentarch_engine::engine_state::GoCommandParameters;
use pentarch_engine::stopper::Stopper;

use super::notation::check_reason;

/// A buffer for the output.
#[derive(Clone, Default)]
pub(crate) struct OutputBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for OutputBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OutputBuffer {
    /// Returns the output since the last call.
    pub(crate) fn take_text(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).expect("the output is text")
    }
}

/// An engine without its loop. It executes commands one after the other, and jobs at once.
pub(crate) struct CommandRunner {
    ugi: Ugi,
    written: OutputBuffer,
}

impl CommandRunner {
    /// Returns an engine with these options.
    pub(crate) fn new(options: Options) -> CommandRunner {
        let written = OutputBuffer::default();
        let out = Output::new(written.clone(), ErrorTarget::InBand);
        CommandRunner { ugi: Ugi::new(out, options, SessionPermissions::Full), written }
    }

    /// Returns the answer to a command, or the error if it is rejected. Runs small jobs. Larger
    /// jobs are stopped at once.
    pub(crate) fn execute(&mut self, command: Command) -> Result<Vec<String>, String> {
        let has_small_job = has_small_job(&command);
        let started =
            self.ugi.execute(command, &Stopper::default()).map_err(|error| error.to_string())?;
        if let Some(runnable) = started {
            let control = &runnable.job.control;
            if !has_small_job || control.is_result_held_back() {
                control.stop();
            }
            runnable.run(|| {});
        }
        Ok(self.lines())
    }

    /// Returns the answer to a command, and whether the command has a job. The job is not run.
    pub(crate) fn start(&mut self, command: Command) -> Result<(Vec<String>, bool), String> {
        let started = self
            .ugi
            .execute(command, &Stopper::default())
            .map_err(|error| error.to_string())?
            .is_some();
        Ok((self.lines(), started))
    }

    fn lines(&self) -> Vec<String> {
        self.written.take_text().lines().map(String::from).collect()
    }

    /// Returns the answer to a command that is always accepted.
    pub(crate) fn ask(&mut self, command: Command) -> Vec<String> {
        self.execute(command).expect("the command is accepted")
    }

    /// Returns the moves that the rules allow now.
    pub(crate) fn legal_moves(&mut self) -> Vec<String> {
        let answer = self.ask(Command::Query(UgiQuery::Moves)).concat();
        answer.split(' ').skip(1).filter(|&mv| mv != "none").map(String::from).collect()
    }

    /// Returns the state that an invalid line must not change. The state includes everything that
    /// commands can query.
    pub(crate) fn state(&mut self) -> Vec<String> {
        [Command::Record(None), Command::Query(UgiQuery::Fen)]
            .into_iter()
            .flat_map(|command| self.ask(command))
            .collect()
    }
}

/// Returns whether the job of a command takes almost no time.
fn has_small_job(command: &Command) -> bool {
    match command {
        Command::Go(go) => {
            let GoCommandParameters { limits, infinite, ponder, .. } = go.as_ref();
            let is_short = limits.depth.is_some_and(|depth| depth <= 1)
                || limits.nodes.is_some_and(|nodes| nodes <= 100);
            is_short && !infinite && !ponder && limits.mate.is_none()
        }
        Command::Perft { depth, .. } => *depth <= 1,
        _ => false,
    }
}

/// Returns whether a command should be skipped. Such a command writes files or is too slow to be
/// run thousands of times.
fn is_skipped(command: &Command) -> bool {
    match command {
        Command::Bench(_) | Command::Record(Some(_)) => true,
        Command::SetOption { name, value } => {
            let is = |spec: &pentarch_core::OptionSpec| name.text.eq_ignore_ascii_case(spec.name);
            let number = value.parse().unwrap_or(0);
            // These settings would compute tables of solved positions.
            is(&engine_options::LEVEL_OPTION)
                && value
                    .eq_ignore_ascii_case(&engine_options::LEVEL_OPTION.default_value().to_string())
                || is(&engine_options::LIMIT_STRENGTH_OPTION)
                || is(&engine_options::HASH_OPTION) && number > 4
                || is(&engine_options::THREADS_OPTION) && number > 2
        }
        _ => false,
    }
}

/// Returns the options of a cheap session. It has a small hash table and no tables of solved
/// positions.
pub(crate) fn low_cost_options(mut options: Options) -> Options {
    for (spec, value) in
        [(&engine_options::HASH_OPTION.spec, "1"), (&engine_options::LEVEL_OPTION.spec, "master")]
    {
        options.set(spec, value).unwrap();
    }
    options
}

/// Sends lines, and checks the answer to each line. The answer is either one error line without any
/// change of the state, or the complete answer of the command. Returns the number of lines sent.
pub(crate) fn check_session(options: &Options, lines: impl IntoIterator<Item = Vec<u8>>) -> usize {
    let mut runner = CommandRunner::new(low_cost_options(options.clone()));
    let mut state = runner.state();
    let mut count = 0;
    for line in lines {
        let Ok(Some(read)) = read_next_line(&mut line.as_slice()) else { continue };
        let shown = String::from_utf8_lossy(&line[..line.len().min(500)]).into_owned();
        let after = match parse_input_line(&read) {
            Ok(None) => continue,
            Ok(Some(command)) if is_skipped(&command) => continue,
            Ok(Some(command)) => check_answer(&mut runner, &state, command, &shown),
            Err(error) => {
                check_reason(&shown, &error);
                runner.state()
            }
        };
        state = after;
        count += 1;
    }
    count
}

/// Executes a command, and checks the answer. Returns the state after it.
fn check_answer(
    runner: &mut CommandRunner,
    before: &[String],
    command: Command,
    shown: &str,
) -> Vec<String> {
    let moves = if matches!(command, Command::Go(_)) { runner.legal_moves() } else { Vec::new() };
    let answered = runner.execute(command.clone());
    let after = runner.state();
    match answered {
        Err(error) => {
            check_reason(shown, &error);
            assert_eq!(after, before, "{shown:?} was refused, and has changed something: {error}");
        }
        Ok(lines) => {
            assert!(
                lines.iter().all(|line| !line.is_empty() && line.trim_end() == line),
                "{shown:?}: {lines:#?}"
            );
            assert!(
                is_complete_answer(&command, &lines, &moves),
                "{shown:?} with {moves:?}: {lines:#?}"
            );
            assert!(
                changes_game(&command) || after == before,
                "{shown:?} has changed something: {after:#?}"
            );
        }
    }
    after
}

/// Returns whether a command may change the game.
fn changes_game(command: &Command) -> bool {
    use Command::{Agree, Flag, Load, LoadText, Play, Position, Resign, SetOption, Undo};
    let ends = matches!(command, Resign(_) | Agree | Flag(_));
    let sets = matches!(command, SetOption { .. } | Position { .. } | Load(_) | LoadText(_));
    ends || sets || matches!(command, Play(_) | Undo(_))
}

/// Returns whether these lines are the complete answer to a command.
fn is_complete_answer(command: &Command, lines: &[String], moves: &[String]) -> bool {
    let ends = |end: &str| lines.last().is_some_and(|line| line.starts_with(end));
    let one = |start: &str| lines.len() == 1 && ends(start);
    match command {
        Command::Ugi => ends("ugiok"),
        Command::Uci => ends("uciok"),
        Command::IsReady => one("readyok"),
        Command::Go(_) if moves.is_empty() => {
            let is_score = |line: &String| {
                ["info depth 0 score mate 0", "info depth 0 score cp 0"].contains(&line.as_str())
            };
            ends("bestmove (none)") && lines.len() <= 2 && lines.iter().rev().skip(1).all(is_score)
        }
        Command::Go(_) => {
            let Some((last, infos)) = lines.split_last() else { return false };
            let best = last.strip_prefix("bestmove ").and_then(|rest| rest.split(' ').next());
            let is_legal = best.is_some_and(|best| moves.iter().any(|mv| mv == best));
            // A level can choose another move than the best line.
            let has_score = |line: &String| {
                line.starts_with("info depth ") && line.contains(" score ") && line.contains(" pv ")
            };
            let is_info =
                |line: &String| line.starts_with("info depth ") || line.starts_with("info string ");
            is_legal && infos.iter().any(has_score) && infos.iter().all(is_info)
        }
        Command::Perft { .. } => ends("Nodes: ") || ends("info string stopped"),
        Command::Query(_) => one("response "),
        Command::Legal(None) => one("legal "),
        Command::Legal(Some(_)) => one("legal ") || one("illegal "),
        Command::DrawOffer => one("response "),
        Command::Diagram => ends("Outcome: ") || ends("Source: "),
        Command::Eval | Command::Games | Command::Help(_) | Command::Record(None) => {
            !lines.is_empty()
        }
        _ => lines.is_empty(),
    }
}
