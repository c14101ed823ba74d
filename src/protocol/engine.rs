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

use crate::core::{Options, room};
use crate::search::control::Control;

use super::command::{self, Command};
use super::input::{BadLine, Line, Lines, MOST_WAITING};
use super::jobs::Job;
use super::out::{Errors, Out};
use super::ugi::Ugi;

/// Something that the loop must deal with.
enum Event {
    /// A line came in.
    Line(Line),
    /// The input has ended.
    End,
    /// Nobody reads the output any more.
    Closed,
    /// The job is done; a search has this score.
    Finished(Option<i32>),
}

/// What waits to be carried out.
struct Waiting {
    /// The line, since what it says may take many times as much memory; none for the end of the input.
    line: Option<Line>,
    calls: Calls,
}

/// What was called after something that waits.
#[derive(Debug, Clone, Copy, Default)]
struct Calls {
    /// `stop`: a job is to end at once.
    stop: bool,
    /// `ponderhit`: a search is not to ponder.
    ponder_hit: bool,
}

enum Task {
    Command(Command),
    /// A line that is no command, to be answered with this error.
    Refuse(String),
    /// The end of the input.
    End,
}

impl Waiting {
    /// What it asks for. Only what asks for something waits.
    fn task(&self) -> Task {
        self.line.as_ref().and_then(Task::read).unwrap_or(Task::End)
    }
}

impl Task {
    /// What a line asks for; nothing if it is empty or a comment.
    fn read(line: &Line) -> Option<Task> {
        command_of(&line.text).map_or_else(|message| Some(Task::Refuse(message)), |command| command.map(Task::Command))
    }

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
///
/// # Errors
/// If the output cannot be written, though not because nobody reads it any more, the input cannot be read, or there is
/// no thread to read it on.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    errors: Errors,
    options: Options,
) -> Result<bool, String> {
    let out = Out::new(output, errors);
    let ugi = Ugi::new(out.clone(), options);
    serve(input, &out, ugi)?;
    out.result()?;
    Ok(!out.has_refused())
}

/// Reads commands and has them carried out.
fn serve(input: impl BufRead + Send + 'static, out: &Out, ugi: Ugi) -> Result<(), String> {
    let (events, received) = channel();
    let (to_loop, closing) = (events.clone(), events.clone());
    // The loop is gone only when the program ends.
    out.on_close(move || drop(closing.send(Event::Closed)));
    let lines = Lines::new(input, MOST_WAITING);
    let to_out = out.clone();
    start_input(move || read(lines, &to_loop, &to_out))?;
    Engine { out: out.clone(), events, ugi, running: None, next: None, waiting: VecDeque::new() }.run(&received);
    Ok(())
}

/// Starts a thread for reading.
///
/// # Errors
/// If there is none.
pub fn start_input(read: impl FnOnce() + Send + 'static) -> Result<(), String> {
    // Whatever stacks other threads are given, without this one nothing goes.
    let thread = thread::Builder::new().name("input".into()).stack_size(2 * 1024 * 1024);
    room::start(thread, read).map_err(|error| format!("there is no thread to read the input on: {error}"))
}

fn read(mut lines: Lines<impl BufRead>, events: &Sender<Event>, out: &Out) {
    loop {
        let event = match lines.next_line() {
            Ok(Some(line)) => Event::Line(line),
            Ok(None) => Event::End,
            Err(error) => {
                out.input_failed(&error);
                Event::End
            }
        };
        let is_end = matches!(event, Event::End);
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}

/// The command that a line of input holds; none if it is empty or a comment.
///
/// # Errors
/// What is wrong with the line.
pub fn command_of(line: &Result<String, BadLine>) -> Result<Option<Command>, String> {
    match line {
        Ok(text) => command::parse(text).map_err(|error| error.to_string()),
        Err(error) if error.readable().trim_start().starts_with('#') => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

struct Engine {
    out: Out,
    events: Sender<Event>,
    ugi: Ugi,
    /// The control of the job that runs.
    running: Option<Arc<Control>>,
    /// What is to be carried out next, and what it stands for.
    next: Option<(Task, Waiting)>,
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
                Event::End => self.wait_for_turn(Task::End, None),
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
    fn receive(&mut self, line: Line) {
        if let Ok(text) = &line.text {
            log::debug!("> {text}");
        }
        match Task::read(&line) {
            None => {}
            Some(Task::Command(Command::Stop)) => self.stop_all(),
            Some(Task::Command(Command::PonderHit)) => self.ponder_hit(),
            Some(task) => {
                if matches!(task, Task::Command(Command::Quit)) {
                    self.stop_all();
                }
                self.wait_for_turn(task, Some(line));
            }
        }
    }

    fn wait_for_turn(&mut self, task: Task, line: Option<Line>) {
        let waiting = Waiting { line, calls: Calls::default() };
        match self.next {
            None => self.next = Some((task, waiting)),
            Some(_) => self.waiting.push_back(waiting),
        }
    }

    /// Takes note of what was called for all that waits.
    fn call(&mut self, call: impl Fn(&mut Calls)) {
        let next = self.next.iter_mut().map(|(_, waiting)| waiting);
        next.chain(&mut self.waiting).for_each(|waiting| call(&mut waiting.calls));
    }

    fn stop_all(&mut self) {
        if let Some(control) = &self.running {
            control.stop();
        }
        self.call(|calls| calls.stop = true);
    }

    /// The expected move was made: for the search that ponders, or for one that waits and was to ponder.
    fn ponder_hit(&mut self) {
        if let Some(control) = &self.running {
            control.ponderhit();
        }
        self.call(|calls| calls.ponder_hit = true);
    }

    /// Carries out what may be carried out now.
    fn work_off(&mut self) -> Flow {
        while let Some((task, waiting)) = self.next.take() {
            if let Some(control) = &self.running
                && !task.is_immediate()
            {
                if control.is_unbounded() {
                    control.stop();
                }
                self.next = Some((task, waiting));
                return Flow::GoOn;
            }
            match task {
                Task::End | Task::Command(Command::Quit) => return Flow::End,
                Task::Refuse(message) => self.out.error(&message),
                Task::Command(command) => self.carry_out_safely(command, waiting.calls),
            }
            self.next = self.waiting.pop_front().map(|waiting| (waiting.task(), waiting));
        }
        Flow::GoOn
    }

    /// A fault in one command must not end the program.
    fn carry_out_safely(&mut self, mut command: Command, calls: Calls) {
        if let Command::Go(go) = &mut command {
            go.ponder &= !calls.ponder_hit;
        }
        match catch_unwind(AssertUnwindSafe(|| self.ugi.carry_out(command))) {
            Ok(Ok(None)) => {}
            Ok(Ok(Some((job, control)))) => self.start(job, control, calls.stop),
            Ok(Err(message)) => self.out.error(&message),
            Err(_) => self.out.error("the command failed inside; this is a fault of the program"),
        }
    }

    /// Runs a job on a thread of its own, or, if there is none, here; it is stopped then, and answers at once.
    fn start(&mut self, job: Job, control: Control, stopped: bool) {
        if stopped {
            control.stop();
        }
        let control = Arc::new(control);
        self.running = Some(control.clone());
        let work = Work { control: control.clone(), out: self.out.clone(), events: self.events.clone() };
        let (hand_over, taken) = channel();
        let wait = move || taken.into_iter().for_each(|(job, work): (Job, Work)| work.run(job));
        match room::start(thread::Builder::new().name("search".into()), wait) {
            // The thread waits for it.
            Ok(()) => drop(hand_over.send((job, work))),
            Err(error) => {
                self.out.error(&format!("there is no thread to search on ({error}); the answer comes at once"));
                control.stop();
                work.run(job);
            }
        }
    }
}

/// What a job works with.
struct Work {
    control: Arc<Control>,
    out: Out,
    events: Sender<Event>,
}

impl Work {
    fn run(&self, job: Job) {
        let score = catch_unwind(AssertUnwindSafe(|| job(&self.control, &self.out))).unwrap_or_else(|_| {
            self.out.error("the job failed inside; this is a fault of the program");
            None
        });
        // The loop is gone only when the program ends.
        let _ = self.events.send(Event::Finished(score));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::game_session::begin;
    use crate::protocol::out::tests::Kept;
    use crate::search::tests::nim::{Fault, Nim};

    /// The answers to these lines, `;` parting them, in a game with this fault.
    fn answers(fault: Fault, lines: &str) -> Vec<String> {
        let kept = Kept::default();
        let out = Out::new(kept.clone(), Errors::InBand);
        let ugi = Ugi::playing(out.clone(), begin(Nim { fault, ..Nim::default() }));
        serve(std::io::Cursor::new(lines.replace(';', "\n")), &out, ugi).unwrap();
        kept.lines()
    }

    /// Checks that the faulty search has a legal answer and one error line, and that a later one is whole.
    fn check(fault: Fault, lines: &str, error: &str) {
        let answers = answers(fault, &format!("{lines};go depth 2;drawoffer"));
        let starting = |start: &str| answers.iter().filter(|line| line.starts_with(start)).count();
        let legal = ["bestmove 1", "bestmove 2", "bestmove 3"].map(starting).iter().sum::<usize>();
        assert_eq!((legal, starting("bestmove")), (2, 2), "{lines}: {answers:#?}");
        let errors = [starting("info string error: "), starting(&format!("info string error: {error}"))];
        assert_eq!(errors, [1, 1], "{lines}: {answers:#?}");
        let first = answers.iter().position(|line| line.starts_with("bestmove")).unwrap();
        assert!(answers[first - 1].starts_with("info string error: "), "{lines}: {answers:#?}");
        assert_eq!(starting("response "), 1, "{lines}: {answers:#?}");
    }

    const FAILED: &str = "the search failed inside; this is a fault of the program";

    #[test]
    fn a_search_that_panics_is_answered() {
        for go in ["go depth 12", "go nodes 1000000", "go mate 8", "go infinite;stop", "go ponder depth 12;ponderhit"] {
            // A search that is stopped may end before it fails.
            if !go.ends_with("stop") {
                check(Fault::Main, go, FAILED);
                check(Fault::Main, &format!("setoption name Threads value 3;{go}"), FAILED);
            }
            assert_eq!(answers(Fault::Main, go).iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
        }
        // The best move known by then is answered: of 21, one is taken.
        let answers = answers(Fault::Main, "go depth 12");
        assert!(answers.iter().any(|line| line.starts_with("info depth 4 ")), "{answers:#?}");
    }

    #[test]
    fn helping_threads_that_panic_cost_nothing_but_their_help() {
        check(Fault::Helper, "setoption name Threads value 3;go depth 12", FAILED);
        let answers = answers(Fault::Helper, "setoption name Threads value 2;go depth 12");
        assert!(answers.iter().any(|line| line.contains(" score mate ")), "{answers:#?}");
        assert!(answers.iter().any(|line| line == "bestmove 1"), "{answers:#?}");
    }

    #[test]
    fn tables_that_panic_are_done_without() {
        check(Fault::Tables, "go depth 12", "the tables failed inside; this is a fault of the program");
    }

    #[test]
    fn a_count_that_panics_gets_an_error() {
        let answers = answers(Fault::Main, "perft 9;go perft 9;perft 3;drawoffer");
        let failed = "info string error: the job failed inside; this is a fault of the program";
        assert_eq!(answers.iter().filter(|line| *line == failed).count(), 2, "{answers:#?}");
        assert_eq!(answers[answers.len() - 2..], ["Nodes: 27", "response decline"]);
    }

    /// However much waits, what acts at once does.
    #[test]
    fn what_waits_is_kept_as_it_came() {
        let position = format!("position startpos moves{}", " 1".repeat(20_000));
        let lines = format!("go nodes 1000000000000;{}go;stop;query gameover", format!("{position};").repeat(50));
        let answers = answers(Fault::Nowhere, &lines);
        let count = |start: &str| answers.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!((count("bestmove "), count("info string error: "), count("response ")), (2, 50, 1));
    }
}
