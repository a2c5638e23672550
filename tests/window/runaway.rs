//! Endless pictures: the window keeps responding, and nothing is left behind.

use crate::screenshot::Screenshot;
use crate::viewer::{Viewer, wait};
use tarsus_player::timeline::Event;

const GREEN: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.0, 1.0, 0.0, 1.0); }\n";
const BLUE: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.0, 0.0, 1.0, 1.0); }\n";

fn green(shot: &Screenshot) -> bool {
    shot.at(0.9, 0.9) == [0, 255, 0]
}

fn blue(shot: &Screenshot) -> bool {
    shot.at(0.9, 0.9) == [0, 0, 255]
}

/// A scene that takes hours on a software renderer. llvmpipe ends every loop after 65,536
/// iterations, so each iteration has to be long.
fn endless(condition: &str) -> String {
    let body = "x = sin(1.7 * x + p.y);\n".repeat(256);
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

/// Opens a large window and waits for its first picture.
fn large() -> Viewer {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("scene.wgsl"), GREEN).expect("written");
    let arguments = ["view", "scene.wgsl", "--size", "1280x720", "--scale", "1"];
    let viewer = Viewer::start(folder, &arguments);
    viewer.wait_for("a picture", green);
    viewer
}

/// Replaces the scene with an endless one, and waits until its first picture takes long.
fn run_away(viewer: &Viewer, condition: &str) {
    write(viewer, &endless(condition));
    wait_until_busy(viewer, 5.0);
}

/// Waits until the title, which counts the seconds until a scene's first picture, exceeds
/// `limit`.
fn wait_until_busy(viewer: &Viewer, limit: f64) {
    wait("a picture that takes long", || {
        let title = viewer.title();
        let (_, rest) = title.split_once(" … ")?;
        let (seconds, _) = rest.split_once(" s")?;
        let seconds: f64 = seconds.parse().expect("a number");
        (seconds > limit).then_some(())
    });
}

fn write(viewer: &Viewer, text: &str) {
    std::fs::write(viewer.path("scene.wgsl"), text).expect("written");
}

/// Checks that an edit to `text`, which is blue, is shown, and that the window closes.
fn recovers_with(mut viewer: Viewer, text: &str) {
    write(&viewer, text);
    viewer.wait_for("the next picture", blue);
    viewer.keys(&["Escape"]);
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}

#[test]
fn edit_recovers_from_endless_picture() {
    for condition in ["x > 1e9", "i > 1000000000u"] {
        let mut viewer = large();
        run_away(&viewer, condition);
        write(&viewer, BLUE);
        viewer.wait_for("the next picture", blue);
        viewer.resize(640, 360);
        viewer.wait_for("another size", |shot| shot.width == 640 && blue(shot));
        viewer.keys(&["Escape"]);
        assert_eq!(viewer.wait_for_exit().code(), Some(0));
    }
}

#[test]
fn early_edit_recovers_from_endless_picture() {
    let viewer = large();
    write(&viewer, &endless("x > 1e9"));
    wait_until_busy(&viewer, 0.5);
    recovers_with(viewer, BLUE);
}

/// Preparing per-frame values also draws.
#[test]
fn per_frame_edit_recovers_from_endless_buffer() {
    let viewer = large();
    write(&viewer, &(endless("x > 1e9").replace("main_image", "buffer_a") + GREEN));
    wait_until_busy(&viewer, 1.5);
    let text = "#import tarsus::frame
fn per_frame(index: u32) -> vec4f { return vec4f(0.0, 0.0, 1.0, 1.0); }
fn main_image(p: vec2f) -> vec4f { return frame::per_frame_value(0u); }
";
    recovers_with(viewer, text);
}

#[test]
fn escape_after_recording_endless_first_picture_quits() {
    let buffer = "fn buffer_a(p: vec2f) -> vec4f { return vec4f(1.0); }\n";
    for buffer in ["", buffer] {
        let text = format!("{buffer}{}", endless("x > 1e9"));
        let mut viewer = Viewer::open_text(&text, &["--scale", "1"]);
        wait_until_busy(&viewer, 5.0);
        viewer.keys(&["alt+r", "Escape"]);
        assert_eq!(viewer.wait_for_exit().code(), Some(0));
        assert!(viewer.path("captures/scene/recording_001.json").exists());
    }
}

#[test]
fn escape_during_endless_picture_keeps_recording() {
    let mut viewer = large();
    viewer.keys(&["alt+r"]);
    run_away(&viewer, "x > 1e9");
    viewer.click(1);
    viewer.keys(&["Escape"]);
    viewer.wait_for_recording(&Event::Held(false));
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}

#[test]
fn closing_window_reports_missing_buffers() {
    let buffer = "fn buffer_a(p: vec2f) -> vec4f { return vec4f(1.0); }\n";
    let mut viewer = large();
    write(&viewer, &format!("{buffer}{BLUE}"));
    viewer.wait_for("a scene with a buffer", blue);
    write(&viewer, &format!("{buffer}{}", endless("x > 1e9")));
    wait_until_busy(&viewer, 5.0);
    viewer.keys(&["alt+r", "Escape"]);
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
    let errors = viewer.errors();
    assert!(errors.contains("recording_001.json without the buffers"), "{errors}");
}

#[test]
fn device_reset_abandons_endless_picture() {
    let mut viewer = large();
    run_away(&viewer, "x > 1e9");
    viewer.keys(&["shift+F5"]);
    wait("a new beginning", || (!viewer.title().contains(" … ")).then_some(()));
    wait_until_busy(&viewer, 5.0);
    viewer.keys(&["Tab"]);
    viewer.wait_for("another scene", |shot| !shot.is_blank() && !green(shot));
    viewer.keys(&["Escape"]);
    assert_eq!(viewer.wait_for_exit().code(), Some(0));
}
