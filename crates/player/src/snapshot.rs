//! Snapshots: everything needed to draw one picture again.
//!
//! Every saved picture carries its snapshot as JSON. Dropping the picture on the window
//! or passing it to a command restores its scene, parameters, time and input.

use serde::{Deserialize, Serialize};

use super::error::ParseError;
use super::input::check_camera;
use super::state::SceneState;
use tarsus_shader::{DebugView, MAX_PICTURE_SIDE, SourceFiles};

/// Maximum time of a picture in seconds, which still fits the shaders' 32-bit floats.
pub const MAX_TIME: f64 = 1e38;

/// A stored state of a scene. Missing fields take their defaults and unknown fields are
/// ignored, so that files of other versions can be opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// Version of tarsus that wrote the snapshot.
    pub tarsus: String,
    /// The scene as named on the command line: the name of a built-in scene, or a file.
    pub scene: String,
    /// Hash of the scene's sources; empty if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// The debug view it was drawn with, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug_view: Option<DebugView>,
    /// Hash of everything that has affected the scene's buffers; empty if unknown or
    /// without buffers.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub history: String,
    /// Hash of the files of the scene's channels; empty if unknown or without any.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub channels: String,
    /// Sources of the scene, unless it is built in or they could not be stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<SourceFiles>,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Samples per pixel.
    pub samples: u32,
    /// Time, input and parameters.
    #[serde(flatten)]
    pub state: SceneState,
}

impl Default for Snapshot {
    /// Returns the start of any scene, with no input.
    fn default() -> Self {
        Self::new("", (1280, 720), SceneState::default())
    }
}

impl Snapshot {
    /// Describes the picture of `state` with `size` in pixels, one sample per pixel and
    /// no debug view.
    pub fn new(scene: &str, size: (u32, u32), state: SceneState) -> Self {
        Self {
            tarsus: env!("CARGO_PKG_VERSION").to_owned(),
            scene: scene.to_owned(),
            hash: String::new(),
            history: String::new(),
            channels: String::new(),
            debug_view: None,
            files: None,
            size,
            samples: 1,
            state,
        }
    }

    /// Parses a snapshot from JSON.
    ///
    /// # Errors
    /// Returns [`ParseError`] if the text is not JSON, or if a field has the wrong type
    /// or a value that no picture can have.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let snapshot: Self = serde_json::from_str(text)?;
        snapshot.check()?;
        Ok(snapshot)
    }

    /// Checks the values that determine memory use against the limits of the command
    /// line, and those that shaders receive against the range of their numbers.
    pub(super) fn check(&self) -> Result<(), ParseError> {
        let (width, height) = self.size;
        let sides = 1..=MAX_PICTURE_SIDE;
        let wrong = |reason| Err(ParseError(reason));
        if !sides.contains(&width) || !sides.contains(&height) {
            return wrong(format!(
                "invalid size {width}x{height}: expected sides of 1 to {MAX_PICTURE_SIDE} pixels"
            ));
        }
        let time = self.state.time;
        if time.abs() > MAX_TIME {
            return wrong(format!("invalid time {time:e}: expected at most {MAX_TIME:e} seconds"));
        }
        check_camera(self.state.input.orbit())
    }

    /// Returns the snapshot as one line of JSON. Numbers survive the round trip bit for
    /// bit.
    pub fn to_json(&self) -> String {
        // Numbers, strings, lists and maps with string keys always serialize.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;
    use proptest::prelude::*;

    /// A snapshot as docs/timeline.md describes it.
    const DOCUMENTED: &str = r#"{"tarsus":"0.1.0","scene":"sub/é.wgsl","debug_view":"depth",
        "size":[64,36],"samples":4,"time":1.3,"delta":0.016666668,"frame":78,"fps":24.0,
        "orbit":[0.3,-0.2,1.5],"date":[2026.0,1.0,3.0,60.5],"keys":[[65],[],[65,66]],
        "parameters":{"upper":[0.1,0.2]}}"#;

    #[test]
    fn documented_fields_are_read() {
        let snapshot = Snapshot::parse(DOCUMENTED).expect("a snapshot");
        assert_eq!((snapshot.scene.as_str(), snapshot.size), ("sub/é.wgsl", (64, 36)));
        assert_eq!((snapshot.debug_view, snapshot.samples), (Some(DebugView::Depth), 4));
        let frame = snapshot.state.frame(snapshot.size);
        assert_eq!((frame.time, frame.time_delta), (1.3, 0.016_666_668));
        assert_eq!((frame.index, frame.frame_rate), (78, 24.0));
        assert_eq!(frame.orbit, [0.3, -0.2, 1.5, 0.0]);
        assert_eq!(frame.date, [2026.0, 1.0, 3.0, 60.5]);
        let [down, _, toggled] = snapshot.state.input.keyboard.codes();
        assert_eq!((down, toggled), (vec![65], vec![65, 66]));
        assert_eq!(snapshot.state.values.get("upper"), Some(&vec![0.1, 0.2]));
    }

    #[test]
    fn missing_fields_default_unknown_are_ignored() {
        assert_eq!(Snapshot::parse("{}"), Ok(Snapshot::default()));
        let text = r#"{"scene": "creature", "of_tomorrow": {"a": [1, "b"]}}"#;
        let snapshot = Snapshot::parse(text).expect("a snapshot");
        assert_eq!(snapshot.scene, "creature");
        assert_eq!(snapshot.state, SceneState::default());
    }

    #[test]
    fn invalid_snapshots_are_rejected() {
        for wrong in ["", "[]", "{\"time\": \"noon\"}", "{\"orbit\": [1, 2]}"] {
            assert!(Snapshot::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn out_of_range_values_are_rejected() {
        for (text, expected) in [
            ("{\"size\": [0, 0]}", "invalid size 0x0"),
            ("{\"size\": [4294967295, 4294967295]}", "invalid size"),
            ("{\"size\": [65537, 2]}", "1 to 65536"),
            ("{\"time\": 1e39}", "invalid time 1e39"),
            ("{\"time\": 1e999}", "number out of range"),
            ("{\"orbit\": [0, 1e39, 1]}", "invalid camera [0.0, 1e39, 1.0]"),
        ] {
            let error = Snapshot::parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(Snapshot::parse("{\"size\": [65536, 1], \"time\": 1e38}").is_ok());
    }

    fn finite() -> impl Strategy<Value = f64> {
        proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO
    }

    fn inputs() -> impl Strategy<Value = Input> {
        let point = || [-0.5..1.5f64, -0.5..1.5];
        let times = (0.0..40_000.0f64, 0.0..40_000.0f64);
        let orbit = [-9.0..9.0f64, -1.5..1.5, 0.1..10.0];
        let keys = proptest::collection::vec(any::<u8>(), 0..4);
        (point(), point(), times, orbit, keys, 0..5usize).prop_map(
            |(from, to, (pressed, released), orbit, keys, steps)| {
                let mut input = Input::default();
                input.set_orbit(orbit);
                keys.iter().for_each(|&code| input.keyboard.press(code));
                let events: [&dyn Fn(&mut Input); 5] = [
                    &|input| input.move_pointer(from),
                    &|input| input.press(pressed),
                    &Input::end_frame,
                    &|input| input.move_pointer(to),
                    &|input| input.release(released),
                ];
                events[..=steps.min(4)].iter().for_each(|event| event(&mut input));
                input
            },
        )
    }

    proptest! {
        /// The complete round trip of a picture: stored, read, and drawn again at its own
        /// size.
        #[test]
        fn snapshot_round_trips_bit_exactly(
            time in 0.0..100_000.0f64,
            delta in finite(),
            index in any::<u32>(),
            frame_rate in 1e-3..1e4f64,
            date in [finite(), finite(), finite(), finite()],
            input in inputs(),
            value in proptest::collection::vec(finite(), 1..5),
            size in (1..5000u32, 1..5000u32),
        ) {
            let mut state = SceneState { delta, date, input, ..SceneState::at(time, index, frame_rate) };
            state.values.insert("é".into(), value);
            let snapshot = Snapshot {
                hash: "0123".to_owned(),
                history: "4567".to_owned(),
                channels: "89ab".to_owned(),
                debug_view: Some(DebugView::Steps),
                files: Some(SourceFiles {
                    title: Some("an é".to_owned()),
                    main: "é.wgsl".to_owned(),
                    files: [("é.wgsl".to_owned(), "// \"é\"\n".to_owned())].into(),
                }),
                ..Snapshot::new("sub/é.wgsl", size, state)
            };
            let read = Snapshot::parse(&snapshot.to_json()).expect("a snapshot");
            prop_assert_eq!(&read, &snapshot);
            prop_assert_eq!(read.to_json(), snapshot.to_json());
            // Unlike `==`, this tells 0 from -0.
            let frame = |snapshot: &Snapshot| format!("{:?}", snapshot.state.frame(snapshot.size));
            prop_assert_eq!(frame(&read), frame(&snapshot));
        }
    }
}
