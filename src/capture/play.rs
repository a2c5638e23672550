//! The state of a scene at any time: a clock alone, a mouse held still, or a
//! timeline.

use super::{Quality, Slot};
use crate::player::{Input, Moment, SceneState, Timeline};
use crate::render::Inputs;
use crate::shader::{Lens, Program, Values};

/// Where input comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// It stays as it is.
    Still(Box<Input>),
    /// A recording, or keyframes.
    Timeline(Box<Timeline>),
    /// The moment of a picture.
    Moment(Box<Moment>),
}

/// Everything that decides what frames look like, at one size and rate.
pub struct Play<'a> {
    /// Name of the scene, as it was asked for.
    pub scene: &'a str,
    /// The scene.
    pub program: &'a Program,
    /// The lens the scene was composed with, if any.
    pub lens: Option<Lens>,
    /// Values that win over those of the source.
    pub values: Values,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames per second.
    pub fps: f64,
    /// The input.
    pub source: Source,
}

impl Play<'_> {
    /// The samples of one frame.
    #[must_use]
    pub fn samples(&self, slot: &Slot, quality: &Quality) -> Vec<Inputs> {
        let samples = quality.samples(slot.time, self.fps);
        samples
            .map(|(time, sample_offset)| {
                let state = self.state(slot.number, time);
                let mut inputs = state.inputs(self.program, self.size);
                inputs.frame.sample_offset = sample_offset;
                inputs
            })
            .collect()
    }

    /// The description of one frame.
    #[must_use]
    pub fn moment(&self, slot: &Slot, quality: &Quality) -> Moment {
        let mut state = self.state(slot.number, slot.time);
        state.values = self.program.parameters.resolve(&state.values);
        Moment {
            hash: self.program.hash.clone(),
            lens: self.lens,
            samples: quality.samples,
            ..Moment::new(self.scene, self.size, state)
        }
    }

    fn state(&self, number: u32, time: f64) -> SceneState {
        let mut state = match &self.source {
            Source::Still(input) => SceneState {
                input: Input::clone(input),
                ..SceneState::at(time, number, self.fps)
            },
            Source::Moment(moment) => SceneState {
                time,
                ..moment.state.clone()
            },
            Source::Timeline(timeline) => timeline.at(time, number, self.fps),
        };
        state.values.merge(&self.values);
        state
    }
}
