//! The connections with browsers, and those that have not shown the token.
//!
//! Everybody on this machine can connect. A connection on which nobody shows the token ends after a while, and only so
//! many of these are kept, so that idle and slow ones neither pile up nor shut the page out.

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

/// How long the headers of a request may take, and how long a connection may be open before the token is shown on it.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// The most connections at a time on which the token has not been shown.
const MOST_WITHOUT_TOKEN: usize = 64;
/// How long the server waits after the system has refused it a connection, which may have no room for more of them.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers all connections, for ever.
pub async fn serve(listener: TcpListener, server: Arc<Server>, patience: Duration) {
    let without_token = WithoutToken::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                drop(tokio::spawn(answer(stream, server.clone(), without_token.enter(), patience)))
            }
            Err(error) => {
                log::warn!("no connection: {error}");
                sleep(PAUSE).await;
            }
        }
        // The request that has come with this connection is read before others take its place.
        yield_now().await;
    }
}

/// Answers the requests of a connection until it ends.
async fn answer(
    stream: TcpStream,
    server: Arc<Server>,
    connection: Connection,
    patience: Duration,
) {
    // Lines are short, and each is to arrive at once. A connection that refuses this works, too.
    let _ = stream.set_nodelay(true);
    let connection = &connection;
    let answers = service_fn(|request| {
        let response = server.answer(request, || {
            connection.leave_others();
        });
        async { Ok::<_, Infallible>(response) }
    });
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(patience);
    tokio::select! {
        ended = protocol.serve_connection(TokioIo::new(stream), answers).with_upgrades() => {
            if let Err(error) = ended {
                log::debug!("a connection has ended: {error}");
            }
        }
        () = connection.must_end(patience) => log::debug!("a connection without the token has ended"),
    }
}

/// The connections on which the token has not been shown, the oldest first: what tells each that it must end.
#[derive(Clone, Default)]
struct WithoutToken(Arc<Mutex<VecDeque<Arc<Notify>>>>);

impl WithoutToken {
    /// A new connection. If there are too many, the oldest must end.
    fn enter(&self) -> Connection {
        let end = Arc::new(Notify::new());
        let mut all = self.lock();
        all.push_back(end.clone());
        if all.len() > MOST_WITHOUT_TOKEN
            && let Some(oldest) = all.pop_front()
        {
            oldest.notify_one();
        }
        Connection { others: self.clone(), end }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection.
struct Connection {
    /// Those without the token, of which it is one until the token is shown on it.
    others: WithoutToken,
    /// Tells it that it must end, since it is crowded out.
    end: Arc<Notify>,
}

impl Connection {
    /// Takes it out of those without the token. Returns whether it was among them.
    fn leave_others(&self) -> bool {
        let mut others = self.others.lock();
        let place = others.iter().position(|end| Arc::ptr_eq(end, &self.end));
        place.and_then(|place| others.remove(place)).is_some()
    }

    /// Waits until the connection must end, which is never if the token is shown on it in time.
    async fn must_end(&self, patience: Duration) {
        let is_crowded_out = timeout(patience, self.end.notified()).await.is_ok();
        if !is_crowded_out && !self.leave_others() {
            pending().await
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.leave_others();
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
    /// As good as for ever.
    const AGES: Duration = Duration::from_secs(900);

    /// A server that waits so long for the token, until the tests end.
    fn start(patience: Duration) -> SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let server = Arc::new(Server::new(address.port(), None, TOKEN, Options::default()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        thread::spawn(move || {
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                serve(listener, server, patience).await;
            });
        });
        address
    }

    fn connect(address: SocketAddr) -> TcpStream {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(AGES)).unwrap();
        stream
    }

    /// Waits until the server has ended the connection, which may be cut while bytes are on their way.
    fn wait_for_end(mut stream: &TcpStream) {
        let mut passed_over = [0; 4096];
        loop {
            match stream.read(&mut passed_over) {
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

    /// Asks for this path, and returns the status; none if the connection has ended.
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
    fn a_connection_without_the_token_ends_after_a_while() {
        let address = start(Duration::from_millis(200));
        let (idle, slow, wrong) = (connect(address), connect(address), connect(address));
        let page = format!("/{TOKEN}/");
        (&slow)
            .write_all(format!("GET {page} HTTP/1.1\r\nHost: {address}\r\nX: ").as_bytes())
            .unwrap();
        wait_for_end(&idle);
        wait_for_end(&slow);
        // What comes all the time, but is wrong, does not count.
        while let Some(status) = ask(&wrong, "/wrong/") {
            assert_eq!(status, "404");
        }
        // With the token, headers of another request must not take longer either.
        let known = loop {
            let known = connect(address);
            // A busy machine may be too slow for it.
            if ask(&known, &page).is_some_and(|status| status == "200") {
                break known;
            }
        };
        // It may be gone already.
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
            // A busy machine may be too slow for it.
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
    fn the_oldest_connection_without_the_token_makes_room() {
        let address = start(AGES);
        let page = format!("/{TOKEN}/");
        let known: Vec<TcpStream> = (0..3).map(|_| connect(address)).collect();
        for stream in &known {
            assert_eq!(ask(stream, &page).unwrap(), "200");
        }
        let others: Vec<TcpStream> = (0..=MOST_WITHOUT_TOKEN).map(|_| connect(address)).collect();
        wait_for_end(&others[0]);
        // All others are kept, whether they have sent something or not, and those with the token anyway.
        for stream in &others[1..] {
            assert_eq!(ask(stream, "/wrong/").unwrap(), "404");
        }
        for stream in &known {
            assert_eq!(ask(stream, &page).unwrap(), "200");
        }
        // One that shows the token makes room for another.
        assert_eq!(ask(&others[1], &page).unwrap(), "200");
        assert_eq!(ask(&connect(address), "/wrong/").unwrap(), "404");
        assert_eq!(ask(&others[2], "/wrong/").unwrap(), "404");
    }
}
