//! Files that a capture may overwrite, and those it leaves.

use crate::common::{MOVING, Workspace, stderr};

const SIZE: &str = "--size 8x8";
const PLAIN: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.5); }\n";

/// A workspace with scenes that read files: `s.wgsl` a module, `channel.wgsl` the picture
/// `wood.png`, to which `link.png` leads, and the folder `passes` its passes.
#[cfg(unix)]
fn scenes_with_files() -> Workspace {
    let workspace = Workspace::with_scene(
        "#import lib::own\nfn main_image(p: vec2f) -> vec4f { return own::shade(); }\n",
    );
    for folder in ["lib", "passes"] {
        std::fs::create_dir(workspace.path(folder)).expect("made");
    }
    let module = "#define_import_path lib::own\nfn shade() -> vec4f { return vec4f(0.5); }\n";
    workspace.write("lib/own.wgsl", module);
    workspace.write("passes/Common.glsl", "const float k = 0.5;");
    let image = "void mainImage(out vec4 c, in vec2 p) { c = vec4(k); }";
    workspace.write("passes/Image.glsl", image);
    let channel = "/// image \"wood.png\", nearest
@group(2) @binding(0) var wood: texture_2d<f32>;
fn main_image(p: vec2f) -> vec4f { return textureLoad(wood, vec2i(0), 0); }
";
    workspace.write("channel.wgsl", channel);
    workspace.write("keys.exr.json", "{\"duration\": 1}");
    workspace.capture("line_walker", &format!("{SIZE} -o wood.png"));
    std::os::unix::fs::symlink("wood.png", workspace.path("link.png")).expect("linked");
    workspace
}

#[cfg(unix)]
#[test]
fn files_that_are_read_remain() {
    let workspace = scenes_with_files();
    let before = [".", "lib", "passes"].map(|folder| workspace.names(folder));
    let read = |name: &str| std::fs::read(workspace.path(name)).expect("a file");
    for (scene, arguments, file) in [
        ("s.wgsl", "-o s.wgsl --format png", "s.wgsl"),
        ("s.wgsl", "-o lib/../lib/own.wgsl --format png", "lib/own.wgsl"),
        ("passes", "-o passes/Common.glsl --format png", "passes/Common.glsl"),
        ("channel.wgsl", "-o wood.png", "wood.png"),
        ("channel.wgsl", "-o link.png", "wood.png"),
        ("channel.wgsl", "-o ./wood.png --dry-run", "wood.png"),
        ("channel.wgsl", "--channel wood=link.png -o wood.png", "wood.png"),
        ("s.wgsl", "--replay keys.exr.json --frame 0 -o keys.exr", "keys.exr.json"),
        ("wood.png", "-o wood.png --format raw", "wood.png"),
    ] {
        let contents = read(file);
        let error = workspace.expect_error(scene, &format!("{SIZE} {arguments}"), 2);
        assert!(error.contains("this command reads it"), "{arguments}: {error}");
        assert!(read(file) == contents, "{arguments}");
    }
    assert_eq!([".", "lib", "passes"].map(|folder| workspace.names(folder)), before);
    std::fs::create_dir(workspace.path("out")).expect("made");
    std::fs::copy(workspace.path("wood.png"), workspace.path("out/frame_00001.png")).expect("copy");
    let run = format!("{SIZE} --frames 3 --channel wood=out/frame_00001.png -o out");
    let error = workspace.expect_error("channel.wgsl", &run, 2);
    assert!(error.contains("cannot write out/frame_00001.png"), "{error}");
}

#[test]
fn picture_may_replace_itself() {
    let workspace = Workspace::with_scene(PLAIN);
    for name in ["a.png", "a.jpg"] {
        workspace.capture("s.wgsl", &format!("{SIZE} -o {name}"));
        let before = workspace.files(".");
        workspace.capture(name, &format!("-o {name}"));
        assert!(workspace.files(".") == before, "{name}");
    }
}

#[test]
fn merged_frame_remains() {
    let workspace = Workspace::with_scene(PLAIN);
    workspace.capture("s.wgsl", &format!("{SIZE} --frames 2 -o out"));
    let before = workspace.files("out");
    let said = workspace.text_of("merge out -o out/frame_00000.png --format apng", 2);
    assert!(said.contains("this command reads it"), "{said}");
    assert!(workspace.files("out") == before);
}

#[test]
fn unrelated_json_is_no_sidecar() {
    let workspace = Workspace::with_scene(PLAIN);
    workspace.write("a.exr.json", "{\"of\": \"mine\"}");
    let error = workspace.expect_error("s.wgsl", &format!("{SIZE} -o a.exr"), 1);
    assert!(error.contains("its metadata would replace a.exr.json"), "{error}");
    assert_eq!(workspace.names("."), ["a.exr.json", "s.wgsl"]);
    // The sidecar of an earlier picture may be replaced.
    workspace.capture("s.wgsl", &format!("{SIZE} -o b.exr"));
    workspace.capture("s.wgsl", &format!("{SIZE} --time 1 -o b.exr"));
}

#[test]
fn frames_of_other_runs_are_reported() {
    let workspace = Workspace::new();
    let said = |arguments: &str| {
        let arguments = format!("capture {MOVING} --size 16x9 --fps 6 {arguments}");
        let output = workspace.output(&arguments);
        assert!(output.status.success(), "{arguments}");
        stderr(&output)
    };
    let warning = "frames of another run";
    said("--frames 6 -o out");
    // Further frames and the shards of the same run, and other names, are no reason to warn.
    for same in ["--frames 3", "--frames 6..9", "--frames 12 --shard 2/2", "--frames 12 --resume"] {
        let messages = said(&format!("{same} -o out"));
        assert!(!messages.contains("another run"), "{same}: {messages}");
    }
    let messages = said("--frames 2 --ssaa 4 -o out/b_{frame}.png");
    assert!(!messages.contains("another run"), "{messages}");
    let messages = said("--time 0 --ssaa 4 -o out");
    assert!(!messages.contains("another run"), "one picture: {messages}");
    let messages = said("--frames 3 --ssaa 4 -o out");
    assert!(messages.contains(&format!("out contains 9 {warning}")), "{messages}");
    assert!(messages.contains("frame_00003.png"), "{messages}");
    let strict = "--size 16x9 --fps 6 --frames 3 --ssaa 9 -o out --strict";
    let error = workspace.expect_error(MOVING, strict, 1);
    assert!(error.contains(warning), "{error}");
    said("--frames 3 -o jpg --format jpg");
    let messages = said("--frames 2 --mouse 2,2 -o jpg --format jpg");
    assert!(messages.contains("jpg contains 1 frame of another run"), "{messages}");
}
