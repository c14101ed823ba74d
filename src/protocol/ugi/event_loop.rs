//! The event loop of UGI and UCI: one thread reads commands, one executes them, and each job (a search, a perft, a
//! benchmark, the building of tables) runs on a thread of its own. The [scheduler](pentarch_engine::scheduler) decides
//! which command runs when.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::io::input::{Line, Lines, MAX_WAITING};
use crate::io::output::{Errors, Output};
use crate::io::shared_scheduler::SharedScheduler;
use pentarch_core::Options;
use pentarch_engine::input_word::Word;
use pentarch_engine::scheduler::{CommandHandle, Started, StopEffect, Timing};
use pentarch_system::memory::{self, ThreadError};

use crate::protocol::RunError;

use super::command::Command;
use super::commands::Ugi;
use super::error::CommandError;
use super::job_writer::RunnableJob;
use super::page_limits::Access;
use super::parse::command_of;

/// The meaning of a line: a command, or the error that is the response.
struct Task(Result<Command, CommandError>);

impl Task {
    /// Parses a line; `None` if it is empty or a comment.
    fn parse(line: &Line) -> Option<Task> {
        command_of(&line.text).transpose().map(Task)
    }

    fn timing(&self) -> Timing {
        use Command::{Diagram, Eval, Help, Ignored, IsReady, Legal, Query};
        match self.0 {
            Err(_) | Ok(IsReady | Query(_) | Legal(_) | Diagram | Eval | Help(_) | Ignored) => {
                Timing::DuringJob
            }
            Ok(_) => Timing::AfterJob,
        }
    }

    fn stop_effect(&self) -> StopEffect {
        match self.0 {
            Ok(Command::Load(_) | Command::LoadText(_)) => StopEffect::Command,
            _ => StopEffect::Searches,
        }
    }
}

/// The most bytes of a line whose task is stored while it waits.
const SHORT_LINE: usize = 32;

/// The number of bytes that the words of a short line take.
const SHORT_LINE_OVERHEAD: usize = SHORT_LINE / 2 * size_of::<Word>();

/// A task that waits.
struct Queued {
    /// The task, if it is the next one or its line is short. Others are parsed again, since a task may take many times the
    /// memory of its line.
    task: Option<Task>,
    /// The line, which counts as waiting.
    line: Line,
}

impl Queued {
    /// Returns the task; `None` if the line is empty or a comment.
    fn task(&mut self) -> Option<Task> {
        self.task.take().or_else(|| Task::parse(&self.line))
    }
}

/// Reads and executes commands until `quit`, or until the input ends or the output is closed, with nothing rejected that
/// a command may request. Returns whether all input was accepted.
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

/// Reads and executes commands until `quit`, or until the input ends or the output is closed. The lines that wait take
/// `limit` bytes at most.
///
/// # Errors
/// If no thread can be started to read the input.
pub fn serve(
    input: impl BufRead + Send + 'static,
    out: &Output,
    ugi: Ugi,
    limit: usize,
) -> Result<(), ThreadError> {
    let scheduler = SharedScheduler::for_output(out);
    let lines = Lines::new(input, limit, out).with_overhead(SHORT_LINE_OVERHEAD);
    scheduler.start_reader(lines, receive)?;
    let (scores, ended) = channel();
    EventLoop { out: out.clone(), scheduler, ugi, scores, ended }.run();
    Ok(())
}

/// Accepts a line: signals `stop`, `ponderhit` and `quit` as soon as they overtake no command that can run, and queues
/// every command except the first two.
fn receive(scheduler: &SharedScheduler<Queued>, line: Line) {
    if let Ok(text) = &line.text {
        log::debug!("> {text}");
    }
    let Some(task) = Task::parse(&line) else { return };
    match task.0 {
        Ok(Command::Stop) => {
            scheduler.signal(|state| state.stop(None));
            return;
        }
        Ok(Command::PonderHit) => return scheduler.signal(|state| state.ponder_hit()),
        Ok(Command::Quit) => scheduler.signal(|state| state.quit()),
        _ => {}
    }
    scheduler.change(|state| {
        let timing = task.timing();
        let handle = CommandHandle { stop_effect: task.stop_effect(), ..CommandHandle::default() };
        let is_stored = line.is_at_most(SHORT_LINE) || state.has_no_commands();
        let task = is_stored.then_some(task);
        state.push(timing, 0.0, Queued { task, line }, handle);
    });
}

struct EventLoop {
    out: Output,
    scheduler: Arc<SharedScheduler<Queued>>,
    ugi: Ugi,
    /// Sends the scores of searches that have ended.
    scores: Sender<Option<i32>>,
    ended: Receiver<Option<i32>>,
}

impl EventLoop {
    fn run(&mut self) {
        while let Some(Started { number, mut item, handle, is_during_job, .. }) =
            self.scheduler.next_command()
        {
            self.ended.try_iter().for_each(|score| self.ugi.set_last_score(score));
            let runnable = match item.task() {
                None => None,
                Some(Task(Ok(Command::Quit))) => break,
                Some(Task(Err(error))) => {
                    self.out.error(error);
                    None
                }
                // During a search nothing is made ready.
                Some(Task(Ok(Command::IsReady))) if is_during_job => {
                    self.out.lines("readyok");
                    None
                }
                Some(Task(Ok(command))) => self.execute_safely(command, &handle),
            };
            match runnable {
                None => self.scheduler.end(number),
                Some(runnable) => self.start(number, runnable, &handle),
            }
        }
        self.scheduler.close();
    }

    /// Executes a command. If it panics, the response is an error, and the program continues.
    fn execute_safely(
        &mut self,
        mut command: Command,
        handle: &CommandHandle,
    ) -> Option<RunnableJob> {
        if let Command::Go(go) = &mut command {
            go.ponder &= !handle.stopper.has_ponder_hit();
        }
        let executed = || self.ugi.execute(command, &handle.stopper);
        match catch_unwind(AssertUnwindSafe(executed)) {
            Ok(Ok(runnable)) => runnable,
            Ok(Err(error)) => {
                self.out.error(error);
                None
            }
            Err(_) => {
                self.out.error("the command failed inside; this is a fault of the program");
                None
            }
        }
    }

    /// Runs a job on a thread of its own. If the system gives no thread, the job is stopped and runs here, so that its
    /// response comes at once.
    fn start(&self, number: u64, runnable: RunnableJob, handle: &CommandHandle) {
        let control = runnable.job.control.clone();
        handle.stopper.begin(&control);
        self.scheduler.change(|state| state.become_job(number, runnable.job.is_exclusive()));
        let (out, scores, scheduler) =
            (self.out.clone(), self.scores.clone(), self.scheduler.clone());
        let run = move |runnable: RunnableJob| {
            let score = catch_unwind(AssertUnwindSafe(|| runnable.run())).unwrap_or_else(|_| {
                out.error("the job failed inside; this is a fault of the program");
                None
            });
            // Sending fails only if the loop has ended.
            let _ = scores.send(score);
            scheduler.end(number);
        };
        // The thread receives the job when it has started: if it does not start, the job is still here.
        let (sender, receiver) = channel();
        let receive = {
            let run = run.clone();
            move || receiver.into_iter().for_each(run)
        };
        match memory::spawn_detached(thread::Builder::new().name("search".into()), receive) {
            Ok(()) => drop(sender.send(runnable)),
            Err(error) => {
                self.out.error(format!(
                    "there is no thread to search on ({error}); the answer comes at once"
                ));
                control.stop();
                run(runnable);
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

    /// An input whose end can be observed, as the channel is disconnected when it is dropped.
    struct Observed(std::io::Cursor<String>, #[expect(dead_code)] Sender<()>);

    impl std::io::Read for Observed {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            self.0.read(bytes)
        }
    }

    #[test]
    fn closing_the_output_frees_the_thread_that_reads() {
        let (sender, dropped) = channel();
        let lines = format!("go nodes 1000000000000\n{}", "drawoffer\n".repeat(100_000));
        let input = std::io::BufReader::new(Observed(std::io::Cursor::new(lines), sender));
        let out = Output::new(Kept::default(), Errors::InBand);
        let ugi = Ugi::with_session(out.clone(), session_with_rules(Nim::default(), None));
        let close = out.closer();
        let session = thread::spawn(move || serve(input, &out, ugi, 10_000).unwrap());
        // The thread reads until no more lines may wait.
        let waits = dropped.recv_timeout(std::time::Duration::from_millis(50));
        assert_eq!(waits, Err(std::sync::mpsc::RecvTimeoutError::Timeout));
        close();
        session.join().unwrap();
        assert_eq!(dropped.recv(), Err(std::sync::mpsc::RecvError));
    }
}
