//! Buffers in the window: when they advance, when they stay, and how their state is
//! restored.

use tarsus_capture::metadata::read_timeline;
use tarsus_player::timeline::Event;

use crate::screenshot::Screenshot;
use crate::viewer::Viewer;

const SCENE: &str = include_str!("../fixtures/window_buffers.wgsl");

/// Number of times the buffer was rendered at a point, in fractions from the top left.
fn count_at(shot: &Screenshot, x: f64, y: f64) -> u32 {
    let [low, high, _] = shot.at(x, y);
    256 * u32::from(high) + u32::from(low)
}

/// Number of times the buffer was rendered in the lower left corner.
fn count(shot: &Screenshot) -> u32 {
    count_at(shot, 0.02, 0.95)
}

fn open(arguments: &[&str]) -> Viewer {
    let viewer = Viewer::open_text(SCENE, arguments);
    viewer.wait_for("a picture", is_picture);
    viewer
}

/// Without a picture the window has a single dark colour.
fn is_picture(shot: &Screenshot) -> bool {
    count(shot) > 0 && shot.at(0.97, 0.5)[0] == 0
}

fn saved(viewer: &Viewer, number: u32) -> Screenshot {
    Screenshot::read(&viewer.save_screenshot(number))
}

#[test]
fn buffers_advance_only_while_time_runs() {
    let viewer = open(&["--scale", "1"]);
    viewer.keys(&["h", "h"]);
    let first = count(&viewer.screenshot());
    viewer.wait_for("the next frames", |shot| count(shot) > first + 3);
    viewer.keys(&["space"]);
    let paused = viewer.wait_until_still("time stops");
    viewer.move_pointer(80, 90);
    let at = |shot: &Screenshot| shot.at(0.9, 0.5)[2];
    let low = viewer.wait_for("the pointer", |shot| at(shot).abs_diff(64) < 3);
    viewer.move_pointer(240, 90);
    viewer.wait_for("the pointer again", |shot| at(shot).abs_diff(191) < 3);
    let still = viewer.wait_until_still("nothing but the pointer");
    assert_eq!([count(&low), count(&still)], [count(&paused); 2]);
    assert_eq!(still.at(0.9, 0.5)[1], paused.at(0.9, 0.5)[1]);
    viewer.keys(&["space"]);
    viewer.wait_for("time goes on", |shot| count(shot) > count(&paused) + 3);
}

#[test]
fn stepped_frames_match_capture() {
    let viewer = open(&["--scale", "1"]);
    viewer.hide_and_pause();
    viewer.keys(&["BackSpace"]);
    viewer.wait_for("the start", |shot| count(shot) == 1);
    viewer.keys(&["period"; 7]);
    viewer.wait_for("seven steps", |shot| count(shot) == 8);
    let shown = saved(&viewer, 1);
    let size = ["--size", "320x180", "-o", "captured.png"];
    viewer.capture(&[&["scene.wgsl", "--frame", "7"][..], &size].concat());
    let captured = Screenshot::read(&viewer.path("captured.png"));
    assert_eq!(count(&captured), 8);
    let (left, right) = (shown.at(0.1, 0.5), shown.at(0.9, 0.5));
    assert_eq!([left, right], [captured.at(0.1, 0.5), captured.at(0.9, 0.5)]);
    assert!(shown.rgb == captured.rgb, "every byte");
}

/// Checks an opened picture, one step forward and one step back.
fn opened(folder: tempfile::TempDir, picture: &str, expected: &Screenshot) -> tempfile::TempDir {
    let viewer = Viewer::start(folder, &["view", picture, "--scale", "1"]);
    viewer.keys(&["h", "h"]);
    viewer.wait_for("the snapshot", |shot| count(shot) == count(expected));
    assert!(saved(&viewer, 1).rgb == expected.rgb, "every byte");
    viewer.keys(&["period"]);
    viewer.wait_for("a step", |shot| count(shot) == count(expected) + 1);
    viewer.keys(&["comma"]);
    viewer.wait_for("a step back", |shot| count(shot) == count(expected));
    assert!(saved(&viewer, 2).rgb == expected.rgb, "every byte");
    viewer.into_folder()
}

#[test]
fn opened_screenshot_restores_buffers() {
    let viewer = open(&["--scale", "1"]);
    viewer.wait_for("some frames", |shot| count(shot) > 20);
    viewer.move_pointer(80, 90);
    viewer.hide_and_pause();
    let path = viewer.save_screenshot(1);
    let beside = viewer.path("captures/scene/screenshot_001.png.checkpoint");
    viewer.wait_for("what the buffers held", |_| beside.exists());
    // Running the frames at sixty per second would not reproduce this picture.
    let picture = "captures/scene/screenshot_001.png";
    viewer.capture(&[picture, "--strict", "-o", "again.png"]);
    let bytes = |path: &std::path::Path| std::fs::read(path).expect("a file");
    assert!(bytes(&path) == bytes(&viewer.path("again.png")));
    let taken = Screenshot::read(&path);
    let folder = viewer.into_folder();
    for name in ["screenshot_001.png", "screenshot_001.png.checkpoint"] {
        std::fs::rename(
            folder.path().join("captures/scene").join(name),
            folder.path().join(name.replace("screenshot_001", "taken")),
        )
        .expect("moved");
    }
    std::fs::remove_dir_all(folder.path().join("captures")).expect("removed");
    opened(folder, "taken.png", &taken);
}

#[test]
fn brief_recording_keeps_its_buffers() {
    let viewer = open(&["--scale", "1"]);
    viewer.wait_for("some frames", |shot| count(shot) > 20);
    viewer.hide_and_pause();
    viewer.keys(&["alt+r", "alt+r"]);
    let beside = viewer.path("captures/scene/recording_001.json.checkpoint");
    viewer.wait_for("what the buffers held", |_| beside.exists());
}

/// Checks that captures and the window begin a recording of the window with its buffers.
fn replayed(viewer: Viewer) {
    let path = viewer.path("captures/scene/recording_001.json");
    let beside = viewer.path("captures/scene/recording_001.json.checkpoint");
    viewer.wait_for("what the buffers held", |_| beside.exists());
    let start = read_timeline(&path).expect("a recording").start.state.index;
    assert!(start > 5);
    let replay = ["--replay", "captures/scene/recording_001.json", "--strict"];
    let options = ["--frames", "6", "--checkpoint-every", "2", "-o", "whole"];
    viewer.capture(&[&replay[..], &options].concat());
    viewer.capture(&[&replay[..], &["--frame", "5", "-o", "alone.png"]].concat());
    for number in 0..6 {
        let file = viewer.path(&format!("whole/frame_{number:05}.png"));
        assert_eq!(count(&Screenshot::read(&file)), start + 1 + number);
    }
    let bytes = |name: &str| std::fs::read(viewer.path(name)).expect("a file");
    assert!(bytes("whole/frame_00005.png") == bytes("alone.png"));
    viewer.capture(&[&replay[..], &["--frames", "6", "-o", "film.rgba"]].concat());
    let film = bytes("film.rgba");
    let last = film.rchunks_exact(4 * 320 * 180).next().expect("a picture");
    let last: Vec<u8> = last.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
    assert!(last == Screenshot::read(&viewer.path("alone.png")).rgb);
    // The content fits no other scene and no other size.
    std::fs::write(viewer.path("other.wgsl"), SCENE.replace("1.37", "1.36")).expect("written");
    for (scene, size, expected) in [
        ("other.wgsl", "320x180", "belongs to another scene"),
        ("scene.wgsl", "64x36", "use `--size 320x180`"),
    ] {
        let options = [scene, "--size", size, "--frame", "1", "-o", "a.png"];
        let errors = viewer.capture(&[&replay[..2], &options].concat());
        assert!(errors.contains(expected), "{errors}");
    }
    let folder = viewer.into_folder();
    let arguments = ["view", "--replay", "captures/scene/recording_001.json", "--scale", "1"];
    let again = Viewer::start(folder, &arguments);
    let shown = again.wait_for("the replay", is_picture);
    assert!(count(&shown) > start, "{} > {start}", count(&shown));
    again.wait_for("its next frames", |shot| count(shot) > count(&shown) + 3);
}

#[test]
fn recording_begins_with_its_buffers() {
    let viewer = open(&["--scale", "1"]);
    viewer.wait_for("some frames", |shot| count(shot) > 20);
    viewer.keys(&["alt+r"]);
    viewer.move_pointer(80, 90);
    viewer.click(1);
    viewer.wait_for_recording(&Event::Held(false));
    viewer.keys(&["alt+r"]);
    replayed(viewer);
}

#[test]
fn film_begins_with_its_buffers_after_rewinding() {
    let viewer = open(&["--scale", "1"]);
    viewer.wait_for("some frames", |shot| count(shot) > 30);
    viewer.hide_and_pause();
    viewer.keys(&["comma"; 10]);
    let back = count(&viewer.wait_until_still("ten frames back"));
    viewer.keys(&["space"]);
    // Long enough for a checkpoint.
    viewer.wait_for("later frames", |shot| count(shot) > back + 60);
    viewer.keys(&["v"]);
    replayed(viewer);
}

#[test]
fn opened_capture_runs_to_its_snapshot() {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("scene.wgsl"), SCENE).expect("written");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .args(["capture", "scene.wgsl", "--size", "320x180", "--fps", "24"])
        .args(["--frame", "30", "-o", "taken.png", "--mouse", "80,90"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    let taken = Screenshot::read(&folder.path().join("taken.png"));
    assert_eq!(count(&taken), 31);
    let folder = opened(folder, "taken.png", &taken);
    // A damaged checkpoint must not prevent opening the picture.
    std::fs::remove_dir_all(folder.path().join("captures")).expect("removed");
    std::fs::write(folder.path().join("taken.png.checkpoint"), "damaged").expect("written");
    opened(folder, "taken.png", &taken);
}

#[test]
fn rewind_reproduces_identical_frames() {
    let viewer = open(&["--scale", "1"]);
    viewer.wait_for("some frames", |shot| count(shot) > 30);
    viewer.hide_and_pause();
    let newest = saved(&viewer, 1);
    viewer.keys(&["comma"; 20]);
    let back = count(&newest) - 20;
    viewer.wait_for("twenty frames back", |shot| count(shot) == back);
    let past = saved(&viewer, 2);
    viewer.keys(&["period"; 20]);
    viewer.wait_for("forward again", |shot| count(shot) == count(&newest));
    assert!(saved(&viewer, 3).rgb == newest.rgb, "every byte");
    viewer.keys(&["comma"; 20]);
    viewer.wait_for("back again", |shot| count(shot) == back);
    assert!(saved(&viewer, 4).rgb == past.rgb, "every byte");
    // Resuming here discards the later frames.
    viewer.keys(&["space"]);
    viewer.wait_for("time goes on", |shot| count(shot) > back);
}

#[test]
fn timeline_drag_rewinds() {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("scene.wgsl"), SCENE).expect("written");
    let arguments = ["view", "scene.wgsl", "--size", "640x360", "--scale", "1"];
    let viewer = Viewer::start(folder, &arguments);
    viewer.wait_for("some frames", |shot| is_picture(shot) && count(shot) > 20);
    // The rail of the timeline is centred above the lower edge.
    viewer.move_pointer(320, 336);
    viewer.button_down(1);
    let middle = count(&viewer.wait_until_still("time stands"));
    viewer.move_pointer(200, 336);
    let back = viewer.wait_for("earlier", |shot| count(shot) < middle);
    viewer.button_up(1);
    let there = count(&back);
    assert!(there > 0);
    viewer.keys(&["period"]);
    viewer.wait_for("the next frame", |shot| count(shot) == there + 1);
}

#[test]
fn buffers_survive_reload_and_errors() {
    let viewer = open(&["--scale", "1"]);
    viewer.wait_for("some frames", |shot| count(shot) > 10);
    let paused = viewer.hide_and_pause();
    let path = viewer.path("scene.wgsl");
    let edited = SCENE.replace("return vec4f(0.0, own.y,", "return vec4f(1.0, own.y,");
    let red = |shot: &Screenshot| shot.at(0.9, 0.3)[0] == 255;
    std::fs::write(&path, edited.replace("own.y", "own.yy")).expect("written");
    viewer.wait_for("the error", Screenshot::shows_error);
    let place = "scene.wgsl:";
    assert_eq!(viewer.errors().matches(place).count(), 1, "{}", viewer.errors());
    std::fs::write(&path, &edited).expect("written");
    let reloaded = viewer.wait_for("the edit", red);
    assert_eq!(count(&reloaded), count(&paused));
    viewer.keys(&["period"]);
    viewer.wait_for("a step", |shot| count(shot) == count(&paused) + 1);
    viewer.keys(&["comma"]);
    viewer.wait_for("a step back", |shot| count(shot) == count(&paused));
    viewer.keys(&["BackSpace"]);
    viewer.wait_for("the start", |shot| count(shot) == 1);
}

#[test]
fn resize_keeps_existing_buffer_contents() {
    let viewer = open(&["--scale", "1"]);
    viewer.keys(&["h", "h"]);
    viewer.wait_for("some frames", |shot| count(shot) > 20);
    viewer.resize(400, 300);
    // The lower left part contains all frames, the new part only those since the resize.
    let both = |shot: &Screenshot| (count(shot), count_at(shot, 0.02, 0.05));
    let grown = viewer.wait_for("the larger picture", |shot| {
        let (kept, new) = both(shot);
        shot.width == 400 && new > 3 && kept >= new + 20
    });
    let (kept, _) = both(&grown);
    viewer.resize(200, 100);
    viewer.wait_for("the smaller picture", |shot| {
        let (lower, upper) = both(shot);
        shot.width == 200 && lower > kept && upper == lower
    });
}

#[test]
fn fixed_scale_leaves_buffers_and_screenshots() {
    let viewer = open(&[]);
    viewer.hide_and_pause();
    let own = saved(&viewer, 1);
    assert_eq!((own.width, own.height), (320, 180), "whatever the adapter can do");
    viewer.keys(&["2", "BackSpace"]);
    viewer.wait_for("the start", |shot| count(shot) == 1);
    let fixed = saved(&viewer, 2);
    assert_eq!((fixed.width, fixed.height), (320, 180));
    assert_eq!([count(&fixed), count_at(&fixed, 0.02, 0.05)], [1, 1]);
}

#[test]
fn panel_shows_buffer_full_size() {
    let viewer = open(&["--scale", "1"]);
    viewer.keys(&["space"]);
    viewer.wait_until_still("time stops");
    let green = |shot: &Screenshot| shot.at(0.97, 0.2) == [0, 255, 0];
    viewer.keys(&["alt+2"]);
    viewer.wait_for("buffer b", green);
    viewer.keys(&["alt+0"]);
    viewer.wait_for("the picture", |shot| !green(shot));
    let closed = viewer.screenshot();
    viewer.keys(&["b"]);
    // Two tiles side by side; the right one is buffer b.
    let tile = |shot: &Screenshot| shot.at(228.0 / 320.0, 90.0 / 180.0) == [0, 255, 0];
    viewer.wait_for("the panel", tile);
    assert!(!tile(&closed));
    viewer.move_pointer(228, 90);
    viewer.click(1);
    viewer.wait_for("buffer b again", green);
    viewer.click(1);
    viewer.wait_for("the picture again", |shot| !green(shot));
    viewer.keys(&["b"]);
    viewer.wait_for("no panel", |shot| !tile(shot));
    viewer.keys(&["h", "h", "b"]);
    viewer.wait_for("the panel, with the overlay", tile);
}

#[test]
fn buffer_view_normalizes_large_values() {
    let viewer = open(&["--scale", "1"]);
    viewer.wait_for("some frames", |shot| count(shot) > 40);
    let count = count(&viewer.hide_and_pause());
    viewer.keys(&["alt+1"]);
    // White is the next power of two.
    let red = 255.0 * f64::from(count) / f64::from(count.next_power_of_two());
    viewer.wait_for("buffer a", |shot| (f64::from(shot.at(0.9, 0.5)[0]) - red).abs() < 2.0);
}
