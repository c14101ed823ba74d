//! Runs an engine as a child process. The engine speaks UGI, or UCI if it does not support UGI.
//!
//! Any fault of the engine becomes a [`MatchEngineFault`]. For example, the engine may end, hang,
//! or write endless or invalid output. The arena detects faults in bounded time and memory:
//!
//! - Separate threads write to the engine and read from it.
//! - Every wait has a deadline.
//! - The amount of stored output is limited.
//!
//! When the engine ends, the processes that it has started also end.

use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::io::input::read_next_line;
use pentarch_core::notation::parsing::{did_you_mean_hint, escape_for_terminal, quote_for_message};
use pentarch_engine::engine_options::UCI_VARIANT_OPTION_NAME;
use pentarch_engine::games::GAME_OPTION;
use pentarch_system::{FileError, WithErrorLocation};

use super::engine_protocol::EngineProtocol;
use super::fault::MatchEngineFault;
use super::move_limit::MoveLimit;
use super::process_group::{ProcessGroup, own_executable_path};
use super::search_info::EngineSearchInfo;

/// An engine of a match, as the command line specifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name of the engine in reports.
    pub name: String,
    /// The program of the engine and its arguments; empty if the engine is this program.
    pub command: Vec<String>,
    /// The names and values of the options to set in addition to the rules.
    pub settings: Vec<(String, String)>,
    /// The limit of each move of the engine.
    pub limit: MoveLimit,
}

impl fmt::Display for EngineSpec {
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

/// An option that sets the game or one of its rules in an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleOption {
    /// The name of the option.
    pub name: &'static str,
    /// The value of the option.
    pub value: String,
    /// Whether the match requires this option of the engine.
    pub is_required: bool,
}

/// The reply of an engine to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineGoReply {
    /// The move of the engine in notation.
    pub mv: String,
    /// The time from `go` to the reply, as the arena measures it.
    pub time: Duration,
    /// The depth in the last `info` line with a depth; 0 without such a line.
    pub depth: u64,
    /// The nodes in the last `info` line with nodes; 0 without such a line.
    pub nodes: u64,
    /// The score of the best move in the last `info` line with a score, in centipawns for the side
    /// to move.
    pub score: Option<i32>,
}

/// The error when an engine does not start.
#[derive(Debug, Error)]
#[error("the engine '{name}' does not start: {error}")]
pub struct EngineStartError {
    /// The name of the engine.
    pub name: String,
    /// The reason why the engine does not start.
    pub error: EngineSetupError,
}

/// The reason why a program cannot be an engine of the match.
#[derive(Debug, Error)]
pub enum EngineSetupError {
    /// The system does not report the path of this program.
    #[error("this program is not found: {0}")]
    ThisProgram(io::Error),
    /// The system does not start the program, or does not start a thread for its output or input.
    #[error(transparent)]
    Program(#[from] FileError),
    /// The process ends, or does not respond.
    #[error(transparent)]
    Fault(#[from] MatchEngineFault),
    /// The engine lacks an option that the match needs.
    #[error(
        "it has no option {}{}",
        quote_for_message(name),
        did_you_mean_hint(name, known.iter().map(String::as_str))
    )]
    MissingOption {
        /// The name of the option.
        name: String,
        /// The names of the engine's options.
        known: Vec<String>,
    },
    /// The engine rejects the value of an option.
    #[error("{report}")]
    OptionValue {
        /// The message of the engine, from its line `info string error: MESSAGE`.
        report: String,
    },
}

/// The time that an engine has for its reply to `stop` before it is considered to hang.
const STOP_REPLY_TIMEOUT: Duration = Duration::from_secs(1);

/// The time that an engine has to exit after `quit` and the end of its input, before it is killed.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// The time to wait for a line before checking whether the process has ended.
const EXIT_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The maximum number of unread lines of an engine. An engine that writes more must wait until the
/// arena has read a line.
const MAX_UNREAD_ENGINE_LINES: usize = 16;

/// The beginning of a line with which an engine rejects a command.
pub const ERROR_LINE_PREFIX: &str = "info string error: ";

/// The maximum number of lines to store from the response to a command.
const MAX_RESPONSE_LINES: usize = 4;

/// The maximum total size in bytes of the names of an engine's options.
const MAX_TOTAL_OPTION_NAME_BYTES: usize = 1024 * 1024;

/// The maximum number of characters of an engine's name in its `id name` line.
const MAX_ENGINE_NAME_CHARS: usize = 200;

/// A running engine. Dropping the value ends the process of the engine and the processes that this
/// process has started.
pub struct EngineProcess {
    process: ProcessGroup,
    /// The lines to write to the engine; `None` when its input is closed.
    input: Option<Sender<String>>,
    /// The lines from the engine, each with the time at which it was read.
    lines: Receiver<(Instant, String)>,
    /// A channel without messages. The channel disconnects when the error output of the engine has
    /// ended.
    errors: Receiver<()>,
    /// The protocol of the engine.
    pub protocol: EngineProtocol,
    /// The name from the engine's `id name` line; empty without such a line.
    pub id: String,
    /// The time for a response of the engine outside its own clock, for example `readyok`.
    patience: Duration,
}

impl EngineProcess {
    /// Starts an engine, and sets the options of the rules and the options of `spec`.
    ///
    /// # Errors
    /// If the program cannot be run, is silent, or rejects an option.
    pub fn start(
        spec: &EngineSpec,
        rules: &[RuleOption],
        patience: Duration,
    ) -> Result<EngineProcess, EngineStartError> {
        let start = || {
            let mut engine = EngineProcess::spawn(spec, patience)?;
            let option_names = engine.handshake()?;
            engine.configure(option_names, spec, rules)?;
            Ok(engine)
        };
        start().map_err(|error| EngineStartError { name: spec.name.clone(), error })
    }

    fn spawn(spec: &EngineSpec, patience: Duration) -> Result<EngineProcess, EngineSetupError> {
        let (program, arguments) = match &spec.command[..] {
            [program, arguments @ ..] => (PathBuf::from(program), arguments),
            [] => (own_executable_path().map_err(EngineSetupError::ThisProgram)?, &[][..]),
        };
        let mut command = Command::new(&program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = ProcessGroup::start(&mut command).with_file_path(&program)?;
        let (input, to_engine) = channel::<String>();
        let (sender, from_engine) = sync_channel(MAX_UNREAD_ENGINE_LINES);
        let (open, errors) = channel();
        let child = &mut process.child;
        if let Some(mut stdin) = child.stdin.take()
            && let Some(stdout) = child.stdout.take()
            && let Some(stderr) = child.stderr.take()
        {
            let name = spec.name.clone();
            let show_errors = move || {
                // The error output of the engine is read even if the error output of this program
                // fails. Otherwise the engine would wait forever once the pipe is full.
                for line in read_engine_lines(stderr) {
                    drop(writeln!(io::stderr(), "{name}: {}", escape_for_terminal(&line)));
                }
                drop(open);
            };
            thread::Builder::new()
                .spawn(move || {
                    to_engine.iter().try_for_each(|line| stdin.write_all(line.as_bytes()))
                })
                .with_file_path(&program)?;
            thread::Builder::new()
                .spawn(move || {
                    let mut lines = read_engine_lines(stdout);
                    lines.try_for_each(|line| sender.send((Instant::now(), line)))
                })
                .with_file_path(&program)?;
            thread::Builder::new().spawn(show_errors).with_file_path(&program)?;
        }
        Ok(EngineProcess {
            process,
            input: Some(input),
            lines: from_engine,
            errors,
            protocol: EngineProtocol::Ugi,
            id: String::new(),
            patience,
        })
    }

    /// Determines the protocol of the engine, and returns the names of its options. Stores the
    /// names until they exceed [`MAX_TOTAL_OPTION_NAME_BYTES`] bytes together.
    fn handshake(&mut self) -> Result<Vec<String>, MatchEngineFault> {
        let mut option_names = Vec::new();
        let mut bytes_left = MAX_TOTAL_OPTION_NAME_BYTES;
        let mut id = String::new();
        let mut read_line = |line: &str| {
            if let Some(name) = line.strip_prefix("id name ") {
                id = name.chars().take(MAX_ENGINE_NAME_CHARS).collect();
            }
            // An empty name also takes memory.
            let size = |name: &String| name.len() + size_of::<String>();
            if let Some(name) = parse_option_name(line).filter(|name| size(name) <= bytes_left) {
                bytes_left -= size(&name);
                option_names.push(name);
            }
        };
        // An engine that supports only UCI ignores the first line and answers the second.
        self.send_line("ugi");
        self.send_line("isready");
        if self.wait_for_reply_word(&["ugiok", "readyok"], &mut read_line)? == "ugiok" {
            self.wait_for_reply_word(&["readyok"], &mut read_line)?;
        } else {
            self.protocol = EngineProtocol::Uci;
            self.send_line("uci");
            self.wait_for_reply_word(&["uciok"], &mut read_line)?;
        }
        self.id = id;
        Ok(option_names)
    }

    /// Sets the options of the rules and the options of `spec`. `known` has the names of the
    /// engine's options.
    fn configure(
        &mut self,
        known: Vec<String>,
        spec: &EngineSpec,
        rules: &[RuleOption],
    ) -> Result<(), EngineSetupError> {
        let has = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        let rules = rules.iter().map(|RuleOption { name, value, is_required }| {
            let name = if *name == GAME_OPTION.name && !has(name) {
                UCI_VARIANT_OPTION_NAME
            } else {
                name
            };
            (name, value, *is_required)
        });
        let settings = spec.settings.iter().map(|(name, value)| (name.as_str(), value, true));
        for (name, value, is_required) in rules.chain(settings) {
            if has(name) {
                self.send_line(&format!("setoption name {name} value {value}"));
            } else if is_required {
                return Err(EngineSetupError::MissingOption { name: name.into(), known });
            }
        }
        self.send_line("isready");
        let mut rejected = None;
        let mut read_line = |line: &str| {
            if let Some(report) = line.strip_prefix(ERROR_LINE_PREFIX) {
                rejected = Some(report.to_string());
            }
        };
        self.wait_for_reply_word(&["readyok"], &mut read_line)?;
        rejected.map_or(Ok(()), |report| Err(EngineSetupError::OptionValue { report }))
    }

    /// Sends commands, and returns the first lines with which the engine responds to each command.
    /// A command may have several lines. Responses that begin with `info` are left out, except
    /// errors.
    ///
    /// # Errors
    /// If the engine ends or does not respond in time.
    pub fn send_and_collect_responses(
        &mut self,
        commands: &[String],
    ) -> Result<Vec<Vec<String>>, MatchEngineFault> {
        for command in commands {
            self.send_line(command);
            self.send_line("isready");
        }
        let mut responses = Vec::new();
        for _ in commands {
            let mut lines = Vec::new();
            let mut read_line = |line: &str| {
                let is_report = line.starts_with("info ") && !line.starts_with(ERROR_LINE_PREFIX);
                if !is_report && lines.len() < MAX_RESPONSE_LINES {
                    lines.push(line.to_string());
                }
            };
            self.wait_for_reply_word(&["readyok"], &mut read_line)?;
            responses.push(lines);
        }
        Ok(responses)
    }

    /// Notifies the engine that a new game begins, and waits until the engine is ready.
    ///
    /// # Errors
    /// If the engine has ended or does not respond.
    pub fn new_game(&mut self) -> Result<(), MatchEngineFault> {
        self.send_line(match self.protocol {
            EngineProtocol::Ugi => "uginewgame",
            EngineProtocol::Uci => "ucinewgame",
        });
        self.wait_until_ready()
    }

    /// Makes the engine search a position, and returns its reply. `position` and `go` are the
    /// commands to send. `allowed` is the maximum time for the reply, including the margin, or
    /// `None` without a time limit.
    ///
    /// # Errors
    /// If the engine does not reply with a move in time.
    pub fn search_position(
        &mut self,
        position: &str,
        go: &str,
        allowed: Option<Duration>,
    ) -> Result<EngineGoReply, MatchEngineFault> {
        self.send_line(position);
        // A reply to an earlier command must not be taken for a reply to this one.
        self.wait_until_ready()?;
        let begun = Instant::now();
        self.send_line(go);
        let mut info = EngineSearchInfo::default();
        let mut limit = allowed.unwrap_or(self.patience);
        let mut reply = self.read_bestmove(&mut info, begun + limit)?;
        if reply.is_none() && allowed.is_some() {
            self.send_line("stop");
            limit += STOP_REPLY_TIMEOUT;
            reply = self.read_bestmove(&mut info, begun + limit)?;
        }
        let (received, line) = reply.ok_or_else(|| info.fault_of_late_engine(limit))?;
        let time = received.saturating_duration_since(begun);
        if let Some(allowed) = allowed.filter(|allowed| time > *allowed) {
            return Err(MatchEngineFault::Time { taken: time, allowed });
        }
        match line.split_whitespace().nth(1) {
            None => Err(MatchEngineFault::EmptyReply),
            Some(mv) => Ok(EngineGoReply {
                mv: mv.into(),
                time,
                depth: info.depth,
                nodes: info.nodes,
                score: info.score,
            }),
        }
    }

    /// Reads up to the `bestmove` line; returns `None` if this line does not come before the
    /// deadline.
    fn read_bestmove(
        &mut self,
        info: &mut EngineSearchInfo,
        deadline: Instant,
    ) -> Result<Option<(Instant, String)>, MatchEngineFault> {
        while let Some((received, line)) = self.next_line(deadline)? {
            if line.split_whitespace().next() == Some("bestmove") {
                return Ok(Some((received, line)));
            }
            info.add_line(&line);
        }
        Ok(None)
    }

    /// Waits until the engine has executed all commands so far.
    fn wait_until_ready(&mut self) -> Result<(), MatchEngineFault> {
        self.send_line("isready");
        self.wait_for_reply_word(&["readyok"], &mut |_| {}).map(drop)
    }

    /// Reads up to a line that is one of `words`, and returns this word. Calls `other` with each
    /// earlier line.
    fn wait_for_reply_word(
        &mut self,
        words: &'static [&'static str],
        other: &mut dyn FnMut(&str),
    ) -> Result<&'static str, MatchEngineFault> {
        let deadline = Instant::now() + self.patience;
        while let Some((_, line)) = self.next_line(deadline)? {
            match words.iter().find(|word| **word == line) {
                Some(word) => return Ok(word),
                None => other(&line),
            }
        }
        Err(MatchEngineFault::NoWord { words, time: self.patience })
    }

    /// Returns the next line of the engine; `None` if no line comes before the deadline.
    fn next_line(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<(Instant, String)>, MatchEngineFault> {
        // Processes that the engine started have ended with it, so nothing can write to the pipe
        // any more. Therefore the remaining output is complete and available at once.
        let mut has_ended = false;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let wait = if has_ended { QUIT_TIMEOUT } else { left.min(EXIT_CHECK_INTERVAL) };
            match self.lines.recv_timeout(wait) {
                // Without this check, an engine with endless output would be read endlessly.
                Ok((at, _)) if at > deadline + STOP_REPLY_TIMEOUT => return Ok(None),
                Ok((at, line)) => {
                    log::debug!("{} < {line}", self.process.child.id());
                    return Ok(Some((at, line.trim_end().into())));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() && !has_ended => return Ok(None),
                Err(RecvTimeoutError::Timeout) if !has_ended => {
                    has_ended = self.process.try_wait().is_some()
                }
                Err(_) => return Err(self.fault_of_exited_engine()),
            }
        }
    }

    /// Returns the fault of an engine that has closed its output, with its exit status.
    fn fault_of_exited_engine(&mut self) -> MatchEngineFault {
        // The process may end a moment after its output.
        let deadline = Instant::now() + QUIT_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.process.try_wait() {
                return MatchEngineFault::Ended(status);
            }
            thread::sleep(Duration::from_millis(5));
        }
        MatchEngineFault::ClosedOutput
    }

    fn send_line(&mut self, line: &str) {
        log::debug!("{} > {line}", self.process.child.id());
        // Sending fails only if the engine has ended. The next read of its output reports that.
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.send_line("quit");
        self.input = None;
        let deadline = Instant::now() + QUIT_TIMEOUT;
        while let Ok(Some(_)) = self.next_line(deadline) {}
        self.process.kill();
        // This wait lets the last error lines of the engine appear before this program ends.
        let _ = self.errors.recv_timeout(QUIT_TIMEOUT);
    }
}

/// Returns the name of the option in an `option` line; `None` for other lines.
fn parse_option_name(line: &str) -> Option<String> {
    let words: Vec<&str> = line.strip_prefix("option name ")?.split_whitespace().collect();
    let end = words.iter().position(|&word| word == "type").unwrap_or(words.len());
    Some(words[..end].join(" "))
}

/// Returns the lines of an engine until it closes its output. If a line is invalid, returns its
/// readable part.
fn read_engine_lines(output: impl Read) -> impl Iterator<Item = String> {
    let mut output = BufReader::new(output);
    let lines = std::iter::from_fn(move || read_next_line(&mut output).ok().flatten());
    lines.map(|line| line.unwrap_or_else(|error| error.readable_part().into()))
}
