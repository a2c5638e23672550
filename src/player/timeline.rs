//! Recorded input: what the user did, and when, in a small JSON file.
//!
//! Recording: a [`Recorder`] is told every [`Event`]. Replaying: [`Timeline::at`]
//! gives what a scene is told at any time of the recording. It is a pure function:
//! every frame can be asked for on its own, in any order and at any size.
//!
//! The same file can be written by hand, with [`Keyframe`]s in place of events.

mod file;
mod keyframes;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::capture::files::{self, FileError};
use crate::player::Input;
use crate::player::Moment;
use crate::render::Frame;
use crate::shader::Parameters;

pub use self::keyframes::{Ease, Keyframe};

/// One thing the user did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The pointer is here: fractions of the picture from its lower left corner.
    Pointer([f64; 2]),
    /// The pointer left the picture.
    Leave,
    /// The button is down, or up.
    Held(bool),
    /// The camera: yaw and pitch in radians, zoom factor.
    Orbit([f32; 3]),
    /// A key went down, by JavaScript code.
    KeyDown(u8),
    /// A key came up, by JavaScript code.
    KeyUp(u8),
    /// A parameter got a value.
    Set(Assignment),
    /// From now on scene time runs like this.
    Clock(ClockMark),
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// The parameter's name.
    pub name: String,
    /// Its components.
    pub value: Vec<f64>,
}

/// How scene time runs from one moment on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockMark {
    /// Scene time at that moment, in seconds.
    pub time: f64,
    /// Seconds of scene time per second; 0 while paused.
    pub speed: f64,
}

/// An event with its time in seconds since the recording began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Seconds, not negative.
    pub at: f64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// A recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    /// Scene, input and parameters at the beginning.
    pub start: Moment,
    /// Length in seconds.
    pub duration: f64,
    /// What happened, in order.
    pub events: Vec<Entry>,
    /// Where pointer, camera and parameters are led, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<Keyframe>,
}

/// Why there is no timeline.
#[derive(Debug, Error)]
pub enum TimelineError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not a recording.
    #[error("{file} is no recording of tarsus: {reason}")]
    Form {
        /// The file.
        file: String,
        /// What is wrong with it, and in which line.
        reason: String,
    },
    /// It does not fit the scene.
    #[error("{file} does not fit the scene: {reason}")]
    Misfit {
        /// The file.
        file: String,
        /// What is wrong with it, and in which line.
        reason: String,
    },
}

/// What a scene is told at one time of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The uniform.
    pub frame: Frame,
    /// Pointer, camera and keys; the frame holds all of it but the keys.
    pub input: Input,
    /// Parameters by name.
    pub parameters: BTreeMap<String, Vec<f64>>,
}

impl Timeline {
    /// Reads a recording.
    ///
    /// # Errors
    /// [`TimelineError`] when the file cannot be read or is no recording.
    pub fn read(path: &Path) -> Result<Self, TimelineError> {
        let text = files::read_text(path)?;
        Self::parse(&text).map_err(|reason| TimelineError::Form {
            file: path.display().to_string(),
            reason,
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        file::parse(text)
    }

    /// Makes sure that every parameter it sets is one of the scene's, with as
    /// many components. `file` is where it was read from.
    ///
    /// # Errors
    /// [`TimelineError::Misfit`] naming the parameter.
    pub fn check(&self, file: &Path, parameters: &Parameters) -> Result<(), TimelineError> {
        let in_events = self.events.iter().filter_map(|entry| match &entry.event {
            Event::Set(set) => Some((None, &set.name, set.value.len())),
            _ => None,
        });
        let in_keyframes = self.keyframes.iter().flat_map(|keyframe| {
            let line = Some(keyframe.line);
            let values = keyframe.parameters.iter();
            values.map(move |(name, value)| (line, name, value.0.len()))
        });
        let start = self.start.parameters.iter();
        start
            .map(|(name, value)| (None, name, value.len()))
            .chain(in_events)
            .chain(in_keyframes)
            .try_for_each(|(line, name, components)| {
                parameters
                    .check_components(name, components)
                    .map_err(|reason| {
                        let line = line.map_or_else(String::new, |line| format!("line {line}: "));
                        TimelineError::Misfit {
                            file: file.display().to_string(),
                            reason: format!("{line}{reason}"),
                        }
                    })
            })
    }

    /// Writes the recording, one event per line.
    ///
    /// # Errors
    /// [`FileError`] naming the file and the reason.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        let text = self.text().map_err(|error| FileError::write(path, error))?;
        files::write_whole(path, |file| file.write_all(text.as_bytes()))
    }

    fn text(&self) -> serde_json::Result<String> {
        let head = Self {
            events: Vec::new(),
            ..self.clone()
        };
        let head = serde_json::to_string(&head)?;
        let lines: Vec<String> = self
            .events
            .iter()
            .map(serde_json::to_string)
            .collect::<Result<_, _>>()?;
        let head = head.trim_end_matches("]}");
        Ok(format!("{head}\n{}\n]}}\n", lines.join(",\n")))
    }

    /// What a scene is told `at` seconds into the recording, in the frame with
    /// number `index` at `fps`. What happened after the frame before is news.
    #[must_use]
    pub fn at(&self, at: f64, index: u32, fps: f64, resolution: (u32, u32)) -> Replayed {
        let mut state = State::new(&self.start);
        let before = at - 1.0 / fps;
        let (old, rest) = self
            .events
            .split_at(self.events.partition_point(|entry| entry.at <= before));
        let new = &rest[..rest.partition_point(|entry| entry.at <= at)];
        old.iter().for_each(|entry| state.apply(entry));
        let time_before = state.time(before.max(0.0));
        state.input.painted();
        new.iter().for_each(|entry| state.apply(entry));
        keyframes::lead(&self.keyframes, at, &mut state.input, &mut state.parameters);
        let time = state.time(at);
        let mut frame = Frame::at_time(resolution, index, time, fps);
        if at > 0.0 {
            frame.time_delta = (time - time_before).max(0.0) as f32;
        }
        frame.date = self.start.date;
        frame.date[3] = (f64::from(self.start.date[3]) + at) as f32;
        state.input.write(&mut frame);
        Replayed {
            frame,
            input: state.input,
            parameters: state.parameters,
        }
    }
}

/// Everything that events change.
#[derive(Clone, Debug)]
struct State {
    input: Input,
    parameters: BTreeMap<String, Vec<f64>>,
    /// The last mark of the clock, and when it was set.
    clock: (f64, ClockMark),
}

impl State {
    fn new(start: &Moment) -> Self {
        let mark = ClockMark {
            time: f64::from(start.time),
            speed: 1.0,
        };
        Self {
            input: start.input(),
            parameters: start.parameters.clone(),
            clock: (0.0, mark),
        }
    }

    /// Scene time at a time of the recording.
    fn time(&self, at: f64) -> f64 {
        let (since, mark) = self.clock;
        (mark.time + mark.speed * (at - since)).max(0.0)
    }

    fn apply(&mut self, entry: &Entry) {
        match &entry.event {
            Event::Set(Assignment { name, value }) => {
                self.parameters.insert(name.clone(), value.clone());
            }
            Event::Clock(mark) => self.clock = (entry.at, *mark),
            event => {
                let now = self.time(entry.at);
                event.apply(&mut self.input, now);
            }
        }
    }
}

impl Event {
    /// Tells `input` what happened at scene time `now`. Parameters and clock
    /// are no input.
    pub fn apply(&self, input: &mut Input, now: f64) {
        match *self {
            Self::Pointer(position) => input.point(position),
            Self::Leave => input.leave(),
            Self::Held(true) => input.press(now),
            Self::Held(false) => input.release(now),
            Self::Orbit(orbit) => input.look(orbit),
            Self::KeyDown(code) => input.keyboard.press(code),
            Self::KeyUp(code) => input.keyboard.release(code),
            Self::Set(_) | Self::Clock(_) => {}
        }
    }
}

/// Writes down what happens.
#[derive(Clone, Debug)]
pub struct Recorder {
    timeline: Timeline,
}

impl Recorder {
    /// Begins a recording at `start`, with scene time running at `speed`.
    #[must_use]
    pub fn new(start: Moment, clock: ClockMark) -> Self {
        let entry = Entry {
            at: 0.0,
            event: Event::Clock(clock),
        };
        let timeline = Timeline {
            start,
            duration: 0.0,
            events: vec![entry],
            keyframes: Vec::new(),
        };
        Self { timeline }
    }

    /// Takes down `event`, `at` seconds after the beginning. Events come in the
    /// order of time.
    pub fn record(&mut self, at: f64, event: Event) {
        self.timeline.duration = self.timeline.duration.max(at);
        let at = self.timeline.duration;
        self.timeline.events.push(Entry { at, event });
    }

    /// Ends the recording after `duration` seconds.
    #[must_use]
    pub fn finish(mut self, duration: f64) -> Timeline {
        self.timeline.duration = self.timeline.duration.max(duration);
        self.timeline
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Keyboard;
    use crate::render::NEVER;

    fn recording() -> Timeline {
        let start = Moment::new(
            "creature",
            &Frame::offline((800, 450), 0, 60.0),
            &Keyboard::default(),
            [("speed".to_owned(), vec![1.0])].into(),
        );
        let running = ClockMark {
            time: 0.0,
            speed: 1.0,
        };
        let mut recorder = Recorder::new(start, running);
        let set = Assignment {
            name: "speed".into(),
            value: vec![2.0],
        };
        for (at, event) in [
            (0.5, Event::Pointer([0.25, 0.5])),
            (1.0, Event::Held(true)),
            (1.0, Event::KeyDown(65)),
            (1.5, Event::Pointer([0.5, 0.5])),
            (2.0, Event::Held(false)),
            (
                2.0,
                Event::Clock(ClockMark {
                    time: 2.0,
                    speed: 0.0,
                }),
            ),
            (2.5, Event::Set(set)),
            (
                3.0,
                Event::Clock(ClockMark {
                    time: 2.0,
                    speed: 0.5,
                }),
            ),
            (3.0, Event::Leave),
            (3.0, Event::Orbit([0.5, 0.25, 2.0])),
        ] {
            recorder.record(at, event);
        }
        recorder.finish(5.0)
    }

    fn at(time: f64) -> Replayed {
        recording().at(time, 0, 60.0, (800, 450))
    }

    #[test]
    fn scene_time_follows_the_clock_marks() {
        for (time, expected) in [(0.0, 0.0), (1.5, 1.5), (2.5, 2.0), (3.0, 2.0), (5.0, 3.0)] {
            assert_eq!(at(time).frame.time, expected, "at {time}");
        }
        assert_eq!(at(0.0).frame.time_delta, 1.0f32 / 60.0);
        assert_eq!(at(2.5).frame.time_delta, 0.0, "paused");
    }

    #[test]
    fn input_is_what_it_was() {
        assert_eq!(at(0.9).frame.mouse, [0.0; 4]);
        assert_eq!(at(0.9).frame.pointer, [200.0, 225.0, 1.0, 0.0]);
        assert_eq!(at(1.0).frame.mouse, [200.0, 225.0, 200.0, 225.0]);
        assert_eq!(at(1.1).frame.mouse, [200.0, 225.0, 200.0, -225.0]);
        assert_eq!(at(1.75).frame.mouse, [400.0, 225.0, 200.0, -225.0]);
        assert_eq!(at(2.0).frame.mouse, [400.0, 225.0, -200.0, -225.0]);
        assert_eq!(at(1.25).frame.press_age, 0.25);
        assert_eq!(at(1.25).frame.release_age, NEVER);
        assert_eq!(
            at(5.0).frame.release_age,
            1.0,
            "ages stand still while paused"
        );
        assert_eq!(at(5.0).frame.pointer[2], 0.0);
        assert_eq!(at(5.0).frame.orbit, [0.5, 0.25, 2.0, 0.0]);
        assert_eq!(at(1.0).input.keyboard.codes()[1], [65]);
        assert!(at(1.1).input.keyboard.codes()[1].is_empty());
        assert_eq!(at(1.0).parameters["speed"], [1.0]);
        assert_eq!(at(2.5).parameters["speed"], [2.0]);
    }

    #[test]
    fn sizes_scale_the_pointer() {
        let small = recording().at(1.75, 0, 60.0, (80, 45)).frame;
        assert_eq!(small.mouse, [40.0, 22.0, 20.0, -22.0]);
    }

    #[test]
    fn a_file_gives_the_recording_back() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.json");
        recording().write(&path).expect("written");
        assert_eq!(Timeline::read(&path).expect("read"), recording());
    }

    #[test]
    fn wrong_files_are_refused() {
        let mut disorder = recording();
        disorder.events.swap(1, 6);
        for wrong in ["", "[1, 2]", &disorder.text().expect("text")] {
            assert!(Timeline::parse(wrong).is_err(), "{wrong}");
        }
        let far = recording()
            .text()
            .expect("text")
            .replace("\"key_down\":65", "\"key_down\":6500");
        assert!(Timeline::parse(&far).is_err());
    }
}
