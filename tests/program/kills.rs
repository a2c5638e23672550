//! Videos of runs that are killed at random times with a fixed seed: complete or absent.
//! `scripts/kill-test.sh` does this for longer, also with frames and checkpoints.

use std::process::Child;
use std::time::{Duration, Instant};

use crate::common::{MOVING, Random, Workspace, assert_same, wait_until};

/// Kills a run after a delay.
fn kill(mut child: Child, after: Duration) {
    std::thread::sleep(after);
    // Fails only if the run has just ended.
    let _ = child.kill();
    child.wait().expect("ended");
}

#[test]
fn killed_run_leaves_no_partial_video() {
    let mut random = Random(1);
    for film in ["a.apng", "a.mp4"] {
        let workspace = Workspace::new();
        let run = "--size 64x36 --frames 60 --ssaa 4 -o";
        let begun = Instant::now();
        workspace.capture(MOVING, &format!("{run} whole/{film}"));
        let lasts = begun.elapsed();
        let whole = workspace.files("whole");
        let run = format!("{run} out/{film}");
        for round in 0..6 {
            let child = workspace.command(MOVING, &run).spawn().expect("starts");
            kill(child, lasts.mul_f64(random.next()));
            let mut left = workspace.files("out");
            left.retain(|name, _| !name.starts_with('.'));
            if !left.is_empty() {
                assert_same(&whole, &left, &format!("{film} in round {round}"));
                std::fs::remove_dir_all(workspace.path("out")).expect("removed");
            }
        }
        // The process that writes the video of a killed run may take a moment to exit, with
        // its hidden file still open.
        wait_until("the next run is the only one and leaves nothing hidden", || {
            workspace.run(MOVING, &run).status.success() && workspace.files("out") == whole
        });
    }
}
