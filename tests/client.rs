//! A front end for the tests: sends lines to an engine and reads its answers, in process or from the program.

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
use pentarch_engine::options as engine_options;

/// An answer that takes longer than this will never come, however busy the machine is. No test expects one that comes
/// at any particular time.
pub const PATIENCE: Duration = Duration::from_secs(900);

/// The path of the program.
pub const PENTARCH: &str = env!("CARGO_BIN_EXE_pentarch");

/// The program with these arguments, all its streams being pipes.
pub fn program(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    piped(Command::new(PENTARCH), arguments)
}

/// A command with these arguments more, all its streams being pipes, and the environment changing nothing.
pub fn piped(
    mut command: Command,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Command {
    command.args(arguments).env_remove("RUST_LOG").env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Output, error output and exit code of a program that reads this.
pub fn run(mut command: Command, input: impl AsRef<[u8]>) -> (String, String, Option<i32>) {
    let mut child = command.spawn().unwrap();
    // A program that does not read its input is no fault.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code())
}

/// A running engine.
pub struct Client {
    input: Option<Box<dyn Write>>,
    lines: Receiver<String>,
    child: Option<Child>,
    dialect: Dialect,
}

/// What a client and its engine speak.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// UGI and UCI.
    Ugi,
    /// GTP. Clients do not see the empty lines that end its answers, nor the space of an empty answer.
    Gtp,
}

/// Bytes that another thread sends.
struct Pipe {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Pipe {
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

/// Sends bytes to another thread.
struct PipeEnd(Sender<Vec<u8>>);

impl Write for PipeEnd {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Client {
    /// An engine in this process.
    pub fn in_process() -> Client {
        Client::in_process_with(Dialect::Ugi, &[])
    }

    /// An engine in this process that speaks this dialect, with these `NAME=VALUE` settings.
    pub fn in_process_with(dialect: Dialect, settings: &[&str]) -> Client {
        let mut options = Options::default();
        for setting in settings {
            let (name, value) = setting.split_once('=').expect("NAME=VALUE");
            options.set(engine_options::find(name).expect("an option"), value).unwrap();
        }
        let (sender, chunks) = channel();
        let (output, answers) = channel();
        let (lines_in, lines) = channel();
        thread::spawn(move || {
            let input = BufReader::new(Pipe { chunks, rest: Vec::new() });
            match dialect {
                Dialect::Gtp => drop(gtp::run(input, PipeEnd(output), options)),
                Dialect::Ugi => {
                    drop(event_loop::run(input, PipeEnd(output), ErrorTarget::InBand, options))
                }
            }
        });
        thread::spawn(move || forward(Pipe { chunks: answers, rest: Vec::new() }, &lines_in));
        Client { input: Some(Box::new(PipeEnd(sender))), lines, child: None, dialect }
    }

    /// The program, with these arguments.
    pub fn program(arguments: &[&str]) -> Client {
        let mut child = program(arguments).stderr(Stdio::inherit()).spawn().unwrap();
        let (sender, lines) = channel();
        let output = child.stdout.take().unwrap();
        thread::spawn(move || forward(output, &sender));
        let dialect = if arguments.contains(&"--gtp") { Dialect::Gtp } else { Dialect::Ugi };
        Client {
            input: Some(Box::new(child.stdin.take().unwrap())),
            lines,
            child: Some(child),
            dialect,
        }
    }

    /// The program in this dialect, with these `NAME=VALUE` settings.
    pub fn program_with(dialect: Dialect, settings: &[&str]) -> Client {
        let mut arguments: Vec<&str> =
            settings.iter().flat_map(|setting| ["--set", setting]).collect();
        if dialect == Dialect::Gtp {
            arguments.push("--gtp");
        }
        Client::program(&arguments)
    }

    /// Sends bytes as they are. An engine that has ended does not read them, which is no fault by itself: whoever
    /// expects an answer then finds the end of the output.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input has ended");
        match input.write_all(bytes).and_then(|()| input.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            sent => sent.unwrap(),
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line of output; none at its end.
    pub fn receive(&mut self) -> Option<String> {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if self.dialect == Dialect::Gtp && line.is_empty() => {}
                Ok(line) if self.dialect == Dialect::Gtp => return Some(line.trim_end().into()),
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => panic!("no answer within {PATIENCE:?}"),
            }
        }
    }

    /// Lines of output up to the first that begins like this, which is the last of them.
    pub fn receive_until(&mut self, start: &str) -> Vec<String> {
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

    /// Sends a line and waits for the one line that answers it.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.receive().expect("an answer")
    }

    /// Ends the input.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// Ends the input and returns the rest of the output, and the program's exit code.
    pub fn finish(mut self) -> (Vec<String>, Option<i32>) {
        self.end_input();
        let rest = std::iter::from_fn(|| self.receive()).collect();
        (rest, self.child.take().and_then(|mut child| child.wait().unwrap().code()))
    }
}

fn forward(output: impl Read, lines: &Sender<String>) {
    for line in BufReader::new(output).lines() {
        if lines.send(line.unwrap()).is_err() {
            return;
        }
    }
}

/// Plays a transcript: `> ` lines are sent, `>>` ends the input, `< ` lines are expected, all others are for readers.
/// In an expected line `...` stands for any text; alone it stands for any lines up to the next expected one.
/// [`settings_of`] a transcript are given to the engine beforehand.
pub fn play_transcript(mut client: Client, place: &str, transcript: &str) {
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
            let _place = Place(format!("the transcript at {place}:{number}"));
            loop {
                let answer = client.receive().unwrap_or_else(|| {
                    panic!("{place}:{number}: expected {expected:?}, found the end of the output after {seen:#?}")
                });
                if fits(expected, &answer) {
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

/// The `NAME=VALUE` settings of a transcript: the words of its line that begins with `$`.
pub fn settings_of(transcript: &str) -> Vec<&str> {
    transcript
        .lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .flat_map(str::split_whitespace)
        .collect()
}

/// Tells where a transcript or a session stands when something goes wrong.
pub struct Place(pub String);

impl Drop for Place {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("in {}", self.0);
        }
    }
}

/// Whether a line fits a pattern in which `...` stands for any text.
pub fn fits(pattern: &str, line: &str) -> bool {
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
