//! Checks of the frames of a WebSocket, on a connection in memory.

use std::io::Cursor;
use std::sync::Arc;

use pentarch::serve::socket;
use pentarch_core::Options;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex, split};
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, watch};
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket};

use super::requests::response_fields;
use super::ugi::low_cost_options;

/// Checks that the server's side of a connection ends after these bytes, and sends valid frames
/// with valid responses. The first byte is the number of bytes that the connection holds.
pub(crate) fn check_frames(options: &Options, bytes: &[u8]) {
    let Some((&capacity, frames)) = bytes.split_first() else { return };
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let received = runtime.block_on(async {
        let (server, page) = duplex(usize::from(capacity) + 1);
        let slots = Arc::new(Semaphore::new(1));
        let slot = slots.clone().try_acquire_owned().ok();
        let (_end, server_end) = watch::channel(false);
        let options = low_cost_options(options.clone());
        let (mut from_server, mut to_server) = split(page);
        let mut received = Vec::new();
        let (_, _, read) = tokio::join!(
            socket::run(server, slot, options, server_end),
            async {
                // After an invalid frame the server may be gone.
                let _ = to_server.write_all(frames).await;
                let _ = to_server.shutdown().await;
            },
            from_server.read_to_end(&mut received)
        );
        read.unwrap();
        // The threads of the socket have ended then.
        slots.acquire().await.unwrap().forget();
        received
    });
    check_sent_frames(received);
}

/// Checks the frames that the server has sent.
fn check_sent_frames(frames: Vec<u8>) {
    let mut page = WebSocket::from_raw_socket(Cursor::new(frames), Role::Client, None);
    loop {
        match page.read() {
            Ok(Message::Text(line)) => drop(response_fields(&line)),
            Ok(Message::Pong(_) | Message::Close(_)) => {}
            Err(
                Error::ConnectionClosed
                | Error::Protocol(ProtocolError::ResetWithoutClosingHandshake),
            ) => return,
            other => panic!("{other:?}"),
        }
    }
}
