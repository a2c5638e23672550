//! Runs with too little memory: they say so, and what has its name is whole.

use std::process::Command;

use crate::common::{MOVING, Workspace, assert_same};

#[test]
fn without_memory_a_run_fails_and_leaves_whole_frames() {
    let run = "--size 2560x1440 --frames 3 --threads 2";
    let whole = Workspace::new();
    whole.capture(MOVING, &format!("{run} -o out"));
    let expected = whole.files("out");
    let mut outcomes = Vec::new();
    for mebibytes in [450, 700, 900, 1100, 8000] {
        let workspace = Workspace::new();
        let program = env!("CARGO_BIN_EXE_tarsus");
        let script = format!(
            "ulimit -v {}; exec {program} capture {MOVING} --quiet {run} -o out",
            mebibytes << 10
        );
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(workspace.folder.path())
            // Without it Mesa has something to say, too.
            .env("XDG_RUNTIME_DIR", workspace.folder.path())
            .output()
            .expect("sh");
        let said = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 1)), "{mebibytes} MiB: {output:?}");
        assert_eq!(code == Some(1), !said.trim().is_empty(), "{said}");
        for (name, bytes) in workspace.files("out") {
            let is_whole = name.starts_with('.') || bytes == expected[&name];
            assert!(is_whole, "{mebibytes} MiB: {name}");
        }
        workspace.capture(MOVING, &format!("{run} -o out --resume"));
        assert_same(&expected, &workspace.files("out"), "resumed");
        outcomes.push(code);
    }
    assert_eq!(outcomes.first(), Some(&Some(1)), "too little memory");
    assert_eq!(outcomes.last(), Some(&Some(0)), "enough memory");
}
