//! `tarsus serve` and `tarsus export -o page.html` as a user runs them, with a small site
//! instead of the one that scripts/web.sh builds.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Workspace, stderr};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

const INDEX: &str = "<head></head><script type=\"application/json\" id=\"tarsus-files\"></script>";
const PLAYER: &str = "<title>%TARSUS_TITLE%</title><img src=\"%TARSUS_POSTER%\">\
                      <script id=\"tarsus-scene\">%TARSUS_SCENE%</script>";
const SCENE: &str = "struct Params {
    /// Size [0, 1] = 0.5
    size: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(params.size); } // </script>
";

/// A workspace with a site and a scene.
fn with_site() -> Workspace {
    let workspace = Workspace::new();
    fs::create_dir_all(workspace.path("site/assets")).expect("made");
    workspace.write("site/index.html", INDEX);
    workspace.write("site/player.html", PLAYER);
    workspace.write("site/assets/main.js", "script");
    workspace.write("a.wgsl", SCENE);
    workspace
}

/// The text of a page between two markers.
fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    let rest = page.split_once(before).expect(before).1;
    rest.split_once(after).expect(after).0
}

#[test]
fn build_without_page_names_the_fix() {
    let workspace = Workspace::new();
    workspace.write("broken.wgsl", "fn main_image(");
    // Beside no target/web, as after `cargo install`.
    let program = workspace.path("bin/tarsus");
    fs::create_dir(workspace.path("bin")).expect("a folder");
    // A process that another test starts may hold a file that this one writes, which then
    // cannot run.
    let copied = Command::new("cp")
        .args([env!("CARGO_BIN_EXE_tarsus").as_ref(), program.as_os_str()])
        .status();
    assert!(copied.expect("`cp` starts").success());
    let output = Command::new(program)
        .args(["export", "broken.wgsl", "-o", "a.html"])
        .current_dir(workspace.path(""))
        .env_remove("TARSUS_SITE")
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let errors = stderr(&output);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.contains("scripts/web.sh") && errors.contains("--site"), "{errors}");
}

#[test]
fn exported_page_contains_scene_and_poster() {
    let workspace = with_site();
    let output = workspace.output("export a.wgsl -o out/a.html --site site --set size=0.25");
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(workspace.path("out/a.html")).expect("a page");
    assert_eq!(between(&page, "<title>", "</title>"), "a");
    assert!(between(&page, "src=\"", "\"").starts_with("data:image/jpeg;base64,"));
    let messages = between(&page, "id=\"tarsus-scene\">", "</script>");
    let messages: Value = serde_json::from_str(messages).expect("JSON");
    assert_eq!(messages["values"], json!({ "size": [0.25] }));
    assert_eq!(messages["composed"]["main"], "a");
    let modules = messages["composed"]["program"]["modules"].as_array().expect("modules");
    assert!(modules[0].as_str().unwrap_or_default().contains("fn tarsus_fragment("));
    for (flag, code) in [("", 1), ("--force", 0)] {
        let again = workspace.output(&format!("export a.wgsl -o out/a.html --site site {flag}"));
        assert_eq!(again.status.code(), Some(code), "{flag}: {}", stderr(&again));
    }
}

#[test]
fn poster_shows_readable_channels() {
    let workspace = with_site();
    let scene = "/// image \"green.png\"
@group(2) @binding(0) var green: texture_2d<f32>;
@group(2) @binding(1) var green_sampler: sampler;
/// image \"red.png\"
@group(2) @binding(2) var red: texture_2d<f32>;
@group(2) @binding(3) var red_sampler: sampler;
fn main_image(p: vec2f) -> vec4f {
    return textureSample(green, green_sampler, p / 100.0) + textureSample(red, red_sampler, p / 100.0);
}
";
    workspace.write("a.wgsl", scene);
    for (name, colour) in [("green", "0.0, 1.0"), ("red", "1.0, 0.0")] {
        let scene =
            format!("fn main_image(p: vec2f) -> vec4f {{ return vec4f({colour}, 0.0, 1.0); }}");
        workspace.write(&format!("{name}.wgsl"), &scene);
        workspace.text_of(&format!("capture {name}.wgsl --size 4x4 -o {name}.png"), 0);
    }
    for (removed, expected) in
        [("nothing", [255, 255, 0]), ("red.png", [0, 255, 0]), ("green.png", [0; 3])]
    {
        let _ = fs::remove_file(workspace.path(removed));
        let output = workspace.output("export a.wgsl -o a.html --site site --force");
        assert!(output.status.success(), "{}", stderr(&output));
        let colour = poster_colour(&workspace);
        let is_close = colour.iter().zip(expected).all(|(&a, b)| a.abs_diff(b) < 4);
        assert!(is_close, "{colour:?} without {removed}");
    }
}

/// Colour in the middle of the poster of `a.html`.
fn poster_colour(workspace: &Workspace) -> [u8; 3] {
    let page = fs::read_to_string(workspace.path("a.html")).expect("a page");
    let poster = between(&page, "src=\"data:image/jpeg;base64,", "\"");
    let poster = BASE64.decode(poster).expect("a picture");
    let poster = image::load_from_memory(&poster).expect("a picture").into_rgb8();
    poster.get_pixel(480, 270).0
}

#[test]
fn undecodable_video_is_black_on_poster() {
    let workspace = with_site();
    workspace.write(
        "red.wgsl",
        "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0, 0.0, 0.0, 1.0); }",
    );
    workspace.text_of("capture red.wgsl --size 64x64 --frames 5 -o red.mp4", 0);
    let mut video = fs::read(workspace.path("red.mp4")).expect("a video");
    let frames = video.windows(4).position(|bytes| bytes == b"mdat").expect("frames") + 4;
    video[frames..].fill(0);
    fs::write(workspace.path("red.mp4"), video).expect("written");
    let scene = "/// video \"red.mp4\"
@group(2) @binding(0) var red: texture_2d<f32>;
@group(2) @binding(1) var red_sampler: sampler;
fn main_image(p: vec2f) -> vec4f {
    return vec4f(textureSample(red, red_sampler, p / 100.0).r, 1.0, 0.0, 1.0);
}
";
    workspace.write("a.wgsl", scene);
    let output = workspace.output("export a.wgsl -o a.html --site site");
    assert!(output.status.success(), "{}", stderr(&output));
    let colour = poster_colour(&workspace);
    assert!(colour.iter().zip([0, 255, 0]).all(|(&a, b)| a.abs_diff(b) < 4), "{colour:?}");
}

#[test]
fn exported_folder_is_site_with_scene() {
    let workspace = with_site();
    let output = workspace.output("export a.wgsl -o out --site site");
    assert!(output.status.success(), "{}", stderr(&output));
    let out = workspace.path("out");
    assert_eq!(fs::read_to_string(out.join("assets/main.js")).expect("a file"), "script");
    assert!(!out.join("player.html").exists());
    std::fs::remove_file(out.join("assets/main.js")).expect("a file");
    for (flag, code) in [("", 1), ("--force", 0)] {
        let again = workspace.output(&format!("export a.wgsl -o out --site site {flag}"));
        assert_eq!(again.status.code(), Some(code), "{flag}: {}", stderr(&again));
        assert_eq!(out.join("assets/main.js").exists(), code == 0, "all or nothing");
    }
    let page = fs::read_to_string(out.join("index.html")).expect("a page");
    let messages = between(&page, "id=\"tarsus-files\">", "</script>");
    let messages: Value = serde_json::from_str(messages).expect("JSON");
    assert_eq!(
        (&messages["main"], &messages["files"]["a.wgsl"]),
        (&json!("a.wgsl"), &json!(SCENE))
    );
}

#[test]
fn path_with_separator_is_folder() {
    let workspace = with_site();
    workspace.text_of("export a.wgsl -o page.html/ --site site", 0);
    assert!(workspace.path("page.html").is_dir());
}

#[test]
fn export_errors_are_reported() {
    let workspace = with_site();
    workspace.write("wrong.wgsl", "fn main_image(");
    for (arguments, code, words) in [
        ("a.wgsl -o - --site site", 2, "expected a file such as page.html"),
        ("a.wgsl -o a.html --site .", 1, "scripts/web.sh builds it"),
        ("a.wgsl -o a.html --site site --set x=1", 2, "no parameter `x`"),
        ("wrong.wgsl -o a.html --site site", 1, "wrong.wgsl"),
        ("a.wgsl -o site --site site --force", 2, "that is the page"),
        ("a.wgsl -o ./site/player.html --site site --force", 2, "that is the page"),
    ] {
        let output = workspace.output(&format!("export {arguments}"));
        let messages = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {messages}");
        assert!(messages.contains(words), "{words} in {messages}");
        assert!(!workspace.path("a.html").exists());
    }
    for (name, text) in [("index.html", INDEX), ("player.html", PLAYER)] {
        let path = workspace.path("site").join(name);
        assert_eq!(fs::read_to_string(path).expect("a page"), text);
    }
}

/// A server process, killed on drop.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start(workspace: &Workspace, arguments: &[&str]) -> Self {
        let arguments = [&["serve", "--port", "0", "--site", "site"], arguments].concat();
        Self::spawn(&mut workspace.tarsus(&arguments))
    }

    fn spawn(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("tarsus");
        let mut line = String::new();
        let out = process.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("an address");
        let port = between(&line, "http://127.0.0.1:", "/").parse().expect("a port");
        Self { process, port }
    }

    /// Sends a request and returns the stream, from which the reply is still to be read.
    fn ask(&self, path: &str, host: &str) -> TcpStream {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("a server");
        let limited = stream.set_read_timeout(Some(Duration::from_secs(60)));
        limited.expect("a time limit");
        let head = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("sent");
        stream
    }

    /// Requests a path; returns the status line and the body of the reply.
    fn get(&self, path: &str) -> (String, String) {
        let mut reply = String::new();
        let mut stream = self.ask(path, &format!("localhost:{}", self.port));
        stream.read_to_string(&mut reply).expect("a reply");
        let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
        (head.lines().next().unwrap_or_default().to_owned(), body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn served_page_receives_each_edit() {
    let workspace = with_site();
    let server = Server::start(&workspace, &["a.wgsl"]);
    let (status, page) = server.get("");
    assert_eq!(status, "HTTP/1.1 200 ");
    assert!(page.contains("<meta name=\"tarsus-served\" content=\"changes/0\">"), "{page}");
    let files = |text: &str| json!({ "main": "a.wgsl", "files": { "a.wgsl": text } });
    let messages: Value =
        serde_json::from_str(between(&page, "id=\"tarsus-files\">", "</script>")).expect("JSON");
    assert_eq!(messages, files(SCENE));

    let host = format!("127.0.0.1:{}", server.port);
    let mut changes = BufReader::new(server.ask("changes/0", &host)).lines().map_while(Result::ok);
    let begins = changes.find(|line| line.is_empty());
    assert!(begins.is_some(), "the head ends");
    for text in [SCENE.replace("0.5", "0.75"), "fn main_image(".to_owned(), SCENE.to_owned()] {
        workspace.write("a.wgsl", &text);
        // The file is empty for a moment, which a slow machine may report.
        let is_edit = |line: &String| {
            let messages = line.strip_prefix("data: ");
            let messages = messages.map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
            messages == Some(files(&text))
        };
        assert!(changes.any(|line| is_edit(&line)), "{text} is never sent");
    }
}

#[test]
fn idle_connections_do_not_delay_others() {
    let workspace = with_site();
    let server = Server::start(&workspace, &["a.wgsl"]);
    let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, server.port));
    let idle: Vec<_> = (0..16).map(|_| connect().expect("a server")).collect();
    let host = format!("127.0.0.1:{}", server.port);
    let streams: Vec<_> = (0..4).map(|_| server.ask("changes/0", &host)).collect();
    assert_eq!(server.get("assets/main.js").1, "script");
    let mut unused = connect().expect("a server");
    unused.shutdown(Shutdown::Write).expect("no request");
    let mut reply = String::new();
    unused.read_to_string(&mut reply).expect("the end");
    assert_eq!(reply, "");
    drop((idle, streams));
}

#[cfg(target_os = "linux")]
#[test]
fn server_waits_at_limit_of_open_files() {
    let workspace = with_site();
    let program = env!("CARGO_BIN_EXE_tarsus");
    let script = format!("ulimit -n 24; exec {program} serve --port 0 --site site");
    let mut command = Command::new("sh");
    let server = Server::spawn(command.args(["-c", &script]).current_dir(workspace.path("")));
    let connect = |_| TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).expect("a server");
    let idle: Vec<_> = (0..40).map(connect).collect();
    // User and system time, in hundredths of a second.
    let cpu_time = || {
        let path = format!("/proc/{}/stat", server.process.id());
        let stat = fs::read_to_string(path).expect("a process");
        let fields = stat.split(' ').skip(13).take(2);
        fields.map(|field| field.parse::<u64>().expect("a number")).sum::<u64>()
    };
    std::thread::sleep(Duration::from_millis(500));
    let before = cpu_time();
    std::thread::sleep(Duration::from_secs(1));
    let used = cpu_time() - before;
    assert!(used < 10, "{used} hundredths of a second");
    drop(idle);
    assert_eq!(server.get("assets/main.js").1, "script");
}

#[test]
fn server_serves_only_site_on_localhost() {
    let workspace = with_site();
    let server = Server::start(&workspace, &[]);
    assert_eq!(server.get("assets/main.js").1, "script");
    assert_eq!(server.get("").1, INDEX, "without a scene it is the gallery");
    std::fs::create_dir(workspace.path("site/ik")).expect("made");
    workspace.write("site/ik/index.html", "article");
    assert_eq!(server.get("ik/").1, "article");
    for path in ["../a.wgsl", "assets/../../a.wgsl", "nothing.js", "changes/0", "../"] {
        let (status, page) = server.get(path);
        assert_eq!(status, "HTTP/1.1 404 ", "{path}");
        assert!(page.contains("all scenes are at /"), "{page}");
    }
    let mut reply = String::new();
    let mut stream = server.ask("", "evil.example");
    stream.read_to_string(&mut reply).expect("a reply");
    assert!(reply.starts_with("HTTP/1.1 403 "), "{reply}");
}

#[test]
fn port_and_site_errors_are_reported() {
    let workspace = with_site();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = workspace.output(&format!("serve --site site --port {port}"));
    let messages = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{messages}");
    assert!(messages.contains(&format!("cannot serve on 127.0.0.1:{port}")), "{messages}");
    assert!(messages.contains("`--port 0` takes a free port"), "{messages}");
    let output = workspace.output("serve --site nowhere");
    assert!(stderr(&output).contains("scripts/web.sh builds it"), "{}", stderr(&output));
}
