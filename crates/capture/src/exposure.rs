//! Samples of a picture: positions within a pixel, at times while the shutter is open. All
//! of them read the same buffer state.

use super::frame_source::{FrameSource, SourceCursor};
use super::plan::PlannedFrame;
use super::quality::Quality;
use tarsus_render::Inputs;
use tarsus_shader::Program;

/// One of the samples that a picture averages.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    /// Scene time in seconds.
    pub time: f64,
    /// Shader inputs.
    pub inputs: Inputs,
}

/// The inputs that determine the samples of a run's frames.
#[derive(Clone, Copy)]
pub(super) struct Exposure<'a> {
    pub program: &'a Program,
    pub source: &'a FrameSource,
    pub size: (u32, u32),
    pub fps: f64,
    pub quality: Quality,
}

impl<'a> Exposure<'a> {
    /// Iterates lazily over all samples of a frame, since there can be millions. `cursor`
    /// must be at the frame; every tile starts from it again.
    pub(super) fn samples(
        self,
        frame: &PlannedFrame,
        cursor: &SourceCursor,
    ) -> impl Iterator<Item = Sample> + use<'a> {
        self.shutter(frame, cursor).flat_map(move |sample| {
            (0..self.quality.samples).map(move |index| {
                let mut sample = sample.clone();
                sample.inputs.frame.set_sample(index);
                sample
            })
        })
    }

    /// Iterates over one sample per shutter time.
    pub(super) fn shutter(
        self,
        frame: &PlannedFrame,
        cursor: &SourceCursor,
    ) -> impl Iterator<Item = Sample> + use<'a> {
        let mut cursor = cursor.clone();
        let number = frame.number;
        let times = self.quality.times(frame.time, self.fps);
        times.map(move |time| {
            let state = self.source.state_from(&mut cursor, number, time, self.fps);
            Sample {
                time: state.time,
                inputs: state.inputs(self.program, self.size),
            }
        })
    }
}
