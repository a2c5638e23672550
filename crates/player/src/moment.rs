//! The description of one picture: all that is needed to draw it again.
//!
//! Every picture carries it as JSON, so that one that is dropped on the window or
//! given to a command brings back its scene, parameters, time and input.

use serde::{Deserialize, Serialize};

use super::error::ParseError;
use super::state::SceneState;
use tarsus_shader::Lens;

/// Longest side of a picture in pixels.
pub const LONGEST_SIDE: u32 = 65_536;

/// Latest time of a picture in seconds: the shaders' 32-bit floats hold it.
pub const LATEST_TIME: f64 = 1e38;

/// One state of one scene, stored. What is missing where it is read from has its
/// default, and what is unknown is ignored, so that files of other versions open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Moment {
    /// Version of the program.
    pub tarsus: String,
    /// The scene as named on the command line: a built-in name or a file.
    pub scene: String,
    /// Hash of the scene's texts, empty where it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// The lens it was drawn through, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lens: Option<Lens>,
    /// Hash of everything that had reached the buffers of the scene; empty without
    /// buffers, and where it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub history: String,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Samples per pixel.
    pub samples: u32,
    /// Time, input and parameters.
    #[serde(flatten)]
    pub state: SceneState,
}

impl Default for Moment {
    /// The start of any scene, with no input.
    fn default() -> Self {
        Self::new("", (1280, 720), SceneState::default())
    }
}

impl Moment {
    /// Describes the picture of `state` with `size` in pixels, one sample per
    /// pixel, no lens.
    #[must_use]
    pub fn new(scene: &str, size: (u32, u32), state: SceneState) -> Self {
        Self {
            tarsus: env!("CARGO_PKG_VERSION").to_owned(),
            scene: scene.to_owned(),
            hash: String::new(),
            history: String::new(),
            lens: None,
            size,
            samples: 1,
            state,
        }
    }

    /// Reads a moment from JSON.
    ///
    /// # Errors
    /// [`ParseError`] when it is no JSON, or a field has the wrong type or a value
    /// that no picture can have.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let moment: Self =
            serde_json::from_str(text).map_err(|error| ParseError::json(&error, 0))?;
        moment.check()?;
        Ok(moment)
    }

    /// Checks what sizes memory: the same limits as those of the command line.
    pub(super) fn check(&self) -> Result<(), ParseError> {
        let (width, height) = self.size;
        let sides = 1..=LONGEST_SIDE;
        let wrong = |reason| Err(ParseError { line: None, reason });
        if !sides.contains(&width) || !sides.contains(&height) {
            return wrong(format!(
                "invalid size {width}x{height}: expected sides of 1 to {LONGEST_SIDE} pixels"
            ));
        }
        let time = self.state.time;
        if time.abs() > LATEST_TIME {
            return wrong(format!(
                "invalid time {time:e}: expected at most {LATEST_TIME:e} seconds"
            ));
        }
        Ok(())
    }

    /// The moment as one line of JSON. Reading it back gives every number to the bit.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Numbers, strings, lists and string keys always have a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;
    use proptest::prelude::*;

    /// Written by version 0.1.0 before there was a [`SceneState`].
    const EARLIER: &str = r#"{"tarsus":"0.1.0","scene":"sub/é.wgsl","lens":"depth","size":[64,36],
        "samples":4,"time":1.3,"time_delta":0.016666668,"frame":78,"fps":24.0,
        "mouse":[20.0,10.0,20.0,-10.0],"pointer":[20.0,10.0,1.0,1.0],
        "orbit":[0.3,-0.2,1.5,0.0],"date":[2026.0,1.0,3.0,60.5],"press_age":61.3,
        "release_age":1000000.0,"keys":[[65],[],[65,66]],"parameters":{"upper":[0.1,0.2]}}"#;

    #[test]
    fn pictures_of_earlier_versions_open_at_their_moment() {
        let moment = Moment::parse(EARLIER).expect("a moment");
        assert_eq!(
            (moment.scene.as_str(), moment.size),
            ("sub/é.wgsl", (64, 36))
        );
        assert_eq!((moment.lens, moment.samples), (Some(Lens::Depth), 4));
        let frame = moment.state.frame(moment.size, None);
        assert_eq!((frame.time, frame.time_delta), (1.3, 0.016_666_668));
        assert_eq!((frame.index, frame.frame_rate), (78, 24.0));
        assert_eq!(frame.orbit, [0.3, -0.2, 1.5, 0.0]);
        assert_eq!(frame.date, [2026.0, 1.0, 3.0, 60.5]);
        let [down, _, toggled] = moment.state.input.keyboard.codes();
        assert_eq!((down, toggled), (vec![65], vec![65, 66]));
        assert_eq!(moment.state.values.get("upper"), Some(&[0.1, 0.2][..]));
    }

    #[test]
    fn what_is_missing_has_its_default_and_what_is_unknown_is_ignored() {
        assert_eq!(Moment::parse("{}"), Ok(Moment::default()));
        let text = r#"{"scene": "creature", "of_tomorrow": {"a": [1, "b"]}}"#;
        let moment = Moment::parse(text).expect("a moment");
        assert_eq!(moment.scene, "creature");
        assert_eq!(moment.state, SceneState::default());
    }

    #[test]
    fn other_texts_are_refused() {
        for wrong in ["", "[]", "{\"time\": \"noon\"}", "{\"orbit\": [1, 2]}"] {
            assert!(Moment::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_that_no_picture_can_have_are_refused() {
        for (text, expected) in [
            ("{\"size\": [0, 0]}", "invalid size 0x0"),
            ("{\"size\": [4294967295, 4294967295]}", "invalid size"),
            ("{\"size\": [65537, 2]}", "1 to 65536"),
            ("{\"time\": 1e39}", "invalid time 1e39"),
            ("{\"time\": 1e999}", "number out of range"),
            ("{\"orbit\": [0, 1e39, 1]}", "number out of range"),
        ] {
            let error = Moment::parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(Moment::parse("{\"size\": [65536, 1], \"time\": 1e38}").is_ok());
    }

    fn finite() -> impl Strategy<Value = f64> {
        proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO
    }

    fn inputs() -> impl Strategy<Value = Input> {
        let point = || [-0.5..1.5f64, -0.5..1.5];
        let times = (0.0..40_000.0f64, 0.0..40_000.0f64);
        let orbit = [-9.0..9.0f32, -1.5..1.5, 0.1..10.0];
        let keys = proptest::collection::vec(any::<u8>(), 0..4);
        (point(), point(), times, orbit, keys, 0..5usize).prop_map(
            |(from, to, (pressed, released), orbit, keys, steps)| {
                let mut input = Input::default();
                input.look(orbit);
                keys.iter().for_each(|&code| input.keyboard.press(code));
                let events: [&dyn Fn(&mut Input); 5] = [
                    &|input| input.point(from),
                    &|input| input.press(pressed),
                    &Input::painted,
                    &|input| input.point(to),
                    &|input| input.release(released),
                ];
                events[..=steps.min(4)]
                    .iter()
                    .for_each(|event| event(&mut input));
                input
            },
        )
    }

    proptest! {
        /// The whole way of a picture: stored, read, drawn again at its own size.
        #[test]
        fn a_moment_comes_back_to_the_bit(
            time in 0.0..100_000.0f64,
            delta in finite(),
            index in any::<u32>(),
            frame_rate in 1e-3..1e4f64,
            date in [finite(), finite(), finite(), finite()],
            input in inputs(),
            value in proptest::collection::vec(finite(), 1..5),
            size in (1..5000u32, 1..5000u32),
            period in proptest::option::of(0.1..100.0f64),
        ) {
            let mut state = SceneState { delta, date, input, ..SceneState::at(time, index, frame_rate) };
            state.values.set("é", &value);
            let moment = Moment {
                hash: "0123".to_owned(),
                history: "4567".to_owned(),
                lens: Some(Lens::Steps),
                ..Moment::new("sub/é.wgsl", size, state)
            };
            let read = Moment::parse(&moment.to_json()).expect("a moment");
            prop_assert_eq!(&read, &moment);
            prop_assert_eq!(read.to_json(), moment.to_json());
            let frame = |moment: &Moment| {
                bytemuck::bytes_of(&moment.state.frame(moment.size, period)).to_vec()
            };
            prop_assert_eq!(frame(&read), frame(&moment));
        }
    }
}
