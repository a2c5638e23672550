//! The frames of the last seconds, and the way a scene's buffers return to them.
//!
//! Every frame is remembered with its complete input. A scene without buffers is
//! drawn from that input alone. In a scene with buffers, the buffer state also depends on
//! all earlier frames: to return to a frame, the buffers are restored from a checkpoint
//! (a copy of them) and then advanced through the frames in between.
//!
//! [`Rewind`] decides which frames get a checkpoint, so that all checkpoints fit a memory
//! budget and every frame is reached with few advances. The owner of the buffers follows
//! [`Rewind::plan`], reports back, and offers copies to [`Rewind::keep_checkpoint`].
//!
//! Frames are numbered consecutively. When time continues from an earlier frame, the
//! frames after it are dropped and their numbers are reused.

mod checkpoints;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use super::clock::Clock;
use super::history::Moment;
use super::state::SceneState;
use tarsus_render::Checkpoint;

/// Minimum duration that is remembered if the budget allows, in seconds.
const MIN_DURATION: f64 = 10.0;
/// Duration that is remembered of a scene without buffers, whose frames need little memory, and
/// of a scene whose buffers are never kept, in seconds.
pub(super) const MAX_DURATION: f64 = 30.0;
/// Default memory budget of all checkpoints, in bytes.
pub const REWIND_BUDGET: u64 = 256 << 20;
/// Minimum interval between checkpoints while a scene runs, in seconds.
const MIN_CHECKPOINT_INTERVAL: f64 = 0.25;
/// Minimum number of advances that a checkpoint has to save.
const MIN_SAVED_ADVANCES: u64 = 4;

/// A frame that was shown.
#[derive(Clone, Debug, PartialEq)]
pub struct PastFrame {
    /// The state it was drawn from, apart from the buffers.
    pub state: SceneState,
    /// Size of the buffers, in pixels.
    pub size: (u32, u32),
    /// The clock; during a replay, the clock of the recording.
    pub clock: Clock,
    /// When it was first shown, in the history of the input.
    pub(crate) moment: Option<Moment>,
    /// Seconds played up to this frame, without pauses.
    played: f64,
}

/// Starting point of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStart {
    /// The current buffer state.
    Current,
    /// Empty buffers.
    Empty,
    /// The checkpoint of this frame.
    Checkpoint(u64),
}

/// Steps that bring the buffers to a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Starting point.
    pub start: PlanStart,
    /// The frames to advance through, in order.
    pub frames: Range<u64>,
}

/// Summary of the rewind memory, for display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RewindStats {
    /// Seconds that can be rewound.
    pub seconds: f64,
    /// Number of checkpoints.
    pub checkpoints: usize,
    /// Bytes used by all checkpoints.
    pub bytes: u64,
    /// Maximum bytes of all checkpoints.
    pub budget: u64,
    /// False if the budget is too small to remember ten seconds.
    pub is_enough: bool,
}

/// The remembered frames and their checkpoints.
#[derive(Clone, Debug)]
pub struct Rewind<C = Checkpoint> {
    frames: VecDeque<PastFrame>,
    /// Number of the first remembered frame.
    first: u64,
    /// Number of the current frame.
    position: u64,
    /// True if the first frame is reached from empty buffers.
    begins_empty: bool,
    /// The frame whose state the buffers hold, if any.
    buffer_frame: Option<u64>,
    has_buffers: bool,
    /// True if the current frame was newly started rather than sought.
    is_new: bool,
    /// Checkpoints with their size in bytes, by frame number.
    checkpoints: BTreeMap<u64, (u64, C)>,
    /// Maximum bytes of all checkpoints.
    pub(crate) budget: u64,
    /// Size of the last checkpoint considered, in bytes.
    bytes: u64,
}

impl<C> Default for Rewind<C> {
    fn default() -> Self {
        Self {
            frames: VecDeque::new(),
            first: 0,
            position: 0,
            begins_empty: true,
            buffer_frame: None,
            has_buffers: false,
            is_new: false,
            checkpoints: BTreeMap::new(),
            budget: REWIND_BUDGET,
            bytes: 0,
        }
    }
}

/// Changes to the scene and to the current frame.
impl<C> Rewind<C> {
    /// Forgets all frames. The buffers, if any, begin empty.
    pub fn begin(&mut self, has_buffers: bool) {
        *self = Self { has_buffers, budget: self.budget, ..Self::default() };
    }

    /// Continues with the current buffer state after the program has changed. Earlier
    /// frames cannot be drawn again with the new program, so only the current frame is
    /// kept.
    pub(crate) fn keep_buffers(&mut self) {
        let Some(shown) = self.get(self.position).cloned() else {
            return self.begin(true);
        };
        self.checkpoints.clear();
        self.frames.clear();
        self.frames.push_back(shown);
        self.first = self.position;
        self.anchor_buffers();
        self.has_buffers = true;
    }

    /// Begins with frames that were never shown, through which empty buffers advance to
    /// the last one. The last one becomes the current frame. The frames are `seconds`
    /// apart.
    pub(crate) fn begin_with_frames(
        &mut self,
        states: impl Iterator<Item = SceneState>,
        size: (u32, u32),
        seconds: f64,
    ) {
        self.begin(true);
        let frames = states.enumerate().map(|(number, state)| PastFrame {
            clock: Clock::starting_at(state.time, state.index),
            state,
            size,
            moment: None,
            played: number as f64 * seconds,
        });
        self.frames = frames.collect();
        self.position = self.newest();
    }

    /// Declares that the buffers hold the state of the current frame and that no earlier
    /// state leads to it.
    pub(crate) fn anchor_buffers(&mut self) {
        self.begins_empty = false;
        self.buffer_frame = Some(self.position);
    }

    /// Appends a new frame after the current one, `seconds` of playing later. Any later
    /// frames are dropped.
    pub fn push_frame(&mut self, state: SceneState, size: (u32, u32), clock: Clock, seconds: f64) {
        self.drop_later_frames();
        let played = self.frames.back().map_or(0.0, |last| last.played + seconds);
        self.frames.push_back(PastFrame { state, size, clock, moment: None, played });
        self.position = self.newest();
        self.is_new = true;
        self.trim();
    }

    /// Drops the frames after the current one.
    pub(crate) fn drop_later_frames(&mut self) {
        if self.position < self.newest() {
            self.frames.truncate((self.position - self.first + 1) as usize);
            self.checkpoints.split_off(&(self.position + 1));
            self.buffer_frame = self.buffer_frame.filter(|here| *here <= self.position);
        }
    }

    /// Records when the current frame was first shown since the history began, and the state
    /// it was shown in.
    pub(crate) fn record_moment(&mut self, moment: Moment, state: &SceneState) {
        if let Some(frame) = self.frames.get_mut((self.position - self.first) as usize)
            && frame.moment.is_none()
        {
            frame.moment = Some(moment);
            frame.state.clone_from(state);
        }
    }

    /// Forgets the moments before a history time in seconds. History time advances while scene
    /// time stands still, without new frames that replace the old ones.
    pub(crate) fn forget_moments_before(&mut self, at: f64) {
        for frame in &mut self.frames {
            frame.moment = frame.moment.filter(|moment| moment.at >= at);
        }
    }

    /// Shows a remembered frame. Returns `None` if the frame is not remembered.
    pub fn seek(&mut self, frame: u64) -> Option<&PastFrame> {
        if self.frames().contains(&frame) {
            self.position = frame;
            self.is_new = false;
        }
        self.get(frame)
    }

    /// Shows the last frame at or before a scene time in seconds, or the first frame if
    /// all are later. For scenes without buffers, whose time is free.
    pub(crate) fn locate(&mut self, time: f64) {
        let until = self.frames.partition_point(|frame| frame.state.time <= time);
        self.position = self.first + (until as u64).saturating_sub(1);
    }

    /// Drops frames older than needed.
    fn trim(&mut self) {
        let newest = self.newest();
        let Some(last) = self.frames.back().map(|last| last.played) else {
            return;
        };
        let is_endless = |frame: &PastFrame| frame.played <= last - MAX_DURATION;
        if !self.has_buffers {
            while self.frames.get(1).is_some_and(is_endless) {
                self.frames.pop_front();
                self.first += 1;
            }
            return;
        }
        let is_old = |frame: &PastFrame| frame.played <= last - MIN_DURATION;
        let base = self.checkpoints().rev().find(|frame| self.get(*frame).is_some_and(is_old));
        let is_endless = self.frames.front().is_some_and(is_endless);
        let earliest = self.checkpoints().next();
        match base {
            Some(base) => self.forget_before(base),
            None if self.begins_empty && !is_endless => {}
            None => self.forget_before(earliest.unwrap_or(newest)),
        }
    }

    /// Drops the frames before `first`, the newest frame or one with a checkpoint.
    fn forget_before(&mut self, first: u64) {
        if first > self.first {
            self.frames.drain(..(first - self.first) as usize);
            self.first = first;
            self.begins_empty = false;
            self.checkpoints = self.checkpoints.split_off(&first);
        }
    }

    fn newest(&self) -> u64 {
        (self.first + self.frames.len() as u64).saturating_sub(1)
    }
}

/// Queries.
impl<C> Rewind<C> {
    /// Returns true before the first frame.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns true if the scene has buffers.
    pub fn has_buffers(&self) -> bool {
        self.has_buffers
    }

    /// Returns the numbers of the remembered frames. Each of them can be shown.
    pub fn frames(&self) -> Range<u64> {
        self.first..self.first + self.frames.len() as u64
    }

    /// Returns a remembered frame by its number.
    pub fn get(&self, frame: u64) -> Option<&PastFrame> {
        let index = frame.checked_sub(self.first)?;
        self.frames.get(usize::try_from(index).ok()?)
    }

    /// Number of the current frame.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Returns true if no remembered frame is later than the current one.
    pub fn is_at_newest(&self) -> bool {
        self.position >= self.newest()
    }

    /// Seconds of playing between two remembered frames.
    pub fn seconds(&self, frames: Range<u64>) -> f64 {
        match (self.get(frames.start), self.get(frames.end)) {
            (Some(start), Some(end)) => end.played - start.played,
            _ => 0.0,
        }
    }

    /// Returns the numbers of the frames that have a checkpoint.
    pub fn checkpoints(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.checkpoints.keys().copied()
    }

    /// Returns the frames that were shown since the history began, with their numbers and
    /// moments.
    pub(crate) fn moments(&self) -> impl Iterator<Item = (u64, &PastFrame, Moment)> {
        let numbered = (self.first..).zip(&self.frames);
        numbered.filter_map(|(number, frame)| Some((number, frame, frame.moment?)))
    }

    /// Returns true if a recording can begin at a frame with the buffer state that it had: one
    /// with a checkpoint, frame 0 of the scene if its buffers were empty before it, or any frame
    /// of a scene without buffers.
    pub(crate) fn is_state_known(&self, number: u64) -> bool {
        let is_start = self.begins_empty && number == self.first;
        let is_first = || self.get(number).is_some_and(|past| past.state.index == 0);
        !self.has_buffers || self.checkpoints.contains_key(&number) || (is_start && is_first())
    }

    /// Summarizes the rewind memory. Returns `None` for a scene without buffers, whose
    /// frames take a negligible amount.
    pub fn stats(&self) -> Option<RewindStats> {
        self.has_buffers.then(|| RewindStats {
            seconds: self.seconds(self.first..self.newest()),
            checkpoints: self.checkpoints.len(),
            bytes: self.checkpoint_bytes(),
            budget: self.budget,
            is_enough: self.bytes * 2 <= self.budget,
        })
    }
}

/// The interface for the owner of the buffers.
impl<C> Rewind<C> {
    /// Plans the fewest advances that bring the buffers to the current frame. The buffers
    /// are up to date if `frames` is empty and `start` is [`PlanStart::Current`].
    pub fn plan(&self) -> Plan {
        let to = self.position;
        if !self.has_buffers || self.frames.is_empty() {
            return Plan { start: PlanStart::Current, frames: to..to };
        }
        let here = self.buffer_frame.filter(|here| *here <= to);
        let checkpoint = self.checkpoint_at_or_before(to);
        let starts = [
            here.map(|here| (PlanStart::Current, here + 1)),
            checkpoint.map(|frame| (PlanStart::Checkpoint(frame), frame + 1)),
            self.begins_empty.then_some((PlanStart::Empty, self.first)),
        ];
        // Without any starting point, the current buffer state has to do.
        let from = starts.into_iter().flatten().rev();
        let (start, from) = from.max_by_key(|(_, from)| *from).unwrap_or((PlanStart::Current, to));
        Plan { start, frames: from..to + 1 }
    }

    /// Returns true if the buffers do not hold the state of the current frame.
    pub fn is_behind(&self) -> bool {
        self.has_buffers && !self.is_empty() && self.buffer_frame != Some(self.position)
    }

    /// Reports that the buffers now hold the state of this frame.
    pub(crate) fn set_buffer_frame(&mut self, frame: u64) {
        self.buffer_frame = Some(frame);
    }

    /// Reports that the buffers are empty, as before the first frame.
    pub(crate) fn clear_buffer_frame(&mut self) {
        self.buffer_frame = None;
    }

    /// Keeps a checkpoint of `bytes` of the current buffer state, which `take` copies, if one
    /// is useful here. This may drop others.
    pub(crate) fn keep_checkpoint(&mut self, bytes: u64, take: impl FnOnce() -> Option<C>) {
        self.bytes = bytes;
        if let Some(here) = self.buffer_frame
            && self.make_room_if_useful(here, bytes)
            && let Some(checkpoint) = take()
        {
            self.checkpoints.insert(here, (bytes, checkpoint));
        }
    }

    /// Makes room for a checkpoint of `bytes` at the frame `here`. Returns false if it would
    /// not be useful.
    fn make_room_if_useful(&mut self, here: u64, bytes: u64) -> bool {
        let fits = bytes > 0 && bytes <= self.budget;
        if !fits || self.get(here).is_none() || self.checkpoints.contains_key(&here) {
            return false;
        }
        let is_first = here == self.first && !self.begins_empty;
        let is_due = self.is_due(here);
        if is_first || (is_due && self.is_new && here == self.newest()) {
            if !self.make_room(here, bytes, true) {
                // The budget holds a single checkpoint: earlier frames become
                // unreachable.
                self.checkpoints.clear();
                self.forget_before(here);
            }
            return true;
        }
        let helps = is_due || self.is_rewind_midpoint(here);
        helps && self.make_room(here, bytes, false)
    }

    /// Returns true if enough playing time has passed since the last checkpoint.
    fn is_due(&self, here: u64) -> bool {
        let most = self.budget / self.bytes.max(1);
        let spacing = match most {
            0 | 1 => MIN_DURATION,
            most => (MIN_DURATION / (most - 1) as f64).max(MIN_CHECKPOINT_INTERVAL),
        };
        let before = self.checkpoint_at_or_before(here).unwrap_or(self.first);
        self.seconds(before..here) >= spacing
    }

    /// Returns true halfway to the current frame, halfway through the rest, and so on: a
    /// user who steps back one frame is likely to step back further.
    fn is_rewind_midpoint(&self, here: u64) -> bool {
        let rest = self.position.saturating_sub(here);
        let before = self.checkpoint_at_or_before(here).unwrap_or(self.first);
        rest >= MIN_SAVED_ADVANCES && rest.is_power_of_two() && here - before >= MIN_SAVED_ADVANCES
    }

    /// Drops all checkpoints, which keep their device alive.
    pub(crate) fn drop_checkpoints(&mut self) {
        self.checkpoints.clear();
    }

    /// Returns the checkpoint of a frame.
    pub fn checkpoint(&self, frame: u64) -> Option<&C> {
        self.checkpoints.get(&frame).map(|(_, checkpoint)| checkpoint)
    }
}

#[cfg(test)]
mod tests;
