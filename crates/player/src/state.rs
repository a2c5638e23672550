//! The state that a picture is a function of, and the uniform derived from it.

use serde::{Deserialize, Serialize};

use super::input::Input;
use tarsus_render::{Depth, Frame, Inputs};
use tarsus_shader::{Program, Values};

/// Frames per second unless given.
pub const FRAME_RATE: f64 = 60.0;

/// Everything that may change from one frame of a scene to the next.
///
/// This list of fields is the only one: a field added here is stored with every
/// moment and timeline, under its name, and [`SceneState::frame`] passes it to the
/// shaders. What is missing where it is read from has its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SceneState {
    /// Scene time in seconds since the start.
    pub time: f64,
    /// Seconds of scene time since the frame before.
    #[serde(alias = "time_delta")]
    pub delta: f64,
    /// Number of the frame, from 0.
    #[serde(rename = "frame")]
    pub index: u32,
    /// Frames per second.
    #[serde(rename = "fps")]
    pub frame_rate: f64,
    /// Shadertoy's `iDate`: year, month from 0, day, seconds since midnight.
    pub date: [f64; 4],
    /// Pointer, camera and keys.
    #[serde(flatten)]
    pub input: Input,
    /// Chosen values of the scene's parameters.
    #[serde(rename = "parameters")]
    pub values: Values,
}

impl Default for SceneState {
    /// The start of any scene, with no input.
    fn default() -> Self {
        Self::at(0.0, 0, FRAME_RATE)
    }
}

impl SceneState {
    /// Frame `index` of an offline run, at `time` in seconds and `frame_rate` in
    /// frames per second: no input, no date, every parameter at its default.
    #[must_use]
    pub fn at(time: f64, index: u32, frame_rate: f64) -> Self {
        Self {
            time,
            delta: 1.0 / frame_rate,
            index,
            frame_rate,
            date: [0.0; 4],
            input: Input::default(),
            values: Values::default(),
        }
    }

    /// The uniform for a picture of `size` pixels. `period` is the time in seconds
    /// after which the scene repeats itself: time is reduced by it while it is
    /// still exact, so that hours into a run motion is as smooth as at its start.
    /// A period that is not positive and finite is ignored.
    #[must_use]
    pub fn frame(&self, size: (u32, u32), period: Option<f64>) -> Frame {
        let Self { time, input, .. } = self;
        Frame {
            resolution: [size.0 as f32, size.1 as f32],
            sample_offset: [0.0; 2],
            tile_origin: [0.0; 2],
            stride: [1.0; 2],
            lens: [0.0; 2],
            time: reduced(*time, period) as f32,
            output_step: Depth::Eight.step(),
            mouse: input.mouse(size),
            pointer: input.pointer(size),
            orbit: input.orbit_uniform(),
            date: self.date.map(|part| part as f32),
            press_age: input.press_age(*time),
            release_age: input.release_age(*time),
            time_delta: self.delta as f32,
            frame_rate: self.frame_rate as f32,
            index: self.index,
            part: 0,
            unused: [0.0; 2],
        }
    }

    /// The rate in frames per second at which buffers run to this state, if it is one.
    #[must_use]
    pub fn run_rate(&self) -> Option<f64> {
        let is_rate = self.frame_rate > 0.0 && self.frame_rate.is_finite();
        is_rate.then_some(self.frame_rate)
    }

    /// The state in which buffers run frame `index` on the way to this one, at `fps`
    /// frames per second. Of a moment nothing is known of what came before it: every
    /// frame has its input.
    #[must_use]
    pub fn on_the_way(&self, index: u32, fps: f64) -> Self {
        Self {
            time: f64::from(index) / fps,
            index,
            delta: 1.0 / fps,
            ..self.clone()
        }
    }

    /// Everything `program` receives for one draw of `size` pixels.
    #[must_use]
    pub fn inputs(&self, program: &Program, size: (u32, u32)) -> Inputs {
        Inputs {
            frame: self.frame(size, program.period),
            parameters: program.parameters.bytes(&self.values),
            keyboard: self.input.keyboard.texels(),
        }
    }
}

/// The time in seconds since the last whole number of periods.
fn reduced(time: f64, period: Option<f64>) -> f64 {
    match period {
        // The remainder of floating-point numbers is exact.
        Some(period) if period > 0.0 && period.is_finite() => time % period,
        _ => time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tarsus_shader::{Library, Scene, compose};

    const SIZE: (u32, u32) = (640, 360);
    const TEN_HOURS: f64 = 36_000.0;

    fn drawn_at(time: f64, period: Option<f64>) -> Frame {
        SceneState::at(time, 7, 60.0).frame(SIZE, period)
    }

    #[test]
    fn a_state_without_input_is_the_offline_frame() {
        let offline = |index, time, fps| Frame {
            // The pointer is in the middle until it is moved.
            pointer: [320.0, 180.0, 0.0, 0.0],
            ..Frame::at_time(SIZE, index, time, fps)
        };
        for (time, index, fps) in [(0.0, 0, 60.0), (1.0 / 3.0, 20, 60.0), (7.25, 174, 24.0)] {
            let frame = SceneState::at(time, index, fps).frame(SIZE, None);
            assert_eq!(frame, offline(index, time, fps));
        }
        let start = SceneState::default().frame(SIZE, None);
        assert_eq!(start, offline(0, 0.0, 60.0));
    }

    #[test]
    fn hour_ten_looks_like_the_first_period() {
        // 4 s and these times are exact in f64, also ten hours later.
        for time in [0.0, 0.5, 1.25, 3.0 + 59.0 / 64.0] {
            let twin = drawn_at(time, Some(4.0));
            assert_eq!(drawn_at(TEN_HOURS + time, Some(4.0)), twin);
            assert_ne!(drawn_at(TEN_HOURS + time, None), twin);
        }
    }

    #[test]
    fn ages_are_not_reduced() {
        let mut state = SceneState::at(TEN_HOURS, 0, 60.0);
        state.input.press(TEN_HOURS - 100.0);
        state.input.release(TEN_HOURS - 10.0);
        let frame = state.frame(SIZE, Some(4.0));
        assert_eq!((frame.time, frame.press_age), (0.0, 100.0));
        assert_eq!(frame.release_age, 10.0);
    }

    #[test]
    fn a_period_that_is_none_is_ignored() {
        for period in [0.0, -4.0, f64::NAN, f64::INFINITY] {
            assert_eq!(drawn_at(9.5, Some(period)), drawn_at(9.5, None));
        }
    }

    #[test]
    fn inputs_are_those_of_the_program() {
        let text = "const LOOP_SECONDS: f32 = 4.0;
struct Params {
    /// Size [0, 1] = 0.25
    size: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(params.size); }
";
        let program = compose(&Scene::from_text(text, "s.wgsl"), &Library::default(), &[]);
        let program = program.expect("a scene");
        let mut state = SceneState::at(TEN_HOURS + 0.5, 7, 60.0);
        state.values.set("size", &[0.75]);
        state.input.keyboard.press(65);
        let inputs = state.inputs(&program, SIZE);
        assert_eq!(inputs.frame.time, 0.5);
        assert_eq!(inputs.parameters[..4], 0.75f32.to_ne_bytes());
        let on = [65, 256 + 65, 512 + 65].map(|texel| inputs.keyboard[texel]);
        assert_eq!(on, [255; 3]);
    }

    proptest! {
        #[test]
        fn within_the_first_period_nothing_is_reduced(
            period in 1e-3..1e4f64,
            fraction in 0.0..1.0f64,
        ) {
            let time = period * fraction;
            prop_assume!(time < period);
            prop_assert_eq!(drawn_at(time, Some(period)), drawn_at(time, None));
        }

        /// Only the rounding of the sum itself is left, a few picoseconds.
        #[test]
        fn later_periods_repeat_the_first(
            period in 0.1..60.0f64,
            fraction in 0.001..0.999f64,
            periods in 1..100_000u32,
        ) {
            let time = period * fraction;
            let late = f64::from(periods) * period + time;
            let off = (reduced(late, Some(period)) - time).abs();
            prop_assert!(off <= 2.0 * late * f64::EPSILON, "{off}");
        }
    }
}
