//! Advances a scene's buffers to a given frame: runs the frames before it in order, at the
//! size and rate of the pictures, or starts from a checkpoint. Hashes everything that reaches
//! the buffers: on the same adapter, two runs with equal hashes have equal buffer state.

use std::ops::ControlFlow;

use super::checkpoints::Checkpoints;
use super::error::{CaptureError, Progress, Stage, Step, report};
use super::spec::{CaptureSpec, InputSource};
use super::tile_renderer::TileRenderer;
use tarsus_player::Snapshot;
use tarsus_render::{Inputs, SavedState};
use tarsus_shader::{ContentHash, Program};

/// Frames hashed between two reports of progress.
const REPORT_INTERVAL: u32 = 4096;

/// Hash of everything that reached the buffers in the frames of a run so far.
#[derive(Clone)]
struct History<'a> {
    spec: &'a CaptureSpec,
    program: &'a Program,
    /// The next frame to hash.
    next: u32,
    hash: ContentHash,
}

impl<'a> History<'a> {
    /// Starts before the first frame, with empty buffers or with the state in `saved`. `channels`
    /// is the hash of the channel files; empty without channels.
    fn new(
        spec: &'a CaptureSpec,
        program: &'a Program,
        channels: &str,
        saved: Option<&SavedState>,
    ) -> Self {
        let (width, height) = spec.size;
        let contents = saved.into_iter().flat_map(|saved| &saved.contents);
        let hash = contents.fold(ContentHash::default(), |hash, one| hash.with(&one.bytes));
        let hash = hash
            .with(program.hash.as_bytes())
            .with(channels.as_bytes())
            .with(&width.to_le_bytes())
            .with(&height.to_le_bytes())
            .with(&spec.buffer_fps().to_bits().to_le_bytes());
        Self { spec, program, next: 0, hash }
    }

    /// Adds the next frame, and returns its inputs.
    fn step(&mut self) -> Inputs {
        let state = self.spec.buffer_state(self.next);
        let inputs = state.inputs(self.program, self.spec.size);
        self.hash = inputs.hash(std::mem::take(&mut self.hash));
        self.next += 1;
        inputs
    }

    /// The hash after frame `last`, which must not be before those requested earlier. `progress`
    /// may stop it.
    fn after(&mut self, last: u32, progress: &mut Progress<'_>) -> Result<String, CaptureError> {
        debug_assert!(self.next <= last.saturating_add(1), "frame {last} was hashed before");
        while self.next <= last {
            if self.next % REPORT_INTERVAL == REPORT_INTERVAL - 1 {
                report_frame(progress, self.next, last)?;
            }
            self.step();
        }
        Ok(self.hash.hex())
    }
}

/// The buffers of a run.
pub(super) struct Buffers<'a> {
    checkpoints: Option<Checkpoints<'a>>,
    /// Buffer state that is known without running frames.
    saved: Option<&'a SavedState>,
    /// History of the frames that were run or skipped.
    ran: History<'a>,
    /// History of the frames described ahead of running them.
    described: History<'a>,
    /// Number of checkpoints written.
    pub(super) stored: usize,
}

impl<'a> Buffers<'a> {
    /// Starts before the first frame, with empty buffers or with the state in `saved`. `channels`
    /// is the hash of the channel files; empty without channels.
    pub(super) fn new(
        spec: &'a CaptureSpec,
        program: &'a Program,
        channels: &str,
        checkpoints: Option<Checkpoints<'a>>,
        saved: Option<&'a SavedState>,
    ) -> Self {
        let ran = History::new(spec, program, channels, saved);
        Self { checkpoints, saved, described: ran.clone(), ran, stored: 0 }
    }

    /// Hash of everything that reached the buffers up to and including frame `number`. The
    /// frames need not have run yet, but must be requested in ascending order. Empty for a
    /// picture that is drawn again from its own buffer state, as its metadata do not change.
    pub(super) fn history(
        &mut self,
        number: u32,
        progress: &mut Progress<'_>,
    ) -> Result<String, CaptureError> {
        if self.saved.is_some() && self.ran.spec.snapshot_state().is_some() {
            return Ok(String::new());
        }
        // A frame that has just run is hashed already.
        let has_run = self.ran.next == number.saturating_add(1);
        let history = if has_run { &mut self.ran } else { &mut self.described };
        history.after(number, progress)
    }

    /// Runs the frames up to and including `last`; the frames before it only if it depends
    /// on them. `progress` is called before every frame but the last, and may stop the run.
    pub(super) fn run_to(
        &mut self,
        renderer: &mut TileRenderer<'_>,
        last: u32,
        progress: &mut Progress<'_>,
    ) -> Result<(), CaptureError> {
        let spec = self.ran.spec;
        // The frame that the saved state follows.
        let frame = spec.last_buffer_frame(0);
        if let Some(saved) = self.saved.filter(|_| self.ran.next <= frame) {
            renderer.restore(saved)?;
            if spec.snapshot_state().is_some() {
                return Ok(());
            }
            self.ran.after(frame, progress)?;
        }
        if !self.ran.program.has_memory() && last > self.ran.next {
            self.ran.after(last - 1, progress)?;
        }
        if last > self.ran.next {
            self.restore_checkpoint(renderer, last, progress)?;
        }
        while self.ran.next <= last {
            let number = self.ran.next;
            if number < last {
                report_frame(progress, number, last)?;
            }
            renderer.advance(&self.ran.step())?;
            self.store(renderer, number)?;
        }
        Ok(())
    }

    /// Writes a checkpoint after frame `number`, which ran last, if one is due.
    fn store(&mut self, renderer: &mut TileRenderer<'_>, number: u32) -> Result<(), CaptureError> {
        let due = self.checkpoints.as_ref();
        let Some(checkpoints) = due.filter(|checkpoints| checkpoints.is_due(number)) else {
            return Ok(());
        };
        if let Some(state) = renderer.saved_state()? {
            checkpoints.write(number, &self.ran.hash.hex(), &state)?;
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
        let Some(checkpoints) = &self.checkpoints else {
            return Ok(());
        };
        let mut existing = checkpoints.existing();
        existing.retain(|number| (self.ran.next..=last).contains(number));
        let mut history = self.ran.clone();
        let mut candidates = Vec::new();
        for number in existing {
            let hash = history.after(number, progress)?;
            candidates.push((number, hash, history.clone()));
        }
        for (number, hash, history) in candidates.into_iter().rev() {
            match checkpoints.read(number, &hash) {
                Ok(state) => {
                    renderer.restore(&state)?;
                    self.ran = history;
                    return report(progress, Step::Restored(number));
                }
                Err(error) => report(progress, Step::Warning(&error.to_string()))?,
            }
        }
        Ok(())
    }
}

/// Reports that frame `number` runs, on the way to frame `last`.
fn report_frame(progress: &mut Progress<'_>, number: u32, last: u32) -> Result<(), CaptureError> {
    let (done, total) = (number.into(), last.into());
    report(progress, Step::Progress { stage: Stage::Buffers, done, total })
}

/// Maximum length of a history to check, in frames.
const MAX_FRAMES: u32 = 1_000_000;

/// True if the input in `snapshot` is everything that ever reached the buffers of its
/// picture, so that running them again reproduces their state. `channels` is the hash of
/// the channels of `program`, and `fps` the frame rate if the snapshot has none.
pub fn has_complete_history(
    snapshot: &Snapshot,
    program: &Program,
    channels: &str,
    fps: f64,
) -> bool {
    let number = snapshot.state.index;
    let spec = CaptureSpec {
        input: InputSource::Snapshot(Box::new(snapshot.clone())),
        size: snapshot.size,
        fps,
        ..CaptureSpec::default()
    };
    let mut history = History::new(&spec, program, channels, None);
    number < MAX_FRAMES
        && history
            .after(number, &mut |_| ControlFlow::Continue(()))
            .is_ok_and(|hash| hash == snapshot.history)
}
