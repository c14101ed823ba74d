//! A minimal browser for the tests: HTTP requests and frames of WebSockets.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{ANSWER_TIMEOUT, program};
use crate::common::temporary::Folder;

/// A running server. It is killed when the value is dropped.
pub(crate) struct PageServer {
    child: Child,
    pub port: u16,
    /// The path of the page. It begins and ends with a slash.
    pub path: String,
    /// The folder for the token of the server's address; `None` if the caller provides the folder.
    state: Option<Folder>,
}

/// Returns the command `serve` with these arguments. The command stores the tokens of addresses in
/// this folder.
pub(crate) fn serve(state: &Path, arguments: &[&str]) -> Command {
    let mut command = program(["serve"].iter().chain(arguments));
    command.env("XDG_STATE_HOME", state);
    command
}

impl PageServer {
    /// Starts a server with these command line arguments, at a new address.
    pub(crate) fn start(arguments: &[&str]) -> PageServer {
        let state = Folder::new("state");
        let page =
            PageServer::from_command(serve(state.path(), arguments).stderr(Stdio::inherit()));
        let mut page = page.expect("an address");
        page.state = Some(state);
        page
    }

    /// Starts a server with this command. Returns `None` if the server does not start.
    pub(crate) fn from_command(command: &mut Command) -> Option<PageServer> {
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut page = PageServer { child, port: 0, path: String::new(), state: None };
        let (port, token) =
            line.trim_end().strip_prefix("The page is at http://127.0.0.1:")?.split_once('/')?;
        (page.port, page.path) = (port.parse().ok()?, format!("/{token}"));
        Some(page)
    }

    /// Returns the address of the page.
    pub(crate) fn address(&self) -> String {
        format!("http://{}{}", self.host(), self.path)
    }

    /// Waits for the end of the server. Returns its error output.
    pub(crate) fn end(mut self) -> String {
        self.child.kill().unwrap();
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// Returns the host name by which a browser calls the server.
    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Returns a connection with a read timeout.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(ANSWER_TIMEOUT)).unwrap();
        stream
    }

    /// Returns the whole response to a request that closes the connection.
    pub(crate) fn raw(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Returns the response to a request for a file next to the page.
    pub(crate) fn ask(&self, method: &str, name: &str, host: &str) -> String {
        self.raw(&format!(
            "{method} {}{name} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n",
            self.path
        ))
    }

    /// Returns a file next to the page. Without a name, returns the page itself.
    pub(crate) fn get(&self, name: &str) -> String {
        self.ask("GET", name, &self.host())
    }

    /// Opens a socket for the console.
    pub(crate) fn console(&self) -> Console {
        Console(self.requests())
    }

    /// Opens a socket for requests.
    pub(crate) fn requests(&self) -> Socket {
        let host = self.host();
        Socket::connect(self, "requests", &format!("Host: {host}\r\nOrigin: http://{host}\r\n"))
            .unwrap()
    }

    /// Opens a socket for the console as soon as a slot is free.
    pub(crate) fn wait_for_console(&self) -> Console {
        loop {
            let mut console = self.console();
            console.send("isready");
            if console.receive() == Frame::Text("readyok".into()) {
                return console;
            }
        }
    }

    /// Sends a signal to the server.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: nix::sys::signal::Signal) {
        let process = nix::unistd::Pid::from_raw(self.child.id() as i32);
        nix::sys::signal::kill(process, signal).unwrap();
    }

    /// Waits for the end of the server. Returns its exit code.
    #[cfg(unix)]
    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// Returns the resident memory of the server in KiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        // The server may have already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The end of a WebSocket on the side of the page.
pub(crate) struct Socket(BufReader<TcpStream>);

/// A frame or event of a WebSocket.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Text(String),
    /// The server closes the connection with this code.
    Close(u16),
    /// The connection is cut.
    Gone,
}

impl Socket {
    /// Requests a WebSocket with these additional headers. If the request is rejected, returns the
    /// response as an error.
    pub(crate) fn connect(page: &PageServer, name: &str, headers: &str) -> Result<Socket, String> {
        let mut socket = Socket(BufReader::new(page.connect()));
        let request = format!(
            "GET {}{name} HTTP/1.1\r\n{headers}Connection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            page.path
        );
        socket.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(socket.0.read_line(&mut head).unwrap() > 0, "{head}");
        }
        if head.starts_with("HTTP/1.1 101 ") { Ok(socket) } else { Err(head) }
    }

    /// Sends a frame. Its mask consists of zeros and changes nothing.
    pub(crate) fn frame(&mut self, kind: u8, bytes: &[u8]) {
        let length = bytes.len();
        let mut frame = vec![kind];
        match length {
            0..126 => frame.push(0x80 | length as u8),
            126..0x10000 => frame.extend([0x80 | 126, (length >> 8) as u8, length as u8]),
            _ => frame.extend([0x80 | 127].into_iter().chain((length as u64).to_be_bytes())),
        }
        frame.extend([0; 4]);
        frame.extend(bytes);
        self.0.get_mut().write_all(&frame).unwrap();
    }

    /// Sends pings without reading the pongs. Stops when `bytes` bytes are sent or when the server
    /// accepts no more. Returns the number of bytes sent.
    pub(crate) fn send_pings(&mut self, bytes: usize) -> usize {
        let ping = [&[0x89, 0x80 | 125, 0, 0, 0, 0][..], &[b'x'; 125]].concat();
        let pings = ping.repeat(1000);
        let stream = self.0.get_mut();
        stream.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
        let mut sent = 0;
        while sent < bytes {
            match stream.write(&pings[sent % pings.len()..]) {
                Ok(written) => sent += written,
                Err(_) => break,
            }
        }
        sent
    }

    /// Sends bytes. They need not form frames.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).unwrap();
    }

    /// Begins a message of this length without sending its content.
    pub(crate) fn begin_message(&mut self, length: u64) {
        let head: Vec<u8> =
            [0x81, 0x80 | 127].into_iter().chain(length.to_be_bytes()).chain([0; 4]).collect();
        self.0.get_mut().write_all(&head).unwrap();
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.frame(0x81, line.as_bytes());
    }

    /// Returns the next frame.
    pub(crate) fn receive(&mut self) -> Frame {
        match self.read() {
            Ok((0x81, bytes)) => Frame::Text(String::from_utf8(bytes).unwrap()),
            Ok((0x88, bytes)) => Frame::Close(u16::from_be_bytes([bytes[0], bytes[1]])),
            Ok((kind, _)) => panic!("a frame of another kind: {kind:x}"),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                panic!("no answer within {ANSWER_TIMEOUT:?}")
            }
            Err(_) => Frame::Gone,
        }
    }

    fn read(&mut self) -> std::io::Result<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.0.read_exact(&mut head)?;
        let mut more = [0; 8];
        let size = match head[1] {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        self.0.read_exact(&mut more[8 - size..])?;
        let length = if size == 0 { u64::from(head[1]) } else { u64::from_be_bytes(more) };
        let mut bytes = vec![0; length as usize];
        self.0.read_exact(&mut bytes)?;
        Ok((head[0], bytes))
    }

    /// Requests a close of the connection, as a browser does when the user closes a tab.
    pub(crate) fn close(&mut self) {
        self.frame(0x88, &1001u16.to_be_bytes());
    }
}

/// The console of a socket: lines of UGI in both directions.
pub(crate) struct Console(pub Socket);

impl Console {
    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.0.send(&json!({ "ugi": line }).to_string());
    }

    /// Returns the next line, or the end of the connection.
    pub(crate) fn receive(&mut self) -> Frame {
        match self.0.receive() {
            Frame::Text(answer) => {
                let answer: Value = serde_json::from_str(&answer).unwrap();
                Frame::Text(answer["ugi"].as_str().unwrap_or_else(|| panic!("{answer}")).into())
            }
            end => end,
        }
    }

    /// Returns lines up to the first line that begins with `start`. This line is included.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Frame::Text(line) = self.receive() else {
                panic!("the session ended before {start}: {lines:#?}")
            };
            assert!(!line.contains('\n') && !line.is_empty());
            let is_last = line.starts_with(start);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// Sends a line. Returns the answer, which is a single line.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.send(line);
        match self.receive() {
            Frame::Text(line) => line,
            other => panic!("{other:?}"),
        }
    }
}
