//! The frames that a scene's buffers run, with a hash of everything that has reached the
//! buffers. On the same adapter, two runs with equal hashes have equal buffer state.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::error::{CaptureError, Progress, Step, report};
use super::frames::Sample;
use super::run_hash::hash_inputs;
use super::spec::{CaptureSpec, InputSource};
use tarsus_player::Snapshot;
use tarsus_player::timeline::Cursor;
use tarsus_render::SavedState;
use tarsus_shader::{ContentHash, Program};

/// Frames hashed between two reports of progress.
const REPORT_INTERVAL: u32 = 4096;

/// The buffers' frames, each of which is hashed once.
pub(super) struct BufferFrames<'a> {
    spec: &'a CaptureSpec,
    program: &'a Program,
    /// Position of the input at the last frame that was already hashed when it ran.
    cursor: Option<Cursor>,
    /// Position of the input at the next frame to hash.
    hash_cursor: Option<Cursor>,
    /// The next frame to hash.
    next: u32,
    /// Hash of all frames before `next`.
    hash: ContentHash,
    /// Hashes after some of these frames.
    recorded: BTreeMap<u32, String>,
}

impl<'a> BufferFrames<'a> {
    /// Starts before frame 0, with empty buffers or with the state in `saved`. `channels` is the
    /// hash of the channel files; empty without channels.
    pub(super) fn new(
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
        Self {
            spec,
            program,
            cursor: None,
            hash_cursor: None,
            next: 0,
            hash,
            recorded: BTreeMap::new(),
        }
    }

    /// True if the frames lead to the snapshot of a picture that is drawn again.
    pub(super) fn reproduces_picture(&self) -> bool {
        matches!(self.spec.input, InputSource::Snapshot(_))
    }

    /// Returns frame `number`, and hashes it if it is the next one to hash. Frames must be
    /// requested in ascending order, and not beyond that one.
    pub(super) fn frame(&mut self, number: u32) -> Sample {
        if number >= self.next {
            return self.hash_next();
        }
        let state = self.spec.buffer_state(&mut self.cursor, number);
        Sample::new(&state, self.spec, self.program)
    }

    /// Hash of everything that reached the buffers up to and including frame `number`,
    /// which must be the last one hashed or one that was recorded.
    pub(super) fn hash_after(&self, number: u32) -> String {
        match self.recorded.get(&number) {
            Some(hash) => hash.clone(),
            None => self.hash.hex(),
        }
    }

    /// Hashes all frames up to and including `last` that are not hashed yet. Records the
    /// hashes after the frames that `is_needed`. `progress` may stop it.
    pub(super) fn hash_to(
        &mut self,
        last: u32,
        is_needed: impl Fn(u32) -> bool,
        progress: &mut Progress<'_>,
    ) -> Result<(), CaptureError> {
        while self.next <= last {
            let number = self.next;
            if number % REPORT_INTERVAL == REPORT_INTERVAL - 1 {
                report(progress, Step::Running { number, last })?;
            }
            self.hash_next();
            if is_needed(number) {
                self.recorded.insert(number, self.hash.hex());
            }
        }
        Ok(())
    }

    fn hash_next(&mut self) -> Sample {
        let state = self.spec.buffer_state(&mut self.hash_cursor, self.next);
        let sample = Sample::new(&state, self.spec, self.program);
        self.hash = hash_inputs(std::mem::take(&mut self.hash), &sample.inputs);
        self.next += 1;
        sample
    }
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
    let mut frames = BufferFrames::new(&spec, program, channels, None);
    number < MAX_FRAMES
        && frames
            .hash_to(number, |_| false, &mut |_| ControlFlow::Continue(()))
            .is_ok_and(|()| frames.hash_after(number) == snapshot.history)
}
