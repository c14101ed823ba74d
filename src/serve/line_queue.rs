//! Queues of lines of a limited size, between the socket and the threads that respond.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, mpsc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// The most bytes that may wait in each queue: on the way to the engine, in the engine, and on the way to the page.
pub const MAX_WAITING: usize = 8 * 1024 * 1024;
/// The bytes that a waiting line takes in addition to its text.
const LINE_OVERHEAD: usize = 128;

/// A waiting line, with its share of the queue's capacity.
pub type Queued = (Utf8Bytes, OwnedSemaphorePermit);

/// The capacity of a queue.
pub struct Room(Arc<Semaphore>);

impl Room {
    /// Returns a capacity of which nothing is taken.
    pub fn new() -> Room {
        Room(Arc::new(Semaphore::new(MAX_WAITING)))
    }

    /// Takes capacity for a line of `bytes` bytes; returns none if there is not enough.
    pub fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let permits = u32::try_from(bytes + LINE_OVERHEAD).ok()?;
        self.0.clone().try_acquire_many_owned(permits).ok()
    }
}

/// The lines that the page has sent, as the engine reads them.
pub struct Lines {
    received: mpsc::Receiver<Queued>,
    /// The rest of the line that is being read.
    line: VecDeque<u8>,
}

impl Lines {
    /// Returns a reader of the lines that arrive here.
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
