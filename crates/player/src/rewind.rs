//! The frames of the last seconds, and how the buffers of a scene get back to them.
//!
//! Every painted frame is remembered with all that it was a function of. A scene
//! without buffers is drawn from that alone. The buffers of the others hold what all
//! frames before have left in them: they go back to a checkpoint, a copy of them,
//! and from there forward through the frames between. [`Rewind`] decides which
//! frames have a checkpoint, so that all of them together stay within a budget of
//! memory and a frame is reached by few advances. It holds none itself: whoever has
//! the buffers follows [`Rewind::plan`] and reports back.
//!
//! Frames have numbers that count on. Where time goes on from an earlier frame, the
//! frames after it are forgotten, and their numbers are given anew.

mod checkpoints;

use std::collections::VecDeque;
use std::ops::Range;

use self::checkpoints::{Checkpoints, Surroundings};
use super::clock::Clock;
use super::state::SceneState;

/// Seconds that are remembered at least, where the budget allows.
pub const LENGTH: f64 = 10.0;
/// Bytes of all checkpoints unless given.
pub const REWIND_BUDGET: u64 = 256 << 20;
/// Least seconds between the checkpoints of a scene that runs.
const SPACING: f64 = 0.25;
/// Advances that are not worth a checkpoint.
const FEW: u64 = 4;

/// A painted frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    /// What it was a function of, beside the buffers.
    pub state: SceneState,
    /// The size in pixels that the buffers had.
    pub size: (u32, u32),
    /// The clock; that of the recording, while one was replayed.
    pub clock: Clock,
    /// Seconds that were played until then, without pauses.
    played: f64,
}

/// Where the way to a frame begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// At what the buffers hold.
    Here,
    /// At empty buffers.
    Empty,
    /// At the checkpoint of this frame.
    Checkpoint(u64),
}

/// The way of the buffers to a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Where it begins.
    pub base: Base,
    /// The frames to advance through, in their order.
    pub frames: Range<u64>,
}

/// What is remembered, for the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Seconds that can be gone back.
    pub seconds: f64,
    /// Number of checkpoints.
    pub checkpoints: usize,
    /// Bytes of all checkpoints.
    pub bytes: u64,
    /// Most bytes of all checkpoints.
    pub budget: u64,
    /// False where the budget holds no checkpoints for ten seconds.
    pub is_enough: bool,
}

/// The frames of the last seconds.
#[derive(Clone, Debug)]
pub struct Rewind {
    frames: VecDeque<Remembered>,
    /// Number of the first of them.
    first: u64,
    /// Number of the one that is shown.
    position: u64,
    /// The first of them is reached from empty buffers.
    begins_empty: bool,
    /// The frame whose content the buffers hold, if any.
    here: Option<u64>,
    has_buffers: bool,
    /// The frame that is shown was painted first, not sought.
    is_new: bool,
    checkpoints: Checkpoints,
    /// Bytes of the last checkpoint that was to be taken.
    bytes: u64,
}

impl Default for Rewind {
    fn default() -> Self {
        Self::new(REWIND_BUDGET)
    }
}

/// What happens to the scene.
impl Rewind {
    /// Nothing is remembered; checkpoints may take `budget` bytes.
    #[must_use]
    pub fn new(budget: u64) -> Self {
        Self {
            frames: VecDeque::new(),
            first: 0,
            position: 0,
            begins_empty: true,
            here: None,
            has_buffers: false,
            is_new: false,
            checkpoints: Checkpoints::new(budget),
            bytes: 0,
        }
    }

    /// Checkpoints may take `budget` bytes from now on.
    pub fn set_budget(&mut self, budget: u64) {
        self.checkpoints.budget = budget;
    }

    /// Forgets everything: the buffers begin empty, if there are any.
    pub fn begin(&mut self, has_buffers: bool) {
        self.frames.clear();
        self.checkpoints.clear();
        (self.first, self.position) = (0, 0);
        self.begins_empty = true;
        self.here = None;
        self.has_buffers = has_buffers;
    }

    /// Another program goes on with what the buffers hold. What was painted before
    /// cannot be painted again: only the frame that is shown stays.
    pub fn go_on_with_buffers(&mut self) {
        let Some(shown) = self.get(self.position).cloned() else {
            return self.begin(true);
        };
        self.checkpoints.clear();
        self.frames.clear();
        self.frames.push_back(shown);
        self.first = self.position;
        self.hold_shown();
        self.has_buffers = true;
    }

    /// Begins with frames that nobody has seen: the way of empty buffers to the last of
    /// them, which is shown. `seconds` lie between two of them.
    pub fn begin_on_the_way(
        &mut self,
        states: impl Iterator<Item = SceneState>,
        size: (u32, u32),
        seconds: f64,
    ) {
        self.begin(true);
        let frames = states.enumerate().map(|(number, state)| Remembered {
            clock: Clock::starting_at(state.time, state.index),
            state,
            size,
            played: number as f64 * seconds,
        });
        self.frames = frames.collect();
        self.position = self.newest();
        self.is_new = false;
    }

    /// The buffers hold the content of the frame that is shown, and nothing leads there.
    pub fn hold_shown(&mut self) {
        self.begins_empty = false;
        self.here = Some(self.position);
    }

    /// A new frame is painted after the one that is shown, `seconds` of playing
    /// later. What was remembered after it is forgotten.
    pub fn painted(&mut self, state: SceneState, size: (u32, u32), clock: Clock, seconds: f64) {
        self.cut();
        let played = self.frames.back().map_or(0.0, |last| last.played + seconds);
        self.frames.push_back(Remembered {
            state,
            size,
            clock,
            played,
        });
        self.position = self.newest();
        self.is_new = true;
        self.trim();
    }

    /// Forgets the frames after the one that is shown.
    pub fn cut(&mut self) {
        if self.position < self.newest() {
            self.frames
                .truncate((self.position - self.first + 1) as usize);
            self.checkpoints.drop_after(self.position);
            self.here = self.here.filter(|here| *here <= self.position);
        }
    }

    /// Shows a remembered frame. Nothing if it is not remembered.
    pub fn seek(&mut self, frame: u64) -> Option<&Remembered> {
        if self.frames().contains(&frame) {
            self.position = frame;
            self.is_new = false;
        }
        self.get(frame)
    }

    /// The last frame at or before a scene time in seconds is shown; the first one
    /// before all of them. For scenes without buffers, whose time may be anywhere.
    pub fn locate(&mut self, time: f64) {
        let until = self
            .frames
            .partition_point(|frame| frame.state.time <= time);
        self.position = self.first + (until as u64).saturating_sub(1);
    }

    /// Forgets what is older than it has to be.
    fn trim(&mut self) {
        let newest = self.newest();
        let Some(last) = self.frames.back().map(|last| last.played) else {
            return;
        };
        let is_old = |frame: &Remembered| frame.played <= last - LENGTH;
        if !self.has_buffers {
            while self.frames.get(1).is_some_and(is_old) {
                self.frames.pop_front();
                self.first += 1;
            }
            return;
        }
        let is_old = |frame: &u64| self.get(*frame).is_some_and(is_old);
        let base = self.checkpoints.frames().rev().find(is_old);
        let first = self.frames.front();
        let is_endless = first.is_some_and(|first| first.played <= last - 3.0 * LENGTH);
        let earliest = self.checkpoints.frames().next();
        match base {
            Some(base) => self.forget_before(base),
            None if self.begins_empty && !is_endless => {}
            None => self.forget_before(earliest.unwrap_or(newest)),
        }
    }

    /// Forgets the frames before `first`, which has a checkpoint or is the newest.
    fn forget_before(&mut self, first: u64) {
        if first > self.first {
            self.frames.drain(..(first - self.first) as usize);
            self.first = first;
            self.begins_empty = false;
            self.checkpoints.drop_before(first);
        }
    }

    fn newest(&self) -> u64 {
        (self.first + self.frames.len() as u64).saturating_sub(1)
    }
}

/// What there is.
impl Rewind {
    /// True before the first frame.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// True if the scene has buffers.
    #[must_use]
    pub fn has_buffers(&self) -> bool {
        self.has_buffers
    }

    /// Numbers of the remembered frames: each of them can be shown.
    #[must_use]
    pub fn frames(&self) -> Range<u64> {
        self.first..self.first + self.frames.len() as u64
    }

    /// A remembered frame.
    #[must_use]
    pub fn get(&self, frame: u64) -> Option<&Remembered> {
        let index = frame.checked_sub(self.first)?;
        self.frames.get(usize::try_from(index).ok()?)
    }

    /// Number of the frame that is shown.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// True if no remembered frame is later than the one that is shown.
    #[must_use]
    pub fn is_at_newest(&self) -> bool {
        self.position >= self.newest()
    }

    /// Seconds of playing from one remembered frame to another.
    #[must_use]
    pub fn seconds(&self, frames: Range<u64>) -> f64 {
        match (self.get(frames.start), self.get(frames.end)) {
            (Some(start), Some(end)) => end.played - start.played,
            _ => 0.0,
        }
    }

    /// Numbers of the frames that have a checkpoint.
    pub fn checkpoints(&self) -> impl Iterator<Item = u64> + '_ {
        self.checkpoints.frames()
    }

    /// What is remembered; nothing for a scene without buffers, whose frames take
    /// no memory worth telling.
    #[must_use]
    pub fn memory(&self) -> Option<Memory> {
        self.has_buffers.then(|| Memory {
            seconds: self.seconds(self.first..self.newest()),
            checkpoints: self.checkpoints.frames().count(),
            bytes: self.checkpoints.bytes(),
            budget: self.checkpoints.budget,
            is_enough: self.bytes * 2 <= self.checkpoints.budget,
        })
    }
}

/// What the buffers do.
impl Rewind {
    /// How the buffers get from what they hold to the frame that is shown: by the
    /// fewest advances. Nothing to do if `frames` is empty and `base` is
    /// [`Base::Here`].
    #[must_use]
    pub fn plan(&self) -> Plan {
        let to = self.position;
        if !self.has_buffers || self.frames.is_empty() {
            return Plan {
                base: Base::Here,
                frames: to..to,
            };
        }
        let here = self.here.filter(|here| *here <= to);
        let checkpoint = self.checkpoints.at_or_before(to);
        let bases = [
            here.map(|here| (Base::Here, here + 1)),
            checkpoint.map(|frame| (Base::Checkpoint(frame), frame + 1)),
            self.begins_empty.then_some((Base::Empty, self.first)),
        ];
        // Where nothing leads there, what the buffers hold has to do.
        let from = bases.into_iter().flatten().rev();
        let (base, from) = from
            .max_by_key(|(_, from)| *from)
            .unwrap_or((Base::Here, to));
        Plan {
            base,
            frames: from..to + 1,
        }
    }

    /// True if the buffers do not hold the content of the frame that is shown.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.has_buffers && !self.is_empty() && self.here != Some(self.position)
    }

    /// The buffers hold the content of this frame from now on.
    pub fn reached(&mut self, frame: u64) {
        self.here = Some(frame);
    }

    /// The buffers are empty, before the first frame.
    pub fn cleared(&mut self) {
        self.here = None;
    }

    /// True if a checkpoint of what the buffers hold, which would take `bytes`, is
    /// to be taken now and reported to [`Self::checkpoint_taken`]. Makes room for
    /// it: those that [`Self::has_checkpoint`] denies from now on are to be dropped
    /// before.
    pub fn wants_checkpoint(&mut self, bytes: u64) -> bool {
        self.bytes = bytes;
        let Some(here) = self.here else { return false };
        let fits = bytes > 0 && bytes <= self.checkpoints.budget;
        if !fits || self.get(here).is_none() || self.checkpoints.contains(here) {
            return false;
        }
        let around = Surroundings {
            first: self.first,
            begins_empty: self.begins_empty,
            newest: self.newest(),
            position: self.position,
        };
        let is_first = here == self.first && !self.begins_empty;
        let is_due = self.is_due(here);
        if is_first || (is_due && self.is_new && here == around.newest) {
            if !self.checkpoints.make_room(here, bytes, around, true) {
                // There is room for one alone: the past begins here.
                self.checkpoints.clear();
                self.forget_before(here);
            }
            return true;
        }
        let helps = is_due || self.is_on_the_way_back(here);
        helps && self.checkpoints.make_room(here, bytes, around, false)
    }

    /// True if the last checkpoint is so long ago that the next one comes, while
    /// time runs.
    fn is_due(&self, here: u64) -> bool {
        let most = self.checkpoints.budget / self.bytes.max(1);
        let spacing = match most {
            0 | 1 => LENGTH,
            most => (LENGTH / (most - 1) as f64).max(SPACING),
        };
        let before = self.checkpoints.at_or_before(here).unwrap_or(self.first);
        self.seconds(before..here) >= spacing
    }

    /// True half of the way to the frame that is shown, half of the rest and so
    /// on: who goes back one frame goes back further.
    fn is_on_the_way_back(&self, here: u64) -> bool {
        let rest = self.position.saturating_sub(here);
        let before = self.checkpoints.at_or_before(here).unwrap_or(self.first);
        rest >= FEW && rest.is_power_of_two() && here - before >= FEW
    }

    /// The checkpoint that was wanted is there.
    pub fn checkpoint_taken(&mut self) {
        if let Some(here) = self.here {
            self.checkpoints.insert(here, self.bytes);
        }
    }

    /// True if the frame has a checkpoint.
    #[must_use]
    pub fn has_checkpoint(&self, frame: u64) -> bool {
        self.checkpoints.contains(frame)
    }
}

#[cfg(test)]
mod tests;
