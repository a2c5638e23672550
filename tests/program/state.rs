//! Scenes with buffers: frame n is the result of frames 0 to n, however a run is tiled,
//! sharded, interrupted or started.

#[cfg(target_os = "linux")]
use crate::common::send;
use crate::common::{Workspace, assert_same, decode, error_sentence, stderr, wait_until};

/// Every frame affects all later ones, by its number, time, input and parameter and by
/// neighbouring texels. A frame that is missing or runs twice is visible everywhere.
pub const MIXING: &str = "#import tarsus::frame::frame
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

/// A circling disc with a trail that fades within one period.
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

/// Buffers that read only results of the same frame: passes without memory.
const PASSES: &str = "#import tarsus::frame::frame
#import tarsus::buffers
fn buffer_a(frag_coord: vec2f) -> vec4f {
    return vec4f(fract(frag_coord / frame.resolution + 0.3 * frame.time), f32(frame.index), 1.0);
}
fn buffer_b(frag_coord: vec2f) -> vec4f {
    let pixel = vec2i(frag_coord);
    return fract(0.37 * (buffers::a(pixel) + buffers::a(pixel + vec2i(1, 0))));
}
fn main_image(frag_coord: vec2f) -> vec4f { return buffers::b(vec2i(frag_coord)); }
";

pub const SIZE: &str = "--size 48x27 --fps 24";

pub fn mixing() -> Workspace {
    Workspace::with_scene(MIXING)
}

pub fn capture(workspace: &Workspace, arguments: &str) {
    workspace.capture("s.wgsl", &format!("{SIZE} {arguments}"));
}

pub fn summary(workspace: &Workspace, arguments: &str) -> serde_json::Value {
    workspace.summary("s.wgsl", &format!("{SIZE} {arguments}"))
}

/// Captures without `--quiet` and returns standard error.
pub fn messages(workspace: &Workspace, arguments: &str) -> String {
    let output = workspace.output(&format!("capture s.wgsl {SIZE} {arguments}"));
    let messages = stderr(&output);
    assert!(output.status.success(), "{messages}");
    messages
}

pub fn frame(number: u32) -> String {
    format!("frame_{number:05}.png")
}

#[test]
fn single_frame_equals_frame_of_run() {
    let workspace = mixing();
    capture(&workspace, "--frames 12 -o whole");
    let whole = workspace.files("whole");
    let rgb = |name: &str| decode(&workspace.path(name)).rgb;
    let all: Vec<_> = (0..12).map(|n| rgb(&format!("whole/{}", frame(n)))).collect();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "it moves");
    capture(&workspace, "--frame 9 -o alone.png");
    assert!(whole[&frame(9)] == std::fs::read(workspace.path("alone.png")).expect("bytes"));
    capture(&workspace, "--frames 7..10 -o part");
    for (name, bytes) in workspace.files("part") {
        assert!(bytes == whole[&name], "{name}");
    }
    // Between two frames, the buffers have the state of the earlier one.
    capture(&workspace, "--time 0.41 -o between.png");
    assert!(rgb("between.png") == all[9]);
}

#[test]
fn earlier_frames_run_only_if_needed() {
    // A buffer that reads a later one gets that buffer's state from the frame before.
    let looking_back = PASSES.replace("+ 0.3 * frame.time", "+ buffers::b(vec2i(0)).xy");
    let itself = PASSES.replace("buffers::a(pixel + vec2i(1, 0))", "buffers::b(pixel)");
    for (text, runs) in [(PASSES, 1), (&looking_back, 10), (&itself, 10)] {
        let workspace = Workspace::with_scene(text);
        capture(&workspace, "--frames 12 -o whole");
        let alone = summary(&workspace, "--frame 9 -o alone.png --checkpoint-every 1");
        assert_eq!(alone["checkpoints"], runs, "{text}");
        let whole = &workspace.files("whole")[&frame(9)];
        let bytes = std::fs::read(workspace.path("alone.png")).expect("bytes");
        assert!(*whole == bytes, "{text}");
    }
}

#[test]
fn only_pictures_are_tiled_and_averaged() {
    let workspace = mixing();
    capture(&workspace, "--frame 7 -o plain.png");
    let plain = decode(&workspace.path("plain.png")).rgb;
    // Samples within a pixel and at shutter times all read the same buffer state.
    for quality in [
        "--tile 10",
        "--ssaa 4",
        "--shutter 360 --shutter-samples 5",
        "--ssaa 2 --shutter 180 --shutter-samples 3 --tile 16",
    ] {
        capture(&workspace, &format!("--frame 7 {quality} -o a.png"));
        let found = decode(&workspace.path("a.png")).rgb;
        let most = plain.iter().zip(&found).map(|(a, b)| a.abs_diff(*b)).max();
        // Averaging converts to linear light and back.
        assert!(most <= Some(1), "{quality}: {most:?}");
    }
}

#[test]
fn shards_are_contiguous_and_complete() {
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
fn loop_shows_a_later_period() {
    let workspace = Workspace::with_scene(TRAIL);
    let message = messages(&workspace, "--loop -o loop");
    assert!(message.contains("loop: renders 48 frames first, to fill the buffers"), "{message}");
    assert!(
        message.contains("loop error: the step from the last frame to the first is"),
        "{message}"
    );
    capture(&workspace, "--frames 48..96 -o run");
    let shown = workspace.files("loop");
    assert_eq!(shown.len(), 48);
    for (number, bytes) in workspace.files("run").values().enumerate() {
        assert!(*bytes == shown[&frame(number as u32)], "frame {number}");
    }
    let closes = summary(&workspace, "--loop -o loop.apng")["loop_error"].as_f64();
    assert!(closes.is_some_and(|ratio| (0.8..1.2).contains(&ratio)), "{closes:?}");
    let from_0 = summary(&workspace, "--loop --warm-up 0 -o open.apng")["loop_error"].as_f64();
    assert!(from_0 > Some(2.0), "the trail is missing at first: {from_0:?}");
    // Without all pictures there is no loop error.
    assert!(summary(&workspace, "--loop -o part --shard 1/2")["loop_error"].is_null());
    assert!(summary(&workspace, "--loop -o loop --resume")["loop_error"].is_null());
}

#[test]
fn loop_without_memory_needs_no_warm_up() {
    let looping = PASSES.replacen("fn ", "const LOOP_SECONDS: f32 = 0.5;\nfn ", 1);
    let workspace = Workspace::with_scene(&looping);
    let message = messages(&workspace, "--loop -o loop");
    assert!(!message.contains("frames first"), "{message}");
    capture(&workspace, "--frames 0..12 -o run");
    assert_same(&workspace.files("run"), &workspace.files("loop"), "the first period");
}

#[test]
fn incomplete_history_is_reported() {
    let workspace = mixing();
    capture(&workspace, "--frame 9 --mouse 5,6 --set weight=0.7 -o a.png");
    let again = |picture: &str, more: &str| {
        workspace.output(&format!("capture {picture} -o again.png {more}"))
    };
    let exact = again("a.png", "--strict");
    let message = stderr(&exact);
    assert!(exact.status.success() && !message.contains("warning"), "{message}");
    let bytes = |name: &str| std::fs::read(workspace.path(name)).expect("bytes");
    assert!(bytes("again.png") == bytes("a.png"));
    // The picture does not contain earlier input from a timeline.
    std::fs::write(
        workspace.path("play.json"),
        r#"{ "duration": 1, "keyframes": [
            { "at": 0, "target": [0.25, 0.5], "held": true },
            { "at": 1, "target": [0.75, 0.5], "ease": "linear" }] }"#,
    )
    .expect("keyframes");
    capture(&workspace, "--frame 9 --replay play.json -o b.png");
    let played = again("b.png", "");
    let message = stderr(&played);
    assert!(played.status.success(), "{message}");
    assert!(message.contains("warning: b.png does not record earlier input"), "{message}");
    assert!(message.contains("hint: `--replay` with a recording reproduces it"), "{message}");
    let refused = error_sentence(&again("b.png", "--strict"), 1);
    assert!(refused.contains("`--strict`"), "{refused}");
}

#[test]
fn invalid_buffer_requests_are_reported() {
    let workspace = mixing();
    let fails = |arguments: &str, code: i32| workspace.expect_error("s.wgsl", arguments, code);
    let large = fails("--size 65536x16 -o a.png", 1);
    assert!(large.contains("cannot run the buffers of the scene at 65536x16"), "{large}");
    let stdout = fails("--frames 9 -o - --format y4m --checkpoint-every 3", 2);
    assert!(stdout.contains("set a folder with `--checkpoints`"), "{stdout}");
    std::fs::write(workspace.path("file"), "").expect("file");
    let file =
        fails("--size 48x27 --frames 9 -o a.apng --checkpoints file --checkpoint-every 3", 1);
    assert!(file.contains("cannot write file/frame_00002.checkpoint"), "{file}");
    let plain = workspace.expect_error(crate::common::MOVING, "--checkpoint-every 3", 2);
    assert!(plain.contains("the scene has no buffers"), "{plain}");
    let warm_up = fails("--loop --warm-up 4000000000 -o out", 2);
    assert!(warm_up.contains("`--warm-up`"), "{warm_up}");
}

#[test]
#[cfg(target_os = "linux")]
fn interrupt_stops_running_buffers() {
    let workspace = mixing();
    let run = format!("{SIZE} --frame 4000000000 -o out/a.png --checkpoint-every 10");
    let mut child = workspace.command("s.wgsl", &run).spawn().expect("starts");
    wait_until("buffers run", || !workspace.names("out/a.checkpoints").is_empty());
    send(&child, "-INT");
    wait_until("it ends", || child.try_wait().expect("status").is_some());
    assert_eq!(child.wait().expect("ended").code(), Some(130));
    let left = workspace.names("out/a.checkpoints");
    assert!(left.iter().all(|name| !name.starts_with('.')), "{left:?}");
}

#[test]
fn feedback_scene_needs_few_lines() {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ink.wgsl");
    let text = std::fs::read_to_string(scene).expect("scene");
    assert!(text.lines().count() < 20);
    let workspace = Workspace::new();
    let run = "--size 32x18 --fps 30 --loop --warm-up 3 -o loop.apng";
    let summary = workspace.summary(scene, run);
    let closes = summary["loop_error"].as_f64();
    assert!(closes.is_some_and(|ratio| ratio < 1.5), "{closes:?}");
}
