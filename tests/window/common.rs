//! A screen of its own, and the program on it, played as a user plays it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt as _, EventMask};

/// How long to wait for anything: a busy machine is slow, not wrong.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until `found` gives something.
pub fn wait<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        sleep(Duration::from_millis(50));
    }
}

/// An X server without a screen to look at.
pub struct Display {
    server: Child,
    name: String,
}

impl Display {
    pub fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24"])
            // Without this the server starts over whenever its last client leaves.
            .args(["-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut number = String::new();
        let output = server.stdout.as_mut().expect("its output");
        BufReader::new(output)
            .read_line(&mut number)
            .expect("the number of the display");
        let name = format!(":{}", number.trim());
        Self { server, name }
    }

    /// Runs a tool on this display; gives its output, or nothing if it fails.
    fn tool(&self, name: &str, arguments: &[&str]) -> Option<Vec<u8>> {
        let output = Command::new(name)
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .unwrap_or_else(|error| panic!("{name} is installed: {error}"));
        output.status.success().then_some(output.stdout)
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// What stands on the screen.
#[derive(Clone, PartialEq)]
pub struct Shot {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue of every pixel, rows from the top.
    pub rgb: Vec<u8>,
}

impl Shot {
    /// Decodes an 8-bit PNG.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().ok()?;
        let mut pixels = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut pixels).ok()?;
        let samples = info.color_type.samples();
        let rgb = pixels[..info.buffer_size()]
            .chunks_exact(samples)
            .flat_map(|pixel| match samples {
                1 | 2 => [pixel[0]; 3],
                _ => [pixel[0], pixel[1], pixel[2]],
            })
            .collect();
        Some(Self {
            width: info.width,
            height: info.height,
            rgb,
        })
    }

    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("the picture is there");
        Self::decode(&bytes).expect("a PNG")
    }

    /// Colour at fractions of width and height from the top left.
    pub fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let column = (x * f64::from(self.width)) as usize;
        let row = (y * f64::from(self.height)) as usize;
        let at = 3 * (row * self.width as usize + column);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    /// Grey of one of the fixture's eight cells, from 0 to 1.
    pub fn cell(&self, index: u32) -> f64 {
        f64::from(self.at((f64::from(index) + 0.5) / 8.0, 0.9)[1]) / 255.0
    }

    /// True if all pixels are (nearly) the same.
    pub fn is_blank(&self) -> bool {
        let first = &self.rgb[..3];
        self.rgb
            .chunks_exact(3)
            .all(|pixel| pixel.iter().zip(first).all(|(a, b)| a.abs_diff(*b) < 4))
    }

    /// Peak signal-to-noise ratio to another picture of the same size, in dB.
    pub fn psnr(&self, other: &Self) -> f64 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let squares: f64 = self
            .rgb
            .iter()
            .zip(&other.rgb)
            .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2))
            .sum();
        let mean = squares / self.rgb.len() as f64;
        10.0 * (255.0f64.powi(2) / mean.max(1e-9)).log10()
    }
}

/// The program with its window open.
pub struct Player {
    pub display: Display,
    pub folder: tempfile::TempDir,
    program: Child,
    window: String,
}

impl Player {
    /// Opens the fixture in a window of 320 x 180, with these arguments behind.
    pub fn open(arguments: &[&str]) -> Self {
        let scene = include_str!("../fixtures/window.wgsl");
        Self::open_text(scene, arguments)
    }

    /// Opens a scene with this text as `scene.wgsl` in a folder of its own.
    pub fn open_text(scene: &str, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        std::fs::write(folder.path().join("scene.wgsl"), scene).expect("written");
        let mut all = vec!["view", "scene.wgsl", "--size", "320x180"];
        all.extend(arguments);
        Self::start(Display::start(), folder, &all)
    }

    /// Runs the program with these arguments and waits for its window.
    pub fn start(display: Display, folder: tempfile::TempDir, arguments: &[&str]) -> Self {
        let program = Command::new(env!("CARGO_BIN_EXE_tarsus"))
            .args(arguments)
            .current_dir(folder.path())
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let window = wait("the window", || {
            let found =
                display.tool("xdotool", &["search", "--onlyvisible", "--name", "tarsus"])?;
            let text = String::from_utf8(found).ok()?;
            text.lines().next().map(str::to_owned)
        });
        let player = Self {
            display,
            folder,
            program,
            window,
        };
        player.tool(&["windowfocus", "--sync", &player.window]);
        player
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn tool(&self, arguments: &[&str]) {
        let done = self.display.tool("xdotool", arguments);
        assert!(done.is_some(), "xdotool {arguments:?}");
    }

    /// Presses keys one after the other, in xdotool's words.
    pub fn keys(&self, keys: &[&str]) {
        let mut arguments = vec!["key"];
        arguments.extend(keys);
        self.tool(&arguments);
    }

    pub fn key_down(&self, key: &str) {
        self.tool(&["keydown", key]);
    }

    pub fn key_up(&self, key: &str) {
        self.tool(&["keyup", key]);
    }

    /// Moves the pointer to a pixel of the window, from the top left.
    pub fn point(&self, x: u32, y: u32) {
        let (x, y) = (x.to_string(), y.to_string());
        self.tool(&["mousemove", "--window", &self.window, &x, &y]);
    }

    pub fn button_down(&self, button: &str) {
        self.tool(&["mousedown", button]);
    }

    pub fn button_up(&self, button: &str) {
        self.tool(&["mouseup", button]);
    }

    pub fn click(&self, button: &str) {
        self.tool(&["click", button]);
    }

    pub fn resize(&self, width: u32, height: u32) {
        let (width, height) = (width.to_string(), height.to_string());
        self.tool(&["windowsize", &self.window, &width, &height]);
    }

    pub fn unmap(&self) {
        self.tool(&["windowunmap", &self.window]);
    }

    pub fn map(&self) {
        self.tool(&["windowmap", &self.window]);
        self.tool(&["windowfocus", "--sync", &self.window]);
    }

    /// The polite way to close: WM_DELETE_WINDOW, as a window manager says it.
    pub fn close(&self) {
        let (server, _) = x11rb::connect(Some(&self.display.name)).expect("the display");
        let atom = |name: &str| {
            let asked = server.intern_atom(false, name.as_bytes()).expect("asked");
            asked.reply().expect("an atom").atom
        };
        let window = self.window.parse().expect("a window's number");
        let data = [atom("WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, atom("WM_PROTOCOLS"), data);
        server
            .send_event(false, window, EventMask::NO_EVENT, message)
            .expect("sent")
            .check()
            .expect("delivered");
    }

    /// Takes the window away from under the program.
    pub fn destroy(&self) {
        self.tool(&["windowclose", &self.window]);
    }

    /// What the window shows now.
    pub fn shot(&self) -> Shot {
        let grab = || {
            self.display
                .tool("import", &["-window", &self.window, "png:-"])
        };
        wait("a screenshot", || Shot::decode(&grab()?))
    }

    /// Waits until the window shows what `right` wants.
    pub fn sees(&self, what: &str, right: impl Fn(&Shot) -> bool) -> Shot {
        wait(what, || Some(self.shot()).filter(&right))
    }

    /// Hides the overlay and stops time; gives a picture that stands still.
    pub fn hide_and_pause(&self) {
        self.keys(&["h", "h", "space"]);
        self.stands_still("time stops");
    }

    /// Waits until three screenshots in a row are the same.
    pub fn stands_still(&self, what: &str) -> Shot {
        let mut last = self.shot();
        let mut same = 0;
        wait(what, || {
            sleep(Duration::from_millis(250));
            let next = self.shot();
            same = if next == last { same + 1 } else { 0 };
            last = next;
            (same == 3).then(|| last.clone())
        })
    }

    /// Takes a screenshot with F2 and waits for the file.
    pub fn screenshot(&self, number: u32) -> PathBuf {
        self.keys(&["F2"]);
        let path = self.path(&format!("captures/scene/screenshot_{number:03}.png"));
        wait("the screenshot's file", || path.exists().then_some(()));
        path
    }

    /// Resident memory in KiB.
    pub fn memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.program.id());
        let status = std::fs::read_to_string(status).expect("the program runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.and_then(|number| number.parse().ok()).expect("KiB")
    }

    /// Processor time used so far, in hundredths of a second.
    pub fn ticks(&self) -> u64 {
        let stat = format!("/proc/{}/stat", self.program.id());
        let stat = std::fs::read_to_string(stat).expect("the program runs");
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        // utime and stime, the 14th and 15th field of all.
        fields[11..13]
            .iter()
            .map(|field| field.parse::<u64>().expect("ticks"))
            .sum()
    }

    pub fn is_running(&mut self) -> bool {
        self.program.try_wait().expect("a child").is_none()
    }

    /// Waits for the program to end by itself.
    pub fn ends(mut self) -> ExitStatus {
        wait("the end", || self.program.try_wait().expect("a child"))
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
