//! Runs with too little memory: they report an error, and every file under a final name is
//! complete.

use std::process::{Command, Output, Stdio};

use crate::common::{MOVING, Workspace, assert_same, send, stderr};

/// Runs the program with a limit on its address space, in MiB.
fn within(mebibytes: u32, workspace: &Workspace, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_tarsus");
    let limit = mebibytes << 10;
    let script = format!("ulimit -v {limit}; exec {program} capture --quiet {arguments}");
    Command::new("sh")
        .args(["-c", &script])
        .current_dir(workspace.folder.path())
        .output()
        .expect("sh")
}

#[test]
fn out_of_memory_leaves_complete_frames() {
    let run = "--size 2560x1440 --frames 3 --threads 2";
    let whole = Workspace::new();
    whole.capture(MOVING, &format!("{run} -o out"));
    let expected = whole.files("out");
    let mut outcomes = Vec::new();
    for mebibytes in [450, 700, 900, 1100, 8000] {
        let workspace = Workspace::new();
        let output = within(mebibytes, &workspace, &format!("{MOVING} {run} -o out"));
        let message = stderr(&output);
        // Mesa may dereference a failed allocation, which ends the process by a signal.
        let code = output.status.code();
        assert!(matches!(code, None | Some(0 | 1)), "{mebibytes} MiB: {output:?}");
        assert!(code != Some(0) || message.trim().is_empty(), "{message}");
        assert!(code != Some(1) || !message.trim().is_empty(), "{mebibytes} MiB: no message");
        for (name, bytes) in workspace.files("out") {
            let is_whole = name.starts_with('.') || bytes == expected[&name];
            assert!(is_whole, "{mebibytes} MiB: {name}");
        }
        workspace.capture(MOVING, &format!("{run} -o out --resume"));
        assert_same(&expected, &workspace.files("out"), "resumed");
        outcomes.push(code);
    }
    assert_ne!(outcomes.first(), Some(&Some(0)), "too little memory");
    assert_eq!(outcomes.last(), Some(&Some(0)), "enough memory");
}

#[test]
fn large_contact_sheet_is_an_error() {
    let workspace = Workspace::new();
    let sheet = "--size 20000x12000 --sweep height=0..1 --columns 32 --rows 32 -o a.png";
    let output = within(4000, &workspace, &format!("creature {sheet}"));
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("cannot create a contact sheet of 640062x"), "{message}");
}

/// Simulates an abort by the allocator or a driver.
#[cfg(unix)]
#[test]
fn abort_exits_with_1() {
    let workspace = Workspace::new();
    let arguments = ["capture", MOVING, "--frames", "100000", "-o", "out"];
    let mut run = workspace.tarsus(&arguments);
    let mut run = run.stderr(Stdio::null()).spawn().expect("the program");
    while !workspace.folder.path().join("out").exists() {
        assert!(run.try_wait().expect("the run").is_none(), "it draws");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    send(&run, "-ABRT");
    assert_eq!(run.wait().expect("the run").code(), Some(1));
}
