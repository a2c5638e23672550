//! `tarsus serve`: serves the web page to this machine only.

mod http;
mod live;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};

use self::http::{Request, Response, TIMEOUT};
use self::live::LiveScene;
use super::page_scene::media_type;
use super::site::{INDEX, Site, embed_scene};
use crate::cli::ServeArgs;
use tarsus_shader::{Library, Scene};

/// Path of the change events; the page's version follows it.
const CHANGES_PATH: &str = "changes/";

/// Time between two attempts to accept a connection.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// Serves until the process is interrupted.
pub(super) fn run(args: &ServeArgs, library: &Library) -> Result<ExitCode> {
    let site = Site::find(args.site.as_deref())?;
    let scene = args.scene.as_deref().map(|scene| Scene::find(scene, library));
    let live = scene.transpose()?.map(|scene| LiveScene::new(scene, library));
    let port = args.port;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| {
        format!("cannot serve on 127.0.0.1:{port}; hint: `--port 0` takes a free port")
    })?;
    let port = listener.local_addr().map_or(port, |address| address.port());
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
    // Browsers open connections in advance and leave them idle, so each has its own thread.
    for connection in listener.incoming() {
        let Ok(connection) = connection else {
            // At the limit of open files every call fails at once, until a connection ends.
            thread::sleep(RETRY_INTERVAL);
            continue;
        };
        let server = Arc::clone(&server);
        // A browser that disconnected is no error.
        thread::spawn(move || server.respond(&connection));
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
    fn respond(&self, connection: &TcpStream) -> io::Result<()> {
        connection.set_read_timeout(Some(TIMEOUT))?;
        // A connection that asks nothing gets no answer.
        if connection.peek(&mut [0])? == 0 {
            return Ok(());
        }
        let request = match Request::read(connection) {
            Ok(request) => request,
            Err(refusal) => return refusal.send(connection, true),
        };
        log::info!("request for /{}", request.path);
        let version = request.path.strip_prefix(CHANGES_PATH);
        let version = version.and_then(|version| version.parse().ok());
        let response = match (&self.live, version, &*request.path) {
            _ if !is_local(&request.host, self.port) => {
                Response::text(403, "only local requests are allowed")
            }
            (Some(live), Some(version), _) => return live.stream_changes(connection, version),
            (.., "") => self.index(),
            (.., path) => self.file(path),
        };
        response.send(connection, !request.head_only)
    }

    /// A file of the site; for a folder, its index page.
    fn file(&self, path: &str) -> Response {
        let name = if path.ends_with('/') { format!("{path}{INDEX}") } else { path.to_owned() };
        match self.site.file(&name) {
            Some(bytes) => Response::file(media_type(&name), bytes),
            None => Response::text(404, "there is nothing at this address; all scenes are at /"),
        }
    }

    /// The index page, with the scene embedded.
    fn index(&self) -> Response {
        let page = match self.site.text(INDEX) {
            Ok(page) => page,
            Err(error) => return Response::text(500, &error.to_string()),
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
        Response::file(media_type(INDEX), page.into_bytes())
    }
}

/// True if the host is this machine. This blocks DNS rebinding: pages of other host names
/// that resolve to this machine. Browsers omit the default port.
fn is_local(host: &str, port: u16) -> bool {
    let is_same = |name: &str| host == format!("{name}:{port}") || host == name && port == 80;
    ["127.0.0.1", "localhost"].into_iter().any(is_same)
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
    opener.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let name = opener.get_program().to_string_lossy().into_owned();
    let started = opener.spawn();
    started.with_context(|| format!("cannot open {url} with `{name}`; hint: open it yourself"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_host_names_are_accepted() {
        for (host, port) in [
            ("localhost:8765", 8765),
            ("127.0.0.1:8765", 8765),
            ("127.0.0.1:80", 80),
            ("127.0.0.1", 80),
            ("localhost", 80),
        ] {
            assert!(is_local(host, port), "{host} {port}");
        }
        for (host, port) in [
            ("evil.example:80", 80),
            ("evil.example", 80),
            ("localhost:8080", 80),
            ("127.0.0.1", 8765),
            ("", 80),
        ] {
            assert!(!is_local(host, port), "{host} {port}");
        }
    }
}
