//! Standard input and output that always block, and the signal that must not end the program.
//!
//! Any process that shares a pipe or a terminal with this one can make it non-blocking. Reads and
//! writes of the standard library then fail where they would otherwise block.

use std::io::{self, BufRead, ErrorKind, Read, Stdin, Stdout, Write};

use wait::{Event, until};

/// Returns the standard input.
pub fn input() -> impl Read + Send {
    BlockingStream(io::stdin())
}

/// Returns the standard output.
pub fn output() -> impl Write + Send {
    BlockingStream(io::stdout())
}

/// Reads a line of the standard input with its end, and appends it to `bytes`. Appends nothing at
/// the end of the input.
///
/// # Errors
/// If reading fails.
pub fn read_line(bytes: &mut Vec<u8>) -> io::Result<()> {
    // A read that would block has stored its first bytes in `bytes`.
    until_ready(
        || io::stdin().lock().read_until(b'\n', bytes).map(drop),
        || until(&io::stdin(), Event::POLLIN),
    )
}

/// A standard stream whose reads and writes block, even if the system's stream is non-blocking.
struct BlockingStream<S>(S);

impl Read for BlockingStream<Stdin> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        until_ready(|| self.0.read(buffer), || until(&io::stdin(), Event::POLLIN))
    }
}

impl Write for BlockingStream<Stdout> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        until_ready(|| self.0.write(bytes), || until(&io::stdout(), Event::POLLOUT))
    }

    fn flush(&mut self) -> io::Result<()> {
        until_ready(|| self.0.flush(), || until(&io::stdout(), Event::POLLOUT))
    }
}

/// Repeats a call after each wait until the stream is ready for it.
fn until_ready<T>(
    mut call: impl FnMut() -> io::Result<T>,
    wait: impl Fn() -> io::Result<()>,
) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait()?,
            done => return done,
        }
    }
}

#[cfg(unix)]
mod wait {
    use std::io;
    use std::os::fd::AsFd;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollTimeout, poll};

    pub(super) use nix::poll::PollFlags as Event;

    /// Waits until the stream is ready, or has failed.
    pub(super) fn until(stream: &impl AsFd, event: Event) -> io::Result<()> {
        match poll(&mut [PollFd::new(stream.as_fd(), event)], PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(not(unix))]
mod wait {
    use std::io;
    use std::time::Duration;

    pub enum Event {
        POLLIN,
        POLLOUT,
    }

    /// Waits a little, since the system does not report when a stream is ready.
    pub fn until<S>(_: &S, _: Event) -> io::Result<()> {
        std::thread::sleep(Duration::from_millis(10));
        Ok(())
    }
}

/// Blocks the signal SIGXFSZ, so that a write beyond the limit on file sizes (`ulimit -f`) fails
/// and does not end the program. Call this before any thread is started, since threads inherit the
/// blocked signals.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // If the signal cannot be blocked, it ends the program.
        let _ = SigSet::from_iter([Signal::SIGXFSZ]).thread_block();
    }
}
