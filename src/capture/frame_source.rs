//! The state of a scene at any time: a clock alone, a mouse held still, or a
//! timeline.

use crate::player::{Input, Moment, SceneState, Timeline};
use crate::shader::{Lens, Values};

/// Where time and input come from.
#[derive(Clone, Debug)]
pub enum InputSource {
    /// Input that stays as it is.
    Still(Box<Input>),
    /// A recording, or keyframes.
    Timeline(Box<Timeline>),
    /// The moment of a picture.
    Moment(Box<Moment>),
}

/// What frames show, at any size and rate.
#[derive(Clone, Debug)]
pub struct FrameSource {
    /// Name of the scene, as it was asked for.
    pub scene: String,
    /// The lens the scene was composed with, if any.
    pub lens: Option<Lens>,
    /// Values that win over those of the input's source.
    pub values: Values,
    /// Where time and input come from.
    pub input: InputSource,
}

impl FrameSource {
    /// The state of frame `number` at `time` in seconds and `fps` frames per
    /// second. It is a pure function: frames can be asked for in any order.
    #[must_use]
    pub fn state(&self, number: u32, time: f64, fps: f64) -> SceneState {
        let mut state = match &self.input {
            InputSource::Still(input) => SceneState {
                input: Input::clone(input),
                ..SceneState::at(time, number, fps)
            },
            InputSource::Moment(moment) => SceneState {
                time,
                ..moment.state.clone()
            },
            InputSource::Timeline(timeline) => timeline.at(time, number, fps),
        };
        state.values.merge(&self.values);
        state
    }
}
