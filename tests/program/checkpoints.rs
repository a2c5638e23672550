//! Checkpoints of the buffer state: runs that start from them, and rejected checkpoints.

use crate::common::{Workspace, assert_same, wait_until};
use crate::state::{MIXING, SIZE, capture, frame, messages, mixing, summary};

#[test]
fn shards_from_checkpoints_equal_whole_run() {
    let sized = MIXING.replace("fn buffer_a", "/// size 20x40\nfn buffer_a");
    for text in [MIXING, &sized] {
        let workspace = Workspace::with_scene(text);
        capture(&workspace, "--frames 30 -o whole");
        let only = "--frames 30 -o out --checkpoint-every 4 --checkpoints-only";
        assert_eq!(summary(&workspace, only)["checkpoints"], 7);
        assert_eq!(workspace.names("out"), ["checkpoints"]);
        assert_eq!(workspace.names("out/checkpoints").len(), 7);
        for (index, first) in [(1, None), (2, Some(7)), (3, Some(15)), (4, Some(19))] {
            let message = messages(&workspace, &format!("--frames 30 -o out --shard {index}/4"));
            let begun = first.map(|frame| format!("restored the checkpoint after frame {frame}\n"));
            match begun {
                Some(begun) => assert!(message.contains(&begun), "{message}"),
                None => assert!(!message.contains("checkpoint"), "{message}"),
            }
        }
        std::fs::remove_dir_all(workspace.path("out/checkpoints")).expect("removed");
        assert_same(&workspace.files("whole"), &workspace.files("out"), "shares");
    }
}

#[test]
fn resume_after_kills_gives_same_bytes() {
    let workspace = mixing();
    let run = "--frames 60 --threads 1";
    capture(&workspace, &format!("{run} -o whole"));
    let arguments = format!("{SIZE} {run} -o out --resume --checkpoint-every 7");
    let frames = || {
        let names = workspace.names("out");
        names.iter().filter(|name| name.ends_with(".png")).count()
    };
    let mut last = 0;
    for more in [1, 5, 9, 2, 7] {
        let mut child = workspace.command("s.wgsl", &arguments).spawn().expect("starts");
        wait_until("frames appear", || {
            frames() >= last + more || child.try_wait().expect("status").is_some()
        });
        // Fails only if the run has just ended.
        let _ = child.kill();
        child.wait().expect("ended");
        last = frames();
    }
    workspace.capture("s.wgsl", &arguments);
    let parts = |folder: &str| {
        let names = workspace.names(folder);
        names.iter().filter(|name| name.starts_with('.')).count()
    };
    assert_eq!((parts("out"), parts("out/checkpoints")), (0, 0));
    // Without the frames, the run starts from the latest usable checkpoint.
    std::fs::remove_file(workspace.path("out").join(frame(52))).expect("removed");
    let message = messages(&workspace, "--frames 60 -o out --resume");
    assert!(message.contains("restored the checkpoint after frame 48\n"), "{message}");
    std::fs::remove_dir_all(workspace.path("out/checkpoints")).expect("removed");
    assert_same(&workspace.files("whole"), &workspace.files("out"), "resumed");
}

#[test]
fn damaged_checkpoint_is_skipped() {
    let workspace = mixing();
    capture(&workspace, "--frames 30 -o whole --checkpoint-every 10");
    let expected = std::fs::read(workspace.path("whole").join(frame(29))).expect("bytes");
    let checkpoint = |number: u32| {
        let name = format!("whole/checkpoints/frame_{number:05}.checkpoint");
        workspace.path(&name)
    };
    let whole = std::fs::read(checkpoint(29)).expect("bytes");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for (what, bytes, reason) in [
        ("cut", &whole[..whole.len() - 9], "it is damaged"),
        ("changed", &changed[..], "it is damaged"),
        ("foreign", b"something else", "no checkpoint of tarsus"),
        ("empty", b"", "it is damaged"),
        (
            "another frame's",
            &std::fs::read(checkpoint(9)).expect("bytes"),
            "it belongs to another scene",
        ),
    ] {
        std::fs::write(checkpoint(29), bytes).expect("written");
        let message = messages(&workspace, "--frame 29 -o a.png --checkpoints whole/checkpoints");
        let warning = format!("warning: cannot use {}", "whole/checkpoints/frame_00029");
        assert!(message.contains(&warning) && message.contains(reason), "{what}: {message}");
        assert!(message.contains("restored the checkpoint after frame 19\n"), "{message}");
        let found = std::fs::read(workspace.path("a.png")).expect("bytes");
        assert!(found == expected, "{what}");
    }
}

#[test]
fn checkpoints_of_other_runs_are_rejected() {
    let workspace = mixing();
    for (file, at) in [("play.json", 0.4), ("later.json", 0.6)] {
        let keyframe = format!(r#"{{ "at": {at}, "target": [0.25, 0.5], "held": true }}"#);
        let text = format!(r#"{{ "duration": 2, "keyframes": [{keyframe}] }}"#);
        std::fs::write(workspace.path(file), text).expect("keyframes");
    }
    std::fs::write(workspace.path("s2.wgsl"), MIXING.replace("1.3", "1.31")).expect("scene");
    let run = "--frame 19 -o b.png --checkpoints kept";
    let rate = |fps: u32| format!("--size 48x27 --fps {fps}");
    let of = |scene: &str, arguments: &str| {
        workspace.capture(scene, &format!("{arguments} -o a.png"));
        let alone = std::fs::read(workspace.path("a.png")).expect("bytes");
        let again = format!("{arguments} {run}").replace("--frame 19 --frame 19", "--frame 19");
        workspace.capture(scene, &again);
        let found = std::fs::read(workspace.path("b.png")).expect("bytes");
        assert!(found == alone, "{scene} {arguments}");
        alone
    };
    capture(&workspace, &format!("{run} --checkpoint-every 5"));
    let first = of("s.wgsl", &format!("{} --frame 19", rate(24)));
    for (scene, arguments) in [
        ("s2.wgsl", rate(24)),
        ("s.wgsl", rate(25)),
        ("s.wgsl", "--size 50x27 --fps 24".to_owned()),
        ("s.wgsl", format!("{} --set weight=0.6", rate(24))),
        ("s.wgsl", format!("{} --mouse 3,4", rate(24))),
        ("s.wgsl", format!("{} --replay play.json", rate(24))),
    ] {
        let other = of(scene, &format!("{arguments} --frame 19"));
        assert!(other != first, "{scene} {arguments}");
    }
    // Later input has not reached an earlier checkpoint.
    capture(
        &workspace,
        "--frame 19 -o a.png --checkpoints played --checkpoint-every 5 --replay play.json",
    );
    let run = "--frame 19 -o a.png --checkpoints played --replay later.json";
    let message = messages(&workspace, run);
    assert!(message.contains("restored the checkpoint after frame 9\n"), "{message}");
}

#[test]
fn dry_run_keeps_partial_checkpoints() {
    let workspace = Workspace::new();
    let part = "out/checkpoints/.frame_00001.checkpoint.abc123.part";
    std::fs::create_dir_all(workspace.path("out/checkpoints")).expect("folder");
    workspace.write(part, "half");
    let run = "--size 16x9 --frames 2 -o out --checkpoint-every 2 --resume";
    workspace.capture("pond", &format!("{run} --dry-run"));
    assert!(workspace.path(part).exists(), "another run may be writing it");
    workspace.capture("pond", &format!("{run} --checkpoints-only"));
    assert!(!workspace.path(part).exists());
}
