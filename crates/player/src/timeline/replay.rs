//! Timelines, and their state at any time.

use super::event::{ClockMark, Entry, Event};
use super::keyframes::{self, Keyframe};
use crate::error::ParseError;
use crate::input::Input;
use crate::snapshot::Snapshot;
use crate::state::SceneState;
use tarsus_shader::{Parameters, Values};

/// A recording, or a sequence of keyframes.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Scene, input and parameters at the start.
    pub start: Snapshot,
    /// Length in seconds.
    pub duration: f64,
    /// Recorded events, in order of time.
    events: Vec<Entry>,
    /// Keyframes of pointer, camera and parameters, in order of time.
    keyframes: Vec<Keyframe>,
    /// The recorded events merged with the button and key events of the keyframes.
    changes: Vec<Entry>,
    /// The playback after every [`CHANGES_PER_PLAYBACK`] changes, from which later states are
    /// reached without applying all changes from the start.
    playbacks: Vec<Playback>,
}

/// Number of changes from one stored playback to the next.
const CHANGES_PER_PLAYBACK: usize = 256;

impl Timeline {
    /// Creates a timeline of `duration` seconds. Events and keyframes must be in order of
    /// time.
    pub fn new(
        start: Snapshot,
        duration: f64,
        events: Vec<Entry>,
        keyframes: Vec<Keyframe>,
    ) -> Self {
        let mut changes = events.clone();
        changes.extend(keyframes::events(&keyframes));
        // A stable sort keeps the order of simultaneous events.
        changes.sort_by(|a, b| a.at.total_cmp(&b.at));
        let mut timeline =
            Self { start, duration, events, keyframes, changes, playbacks: Vec::new() };
        timeline.store_playbacks();
        timeline
    }

    /// Adds an event that was recorded `at` seconds after the start. Events are kept in order
    /// of time: a late event takes the time of the one before it.
    pub(crate) fn record(&mut self, at: f64, event: Event) {
        self.duration = self.duration.max(at);
        let entry = Entry { at: self.duration, event };
        self.events.push(entry.clone());
        self.changes.push(entry);
        self.store_playbacks();
    }

    /// Stores the playbacks that are missing.
    fn store_playbacks(&mut self) {
        for changes in (self.playbacks.len() + 1..).map(|number| number * CHANGES_PER_PLAYBACK) {
            if changes > self.changes.len() {
                return;
            }
            self.playbacks.push(self.playback_after(changes));
        }
    }

    /// Returns the playback after this number of changes.
    fn playback_after(&self, changes: usize) -> Playback {
        let stored = self.playbacks.len().min(changes / CHANGES_PER_PLAYBACK);
        let mut playback = match self.playbacks[..stored].last() {
            Some(playback) => playback.clone(),
            None => Playback::new(&self.start.state),
        };
        playback.apply(&self.changes[stored * CHANGES_PER_PLAYBACK..changes]);
        playback
    }

    /// Returns the recording up to `seconds` after the start, or up to the last event if that
    /// is later.
    pub(crate) fn until(self, seconds: f64) -> Self {
        Self { duration: self.duration.max(seconds), ..self }
    }

    /// True if the recording does not start at frame 0, so that buffers are not empty there.
    pub fn starts_midway(&self) -> bool {
        self.start.state.index > 0
    }

    /// Recorded events, in order of time.
    pub fn events(&self) -> &[Entry] {
        &self.events
    }

    /// Keyframes, in order of time.
    pub fn keyframes(&self) -> &[Keyframe] {
        &self.keyframes
    }

    /// Checks that every parameter it sets exists in the scene with the same number of
    /// components.
    ///
    /// # Errors
    /// Returns [`ParseError`] naming the parameter, and the place at which it is set.
    pub fn check(&self, parameters: &Parameters) -> Result<(), ParseError> {
        let start = self.start.state.values.iter();
        let in_start = start.map(|(name, value)| (None, name, value.len()));
        let in_events = self.events.iter().filter_map(|entry| match &entry.event {
            Event::Set { name, value } => Some((Some(entry.at), name, value.len())),
            _ => None,
        });
        let in_keyframes = self.keyframes.iter().flat_map(|keyframe| {
            let values = keyframe.parameters.iter();
            values.map(|(name, value)| (Some(keyframe.at), name, value.components().len()))
        });
        for (at, name, components) in in_start.chain(in_events).chain(in_keyframes) {
            parameters.check_components(name, components).map_err(|error| {
                let place = at.map_or_else(|| "in `start`".to_owned(), |at| format!("at {at} s"));
                ParseError(format!("{place}: {error}"))
            })?;
        }
        Ok(())
    }

    /// Returns the state `at` seconds into the recording, `index` frames after its start, at
    /// `fps` frames per second. Events since the previous frame count as new in this
    /// frame.
    pub fn at(&self, at: f64, index: u32, fps: f64) -> SceneState {
        let before = at - 1.0 / fps;
        let until = |time: f64| self.changes.partition_point(|entry| entry.at <= time);
        let (old, new) = (until(before), until(at));
        let mut playback = self.playback_after(old);
        let time_before = playback.time(before.max(0.0));
        playback.input.end_frame();
        playback.apply(&self.changes[old..new]);
        keyframes::apply(&self.keyframes, at, &mut playback.input, &mut playback.values);
        let time = playback.time(at);
        let [year, month, day, seconds] = self.start.state.date;
        SceneState {
            delta: if at > 0.0 { (time - time_before).max(0.0) } else { 1.0 / fps },
            date: [year, month, day, seconds + at],
            input: playback.input,
            values: playback.values,
            ..SceneState::at(time, self.start.state.index.saturating_add(index), fps)
        }
    }
}

/// The state accumulated while changes are applied.
#[derive(Clone, Debug, PartialEq)]
struct Playback {
    input: Input,
    values: Values,
    /// The last clock mark, and the time at which it was set.
    clock: (f64, ClockMark),
}

impl Playback {
    fn new(start: &SceneState) -> Self {
        let clock = (0.0, ClockMark { time: start.time, speed: 1.0 });
        Self { input: start.input.clone(), values: start.values.clone(), clock }
    }

    /// Converts a time of the recording to scene time, both in seconds.
    fn time(&self, at: f64) -> f64 {
        let (since, mark) = self.clock;
        (mark.time + mark.speed * (at - since)).max(0.0)
    }

    fn apply(&mut self, changes: &[Entry]) {
        for entry in changes {
            match &entry.event {
                Event::Set { name, value } => {
                    self.values.insert(name.clone(), value.clone());
                }
                Event::Clock(mark) => self.clock = (entry.at, *mark),
                event => {
                    let clock = ClockMark { time: self.time(entry.at), ..self.clock.1 };
                    event.apply(&mut self.input, clock);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_render::{Frame, NEVER};

    fn recording() -> Timeline {
        let mut state = SceneState::default();
        state.values.insert("speed".into(), vec![1.0]);
        let start = Snapshot::new("creature", (800, 450), state);
        let clock = |time, speed| Event::Clock(ClockMark { time, speed });
        let set = Event::Set { name: "speed".into(), value: vec![2.0] };
        let events = [
            (0.0, clock(0.0, 1.0)),
            (0.5, Event::Pointer([0.25, 0.5])),
            (1.0, Event::Held(true)),
            (1.0, Event::KeyDown(65)),
            (1.5, Event::Pointer([0.5, 0.5])),
            (2.0, Event::Held(false)),
            (2.0, clock(2.0, 0.0)),
            (2.5, set),
            (3.0, clock(2.0, 0.5)),
            (3.0, Event::Leave),
            (3.0, Event::Orbit([0.5, 0.25, 2.0])),
        ]
        .map(|(at, event)| Entry { at, event });
        Timeline::new(start, 5.0, events.into(), Vec::new())
    }

    fn at(time: f64) -> SceneState {
        recording().at(time, 0, 60.0)
    }

    fn frame(time: f64) -> Frame {
        at(time).frame((800, 450))
    }

    #[test]
    fn scene_time_follows_the_clock_marks() {
        for (time, expected) in [(0.0, 0.0), (1.5, 1.5), (2.5, 2.0), (3.0, 2.0), (5.0, 3.0)] {
            assert_eq!(frame(time).time, expected, "at {time}");
        }
        assert_eq!(frame(0.0).time_delta, 1.0f32 / 60.0);
        assert_eq!(frame(2.5).time_delta, 0.0, "paused");
    }

    #[test]
    fn replay_reproduces_input() {
        assert_eq!(frame(0.9).mouse, [0.0; 4]);
        assert_eq!(frame(0.9).pointer, [200.0, 225.0, 1.0, 0.0]);
        assert_eq!(frame(1.0).mouse, [200.0, 225.0, 200.0, 225.0]);
        assert_eq!(frame(1.1).mouse, [200.0, 225.0, 200.0, -225.0]);
        assert_eq!(frame(1.75).mouse, [400.0, 225.0, 200.0, -225.0]);
        assert_eq!(frame(2.0).mouse, [400.0, 225.0, -200.0, -225.0]);
        assert_eq!(frame(1.25).press_age, 0.25);
        assert_eq!(frame(1.25).release_age, NEVER);
        assert_eq!(frame(5.0).release_age, 1.0, "ages stand still while paused");
        assert_eq!(frame(5.0).pointer[2], 0.0);
        assert_eq!(frame(5.0).orbit, [0.5, 0.25, 2.0, 0.0]);
        assert_eq!(at(1.0).input.keyboard.codes()[1], [65]);
        assert!(at(1.1).input.keyboard.codes()[1].is_empty());
        assert_eq!(at(1.0).values.get("speed"), Some(&vec![1.0]));
        assert_eq!(at(2.5).values.get("speed"), Some(&vec![2.0]));
    }

    #[test]
    fn replayed_press_in_pause_is_complete() {
        let events =
            [(0.0, Event::Clock(ClockMark { time: 4.0, speed: 0.0 })), (1.0, Event::Held(true))]
                .map(|(at, event)| Entry { at, event });
        let start = Snapshot::new("creature", (800, 450), SceneState::default());
        let paused = Timeline::new(start, 2.0, events.into(), Vec::new());
        let frame = paused.at(1.5, 0, 60.0).frame((800, 450));
        assert_eq!((frame.time, frame.press_age), (4.0, 60.0));
    }

    #[test]
    fn sizes_scale_the_pointer() {
        let small = at(1.75).frame((80, 45));
        assert_eq!(small.mouse, [40.0, 22.0, 20.0, -22.0]);
    }

    #[test]
    fn recording_starts_at_any_time() {
        let state =
            SceneState { time: 36_000.1, date: [2026.0, 1.0, 3.0, 60.5], ..SceneState::default() };
        let start = Snapshot::new("creature", (800, 450), state);
        let timeline = Timeline::new(start, 9.0, Vec::new(), Vec::new());
        let state = timeline.at(0.5, 30, 60.0);
        assert_eq!((state.time, state.index), (36_000.6, 30));
        assert_eq!(state.date, [2026.0, 1.0, 3.0, 61.0]);
    }

    #[test]
    fn late_events_keep_order() {
        let mut timeline = Timeline::new(Snapshot::default(), 0.0, Vec::new(), Vec::new());
        timeline.record(1.0, Event::Held(true));
        timeline.record(0.5, Event::Held(false));
        let timeline = timeline.until(0.75);
        assert_eq!(timeline.duration, 1.0);
        let times: Vec<f64> = timeline.events().iter().map(|entry| entry.at).collect();
        assert_eq!(times, [1.0, 1.0]);
        assert!(!timeline.at(1.0, 60, 60.0).input.is_held());
    }

    #[test]
    fn parameters_are_checked() {
        let text = "{\"keyframes\": [\n{\"at\": 0, \"parameters\": {\"speed\": 1}}]}";
        for (timeline, place) in [(by_hand(text), "at 0 s"), (recording(), "in `start`")] {
            let error = timeline.check(&Parameters::default()).expect_err("unknown");
            let expected = format!("{place}: the scene has no parameter `speed`");
            assert!(error.to_string().starts_with(&expected), "{error}");
        }
    }

    #[test]
    fn stored_playbacks_leave_states_unchanged() {
        let mut timeline = recording();
        for number in 0..2000u32 {
            let at = 5.0 + f64::from(number / 3) / 100.0;
            timeline.record(at, Event::Pointer([at.sin(), 0.5]));
            timeline.record(at, Event::Held(number % 7 < 3));
        }
        assert_eq!(timeline.playbacks.len(), timeline.changes.len() / CHANGES_PER_PLAYBACK);
        let all = timeline.changes.clone();
        let parsed = Timeline::new(timeline.start.clone(), timeline.duration, all, Vec::new());
        assert_eq!(parsed, timeline);
        let from_start = Timeline { playbacks: Vec::new(), ..parsed };
        for tenth in 0..130u32 {
            let at = f64::from(tenth) / 10.0;
            assert_eq!(timeline.at(at, tenth, 10.0), from_start.at(at, tenth, 10.0), "at {at}");
        }
    }

    fn by_hand(text: &str) -> Timeline {
        Timeline::parse(text).expect("timeline")
    }

    #[test]
    fn values_interpolate_between_keyframes() {
        let text = r#"{"keyframes": [
            {"at": 1, "target": [0.2, 0.4], "parameters": {"a": 3}},
            {"at": 2, "camera": [1, 0, 2]},
            {"at": 3, "target": [0.6, 0.8], "ease": "linear", "parameters": {"a": [5]}}
        ]}"#;
        let at = |time| by_hand(text).at(time, 0, 60.0);
        for (time, x, y, a) in [
            (0.0, 20.0, 40.0, 3.0),
            (1.0, 20.0, 40.0, 3.0),
            (2.0, 40.0, 60.0, 4.0),
            (3.0, 60.0, 80.0, 5.0),
            (9.0, 60.0, 80.0, 5.0),
        ] {
            let state = at(time);
            let frame = state.frame((100, 100));
            let pointer = frame.pointer;
            assert!((pointer[0] - x).abs() < 1e-4 && (pointer[1] - y).abs() < 1e-4, "{time}");
            assert_eq!(state.values.get("a"), Some(&vec![a]), "at {time}");
            assert_eq!(frame.orbit, [1.0, 0.0, 2.0, 0.0]);
        }
    }

    #[test]
    fn press_drags_from_target() {
        let text = r#"{"keyframes": [
            {"at": 0, "target": [0, 0.5]},
            {"at": 1, "held": true, "keys": [65, 66]},
            {"at": 2, "target": [1, 0.5], "ease": "linear", "held": false, "keys": [66]}
        ]}"#;
        let at = |time| by_hand(text).at(time, 0, 10.0);
        let mouse = |time| at(time).frame((100, 100)).mouse;
        assert_eq!(mouse(0.9), [0.0; 4]);
        assert_eq!(mouse(1.0), [50.0, 50.0, 50.0, 50.0], "pressed");
        assert_eq!(mouse(1.5), [75.0, 50.0, 50.0, -50.0], "dragged");
        assert_eq!(mouse(3.0), [100.0, 50.0, -50.0, -50.0], "released");
        assert_eq!(at(1.5).input.keyboard.codes()[0], [65, 66]);
        assert_eq!(at(2.5).input.keyboard.codes()[0], [66]);
    }

    #[test]
    fn documented_example_parses() {
        let example = by_hand(include_str!("../../../../docs/timeline.example.json"));
        assert!(example.keyframes().len() > 2 && example.duration > 0.0);
    }
}
