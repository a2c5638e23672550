//! PNG files with embedded snapshots, as they may arrive from anyone.

use proptest::prelude::*;
use tarsus_capture::metadata::{find_scene_near, read_snapshot};
use tarsus_capture::{Metadata, stored_hash, write_png};
use tarsus_player::{SceneState, Snapshot};
use tarsus_render::Picture;

use crate::bytes::{Edited, bytes_of, moves, rearranged, with_checksums};
use crate::harness::{fuzz, told_well};
use crate::text;

/// A snapshot with every field.
const FULL: &str = r#"{"tarsus":"0.1.0","scene":"sub/é.wgsl","hash":"00","debug_view":"depth",
"history":"11","size":[64,36],"samples":4,"time":1.3,"delta":0.016666668,"frame":78,"fps":24.0,
"date":[2026.0,1.0,3.0,60.5],"target":[0.3,0.2],"inside":true,"held":true,"clicked":true,
"drag":{"from":[0.3,0.2],"to":[0.4,0.1]},"pressed_at":1.2,"released_at":0.5,
"orbit":[0.3,-0.2,1.5],"keys":[[65],[],[65,66]],"parameters":{"upper":[0.1,0.2]}}"#;

const WORDS: &[&str] = &[
    "\"\"",
    "\"scene\": \"/etc/passwd\"",
    "\"scene\": \"../a.wgsl\"",
    "\"scene\": ",
    "\"size\": ",
    "\"size\": [0, 1]",
    "\"time\": ",
    "1e39",
    "-1e38",
    "\"debug_view\": \"steps\"",
    "\"debug_view\": null",
    "\"samples\": 0",
    "\"fps\": 0",
    "\"fps\": 1e-300",
    "\"keys\": ",
    "\"parameters\": ",
    "\\u001b[2J",
    "\\ud800",
    "-0.0",
];

/// Edits of the snapshot's JSON, of the picture's bytes, of its chunks, and whether to
/// correct the checksums.
type Case = (text::Edited, Edited, Vec<(u8, u8)>, bool);

fn picture(snapshot: &str, folder: &std::path::Path) -> Vec<u8> {
    let path = folder.join("seed.png");
    let picture = Picture { width: 5, height: 3, rgba: (0..60).collect() };
    let metadata = Metadata {
        snapshot: Some(snapshot.to_owned()),
        hash: Some("0123456789abcdef0123456789abcdef".to_owned()),
    };
    write_png(&path, &picture, &metadata).expect("written");
    std::fs::read(&path).expect("read")
}

#[test]
fn pictures_with_snapshots_never_panic() {
    let folder = tempfile::tempdir().expect("folder");
    let today = Snapshot::new("creature", (5, 3), SceneState::at(1.5, 90, 60.0)).to_json();
    let seeds = [FULL, &today];
    let file = |case: &Case| {
        let (snapshot, edits, moves, is_right) = case;
        let picture =
            picture(&text::text_of(snapshot, &seeds, &text::json_words(WORDS)), folder.path());
        let bytes = bytes_of(edits, &[&rearranged(&picture, moves)]);
        if *is_right { with_checksums(bytes) } else { bytes }
    };
    let path = folder.path().join("fuzz.png");
    let few = (any::<u16>(), prop::collection::vec(any::<text::Edit>(), 0..2));
    let strategy = (text::edited(5), few, moves(), prop::bool::weighted(0.9));
    fuzz("snapshots", 1500, strategy, file, |case| {
        std::fs::write(&path, file(case)).expect("written");
        let _ = stored_hash(&path);
        let snapshot = match read_snapshot(&path) {
            Ok(snapshot) => snapshot,
            // The program escapes unprintable characters when it prints.
            Err(error) => {
                return told_well(&tarsus_files::printable(&error.to_string()), "fuzz.png");
            }
        };
        let _ = find_scene_near(&snapshot.scene, &path, &tarsus::library());
        let again = Snapshot::parse(&snapshot.to_json())
            .map_err(|error| format!("does not come back: {error}"))?;
        if again != snapshot {
            return Err("another snapshot comes back".to_owned());
        }
        let frame = snapshot.state.frame(snapshot.size);
        if frame.time.is_finite() { Ok(()) } else { Err(format!("the time is {}", frame.time)) }
    });
}
