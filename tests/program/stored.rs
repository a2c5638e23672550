//! Sources stored in pictures: written, read back, and the limits.

use crate::common::{SOFT, Workspace, decode, error_sentence, stderr};

const SIZE: &str = "--size 32x18 --time 0.5";

const MAIN: &str = "#import tarsus::frame
#import lib::own
fn main_image(frag_coord: vec2f) -> vec4f { return own::shade(frame::frame.time); }
";
const OWN: &str = "#define_import_path lib::own
fn shade(time: f32) -> vec4f { return vec4f(time, 0.25, 0.75, 1.0); }
";

fn remove(workspace: &Workspace, name: &str) {
    std::fs::remove_file(workspace.path(name)).expect("removed");
}

#[test]
fn picture_opens_without_its_scene() {
    let workspace = Workspace::with_scene(MAIN);
    std::fs::create_dir(workspace.path("lib")).expect("made");
    workspace.write("lib/own.wgsl", OWN);
    for format in ["png", "jpg"] {
        let name = format!("a.{format}");
        workspace.capture("s.wgsl", &format!("{SIZE} -o {name}"));
    }
    let read = |name: &str| std::fs::read(workspace.path(name)).expect("a file");
    for change in ["lib/own.wgsl", "s.wgsl"] {
        // A changed module, then no scene at all.
        workspace.write("lib/own.wgsl", OWN.replace("0.25", "0.5"));
        remove(&workspace, change);
        for format in ["png", "jpg"] {
            let run = format!("capture a.{format} -o again.{format} --strict");
            let output = workspace.output(&run);
            let words = stderr(&output);
            assert!(output.status.success(), "{words}");
            assert!(words.contains(&format!("using the sources stored in a.{format}")), "{words}");
            assert!(read(&format!("again.{format}")) == read(&format!("a.{format}")), "{change}");
        }
    }
}

#[test]
fn folder_of_passes_is_stored() {
    let workspace = Workspace::new();
    std::fs::create_dir(workspace.path("passes")).expect("made");
    let image = "void mainImage(out vec4 c, in vec2 p) { c = vec4(k, iTime, 0.0, 1.0); }";
    workspace.write("passes/Image.glsl", image);
    workspace.write("passes/Common.glsl", "const float k = 0.5;");
    workspace.capture("passes", &format!("{SIZE} -o a.png"));
    std::fs::remove_dir_all(workspace.path("passes")).expect("removed");
    workspace.capture("a.png", "-o again.png --strict");
    let [first, again] = ["a.png", "again.png"].map(|name| decode(&workspace.path(name)));
    assert_eq!((first.rgb, first.texts), (again.rgb, again.texts));
}

#[test]
fn changed_builtin_of_picture_is_stored() {
    let workspace = Workspace::new();
    let text = std::fs::read_to_string(SOFT).expect("scene");
    workspace.write_shaders("line_walker.wgsl", &text);
    workspace.capture("line_walker", &format!("{SIZE} --shaders . -o a.png"));
    workspace.capture("a.png", "-o again.png --strict");
    let read = |name| std::fs::read(workspace.path(name)).expect("a file");
    assert!(read("a.png") == read("again.png"));
    workspace.capture("line_walker", &format!("{SIZE} -o plain.png"));
    assert!(!decode(&workspace.path("plain.png")).texts["tarsus"].contains("\"files\""));
}

#[test]
fn stored_scene_reads_no_channel_files() {
    let scene = "/// image \"wood.png\", nearest
@group(2) @binding(0) var wood: texture_2d<f32>;
fn main_image(p: vec2f) -> vec4f { return textureLoad(wood, vec2i(0), 0) + vec4f(0.2); }
";
    let workspace = Workspace::with_scene(scene);
    workspace.capture("line_walker", "--size 8x8 -o wood.png");
    workspace.capture("s.wgsl", &format!("{SIZE} -o a.png"));
    let words = stderr(&workspace.output("capture a.png -o same.png"));
    assert!(!words.contains("black"), "the scene on the disk is the same: {words}");
    remove(&workspace, "s.wgsl");
    let words = stderr(&workspace.output("capture a.png -o black.png"));
    let hint = "hint: --channel wood=FILE";
    assert!(words.contains("warning: channel `wood` is black") && words.contains(hint), "{words}");
    assert!(!words.contains("the files of the channels"), "one warning for one cause: {words}");
    let error = workspace.expect_error("a.png", "-o strict.png --strict", 1);
    assert!(error.contains("the files of the channels are not those of a.png"), "{error}");
    assert_eq!(decode(&workspace.path("black.png")).rgb[..3], [51; 3]);
    workspace.capture("a.png", "-o bound.png --channel wood=wood.png");
    let [first, bound] = ["a.png", "bound.png"].map(|name| decode(&workspace.path(name)));
    assert_eq!(first.rgb, bound.rgb);
}

#[test]
fn sources_too_large_are_left_out() {
    let text = std::fs::read_to_string(SOFT).expect("scene");
    let comment = "// One line of a long comment at the end of the scene.\n".repeat(18_000);
    let workspace = Workspace::with_scene(&format!("{text}{comment}"));
    let words = stderr(&workspace.output(&format!("capture s.wgsl {SIZE} -o a.png")));
    let reason = "s.wgsl and its modules are larger than 900 kB";
    assert!(words.contains("do not store the sources") && words.contains(reason), "{words}");
    remove(&workspace, "s.wgsl");
    let message = error_sentence(&workspace.output("capture a.png -o b.png"), 1);
    assert!(message.contains("cannot read s.wgsl"), "{message}");
}

#[test]
fn sources_can_be_left_out() {
    let workspace = Workspace::with_scene(MAIN);
    std::fs::create_dir(workspace.path("lib")).expect("made");
    workspace.write("lib/own.wgsl", OWN);
    workspace.capture("s.wgsl", &format!("{SIZE} -o full.png"));
    workspace.capture("s.wgsl", &format!("{SIZE} --no-sources -o flag.png"));
    let by_variable = |value: &str, name: &str| {
        let mut command = workspace.command("s.wgsl", &format!("{SIZE} -o {name}"));
        assert!(command.env("TARSUS_NO_SOURCES", value).status().expect("runs").success());
    };
    by_variable("1", "set.png");
    by_variable("0", "unset.png");
    let snapshot = |name: &str| decode(&workspace.path(name)).texts["tarsus"].clone();
    let stores = |name: &str| snapshot(name).contains("\"files\"");
    assert!(stores("full.png") && stores("unset.png"));
    assert!(!stores("flag.png") && !stores("set.png"));
    // The stored sources of a rendered picture are left out as well.
    workspace.capture("full.png", "--no-sources -o again.png");
    assert_eq!(snapshot("again.png"), snapshot("flag.png"));
    // Nothing depends on the sources if their files are there.
    workspace.capture("flag.png", "-o whole.png --strict");
    assert_eq!(snapshot("whole.png"), snapshot("full.png"));
    remove(&workspace, "s.wgsl");
    let error = workspace.expect_error("flag.png", "-o b.png", 1);
    let expected = "cannot open flag.png, which does not store the sources of its scene: cannot \
                    read s.wgsl: ";
    assert!(error.contains(expected), "{error}");
    let error = error_sentence(&workspace.output("view flag.png"), 1);
    assert!(cfg!(not(feature = "window")) || error.contains(expected), "{error}");
    // The only copy of the sources remains.
    let error = workspace.expect_error("full.png", "--no-sources -o full.png", 2);
    assert!(error.contains("this command reads it"), "{error}");
}
