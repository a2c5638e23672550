//! Videos from recordings and keyframes, and loops.

use crate::common::{MOVING, SOFT, Workspace, decode, error_sentence};

const KEYFRAMES: &str = r#"{
  "duration": 1,
  "keyframes": [
    { "at": 0, "target": [0.25, 0.5], "held": true, "parameters": { "radius": 0.1 } },
    { "at": 1, "target": [0.75, 0.5], "ease": "linear", "parameters": { "radius": 0.3 } }
  ]
}"#;

fn with_keyframes(text: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("play.json", text);
    workspace
}

fn snapshot(workspace: &Workspace, frame: &str) -> serde_json::Value {
    let texts = decode(&workspace.path(frame)).texts;
    serde_json::from_str(&texts["tarsus"]).expect("JSON")
}

#[test]
fn keyframes_drive_mouse_and_parameters() {
    let workspace = with_keyframes(KEYFRAMES);
    workspace.capture(MOVING, "--size 160x90 --fps 10 --replay play.json -o out");
    assert_eq!(workspace.files("out").len(), 10, "the whole duration");
    let middle = snapshot(&workspace, "out/frame_00005.png");
    assert_eq!(middle["target"], serde_json::json!([0.5, 0.5]));
    assert_eq!(middle["parameters"]["radius"][0], 0.2);
    // The same state without a timeline gives the same picture.
    workspace.capture(
        MOVING,
        "--size 160x90 --fps 10 --frame 5 --mouse 80,45 --set radius=0.2 -o still.png",
    );
    let still = decode(&workspace.path("still.png")).rgb;
    assert!(decode(&workspace.path("out/frame_00005.png")).rgb == still);
    workspace.capture(MOVING, "--size 160x90 --fps 10 --frame 5 -o alone.png");
    assert!(decode(&workspace.path("alone.png")).rgb != still);
}

#[test]
fn sweep_of_replay_shows_one_frame() {
    let workspace = with_keyframes(KEYFRAMES);
    let run = "--size 32x18 --replay play.json --sweep radius=0.1,0.2";
    workspace.capture(MOVING, &format!("{run} -o sheet.png"));
    workspace.capture(MOVING, &format!("{run} --frame 0 -o first.png"));
    let [sheet, first] = ["sheet.png", "first.png"].map(|name| decode(&workspace.path(name)));
    assert!(sheet.rgb == first.rgb);
}

#[test]
fn replay_works_at_any_quality() {
    let workspace = with_keyframes(KEYFRAMES);
    let quality = "--ssaa 2 --shutter 180 --shutter-samples 2";
    let run = format!("--size 320x180 --fps 5 --replay play.json {quality} -o out");
    workspace.capture(MOVING, &run);
    assert_eq!(workspace.files("out").len(), 5);
    let target = snapshot(&workspace, "out/frame_00002.png")["target"][0].as_f64();
    let off = (target.expect("a number") - 0.45).abs();
    assert!(off < 1e-12, "at 0.4 s: {target:?}");
    workspace.capture(
        MOVING,
        "--size 160x90 --fps 10 --replay play.json --frames 3..5 --shard 1/2 -o part",
    );
    assert_eq!(workspace.files("part").len(), 1);
}

#[test]
fn set_value_overrides_timeline() {
    let workspace = with_keyframes(KEYFRAMES);
    workspace.capture(
        MOVING,
        "--size 32x18 --fps 10 --frame 5 --replay play.json --set radius=0.45 -o a.png",
    );
    assert_eq!(snapshot(&workspace, "a.png")["parameters"]["radius"][0], 0.45);
}

#[test]
fn timeline_can_name_the_scene() {
    let text = format!(r#"{{"start": {{"scene": "{SOFT}"}}, "duration": 0.2}}"#);
    let workspace = with_keyframes(&text);
    let output = workspace.output("capture --size 32x18 --fps 10 --replay play.json -o out");
    assert!(output.status.success());
    assert_eq!(snapshot(&workspace, "out/frame_00001.png")["scene"], SOFT);
}

#[test]
fn recording_without_the_content_of_its_buffers_is_reported() {
    const BUFFER: &str = "#import tarsus::buffers
fn buffer_a(p: vec2f) -> vec4f { return buffers::a(vec2i(p)) + 0.1; }
fn main_image(p: vec2f) -> vec4f { return buffers::a(vec2i(p)); }
";
    const PLAIN: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.5); }";
    for (scene, frame, size, expected) in [
        (BUFFER, 30, "8x8", Some("at frame 30, but the buffers start empty")),
        (BUFFER, 0, "8x8", None),
        (PLAIN, 30, "8x8", None),
    ] {
        let workspace = Workspace::with_scene(scene);
        let start = format!(r#"{{"frame": {frame}, "size": [8, 8]}}"#);
        workspace.write("play.json", format!(r#"{{"start": {start}, "duration": 1}}"#));
        let run = format!("capture s.wgsl --size {size} --frame 1 --replay play.json -o a.png");
        let output = workspace.output(&format!("{run} --strict"));
        assert_eq!(output.status.success(), expected.is_none(), "{output:?}");
        if let Some(expected) = expected {
            let message = error_sentence(&output, 1);
            assert!(message.contains(expected), "{message}");
        }
    }
}

#[test]
fn timeline_errors_name_their_place() {
    for (text, expected) in [
        (
            "{\n  \"keyframes\": [\n    { \"at\": 0, \"traget\": [0, 0] }\n] }",
            "cannot read the timeline play.json: line 3: unknown field `traget`",
        ),
        (
            "{\n\"keyframes\": [ { \"at\": 1 },\n{ \"at\": 0 } ] }",
            "invalid keyframe time 0 s after 1 s",
        ),
        (
            "{ \"keyframes\": [\n{ \"at\": 0, \"parameters\": { \"radios\": 1 } } ] }",
            "cannot replay play.json: at 0 s: the scene has no parameter `radios`",
        ),
        (
            "{ \"keyframes\": [\n\n{ \"at\": 0.5, \"parameters\": { \"tint\": 1 } } ] }",
            "at 0.5 s: invalid value of 1 components for parameter `tint`: expected 3",
        ),
        ("nonsense", "line 1"),
    ] {
        let workspace = with_keyframes(text);
        let message =
            workspace.expect_error(MOVING, "--size 32x18 --frames 2 --replay play.json -o out", 1);
        assert!(message.contains("play.json") && message.contains(expected), "{message}");
        assert!(workspace.files("out").is_empty());
    }
    let workspace = Workspace::new();
    let message = workspace.expect_error(MOVING, "--replay none.json", 1);
    assert!(message.contains("cannot read none.json"), "{message}");
}

#[test]
fn mouse_option_sets_the_mouse() {
    let workspace = Workspace::new();
    workspace.capture(MOVING, "--size 160x90 --mouse 120,30 -o a.png");
    let picture = decode(&workspace.path("a.png"));
    // The fixture draws a red ring of radius 10 around the mouse, y up.
    let pixel = |x: usize, y_up: usize| {
        let at = 3 * ((89 - y_up) * 160 + x);
        [picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]]
    };
    assert_eq!(pixel(130, 30), [255, 0, 0]);
    assert_eq!(pixel(120, 40), [255, 0, 0]);
    let snapshot = snapshot(&workspace, "a.png");
    let at = serde_json::json!([120.0 / 160.0, 30.0 / 90.0]);
    assert_eq!(snapshot["drag"], serde_json::json!({ "from": at, "to": at }));
    assert_eq!(snapshot["held"], true);
    assert!(snapshot["pressed_at"].as_f64() <= Some(-10.0), "whatever follows it has arrived");
}

#[test]
fn debug_view_is_part_of_snapshot() {
    let workspace = Workspace::new();
    let ball = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ball.wgsl");
    workspace.capture(ball, "--size 160x90 --time 1 -o plain.png");
    assert_eq!(snapshot(&workspace, "plain.png").get("debug_view"), None);
    workspace.capture(ball, "--size 160x90 --time 1 --debug-view depth -o depth.png");
    assert_eq!(snapshot(&workspace, "depth.png")["debug_view"], "depth");
    workspace.capture("depth.png", "-o again.png");
    workspace.capture("depth.png", "--debug-view steps -o steps.png");
    let files = workspace.files(".");
    assert!(files["again.png"] == files["depth.png"]);
    assert_eq!(snapshot(&workspace, "steps.png")["debug_view"], "steps");
    let picture = |name: &str| decode(&workspace.path(name)).rgb;
    assert!(picture("plain.png") != picture("depth.png"));
    assert!(picture("steps.png") != picture("depth.png"));
}

#[test]
fn loop_has_frames_of_its_period() {
    let workspace = Workspace::new();
    // At 29.97 fps no whole number of frames fills one second; 30 fps does.
    for (fps, expected) in [("24", 24.0), ("29.97", 30.0)] {
        let arguments = format!("--size 160x90 --loop --fps {fps} -o out_{expected}");
        let said = workspace.text_of(&format!("capture {SOFT} {arguments} --dry-run"), 0);
        let changes_rate = said.contains("frames at 29.97 fps; the rate is 30.000");
        assert_eq!(changes_rate, fps == "29.97", "{said}");
        let run = workspace.summary(SOFT, &arguments);
        assert_eq!(run["frames"].as_f64(), Some(expected));
        assert_eq!(run["fps"].as_f64(), Some(expected));
        let error = run["loop_error"].as_f64().expect("a loop error");
        assert!((0.9..1.1).contains(&error), "{error}");
    }
    workspace.capture(SOFT, "--size 160x90 --fps 24 --frames 25 -o more");
    // A period that a 32-bit float does not hold exactly.
    let text = std::fs::read_to_string(SOFT).expect("a scene");
    let text = text.replace("LOOP_SECONDS: f32 = 1.0;", "LOOP_SECONDS: f32 = 2.4;");
    workspace.write("longer.wgsl", &text);
    let said = workspace.text_of("capture longer.wgsl --loop --fps 60 -o longer --dry-run", 0);
    assert!(said.contains("144") && !said.contains("the rate is"), "{said}");
    let frame = |path: &str| decode(&workspace.path(path)).rgb;
    let (first, after) = (frame("more/frame_00000.png"), frame("more/frame_00024.png"));
    let off = first.iter().zip(&after).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(off <= Some(1), "the frame after the last is the first: {off:?}");
}

#[test]
fn open_loop_has_large_error() {
    let workspace = Workspace::new();
    let text = std::fs::read_to_string(SOFT).expect("scene");
    let wrong = text.replace("* frame.time /", "* 0.8 * frame.time /");
    assert_ne!(wrong, text);
    std::fs::write(workspace.path("wrong.wgsl"), wrong).expect("scene");
    let run = workspace.summary("wrong.wgsl", "--size 160x90 --loop --fps 24 -o out");
    let error = run["loop_error"].as_f64().expect("a loop error");
    assert!(error > 2.0, "{error}");
}

#[test]
fn loop_error_uses_recorded_keys() {
    let workspace = Workspace::new();
    // The loop closes while A is held; otherwise its last step is a jump.
    let scene = "#import tarsus::frame::frame
    #import tarsus::keyboard
    const LOOP_SECONDS: f32 = 1.0;
    fn main_image(at: vec2f) -> vec4f {
        let wave = 0.5 + 0.5 * sin(6.2831853 * frame.time + 0.1 * at.x);
        let ramp = frame.time;
        return vec4f(select(ramp, wave, keyboard::is_down(65u)));
    }";
    std::fs::write(workspace.path("keys.wgsl"), scene).expect("scene");
    for (keys, closed) in [("[[65], [], []]", true), ("[[], [], []]", false)] {
        let recording = format!("{{\"start\": {{\"keys\": {keys}}}, \"duration\": 1}}");
        std::fs::write(workspace.path("play.json"), recording).expect("recording");
        let run = "--size 64x36 --loop --fps 24 --replay play.json -o out";
        let error = workspace.summary("keys.wgsl", run)["loop_error"].as_f64();
        let error = error.expect("a loop error");
        assert_eq!((0.9..1.1).contains(&error), closed, "{keys}: {error}");
    }
}

#[test]
fn summary_names_adapter_and_scene() {
    let workspace = Workspace::new();
    let run = workspace.summary(MOVING, "--size 64x36 --frames 3 -o out");
    assert_eq!(run["written"], 3);
    assert_eq!(run["complete"], true);
    assert_eq!(run["scene_hash"].as_str().map(str::len), Some(32));
    assert!(run["adapter"].as_str().is_some_and(|name| !name.is_empty()));
    assert!(run["seconds"].as_f64() > Some(0.0) && run["rate"].as_f64() > Some(0.0));
}
