//! Sessions of a scene with buffers that begin at a snapshot or replay a recording. The buffers
//! are either restored or advanced through the frames before it.

use super::Session;
use crate::state::{FRAME_RATE, SceneState};

/// Maximum number of frames that buffers advance to reach a snapshot: some minutes of
/// playing.
const MAX_FRAMES: u32 = 20_000;

impl Session {
    /// Number of frames through which the buffers advance before they reach the snapshot.
    /// `None` if the session does not begin at a snapshot, or if there are too many
    /// frames; then the buffers begin empty.
    pub fn frames_to_snapshot(&self) -> Option<u32> {
        let frames = self.snapshot.as_ref()?.index;
        (self.rewind.has_buffers() && frames < MAX_FRAMES).then_some(frames)
    }

    /// Shows the snapshot after the frames before it, which run as in a capture.
    pub(super) fn run_to_snapshot(&mut self) {
        let Some(snapshot) = self.snapshot.take() else {
            return;
        };
        let fps = snapshot.run_rate().unwrap_or(FRAME_RATE);
        let states = (0..=snapshot.index).map(|index| snapshot.state_before(index, fps));
        self.rewind.begin_with_frames(states, self.size, 1.0 / fps);
        self.show_snapshot(snapshot);
    }

    /// Shows the snapshot or the start of the replay, whose buffers of `size` pixels are already
    /// restored.
    pub(super) fn begin_with_buffers(&mut self, size: (u32, u32)) {
        if self.is_replaying() {
            self.rewind.begin(true);
            self.size = size;
            self.push_frame(0.0);
            self.is_live = true;
            return self.rewind.anchor_buffers();
        }
        let snapshot = self.snapshot.take().unwrap_or_else(|| self.state.clone());
        self.rewind.begin_with_frames(std::iter::once(snapshot.clone()), size, 0.0);
        self.rewind.anchor_buffers();
        self.show_snapshot(snapshot);
    }

    /// Shows the state of the snapshot until something changes, with nothing held.
    fn show_snapshot(&mut self, snapshot: SceneState) {
        self.frame_state = snapshot;
        self.is_live = false;
        self.state.input.end_frame();
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Direction};
    use crate::session::BufferState;
    use crate::timeline::Event;
    use crate::{PlanStart, Snapshot, Timeline};
    use tarsus_render::Checkpoint;
    use tarsus_shader::{Parameters, Values};

    const SIZE: (u32, u32) = (80, 45);

    /// A snapshot with the button just pressed.
    fn snapshot(index: u32) -> Snapshot {
        let mut state = SceneState::at(f64::from(index) / 24.0, index, 24.0);
        state.input.move_pointer([0.25, 0.5]);
        state.input.press(state.time);
        Snapshot::new("s", SIZE, state)
    }

    fn session(snapshot: &Snapshot, contents: BufferState) -> Session {
        let mut session = Session::at_snapshot("s".into(), snapshot);
        session.scene_loaded(Parameters::default(), true, contents);
        session
    }

    #[test]
    fn buffers_advance_to_snapshot_like_capture() {
        let snapshot = snapshot(9);
        let mut session = session(&snapshot, BufferState::Empty);
        assert_eq!(session.frames_to_snapshot(), Some(9));
        session.start_frame(0.0, [0.0; 4], SIZE);
        assert_eq!(*session.frame_state(), snapshot.state);
        let plan = session.rewind().plan();
        assert_eq!((plan.start, plan.frames), (PlanStart::Empty, 0..10));
        for index in 0..10u32 {
            let run = session.rewind().get(index.into()).expect("a frame");
            let input = snapshot.state.input.clone();
            let expected = SceneState::at(f64::from(index) / 24.0, index, 24.0);
            assert_eq!(run.state, SceneState { input, ..expected });
            assert_eq!(run.size, SIZE);
        }
        assert!(!session.is_held(), "nobody holds it now");
        session.rewind_mut().set_buffer_frame(9);
        for now in [1.0, 2.0] {
            session.request_frame();
            session.start_frame(now, [0.0; 4], SIZE);
            assert_eq!(*session.frame_state(), snapshot.state);
        }
        session.with_clock(3.0, Clock::toggle_pause);
        session.start_frame(3.0, [0.0; 4], SIZE);
        session.start_frame(3.5, [0.0; 4], SIZE);
        assert_eq!(session.frame_state().index, 10);
        assert_eq!(session.frame_state().time, snapshot.state.time + 0.5);
        assert_eq!(session.rewind().plan().frames, 10..11);
    }

    #[test]
    fn restored_buffers_do_not_advance() {
        let snapshot = snapshot(4_000_000_000);
        let mut session = session(&snapshot, BufferState::Restored(SIZE));
        assert!(!session.rewind().is_behind());
        session.rewind_mut().keep_checkpoint(100, || Some(Checkpoint::default()));
        assert!(session.rewind().checkpoint(0).is_some(), "the only way back");
        session.start_frame(0.0, [0.0; 4], SIZE);
        assert_eq!(*session.frame_state(), snapshot.state);
        assert!(!session.rewind().is_behind());
        session.step(1.0, Direction::Forward);
        session.start_frame(1.0, [0.0; 4], SIZE);
        assert_eq!(session.rewind().plan().frames, 1..2);
    }

    #[test]
    fn replay_begins_with_restored_or_empty_buffers() {
        for (contents, first) in [(BufferState::Restored(SIZE), 40), (BufferState::Empty, 0)] {
            let start = snapshot(40);
            let timeline = Timeline::new(start.clone(), 9.0, Vec::new(), Vec::new());
            let mut session = Session::replaying("s".into(), timeline, Values::default());
            session.scene_loaded(Parameters::default(), true, contents);
            session.start_frame(0.0, [0.0; 4], SIZE);
            assert_eq!(session.frame_state().index, first);
            assert_eq!(session.frame_state().time, start.state.time);
            assert_eq!(session.rewind().is_behind(), contents == BufferState::Empty);
            session.rewind_mut().set_buffer_frame(0);
            session.start_frame(0.5, [0.0; 4], SIZE);
            assert_eq!(session.frame_state().index, first + 1);
            assert_eq!(session.frame_state().time, start.state.time + 0.5);
            assert_eq!(session.rewind().plan().frames, 1..2);
        }
    }

    #[test]
    fn history_begins_at_known_buffers() {
        let mut session = session(&snapshot(400), BufferState::Restored(SIZE));
        session.rewind_mut().keep_checkpoint(100, || Some(Checkpoint::default()));
        // A pause before the first new frame is part of the history.
        session.start_frame(0.0, [0.0; 4], SIZE);
        session.event(0.2, Event::Pointer([0.75, 0.5]));
        session.start_frame(0.2, [0.0; 4], SIZE);
        session.with_clock(0.4, Clock::toggle_pause);
        let play = |session: &mut Session, from: f64| {
            for frame in 0..20u64 {
                session.start_frame(from + frame as f64 / 10.0, [0.0; 4], SIZE);
                let newest = session.rewind().position();
                session.rewind_mut().set_buffer_frame(newest);
                session.rewind_mut().keep_checkpoint(100, || Some(Checkpoint::default()));
            }
        };
        play(&mut session, 0.4);
        let (number, timeline) = session.history_timeline(SIZE).expect("a recording");
        assert_eq!(timeline.at(0.3, 18, 60.0).time, timeline.start.state.time);
        assert_eq!((number, timeline.start.state.index), (0, 400));
        assert_eq!(timeline.start.state, session.rewind().get(0).expect("a frame").state);
        // Frames before a jump do not lead to those after it.
        session.seek(2.0, 10);
        session.start_frame(2.0, [0.0; 4], SIZE);
        assert_eq!(session.history_timeline(SIZE), None);
        session.with_clock(2.0, Clock::toggle_pause);
        play(&mut session, 2.0);
        let (number, timeline) = session.history_timeline(SIZE).expect("a recording");
        assert!((10..20).contains(&number), "{number}");
        let start = &session.rewind().get(number).expect("a frame").state;
        assert_eq!(timeline.start.state, *start);
        assert_eq!(timeline.at(0.0, 0, 60.0).time, start.time);
        let end = timeline.at(timeline.duration, 0, 60.0).time;
        assert!((end - session.frame_state().time).abs() < 1e-9, "{end}");
    }

    #[test]
    fn distant_snapshot_begins_with_empty_buffers() {
        let mut session = session(&snapshot(MAX_FRAMES), BufferState::Empty);
        assert_eq!(session.frames_to_snapshot(), None);
        session.start_frame(0.0, [0.0; 4], SIZE);
        assert_eq!(session.rewind().frames(), 0..1);
        assert_eq!(session.rewind().plan().start, PlanStart::Empty);
    }
}
