//! The program from a user's view: files, messages and exit codes.

use std::path::Path;
use std::process::{Command, Output};

const GRADIENT: &str = "#import tarsus::frame
fn main_image(frag_coord: vec2f) -> vec4f {
    let uv = frag_coord / frame::frame.resolution;
    return vec4f(uv, fract(frame::frame.time), 1.0);
}
";

/// Creates a folder with the scene `gradient.wgsl`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("gradient.wgsl"), GRADIENT).expect("scene");
    folder
}

fn tarsus(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

#[test]
fn capture_without_session_prints_nothing() {
    let folder = folder();
    let output = Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .args([
            "capture",
            "gradient.wgsl",
            "-q",
            "--size",
            "8x8",
            "-o",
            "a.png",
        ])
        .current_dir(folder.path())
        .env_remove("XDG_RUNTIME_DIR")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}

/// Runs in `folder`, checks the exit code and returns all output.
fn said(folder: &Path, args: &[&str], code: i32) -> String {
    let output = tarsus(folder, args);
    let words = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        output.status.code(),
        Some(code),
        "tarsus {args:?} said:\n{words}"
    );
    assert!(
        !words.contains("panicked"),
        "tarsus {args:?} panicked:\n{words}"
    );
    words
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map(|entries| {
            entries
                .map(|entry| entry.expect("entry").file_name().to_string_lossy().into())
                .collect()
        })
        .unwrap_or_default();
    names.sort();
    names
}

fn pixels(path: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("size")];
    let info = reader.next_frame(&mut bytes).expect("frame");
    bytes.truncate(info.buffer_size());
    (info.width, info.height, bytes)
}

#[test]
fn default_folder_is_named_after_scene() {
    let folder = folder();
    let words = said(
        folder.path(),
        &[
            "capture",
            "gradient.wgsl",
            "--size",
            "16x9",
            "--frames",
            "3",
        ],
        0,
    );
    let names = files(&folder.path().join("captures/gradient"));
    assert_eq!(
        names,
        ["frame_00000.png", "frame_00001.png", "frame_00002.png"]
    );
    assert!(
        words.contains("adapter: ") && words.contains("3 frames of 16x9"),
        "{words}"
    );
}

#[test]
fn pixels_are_sampled_at_centres() {
    let folder = folder();
    said(
        folder.path(),
        &[
            "capture",
            "gradient.wgsl",
            "--size",
            "8x4",
            "--time",
            "0.25",
            "-o",
            "a.png",
        ],
        0,
    );
    let (width, height, rgb) = pixels(&folder.path().join("a.png"));
    assert_eq!((width, height), (8, 4));
    for y in 0..4 {
        for x in 0..8 {
            let at = 3 * (y * 8 + x);
            let expected = [(x as f64 + 0.5) / 8.0, (3 - y) as f64 / 4.0 + 0.125, 0.25];
            for (value, expected) in rgb[at..at + 3].iter().zip(expected) {
                // Half a step of 8-bit rounding, plus some error of f32.
                assert!(
                    (f64::from(*value) - 255.0 * expected).abs() <= 0.51,
                    "at {x},{y}"
                );
            }
        }
    }
}

#[test]
fn time_and_frame_options_agree() {
    let folder = folder();
    let capture = |moment: &[&str], name: &str| {
        let mut args = vec![
            "capture",
            "gradient.wgsl",
            "--size",
            "8x4",
            "--fps",
            "10",
            "-o",
            name,
            "-q",
        ];
        args.extend(moment);
        assert_eq!(said(folder.path(), &args, 0), "", "quiet is quiet");
    };
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("picture");
    capture(&["--frame", "7"], "frame.png");
    capture(&["--time", "0.7"], "time.png");
    capture(&["--frames", "5..9"], "range/{frame:03}.png");
    capture(&["--duration", "0.8"], "whole");
    assert_eq!(
        pixels(&folder.path().join("frame.png")),
        pixels(&folder.path().join("time.png"))
    );
    assert_eq!(read("frame.png"), read("range/007.png"));
    assert_eq!(read("frame.png"), read("whole/frame_00007.png"));
    assert_eq!(
        files(&folder.path().join("range")),
        ["005.png", "006.png", "007.png", "008.png"]
    );
    assert_eq!(files(&folder.path().join("whole")).len(), 8);
}

#[test]
fn capture_is_deterministic() {
    let folder = folder();
    for name in ["one", "two"] {
        said(
            folder.path(),
            &[
                "capture", "creature", "--size", "96x54", "--frames", "2", "-o", name, "-q",
            ],
            0,
        );
    }
    for frame in ["frame_00000.png", "frame_00001.png"] {
        let read = |name: &str| std::fs::read(folder.path().join(name).join(frame)).expect("frame");
        assert_eq!(read("one"), read("two"), "{frame}");
    }
}

#[test]
fn argument_errors_exit_with_2() {
    let folder = folder();
    let table: &[(&[&str], &str)] = &[
        (&["--size", "0x10"], "1 to"),
        (&["--size", "9999999x1"], "1 to"),
        (&["--size", "big"], "1280x720"),
        (&["--time", "nan"], "number"),
        (&["--time", "-1"], "0 seconds"),
        (&["--fps", "-3"], "frames per second"),
        (&["--fps", "0"], "frames per second"),
        (&["--frames", "5..2"], "expected at least one frame"),
        (&["--frames", "0"], "at least one frame"),
        (&["--duration", "0"], "more than 0"),
        (&["--time", "1", "--frame", "2"], "cannot be used with"),
        (
            &["--frames", "2", "-o", "one.png"],
            "expected a folder, a pattern such as one_{frame:05}.png",
        ),
        (&["-o", "picture.bmp"], "expected a file that ends in .png"),
        (
            &["--set", "speed=2"],
            "no parameter `speed`; available: none",
        ),
        (&["--backend", "glide"], "vulkan"),
        (&["--colour", "red"], "unexpected argument '--colour' found"),
    ];
    for (flags, word) in table {
        let mut args = vec!["capture", "gradient.wgsl"];
        args.extend(*flags);
        let words = said(folder.path(), &args, 2);
        assert!(
            words.contains(word),
            "{flags:?} does not speak of `{word}`:\n{words}"
        );
        assert_eq!(
            files(folder.path()),
            ["gradient.wgsl"],
            "{flags:?} left something behind"
        );
    }
}

#[test]
fn shader_error_shows_its_line() {
    let folder = folder();
    let table = [
        (
            "fn main_image(p: vec2f) -> vec4f {\n    return vec4f(1.0)\n}",
            ":2:21",
        ),
        (
            "fn main_image(p: vec2f) -> vec4f {\n    return p.xy + 1.0;\n}",
            ":2:12",
        ),
        (
            "fn image(p: vec2f) -> vec4f { return vec4f(1.0); }",
            "main_image",
        ),
        (
            "#import tarsus::legs\nfn main_image(p: vec2f) -> vec4f { return legs::f(); }",
            ":1:9",
        ),
        (
            "#import broken\nfn main_image(p: vec2f) -> vec4f { return broken::f(); }",
            "circle",
        ),
    ];
    for (text, word) in table {
        std::fs::write(folder.path().join("broken.wgsl"), text).expect("scene");
        for command in ["capture", "check"] {
            let words = said(folder.path(), &[command, "broken.wgsl"], 1);
            let at = format!("broken.wgsl{word}");
            let place = if word.starts_with(':') {
                at.as_str()
            } else {
                word
            };
            assert!(
                words.contains(place),
                "{command} does not say `{place}`:\n{words}"
            );
        }
        assert_eq!(files(folder.path()), ["broken.wgsl", "gradient.wgsl"]);
    }
}

#[test]
fn check_accepts_built_in_scenes() {
    let folder = folder();
    let words = said(folder.path(), &["check", "creature", "gradient.wgsl"], 0);
    assert!(words.contains("creature: scene, no errors"), "{words}");
    assert!(words.contains("gradient.wgsl: scene, no errors"), "{words}");
    let words = said(folder.path(), &["check", "creatur"], 1);
    assert!(
        words.contains("there is no scene `creatur`: built in are"),
        "{words}"
    );
}

#[test]
fn missing_scene_or_adapter_is_named() {
    let folder = folder();
    assert!(said(folder.path(), &["capture", "nothing.wgsl"], 1).contains("nothing.wgsl"));
    assert!(said(folder.path(), &["capture", "centipede"], 1).contains("creature"));
    let words = said(
        folder.path(),
        &["capture", "gradient.wgsl", "--adapter", "no such card"],
        1,
    );
    assert!(words.contains("no such card"), "{words}");
    assert_eq!(files(folder.path()), ["gradient.wgsl"]);
}

/// Captures without any driver; returns the exit code and standard error.
fn capture_without_driver(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .args(["capture", "--backend", "vulkan"])
        .args(args)
        .env("VK_DRIVER_FILES", "/nonexistent.json")
        .env("VK_ICD_FILENAMES", "/nonexistent.json")
        .current_dir(folder)
        .output()
        .expect("the program starts");
    let words = String::from_utf8_lossy(&output.stderr);
    (output.status.code(), words.into_owned())
}

#[test]
fn argument_errors_precede_adapter_errors() {
    let folder = folder();
    let broken = GRADIENT.replace("uv,", "uw,");
    std::fs::write(folder.path().join("broken.wgsl"), broken).expect("scene");
    for (args, code, expected) in [
        (&["broken.wgsl"][..], 1, "broken.wgsl:4"),
        (&["gradient.wgsl", "--loop"], 2, "--loop"),
        (&["gradient.wgsl", "--set", "a=1"], 2, "--set"),
    ] {
        let (ended, words) = capture_without_driver(folder.path(), args);
        assert_eq!(ended, Some(code), "{args:?}: {words}");
        assert!(words.contains(expected), "{args:?}: {words}");
        assert!(!words.contains("adapter"), "{args:?}: {words}");
    }
}

#[test]
fn dry_run_reports_missing_driver() {
    let folder = folder();
    let dry = ["gradient.wgsl", "--dry-run"];
    for (more, code, beginning) in [
        (&[][..], 0, "warning: cannot render on this machine: no"),
        (&["--quiet"], 0, ""),
        (&["--strict"], 1, "tarsus: no"),
        (&["--resume"], 1, "tarsus: no"),
    ] {
        let (ended, words) = capture_without_driver(folder.path(), &[&dry, more].concat());
        assert_eq!(ended, Some(code), "{more:?}: {words}");
        assert!(words.starts_with(beginning), "{more:?}: {words}");
        assert_eq!(words.contains("adapter"), !beginning.is_empty(), "{more:?}");
    }
}

#[test]
fn missing_driver_error_suggests_packages() {
    let folder = folder();
    let (ended, words) = capture_without_driver(folder.path(), &["gradient.wgsl"]);
    assert_eq!(ended, Some(1), "{words}");
    assert!(
        words.contains("tarsus adapters") || words.contains("mesa-vulkan-drivers"),
        "{words}"
    );
}

#[test]
fn unwritable_output_is_named() {
    let folder = folder();
    std::fs::write(folder.path().join("taken"), "a file, not a folder").expect("file");
    let words = said(
        folder.path(),
        &[
            "capture",
            "gradient.wgsl",
            "--size",
            "16x9",
            "--frames",
            "20",
            "-o",
            "taken/frames",
        ],
        1,
    );
    assert!(words.contains("taken/frames"), "{words}");
    assert_eq!(files(folder.path()), ["gradient.wgsl", "taken"]);
}

#[test]
fn check_continues_after_an_error() {
    let folder = folder();
    std::fs::write(folder.path().join("broken.wgsl"), "fn main_image(").expect("scene");
    std::fs::write(
        folder.path().join("module.wgsl"),
        "#define_import_path module\nfn f() -> f32 { return 1.0; }\n",
    )
    .expect("module");
    let words = said(
        folder.path(),
        &["check", "broken.wgsl", "gradient.wgsl", "module.wgsl"],
        1,
    );
    assert!(
        words.contains("gradient.wgsl: scene") && words.contains("module.wgsl: module"),
        "{words}"
    );
    said(folder.path(), &["check", "gradient.wgsl", "module.wgsl"], 0);
}

#[test]
fn warnings_do_not_fail_commands() {
    let folder = folder();
    let text = "struct Params {\n    x: f32,\n}\n\
                fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }\n";
    std::fs::write(folder.path().join("unbound.wgsl"), text).expect("scene");
    let words = said(folder.path(), &["check", "unbound.wgsl"], 0);
    assert!(
        words.contains("unbound.wgsl: scene, no errors, 1 warning"),
        "{words}"
    );
    assert!(words.contains("unbound.wgsl:1:8"), "{words}");
    let capture = ["capture", "unbound.wgsl", "--size", "8x8", "-o", "a.png"];
    let words = said(folder.path(), &capture, 0);
    assert!(words.contains("warning: `Params` is not bound"), "{words}");
    let quiet = [&capture[..], &["--quiet"]].concat();
    assert_eq!(said(folder.path(), &quiet, 0), "");
}

#[test]
fn docs_suggest_similar_module_names() {
    let folder = folder();
    let words = said(folder.path(), &["docs"], 0);
    assert!(
        words.contains("\nlimb ") && words.contains("\nik "),
        "{words}"
    );
    let words = said(folder.path(), &["docs", "limb"], 0);
    assert!(
        words.contains("\nfn leg_distance(p: vec3f, leg: ik::Leg"),
        "{words}"
    );
    let words = said(folder.path(), &["docs", "limbs"], 2);
    assert!(words.contains("did you mean `limb`?"), "{words}");
}

#[test]
fn bench_applies_parameters() {
    let folder = folder();
    std::fs::write(
        folder.path().join("params.wgsl"),
        "struct Params {
    /// Turns [1, 9] = 2
    turns: u32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(f32(params.turns)); }
",
    )
    .expect("scene");
    let bench = |flags: &[&str], code: i32| {
        let mut args = vec!["bench", "params.wgsl", "--size", "8x4", "--times", "1"];
        args.extend(flags);
        said(folder.path(), &args, code)
    };
    assert!(bench(&["--set", "turns=3"], 0).contains("8x4"));
    for (flag, word) in [
        ("speed=2", "turns"),
        ("turns=no", "turns"),
        ("turns", "NAME=VALUE"),
    ] {
        let words = bench(&["--set", flag], 2);
        assert!(words.contains(word), "{flag}:\n{words}");
    }
}

#[test]
fn scenes_adapters_and_help_are_listed() {
    let folder = folder();
    assert!(said(folder.path(), &["scenes"], 0).contains("creature"));
    assert!(said(folder.path(), &["adapters"], 0).contains("* 0  "));
    let help = said(folder.path(), &["capture", "-h"], 0);
    for flag in [
        "--size",
        "--fps",
        "--time",
        "--frames",
        "--duration",
        "--output",
        "--adapter",
    ] {
        assert!(help.contains(flag), "{flag} is missing in:\n{help}");
    }
}
