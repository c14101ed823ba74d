//! The WebSocket of a page: each text message is one line, a request or an answer in JSON.
//!
//! What answers them runs on threads of its own. Two queues lie between these and the socket. Neither grows without
//! bounds: a page that sends faster than the engine consumes, or that does not read the answers, is cut off.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::sync::{Arc, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, OwnedSemaphorePermit, watch};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use crate::analysis::{Plan, json_lines};
use crate::io::host::System;
use crate::io::input::MAX_LINE;
use crate::io::output::{Errors, Output};
use crate::problems::judge::problem_of;
use crate::protocol::ugi::page_limits::MOST_MOVES;
use pentarch_core::Options;
use pentarch_engine::host::HostFault;
use pentarch_engine::options::EngineOptions;
use pentarch_engine::requests::id::Id;
use pentarch_engine::requests::request::Effort;
use pentarch_engine::requests::responder::Responder;
use pentarch_engine::requests::response::Response;
use pentarch_system::memory;

use super::console::Console;
use super::line_queue::{Lines, MAX_WAITING, Queued, Room};

/// The most bytes that a message of the page may have. It is more than a line may have, so that a line that is too long
/// is answered as it is on standard input.
const MAX_MESSAGE: usize = 2 * MAX_LINE;
/// How many searches of a page run at once: for a move, for the analysis of what is looked at, and for a review.
const SEARCHES: usize = 3;
/// The most bytes that wait in the socket itself: one line of a full queue, with the answers to pings.
const MAX_WRITE_BUFFER: usize = 2 * MAX_WAITING;
/// How long the page may take to agree to the end of the connection.
const PATIENCE: Duration = Duration::from_secs(30);

/// The end of a WebSocket that is the server's.
type WebSocket = WebSocketStream<TokioIo<Upgraded>>;

/// Carries the requests of a page until `server_end` is true. Without a slot, which is one of the sockets that may be
/// open, it is sent away.
pub async fn run(
    connection: Upgraded,
    slot: Option<OwnedSemaphorePermit>,
    options: Options,
    mut server_end: watch::Receiver<bool>,
) {
    let limits = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE))
        .max_write_buffer_size(MAX_WRITE_BUFFER);
    let mut socket =
        WebSocket::from_raw_socket(TokioIo::new(connection), Role::Server, Some(limits)).await;
    let end = match slot {
        Some(slot) => carry(&mut socket, slot, options, &mut server_end).await,
        None => because(CloseCode::Again, "too many sockets are open"),
    };
    // The connection is dropped then, whether the page agrees or not.
    let _ = timeout(PATIENCE, close(&mut socket, end)).await;
}

/// How a connection ends: what the page is told, or `None` if the page itself ends it.
type End = Option<CloseFrame>;

/// The end of a connection by the server.
fn because(code: CloseCode, reason: &'static str) -> End {
    Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) })
}

/// The end of a connection on which this went wrong.
fn fault(error: &Error) -> End {
    match error {
        Error::Protocol(_) => {
            because(CloseCode::Protocol, "a frame is none of the WebSocket protocol")
        }
        Error::Utf8(_) => because(CloseCode::Invalid, "a text is not UTF-8"),
        Error::Capacity(_) => because(CloseCode::Size, "a message is too long"),
        // The connection is gone.
        _ => None,
    }
}

/// Closes the connection in agreement with the page. What the page has sent until it hears of this is passed over.
async fn close(socket: &mut WebSocket, end: End) {
    if let Some(frame) = end
        && socket.send(Message::Close(Some(frame))).await.is_err()
    {
        return;
    }
    while let Some(Ok(_)) = socket.next().await {}
    // After a fault nothing more is taken for frames. A connection that is dropped while bytes of the page wait on it
    // is reset, and the page would not learn why.
    let connection = socket.get_mut();
    if connection.shutdown().await.is_ok() {
        let mut passed_over = [0; 4096];
        while matches!(connection.read(&mut passed_over).await, Ok(1..)) {}
    }
}

/// Starts the engine, and carries lines to and fro until the connection ends. Its threads are told to end then.
async fn carry(
    socket: &mut WebSocket,
    slot: OwnedSemaphorePermit,
    options: Options,
    server_end: &mut watch::Receiver<bool>,
) -> End {
    let (lines, received) = mpsc::channel();
    let (answers, answered) = unbounded_channel();
    let overflow = Arc::new(Notify::new());
    let last = answers.clone();
    let answers = Answers { answers, room: Room::new(), overflow: overflow.clone(), _slot: slot };
    let out = Output::new(answers, Errors::InBand);
    let close = out.closer();
    let serve = move || {
        let input = BufReader::new(Lines::new(received));
        if let Err(error) = answer_requests(input, &out, options) {
            out.lines(&Response::error(Id::default(), error.into()).line());
        }
        // Sending fails only if the page is gone.
        let _ = last.send(None);
    };
    if let Err(error) = memory::spawn_detached(thread::Builder::new().name("socket".into()), serve)
    {
        log::error!("there is no thread for a socket: {error}");
        return because(CloseCode::Error, "there is no thread for the requests");
    }
    let end = tokio::select! {
        biased;
        _ = server_end.wait_for(|&ends| ends) => because(CloseCode::Away, "the server ends"),
        () = overflow.notified() => because(CloseCode::Policy, "the answers are not read"),
        end = exchange(socket, &lines, answered) => end,
    };
    close();
    end
}

/// Answers requests until there are no more. One of the lines of the page's console goes to the UGI session that the
/// socket has for it.
fn answer_requests(
    input: impl BufRead + Send + 'static,
    out: &Output,
    options: Options,
) -> Result<(), HostFault> {
    let hash = EngineOptions::of(&options).hash;
    let mut console = Console::new(out.clone(), options.clone());
    let closer = console.closer.clone();
    let responder = Responder::new(options, Effort::NONE, MOST_MOVES, System::shared())
        .with_problems(problem_of);
    let plan = Plan { concurrency: SEARCHES, hash, ordered: false };
    let console = Box::new(move |id, line| console.take(id, line));
    let answered = json_lines::answer_all(input, MAX_WAITING, out, responder, plan, Some(console));
    if let Some(close) = closer.lock().unwrap_or_else(PoisonError::into_inner).take() {
        close();
    }
    answered.map(|_| ())
}

/// Sends the lines that the page sends to the engine, and the answers to the page.
async fn exchange(
    socket: &mut WebSocket,
    lines: &mpsc::Sender<Queued>,
    mut answered: UnboundedReceiver<Option<Queued>>,
) -> End {
    let to_engine = Room::new();
    loop {
        tokio::select! {
            answer = answered.recv() => match answer.flatten() {
                Some((line, _room)) => {
                    if socket.send(Message::Text(line)).await.is_err() {
                        return None;
                    }
                }
                None => return because(CloseCode::Error, "no more requests are answered"),
            },
            message = socket.next() => match message {
                Some(Ok(Message::Text(line))) => match to_engine.take(line.len()) {
                    // Sending fails only if the engine has ended.
                    Some(room) => drop(lines.send((line, room))),
                    None => return because(CloseCode::Policy, "lines come faster than they are carried out"),
                },
                Some(Ok(Message::Binary(_))) => return because(CloseCode::Unsupported, "lines are text"),
                // The pong is sent before more is read. A page that does not read is not read from either.
                Some(Ok(Message::Ping(_))) => {
                    if socket.flush().await.is_err() {
                        return None;
                    }
                }
                Some(Ok(Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(_))) | None => return None,
                Some(Err(error)) => return fault(&error),
            },
        }
    }
}

/// The lines that the engine answers, on their way to the page.
struct Answers {
    /// `None` stands for the end.
    answers: UnboundedSender<Option<Queued>>,
    room: Room,
    /// Is notified when there is no room for a line.
    overflow: Arc<Notify>,
    /// Given back when the last thread has ended.
    _slot: OwnedSemaphorePermit,
}

impl Write for Answers {
    /// Takes whole lines.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in String::from_utf8_lossy(bytes).lines() {
            let Some(room) = self.room.take(line.len()) else {
                self.overflow.notify_one();
                return Err(ErrorKind::BrokenPipe.into());
            };
            self.answers.send(Some((line.into(), room))).map_err(|_| ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
