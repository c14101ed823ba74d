//! The event loop of UGI and UCI. One thread reads commands, and another thread executes them. Jobs
//! are searches, perfts, the benchmark, and the building of tablebases. Each job runs on a separate
//! thread. The [scheduler](pentarch_engine::scheduler) decides when each command runs.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::io::input::{InputLines, MAX_WAITING_LINES_BYTES, WaitingInputLine};
use crate::io::output::{ErrorTarget, Output};
use crate::io::shared_scheduler::SharedScheduler;
use pentarch_core::Options;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::scheduler::{
    CommandHandle, CommandStartCondition, StartedCommand, StopEffect,
};
use pentarch_system::memory::{self, ThreadError};

use crate::protocol::ProtocolRunError;

use super::command::{Command, UgiQuery};
use super::commands::Ugi;
use super::error::CommandError;
use super::job_event_writer::RunnableJob;
use super::parse::parse_input_line;
use super::session_permissions::SessionPermissions;

/// A parsed line: a command, or the error to respond with.
struct ParsedLine(Result<Command, CommandError>);

impl ParsedLine {
    /// Parses a line; `None` if the line is empty or a comment.
    fn parse(line: &WaitingInputLine) -> Option<ParsedLine> {
        parse_input_line(&line.text).transpose().map(ParsedLine)
    }

    fn command_timing(&self) -> CommandStartCondition {
        use Command::{Diagram, Eval, Help, Ignored, IsReady, Legal, Query};
        match self.0 {
            Err(_) | Ok(IsReady | Query(_) | Legal(_) | Diagram | Eval | Help(_) | Ignored) => {
                CommandStartCondition::DuringJob
            }
            Ok(_) => CommandStartCondition::AfterJob,
        }
    }

    fn stop_effect(&self) -> StopEffect {
        match self.0 {
            Ok(Command::Load(_) | Command::LoadText(_) | Command::Query(UgiQuery::Known)) => {
                StopEffect::Command
            }
            _ => StopEffect::Searches,
        }
    }
}

/// The maximum length in bytes of a waiting line that is stored in parsed form. The next line to
/// execute has no such limit.
const MAX_PREPARSED_LINE_BYTES: usize = 32;

/// The maximum number of bytes that the parsed words of a short line take.
const MAX_PREPARSED_LINE_WORD_BYTES: usize = MAX_PREPARSED_LINE_BYTES / 2 * size_of::<InputWord>();

/// A line that waits in the queue.
struct QueuedLine {
    /// The parsed form of the line. The parsed form is stored if the line is short or is the next
    /// line to execute. Other lines are parsed again later, because the parsed form may need many
    /// times the memory of the text.
    parsed: Option<ParsedLine>,
    /// The text of the line. The text counts towards the limit of waiting input.
    line: WaitingInputLine,
}

impl QueuedLine {
    /// Returns the parsed line; `None` if the line is empty or a comment.
    fn parse(&mut self) -> Option<ParsedLine> {
        self.parsed.take().or_else(|| ParsedLine::parse(&self.line))
    }
}

/// Reads and executes commands with full access. Ends at `quit`, at the end of the input, or when
/// the output is closed. Returns whether all lines of the input were accepted.
///
/// `options` are the options before the first command.
///
/// # Errors
/// If the input cannot be read, if no thread can be started to read it, or if the output cannot be
/// written. It is not an error if the reader has closed the output.
pub fn run_ugi(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    errors: ErrorTarget,
    options: Options,
) -> Result<bool, ProtocolRunError> {
    let out = Output::new(output, errors);
    let ugi = Ugi::new(out.clone(), options, SessionPermissions::Full);
    serve_ugi(input, &out, ugi, MAX_WAITING_LINES_BYTES)?;
    out.take_first_failure()?;
    Ok(!out.has_errors())
}

/// Reads and executes commands. Ends at `quit`, at the end of the input, or when the output is
/// closed. Waiting lines take at most `limit` bytes.
///
/// # Errors
/// If no thread can be started to read the input.
pub fn serve_ugi(
    input: impl BufRead + Send + 'static,
    out: &Output,
    ugi: Ugi,
    limit: usize,
) -> Result<(), ThreadError> {
    let scheduler = SharedScheduler::new_closing_with_output(out);
    let lines = InputLines::new(input, limit, out)
        .with_memory_overhead_per_line(MAX_PREPARSED_LINE_WORD_BYTES);
    scheduler.start_reading_thread(lines, accept_line)?;
    let (score_sender, score_receiver) = channel();
    EventLoop { out: out.clone(), scheduler, ugi, score_sender, score_receiver }.run();
    Ok(())
}

/// Accepts a line. Signals a `stop`, `ponderhit` or `quit` as soon as the signal overtakes no
/// command that can run. Queues all commands except `stop` and `ponderhit`.
fn accept_line(scheduler: &SharedScheduler<QueuedLine>, line: WaitingInputLine) {
    if let Ok(text) = &line.text {
        log::debug!("> {text}");
    }
    let Some(parsed) = ParsedLine::parse(&line) else { return };
    match parsed.0 {
        Ok(Command::Stop) => {
            scheduler.process_signal_in_order(|state| state.stop_commands_with_id(None));
            return;
        }
        Ok(Command::PonderHit) => {
            return scheduler.process_signal_in_order(|state| state.ponder_hit());
        }
        Ok(Command::Quit) => scheduler.process_signal_in_order(|state| state.stop_all_commands()),
        _ => {}
    }
    scheduler.change_scheduler_and_notify(|state| {
        let command_timing = parsed.command_timing();
        let handle =
            CommandHandle { stop_effect: parsed.stop_effect(), ..CommandHandle::default() };
        let is_stored = line.is_valid_and_at_most_bytes(MAX_PREPARSED_LINE_BYTES)
            || state.has_no_queued_commands();
        let parsed = is_stored.then_some(parsed);
        state.push_command(command_timing, 0.0, QueuedLine { parsed, line }, handle);
    });
}

struct EventLoop {
    out: Output,
    scheduler: Arc<SharedScheduler<QueuedLine>>,
    ugi: Ugi,
    score_sender: Sender<Option<i32>>,
    score_receiver: Receiver<Option<i32>>,
}

impl EventLoop {
    fn run(&mut self) {
        while let Some(StartedCommand { number, mut item, handle, is_during_job, .. }) =
            self.scheduler.start_next_command()
        {
            self.score_receiver.try_iter().for_each(|score| self.ugi.set_last_score(score));
            let runnable = match item.parse() {
                None => None,
                Some(ParsedLine(Ok(Command::Quit))) => break,
                Some(ParsedLine(Err(error))) => {
                    self.out.report_error(error);
                    None
                }
                // During a search there is nothing to prepare.
                Some(ParsedLine(Ok(Command::IsReady))) if is_during_job => {
                    self.out.write_lines("readyok");
                    None
                }
                Some(ParsedLine(Ok(command))) => {
                    if is_during_job {
                        // Responses during a job do not wait for tables.
                        handle.stopper.stop();
                    }
                    self.execute_catching_panics(command, &handle)
                }
            };
            match runnable {
                None => self.scheduler.remove_ended_command(number),
                Some(runnable) => self.start_job_thread(number, runnable, &handle),
            }
        }
        self.scheduler.close();
    }

    /// Executes a command. If the command panics, the response is an error, and the session
    /// continues.
    fn execute_catching_panics(
        &mut self,
        mut command: Command,
        handle: &CommandHandle,
    ) -> Option<RunnableJob> {
        if let Command::Go(go) = &mut command {
            go.ponder &= !handle.stopper.has_ponder_hit();
        }
        let execute = AssertUnwindSafe(|| self.ugi.execute(command, &handle.stopper));
        match catch_unwind(execute) {
            Ok(Ok(runnable)) => runnable,
            Ok(Err(error)) => {
                self.out.report_error(error);
                None
            }
            Err(_) => {
                self.out.report_error("the command failed inside; this is a fault of the program");
                None
            }
        }
    }

    /// Runs a job on a separate thread. If no thread can be started, stops the job and runs it on
    /// this thread, so that the job ends at once and still responds.
    fn start_job_thread(&self, number: u64, runnable: RunnableJob, handle: &CommandHandle) {
        let control = runnable.job.control.clone();
        handle.stopper.connect_search_control(&control);
        self.scheduler.change_scheduler_and_notify(|state| {
            state.turn_into_job(number, runnable.job.is_exclusive())
        });
        let out = self.out.clone();
        let score_sender = self.score_sender.clone();
        let scheduler = self.scheduler.clone();
        let run = move |runnable: RunnableJob| {
            let mark_result =
                || scheduler.change_scheduler_and_notify(|state| state.mark_job_as_ending(number));
            let run = AssertUnwindSafe(|| runnable.run(mark_result));
            let score = catch_unwind(run).unwrap_or_else(|_| {
                out.report_error("the job failed inside; this is a fault of the program");
                None
            });
            // Sending fails only after the event loop has ended.
            let _ = score_sender.send(score);
            scheduler.remove_ended_command(number);
        };
        // The job is sent only after the thread has started. If the thread does not start, the job
        // is still available here.
        let (sender, receiver) = channel();
        let receive = {
            let run = run.clone();
            move || receiver.into_iter().for_each(run)
        };
        match memory::spawn_detached_thread(thread::Builder::new().name("search".into()), receive) {
            Ok(()) => drop(sender.send(runnable)),
            Err(error) => {
                self.out.report_error(format!(
                    "there is no thread to search on ({error}); the response comes at once"
                ));
                control.stop();
                run(runnable);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::time::Duration;

    use super::*;
    use crate::io::output::tests::MemoryWriter;
    use pentarch_engine::game_session::new_session_with_rules;
    use pentarch_nim::{Fault, Nim};

    /// Returns the responses to these lines in a game with this fault. The lines are separated by
    /// `;`.
    fn answers(fault: Fault, lines: &str) -> Vec<String> {
        let kept = MemoryWriter::default();
        let out = Output::new(kept.clone(), ErrorTarget::InBand);
        let ugi = Ugi::from_session(
            out.clone(),
            new_session_with_rules(Nim { fault, ..Nim::default() }, None),
        );
        serve_ugi(
            std::io::Cursor::new(lines.replace(';', "\n")),
            &out,
            ugi,
            MAX_WAITING_LINES_BYTES,
        )
        .unwrap();
        kept.written_lines()
    }

    /// Checks that a faulty search returns a legal move and one error line, and that a later search
    /// works. The error line comes before the move. But the error line of a helper thread comes
    /// after the move.
    fn check(fault: Fault, lines: &str, error: &str) {
        let answers = answers(fault, &format!("{lines};go depth 2;drawoffer"));
        let starting = |start: &str| answers.iter().filter(|line| line.starts_with(start)).count();
        let legal = ["bestmove 1", "bestmove 2", "bestmove 3"].map(starting).iter().sum::<usize>();
        assert_eq!((legal, starting("bestmove")), (2, 2), "{lines}: {answers:#?}");
        let errors =
            [starting("info string error: "), starting(&format!("info string error: {error}"))];
        assert_eq!(errors, [1, 1], "{lines}: {answers:#?}");
        let first = answers.iter().position(|line| line.starts_with("bestmove")).unwrap();
        let place = if fault == Fault::Helper { first + 1 } else { first - 1 };
        assert!(answers[place].starts_with("info string error: "), "{lines}: {answers:#?}");
        assert_eq!(starting("response "), 1, "{lines}: {answers:#?}");
    }

    const FAILED: &str = "the search failed inside; this is a fault of the program";

    #[test]
    fn a_search_that_panics_gets_a_response() {
        for go in [
            "go depth 12",
            "go nodes 1000000",
            "go mate 8",
            "go infinite;stop",
            "go ponder depth 12;ponderhit",
        ] {
            // A stopped search may end before it fails.
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
        // The response is the best move so far: take one of 21 matches.
        let answers = answers(Fault::Main, "go depth 12");
        assert!(answers.iter().any(|line| line.starts_with("info depth 4 ")), "{answers:#?}");
    }

    #[test]
    fn a_search_survives_panics_of_its_helper_threads() {
        check(Fault::Helper, "setoption name Threads value 3;go depth 12", FAILED);
        let answers = answers(Fault::Helper, "setoption name Threads value 2;go depth 14");
        assert!(answers.iter().any(|line| line.contains(" score mate ")), "{answers:#?}");
        assert!(answers.iter().any(|line| line == "bestmove 1"), "{answers:#?}");
    }

    /// A writer that sets a flag when a best move is written.
    struct BestMoveWatcher(MemoryWriter, Arc<AtomicBool>);

    impl Write for BestMoveWatcher {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if bytes.starts_with(b"bestmove") {
                self.1.store(true, Relaxed);
            }
            self.0.write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_best_move_does_not_wait_for_helper_threads() {
        let rules = Nim { fault: Fault::WaitingHelper, ..Nim::default() };
        let lines = "setoption name Threads value 3\ngo depth 12\ngo depth 2";
        let written = MemoryWriter::default();
        let watcher = BestMoveWatcher(written.clone(), rules.released.clone());
        let out = Output::new(watcher, ErrorTarget::InBand);
        let ugi = Ugi::from_session(out.clone(), new_session_with_rules(rules, None));
        serve_ugi(std::io::Cursor::new(lines), &out, ugi, MAX_WAITING_LINES_BYTES).unwrap();
        let lines = written.written_lines();
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
    }

    #[test]
    fn a_search_continues_without_tables_that_panic() {
        check(
            Fault::Tables,
            "go depth 12",
            "the tables failed inside; this is a fault of the program",
        );
    }

    #[test]
    fn a_stop_ends_the_wait_for_tables_and_responses_stay_in_order() {
        // Rejected lines before the first `isready` do not change the new game.
        let answers = answers(
            Fault::EndlessTables,
            "uginewgame;go cat;isready;query gameover;go dog;isready;stop",
        );
        let error = "info string error: ";
        let kinds: Vec<&str> =
            answers.iter().map(|line| if line.starts_with(error) { error } else { line }).collect();
        assert_eq!(kinds, [error, "readyok", "response false", error, "readyok"]);
    }

    /// Without a job, the response waits for the tables until a `stop` or a `quit`. During a search
    /// the response comes at once.
    #[test]
    fn known_values_say_whether_they_are_complete() {
        let completeness = |fault: Fault, lines: &str| -> Vec<bool> {
            let answers = answers(fault, lines);
            let responses = answers.iter().filter(|line| line.starts_with("response "));
            responses.map(|line| line.contains(r#""complete":true"#)).collect()
        };
        assert_eq!(completeness(Fault::EndlessTables, "query known;stop"), [false]);
        assert_eq!(completeness(Fault::EndlessTables, "query known;quit"), [false]);
        let during = "go infinite;query known;query known;stop";
        assert_eq!(completeness(Fault::EndlessTables, during), [false, false]);
        assert_eq!(completeness(Fault::Nowhere, "query known"), [true]);
    }

    /// A writer that sends a message after the result of a perft, and returns a little later.
    struct SlowResultWriter {
        written: MemoryWriter,
        sender: Sender<()>,
    }

    impl Write for SlowResultWriter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let count = self.written.write(bytes)?;
            if bytes.starts_with(b"Nodes") {
                self.sender.send(()).unwrap();
                thread::sleep(Duration::from_millis(30));
            }
            Ok(count)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// The job may still be running when a reader has its result.
    #[test]
    fn known_values_after_a_result_wait_for_tables() {
        let written = MemoryWriter::default();
        let (sender, receiver) = channel();
        let writer = SlowResultWriter { written: written.clone(), sender };
        let out = Output::new(writer, ErrorTarget::InBand);
        let rules = Nim { fault: Fault::EndlessTables, ..Nim::default() };
        let ugi = Ugi::from_session(out.clone(), new_session_with_rules(rules, None));
        let (input, mut lines) = std::io::pipe().unwrap();
        let input = std::io::BufReader::new(input);
        let session =
            thread::spawn(move || serve_ugi(input, &out, ugi, MAX_WAITING_LINES_BYTES).unwrap());
        lines.write_all(b"perft 3\n").unwrap();
        receiver.recv().unwrap();
        lines.write_all(b"query known\n").unwrap();
        thread::sleep(Duration::from_millis(60));
        assert_eq!(written.written_lines(), ["Nodes: 27"]);
        lines.write_all(b"stop\n").unwrap();
        drop(lines);
        session.join().unwrap();
        assert_eq!(written.written_lines().len(), 2);
    }

    #[test]
    fn a_perft_that_panics_gets_an_error() {
        let answers = answers(Fault::Main, "perft 9;go perft 9;perft 3;drawoffer");
        let failed = "info string error: the job failed inside; this is a fault of the program";
        assert_eq!(answers.iter().filter(|line| *line == failed).count(), 2, "{answers:#?}");
        assert_eq!(answers[answers.len() - 2..], ["Nodes: 27", "response decline"]);
    }

    /// A `quit` stops the `load` of a long game, even if the `quit` arrives before the `load`
    /// starts.
    #[test]
    fn a_quit_stops_the_load_of_a_long_game() {
        let text = |moves: &str| {
            format!("go infinite;query fen;load text [Game \"quoridor\"] {moves};query fen;quit")
        };
        let short = answers(Fault::Nowhere, &text("e2 e8"));
        assert!(short.iter().any(|line| line == "response e2e8 - w 10/10 2"), "{short:#?}");
        let stopped = answers(Fault::Nowhere, &text(&"e2 e8 e1 e9 ".repeat(20_000)));
        let error = "info string error: loading was stopped; the current game is unchanged";
        assert!(stopped.iter().any(|line| line == error), "{stopped:#?}");
        let fens: Vec<&String> =
            stopped.iter().filter(|line| line.starts_with("response ")).collect();
        assert!(fens.len() == 2 && fens[0] == fens[1], "{stopped:#?}");
    }

    /// Signals and queries act at once, even if the queue is long.
    #[test]
    fn waiting_lines_are_stored_as_text() {
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

    /// An input whose end can be observed. When the input is dropped, the channel is disconnected.
    struct TrackedInput(std::io::Cursor<String>, #[expect(dead_code)] Sender<()>);

    impl std::io::Read for TrackedInput {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            self.0.read(bytes)
        }
    }

    #[test]
    fn closing_the_output_releases_the_reading_thread() {
        let (sender, dropped) = channel();
        let lines = format!("go nodes 1000000000000\n{}", "drawoffer\n".repeat(100_000));
        let input = std::io::BufReader::new(TrackedInput(std::io::Cursor::new(lines), sender));
        let out = Output::new(MemoryWriter::default(), ErrorTarget::InBand);
        let ugi = Ugi::from_session(out.clone(), new_session_with_rules(Nim::default(), None));
        let close = out.close_callback();
        let session = thread::spawn(move || serve_ugi(input, &out, ugi, 10_000).unwrap());
        // The thread reads until the limit of waiting lines is reached.
        let waits = dropped.recv_timeout(std::time::Duration::from_millis(50));
        assert_eq!(waits, Err(std::sync::mpsc::RecvTimeoutError::Timeout));
        close();
        session.join().unwrap();
        assert_eq!(dropped.recv(), Err(std::sync::mpsc::RecvError));
    }
}
