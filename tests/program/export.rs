//! `tarsus export` as a user runs it: files, JSON and error messages.

use std::io::Write as _;
use std::process::Output;

use serde_json::Value;

use crate::common::{Workspace, stderr, stdout};

const PASSES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/passes.wgsl");

fn export(workspace: &Workspace, arguments: &[&str]) -> Output {
    let mut command = workspace.tarsus(&["export"]);
    command.args(arguments).output().expect("tarsus")
}

/// Runs `export`, which must fail with this exit code, these words on standard error and no
/// files.
fn assert_refused(arguments: &[&str], code: i32, words: &[&str]) {
    let workspace = Workspace::new();
    let output = export(&workspace, arguments);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{told}");
    for word in words {
        assert!(told.contains(word), "{word} in {told}");
    }
    assert!(workspace.names(".").is_empty(), "nothing is written");
}

#[test]
fn folder_has_file_per_pass() {
    let workspace = Workspace::new();
    let arguments = [PASSES, "--to", "shadertoy", "-o", "out"];
    let output = export(&workspace, &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("`wood` (image \"wood.jpg\")"), "{told}");
    let out = workspace.path("out");
    let expected = [
        "Buffer A.glsl",
        "Buffer B.glsl",
        "Common.glsl",
        "Cube A.glsl",
        "Image.glsl",
        "Sound.glsl",
        "passes.json",
    ];
    assert_eq!(workspace.names("out"), expected);
    // Exporting again needs --force, gives the same bytes and leaves nothing else behind.
    let before: Vec<_> = expected.map(|name| std::fs::read(out.join(name)).expect("a file")).into();
    std::fs::write(out.join("Image.glsl"), "old").expect("a file");
    let refused = export(&workspace, &arguments);
    assert_eq!(refused.status.code(), Some(1));
    let told = stderr(&refused);
    assert!(told.contains("it already exists; hint: `--force` overwrites it"), "{told}");
    assert_eq!(std::fs::read(out.join("Image.glsl")).expect("a file"), b"old");
    let again = [&arguments[..], &["--force"]].concat();
    assert!(export(&workspace, &again).status.success());
    let after: Vec<_> = expected.map(|name| std::fs::read(out.join(name)).expect("a file")).into();
    assert_eq!(before, after);
    assert_eq!(workspace.names("out"), expected);
    let arguments = ["line_walker", "--to", "glsl", "-o", "folder.glsl/"];
    assert!(export(&workspace, &arguments).status.success());
    assert!(workspace.path("folder.glsl").is_dir(), "the separator makes it a folder");
}

#[test]
fn json_connects_passes_and_textures() {
    let workspace = Workspace::new();
    let output = export(&workspace, &[PASSES, "--to", "shadertoy", "-o", "."]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = std::fs::read_to_string(workspace.path("passes.json")).expect("a file");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let passes = document["renderpass"].as_array().expect("passes");
    let of = |name: &str| {
        let found = passes.iter().find(|pass| pass["name"] == name);
        found.unwrap_or_else(|| panic!("{name} in {text}"))
    };
    let image = &of("Image")["inputs"];
    assert_eq!(image[0]["type"], "keyboard");
    assert_eq!(image[1]["type"], "buffer");
    assert_eq!(image[1]["id"], of("Buffer B")["outputs"][0]["id"]);
    assert_eq!(image[2]["id"], of("Cube A")["outputs"][0]["id"]);
    assert_eq!(image[3]["filepath"], "wood.jpg");
    let sampler = &image[3]["sampler"];
    assert_eq!(
        [&sampler["filter"], &sampler["wrap"], &sampler["vflip"], &sampler["srgb"]],
        ["mipmap", "repeat", "false", "false"]
    );
    let noise = &of("Buffer A")["inputs"][1];
    let path = noise["filepath"].as_str().expect("a path");
    assert!(path.starts_with("/media/a/f735bee5"), "{path}");
    let code = std::fs::read_to_string(workspace.path("Image.glsl")).expect("a file");
    assert_eq!(of("Image")["code"], code);
}

#[test]
fn media_of_shadertoy_keep_their_paths() {
    let workspace = Workspace::new();
    let wood = "1f7dca9c22f324751f2a5a59c9b181dfe3b5564a04b724c657732d0bf09c99db.jpg";
    let scene = std::fs::read_to_string(PASSES).expect("a scene").replace("wood.jpg", wood);
    workspace.write("toy.wgsl", scene);
    let output = export(&workspace, &["toy.wgsl", "--to", "shadertoy", "-o", "."]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("uploads"), "{}", stderr(&output));
    let text = std::fs::read_to_string(workspace.path("toy.json")).expect("a file");
    assert!(text.contains(&format!("\"filepath\": \"/media/a/{wood}\"")), "{text}");
}

#[test]
fn single_pass_goes_to_standard_output() {
    let workspace = Workspace::new();
    let to_file = ["simple_ik", "--to", "shadertoy", "-o", "."];
    assert!(export(&workspace, &to_file).status.success());
    let output = export(&workspace, &["simple_ik", "--to", "shadertoy", "-o", "-"]);
    let file = std::fs::read(workspace.path("Image.glsl")).expect("a file");
    assert_eq!(output.stdout, file);
    let output = export(&workspace, &["crane", "--to", "shadertoy", "-o", "-"]);
    assert!(output.status.success(), "per_frame runs inline: {}", stderr(&output));
}

#[test]
fn single_file_is_written_under_its_name() {
    let workspace = Workspace::new();
    for (target, name, begin) in [
        ("glsl", "a.glsl", "#version 450 core\n"),
        ("glsl-es", "a.frag", "#version 300 es\n"),
        ("wgsl", "a.wgsl", "// A fox in side view"),
        ("shadertoy", "b.glsl", "// A fox in side view"),
        ("shadertoy", "a.json", "{"),
    ] {
        let output = export(&workspace, &["line_walker", "--to", target, "-o", name]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().next(), Some(name));
        let text = std::fs::read_to_string(workspace.path(name)).expect("a file");
        assert!(text.starts_with(begin), "{name}: {text}");
    }
    assert_eq!(workspace.names("."), ["a.frag", "a.glsl", "a.json", "a.wgsl", "b.glsl"]);
    assert_refused(
        &[PASSES, "--to", "glsl", "-o", "a.glsl"],
        2,
        &["cannot write to a.glsl: expected a scene of one pass", "Buffer A.frag"],
    );
    assert_refused(
        &["line_walker", "--to", "wgsl", "-o", "a.glsl"],
        2,
        &["cannot write a.glsl: this target has no .glsl files", "a .wgsl file"],
    );
}

#[test]
fn parameter_values_are_exported() {
    let workspace = Workspace::new();
    let arguments = ["ik_field", "--to", "shadertoy", "--set", "r1=0.625", "-o", "-"];
    let output = export(&workspace, &arguments);
    let code = stdout(&output);
    assert!(code.contains("const float params_r1 = 0.625;\n"), "{code}");
}

#[test]
fn other_targets_are_complete_files() {
    let workspace = Workspace::new();
    for (target, file, begin) in [
        ("glsl", "Image.frag", "#version 450 core\n"),
        ("glsl-es", "Image.frag", "#version 300 es\n"),
        ("wgsl", "line_walker.wgsl", "// A fox in side view"),
    ] {
        let output = export(&workspace, &["line_walker", "--to", target, "-o", target]);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = std::fs::read_to_string(workspace.path(target).join(file));
        assert!(text.expect("a file").starts_with(begin), "{target}");
    }
}

#[test]
fn output_keeps_off_the_scene_names() {
    let workspace = Workspace::new();
    workspace.write(
        "toy.wgsl",
        "const color: f32 = 0.5;\n\
         fn main_image(p: vec2f) -> vec4f { return vec4f(p, color, 1.0); }\n",
    );
    let output = export(&workspace, &["toy.wgsl", "--to", "glsl-es", "-o", "-"]);
    let code = stdout(&output);
    assert!(code.contains("const float color ="), "{code}");
    assert!(!code.contains("out vec4 color;"), "{code}");
}

#[test]
fn passes_left_out_are_noted() {
    let workspace = Workspace::new();
    let output = export(&workspace, &[PASSES, "--to", "glsl-es", "-o", "out"]);
    for name in ["Cube A", "Sound"] {
        let note = format!("note: the pass {name} is left out: `--to shadertoy` keeps it\n");
        assert!(stderr(&output).contains(&note), "{}", stderr(&output));
    }
    let image = std::fs::read_to_string(workspace.path("out/Image.frag")).expect("a file");
    let precision = image.find("precision highp samplerCube;").expect("a precision");
    assert!(image.find("uniform samplerCube").is_some_and(|at| precision < at), "{image}");
}

#[test]
fn empty_channels_need_no_input() {
    let workspace = Workspace::new();
    workspace.write(
        "toy.wgsl",
        "/// nothing\n@group(2) @binding(0) var none: texture_2d<f32>;\n\
         fn main_image(p: vec2f) -> vec4f { return textureLoad(none, vec2i(p), 0); }\n",
    );
    let output = export(&workspace, &["toy.wgsl", "--to", "shadertoy", "-o", "."]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("choose"), "{}", stderr(&output));
}

/// A scene in `scene/` of the workspace that reads files in its folder and outside of it.
fn write_scene_with_files(workspace: &Workspace) {
    let sides = [("wood.png", 1), ("scene/wood.png", 2), ("scene/media/grain.png", 3)];
    let faces = ["px", "nx", "py", "ny", "pz", "nz"].map(|face| format!("scene/sky/{face}.png"));
    for (name, side) in sides.into_iter().chain(faces.iter().map(|face| (face.as_str(), 4))) {
        let path = workspace.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        image::RgbImage::new(side, side).save(path).expect("a picture");
    }
    let mut text = String::new();
    let faces = ["px", "nx", "py", "ny", "pz", "nz"].map(|face| format!("\"sky/{face}.png\""));
    for (number, (name, source, ty)) in [
        ("wood", "image \"wood.png\"", "2d"),
        ("other", "image \"../wood.png\"", "2d"),
        ("grain", "image \"./media/grain.png\"", "2d"),
        ("sky", &format!("cube {}", faces.join(" ")), "cube"),
    ]
    .into_iter()
    .enumerate()
    {
        text += &format!(
            "/// {source}\n@group(2) @binding({0}) var {name}: texture_{ty}<f32>;\n\
             @group(2) @binding({1}) var {name}_sampler: sampler;\n",
            2 * number,
            2 * number + 1,
        );
    }
    text += "fn main_image(p: vec2f) -> vec4f {\n    \
             return textureSample(wood, wood_sampler, p) + textureSample(other, other_sampler, p)\n        \
             + textureSample(grain, grain_sampler, p) + textureSample(sky, sky_sampler, p.xyy);\n}\n";
    workspace.write("scene/toy.wgsl", text);
}

#[test]
fn channel_files_are_copied_to_folder() {
    let workspace = Workspace::new();
    write_scene_with_files(&workspace);
    let arguments = ["scene/toy.wgsl", "--to", "shadertoy", "-o", "out"];
    let output = export(&workspace, &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let copies = [("wood.png", "scene/wood.png"), ("2/wood.png", "wood.png")];
    let copies = [&copies[..], &[("media/grain.png", "scene/media/grain.png")]].concat();
    let read = |path: &str| std::fs::read(workspace.path(path)).expect(path);
    for (copy, original) in copies {
        assert_eq!(read(&format!("out/{copy}")), read(original), "{copy}");
    }
    let faces = ["px.png", "px_1.png", "px_2.png", "px_3.png", "px_4.png", "px_5.png"];
    assert_eq!(workspace.names("out/sky"), faces);
    // The folder needs no other files.
    std::fs::rename(workspace.path("out"), workspace.path("moved")).expect("a folder");
    std::fs::remove_dir_all(workspace.path("scene")).expect("a folder");
    std::fs::remove_file(workspace.path("wood.png")).expect("a file");
    let checked = workspace.output("check moved");
    assert!(checked.status.success(), "{}", stderr(&checked));
    assert_eq!(stderr(&checked), "");
    for size in ["image of 1x1", "image of 2x2", "image of 3x3", "cube of 4x4x6"] {
        assert!(stdout(&checked).contains(size), "{size} in {}", stdout(&checked));
    }
}

#[test]
fn scene_is_not_replaced_by_its_export() {
    let workspace = Workspace::new();
    let text = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.5); }\n";
    workspace.write("toy.wgsl", text);
    let arguments = ["toy.wgsl", "--to", "wgsl", "-o", ".", "--force"];
    let refused = export(&workspace, &arguments);
    let told = stderr(&refused);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("cannot write ./toy.wgsl: this command reads it"), "{told}");
    assert_eq!(std::fs::read(workspace.path("toy.wgsl")).expect("a file"), text.as_bytes());
}

#[test]
fn channel_files_are_replaced_only_by_force() {
    let workspace = Workspace::new();
    write_scene_with_files(&workspace);
    std::fs::create_dir_all(workspace.path("out/media")).expect("a folder");
    workspace.write("out/media/grain.png", "mine");
    let arguments = ["scene/toy.wgsl", "--to", "wgsl", "-o", "out"];
    let refused = export(&workspace, &arguments);
    let told = stderr(&refused);
    assert!(told.contains("cannot write out/media/grain.png: it already exists"), "{told}");
    assert_eq!(workspace.names("out"), ["media"]);
    assert!(export(&workspace, &[&arguments[..], &["--force"]].concat()).status.success());
    let read = |path: &str| std::fs::read(workspace.path(path)).expect(path);
    assert_eq!(read("out/media/grain.png"), read("scene/media/grain.png"));
    // Files that are in the folder already are not copied onto themselves.
    let before = read("scene/wood.png");
    let within = ["scene/toy.wgsl", "--to", "glsl", "-o", "scene"];
    assert!(export(&workspace, &within).status.success());
    assert_eq!(read("scene/wood.png"), before);
    let missing = workspace.path("wood.png");
    std::fs::remove_file(missing).expect("a file");
    let warned = export(&workspace, &["scene/toy.wgsl", "--to", "glsl", "-o", "less"]);
    assert!(warned.status.success());
    assert!(stderr(&warned).contains("wood.png: there is no such file"), "{}", stderr(&warned));
    let printed = export(&workspace, &["scene/toy.wgsl", "--to", "glsl", "-o", "-"]);
    let told = stderr(&printed);
    assert!(told.contains("take them along: ") && told.contains("scene/media/grain.png"), "{told}");
}

#[test]
fn export_errors_are_reported() {
    let glsl = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/glsl/tests/shaders/structs.glsl");
    assert_refused(
        &[glsl, "--to", "shadertoy", "-o", "out"],
        2,
        &["structs.glsl", "it is GLSL; only WGSL scenes can be exported"],
    );
    let to = ["--to", "shadertoy", "-o"];
    let with = |scene, output| [&[scene], &to[..], &[output]].concat();
    assert_refused(&with("walker", "out"), 1, &["there is no scene `walker`"]);
    let mut broken = tempfile::NamedTempFile::with_suffix(".wgsl").expect("a file");
    broken
        .write_all(b"fn main_image(p: vec2f) -> vec4f { return vec4f(lenght(p)); }\n")
        .expect("written");
    let broken = broken.path().display().to_string();
    let wanted = format!("tarsus: {broken} does not compile");
    assert_refused(&with(&broken, "out"), 1, &[&wanted, "did you mean `length`?"]);
    assert_refused(
        &with(PASSES, "-"),
        2,
        &["cannot write to standard output: expected a scene of one pass", "Buffer A.glsl"],
    );
    assert_refused(
        &[&with("ik_field", "out")[..], &["--set", "r1=long"]].concat(),
        2,
        &["cannot use `--set`: invalid value `long`"],
    );
    assert_refused(&["line_walker", "-o", "-"], 2, &["page.html", "`--to`"]);
    let file = tempfile::NamedTempFile::new().expect("a file");
    let taken = file.path().display().to_string();
    assert_refused(&with("line_walker", &taken), 1, &["cannot write", &taken]);
}
