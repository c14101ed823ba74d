//! Which request gets what: the files of the page, a socket, another address, or a refusal.

use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use tokio::sync::{Semaphore, watch};
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;

use pentarch_core::Options;

use super::files::Files;
use super::socket;

/// The most sockets at a time.
const MAX_SOCKETS: usize = 16;

/// The headers of every answer.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
];

/// The name of the WebSocket that carries requests.
const SOCKET: &str = "requests";

/// An answer.
pub type Answer = Response<Full<Bytes>>;

/// The server, as all requests share it.
pub struct Server {
    /// What a browser calls the server. What a browser keeps for the page, it keeps for this name.
    host: String,
    /// Another name that leads to it.
    other_host: String,
    /// The path of the page, which begins and ends in a slash.
    path: String,
    /// A path that leads to the page once.
    path_to_open: Mutex<Option<String>>,
    files: Files,
    /// The options that hold where a page says nothing.
    options: Options,
    /// A permit for each socket that can still be opened.
    slots: Arc<Semaphore>,
    /// Whether the server ends. Each socket has a receiver until its connection has ended.
    end: watch::Sender<bool>,
}

/// Why a request is refused, and the media type of that text.
type Refusal = (StatusCode, &'static str, &'static str);

const NOT_FOUND: Refusal =
    (StatusCode::NOT_FOUND, "text/html; charset=utf-8", include_str!("not-found.html"));

/// A refusal in one line.
const fn refusal(status: StatusCode, line: &'static str) -> Refusal {
    (status, "text/plain; charset=utf-8", line)
}

impl Server {
    /// A server on this port, with its page on a path that this token makes. `usual_port` is the one on which the page
    /// would be if it were not taken.
    pub fn new(port: u16, usual_port: Option<u16>, token: &str, options: Options) -> Server {
        let host = |port| format!("127.0.0.1:{port}");
        Server {
            host: host(port),
            other_host: format!("localhost:{port}"),
            path: format!("/{token}/"),
            path_to_open: Mutex::default(),
            files: Files::new(usual_port.map(host).as_deref()),
            options,
            slots: Arc::new(Semaphore::new(MAX_SOCKETS)),
            end: watch::Sender::new(false),
        }
    }

    /// Tells all sockets that the server ends, and waits until they are closed.
    pub async fn close_sockets(&self) {
        self.end.send_replace(true);
        self.end.closed().await;
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://{}{}", self.host, self.path)
    }

    /// An address that leads to the page, but only once, so that it may be seen by others after that. This token makes
    /// it.
    pub fn address_to_open(&self, token: &str) -> String {
        let path = format!("/{token}/");
        let address = format!("http://{}{path}", self.host);
        *self.path_to_open.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
        address
    }

    /// The answer to a request. `show_token` is called if the request shows the token.
    pub fn answer(&self, request: Request<Incoming>, show_token: impl FnOnce()) -> Answer {
        let mut answer =
            self.respond(request, show_token).unwrap_or_else(|(status, media_type, text)| {
                let mut answer = with(status, &[(header::CONTENT_TYPE, media_type)]);
                *answer.body_mut() = Full::from(text);
                answer
            });
        let headers = answer.headers_mut();
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        answer
    }

    /// The answer to a request.
    ///
    /// # Errors
    /// If it is refused.
    fn respond(
        &self,
        request: Request<Incoming>,
        show_token: impl FnOnce(),
    ) -> Result<Answer, Refusal> {
        let host = self.check_host(&request)?;
        let path = request.uri().path();
        if host == self.other_host {
            // A path begins with a slash, so that it cannot go on with the name.
            let path = request
                .uri()
                .path_and_query()
                .filter(|_| path.starts_with('/'))
                .ok_or(NOT_FOUND)?;
            let address = format!("http://{}{path}", self.host);
            return Ok(with(StatusCode::PERMANENT_REDIRECT, &[(header::LOCATION, &address)]));
        }
        if self
            .path_to_open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take_if(|open| open == path)
            .is_some()
        {
            show_token();
            return Ok(with(StatusCode::SEE_OTHER, &[(header::LOCATION, &self.address())]));
        }
        let name = self.name(path).ok_or(NOT_FOUND)?;
        show_token();
        if ![Method::GET, Method::HEAD].contains(request.method()) {
            let mut answer = with(StatusCode::METHOD_NOT_ALLOWED, &[(header::ALLOW, "GET, HEAD")]);
            *answer.body_mut() = Full::from("The page is only read.\n");
            return Ok(answer);
        }
        if name == SOCKET {
            self.check_origin(&request)?;
            return self.open_socket(request);
        }
        let file = self.files.find(name).ok_or(NOT_FOUND)?;
        let headers = [
            (header::CONTENT_TYPE, file.media_type),
            (header::CACHE_CONTROL, file.caching),
            (header::ETAG, file.tag),
        ];
        if has_tag(&request, file.tag) {
            return Ok(with(StatusCode::NOT_MODIFIED, &headers[1..]));
        }
        let mut answer = with(StatusCode::OK, &headers);
        *answer.body_mut() = Full::new(file.bytes);
        Ok(answer)
    }

    /// Opens a socket for the page.
    fn open_socket(&self, mut request: Request<Incoming>) -> Result<Answer, Refusal> {
        let answer = create_response_with_body(&request, Full::default).map_err(|_| {
            refusal(StatusCode::BAD_REQUEST, "A WebSocket is to be asked for here.\n")
        })?;
        let upgrade = hyper::upgrade::on(&mut request);
        let slot = self.slots.clone().try_acquire_owned().ok();
        let options = self.options.clone();
        let server_end = self.end.subscribe();
        tokio::spawn(async {
            match upgrade.await {
                Ok(connection) => socket::run(connection, slot, options, server_end).await,
                Err(error) => log::debug!("no socket: {error}"),
            }
        });
        Ok(answer)
    }

    /// Checks that the request names this server, and returns that name. The page of another site can have its own name
    /// lead to this machine, and would be the same site for the browser then (DNS rebinding).
    fn check_host<'a>(&self, request: &'a Request<Incoming>) -> Result<&'a str, Refusal> {
        only(request, &header::HOST)
            .filter(|host| {
                request.uri().authority().is_none()
                    && [&self.host, &self.other_host].iter().any(|known| known == host)
            })
            .ok_or(refusal(StatusCode::FORBIDDEN, "This server has another name.\n"))
    }

    /// Checks that the page that asks for a socket is one of this server. Browsers let every page open a WebSocket to
    /// every server, and say whose page it is.
    fn check_origin(&self, request: &Request<Incoming>) -> Result<(), Refusal> {
        let origin =
            only(request, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        match origin {
            Some(origin) if origin == self.host => Ok(()),
            _ => Err(refusal(
                StatusCode::FORBIDDEN,
                "A socket is for the page of this server only.\n",
            )),
        }
    }

    /// What the path names beside the page. It takes the same time for every wrong token of the right length, so that
    /// none can be found piece by piece.
    fn name<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (start, name) = path.split_at_checked(self.path.len())?;
        let differences =
            start.bytes().zip(self.path.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
        (differences == 0).then_some(name)
    }
}

/// An answer without a body.
fn with(status: StatusCode, headers: &[(HeaderName, &str)]) -> Answer {
    let mut answer = Answer::default();
    *answer.status_mut() = status;
    for (name, value) in headers {
        // All of them are of visible characters: the path of a request has no others.
        if let Ok(value) = HeaderValue::from_str(value) {
            answer.headers_mut().insert(name, value);
        }
    }
    answer
}

/// The value of a header that is given exactly once.
fn only<'a>(request: &'a Request<Incoming>, name: &HeaderName) -> Option<&'a str> {
    let mut values = request.headers().get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether the browser has the file with this tag already.
fn has_tag(request: &Request<Incoming>, tag: &str) -> bool {
    let tags = request
        .headers()
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok());
    tags.flat_map(|tags| tags.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag)
}
