//! Interactive features: choosing a scene by its picture, editing it, exporting a video of
//! recent play, and reopening a picture of a scene that has changed.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use crate::screenshot::Screenshot;
use crate::viewer::{Viewer, wait};
use tarsus_capture::metadata::{read_snapshot, read_timeline};

fn red(shot: &Screenshot) -> u8 {
    shot.at(0.05, 0.7)[0]
}

/// Waits for a file in the program's working directory.
fn wait_for_file(viewer: &Viewer, name: &str) -> PathBuf {
    let path = viewer.path(name);
    wait(name, || path.exists().then_some(()));
    path
}

#[test]
fn grid_opens_the_selected_scene() {
    let mut viewer = Viewer::open(&[]);
    viewer.wait_for("a picture", |shot| red(shot) == 64);
    // The sheet of the grid is dark where the picture is red.
    let open = |shot: &Screenshot| shot.at(0.2, 0.5)[0] < 40;
    assert!(!open(&viewer.screenshot()));
    viewer.keys(&["o"]);
    viewer.wait_for("the grid", open);
    viewer.keys(&["Escape"]);
    viewer.wait_for("the picture alone", |shot| !open(shot));
    assert!(viewer.is_running(), "Escape closes the grid and no more");
    // The grid of this window has one column: the file, then the built-in scenes, of which
    // the last is the fastest to render.
    viewer.keys(&["o", "Down", "Up"]);
    viewer.keys(&["Down"; 20]);
    viewer.keys(&["Return", "F2"]);
    let shot = wait_for_file(&viewer, "captures/line_walker/screenshot_001.png");
    assert_eq!(read_snapshot(&shot).expect("a snapshot").scene, "line_walker");
    viewer.keys(&["o", "o", "Escape"]);
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}

#[test]
fn grid_shows_pictures_of_own_scenes() {
    let viewer = Viewer::open(&["--set", "red=0.75"]);
    viewer.wait_for("a picture", |shot| red(shot) == 191);
    // The sheet around the picture in the grid is dark. A picture has the defaults.
    let in_grid = |shot: &Screenshot| shot.at(0.2, 0.5)[0] < 40 && shot.at(0.5, 0.5)[0] == 64;
    viewer.keys(&["o"]);
    viewer.wait_for("the picture in the grid", in_grid);
    viewer.keys(&["Escape", "shift+Tab"]);
    viewer.wait_for("another scene", |shot| red(shot) != 191);
    viewer.keys(&["o"]);
    viewer.keys(&["Up"; 20]);
    viewer.wait_for("the picture of the first scene", in_grid);
}

#[test]
fn hidden_overlay_shows_saved_path() {
    let viewer = Viewer::open(&[]);
    viewer.wait_for("a picture", |shot| red(shot) == 64);
    let before = viewer.hide_and_pause();
    viewer.keys(&["p"]);
    viewer.wait_for("the path", |shot| *shot != before);
    wait_for_file(&viewer, "captures/scene/screenshot_001.png");
    viewer.wait_for("the picture alone", |shot| *shot == before);
}

/// Creates a folder with an editor script that logs its arguments.
fn folder_with_editor() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("editor");
    std::fs::write(&path, "#!/bin/sh\necho \"$@\" >> opened.txt\n").expect("written");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, executable).expect("executable");
    folder
}

#[test]
fn editing_built_in_scene_opens_copy() {
    let arguments = ["view", "line_walker", "--size", "320x180"];
    let variables = [("VISUAL", ""), ("EDITOR", "./editor --wait")];
    let viewer = Viewer::start_with(folder_with_editor(), &arguments, &variables);
    let opened = viewer.path("opened.txt");
    let lines = |count| {
        wait("the editor", || {
            let text = std::fs::read_to_string(&opened).unwrap_or_default();
            (text.lines().count() == count).then_some(text)
        })
    };
    let snapshot = |number: u32| {
        viewer.keys(&["F2"]);
        let name = format!("captures/line_walker/screenshot_{number:03}.png");
        read_snapshot(&wait_for_file(&viewer, &name)).expect("a snapshot")
    };
    let before = snapshot(1);
    assert_eq!(before.scene, "line_walker");
    viewer.keys(&["e"]);
    assert_eq!(lines(1), "--wait line_walker.wgsl\n");
    let copy = std::fs::read_to_string(viewer.path("line_walker.wgsl")).expect("a copy");
    assert!(copy.contains("fn main_image"));
    let mut number = 1;
    let shown = wait("the copy in the window", || {
        number += 1;
        let shown = snapshot(number);
        (shown.scene == "line_walker.wgsl").then_some(shown)
    });
    assert!(shown.state.index > before.state.index, "time continues");
    // The scene is the copy now and is not copied again.
    viewer.keys(&["e"]);
    assert_eq!(lines(2).lines().last(), Some("--wait line_walker.wgsl"));
    let edited = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0, 0.0, 0.0, 1.0); }";
    std::fs::write(viewer.path("line_walker.wgsl"), edited).expect("written");
    viewer.wait_for("the edit", |shot| shot.at(0.98, 0.6) == [255, 0, 0]);
}

#[test]
fn video_contains_recent_play() {
    let viewer = Viewer::open(&["--set", "red=0.75"]);
    viewer.wait_for("a picture", |shot| red(shot) == 191);
    // The sliders would capture the drag.
    viewer.keys(&["h", "h"]);
    viewer.move_pointer(160, 60);
    viewer.button_down(1);
    viewer.move_pointer(80, 90);
    viewer.wait_for("the drag", |shot| (shot.cell(0) - 0.25).abs() < 0.02);
    viewer.button_up(1);
    viewer.keys(&["v"]);
    let folder = viewer.path("captures/scene");
    let film = wait("the film", || {
        let endings = ["mp4", "apng"].into_iter();
        let mut paths = endings.map(|ending| folder.join("film_001").with_extension(ending));
        paths.find(|path| path.exists())
    });
    assert!(std::fs::metadata(film).expect("a file").len() > 1000);
    let recording = folder.join("recording_001.json");
    let timeline = read_timeline(&recording).expect("a recording");
    assert_eq!(timeline.start.size, (320, 180));
    assert_eq!(timeline.start.state.values.get("red"), Some(&vec![0.75]));
    let end = timeline.at(timeline.duration, 0, 60.0);
    let frame = end.frame((320, 180));
    assert!((frame.mouse[0] - 80.0).abs() < 2.0, "{:?}", frame.mouse);
    // Only the two files remain.
    let files = || std::fs::read_dir(&folder).expect("a folder").count();
    wait("the end", || (files() == 2).then_some(()));
}

#[test]
fn closed_or_terminated_window_cancels_video_export() {
    // Too slow for its video to finish.
    let scene = "#import tarsus::frame
fn main_image(p: vec2f) -> vec4f {
    var sum = fract(frame::frame.time);
    for (var i = 0; i < 3000; i++) { sum = fract(sin(sum + p.x) * 437.5); }
    return vec4f(sum);
}
";
    let end: [fn(&Viewer); 2] = [|viewer| viewer.keys(&["Escape"]), Viewer::terminate];
    for end in end {
        let mut viewer = Viewer::open_text(scene, &["--scale", "0.1"]);
        viewer.wait_for("a picture", |shot| shot.at(0.9, 0.9) != shot.at(0.7, 0.8));
        viewer.keys(&["v"]);
        wait_for_file(&viewer, "captures/scene/recording_001.json");
        end(&viewer);
        assert_eq!(viewer.wait_for_exit().code(), Some(0));
        let errors = viewer.errors();
        assert!(errors.contains("--replay captures/scene/recording_001.json -o"), "{errors}");
        let folder = viewer.path("captures/scene");
        let names: Vec<_> = std::fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        assert_eq!(names, ["recording_001.json"]);
    }
}

#[test]
fn picture_of_changed_scene_uses_own_sources() {
    let viewer = Viewer::open(&[]);
    viewer.hide_and_pause();
    let shot = viewer.save_screenshot(1);
    // The first cell is black, and a message is a grey sheet on top of it.
    let sheet = |shot: &Screenshot| shot.at(14.5 / 320.0, 166.5 / 180.0) != [0; 3];
    for edit in ["", "// edited\n"] {
        let folder = tempfile::tempdir().expect("folder");
        let text = edit.to_owned() + include_str!("../fixtures/window.wgsl");
        std::fs::write(folder.path().join("scene.wgsl"), text).expect("written");
        std::fs::copy(&shot, folder.path().join("shot.png")).expect("copied");
        let again = Viewer::start(folder, &["view", "shot.png"]);
        let seen = again.wait_for("the picture", |shot| red(shot) == 64);
        assert_eq!(sheet(&seen), !edit.is_empty(), "{edit:?}");
    }
}

#[test]
fn gpu_with_vertical_sync_draws_and_reacts() {
    // Llvmpipe under a layer that reports a discrete GPU and waits for refreshes.
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/fifo.sh");
    let build = tempfile::tempdir().expect("folder");
    let built = Command::new(script).arg("true").env("CARGO_TARGET_DIR", build.path()).status();
    assert!(built.expect("the layer's script runs").success());
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("scene.wgsl"), include_str!("../fixtures/window.wgsl"))
        .expect("written");
    let layer = build.path().join("fifo-layer");
    let log = build.path().join("log");
    let variables = [
        ("VK_LAYER_PATH", layer.to_str().expect("UTF-8")),
        ("VK_INSTANCE_LAYERS", "VK_LAYER_tarsus_fifo"),
        ("FIFO_HZ", "10"),
        ("FIFO_LOG", log.to_str().expect("UTF-8")),
    ];
    let arguments = ["view", "scene.wgsl", "--size", "320x180"];
    let mut viewer = Viewer::start_with(folder, &arguments, &variables);
    viewer.wait_for("a picture", |shot| red(shot) == 64);
    wait("a present that waited", || {
        let events = std::fs::read_to_string(&log).ok()?;
        let mut presents = events.lines().filter_map(|line| line.split_once(" present "));
        presents.any(|(_, waited)| waited.parse::<f64>().is_ok_and(|ms| ms > 2.0)).then_some(())
    });
    viewer.keys(&["F2"]);
    wait_for_file(&viewer, "captures/scene/screenshot_001.png");
    viewer.keys(&["Escape"]);
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}

#[test]
fn tab_pages_through_scenes_of_folder() {
    let folder = tempfile::tempdir().expect("folder");
    let toys = folder.path().join("toys");
    std::fs::create_dir(&toys).expect("a folder");
    let colors = [("a.wgsl", [255, 0, 0]), ("b.wgsl", [0, 255, 0]), ("c.wgsl", [0, 0, 255])];
    for (name, [red, green, blue]) in colors {
        let color = format!("vec4f({red}.0, {green}.0, {blue}.0, 1.0)");
        // Its parameters are widgets that egui can give the keyboard focus.
        let text = format!(
            "struct Params {{\n/// Level [0, 1] = 1\nlevel: f32 }}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f {{ return params.level * {color}; }}\n"
        );
        std::fs::write(toys.join(name), text).expect("written");
    }
    let module = "#define_import_path shapes\n// Has no main_image.\n";
    std::fs::write(toys.join("b_shapes.wgsl"), module).expect("written");
    let viewer = Viewer::start(folder, &["view", "toys", "--size", "800x450"]);
    let shows = |index: usize| {
        viewer.wait_for(colors[index].0, |shot| shot.at(0.9, 0.9) == colors[index].1);
    };
    shows(0);
    for (key, index) in [("Tab", 1), ("Tab", 2), ("Tab", 0), ("shift+Tab", 2), ("shift+Tab", 1)] {
        viewer.keys(&[key]);
        shows(index);
    }
}
