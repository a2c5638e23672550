//! Command lines of the program, with commands that neither render nor write files.

use std::cell::RefCell;
use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;

use crate::harness::fuzz;

/// Valid command lines, before hostile words are inserted.
const LINES: &[&str] = &[
    "capture moving.wgsl --size 64x36 --frames 10 --fps 24 -o out --dry-run",
    "capture moving.wgsl --time 1.5 --set radius=0.3 --set tint=#ff0000 -o a.png --dry-run",
    "capture moving.wgsl --duration 2 --fps 30000/1001 --format mp4 -o a.mp4 --dry-run --json",
    "capture moving.wgsl --frames 5..9 --shard 2/4 --ssaa 4 --shutter 180 -o out/{frame:05}.png --dry-run",
    "capture moving.wgsl --mouse 5,6 --debug-view depth --tile 64 --threads 2 --max-memory 2G -o a.exr --dry-run",
    "capture moving.wgsl --replay play.json --depth 16 -o a.apng --dry-run --quiet --strict",
    "capture m.png --size 10x10 -o b.png --dry-run",
    "capture ink.wgsl --frames 9 --checkpoint-every 3 --checkpoints cp --loop --warm-up 2 -o out --dry-run",
    "check moving.wgsl ink.wgsl",
    "docs ik",
    "scenes",
    "export moving.wgsl --to glsl -o -",
];

const WORDS: &[&str] = &[
    "",
    "-",
    "--",
    "-o",
    "-q",
    "-h",
    "--help",
    "--version",
    "--size",
    "--fps",
    "--time",
    "--frame",
    "--frames",
    "--duration",
    "--loop",
    "--format",
    "--depth",
    "--set",
    "--channel",
    "--mouse",
    "--replay",
    "--shard",
    "--shaders",
    "--media",
    "--ssaa",
    "--checkpoints-only",
    "0",
    "-1",
    "1",
    "4294967295",
    "4294967296",
    "1e308",
    "1e-308",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "0x0",
    "1x1",
    "65536x65536",
    "65537x1",
    "99999999999x9",
    "1/0",
    "0/0",
    "2/1",
    "4294967295/4294967295",
    "0..4294967295",
    "5..5",
    "9..1",
    "..",
    "{frame}",
    "{frame:9999}",
    "%d",
    "%999d",
    "%05d.png",
    "{frame:05}",
    "a.png",
    "a.mp4",
    "a.gif",
    "a.bmp",
    ".",
    "..",
    "/",
    "/dev/null",
    "/dev/full",
    "/proc/self/mem",
    "nowhere/at/all.png",
    "radius=",
    "=1",
    "radius=1e999",
    "tint=#",
    "tint=red",
    "radius=radius=1",
    "\u{1b}[2J",
    "é",
    "\u{202e}",
    "a\nb",
    "creature",
    "moving.wgsl",
    "play.json",
    "m.png",
    "ink.wgsl",
    "png",
    "webm",
    "apng",
    "y4m",
    "wav",
    "steps",
    "software",
    "vulkan",
    "99999999999999999999",
];

fn words_of((line, edits): &(usize, Vec<(u8, u8, u8)>)) -> Vec<String> {
    let mut words: Vec<String> = LINES[line % LINES.len()].split(' ').map(str::to_owned).collect();
    for &(kind, at, with) in edits {
        // Keep the command itself, so that nothing is rendered, served or written.
        let at = 1 + usize::from(at) % words.len();
        let word = WORDS[usize::from(with) % WORDS.len()].to_owned();
        match kind % 4 {
            0 => words.insert(at, word),
            1 if at < words.len() && words[at] != "--dry-run" => drop(words.remove(at)),
            2 if at < words.len() && words[at] != "--dry-run" => words[at] = word,
            _ => {
                if let Some(value) = words.get_mut(at).filter(|value| !value.starts_with("--d")) {
                    value.push_str(&word);
                }
            }
        }
    }
    words
}

/// Files that the command lines refer to.
const FILES: [(&str, &[u8]); 4] = [
    ("ink.wgsl", include_bytes!("../fixtures/ink.wgsl")),
    ("m.png", include_bytes!("../../captures/line_walker.png")),
    ("moving.wgsl", include_bytes!("../fixtures/moving.wgsl")),
    ("play.json", include_bytes!("../../docs/timeline.example.json")),
];

/// A new folder that contains [`FILES`].
fn folder_of_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    for (name, bytes) in FILES {
        std::fs::write(folder.path().join(name), bytes).expect("written");
    }
    folder
}

/// Fails if the folder differs from [`folder_of_files`].
fn unchanged(folder: &Path) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).expect("folder");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("entry").file_name()).collect();
    names.sort();
    if names != FILES.map(|(name, _)| name) {
        return Err(format!("it writes {names:?}"));
    }
    let is_same = |(name, bytes): &(&str, &[u8])| {
        std::fs::read(folder.join(name)).is_ok_and(|now| now == *bytes)
    };
    match FILES.iter().find(|file| !is_same(file)) {
        Some((name, _)) => Err(format!("it changes {name}")),
        None => Ok(()),
    }
}

#[test]
fn command_lines_never_panic() {
    let folder = RefCell::new(folder_of_files());
    let settings = tempfile::tempdir().expect("folder");
    let strategy = (0..LINES.len(), prop::collection::vec(any::<(u8, u8, u8)>(), 0..5));
    let typed = |case: &_| words_of(case).join("\u{1}").into_bytes();
    fuzz("command_line", 200, strategy, typed, |case| {
        let words = words_of(case);
        let output = Command::new(env!("CARGO_BIN_EXE_tarsus"))
            .args(&words)
            .current_dir(folder.borrow().path())
            .env("XDG_CONFIG_HOME", settings.path())
            .env_remove("TARSUS_MEDIA")
            .env_remove("TARSUS_SHADERS")
            .stdin(Stdio::null())
            .output()
            .expect("starts");
        let said = String::from_utf8_lossy(&output.stderr);
        if !matches!(output.status.code(), Some(0..=2)) || said.contains("panicked") {
            return Err(format!("{}: {said}", output.status));
        }
        if said.chars().any(|c| c == '\u{1b}') {
            return Err(format!("it steers the terminal: {said:?}"));
        }
        if !output.status.success() && said.trim().is_empty() {
            return Err("it fails and says nothing".to_owned());
        }
        let changes = unchanged(folder.borrow().path());
        // An export may have been given another output path, and writes there.
        if changes.is_err() && words[0] == "export" && output.status.success() {
            folder.replace(folder_of_files());
            return Ok(());
        }
        changes
    });
}
