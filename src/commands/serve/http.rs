//! The part of HTTP that a page on this machine needs: one request per connection.

use std::borrow::Cow;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Maximum size of a request in bytes.
const MAX_BYTES: usize = 16 << 10;
const MAX_HEADERS: usize = 64;
/// Time after which an idle connection is closed.
const TIMEOUT: Duration = Duration::from_secs(300);

pub(super) struct Request {
    /// Path without the leading slash, query and fragment.
    pub(super) path: String,
    /// The `Host` header, empty if there is none.
    pub(super) host: String,
    /// True for HEAD, false for GET.
    pub(super) head_only: bool,
}

impl Request {
    /// Reads the head of a request, or returns the response to an invalid one.
    pub(super) fn read(mut connection: &TcpStream) -> io::Result<Result<Self, Response>> {
        connection.set_read_timeout(Some(TIMEOUT))?;
        let mut bytes = Vec::new();
        let mut chunk = [0; 2048];
        loop {
            let count = connection.read(&mut chunk)?;
            bytes.extend_from_slice(&chunk[..count]);
            match Self::parse(&bytes) {
                Ok(None) if count > 0 && bytes.len() <= MAX_BYTES => {}
                Ok(None) => return Ok(Err(Response::text(400, "incomplete request"))),
                Ok(Some(request)) => return Ok(Ok(request)),
                Err(response) => return Ok(Err(response)),
            }
        }
    }

    /// Parses a request; `None` if its head is not complete yet.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, Response> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(bytes) {
            Ok(status) if status.is_partial() => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(Response::text(400, &error.to_string())),
        }
        let head_only = match request.method {
            Some("GET") => false,
            Some("HEAD") => true,
            _ => return Err(Response::text(405, "method not allowed")),
        };
        let url = request.path.unwrap_or_default();
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let mut headers = request.headers.iter();
        let host = headers.find(|header| header.name.eq_ignore_ascii_case("host"));
        let host = host.map(|host| String::from_utf8_lossy(host.value).into_owned());
        Ok(Some(Self {
            path: path.trim_start_matches('/').to_owned(),
            host: host.unwrap_or_default(),
            head_only,
        }))
    }
}

pub(super) struct Response {
    status: u16,
    media_type: &'static str,
    body: Cow<'static, [u8]>,
}

impl Response {
    pub(super) fn text(status: u16, text: &str) -> Self {
        Self {
            status,
            media_type: "text/plain; charset=utf-8",
            body: format!("{text}\n").into_bytes().into(),
        }
    }

    pub(super) fn html(status: u16, page: &'static str) -> Self {
        Self { status, media_type: "text/html; charset=utf-8", body: page.as_bytes().into() }
    }

    pub(super) fn file(media_type: Option<&'static str>, body: Cow<'static, [u8]>) -> Self {
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
        let parsed = Request::parse(b"GET /assets/a.js?x=1#y HTTP/1.1\r\nhost: a:1\r\n\r\n");
        let request = parsed.ok().flatten().expect("a request");
        assert_eq!(request.path, "assets/a.js");
        assert_eq!(request.host, "a:1");
        assert!(!request.head_only);
    }

    #[test]
    fn invalid_requests_are_refused() {
        for (text, status) in [("POST / HTTP/1.1\r\n\r\n", 405), ("GET / HTTP/one\r\n\r\n", 400)] {
            let refused = Request::parse(text.as_bytes()).err().expect("a refusal");
            assert_eq!(refused.status, status, "{text}");
        }
        assert!(matches!(Request::parse(b"GET / HT"), Ok(None)));
    }
}
