//! Which request gets what: the files of the page, a socket, or a refusal.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Request, State, WebSocketUpgrade};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use crate::core::Options;

use super::files::File;
use super::socket::{self, MAX_MESSAGE};

/// The most sockets at a time.
const MAX_SOCKETS: usize = 16;

/// The headers of every answer. Nothing is stored: each start of the server has another path.
const HEADERS: [(header::HeaderName, &str); 4] = [
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-store"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
];

/// The name of the WebSocket that carries requests.
const SOCKET: &str = "requests";

/// The server, as all requests share it.
pub struct Server {
    /// What a browser may call the server, the main name first.
    hosts: [String; 2],
    /// The path of the page, which begins and ends in a slash.
    path: String,
    /// The options that hold where a page says nothing.
    options: Options,
    /// A permit for each socket that can still be opened.
    slots: Arc<Semaphore>,
}

/// Why a request is refused.
type Refusal = (StatusCode, &'static str);

impl Server {
    /// A server on this port, with its page on a path that this token makes.
    pub fn new(port: u16, token: String, options: Options) -> Server {
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
        Server { hosts, path: format!("/{token}/"), options, slots: Arc::new(Semaphore::new(MAX_SOCKETS)) }
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://{}{}", self.hosts[0], self.path)
    }

    /// Answers all requests.
    pub fn router(self) -> Router {
        Router::new().fallback(answer).with_state(Arc::new(self))
    }

    /// The answer to a request.
    ///
    /// # Errors
    /// If it is refused.
    async fn respond(&self, request: Request) -> Result<Response, Refusal> {
        let (mut parts, _) = request.into_parts();
        let host = self.check_host(&parts)?;
        let name = self.name(parts.uri.path()).ok_or(NOT_FOUND)?;
        if name == SOCKET {
            check_origin(&parts, host)?;
            let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
                Ok(upgrade) => upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE),
                Err(rejection) => return Ok(rejection.into_response()),
            };
            let (slot, options) = (self.slots.clone().try_acquire_owned().ok(), self.options.clone());
            return Ok(upgrade.on_upgrade(move |socket| socket::run(socket, slot, options)));
        }
        if ![Method::GET, Method::HEAD].contains(&parts.method) {
            let allowed = [(header::ALLOW, "GET, HEAD")];
            return Ok((StatusCode::METHOD_NOT_ALLOWED, allowed, "The page is only read.\n").into_response());
        }
        let file = File::find(name).ok_or(NOT_FOUND)?;
        Ok(([(header::CONTENT_TYPE, file.media_type())], file.bytes).into_response())
    }

    /// Checks that the request names this server, and returns that name. The page of another site can have its own name
    /// lead to this machine, and would be the same site for the browser then (DNS rebinding).
    fn check_host(&self, parts: &Parts) -> Result<&str, Refusal> {
        let host = only(parts, &header::HOST).filter(|_| parts.uri.authority().is_none());
        let known = host.and_then(|host| self.hosts.iter().find(|known| *known == host));
        known.map(String::as_str).ok_or((StatusCode::FORBIDDEN, "This server has another name.\n"))
    }

    /// What the path names beside the page. It takes the same time for every wrong token of the right length, so that
    /// none can be found piece by piece.
    fn name<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (start, name) = path.split_at_checked(self.path.len())?;
        let differences = start.bytes().zip(self.path.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
        (differences == 0).then_some(name)
    }
}

const NOT_FOUND: Refusal = (StatusCode::NOT_FOUND, "There is no such page.\n");

/// Checks that the page that asks for a socket is one of this server. Browsers let every page open a WebSocket to
/// every server, and say whose page it is.
fn check_origin(parts: &Parts, host: &str) -> Result<(), Refusal> {
    let origin = only(parts, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
    match origin {
        Some(origin) if origin == host => Ok(()),
        _ => Err((StatusCode::FORBIDDEN, "A socket is for the page of this server only.\n")),
    }
}

/// The value of a header that is given exactly once.
fn only<'a>(parts: &'a Parts, name: &header::HeaderName) -> Option<&'a str> {
    let mut values = parts.headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Answers a request.
async fn answer(State(server): State<Arc<Server>>, request: Request) -> Response {
    let mut response = server.respond(request).await.unwrap_or_else(IntoResponse::into_response);
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
