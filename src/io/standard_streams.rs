//! Makes standard input and output always block, and prevents a signal from ending the program.
//!
//! Another process may share a pipe or a terminal with this one. The other process can make the
//! stream non-blocking. In that case, reads and writes by the standard library fail instead of
//! blocking.

use std::io::{self, BufRead, ErrorKind, Read, Stdin, Stdout, Write};

use wait::{StreamEvent, wait_for_stream_event};

/// Returns the standard input.
pub fn standard_input() -> impl Read + Send {
    BlockingStream(io::stdin())
}

/// Returns the standard output.
pub fn standard_output() -> impl Write + Send {
    BlockingStream(io::stdout())
}

/// Reads a line of the standard input, including its end, and appends it to `bytes`. At the end of
/// the input, appends nothing.
///
/// # Errors
/// If reading fails.
pub fn read_standard_input_line(bytes: &mut Vec<u8>) -> io::Result<()> {
    // The call resumes after an interruption: even if it fails because it would block, `bytes`
    // contains the bytes read so far.
    retry_until_stream_ready(
        || io::stdin().lock().read_until(b'\n', bytes).map(drop),
        || wait_for_stream_event(&io::stdin(), StreamEvent::POLLIN),
    )
}

/// A standard stream. Its reads and writes block even if the stream of the system is non-blocking.
struct BlockingStream<S>(S);

impl Read for BlockingStream<Stdin> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        retry_until_stream_ready(
            || self.0.read(buffer),
            || wait_for_stream_event(&io::stdin(), StreamEvent::POLLIN),
        )
    }
}

impl Write for BlockingStream<Stdout> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        retry_until_stream_ready(
            || self.0.write(bytes),
            || wait_for_stream_event(&io::stdout(), StreamEvent::POLLOUT),
        )
    }

    fn flush(&mut self) -> io::Result<()> {
        retry_until_stream_ready(
            || self.0.flush(),
            || wait_for_stream_event(&io::stdout(), StreamEvent::POLLOUT),
        )
    }
}

/// Calls `call` until the stream is ready for the call. Waits after each failed call.
fn retry_until_stream_ready<T>(
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

    pub(super) use nix::poll::PollFlags as StreamEvent;

    /// Waits until the stream is ready, or has failed.
    pub(super) fn wait_for_stream_event(stream: &impl AsFd, event: StreamEvent) -> io::Result<()> {
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

    pub enum StreamEvent {
        POLLIN,
        POLLOUT,
    }

    /// Waits for a short time, because the system does not report when a stream is ready.
    pub fn wait_for_stream_event<S>(_: &S, _: StreamEvent) -> io::Result<()> {
        std::thread::sleep(Duration::from_millis(10));
        Ok(())
    }
}

/// Blocks the signal SIGXFSZ. Then a write beyond the limit on file sizes (`ulimit -f`) fails
/// instead of ending the program. Call this before any thread is started, because threads inherit
/// the blocked signals.
pub fn ignore_file_size_signal() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // If the signal cannot be blocked, it ends the program.
        let _ = SigSet::from_iter([Signal::SIGXFSZ]).thread_block();
    }
}
