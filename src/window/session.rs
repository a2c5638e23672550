//! What the window shows, apart from how it gets to the screen: scene time,
//! input, parameters, recording and replay. Pure: real time and date come in.

use std::collections::BTreeMap;

use super::clock::Clock;
use crate::frame::Frame;
use crate::input::Input;
use crate::keyboard::Keyboard;
use crate::moment::Moment;
use crate::shader::Parameters;
use crate::timeline::{Assignment, Event, Recorder, Timeline};

/// A recording under way, with the real time it began at.
struct Recording {
    recorder: Recorder,
    since: f64,
}

/// The state that a picture is a function of.
pub(super) struct Session {
    /// The scene as named on the command line.
    pub(super) scene: String,
    pub(super) clock: Clock,
    pub(super) parameters: Parameters,
    pub(super) values: Vec<[f64; 4]>,
    /// Values the user chose, by name: they outlive a reload.
    chosen: BTreeMap<String, Vec<f64>>,
    input: Input,
    /// The input of the frame painted last.
    shown: Input,
    date: [f32; 4],
    /// Frames per second, as the scene is told.
    pub(super) frame_rate: f32,
    recording: Option<Recording>,
    /// While it lasts, the clock is the time of the recording.
    replay: Option<Timeline>,
    /// Something changed that the picture does not show yet.
    stale: bool,
}

impl Session {
    /// Begins with `scene` and the parameters chosen on the command line.
    pub(super) fn new(scene: String, chosen: BTreeMap<String, Vec<f64>>) -> Self {
        Self {
            scene,
            clock: Clock::default(),
            parameters: Parameters::default(),
            values: Vec::new(),
            chosen,
            input: Input::default(),
            shown: Input::default(),
            date: [0.0; 4],
            frame_rate: 60.0,
            recording: None,
            replay: None,
            stale: true,
        }
    }

    /// Begins at a moment and stays there.
    pub(super) fn at_moment(scene: String, moment: &Moment) -> Self {
        let mut clock = Clock::starting_at(f64::from(moment.time), moment.frame);
        clock.set_delta(f64::from(moment.time_delta));
        clock.set_paused(true);
        Self {
            clock,
            input: moment.input(),
            date: moment.date,
            frame_rate: moment.fps,
            ..Self::new(scene, moment.parameters.clone())
        }
    }

    /// Plays a recording from its beginning.
    pub(super) fn replaying(scene: String, timeline: Timeline) -> Self {
        let chosen = timeline.start.parameters.clone();
        Self {
            replay: Some(timeline),
            ..Self::new(scene, chosen)
        }
    }

    /// The scene is there, or was reloaded: its parameters may be others.
    pub(super) fn scene_loaded(&mut self, parameters: Parameters) {
        self.values = parameters.with_named(&self.chosen);
        self.parameters = parameters;
        self.stale = true;
    }

    /// True while a recording is played.
    pub(super) fn is_replaying(&self) -> bool {
        self.replay.is_some()
    }

    /// Seconds recorded so far, at real time `now`.
    pub(super) fn recorded(&self, now: f64) -> Option<f64> {
        self.recording
            .as_ref()
            .map(|recording| now - recording.since)
    }

    /// True if something changed that no frame has shown.
    pub(super) fn is_stale(&self) -> bool {
        self.stale
    }

    /// True if there is a next frame: time runs, or something changed.
    pub(super) fn goes_on(&self) -> bool {
        self.stale || !self.clock.is_paused()
    }

    /// What has to be painted again although nothing happened: another size.
    pub(super) fn touch(&mut self) {
        self.stale = true;
    }

    /// The user did something at real time `now`.
    pub(super) fn event(&mut self, now: f64, event: Event) {
        if self.replay.is_some() {
            return;
        }
        event.apply(&mut self.input, self.clock.time());
        self.record(now, event);
        self.stale = true;
    }

    /// Gives parameter `index` a value.
    pub(super) fn set(&mut self, now: f64, index: usize, value: [f64; 4]) {
        self.values[index] = value;
        let named = self.parameters.by_name(&self.values);
        let Some(parameter) = self.parameters.iter().nth(index) else {
            return;
        };
        let name = parameter.name.clone();
        let value = named.get(&name).cloned().unwrap_or_default();
        self.chosen.insert(name.clone(), value.clone());
        self.record(now, Event::Set(Assignment { name, value }));
        self.stale = true;
    }

    /// Parameters and camera as at the start.
    pub(super) fn reset_view(&mut self, now: f64) {
        for (index, value) in self.parameters.defaults().into_iter().enumerate() {
            self.set(now, index, value);
        }
        self.chosen.clear();
        self.event(now, Event::Orbit([0.0, 0.0, 1.0]));
    }

    /// Changes how time runs.
    pub(super) fn with_clock(&mut self, now: f64, change: impl FnOnce(&mut Clock)) {
        change(&mut self.clock);
        self.record(now, Event::Clock(self.clock.mark()));
        self.stale = true;
    }

    fn record(&mut self, now: f64, event: Event) {
        if let Some(recording) = &mut self.recording {
            recording.recorder.record(now - recording.since, event);
        }
    }

    /// Begins a recording at real time `now`.
    pub(super) fn start_recording(&mut self, now: f64, size: (u32, u32)) {
        self.recording = Some(Recording {
            recorder: Recorder::new(self.moment(size), self.clock.mark()),
            since: now,
        });
    }

    /// Ends the recording under way.
    pub(super) fn stop_recording(&mut self, now: f64) -> Option<Timeline> {
        let recording = self.recording.take()?;
        Some(recording.recorder.finish(now - recording.since))
    }

    /// The next frame, at real time `now` and with Shadertoy's date.
    pub(super) fn paint(&mut self, now: f64, date: [f32; 4], size: (u32, u32)) -> Frame {
        self.clock.tick(now);
        if self.replay.is_some() {
            self.follow_replay(size);
        } else if !self.clock.is_paused() {
            self.date = date;
        }
        self.shown = self.input.clone();
        self.input.painted();
        self.stale = false;
        self.frame(size)
    }

    /// Takes input and parameters from the recording; after its end the user
    /// goes on from there.
    fn follow_replay(&mut self, size: (u32, u32)) {
        let Some(timeline) = &self.replay else { return };
        let at = self.clock.time().min(timeline.duration);
        let fps = 1.0 / self.clock.delta().max(1e-6);
        let told = timeline.at(at, self.clock.index(), fps, size);
        self.input = told.input;
        self.date = told.frame.date;
        self.values = self.parameters.with_named(&told.parameters);
        if self.clock.time() >= timeline.duration {
            self.clock = Clock::starting_at(f64::from(told.frame.time), told.frame.index);
            self.chosen = told.parameters;
            self.replay = None;
        }
    }

    /// The frame painted last, at any size.
    pub(super) fn frame(&self, size: (u32, u32)) -> Frame {
        let time = match &self.replay {
            Some(timeline) => f64::from(timeline.at(self.clock.time(), 0, 60.0, size).frame.time),
            None => self.clock.time(),
        };
        let mut frame = Frame::at_time(size, self.clock.index(), time, 60.0);
        frame.time_delta = self.clock.delta() as f32;
        frame.date = self.date;
        frame.frame_rate = self.frame_rate;
        self.shown.write(&mut frame);
        frame
    }

    /// The keys of the frame painted last.
    pub(super) fn keyboard(&self) -> &Keyboard {
        &self.shown.keyboard
    }

    /// The description of the frame painted last.
    pub(super) fn moment(&self, size: (u32, u32)) -> Moment {
        let parameters = self.parameters.by_name(&self.values);
        Moment::new(&self.scene, &self.frame(size), self.keyboard(), parameters)
    }

    /// Yaw, pitch and zoom.
    pub(super) fn orbit(&self) -> [f32; 3] {
        self.input.orbit()
    }

    /// True while the button is down.
    pub(super) fn is_held(&self) -> bool {
        self.input.is_held()
    }

    /// Lets every key and button go: the window no longer hears of them.
    pub(super) fn let_go(&mut self, now: f64) {
        if self.is_held() {
            self.event(now, Event::Held(false));
        }
        let [down, ..] = self.input.keyboard.codes();
        for code in down {
            self.event(now, Event::KeyUp(code));
        }
    }
}
