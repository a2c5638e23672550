//! What a picture is the average of: samples of a pixel, at times while the shutter
//! is open. All of them see the same buffers.

use super::frame_source::{FrameSource, SourceCursor};
use super::plan::PlannedFrame;
use super::quality::Quality;
use tarsus_render::Inputs;
use tarsus_shader::Program;

/// One sample of a picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    /// Its time in seconds.
    pub time: f64,
    /// What the scene is told.
    pub inputs: Inputs,
}

/// How the frames of a run are exposed.
#[derive(Clone, Copy)]
pub(super) struct Exposure<'a> {
    pub program: &'a Program,
    pub source: &'a FrameSource,
    pub size: (u32, u32),
    pub fps: f64,
    pub quality: Quality,
}

impl<'a> Exposure<'a> {
    /// Every sample of a frame, one after the other: there can be millions. The
    /// cursor is at the frame, where every tile begins again.
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

    /// One sample at every time while the shutter is open.
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
