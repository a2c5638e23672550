//! Malicious or foreign pictures, recordings and scenes: they must fail quickly with a
//! one-sentence error, use little memory and print nothing that controls the terminal.

use std::path::Path;

use crate::common::{MOVING, SOFT, Workspace, decode, error_sentence, stderr, stdout};

/// Writes a PNG of one pixel with this snapshot, optionally compressed.
fn picture(path: &Path, snapshot: &str, is_compressed: bool) {
    let file = std::fs::File::create(path).expect("file");
    let mut encoder = png::Encoder::new(file, 1, 1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("header");
    let mut chunk = png::text_metadata::ITXtChunk::new("tarsus", snapshot);
    if is_compressed {
        chunk.compress_text().expect("compressed");
    }
    writer.write_text_chunk(&chunk).expect("text");
    writer.write_image_data(&[0; 3]).expect("pixel");
}

/// Captures a picture with this snapshot, which must fail, and returns the error.
fn refused(snapshot: &str) -> String {
    let workspace = Workspace::new();
    picture(&workspace.path("m.png"), snapshot, false);
    let message = workspace.expect_error("m.png", "-o out/a.png", 1);
    assert!(workspace.files("out").is_empty());
    message
}

#[test]
fn invalid_snapshots_are_rejected() {
    for (snapshot, expected) in [
        (r#"{"scene":"creature","size":[0,0]}"#, "invalid size 0x0"),
        (
            r#"{"scene":"creature","size":[4294967295,4294967295]}"#,
            "expected sides of 1 to 65536 pixels",
        ),
        (r#"{"scene":"creature","size":[65537,1]}"#, "1 to 65536"),
        (r#"{"scene":"creature","time":1e39}"#, "invalid time"),
        (r#"{"scene":"../../etc/passwd"}"#, "expected a built-in scene"),
        (r#"{"scene":"/dev/zero"}"#, "expected a built-in scene"),
        (r#"{"scene":7}"#, "m.png"),
        ("nonsense", "m.png"),
    ] {
        let message = refused(snapshot);
        assert!(message.contains("m.png") && message.contains(expected), "{message}");
    }
}

#[test]
fn decompression_bomb_is_rejected() {
    let workspace = Workspace::new();
    picture(&workspace.path("bomb.png"), &" ".repeat(32 << 20), true);
    let message = workspace.expect_error("bomb.png", "-o a.png", 1);
    assert!(message.contains("cannot read bomb.png"), "{message}");
}

#[test]
#[cfg(unix)]
fn only_regular_files_are_read() {
    let workspace = Workspace::new();
    for name in ["pipe.png", "pipe.json", "pipe.wgsl"] {
        let made = std::process::Command::new("mkfifo").arg(workspace.path(name)).status();
        assert!(made.expect("mkfifo").success());
    }
    std::os::unix::fs::symlink("/dev/zero", workspace.path("zero.wgsl")).expect("link");
    for scene in ["pipe.wgsl", "zero.wgsl"] {
        let moment = format!(r#"{{"scene":"{scene}"}}"#);
        picture(&workspace.path("m.png"), &moment, false);
        let message = workspace.expect_error("m.png", "-o a.png", 1);
        assert!(message.contains("not a regular file"), "{message}");
        let start = format!(r#"{{"start":{moment},"duration":1}}"#);
        std::fs::write(workspace.path("play.json"), start).expect("recording");
        let message = workspace.expect_error("--replay=play.json", "-o out", 1);
        assert!(message.contains("not a regular file"), "{message}");
    }
    let message = workspace.expect_error("pipe.png", "-o a.png", 1);
    assert!(message.contains("not a regular file"), "{message}");
    let message = workspace.expect_error(MOVING, "--replay pipe.json -o out", 1);
    assert!(message.contains("not a regular file"), "{message}");
}

#[test]
fn file_contents_cannot_control_terminal() {
    for snapshot in [
        "{\"scene\":\"\\u001b]0;owned\\u0007.txt\"}",
        "{\"scene\":\"creature\",\"debug_view\":\"\\u001b[2J\"}",
    ] {
        let message = refused(snapshot);
        assert!(message.contains("\\u{1b}") && !message.contains('\u{1b}'), "{message}");
    }
    let workspace = Workspace::new();
    let keyframes = "{\"keyframes\":[{\"at\":0,\"\\u001b[31mred\":1}]}";
    std::fs::write(workspace.path("play.json"), keyframes).expect("keyframes");
    let message = workspace.expect_error(MOVING, "--replay play.json -o out", 1);
    assert!(message.contains("\\u{1b}[31m") && !message.contains('\u{1b}'), "{message}");
}

#[cfg(unix)]
#[test]
fn file_names_cannot_control_terminal() {
    let workspace = Workspace::new();
    let hostile = "a\u{1b}[2J";
    let tarsus = |arguments: &[&str]| {
        let output = workspace.tarsus(arguments).output().expect("starts");
        let text = stdout(&output) + &stderr(&output);
        assert!(text.contains("\\u{1b}[2J") && !text.contains('\u{1b}'), "{arguments:?}: {text}");
    };
    tarsus(&["check", hostile]);
    let scene = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }";
    std::fs::write(workspace.path(hostile), scene).expect("scene");
    tarsus(&["check", hostile]);
    tarsus(&["export", hostile, "--to", "glsl", "-o", "b\u{1b}[2J"]);
    tarsus(&["check", hostile, "--media", "b\u{1b}[2J"]);
}

#[test]
fn text_encodings_are_read_or_reported() {
    let workspace = Workspace::new();
    let text = r#"{"duration": 0.1, "keyframes": [{"at": 0, "keys": ["KeyA", 66]}]}"#;
    std::fs::write(workspace.path("bom.json"), format!("\u{feff}{text}")).expect("written");
    workspace.capture(MOVING, "--size 32x18 --fps 10 --replay bom.json -o a.png");
    let moment = &decode(&workspace.path("a.png")).texts["tarsus"];
    assert!(moment.contains("[[65,66],"), "{moment}");
    let wide: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(workspace.path("wide.json"), wide).expect("written");
    let message = workspace.expect_error(MOVING, "--replay wide.json -o out", 1);
    assert!(message.contains("it is UTF-16: save it as UTF-8"), "{message}");
}

#[test]
fn changed_builtin_of_picture_is_reported() {
    let workspace = Workspace::new();
    let text = std::fs::read_to_string(SOFT).expect("scene");
    workspace.capture("line_walker", "--size 32x18 --time 0.5 -o m.png");
    let run = "capture m.png -o again.png";
    let same = workspace.output(&format!("{run} --strict"));
    assert!(same.status.success(), "{}", stderr(&same));
    workspace.write_shaders("line_walker.wgsl", &text);
    let run = "capture m.png -o again.png --shaders .";
    let other = workspace.output(run);
    let words = stderr(&other);
    assert!(other.status.success(), "{words}");
    assert!(
        words.contains("warning: line_walker or a module that it imports has changed since m.png"),
        "{words}"
    );
    let report = workspace.output(&format!("{run} --json"));
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).expect("JSON");
    assert_eq!(report["scene_changed"], true);
    std::fs::remove_file(workspace.path("again.png")).expect("there");
    let message = error_sentence(&workspace.output(&format!("{run} --strict")), 1);
    assert!(message.contains("line_walker") && message.contains("--strict"), "{message}");
    assert!(!workspace.path("again.png").exists());
}
