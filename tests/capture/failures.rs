//! Disks, folders, pipes and ffmpegs that fail: one sentence, the right exit
//! code, and nothing damaged under a final name.

use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output, Stdio};

use crate::common::{MOVING, Studio, assert_same, sentence};

/// Runs the program from a shell that has done `before`.
fn shell(studio: &Studio, before: &str, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_tarsus");
    let script = format!("{before}\nexec {program} capture {MOVING} --quiet {arguments}");
    let mut command = Command::new("sh");
    command
        .args(["-c", &script])
        .current_dir(studio.folder.path());
    command.output().expect("sh")
}

#[test]
fn a_writer_that_fails_ends_the_run_in_one_sentence() {
    let studio = Studio::new();
    // No file may be longer than 4 KiB: writing on fails, as on a full disk.
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
        let frames = if output.contains("--frame") {
            ""
        } else {
            "--frames 20"
        };
        let run = format!("--size 320x180 --fps 50 {frames} -o {output}");
        let said = sentence(&shell(&studio, limit, &run), 1);
        assert!(said.contains("cannot write out/"), "{said}");
        assert!(said.contains("File too large"), "{said}");
        assert!(
            studio.files("out").is_empty(),
            "{output} left {:?}",
            studio.files("out").keys()
        );
    }
    assert!(sentence(&shell(&studio, limit, "--frames 2 -o out"), 1).contains("--resume"));
}

#[test]
fn a_full_standard_output_ends_the_run_in_one_sentence() {
    let studio = Studio::new();
    for format in ["raw", "y4m"] {
        let mut command = studio.command(
            MOVING,
            &format!("--size 320x180 --frames 9 -o - --format {format}"),
        );
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("/dev/full");
        let output = command
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .expect("starts");
        let said = sentence(&output, 1);
        assert!(
            said.contains("standard output") && said.contains("No space left"),
            "{said}"
        );
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_run() {
    let studio = Studio::new();
    let script = format!(
        "{{ {} capture {MOVING} --quiet --size 320x180 --frames 100000 --format raw; echo $? >code; }} | head -c 1000 | wc -c",
        env!("CARGO_BIN_EXE_tarsus")
    );
    let mut command = Command::new("sh");
    let output = command
        .args(["-c", &script])
        .current_dir(studio.folder.path())
        .output();
    assert_eq!(
        String::from_utf8_lossy(&output.expect("sh").stdout).trim(),
        "1000"
    );
    let code = std::fs::read_to_string(studio.path("code")).expect("code");
    assert_eq!(code.trim(), "1");
}

#[test]
fn a_full_disk_can_be_emptied_and_gone_on_with() {
    let studio = Studio::new();
    std::fs::create_dir(studio.path("out")).expect("folder");
    let run = "--size 320x180 --frames 12 -o out/frames";
    studio.capture(MOVING, "--size 320x180 --frames 12 -o whole");
    // Room for some of the frames, then for all; what is there is carried over.
    let script = |size: &str, rest: &str| {
        format!(
            "mount -t tmpfs -o size={size} none out && cp -r saved/. out/ &&
             {} capture {MOVING} --quiet {run} {rest}; code=$?; cp -r out/. saved/; exit $code",
            env!("CARGO_BIN_EXE_tarsus")
        )
    };
    std::fs::create_dir(studio.path("saved")).expect("folder");
    let within = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["--map-root-user", "--mount", "sh", "-c", script])
            .current_dir(studio.folder.path());
        command.output().expect("unshare")
    };
    if !within("mount -t tmpfs none out").status.success() {
        eprintln!("this user may mount nothing: the disk with a limit stands for a full one");
        return;
    }
    let said = sentence(&within(&script("400k", "")), 1);
    assert!(
        said.contains("No space left") && said.contains("--resume"),
        "{said}"
    );
    let some = studio.files("saved/frames");
    let whole = studio.files("whole");
    assert!(!some.is_empty() && some.len() < 12, "{}", some.len());
    assert!(
        some.iter().all(|(name, bytes)| bytes == &whole[name]),
        "only whole frames"
    );
    let resumed = within(&script("40m", "--resume"));
    assert!(
        resumed.status.success(),
        "{}",
        String::from_utf8_lossy(&resumed.stderr)
    );
    assert_same(&whole, &studio.files("saved/frames"), "resumed");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named() {
    let studio = Studio::new();
    std::fs::write(studio.path("file"), "here").expect("file");
    let said = studio.fails(MOVING, "--size 32x18 --frames 2 -o file/frames", 1);
    assert!(
        said.contains("cannot write file/frames/frame_0000"),
        "{said}"
    );
    // Nobody writes to /proc, not even root.
    let said = studio.fails(MOVING, "--size 32x18 -o /proc/tarsus.png", 1);
    assert!(said.contains("cannot write /proc/tarsus.png"), "{said}");
    std::fs::create_dir(studio.path("locked")).expect("folder");
    let locked = std::fs::Permissions::from_mode(0o555);
    std::fs::set_permissions(studio.path("locked"), locked).expect("locked");
    // Root may write everywhere; the file system itself must be read-only then.
    let is_root = File::create(studio.path("locked/probe")).is_ok();
    if !is_root {
        let said = studio.fails(MOVING, "--size 32x18 -o locked/a.png", 1);
        assert!(
            said.contains("cannot write locked/a.png: Permission denied"),
            "{said}"
        );
    }
}

/// Puts a program named `ffmpeg` first on the PATH.
fn fake_ffmpeg(studio: &Studio, script: &str) -> String {
    let folder = studio.path("bin");
    std::fs::create_dir_all(&folder).expect("folder");
    let ffmpeg = folder.join("ffmpeg");
    std::fs::write(&ffmpeg, script).expect("script");
    std::fs::set_permissions(&ffmpeg, std::fs::Permissions::from_mode(0o755)).expect("mode");
    let path = std::env::var("PATH").expect("PATH");
    format!("{}:{path}", folder.display())
}

#[test]
fn an_ffmpeg_that_dies_is_quoted() {
    for (script, expected) in [
        (
            "#!/bin/sh\necho 'Unknown encoder libx264' >&2\nexit 1\n",
            "Unknown encoder libx264",
        ),
        (
            "#!/bin/sh\nhead -c 100000 >/dev/null\nkill -9 $$\n",
            "signal: 9",
        ),
        (
            "#!/bin/sh\ncat >/dev/null\necho 'disk is full' >&2\nexit 3\n",
            "disk is full",
        ),
    ] {
        let studio = Studio::new();
        let path = fake_ffmpeg(&studio, script);
        let mut command = studio.command(MOVING, "--size 320x180 --frames 30 -o out/a.mp4");
        let said = sentence(&command.env("PATH", path).output().expect("starts"), 1);
        assert!(
            said.contains("cannot write out/a.mp4: ffmpeg failed"),
            "{said}"
        );
        assert!(said.contains(expected), "{said}");
        assert!(
            studio.files("out").is_empty(),
            "{:?}",
            studio.files("out").keys()
        );
    }
}

#[test]
fn a_missing_ffmpeg_is_named_with_the_way_to_get_it() {
    let studio = Studio::new();
    std::fs::create_dir(studio.path("empty")).expect("folder");
    let mut command = studio.command(MOVING, "--size 320x180 --frames 3 -o out/a.webm");
    let output = command
        .env("PATH", studio.path("empty"))
        .output()
        .expect("starts");
    let said = sentence(&output, 1);
    assert!(
        said.contains("ffmpeg is not on the PATH") && said.contains("apt install ffmpeg"),
        "{said}"
    );
    assert!(studio.files("out").is_empty());
}

#[test]
fn wrong_command_lines_are_explained() {
    let studio = Studio::new();
    for (arguments, expected) in [
        ("--frames 2 -o a.png", "--format apng"),
        ("-o a.bmp", "a.bmp"),
        ("-o -", "--format raw"),
        ("-o out --format gif", "out.gif"),
        ("--frames 2 -o a.gif --shard 1/2", "--shard"),
        ("--frames 2 -o a.mp4 --resume", "--resume"),
        ("-o a.mp4 --size 101x57", "--size 102x58"),
        ("-o a.gif --fps 60", "--fps 50"),
        ("-o a.gif --depth 16", "--depth 16"),
        ("-o a.jpg --depth 16", "PNG, TIFF or APNG"),
        ("-o a.exr --depth 8", "--depth 8"),
        ("-o a.webp --size 16384x2", "16383"),
        ("--frames 2 -o out --format jpg --resume", "only PNG"),
        ("--frames 2 -o a.tif", "a_{frame:05}.tif"),
        ("-o a.png --format jpg", ".jpg"),
        ("--mouse 9999,0", "--mouse"),
        ("--duration 0.001", "rounds to 0 frames"),
        ("--set radius=big", "--set"),
        ("--set speed=1", "radius, tint"),
    ] {
        let said = studio.fails(MOVING, arguments, 2);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
    for arguments in [
        "--shard 3/2",
        "--ssaa 0",
        "--shutter 400",
        "--mouse 3",
        "--loop --frames 3",
        "--tile 0",
    ] {
        let output = studio.run(MOVING, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let flag = arguments.split(' ').next().expect("a flag");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains(flag),
            "{arguments}"
        );
    }
    let none = "fn main_image(at: vec2f) -> vec4f { return vec4f(1.0); }";
    std::fs::write(studio.path("none.wgsl"), none).expect("scene");
    assert!(
        studio
            .fails("none.wgsl", "--loop", 2)
            .contains("LOOP_SECONDS")
    );
    assert!(studio.files("captures").is_empty());
}
