//! Reproducibility warnings for pictures that are rendered again.

use super::fits;
use crate::cli::DEFAULT_FPS;
use tarsus_capture::{CaptureSpec, InputSource, has_complete_history};
use tarsus_shader::Program;

/// Reason why a picture may differ when rendered again.
pub(super) struct ReproducibilityWarning {
    /// True if the scene has changed; false if its buffers depend on unrecorded input.
    pub(super) scene_changed: bool,
    pub(super) message: String,
}

/// Compares the snapshot of `picture`, if `spec` renders one, with `program`, whose channels
/// have the hash `channels`, and with the input that reached its buffers. If the buffer
/// state is known (`has_saved_buffers`), earlier input is irrelevant.
pub(super) fn find_warning(
    spec: &CaptureSpec,
    picture: &str,
    program: &Program,
    channels: &str,
    has_saved_buffers: bool,
) -> Option<ReproducibilityWarning> {
    let snapshot = match &spec.input {
        InputSource::Timeline(timeline)
            if program.has_state() && timeline.starts_midway() && !has_saved_buffers =>
        {
            let (number, (width, height)) = (timeline.start.state.index, timeline.start.size);
            let message = match fits(timeline, spec.size) {
                true => format!(
                    "the recording starts at frame {number} without a .checkpoint file next to \
                     it: the buffers start empty, and the picture differs from the recorded one; \
                     hint: keep both files together"
                ),
                false => format!(
                    "the recording's buffers are for pictures of {width}x{height}: they start \
                     empty, and the picture differs from the recorded one; hint: `--size \
                     {width}x{height}`"
                ),
            };
            return Some(ReproducibilityWarning { scene_changed: false, message });
        }
        // A different debug view is a different program.
        InputSource::Snapshot(snapshot) if snapshot.debug_view == spec.debug_view => snapshot,
        _ => return None,
    };
    let scene_changed = !snapshot.hash.is_empty() && snapshot.hash != program.hash;
    let message = if scene_changed {
        format!(
            "{} or a module that it imports has changed since {picture} was made: the picture \
             may differ",
            spec.scene
        )
    } else if program.has_state()
        && !has_saved_buffers
        && !has_complete_history(snapshot, program, channels, DEFAULT_FPS)
    {
        format!(
            "{picture} does not record earlier input: its buffers run {} frames with the input \
             of the snapshot, and the picture may differ; hint: `--replay` with a recording \
             reproduces it",
            snapshot.state.index.saturating_add(1)
        )
    } else {
        return None;
    };
    Some(ReproducibilityWarning { scene_changed, message })
}
