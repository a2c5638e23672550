//! Reading a timeline, with the line of whatever is wrong.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::keyframes::{self, Keyframe};
use super::{Entry, Timeline};
use crate::player::Moment;

/// The file as it stands; its lists are read entry by entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outline<'a> {
    /// For editors.
    #[serde(rename = "$schema", default)]
    _schema: Option<String>,
    #[serde(default)]
    start: Moment,
    duration: Option<f64>,
    #[serde(borrow, default)]
    events: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    keyframes: Vec<&'a RawValue>,
}

pub(super) fn parse(text: &str) -> Result<Timeline, String> {
    let outline: Outline<'_> = serde_json::from_str(text).map_err(|error| complaint(&error, 0))?;
    let mut events: Vec<Entry> = entries(text, &outline.events, |_, _| {})?;
    let keyframes = entries(text, &outline.keyframes, |keyframe: &mut Keyframe, line| {
        keyframe.line = line;
    })?;
    let last_event = events.last().map_or(0.0, |entry| entry.at);
    let last_keyframe = keyframes.last().map_or(0.0, |keyframe| keyframe.at);
    let duration = outline.duration.unwrap_or(last_event.max(last_keyframe));
    if duration < 0.0 {
        return Err("its duration is less than 0".to_owned());
    }
    events.extend(keyframes::events(&keyframes));
    // Stable: what happens at one time stays in its order.
    events.sort_by(|a, b| a.at.total_cmp(&b.at));
    Ok(Timeline {
        start: outline.start,
        duration,
        events,
        keyframes,
    })
}

/// Something that happens at a time.
trait Timed: for<'a> Deserialize<'a> {
    fn at(&self) -> f64;
}

impl Timed for Entry {
    fn at(&self) -> f64 {
        self.at
    }
}

impl Timed for Keyframe {
    fn at(&self) -> f64 {
        self.at
    }
}

/// Reads a list whose entries must be in the order of time.
fn entries<T: Timed>(
    text: &str,
    list: &[&RawValue],
    mut note: impl FnMut(&mut T, usize),
) -> Result<Vec<T>, String> {
    let mut before = 0.0;
    list.iter()
        .map(|raw| {
            let line = line_of(text, raw.get());
            let mut entry: T =
                serde_json::from_str(raw.get()).map_err(|error| complaint(&error, line - 1))?;
            let at = entry.at();
            if at < before {
                return Err(format!(
                    "line {line}: {at} s comes before {before} s: write what happens in the order of time"
                ));
            }
            before = at;
            note(&mut entry, line);
            Ok(entry)
        })
        .collect()
}

/// The line, from 1, on which `part` of `text` begins.
fn line_of(text: &str, part: &str) -> usize {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    text[..start].matches('\n').count() + 1
}

/// An error of a part that begins after `lines` lines of the file.
fn complaint(error: &serde_json::Error, lines: usize) -> String {
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or(&message);
    format!("line {}: {reason}", lines + error.line().max(1))
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
                "line 3: 1 s comes before 2 s",
            ),
            ("{\"keyframes\": [\n{\"at\": -1}]}", "line 2"),
            (
                "{\"keyframes\": [\n{\"target\": [0, 0]}]}",
                "line 2: missing field `at`",
            ),
            (
                "{\"keyframes\": [\n{\"at\": 0,\n\"ease\": \"slow\"}]}",
                "line 3: unknown variant `slow`",
            ),
            ("{\"events\": [\n{\"at\": 0, \"held\": 3}]}", "line 2"),
            ("{\n\"keyframe\": []}", "line 2: unknown field `keyframe`"),
            ("{\n\"duration\": -1}", "duration"),
        ];
        for (text, expected) in cases {
            let error = parse(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn the_duration_is_that_of_the_last_entry_unless_given() {
        let duration = |text| parse(text).expect("timeline").duration;
        assert_eq!(
            duration("{\"keyframes\": [{\"at\": 0}, {\"at\": 2.5}]}"),
            2.5
        );
        assert_eq!(
            duration("{\"duration\": 9, \"keyframes\": [{\"at\": 1}]}"),
            9.0
        );
    }
}
