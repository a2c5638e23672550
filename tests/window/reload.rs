//! Edits while the window is open: the picture follows, errors come and go, and the user's
//! settings persist.

use std::path::Path;

use crate::screenshot::Screenshot;
use crate::viewer::{Viewer, wait};
use tarsus_capture::metadata::read_snapshot;

/// A scene of one colour, with a parameter and the time in other components.
fn scene(green: &str) -> String {
    format!(
        "#import tarsus::frame
struct Params {{
    /// Red [0, 1] = 0.25
    red: f32,
}}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f {{
    return vec4f(params.red, {green}, fract(0.01 * frame::frame.time), 1.0);
}}
"
    )
}

fn write_by_rename(path: &Path, text: &str) {
    let part = path.with_extension("part");
    std::fs::write(&part, text).expect("written");
    std::fs::rename(&part, path).expect("renamed");
}

fn green(shot: &Screenshot) -> u8 {
    shot.at(0.03, 0.75)[1]
}

#[test]
fn edit_reloads_and_keeps_state() {
    let viewer = Viewer::open_text(&scene("0.0"), &["--set", "red=0.75"]);
    viewer.wait_for("the first colour", |shot| green(shot) == 0);
    viewer.hide_and_pause();
    viewer.move_pointer(10, 10);
    viewer.button_down(3);
    viewer.move_pointer(60, 10);
    viewer.button_up(3);
    let before = read_snapshot(&viewer.save_screenshot(1)).expect("a snapshot").state;
    let path = viewer.path("scene.wgsl");
    std::fs::write(&path, scene("0.6")).expect("written");
    viewer.wait_for("an edit in place", |shot| green(shot) == 153);
    write_by_rename(&path, &scene("1.0"));
    viewer.wait_for("an edit by renaming", |shot| green(shot) == 255);
    let after = read_snapshot(&viewer.save_screenshot(2)).expect("a snapshot").state;
    assert_eq!(after.time, before.time);
    assert_eq!(after.input.orbit(), before.input.orbit());
    assert_ne!(after.input.orbit()[0], 0.0);
    assert_eq!(after.values.get("red"), Some(&vec![0.75]));
}

#[test]
fn recreated_folder_reloads() {
    let folder = tempfile::tempdir().expect("folder");
    let inner = folder.path().join("scenes");
    let write = |text: &str| {
        std::fs::create_dir_all(&inner).expect("a folder");
        std::fs::write(inner.join("scene.wgsl"), scene(text)).expect("written");
    };
    write("0.0");
    let viewer = Viewer::start(folder, &["view", "scenes/scene.wgsl", "--size", "320x180"]);
    viewer.wait_for("the first colour", |shot| green(shot) == 0);
    std::fs::remove_dir_all(&inner).expect("removed");
    write("0.6");
    viewer.wait_for("a folder replaced at once", |shot| green(shot) == 153);
    std::fs::remove_dir_all(&inner).expect("removed");
    wait("the error", || viewer.errors().contains("no such file").then_some(()));
    write("1.0");
    viewer.wait_for("a folder that was missing", |shot| green(shot) == 255);
    write("0.6");
    viewer.wait_for("an edit in it", |shot| green(shot) == 153);
}

#[test]
fn imported_file_edit_reloads() {
    let text = "#import \"part.wgsl\" as part
fn main_image(p: vec2f) -> vec4f { return vec4f(0.0, part::green(), 0.0, 1.0); }
";
    let part = |green: &str| format!("fn green() -> f32 {{ return {green}; }}\n");
    let viewer = Viewer::open_text(text, &[]);
    viewer.wait_for("the missing module", Screenshot::shows_error);
    std::fs::write(viewer.path("part.wgsl"), part("0.6")).expect("written");
    viewer.wait_for("the new module", |shot| green(shot) == 153 && !shot.shows_error());
    std::fs::write(viewer.path("part.wgsl"), part("1.0")).expect("written");
    viewer.wait_for("the edit of the module", |shot| green(shot) == 255);
}

#[test]
fn debug_view_outlives_edits_and_device() {
    let text = include_str!("../fixtures/ball.wgsl");
    let viewer = Viewer::open_text(text, &[]);
    let blue = |shot: &Screenshot| shot.at(0.95, 0.1)[2];
    let plain = |shot: &Screenshot| blue(shot) == 255;
    // Black where the first version takes few steps, violet where the edit takes more.
    let middle = |shot: &Screenshot| shot.at(0.5, 0.75);
    viewer.wait_for("the picture", plain);
    viewer.keys(&["h", "h", "l"]);
    let heat = viewer.wait_for("the steps as heat", |shot| blue(shot) < 120);
    let path = viewer.path("scene.wgsl");
    let slow = text.replace("length(p) - 1.0", "0.2 * (length(p) - 1.0)");
    write_by_rename(&path, &slow);
    let hotter = |shot: &Screenshot| {
        blue(shot) < 120 && middle(shot)[2] > middle(&heat)[2].saturating_add(40)
    };
    viewer.wait_for("more steps after the edit", hotter);
    viewer.keys(&["shift+F5"]);
    write_by_rename(&path, text);
    let as_before =
        |shot: &Screenshot| blue(shot) < 120 && middle(shot)[2].abs_diff(middle(&heat)[2]) < 8;
    viewer.wait_for("the first steps on another device", as_before);
    viewer.keys(&["Tab", "shift+Tab"]);
    viewer.wait_for("the steps after another scene", as_before);
    viewer.keys(&["shift+L"]);
    viewer.wait_for("the picture", plain);
}

#[test]
fn good_and_bad_edits_bound_memory() {
    // A thousand edits with `TARSUS_LONG=full`.
    let is_long = std::env::var_os("TARSUS_LONG").is_some_and(|value| value == "full");
    let pairs: u32 = if is_long { 500 } else { 100 };
    let viewer = Viewer::open_text(&scene("0.0"), &[]);
    viewer.wait_for("a picture", |shot| green(shot) == 0);
    let path = viewer.path("scene.wgsl");
    let mut memory = 0;
    for number in 0..pairs {
        write_by_rename(&path, &scene("wrong"));
        let failed =
            wait("the error", || Some(viewer.screenshot()).filter(Screenshot::shows_error));
        assert!(!failed.is_blank());
        let level = f64::from(number % 10) / 10.0;
        write_by_rename(&path, &scene(&format!("{level:.1}")));
        // A GPU may round a half either way.
        let right = |shot: &Screenshot| (f64::from(green(shot)) - level * 255.0).abs() < 0.6;
        viewer.wait_for("the mended picture", |shot| right(shot) && !shot.shows_error());
        // The first edits fill caches.
        if number == 20 {
            memory = viewer.memory();
        }
    }
    let grown = viewer.memory();
    println!("{memory} KiB became {grown} KiB with {pairs} pairs of edits");
    assert!(grown * 10 <= memory * 11, "{memory} KiB became {grown} KiB");
}
