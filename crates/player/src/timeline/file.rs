//! Timelines as JSON, with line numbers in errors.

use serde::{Deserialize, Serialize};

use super::event::{Entry, Event};
use super::keyframes::Keyframe;
use super::replay::Timeline;
use crate::error::ParseError;
use crate::input::check_camera;
use crate::snapshot::Snapshot;

/// The top level of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TimelineFile {
    /// Schema URL, for editors only.
    #[serde(rename = "$schema", default)]
    _schema: Option<String>,
    #[serde(default)]
    start: Snapshot,
    duration: Option<f64>,
    #[serde(default)]
    events: Vec<Entry>,
    #[serde(default)]
    keyframes: Vec<Keyframe>,
}

impl Timeline {
    /// Parses a timeline from JSON: a recording, keyframes, or both.
    ///
    /// # Errors
    /// Returns [`ParseError`] with the line or the time of the first error.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let TimelineFile { start, duration, events, keyframes, .. } = serde_json::from_str(text)?;
        start.check()?;
        let last_event = check_order("event", events.iter().map(|entry| entry.at))?;
        let last_keyframe = check_order("keyframe", keyframes.iter().map(|keyframe| keyframe.at))?;
        let in_events = events.iter().filter_map(|entry| match entry.event {
            Event::Orbit(camera) => Some((entry.at, camera)),
            _ => None,
        });
        let in_keyframes = keyframes.iter().filter_map(|keyframe| {
            let camera = keyframe.camera?;
            Some((keyframe.at, camera))
        });
        for (at, camera) in in_events.chain(in_keyframes) {
            check_camera(camera).map_err(|error| ParseError(format!("at {at} s: {error}")))?;
        }
        let duration = duration.unwrap_or(last_event.max(last_keyframe));
        if duration < 0.0 {
            let reason = format!("invalid duration {duration}: expected 0 or more seconds");
            return Err(ParseError(reason));
        }
        Ok(Self::new(start, duration, events, keyframes))
    }

    /// Returns the timeline as JSON, with one event or keyframe per line.
    pub fn to_json(&self) -> String {
        let mut fields = vec![
            format!("\"start\":{}", json(&self.start)),
            format!("\"duration\":{}", json(&self.duration)),
        ];
        fields.extend(list("events", self.events()));
        fields.extend(list("keyframes", self.keyframes()));
        format!("{{{}}}\n", fields.join(","))
    }
}

/// Formats a list field with one entry per line, or returns `None` for an empty list.
fn list<T: Serialize>(name: &str, entries: &[T]) -> Option<String> {
    let lines: Vec<String> = entries.iter().map(json).collect();
    (!lines.is_empty()).then(|| format!("\"{name}\":[\n{}\n]", lines.join(",\n")))
}

fn json<T: Serialize>(value: &T) -> String {
    // Numbers, strings, lists and maps with string keys always serialize.
    serde_json::to_string(value).unwrap_or_default()
}

/// Checks that these times of events or keyframes, in seconds, are in order. Returns the last
/// one, or 0 without any.
fn check_order(kind: &str, times: impl Iterator<Item = f64>) -> Result<f64, ParseError> {
    let mut last = 0.0;
    for at in times {
        if at < last {
            return Err(ParseError(format!(
                "invalid {kind} time {at} s after {last} s: expected ascending times"
            )));
        }
        last = at;
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line() {
        let cases = [
            ("{\n \"duration\": 3,\n}", "line 3"),
            (
                "{\n\"keyframes\": [\n{\"at\": 0},\n{\"at\": 1, \"targte\": [0, 0]}]}",
                "line 4: unknown field `targte`",
            ),
            (
                "{\"keyframes\": [\n\n{\"at\": 2}, {\"at\": 1}\n]}",
                "invalid keyframe time 1 s after 2 s: expected ascending times",
            ),
            ("{\"events\": [\n{\"at\": -1, \"held\": true}]}", "invalid event time -1 s after 0 s"),
            ("{\"keyframes\": [\n{\"target\": [0, 0]}]}", "line 2: missing field `at`"),
            (
                "{\"keyframes\": [\n{\"at\": 0,\n\"ease\": \"slow\"}]}",
                "line 3: unknown variant `slow`",
            ),
            ("{\"events\": [\n{\"at\": 0, \"held\": 3}]}", "line 2"),
            (
                "{\"events\": [\n{\"at\": 0, \"target\": [0, 0]}]}",
                "line 2: unknown variant `target`, expected one of `pointer`",
            ),
            ("{\"events\": [\n{\"at\": 0}]}", "line 2: missing event: expected `pointer`"),
            (
                "{\"events\": [\n{\"at\": 0, \"held\": true, \"leave\": null}]}",
                "line 2: entry has several events, `held` and `leave`",
            ),
            (
                "{\"events\": [{\"at\": 1, \"orbit\": [0, 0, 1e39]}]}",
                "at 1 s: invalid camera [0.0, 0.0, 1e39]: expected 32-bit floats",
            ),
            ("{\"keyframes\": [{\"at\": 1, \"camera\": [1e39, 0, 1]}]}", "at 1 s: invalid camera"),
            ("{\"start\": {\"orbit\": [-1e39, 0, 1]}}", "invalid camera [-1e39, 0.0, 1.0]"),
            ("{\n\"keyframe\": []}", "line 2: unknown field `keyframe`"),
            ("{\n\"duration\": -1}", "duration"),
        ];
        for (text, expected) in cases {
            let error = Timeline::parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn duration_defaults_to_last_entry() {
        let duration = |text| Timeline::parse(text).expect("timeline").duration;
        assert_eq!(duration("{\"keyframes\": [{\"at\": 0}, {\"at\": 2.5}]}"), 2.5);
        assert_eq!(duration("{\"duration\": 9, \"keyframes\": [{\"at\": 1}]}"), 9.0);
    }

    const EVENTS: &str = r#""events": [
        {"at": 0, "clock": {"time": 0, "speed": 1}},
        {"at": 0.5, "pointer": [0.25, 0.5]}, {"at": 0.5, "held": true},
        {"at": 1, "key_down": 65}, {"at": 1, "leave": null},
        {"at": 1.5, "set": {"name": "é", "value": [1, 2]}}, {"at": 2, "orbit": [0.1, 0.2, 3]}
    ]"#;
    const KEYFRAMES: &str = r#""keyframes": [
        {"at": 0, "target": [0.2, 0.4], "held": true, "keys": [66]},
        {"at": 1.5, "camera": [0.1, 0.2, 1], "ease": "hold", "parameters": {"a": 3}},
        {"at": 2.5, "camera": null, "held": false, "keys": []}
    ]"#;

    /// Timelines with neither events nor keyframes, with either, and with both.
    fn timelines() -> [Timeline; 4] {
        let start = r#""start": {"scene": "creature", "time": 0.1}, "duration": 3"#;
        [
            format!("{{{start}}}"),
            format!("{{{start}, {EVENTS}}}"),
            format!("{{{start}, {KEYFRAMES}}}"),
            format!("{{{start}, {EVENTS}, {KEYFRAMES}}}"),
        ]
        .map(|text| Timeline::parse(&text).expect("a timeline"))
    }

    #[test]
    fn timelines_round_trip() {
        for timeline in timelines() {
            let text = timeline.to_json();
            let value: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
            let length = |name: &str| value[name].as_array().map_or(0, Vec::len);
            assert_eq!(length("events"), timeline.events().len(), "{text}");
            assert_eq!(length("keyframes"), timeline.keyframes().len(), "{text}");
            let again = Timeline::parse(&text).expect("a timeline");
            assert_eq!(again.to_json(), text);
            assert_eq!(again.start, timeline.start);
            assert_eq!(again.duration, timeline.duration);
            assert_eq!(again.events(), timeline.events());
            for tenth in 0..=30u32 {
                let at = f64::from(tenth) / 10.0;
                assert_eq!(again.at(at, tenth, 10.0), timeline.at(at, tenth, 10.0));
            }
        }
    }

    #[test]
    fn keys_have_codes_or_names() {
        let timeline = |keys: &str| {
            let text = format!(
                "{{\"events\": [{{\"at\": 0, \"key_down\": {keys}}}],
                \"keyframes\": [{{\"at\": 0, \"keys\": [{keys}]}}]}}"
            );
            Timeline::parse(&text).map_err(|error| error.to_string())
        };
        let by_name = timeline("\"KeyA\"").expect("a timeline");
        assert_eq!(by_name, timeline("65").expect("a timeline"));
        let refused = timeline("\"KeyAB\"").expect_err("no key");
        assert!(refused.contains("line 1: invalid key \"KeyAB\""), "{refused}");
    }

    #[test]
    fn every_event_has_its_own_line() {
        let [.., both] = timelines();
        let entries = both.events().len() + both.keyframes().len();
        // Plus the header, the line between the lists, and the end.
        assert_eq!(both.to_json().lines().count(), entries + 3);
    }

    #[test]
    fn invalid_timelines_are_rejected() {
        for wrong in [
            "",
            "[1, 2]",
            "{\"events\": [{\"at\": 1, \"held\": true}, {\"at\": 0.5, \"held\": false}]}",
            "{\"events\": [{\"at\": 0, \"key_down\": 6500}]}",
        ] {
            assert!(Timeline::parse(wrong).is_err(), "{wrong}");
        }
    }
}
