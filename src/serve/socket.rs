//! Connects a page with the engine by a WebSocket. Each text message is one line: a request or a
//! response in JSON.
//!
//! Separate threads answer the requests. Two bounded queues connect these threads with the socket.
//! If a page sends requests faster than the engine processes them, or does not read the responses,
//! the server closes the connection.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::sync::{Arc, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, OwnedSemaphorePermit, watch};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use crate::analysis::{BatchThreadOptions, json_lines};
use crate::io::host::SystemHost;
use crate::io::input::MAX_LINE_BYTES;
use crate::io::output::{ErrorTarget, Output};
use crate::problems::grader::problem_of_position;
use crate::protocol::ugi::session_permissions::MAX_PAGE_GAME_MOVES;
use pentarch_core::Options;
use pentarch_engine::engine_options::EngineOptions;
use pentarch_engine::host::HostFault;
use pentarch_engine::requests::id::Id;
use pentarch_engine::requests::request::SearchLimits;
use pentarch_engine::requests::responder::Responder;
use pentarch_engine::requests::response::Response;
use pentarch_system::memory;

use super::console::SocketConsole;
use super::line_queue::{LineQueueReader, MAX_QUEUED_BYTES, QueueByteCapacity, QueuedLine};

/// Maximum number of bytes of a message. The limit is greater than the limit for a line. Therefore
/// a line that is too long reaches the engine, and gets the same response as on the standard input.
const MAX_MESSAGE_BYTES: usize = 2 * MAX_LINE_BYTES;
/// Number of concurrent searches of a page: a search for a move, the analysis of the shown
/// position, and a review.
const MAX_CONCURRENT_SEARCHES: usize = 3;
/// Maximum number of bytes that wait in the socket itself: one line as long as a whole queue, and
/// the responses to pings.
const MAX_WRITE_BUFFER_BYTES: usize = 2 * MAX_QUEUED_BYTES;
/// Time for the page to confirm that the connection closes.
const SOCKET_CLOSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Answers the requests of a page until `server_end` is true or the connection ends. The handshake
/// has already taken place on `connection`. `slot` is the permit for an open socket. Without a
/// permit, the function closes the connection.
pub async fn run<C: AsyncRead + AsyncWrite + Unpin>(
    connection: C,
    slot: Option<OwnedSemaphorePermit>,
    options: Options,
    mut server_end: watch::Receiver<bool>,
) {
    let limits = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE_BYTES))
        .max_frame_size(Some(MAX_MESSAGE_BYTES))
        .max_write_buffer_size(MAX_WRITE_BUFFER_BYTES);
    let mut socket = WebSocketStream::from_raw_socket(connection, Role::Server, Some(limits)).await;
    let end = match slot {
        Some(slot) => serve_page(&mut socket, slot, options, &mut server_end).await,
        None => close_frame(CloseCode::Again, "too many sockets are open"),
    };
    // After the timeout the connection is dropped, even if the page has not confirmed.
    let _ = timeout(SOCKET_CLOSE_TIMEOUT, close(&mut socket, end)).await;
}

/// The frame with which the server closes a connection; `None` if the page closes it.
type OptionalCloseFrame = Option<CloseFrame>;

/// Returns a frame that closes a connection.
fn close_frame(code: CloseCode, reason: &'static str) -> OptionalCloseFrame {
    Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) })
}

fn error_close_frame(error: &Error) -> OptionalCloseFrame {
    match error {
        Error::Protocol(_) => {
            close_frame(CloseCode::Protocol, "a frame violates the WebSocket protocol")
        }
        Error::Utf8(_) => close_frame(CloseCode::Invalid, "a message is not UTF-8"),
        Error::Capacity(_) => close_frame(CloseCode::Size, "a message is too long"),
        // The connection is gone.
        _ => None,
    }
}

/// Closes the connection, and waits for the page to confirm. Ignores messages that the page sends
/// until then.
async fn close<C: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<C>,
    end: OptionalCloseFrame,
) {
    if let Some(frame) = end
        && socket.send(Message::Close(Some(frame))).await.is_err()
    {
        return;
    }
    while let Some(Ok(_)) = socket.next().await {}
    // After an error the rest of the input is not parsed as frames, but it must be read. If a
    // connection with unread bytes is dropped, the system resets it, and the page does not receive
    // the reason.
    let connection = socket.get_mut();
    if connection.shutdown().await.is_ok() {
        let mut ignored = [0; 4096];
        while matches!(connection.read(&mut ignored).await, Ok(1..)) {}
    }
}

/// Starts the engine, and forwards lines in both directions until the connection ends. Then signals
/// the engine's threads to end.
async fn serve_page<C: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<C>,
    slot: OwnedSemaphorePermit,
    options: Options,
    server_end: &mut watch::Receiver<bool>,
) -> OptionalCloseFrame {
    let (requests, request_queue) = mpsc::channel();
    let (responses, response_queue) = unbounded_channel();
    let overflow = Arc::new(Notify::new());
    let last = responses.clone();
    let writer = ResponseWriter {
        responses,
        capacity: QueueByteCapacity::new(),
        overflow: overflow.clone(),
        _slot: slot,
    };
    let out = Output::new(writer, ErrorTarget::InBand);
    let close = out.close_callback();
    let serve = move || {
        let input = BufReader::new(LineQueueReader::new(request_queue));
        if let Err(error) = answer_socket_requests(input, &out, options) {
            out.write_lines(&Response::for_error(Id::default(), error.into()).to_json_line());
        }
        // If the send fails, the page is gone.
        let _ = last.send(None);
    };
    if let Err(error) =
        memory::spawn_detached_thread(thread::Builder::new().name("socket".into()), serve)
    {
        log::error!("cannot start a thread for a socket: {error}");
        return close_frame(CloseCode::Error, "there is no thread for the requests");
    }
    let end = tokio::select! {
        biased;
        _ = server_end.wait_for(|&ends| ends) => close_frame(CloseCode::Away, "the server ends"),
        () = overflow.notified() => close_frame(CloseCode::Policy, "the responses are not read"),
        end = forward(socket, &requests, response_queue) => end,
    };
    close();
    end
}

/// Answers requests until no request is left. Lines for the page's console go to the UGI session of
/// the socket.
fn answer_socket_requests(
    input: impl BufRead + Send + 'static,
    out: &Output,
    options: Options,
) -> Result<(), HostFault> {
    let hash = EngineOptions::new(&options).hash;
    let mut console = SocketConsole::new(out.clone(), options.clone());
    let closer = console.closer.clone();
    let responder = Responder::new(
        options,
        SearchLimits::UNLIMITED,
        MAX_PAGE_GAME_MOVES,
        SystemHost::shared_host(),
    )
    .with_problem_maker(problem_of_position);
    let plan = BatchThreadOptions { concurrency: MAX_CONCURRENT_SEARCHES, hash, ordered: false };
    let console = Box::new(move |id, line| console.send_line_to_session(id, line));
    let result = json_lines::respond_to_request_lines(
        input,
        MAX_QUEUED_BYTES,
        out,
        responder,
        plan,
        Some(console),
    );
    if let Some(close) = closer.lock().unwrap_or_else(PoisonError::into_inner).take() {
        close();
    }
    result.map(|_| ())
}

/// Forwards the messages of the page to the engine, and responses to the page, until the connection
/// ends.
async fn forward<C: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<C>,
    requests: &mpsc::Sender<QueuedLine>,
    mut responses: UnboundedReceiver<Option<QueuedLine>>,
) -> OptionalCloseFrame {
    let capacity = QueueByteCapacity::new();
    loop {
        tokio::select! {
            response = responses.recv() => match response.flatten() {
                Some(response) => {
                    if socket.send(Message::Text(response.line)).await.is_err() {
                        return None;
                    }
                }
                None => return close_frame(CloseCode::Error, "the engine has ended"),
            },
            message = socket.next() => match message {
                Some(Ok(Message::Text(line))) => match capacity.reserve_bytes(line.len()) {
                    // If the send fails, the engine has ended.
                    Some(permit) => drop(requests.send(QueuedLine { line, _permit: permit })),
                    None => {
                        return close_frame(
                            CloseCode::Policy,
                            "lines arrive faster than they are processed",
                        );
                    }
                },
                Some(Ok(Message::Binary(_))) => {
                    return close_frame(CloseCode::Unsupported, "expected a text message");
                }
                // The pong is sent before the next message is read. Therefore a page that reads no
                // responses cannot make the server read more messages.
                Some(Ok(Message::Ping(_))) => {
                    if socket.flush().await.is_err() {
                        return None;
                    }
                }
                Some(Ok(Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(_))) | None => return None,
                Some(Err(error)) => return error_close_frame(&error),
            },
        }
    }
}

/// A writer that queues the engine's responses for the page.
struct ResponseWriter {
    /// The queue of responses. `None` in the queue marks its end.
    responses: UnboundedSender<Option<QueuedLine>>,
    /// The capacity of the queue.
    capacity: QueueByteCapacity,
    /// Notified when a line exceeds the capacity.
    overflow: Arc<Notify>,
    /// The permit for an open socket. The permit is returned when the last thread has ended.
    _slot: OwnedSemaphorePermit,
}

impl Write for ResponseWriter {
    /// Writes whole lines.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in String::from_utf8_lossy(bytes).lines() {
            let Some(permit) = self.capacity.reserve_bytes(line.len()) else {
                self.overflow.notify_one();
                return Err(ErrorKind::BrokenPipe.into());
            };
            let queued = QueuedLine { line: line.into(), _permit: permit };
            self.responses.send(Some(queued)).map_err(|_| ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
