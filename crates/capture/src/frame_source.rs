//! The state of a scene at any time: a clock alone, a mouse held still, or a
//! timeline.

use tarsus_player::timeline::Cursor;
use tarsus_player::{Input, Moment, SceneState, Timeline};
use tarsus_shader::{Lens, Values};

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

/// How far a source was played: frames in the order of time go on from there. It
/// belongs to the source that made it and never changes what a frame shows.
#[derive(Clone, Debug)]
pub struct SourceCursor(Option<Cursor>);

impl FrameSource {
    /// The state of frame `number` at `time` in seconds and `fps` frames per
    /// second. It is a pure function: frames can be asked for in any order.
    #[must_use]
    pub fn state(&self, number: u32, time: f64, fps: f64) -> SceneState {
        self.state_from(&mut self.cursor(), number, time, fps)
    }

    /// A cursor at the beginning, for [`Self::state_from`].
    #[must_use]
    pub fn cursor(&self) -> SourceCursor {
        SourceCursor(match &self.input {
            InputSource::Timeline(timeline) => Some(timeline.cursor()),
            InputSource::Still(_) | InputSource::Moment(_) => None,
        })
    }

    /// The same as [`Self::state`], faster for frames in the order of time.
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
            InputSource::Moment(moment) => SceneState {
                time,
                ..moment.state.clone()
            },
            InputSource::Timeline(timeline) => {
                let cursor = cursor.0.get_or_insert_with(|| timeline.cursor());
                timeline.at_cursor(cursor, time, number, fps)
            }
        };
        state.values.merge(&self.values);
        state
    }

    /// Number of the last frame that the buffers of a picture of frame `number` have
    /// run: that frame, or the one whose moment the picture shows.
    #[must_use]
    pub fn last_run(&self, number: u32) -> u32 {
        match &self.input {
            InputSource::Moment(moment) => moment.state.index,
            InputSource::Still(_) | InputSource::Timeline(_) => number,
        }
    }

    /// Frames per second at which the buffers run where pictures are asked for at
    /// `fps`: a moment has a rate of its own.
    #[must_use]
    pub fn run_fps(&self, fps: f64) -> f64 {
        match &self.input {
            InputSource::Moment(moment) => moment.state.run_rate().unwrap_or(fps),
            InputSource::Still(_) | InputSource::Timeline(_) => fps,
        }
    }

    /// The state in which buffers run frame `number` of a run at `fps`; on the way to a
    /// moment that is [`SceneState::on_the_way`].
    #[must_use]
    pub fn run_state(&self, cursor: &mut SourceCursor, number: u32, fps: f64) -> SceneState {
        let fps = self.run_fps(fps);
        let state = self.state_from(cursor, number, f64::from(number) / fps, fps);
        match &self.input {
            InputSource::Moment(_) => state.on_the_way(number, fps),
            InputSource::Still(_) | InputSource::Timeline(_) => state,
        }
    }
}
