//! The state of a scene at any time: from constant input, a timeline or a snapshot.

use tarsus_player::timeline::Cursor;
use tarsus_player::{Input, SceneState, Snapshot, Timeline};
use tarsus_shader::{DebugView, Values};

/// Source of time and input.
#[derive(Clone, Debug)]
pub enum InputSource {
    /// Constant input.
    Still(Box<Input>),
    /// A recording or keyframes.
    Timeline(Box<Timeline>),
    /// The snapshot of a picture.
    Snapshot(Box<Snapshot>),
}

/// Content of the frames, independent of size and frame rate.
#[derive(Clone, Debug)]
pub struct FrameSource {
    /// Name of the scene as given by the user.
    pub scene: String,
    /// Debug view that the scene was composed with, if any.
    pub lens: Option<DebugView>,
    /// Parameter values that override those of `input`.
    pub values: Values,
    /// Source of time and input.
    pub input: InputSource,
}

/// Playback position in a source. It speeds up frames in ascending order of time and never
/// changes their state. Valid only for the source that created it.
#[derive(Clone, Debug)]
pub struct SourceCursor(Option<Cursor>);

impl FrameSource {
    /// Computes the state of frame `number` at `time` in seconds and `fps` frames per
    /// second. A pure function: frames may be requested in any order.
    #[must_use]
    pub fn state(&self, number: u32, time: f64, fps: f64) -> SceneState {
        self.state_from(&mut self.cursor(), number, time, fps)
    }

    /// Creates a cursor at the beginning, for [`Self::state_from`].
    #[must_use]
    pub fn cursor(&self) -> SourceCursor {
        SourceCursor(match &self.input {
            InputSource::Timeline(timeline) => Some(timeline.cursor()),
            InputSource::Still(_) | InputSource::Snapshot(_) => None,
        })
    }

    /// Like [`Self::state`], but faster for frames in ascending order of time.
    #[must_use]
    pub fn state_from(
        &self,
        cursor: &mut SourceCursor,
        number: u32,
        time: f64,
        fps: f64,
    ) -> SceneState {
        let mut state = match &self.input {
            InputSource::Still(input) => SceneState {
                input: Input::clone(input),
                ..SceneState::at(time, number, fps)
            },
            InputSource::Snapshot(snapshot) => SceneState {
                time,
                ..snapshot.state.clone()
            },
            InputSource::Timeline(timeline) => {
                let cursor = cursor.0.get_or_insert_with(|| timeline.cursor());
                timeline.at_cursor(cursor, time, number, fps)
            }
        };
        state.values.merge(&self.values);
        state
    }

    /// Last frame that the buffers run for the picture of frame `number`: that frame, or
    /// the frame of the snapshot.
    #[must_use]
    pub fn last_run(&self, number: u32) -> u32 {
        match &self.input {
            InputSource::Snapshot(snapshot) => snapshot.state.index,
            InputSource::Still(_) | InputSource::Timeline(_) => number,
        }
    }

    /// Frames per second at which the buffers run for pictures at `fps`: a snapshot can
    /// have its own rate.
    #[must_use]
    pub fn run_fps(&self, fps: f64) -> f64 {
        match &self.input {
            InputSource::Snapshot(snapshot) => snapshot.state.run_rate().unwrap_or(fps),
            InputSource::Still(_) | InputSource::Timeline(_) => fps,
        }
    }

    /// State in which the buffers run frame `number` of a run at `fps`. Before a snapshot
    /// it is [`SceneState::state_before`].
    #[must_use]
    pub fn run_state(&self, cursor: &mut SourceCursor, number: u32, fps: f64) -> SceneState {
        let fps = self.run_fps(fps);
        let state = self.state_from(cursor, number, f64::from(number) / fps, fps);
        match &self.input {
            InputSource::Snapshot(_) => state.state_before(number, fps),
            InputSource::Still(_) | InputSource::Timeline(_) => state,
        }
    }
}
