//! What the window shows, apart from how it gets to the screen: scene time,
//! input, parameters, recording and replay. Pure: real time and date come in.

use std::collections::BTreeMap;

use super::clock::Clock;
use crate::player::Input;
use crate::player::Keyboard;
use crate::player::Moment;
use crate::player::timeline::{Assignment, Event, Recorder, Timeline};
use crate::render::Frame;
use crate::shader::Parameters;

/// A recording under way, with the real time it began at.
struct Recording {
    recorder: Recorder,
    since: f64,
}

/// The state that a picture is a function of.
pub struct Session {
    /// The scene as named on the command line.
    pub scene: String,
    pub clock: Clock,
    pub parameters: Parameters,
    pub values: Vec<[f64; 4]>,
    /// Values the user chose, by name: they outlive a reload.
    chosen: BTreeMap<String, Vec<f64>>,
    input: Input,
    /// The input of the frame painted last.
    shown: Input,
    date: [f32; 4],
    /// Frames per second, as the scene is told.
    pub frame_rate: f32,
    recording: Option<Recording>,
    /// While it lasts, the clock is the time of the recording.
    replay: Option<Timeline>,
    /// The scene shows that time runs.
    scene_moves: bool,
    /// Something changed that the picture does not show yet.
    stale: bool,
}

impl Session {
    /// Begins with `scene` and the parameters chosen on the command line.
    pub fn new(scene: String, chosen: BTreeMap<String, Vec<f64>>) -> Self {
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
            scene_moves: true,
            stale: true,
        }
    }

    /// Begins at a moment and stays there.
    pub fn at_moment(scene: String, moment: &Moment) -> Self {
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
    pub fn replaying(scene: String, timeline: Timeline) -> Self {
        let chosen = timeline.start.parameters.clone();
        Self {
            replay: Some(timeline),
            ..Self::new(scene, chosen)
        }
    }

    /// The scene is there, or was reloaded: its parameters may be others.
    pub fn scene_loaded(&mut self, parameters: Parameters, moves: bool) {
        self.scene_moves = moves;
        self.values = parameters.with_named(&self.chosen);
        self.parameters = parameters;
        self.stale = true;
    }

    /// True while a recording is played.
    pub fn is_replaying(&self) -> bool {
        self.replay.is_some()
    }

    /// Seconds recorded so far, at real time `now`.
    pub fn recorded(&self, now: f64) -> Option<f64> {
        self.recording
            .as_ref()
            .map(|recording| now - recording.since)
    }

    /// True if something changed that no frame has shown.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// True if there is a next frame: time runs and shows, or something changed.
    pub fn goes_on(&self) -> bool {
        let runs = !self.clock.is_paused() && (self.scene_moves || self.is_replaying());
        self.stale || runs
    }

    /// What has to be painted again although nothing happened: another size.
    pub fn touch(&mut self) {
        self.stale = true;
    }

    /// The user did something at real time `now`.
    pub fn event(&mut self, now: f64, event: Event) {
        if self.replay.is_some() {
            return;
        }
        event.apply(&mut self.input, self.clock.time());
        self.record(now, event);
        self.stale = true;
    }

    /// Gives parameter `index` a value.
    pub fn set(&mut self, now: f64, index: usize, value: [f64; 4]) {
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
    pub fn reset_view(&mut self, now: f64) {
        for (index, value) in self.parameters.defaults().into_iter().enumerate() {
            self.set(now, index, value);
        }
        self.chosen.clear();
        self.event(now, Event::Orbit([0.0, 0.0, 1.0]));
    }

    /// Changes how time runs.
    pub fn with_clock(&mut self, now: f64, change: impl FnOnce(&mut Clock)) {
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
    pub fn start_recording(&mut self, now: f64, size: (u32, u32)) {
        self.recording = Some(Recording {
            recorder: Recorder::new(self.moment(size), self.clock.mark()),
            since: now,
        });
    }

    /// Ends the recording under way.
    pub fn stop_recording(&mut self, now: f64) -> Option<Timeline> {
        let recording = self.recording.take()?;
        Some(recording.recorder.finish(now - recording.since))
    }

    /// The next frame, at real time `now` and with Shadertoy's date.
    pub fn paint(&mut self, now: f64, date: [f32; 4], size: (u32, u32)) -> Frame {
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
    pub fn frame(&self, size: (u32, u32)) -> Frame {
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
    pub fn keyboard(&self) -> &Keyboard {
        &self.shown.keyboard
    }

    /// The description of the frame painted last.
    pub fn moment(&self, size: (u32, u32)) -> Moment {
        let parameters = self.parameters.by_name(&self.values);
        Moment::new(&self.scene, &self.frame(size), self.keyboard(), parameters)
    }

    /// Yaw, pitch and zoom.
    pub fn orbit(&self) -> [f32; 3] {
        self.input.orbit()
    }

    /// True while the button is down.
    pub fn is_held(&self) -> bool {
        self.input.is_held()
    }

    /// Lets every key and button go: the window no longer hears of them.
    pub fn let_go(&mut self, now: f64) {
        if self.is_held() {
            self.event(now, Event::Held(false));
        }
        let [down, ..] = self.input.keyboard.codes();
        for code in down {
            self.event(now, Event::KeyUp(code));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::NEVER;
    use crate::shader::{Library, compose};

    const SIZE: (u32, u32) = (80, 45);
    const NO_DATE: [f32; 4] = [0.0; 4];

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
        let mut session = Session::new("s".into(), BTreeMap::new());
        session.scene_loaded(parameters("0.25"), true);
        session
    }

    #[test]
    fn chosen_values_outlive_a_reload_and_others_follow_the_file() {
        let mut session = session();
        session.set(0.0, 1, [1.0, 0.0, 0.0, 0.0]);
        session.scene_loaded(parameters("0.5"), true);
        assert_eq!(session.values, [[0.5, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]);
        session.reset_view(0.0);
        assert_eq!(session.values[1][0], 0.0);
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
        session.scene_loaded(parameters("0.25"), false);
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
            let again = timeline.at(at, 0, 60.0, SIZE).frame;
            assert_eq!(again.mouse[..3], frame.mouse[..3], "at {at}");
            assert_eq!(again.orbit, frame.orbit, "at {at}");
            assert!((again.time - frame.time).abs() < 1e-5, "at {at}");
        }
    }

    #[test]
    fn a_replay_hands_over_at_its_end() {
        let mut recorded = session();
        recorded.paint(0.0, NO_DATE, SIZE);
        recorded.start_recording(0.0, SIZE);
        recorded.event(0.5, Event::Orbit([0.5, 0.0, 1.0]));
        let timeline = recorded.stop_recording(1.0).expect("a recording");
        let mut session = Session::replaying("s".into(), timeline);
        session.scene_loaded(parameters("0.25"), true);
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
        second.scene_loaded(parameters("0.25"), true);
        second.paint(9.0, NO_DATE, SIZE);
        assert_eq!(second.moment(SIZE), moment);
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
