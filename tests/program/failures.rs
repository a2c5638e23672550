//! Failing disks, folders, pipes and ffmpeg: one error sentence, the right exit code, and
//! no damaged file under a final name.

use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output, Stdio};

use crate::common::{MOVING, Workspace, assert_same, decode, error_sentence, wait_until};

/// Runs the program from a shell after the commands in `before`.
fn shell(workspace: &Workspace, scene: &str, before: &str, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_tarsus");
    let script = format!("{before}\nexec {program} capture {scene} --quiet {arguments}");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(workspace.folder.path());
    command.output().expect("sh")
}

#[test]
fn write_error_ends_run() {
    let workspace = Workspace::new();
    // Files are limited to 4 blocks, so that writing fails as on a full disk.
    let limit = "trap '' XFSZ; ulimit -f 4";
    for output in [
        "out",
        "out/a.png --frame 0",
        "out/a.tif --frame 0",
        "out/a.exr --frame 0",
        "out --format qoi",
        "out/a.apng",
        "out/a.gif",
        "out/a.y4m",
        "out/a.rgba",
    ] {
        let frames = if output.contains("--frame") { "" } else { "--frames 20" };
        let run = format!("--size 320x180 --fps 50 {frames} -o {output}");
        let message = error_sentence(&shell(&workspace, MOVING, limit, &run), 1);
        assert!(message.contains("cannot write out/"), "{message}");
        assert!(message.contains("File too large"), "{message}");
        assert!(
            workspace.files("out").is_empty(),
            "{output} left {:?}",
            workspace.files("out").keys()
        );
    }
    assert!(
        error_sentence(&shell(&workspace, MOVING, limit, "--frames 2 -o out"), 1)
            .contains("--resume")
    );
}

#[test]
fn listing_without_reader_ends_quietly() {
    let workspace = Workspace::new();
    workspace.write("wrong.wgsl", "");
    let command = |arguments: &[&str]| {
        let mut command = workspace.tarsus(arguments);
        command.stderr(Stdio::piped());
        command
    };
    let export = &["export", "ik_field", "--to", "wgsl", "-o", "-"][..];
    for (arguments, code) in
        [(&["scenes"][..], 0), (&["check", "creature", "wrong.wgsl"], 1), (export, 0)]
    {
        let mut child = command(arguments).stdout(Stdio::piped()).spawn().expect("starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ends");
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert_eq!(output.stderr.is_empty(), code == 0, "{output:?}");
    }
    for arguments in [&["scenes"], export, &["completions", "bash"]] {
        let full = File::options().write(true).open("/dev/full").expect("/dev/full");
        let output = command(arguments).stdout(full).output().expect("starts");
        let message = error_sentence(&output, 1);
        assert!(message.contains("cannot write to standard output: No space left"), "{message}");
    }
}

#[test]
fn full_standard_output_ends_run() {
    let workspace = Workspace::new();
    for format in ["raw", "y4m"] {
        let mut command =
            workspace.command(MOVING, &format!("--size 320x180 --frames 9 -o - --format {format}"));
        let full = File::options().write(true).open("/dev/full").expect("/dev/full");
        let output = command.stdout(full).stderr(Stdio::piped()).output().expect("starts");
        let message = error_sentence(&output, 1);
        assert!(
            message.contains("standard output") && message.contains("No space left"),
            "{message}"
        );
    }
}

#[test]
fn full_standard_error_ends_no_run() {
    let workspace = Workspace::new();
    for (arguments, code) in [("capture missing.wgsl", 1), ("check line_walker", 0)] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let full = File::options().write(true).open("/dev/full").expect("/dev/full");
        let status = workspace.tarsus(&arguments).arg("-v").stderr(full).status().expect("starts");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn closed_pipe_ends_run() {
    let workspace = Workspace::new();
    let script = format!(
        "{{ {} capture {MOVING} --quiet --size 320x180 --frames 100000 --format raw
        echo $? >code; }} | head -c 1000 | wc -c",
        env!("CARGO_BIN_EXE_tarsus")
    );
    let mut command = Command::new("sh");
    let output = command.args(["-c", &script]).current_dir(workspace.folder.path()).output();
    assert_eq!(String::from_utf8_lossy(&output.expect("sh").stdout).trim(), "1000");
    let code = std::fs::read_to_string(workspace.path("code")).expect("code");
    assert_eq!(code.trim(), "1");
}

/// Noise over an area that grows with time, so that each frame makes a larger file than the
/// one before.
const GROWING: &str = "#import tarsus::frame
fn main_image(at: vec2f) -> vec4f {
    let noise = fract(43758.5 * sin(dot(at, vec2f(12.9898, 78.233))));
    let covered = 10.0 * frame::frame.time * frame::frame.resolution.x;
    return vec4f(vec3f(select(0.0, noise, at.x < covered)), 1.0);
}
";

#[test]
fn run_resumes_after_full_disk() {
    let workspace = Workspace::new();
    std::fs::write(workspace.path("growing.wgsl"), GROWING).expect("scene");
    let run = "--size 64x36 --fps 100 --frames 10";
    workspace.capture("growing.wgsl", &format!("{run} -o whole"));
    let whole = workspace.files("whole");
    // The limit is in blocks of 512 bytes: room for the first half of the frames.
    let blocks = whole["frame_00004.png"].len().div_ceil(512);
    assert!(whole["frame_00009.png"].len() > 512 * blocks, "the last frame must not fit");
    let limit = format!("trap '' XFSZ; ulimit -f {blocks}");
    let message = error_sentence(
        &shell(&workspace, "growing.wgsl", &limit, &format!("{run} --threads 1 -o out")),
        1,
    );
    assert!(message.contains("File too large") && message.contains("--resume"), "{message}");
    let some = workspace.files("out");
    assert!(!some.is_empty() && some.len() < 10, "{}", some.len());
    assert!(some.iter().all(|(name, bytes)| bytes == &whole[name]), "only whole frames");
    workspace.capture("growing.wgsl", &format!("{run} -o out --resume"));
    assert_same(&whole, &workspace.files("out"), "resumed");
}

#[test]
fn unwritable_folder_is_named() {
    let workspace = Workspace::new();
    std::fs::write(workspace.path("file"), "here").expect("file");
    let message = workspace.expect_error(MOVING, "--size 32x18 --frames 2 -o file/frames", 1);
    assert!(message.contains("cannot write file/frames/frame_0000"), "{message}");
    let run = format!("capture {MOVING} --size 32x18 --verbose -o file/a.jpg");
    let told = workspace.text_of(&run, 1);
    assert!(told.contains("cannot write file/a.jpg"), "{told}");
    assert!(!told.contains("drew the first tile"), "{told}");
    // Not even root can create files in /proc.
    let message = workspace.expect_error(MOVING, "--size 32x18 -o /proc/tarsus.png", 1);
    assert!(message.contains("cannot write /proc/tarsus.png"), "{message}");
    std::fs::create_dir(workspace.path("locked")).expect("folder");
    let locked = std::fs::Permissions::from_mode(0o555);
    std::fs::set_permissions(workspace.path("locked"), locked).expect("locked");
    let message = error_sentence(&without_override(&workspace, "-o locked/a.png"), 1);
    assert!(message.contains("cannot write locked/a.png: Permission denied"), "{message}");
}

/// Runs the program so that file modes apply even to root.
fn without_override(workspace: &Workspace, arguments: &str) -> Output {
    let mut plain = workspace.command(MOVING, &format!("--size 32x18 {arguments}"));
    let is_root = File::create(workspace.path("locked/probe")).is_ok();
    if !is_root {
        return plain.output().expect("starts");
    }
    Command::new("setpriv")
        .arg("--bounding-set=-dac_override,-dac_read_search")
        .arg(plain.get_program())
        .args(plain.get_args())
        .current_dir(workspace.folder.path())
        .output()
        .expect("setpriv of util-linux, to try as root what modes of files forbid")
}

/// Creates a program named `ffmpeg`; returns a PATH that finds it first.
fn fake_ffmpeg(workspace: &Workspace, script: &str) -> String {
    let folder = workspace.path("bin");
    std::fs::create_dir_all(&folder).expect("folder");
    let ffmpeg = folder.join("ffmpeg");
    std::fs::write(&ffmpeg, script).expect("script");
    std::fs::set_permissions(&ffmpeg, std::fs::Permissions::from_mode(0o755)).expect("mode");
    let path = std::env::var("PATH").expect("PATH");
    format!("{}:{path}", folder.display())
}

#[test]
fn ffmpeg_error_is_quoted() {
    for (script, expected) in [
        ("#!/bin/sh\necho 'Unknown encoder libx264' >&2\nexit 1\n", "Unknown encoder libx264"),
        ("#!/bin/sh\nhead -c 100000 >/dev/null\nkill -9 $$\n", "signal: 9"),
        ("#!/bin/sh\ncat >/dev/null\necho 'disk is full' >&2\nexit 3\n", "disk is full"),
    ] {
        let workspace = Workspace::new();
        let path = fake_ffmpeg(&workspace, script);
        let mut command = workspace.command(MOVING, "--size 320x180 --frames 30 -o out/a.mp4");
        let message = error_sentence(&command.env("PATH", path).output().expect("starts"), 1);
        assert!(message.contains("cannot write out/a.mp4: ffmpeg failed"), "{message}");
        assert!(message.contains(expected), "{message}");
        assert!(workspace.files("out").is_empty(), "{:?}", workspace.files("out").keys());
    }
}

/// Script of an ffmpeg that writes `bytes` to its last argument, prints `says` and exits
/// successfully.
fn writes(bytes: &str, says: &str) -> String {
    format!(
        "#!/bin/sh\ncat >/dev/null\nfor file; do :; done\n{bytes} > \"$file\"\n{says}\nexit 0\n"
    )
}

#[test]
fn incomplete_video_is_never_renamed() {
    let half = "printf '\\000\\000\\000\\010ftyp\\000\\000\\377\\377mdatpictures'";
    for (script, film, expected) in [
        (writes(half, ""), "a.mp4", "cannot verify the video with ffprobe"),
        (writes("printf ''", ""), "a.mp4", "cannot verify the video with ffprobe"),
        (writes("printf '\\032\\105'", ""), "a.webm", "cannot verify the video with ffprobe"),
        (writes("cat short.mp4", ""), "a.mp4", "the video has 2 of 3 frames"),
        (
            writes(half, "echo 'Error writing trailer: No space left on device' >&2"),
            "a.webm",
            "No space left on device",
        ),
    ] {
        let workspace = Workspace::new();
        workspace.capture(MOVING, "--size 64x36 --frames 2 -o short.mp4");
        let path = fake_ffmpeg(&workspace, &script);
        let run = format!("--size 64x36 --frames 3 -o out/{film}");
        let mut command = workspace.command(MOVING, &run);
        let message = error_sentence(&command.env("PATH", path).output().expect("starts"), 1);
        assert!(message.contains(expected), "{message}");
        assert!(message.contains(&format!("cannot write out/{film}")), "{message}");
        let left = workspace.files("out");
        assert!(left.is_empty(), "{:?}", left.keys());
    }
}

#[test]
fn full_disk_leaves_no_video() {
    let workspace = Workspace::new();
    let room = "trap '' XFSZ; ulimit -f 16";
    for film in ["a.mp4", "a.webm"] {
        let run = format!("--size 256x144 --frames 60 --fps 30 -o out/{film}");
        let message = error_sentence(&shell(&workspace, NOISE, room, &run), 1);
        assert!(message.contains(&format!("cannot write out/{film}")), "{message}");
        assert!(workspace.files("out").is_empty(), "{film}");
    }
}

/// A scene that no codec can compress well.
const NOISE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/noise.wgsl");

#[test]
fn deleted_output_folder_ends_run() {
    let workspace = Workspace::new();
    let run = "--size 64x36 --frames 100000 -o out/frames";
    let child = workspace.command(MOVING, run).stderr(Stdio::piped()).spawn().expect("starts");
    wait_until("frames appear", || workspace.names("out/frames").len() > 4);
    // Deleting takes time while frames arrive; a renamed folder is gone at once.
    let gone = workspace.path("gone");
    std::fs::rename(workspace.path("out"), &gone).expect("gone");
    let message = error_sentence(&child.wait_with_output().expect("ended"), 1);
    assert!(message.contains("cannot write out/frames/frame_"), "{message}");
    assert!(!workspace.path("out").exists(), "it is not made again");
}

#[test]
fn frames_deleted_during_run_are_reported() {
    let workspace = Workspace::new();
    let run = "--size 320x180 --frames 120 --ssaa 2 -o out";
    let child = workspace.command(MOVING, run).stderr(Stdio::piped()).spawn().expect("starts");
    let first = workspace.path("out/frame_00000.png");
    wait_until("a frame appears", || first.exists());
    std::fs::remove_file(&first).expect("removed");
    let message = error_sentence(&child.wait_with_output().expect("ended"), 1);
    assert!(message.contains("1 of 120 frames are missing"), "{message}");
    assert!(message.contains("frame_00000.png"), "{message}");
}

#[test]
fn pipe_is_written_but_never_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    let workspace = Workspace::new();
    for name in ["pipe", "pipe.y4m", "pipe.png"] {
        let made = Command::new("mkfifo").arg(workspace.path(name)).status();
        assert!(made.expect("mkfifo").success());
    }
    for (arguments, name) in [("--format raw", "pipe"), ("", "pipe.y4m")] {
        let run = format!("--size 64x36 --frames 2 -o {name} {arguments}");
        let mut child = workspace.command(MOVING, &run).spawn().expect("starts");
        let read = std::fs::read(workspace.path(name)).expect("a film");
        assert!(child.wait().expect("ended").success());
        assert!(read.len() >= 2 * 64 * 36 * 3, "{name}: {}", read.len());
    }
    let message = workspace.expect_error(MOVING, "--size 64x36 -o pipe.png", 2);
    assert!(message.contains("a pipe or a device"), "{message}");
    for name in ["pipe", "pipe.y4m", "pipe.png"] {
        let kind = workspace.path(name).metadata().expect("there").file_type();
        assert!(kind.is_fifo(), "{name} is still a pipe");
    }
}

#[test]
fn symlink_is_followed() {
    let workspace = Workspace::new();
    std::fs::create_dir(workspace.path("store")).expect("folder");
    std::os::unix::fs::symlink("store/real.png", workspace.path("a.png")).expect("link");
    workspace.capture(MOVING, "--size 64x36 -o a.png");
    assert!(workspace.path("a.png").is_symlink());
    assert_eq!(decode(&workspace.path("store/real.png")).size, (64, 36));
}

#[test]
fn extreme_times_work_or_are_reported() {
    let workspace = Workspace::new();
    for time in ["1e9", "1e30", "1e38"] {
        workspace.capture(MOVING, &format!("--size 32x18 --time {time} -o a.png"));
        std::fs::rename(workspace.path("a.png"), workspace.path("b.png")).expect("written");
        workspace.capture("b.png", "-o c.png");
        let files = workspace.files(".");
        assert!(files["b.png"] == files["c.png"], "{time}");
    }
    for arguments in ["--time 1e39", "--frame 4294967295"] {
        let output = workspace.run(MOVING, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
    }
}

#[test]
fn missing_ffmpeg_is_reported() {
    let workspace = Workspace::new();
    std::fs::create_dir(workspace.path("programs")).expect("folder");
    let run = || {
        let mut command = workspace.command(MOVING, "--size 64x36 --frames 3 -o out/a.mp4");
        command.env("PATH", workspace.path("programs"));
        let message = error_sentence(&command.output().expect("starts"), 1);
        assert!(workspace.files("out").is_empty());
        message
    };
    let message = run();
    assert!(
        message.contains("ffmpeg is not on the PATH") && message.contains("apt install ffmpeg"),
        "{message}"
    );
    let path = std::env::var_os("PATH").expect("PATH");
    let mut programs = std::env::split_paths(&path).map(|folder| folder.join("ffmpeg"));
    let ffmpeg = programs.find(|path| path.exists()).expect("ffmpeg");
    std::os::unix::fs::symlink(ffmpeg, workspace.path("programs/ffmpeg")).expect("link");
    let message = run();
    assert!(message.contains("ffprobe is not on the PATH"), "{message}");
}

#[test]
fn unusable_temporary_folder_is_named() {
    let workspace = Workspace::new();
    let mut command = workspace.command(MOVING, "--size 32x18 --frames 2 -o a.mp4");
    let output = command.env("TMPDIR", "/nowhere").output().expect("starts");
    let message = error_sentence(&output, 1);
    let expected = "cannot write a.mp4: cannot create a temporary file in /nowhere: ";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn invalid_arguments_are_explained() {
    let workspace = Workspace::new();
    for (arguments, expected) in [
        ("--frames 2 -o a.png", "--format apng"),
        ("-o a.bmp", "a.bmp"),
        ("-o -", "--format raw"),
        ("-o out --format gif", "out.gif"),
        ("-o a.mp4", "`--duration 5` for seconds, `--frames 300` or `--loop`"),
        ("-o a.apng", "expected a length"),
        ("-o - --format png --frames 2", "2 pictures to standard output"),
        ("-o - --format png --resume", "--resume"),
        ("--frames 2 -o a.gif --shard 1/2", "--shard"),
        ("--frames 2 -o a.mp4 --resume", "--resume"),
        ("-o a.mp4 --size 101x57", "--size 102x58"),
        ("-o a.gif --fps 60", "--fps 50"),
        ("-o a.gif --depth 16", "it supports 8 bits"),
        ("-o a.jpg --depth 16", "PNG, TIFF or APNG"),
        ("-o a.exr --depth 8", "it supports 32 bits"),
        ("-o a.webp --size 16384x2", "the limit is 16383 pixels per side"),
        ("--frames 2 -o out --format jpg --resume", "only PNG"),
        ("--frames 2 -o a.tif", "a_{frame:05}.tif"),
        ("-o a.png --format jpg", ".jpg"),
        ("--mouse 9999,0", "--mouse"),
        ("--duration 0.001", "rounds to 0 frames"),
        ("--set radius=big", "--set"),
        ("--set speed=1", "radius, tint"),
    ] {
        let message = workspace.expect_error(MOVING, arguments, 2);
        assert!(message.contains(expected), "{arguments}: {message}");
    }
    for arguments in
        ["--shard 3/2", "--ssaa 0", "--shutter 400", "--mouse 3", "--loop --frames 3", "--tile 0"]
    {
        let output = workspace.run(MOVING, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let flag = arguments.split(' ').next().expect("a flag");
        assert!(String::from_utf8_lossy(&output.stderr).contains(flag), "{arguments}");
    }
    let none = "fn main_image(at: vec2f) -> vec4f { return vec4f(1.0); }";
    std::fs::write(workspace.path("none.wgsl"), none).expect("scene");
    assert!(workspace.expect_error("none.wgsl", "--loop", 2).contains("LOOP_SECONDS"));
    assert!(workspace.files("captures").is_empty());
}
