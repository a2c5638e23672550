//! Runs the program on its own display and operates it like a user.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tarsus_capture::metadata::read_timeline;
use tarsus_player::timeline::Event;
use x11rb::protocol::xproto::Window;

use crate::screenshot::Screenshot;
use crate::x11::Display;

/// Timeout of every wait, generous because a busy machine is slow.
const TIMEOUT: Duration = Duration::from_secs(180);

/// Polls until `found` returns a value.
pub fn wait<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(start.elapsed() < TIMEOUT, "waited in vain: {what}");
        sleep(Duration::from_millis(50));
    }
}

/// The running program and its window.
pub struct Viewer {
    /// Working directory of the program, with the scene and its output.
    pub folder: tempfile::TempDir,
    program: Child,
    /// Its standard error.
    errors: tempfile::NamedTempFile,
    window: Window,
    display: Display,
}

impl Viewer {
    /// Opens the fixture in a window of 320 x 180, with additional arguments.
    pub fn open(arguments: &[&str]) -> Self {
        let scene = include_str!("../fixtures/window.wgsl");
        Self::open_text(scene, arguments)
    }

    /// Opens scene source as `scene.wgsl` in a new folder.
    pub fn open_text(scene: &str, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        std::fs::write(folder.path().join("scene.wgsl"), scene).expect("written");
        let mut all = vec!["view", "scene.wgsl", "--size", "320x180"];
        all.extend(arguments);
        Self::start(folder, &all)
    }

    /// Runs the program with these arguments and waits for its window.
    pub fn start(folder: tempfile::TempDir, arguments: &[&str]) -> Self {
        Self::start_with(folder, arguments, &[])
    }

    /// Like [`Self::start`], with these environment variables; no editor is configured
    /// otherwise.
    pub fn start_with(
        folder: tempfile::TempDir,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let display = Display::start();
        let errors = tempfile::NamedTempFile::new().expect("a file");
        let program = Command::new(env!("CARGO_BIN_EXE_tarsus"))
            .args(arguments)
            .current_dir(folder.path())
            .env("DISPLAY", display.name())
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("VISUAL")
            .env_remove("EDITOR")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stderr(errors.reopen().expect("a file"))
            .spawn()
            .expect("the program starts");
        let window = wait("the window", || display.find_window(program.id(), "tarsus"));
        display.focus(window);
        Self { folder, program, errors, window, display }
    }

    /// A path in the program's working directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the program has written to standard error.
    pub fn errors(&self) -> String {
        std::fs::read_to_string(self.errors.path()).expect("a file")
    }

    /// Runs `tarsus capture` in the same folder and expects success. Returns its messages.
    pub fn capture(&self, arguments: &[&str]) -> String {
        let Output { status, stderr, .. } = Command::new(env!("CARGO_BIN_EXE_tarsus"))
            .arg("capture")
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .expect("the program starts");
        let errors = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "{arguments:?}: {errors}");
        errors.into_owned()
    }

    /// Presses keys one after another.
    pub fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.display.press_key(key);
        }
    }

    pub fn key_down(&self, key: &str) {
        self.display.hold_key(key);
    }

    pub fn key_up(&self, key: &str) {
        self.display.release_key(key);
    }

    /// Moves the pointer to a pixel of the window, from the top left.
    pub fn move_pointer(&self, x: i16, y: i16) {
        self.display.move_pointer(self.window, x, y);
    }

    pub fn button_down(&self, button: u8) {
        self.display.hold_button(button);
    }

    pub fn button_up(&self, button: u8) {
        self.display.release_button(button);
    }

    pub fn click(&self, button: u8) {
        self.button_down(button);
        self.button_up(button);
    }

    /// Drags a file of the folder from another program and drops it on the window.
    pub fn drop_file(&self, name: &str) {
        self.display.drop_file(self.window, &self.path(name));
    }

    pub fn resize(&self, width: u32, height: u32) {
        self.display.resize(self.window, width, height);
    }

    pub fn unmap(&self) {
        self.display.unmap(self.window);
    }

    pub fn map(&self) {
        self.display.map(self.window);
        self.display.focus(self.window);
    }

    /// Closes the window as a window manager does.
    pub fn close(&self) {
        self.display.ask_to_close(self.window);
    }

    /// Destroys the window from outside the program.
    pub fn destroy(&self) {
        self.display.destroy(self.window);
    }

    /// Kills the display server while the program runs.
    pub fn kill_display(&mut self) {
        self.display.kill();
    }

    /// Title of the window.
    pub fn title(&self) -> String {
        self.display.title(self.window).unwrap_or_default()
    }

    /// The current pixels of the window.
    pub fn screenshot(&self) -> Screenshot {
        wait("a screenshot", || self.display.screenshot(self.window))
    }

    /// Waits until the window matches `expected`.
    pub fn wait_for(&self, what: &str, expected: impl Fn(&Screenshot) -> bool) -> Screenshot {
        wait(what, || Some(self.screenshot()).filter(&expected))
    }

    /// Hides the overlay and stops time; returns the resulting still picture.
    pub fn hide_and_pause(&self) -> Screenshot {
        self.keys(&["h", "h", "space"]);
        self.wait_until_still("time stops")
    }

    /// Waits until the program sleeps and the picture no longer changes.
    ///
    /// On a busy machine the picture also stays the same while the program gets no time to
    /// render; in that case one of its threads waits for a processor.
    pub fn wait_until_still(&self, what: &str) -> Screenshot {
        let mut last = self.screenshot();
        let mut ticks = self.ticks();
        let mut same = 0;
        wait(what, || {
            sleep(Duration::from_millis(200));
            let (next, now) = (self.screenshot(), self.ticks());
            let is_still = next == last && now <= ticks + 1 && self.is_asleep();
            same = if is_still { same + 1 } else { 0 };
            (last, ticks) = (next, now);
            (same == 3).then(|| last.clone())
        })
    }

    /// Waits until the first recording contains an event; returns its path.
    pub fn wait_for_recording(&self, event: &Event) -> PathBuf {
        let path = self.path("captures/scene/recording_001.json");
        wait("the recording", || {
            let timeline = read_timeline(&path).ok()?;
            let mut events = timeline.events().iter();
            events.any(|entry| entry.event == *event).then_some(())
        });
        path
    }

    /// Takes a screenshot with F2 and waits for the file.
    pub fn save_screenshot(&self, number: u32) -> PathBuf {
        self.keys(&["F2"]);
        let path = self.path(&format!("captures/scene/screenshot_{number:03}.png"));
        wait("the screenshot's file", || path.exists().then_some(()));
        path
    }

    /// Resident memory in KiB.
    pub fn memory(&self) -> u64 {
        let status = read(&self.proc().join("status"));
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.and_then(|number| number.parse().ok()).expect("KiB")
    }

    /// Processor time used so far, in hundredths of a second.
    pub fn ticks(&self) -> u64 {
        let stat = read(&self.proc().join("stat"));
        let fields = fields_of_stat(&stat);
        // utime and stime, fields 14 and 15 of the whole line.
        fields[11..13].iter().map(|field| field.parse::<u64>().expect("ticks")).sum()
    }

    /// True if no thread of the program runs or waits for a processor.
    fn is_asleep(&self) -> bool {
        let tasks = std::fs::read_dir(self.proc().join("task")).expect("the program runs");
        tasks.flatten().all(|task| {
            // A thread may end at any time.
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            matches!(fields_of_stat(&stat).first(), None | Some(&"S"))
        })
    }

    fn proc(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}", self.program.id()))
    }

    /// Sends the program SIGTERM.
    pub fn terminate(&self) {
        let id = self.program.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().expect("`kill` runs");
        assert!(sent.success(), "{sent}");
    }

    pub fn is_running(&mut self) -> bool {
        self.program.try_wait().expect("a child").is_none()
    }

    /// Ends the program and keeps its folder.
    pub fn into_folder(mut self) -> tempfile::TempDir {
        let empty = tempfile::tempdir().expect("folder");
        std::mem::replace(&mut self.folder, empty)
    }

    /// Waits for the program to exit on its own.
    pub fn wait_for_exit(&mut self) -> ExitStatus {
        wait("the end", || self.program.try_wait().expect("a child"))
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        // The program may have exited already.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the program runs")
}

/// The fields of a `stat` file from the third, the state, on; the second is a name in
/// parentheses that may contain spaces.
fn fields_of_stat(stat: &str) -> Vec<&str> {
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    rest.split_whitespace().collect()
}
