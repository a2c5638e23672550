//! The same command gives the same bytes, whatever the number of threads, the
//! size of the tiles or the number of shares.

use crate::common::{MOVING, Studio, assert_same, decode};

const RUN: &str = "--size 101x58 --fps 12 --frames 3..9";

#[test]
fn twice_in_a_row_and_with_any_number_of_threads() {
    let studio = Studio::new();
    studio.capture(MOVING, &format!("{RUN} -o once"));
    let once = studio.files("once");
    assert_eq!(once.len(), 6);
    for (folder, more) in [
        ("again", ""),
        ("one", "--threads 1"),
        ("eight", "--threads 8"),
    ] {
        studio.capture(MOVING, &format!("{RUN} -o {folder} {more}"));
        assert_same(&once, &studio.files(folder), folder);
    }
}

#[test]
fn frames_differ_from_each_other() {
    let studio = Studio::new();
    studio.capture(MOVING, &format!("{RUN} -o out"));
    let mut pictures: Vec<_> = studio
        .files("out")
        .keys()
        .map(|name| decode(&studio.path("out").join(name)).rgb)
        .collect();
    pictures.dedup();
    assert_eq!(pictures.len(), 6);
}

#[test]
fn tiles_of_any_size_give_the_whole() {
    let studio = Studio::new();
    for (quality, name) in [
        ("", "plain"),
        (
            "--ssaa 3 --shutter 180 --shutter-samples 2 --depth 16",
            "deep",
        ),
    ] {
        let whole = format!("whole_{name}");
        studio.capture(MOVING, &format!("{RUN} {quality} -o {whole}"));
        for tile in [16, 38, 64] {
            let tiled = format!("{name}_{tile}");
            studio.capture(MOVING, &format!("{RUN} {quality} --tile {tile} -o {tiled}"));
            assert_same(&studio.files(&whole), &studio.files(&tiled), &tiled);
        }
    }
}

#[test]
fn tiles_do_not_change_derivatives() {
    let studio = Studio::new();
    let scene = studio.path("derivative.wgsl");
    let text = "fn main_image(at: vec2f) -> vec4f {
        let wave = sin(at.x * at.y * 0.01);
        return vec4f(0.5 + vec2f(dpdx(wave), dpdy(wave)), 0.5, 1.0);
    }";
    std::fs::write(&scene, text).expect("scene");
    let scene = scene.to_str().expect("a name");
    studio.capture(scene, "--size 75x53 -o whole.png");
    let whole = std::fs::read(studio.path("whole.png")).expect("whole");
    for tile in [7, 18, 32] {
        studio.capture(scene, &format!("--size 75x53 --tile {tile} -o tiled.png"));
        let tiled = std::fs::read(studio.path("tiled.png")).expect("tiled");
        assert!(whole == tiled, "tiles of {tile}");
    }
}

#[test]
fn shares_together_are_the_whole() {
    let studio = Studio::new();
    studio.capture(MOVING, &format!("{RUN} -o whole"));
    for share in ["1/4", "2/4", "3/4", "4/4"] {
        studio.capture(MOVING, &format!("{RUN} -o shares --shard {share}"));
    }
    assert_same(&studio.files("whole"), &studio.files("shares"), "shares");
    studio.capture(MOVING, &format!("{RUN} -o one --shard 2/4"));
    let one: Vec<String> = studio.files("one").into_keys().collect();
    assert_eq!(one, ["frame_00005.png"]);
}

#[test]
fn a_frame_alone_has_the_pixels_it_has_in_a_run() {
    let studio = Studio::new();
    studio.capture(MOVING, &format!("{RUN} -o run"));
    studio.capture(MOVING, "--size 101x58 --fps 12 --frame 7 -o alone.png");
    let in_run = std::fs::read(studio.path("run/frame_00007.png")).expect("frame");
    assert!(std::fs::read(studio.path("alone.png")).expect("alone") == in_run);
}

/// Peak resident memory of a run, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(studio: &Studio, arguments: &str) -> f64 {
    let mut child = studio.command(MOVING, arguments).spawn().expect("starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0f64;
    while child.try_wait().expect("status").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("VmHWM:"));
        let now = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
        peak = peak.max(now.unwrap_or(0.0));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(peak > 0.0, "it was seen running");
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_frames() {
    let studio = Studio::new();
    let of = |frames| peak_memory(&studio, &format!("--size 320x180 --frames {frames} -o out"));
    let (few, many) = (of(40), of(400));
    assert!(many < 1.05 * few, "{few} KiB for 40 frames, {many} for 400");
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_samples() {
    let studio = Studio::new();
    let of = |quality| peak_memory(&studio, &format!("--size 64x36 {quality} -o a.png"));
    let few = of("--ssaa 16");
    for many in [
        "--ssaa 4096",
        "--shutter 360 --shutter-samples 64 --ssaa 64",
    ] {
        let peak = of(many);
        // The samples themselves would be 3 MiB more, and commands that wait far more.
        assert!(
            peak < few + 2_000.0,
            "{few} KiB for 16 samples, {peak} for {many}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_height_of_a_picture() {
    let studio = Studio::new();
    let of = |height| {
        peak_memory(
            &studio,
            &format!("--size 2000x{height} --tile 256 -o a.png"),
        )
    };
    let (low, high) = (of(1500), of(12_000));
    // The whole picture would be 80 MiB more.
    assert!(
        high < low + 12_000.0,
        "{low} KiB for 1500 rows, {high} for 12000"
    );
    assert_eq!(decode(&studio.path("a.png")).size, (2000, 12_000));
}
