//! A front end for the tests. It sends lines to an engine and reads the answers. The engine runs in
//! this process or as a separate program.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pentarch::io::output::ErrorTarget;
use pentarch::protocol::gtp;
use pentarch::protocol::ugi::event_loop;
use pentarch_core::Options;
use pentarch_engine::engine_options;

/// The time limit for answers. If an answer takes longer, it will never come, even on a busy
/// machine. No test expects an answer at a particular time.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(900);

/// The path of the program.
pub(crate) const PENTARCH: &str = env!("CARGO_BIN_EXE_pentarch");

/// Returns the program with these arguments and pipes for all its streams.
pub(crate) fn program(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    piped(Command::new(PENTARCH), arguments)
}

/// Returns a command with these additional arguments and pipes for all its streams. The environment
/// does not change its behaviour.
pub(crate) fn piped(
    mut command: Command,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Command {
    command.args(arguments).env_remove("RUST_LOG").env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a program with this input. Returns its output, error output and exit code.
pub(crate) fn run(mut command: Command, input: impl AsRef<[u8]>) -> (String, String, Option<i32>) {
    let mut child = command.spawn().unwrap();
    // A program may end without reading its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code())
}

/// A running engine.
pub(crate) struct Client {
    input: Option<Box<dyn Write>>,
    lines: Receiver<String>,
    child: Option<Child>,
    dialect: Dialect,
}

/// The protocol of a client and its engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// UGI and UCI.
    Ugi,
    /// GTP. Clients see neither the empty lines after the answers nor the space of an empty answer.
    Gtp,
}

/// A reader of the bytes that another thread sends.
struct PipeReader {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for PipeReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.chunks.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// A writer that sends bytes to another thread.
struct PipeWriter(Sender<Vec<u8>>);

impl Write for PipeWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Client {
    /// Starts an engine in this process.
    pub(crate) fn in_process() -> Client {
        Client::in_process_with(Dialect::Ugi, &[])
    }

    /// Starts an engine in this process. The engine uses this dialect and these `NAME=VALUE`
    /// settings.
    pub(crate) fn in_process_with(dialect: Dialect, settings: &[&str]) -> Client {
        let mut options = Options::default();
        for setting in settings {
            let (name, value) = setting.split_once('=').expect("NAME=VALUE");
            options.set(engine_options::find_option(name).expect("an option"), value).unwrap();
        }
        let (sender, chunks) = channel();
        let (output, answers) = channel();
        let (lines_in, lines) = channel();
        thread::spawn(move || {
            let input = BufReader::new(PipeReader { chunks, rest: Vec::new() });
            match dialect {
                Dialect::Gtp => drop(gtp::run_gtp(input, PipeWriter(output), options)),
                Dialect::Ugi => drop(event_loop::run_ugi(
                    input,
                    PipeWriter(output),
                    ErrorTarget::InBand,
                    options,
                )),
            }
        });
        thread::spawn(move || {
            forward_lines(PipeReader { chunks: answers, rest: Vec::new() }, &lines_in)
        });
        Client { input: Some(Box::new(PipeWriter(sender))), lines, child: None, dialect }
    }

    /// Starts the program with these arguments.
    pub(crate) fn program(arguments: &[&str]) -> Client {
        let mut child = program(arguments).stderr(Stdio::inherit()).spawn().unwrap();
        let (sender, lines) = channel();
        let output = child.stdout.take().unwrap();
        thread::spawn(move || forward_lines(output, &sender));
        let dialect = if arguments.contains(&"--gtp") { Dialect::Gtp } else { Dialect::Ugi };
        Client {
            input: Some(Box::new(child.stdin.take().unwrap())),
            lines,
            child: Some(child),
            dialect,
        }
    }

    /// Starts the program with this dialect and these `NAME=VALUE` settings.
    pub(crate) fn program_with(dialect: Dialect, settings: &[&str]) -> Client {
        let mut arguments: Vec<&str> =
            settings.iter().flat_map(|setting| ["--set", setting]).collect();
        if dialect == Dialect::Gtp {
            arguments.push("--gtp");
        }
        Client::program(&arguments)
    }

    /// Sends bytes unchanged. An engine that has ended does not read the bytes. That is not an
    /// error here, because the next call that expects an answer finds the end of the output.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input has ended");
        match input.write_all(bytes).and_then(|()| input.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            sent => sent.unwrap(),
        }
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Returns the next line of output; `None` at the end of the output.
    pub(crate) fn receive(&mut self) -> Option<String> {
        loop {
            match self.lines.recv_timeout(ANSWER_TIMEOUT) {
                Ok(line) if self.dialect == Dialect::Gtp && line.is_empty() => {}
                Ok(line) if self.dialect == Dialect::Gtp => return Some(line.trim_end().into()),
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => panic!("no answer within {ANSWER_TIMEOUT:?}"),
            }
        }
    }

    /// Returns lines of output up to the first line that begins with `start`. This line is
    /// included.
    pub(crate) fn receive_until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.receive() {
            let is_last = line.starts_with(start);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
        panic!("the output ended before a line with {start:?}: {lines:#?}");
    }

    /// Sends a line and returns the answer, which is a single line.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.receive().expect("an answer")
    }

    /// Closes the input.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// Closes the input. Returns the rest of the output and the exit code of the program.
    pub(crate) fn finish(mut self) -> (Vec<String>, Option<i32>) {
        self.end_input();
        let rest = std::iter::from_fn(|| self.receive()).collect();
        (rest, self.child.take().and_then(|mut child| child.wait().unwrap().code()))
    }
}

fn forward_lines(output: impl Read, lines: &Sender<String>) {
    for line in BufReader::new(output).lines() {
        if lines.send(line.unwrap()).is_err() {
            return;
        }
    }
}

/// Plays a transcript. It sends the lines that begin with `> `, closes the input at `>>`, and
/// expects the lines that begin with `< `. All other lines are for readers. In an expected line,
/// `...` matches any text. If the line is only `...`, it matches any lines up to the next expected
/// line. The engine starts with the [`settings_of`] the transcript.
pub(crate) fn play_transcript(mut client: Client, place: &str, transcript: &str) {
    let mut skips = false;
    for (number, line) in (1..).zip(transcript.lines()) {
        if line == ">>" {
            client.end_input();
        } else if let Some(sent) = line.strip_prefix('>') {
            assert!(
                !skips,
                "{place}:{number}: after '< ...' the line that it ends at must be expected"
            );
            client.send(sent.strip_prefix(' ').unwrap_or(sent));
        } else if let Some(expected) = line.strip_prefix("< ") {
            if expected == "..." {
                skips = true;
                continue;
            }
            let mut seen = Vec::new();
            let _context = FailureContext(format!("the transcript at {place}:{number}"));
            loop {
                let answer = client.receive().unwrap_or_else(|| {
                    panic!("{place}:{number}: expected {expected:?}, found the end of the output after {seen:#?}")
                });
                if matches_pattern(expected, &answer) {
                    break;
                }
                assert!(skips, "{place}:{number}:\nexpected {expected}\nfound    {answer}");
                seen.push(answer);
            }
            skips = false;
        }
    }
    let (rest, _) = client.finish();
    assert_eq!(rest, [""; 0], "{place}: more output than expected");
}

/// Returns the `NAME=VALUE` settings of a transcript. They are the words of the line that
/// begins with `$`.
pub(crate) fn settings_of(transcript: &str) -> Vec<&str> {
    transcript
        .lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .flat_map(str::split_whitespace)
        .collect()
}

/// The position in a transcript or a session. It is printed if the test panics.
pub(crate) struct FailureContext(pub String);

impl Drop for FailureContext {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("in {}", self.0);
        }
    }
}

/// Returns whether a line matches a pattern in which `...` matches any text.
pub(crate) fn matches_pattern(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("...");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}
