//! Merging of shards: one video of all frames, or an error naming a missing, damaged or
//! foreign frame.

use std::path::Path;

use crate::common::{MOVING, SOFT, Workspace, stderr, stdout, wait_until};

const RUN: &str = "--size 64x36 --frames 12 --fps 24";

/// Captures three shards of a run into separate folders.
fn shards() -> Workspace {
    let workspace = Workspace::new();
    for shard in 1..=3 {
        workspace.capture(MOVING, &format!("{RUN} -o s{shard} --shard {shard}/3"));
    }
    workspace
}

/// Runs `tarsus merge`; returns its exit code and output.
fn merge(workspace: &Workspace, arguments: &str) -> (i32, String) {
    let output = workspace.output(&format!("merge {arguments}"));
    let text = stdout(&output) + &stderr(&output);
    (output.status.code().expect("an exit code"), text)
}

fn refused(workspace: &Workspace, arguments: &str, expected: &str) {
    let (code, message) = merge(workspace, arguments);
    assert_eq!(code, 1, "{message}");
    assert!(message.contains(expected), "{expected}: {message}");
    let names = workspace.names(".");
    assert!(!names.iter().any(|name| name.contains("film")), "{names:?}");
}

fn rename(workspace: &Workspace, from: &str, to: &str) {
    std::fs::rename(workspace.path(from), workspace.path(to)).expect("renamed");
}

#[test]
fn merged_shards_equal_whole_video() {
    let workspace = shards();
    workspace.capture(MOVING, &format!("{RUN} -o whole.rgba"));
    workspace.capture(MOVING, &format!("{RUN} -o whole.apng"));
    for film in ["rgba", "apng"] {
        let (code, message) = merge(&workspace, &format!("s1 s2 s3 -o film.{film}"));
        assert_eq!(code, 0, "{message}");
        assert!(message.contains("merged 12 frames of 64x36"), "{message}");
        let read = |name: &str| std::fs::read(workspace.path(name)).expect("a film");
        assert!(read(&format!("film.{film}")) == read(&format!("whole.{film}")), "{film}");
    }
    let (code, message) = merge(&workspace, "s1 s2 s3 -o film.mp4 --frames 12 --json");
    assert_eq!(code, 0, "{message}");
    assert!(message.contains("\"frames\":12") && message.contains("\"fps\":24.0"), "{message}");
    let (code, message) = merge(&workspace, "s1 s2 s3 -o dry.mp4 --dry-run");
    assert_eq!((code, workspace.path("dry.mp4").exists()), (0, false), "{message}");
    let (code, message) = merge(&workspace, "s1 s2 s3 --dry-run");
    assert_eq!((code, message.trim()), (0, "would merge 12 frames of 64x36 at 24 fps"));
}

#[test]
fn sixteen_bit_frames_keep_their_depth() {
    let workspace = Workspace::new();
    let run = "--size 64x36 --frames 3 --depth 16";
    workspace.capture(MOVING, &format!("{run} -o out"));
    workspace.capture(MOVING, &format!("{run} -o whole.apng"));
    let (code, message) = merge(&workspace, "out -o film.apng");
    assert_eq!(code, 0, "{message}");
    let read = |name: &str| std::fs::read(workspace.path(name)).expect("a film");
    assert!(read("film.apng") == read("whole.apng"));
    let (code, message) = merge(&workspace, "out -o film.gif");
    assert_eq!(code, 2, "{message}");
}

#[test]
fn missing_frames_are_named() {
    let workspace = shards();
    refused(
        &workspace,
        "s1 s3 -o film.apng",
        "4 of 12 are missing: 1, 4, 7, 10; hint: they form the shard `--shard 2/3`",
    );
    refused(&workspace, "s1 s2 s3 -o film.apng --frames 15", "3 of 15 are missing: 12-14");
    std::fs::remove_file(workspace.path("s2/frame_00004.png")).expect("removed");
    refused(&workspace, "s1 s2 s3 -o film.apng", "1 of 12 are missing: 4");
    refused(&workspace, "nowhere -o film.apng", "cannot read nowhere");
    std::fs::create_dir(workspace.path("empty")).expect("folder");
    refused(&workspace, "empty -o film.apng", "no numbered PNG found in empty");
    let file = "s1/frame_00000.png -o film.apng";
    refused(&workspace, file, "expected a folder; hint: `tarsus merge s1`");
}

#[test]
fn damaged_frame_leaves_no_video() {
    let workspace = shards();
    let path = workspace.path("s2/frame_00007.png");
    let whole = std::fs::read(&path).expect("a frame");
    for cut in [whole.len() - 1, whole.len() - 20, 900.min(whole.len() / 2), 3, 0] {
        std::fs::write(&path, &whole[..cut]).expect("cut");
        refused(&workspace, "s1 s2 s3 -o film.apng", "frame_00007.png");
    }
    let mut changed = whole.clone();
    let at = whole.len() - 30;
    changed[at] ^= 4;
    std::fs::write(&path, &changed).expect("changed");
    refused(&workspace, "s1 s2 s3 -o film.apng", "frame_00007.png is damaged");
}

#[test]
fn all_kinds_of_problems_are_listed() {
    let workspace = shards();
    let damage = |name: &str| {
        let path = workspace.path(name);
        let whole = std::fs::read(&path).expect("a frame");
        std::fs::write(&path, &whole[..whole.len() - 20]).expect("cut");
    };
    damage("s1/frame_00000.png");
    damage("s2/frame_00007.png");
    workspace.capture(MOVING, "--size 32x18 --fps 24 --frames 4..6 -o s2");
    for frame in [5, 8] {
        std::fs::remove_file(workspace.path(&format!("s3/frame_0000{frame}.png")))
            .expect("removed");
    }
    for output in ["--dry-run", "-o film.apng"] {
        for expected in [
            "cannot merge frames: 1 of 12 are missing: 8\n4 are damaged or from another run:\n",
            "frame_00000.png is damaged",
            "frame_00004.png does not belong to",
            "frame_00005.png does not belong to",
            "frame_00007.png is damaged",
            "hint: rerun the shards of damaged frames with `--resume`",
        ] {
            refused(&workspace, &format!("s1 s2 s3 {output}"), expected);
        }
    }
}

#[test]
fn unfinished_run_is_named() {
    let workspace = Workspace::new();
    let mut run = workspace.command(MOVING, "--size 64x36 --frames 100000 --threads 1 -o out");
    let mut run = run.spawn().expect("the program starts");
    wait_until("two frames", || workspace.path("out/frame_00001.png").exists());
    let finished = merge(&workspace, "out -o two.apng --frames 2");
    let all = merge(&workspace, "out --dry-run");
    run.kill().expect("killed");
    run.wait().expect("its end");
    assert_eq!(finished.0, 0, "{}", finished.1);
    let expected = format!("a run of tarsus (process {}) is still writing to out", run.id());
    assert!(all.0 == 1 && all.1.contains(&expected), "{}", all.1);
    // A killed run leaves its lock file.
    let (code, message) = merge(&workspace, "out -o film.apng");
    assert_eq!(code, 0, "{message}");
}

#[test]
fn scene_path_spelling_does_not_matter() {
    let workspace = Workspace::new();
    std::fs::copy(MOVING, workspace.path("mine.wgsl")).expect("scene");
    let absolute = workspace.path("mine.wgsl").display().to_string();
    workspace.capture("mine.wgsl", &format!("{RUN} -o s1 --shard 1/2"));
    workspace.capture(&absolute, &format!("{RUN} -o s2 --shard 2/2"));
    workspace.capture("./mine.wgsl", &format!("{RUN} -o s3 --shard 2/3"));
    let (code, message) = merge(&workspace, "s1 s2 s3 -o film.apng");
    assert_eq!(code, 0, "{message}");
}

#[test]
fn foreign_frames_are_named_with_difference() {
    let workspace = shards();
    let other = |scene: &str, run: &str, expected: &str| {
        std::fs::remove_dir_all(workspace.path("s2")).expect("removed");
        workspace.capture(scene, &format!("{run} -o s2 --shard 2/3"));
        refused(&workspace, "s1 s2 s3 -o film.apng", expected);
    };
    other(SOFT, RUN, "it shows the scene");
    other(MOVING, "--size 64x38 --frames 12 --fps 24", "it has the size 64x38 instead of 64x36");
    other(MOVING, "--size 64x36 --frames 12 --fps 25", "its rate is 25 instead of 24");
    other(MOVING, &format!("{RUN} --ssaa 4"), "its samples per pixel are 4 instead of 1");
    other(MOVING, &format!("{RUN} --shutter 180"), "its adapter, driver, bit depth, shutter");
    other(MOVING, &format!("{RUN} --depth 16"), "its adapter, driver, bit depth");
    std::fs::remove_dir_all(workspace.path("s2")).expect("removed");
    workspace.capture(MOVING, &format!("{RUN} -o s2 --shard 2/3 --set radius=0.1"));
    let (code, message) = merge(&workspace, "s1 s2 s3 -o set.apng");
    assert_eq!(code, 0, "a replay may do that: {message}");
    assert!(message.contains("warning: parameter values differ"), "{message}");
    refused(&workspace, "s1 s2 s3 -o film.apng --strict", "(an error because of `--strict`)");
}

#[test]
fn renamed_and_conflicting_frames_are_reported() {
    let workspace = shards();
    rename(&workspace, "s1/frame_00003.png", "s1/frame_00012.png");
    refused(&workspace, "s1 s2 s3 -o film.apng", "it shows frame 3");
    rename(&workspace, "s1/frame_00012.png", "s1/frame_00003.png");
    let (code, message) = merge(&workspace, "s1 s2 s3 s1 -o twice.apng");
    assert_eq!(code, 0, "the same twice: {message}");
    workspace.capture(MOVING, &format!("{RUN} -o other --set radius=0.1 --shard 1/3"));
    refused(&workspace, "s1 s2 s3 other -o film.apng", "are different pictures of one frame");
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/line_walker.png");
    std::fs::copy(picture, workspace.path("s1/frame_00003.png")).expect("copied");
    refused(&workspace, "s1 s2 s3 -o film.apng", "frame_00003.png");
}

#[test]
fn buffer_scene_shards_can_be_merged() {
    let workspace = Workspace::new();
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ink.wgsl");
    let run = "--size 32x18 --frames 9 --fps 10";
    for shard in 1..=2 {
        workspace.capture(scene, &format!("{run} -o s{shard}/f_%03d.png --shard {shard}/2"));
    }
    let (code, message) = merge(&workspace, "s1 s2 -o film.apng");
    assert_eq!(code, 0, "{message}");
}

#[test]
fn incompatible_merge_options_are_rejected() {
    let workspace = Workspace::new();
    for arguments in [
        "a",
        "a -o out",
        "a -o a.png",
        "a -o a.wav",
        "a -o a.mp4 --size 10x10",
        "a -o a.mp4 --ssaa 2",
        "a -o a.mp4 --shard 1/2",
        "a -o a.mp4 --set x=1",
        "a -o a.mp4 --channel x=y",
        "a -o a.mp4 --checkpoint-every 2",
        "a -o a.mp4 --threads 2",
        "a -o a.mp4 --adapter software",
    ] {
        let (code, message) = merge(&workspace, arguments);
        assert_eq!(code, 2, "{arguments}: {message}");
    }
}
