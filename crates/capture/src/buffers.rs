//! Advances a scene's buffers to a given frame: runs the frames before it in order, at the
//! size and rate of the pictures, or starts from a checkpoint.

use super::buffer_frames::BufferFrames;
use super::checkpoints::Checkpoints;
use super::error::{CaptureError, Progress, Step, report};
use super::tile_renderer::TileRenderer;
use tarsus_render::SavedState;

/// Advances the buffers of a run.
pub(super) struct Buffers<'a> {
    frames: BufferFrames<'a>,
    checkpoints: Option<Checkpoints<'a>>,
    /// Frames after which a checkpoint existed when the run started, in ascending order.
    existing: Vec<u32>,
    /// True if a frame depends on earlier ones.
    has_memory: bool,
    /// Buffer state that is known without running frames, and the frame that it follows.
    saved: Option<(u32, &'a SavedState)>,
    /// The next frame to run.
    next: u32,
    /// Number of checkpoints written.
    pub(super) stored: usize,
}

impl<'a> Buffers<'a> {
    /// Starts before the first frame, or with the state in `saved` after the frame it follows.
    pub(super) fn new(
        frames: BufferFrames<'a>,
        checkpoints: Option<Checkpoints<'a>>,
        has_memory: bool,
        saved: Option<(u32, &'a SavedState)>,
    ) -> Self {
        let existing = checkpoints.as_ref().map(Checkpoints::existing);
        Self {
            frames,
            existing: existing.unwrap_or_default(),
            checkpoints,
            has_memory,
            saved,
            next: 0,
            stored: 0,
        }
    }

    /// Hash of everything that reached the buffers up to and including frame `number`. The
    /// frames need not have run yet, but must be requested in ascending order. Empty for a
    /// picture that is drawn again from its own buffer state, as its metadata do not change.
    pub(super) fn history(
        &mut self,
        number: u32,
        progress: &mut Progress<'_>,
    ) -> Result<String, CaptureError> {
        if self.saved.is_some() && self.frames.reproduces_picture() {
            return Ok(String::new());
        }
        self.hash_to(number, progress)?;
        Ok(self.frames.hash_after(number))
    }

    /// Runs the frames up to and including `last`; the frames before it only if it depends
    /// on them. `progress` is called before every frame but the last, and may stop the run.
    pub(super) fn run_to(
        &mut self,
        renderer: &mut TileRenderer<'_>,
        last: u32,
        progress: &mut Progress<'_>,
    ) -> Result<(), CaptureError> {
        if let Some((frame, saved)) = self.saved
            && self.next <= frame
        {
            renderer.restore(saved)?;
            if self.frames.reproduces_picture() {
                return Ok(());
            }
            self.hash_to(frame, progress)?;
            self.next = frame + 1;
        }
        if !self.has_memory && last > self.next {
            self.hash_to(last - 1, progress)?;
            self.next = last;
        }
        if last > self.next {
            self.restore_checkpoint(renderer, last, progress)?;
        }
        while self.next <= last {
            let number = self.next;
            if number < last {
                report(progress, Step::Running { number, last })?;
            }
            renderer.advance(&self.frames.frame(number))?;
            self.next += 1;
            self.store(renderer, number)?;
        }
        Ok(())
    }

    fn store(&mut self, renderer: &mut TileRenderer<'_>, number: u32) -> Result<(), CaptureError> {
        let due = self.checkpoints.as_ref();
        let Some(checkpoints) = due.filter(|checkpoints| checkpoints.is_due(number)) else {
            return Ok(());
        };
        if let Some(state) = renderer.saved_state()? {
            let label = checkpoints.label(number, &self.frames.hash_after(number));
            checkpoints.write(&label, &state)?;
            self.stored += 1;
        }
        Ok(())
    }

    /// Restores the latest usable checkpoint before or at frame `last`, if there is one.
    fn restore_checkpoint(
        &mut self,
        renderer: &mut TileRenderer<'_>,
        last: u32,
        progress: &mut Progress<'_>,
    ) -> Result<(), CaptureError> {
        let numbers = self.next..=last;
        let mut usable = self.existing.clone();
        usable.retain(|number| numbers.contains(number));
        if let Some(&latest) = usable.last() {
            self.hash_to(latest, progress)?;
        }
        let Some(checkpoints) = &self.checkpoints else {
            return Ok(());
        };
        for number in usable.into_iter().rev() {
            let label = checkpoints.label(number, &self.frames.hash_after(number));
            match checkpoints.read(&label) {
                Ok(state) => {
                    renderer.restore(&state)?;
                    self.next = number + 1;
                    return report(progress, Step::Restored(number));
                }
                Err(error) => report(progress, Step::Ignored(&error))?,
            }
        }
        Ok(())
    }

    /// Hashes the frames up to `last`, and records the hashes that checkpoints need: those
    /// that exist, and those that this run may store later.
    fn hash_to(&mut self, last: u32, progress: &mut Progress<'_>) -> Result<(), CaptureError> {
        let (checkpoints, existing) = (self.checkpoints.as_ref(), &self.existing);
        let is_needed = |number| {
            existing.binary_search(&number).is_ok()
                || checkpoints.is_some_and(|checkpoints| checkpoints.is_due(number))
        };
        self.frames.hash_to(last, is_needed, progress)
    }
}
