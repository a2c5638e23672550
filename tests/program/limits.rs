//! Memory limits and frame rates of a run, and what a dry run reports.

use crate::common::{MOVING, Workspace, assert_same};

#[test]
fn dry_run_reports_planned_work() {
    let workspace = Workspace::new();
    let run = "--size 64x36 --frames 8 -o out";
    let of = |report: &serde_json::Value| {
        let count = |key: &str| report[key].as_u64();
        (report["complete"].as_bool(), count("to_write"), count("written"))
    };
    let dry = workspace.summary(MOVING, &format!("{run} --dry-run"));
    assert_eq!(of(&dry), (Some(false), Some(8), Some(0)));
    assert_eq!((&dry["frames"], &dry["dry_run"]), (&8.into(), &true.into()));
    assert!(dry["adapter"].is_string() && dry["adapter_error"].is_null(), "{dry}");
    assert!(!workspace.path("out").exists());
    assert_eq!(of(&workspace.summary(MOVING, run)), (Some(true), None, Some(8)));
    let dry = workspace.summary(MOVING, &format!("{run} --dry-run --resume"));
    assert_eq!(of(&dry), (Some(true), Some(0), Some(0)));
}

#[test]
fn memory_limit_is_respected() {
    let workspace = Workspace::new();
    let run = "--size 3840x2160 --frames 60 -o out --dry-run";
    let memory = |more: &str| {
        let report = workspace.summary(MOVING, &format!("{run} {more}"));
        report["memory"].as_u64().expect("bytes")
    };
    let free = memory("--threads 16");
    assert!(free > 1 << 30, "{free}");
    let kept = memory("--threads 16 --max-memory 600M");
    assert!((200 << 20..=600 << 20).contains(&kept), "{kept}");
    let message = workspace.expect_error(MOVING, &format!("{run} --max-memory 100M"), 2);
    assert!(message.contains("--max-memory"), "{message}");
    let all = "--size 1280x720 --frames 2 --threads 4";
    workspace.capture(MOVING, &format!("{all} -o free"));
    workspace.capture(MOVING, &format!("{all} -o kept --max-memory 180M"));
    assert_same(&workspace.files("free"), &workspace.files("kept"), "pictures");
}

#[test]
fn television_rates_are_exact() {
    let workspace = Workspace::new();
    let run = "--size 64x36 --frames 4 --fps 30000/1001";
    let film = workspace.capture(MOVING, &format!("{run} -o - --format y4m"));
    assert!(film.starts_with(b"YUV4MPEG2 W64 H36 F30000:1001 "));
    workspace.capture(MOVING, &format!("{run} -o a.mp4"));
    let probe = std::process::Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", "stream=r_frame_rate", "-of", "csv=p=0"])
        .arg(workspace.path("a.mp4"))
        .output()
        .expect("ffprobe");
    assert_eq!(String::from_utf8_lossy(&probe.stdout).trim(), "30000/1001");
}
