//! Interrupted runs, and how `--resume` completes them.

#[cfg(unix)]
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::common::{MOVING, Random, Workspace, assert_same, decode, stderr, wait_until};
#[cfg(unix)]
use crate::common::{send, stdout};

const RUN: &str = "--size 160x90 --fps 24 --frames 200 -o out";

fn pictures(workspace: &Workspace) -> usize {
    let names = workspace.names("out");
    names.iter().filter(|name| !name.starts_with('.')).count()
}

#[test]
fn resume_after_kills_gives_same_bytes() {
    let undisturbed = Workspace::new();
    undisturbed.capture(MOVING, RUN);
    let expected = undisturbed.files("out");
    let workspace = Workspace::new();
    let mut random = Random(12_345);
    let mut killed = 0;
    for round in 0.. {
        if killed == 20 {
            break;
        }
        assert!(round < 200, "only {killed} of the runs were cut short");
        // Kill times range from before the first frame to close to the last.
        let mut child =
            workspace.command(MOVING, &format!("{RUN} --resume")).spawn().expect("starts");
        let already = pictures(&workspace);
        let more = random.below(4) as usize;
        wait_until("frames appear", || {
            pictures(&workspace) >= already + more || child.try_wait().expect("status").is_some()
        });
        std::thread::sleep(Duration::from_micros(random.below(3000).into()));
        // Fails only if the run has just ended.
        let _ = child.kill();
        let status = child.wait().expect("ended");
        for (name, bytes) in workspace.files("out") {
            if !name.starts_with('.') {
                assert!(bytes == expected[&name], "round {round}: {name} is whole");
            }
        }
        if status.code().is_none() {
            killed += 1;
        } else {
            // On a busy machine the run may finish first; then start again.
            std::fs::remove_dir_all(workspace.path("out")).expect("removed");
        }
    }
    let last = workspace.summary(MOVING, &format!("{RUN} --resume"));
    assert_eq!(last["frames"], 200);
    assert_eq!(last["damaged"], 0);
    assert_same(&expected, &workspace.files("out"), "no part of a file is left either");
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    send(child, "-INT");
}

#[test]
#[cfg(unix)]
fn interrupt_leaves_complete_files() {
    let workspace = Workspace::new();
    let run = "--size 320x180 --frames 3000 -o out";
    let mut child = workspace.command(MOVING, run).spawn().expect("starts");
    wait_until("frames appear", || pictures(&workspace) >= 5);
    interrupt(&child);
    assert_eq!(child.wait().expect("ended").code(), Some(130));
    let names: Vec<String> = workspace.files("out").into_keys().collect();
    assert!((5..3000).contains(&names.len()), "{}", names.len());
    for (number, name) in names.iter().enumerate() {
        assert_eq!(*name, format!("frame_{number:05}.png"), "no gap, no part");
        assert_eq!(decode(&workspace.path("out").join(name)).size, (320, 180));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn lost_terminal_ends_run_unless_ignored() {
    let run = "--size 320x180 --frames 3000 -o out";
    for (ignores, code) in [(false, Some(129)), (true, None)] {
        let workspace = Workspace::new();
        let direct = workspace.command(MOVING, run);
        // Whatever started the tests may ignore the signal as well.
        let disposition = if ignores { "--ignore-signal=HUP" } else { "--default-signal=HUP" };
        let mut command = std::process::Command::new("env");
        command.arg(disposition).arg(direct.get_program()).args(direct.get_args());
        let mut child = command.current_dir(workspace.folder.path()).spawn().expect("starts");
        wait_until("frames appear", || pictures(&workspace) >= 5);
        send(&child, "-HUP");
        match code {
            Some(_) => {
                assert_eq!(child.wait().expect("ended").code(), code);
                let names = workspace.names("out");
                assert!(names.iter().all(|name| name.ends_with(".png")), "{names:?}");
            }
            None => {
                let before = pictures(&workspace);
                wait_until("more frames appear", || pictures(&workspace) >= before + 9);
                child.kill().expect("killed");
                child.wait().expect("ended");
            }
        }
    }
}

#[test]
#[cfg(unix)]
fn interrupt_works_between_tiles() {
    let workspace = Workspace::new();
    let run = "--size 6000x6000 --tile 64 --ssaa 64 -o out/big.png";
    let mut child = workspace.command(MOVING, run).spawn().expect("starts");
    wait_until("the file is begun", || !workspace.names("out").is_empty());
    interrupt(&child);
    assert_eq!(child.wait().expect("ended").code(), Some(130));
    assert!(workspace.files("out").is_empty(), "nothing of it stays");
}

/// True once the process has installed a handler for Ctrl-C.
#[cfg(target_os = "linux")]
fn listens(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let status = status.unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Signal 2 is SIGINT; bits count from signal 1.
    mask.is_some_and(|mask| mask & 0b10 != 0)
}

#[test]
#[cfg(target_os = "linux")]
fn interrupt_works_between_samples() {
    let workspace = Workspace::new();
    // Sixteen million samples would take hours to the end of the tile.
    let run = "--size 320x180 --ssaa 4096 --shutter 360 --shutter-samples 4096 -o out/a.png";
    let mut child = workspace.command(MOVING, run).spawn().expect("starts");
    wait_until("it listens", || listens(&child));
    interrupt(&child);
    wait_until("it ends", || child.try_wait().expect("status").is_some());
    assert_eq!(child.wait().expect("ended").code(), Some(130));
    assert!(workspace.files("out").is_empty(), "nothing of it stays");
}

/// A scene that takes a driver long to compile: nested calls expand into more than a
/// hundred thousand.
fn slow_to_compile() -> String {
    let mut text = String::from("#import tarsus::frame\n");
    for level in 0..17 {
        let below = match level {
            0 => "sin(p.x * 3.0 + p.y)".to_owned(),
            _ => format!("f{0}(p.yx * 1.1 + 0.{level}) + f{0}(p * 0.9 - 0.{level})", level - 1),
        };
        text += &format!("fn f{level}(p: vec2f) -> f32 {{ return {below}; }}\n");
    }
    text + "fn main_image(at: vec2f) -> vec4f { return vec4f(f16(at * frame::frame.time)); }\n"
}

#[test]
#[cfg(target_os = "linux")]
fn interrupt_works_during_shader_compilation() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let workspace = Workspace::new();
        std::fs::write(workspace.path("slow.wgsl"), slow_to_compile()).expect("scene");
        let run = "--size 64x36 --frames 2 -o out/a.apng";
        let mut child = workspace.command("slow.wgsl", run).spawn().expect("starts");
        wait_until("the film is begun", || {
            workspace.names("out").iter().any(|name| name.ends_with(".part"))
        });
        send(&child, signal);
        wait_until("it ends", || child.try_wait().expect("status").is_some());
        assert_eq!(child.wait().expect("ended").code(), Some(code), "{signal}");
        let left = workspace.names("out");
        assert!(left.is_empty(), "nothing of it stays: {left:?}");
    }
}

#[test]
#[cfg(unix)]
fn second_run_into_output_is_refused() {
    let workspace = Workspace::new();
    let run = "--size 64x36 --frames 100000 -o out";
    let mut first = workspace.command(MOVING, run).spawn().expect("starts");
    wait_until("frames appear", || pictures(&workspace) >= 2);
    let message = workspace.expect_error(MOVING, "--size 64x36 --frames 3 -o out --resume", 1);
    let process = format!("(process {})", first.id());
    assert!(
        message.contains("cannot write out: another run") && message.contains(&process),
        "{message}"
    );
    let message = workspace.expect_error(MOVING, "--size 64x36 -o out/frame_00001.png", 1);
    assert!(message.contains(&process), "a frame of the run: {message}");
    let sheet = "--size 64x36 --sweep radius=0.1,0.2 -o out/frame_00001.png";
    let message = workspace.expect_error(MOVING, sheet, 1);
    assert!(message.contains(&process), "a contact sheet: {message}");
    // Other runs may write other frames and other names.
    workspace.capture(MOVING, "--size 64x36 --frames 100000..100002 -o out");
    workspace.capture(MOVING, "--size 64x36 -o out/other.png");
    // The lock is released however the run ends.
    first.kill().expect("killed");
    first.wait().expect("ended");
    let locks = || {
        let names = workspace.names("out");
        names.iter().filter(|name| name.ends_with(".lock")).count()
    };
    assert_eq!(locks(), 1, "left by the run that was killed");
    workspace.capture(MOVING, "--size 64x36 --frames 3 -o out");
    assert_eq!(locks(), 0);
}

#[test]
#[cfg(unix)]
fn shards_can_run_concurrently() {
    let workspace = Workspace::new();
    let run = "--size 64x36 --frames 40";
    workspace.capture(MOVING, &format!("{run} -o whole"));
    let share = |index: u32| {
        let mut command = workspace.command(MOVING, &format!("{run} -o out --shard {index}/3"));
        command.spawn().expect("starts")
    };
    for mut share in [1, 2, 3].map(share) {
        assert!(share.wait().expect("ended").success());
    }
    assert_same(&workspace.files("whole"), &workspace.files("out"), "shares");
}

#[test]
fn own_leftover_files_are_removed() {
    let workspace = Workspace::new();
    std::fs::create_dir(workspace.path("out")).expect("folder");
    for name in [".frame_00001.png.AbCdEf.part", ".frame_00009.png.AbCdEf.part"] {
        std::fs::write(workspace.path("out").join(name), "half").expect("written");
    }
    workspace.capture(MOVING, "--size 64x36 --frames 2 -o out");
    let mut names = workspace.names("out");
    names.sort();
    assert_eq!(
        names,
        [".frame_00009.png.AbCdEf.part", "frame_00000.png", "frame_00001.png"],
        "not what others are writing"
    );
}

#[test]
#[cfg(unix)]
fn interrupted_video_is_discarded() {
    for film in ["out/a.apng", "out/a.gif", "out/a.mp4"] {
        let workspace = Workspace::new();
        let run = format!("--size 320x180 --fps 50 --frames 100000 -o {film}");
        let mut command = workspace.tarsus(&["capture", MOVING]);
        command.args(run.split(' ')).stdout(Stdio::piped());
        let child = command.spawn().expect("starts");
        wait_until("the film is begun", || !workspace.names("out").is_empty());
        std::thread::sleep(Duration::from_millis(50));
        interrupt(&child);
        let output = child.wait_with_output().expect("ended");
        assert_eq!(output.status.code(), Some(130), "{film}");
        let summary = stdout(&output);
        let is_counted = summary.contains(" of 100000 frames of 320x180");
        assert!(summary.starts_with("interrupted after ") && is_counted, "{summary}");
        assert!(workspace.files("out").is_empty(), "{film}");
    }
}

#[test]
fn resume_keeps_complete_frames_only() {
    let workspace = Workspace::new();
    let run = "--size 64x36 --frames 8 -o out";
    workspace.capture(MOVING, run);
    let expected = workspace.files("out");
    let frame = |number: u32| workspace.path(&format!("out/frame_{number:05}.png"));
    std::fs::remove_file(frame(1)).expect("removed");
    std::fs::write(frame(2), &expected["frame_00002.png"][..200]).expect("cut");
    std::fs::copy(frame(4), frame(3)).expect("taken for another");
    std::fs::write(frame(5), "no picture").expect("overwritten");
    let dry = workspace.summary(MOVING, &format!("{run} --resume --dry-run"));
    let found = |summary: &serde_json::Value| {
        ["kept", "outdated", "damaged", "written"].map(|key| summary[key].as_u64().expect(key))
    };
    assert_eq!(found(&dry), [4, 1, 2, 0]);
    assert!(!frame(1).exists(), "a dry run writes nothing");
    assert_eq!(found(&workspace.summary(MOVING, &format!("{run} --resume"))), [4, 1, 2, 4]);
    assert_same(&expected, &workspace.files("out"), "resumed");
    assert_eq!(found(&workspace.summary(MOVING, &format!("{run} --resume"))), [8, 0, 0, 0]);
}

#[test]
fn every_setting_invalidates_frames() {
    let workspace = Workspace::new();
    let run = "--size 64x36 --frames 2 --fps 24 -o out";
    for other in [
        "--size 64x36 --frames 2 --fps 25 -o out",
        "--size 66x36 --frames 2 --fps 24 -o out",
        "--size 64x36 --frames 2 --fps 24 -o out --ssaa 2",
        "--size 64x36 --frames 2 --fps 24 -o out --shutter 90 --shutter-samples 3",
        "--size 64x36 --frames 2 --fps 24 -o out --shutter 90",
        "--size 64x36 --frames 2 --fps 24 -o out --depth 16",
        "--size 64x36 --frames 2 --fps 24 -o out --set radius=0.3",
        "--size 64x36 --frames 2 --fps 24 -o out --mouse 3,4",
    ] {
        workspace.capture(MOVING, run);
        let after = workspace.summary(MOVING, &format!("{other} --resume"));
        assert_eq!(after["kept"], 0, "{other}");
        assert_eq!(after["outdated"], 2, "{other}");
    }
    let threads = workspace.summary(
        MOVING,
        "--size 64x36 --frames 2 --fps 24 -o out --mouse 3,4 --resume --threads 3 --tile 16",
    );
    assert_eq!(threads["kept"], 2, "threads and tiles do not");
}

#[test]
fn changed_setting_is_named_or_refused() {
    let workspace = Workspace::new();
    workspace.capture(MOVING, "--size 64x36 --frames 2 -o out");
    let expected = workspace.files("out");
    for (setting, reason) in [
        ("--size 66x36", "it has the size 64x36 instead of 66x36"),
        ("--size 64x36 --fps 25", "its rate is 60 instead of 25"),
        ("--size 64x36 --set radius=0.5", "its parameter `radius` is "),
        ("--size 64x36 --depth 16", "its adapter, driver, bit depth, "),
        ("--size 64x36 --mouse 3,4", "its time, mouse, keys or earlier input differ"),
    ] {
        let run = format!("{setting} --frames 2 -o out --resume --strict");
        let message = workspace.expect_error(MOVING, &run, 1);
        let reason = format!("cannot keep out/frame_00000.png: {reason}");
        assert!(message.contains(&reason), "{reason}: {message}");
        assert_same(&expected, &workspace.files("out"), setting);
    }
    let resume = "--frames 2 -o out --resume";
    workspace.capture(MOVING, &format!("--size 64x36 {resume} --strict"));
    let output = workspace.output(&format!("capture {MOVING} --size 66x36 {resume}"));
    let messages = stderr(&output);
    assert_eq!(messages.matches("warning: cannot keep").count(), 1, "{messages}");
}

#[test]
fn scene_path_spelling_keeps_frames() {
    let workspace = Workspace::new();
    std::fs::copy(MOVING, workspace.path("mine.wgsl")).expect("scene");
    let run = "--size 64x36 --frames 2 -o out --resume";
    workspace.capture("mine.wgsl", run);
    let absolute = workspace.path("mine.wgsl").display().to_string();
    for scene in ["./mine.wgsl", &absolute] {
        assert_eq!(workspace.summary(scene, run)["kept"], 2, "{scene}");
    }
}

#[test]
fn changed_scene_invalidates_frames() {
    let workspace = Workspace::new();
    let scene = workspace.path("mine.wgsl");
    let text = std::fs::read_to_string(MOVING).expect("scene");
    let run = "--size 64x36 --frames 2 -o out --resume --json";
    let kept = |text: &str| {
        std::fs::write(&scene, text).expect("scene");
        let output = workspace.capture("mine.wgsl", run);
        let summary: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
        summary["kept"].as_u64()
    };
    assert_eq!(kept(&text), Some(0));
    assert_eq!(kept(&text), Some(2));
    assert_eq!(kept(&text.replace("0.35", "0.36")), Some(0));
}
