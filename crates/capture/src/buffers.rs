//! Advances a scene's buffers to a given frame: runs the frames before it in order, at the
//! size and rate of the pictures, or starts from a checkpoint. Hashes everything that reaches
//! the buffers: on the same adapter, two runs with equal hashes have equal buffer state.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::checkpoints::Checkpoints;
use super::error::{CaptureError, Progress, Stage, Step, report};
use super::spec::{CaptureSpec, InputSource};
use super::tile_renderer::TileRenderer;
use tarsus_player::Snapshot;
use tarsus_render::SavedState;
use tarsus_shader::{ContentHash, Program};

/// Frames hashed between two reports of progress.
const REPORT_INTERVAL: u32 = 4096;

/// The buffers of a run, each of whose frames is hashed once.
pub(super) struct Buffers<'a> {
    spec: &'a CaptureSpec,
    program: &'a Program,
    checkpoints: Option<Checkpoints<'a>>,
    /// Frames after which a checkpoint existed when the run started, in ascending order.
    existing: Vec<u32>,
    /// Buffer state that is known without running frames.
    saved: Option<&'a SavedState>,
    /// The next frame to run.
    next: u32,
    /// Number of checkpoints written.
    pub(super) stored: usize,
    /// The next frame to hash.
    next_hashed: u32,
    /// Hash of all frames before `next_hashed`.
    hash: ContentHash,
    /// Hashes after some of these frames.
    recorded: BTreeMap<u32, String>,
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
        let (width, height) = spec.size;
        let contents = saved.into_iter().flat_map(|saved| &saved.contents);
        let hash = contents.fold(ContentHash::default(), |hash, one| hash.with(&one.bytes));
        let hash = hash
            .with(program.hash.as_bytes())
            .with(channels.as_bytes())
            .with(&width.to_le_bytes())
            .with(&height.to_le_bytes())
            .with(&spec.buffer_fps().to_bits().to_le_bytes());
        Self {
            spec,
            program,
            existing: checkpoints.as_ref().map(Checkpoints::existing).unwrap_or_default(),
            checkpoints,
            saved,
            next: 0,
            stored: 0,
            next_hashed: 0,
            hash,
            recorded: BTreeMap::new(),
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
        if self.saved.is_some() && self.spec.snapshot_state().is_some() {
            return Ok(String::new());
        }
        self.hash_to(number, progress)?;
        Ok(self.hash_after(number))
    }

    /// Runs the frames up to and including `last`; the frames before it only if it depends
    /// on them. `progress` is called before every frame but the last, and may stop the run.
    pub(super) fn run_to(
        &mut self,
        renderer: &mut TileRenderer<'_>,
        last: u32,
        progress: &mut Progress<'_>,
    ) -> Result<(), CaptureError> {
        // The frame that the saved state follows.
        let frame = self.spec.last_buffer_frame(0);
        if let Some(saved) = self.saved.filter(|_| self.next <= frame) {
            renderer.restore(saved)?;
            if self.spec.snapshot_state().is_some() {
                return Ok(());
            }
            self.hash_to(frame, progress)?;
            self.next = frame + 1;
        }
        if !self.program.has_memory() && last > self.next {
            self.hash_to(last - 1, progress)?;
            self.next = last;
        }
        if last > self.next {
            self.restore_checkpoint(renderer, last, progress)?;
        }
        while self.next <= last {
            let number = self.next;
            if number < last {
                report_frame(progress, number, last)?;
            }
            self.hash_to(number, progress)?;
            let state = self.spec.buffer_state(number);
            renderer.advance(&state.inputs(self.program, self.spec.size))?;
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
            checkpoints.write(number, &self.hash_after(number), &state)?;
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
            match checkpoints.read(number, &self.hash_after(number)) {
                Ok(state) => {
                    renderer.restore(&state)?;
                    self.next = number + 1;
                    return report(progress, Step::Restored(number));
                }
                Err(error) => report(progress, Step::Warning(&error.to_string()))?,
            }
        }
        Ok(())
    }

    /// Hash of everything that reached the buffers up to and including frame `number`,
    /// which must be the last one hashed or one that was recorded.
    fn hash_after(&self, number: u32) -> String {
        match self.recorded.get(&number) {
            Some(hash) => hash.clone(),
            None => self.hash.hex(),
        }
    }

    /// Hashes all frames up to and including `last` that are not hashed yet. Records the hashes
    /// that checkpoints need: those that exist, and those that this run may store later.
    /// `progress` may stop it.
    fn hash_to(&mut self, last: u32, progress: &mut Progress<'_>) -> Result<(), CaptureError> {
        while self.next_hashed <= last {
            let number = self.next_hashed;
            if number % REPORT_INTERVAL == REPORT_INTERVAL - 1 {
                report_frame(progress, number, last)?;
            }
            let state = self.spec.buffer_state(number);
            let inputs = state.inputs(self.program, self.spec.size);
            self.hash = inputs.hash(std::mem::take(&mut self.hash));
            self.next_hashed += 1;
            let is_due = |checkpoints: &Checkpoints<'_>| checkpoints.is_due(number);
            if self.existing.binary_search(&number).is_ok()
                || self.checkpoints.as_ref().is_some_and(is_due)
            {
                self.recorded.insert(number, self.hash.hex());
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
    let mut buffers = Buffers::new(&spec, program, channels, None, None);
    number < MAX_FRAMES
        && buffers
            .hash_to(number, &mut |_| ControlFlow::Continue(()))
            .is_ok_and(|()| buffers.hash_after(number) == snapshot.history)
}
