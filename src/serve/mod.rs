//! Serves a page for a browser.
//!
//! The server listens only on the loopback address, so that other machines cannot reach it. Nobody
//! can guess the path of the page. Therefore other users of this machine and pages of other sites
//! cannot open the page. A WebSocket of the page carries requests in JSON, their responses, and the
//! lines of a UGI session for the page's console.
//!
//! | module | contents |
//! |---|---|
//! | `token` | the token in the address, stored for the next start |
//! | `connections` | the connections, and the limit on those without the token |
//! | `http` | the responses and errors to HTTP requests |
//! | `page_files` | the files of the page |
//! | [`socket`] | the WebSocket of a page: its requests and their responses |
//! | `line_queue` | queues of lines with a limited size |
//! | `console` | the UGI session of a socket |

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::io::interrupt::{InterruptError, set_interrupt_handler};
use crate::io::output::{InputOutputError, Output};
use pentarch_core::Options;

mod connections;
mod console;
mod http;
mod line_queue;
mod page_files;
pub mod socket;
mod token;

use connections::AUTHENTICATION_TIMEOUT;
use http::Server;

/// The default port. This port and the ports after it are unassigned. These ports are below the
/// range from which systems choose ports for outgoing connections.
pub(crate) const DEFAULT_PORT: u16 = 29_405;
/// Number of ports to try, beginning with the default port.
const TRIED_PORT_COUNT: u16 = 100;
/// Time for the pages to confirm that their connections close when the server ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// The options of the server.
pub(crate) struct ServeOptions {
    /// The port to listen on. `None` means the default port, or the first free port after it.
    pub port: Option<u16>,
    /// Whether to replace the stored token.
    pub new_token: bool,
    /// Whether to open the page in the browser.
    pub open: bool,
}

/// The reason why the server cannot serve the page.
#[derive(Debug, Error)]
pub(crate) enum ServeError {
    /// The server cannot listen at its address.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address with the port.
        address: SocketAddrV4,
        /// The error of the system.
        error: io::Error,
    },
    /// The system does not provide random bytes for a token.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
    /// The handler of signals cannot be set.
    #[error(transparent)]
    Interrupt(#[from] InterruptError),
    /// The server could not print the address of the page.
    #[error(transparent)]
    Output(#[from] InputOutputError),
    /// The runtime that handles connections cannot be created.
    #[error(transparent)]
    Runtime(#[from] io::Error),
}

/// Serves the page until Ctrl-C or SIGTERM. Writes the address of the page to `out`. `defaults` are
/// the options of the engine that apply if a page does not set them.
///
/// # Errors
/// Returns an error in these cases:
/// - The server cannot listen on the port.
/// - The address cannot be written.
/// - The system lacks a resource for the server.
pub(crate) fn serve_page(
    options: &ServeOptions,
    defaults: Options,
    out: &Output,
) -> Result<(), ServeError> {
    let (listener, port) = listen_on_port(options.port)?;
    let usual_port = (options.port.is_none() && port != DEFAULT_PORT).then_some(DEFAULT_PORT);
    let token = token::load_or_create_token(port, options.new_token).map_err(ServeError::Random)?;
    let server = Server::new(port, usual_port, &token, defaults);
    let interrupted = Arc::new(Notify::new());
    let interrupt = interrupted.clone();
    set_interrupt_handler(move |_| interrupt.notify_one())?;
    log::debug!("the page is served on port {port}");
    out.write_unlogged_line(&format!("The page is at {}", server.page_address()));
    out.take_first_failure()?;
    if out.is_closed() {
        // Nobody has received the address, so nobody can open the page.
        return Ok(());
    }
    if options.open {
        let token = token::random_token().map_err(ServeError::Random)?;
        if let Err(error) = open_in_browser(&server.one_time_redirect_address(&token)) {
            out.report_error(format!("the browser cannot be opened: {error}"));
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let server = Arc::new(server);
        tokio::select! {
            () = connections::serve(listener, server.clone(), AUTHENTICATION_TIMEOUT) => {}
            () = interrupted.notified() => {}
        }
        // If a page has not confirmed by then, its connection is dropped.
        let _ = timeout(SHUTDOWN_TIMEOUT, server.close_sockets()).await;
        Ok(())
    })
}

/// Listens on this port. If `port` is `None`, listens on the first free port of
/// [`TRIED_PORT_COUNT`] ports, beginning with the default port. Returns the listener and the port.
///
/// # Errors
/// If the program cannot listen on the port. If `port` is `None` and no port is free, the error is
/// that of the default port.
fn listen_on_port(port: Option<u16>) -> Result<(TcpListener, u16), ServeError> {
    let listen = |port: u16| {
        let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
        TcpListener::bind(address)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| (listener, port)))
            .map_err(|error| ServeError::Listen { address, error })
    };
    if let Some(port) = port {
        return listen(port);
    }
    for port in DEFAULT_PORT..DEFAULT_PORT + TRIED_PORT_COUNT {
        if let Ok(listener) = listen(port) {
            return Ok(listener);
        }
    }
    listen(DEFAULT_PORT)
}

fn open_in_browser(address: &str) -> io::Result<()> {
    let (program, arguments): (_, &[&str]) = match std::env::consts::OS {
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address);
    // Messages of the browser must not appear in the streams of the server.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}
