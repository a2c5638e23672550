//! The window on a real (if invisible) screen: opened, dragged, typed at,
//! resized, closed, and judged by what stands on the screen.

use std::process::Command;

use crate::common::{self, Player, Shot};
use tarsus::capture::metadata::read_moment;
use tarsus::player::Moment;
use tarsus::shader::Lens;

fn near(seen: f64, expected: f64) -> bool {
    // Two grey levels: the pointer is not rounded to pixels, the target is.
    (seen - expected).abs() < 2.5 / 255.0
}

fn red(shot: &Shot) -> u8 {
    shot.at(0.05, 0.7)[0]
}

fn green(shot: &Shot) -> u8 {
    shot.at(0.05, 0.7)[1]
}

#[test]
fn it_opens_with_a_picture_and_closes_politely() {
    let player = Player::open(&[]);
    let shot = player.sees("a picture", |shot| red(shot) == 64);
    assert!(!shot.is_blank());
    player.close();
    assert_eq!(player.ends().code(), Some(0));
}

#[test]
fn a_window_taken_away_is_a_clean_end() {
    let player = Player::open(&[]);
    player.sees("a picture", |shot| red(shot) == 64);
    player.destroy();
    assert_eq!(player.ends().code(), Some(0));
}

#[test]
fn escape_ends_it_well() {
    let player = Player::open(&["--set", "red=0.5"]);
    player.sees("the parameter of the command line", |shot| red(shot) == 128);
    player.keys(&["Escape"]);
    assert_eq!(player.ends().code(), Some(0));
}

#[test]
fn the_creature_opens_without_arguments() {
    let display = common::Display::start();
    let folder = tempfile::tempdir().expect("folder");
    let player = Player::start(display, folder, &[]);
    let first = player.sees("a picture", |shot| !shot.is_blank());
    assert_eq!((first.width, first.height), (800, 450));
    player.keys(&["Escape"]);
    assert_eq!(player.ends().code(), Some(0));
}

#[test]
fn without_a_display_it_says_what_to_do() {
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
fn pointer_and_wheel_reach_the_scene() {
    let player = Player::open(&["--scale", "1"]);
    player.hide_and_pause();

    player.point(80, 45);
    let hovering = player.sees("hovering", |shot| near(shot.cell(3), 0.25));
    assert!(near(hovering.cell(4), 0.75), "y goes up");
    assert_eq!(hovering.cell(0), 0.0, "iMouse waits for a press");
    assert_eq!(hovering.at(0.25, 0.25)[2], 0, "no disc");

    player.button_down("1");
    player.point(160, 60);
    let dragging = player.sees("dragging", |shot| shot.at(0.5, 0.333)[2] == 255);
    assert!(near(dragging.cell(0), 0.5));
    assert!(near(dragging.cell(1), 1.0 - 60.0 / 180.0));
    assert_eq!(dragging.cell(2), 1.0, "held");
    assert_eq!(dragging.at(0.25, 0.25)[2], 0, "the disc has left");

    player.button_up("1");
    let released = player.sees("the release", |shot| shot.cell(2) == 0.0);
    assert_eq!(released.at(0.5, 0.333)[2], 255, "the target stays");
    player.point(240, 90);
    let away = player.sees("hovering again", |shot| near(shot.cell(3), 0.75));
    assert!(near(away.cell(0), 0.5), "iMouse does not hover");

    player.button_down("3");
    player.point(285, 90);
    let orbited = player.sees("an orbit", |shot| near(shot.cell(5), 0.625));
    assert!(near(orbited.cell(6), 0.5), "no pitch");
    player.button_up("3");
    player.click("4");
    // The simulated wheel turns when pressed and when released.
    player.sees("a zoom", |shot| near(shot.cell(7), 0.25 * 1.1 * 1.1));
    player.keys(&["Home"]);
    player.sees("the first camera", |shot| {
        near(shot.cell(5), 0.5) && near(shot.cell(7), 0.25)
    });
}

#[test]
fn keys_do_what_the_help_says() {
    let player = Player::open(&[]);
    let status = player.sees("a picture", |shot| red(shot) == 64);
    player.keys(&["h"]);
    let help = player.sees("the help", |shot| shot.at(0.5, 0.2) != status.at(0.5, 0.2));
    assert_ne!(help.rgb, status.rgb);
    player.keys(&["h"]);
    let bare = |shot: &Shot| shot.at(0.05, 0.1)[0] == 64 && shot.at(0.5, 0.2)[0] == 64;
    player.sees("nothing but the picture", bare);

    player.keys(&["space"]);
    let paused = player.stands_still("time stops");
    player.keys(&["space"]);
    player.sees("time runs", |shot| green(shot) != green(&paused));

    player.keys(&["space", "BackSpace"]);
    player.sees("time 0", |shot| green(shot) == 0);
    let state = |number| {
        let moment = read_moment(&player.screenshot(number));
        moment.expect("a moment").state
    };
    assert_eq!((state(1).time, state(2).index), (0.0, 0));
    player.keys(&["Right", "Right", "period", "Left"]);
    let stepped = state(3);
    assert_eq!((stepped.time, stepped.index), (2.0 / 60.0, 2));
    player.keys(&["comma", "comma", "comma"]);
    assert_eq!(state(4).time, 0.0, "not before the start");
    player.keys(&["alt+Down", "space"]);
    player.sees("time runs again", |shot| green(shot) > 0);
}

#[test]
fn digits_choose_the_scale() {
    // A checkerboard of pixels: grey as soon as it is not drawn pixel by pixel.
    let board = "#import tarsus::frame
fn main_image(p: vec2f) -> vec4f {
    let on = (u32(p.x) + u32(p.y)) % 2u == 0u;
    return vec4f(vec3f(select(0.0, 1.0, on)), 1.0);
}
";
    let player = Player::open_text(board, &["--scale", "1"]);
    let pixels = |shot: &Shot| shot.at(0.9, 0.9) == [0; 3] || shot.at(0.9, 0.9) == [255; 3];
    let changes =
        |shot: &Shot| (0..8).any(|i| shot.at(0.9 + f64::from(i) / 320.0, 0.9) != shot.at(0.9, 0.9));
    player.sees("every pixel", |shot| pixels(shot) && changes(shot));
    player.keys(&["4"]);
    let coarse = player.sees("larger squares", |shot| {
        let row: Vec<_> = (0..16)
            .map(|i| shot.at(0.8 + f64::from(i) / 320.0, 0.9))
            .collect();
        row.windows(2)
            .any(|pair| pair[0] != pair[1] && pair[0] != [0; 3] && pair[0] != [255; 3])
    });
    assert_eq!(coarse.width, 320);
    player.keys(&["1"]);
    player.sees("every pixel again", |shot| pixels(shot) && changes(shot));
}

#[test]
fn a_scene_that_reads_keys_has_them_for_itself() {
    let scene = include_str!("../fixtures/window_keys.wgsl");
    let player = Player::open_text(scene, &[]);
    let shows =
        |down: u8, toggled: u8| move |shot: &Shot| shot.at(0.9, 0.9) == [down, toggled, 128];
    player.sees("nothing pressed", shows(0, 0));
    player.key_down("a");
    player.sees("A down and toggled", shows(255, 255));
    player.key_up("a");
    player.sees("A toggled", shows(0, 255));
    player.keys(&["a"]);
    player.sees("A turned over", shows(0, 0));
    // P alone belongs to the scene; with Alt it is a screenshot.
    player.keys(&["p", "alt+p"]);
    let first = player.path("captures/scene/screenshot_001.png");
    common::wait("one screenshot", || first.exists().then_some(()));
    player.keys(&["a"]);
    player.sees("A toggled again", shows(0, 255));
    assert!(!player.path("captures/scene/screenshot_002.png").exists());
}

#[test]
fn storms_of_sizes_and_hiding_are_survived() {
    let mut player = Player::open(&["--set", "red=0.5"]);
    player.keys(&["h", "h"]);
    for number in 0u32..100 {
        let (width, height) = match number {
            33 => (1, 1),
            66 => (1, 700),
            _ => (40 + 97 * number % 900, 30 + 61 * number % 600),
        };
        player.resize(width, height);
    }
    player.resize(400, 300);
    let fits = |shot: &Shot| (shot.width, shot.height) == (400, 300);
    player.sees("the last size", |shot| fits(shot) && red(shot) == 128);
    for _ in 0..5 {
        player.unmap();
        player.map();
    }
    player.sees("the picture after hiding", |shot| {
        fits(shot) && red(shot) == 128
    });
    player.keys(&["shift+F5"]);
    player.sees("the picture on another device", |shot| {
        fits(shot) && red(shot) == 128
    });
    assert!(player.is_running());
    player.keys(&["Escape"]);
    assert_eq!(player.ends().code(), Some(0));
}

#[test]
fn a_screenshot_is_what_capture_draws() {
    let player = Player::open(&["--set", "red=0.75"]);
    player.hide_and_pause();
    player.point(100, 60);
    player.button_down("1");
    player.point(140, 80);
    player.button_up("1");
    player.click("5");
    player.stands_still("the picture");
    let shot = player.screenshot(1);
    let again = player.path("again.png");
    let done = Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .args([
            "capture",
            "captures/scene/screenshot_001.png",
            "-o",
            "again.png",
        ])
        .current_dir(player.folder.path())
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{errors}");
    let read = |path| std::fs::read(path).expect("a file");
    assert!(read(&shot) == read(&again), "the files differ");
    assert_eq!(red(&Shot::read(&shot)), 191);
}

#[test]
fn a_still_refines_to_the_supersampled_capture_and_sleeps() {
    let player = Player::open(&[]);
    player.hide_and_pause();
    player.point(160, 60);
    player.button_down("1");
    player.button_up("1");
    player.screenshot(1);
    let still = player.stands_still("the still");
    let done = Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .args(["capture", "captures/scene/screenshot_001.png"])
        .args(["--ssaa", "64", "-o", "fine.png"])
        .current_dir(player.folder.path())
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{errors}");
    let psnr = still.psnr(&Shot::read(&player.path("fine.png")));
    assert!(psnr >= 40.0, "{psnr} dB");

    // All 32 samples are drawn when nothing is computed any more.
    let mut before = player.ticks();
    common::wait("sleep", || {
        std::thread::sleep(std::time::Duration::from_secs(2));
        let now = player.ticks();
        // Below 2 % of one processor: 4 hundredths of a second in 2 seconds.
        let sleeps = now - before < 4;
        before = now;
        sleeps.then_some(())
    });
}

#[test]
fn lenses_are_looked_through_and_put_away() {
    // The heat of few steps is dark, and depth is grey; the picture is neither.
    let player = Player::open_text(include_str!("../fixtures/ball.wgsl"), &[]);
    let corner = |shot: &Shot| shot.at(0.95, 0.1);
    let plain = |shot: &Shot| corner(shot)[1] == 0 && corner(shot)[2] == 255;
    let heat = |shot: &Shot| corner(shot)[2] < 120;
    let white = |shot: &Shot| corner(shot) == [255; 3];
    player.sees("the picture", plain);
    player.hide_and_pause();
    let before = read_moment(&player.screenshot(1)).expect("a moment");
    assert_eq!(before.lens, None);

    player.keys(&["l"]);
    player.sees("the steps as heat", heat);
    let still = player.stands_still("the refined heat");
    let shot = player.screenshot(2);
    let during = read_moment(&shot).expect("a moment");
    let expected = Moment {
        lens: Some(Lens::Steps),
        // That of the texts with the lens switched on.
        hash: during.hash.clone(),
        ..before
    };
    assert_eq!(during, expected, "nothing but the lens has changed");
    let capture = |more: &[&str], to: &str| {
        let done = Command::new(env!("CARGO_BIN_EXE_tarsus"))
            .args(["capture", "captures/scene/screenshot_002.png", "-o", to])
            .args(more)
            .current_dir(player.folder.path())
            .output()
            .expect("the program starts");
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{errors}");
        player.path(to)
    };
    let read = |path| std::fs::read(path).expect("a file");
    let again = capture(&[], "again.png");
    assert!(read(&again) == read(&shot), "the files differ");
    let psnr = still.psnr(&Shot::read(&capture(&["--ssaa", "64"], "fine.png")));
    assert!(psnr >= 40.0, "{psnr} dB");

    player.keys(&["l", "l"]);
    player.sees("the depth", white);
    player.keys(&["shift+L", "shift+L"]);
    player.sees("the steps again", heat);
    player.keys(&["shift+L"]);
    player.sees("the picture again", plain);
}

#[test]
fn a_picture_opens_at_its_moment() {
    let player = Player::open(&["--set", "red=0.75"]);
    player.hide_and_pause();
    player.point(100, 60);
    player.click("1");
    player.stands_still("the picture");
    let shot = player.screenshot(1);
    let moment = read_moment(&shot).expect("a moment");
    let folder = tempfile::tempdir().expect("folder");
    for name in ["scene.wgsl", "captures/scene/screenshot_001.png"] {
        let to = folder.path().join(name);
        std::fs::create_dir_all(to.parent().expect("folder")).expect("folder");
        std::fs::copy(player.path(name), to).expect("copied");
    }
    let display = common::Display::start();
    let arguments = ["view", "captures/scene/screenshot_001.png"];
    let again = Player::start(display, folder, &arguments);
    again.sees("the parameter", |shot| red(shot) == 191);
    let second = again.screenshot(2);
    assert_eq!(read_moment(&second).expect("a moment"), moment);
    assert_eq!(Shot::read(&second).rgb, Shot::read(&shot).rgb);
}

#[test]
fn recorded_input_plays_again() {
    let player = Player::open(&[]);
    player.keys(&["h", "h", "alt+r"]);
    player.point(160, 60);
    player.button_down("1");
    player.point(80, 90);
    player.sees("the drag", |shot| near(shot.cell(0), 0.25));
    player.button_up("1");
    player.keys(&["alt+r"]);
    let path = player.path("captures/scene/recording_001.json");
    common::wait("the recording", || path.exists().then_some(()));
    let folder = tempfile::tempdir().expect("folder");
    for (from, to) in [(path, "a.json"), (player.path("scene.wgsl"), "scene.wgsl")] {
        std::fs::copy(from, folder.path().join(to)).expect("copied");
    }
    let display = common::Display::start();
    let arguments = ["view", "--replay", "a.json", "--size", "640x360"];
    let again = Player::start(display, folder, &arguments);
    let ended = again.sees("the drag again", |shot| {
        near(shot.cell(0), 0.25) && shot.cell(2) == 0.0
    });
    assert!(near(ended.cell(1), 0.5));
}
