//! Timelines: recordings and keyframes.

use tarsus_player::Timeline;

use crate::harness::fuzz;
use crate::text::{edited, json_words, text_of};

const SEEDS: &[&str] = &[
    include_str!("../../docs/timeline.example.json"),
    r#"{"start": {"tarsus": "0.1.0", "scene": "creature", "debug_view": "depth", "size": [64, 36], "samples": 4, "time": 1.3, "delta": 0.016,
"frame": 78, "fps": 24.0, "orbit": [0.3, -0.2, 1.5], "date": [2026.0, 1.0, 3.0, 60.5], "keys": [[65], [], [65, 66]], "parameters": {"upper": [0.1, 0.2]}},
"duration": 2.5,
"events": [
{"at": 0.0, "clock": {"time": 3.0, "speed": 0.5}},
{"at": 0.1, "pointer": [0.5, 0.25]}, {"at": 0.2, "held": true},
{"at": 0.3, "orbit": [0.1, 0.2, 1.0]}, {"at": 0.4, "key_down": 65}, {"at": 0.5, "key_up": "KeyA"},
{"at": 0.6, "set": {"name": "upper", "value": [1.0, 2.0]}}, {"at": 0.7, "held": false}, {"at": 0.8, "leave": null}
],
"keyframes": [
{"at": 0, "parameters": {"upper": 1, "shell": [0.1, 0.2, 0.3]}, "keys": ["KeyA", 66]},
{"at": 1, "target": [0, 1], "ease": "hold", "parameters": {"upper": 2}},
{"at": 2, "camera": [0, 0, 2], "ease": "linear", "held": true}
]}"#,
];

const WORDS: &[&str] = &[
    "false",
    "\"\"",
    "\"at\": ",
    "\"at\": -1",
    "\"at\": 1e308",
    "\"duration\": ",
    "1e38",
    "-1e38",
    "\"events\": ",
    "\"keyframes\": ",
    "\"start\": ",
    "\"clock\": ",
    "\"time\": ",
    "\"speed\": ",
    "\"speed\": 1e308",
    "\"size\": [65537, 1]",
    "\"pointer\": ",
    "\"leave\"",
    "\"held\": ",
    "\"ease\": \"in\"",
    "\"ease\": \"hold\"",
    "\"keys\": ",
    "\"key_down\": ",
    "\"parameters\": ",
    "256",
    "-0.0",
    "\"\\u001b\"",
    "\\ud800",
];

#[test]
fn timelines_never_panic() {
    fuzz(
        "timelines",
        3000,
        edited(6),
        |edited| text_of(edited, SEEDS, &json_words(WORDS)).into_bytes(),
        |edited| {
            let Ok(timeline) = Timeline::parse(&text_of(edited, SEEDS, &json_words(WORDS))) else {
                return Ok(());
            };
            let read = Timeline::parse(&timeline.to_json())
                .map_err(|error| format!("does not come back: {error}"))?;
            // The text itself may differ: keyframes are formatted on other lines.
            if read.to_json() != timeline.to_json() {
                return Err("another timeline comes back".to_owned());
            }
            for at in [0.0, 0.25, timeline.duration / 2.0, timeline.duration, 1e9, 1e38] {
                let frame = timeline.at(at, 7, 24.0).frame((64, 36));
                if !frame.time.is_finite() || !frame.time_delta.is_finite() {
                    return Err(format!(
                        "at {at} s the time is {}, {}",
                        frame.time, frame.time_delta
                    ));
                }
            }
            Ok(())
        },
    );
}
