//! Metadata of a run's frames, in frame order.

use super::exposure::Exposure;
use super::frame_source::SourceCursor;
use super::metadata::Metadata;
use super::plan::PlannedFrame;
use super::resume::Stamp;
use super::run_frames::RunFrames;
use tarsus_player::Snapshot;

/// Computes the metadata of frames in ascending order.
pub(super) struct Captions<'a> {
    exposure: Exposure<'a>,
    stamp: Stamp,
    cursor: SourceCursor,
    /// Buffer frames; `None` without buffers, or if the buffer state is given.
    frames: Option<RunFrames<'a>>,
}

impl<'a> Captions<'a> {
    /// Starts before the first frame.
    pub(super) fn new(exposure: Exposure<'a>, stamp: Stamp, frames: Option<RunFrames<'a>>) -> Self {
        Self {
            cursor: exposure.source.cursor(),
            exposure,
            stamp,
            frames,
        }
    }

    /// Returns the metadata of `frame`'s picture. It depends on every input that reached
    /// the buffers before, so frames must come in ascending order.
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
        let snapshot = Snapshot {
            hash: program.hash.clone(),
            history: history.unwrap_or_default(),
            lens: source.lens,
            samples: quality.samples,
            ..Snapshot::new(&source.scene, size, state)
        };
        let shutter = self.exposure.shutter(frame, &self.cursor);
        self.stamp
            .metadata(shutter.map(|sample| sample.inputs), &snapshot)
    }

    /// The cursor at the frame last passed to [`Self::of`].
    pub(super) fn cursor(&self) -> &SourceCursor {
        &self.cursor
    }
}
