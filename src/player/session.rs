//! A live scene, apart from how it gets to the screen: scene time, input,
//! parameters, recording and replay around one [`SceneState`]. Pure: real time and
//! date come in.

mod moment;
mod past;

use super::clock::Clock;
use super::history::History;
use super::keyboard::Keyboard;
use super::moment::Moment;
use super::rewind::Rewind;
use super::state::SceneState;
use super::timeline::{Assignment, ClockMark, Cursor, Event, Recorder, Timeline};
use crate::render::Frame;
use crate::shader::{Parameters, Values};

/// A recording under way, with the real time it began at.
#[derive(Debug)]
struct Recording {
    recorder: Recorder,
    since: f64,
}

/// A replay under way. The clock is the time of the recording.
#[derive(Debug)]
struct Replay {
    timeline: Timeline,
    cursor: Cursor,
    /// Values that win over those of the timeline.
    fixed: Values,
}

/// What the buffers of a loaded scene hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferContents {
    /// There are no buffers.
    None,
    /// Nothing yet.
    Empty,
    /// What those of the program before held.
    Kept,
    /// What they held at the moment that the session begins at, with so many pixels.
    Restored((u32, u32)),
}

/// Where what is painted comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// From the user's input and the clock.
    Live,
    /// It is the frame of a step: it stays as it was painted first until something
    /// happens.
    Stepped,
    /// It is a remembered frame, and the user's input is what it was then, with
    /// nothing held.
    Remembered,
}

/// What a live picture is a function of, and how it goes on.
///
/// The frames of the last seconds are remembered: [`Self::seek`] shows one of them
/// as it was painted first. There a pointer that only hovers changes nothing; any
/// other input shows the frame anew with it and forgets the frames that came after,
/// and so does time that goes on.
#[derive(Debug)]
pub struct Session {
    /// The scene as named on the command line.
    pub scene: String,
    /// How time runs; while a recording is replayed, the time of the recording.
    pub clock: Clock,
    /// The scene's parameters.
    pub parameters: Parameters,
    /// Seconds after which the scene repeats itself.
    period: Option<f64>,
    /// As the user has it now. Its values are by name: they outlive a reload.
    state: SceneState,
    /// As the frame painted last has it.
    painted: SceneState,
    shown: Shown,
    /// The moment that it begins at, until its buffers are there.
    moment: Option<SceneState>,
    /// The frames of the last seconds.
    rewind: Rewind,
    /// Size of the frame painted last, in pixels.
    size: (u32, u32),
    recording: Option<Recording>,
    /// What was played in the last seconds.
    history: History,
    replay: Option<Replay>,
    /// Time alone changes the picture.
    is_animated: bool,
    /// Something changed that the picture does not show yet.
    stale: bool,
}

impl Session {
    /// Begins with `scene` and the values chosen on the command line.
    #[must_use]
    pub fn new(scene: String, values: Values) -> Self {
        let state = SceneState {
            values,
            ..SceneState::default()
        };
        Self::with_state(scene, Clock::default(), state)
    }

    /// Begins at a moment and stays there.
    #[must_use]
    pub fn at_moment(scene: String, moment: &Moment) -> Self {
        let state = moment.state.clone();
        let mut clock = Clock::starting_at(state.time, state.index);
        clock.set_delta(state.delta);
        clock.set_paused(true);
        Self {
            moment: Some(state.clone()),
            ..Self::with_state(scene, clock, state)
        }
    }

    /// Replays a timeline from its beginning. The values in `fixed` win over those
    /// of the timeline.
    #[must_use]
    pub fn replaying(scene: String, timeline: Timeline, fixed: Values) -> Self {
        let mut state = timeline.start.state.clone();
        state.values.merge(&fixed);
        let replay = Replay {
            cursor: timeline.cursor(),
            timeline,
            fixed,
        };
        Self {
            replay: Some(replay),
            ..Self::with_state(scene, Clock::default(), state)
        }
    }

    fn with_state(scene: String, clock: Clock, state: SceneState) -> Self {
        Self {
            scene,
            clock,
            parameters: Parameters::default(),
            period: None,
            painted: state.clone(),
            state,
            shown: Shown::Live,
            moment: None,
            rewind: Rewind::default(),
            size: (1, 1),
            recording: None,
            history: History::default(),
            replay: None,
            is_animated: true,
            stale: true,
        }
    }

    /// The scene is there, or was reloaded: its parameters, its period in seconds,
    /// whether time alone changes its picture, and its buffers may be others.
    pub fn scene_loaded(
        &mut self,
        parameters: Parameters,
        period: Option<f64>,
        is_animated: bool,
        contents: BufferContents,
    ) {
        self.parameters = parameters;
        self.period = period;
        self.is_animated = is_animated || contents != BufferContents::None;
        self.history.clear();
        match contents {
            // What is remembered can be drawn by another program as well.
            BufferContents::None if !self.rewind.has_buffers() => {}
            BufferContents::None => self.rewind.begin(false),
            BufferContents::Empty => self.rewind.begin(true),
            BufferContents::Kept => self.rewind.go_on_with_buffers(),
            BufferContents::Restored(size) => self.begin_at_moment(size),
        }
        self.stale = true;
    }

    /// True while a recording is replayed.
    #[must_use]
    pub fn is_replaying(&self) -> bool {
        self.replay.is_some()
    }

    /// Seconds recorded so far, at real time `now`.
    #[must_use]
    pub fn recorded(&self, now: f64) -> Option<f64> {
        self.recording
            .as_ref()
            .map(|recording| now - recording.since)
    }

    /// True if something changed that no frame has shown.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// True if there is a next frame: time runs and shows, or something changed.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        let runs = !self.clock.is_paused() && (self.is_animated || self.is_replaying());
        self.stale || runs
    }

    /// Has the next frame painted although nothing happened: another size.
    pub fn touch(&mut self) {
        self.stale = true;
    }

    /// The user did something at real time `now`.
    pub fn event(&mut self, now: f64, event: Event) {
        if self.replay.is_some() {
            return;
        }
        let is_passing = event.is_passing(&self.state.input);
        event.apply(&mut self.state.input, self.clock.time());
        self.record(now, event);
        if !is_passing {
            self.touched();
        } else if self.shown != Shown::Remembered || self.rewind.is_at_newest() {
            self.shown = Shown::Live;
            self.stale = true;
        }
    }

    /// What is painted follows the user from now on, also in the past.
    fn touched(&mut self) {
        self.rewind.cut();
        self.shown = Shown::Live;
        self.stale = true;
    }

    /// Gives the parameter `name` a value, one number per component.
    pub fn set(&mut self, now: f64, name: &str, components: &[f64]) {
        self.state.values.set(name, components);
        let set = Assignment {
            name: name.to_owned(),
            value: components.to_vec(),
        };
        self.record(now, Event::Set(set));
        self.touched();
    }

    /// Parameters and camera as at the start.
    pub fn reset_view(&mut self, now: f64) {
        let defaults = self.parameters.resolve(&Values::default());
        for (name, components) in defaults.iter() {
            self.set(now, name, components);
        }
        self.state.values.clear();
        self.event(now, Event::Orbit([0.0, 0.0, 1.0]));
    }

    /// Changes how time runs.
    pub fn with_clock(&mut self, now: f64, change: impl FnOnce(&mut Clock)) {
        change(&mut self.clock);
        self.record(now, Event::Clock(self.clock.mark()));
        if !self.clock.is_paused() {
            self.shown = Shown::Live;
        }
        self.stale = true;
    }

    fn record(&mut self, now: f64, event: Event) {
        if self.replay.is_none() {
            self.history.record(now, event.clone());
        }
        if let Some(recording) = &mut self.recording {
            recording.recorder.record(now - recording.since, event);
        }
    }

    /// Begins a recording at real time `now`.
    pub fn start_recording(&mut self, now: f64, size: (u32, u32)) {
        self.follow_clock();
        let mark = ClockMark {
            time: self.state.time,
            ..self.clock.mark()
        };
        self.recording = Some(Recording {
            recorder: Recorder::new(self.describe(&self.state, size), mark),
            since: now,
        });
    }

    /// Ends the recording under way.
    pub fn stop_recording(&mut self, now: f64) -> Option<Timeline> {
        let recording = self.recording.take()?;
        Some(recording.recorder.finish(now - recording.since))
    }

    /// The next frame, at real time `now` and with Shadertoy's date. `size` in
    /// pixels is also that of the buffers, which advance if the frame is a new one:
    /// where time stands still it is painted anew, and they do not.
    pub fn paint(&mut self, now: f64, date: [f64; 4], size: (u32, u32)) -> Frame {
        let index = self.clock.index();
        self.clock.tick(now);
        self.size = size;
        if !self.is_replaying() && !self.clock.is_paused() {
            self.state.date = date;
        }
        if self.rewind.is_empty() && self.is_on_the_way() {
            self.run_to_moment();
        } else if self.rewind.is_empty() || self.clock.index() != index {
            let seconds = self.clock.delta() / self.clock.speed();
            self.paint_new(seconds);
            self.shown = Shown::Live;
        } else if self.shown == Shown::Live {
            self.follow();
        }
        self.moment = None;
        self.stale = false;
        self.remember(now, size);
        self.frame(size)
    }

    /// A frame that was not there before, `seconds` of playing after the last one.
    fn paint_new(&mut self, seconds: f64) {
        self.follow();
        let (state, clock) = (self.painted.clone(), self.clock.clone());
        self.rewind.painted(state, self.size, clock, seconds);
    }

    /// What is painted is what the clock, the user or the replay say.
    fn follow(&mut self) {
        self.follow_clock();
        self.follow_replay();
        self.painted = self.state.clone();
        self.state.input.painted();
    }

    /// Keeps what was painted last for [`Self::played`]. A replay is a recording
    /// already.
    fn remember(&mut self, now: f64, size: (u32, u32)) {
        if self.replay.is_some() {
            self.history.clear();
            return;
        }
        let stands_still = self.clock.is_paused() || !self.is_animated;
        if self.history.painted(now, stands_still) {
            let mark = ClockMark {
                time: self.painted.time,
                ..self.clock.mark()
            };
            let moment = self.describe(&self.painted, size);
            self.history.begin(moment, mark);
        }
    }

    /// What was played since the scene was loaded, at most the last half minute,
    /// as a recording of pictures of `size` pixels. Pauses are cut short. Nothing
    /// during a replay and before the second picture.
    #[must_use]
    pub fn played(&self, size: (u32, u32)) -> Option<Timeline> {
        self.history.timeline(size)
    }

    /// Takes time from the clock, unless a replay gives it.
    fn follow_clock(&mut self) {
        if self.replay.is_none() {
            self.state.time = self.clock.time();
            self.state.delta = self.clock.delta();
            self.state.index = self.clock.index();
        }
    }

    /// Takes the state from the recording; after its end the user goes on from
    /// there.
    fn follow_replay(&mut self) {
        let Some(replay) = &mut self.replay else {
            return;
        };
        let (clock, timeline) = (&self.clock, &replay.timeline);
        let at = clock.time().min(timeline.duration);
        let fps = 1.0 / clock.delta().max(1e-6);
        let frame_rate = self.state.frame_rate;
        self.state = timeline.at_cursor(&mut replay.cursor, at, clock.index(), fps);
        self.state.frame_rate = frame_rate;
        self.state.values.merge(&replay.fixed);
        if clock.time() >= timeline.duration {
            self.clock = Clock::starting_at(self.state.time, self.state.index);
            self.replay = None;
        }
    }

    /// The state of the frame painted last.
    #[must_use]
    pub fn painted(&self) -> &SceneState {
        &self.painted
    }

    /// The frame painted last, at any size.
    #[must_use]
    pub fn frame(&self, size: (u32, u32)) -> Frame {
        self.painted.frame(size, self.period)
    }

    /// The keys of the frame painted last.
    #[must_use]
    pub fn keyboard(&self) -> &Keyboard {
        &self.painted.input.keyboard
    }

    /// The description of the frame painted last, with the value of every
    /// parameter.
    #[must_use]
    pub fn moment(&self, size: (u32, u32)) -> Moment {
        self.describe(&self.painted, size)
    }

    fn describe(&self, state: &SceneState, size: (u32, u32)) -> Moment {
        let state = SceneState {
            values: self.parameters.resolve(&state.values),
            ..state.clone()
        };
        Moment::new(&self.scene, size, state)
    }

    /// The parameters' values as the user chose them.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.state.values
    }

    /// Frames per second, as the scene receives them from the next frame on.
    pub fn set_frame_rate(&mut self, frame_rate: f64) {
        self.state.frame_rate = frame_rate;
    }

    /// Yaw and pitch in radians, zoom factor.
    #[must_use]
    pub fn orbit(&self) -> [f32; 3] {
        self.state.input.orbit()
    }

    /// True while the button is down.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.state.input.is_held()
    }

    /// Releases every key and the button: the window no longer receives them.
    pub fn let_go(&mut self, now: f64) {
        for event in Event::releases(&self.state.input) {
            self.event(now, event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::NEVER;
    use crate::shader::{Library, compose};

    const SIZE: (u32, u32) = (80, 45);
    const NO_DATE: [f64; 4] = [0.0; 4];

    fn parameters(default: &str) -> Parameters {
        let text = format!(
            "struct Params {{
    /// Size [0, 1] = {default}
    size: f32,
    /// On = off
    on: u32,
}}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f {{ return vec4f(params.size * f32(params.on)); }}
"
        );
        let composed = compose(
            &crate::shader::Scene::from_text(&text, "s.wgsl"),
            &Library::embedded(),
            &[],
        );
        composed.expect("a scene").parameters
    }

    fn session() -> Session {
        let mut session = Session::new("s".into(), Values::default());
        session.scene_loaded(parameters("0.25"), None, true, BufferContents::None);
        session
    }

    #[test]
    fn chosen_values_outlive_a_reload_and_others_follow_the_file() {
        let mut session = session();
        let values = |session: &Session| {
            let parameters = session.parameters.iter();
            let value = |parameter| session.parameters.get(session.values(), parameter)[0];
            parameters.map(value).collect::<Vec<_>>()
        };
        session.set(0.0, "on", &[1.0]);
        session.scene_loaded(parameters("0.5"), None, true, BufferContents::None);
        assert_eq!(values(&session), [0.5, 1.0]);
        session.reset_view(0.0);
        assert_eq!(values(&session), [0.5, 0.0]);
        session.scene_loaded(parameters("0.75"), None, true, BufferContents::None);
        assert_eq!(values(&session), [0.75, 0.0], "nothing is chosen any more");
    }

    #[test]
    fn input_while_paused_paints_one_frame() {
        let mut session = session();
        session.with_clock(0.0, Clock::toggle_pause);
        session.paint(1.0, NO_DATE, SIZE);
        assert!(!session.goes_on());
        session.event(2.0, Event::Pointer([0.5, 0.5]));
        assert!(session.goes_on());
        let frame = session.paint(3.0, NO_DATE, SIZE);
        assert_eq!(frame.pointer, [40.0, 22.5, 1.0, 0.0]);
        assert_eq!((frame.time, frame.press_age), (0.0, NEVER));
        assert!(!session.goes_on());
    }

    #[test]
    fn scenes_that_stand_still_are_painted_once() {
        let mut session = session();
        session.scene_loaded(parameters("0.25"), None, false, BufferContents::None);
        assert!(session.goes_on());
        session.paint(1.0, NO_DATE, SIZE);
        assert!(!session.goes_on());
    }

    #[test]
    fn a_recording_plays_the_same_frames() {
        let mut session = session();
        session.paint(10.0, NO_DATE, SIZE);
        session.start_recording(10.0, SIZE);
        let mut frames = Vec::new();
        for (now, event) in [
            (10.5, Event::Pointer([0.25, 0.5])),
            (11.0, Event::Held(true)),
            (11.5, Event::Pointer([0.75, 0.5])),
            (12.0, Event::Held(false)),
            (12.5, Event::Orbit([0.5, 0.25, 2.0])),
        ] {
            session.event(now, event);
            frames.push((now - 10.0, session.paint(now, NO_DATE, SIZE)));
        }
        let timeline = session.stop_recording(13.0).expect("a recording");
        assert_eq!(timeline.duration, 3.0);
        for (at, frame) in frames {
            let again = timeline.at(at, 0, 60.0).frame(SIZE, None);
            assert_eq!(again.mouse[..3], frame.mouse[..3], "at {at}");
            assert_eq!(again.orbit, frame.orbit, "at {at}");
            assert!((again.time - frame.time).abs() < 1e-5, "at {at}");
        }
    }

    #[test]
    fn what_was_played_becomes_a_recording_of_the_same_frames() {
        let mut session = session();
        assert_eq!(session.played(SIZE), None);
        let mut frames = Vec::new();
        for (now, event) in [
            (10.0, Event::Orbit([0.1, 0.25, 2.0])),
            (10.5, Event::Pointer([0.25, 0.5])),
            (11.0, Event::Held(true)),
            (11.5, Event::Pointer([0.75, 0.5])),
            (12.5, Event::Orbit([0.5, 0.25, 2.0])),
        ] {
            session.event(now, event);
            frames.push((now - 10.0, session.paint(now, NO_DATE, SIZE)));
        }
        let timeline = session.played(SIZE).expect("a recording");
        assert_eq!(timeline.duration, 2.5);
        for (at, frame) in frames {
            let again = timeline.at(at, 0, 60.0).frame(SIZE, None);
            assert_eq!(again.mouse[..3], frame.mouse[..3], "at {at}");
            assert_eq!(again.orbit, frame.orbit, "at {at}");
            assert!((again.time - frame.time).abs() < 1e-5, "at {at}");
        }
        session.scene_loaded(parameters("0.5"), None, true, BufferContents::None);
        assert_eq!(
            session.played(SIZE),
            None,
            "another scene has other parameters"
        );
        let mut replay = Session::replaying("s".into(), timeline, Values::default());
        for now in [20.0, 20.5, 21.0] {
            replay.paint(now, NO_DATE, SIZE);
            assert_eq!(replay.played(SIZE), None, "it is a recording already");
        }
    }

    #[test]
    fn a_replay_hands_over_at_its_end() {
        let mut recorded = session();
        recorded.paint(0.0, NO_DATE, SIZE);
        recorded.start_recording(0.0, SIZE);
        recorded.event(0.5, Event::Orbit([0.5, 0.0, 1.0]));
        let timeline = recorded.stop_recording(1.0).expect("a recording");
        let mut session = Session::replaying("s".into(), timeline, Values::default());
        session.scene_loaded(parameters("0.25"), None, true, BufferContents::None);
        session.paint(100.0, NO_DATE, SIZE);
        session.event(100.1, Event::Orbit([9.0, 0.0, 1.0]));
        let frame = session.paint(100.75, NO_DATE, SIZE);
        assert_eq!(frame.orbit[0], 0.5, "the user waits for the end");
        assert!(session.is_replaying());
        session.paint(101.5, NO_DATE, SIZE);
        assert!(!session.is_replaying());
        session.event(101.6, Event::Orbit([9.0, 0.0, 1.0]));
        assert_eq!(session.paint(101.7, NO_DATE, SIZE).orbit[0], 9.0);
    }

    #[test]
    fn a_moment_comes_back_as_it_was() {
        let mut first = session();
        first.event(0.0, Event::Pointer([0.25, 0.5]));
        first.event(0.0, Event::Held(true));
        first.paint(0.0, [2026.0, 10.0, 21.0, 60.0], SIZE);
        first.paint(0.5, [2026.0, 10.0, 21.0, 60.5], SIZE);
        let moment = first.moment(SIZE);
        let mut second = Session::at_moment("s".into(), &moment);
        second.scene_loaded(parameters("0.25"), None, true, BufferContents::None);
        second.paint(9.0, NO_DATE, SIZE);
        assert_eq!(second.moment(SIZE), moment);
        assert_eq!(second.frame(SIZE), first.frame(SIZE));
    }

    #[test]
    fn time_is_reduced_by_the_period_of_the_scene() {
        let state = SceneState::at(36_000.25, 7, 60.0);
        let mut session = Session::at_moment("s".into(), &Moment::new("s", SIZE, state));
        session.scene_loaded(parameters("0.25"), Some(4.0), true, BufferContents::None);
        assert_eq!(session.paint(0.0, NO_DATE, SIZE).time, 0.25);
        assert_eq!(session.moment(SIZE).state.time, 36_000.25);
    }

    #[test]
    fn fixed_values_win_over_those_of_a_replay() {
        let mut recorded = session();
        recorded.paint(0.0, NO_DATE, SIZE);
        recorded.start_recording(0.0, SIZE);
        recorded.set(0.5, "size", &[0.75]);
        recorded.set(0.5, "on", &[1.0]);
        let timeline = recorded.stop_recording(1.0).expect("a recording");
        let mut fixed = Values::default();
        fixed.set("size", &[0.5]);
        let mut session = Session::replaying("s".into(), timeline, fixed);
        session.scene_loaded(parameters("0.25"), None, true, BufferContents::None);
        for now in [10.0, 10.75, 11.5] {
            session.paint(now, NO_DATE, SIZE);
            assert_eq!(session.values().get("size"), Some(&[0.5][..]));
            let on = f64::from(u8::from(now > 10.5));
            assert_eq!(session.values().get("on"), Some(&[on][..]), "at {now}");
        }
        assert!(!session.is_replaying());
    }

    #[test]
    fn keys_and_button_are_let_go() {
        let mut session = session();
        session.event(0.0, Event::Held(true));
        session.event(0.0, Event::KeyDown(65));
        session.let_go(1.0);
        session.paint(1.0, NO_DATE, SIZE);
        assert!(!session.is_held());
        assert!(session.keyboard().codes()[0].is_empty());
    }
}
