//! A page for a browser, and the server that answers it.
//!
//! The server listens on the loopback address only, and on a path that nobody can guess: other machines cannot reach
//! it, other users of this machine and pages of other sites do not know the path. A WebSocket of the page carries
//! requests in JSON, their answers, and the lines of a UGI session for its console.
//!
//! | module | what it holds |
//! |---|---|
//! | `http` | which request gets what, and which are refused |
//! | `files` | the files of the page |
//! | `socket` | the requests of a page over a WebSocket, and their answers |
//! | `console` | the UGI session of such a socket |

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};
use std::sync::Arc;

use axum::serve::ListenerExt;
use tokio::sync::Notify;

use crate::core::{Failure, Options};
use crate::io::output::Output;

mod console;
mod files;
mod http;
mod socket;

use http::Server;

/// Serves the page on this port, or without one on a free one that the system chooses, until Ctrl-C is pressed. Writes
/// its address to `out`, and opens the page in the browser if `opens` says so. These options hold where a page says
/// nothing.
///
/// # Errors
/// If the port cannot be listened on, the address cannot be written, or the system does not give what a server takes.
pub fn run(port: Option<u16>, opens: bool, options: Options, out: &Output) -> Result<(), Failure> {
    let place = (Ipv4Addr::LOCALHOST, port.unwrap_or(0));
    let failed = |error: io::Error| Failure::Failed(format!("cannot listen on {}:{}: {error}", place.0, place.1));
    let listener = TcpListener::bind(place).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    listener.set_nonblocking(true).map_err(failed)?;
    let server = Server::new(port, token()?, options);
    let interrupted = Arc::new(Notify::new());
    let interrupt = interrupted.clone();
    ctrlc::set_handler(move || interrupt.notify_one()).map_err(|error| Failure::Failed(error.to_string()))?;
    let address = server.address();
    out.lines(&format!("The page is at {address}"));
    out.result().map_err(Failure::Failed)?;
    if out.is_closed() {
        // Nobody knows the address.
        return Ok(());
    }
    if opens && let Err(error) = open(&address) {
        out.error(&format!("the browser cannot be opened: {error}"));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime
        .block_on(async {
            // Lines are short, and each is to arrive at once. A connection that refuses this works, too.
            let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(|socket| drop(socket.set_nodelay(true)));
            tokio::select! {
                served = axum::serve(listener, server.router()) => served,
                () = interrupted.notified() => Ok(()),
            }
        })
        .map_err(failed)
}

/// 128 bits that cannot be guessed, as hexadecimal digits.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Failed(format!("the system gives no random bytes: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Opens an address in the browser, by the program that the system has for this.
fn open(address: &str) -> io::Result<()> {
    let (program, arguments): (_, &[&str]) = match std::env::consts::OS {
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address);
    // The streams of the server are no place for what the browser says.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}
