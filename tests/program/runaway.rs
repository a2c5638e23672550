//! Shaders that never end or exceed all limits: each is reported and leaves neither files
//! nor processes behind.

use crate::common::{Workspace, error_sentence, stderr};

/// A scene whose loop ends on `condition`. Mesa's software renderer ends all
/// loops after 65,536 iterations; each iteration is long enough that large pictures still
/// take minutes.
fn scene_with_loop(condition: &str) -> String {
    let body = "x = sin(1.7 * x + p.y);\n".repeat(32);
    format!(
        "fn main_image(p: vec2f) -> vec4f {{
            var x = p.x;
            var i = 0u;
            loop {{
                if {condition} {{ break; }}
                {body}
                i += 1u;
            }}
            return vec4f(x);
        }}"
    )
}

/// Number of processes whose command line contains `word`.
fn processes(word: &str) -> usize {
    let list = std::process::Command::new("ps").args(["-eo", "args"]).output().expect("ps");
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    list.lines().filter(|line| line.contains(word)).count()
}

#[test]
fn endless_loop_times_out() {
    for (condition, output) in [
        ("x > 1e9", "out"),
        ("i > 1000000000u", "out/a.png"),
        ("x > 1e9", "out/film.mp4"),
        ("x > 1e9", "out --ssaa 4"),
    ] {
        let workspace = Workspace::with_scene(&scene_with_loop(condition));
        let frames = if output.ends_with("png") { 1 } else { 3 };
        let run = format!("--size 1280x720 --frames {frames} --timeout 2 -o {output}");
        let message = workspace.expect_error("s.wgsl", &run, 1);
        assert!(message.contains("cannot capture s.wgsl"), "{message}");
        assert!(message.contains("no progress for 2 s"), "{message}");
        let left = workspace.names("out");
        assert!(left.is_empty(), "{output}: {left:?}");
        let folder = workspace.path("out").display().to_string();
        assert_eq!(processes(&folder), 0, "{output}");
    }
}

#[test]
fn endless_buffers_time_out() {
    let endless = scene_with_loop("x > 1e9");
    let workspace = Workspace::with_scene(&format!(
        "#import tarsus::buffers\n{}\n{}",
        endless.replace("main_image", "buffer_a"),
        "fn main_image(p: vec2f) -> vec4f { return buffers::a(vec2i(p)); }",
    ));
    let message =
        workspace.expect_error("s.wgsl", "--size 1280x720 --frame 9 --timeout 2 -o a.png", 1);
    assert!(message.contains("no progress for 2 s"), "{message}");
    assert_eq!(workspace.names("."), ["s.wgsl"]);
}

#[test]
fn slow_progress_does_not_time_out() {
    let workspace = Workspace::with_scene(&scene_with_loop("i > 60u"));
    let run = "--size 64x36 --frames 3 --timeout 60 -o out";
    workspace.capture("s.wgsl", run);
    assert_eq!(workspace.names("out").len(), 3);
    workspace.capture("s.wgsl", "--size 64x36 --timeout none -o a.png");
    for wrong in ["0", "-1", "nan", "soon"] {
        let output = workspace.run("s.wgsl", &format!("--timeout={wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn oversized_scenes_are_rejected() {
    let image = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }\n";
    let functions: String =
        (0..10_000).map(|i| format!("fn f{i}(x: f32) -> f32 {{ return x + {i}.0; }}\n")).collect();
    let nested = |open: &str, close: &str| {
        let (open, close) = (open.repeat(1000), close.repeat(1000));
        format!("fn main_image(p: vec2f) -> vec4f {{ return vec4f({open}p.x{close}); }}\n")
    };
    let blocks = format!(
        "fn main_image(p: vec2f) -> vec4f {{ {} {} return vec4f(1.0); }}\n",
        "{".repeat(1000),
        "}".repeat(1000)
    );
    let large = format!("{image}// {}\n", "x".repeat(10 << 20));
    for (text, expected) in [
        (functions + image, "more than 8192 functions"),
        (nested("(", ")"), "64 deep"),
        (nested("sin(", ")"), "64 deep"),
        (blocks, "64 deep"),
        (large, "larger than 1 MiB"),
    ] {
        let workspace = Workspace::with_scene(&text);
        let check = workspace.output("check s.wgsl");
        let message = stderr(&check);
        assert_eq!(check.status.code(), Some(1), "{message}");
        assert!(message.contains(expected) && message.contains("s.wgsl"), "{message}");
        let capture = workspace.run("s.wgsl", "--size 16x9 -o a.png");
        error_sentence(&capture, 1);
        let message = stderr(&capture);
        assert!(message.contains(expected), "{message}");
        assert_eq!(workspace.names("."), ["s.wgsl"]);
    }
}
