//! Queues lines between the socket and the threads that respond. The queues have a limited size.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, mpsc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// Maximum number of bytes in each of three queues: on the way to the engine, in the engine, and on
/// the way to the page.
pub(super) const MAX_QUEUED_BYTES: usize = 8 * 1024 * 1024;
/// Memory of a waiting line in addition to its text, in bytes.
const QUEUED_LINE_OVERHEAD_BYTES: usize = 128;

/// A waiting line, with its share of the queue's capacity.
pub(super) struct QueuedLine {
    pub line: Utf8Bytes,
    /// The memory of the line as a share of the queue's capacity. Dropping the line returns the
    /// share.
    pub _permit: OwnedSemaphorePermit,
}

/// The capacity of a queue.
pub(super) struct QueueByteCapacity(Arc<Semaphore>);

impl QueueByteCapacity {
    /// Returns the capacity of an empty queue.
    pub(super) fn new() -> QueueByteCapacity {
        QueueByteCapacity(Arc::new(Semaphore::new(MAX_QUEUED_BYTES)))
    }

    /// Reserves capacity for a line of `bytes` bytes; returns `None` if there is not enough
    /// capacity.
    pub(super) fn reserve_bytes(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let permits = u32::try_from(bytes + QUEUED_LINE_OVERHEAD_BYTES).ok()?;
        self.0.clone().try_acquire_many_owned(permits).ok()
    }
}

/// Reads the lines of a queue as bytes. Blocks while the queue is empty.
pub(super) struct LineQueueReader {
    queue: mpsc::Receiver<QueuedLine>,
    /// The unread bytes of the current line.
    line: VecDeque<u8>,
}

impl LineQueueReader {
    /// Creates a reader of this queue.
    pub(super) fn new(queue: mpsc::Receiver<QueuedLine>) -> LineQueueReader {
        LineQueueReader { queue, line: VecDeque::new() }
    }
}

impl Read for LineQueueReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.line.is_empty()
            && let Ok(queued) = self.queue.recv()
        {
            self.line.extend(queued.line.bytes().chain([b'\n']));
        }
        self.line.read(buffer)
    }
}
