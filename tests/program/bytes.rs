//! The same command gives the same bytes, regardless of the number of threads, the tile
//! size or the number of shards.

#[cfg(target_os = "linux")]
use std::process::Command;

use crate::common::{MOVING, Workspace, assert_same, decode};

const RUN: &str = "--size 101x58 --fps 12 --frames 3..9";

#[test]
fn output_is_deterministic_across_threads() {
    let workspace = Workspace::new();
    workspace.capture(MOVING, &format!("{RUN} -o once"));
    let once = workspace.files("once");
    assert_eq!(once.len(), 6);
    for (folder, more) in [("again", ""), ("one", "--threads 1"), ("eight", "--threads 8")] {
        workspace.capture(MOVING, &format!("{RUN} -o {folder} {more}"));
        assert_same(&once, &workspace.files(folder), folder);
    }
}

#[test]
fn frames_differ() {
    let workspace = Workspace::new();
    workspace.capture(MOVING, &format!("{RUN} -o out"));
    let mut pictures: Vec<_> = workspace
        .files("out")
        .keys()
        .map(|name| decode(&workspace.path("out").join(name)).rgb)
        .collect();
    pictures.dedup();
    assert_eq!(pictures.len(), 6);
}

#[test]
fn tile_size_does_not_change_frames() {
    let workspace = Workspace::new();
    for (quality, name) in
        [("", "plain"), ("--ssaa 3 --shutter 180 --shutter-samples 2 --depth 16", "deep")]
    {
        let whole = format!("whole_{name}");
        workspace.capture(MOVING, &format!("{RUN} {quality} -o {whole}"));
        for tile in [16, 38, 64] {
            let tiled = format!("{name}_{tile}");
            workspace.capture(MOVING, &format!("{RUN} {quality} --tile {tile} -o {tiled}"));
            assert_same(&workspace.files(&whole), &workspace.files(&tiled), &tiled);
        }
    }
}

#[test]
fn tiles_do_not_change_derivatives() {
    let workspace = Workspace::new();
    let scene = workspace.path("derivative.wgsl");
    let text = "fn main_image(at: vec2f) -> vec4f {
        let wave = sin(at.x * at.y * 0.01);
        return vec4f(0.5 + vec2f(dpdx(wave), dpdy(wave)), 0.5, 1.0);
    }";
    std::fs::write(&scene, text).expect("scene");
    let scene = scene.to_str().expect("a name");
    workspace.capture(scene, "--size 75x53 -o whole.png");
    let whole = std::fs::read(workspace.path("whole.png")).expect("whole");
    for tile in [7, 18, 32] {
        workspace.capture(scene, &format!("--size 75x53 --tile {tile} -o tiled.png"));
        let tiled = std::fs::read(workspace.path("tiled.png")).expect("tiled");
        assert!(whole == tiled, "tiles of {tile}");
    }
}

#[test]
fn shards_together_equal_whole_run() {
    let workspace = Workspace::new();
    workspace.capture(MOVING, &format!("{RUN} -o whole"));
    for share in ["1/4", "2/4", "3/4", "4/4"] {
        workspace.capture(MOVING, &format!("{RUN} -o shares --shard {share}"));
    }
    assert_same(&workspace.files("whole"), &workspace.files("shares"), "shares");
    workspace.capture(MOVING, &format!("{RUN} -o one --shard 2/4"));
    let one: Vec<String> = workspace.files("one").into_keys().collect();
    assert_eq!(one, ["frame_00005.png"]);
}

#[test]
fn single_frame_equals_frame_of_run() {
    let workspace = Workspace::new();
    workspace.capture(MOVING, &format!("{RUN} -o run"));
    workspace.capture(MOVING, "--size 101x58 --fps 12 --frame 7 -o alone.png");
    let in_run = std::fs::read(workspace.path("run/frame_00007.png")).expect("frame");
    assert!(std::fs::read(workspace.path("alone.png")).expect("alone") == in_run);
}

/// Peak resident memory of a run in KiB, as the system reports it at exit.
#[cfg(target_os = "linux")]
fn peak_memory(workspace: &Workspace, arguments: &str) -> f64 {
    let plain = workspace.command(MOVING, arguments);
    let output = Command::new("/usr/bin/time")
        .args(["--format", "%M", "--output", "memory"])
        .arg(plain.get_program())
        .args(plain.get_args())
        .current_dir(workspace.folder.path())
        .output()
        .expect("time is installed (see scripts/setup.sh)");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let memory = std::fs::read_to_string(workspace.path("memory")).expect("a number");
    memory.trim().parse().expect("KiB")
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_independent_of_frame_count() {
    let workspace = Workspace::new();
    let of = |frames| peak_memory(&workspace, &format!("--size 320x180 --frames {frames} -o out"));
    let (few, many) = (of(40), of(400));
    assert!(many < 1.05 * few, "{few} KiB for 40 frames, {many} for 400");
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_independent_of_sample_count() {
    let workspace = Workspace::new();
    let of = |quality| peak_memory(&workspace, &format!("--size 64x36 {quality} -o a.png"));
    let few = of("--ssaa 16");
    for many in ["--ssaa 4096", "--shutter 360 --shutter-samples 64 --ssaa 64"] {
        let peak = of(many);
        // The samples themselves would add 3 MiB, and pending commands far more.
        assert!(peak < few + 2_000.0, "{few} KiB for 16 samples, {peak} for {many}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_independent_of_picture_height() {
    let workspace = Workspace::new();
    let of = |height| peak_memory(&workspace, &format!("--size 2000x{height} --tile 256 -o a.png"));
    let (low, high) = (of(1500), of(12_000));
    // The whole picture would add 80 MiB.
    assert!(high < low + 12_000.0, "{low} KiB for 1500 rows, {high} for 12000");
    assert_eq!(decode(&workspace.path("a.png")).size, (2000, 12_000));
}
