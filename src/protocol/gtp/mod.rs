//! The Go Text Protocol, version 2 (G. Farnebäck, 2002), for front ends and tools for Go, such as
//! GoGui.
//!
//! Black is the side that moves first. `play` and `genmove` exchange single points. These are
//! points of the game's projection on a Go board, and a move may consist of several points.
//! Commands are answered one after another. Only the comment `# interrupt` and the command `quit`
//! act at once: they stop the current search. Any line ends an analysis.
//!
//! | module | contents |
//! |---|---|
//! | `commands` | the effects and responses of the commands |
//! | [`error`] | errors of commands |
//! | [`text`] | the grammar of commands, colours, vertices and numbers |
//! | [`partial_move`] | moves that are composed of single points |
//! | `clock` | main time and byo-yomi of both sides |
//! | [`graphics`] | a position on GoGui's board |
//! | `analysis` | reports on a search while it runs |

mod analysis;
mod clock;
mod commands;
pub mod error;
pub mod graphics;
pub mod partial_move;
pub mod text;

use std::fmt::Display;
use std::io::{BufRead, Write};
use std::mem::replace;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crate::io::host::SystemHost;
use crate::io::input::{InputLines, InvalidLine, MAX_WAITING_LINES_BYTES, WaitingInputLine};
use crate::io::output::{ErrorTarget, Output};
use crate::io::shared_scheduler::SharedScheduler;
use pentarch_core::notation::parsing::parse_whole_string;
use pentarch_core::{Options, Side};
use pentarch_engine::engine_state::Engine;
use pentarch_engine::scheduler::{CommandHandle, CommandStartCondition, StartedCommand};
use pentarch_engine::stopper::Stopper;

use crate::protocol::ProtocolRunError;
use clock::GtpClock;
use error::GtpError;
use partial_move::PartialMove;
use text::{is_blank_line, is_interrupt_or_quit_line, parse_gtp_request, preprocess_line};

/// Reads and executes commands. Ends at `quit`, at the end of the input, or when the output is
/// closed. Returns whether all commands were executed.
///
/// # Errors
/// If the input cannot be read, if no thread can be started to read it, or if the output cannot be
/// written. It is not an error if the reader has closed the output.
pub fn run_gtp(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    options: Options,
) -> Result<bool, ProtocolRunError> {
    serve_gtp(
        input,
        &Output::new(output, ErrorTarget::Stderr),
        Engine::new(options, SystemHost::shared_host()),
    )
}

/// Reads and executes commands.
fn serve_gtp(
    input: impl BufRead + Send + 'static,
    out: &Output,
    engine: Engine,
) -> Result<bool, ProtocolRunError> {
    let scheduler = SharedScheduler::new_closing_with_output(out);
    scheduler.start_reading_thread(
        InputLines::new(input, MAX_WAITING_LINES_BYTES, out),
        |scheduler, line| {
            scheduler.change_scheduler_and_notify(|state| {
                if matches!(&line.text, Ok(text) if is_interrupt_or_quit_line(text)) {
                    state.stop_commands_with_id(None);
                }
                state.push_command(
                    CommandStartCondition::AfterJob,
                    0.0,
                    line,
                    CommandHandle::default(),
                );
            });
        },
    )?;
    let mut gtp = Gtp {
        out: out.clone(),
        engine,
        partial_move: PartialMove::default(),
        clock: GtpClock::default(),
        planned_move: None,
        flagged_side: None,
        search_time: Duration::ZERO,
        line_number: 0,
        stopper: Stopper::default(),
        id: String::new(),
        has_begun_response: false,
        scheduler: scheduler.clone(),
        has_quit: false,
        has_rejected_line: false,
    };
    while let Some(StartedCommand { number, item: line, handle, .. }) =
        scheduler.start_next_command()
    {
        (gtp.line_number, gtp.stopper) = (number, handle.stopper);
        let response = match &line.text {
            Ok(text) => {
                log::debug!("> {text}");
                gtp.respond(&preprocess_line(text))
            }
            Err(error) => gtp.respond_to_invalid_line(error),
        };
        if let Some(response) = response {
            out.write_unchanged(&response);
        }
        scheduler.remove_ended_command(number);
        if gtp.has_quit {
            break;
        }
    }
    scheduler.close();
    out.take_first_failure()?;
    Ok(!gtp.has_rejected_line)
}

/// The state of a GTP session between commands.
struct Gtp {
    /// The output for errors and warnings that are not part of a response.
    out: Output,
    engine: Engine,
    /// The points of a move that is not complete yet.
    partial_move: PartialMove,
    clock: GtpClock,
    /// The move whose first points `genmove` has returned.
    planned_move: Option<String>,
    /// The side whose clock has run out. If the front end, which has a separate clock, continues
    /// the game, this session also continues it.
    flagged_side: Option<Side>,
    /// The total time of all searches.
    search_time: Duration,
    /// The number of the current line.
    line_number: u64,
    /// The handle that stops the searches of the current line.
    stopper: Stopper,
    /// The number that the response to the current line repeats.
    id: String,
    /// Whether the beginning of the response was already written.
    has_begun_response: bool,
    scheduler: Arc<SharedScheduler<WaitingInputLine>>,
    has_quit: bool,
    /// Whether an error prevented a line from being executed.
    has_rejected_line: bool,
}

impl Gtp {
    /// Returns the whole response to a line; `None` if the line is empty.
    fn respond(&mut self, line: &str) -> Option<String> {
        if is_blank_line(line) {
            return None;
        }
        let parsed = parse_whole_string(|input| parse_gtp_request(line, input), line);
        let (id, name, result) = match parsed {
            Err(error) => ("", "", Err(error.into())),
            Ok(request) => {
                self.id = request.id.into();
                let run = AssertUnwindSafe(|| self.execute(request.name, &request.arguments));
                let result = catch_unwind(run).unwrap_or(Err(GtpError::Panic));
                (request.id, request.name, result)
            }
        };
        if replace(&mut self.has_begun_response, false) {
            return Some("\n".into());
        }
        Some(match result {
            Ok(text) => format!("={id} {text}\n\n"),
            Err(error) => match error.standard_phrase(name) {
                Some(standard_phrase) => {
                    self.error_response(id, &format_args!("{standard_phrase}: {error}"))
                }
                None => self.error_response(id, &error),
            },
        })
    }

    /// Returns the response to a line that cannot be read. If only its comment cannot be read,
    /// executes the rest of the line.
    fn respond_to_invalid_line(&mut self, line: &InvalidLine) -> Option<String> {
        let text = preprocess_line(line.readable_part());
        if matches!(line, InvalidLine::NotUtf8(..)) && !text.contains('\u{fffd}') {
            return self.respond(&text);
        }
        let id: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
        (!is_blank_line(&text))
            .then(|| self.error_response(&id, &format_args!("syntax error: {line}")))
    }

    /// Returns the response to a line that was not executed because of this error.
    fn error_response(&mut self, id: &str, error: &dyn Display) -> String {
        self.has_rejected_line = true;
        format!("?{id} {error}\n\n")
    }

    /// Writes the beginning of a response. The command writes the rest while it runs.
    fn begin_response(&mut self) {
        self.out.write_unchanged(&format!("={} \n", self.id));
        self.has_begun_response = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::output::tests::MemoryWriter;
    use pentarch_engine::game_session::new_session_with_rules;
    use pentarch_nim::{Fault, Nim};

    #[test]
    fn a_search_that_panics_gets_a_response() {
        let kept = MemoryWriter::default();
        let out = Output::new(kept.clone(), ErrorTarget::InBand);
        let mut engine = Engine::new(Options::default(), SystemHost::shared_host());
        engine.session = new_session_with_rules(Nim { fault: Fault::Main, ..Nim::default() }, None);
        let lines = "time_settings 600 0 0\nreg_genmove\nplay_text 333\ngenmove_text\nname\n";
        serve_gtp(std::io::Cursor::new(lines), &out, engine).unwrap();
        let lines = kept.written_lines();
        let failed = lines.iter().filter(|line| {
            line.ends_with("the search failed inside; this is a fault of the program")
        });
        assert_eq!(failed.count(), 2, "{lines:#?}");
        let answers: Vec<&str> =
            lines.iter().filter_map(|line| line.strip_prefix('=')).map(str::trim).collect();
        assert_eq!(
            (answers.len(), answers[0], answers[2], answers[4]),
            (5, "", "", "pentarch Nim"),
            "{lines:#?}"
        );
        assert!(
            [answers[1], answers[3]].iter().all(|vertex| ["1", "2", "3"].contains(vertex)),
            "{lines:#?}"
        );
    }
}
