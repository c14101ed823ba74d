//! An engine as a child process that speaks UGI, or UCI if it does not know UGI.
//!
//! Whatever the engine does wrong (it ends, hangs, writes without end or writes nonsense), the result is a [`Fault`] in
//! bounded time and memory: separate threads write to it and read from it, every wait has a deadline, and of what it
//! writes only so much is kept. Processes that it starts end with it.

use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::io::input::next_line;
use pentarch_core::notation::text::{did_you_mean, escape_for_terminal, quoted};
use pentarch_engine::options::UCI_VARIANT;
use pentarch_games::GAME;
use pentarch_system::{ErrorContext, FileError};

use super::dialect::Dialect;
use super::fault::Fault;
use super::group::{ProcessGroup, this_program};
use super::limit::Limit;
use super::search_info::SearchInfo;

/// An engine of a match, as the command line specifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The name of the engine in reports.
    pub name: String,
    /// The program and its arguments; empty for this program.
    pub command: Vec<String>,
    /// The options that are set besides the rules, names and values.
    pub settings: Vec<(String, String)>,
    /// What limits each move of the engine.
    pub limit: Limit,
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&if self.command.is_empty() {
            "this program".into()
        } else {
            self.command.join(" ")
        })?;
        for (name, value) in &self.settings {
            write!(f, " {name}={value}")?;
        }
        write!(f, ", {}", self.limit)
    }
}

/// An option that tells an engine the game or one of its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The name of the option.
    pub name: &'static str,
    /// The value of the option.
    pub value: String,
    /// Whether an engine without this option cannot play the match.
    pub is_required: bool,
}

/// The answer of an engine to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text of the move.
    pub mv: String,
    /// The time from `go` to the answer, as the arena measures it.
    pub time: Duration,
    /// The depth in the last `info` line with one; 0 if there was none.
    pub depth: u64,
    /// The nodes in the last `info` line with them; 0 if there was none.
    pub nodes: u64,
    /// The score of the best move in the last `info` line with one, in centipawns for the side to move.
    pub score: Option<i32>,
}

/// An engine that does not start.
#[derive(Debug, Error)]
#[error("the engine '{name}' does not start: {error}")]
pub struct StartError {
    /// The name of the engine.
    pub name: String,
    /// The reason.
    pub error: ProcessError,
}

/// An error of a process that does not become an engine of the match.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// The system does not say where this program is.
    #[error("this program is not found: {0}")]
    ThisProgram(io::Error),
    /// The system does not start the program, or a thread that reads from it or writes to it.
    #[error(transparent)]
    Program(#[from] FileError),
    /// The process ends, or does not answer.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The engine lacks an option that the match needs.
    #[error("it has no option {}{}", quoted(name), did_you_mean(name, offered.iter().map(String::as_str)))]
    MissingOption {
        /// The name of the option.
        name: String,
        /// The names of the options that the engine has.
        offered: Vec<String>,
    },
    /// The engine rejects the value of an option.
    #[error("{report}")]
    OptionValue {
        /// The report of the engine, from its line `info string error: REPORT`.
        report: String,
    },
}

/// How long an engine whose time is up may take to answer `stop` before it counts as hanging.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// How long an engine may take to end after `quit` and the end of its input before it is killed.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// How long it is waited for a line before it is looked whether the process has ended.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// How many lines of an engine may wait. An engine that writes more is blocked.
const MOST_WAITING: usize = 16;

/// The most bytes that the names of an engine's options may have together.
const MAX_NAMES: usize = 1024 * 1024;

/// The most characters of what an engine calls itself.
const MAX_ID: usize = 200;

/// A running engine. The process, and those that it has started, are ended when the value is dropped.
pub struct EngineProcess {
    process: ProcessGroup,
    /// What is to be written to the engine; none when its input is closed.
    input: Option<Sender<String>>,
    /// The lines that the engine writes, each with the moment at which it was read.
    lines: Receiver<(Instant, String)>,
    /// Disconnected when the error output of the engine has ended.
    errors: Receiver<()>,
    /// The protocol that the engine speaks.
    pub dialect: Dialect,
    /// What the engine calls itself; empty if it does not say.
    pub id: String,
    /// How long the engine may take for an answer that no clock limits.
    patience: Duration,
}

impl EngineProcess {
    /// Starts an engine and sets its options: those of the rules, and those of `spec`.
    ///
    /// # Errors
    /// If the program cannot be run, does not answer, or does not accept an option.
    pub fn start(
        spec: &Spec,
        rules: &[Rule],
        patience: Duration,
    ) -> Result<EngineProcess, StartError> {
        let start = || {
            let mut engine = EngineProcess::spawn(spec, patience)?;
            let offered = engine.handshake()?;
            engine.configure(offered, spec, rules)?;
            Ok(engine)
        };
        start().map_err(|error| StartError { name: spec.name.clone(), error })
    }

    fn spawn(spec: &Spec, patience: Duration) -> Result<EngineProcess, ProcessError> {
        let (program, arguments) = match &spec.command[..] {
            [program, arguments @ ..] => (PathBuf::from(program), arguments),
            [] => (this_program().map_err(ProcessError::ThisProgram)?, &[][..]),
        };
        let mut command = Command::new(&program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = ProcessGroup::start(&mut command).in_file(&program)?;
        let (input, to_write) = channel::<String>();
        let (sender, received) = sync_channel(MOST_WAITING);
        let (open, errors) = channel();
        let child = &mut process.child;
        if let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        {
            let name = spec.name.clone();
            let write =
                move || to_write.iter().try_for_each(|line| stdin.write_all(line.as_bytes()));
            let read =
                move || lines(stdout).try_for_each(|line| sender.send((Instant::now(), line)));
            let show_errors = move || {
                // If the error output of this program fails, that of the engine is read all the same, so that it goes
                // on.
                lines(stderr).for_each(|line| {
                    drop(writeln!(io::stderr(), "{name}: {}", escape_for_terminal(&line)))
                });
                drop(open);
            };
            thread::Builder::new().spawn(write).in_file(&program)?;
            thread::Builder::new().spawn(read).in_file(&program)?;
            thread::Builder::new().spawn(show_errors).in_file(&program)?;
        }
        Ok(EngineProcess {
            process,
            input: Some(input),
            lines: received,
            errors,
            dialect: Dialect::Ugi,
            id: String::new(),
            patience,
        })
    }

    /// Finds out which protocol the engine speaks, and returns the names of its options, as far as they are kept.
    fn handshake(&mut self) -> Result<Vec<String>, Fault> {
        let (mut offered, mut left, mut id) = (Vec::new(), MAX_NAMES, String::new());
        let mut note = |line: &str| {
            if let Some(name) = line.strip_prefix("id name ") {
                id = name.chars().take(MAX_ID).collect();
            }
            // A name of no letters takes memory, too.
            let size = |name: &String| name.len() + size_of::<String>();
            if let Some(name) = option_name(line).filter(|name| size(name) <= left) {
                left -= size(&name);
                offered.push(name);
            }
        };
        // An engine that knows only UCI ignores the first line and answers the second.
        self.send("ugi");
        self.send("isready");
        if self.wait_for(&["ugiok", "readyok"], &mut note)? == "ugiok" {
            self.wait_for(&["readyok"], &mut note)?;
        } else {
            self.dialect = Dialect::Uci;
            self.send("uci");
            self.wait_for(&["uciok"], &mut note)?;
        }
        self.id = id;
        Ok(offered)
    }

    /// Sets the options of the rules and those of `spec`. `offered` are the names of the engine's options.
    fn configure(
        &mut self,
        offered: Vec<String>,
        spec: &Spec,
        rules: &[Rule],
    ) -> Result<(), ProcessError> {
        let has = |name: &str| offered.iter().any(|known| known.eq_ignore_ascii_case(name));
        let rules = rules.iter().map(|Rule { name, value, is_required }| {
            let name = if *name == GAME.name && !has(name) { UCI_VARIANT } else { name };
            (name, value, *is_required)
        });
        let own = spec.settings.iter().map(|(name, value)| (name.as_str(), value, true));
        for (name, value, is_required) in rules.chain(own) {
            if has(name) {
                self.send(&format!("setoption name {name} value {value}"));
            } else if is_required {
                return Err(ProcessError::MissingOption { name: name.into(), offered });
            }
        }
        self.send("isready");
        let mut rejected = None;
        let mut note = |line: &str| {
            if let Some(report) = line.strip_prefix("info string error: ") {
                rejected = Some(report.to_string());
            }
        };
        self.wait_for(&["readyok"], &mut note)?;
        rejected.map_or(Ok(()), |report| Err(ProcessError::OptionValue { report }))
    }

    /// Tells the engine that a new game begins.
    ///
    /// # Errors
    /// If the engine has ended or does not answer.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.send(match self.dialect {
            Dialect::Ugi => "uginewgame",
            Dialect::Uci => "ucinewgame",
        });
        self.synchronise()
    }

    /// Has the engine search a position. `position` and `go` are the commands; `allowed` is the time that the engine
    /// must not exceed, the margin included, or `None` if its time is not limited.
    ///
    /// # Errors
    /// If the engine does not answer with a move, or not in time.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        allowed: Option<Duration>,
    ) -> Result<Answer, Fault> {
        self.send(position);
        // Lines that the engine still had to write must not be taken for its answer.
        self.synchronise()?;
        let begun = Instant::now();
        self.send(go);
        let mut search = SearchInfo::default();
        let mut limit = allowed.unwrap_or(self.patience);
        let mut answer = self.answer(&mut search, begun + limit)?;
        if answer.is_none() && allowed.is_some() {
            self.send("stop");
            limit += STOP_TIMEOUT;
            answer = self.answer(&mut search, begun + limit)?;
        }
        let (at, text) = answer.ok_or_else(|| search.no_answer(limit))?;
        let time = at.saturating_duration_since(begun);
        if let Some(allowed) = allowed.filter(|allowed| time > *allowed) {
            return Err(Fault::Time { taken: time, allowed });
        }
        match text.split_whitespace().nth(1) {
            None => Err(Fault::EmptyAnswer),
            Some(mv) => Ok(Answer {
                mv: mv.into(),
                time,
                depth: search.depth,
                nodes: search.nodes,
                score: search.score,
            }),
        }
    }

    /// Reads up to the `bestmove` line; `None` if it does not come before the deadline.
    fn answer(
        &mut self,
        search: &mut SearchInfo,
        deadline: Instant,
    ) -> Result<Option<(Instant, String)>, Fault> {
        while let Some((at, line)) = self.next_line(deadline)? {
            if line.split_whitespace().next() == Some("bestmove") {
                return Ok(Some((at, line)));
            }
            search.add(&line);
        }
        Ok(None)
    }

    /// Waits until the engine has carried out everything that was sent so far.
    fn synchronise(&mut self) -> Result<(), Fault> {
        self.send("isready");
        self.wait_for(&["readyok"], &mut |_| {}).map(drop)
    }

    /// Reads up to a line that is one of these words, returns the word, and calls `other` with the lines before it.
    fn wait_for(
        &mut self,
        words: &'static [&'static str],
        other: &mut dyn FnMut(&str),
    ) -> Result<&'static str, Fault> {
        let deadline = Instant::now() + self.patience;
        while let Some((_, line)) = self.next_line(deadline)? {
            match words.iter().find(|word| **word == line) {
                Some(word) => return Ok(word),
                None => other(&line),
            }
        }
        Err(Fault::NoWord { words, time: self.patience })
    }

    /// The next line of the engine; `None` if none comes before the deadline.
    fn next_line(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Fault> {
        // The lines of a process that has ended are read up to the end of its output, which comes at once: what it has
        // started has ended with it.
        let mut has_ended = false;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let wait = if has_ended { QUIT_TIMEOUT } else { left.min(CHECK_INTERVAL) };
            match self.lines.recv_timeout(wait) {
                // An engine that writes without end would be read without end, since there is always a next line.
                Ok((at, _)) if at > deadline + STOP_TIMEOUT => return Ok(None),
                Ok((at, line)) => {
                    log::debug!("{} < {line}", self.process.child.id());
                    return Ok(Some((at, line.trim_end().into())));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() && !has_ended => return Ok(None),
                Err(RecvTimeoutError::Timeout) if !has_ended => {
                    has_ended = self.process.status().is_some()
                }
                Err(_) => return Err(self.end()),
            }
        }
    }

    /// The fault of an engine whose output is closed: how its process has ended.
    fn end(&mut self) -> Fault {
        // The process may end a moment after its output.
        let deadline = Instant::now() + QUIT_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.process.status() {
                return Fault::Ended(status);
            }
            thread::sleep(Duration::from_millis(5));
        }
        Fault::ClosedOutput
    }

    fn send(&mut self, line: &str) {
        log::debug!("{} > {line}", self.process.child.id());
        // Sending fails only if the engine has ended, which is noticed when its output is read.
        self.input.iter().for_each(|input| drop(input.send(format!("{line}\n"))));
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        let deadline = Instant::now() + QUIT_TIMEOUT;
        while let Ok(Some(_)) = self.next_line(deadline) {}
        self.process.kill();
        // The last words of the engine are shown before this program ends.
        let _ = self.errors.recv_timeout(QUIT_TIMEOUT);
    }
}

/// The name of the option in an `option` line; `None` for other lines.
fn option_name(line: &str) -> Option<String> {
    let words: Vec<&str> = line.strip_prefix("option name ")?.split_whitespace().collect();
    let end = words.iter().position(|&word| word == "type").unwrap_or(words.len());
    Some(words[..end].join(" "))
}

/// The lines that an engine writes, as far as they can be read, until it closes its output.
fn lines(output: impl Read) -> impl Iterator<Item = String> {
    let mut output = BufReader::new(output);
    let lines = std::iter::from_fn(move || next_line(&mut output).ok().flatten());
    lines.map(|line| line.unwrap_or_else(|error| error.readable().into()))
}
