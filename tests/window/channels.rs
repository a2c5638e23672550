//! Scenes that read files: replaced on the command line, edited while running, and broken.

use std::path::Path;

use crate::screenshot::Screenshot;
use crate::viewer::Viewer;

const SCENE: &str = r#"
/// image "wood.png"
@group(2) @binding(0) var wood: texture_2d<f32>;
@group(2) @binding(1) var wood_sampler: sampler;
fn main_image(p: vec2f) -> vec4f {
    return vec4f(textureSampleLevel(wood, wood_sampler, vec2f(0.5), 0.0).rgb, 1.0);
}
"#;

/// Writes a picture of one colour.
fn write(path: &Path, rgb: [u8; 3]) {
    let part = path.with_extension("part");
    let file = std::fs::File::create(&part).expect("a file");
    let mut encoder = png::Encoder::new(file, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&rgb.repeat(4)).expect("pixels");
    writer.finish().expect("written");
    std::fs::rename(part, path).expect("renamed");
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("scene.wgsl"), SCENE).expect("written");
    write(&folder.path().join("wood.png"), [200, 100, 0]);
    folder
}

fn color(shot: &Screenshot) -> [u8; 3] {
    shot.at(0.97, 0.3)
}

const ARGUMENTS: [&str; 4] = ["view", "scene.wgsl", "--size", "320x180"];

#[test]
fn edited_file_reloads_broken_keeps_last() {
    let viewer = Viewer::start(folder(), &ARGUMENTS);
    viewer.wait_for("the file", |shot| color(shot) == [200, 100, 0]);
    let wood = viewer.path("wood.png");
    write(&wood, [0, 50, 250]);
    viewer.wait_for("the edited file", |shot| color(shot) == [0, 50, 250]);
    std::fs::write(&wood, "no picture").expect("written");
    let broken = viewer.wait_for("the error", Screenshot::shows_error);
    assert_eq!(color(&broken), [0, 50, 250], "the last one stays");
    write(&wood, [10, 240, 20]);
    let mended = viewer.wait_for("the mended file", |shot| color(shot) == [10, 240, 20]);
    assert!(!mended.shows_error());
    std::fs::remove_file(&wood).expect("removed");
    viewer.wait_for("the error again", Screenshot::shows_error);
    write(&wood, [90, 90, 90]);
    viewer.wait_for("a file again", |shot| color(shot) == [90, 90, 90]);
}

#[test]
fn channel_option_replaces_file() {
    let folder = folder();
    write(&folder.path().join("other.png"), [0, 200, 220]);
    let channel = ["--channel", "wood=other.png"];
    let viewer = Viewer::start(folder, &[&ARGUMENTS[..], &channel].concat());
    viewer.wait_for("the other file", |shot| color(shot) == [0, 200, 220]);
    write(&viewer.path("other.png"), [120, 0, 0]);
    viewer.wait_for("the edited file", |shot| color(shot) == [120, 0, 0]);
    // The panel shows the replacement as well.
    viewer.keys(&["alt+1"]);
    let whole = viewer.wait_for("the channel whole", |shot| shot.at(0.97, 0.3) != [120, 0, 0]);
    assert_eq!(whole.at(0.5, 0.97), [120, 0, 0]);
}

#[test]
fn file_dropped_on_tile_replaces_channel() {
    let folder = folder();
    for (name, color) in [("blue.png", [0, 0, 250]), ("red.png", [250, 0, 0])] {
        write(&folder.path().join(name), color);
    }
    let arguments = ["view", "scene.wgsl", "--size", "640x360"];
    let viewer = Viewer::start(folder, &arguments);
    viewer.wait_for("the file", |shot| color(shot) == [200, 100, 0]);
    viewer.keys(&["b"]);
    let (x, y) = (320, 230);
    let on_tile = |shot: &Screenshot| shot.at(f64::from(x) / 640.0, f64::from(y) / 360.0);
    // The panel, centred above the lower edge, has one tile.
    viewer.wait_for("the panel", |shot| shot.at(0.5, 0.95) != [200, 100, 0]);
    viewer.move_pointer(x, y);
    viewer.drop_file("blue.png");
    viewer.wait_for("the dropped file, on its tile too", |shot| {
        color(shot) == [0, 0, 250] && on_tile(shot) == [0, 0, 250]
    });
    // The drop position is only known from the next pointer event.
    viewer.move_pointer(20, 200);
    viewer.wait_until_still("the pointer is elsewhere");
    viewer.drop_file("red.png");
    viewer.move_pointer(x, y);
    viewer.wait_for("the other file", |shot| color(shot) == [250, 0, 0]);
    // A reload keeps the replacement, and edits of it are followed.
    viewer.keys(&["F5"]);
    write(&viewer.path("red.png"), [9, 9, 90]);
    viewer.wait_for("the edited file", |shot| color(shot) == [9, 9, 90]);
}

#[test]
fn file_dropped_elsewhere_is_opened() {
    let folder = folder();
    let green = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.0, 1.0, 0.0, 1.0); }";
    std::fs::write(folder.path().join("green.wgsl"), green).expect("written");
    let viewer = Viewer::start(folder, &ARGUMENTS);
    viewer.wait_for("the file", |shot| color(shot) == [200, 100, 0]);
    viewer.keys(&["b"]);
    viewer.move_pointer(10, 60);
    viewer.drop_file("green.wgsl");
    viewer.wait_for("the dropped scene", |shot| color(shot) == [0, 255, 0]);
}

#[test]
fn unknown_channel_is_usage_error() {
    let folder = folder();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .args(["view", "scene.wgsl", "--channel", "wod=a.png"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("channel `wod`: there is no channel of that name; the scene has wood"),
        "{errors}"
    );
}
