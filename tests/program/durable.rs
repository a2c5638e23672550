//! Durability: a file under its final name has reached the disk. Unusual names, links and
//! umasks work or are reported.

use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Command, Stdio};

use crate::common::{MOVING, Workspace};

/// System calls of a capture that make files durable, in order, with paths.
fn calls(workspace: &Workspace, arguments: &str) -> Vec<String> {
    let log = workspace.path("calls");
    let status = Command::new("strace")
        .args(["-f", "-y", "-qq", "-e", "trace=fsync,fdatasync,rename,renameat,renameat2", "-o"])
        .arg(&log)
        .arg(env!("CARGO_BIN_EXE_tarsus"))
        .args(["capture", MOVING, "--quiet"])
        .args(arguments.split(' '))
        .current_dir(workspace.folder.path())
        .stdin(Stdio::null())
        .status();
    assert!(status.expect("strace").success());
    let log = std::fs::read_to_string(log).expect("calls");
    log.lines().map(str::to_owned).collect()
}

#[test]
fn file_is_synced_before_rename() {
    let workspace = Workspace::new();
    for (output, files) in [
        ("out --frames 3", &["frame_00000.png", "frame_00001.png", "frame_00002.png"][..]),
        ("out/a.exr", &["a.exr.json", "a.exr"]),
        ("out/a.apng --frames 3", &["a.apng"]),
        ("out/a.mp4 --frames 3", &["a.mp4"]),
    ] {
        let calls = calls(&workspace, &format!("--size 32x18 --threads 1 -o {output}"));
        let after = |start: usize, what: &dyn Fn(&str) -> bool| {
            let found = calls[start..].iter().position(|call| what(call));
            let all = calls.join("\n");
            start + found.unwrap_or_else(|| panic!("{output}: {all}"))
        };
        for file in files {
            let hidden = format!("/out/.{file}.");
            let named = format!("/{file}\"");
            let written = after(0, &|call| call.contains("fsync(") && call.contains(&hidden));
            let renamed = after(written, &|call| call.contains("rename") && call.contains(&named));
            after(renamed, &|call| call.contains("fsync(") && call.contains("/out>"));
        }
    }
}

#[test]
fn invalid_file_names_are_reported() {
    let workspace = Workspace::new();
    let long = "x".repeat(300);
    let message = workspace.expect_error(MOVING, &format!("--size 32x18 -o {long}.png"), 1);
    assert!(message.contains("File name too long"), "{message}");
    let message = workspace.expect_error(MOVING, &format!("--size 32x18 -o {long}/a.png"), 1);
    assert!(message.contains("File name too long"), "{message}");
    for argument in ["-o", "--replay", "--shaders"] {
        let mut command = workspace.command(MOVING, "--size 32x18");
        let name = std::ffi::OsStr::from_bytes(b"\xff\xfe.png");
        let output = command.arg(argument).arg(name).output().expect("starts");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{message}");
        assert!(!message.is_empty() && !message.contains("panicked"), "{message}");
    }
    assert!(workspace.names(".").is_empty());
}

#[test]
fn circular_links_are_reported() {
    let workspace = Workspace::new();
    symlink("loop", workspace.path("loop")).expect("link");
    let message = workspace.expect_error(MOVING, "--size 32x18 -o loop/a.png", 1);
    assert!(message.contains("cannot write loop/a.png"), "{message}");
    symlink("one.wgsl", workspace.path("two.wgsl")).expect("link");
    symlink("two.wgsl", workspace.path("one.wgsl")).expect("link");
    let message = workspace.expect_error("one.wgsl", "--size 32x18 -o a.png", 1);
    assert!(message.contains("cannot read one.wgsl"), "{message}");
}

#[test]
fn file_modes_follow_umask() {
    let workspace = Workspace::new();
    for (mask, mode) in [("077", 0o600), ("022", 0o644), ("002", 0o664)] {
        for file in ["a.png", "a.exr", "a.exr.json", "a.apng", "a.mp4"] {
            let _ = std::fs::remove_file(workspace.path(file));
        }
        for output in ["a.png", "a.exr", "a.apng --frames 2", "a.mp4 --frames 2"] {
            let program = env!("CARGO_BIN_EXE_tarsus");
            let script = format!(
                "umask {mask}; exec {program} capture {MOVING} --quiet --size 32x18 -o {output}"
            );
            let status = Command::new("sh")
                .args(["-c", &script])
                .current_dir(workspace.folder.path())
                .status();
            assert!(status.expect("sh").success());
        }
        for file in ["a.png", "a.exr", "a.exr.json", "a.apng", "a.mp4"] {
            let about = workspace.path(file).metadata().expect("there");
            assert_eq!(about.permissions().mode() & 0o777, mode, "{file} under {mask}");
        }
    }
}
