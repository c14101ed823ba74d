//! Runs the page's console: a UGI session on the socket of the page.

use std::io::{self, BufReader, ErrorKind, Write};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use crate::analysis::start_detached_thread;
use crate::io::output::{ErrorTarget, Output};
use crate::protocol::ugi::command::Command;
use crate::protocol::ugi::commands::Ugi;
use crate::protocol::ugi::event_loop;
use crate::protocol::ugi::parse::parse_input_line;
use crate::protocol::ugi::session_permissions::SessionPermissions;
use pentarch_core::Options;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::HostFault;
use pentarch_engine::requests::id::Id;
use pentarch_engine::requests::response::Response;

use super::line_queue::{LineQueueReader, MAX_QUEUED_BYTES, QueueByteCapacity, QueuedLine};

/// A function that closes the output of a session and so ends the session.
type SessionCloser = Box<dyn FnOnce() + Send>;

/// The console of a page: a UGI session on the socket of the page. The session begins with the
/// first line. After `quit`, the next line begins another session.
pub(super) struct SocketConsole {
    /// The output of the socket.
    out: Output,
    options: Options,
    /// The id of the last line.
    id: Arc<Mutex<Id>>,
    /// The queue of the session's input; `None` before a session begins.
    lines: Option<mpsc::Sender<QueuedLine>>,
    /// The capacity of the queue `lines`.
    capacity: QueueByteCapacity,
    /// The function that ends the session; `None` before a session begins.
    pub closer: Arc<Mutex<Option<SessionCloser>>>,
}

impl SocketConsole {
    /// Creates a console that writes to this output and begins its sessions with these options.
    pub(super) fn new(out: Output, options: Options) -> SocketConsole {
        SocketConsole {
            out,
            options,
            id: Arc::default(),
            lines: None,
            capacity: QueueByteCapacity::new(),
            closer: Arc::default(),
        }
    }

    /// Sends a line to the session. Responses to this line have this id.
    ///
    /// # Errors
    /// If too many lines wait, or if a session cannot begin.
    pub(super) fn send_line_to_session(&mut self, id: Id, line: String) -> Result<(), EngineError> {
        *self.id.lock().unwrap_or_else(PoisonError::into_inner) = id;
        let permit = self.capacity.reserve_bytes(line.len()).ok_or(HostFault::TooManyLines)?;
        let is_last = matches!(parse_input_line(&Ok(line.clone())), Ok(Some(Command::Quit)));
        let mut queued = QueuedLine { line: line.into(), _permit: permit };
        // After `quit` the queue is dropped. Otherwise the ending session could still read the next
        // line and lose it.
        let session = if is_last { self.lines.take() } else { self.lines.clone() };
        if let Some(lines) = session {
            match lines.send(queued) {
                Ok(()) => return Ok(()),
                // The session has ended.
                Err(mpsc::SendError(unsent)) => queued = unsent,
            }
        }
        let lines = self.begin_session()?;
        // This succeeds, because the session has just begun to read its queue.
        let _ = lines.send(queued);
        self.lines = Some(lines).filter(|_| !is_last);
        Ok(())
    }

    /// Begins a session. Returns the queue of its input.
    fn begin_session(&self) -> Result<mpsc::Sender<QueuedLine>, HostFault> {
        let (lines, received) = mpsc::channel();
        let writer = ConsoleResponseWriter { out: self.out.clone(), id: self.id.clone() };
        let out = Output::new(writer, ErrorTarget::InBand);
        *self.closer.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Box::new(out.close_callback()));
        if self.out.is_closed() {
            return Err(HostFault::Closed);
        }
        let options = self.options.clone();
        let serve = move || {
            let input = BufReader::new(LineQueueReader::new(received));
            let ugi = Ugi::new(out.clone(), options, SessionPermissions::Page);
            if let Err(error) = event_loop::serve_ugi(input, &out, ugi, MAX_QUEUED_BYTES) {
                out.report_error(error);
            }
        };
        start_detached_thread("console".into(), "run the console on", serve)?;
        Ok(lines)
    }
}

/// A writer that wraps each line of the session into a response. The response has the id of the
/// last input line.
struct ConsoleResponseWriter {
    out: Output,
    id: Arc<Mutex<Id>>,
}

impl Write for ConsoleResponseWriter {
    /// Writes whole lines.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let id = self.id.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for line in String::from_utf8_lossy(bytes).lines() {
            self.out.write_lines(&Response::for_console(id.clone(), line).to_json_line());
        }
        if self.out.is_closed() { Err(ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
