//! Responds to HTTP requests: with a file of the page, a socket, a redirect, or an error.

use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::sync::{Semaphore, watch};
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;

use pentarch_core::Options;

use super::page_files::PageFiles;
use super::socket;

/// Maximum number of open sockets.
const MAX_OPEN_SOCKETS: usize = 16;

/// The headers of every response.
const COMMON_HTTP_HEADERS: [(HeaderName, &str); 3] = [
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
];

/// The name of the WebSocket that carries requests.
const WEBSOCKET_PATH_NAME: &str = "requests";

/// A response with a body of bytes.
pub(super) type HttpResponse = Response<Full<Bytes>>;

/// The state of the server, which all requests share.
pub(super) struct Server {
    /// The host name in the address of the page. Browsers store the page's data under this name.
    host: String,
    /// The other host name, whose requests the server redirects to `host`.
    other_host: String,
    /// The path of the page. The path begins and ends with a slash.
    path: String,
    /// The one-time path that redirects a browser to the page.
    path_to_open: Mutex<Option<String>>,
    files: PageFiles,
    /// The options that apply unless a page sets others.
    options: Options,
    /// A permit for each socket that can still be opened.
    slots: Arc<Semaphore>,
    /// The signal that the server ends. Each socket has a receiver until its connection has ended.
    end: watch::Sender<bool>,
}

/// A response that rejects a request.
struct ErrorResponse {
    status: StatusCode,
    media_type: &'static str,
    body: &'static str,
}

const NOT_FOUND_RESPONSE: ErrorResponse = ErrorResponse {
    status: StatusCode::NOT_FOUND,
    media_type: "text/html; charset=utf-8",
    body: include_str!("not-found.html"),
};

impl ErrorResponse {
    const fn plain_text(status: StatusCode, line: &'static str) -> ErrorResponse {
        ErrorResponse { status, media_type: "text/plain; charset=utf-8", body: line }
    }
}

impl From<ErrorResponse> for HttpResponse {
    fn from(error: ErrorResponse) -> HttpResponse {
        let mut response =
            empty_response(error.status, &[(header::CONTENT_TYPE, error.media_type)]);
        *response.body_mut() = Full::from(error.body);
        response
    }
}

impl Server {
    /// Creates a server on this port. The path of its page contains the token. `usual_port` is the
    /// usual port of the page, if that port was not free.
    pub(super) fn new(port: u16, usual_port: Option<u16>, token: &str, options: Options) -> Server {
        let host = |port| format!("127.0.0.1:{port}");
        Server {
            host: host(port),
            other_host: format!("localhost:{port}"),
            path: format!("/{token}/"),
            path_to_open: Mutex::default(),
            files: PageFiles::new(usual_port.map(host).as_deref()),
            options,
            slots: Arc::new(Semaphore::new(MAX_OPEN_SOCKETS)),
            end: watch::Sender::new(false),
        }
    }

    /// Closes all sockets, and waits until they are closed.
    pub(super) async fn close_sockets(&self) {
        self.end.send_replace(true);
        self.end.closed().await;
    }

    /// Returns the address of the page.
    pub(super) fn page_address(&self) -> String {
        format!("http://{}{}", self.host, self.path)
    }

    /// Returns a one-time address with this token that redirects to the page. Other users may see
    /// this address in the command line of the browser, but by then it is no longer valid.
    pub(super) fn one_time_redirect_address(&self, token: &str) -> String {
        let path = format!("/{token}/");
        let address = format!("http://{}{path}", self.host);
        *self.path_to_open.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
        address
    }

    /// Returns the response to a request. Calls `on_token` if the request shows the token.
    pub(super) fn respond(
        &self,
        request: Request<Incoming>,
        on_token: impl FnOnce(),
    ) -> HttpResponse {
        let mut response = self.try_respond(request, on_token).unwrap_or_else(HttpResponse::from);
        let headers = response.headers_mut();
        for (name, value) in COMMON_HTTP_HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        response
    }

    /// Returns the response to a valid request, without the headers that every response gets.
    ///
    /// # Errors
    /// The response to an invalid request.
    fn try_respond(
        &self,
        request: Request<Incoming>,
        on_token: impl FnOnce(),
    ) -> Result<HttpResponse, ErrorResponse> {
        let host = self.check_host(&request)?;
        let path = request.uri().path();
        if host == self.other_host {
            // The path must begin with a slash. Otherwise it could continue the host name.
            let path = request
                .uri()
                .path_and_query()
                .filter(|_| path.starts_with('/'))
                .ok_or(NOT_FOUND_RESPONSE)?;
            let address = format!("http://{}{path}", self.host);
            return Ok(empty_response(
                StatusCode::PERMANENT_REDIRECT,
                &[(header::LOCATION, &address)],
            ));
        }
        if self
            .path_to_open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take_if(|open| open == path)
            .is_some()
        {
            on_token();
            let address = self.page_address();
            return Ok(empty_response(StatusCode::SEE_OTHER, &[(header::LOCATION, &address)]));
        }
        let rest = self.path_after_valid_token(path).ok_or(NOT_FOUND_RESPONSE)?;
        if rest.is_empty() {
            on_token();
            let address = self.page_address();
            return Ok(empty_response(
                StatusCode::PERMANENT_REDIRECT,
                &[(header::LOCATION, &address)],
            ));
        }
        let name = rest.strip_prefix('/').ok_or(NOT_FOUND_RESPONSE)?;
        on_token();
        if ![Method::GET, Method::HEAD].contains(request.method()) {
            let mut response =
                empty_response(StatusCode::METHOD_NOT_ALLOWED, &[(header::ALLOW, "GET, HEAD")]);
            *response.body_mut() = Full::from("Only GET and HEAD are allowed.\n");
            return Ok(response);
        }
        if name == WEBSOCKET_PATH_NAME {
            self.check_origin(&request)?;
            return self.accept_websocket(request);
        }
        let file = self.files.file_at_path(name).ok_or(NOT_FOUND_RESPONSE)?;
        let headers = [
            (header::CONTENT_TYPE, file.media_type),
            (header::CACHE_CONTROL, file.cache_control),
            (header::ETAG, file.tag),
        ];
        if is_cached_by_browser(&request, file.tag) {
            return Ok(empty_response(StatusCode::NOT_MODIFIED, &headers[1..]));
        }
        let mut response = empty_response(StatusCode::OK, &headers);
        *response.body_mut() = Full::new(file.bytes);
        Ok(response)
    }

    /// Opens a socket for the page.
    fn accept_websocket(
        &self,
        mut request: Request<Incoming>,
    ) -> Result<HttpResponse, ErrorResponse> {
        let response = create_response_with_body(&request, Full::default).map_err(|_| {
            ErrorResponse::plain_text(StatusCode::BAD_REQUEST, "Expected a WebSocket handshake.\n")
        })?;
        let upgrade = hyper::upgrade::on(&mut request);
        let slot = self.slots.clone().try_acquire_owned().ok();
        let options = self.options.clone();
        let server_end = self.end.subscribe();
        tokio::spawn(async {
            match upgrade.await {
                Ok(connection) => {
                    socket::run(TokioIo::new(connection), slot, options, server_end).await
                }
                Err(error) => log::debug!("no socket: {error}"),
            }
        });
        Ok(response)
    }

    /// Checks that the request has a host name of this server, and returns the name. This prevents
    /// DNS rebinding: the host name of another site could resolve to this machine. The browser
    /// would then treat this server as a part of that site.
    fn check_host<'a>(&self, request: &'a Request<Incoming>) -> Result<&'a str, ErrorResponse> {
        let host = single_header_value(request, &header::HOST);
        host.filter(|&host| {
            request.uri().authority().is_none() && (host == self.host || host == self.other_host)
        })
        .ok_or(ErrorResponse::plain_text(StatusCode::FORBIDDEN, "Unknown host name.\n"))
    }

    /// Checks that a page of this server requests the socket. This is necessary because browsers
    /// let every page open a WebSocket to every server. A browser sends the origin of the page with
    /// the request.
    fn check_origin(&self, request: &Request<Incoming>) -> Result<(), ErrorResponse> {
        let origin = single_header_value(request, &header::ORIGIN)
            .and_then(|origin| origin.strip_prefix("http://"));
        match origin {
            Some(origin) if origin == self.host => Ok(()),
            _ => Err(ErrorResponse::plain_text(
                StatusCode::FORBIDDEN,
                "Only the page of this server may open a socket.\n",
            )),
        }
    }

    /// Returns the part of a path after the token; `None` if the token is wrong. Takes the same
    /// time for every wrong token of the right length, so that nobody can guess the token piece by
    /// piece.
    fn path_after_valid_token<'a>(&self, path: &'a str) -> Option<&'a str> {
        let valid = self.path.trim_end_matches('/');
        let (start, rest) = path.split_at_checked(valid.len())?;
        let differences =
            start.bytes().zip(valid.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
        (differences == 0).then_some(rest)
    }
}

/// Returns a response without a body.
fn empty_response(status: StatusCode, headers: &[(HeaderName, &str)]) -> HttpResponse {
    let mut response = HttpResponse::default();
    *response.status_mut() = status;
    for (name, value) in headers {
        // The conversion succeeds, because the path of a request has only visible characters.
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Returns the value of a header that occurs exactly once.
fn single_header_value<'a>(request: &'a Request<Incoming>, name: &HeaderName) -> Option<&'a str> {
    let mut values = request.headers().get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Returns whether the browser has already cached the file with this tag. `*` stands for any tag.
fn is_cached_by_browser(request: &Request<Incoming>, tag: &str) -> bool {
    let tags = request
        .headers()
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok());
    tags.flat_map(|tags| tags.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}
