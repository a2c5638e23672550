//! `tarsus serve`: serves the web page to this machine only.

mod http;
mod live;

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;

use anyhow::{Context as _, Result};

use self::http::{Reply, Request};
use self::live::LiveScene;
use super::site::{INDEX, Site, with_scene};
use crate::cli::ServeArgs;
use tarsus_shader::{Library, Scene};

/// Path of the change events; the page's version follows it.
const CHANGES: &str = "changes/";

/// Serves until the process ends.
pub(super) fn run(args: &ServeArgs, library: &Library) -> Result<ExitCode> {
    let site = Site::find(args.site.as_deref())?;
    let scene = args
        .scene
        .as_deref()
        .map(|scene| Scene::find(scene, library));
    let live = scene
        .transpose()?
        .map(|scene| LiveScene::new(scene, library));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).with_context(|| {
        format!(
            "cannot serve on 127.0.0.1:{}; hint: `--port 0` takes a free port",
            args.port
        )
    })?;
    let port = listener
        .local_addr()
        .map_or(args.port, |address| address.port());
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
    for connection in listener.incoming() {
        let server = Arc::clone(&server);
        // A browser that disconnected is no error.
        thread::spawn(move || connection.map(|connection| server.answer(&connection)));
    }
    Ok(ExitCode::SUCCESS)
}

/// State shared by all connections.
struct Server {
    site: Site,
    live: Option<LiveScene>,
    port: u16,
}

impl Server {
    fn answer(&self, connection: &TcpStream) -> std::io::Result<()> {
        let request = match Request::read(connection) {
            Ok(request) => request,
            Err(refused) => return refused.send(connection, true),
        };
        if !request.is_for(self.port) {
            let told = Reply::text(403, "this page is for this machine alone");
            return told.send(connection, request.wants_body);
        }
        let told = request.path.strip_prefix(CHANGES);
        let told = told.and_then(|version| version.parse().ok());
        match (&self.live, told, request.path.as_str()) {
            (Some(live), Some(told), _) => live.tell(connection, told),
            (.., "") => self.index().send(connection, request.wants_body),
            (.., name) => {
                let reply = match self.site.file(name) {
                    Some(bytes) => Reply::file(name, bytes),
                    None => Reply::text(404, "there is no such file"),
                };
                reply.send(connection, request.wants_body)
            }
        }
    }

    /// The index page, with the scene embedded.
    fn index(&self) -> Reply {
        let page = match self.site.text(INDEX) {
            Ok(page) => page,
            Err(error) => return Reply::text(500, &error.to_string()),
        };
        let Some(live) = &self.live else {
            return Reply::file(INDEX, page.into_bytes().into());
        };
        let (files, version) = live.files();
        let page = with_scene(&page, &files);
        let heard =
            format!("<meta name=\"tarsus-served\" content=\"{CHANGES}{version}\">\n</head>");
        Reply::file(
            INDEX,
            page.replacen("</head>", &heard, 1).into_bytes().into(),
        )
    }
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
    started.with_context(|| format!("cannot open {url} by `{name}`; hint: open it yourself"))?;
    Ok(())
}
