//! Check that a snapshot contains the whole input of its buffers.

use super::frame_source::{FrameSource, InputSource};
use super::run_frames::{RunFrames, RunSettings};
use tarsus_player::Snapshot;
use tarsus_shader::{Program, Values};

/// Maximum length of a history to check, in frames.
const MOST_FRAMES: u32 = 1_000_000;

/// True if the input in `snapshot` is everything that ever reached the buffers of its
/// picture, so that running them again reproduces their state. `channels` is the hash of
/// the channels of `program`, and `fps` the frame rate if the snapshot has none.
#[must_use]
pub fn holds_whole_history(
    snapshot: &Snapshot,
    program: &Program,
    channels: &str,
    fps: f64,
) -> bool {
    let source = FrameSource {
        scene: snapshot.scene.clone(),
        lens: snapshot.lens,
        values: Values::default(),
        input: InputSource::Snapshot(Box::new(snapshot.clone())),
    };
    let mut frames = RunFrames::new(RunSettings {
        program,
        source: &source,
        size: snapshot.size,
        fps,
        channels,
    });
    let number = snapshot.state.index;
    number < MOST_FRAMES && {
        frames.skip_to(number);
        frames.hash() == snapshot.history
    }
}
