//! Films whose runs are killed at moments from a fixed seed: whole or not there.
//! `scripts/kill-test.sh` does it for longer, with frames and checkpoints too.

use std::process::Child;
use std::time::{Duration, Instant};

use crate::common::{MOVING, Workspace, assert_same, wait_until};

/// A fixed walk through the moments: the same in every run, yet without pattern.
struct Moments(u64);

impl Moments {
    /// A part of one.
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as f64 / f64::from(1u32 << 31)
    }
}

/// Kills a run after a while.
fn kill(mut child: Child, after: Duration) {
    std::thread::sleep(after);
    // Fails only if it has just ended.
    let _ = child.kill();
    child.wait().expect("ended");
}

#[test]
fn a_film_is_whole_or_not_there() {
    let mut moments = Moments(1);
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
            kill(child, lasts.mul_f64(moments.next()));
            let mut left = workspace.files("out");
            left.retain(|name, _| !name.starts_with('.'));
            if !left.is_empty() {
                assert_same(&whole, &left, &format!("{film} in round {round}"));
                std::fs::remove_dir_all(workspace.path("out")).expect("removed");
            }
        }
        // What writes the film of a killed run may need a moment to notice its end.
        wait_until("the next run is the only one", || {
            workspace.run(MOVING, &run).status.success()
        });
        assert_same(&whole, &workspace.files("out"), "nothing hidden is left");
    }
}
