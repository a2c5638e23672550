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
use tarsus_render::Frame;
use tarsus_shader::{Parameters, Values};

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

    /// What was recorded so far, at real time `now`.
    #[must_use]
    pub fn recording(&self, now: f64) -> Option<Timeline> {
        let recording = self.recording.as_ref()?;
        Some(recording.recorder.clone().finish(now - recording.since))
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
mod long;
#[cfg(test)]
mod tests;
