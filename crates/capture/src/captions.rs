//! What the pictures of a run say about themselves, one after the other.

use super::exposure::Exposure;
use super::frame_source::SourceCursor;
use super::metadata::Metadata;
use super::plan::PlannedFrame;
use super::resume::Stamp;
use super::run_frames::RunFrames;
use tarsus_player::Moment;

/// The metadata of frames in the order of their numbers.
pub(super) struct Captions<'a> {
    exposure: Exposure<'a>,
    stamp: Stamp,
    cursor: SourceCursor,
    /// Of a scene with buffers.
    frames: Option<RunFrames<'a>>,
}

impl<'a> Captions<'a> {
    /// Before the first frame.
    pub(super) fn new(exposure: Exposure<'a>, stamp: Stamp, frames: Option<RunFrames<'a>>) -> Self {
        Self {
            cursor: exposure.source.cursor(),
            exposure,
            stamp,
            frames,
        }
    }

    /// What the picture of `frame` says about itself. It depends on all that reaches
    /// the buffers before it.
    pub(super) fn of(&mut self, frame: &PlannedFrame) -> Metadata {
        let PlannedFrame { number, time, .. } = *frame;
        let Exposure {
            program,
            source,
            size,
            fps,
            quality,
        } = self.exposure;
        let mut state = source.state_from(&mut self.cursor, number, time, fps);
        state.values = program.parameters.resolve(&state.values);
        let history = self.frames.as_mut().map(|frames| {
            frames.skip_to(source.last_run(number));
            frames.hash()
        });
        let moment = Moment {
            hash: program.hash.clone(),
            history: history.unwrap_or_default(),
            lens: source.lens,
            samples: quality.samples,
            ..Moment::new(&source.scene, size, state)
        };
        let shutter = self.exposure.shutter(frame, &self.cursor);
        self.stamp
            .metadata(shutter.map(|sample| sample.inputs), &moment)
    }

    /// At the frame that [`Self::of`] was asked for last.
    pub(super) fn cursor(&self) -> &SourceCursor {
        &self.cursor
    }
}
