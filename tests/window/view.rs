//! Basic use of the window: open, drag, type, resize and close it; and its files can be
//! reopened and captured again.

use std::process::Command;

use crate::screenshot::Screenshot;
use crate::viewer::{Viewer, wait};
use tarsus_capture::metadata::{read_snapshot, read_timeline};
use tarsus_player::Snapshot;
use tarsus_player::timeline::Event;
use tarsus_shader::DebugView;

fn near(seen: f64, expected: f64) -> bool {
    // Two grey levels: the pointer is not rounded to pixels, the target is.
    (seen - expected).abs() < 2.5 / 255.0
}

fn red(shot: &Screenshot) -> u8 {
    shot.at(0.05, 0.7)[0]
}

fn green(shot: &Screenshot) -> u8 {
    shot.at(0.05, 0.7)[1]
}

#[test]
fn window_opens_and_closes_on_request() {
    let mut viewer = Viewer::open(&[]);
    let shot = viewer.wait_for("a picture", |shot| red(shot) == 64);
    assert!(!shot.is_blank());
    viewer.close();
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}

#[test]
fn scene_sets_window_size() {
    let text = include_str!("../fixtures/window.wgsl");
    let sized =
        |size: &str| text.replace("fn main_image", &format!("/// size {size}\nfn main_image"));
    let open = |arguments: &[&str]| {
        let folder = tempfile::tempdir().expect("folder");
        let scene = sized("240x200");
        std::fs::write(folder.path().join("scene.wgsl"), scene).expect("written");
        Viewer::start(folder, &[&["view", "scene.wgsl"], arguments].concat())
    };
    let viewer = open(&[]);
    viewer.wait_for("the size", |shot| (shot.width, shot.height) == (240, 200) && red(shot) == 64);
    std::fs::write(viewer.path("scene.wgsl"), sized("200x240")).expect("written");
    viewer.wait_for("the new size", |shot| (shot.width, shot.height) == (200, 240));
    let given = open(&["--size", "320x180"]);
    let shot = given.wait_for("a picture", |shot| red(shot) == 64);
    assert_eq!((shot.width, shot.height), (320, 180));
}

#[test]
fn destroyed_window_exits_cleanly() {
    let mut viewer = Viewer::open(&[]);
    viewer.wait_for("a picture", |shot| red(shot) == 64);
    viewer.destroy();
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}

#[test]
fn display_loss_keeps_screenshots() {
    let mut viewer = Viewer::open(&["--set", "red=0.75"]);
    viewer.hide_and_pause();
    let shot = viewer.save_screenshot(1);
    viewer.kill_display();
    let folder = viewer.path("captures/scene");
    assert_eq!(viewer.wait_for_exit().code(), Some(1));
    assert!(read_snapshot(&shot).is_ok());
    let names = std::fs::read_dir(folder).expect("folder").count();
    assert_eq!(names, 1, "nothing half-written");
}

#[test]
fn display_loss_keeps_recording() {
    let mut viewer = Viewer::open(&[]);
    viewer.wait_for("a picture", |shot| red(shot) == 64);
    viewer.keys(&["alt+r"]);
    viewer.move_pointer(80, 45);
    viewer.click(1);
    let recording = viewer.wait_for_recording(&Event::Held(false));
    viewer.kill_display();
    assert_eq!(viewer.wait_for_exit().code(), Some(1));
    let events = read_timeline(&recording).expect("a whole recording");
    assert!(events.duration > 0.0);
}

#[test]
fn scene_change_saves_recording() {
    let viewer = Viewer::open(&[]);
    viewer.wait_for("a picture", |shot| red(shot) == 64);
    viewer.keys(&["alt+r"]);
    viewer.move_pointer(80, 45);
    viewer.click(1);
    viewer.keys(&["Tab"]);
    viewer.wait_for_recording(&Event::Held(false));
}

#[test]
fn escape_exits_cleanly() {
    let mut viewer = Viewer::open(&["--set", "red=0.6"]);
    viewer.wait_for("the parameter of the command line", |shot| red(shot) == 153);
    viewer.keys(&["Escape"]);
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}

#[test]
fn no_arguments_opens_creature() {
    let folder = tempfile::tempdir().expect("folder");
    let mut viewer = Viewer::start(folder, &[]);
    let first = viewer.wait_for("a picture", |shot| !shot.is_blank());
    assert_eq!((first.width, first.height), (800, 450));
    viewer.keys(&["Escape"]);
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}

#[test]
fn missing_display_prints_hint() {
    let output = Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("tarsus capture"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn pointer_and_wheel_reach_scene() {
    let viewer = Viewer::open(&["--scale", "1"]);
    viewer.hide_and_pause();

    viewer.move_pointer(80, 45);
    let hovering = viewer.wait_for("hovering", |shot| near(shot.cell(3), 0.25));
    assert!(near(hovering.cell(4), 0.75), "y goes up");
    assert_eq!(hovering.cell(0), 0.0, "iMouse waits for a press");
    assert_eq!(hovering.at(0.25, 0.25)[2], 0, "no disc");

    viewer.button_down(1);
    viewer.move_pointer(160, 60);
    let dragging = viewer.wait_for("dragging", |shot| shot.at(0.5, 0.333)[2] == 255);
    assert!(near(dragging.cell(0), 0.5));
    assert!(near(dragging.cell(1), 1.0 - 60.0 / 180.0));
    assert_eq!(dragging.cell(2), 1.0, "held");
    assert_eq!(dragging.at(0.25, 0.25)[2], 0, "the disc has left");

    viewer.button_up(1);
    let released = viewer.wait_for("the release", |shot| shot.cell(2) == 0.0);
    assert_eq!(released.at(0.5, 0.333)[2], 255, "the target stays");
    // The target of a paused drag stays until time runs.
    viewer.keys(&["space"]);
    viewer.move_pointer(240, 90);
    let away = viewer.wait_for("hovering again", |shot| near(shot.cell(3), 0.75));
    viewer.keys(&["space"]);
    assert!(near(away.cell(0), 0.5), "iMouse does not hover");

    viewer.button_down(3);
    viewer.move_pointer(285, 90);
    let orbited = viewer.wait_for("an orbit", |shot| near(shot.cell(5), 0.625));
    assert!(near(orbited.cell(6), 0.5), "no pitch");
    viewer.button_up(3);
    viewer.click(4);
    // The simulated wheel scrolls on press and on release.
    viewer.wait_for("a zoom", |shot| near(shot.cell(7), 0.25 * 1.1 * 1.1));
    viewer.keys(&["Home"]);
    viewer.wait_for("the first camera", |shot| near(shot.cell(5), 0.5) && near(shot.cell(7), 0.25));
}

#[test]
fn keys_match_the_help() {
    let viewer = Viewer::open(&[]);
    let status = viewer.wait_for("a picture", |shot| red(shot) == 64);
    viewer.keys(&["h"]);
    let help = viewer.wait_for("the help", |shot| shot.at(0.5, 0.2) != status.at(0.5, 0.2));
    assert_ne!(help.rgb, status.rgb);
    viewer.keys(&["h"]);
    let bare = |shot: &Screenshot| shot.at(0.05, 0.1)[0] == 64 && shot.at(0.5, 0.2)[0] == 64;
    viewer.wait_for("nothing but the picture", bare);

    viewer.keys(&["space"]);
    let paused = viewer.wait_until_still("time stops");
    viewer.keys(&["space"]);
    viewer.wait_for("time runs", |shot| green(shot) != green(&paused));

    viewer.keys(&["space", "BackSpace"]);
    viewer.wait_for("time 0", |shot| green(shot) == 0);
    let state = |number| {
        let snapshot = read_snapshot(&viewer.save_screenshot(number));
        snapshot.expect("a snapshot").state
    };
    assert_eq!((state(1).time, state(2).index), (0.0, 0));
    viewer.keys(&["Right", "Right", "period", "Left"]);
    let stepped = state(3);
    assert_eq!((stepped.time, stepped.index), (2.0 / 60.0, 2));
    viewer.keys(&["comma", "comma", "comma"]);
    assert_eq!(state(4).time, 0.0, "not before the start");
    viewer.keys(&["alt+Down", "space"]);
    viewer.wait_for("time runs again", |shot| green(shot) > 0);
}

#[test]
fn digit_keys_set_the_scale() {
    // A checkerboard of pixels, which turns grey if it is not rendered pixel by pixel.
    let board = "#import tarsus::frame
fn main_image(p: vec2f) -> vec4f {
    let on = (u32(p.x) + u32(p.y)) % 2u == 0u;
    return vec4f(vec3f(select(0.0, 1.0, on)), 1.0);
}
";
    let viewer = Viewer::open_text(board, &["--scale", "1"]);
    let pixels = |shot: &Screenshot| shot.at(0.9, 0.9) == [0; 3] || shot.at(0.9, 0.9) == [255; 3];
    let changes = |shot: &Screenshot| {
        (0..8).any(|i| shot.at(0.9 + f64::from(i) / 320.0, 0.9) != shot.at(0.9, 0.9))
    };
    viewer.wait_for("every pixel", |shot| pixels(shot) && changes(shot));
    viewer.keys(&["4"]);
    let coarse = viewer.wait_for("larger squares", |shot| {
        let row: Vec<_> = (0..16).map(|i| shot.at(0.8 + f64::from(i) / 320.0, 0.9)).collect();
        row.windows(2).any(|pair| pair[0] != pair[1] && pair[0] != [0; 3] && pair[0] != [255; 3])
    });
    assert_eq!(coarse.width, 320);
    viewer.keys(&["1"]);
    viewer.wait_for("every pixel again", |shot| pixels(shot) && changes(shot));
}

#[test]
fn scene_reading_keys_receives_them() {
    let scene = include_str!("../fixtures/window_keys.wgsl");
    let viewer = Viewer::open_text(scene, &[]);
    let shows =
        |down: u8, toggled: u8| move |shot: &Screenshot| shot.at(0.9, 0.9) == [down, toggled, 153];
    viewer.wait_for("nothing pressed", shows(0, 0));
    viewer.key_down("a");
    viewer.wait_for("A down and toggled", shows(255, 255));
    viewer.key_up("a");
    viewer.wait_for("A toggled", shows(0, 255));
    viewer.keys(&["a"]);
    viewer.wait_for("A turned over", shows(0, 0));
    // P alone goes to the scene; with Alt it takes a screenshot.
    viewer.keys(&["p", "alt+p"]);
    let first = viewer.path("captures/scene/screenshot_001.png");
    wait("one screenshot", || first.exists().then_some(()));
    viewer.keys(&["a"]);
    viewer.wait_for("A toggled again", shows(0, 255));
    assert!(!viewer.path("captures/scene/screenshot_002.png").exists());
}

#[test]
fn failed_recording_is_reported_on_exit() {
    let mut viewer = Viewer::open(&[]);
    viewer.wait_for("a picture", |shot| !shot.is_blank());
    std::fs::write(viewer.path("captures"), "a file").expect("written");
    viewer.keys(&["alt+r", "Escape"]);
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
    let errors = viewer.errors();
    assert!(errors.contains("cannot write captures/scene/recording_001.json"), "{errors}");
}

#[test]
fn resize_storms_are_survived() {
    let mut viewer = Viewer::open(&["--set", "red=0.6"]);
    viewer.keys(&["h", "h"]);
    for number in 0u32..100 {
        let (width, height) = match number {
            33 => (1, 1),
            66 => (1, 700),
            _ => (40 + 97 * number % 900, 30 + 61 * number % 600),
        };
        viewer.resize(width, height);
    }
    viewer.resize(400, 300);
    let fits = |shot: &Screenshot| (shot.width, shot.height) == (400, 300);
    viewer.wait_for("the last size", |shot| fits(shot) && red(shot) == 153);
    for _ in 0..5 {
        viewer.unmap();
        viewer.map();
    }
    viewer.wait_for("the picture after hiding", |shot| fits(shot) && red(shot) == 153);
    viewer.keys(&["shift+F5"]);
    viewer.wait_for("the picture on another device", |shot| fits(shot) && red(shot) == 153);
    assert!(viewer.is_running());
    viewer.keys(&["Escape"]);
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}

#[test]
fn screenshot_matches_capture() {
    let viewer = Viewer::open(&["--set", "red=0.75"]);
    viewer.hide_and_pause();
    viewer.move_pointer(100, 60);
    viewer.button_down(1);
    viewer.move_pointer(140, 80);
    viewer.button_up(1);
    viewer.click(5);
    viewer.wait_until_still("the picture");
    let shot = viewer.save_screenshot(1);
    let again = viewer.path("again.png");
    viewer.capture(&["captures/scene/screenshot_001.png", "-o", "again.png"]);
    let read = |path| std::fs::read(path).expect("a file");
    assert!(read(&shot) == read(&again), "the files differ");
    assert_eq!(red(&Screenshot::read(&shot)), 191);
}

#[test]
fn screenshot_can_leave_out_sources() {
    let viewer = Viewer::open(&["--no-sources"]);
    viewer.hide_and_pause();
    let shot = viewer.save_screenshot(1);
    assert_eq!(read_snapshot(&shot).expect("a snapshot").files, None);
}

#[test]
fn still_converges_to_supersampled_capture() {
    let viewer = Viewer::open(&[]);
    viewer.hide_and_pause();
    viewer.move_pointer(160, 60);
    viewer.button_down(1);
    viewer.button_up(1);
    let still = viewer.wait_until_still("the still");
    viewer.save_screenshot(1);
    viewer.capture(&["captures/scene/screenshot_001.png", "--ssaa", "64", "-o", "fine.png"]);
    let psnr = still.psnr(&Screenshot::read(&viewer.path("fine.png")));
    assert!(psnr >= 40.0, "{psnr} dB");

    // Once all 32 samples are rendered, the program must sleep.
    let mut before = viewer.ticks();
    wait("sleep", || {
        std::thread::sleep(std::time::Duration::from_secs(2));
        let now = viewer.ticks();
        // Less than 2 % of one processor: 4 hundredths of a second in 2 seconds.
        let sleeps = now - before < 4;
        before = now;
        sleeps.then_some(())
    });
}

#[test]
fn debug_views_toggle_with_keys() {
    // The heat map of few steps is dark, and depth is grey; the picture is neither.
    let viewer = Viewer::open_text(include_str!("../fixtures/ball.wgsl"), &[]);
    let corner = |shot: &Screenshot| shot.at(0.95, 0.1);
    let plain = |shot: &Screenshot| corner(shot)[1] == 0 && corner(shot)[2] == 255;
    let heat = |shot: &Screenshot| corner(shot)[2] < 120;
    let white = |shot: &Screenshot| corner(shot) == [255; 3];
    viewer.wait_for("the picture", plain);
    viewer.hide_and_pause();
    viewer.keys(&["l"]);
    viewer.wait_for("the steps as heat", heat);
    // Before the path of a file covers a part of it.
    let still = viewer.wait_until_still("the refined heat");
    let shot = viewer.save_screenshot(1);
    let during = read_snapshot(&shot).expect("a snapshot");
    let capture = |more: &[&str], to: &str| {
        let fixed = ["captures/scene/screenshot_001.png", "-o", to];
        viewer.capture(&[&fixed, more].concat());
        viewer.path(to)
    };
    let read = |path| std::fs::read(path).expect("a file");
    let again = capture(&[], "again.png");
    assert!(read(&again) == read(&shot), "the files differ");
    let psnr = still.psnr(&Screenshot::read(&capture(&["--ssaa", "64"], "fine.png")));
    assert!(psnr >= 40.0, "{psnr} dB");

    viewer.keys(&["l", "l"]);
    viewer.wait_for("the depth", white);
    viewer.keys(&["shift+L", "shift+L"]);
    viewer.wait_for("the steps again", heat);
    viewer.keys(&["shift+L"]);
    viewer.wait_for("the picture again", plain);
    let after = read_snapshot(&viewer.save_screenshot(2)).expect("a snapshot");
    assert_eq!(after.debug_view, None);
    let expected = Snapshot {
        debug_view: Some(DebugView::Steps),
        // The hash covers the source with the debug view enabled.
        hash: during.hash.clone(),
        ..after
    };
    assert_eq!(during, expected, "nothing but the debug view has changed");
}

#[test]
fn picture_opens_without_its_scene() {
    let viewer = Viewer::open(&["--set", "red=0.75"]);
    viewer.hide_and_pause();
    viewer.move_pointer(100, 60);
    viewer.click(1);
    viewer.wait_until_still("the picture");
    let shot = viewer.save_screenshot(1);
    let snapshot = read_snapshot(&shot).expect("a snapshot");
    for stores_sources in [true, false] {
        let folder = tempfile::tempdir().expect("folder");
        let to = folder.path().join("captures/scene/screenshot_001.png");
        std::fs::create_dir_all(to.parent().expect("folder")).expect("folder");
        std::fs::copy(&shot, to).expect("copied");
        let mut arguments = vec!["view", "captures/scene/screenshot_001.png"];
        arguments.extend((!stores_sources).then_some("--no-sources"));
        let again = Viewer::start(folder, &arguments);
        again.wait_for("the parameter", |shot| red(shot) == 191);
        again.keys(&["F2"]);
        let second = again.path("captures/screenshot_001/screenshot_001.png");
        wait("the screenshot's file", || second.exists().then_some(()));
        // It names the scene, not the picture that stores it.
        let files = snapshot.files.clone().filter(|_| stores_sources);
        let expected = Snapshot { files, ..snapshot.clone() };
        assert_eq!(read_snapshot(&second).expect("a snapshot"), expected);
        assert_eq!(Screenshot::read(&second).rgb, Screenshot::read(&shot).rgb);
    }
}

#[test]
fn recorded_input_replays() {
    let viewer = Viewer::open(&[]);
    viewer.keys(&["h", "h", "alt+r"]);
    viewer.move_pointer(160, 60);
    viewer.button_down(1);
    viewer.move_pointer(80, 90);
    viewer.wait_for("the drag", |shot| near(shot.cell(0), 0.25));
    viewer.button_up(1);
    viewer.keys(&["alt+r"]);
    let path = viewer.wait_for_recording(&Event::Held(false));
    let folder = tempfile::tempdir().expect("folder");
    for (from, to) in [(path, "a.json"), (viewer.path("scene.wgsl"), "scene.wgsl")] {
        std::fs::copy(from, folder.path().join(to)).expect("copied");
    }
    let arguments = ["view", "--replay", "a.json", "--size", "384x216"];
    let again = Viewer::start(folder, &arguments);
    again.wait_for("the drag again", |shot| {
        near(shot.cell(0), 0.25) && near(shot.cell(1), 0.5) && shot.cell(2) == 0.0
    });
}

#[test]
fn each_press_saves_unique_screenshot() {
    let viewer = Viewer::open(&["--set", "red=0.75"]);
    viewer.hide_and_pause();
    viewer.keys(&["F2", "F2", "p", "F2"]);
    let paths = [1, 2, 3, 4].map(|number| {
        let path = viewer.path(&format!("captures/scene/screenshot_{number:03}.png"));
        wait("a screenshot's file", || path.exists().then_some(path.clone()))
    });
    viewer.keys(&["Escape"]);
    let folder = viewer.path("captures/scene");
    let first = std::fs::read(&paths[0]).expect("a file");
    for path in &paths[1..] {
        let next = std::fs::read(path).expect("a file");
        assert!(next == first, "{} shows something else", path.display());
    }
    let files = std::fs::read_dir(folder).expect("a folder").count();
    assert_eq!(files, paths.len());
}

#[test]
fn keys_without_effect_say_why() {
    let scene = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.2, 0.4, 0.8, 1.0); }\n";
    let viewer = Viewer::open_text(scene, &[]);
    let picture = [51, 102, 204];
    viewer.wait_for("a picture", |shot| shot.at(0.9, 0.9) == picture);
    viewer.keys(&["h", "h"]);
    // Where the only message on the hidden overlay begins.
    let message = |shot: &Screenshot| shot.at(14.5 / 320.0, 166.5 / 180.0) != picture;
    for key in ["c", "Right", "alt+1", "v", "e"] {
        viewer.wait_for("no message", |shot| !message(shot));
        viewer.keys(&[key]);
        viewer.wait_for(key, message);
    }
}
