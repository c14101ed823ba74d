//! The loop of the protocol: which command is carried out when, and what stays between commands.
//!
//! One thread reads lines, one carries commands out, and each search runs on a thread of its own; all that happens
//! arrives at the second one as events. While a search runs, questions are answered at once, `stop`, `ponderhit` and
//! `quit` act at once, and every other command waits in a queue, with all that comes after it.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::core::Options;
use crate::search::control::Control;

use super::command::{self, Command};
use super::input::{BadLine, next_line};
use super::jobs::Job;
use super::out::{Errors, Out};
use super::ugi::Ugi;

/// Something that the loop must deal with.
enum Event {
    /// A line came in.
    Line(Result<String, BadLine>),
    /// The input has ended.
    End,
    /// Nobody reads the output any more.
    Closed,
    /// The job is done; a search has this score.
    Finished(Option<i32>),
}

/// What waits to be carried out.
struct Waiting {
    task: Task,
    /// Whether `stop` came after it: a job is then to end at once.
    stopped: bool,
}

enum Task {
    Command(Command),
    /// A line that is no command, to be answered with this error.
    Refuse(String),
    /// The end of the input.
    End,
}

impl Task {
    /// Whether it is carried out while a search runs.
    fn is_immediate(&self) -> bool {
        use Command::{Diagram, Eval, Help, IsReady, Legal, Query};
        match self {
            Task::Refuse(_) => true,
            Task::End => false,
            Task::Command(command) => {
                matches!(command, IsReady | Query(_) | Legal(_) | Diagram | Eval | Help(_))
            }
        }
    }
}

/// Reads commands until `quit`, the end of the input or of the output. Returns whether all input was accepted.
///
/// `options` are those set before the first command.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    errors: Errors,
    options: Options,
) -> bool {
    let out = Out::new(output, errors);
    let (events, received) = channel();
    let (lines, closing) = (events.clone(), events.clone());
    // The loop is gone only when the program ends.
    out.on_close(move || drop(closing.send(Event::Closed)));
    let reading = thread::Builder::new().name("input".into()).spawn(move || read(input, &lines));
    if let Err(error) = reading {
        out.error(&format!("the input cannot be read: {error}"));
        return false;
    }
    let ugi = Ugi::new(out.clone(), options);
    Engine { out: out.clone(), events, ugi, running: None, waiting: VecDeque::new() }.run(&received);
    !out.has_refused()
}

fn read(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let event = match next_line(&mut input) {
            Ok(Some(line)) => Event::Line(line),
            Ok(None) => Event::End,
            Err(error) => {
                log::error!("the input cannot be read any more: {error}");
                Event::End
            }
        };
        let is_end = matches!(event, Event::End);
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}

struct Engine {
    out: Out,
    events: Sender<Event>,
    ugi: Ugi,
    /// The control of the job that runs.
    running: Option<Arc<Control>>,
    waiting: VecDeque<Waiting>,
}

/// Whether the loop goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    End,
}

impl Engine {
    fn run(&mut self, events: &Receiver<Event>) {
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(line) => self.receive(line),
                Event::End => self.wait_for_turn(Task::End),
                Event::Closed => {}
                Event::Finished(score) => {
                    self.running = None;
                    self.ugi.remember(score);
                }
            }
            if self.out.is_closed() {
                self.stop_all();
                return;
            }
            if self.work_off() == Flow::End {
                return;
            }
        }
    }

    /// Acts at once on what acts at once, and puts everything else in the queue.
    fn receive(&mut self, line: Result<String, BadLine>) {
        let parsed = match line {
            Ok(line) => {
                log::debug!("> {line}");
                command::parse(&line).map_err(|error| error.to_string())
            }
            Err(error) if error.readable().trim_start().starts_with('#') => Ok(None),
            Err(error) => Err(error.to_string()),
        };
        match parsed {
            Ok(None) => {}
            Ok(Some(Command::Stop)) => self.stop_all(),
            Ok(Some(Command::PonderHit)) => self.ponder_hit(),
            Ok(Some(Command::Quit)) => {
                self.stop_all();
                self.wait_for_turn(Task::Command(Command::Quit));
            }
            Ok(Some(command)) => self.wait_for_turn(Task::Command(command)),
            Err(message) => self.wait_for_turn(Task::Refuse(message)),
        }
    }

    fn wait_for_turn(&mut self, task: Task) {
        self.waiting.push_back(Waiting { task, stopped: false });
    }

    fn stop_all(&mut self) {
        if let Some(control) = &self.running {
            control.stop();
        }
        self.waiting.iter_mut().for_each(|waiting| waiting.stopped = true);
    }

    /// The expected move was made: for the search that ponders, or for one that waits and was to ponder.
    fn ponder_hit(&mut self) {
        if let Some(control) = &self.running {
            control.ponderhit();
        }
        for waiting in &mut self.waiting {
            if let Task::Command(Command::Go(go)) = &mut waiting.task {
                go.ponder = false;
            }
        }
    }

    /// Carries out what may be carried out now.
    fn work_off(&mut self) -> Flow {
        while let Some(next) = self.waiting.front() {
            if let Some(control) = &self.running
                && !next.task.is_immediate()
            {
                if control.is_unbounded() {
                    control.stop();
                }
                return Flow::GoOn;
            }
            let Some(Waiting { task, stopped }) = self.waiting.pop_front() else { break };
            match task {
                Task::End | Task::Command(Command::Quit) => return Flow::End,
                Task::Refuse(message) => self.out.error(&message),
                Task::Command(command) => self.carry_out_safely(command, stopped),
            }
        }
        Flow::GoOn
    }

    /// A fault in one command must not end the program.
    fn carry_out_safely(&mut self, command: Command, stopped: bool) {
        match catch_unwind(AssertUnwindSafe(|| self.ugi.carry_out(command))) {
            Ok(Ok(None)) => {}
            Ok(Ok(Some((job, control)))) => self.start(job, control, stopped),
            Ok(Err(message)) => self.out.error(&message),
            Err(_) => self.out.error("the command failed inside; this is a fault of the program"),
        }
    }

    /// Runs a job on a thread of its own.
    fn start(&mut self, job: Job, control: Control, stopped: bool) {
        if stopped {
            control.stop();
        }
        let control = Arc::new(control);
        let (for_job, out, events) = (control.clone(), self.out.clone(), self.events.clone());
        let run = move || {
            let score = catch_unwind(AssertUnwindSafe(|| job(&for_job, &out))).unwrap_or_else(|_| {
                out.error("the job failed inside; this is a fault of the program");
                None
            });
            // The loop is gone only when the program ends.
            let _ = events.send(Event::Finished(score));
        };
        self.running = Some(control);
        if let Err(error) = thread::Builder::new().name("search".into()).spawn(run) {
            self.running = None;
            self.out.error(&format!("there is no thread to search on: {error}"));
        }
    }
}
