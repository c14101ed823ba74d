//! Accepts connections from browsers, and limits the connections without the token.
//!
//! Everybody on this machine can connect. A connection without the token ends after
//! [`AUTHENTICATION_TIMEOUT`], and at most [`MAX_UNAUTHENTICATED_CONNECTIONS`] connections without
//! the token are open. Therefore idle and slow connections cannot pile up or lock out the page.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

use super::http::Server;

/// Maximum time in which a connection must send the headers of a request and show the token.
pub(super) const AUTHENTICATION_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of open connections without the token.
const MAX_UNAUTHENTICATED_CONNECTIONS: usize = 64;
/// Time to wait after a failed `accept`. The system may have no resources for more connections.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Accepts and serves connections, and never returns.
pub(super) async fn serve(listener: TcpListener, server: Arc<Server>, token_timeout: Duration) {
    let unauthenticated = UnauthenticatedConnections::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let connection = unauthenticated.add();
                drop(tokio::spawn(serve_connection(
                    stream,
                    server.clone(),
                    connection,
                    token_timeout,
                )));
            }
            Err(error) => {
                log::warn!("no connection: {error}");
                sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
        // The request on this connection is read before newer connections can displace it.
        yield_now().await;
    }
}

/// Answers the requests of a connection until it ends.
async fn serve_connection(
    stream: TcpStream,
    server: Arc<Server>,
    connection: Connection,
    token_timeout: Duration,
) {
    // Without this option the system may delay short lines to send several together. If the option
    // is not available, the connection works nevertheless.
    let _ = stream.set_nodelay(true);
    let connection = &connection;
    let service = service_fn(|request| {
        let response = server.respond(request, || {
            connection.remove_from_unauthenticated();
        });
        async { Ok::<_, Infallible>(response) }
    });
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(token_timeout);
    tokio::select! {
        result = protocol.serve_connection(TokioIo::new(stream), service).with_upgrades() => {
            if let Err(error) = result {
                log::debug!("a connection has ended: {error}");
            }
        }
        () = connection.wait_until_expired(token_timeout) => {
            log::debug!("a connection without the token has ended");
        }
    }
}

/// The end signals of the connections that have not shown the token, the oldest first.
#[derive(Clone, Default)]
struct UnauthenticatedConnections(Arc<Mutex<VecDeque<Arc<Notify>>>>);

impl UnauthenticatedConnections {
    /// Adds a new connection. If there are too many connections, signals the oldest connection to
    /// end.
    fn add(&self) -> Connection {
        let end = Arc::new(Notify::new());
        let mut all = self.lock();
        all.push_back(end.clone());
        if all.len() > MAX_UNAUTHENTICATED_CONNECTIONS
            && let Some(oldest) = all.pop_front()
        {
            oldest.notify_one();
        }
        Connection { unauthenticated: self.clone(), end }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection. The connection is in the list of unauthenticated connections until it shows the
/// token.
struct Connection {
    unauthenticated: UnauthenticatedConnections,
    /// The signal that the connection must end because newer connections displace it.
    end: Arc<Notify>,
}

impl Connection {
    /// Removes the connection from the unauthenticated connections. Returns whether the connection
    /// was one of them.
    fn remove_from_unauthenticated(&self) -> bool {
        let mut unauthenticated = self.unauthenticated.lock();
        let index = unauthenticated.iter().position(|end| Arc::ptr_eq(end, &self.end));
        index.and_then(|index| unauthenticated.remove(index)).is_some()
    }

    /// Waits until the connection must end: at the timeout, or when newer connections displace it.
    /// Never returns if the connection shows the token in time.
    async fn wait_until_expired(&self, token_timeout: Duration) {
        let is_displaced = timeout(token_timeout, self.end.notified()).await.is_ok();
        if !is_displaced && !self.remove_from_unauthenticated() {
            pending().await
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.remove_from_unauthenticated();
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpStream};
    use std::thread;

    use super::*;
    use pentarch_core::Options;

    const TOKEN: &str = "0123456789abcdef";
    /// A time that is longer than any test.
    const AGES: Duration = Duration::from_secs(900);

    /// Starts a server with this timeout for the token. The server runs until the tests end.
    fn start(token_timeout: Duration) -> SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let server = Arc::new(Server::new(address.port(), None, TOKEN, Options::default()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        thread::spawn(move || {
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                serve(listener, server, token_timeout).await;
            });
        });
        address
    }

    fn connect(address: SocketAddr) -> TcpStream {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(AGES)).unwrap();
        stream
    }

    /// Waits until the server has ended the connection. The system may reset the connection if
    /// bytes are still on their way.
    fn wait_for_end(mut stream: &TcpStream) {
        let mut ignored = [0; 4096];
        loop {
            match stream.read(&mut ignored) {
                Ok(1..) => {}
                Ok(0) => return,
                Err(error) => {
                    return assert_ne!(
                        error.kind(),
                        std::io::ErrorKind::WouldBlock,
                        "it is still open"
                    );
                }
            }
        }
    }

    /// Requests this path, and returns the status; `None` if the connection has ended.
    fn ask(mut stream: &TcpStream, path: &str) -> Option<String> {
        let host = stream.peer_addr().ok()?;
        stream
            .write_all(format!("HEAD {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
            .ok()?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).ok()?;
            head.push(byte[0]);
        }
        Some(String::from_utf8(head).unwrap()[9..12].into())
    }

    #[test]
    fn a_connection_without_the_token_times_out() {
        let address = start(Duration::from_millis(200));
        let (idle, slow, wrong) = (connect(address), connect(address), connect(address));
        let page = format!("/{TOKEN}/");
        (&slow)
            .write_all(format!("GET {page} HTTP/1.1\r\nHost: {address}\r\nX: ").as_bytes())
            .unwrap();
        wait_for_end(&idle);
        wait_for_end(&slow);
        // Requests with a wrong token do not extend the time.
        while let Some(status) = ask(&wrong, "/wrong/") {
            assert_eq!(status, "404");
        }
        // A connection with the token must also send the headers of its next request in time.
        let known = loop {
            let known = connect(address);
            // A busy machine may be too slow to send the request in time.
            if ask(&known, &page).is_some_and(|status| status == "200") {
                break known;
            }
        };
        // The server may already have ended the connection.
        let _ = (&known).write_all(b"GET / HTTP/1.1\r\nX");
        wait_for_end(&known);
    }

    #[test]
    fn a_socket_stays_open() {
        let address = start(Duration::from_millis(200));
        let mut socket = loop {
            let mut stream = connect(address);
            let request = format!(
                "GET /{TOKEN}/requests HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
                 Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                 Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            );
            let mut start = [0; 12];
            // A busy machine may be too slow to send the request in time.
            if stream
                .write_all(request.as_bytes())
                .and_then(|()| stream.read_exact(&mut start))
                .is_ok()
            {
                assert_eq!(&start, b"HTTP/1.1 101");
                break stream;
            }
        };
        for _ in 0..2 {
            wait_for_end(&connect(address));
        }
        // A ping is answered after the rest of the headers.
        socket.write_all(&[0x89, 0x81, 0, 0, 0, 0, b'x']).unwrap();
        let mut read = Vec::new();
        while !read.ends_with(&[0x8a, 1, b'x']) {
            let mut byte = [0];
            socket.read_exact(&mut byte).unwrap();
            read.push(byte[0]);
        }
    }

    #[test]
    fn the_oldest_connection_without_the_token_is_displaced() {
        let address = start(AGES);
        let page = format!("/{TOKEN}/");
        let known: Vec<TcpStream> = (0..3).map(|_| connect(address)).collect();
        for stream in &known {
            assert_eq!(ask(stream, &page).unwrap(), "200");
        }
        let others: Vec<TcpStream> =
            (0..=MAX_UNAUTHENTICATED_CONNECTIONS).map(|_| connect(address)).collect();
        wait_for_end(&others[0]);
        // All other connections stay open, even those that have sent nothing. Connections with the
        // token also stay open.
        for stream in &others[1..] {
            assert_eq!(ask(stream, "/wrong/").unwrap(), "404");
        }
        for stream in &known {
            assert_eq!(ask(stream, &page).unwrap(), "200");
        }
        // A connection that shows the token is no longer counted.
        assert_eq!(ask(&others[1], &page).unwrap(), "200");
        assert_eq!(ask(&connect(address), "/wrong/").unwrap(), "404");
        assert_eq!(ask(&others[2], "/wrong/").unwrap(), "404");
    }
}
