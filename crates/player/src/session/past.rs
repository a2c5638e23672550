//! Stepping, seeking and restarting: movement in time other than by playing.

use super::Session;
use crate::clock::{Clock, Direction, STEP};
use crate::rewind::Rewind;
use crate::state::{FRAME_RATE, SceneState};
use crate::timeline::{ClockMark, Event};

/// Maximum time to seek, in seconds.
const MAX_SEEK_TIME: f64 = 1e9;
/// Maximum number of frames that buffers advance for a seek.
const MAX_SEEK_STEPS: f64 = 36_000.0;

impl Session {
    /// Returns the frames of the last seconds.
    pub fn rewind(&self) -> &Rewind {
        &self.rewind
    }

    /// Mutable access for the owner of the buffers, which reports progress and sets the
    /// checkpoint budget.
    pub(crate) fn rewind_mut(&mut self) -> &mut Rewind {
        &mut self.rewind
    }

    /// Returns to time 0 and frame 0, with empty buffers.
    pub fn restart(&mut self, now: f64) {
        self.with_clock(now, Clock::restart);
        let has_buffers = self.rewind.has_buffers();
        self.rewind.begin(has_buffers);
        if has_buffers {
            self.replay_with_empty_buffers();
        }
        self.is_live = true;
    }

    /// Steps one frame in `direction` while paused.
    ///
    /// With buffers, this moves through the remembered frames. A step forward from the
    /// newest one adds a frame at the next whole sixtieth of a second, and a step back
    /// from the first one does nothing. Without buffers, a step always goes to a whole
    /// sixtieth of a second.
    pub fn step(&mut self, now: f64, direction: Direction) {
        if !self.clock.is_paused() {
            return;
        }
        if !self.rewind.has_buffers() {
            return self.step_without_buffers(now, direction);
        }
        if self.rewind.is_empty() {
            // Stepping starts from a frame that was never shown.
            self.push_frame(0.0);
        }
        let position = self.rewind.position();
        match direction {
            Direction::Back => return self.seek(now, position.wrapping_sub(1)),
            Direction::Forward if !self.rewind.is_at_newest() => {
                return self.seek(now, position + 1);
            }
            Direction::Forward => {}
        }
        self.with_clock(now, |clock| clock.step(direction));
        self.push_frame(STEP);
        self.is_live = false;
    }

    /// Steps a scene without buffers, whose picture depends on time alone.
    fn step_without_buffers(&mut self, now: f64, direction: Direction) {
        self.is_live = true;
        self.with_clock(now, |clock| clock.step(direction));
        let time = self.clock.time();
        let frames = self.rewind.frames();
        let newest = self.rewind.get(frames.end.wrapping_sub(1));
        let is_later = newest.is_some_and(|newest| time > newest.clock.time());
        if is_later && !self.is_replaying() {
            self.rewind.seek(frames.end - 1);
            self.push_frame(STEP);
        } else {
            self.rewind.locate(time);
        }
    }

    /// Pauses at a remembered frame, by its number, in the state in which it was first shown.
    /// Camera and parameters return to their values of that frame, and nothing is held.
    /// Does nothing if the frame is not remembered.
    pub fn seek(&mut self, now: f64, frame: u64) {
        let Some(remembered) = self.rewind.seek(frame).cloned() else {
            return;
        };
        if self.rewind.has_buffers() {
            // The buffers of the frames before do not lead to those of the frames to come.
            self.rewind.forget_moments_before(f64::INFINITY);
        }
        let before = self.parameters.resolve(&self.state.values);
        for event in Event::release_events(&self.state.input) {
            self.record(now, event);
        }
        self.clock.set_paused(true);
        let SceneState { time, delta, index, .. } = remembered.state;
        let (time, index) = if self.is_replaying() {
            (remembered.clock.time(), remembered.clock.index())
        } else {
            // The frame may have been shown during a replay that has ended since.
            (time, index)
        };
        self.clock.go_to(time, delta, index);
        self.frame_state = remembered.state.clone();
        self.state = remembered.state;
        self.state.input.end_frame();
        self.is_live = false;
        self.is_stale = true;
        self.record(now, Event::Clock(self.clock.mark()));
        self.record(now, Event::Orbit(self.orbit()));
        self.record_values(now, &before);
        self.release();
    }

    /// Goes to a scene time in seconds, without pausing. With buffers, this goes to the last
    /// remembered frame at or before it and adds the frames from there, at 60 per second and
    /// with `size` in pixels.
    pub fn seek_time(&mut self, now: f64, seconds: f64, size: (u32, u32)) {
        let seconds = seconds.clamp(0.0, MAX_SEEK_TIME);
        if !self.rewind.has_buffers() {
            let index = (seconds * FRAME_RATE).round() as u32;
            self.with_clock(now, |clock| clock.go_to(seconds, STEP, index));
            return;
        }
        let target = seconds + 1e-6;
        let is_reached =
            |frame: &u64| self.rewind.get(*frame).is_some_and(|past| past.state.time <= target);
        match self.rewind.frames().rev().find(is_reached) {
            Some(frame) => {
                let is_paused = self.clock.is_paused();
                self.seek(now, frame);
                self.resume_unless(is_paused, now);
            }
            None => self.restart(now),
        }
        let steps = (target - self.clock.time()) * FRAME_RATE;
        self.step_by(now, steps.clamp(0.0, MAX_SEEK_STEPS) as i32, size);
    }

    /// Steps by a number of frames, forward or back, whether paused or not. The frames
    /// have `size` in pixels.
    pub fn step_by(&mut self, now: f64, frames: i32, size: (u32, u32)) {
        if self.rewind.is_empty() {
            // The first frame determines the size of the others.
            let date = self.state.date;
            self.start_frame(now, date, size);
        }
        let is_paused = self.clock.is_paused();
        self.clock.set_paused(true);
        let direction = if frames > 0 { Direction::Forward } else { Direction::Back };
        for _ in 0..frames.unsigned_abs() {
            self.step(now, direction);
        }
        self.resume_unless(is_paused, now);
    }

    /// Resumes time after a step or a seek, for which it was paused.
    fn resume_unless(&mut self, was_paused: bool, now: f64) {
        if !was_paused {
            self.with_clock(now, |clock| clock.set_paused(false));
        }
    }

    /// Releases the keys and the button that were held in the current frame.
    pub(super) fn release(&mut self) {
        let clock = ClockMark { time: self.state.time, ..self.clock.mark() };
        for event in Event::release_events(&self.state.input) {
            event.apply(&mut self.state.input, clock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Snapshot;
    use crate::session::BufferState;
    use proptest::prelude::*;
    use tarsus_shader::{Parameters, Values};

    const SIZE: (u32, u32) = (80, 45);
    const NO_DATE: [f64; 4] = [0.0; 4];

    /// A session of a scene with or without buffers.
    fn session(contents: BufferState) -> Session {
        let mut session = Session::new("s".into(), Values::default());
        session.scene_loaded(Parameters::default(), true, contents);
        session
    }

    fn start_frame(session: &mut Session, now: f64) -> SceneState {
        session.start_frame(now, NO_DATE, SIZE);
        session.frame_state().clone()
    }

    /// Plays `frames` frames of 1/60 s each, and pauses.
    fn play(session: &mut Session, frames: u32) -> Vec<SceneState> {
        let mut states = Vec::new();
        for frame in 0..frames {
            let now = f64::from(frame) / 60.0;
            session.event(now, Event::Orbit([now, 0.0, 1.0]));
            states.push(start_frame(session, now));
        }
        session.with_clock(0.0, Clock::toggle_pause);
        states
    }

    /// A random event during playback.
    fn event() -> impl Strategy<Value = Event> {
        prop_oneof![
            [0.0..1.0f64, 0.0..1.0].prop_map(Event::Pointer),
            Just(Event::Leave),
            any::<bool>().prop_map(Event::Held),
            [-3.0..3.0f64, -1.0..1.0, 0.5..2.0].prop_map(Event::Orbit),
            any::<u8>().prop_map(Event::KeyDown),
            any::<u8>().prop_map(Event::KeyUp),
        ]
    }

    proptest! {
        #[test]
        fn stepping_back_and_forward_restores_states(
            played in proptest::collection::vec((event(), 0.001..0.1f64), 2..60),
            back in 1..80usize,
        ) {
            let mut session = session(BufferState::Empty);
            let (mut now, mut states) = (0.0, Vec::new());
            for (event, seconds) in played {
                session.event(now, event);
                states.push(start_frame(&mut session, now));
                now += seconds;
            }
            session.with_clock(now, Clock::toggle_pause);
            let mut at = states.len() - 1;
            for _ in 0..back {
                session.step(now, Direction::Back);
                at = at.saturating_sub(1);
                prop_assert_eq!(&start_frame(&mut session, now), &states[at]);
                prop_assert_eq!(session.clock.time(), states[at].time);
                prop_assert!(!session.is_held());
                // Moves the pointer as on its way to the scrub bar.
                session.event(now, Event::Pointer([0.5, 0.1]));
                prop_assert!(!session.needs_frame());
            }
            for state in &states[at + 1..] {
                session.step(now, Direction::Forward);
                prop_assert_eq!(&start_frame(&mut session, now), state);
            }
            let newest = states.last().expect("a frame");
            session.step(now, Direction::Forward);
            let next = start_frame(&mut session, now);
            prop_assert!(next.time > newest.time && next.index == newest.index + 1);
        }
    }

    #[test]
    fn steps_from_start_match_capture_frames() {
        let mut session = session(BufferState::Empty);
        play(&mut session, 7);
        session.restart(1.0);
        // Several steps between two frames.
        for _ in 0..9 {
            session.step(1.0, Direction::Forward);
        }
        start_frame(&mut session, 1.0);
        assert_eq!(session.rewind().frames(), 0..10);
        for frame in 0..10u32 {
            let state = &session.rewind().get(frame.into()).expect("it").state;
            let expected = SceneState::at(f64::from(frame) / 60.0, frame, 60.0);
            assert_eq!(state.time, expected.time);
            assert_eq!((state.delta, state.index), (expected.delta, frame));
        }
    }

    #[test]
    fn restarted_frames_add_no_frames() {
        for contents in [BufferState::None, BufferState::Empty] {
            let mut session = session(contents);
            play(&mut session, 5);
            for event in [Event::Pointer([0.1, 0.2]), Event::Held(true)] {
                session.event(1.0, event);
                session.start_frame(1.0, NO_DATE, (160, 90));
                let frame = session.frame_state().frame((160, 90));
                assert_eq!(frame.pointer[..2], [16.0, 18.0]);
            }
            assert_eq!(session.rewind().frames(), 0..5);
            session.with_clock(2.0, Clock::toggle_pause);
            start_frame(&mut session, 2.0);
            assert_eq!(session.rewind().frames(), 0..5, "it goes on without a jump");
            start_frame(&mut session, 2.1);
            assert_eq!(session.rewind().frames(), 0..6);
        }
    }

    #[test]
    fn input_after_rewind_discards_later_frames() {
        for (event, frames) in [
            (Event::Held(true), 4),
            (Event::Orbit([1.0, 0.0, 1.0]), 4),
            (Event::KeyDown(65), 4),
            (Event::KeyDown(17), 10),
            (Event::KeyUp(65), 10),
            (Event::Leave, 10),
        ] {
            let mut session = session(BufferState::Empty);
            let states = play(&mut session, 10);
            session.seek(1.0, 3);
            assert_eq!(start_frame(&mut session, 1.0), states[3]);
            session.event(1.0, event.clone());
            assert_eq!(session.rewind().frames(), 0..frames, "{event:?}");
            let state = start_frame(&mut session, 1.0);
            assert_eq!(state.time, states[3].time);
            assert_eq!(state == states[3], frames == 10, "{event:?}");
        }
    }

    #[test]
    fn resuming_after_seek_continues_from_frame() {
        for contents in [BufferState::None, BufferState::Empty] {
            let mut session = session(contents);
            let states = play(&mut session, 10);
            session.seek(1.0, 3);
            start_frame(&mut session, 1.0);
            session.with_clock(1.0, Clock::toggle_pause);
            assert_eq!(start_frame(&mut session, 2.0).time, states[3].time);
            let next = start_frame(&mut session, 2.5);
            assert_eq!((next.time, next.index), (states[3].time + 0.5, 4));
            assert_eq!(session.rewind().frames(), 0..5);
            assert_eq!(next.input.orbit(), states[3].input.orbit());
        }
    }

    #[test]
    fn seek_releases_keys_and_button() {
        let mut session = session(BufferState::Empty);
        start_frame(&mut session, 0.0);
        session.event(0.0, Event::Held(true));
        session.event(0.0, Event::KeyDown(65));
        start_frame(&mut session, 0.1);
        session.release_all(0.2);
        start_frame(&mut session, 0.2);
        session.with_clock(0.2, Clock::toggle_pause);
        session.step(0.3, Direction::Back);
        let shown = start_frame(&mut session, 0.3);
        assert!(shown.input.is_held() && shown.input.keyboard.is_down(65));
        assert!(!session.is_held());
        session.release_all(0.4);
        assert!(!session.needs_frame(), "nothing to let go of");
        session.event(0.5, Event::Orbit([1.0, 0.0, 1.0]));
        let shown = start_frame(&mut session, 0.5);
        assert!(!shown.input.is_held() && shown.input.keyboard.codes()[0].is_empty());
    }

    #[test]
    fn scene_without_buffers_steps_and_seeks() {
        let mut session = session(BufferState::None);
        let states = play(&mut session, 10);
        for _ in 0..3 {
            session.step(1.0, Direction::Back);
            session.event(1.0, Event::Pointer([0.5, 0.5]));
            assert!(session.needs_frame(), "its picture follows the pointer");
            start_frame(&mut session, 1.0);
        }
        assert_eq!(session.clock.time(), 6.0 / 60.0);
        assert_eq!(session.rewind().frames(), 0..10);
        assert_eq!(session.rewind().position(), 6);
        session.seek(1.0, 2);
        assert_eq!(start_frame(&mut session, 1.0), states[2]);
        session.seek(1.0, 9);
        session.step(1.0, Direction::Forward);
        session.step(1.0, Direction::Forward);
        start_frame(&mut session, 1.0);
        assert_eq!(session.clock.time(), 11.0 / 60.0);
        assert_eq!(session.rewind().frames(), 0..12);
    }

    #[test]
    fn replay_continues_after_seek() {
        let mut recorded = session(BufferState::Empty);
        start_frame(&mut recorded, 0.0);
        recorded.start_recording(0.0, SIZE);
        recorded.event(0.5, Event::Orbit([0.5, 0.0, 1.0]));
        let timeline = recorded.stop_recording(2.0).expect("a recording");
        let mut session = Session::replaying("s".into(), timeline, Values::default());
        session.scene_loaded(Parameters::default(), true, BufferState::Empty);
        let mut states: Vec<_> =
            (0..10).map(|frame| start_frame(&mut session, f64::from(frame) / 10.0)).collect();
        session.with_clock(1.0, Clock::toggle_pause);
        session.seek(1.0, 3);
        assert_eq!(start_frame(&mut session, 1.0), states[3]);
        assert!(session.is_replaying());
        session.with_clock(2.0, Clock::toggle_pause);
        start_frame(&mut session, 2.0);
        states.truncate(4);
        states.push(start_frame(&mut session, 2.3));
        assert!((states[4].time - 0.6).abs() < 1e-9);
        assert_eq!(states[4].input.orbit()[0], 0.5);
        start_frame(&mut session, 4.5);
        assert!(!session.is_replaying());
        session.seek(5.0, 4);
        assert_eq!(start_frame(&mut session, 5.0), states[4]);
        assert_eq!(session.clock.time(), states[4].time);
    }

    #[test]
    fn steps_of_running_scene_record_no_pause() {
        for contents in [BufferState::None, BufferState::Empty] {
            let mut session = session(contents);
            start_frame(&mut session, 0.0);
            session.start_recording(0.0, SIZE);
            session.step_by(1.0, 3, SIZE);
            session.seek_time(2.0, 0.5, SIZE);
            assert!(!session.clock.is_paused());
            assert!((session.clock.time() - 0.5).abs() < 1e-5, "{contents:?}");
            let timeline = session.stop_recording(3.0).expect("a recording");
            let last = timeline.events().last().expect("an event");
            let Event::Clock(mark) = last.event else {
                panic!("{last:?}");
            };
            assert_eq!(mark.speed, 1.0, "{contents:?}");
        }
    }

    #[test]
    fn recording_includes_seek() {
        let mut session = session(BufferState::Empty);
        play(&mut session, 30);
        session.start_recording(10.0, SIZE);
        session.seek(11.0, 10);
        let timeline = session.stop_recording(12.0).expect("a recording");
        let state = timeline.at(1.5, 0, 60.0);
        assert!((state.time - 10.0 / 60.0).abs() < 1e-9);
        assert_eq!(state.input.orbit()[0], 10.0 / 60.0);
    }

    #[test]
    fn reload_keeps_time_and_buffers() {
        let mut session = session(BufferState::Empty);
        play(&mut session, 10);
        let parameters = Parameters::default;
        session.scene_loaded(parameters(), true, BufferState::Kept);
        assert_eq!(session.rewind().frames(), 9..10);
        session.scene_loaded(parameters(), true, BufferState::Empty);
        assert!(session.rewind().is_empty());
        let time = session.clock.time();
        assert_eq!(start_frame(&mut session, 1.0).time, time);
        assert_eq!(session.rewind().frames(), 0..1, "also while paused");
        let snapshot = Snapshot::new("s", SIZE, SceneState::at(2.0, 120, 60.0));
        let mut session = Session::at_snapshot("s".into(), &snapshot);
        session.scene_loaded(parameters(), true, BufferState::Empty);
        assert_eq!(start_frame(&mut session, 0.0).index, 120);
        assert_eq!(session.rewind().frames(), 0..121, "its own and those before");
    }
}
