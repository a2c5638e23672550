//! `tarsus serve`: serves the web page to this machine only.

mod live;

use std::borrow::Cow;
use std::io::{self, Cursor};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;

use anyhow::{Context as _, Result, anyhow};
use tiny_http::{Header, Method, Request, Response};

use self::live::LiveScene;
use super::media_type::media_type;
use super::site::{INDEX, Site, embed_scene};
use crate::cli::ServeArgs;
use tarsus_shader::{Library, Scene};

/// Path of the change events; the page's version follows it.
const CHANGES_PATH: &str = "changes/";

/// Serves until the process is interrupted.
pub(super) fn run(args: &ServeArgs, library: &Library) -> Result<ExitCode> {
    let site = Site::find(args.site.as_deref())?;
    let scene = args
        .scene
        .as_deref()
        .map(|scene| Scene::find(scene, library));
    let live = scene
        .transpose()?
        .map(|scene| LiveScene::new(scene, library));
    let port = args.port;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| {
        format!("cannot serve on 127.0.0.1:{port}; hint: `--port 0` takes a free port")
    })?;
    let port = listener.local_addr().map_or(port, |address| address.port());
    let requests = tiny_http::Server::from_listener(listener, None)
        .map_err(|error| anyhow!("cannot serve on 127.0.0.1:{port}: {error}"))?;
    let url = format!("http://127.0.0.1:{port}/");
    println!("{url}");
    if args.open {
        open_browser(&url)?;
    }
    let server = Arc::new(Server { site, live, port });
    if server.live.is_some() {
        let watching = Arc::clone(&server);
        thread::spawn(move || watching.live.as_ref().map(LiveScene::watch));
    }
    for request in requests.incoming_requests() {
        let server = Arc::clone(&server);
        // A browser that disconnected is no error.
        thread::spawn(move || server.respond(request));
    }
    Ok(ExitCode::SUCCESS)
}

/// State shared by all requests.
struct Server {
    site: Site,
    live: Option<LiveScene>,
    port: u16,
}

impl Server {
    fn respond(&self, request: Request) -> io::Result<()> {
        if !is_local(host(&request), self.port) {
            return request.respond(text_response(403, "only local requests are allowed"));
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            return request.respond(text_response(405, "method not allowed"));
        }
        let path = path(request.url()).to_owned();
        let version = path.strip_prefix(CHANGES_PATH);
        let version = version.and_then(|version| version.parse().ok());
        match (&self.live, version, &*path) {
            (Some(live), Some(version), _) => live.stream_changes(request.into_writer(), version),
            (.., "") => request.respond(self.index()),
            (.., name) => request.respond(match self.site.file(name) {
                Some(bytes) => file_response(name, bytes),
                None => text_response(404, "not found"),
            }),
        }
    }

    /// The index page, with the scene embedded.
    fn index(&self) -> Response<Body> {
        let page = match self.site.text(INDEX) {
            Ok(page) => page,
            Err(error) => return text_response(500, &error.to_string()),
        };
        let page = match &self.live {
            Some(live) => {
                let (files, version) = live.files();
                let meta = format!(
                    "<meta name=\"tarsus-served\" content=\"{CHANGES_PATH}{version}\">\n</head>"
                );
                embed_scene(&page, &files).replacen("</head>", &meta, 1)
            }
            None => page,
        };
        file_response(INDEX, page.into_bytes().into())
    }
}

/// The `Host` header of a request, empty if there is none.
fn host(request: &Request) -> &str {
    let mut headers = request.headers().iter();
    let host = headers.find(|header| header.field.equiv("Host"));
    host.map_or("", |host| host.value.as_str())
}

/// True if the host is this machine. This blocks DNS rebinding: pages of other host names
/// that resolve to this machine.
fn is_local(host: &str, port: u16) -> bool {
    ["127.0.0.1", "localhost"]
        .iter()
        .any(|name| host == format!("{name}:{port}"))
}

/// Path of a URL without the leading slash, query and fragment.
fn path(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.trim_start_matches('/')
}

type Body = Cursor<Cow<'static, [u8]>>;

fn text_response(status: u16, text: &str) -> Response<Body> {
    let body = format!("{text}\n").into_bytes();
    response(status, "text/plain; charset=utf-8", body.into())
}

fn file_response(name: &str, body: Cow<'static, [u8]>) -> Response<Body> {
    let media_type = media_type(name).unwrap_or("application/octet-stream");
    response(200, media_type, body)
}

fn response(status: u16, media_type: &str, body: Cow<'static, [u8]>) -> Response<Body> {
    let fields = [
        ("Content-Type", media_type),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
    ];
    let headers = fields
        .iter()
        .filter_map(|(field, value)| Header::from_bytes(*field, *value).ok());
    let length = body.len();
    Response::new(
        status.into(),
        headers.collect(),
        Cursor::new(body),
        Some(length),
        None,
    )
}

fn open_browser(url: &str) -> Result<()> {
    let mut opener = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => {
            let mut shell = Command::new("cmd");
            shell.args(["/C", "start", ""]);
            shell
        }
        _ => Command::new("xdg-open"),
    };
    opener
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let name = opener.get_program().to_string_lossy().into_owned();
    let started = opener.spawn();
    started.with_context(|| format!("cannot open {url} with `{name}`; hint: open it yourself"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_omits_query_and_fragment() {
        assert_eq!(path("/assets/a.js?x=1#y"), "assets/a.js");
        assert_eq!(path("/"), "");
    }

    #[test]
    fn foreign_host_names_are_refused() {
        assert!(is_local("localhost:80", 80) && is_local("127.0.0.1:80", 80));
        for host in ["evil.example:80", "127.0.0.1", "localhost:8080", ""] {
            assert!(!is_local(host, 80), "{host}");
        }
    }
}
