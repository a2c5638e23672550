//! Helpers of the tests: the program as a user runs it, on small scenes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A scene that reveals any error of capturing and is quick to draw.
pub const MOVING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/moving.wgsl");
/// The same motion on a smooth background, which suits video codecs.
pub const SOFT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/soft.wgsl");

/// A temporary folder in which the program runs.
pub struct Workspace {
    pub folder: tempfile::TempDir,
}

impl Workspace {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        Self { folder }
    }

    /// A workspace with the scene `s.wgsl`.
    pub fn with_scene(text: &str) -> Self {
        let workspace = Self::new();
        workspace.write("s.wgsl", text);
        workspace
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).expect("written");
    }

    /// Makes this a folder for `--shaders`, with `text` as one of its scenes.
    pub fn write_shaders(&self, scene: &str, text: &str) {
        let (_, walk) = tarsus_scenes::MODULES
            .iter()
            .find(|(name, _)| *name == "tarsus::walk")
            .expect("a module");
        std::fs::create_dir(self.path("lib")).expect("made");
        self.write("lib/walk.wgsl", walk);
        self.write(scene, text);
    }

    /// The program with `arguments`, with empty settings of the user.
    pub fn tarsus(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tarsus"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("XDG_CONFIG_HOME", self.path("config"))
            // The software renderer's driver warns on standard error if this is unset.
            .env("XDG_RUNTIME_DIR", self.folder.path())
            .env_remove("TARSUS_MEDIA")
            .env_remove("TARSUS_SITE")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program with `arguments`, split at spaces, checks the exit code and returns
    /// all output.
    pub fn text_of(&self, arguments: &str, code: i32) -> String {
        let output = self.output(arguments);
        let text = stdout(&output) + &stderr(&output);
        let ended = output.status.code();
        assert_eq!(ended, Some(code), "tarsus {arguments}:\n{text}");
        assert!(!text.contains("panicked"), "tarsus {arguments}:\n{text}");
        text
    }

    /// Runs the program with `arguments`, split at spaces.
    pub fn output(&self, arguments: &str) -> Output {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let output = self.tarsus(&arguments).output();
        output.expect("the program starts")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The capture command with `arguments`, split at spaces.
    pub fn command(&self, scene: &str, arguments: &str) -> Command {
        let mut command = self.tarsus(&["capture", scene, "--quiet"]);
        command.args(arguments.split_whitespace());
        command
    }

    pub fn run(&self, scene: &str, arguments: &str) -> Output {
        let mut command = self.command(scene, arguments);
        command.output().expect("the program starts")
    }

    /// Captures, expecting success; returns standard output.
    pub fn capture(&self, scene: &str, arguments: &str) -> Vec<u8> {
        let output = self.run(scene, arguments);
        assert!(output.status.success(), "{arguments}: {}", stderr(&output));
        output.stdout
    }

    /// Captures and parses the summary that `--json` prints.
    pub fn summary(&self, scene: &str, arguments: &str) -> serde_json::Value {
        let output = self.capture(scene, &format!("{arguments} --json"));
        serde_json::from_slice(&output).expect("JSON")
    }

    /// Captures, expecting this exit code; returns the one-sentence error.
    pub fn expect_error(&self, scene: &str, arguments: &str, code: i32) -> String {
        error_sentence(&self.run(scene, arguments), code)
    }

    /// Sorted names of the files in a folder, including hidden ones. Files may appear and
    /// vanish meanwhile.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path(folder)) else {
            return Vec::new();
        };
        let names = entries.map(|entry| entry.expect("entry").file_name());
        let mut names: Vec<String> =
            names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Files of a folder with their bytes, including hidden ones.
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let Ok(entries) = std::fs::read_dir(self.path(folder)) else {
            return BTreeMap::new();
        };
        entries
            .map(|entry| {
                let entry = entry.expect("entry");
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, std::fs::read(entry.path()).expect("file"))
            })
            .collect()
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Checks the exit code and returns the program's one-sentence error.
pub fn error_sentence(output: &Output, code: i32) -> String {
    let errors = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    let own: Vec<&str> = errors.lines().filter(|line| line.starts_with("tarsus: ")).collect();
    assert_eq!(own.len(), 1, "one sentence: {errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    own[0].to_owned()
}

/// Waits until `done` returns true; panics after three minutes.
pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(180), "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Compares two folders without printing their contents.
pub fn assert_same(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert!(!a.is_empty(), "{what}: no files");
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(a), names(b), "{what}");
    for (name, bytes) in a {
        assert!(bytes == &b[name], "{what}: {name} differs");
    }
}

/// A decoded PNG.
#[derive(PartialEq)]
pub struct Png {
    pub size: (u32, u32),
    pub bits: u8,
    /// Red, green, blue.
    pub rgb: Vec<u8>,
    pub texts: BTreeMap<String, String>,
}

pub fn decode(path: &Path) -> Png {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let decoder = png::Decoder::new(std::io::BufReader::new(file));
    let mut reader = decoder.read_info().expect("a PNG");
    let mut rgb = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut rgb).expect("pixels");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    reader.finish().expect("an end");
    let texts = reader.info().utf8_text.iter();
    Png {
        size: (info.width, info.height),
        bits: info.bit_depth as u8,
        texts: texts
            .map(|chunk| (chunk.keyword.clone(), chunk.get_text().expect("text")))
            .collect(),
        rgb,
    }
}

/// Peak signal-to-noise ratio of 8-bit components, in dB.
pub fn psnr(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let squares = a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
    let mean = squares.sum::<f64>() / a.len() as f64;
    10.0 * (255.0f64.powi(2) / mean).log10()
}

/// Reproducible pseudorandom numbers.
pub struct Random(pub u64);

impl Random {
    /// The next number, from 0 to 1.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as f64 / f64::from(1u32 << 31)
    }

    /// The next whole number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        (f64::from(limit) * self.next()) as u32
    }
}

/// Sends a signal, such as `-INT`, to a child process.
#[cfg(unix)]
pub fn send(child: &std::process::Child, signal: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args([signal, &pid]).status();
    assert!(sent.expect("kill").success());
}
