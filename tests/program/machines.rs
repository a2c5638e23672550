//! The scripts for clusters: each shard as its scheduler starts it, and all shards together
//! equal to the whole run.

use std::process::Command;

use crate::common::{MOVING, Workspace, assert_same};

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts");
const RUN: &str = "--size 64x36 --frames 10";

fn whole() -> Workspace {
    let workspace = Workspace::new();
    workspace.capture(MOVING, &format!("{RUN} -o whole"));
    workspace
}

fn succeeds(command: &mut Command) {
    let output = command.output().expect("starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

#[test]
fn slurm_array_equals_whole_run() {
    let workspace = whole();
    for task in 4..7 {
        succeeds(
            Command::new("sh")
                .arg(format!("{SCRIPTS}/capture.sbatch"))
                .arg(MOVING)
                .args(RUN.split(' '))
                .current_dir(workspace.folder.path())
                .env("TARSUS", env!("CARGO_BIN_EXE_tarsus"))
                .env("SLURM_ARRAY_TASK_ID", task.to_string())
                .env("SLURM_ARRAY_TASK_MIN", "4")
                .env("SLURM_ARRAY_TASK_COUNT", "3"),
        );
    }
    assert_same(&workspace.files("whole"), &workspace.files("frames"), "array job");
}

#[test]
fn kubernetes_job_equals_whole_run() {
    let workspace = whole();
    let job = std::fs::read_to_string(format!("{SCRIPTS}/capture-job.yaml")).expect("job");
    let (_, folded) = job.split_once("- >-\n").expect("a folded argument");
    let lines = folded.lines().take_while(|line| !line.contains("resources:"));
    let command: String = lines.map(|line| format!("{} ", line.trim())).collect();
    let asked = "tarsus capture creature --frames 600 --size 1920x1080 --output /frames";
    assert!(command.contains(asked), "{command}");
    let mine = format!("{} capture {MOVING} {RUN} -o frames", env!("CARGO_BIN_EXE_tarsus"));
    for index in 0..3 {
        succeeds(
            Command::new("/bin/sh")
                .args(["-c", &command.replace(asked, &mine)])
                .current_dir(workspace.folder.path())
                .env("JOB_COMPLETION_INDEX", index.to_string())
                .env("SHARES", "3"),
        );
    }
    assert_same(&workspace.files("whole"), &workspace.files("frames"), "indexed job");
}
