//! A live scene, independent of how it is displayed: scene time, input, parameters,
//! recording and replay around one [`SceneState`]. Pure: real time and date are passed
//! in.

mod past;
mod snapshot;

use super::clock::Clock;
use super::history::{History, Moment};
use super::rewind::{MAX_DURATION, PastFrame, Rewind};
use super::snapshot::Snapshot;
use super::state::SceneState;
use super::timeline::{ClockMark, Entry, Event, Timeline};
use tarsus_shader::{ParameterError, Parameters, Values};

/// A replay in progress. The session's clock then counts the time of the recording.
#[derive(Debug)]
struct Replay {
    timeline: Timeline,
    /// Values that override those of the timeline.
    fixed: Values,
}

/// Buffer state of a newly loaded scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferState {
    /// The scene has no buffers.
    None,
    /// The buffers are empty.
    Empty,
    /// The buffers keep the state they had with the previous program.
    Kept,
    /// The buffers hold the state of the snapshot, or of the start of the recording, that the
    /// session begins at, with this size in pixels.
    Restored((u32, u32)),
}

/// A live scene: the state that its frames are drawn from, and the changes of that state.
///
/// The frames of the last seconds are remembered, and [`Self::seek`] shows one of them as
/// it was first shown. A pointer that only hovers changes nothing there. Any other
/// input, or resuming time, discards the later frames and continues from the current
/// frame.
#[derive(Debug)]
pub struct Session {
    /// The scene as named on the command line.
    pub scene: String,
    /// The clock of scene time; during a replay, the time of the recording.
    pub clock: Clock,
    /// The scene's parameters.
    pub parameters: Parameters,
    /// The user's present state. Its values are stored by name, so they survive a reload.
    state: SceneState,
    /// The state of the current frame.
    frame_state: SceneState,
    /// True if the current frame follows the user's input and the clock. False for the frame of
    /// a step and for a remembered one, which stay as first shown until something changes.
    is_live: bool,
    /// The snapshot that the session begins at, until its buffers are ready.
    snapshot: Option<SceneState>,
    /// The frames of the last seconds.
    rewind: Rewind,
    /// Size of the current frame, in pixels.
    size: (u32, u32),
    /// Real time of the start of the running recording, and its events so far.
    recording: Option<(f64, Timeline)>,
    /// The input of the last seconds.
    history: History,
    replay: Option<Replay>,
    /// True if the picture changes with time alone.
    is_animated: bool,
    /// True if something has changed since the current frame was started.
    is_stale: bool,
}

impl Session {
    /// Creates a session for `scene` with the values chosen on the command line.
    pub fn new(scene: String, values: Values) -> Self {
        let state = SceneState { values, ..SceneState::default() };
        Self::with_state(scene, Clock::default(), state)
    }

    /// Creates a session that is paused at a snapshot.
    pub fn at_snapshot(scene: String, snapshot: &Snapshot) -> Self {
        let state = snapshot.state.clone();
        let mut clock = Clock::default();
        clock.go_to(state.time, state.delta, state.index);
        clock.set_paused(true);
        Self { snapshot: Some(state.clone()), ..Self::with_state(scene, clock, state) }
    }

    /// Creates a session that replays a timeline from its start. The values in `fixed`
    /// override those of the timeline.
    pub fn replaying(scene: String, timeline: Timeline, fixed: Values) -> Self {
        let mut state = timeline.start.state.clone();
        state.values.extend(fixed.clone());
        let replay = Replay { timeline, fixed };
        Self { replay: Some(replay), ..Self::with_state(scene, Clock::default(), state) }
    }

    fn with_state(scene: String, clock: Clock, state: SceneState) -> Self {
        Self {
            scene,
            clock,
            parameters: Parameters::default(),
            frame_state: state.clone(),
            state,
            is_live: true,
            snapshot: None,
            rewind: Rewind::default(),
            size: (1, 1),
            recording: None,
            history: History::default(),
            replay: None,
            is_animated: true,
            is_stale: true,
        }
    }

    /// Updates the session after the scene was loaded or reloaded. `is_animated` is true if
    /// time alone changes its picture.
    pub(crate) fn scene_loaded(
        &mut self,
        parameters: Parameters,
        is_animated: bool,
        contents: BufferState,
    ) {
        // Played input fits the new program only if it has the same parameters and buffers.
        let keeps_buffers = matches!(contents, BufferState::None | BufferState::Kept);
        if self.parameters != parameters || !keeps_buffers {
            self.history.clear();
            self.rewind.forget_moments_before(f64::INFINITY);
        }
        self.parameters = parameters;
        self.is_animated = is_animated || contents != BufferState::None;
        match contents {
            // Remembered input can be drawn by another program as well.
            BufferState::None if !self.rewind.has_buffers() => {}
            BufferState::None => self.rewind.begin(false),
            BufferState::Empty => {
                self.rewind.begin(true);
                self.replay_with_empty_buffers();
            }
            BufferState::Kept => self.rewind.keep_buffers(),
            BufferState::Restored(size) => self.begin_with_buffers(size),
        }
        self.is_stale = true;
    }

    /// Counts the frames of a replay that is at its start from 0, as scenes initialise their
    /// buffers in frame 0.
    fn replay_with_empty_buffers(&mut self) {
        if let Some(replay) = self.replay.as_mut().filter(|_| self.clock.index() == 0) {
            replay.timeline.start.state.index = 0;
        }
    }

    /// Returns true while a recording is replayed.
    pub fn is_replaying(&self) -> bool {
        self.replay.is_some()
    }

    /// Returns the recording that is replayed.
    pub fn replayed(&self) -> Option<&Timeline> {
        self.replay.as_ref().map(|replay| &replay.timeline)
    }

    /// Seconds recorded by real time `now`, if a recording is in progress.
    pub fn recorded(&self, now: f64) -> Option<f64> {
        self.recording.as_ref().map(|(start, _)| now - start)
    }

    /// Returns true if something has changed since the current frame was started.
    pub(crate) fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Returns true if another frame is due: either time runs and affects the picture, or
    /// something has changed.
    pub(crate) fn needs_frame(&self) -> bool {
        self.is_stale || (!self.clock.is_paused() && self.follows_time())
    }

    /// Returns true if time can change the picture.
    pub fn follows_time(&self) -> bool {
        self.is_animated || self.is_replaying()
    }

    /// Requests a frame although no input arrived, for example after a resize.
    pub fn request_frame(&mut self) {
        self.is_stale = true;
    }

    /// Applies an event at real time `now`. Events during a replay are ignored.
    pub fn event(&mut self, now: f64, event: Event) {
        if self.replay.is_some() {
            return;
        }
        let is_incidental = event.is_incidental(&self.state.input);
        event.apply(&mut self.state.input, self.clock.mark());
        self.record(now, event);
        if !is_incidental {
            self.resume_live();
        } else if self.is_live || self.rewind.is_at_newest() {
            self.is_live = true;
            self.is_stale = true;
        }
    }

    /// Continues live from the current frame, discarding later frames.
    fn resume_live(&mut self) {
        self.rewind.drop_later_frames();
        self.is_live = true;
        self.is_stale = true;
    }

    /// Sets the parameter `name`, with one number per component.
    ///
    /// # Errors
    /// Returns a [`ParameterError`] if there is no such parameter or its number of components
    /// differs.
    pub fn set(&mut self, now: f64, name: &str, components: &[f64]) -> Result<(), ParameterError> {
        self.parameters.check_components(name, components.len())?;
        self.state.values.insert(name.to_owned(), components.to_vec());
        self.record(now, Event::Set { name: name.to_owned(), value: components.to_vec() });
        self.resume_live();
        Ok(())
    }

    /// Resets parameters and camera to their defaults.
    pub fn reset_view(&mut self, now: f64) {
        let before = self.parameters.resolve(&self.state.values);
        self.state.values.clear();
        self.record_values(now, &before);
        self.event(now, Event::Orbit([0.0, 0.0, 1.0]));
    }

    /// Records the values of the parameters that differ from those `before`.
    fn record_values(&mut self, now: f64, before: &Values) {
        for (name, value) in self.parameters.resolve(&self.state.values).iter() {
            if before.get(name) != Some(value) {
                self.record(now, Event::Set { name: name.to_owned(), value: value.to_vec() });
            }
        }
    }

    /// Applies a change to the clock, and records it.
    pub fn with_clock(&mut self, now: f64, change: impl FnOnce(&mut Clock)) {
        change(&mut self.clock);
        self.record(now, Event::Clock(self.clock.mark()));
        self.is_live |= !self.clock.is_paused();
        self.is_stale = true;
    }

    fn record(&mut self, now: f64, event: Event) {
        if self.replay.is_none() {
            self.history.record(now, event.clone());
        }
        if let Some((start, recording)) = &mut self.recording {
            recording.record(now - *start, event);
        }
    }

    /// Starts a recording at real time `now`.
    pub fn start_recording(&mut self, now: f64, size: (u32, u32)) {
        self.follow_clock();
        let mark = ClockMark { time: self.state.time, ..self.clock.mark() };
        let clock = vec![Entry { at: 0.0, event: Event::Clock(mark) }];
        let start = self.describe(&self.state, size);
        self.recording = Some((now, Timeline::new(start, 0.0, clock, Vec::new())));
    }

    /// Returns the recording up to real time `now`, without ending it.
    pub fn recording(&self, now: f64) -> Option<Timeline> {
        self.recording.as_ref().map(|(start, recording)| recording.clone().until(now - start))
    }

    /// Ends the recording in progress and returns it.
    pub fn stop_recording(&mut self, now: f64) -> Option<Timeline> {
        self.recording.take().map(|(start, recording)| recording.until(now - start))
    }

    /// Starts the next frame, at real time `now` and with Shadertoy's date. `size`, in
    /// pixels, is also the size of the buffers. While time stands still, the same frame is
    /// started again from newer input, and the buffers do not advance.
    pub fn start_frame(&mut self, now: f64, date: [f64; 4], size: (u32, u32)) {
        let index = self.clock.index();
        self.clock.tick(now);
        self.size = size;
        if !self.is_replaying() && !self.clock.is_paused() {
            self.state.date = date;
        }
        if self.rewind.is_empty() && self.frames_to_snapshot().is_some() {
            self.run_to_snapshot();
        } else if self.rewind.is_empty() || self.clock.index() != index {
            let seconds = self.clock.delta() / self.clock.speed();
            self.push_frame(seconds);
            self.is_live = true;
        } else if self.is_live {
            self.update_frame_state();
        }
        self.snapshot = None;
        self.is_stale = false;
        self.remember(now);
    }

    /// Adds a new frame, `seconds` of playing after the last one.
    fn push_frame(&mut self, seconds: f64) {
        self.update_frame_state();
        let (state, clock) = (self.frame_state.clone(), self.clock.clone());
        self.rewind.push_frame(state, self.size, clock, seconds);
    }

    /// Updates the state of the frame from the clock, the replay and the user's input.
    fn update_frame_state(&mut self) {
        self.follow_clock();
        self.follow_replay();
        self.frame_state = self.state.clone();
        self.state.input.end_frame();
    }

    /// Adds the current frame to the history for [`Self::history_timeline`]. A replay is a
    /// recording already, so it leaves no history.
    fn remember(&mut self, now: f64) {
        if self.replay.is_some() {
            self.history.clear();
            return;
        }
        let is_time_stopped = self.clock.is_paused() || !self.is_animated;
        let clock = ClockMark { time: self.frame_state.time, ..self.clock.mark() };
        let moment = self.history.add_frame(now, clock, is_time_stopped);
        self.rewind.forget_moments_before(moment.at - MAX_DURATION);
        self.rewind.record_moment(moment, &self.frame_state);
        let moments = self.rewind.moments().map(|(_, _, moment)| moment);
        if let Some(first) = moments.min_by(|a, b| a.at.total_cmp(&b.at)) {
            self.history.drop_before(first);
        }
    }

    /// Returns the input of the remembered frames as a recording of frames of `size` pixels,
    /// with the number of the first frame. In a scene with buffers that is one of this size at
    /// which their state is known, if there is one. Pauses are shortened. A reload keeps the
    /// input of a scene without buffers if the parameters stay the same. Returns `None` during a
    /// replay and before the second frame.
    pub(crate) fn history_timeline(&self, size: (u32, u32)) -> Option<(u64, Timeline)> {
        let is_known = |(number, past, _): &(u64, &PastFrame, Moment)| {
            let fits = past.size == size || !self.rewind.has_buffers();
            fits && self.rewind.is_state_known(*number)
        };
        let known = self.rewind.moments().filter(is_known);
        let oldest = known.min_by(|(.., a), (.., b)| a.at.total_cmp(&b.at));
        let (number, past, start) = oldest.or_else(|| self.rewind.moments().next())?;
        let snapshot = self.describe(&past.state, size);
        Some((number, self.history.timeline(start, snapshot)?))
    }

    /// Copies the time from the clock, except during a replay.
    fn follow_clock(&mut self) {
        if self.replay.is_none() {
            self.state.time = self.clock.time();
            self.state.delta = self.clock.delta();
            self.state.index = self.clock.index();
        }
    }

    /// Takes the state from the recording. After its end the session continues live from
    /// there.
    fn follow_replay(&mut self) {
        let Some(replay) = &mut self.replay else {
            return;
        };
        let (clock, timeline) = (&self.clock, &replay.timeline);
        let at = clock.time().min(timeline.duration);
        let fps = 1.0 / clock.delta().max(1e-6);
        let frame_rate = self.state.frame_rate;
        self.state = timeline.at(at, clock.index(), fps);
        self.state.frame_rate = frame_rate;
        self.state.values.extend(replay.fixed.clone());
        if clock.time() >= timeline.duration {
            self.clock = Clock::starting_at(self.state.time, self.state.index);
            self.replay = None;
        }
    }

    /// Returns the state of the current frame.
    pub fn frame_state(&self) -> &SceneState {
        &self.frame_state
    }

    /// Returns a snapshot of the current frame, with the value of every parameter.
    pub fn snapshot(&self, size: (u32, u32)) -> Snapshot {
        self.describe(&self.frame_state, size)
    }

    fn describe(&self, state: &SceneState, size: (u32, u32)) -> Snapshot {
        let state = SceneState { values: self.parameters.resolve(&state.values), ..state.clone() };
        Snapshot::new(&self.scene, size, state)
    }

    /// Returns the parameter values chosen by the user.
    pub fn values(&self) -> &Values {
        &self.state.values
    }

    /// Sets the frame rate that the scene receives from the next frame on, in frames per
    /// second.
    pub(crate) fn set_frame_rate(&mut self, frame_rate: f64) {
        self.state.frame_rate = frame_rate;
    }

    /// Yaw and pitch in radians, and the zoom factor.
    pub fn orbit(&self) -> [f64; 3] {
        self.state.input.orbit()
    }

    /// Returns true while the button is held.
    pub(crate) fn is_held(&self) -> bool {
        self.state.input.is_held()
    }

    /// Releases every key and the button, for a window that loses focus.
    pub(crate) fn release_all(&mut self, now: f64) {
        for event in Event::release_events(&self.state.input) {
            self.event(now, event);
        }
    }
}

#[cfg(test)]
mod tests;
