//! Minimal HTTP for a page on the same machine: one request per connection.

use std::borrow::Cow;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Maximum size of a request in bytes.
const MOST_BYTES: usize = 16 << 10;
/// Maximum number of request headers.
const MOST_HEADERS: usize = 64;
/// Read timeout of a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// A parsed request.
pub(super) struct Request {
    /// Path without the leading slash, query and fragment.
    pub(super) path: String,
    /// False for HEAD.
    pub(super) wants_body: bool,
    host: String,
}

impl Request {
    /// Reads the head of a request.
    ///
    /// # Errors
    /// The reply to send for an invalid request.
    pub(super) fn read(mut connection: &TcpStream) -> Result<Self, Reply> {
        let wrong = || Reply::text(400, "this is no request");
        let limited = connection.set_read_timeout(Some(PATIENCE));
        limited.map_err(|_| wrong())?;
        let mut bytes = Vec::new();
        let mut part = [0; 2048];
        loop {
            let count = connection.read(&mut part).map_err(|_| wrong())?;
            bytes.extend_from_slice(&part[..count]);
            if let Some(request) = Self::parse(&bytes)? {
                return Ok(request);
            }
            if count == 0 || bytes.len() > MOST_BYTES {
                return Err(wrong());
            }
        }
    }

    /// Parses the request at the start of `bytes`; `None` if it is incomplete.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, Reply> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let status = request.parse(bytes);
        let status = status.map_err(|_| Reply::text(400, "this is no request"))?;
        if status.is_partial() {
            return Ok(None);
        }
        let wants_body = match request.method {
            Some("GET") => true,
            Some("HEAD") => false,
            _ => return Err(Reply::text(405, "there is only GET")),
        };
        let target = request.path.unwrap_or_default();
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let mut headers = request.headers.iter();
        let host = headers.find(|header| header.name.eq_ignore_ascii_case("host"));
        let host = host.map_or(&b""[..], |host| host.value);
        Ok(Some(Self {
            path: path.trim_start_matches('/').to_owned(),
            wants_body,
            host: String::from_utf8_lossy(host).into_owned(),
        }))
    }

    /// True if the request names this machine as its host. This blocks DNS rebinding: pages
    /// of other host names that resolve to this machine.
    pub(super) fn is_for(&self, port: u16) -> bool {
        let names = ["127.0.0.1", "localhost"];
        names
            .iter()
            .any(|name| self.host == format!("{name}:{port}"))
    }
}

/// An HTTP response.
pub(super) struct Reply {
    status: u16,
    kind: &'static str,
    body: Cow<'static, [u8]>,
}

impl Reply {
    /// A plain-text response.
    pub(super) fn text(status: u16, text: &str) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            body: Cow::Owned(format!("{text}\n").into_bytes()),
        }
    }

    /// A file, with the content type of its extension.
    pub(super) fn file(name: &str, body: Cow<'static, [u8]>) -> Self {
        let ending = name.rsplit('.').next().unwrap_or_default();
        Self {
            status: 200,
            kind: match ending {
                "css" => "text/css",
                "html" => "text/html; charset=utf-8",
                "js" => "text/javascript",
                "json" => "application/json",
                "png" => "image/png",
                "svg" => "image/svg+xml",
                "wasm" => "application/wasm",
                "webp" => "image/webp",
                _ => "application/octet-stream",
            },
            body,
        }
    }

    /// Sends the response; the connection is closed afterwards.
    pub(super) fn send(&self, mut connection: &TcpStream, with_body: bool) -> io::Result<()> {
        let length = self.body.len();
        begin(connection, self.status, self.kind, Some(length))?;
        if with_body {
            connection.write_all(&self.body)?;
        }
        connection.flush()
    }
}

/// Sends the status line and headers. Without a `length` the body extends to the end of the
/// connection.
pub(super) fn begin(
    mut connection: &TcpStream,
    status: u16,
    kind: &str,
    length: Option<usize>,
) -> io::Result<()> {
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        _ => "Internal Server Error",
    };
    let length = length.map_or(String::new(), |length| {
        format!("Content-Length: {length}\r\n")
    });
    write!(
        connection,
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\n{length}Cache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Option<Request>, u16> {
        Request::parse(text.as_bytes()).map_err(|reply| reply.status)
    }

    #[test]
    fn request_path_and_host_are_parsed() {
        let text = "GET /assets/a.js?x=1#y HTTP/1.1\r\nhost: localhost:80\r\n\r\n";
        let request = parsed(text).expect("a request").expect("all of it");
        assert_eq!(request.path, "assets/a.js");
        assert!(request.wants_body && request.is_for(80) && !request.is_for(81));
        for length in 0..text.len() {
            let part = parsed(&text[..length]);
            assert!(
                part.is_ok_and(|request| request.is_none()),
                "{length} bytes"
            );
        }
    }

    #[test]
    fn foreign_host_names_are_refused() {
        for host in ["evil.example:80", "127.0.0.1", "localhost:8080", ""] {
            let text = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
            let request = parsed(&text).expect("a request").expect("all of it");
            assert!(!request.is_for(80), "{host}");
        }
    }

    #[test]
    fn invalid_requests_get_error_status() {
        assert_eq!(parsed("POST / HTTP/1.1\r\n\r\n").err(), Some(405));
        assert_eq!(parsed("\u{0}\u{1}\r\n\r\n").err(), Some(400));
        let many = "a: b\r\n".repeat(MOST_HEADERS + 1);
        assert_eq!(
            parsed(&format!("GET / HTTP/1.1\r\n{many}\r\n")).err(),
            Some(400)
        );
    }
}
