//! Standard input and output that wait, and the signal that must not end the program.
//!
//! Any process that shares a pipe or a terminal with this one can make it non-blocking. Reading and writing then fail
//! where they would otherwise wait; here they wait all the same.

use std::io::{self, BufRead, ErrorKind, Read, Stdin, Stdout, Write};

use wait::{Event, until};

/// The standard input.
pub fn input() -> impl Read + Send {
    Waiting(io::stdin())
}

/// The standard output.
pub fn output() -> impl Write + Send {
    Waiting(io::stdout())
}

/// Reads a line of the standard input with its end, and adds it to `bytes`; nothing at the end of the input.
///
/// # Errors
/// If reading fails.
pub fn read_line(bytes: &mut Vec<u8>) -> io::Result<()> {
    // What was read before it had to be waited is kept in `bytes`.
    let read = || io::stdin().lock().read_until(b'\n', bytes).map(drop);
    until_ready(read, || until(&io::stdin(), Event::POLLIN))
}

/// A stream of the system whose reads and writes wait, even if it is non-blocking.
struct Waiting<S>(S);

impl Read for Waiting<Stdin> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        until_ready(|| self.0.read(buffer), || until(&io::stdin(), Event::POLLIN))
    }
}

impl Write for Waiting<Stdout> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        until_ready(|| self.0.write(bytes), || until(&io::stdout(), Event::POLLOUT))
    }

    fn flush(&mut self) -> io::Result<()> {
        until_ready(|| self.0.flush(), || until(&io::stdout(), Event::POLLOUT))
    }
}

/// Does a work again after each wait, as long as the stream is not ready for it.
fn until_ready<T>(
    mut work: impl FnMut() -> io::Result<T>,
    wait: impl Fn() -> io::Result<()>,
) -> io::Result<T> {
    loop {
        match work() {
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

    pub use nix::poll::PollFlags as Event;

    /// Waits until the stream is ready, or has failed.
    pub fn until(stream: &impl AsFd, event: Event) -> io::Result<()> {
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

    /// Waits a little, where the system does not tell when a stream is ready.
    pub fn until<S>(_: &S, _: Event) -> io::Result<()> {
        std::thread::sleep(Duration::from_millis(10));
        Ok(())
    }
}

/// Has a write fail that exceeds the limit on the size of files (`ulimit -f`), where the signal SIGXFSZ would end the
/// program. To be called before any thread is started, since threads inherit which signals are blocked.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // If the signal cannot be blocked, it ends the program as it does others.
        let _ = SigSet::from_iter([Signal::SIGXFSZ]).thread_block();
    }
}
