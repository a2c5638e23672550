//! Reproducibility warnings for pictures that are rendered again.

use std::path::Path;

use crate::cli::DEFAULT_FPS;
use tarsus_capture::{CaptureSpec, InputSource, even_size, has_complete_history, state_path};
use tarsus_shader::Program;

/// Reason why a picture may differ when rendered again.
pub(super) struct ReproducibilityWarning {
    pub(super) cause: Cause,
    pub(super) message: String,
}

/// Cause of a difference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The scene has changed.
    Scene,
    /// The files of its channels have changed.
    Channels,
    /// Its buffers depend on unrecorded input.
    Input,
}

/// Compares the snapshot of the rendered picture, if any, with `program`, whose
/// channels have the hash `channels`, and with the input that reached its buffers. If the
/// buffer state is known (`has_saved_buffers`), earlier input is irrelevant. `opened` is the
/// path of the picture or of the replayed recording, if any.
pub(super) fn find_warning(
    spec: &CaptureSpec,
    opened: Option<&Path>,
    program: &Program,
    channels: &str,
    has_saved_buffers: bool,
) -> Option<ReproducibilityWarning> {
    let opened = opened?;
    let snapshot = match &spec.input {
        InputSource::Timeline(timeline)
            if program.has_state() && timeline.starts_midway() && !has_saved_buffers =>
        {
            let (width, height) = even_size(timeline.start.size);
            let is_same = [timeline.start.size, (width, height)].contains(&spec.size);
            let hint = if !is_same && state_path(opened).exists() {
                format!("`--size {width}x{height}`, for which they are stored")
            } else {
                "keep the .checkpoint file of the recording next to it".to_owned()
            };
            let message = format!(
                "the recording starts at frame {}, but the buffers start empty: the picture \
                 differs from the recorded one; hint: {hint}",
                timeline.start.state.index
            );
            return Some(ReproducibilityWarning { cause: Cause::Input, message });
        }
        // A different debug view is a different program.
        InputSource::Snapshot(snapshot) if snapshot.debug_view == spec.debug_view => snapshot,
        _ => return None,
    };
    let picture = opened.display();
    let (cause, message) = if !snapshot.hash.is_empty() && snapshot.hash != program.hash {
        let message = format!(
            "{} or a module that it imports has changed since {picture} was made: the picture \
             may differ",
            spec.scene
        );
        (Cause::Scene, message)
    } else if !snapshot.channels.is_empty() && snapshot.channels != channels {
        let message = format!(
            "the files of the channels are not those of {picture}: the picture may differ; hint: \
             `--channel NAME=FILE` names others"
        );
        (Cause::Channels, message)
    } else if program.has_state()
        && !has_saved_buffers
        && !has_complete_history(snapshot, program, channels, DEFAULT_FPS)
    {
        let message = format!(
            "{picture} does not record earlier input: its buffers run {} frames with the input \
             of the snapshot, and the picture may differ; hint: `--replay` with a recording \
             reproduces it",
            snapshot.state.index.saturating_add(1)
        );
        (Cause::Input, message)
    } else {
        return None;
    };
    Some(ReproducibilityWarning { cause, message })
}
