//! Sessions in UGI, line by line and without a thread: what each line is answered, and what it leaves behind.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use pentarch::io::input::next_line;
use pentarch::io::output::{ErrorTarget, Output};
use pentarch::protocol::ugi::command::{Command, Query};
use pentarch::protocol::ugi::commands::Ugi;
use pentarch::protocol::ugi::parse::parse_input_line;
use pentarch::protocol::ugi::session_access::SessionAccess;
use pentarch_core::Options;
use pentarch_engine::engine_state::GoCommand;
use pentarch_engine::options as engine_options;
use pentarch_engine::stopper::Stopper;

use super::texts::reason;

/// What was written.
#[derive(Clone, Default)]
pub struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Buffer {
    /// What was written since this was last asked.
    pub fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).expect("the output is text")
    }
}

/// The engine without its loop: it carries commands out one after the other, and jobs at once.
pub struct Desk {
    ugi: Ugi,
    written: Buffer,
}

impl Desk {
    /// An engine under these options.
    pub fn new(options: Options) -> Desk {
        let written = Buffer::default();
        let out = Output::new(written.clone(), ErrorTarget::InBand);
        Desk { ugi: Ugi::new(out, options, SessionAccess::Full), written }
    }

    /// The answer to a command; the error if it is refused. Jobs are run if they are small, and begun if not.
    pub fn carry_out(&mut self, command: Command) -> Result<Vec<String>, String> {
        let is_small = is_small(&command);
        let started =
            self.ugi.execute(command, &Stopper::default()).map_err(|error| error.to_string())?;
        if let Some(runnable) = started {
            let control = &runnable.job.control;
            if !is_small || control.is_held_back() {
                control.stop();
            }
            runnable.run();
        }
        Ok(self.lines())
    }

    /// The answer to a command without running its job; whether it has one.
    pub fn begin(&mut self, command: Command) -> Result<(Vec<String>, bool), String> {
        let started = self
            .ugi
            .execute(command, &Stopper::default())
            .map_err(|error| error.to_string())?
            .is_some();
        Ok((self.lines(), started))
    }

    fn lines(&self) -> Vec<String> {
        self.written.take().lines().map(String::from).collect()
    }

    /// The answer to a command that is always accepted.
    pub fn ask(&mut self, command: Command) -> Vec<String> {
        self.carry_out(command).expect("the command is accepted")
    }

    /// The moves that the rules allow now.
    pub fn legal(&mut self) -> Vec<String> {
        let answer = self.ask(Command::Query(Query::Moves)).concat();
        answer.split(' ').skip(1).filter(|&mv| mv != "none").map(String::from).collect()
    }

    /// Everything that a bad line must not change, as far as it can be asked for.
    pub fn state(&mut self) -> Vec<String> {
        [Command::Record(None), Command::Query(Query::Fen)]
            .into_iter()
            .flat_map(|command| self.ask(command))
            .collect()
    }
}

/// Whether the job of a command takes next to no time.
fn is_small(command: &Command) -> bool {
    match command {
        Command::Go(go) => {
            let GoCommand { limits, infinite, ponder, .. } = go.as_ref();
            let is_short = limits.depth.is_some_and(|depth| depth <= 1)
                || limits.nodes.is_some_and(|nodes| nodes <= 100);
            is_short && !infinite && !ponder && limits.mate.is_none()
        }
        Command::Perft { depth, .. } => *depth <= 1,
        _ => false,
    }
}

/// Whether a command costs too much for thousands of them, or writes files.
fn is_left_out(command: &Command) -> bool {
    match command {
        Command::Bench(_) | Command::Record(Some(_)) => true,
        Command::SetOption { name, value } => {
            let is = |spec: &pentarch_core::OptionSpec| name.text.eq_ignore_ascii_case(spec.name);
            let number = value.parse().unwrap_or(0);
            // Tables of solved positions would be made.
            is(&engine_options::LEVEL)
                && value.eq_ignore_ascii_case(&engine_options::LEVEL.default_value().to_string())
                || is(&engine_options::LIMIT_STRENGTH)
                || is(&engine_options::HASH) && number > 4
                || is(&engine_options::THREADS) && number > 2
        }
        _ => false,
    }
}

/// The options of a session, made cheap: a small table, and no tables of solved positions.
pub fn cheap(mut options: Options) -> Options {
    for (spec, value) in
        [(&engine_options::HASH.spec, "1"), (&engine_options::LEVEL.spec, "master")]
    {
        options.set(spec, value).unwrap();
    }
    options
}

/// Sends lines, and checks the answer to each: one error line and nothing changed, or all that the command promises.
/// Returns how many were sent.
pub fn session(options: &Options, lines: impl IntoIterator<Item = Vec<u8>>) -> usize {
    let mut desk = Desk::new(cheap(options.clone()));
    let mut state = desk.state();
    let mut count = 0;
    for line in lines {
        let Ok(Some(read)) = next_line(&mut line.as_slice()) else { continue };
        let shown = String::from_utf8_lossy(&line[..line.len().min(500)]).into_owned();
        let after = match parse_input_line(&read) {
            Ok(None) => continue,
            Ok(Some(command)) if is_left_out(&command) => continue,
            Ok(Some(command)) => answer(&mut desk, &state, command, &shown),
            Err(error) => {
                reason(&shown, &error);
                desk.state()
            }
        };
        state = after;
        count += 1;
    }
    count
}

/// Has a command carried out, and checks the answer. Returns the state after it.
fn answer(desk: &mut Desk, before: &[String], command: Command, shown: &str) -> Vec<String> {
    let moves = if matches!(command, Command::Go(_)) { desk.legal() } else { Vec::new() };
    let answered = desk.carry_out(command.clone());
    let after = desk.state();
    match answered {
        Err(error) => {
            reason(shown, &error);
            assert_eq!(after, before, "{shown:?} was refused, and has changed something: {error}");
        }
        Ok(lines) => {
            assert!(
                lines.iter().all(|line| !line.is_empty() && line.trim_end() == line),
                "{shown:?}: {lines:#?}"
            );
            assert!(is_answer(&command, &lines, &moves), "{shown:?} with {moves:?}: {lines:#?}");
            assert!(
                changes(&command) || after == before,
                "{shown:?} has changed something: {after:#?}"
            );
        }
    }
    after
}

/// Whether a command is meant to change the game.
fn changes(command: &Command) -> bool {
    use Command::{Agree, Flag, Load, LoadText, Play, Position, Resign, SetOption, Undo};
    let ends = matches!(command, Resign(_) | Agree | Flag(_));
    let sets = matches!(command, SetOption { .. } | Position { .. } | Load(_) | LoadText(_));
    ends || sets || matches!(command, Play(_) | Undo(_))
}

/// Whether these lines are the whole answer that a command promises.
fn is_answer(command: &Command, lines: &[String], moves: &[String]) -> bool {
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
            is_legal && infos.iter().all(|line| line.starts_with("info depth "))
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
