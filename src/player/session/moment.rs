//! Sessions that begin at the moment of a picture, of a scene with buffers: they hold
//! what they held then, or get there through the frames before it.

use super::{Session, Shown};
use crate::player::state::{FRAME_RATE, SceneState};

/// Most frames that buffers run to get to a moment: some minutes of playing.
const MOST_FRAMES: u32 = 20_000;

impl Session {
    /// True if the buffers are to run to a moment that the session begins at.
    pub(super) fn is_on_the_way(&self) -> bool {
        let moment = self.moment.as_ref();
        self.rewind.has_buffers() && moment.is_some_and(|moment| moment.index < MOST_FRAMES)
    }

    /// Number of frames that the buffers run before those of the picture that it begins
    /// at; `None` where it begins at none, or there are too many: then they begin empty.
    #[must_use]
    pub fn frames_to_moment(&self) -> Option<u32> {
        let moment = self.moment.as_ref().filter(|_| self.is_on_the_way());
        moment.map(|moment| moment.index)
    }

    /// Shows the moment, with the frames before it as every capture runs them.
    pub(super) fn run_to_moment(&mut self) {
        let Some(moment) = self.moment.take() else {
            return;
        };
        let fps = moment.run_rate().unwrap_or(FRAME_RATE);
        let states = (0..=moment.index).map(|index| moment.on_the_way(index, fps));
        self.rewind.begin_on_the_way(states, self.size, 1.0 / fps);
        self.show_moment(moment);
    }

    /// Shows the moment; its buffers, of `size` pixels, are there.
    pub(super) fn begin_at_moment(&mut self, size: (u32, u32)) {
        let moment = self.moment.take().unwrap_or_else(|| self.state.clone());
        self.rewind
            .begin_on_the_way(std::iter::once(moment.clone()), size, 0.0);
        self.rewind.hold_shown();
        self.show_moment(moment);
    }

    /// It stays as it was painted until something happens, with nothing held.
    fn show_moment(&mut self, moment: SceneState) {
        self.painted = moment;
        self.shown = Shown::Remembered;
        self.state.input.painted();
        self.release();
    }
}
