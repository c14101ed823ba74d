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
const MOST_WITHOUT_TOKEN: usize = 32;
/// How long the server waits after the system has refused it a connection, which may have no room for more of them.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers all connections, for ever.
pub async fn serve(listener: TcpListener, server: Arc<Server>, patience: Duration) {
    let without_token = WithoutToken::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(answer(stream, server.clone(), without_token.enter(), patience))),
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
async fn answer(stream: TcpStream, server: Arc<Server>, connection: Connection, patience: Duration) {
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
