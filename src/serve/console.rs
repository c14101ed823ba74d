//! The UGI session of a socket that carries requests: the page's console.

use std::io::{self, BufReader, ErrorKind, Write};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use crate::analysis::start_thread;
use crate::io::output::{Errors, Output};
use crate::protocol::ugi::command::Command;
use crate::protocol::ugi::commands::Ugi;
use crate::protocol::ugi::event_loop;
use crate::protocol::ugi::parse::parse_input_line;
use crate::protocol::ugi::session_access::SessionAccess;
use pentarch_core::Options;
use pentarch_engine::error::EngineError;
use pentarch_engine::host::HostFault;
use pentarch_engine::requests::id::Id;
use pentarch_engine::requests::response::Response;

use super::line_queue::{Lines, MAX_WAITING, Queued, Room};

/// What closes the output of a session, so that it ends.
type Closer = Box<dyn FnOnce() + Send>;

/// The console of a socket. Its session begins with the first line, and anew with the first one after `quit`.
pub struct Console {
    /// The output of the socket.
    out: Output,
    options: Options,
    /// The id of the last line that came.
    id: Arc<Mutex<Id>>,
    /// Where the lines of the session go; none before it begins.
    lines: Option<mpsc::Sender<Queued>>,
    /// The room for lines on their way there.
    room: Room,
    /// What ends the session; none before it begins.
    pub closer: Arc<Mutex<Option<Closer>>>,
}

impl Console {
    /// A console with this output, whose session begins with these options.
    pub fn new(out: Output, options: Options) -> Console {
        Console {
            out,
            options,
            id: Arc::default(),
            lines: None,
            room: Room::new(),
            closer: Arc::default(),
        }
    }

    /// Takes a line, to which responses have this id.
    ///
    /// # Errors
    /// If too many lines wait, or if a session cannot begin.
    pub fn take(&mut self, id: Id, line: String) -> Result<(), EngineError> {
        *self.id.lock().unwrap_or_else(PoisonError::into_inner) = id;
        let room = self.room.take(line.len()).ok_or(HostFault::TooManyLines)?;
        let is_last = matches!(parse_input_line(&Ok(line.clone())), Ok(Some(Command::Quit)));
        let mut queued = (line.into(), room);
        // A session that ends still reads a line, which would be lost.
        let session = if is_last { self.lines.take() } else { self.lines.clone() };
        if let Some(lines) = session {
            match lines.send(queued) {
                Ok(()) => return Ok(()),
                // The session has ended.
                Err(mpsc::SendError(unsent)) => queued = unsent,
            }
        }
        let lines = self.begin()?;
        // The session has just begun to read.
        let _ = lines.send(queued);
        self.lines = Some(lines).filter(|_| !is_last);
        Ok(())
    }

    /// Begins a session.
    fn begin(&self) -> Result<mpsc::Sender<Queued>, HostFault> {
        let (lines, received) = mpsc::channel();
        let out =
            Output::new(Wrapped { out: self.out.clone(), id: self.id.clone() }, Errors::InBand);
        *self.closer.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(out.closer()));
        if self.out.is_closed() {
            return Err(HostFault::Closed);
        }
        let options = self.options.clone();
        let serve = move || {
            let input = BufReader::new(Lines::new(received));
            let ugi = Ugi::new(out.clone(), options, SessionAccess::Page);
            if let Err(error) = event_loop::serve(input, &out, ugi, MAX_WAITING) {
                out.error(error);
            }
        };
        start_thread("console".into(), "run the console on", serve)?;
        Ok(lines)
    }
}

/// The lines of the session, each as an object with the id of the last line that came.
struct Wrapped {
    out: Output,
    id: Arc<Mutex<Id>>,
}

impl Write for Wrapped {
    /// Takes whole lines.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let id = self.id.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for line in String::from_utf8_lossy(bytes).lines() {
            self.out.lines(&Response::for_console(id.clone(), line).to_json_line());
        }
        if self.out.is_closed() { Err(ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
