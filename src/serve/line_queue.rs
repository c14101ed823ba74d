//! Queues of lines between the socket and what answers them, of a limited size.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, mpsc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// The most bytes that may wait on the way to the engine, that may wait there to be carried out, and that may wait on
/// the way to the page: 8 MiB each.
pub const MAX_WAITING: usize = 8 * 1024 * 1024;
/// How many bytes a line takes besides its text, while it waits on its way.
const LINE_OVERHEAD: usize = 128;

/// A line on its way, with its share of the room in the queue.
pub type Queued = (Utf8Bytes, OwnedSemaphorePermit);

/// The room for lines on their way.
pub struct Room(Arc<Semaphore>);

impl Room {
    /// The whole room.
    pub fn new() -> Room {
        Room(Arc::new(Semaphore::new(MAX_WAITING)))
    }

    /// Takes room for a line of so many bytes; none if there is not enough.
    pub fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let permits = u32::try_from(bytes + LINE_OVERHEAD).ok()?;
        self.0.clone().try_acquire_many_owned(permits).ok()
    }
}

/// The lines that the page has sent, as the engine reads them.
pub struct Lines {
    received: mpsc::Receiver<Queued>,
    /// What is left of the line that is read.
    line: VecDeque<u8>,
}

impl Lines {
    /// The lines that are received here.
    pub fn new(received: mpsc::Receiver<Queued>) -> Lines {
        Lines { received, line: VecDeque::new() }
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.line.is_empty()
            && let Ok((line, _room)) = self.received.recv()
        {
            self.line.extend(line.bytes().chain([b'\n']));
        }
        self.line.read(buffer)
    }
}
