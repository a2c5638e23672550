//! The scene state that a frame is rendered from, and the inputs derived from it.

use serde::{Deserialize, Serialize};

use super::input::Input;
use tarsus_render::{Frame, Inputs};
use tarsus_shader::{Program, Values};

/// Default frame rate, in frames per second.
pub const FRAME_RATE: f64 = 60.0;

/// All state that may change from one frame of a scene to the next.
///
/// This is the only list of these fields: a field added here is stored in every snapshot
/// and timeline under its name, and [`SceneState::frame`] passes it to the shaders.
/// Fields missing from a file take their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SceneState {
    /// Scene time since the start, in seconds.
    pub time: f64,
    /// Scene time since the previous frame, in seconds.
    pub delta: f64,
    /// Frame number, from 0.
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
    /// Parameter values chosen by the user.
    #[serde(rename = "parameters")]
    pub values: Values,
}

impl Default for SceneState {
    /// Returns the start of any scene, with no input.
    fn default() -> Self {
        Self::at(0.0, 0, FRAME_RATE)
    }
}

impl SceneState {
    /// Returns the state of frame `index` of an offline run, at `time` in seconds and
    /// `frame_rate` in frames per second: no input, no date, every parameter at its
    /// default.
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

    /// Returns the frame for a picture of `size` pixels.
    pub fn frame(&self, size: (u32, u32)) -> Frame {
        let Self { time, input, .. } = self;
        let mut frame = Frame::new(size, self.index, self.frame_rate).at_time(*time);
        frame.mouse = input.mouse(size);
        frame.pointer = input.pointer(size);
        frame.orbit = input.orbit_uniform();
        frame.date = self.date.map(|part| part as f32);
        frame.press_age = input.press_age(*time);
        frame.release_age = input.release_age(*time);
        frame.time_delta = self.delta as f32;
        frame
    }

    /// Returns the frame rate at which buffers run to this state, in frames per second,
    /// or `None` if it is not positive and finite.
    pub fn run_rate(&self) -> Option<f64> {
        let is_rate = self.frame_rate > 0.0 && self.frame_rate.is_finite();
        is_rate.then_some(self.frame_rate)
    }

    /// Returns the state for frame `index` when buffers run up to this state, at `fps`
    /// frames per second. A snapshot does not record earlier input, so every frame gets
    /// the input of this state.
    pub fn state_before(&self, index: u32, fps: f64) -> Self {
        Self { time: f64::from(index) / fps, index, delta: 1.0 / fps, ..self.clone() }
    }

    /// Returns everything that `program` receives for one draw of `size` pixels: a value for
    /// every parameter, so that choosing the default equals choosing nothing.
    pub fn inputs(&self, program: &Program, size: (u32, u32)) -> Inputs {
        let values = program.parameters.resolve(&self.values);
        let mut inputs = Inputs::new(self.frame(size)).with_values(values);
        inputs.keyboard = self.input.keyboard.texels();
        inputs
    }

    /// Returns everything that the sound of `program` receives. Every sample has its own
    /// time, so that of the frame is 0 and the inputs only change with the user's.
    pub fn sound_inputs(&self, program: &Program) -> Inputs {
        let mut inputs = self.inputs(program, (1, 1));
        (inputs.frame.time, inputs.frame.time_delta) = (0.0, 0.0);
        (inputs.frame.index, inputs.frame.date) = (0, [0.0; 4]);
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::{Library, Scene, compose};

    const SIZE: (u32, u32) = (640, 360);
    const TEN_HOURS: f64 = 36_000.0;

    #[test]
    fn state_without_input_matches_offline_frame() {
        let offline = |index, time, fps| {
            let mut frame = Frame::new(SIZE, index, fps).at_time(time);
            // The pointer is at the centre until it is moved.
            frame.pointer = [320.0, 180.0, 0.0, 0.0];
            frame
        };
        for (time, index, fps) in [(0.0, 0, 60.0), (1.0 / 3.0, 20, 60.0), (7.25, 174, 24.0)] {
            let frame = SceneState::at(time, index, fps).frame(SIZE);
            assert_eq!(frame, offline(index, time, fps));
        }
        let start = SceneState::default().frame(SIZE);
        assert_eq!(start, offline(0, 0.0, 60.0));
    }

    #[test]
    fn ages_are_seconds_of_scene_time() {
        let mut state = SceneState::at(TEN_HOURS, 0, 60.0);
        state.input.press(TEN_HOURS - 100.0);
        state.input.release(TEN_HOURS - 10.0);
        let frame = state.frame(SIZE);
        assert_eq!((frame.press_age, frame.release_age), (100.0, 10.0));
    }

    #[test]
    fn inputs_follow_the_program() {
        let text = "
struct Params {
    /// Size [0, 1] = 0.25
    size: f32,
    /// Weight [0, 1] = 0.5
    weight: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(params.size); }
";
        let program = compose(&Scene::from_text(text, "s.wgsl"), &Library::default(), &[]);
        let program = program.expect("a scene");
        let mut state = SceneState::at(TEN_HOURS + 0.5, 7, 60.0);
        state.values.insert("size".into(), vec![0.75]);
        state.input.keyboard.press(65);
        let inputs = state.inputs(&program, SIZE);
        assert_eq!(inputs.frame.time, TEN_HOURS + 0.5);
        let values = [("size", 0.75), ("weight", 0.5)];
        assert_eq!(
            inputs.values,
            values.map(|(name, value)| (name.to_owned(), vec![value])).into()
        );
        let on = [65, 256 + 65, 512 + 65].map(|texel| inputs.keyboard[texel]);
        assert_eq!(on, [255; 3]);
    }
}
