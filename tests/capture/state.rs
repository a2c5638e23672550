//! Scenes with buffers: frame n is what frames 0 to n made of them, however a run is
//! cut, shared out, broken off or begun.

use std::process::{Command, Stdio};

use crate::common::{Workspace, assert_same, decode, sentence, wait_until};

/// Every frame goes into all that follow: by its number, time, input and parameter, and
/// by the texels around. One that is missing or comes twice shows everywhere.
const MIXING: &str = "#import tarsus::frame::frame
#import tarsus::buffers
const LOOP_SECONDS: f32 = 0.5;
struct Params {
    /// Weight [0, 1] = 0.5
    weight: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn buffer_a(frag_coord: vec2f) -> vec4f {
    let pixel = vec2i(frag_coord);
    let around = buffers::a(pixel + vec2i(1, 0)) + buffers::b(pixel - vec2i(0, 1)).yzwx;
    let told = vec4f(frag_coord / frame.resolution, frame.time, f32(frame.index) * 0.013);
    return fract(1.7 * params.weight * around + told + 0.01 * frame.mouse.x);
}
fn buffer_b(frag_coord: vec2f) -> vec4f {
    return fract(1.3 * buffers::a(vec2i(frag_coord)) + buffers::b(vec2i(frag_coord)) + 0.1);
}
fn main_image(frag_coord: vec2f) -> vec4f { return buffers::b(vec2i(frag_coord)); }
";

/// A disc that goes round and leaves a trail, which is gone within a period.
const TRAIL: &str = "#import tarsus::frame::{frame, centred}
#import tarsus::buffers
const LOOP_SECONDS: f32 = 2.0;
fn buffer_a(frag_coord: vec2f) -> vec4f {
    let angle = 6.2831853 * frame.time / LOOP_SECONDS;
    let off = distance(centred(frag_coord), 0.6 * vec2f(cos(angle), sin(angle)));
    return max(0.8 * buffers::a(vec2i(frag_coord)), vec4f(smoothstep(0.5, 0.1, off)));
}
fn main_image(frag_coord: vec2f) -> vec4f { return buffers::a(vec2i(frag_coord)); }
";

const SIZE: &str = "--size 48x27 --fps 24";

fn with(text: &str) -> Workspace {
    let workspace = Workspace::new();
    std::fs::write(workspace.path("s.wgsl"), text).expect("scene");
    workspace
}

fn mixing() -> Workspace {
    with(MIXING)
}

fn capture(workspace: &Workspace, arguments: &str) {
    workspace.capture("s.wgsl", &format!("{SIZE} {arguments}"));
}

fn summary(workspace: &Workspace, arguments: &str) -> serde_json::Value {
    let output = workspace.capture("s.wgsl", &format!("{SIZE} {arguments} --json"));
    serde_json::from_slice(&output).expect("JSON")
}

/// The same without `--quiet`; gives what it says on standard error.
fn said(workspace: &Workspace, arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .current_dir(workspace.folder.path())
        .args(["capture", "s.wgsl"])
        .args(SIZE.split_whitespace())
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

fn frame(number: u32) -> String {
    format!("frame_{number:05}.png")
}

#[test]
fn a_frame_alone_is_that_of_the_run() {
    let workspace = mixing();
    capture(&workspace, "--frames 12 -o whole");
    let whole = workspace.files("whole");
    let rgb = |name: &str| decode(&workspace.path(name)).rgb;
    let all: Vec<_> = (0..12)
        .map(|n| rgb(&format!("whole/{}", frame(n))))
        .collect();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "it moves");
    capture(&workspace, "--frame 9 -o alone.png");
    assert!(whole[&frame(9)] == std::fs::read(workspace.path("alone.png")).expect("bytes"));
    capture(&workspace, "--frames 7..10 -o part");
    for (name, bytes) in workspace.files("part") {
        assert!(bytes == whole[&name], "{name}");
    }
    // Between two frames the buffers are those of the earlier one.
    capture(&workspace, "--time 0.41 -o between.png");
    assert!(rgb("between.png") == all[9]);
}

#[test]
fn only_the_picture_is_cut_and_averaged() {
    let workspace = mixing();
    capture(&workspace, "--frame 7 -o plain.png");
    let plain = decode(&workspace.path("plain.png")).rgb;
    // Samples of a pixel, and times while the shutter is open, see the same buffers.
    for quality in [
        "--tile 10",
        "--ssaa 4",
        "--shutter 360 --shutter-samples 5",
        "--ssaa 2 --shutter 180 --shutter-samples 3 --tile 16",
    ] {
        capture(&workspace, &format!("--frame 7 {quality} -o a.png"));
        let found = decode(&workspace.path("a.png")).rgb;
        let most = plain.iter().zip(&found).map(|(a, b)| a.abs_diff(*b)).max();
        // A sample goes to linear light and back.
        assert!(most <= Some(1), "{quality}: {most:?}");
    }
}

#[test]
fn shares_are_stretches_and_together_the_whole() {
    let workspace = mixing();
    capture(&workspace, "--frames 5..25 -o whole");
    let share = |index: u32, folder: &str| format!("--frames 5..25 -o {folder} --shard {index}/3");
    let children = [1, 2, 3].map(|index| {
        let arguments = format!("{SIZE} {}", share(index, "out"));
        let mut command = workspace.command("s.wgsl", &arguments);
        command.spawn().expect("starts")
    });
    for mut child in children {
        assert!(child.wait().expect("ended").success());
    }
    assert_same(&workspace.files("whole"), &workspace.files("out"), "shares");
    capture(&workspace, &share(2, "second"));
    let names: Vec<String> = workspace.files("second").into_keys().collect();
    assert_eq!(names, (11..18).map(frame).collect::<Vec<_>>());
}

#[test]
fn shares_that_begin_at_checkpoints_are_the_whole_too() {
    let workspace = mixing();
    capture(&workspace, "--frames 30 -o whole");
    let only = "--frames 30 -o out --checkpoint-every 4 --checkpoints-only";
    assert_eq!(summary(&workspace, only)["checkpoints"], 7);
    assert_eq!(workspace.names("out"), ["checkpoints"]);
    assert_eq!(workspace.names("out/checkpoints").len(), 7);
    for (index, first) in [(1, None), (2, Some(7)), (3, Some(15)), (4, Some(19))] {
        let said = said(&workspace, &format!("--frames 30 -o out --shard {index}/4"));
        let begun = first.map(|frame| format!("begun at the checkpoint after frame {frame}\n"));
        match begun {
            Some(begun) => assert!(said.contains(&begun), "{said}"),
            None => assert!(!said.contains("checkpoint"), "{said}"),
        }
    }
    std::fs::remove_dir_all(workspace.path("out/checkpoints")).expect("removed");
    assert_same(&workspace.files("whole"), &workspace.files("out"), "shares");
}

#[test]
fn killed_at_many_moments_it_ends_with_the_same_bytes() {
    let workspace = mixing();
    let run = "--frames 60 --threads 1";
    capture(&workspace, &format!("{run} -o whole"));
    let arguments = format!("{SIZE} {run} -o out --resume --checkpoint-every 7");
    let frames = || {
        let names = workspace.names("out");
        names.iter().filter(|name| name.ends_with(".png")).count()
    };
    let mut last = 0;
    for more in [1, 5, 9, 2, 7] {
        let mut child = workspace
            .command("s.wgsl", &arguments)
            .spawn()
            .expect("starts");
        wait_until("frames appear", || {
            frames() >= last + more || child.try_wait().expect("status").is_some()
        });
        // Fails only if it has just ended.
        let _ = child.kill();
        child.wait().expect("ended");
        last = frames();
    }
    workspace.capture("s.wgsl", &arguments);
    let parts = |folder: &str| {
        let names = workspace.names(folder);
        names.iter().filter(|name| name.starts_with('.')).count()
    };
    assert_eq!((parts("out"), parts("out/checkpoints")), (0, 0));
    // And a run that has only checkpoints left begins at the last one that helps.
    std::fs::remove_file(workspace.path("out").join(frame(52))).expect("removed");
    let said = said(&workspace, "--frames 60 -o out --resume");
    assert!(
        said.contains("begun at the checkpoint after frame 48\n"),
        "{said}"
    );
    std::fs::remove_dir_all(workspace.path("out/checkpoints")).expect("removed");
    assert_same(
        &workspace.files("whole"),
        &workspace.files("out"),
        "resumed",
    );
}

#[test]
fn a_damaged_checkpoint_is_passed_over() {
    let workspace = mixing();
    capture(&workspace, "--frames 30 -o whole --checkpoint-every 10");
    let expected = std::fs::read(workspace.path("whole").join(frame(29))).expect("bytes");
    let checkpoint = |number: u32| {
        let name = format!("whole/checkpoints/frame_{number:05}.checkpoint");
        workspace.path(&name)
    };
    let whole = std::fs::read(checkpoint(29)).expect("bytes");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for (what, bytes, reason) in [
        ("cut", &whole[..whole.len() - 9], "it is damaged"),
        ("changed", &changed[..], "it is damaged"),
        (
            "foreign",
            b"something else",
            "it is not a checkpoint of tarsus",
        ),
        ("empty", b"", "it is damaged"),
        (
            "another frame's",
            &std::fs::read(checkpoint(9)).expect("bytes"),
            "it is of another scene",
        ),
    ] {
        std::fs::write(checkpoint(29), bytes).expect("written");
        let said = said(
            &workspace,
            "--frame 29 -o a.png --checkpoints whole/checkpoints",
        );
        let warning = format!("warning: cannot use {}", "whole/checkpoints/frame_00029");
        assert!(
            said.contains(&warning) && said.contains(reason),
            "{what}: {said}"
        );
        assert!(
            said.contains("begun at the checkpoint after frame 19\n"),
            "{said}"
        );
        let found = std::fs::read(workspace.path("a.png")).expect("bytes");
        assert!(found == expected, "{what}");
    }
}

#[test]
fn checkpoints_of_other_runs_are_not_taken() {
    let workspace = mixing();
    for (file, at) in [("play.json", 0.4), ("later.json", 0.6)] {
        let keyframe = format!(r#"{{ "at": {at}, "target": [0.25, 0.5], "held": true }}"#);
        let text = format!(r#"{{ "duration": 2, "keyframes": [{keyframe}] }}"#);
        std::fs::write(workspace.path(file), text).expect("keyframes");
    }
    std::fs::write(workspace.path("s2.wgsl"), MIXING.replace("1.3", "1.31")).expect("scene");
    let run = "--frame 19 -o b.png --checkpoints kept";
    let rate = |fps: u32| format!("--size 48x27 --fps {fps}");
    let of = |scene: &str, arguments: &str| {
        workspace.capture(scene, &format!("{arguments} -o a.png"));
        let alone = std::fs::read(workspace.path("a.png")).expect("bytes");
        let again = format!("{arguments} {run}").replace("--frame 19 --frame 19", "--frame 19");
        workspace.capture(scene, &again);
        let found = std::fs::read(workspace.path("b.png")).expect("bytes");
        assert!(found == alone, "{scene} {arguments}");
        alone
    };
    capture(&workspace, &format!("{run} --checkpoint-every 5"));
    let first = of("s.wgsl", &format!("{} --frame 19", rate(24)));
    for (scene, arguments) in [
        ("s2.wgsl", rate(24)),
        ("s.wgsl", rate(25)),
        ("s.wgsl", "--size 50x27 --fps 24".to_owned()),
        ("s.wgsl", format!("{} --set weight=0.6", rate(24))),
        ("s.wgsl", format!("{} --mouse 3,4", rate(24))),
        ("s.wgsl", format!("{} --replay play.json", rate(24))),
    ] {
        let other = of(scene, &format!("{arguments} --frame 19"));
        assert!(other != first, "{scene} {arguments}");
    }
    // Input that came later has not reached an earlier checkpoint.
    capture(
        &workspace,
        "--frame 19 -o a.png --checkpoints played --checkpoint-every 5 --replay play.json",
    );
    let run = "--frame 19 -o a.png --checkpoints played --replay later.json";
    let said = said(&workspace, run);
    assert!(
        said.contains("begun at the checkpoint after frame 9\n"),
        "{said}"
    );
}

#[test]
fn a_loop_shows_a_later_period() {
    let workspace = with(TRAIL);
    let said = said(&workspace, "--loop -o loop");
    assert!(
        said.contains("loop: buffers begin at 0, so 48 frames only run"),
        "{said}"
    );
    assert!(
        said.contains("seam: the step from the last frame to the first is"),
        "{said}"
    );
    capture(&workspace, "--frames 48..96 -o run");
    let shown = workspace.files("loop");
    assert_eq!(shown.len(), 48);
    for (number, bytes) in workspace.files("run").values().enumerate() {
        assert!(*bytes == shown[&frame(number as u32)], "frame {number}");
    }
    let closes = summary(&workspace, "--loop -o loop.apng")["seam"].as_f64();
    assert!(
        closes.is_some_and(|ratio| (0.8..1.2).contains(&ratio)),
        "{closes:?}"
    );
    let from_0 = summary(&workspace, "--loop --lead 0 -o open.apng")["seam"].as_f64();
    assert!(
        from_0 > Some(2.0),
        "the trail is missing at first: {from_0:?}"
    );
    // Where not all of it is drawn there is nothing to compare.
    assert!(summary(&workspace, "--loop -o part --shard 1/2")["seam"].is_null());
    assert!(summary(&workspace, "--loop -o loop --resume")["seam"].is_null());
}

#[test]
fn a_picture_tells_whether_it_can_be_drawn_again() {
    let workspace = mixing();
    capture(
        &workspace,
        "--frame 9 --mouse 5,6 --set weight=0.7 -o a.png",
    );
    let again = |picture: &str, more: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tarsus"));
        command
            .current_dir(workspace.folder.path())
            .args(["capture", picture, "-o", "again.png"])
            .args(more.split_whitespace());
        command.output().expect("the program starts")
    };
    let exact = again("a.png", "--strict");
    let said = String::from_utf8_lossy(&exact.stderr);
    assert!(
        exact.status.success() && !said.contains("warning"),
        "{said}"
    );
    let bytes = |name: &str| std::fs::read(workspace.path(name)).expect("bytes");
    assert!(bytes("again.png") == bytes("a.png"));
    // What a timeline did before is not in the picture.
    std::fs::write(
        workspace.path("play.json"),
        r#"{ "duration": 1, "keyframes": [
            { "at": 0, "target": [0.25, 0.5], "held": true },
            { "at": 1, "target": [0.75, 0.5], "ease": "linear" }] }"#,
    )
    .expect("keyframes");
    capture(&workspace, "--frame 9 --replay play.json -o b.png");
    let played = again("b.png", "");
    let said = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{said}");
    assert!(
        said.contains("warning: b.png does not tell what was played before it"),
        "{said}"
    );
    let refused = sentence(&again("b.png", "--strict"), 1);
    assert!(refused.contains("`--strict`"), "{refused}");
}

#[test]
fn what_cannot_be_is_said_in_one_sentence() {
    let workspace = mixing();
    let fails = |arguments: &str, code: i32| workspace.fails("s.wgsl", arguments, code);
    let large = fails("--size 65536x16 -o a.png", 1);
    assert!(
        large.contains("cannot run the buffers of the scene at 65536x16"),
        "{large}"
    );
    let stdout = fails("--frames 9 -o - --format y4m --checkpoint-every 3", 2);
    assert!(
        stdout.contains("name a folder with `--checkpoints`"),
        "{stdout}"
    );
    std::fs::write(workspace.path("file"), "").expect("file");
    let file = fails(
        "--size 48x27 --frames 9 -o a.apng --checkpoints file --checkpoint-every 3",
        1,
    );
    assert!(
        file.contains("cannot write file/frame_00002.checkpoint"),
        "{file}"
    );
    let plain = workspace.fails(crate::common::MOVING, "--checkpoint-every 3", 2);
    assert!(plain.contains("the scene has no buffers"), "{plain}");
    let lead = fails("--loop --lead 4000000000 -o out", 2);
    assert!(lead.contains("`--lead`"), "{lead}");
}

#[test]
#[cfg(target_os = "linux")]
fn while_buffers_run_it_listens() {
    let workspace = mixing();
    let run = format!("{SIZE} --frame 4000000000 -o out/a.png --checkpoint-every 10");
    let mut child = workspace.command("s.wgsl", &run).spawn().expect("starts");
    wait_until("buffers run", || {
        !workspace.names("out/a.checkpoints").is_empty()
    });
    let pid = child.id().to_string();
    let sent = Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .expect("kill");
    assert!(sent.success());
    wait_until("it ends", || child.try_wait().expect("status").is_some());
    assert_eq!(child.wait().expect("ended").code(), Some(130));
    let left = workspace.names("out/a.checkpoints");
    assert!(left.iter().all(|name| !name.starts_with('.')), "{left:?}");
}

/// Four buffers, each of which reads itself and so has two textures.
#[cfg(target_os = "linux")]
fn four_buffers() -> String {
    let buffer = |name: &str| {
        format!(
            "fn buffer_{name}(p: vec2f) -> vec4f {{ return buffers::{name}(vec2i(p)) + 1.0; }}\n"
        )
    };
    let buffers: String = ["a", "b", "c", "d"].map(buffer).concat();
    format!(
        "#import tarsus::buffers\n{buffers}
        fn main_image(p: vec2f) -> vec4f {{ return 1e-3 * buffers::d(vec2i(p)); }}\n"
    )
}

/// Most bytes of memory that a run has had.
#[cfg(target_os = "linux")]
fn peak(workspace: &Workspace, scene: &str, arguments: &str) -> u64 {
    let mut command = workspace.command(scene, &format!("{arguments} --threads 1"));
    let mut child = command.spawn().expect("starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    wait_until("it ends", || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(1024 * kibibytes.unwrap_or(0));
        child.try_wait().expect("status").is_some()
    });
    assert!(child.wait().expect("ended").success());
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn buffers_take_the_memory_of_their_textures() {
    let workspace = with(&four_buffers());
    let plain = "fn main_image(p: vec2f) -> vec4f { return vec4f(p.x); }";
    std::fs::write(workspace.path("plain.wgsl"), plain).expect("scene");
    let growth = |scene: &str| {
        let of = |size| {
            peak(
                &workspace,
                scene,
                &format!("--size {size} --frames 4 -o out"),
            )
        };
        of("1280x720") as f64 - of("64x36") as f64
    };
    // What pictures take of that size, they take without buffers too.
    let buffers = growth("s.wgsl") - growth("plain.wgsl");
    let textures = f64::from(4 * 2 * 16 * (1280 * 720 - 64 * 36));
    assert!(
        (0.9..1.1).contains(&(buffers / textures)),
        "{buffers} of {textures}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_frames() {
    let workspace = with(
        "#import tarsus::buffers
        fn buffer_a(p: vec2f) -> vec4f { return buffers::a(vec2i(p)) + 1.0; }
        fn main_image(p: vec2f) -> vec4f { return 1e-4 * buffers::a(vec2i(p)); }",
    );
    let of = |frame: u32| {
        peak(
            &workspace,
            "s.wgsl",
            &format!("--size 16x9 --frame {frame} -o a.png"),
        )
    };
    let [short, long] = [999, 9_999].map(of);
    // A kilobyte a frame would be nine megabytes.
    assert!(long < short + (6 << 20), "{short} and {long} bytes");
}

#[test]
fn a_scene_with_feedback_has_less_than_twenty_lines() {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ink.wgsl");
    let text = std::fs::read_to_string(scene).expect("scene");
    assert!(text.lines().count() < 20);
    let workspace = Workspace::new();
    let output = workspace.capture(
        scene,
        "--size 32x18 --fps 30 --loop --lead 3 -o loop.apng --json",
    );
    let summary: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
    let closes = summary["seam"].as_f64();
    assert!(closes.is_some_and(|ratio| ratio < 1.5), "{closes:?}");
}
