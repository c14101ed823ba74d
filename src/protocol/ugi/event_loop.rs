//! The event loop: which command is carried out when.
//!
//! One thread reads lines, one carries commands out, and each job (a search, a perft, a benchmark, the making of
//! tables) runs on a thread of its own. The other threads send events to the second one. While a job runs, queries are
//! answered at once, `stop`, `ponderhit` and `quit` act at once, and every other command waits in a queue, with all
//! that comes after it. For the making of tables the queries wait, too. A `load` is carried out on the second thread;
//! a `stop` or `quit` that is read meanwhile ends it.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::io::input::{Line, Lines, MAX_WAITING, start_reader};
use crate::io::output::{Errors, Output};
use pentarch_core::Options;
use pentarch_search::control::Control;
use pentarch_system::memory::{self, ThreadError};

use crate::protocol::RunError;

use super::command::Command;
use super::commands::Ugi;
use super::error::CommandError;
use super::jobs::Job;
use super::page_limits::Access;
use super::parse::command_of;

/// What the loop reacts to.
enum Event {
    /// A line was read.
    Line(Line),
    /// The input has ended.
    End,
    /// The output was closed by its reader.
    Closed,
    /// The job has ended, a search with this score.
    Finished(Option<i32>),
}

/// An entry of the queue.
struct Queued {
    /// The line as it was read, since its parsed command may take many times as much memory; `None` stands for the end
    /// of the input.
    line: Option<Line>,
    signals: Signals,
}

/// The signals that came while a command was in the queue.
#[derive(Debug, Clone, Copy, Default)]
struct Signals {
    /// `stop`: the job is to be stopped as soon as it begins.
    stop: bool,
    /// `ponderhit`: the search is not to ponder.
    ponder_hit: bool,
}

/// What a line asks for.
enum Task {
    Command(Command),
    /// The line is no command; it is answered with this error.
    Invalid(CommandError),
    /// The end of the input.
    End,
}

impl Queued {
    /// What the entry asks for. Empty lines and comments are not queued.
    fn task(&self) -> Task {
        self.line.as_ref().and_then(Task::parse).unwrap_or(Task::End)
    }
}

impl Task {
    /// What a line asks for; `None` if it is empty or a comment.
    fn parse(line: &Line) -> Option<Task> {
        command_of(&line.text)
            .map_or_else(|error| Some(Task::Invalid(error)), |command| command.map(Task::Command))
    }

    /// Whether it is carried out even while a job runs, unless the job is exclusive.
    fn is_immediate(&self) -> bool {
        use Command::{Diagram, Eval, Help, IsReady, Legal, Query};
        match self {
            Task::Invalid(_) => true,
            Task::End => false,
            Task::Command(command) => {
                matches!(command, IsReady | Query(_) | Legal(_) | Diagram | Eval | Help(_))
            }
        }
    }
}

/// Reads and carries out commands until `quit`, or until the input ends or the output is closed, with nothing refused
/// that a command may ask for. Returns whether all input was accepted.
///
/// `options` are those set before the first command.
///
/// # Errors
/// If the input cannot be read or the output cannot be written (that its reader has closed it is no failure), or if no
/// thread can be started to read the input.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    errors: Errors,
    options: Options,
) -> Result<bool, RunError> {
    let out = Output::new(output, errors);
    let ugi = Ugi::new(out.clone(), options, Access::Full);
    serve(input, &out, ugi, MAX_WAITING)?;
    out.result()?;
    Ok(!out.has_refused())
}

/// Reads commands and has them carried out, until `quit`, or until the input ends or the output is closed. The lines
/// that wait take `limit` bytes at most.
///
/// # Errors
/// If no thread can be started to read the input.
pub fn serve(
    input: impl BufRead + Send + 'static,
    out: &Output,
    ugi: Ugi,
    limit: usize,
) -> Result<(), ThreadError> {
    let (events, received) = channel();
    let (to_loop, closing) = (events.clone(), events.clone());
    // Sending fails only if the loop has ended.
    out.on_close(move || drop(closing.send(Event::Closed)));
    let ahead = ugi.ahead();
    let lines = Lines::new(input, limit, out).inspect(move |line| ahead.read(line));
    let mut read = lines.map(Event::Line).chain([Event::End]);
    start_reader(move || drop(read.try_for_each(|event| to_loop.send(event))))?;
    EventLoop { out: out.clone(), events, ugi, running: None, next: None, queue: VecDeque::new() }
        .run(&received);
    Ok(())
}

/// A job that runs.
struct Running {
    control: Arc<Control>,
    /// See [`Job::is_exclusive`].
    is_exclusive: bool,
}

struct EventLoop {
    out: Output,
    events: Sender<Event>,
    ugi: Ugi,
    /// The job that runs; `None` while none runs.
    running: Option<Running>,
    /// The first entry of the queue with its task, which is parsed only once.
    next: Option<(Task, Queued)>,
    /// The other entries of the queue.
    queue: VecDeque<Queued>,
}

impl EventLoop {
    fn run(&mut self, events: &Receiver<Event>) {
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(line) => self.receive(line),
                Event::End => self.enqueue(Task::End, None),
                Event::Closed => {}
                Event::Finished(score) => {
                    self.running = None;
                    self.ugi.set_last_score(score);
                }
            }
            if self.out.is_closed() {
                self.stop_all();
                return;
            }
            if self.run_queue().is_break() {
                return;
            }
        }
    }

    /// Carries out signals (`stop`, `ponderhit`) at once, and puts everything else in the queue.
    fn receive(&mut self, line: Line) {
        if let Ok(text) = &line.text {
            log::debug!("> {text}");
        }
        match Task::parse(&line) {
            None => {}
            Some(Task::Command(Command::Stop)) => {
                self.ugi.ahead().receive_stop();
                self.stop_all();
            }
            Some(Task::Command(Command::PonderHit)) => self.ponder_hit(),
            Some(task) => {
                if matches!(task, Task::Command(Command::Quit)) {
                    self.stop_all();
                }
                self.enqueue(task, Some(line));
            }
        }
    }

    fn enqueue(&mut self, task: Task, line: Option<Line>) {
        let queued = Queued { line, signals: Signals::default() };
        match self.next {
            None => self.next = Some((task, queued)),
            Some(_) => self.queue.push_back(queued),
        }
    }

    /// Tells the job that runs something, and sets a signal for everything in the queue.
    fn signal(&mut self, tell: impl Fn(&Control), set: impl Fn(&mut Signals)) {
        self.running.iter().for_each(|job| tell(&job.control));
        let next = self.next.iter_mut().map(|(_, queued)| queued);
        next.chain(&mut self.queue).for_each(|queued| set(&mut queued.signals));
    }

    /// Stops the job that runs, and every job in the queue as soon as it begins.
    fn stop_all(&mut self) {
        self.signal(Control::stop, |signals| signals.stop = true);
    }

    /// Tells the search that ponders that the expected move was made, and every search in the queue not to ponder.
    fn ponder_hit(&mut self) {
        self.signal(Control::ponderhit, |signals| signals.ponder_hit = true);
    }

    /// Carries out the queue up to the first task that has to wait for the running job. A job without limits is stopped
    /// then, since nothing else would end it.
    fn run_queue(&mut self) -> ControlFlow<()> {
        while !self.out.is_closed()
            && let Some((task, queued)) = self.next.take()
        {
            if let Some(Running { control, is_exclusive }) = &self.running
                && (*is_exclusive || !task.is_immediate())
            {
                if control.is_unbounded() {
                    control.stop();
                }
                self.next = Some((task, queued));
                return ControlFlow::Continue(());
            }
            match task {
                Task::End | Task::Command(Command::Quit) => return ControlFlow::Break(()),
                Task::Invalid(refused) => self.out.error(refused),
                // During a search nothing is made ready.
                Task::Command(Command::IsReady) if self.running.is_some() => {
                    self.out.lines("readyok")
                }
                Task::Command(command) => self.carry_out_safely(command, queued.signals),
            }
            self.next = self.queue.pop_front().map(|queued| (queued.task(), queued));
        }
        ControlFlow::Continue(())
    }

    /// Carries out a command. If it panics, that is answered with an error, and the program goes on.
    fn carry_out_safely(&mut self, mut command: Command, signals: Signals) {
        if let Command::Go(go) = &mut command {
            go.ponder &= !signals.ponder_hit;
        }
        match catch_unwind(AssertUnwindSafe(|| self.ugi.carry_out(command))) {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(job))) => self.start(job, signals.stop),
            Ok(Err(refused)) => self.out.error(refused),
            Err(_) => self.out.error("the command failed inside; this is a fault of the program"),
        }
    }

    /// Runs a job on a thread of its own. If the system gives no thread, the job is stopped and runs here, so that it
    /// answers at once.
    fn start(&mut self, job: Job, stopped: bool) {
        let control = job.control.clone();
        if stopped {
            control.stop();
        }
        self.running = Some(Running { control: control.clone(), is_exclusive: job.is_exclusive() });
        let (out, events) = (self.out.clone(), self.events.clone());
        let run = move |job: Job| {
            let score = catch_unwind(AssertUnwindSafe(|| job.run(&out))).unwrap_or_else(|_| {
                out.error("the job failed inside; this is a fault of the program");
                None
            });
            // Sending fails only if the loop has ended.
            let _ = events.send(Event::Finished(score));
        };
        // The thread receives the job when it has started: if it does not start, the job is still here.
        let (sender, receiver) = channel();
        let receive = {
            let run = run.clone();
            move || receiver.into_iter().for_each(run)
        };
        match memory::start(thread::Builder::new().name("search".into()), receive) {
            Ok(()) => drop(sender.send(job)),
            Err(error) => {
                self.out.error(format!(
                    "there is no thread to search on ({error}); the answer comes at once"
                ));
                control.stop();
                run(job);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::output::tests::Kept;
    use pentarch_engine::game_session::session_with_rules;
    use pentarch_nim::{Fault, Nim};

    /// The answers to these lines, which are separated by `;`, in a game with this fault.
    fn answers(fault: Fault, lines: &str) -> Vec<String> {
        let kept = Kept::default();
        let out = Output::new(kept.clone(), Errors::InBand);
        let ugi = Ugi::with_session(
            out.clone(),
            session_with_rules(Nim { fault, ..Nim::default() }, None),
        );
        serve(std::io::Cursor::new(lines.replace(';', "\n")), &out, ugi, MAX_WAITING).unwrap();
        kept.lines()
    }

    /// Checks that the faulty search gives a legal answer and one error line, and that a later search is sound.
    fn check(fault: Fault, lines: &str, error: &str) {
        let answers = answers(fault, &format!("{lines};go depth 2;drawoffer"));
        let starting = |start: &str| answers.iter().filter(|line| line.starts_with(start)).count();
        let legal = ["bestmove 1", "bestmove 2", "bestmove 3"].map(starting).iter().sum::<usize>();
        assert_eq!((legal, starting("bestmove")), (2, 2), "{lines}: {answers:#?}");
        let errors =
            [starting("info string error: "), starting(&format!("info string error: {error}"))];
        assert_eq!(errors, [1, 1], "{lines}: {answers:#?}");
        let first = answers.iter().position(|line| line.starts_with("bestmove")).unwrap();
        assert!(answers[first - 1].starts_with("info string error: "), "{lines}: {answers:#?}");
        assert_eq!(starting("response "), 1, "{lines}: {answers:#?}");
    }

    const FAILED: &str = "the search failed inside; this is a fault of the program";

    #[test]
    fn a_search_that_panics_is_answered() {
        for go in [
            "go depth 12",
            "go nodes 1000000",
            "go mate 8",
            "go infinite;stop",
            "go ponder depth 12;ponderhit",
        ] {
            // A search that is stopped may end before it fails.
            if !go.ends_with("stop") {
                check(Fault::Main, go, FAILED);
                check(Fault::Main, &format!("setoption name Threads value 3;{go}"), FAILED);
            }
            assert_eq!(
                answers(Fault::Main, go)
                    .iter()
                    .filter(|line| line.starts_with("bestmove "))
                    .count(),
                1
            );
        }
        // The best move known by then is answered: of 21, one is taken.
        let answers = answers(Fault::Main, "go depth 12");
        assert!(answers.iter().any(|line| line.starts_with("info depth 4 ")), "{answers:#?}");
    }

    #[test]
    fn helping_threads_that_panic_cost_nothing_but_their_help() {
        check(Fault::Helper, "setoption name Threads value 3;go depth 12", FAILED);
        let answers = answers(Fault::Helper, "setoption name Threads value 2;go depth 14");
        assert!(answers.iter().any(|line| line.contains(" score mate ")), "{answers:#?}");
        assert!(answers.iter().any(|line| line == "bestmove 1"), "{answers:#?}");
    }

    #[test]
    fn tables_that_panic_are_done_without() {
        check(
            Fault::Tables,
            "go depth 12",
            "the tables failed inside; this is a fault of the program",
        );
    }

    #[test]
    fn a_stop_ends_the_waiting_for_tables_and_answers_keep_their_order() {
        // What is refused before the first `isready` leaves the new game as new as it is.
        let answers = answers(
            Fault::EndlessTables,
            "uginewgame;go cat;isready;query gameover;go dog;isready;stop",
        );
        let error = "info string error: ";
        let kinds: Vec<&str> =
            answers.iter().map(|line| if line.starts_with(error) { error } else { line }).collect();
        assert_eq!(kinds, [error, "readyok", "response false", error, "readyok"]);
    }

    #[test]
    fn a_count_that_panics_gets_an_error() {
        let answers = answers(Fault::Main, "perft 9;go perft 9;perft 3;drawoffer");
        let failed = "info string error: the job failed inside; this is a fault of the program";
        assert_eq!(answers.iter().filter(|line| *line == failed).count(), 2, "{answers:#?}");
        assert_eq!(answers[answers.len() - 2..], ["Nodes: 27", "response decline"]);
    }

    /// A `quit` that was read before the `load` of a long game begins ends it.
    #[test]
    fn a_quit_ends_the_load_of_a_long_game() {
        let text = |moves: &str| {
            format!("go infinite;query fen;load text [Game \"quoridor\"] {moves};query fen;quit")
        };
        let short = answers(Fault::Nowhere, &text("e2 e8"));
        assert!(short.iter().any(|line| line == "response e2e8 - w 10/10 2"), "{short:#?}");
        let stopped = answers(Fault::Nowhere, &text(&"e2 e8 e1 e9 ".repeat(500)));
        let told = "info string error: it was stopped before all moves were made; the game in play is as it was";
        assert!(stopped.iter().any(|line| line == told), "{stopped:#?}");
        let fens: Vec<&String> =
            stopped.iter().filter(|line| line.starts_with("response ")).collect();
        assert!(fens.len() == 2 && fens[0] == fens[1], "{stopped:#?}");
    }

    /// Signals and queries act at once however long the queue is.
    #[test]
    fn what_waits_is_kept_as_it_came() {
        let position = format!("position startpos moves{}", " 1".repeat(20_000));
        let lines = format!(
            "go nodes 1000000000000;{}go;stop;query gameover",
            format!("{position};").repeat(50)
        );
        let answers = answers(Fault::Nowhere, &lines);
        let count = |start: &str| answers.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!(
            (count("bestmove "), count("info string error: "), count("response ")),
            (2, 50, 1)
        );
    }
}
