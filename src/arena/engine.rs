//! An engine as a child process, spoken to in UGI, or in UCI if it knows no other.
//!
//! Whatever it does (end, hang, flood, say nonsense) comes back as a [`Fault`] in bounded time and memory: threads of
//! their own write to it and read from it, and every wait has an end.

use std::fmt;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::core::text::{did_you_mean, quoted};
use crate::protocol::input::next_line;
use crate::protocol::settings::{GAME, UCI_VARIANT};

use super::fault::{Fault, FaultKind};
use super::limit::Limit;

/// An engine of a match, as the command line gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// What reports call it.
    pub name: String,
    /// The program and its arguments; none for this very program.
    pub command: Vec<String>,
    /// The options that only this engine gets, names and values.
    pub settings: Vec<(String, String)>,
    /// What limits its moves.
    pub limit: Limit,
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&if self.command.is_empty() { "this program".into() } else { self.command.join(" ") })?;
        for (name, value) in &self.settings {
            write!(f, " {name}={value}")?;
        }
        write!(f, ", {}", self.limit)
    }
}

/// What engines are told of the rules: an option and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The option.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// Whether an engine that does not have it cannot play.
    pub is_needed: bool,
}

/// What an engine understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Game Interface.
    Ugi,
    /// The Universal Chess Interface.
    Uci,
}

impl Dialect {
    /// What a `go` command calls the clock and the increment of each side.
    pub fn clock_names(self) -> [(&'static str, &'static str); 2] {
        match self {
            Dialect::Ugi => [("p1time", "p1inc"), ("p2time", "p2inc")],
            Dialect::Uci => [("wtime", "winc"), ("btime", "binc")],
        }
    }
}

/// A move, and what the engine said about its search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub mv: String,
    /// From the `go` to the answer.
    pub time: Duration,
    /// The depth of the last `info` that names one.
    pub depth: u64,
    /// The nodes of the last `info` that names them.
    pub nodes: u64,
}

/// How long an engine whose time is up may take to answer `stop`, before it counts as hanging.
const GRACE: Duration = Duration::from_secs(1);

/// How long an engine may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// Lines that wait to be read; an engine that writes more must wait.
const BACKLOG: usize = 256;

/// A running engine. It ends when this is dropped.
pub struct Engine {
    child: Child,
    input: Sender<String>,
    lines: Receiver<(Instant, String)>,
    /// What it understands.
    pub dialect: Dialect,
    /// How long it may take for any answer that no clock limits.
    patience: Duration,
}

impl Engine {
    /// Starts an engine and sets its options: the rules, and its own.
    ///
    /// # Errors
    /// If it cannot be run, does not answer, or does not take an option.
    pub fn start(spec: &Spec, rules: &[Rule], patience: Duration) -> Result<Engine, String> {
        let named = |error: String| format!("the engine '{}' does not start: {error}", spec.name);
        let mut engine = Engine::spawn(&spec.command, patience).map_err(named)?;
        let offered = engine.introduce().map_err(|fault| named(fault.to_string()))?;
        engine.configure(&offered, spec, rules).map_err(named)?;
        Ok(engine)
    }

    fn spawn(command: &[String], patience: Duration) -> Result<Engine, String> {
        let (program, arguments) = match command {
            [program, arguments @ ..] => (PathBuf::from(program), arguments),
            [] => (this_program().map_err(|error| format!("this program is not found: {error}"))?, &[][..]),
        };
        let failed = |error| format!("{}: {error}", program.display());
        let mut child = Command::new(&program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (input, to_write) = channel();
        let (sender, lines) = sync_channel(BACKLOG);
        if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            thread::Builder::new().spawn(move || write(stdin, &to_write)).map_err(failed)?;
            thread::Builder::new().spawn(move || read(stdout, &sender)).map_err(failed)?;
        }
        Ok(Engine { child, input, lines, dialect: Dialect::Ugi, patience })
    }

    /// Learns the dialect of the engine, and returns the names of its options.
    fn introduce(&mut self) -> Result<Vec<String>, Fault> {
        let mut offered = Vec::new();
        let mut note = |line: &str| offered.extend(option_name(line));
        // An engine that knows only UCI passes over the first line and answers the second.
        self.send("ugi");
        self.send("isready");
        if self.wait_for(&["ugiok", "readyok"], &mut note)? == "ugiok" {
            self.wait_for(&["readyok"], &mut note)?;
        } else {
            self.dialect = Dialect::Uci;
            self.send("uci");
            self.wait_for(&["uciok"], &mut note)?;
        }
        Ok(offered)
    }

    fn configure(&mut self, offered: &[String], spec: &Spec, rules: &[Rule]) -> Result<(), String> {
        let has = |name: &str| offered.iter().any(|known| known.eq_ignore_ascii_case(name));
        let rules = rules.iter().map(|Rule { name, value, is_needed }| {
            let name = if *name == GAME.name && !has(name) { UCI_VARIANT } else { name };
            (name, value, *is_needed)
        });
        let own = spec.settings.iter().map(|(name, value)| (name.as_str(), value, true));
        for (name, value, is_needed) in rules.chain(own) {
            if has(name) {
                self.send(&format!("setoption name {name} value {value}"));
            } else if is_needed {
                let hint = did_you_mean(name, offered.iter().map(String::as_str));
                return Err(format!("it has no option {}{hint}", quoted(name)));
            }
        }
        self.send("isready");
        let mut refused = None;
        let mut note = |line: &str| {
            if let Some(error) = line.strip_prefix("info string error: ") {
                refused = Some(error.to_string());
            }
        };
        self.wait_for(&["readyok"], &mut note).map_err(|fault| fault.to_string())?;
        refused.map_or(Ok(()), Err)
    }

    /// Tells the engine that another game begins.
    ///
    /// # Errors
    /// If it has ended or does not answer.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.send(match self.dialect {
            Dialect::Ugi => "uginewgame",
            Dialect::Uci => "ucinewgame",
        });
        self.synchronise()
    }

    /// Has the engine search a position. `allowed` is the time that it must not exceed, margin included.
    ///
    /// # Errors
    /// If it does not answer in the form of a move, or in time.
    pub fn think(&mut self, position: &str, go: &str, allowed: Option<Duration>) -> Result<Answer, Fault> {
        self.send(position);
        // What it still had to say is no answer to what it is asked now.
        self.synchronise()?;
        let begun = Instant::now();
        self.send(go);
        let mut search = Search::default();
        let limit = allowed.unwrap_or(self.patience);
        let answer = match self.answer(&mut search, begun + limit)? {
            Some(answer) => answer,
            None => match allowed {
                None => return Err(search.silence(limit)),
                Some(_) => {
                    self.send("stop");
                    let late = self.answer(&mut search, begun + limit + GRACE)?;
                    late.ok_or_else(|| search.silence(limit + GRACE))?
                }
            },
        };
        let (at, text) = answer;
        let time = at.saturating_duration_since(begun);
        if allowed.is_some_and(|allowed| time > allowed) {
            let (took, limit) = (time.as_secs_f64() * 1000.0, limit.as_millis());
            return Err(Fault::new(FaultKind::Time, format!("{took:.1} ms taken, {limit} ms allowed with the margin")));
        }
        match text.split_whitespace().nth(1) {
            None => Err(Fault::new(FaultKind::Garbage, "'bestmove' without a move")),
            Some(mv) => Ok(Answer { mv: mv.into(), time, depth: search.depth, nodes: search.nodes }),
        }
    }

    /// Reads up to the `bestmove` line; none if it does not come by then.
    fn answer(&mut self, search: &mut Search, deadline: Instant) -> Result<Option<(Instant, String)>, Fault> {
        while let Some((at, line)) = self.next_line(deadline)? {
            if line.split_whitespace().next() == Some("bestmove") {
                return Ok(Some((at, line)));
            }
            search.note(&line);
        }
        Ok(None)
    }

    /// Waits until the engine has dealt with everything sent so far.
    fn synchronise(&mut self) -> Result<(), Fault> {
        self.send("isready");
        self.wait_for(&["readyok"], &mut |_| {}).map(drop)
    }

    /// Reads up to a line that is one of these words, and hands those before it on.
    fn wait_for<'a>(&mut self, words: &[&'a str], other: &mut dyn FnMut(&str)) -> Result<&'a str, Fault> {
        let deadline = Instant::now() + self.patience;
        while let Some((_, line)) = self.next_line(deadline)? {
            match words.iter().find(|word| **word == line) {
                Some(word) => return Ok(word),
                None => other(&line),
            }
        }
        let (words, seconds) = (words.join("' or '"), self.patience.as_secs_f64());
        Err(Fault::new(FaultKind::Hang, format!("no '{words}' in {seconds} s")))
    }

    /// The next line that the engine writes up to then.
    fn next_line(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Fault> {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            // One that never falls silent must not be waited for without end.
            Ok((at, _)) if at > deadline + GRACE => Ok(None),
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.end()),
        }
    }

    /// How the engine has come to its end, its output being closed.
    fn end(&mut self) -> Fault {
        // The process is gone a moment after its output.
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Fault::new(FaultKind::Crash, format!("the process has ended ({status})"));
            }
            thread::sleep(Duration::from_millis(5));
        }
        Fault::new(FaultKind::Crash, "the process has closed its output")
    }

    fn send(&mut self, line: &str) {
        log::debug!("{} > {line}", self.child.id());
        // If nobody takes it the engine has ended, which its output will tell.
        let _ = self.input.send(format!("{line}\n"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.send("quit");
        let deadline = Instant::now() + FAREWELL;
        while let Ok(Some(_)) = self.next_line(deadline) {}
        // It may have ended by now; then there is nothing to be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The file of this very program, even if another one has taken its name since it began.
fn this_program() -> std::io::Result<PathBuf> {
    const LINUX: &str = "/proc/self/exe";
    if Path::new(LINUX).exists() { Ok(LINUX.into()) } else { std::env::current_exe() }
}

/// What an engine has said during a search.
#[derive(Debug, Default)]
struct Search {
    depth: u64,
    nodes: u64,
    /// The last line that is neither `info` nor `bestmove`.
    stray: Option<String>,
}

impl Search {
    fn note(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next() {
            None => {}
            Some("info") => {
                while let Some(word) = words.next() {
                    match word {
                        "depth" => self.depth = words.next().and_then(|text| text.parse().ok()).unwrap_or(self.depth),
                        "nodes" => self.nodes = words.next().and_then(|text| text.parse().ok()).unwrap_or(self.nodes),
                        // What follows is free text or moves.
                        "string" | "pv" => break,
                        _ => {}
                    }
                }
            }
            Some(_) => self.stray = Some(line.into()),
        }
    }

    /// The fault of not having answered in this time.
    fn silence(&self, time: Duration) -> Fault {
        let seconds = time.as_secs_f64();
        match &self.stray {
            None => Fault::new(FaultKind::Hang, format!("no answer in {seconds} s")),
            Some(line) => Fault::new(FaultKind::Garbage, format!("{} and no answer in {seconds} s", quoted(line))),
        }
    }
}

/// The option that a line of an engine's introduction tells of.
fn option_name(line: &str) -> Option<String> {
    let words: Vec<&str> = line.strip_prefix("option name ")?.split_whitespace().collect();
    let end = words.iter().position(|&word| word == "type").unwrap_or(words.len());
    Some(words[..end].join(" "))
}

/// Writes to an engine until it or the arena has enough.
fn write(mut input: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// Reads from an engine, each line with the moment at which it came.
fn read(output: ChildStdout, lines: &SyncSender<(Instant, String)>) {
    let mut output = BufReader::new(output);
    while let Ok(Some(line)) = next_line(&mut output) {
        let line = line.unwrap_or_else(|error| error.readable().to_string());
        log::debug!("< {line}");
        if lines.send((Instant::now(), line.trim_end().into())).is_err() {
            return;
        }
    }
}
