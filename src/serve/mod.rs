//! A page for a browser, and the server that answers it.
//!
//! The server listens on the loopback address only, and on a path that nobody can guess: other machines cannot reach
//! it, other users of this machine and pages of other sites do not know the path. A WebSocket of the page carries
//! requests in JSON, their answers, and the lines of a UGI session for its console.
//!
//! | module | what it holds |
//! |---|---|
//! | `token` | the token in the address, which is kept for the next start |
//! | `connections` | the connections with browsers, and with others |
//! | `http` | which request gets what, and which are refused |
//! | `files` | the files of the page |
//! | `socket` | the requests of a page over a WebSocket, and their answers |
//! | `line_queue` | queues of lines of a limited size |
//! | `console` | the UGI session of such a socket |

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::io::interrupt::{InterruptError, on_interrupt};
use crate::io::output::{Output, StreamError};
use pentarch_core::Options;

mod connections;
mod console;
mod files;
mod http;
mod line_queue;
mod socket;
mod token;

use connections::PATIENCE;
use http::Server;

/// The usual port. Nothing else has been assigned to it or to those after it, and systems do not choose it for the
/// other end of connections.
pub const USUAL_PORT: u16 = 29_405;
/// How many ports are tried, from the usual one.
const PORTS: u16 = 100;
/// How long the pages may take to agree to the end of their connections when the server ends.
const END_PATIENCE: Duration = Duration::from_secs(1);

/// How the page is served.
pub struct Plan {
    /// The port to listen on; if none is given, the usual one, or the first after it that is not taken.
    pub port: Option<u16>,
    /// Whether the page has another token than before.
    pub new_token: bool,
    /// Whether the page is opened in the browser.
    pub open: bool,
}

/// An error of the server of the page.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The server cannot listen at its address.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address with the port.
        address: SocketAddrV4,
        /// The error of the system.
        error: io::Error,
    },
    /// The system gives no random bytes for a token.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
    /// The system does not pass signals on.
    #[error(transparent)]
    Interrupt(#[from] InterruptError),
    /// The address of the page cannot be written.
    #[error(transparent)]
    Output(#[from] StreamError),
    /// The system does not let connections be served.
    #[error(transparent)]
    Runtime(#[from] io::Error),
}

/// Serves the page until Ctrl-C or SIGTERM. Writes its address to `out`. `options` apply where a page has none.
///
/// # Errors
/// If the port cannot be listened on, the address cannot be written, or the system does not give what a server takes.
pub fn run(plan: &Plan, options: Options, out: &Output) -> Result<(), ServeError> {
    let (listener, port) = listen(plan.port)?;
    let usual_port = Some(USUAL_PORT).filter(|&usual| plan.port.is_none() && usual != port);
    let token = token::token(port, plan.new_token).map_err(ServeError::Random)?;
    let server = Server::new(port, usual_port, &token, options);
    let interrupted = Arc::new(Notify::new());
    let interrupt = interrupted.clone();
    on_interrupt(move |_| interrupt.notify_one())?;
    log::debug!("the page is served on port {port}");
    out.unlogged_line(&format!("The page is at {}", server.address()));
    out.result()?;
    if out.is_closed() {
        // Nobody knows the address.
        return Ok(());
    }
    if plan.open {
        let token = token::random().map_err(ServeError::Random)?;
        if let Err(error) = open(&server.address_to_open(&token)) {
            out.error(format!("the browser cannot be opened: {error}"));
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let server = Arc::new(server);
        tokio::select! {
            () = connections::serve(listener, server.clone(), PATIENCE) => {}
            () = interrupted.notified() => {}
        }
        // The pages that do not agree by then are cut off.
        let _ = timeout(END_PATIENCE, server.close_sockets()).await;
        Ok(())
    })
}

/// Listens on this port, or without one on the first of the usual ones that is not taken.
///
/// # Errors
/// If that port, or none of those, can be listened on.
fn listen(port: Option<u16>) -> Result<(TcpListener, u16), ServeError> {
    let listen = |port: u16| {
        let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
        TcpListener::bind(address)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| (listener, port)))
            .map_err(|error| ServeError::Listen { address, error })
    };
    match port {
        Some(port) => listen(port),
        None => {
            let mut ports = USUAL_PORT..USUAL_PORT + PORTS;
            ports.find_map(|port| listen(port).ok()).map_or_else(|| listen(USUAL_PORT), Ok)
        }
    }
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
