//! The part of HTTP that a page on this machine needs: one request per connection.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Maximum size of a request in bytes.
const MAX_BYTES: u64 = 16 << 10;
/// Time after which an idle connection is closed.
pub(super) const TIMEOUT: Duration = Duration::from_secs(300);

pub(super) struct Request {
    /// Path without the leading slash, query and fragment.
    pub(super) path: String,
    /// The `Host` header, empty if there is none.
    pub(super) host: String,
    /// True for HEAD, false for GET.
    pub(super) head_only: bool,
}

impl Request {
    /// Reads the head of a request, or returns the response to an invalid or unfinished one.
    pub(super) fn read(connection: impl io::Read) -> Result<Self, Response> {
        let lines = BufReader::new(connection.take(MAX_BYTES)).split(b'\n').map_while(Result::ok);
        let mut lines = lines.map(|line| String::from_utf8_lossy(&line).trim_end().to_owned());
        let first = lines.next().unwrap_or_default();
        let mut host = String::new();
        for line in lines {
            if line.is_empty() {
                return Self::new(&first, host);
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("host")
            {
                value.trim_start().clone_into(&mut host);
            }
        }
        Err(Response::text(400, "incomplete request"))
    }

    /// A request from its `first` line and its host.
    fn new(first: &str, host: String) -> Result<Self, Response> {
        let mut words = first.split(' ');
        let (method, url, version) = (words.next(), words.next(), words.next());
        let (Some(url), Some("HTTP/1.1" | "HTTP/1.0")) = (url, version) else {
            return Err(Response::text(400, "invalid request"));
        };
        let head_only = match method {
            Some("GET") => false,
            Some("HEAD") => true,
            _ => return Err(Response::text(405, "method not allowed")),
        };
        let path = url.split(['?', '#']).next().unwrap_or_default();
        Ok(Self { path: path.trim_start_matches('/').to_owned(), host, head_only })
    }
}

pub(super) struct Response {
    status: u16,
    media_type: &'static str,
    body: Vec<u8>,
}

impl Response {
    pub(super) fn text(status: u16, text: &str) -> Self {
        Self {
            status,
            media_type: "text/plain; charset=utf-8",
            body: format!("{text}\n").into_bytes(),
        }
    }

    pub(super) fn file(media_type: Option<&'static str>, body: Vec<u8>) -> Self {
        Self { status: 200, media_type: media_type.unwrap_or("application/octet-stream"), body }
    }

    pub(super) fn send(&self, mut connection: &TcpStream, with_body: bool) -> io::Result<()> {
        let length = self.body.len();
        let Self { status, media_type, .. } = self;
        // Browsers do not need the reason phrase.
        write!(
            connection,
            "HTTP/1.1 {status} \r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
             Connection: close\r\n\r\n"
        )?;
        if with_body {
            connection.write_all(&self.body)?;
        }
        connection.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_omits_query_and_fragment() {
        let parsed = Request::read(&b"GET /assets/a.js?x=1#y HTTP/1.1\r\nhost: a:1\r\n\r\n"[..]);
        let request = parsed.ok().expect("a request");
        assert_eq!(request.path, "assets/a.js");
        assert_eq!(request.host, "a:1");
        assert!(!request.head_only);
    }

    #[test]
    fn invalid_requests_are_refused() {
        let long = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(1 << 12));
        for (text, status) in [
            ("POST / HTTP/1.1\r\n\r\n", 405),
            ("GET / HTTP/one\r\n\r\n", 400),
            ("GET / HT", 400),
            ("GET / HTTP/1.1\r\nhost: a", 400),
            ("\r\n\r\n", 400),
            (&*long, 400),
        ] {
            let refused = Request::read(text.as_bytes()).err().expect(text);
            assert_eq!(refused.status, status, "{text}");
        }
    }
}
