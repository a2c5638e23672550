//! The engine's next step. Pure, so that it can be tested against simulated GPUs and
//! screens.

use super::pacing::{POLL_INTERVAL, Pacing};

/// Maximum number of unfinished submissions on a GPU: it draws one picture while the next is
/// being prepared.
const MAX_UNFINISHED: usize = 2;

/// Who decides when a frame begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameTiming {
    /// A timer: frames begin at the times of [`Pacing`].
    Timer,
    /// The display, which calls for each frame.
    Display,
}

/// When the engine needs its next call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NextWake {
    /// After the next input event.
    Input,
    /// At this real time in seconds at the latest.
    At(f64),
    /// After [`Engine::present`](super::Engine::present), which has something new to show.
    Present,
}

/// Facts that decide the next step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Situation {
    /// Number of submissions that the GPU has not finished.
    pub(super) unfinished: usize,
    /// True if the surface shows an older picture or interface.
    pub(super) needs_present: bool,
    /// True once the scene is loaded.
    pub(super) has_scene: bool,
    /// True if a frame was started whose buffers or picture are not drawn to the end.
    pub(super) is_frame_open: bool,
    /// True if a screenshot of the current frame is due.
    pub(super) needs_screenshot: bool,
    /// True if another frame is due.
    pub(super) needs_frame: bool,
}

/// The next step of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Does nothing until the wake.
    Wait(NextWake),
    /// Starts a frame and draws it.
    StartFrame,
    /// Continues to draw the frame.
    Draw,
    /// Draws the current frame once more for a screenshot.
    Screenshot,
    /// Refines the still of the current frame.
    Refine,
}

/// Returns true if a picture is presented as soon as it is submitted: presenting then
/// waits at most for the screen. A software renderer presents finished pictures, so that
/// presenting never blocks.
pub(super) fn presents_at_submission(timing: FrameTiming, pacing: &Pacing) -> bool {
    timing == FrameTiming::Display || !pacing.is_software()
}

/// Returns the real time at which the GPU finished work that was unfinished at `unfinished_at`
/// and is finished at `now`. If the loop waited for the screen or for a compiler in between,
/// the GPU is assumed to have finished at once: its own time chooses the render scale.
pub(super) fn completion_time(now: f64, unfinished_at: f64) -> f64 {
    // Twice, because timers are late.
    now.min(unfinished_at + 2.0 * POLL_INTERVAL)
}

/// Returns the next step at real time `now`, in seconds.
pub(super) fn next_step(
    now: f64,
    timing: FrameTiming,
    pacing: &Pacing,
    situation: &Situation,
) -> Step {
    let at = |time| Step::Wait(NextWake::At(time));
    let poll = at(now + POLL_INTERVAL);
    let is_idle = situation.unfinished == 0;
    let is_free = if timing == FrameTiming::Timer && !pacing.is_software() {
        situation.unfinished < MAX_UNFINISHED
    } else {
        is_idle
    };
    if situation.needs_present && (is_idle || presents_at_submission(timing, pacing)) {
        return Step::Wait(NextWake::Present);
    }
    if !is_free {
        return poll;
    }
    if !situation.has_scene {
        return if is_idle { Step::Wait(NextWake::Input) } else { poll };
    }
    if situation.is_frame_open {
        return Step::Draw;
    }
    if situation.needs_screenshot || !situation.needs_frame {
        return match (is_idle, situation.needs_screenshot) {
            (false, _) => poll,
            (true, true) => Step::Screenshot,
            (true, false) => Step::Refine,
        };
    }
    let next = match timing {
        FrameTiming::Timer => pacing.next_frame(),
        FrameTiming::Display if pacing.follows_every_refresh() => now,
        FrameTiming::Display => pacing.next_frame() - pacing.refresh_interval() / 2.0,
    };
    match (now < next, is_idle) {
        (false, _) => Step::StartFrame,
        (true, true) => at(next),
        (true, false) => at(next.min(now + POLL_INTERVAL)),
    }
}

#[cfg(test)]
mod tests;
