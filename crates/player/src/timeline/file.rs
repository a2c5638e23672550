//! Timelines as JSON, with line numbers in errors.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::event::Entry;
use super::keyframes::Keyframe;
use super::replay::Timeline;
use crate::error::ParseError;
use crate::snapshot::Snapshot;

/// The top level of the file. Its lists are parsed entry by entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TimelineFile<'a> {
    /// Schema URL, for editors only.
    #[serde(rename = "$schema", default)]
    _schema: Option<String>,
    #[serde(default)]
    start: Snapshot,
    duration: Option<f64>,
    #[serde(borrow, default)]
    events: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    keyframes: Vec<&'a RawValue>,
}

impl Timeline {
    /// Parses a timeline from JSON: a recording, keyframes, or both.
    ///
    /// # Errors
    /// Returns [`ParseError`] with the line of the first error.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        // Some editors write a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file: TimelineFile<'_> =
            serde_json::from_str(text).map_err(|error| ParseError::json(&error, 0))?;
        file.start.check()?;
        let events = entries(text, &file.events, |entry: &mut Entry, _| entry.at)?;
        let keyframes = entries(text, &file.keyframes, |keyframe: &mut Keyframe, line| {
            keyframe.line = line;
            keyframe.at
        })?;
        let last_event = events.last().map_or(0.0, |entry| entry.at);
        let last_keyframe = keyframes.last().map_or(0.0, |keyframe| keyframe.at);
        let duration = file.duration.unwrap_or(last_event.max(last_keyframe));
        if duration < 0.0 {
            return Err(ParseError {
                line: None,
                reason: format!("invalid duration {duration}: expected 0 or more seconds"),
            });
        }
        Ok(Self::new(file.start, duration, events, keyframes))
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

/// Parses a list whose entries must be in order of time. `note` is called with every
/// entry and its line, and returns the time of the entry in seconds.
fn entries<T: for<'a> Deserialize<'a>>(
    text: &str,
    list: &[&RawValue],
    note: impl Fn(&mut T, usize) -> f64,
) -> Result<Vec<T>, ParseError> {
    // Byte offset up to which lines are counted, so that the text is scanned only once.
    let (mut reached, mut line) = (0, 1);
    let mut before = 0.0;
    list.iter()
        .map(|raw| {
            let start = raw.get().as_ptr() as usize - text.as_ptr() as usize;
            let passed = text[reached..start].bytes();
            line += passed.filter(|&byte| byte == b'\n').count();
            reached = start;
            let mut entry: T = serde_json::from_str(raw.get())
                .map_err(|error| ParseError::json(&error, line - 1))?;
            let at = note(&mut entry, line);
            if at < before {
                return Err(ParseError {
                    line: Some(line),
                    reason: format!(
                        "invalid time {at} s after {before} s: expected ascending times"
                    ),
                });
            }
            before = at;
            Ok(entry)
        })
        .collect()
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
                "line 3: invalid time 1 s after 2 s",
            ),
            ("{\"keyframes\": [\n{\"at\": -1}]}", "line 2"),
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
            ("{\"events\": [\n{\"at\": 0}]}", "line 2: missing event"),
            (
                "{\"events\": [\n{\"at\": 0, \"held\": true, \"leave\": null}]}",
                "line 2: entry has several events, `held` and `leave`",
            ),
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
    fn byte_order_mark_is_skipped() {
        let text = "\u{feff}{\"duration\": 3}";
        assert_eq!(Timeline::parse(text).expect("a timeline").duration, 3.0);
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
        assert!(refused.contains("line 1: invalid key `KeyAB`"), "{refused}");
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
