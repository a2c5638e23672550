//! Advances a scene's buffers to a given frame: runs the frames before it in order, at the
//! size and rate of the pictures, or starts from a checkpoint.

use std::ops::ControlFlow;

use super::checkpoint_file::Label;
use super::checkpoints::Checkpoints;
use super::error::CaptureError;
use super::frame_renderer::FrameRenderer;
use super::run_frames::RunFrames;
use super::step::{Progress, Step};
use tarsus_render::SavedState;

/// Advances the buffers of a run.
pub(super) struct Simulator<'a> {
    frames: RunFrames<'a>,
    checkpoints: Option<Checkpoints<'a>>,
    /// True if a frame depends on earlier ones.
    has_memory: bool,
    /// Buffer state, if known without running frames.
    held: Option<&'a SavedState>,
    /// Number of checkpoints written.
    stored: usize,
}

impl<'a> Simulator<'a> {
    /// Starts before the first frame. A run with a state in `held` has a single picture.
    pub(super) fn new(
        frames: RunFrames<'a>,
        checkpoints: Option<Checkpoints<'a>>,
        has_memory: bool,
        held: Option<&'a SavedState>,
    ) -> Self {
        Self {
            frames,
            checkpoints,
            has_memory,
            held,
            stored: 0,
        }
    }

    /// Number of checkpoints written.
    pub(super) fn stored(&self) -> usize {
        self.stored
    }

    /// Runs the frames up to and including `until`; the frames before it only if it depends
    /// on them. `progress` is called before every frame but the last, and may stop the run.
    pub(super) fn run_to(
        &mut self,
        renderer: &mut FrameRenderer<'_>,
        until: u32,
        progress: &mut Progress<'_>,
    ) -> Result<ControlFlow<()>, CaptureError> {
        if let Some(held) = self.held {
            renderer.restore(held)?;
            return Ok(ControlFlow::Continue(()));
        }
        if !self.has_memory
            && let Some(before) = until.checked_sub(1)
        {
            self.frames.skip_to(before);
        }
        let is_catching_up = until > self.frames.next();
        if is_catching_up
            && self
                .begin_at_checkpoint(renderer, until, progress)?
                .is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
        while self.frames.next() <= until {
            let number = self.frames.next();
            if number < until && progress(Step::Running { number, until }).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            renderer.advance(&self.frames.run())?;
            self.store(renderer, number)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn store(&mut self, renderer: &mut FrameRenderer<'_>, number: u32) -> Result<(), CaptureError> {
        let due = self.checkpoints.as_ref();
        let Some(checkpoints) = due.filter(|checkpoints| checkpoints.is_due(number)) else {
            return Ok(());
        };
        if let Some(state) = renderer.saved_state()? {
            checkpoints.write(&checkpoints.label(&self.frames), &state)?;
            self.stored += 1;
        }
        Ok(())
    }

    /// Restores the latest usable checkpoint before or at frame `until`, if there is one.
    fn begin_at_checkpoint(
        &mut self,
        renderer: &mut FrameRenderer<'_>,
        until: u32,
        progress: &mut Progress<'_>,
    ) -> Result<ControlFlow<()>, CaptureError> {
        let Some(checkpoints) = &self.checkpoints else {
            return Ok(ControlFlow::Continue(()));
        };
        let mut frames = self.frames.clone();
        let labels = checkpoints.found(self.frames.next()..=until).into_iter();
        let labels: Vec<Label> = labels
            .map(|number| {
                frames.skip_to(number);
                checkpoints.label(&frames)
            })
            .collect();
        for label in labels.into_iter().rev() {
            let step = match checkpoints.read(&label) {
                Ok(state) => {
                    renderer.restore(&state)?;
                    self.frames.skip_to(label.frame);
                    return Ok(progress(Step::Restored(label.frame)));
                }
                Err(error) => progress(Step::Ignored(&error)),
            };
            if step.is_break() {
                return Ok(step);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
