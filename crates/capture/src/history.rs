//! Whether the moment of a picture holds the whole input of its buffers.

use super::frame_source::{FrameSource, InputSource};
use super::run_frames::{RunFrames, RunSettings};
use tarsus_player::Moment;
use tarsus_shader::{Program, Values};

/// Longest history that is checked, in frames.
const MOST_FRAMES: u32 = 1_000_000;

/// True if the input of `moment` is all that ever reached the buffers of its picture, so
/// that they are the same when they run to it. `channels` is the hash of the channels of
/// `program`, and `fps` the rate where the moment has none.
#[must_use]
pub fn holds_whole_history(moment: &Moment, program: &Program, channels: &str, fps: f64) -> bool {
    let source = FrameSource {
        scene: moment.scene.clone(),
        lens: moment.lens,
        values: Values::default(),
        input: InputSource::Moment(Box::new(moment.clone())),
    };
    let mut frames = RunFrames::new(RunSettings {
        program,
        source: &source,
        size: moment.size,
        fps,
        channels,
    });
    let number = moment.state.index;
    number < MOST_FRAMES && {
        frames.skip_to(number);
        frames.hash() == moment.history
    }
}
