mod long;

use super::*;
use tarsus_render::{Checkpoint, Frame, NEVER};
use tarsus_shader::{Library, compose};

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
    let composed =
        compose(&tarsus_shader::Scene::from_text(&text, "s.wgsl"), &Library::default(), &[]);
    composed.expect("a scene").parameters
}

fn session() -> Session {
    let mut session = Session::new("s".into(), Values::default());
    session.scene_loaded(parameters("0.25"), true, BufferState::None);
    session
}

fn start_frame(session: &mut Session, now: f64) -> Frame {
    session.start_frame(now, NO_DATE, SIZE);
    session.frame_state().frame(SIZE)
}

#[test]
fn chosen_values_survive_reload() {
    let mut session = session();
    let values = |session: &Session| {
        let parameters = session.parameters.iter();
        let value = |parameter| session.parameters.get(session.values(), parameter)[0];
        parameters.map(value).collect::<Vec<_>>()
    };
    session.set(0.0, "on", &[1.0]).expect("a parameter");
    session.scene_loaded(parameters("0.5"), true, BufferState::None);
    assert_eq!(values(&session), [0.5, 1.0]);
    session.reset_view(0.0);
    assert_eq!(values(&session), [0.5, 0.0]);
    session.scene_loaded(parameters("0.75"), true, BufferState::None);
    assert_eq!(values(&session), [0.75, 0.0], "nothing is chosen any more");
}

#[test]
fn input_while_paused_starts_one_frame() {
    let mut session = session();
    session.with_clock(0.0, Clock::toggle_pause);
    session.start_frame(1.0, NO_DATE, SIZE);
    assert!(!session.needs_frame());
    session.event(2.0, Event::Pointer([0.5, 0.5]));
    assert!(session.needs_frame());
    let frame = start_frame(&mut session, 3.0);
    assert_eq!(frame.pointer, [40.0, 22.5, 1.0, 0.0]);
    assert_eq!((frame.time, frame.press_age), (0.0, NEVER));
    assert!(!session.needs_frame());
}

#[test]
fn static_scene_starts_one_frame() {
    let mut session = session();
    session.scene_loaded(parameters("0.25"), false, BufferState::None);
    assert!(session.needs_frame());
    session.start_frame(1.0, NO_DATE, SIZE);
    assert!(!session.needs_frame());
}

#[test]
fn recording_replays_the_same_frames() {
    let mut session = session();
    session.start_frame(10.0, NO_DATE, SIZE);
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
        frames.push((now - 10.0, start_frame(&mut session, now)));
    }
    let timeline = session.stop_recording(13.0).expect("a recording");
    assert_eq!(timeline.duration, 3.0);
    for (at, frame) in frames {
        let again = timeline.at(at, 0, 60.0).frame(SIZE);
        assert_eq!(again.mouse[..3], frame.mouse[..3], "at {at}");
        assert_eq!(again.orbit, frame.orbit, "at {at}");
        assert!((again.time - frame.time).abs() < 1e-5, "at {at}");
    }
}

#[test]
fn history_with_buffers_begins_after_change_of_parameters() {
    let mut session = session();
    let keep_checkpoint = |session: &mut Session| {
        session.rewind_mut().keep_checkpoint(100, || Some(Checkpoint::default()));
    };
    let mut play = |parameters, contents, from| {
        session.scene_loaded(parameters, true, contents);
        keep_checkpoint(&mut session);
        for frame in 0..40 {
            let now = from + f64::from(frame) / 10.0;
            session.event(now, Event::Orbit([0.1, now, 1.0]));
            session.start_frame(now, NO_DATE, SIZE);
            let newest = session.rewind().position();
            session.rewind_mut().set_buffer_frame(newest);
            keep_checkpoint(&mut session);
        }
        let (_, timeline) = session.history_timeline(SIZE).expect("a recording");
        let end = timeline.at(timeline.duration, 0, 60.0);
        assert!((end.time - session.frame_state().time).abs() < 1e-9, "{}", end.time);
        assert_eq!(end.input.orbit(), session.frame_state().input.orbit());
        timeline.duration
    };
    assert!(play(parameters("0.25"), BufferState::Empty, 0.0) > 3.5);
    let duration = play(parameters("0.5"), BufferState::Kept, 4.0);
    assert!((3.0..3.95).contains(&duration), "{duration}");
}

#[test]
fn history_replays_the_same_frames() {
    let mut session = session();
    assert_eq!(session.history_timeline(SIZE), None);
    let mut frames = Vec::new();
    for (now, event) in [
        (10.0, Event::Orbit([0.1, 0.25, 2.0])),
        (10.5, Event::Pointer([0.25, 0.5])),
        (11.0, Event::Held(true)),
        (11.5, Event::Pointer([0.75, 0.5])),
        (12.5, Event::Orbit([0.5, 0.25, 2.0])),
    ] {
        session.event(now, event);
        frames.push((now - 10.0, start_frame(&mut session, now)));
    }
    let (_, timeline) = session.history_timeline(SIZE).expect("a recording");
    assert_eq!(timeline.duration, 2.5);
    for (at, frame) in frames {
        let again = timeline.at(at, 0, 60.0).frame(SIZE);
        assert_eq!(again.mouse[..3], frame.mouse[..3], "at {at}");
        assert_eq!(again.orbit, frame.orbit, "at {at}");
        assert!((again.time - frame.time).abs() < 1e-5, "at {at}");
    }
    session.scene_loaded(parameters("0.25"), true, BufferState::None);
    assert_eq!(session.history_timeline(SIZE), Some((0, timeline.clone())), "reloaded");
    session.scene_loaded(parameters("0.5"), true, BufferState::None);
    assert_eq!(session.history_timeline(SIZE), None, "other parameters");
    let mut replay = Session::replaying("s".into(), timeline, Values::default());
    for now in [20.0, 20.5, 21.0] {
        replay.start_frame(now, NO_DATE, SIZE);
        assert_eq!(replay.history_timeline(SIZE), None, "it is a recording already");
    }
}

#[test]
fn seek_records_changed_values() {
    let mut session = session();
    session.start_frame(0.0, NO_DATE, SIZE);
    session.set(0.1, "size", &[0.75]).expect("a parameter");
    session.start_frame(0.1, NO_DATE, SIZE);
    session.start_recording(0.1, SIZE);
    session.seek(0.2, 0);
    let recording = session.stop_recording(0.3).expect("a recording");
    let is_set = |entry: &&Entry| matches!(entry.event, Event::Set { .. });
    let set: Vec<_> = recording.events().iter().filter(is_set).map(|entry| &entry.event).collect();
    assert_eq!(set, [&Event::Set { name: "size".into(), value: vec![0.25] }]);
}

#[test]
fn replay_continues_live_at_end() {
    let mut recorded = session();
    recorded.start_frame(0.0, NO_DATE, SIZE);
    recorded.start_recording(0.0, SIZE);
    recorded.event(0.5, Event::Orbit([0.5, 0.0, 1.0]));
    let timeline = recorded.stop_recording(1.0).expect("a recording");
    let mut session = Session::replaying("s".into(), timeline, Values::default());
    session.scene_loaded(parameters("0.25"), true, BufferState::None);
    session.start_frame(100.0, NO_DATE, SIZE);
    session.event(100.1, Event::Orbit([9.0, 0.0, 1.0]));
    let frame = start_frame(&mut session, 100.75);
    assert_eq!(frame.orbit[0], 0.5, "the user waits for the end");
    assert!(session.is_replaying());
    session.start_frame(101.5, NO_DATE, SIZE);
    assert!(!session.is_replaying());
    session.event(101.6, Event::Orbit([9.0, 0.0, 1.0]));
    assert_eq!(start_frame(&mut session, 101.7).orbit[0], 9.0);
}

#[test]
fn snapshot_restores_session() {
    let mut first = session();
    first.event(0.0, Event::Pointer([0.25, 0.5]));
    first.event(0.0, Event::Held(true));
    first.start_frame(0.0, [2026.0, 10.0, 21.0, 60.0], SIZE);
    first.start_frame(0.5, [2026.0, 10.0, 21.0, 60.5], SIZE);
    let snapshot = first.snapshot(SIZE);
    let mut second = Session::at_snapshot("s".into(), &snapshot);
    second.scene_loaded(parameters("0.25"), true, BufferState::None);
    second.start_frame(9.0, NO_DATE, SIZE);
    assert_eq!(second.snapshot(SIZE), snapshot);
    let [second, first] = [second, first].map(|session| session.frame_state().frame(SIZE));
    assert_eq!(second, first);
}

#[test]
fn long_times_survive_snapshots() {
    let state = SceneState::at(36_000.25, 7, 60.0);
    let mut session = Session::at_snapshot("s".into(), &Snapshot::new("s", SIZE, state));
    session.scene_loaded(parameters("0.25"), true, BufferState::None);
    session.start_frame(0.0, NO_DATE, SIZE);
    assert_eq!(session.frame_state().frame(SIZE).time, 36_000.25);
    assert_eq!(session.snapshot(SIZE).state.time, 36_000.25);
}

#[test]
fn fixed_values_override_replay() {
    let mut recorded = session();
    recorded.start_frame(0.0, NO_DATE, SIZE);
    recorded.start_recording(0.0, SIZE);
    recorded.set(0.5, "size", &[0.75]).expect("a parameter");
    recorded.set(0.5, "on", &[1.0]).expect("a parameter");
    let timeline = recorded.stop_recording(1.0).expect("a recording");
    let fixed = Values::from_iter([("size".into(), vec![0.5])]);
    let mut session = Session::replaying("s".into(), timeline, fixed);
    session.scene_loaded(parameters("0.25"), true, BufferState::None);
    for now in [10.0, 10.75, 11.5] {
        session.start_frame(now, NO_DATE, SIZE);
        assert_eq!(session.values().get("size"), Some(&vec![0.5]));
        let on = f64::from(u8::from(now > 10.5));
        assert_eq!(session.values().get("on"), Some(&vec![on]), "at {now}");
    }
    assert!(!session.is_replaying());
}

#[test]
fn let_go_releases_keys_and_button() {
    let mut session = session();
    session.event(0.0, Event::Held(true));
    session.event(0.0, Event::KeyDown(65));
    session.release_all(1.0);
    session.start_frame(1.0, NO_DATE, SIZE);
    assert!(!session.is_held());
    assert!(session.frame_state().input.keyboard.codes()[0].is_empty());
}

#[test]
fn history_keeps_only_last_seconds() {
    let mut session = session();
    for frame in 0..1000u32 {
        let now = f64::from(frame) / 10.0;
        if frame % 10 == 0 {
            session.event(now, Event::KeyDown((frame / 10) as u8));
        }
        session.start_frame(now, NO_DATE, SIZE);
    }
    let (first, timeline) = session.history_timeline((4, 2)).expect("a recording");
    assert_eq!(first, session.rewind().frames().start);
    assert_eq!(timeline.start.size, (4, 2));
    assert!((28.8..=30.01).contains(&timeline.duration), "{}", timeline.duration);
    let keys: Vec<(f64, u8)> = timeline
        .events()
        .iter()
        .filter_map(|entry| match entry.event {
            Event::KeyDown(code) => Some((entry.at, code)),
            _ => None,
        })
        .collect();
    assert!((28..=30).contains(&keys.len()), "{keys:?}");
    assert_eq!(keys.last().expect("a key").1, 99);
    let gaps = keys.windows(2).all(|pair| (pair[1].0 - pair[0].0 - 1.0).abs() < 1e-6);
    assert!(gaps, "{keys:?}");
}

#[test]
fn history_begins_with_state_of_its_first_frame() {
    let mut session = session();
    session.start_frame(0.0, NO_DATE, SIZE);
    session.with_clock(0.1, Clock::toggle_pause);
    session.event(0.2, Event::Orbit([0.5, 0.25, 2.0]));
    session.set(0.2, "size", &[0.75]).expect("a parameter");
    session.start_frame(0.2, NO_DATE, SIZE);
    session.scene_loaded(parameters("0.5"), true, BufferState::None);
    session.start_frame(0.3, NO_DATE, SIZE);
    session.with_clock(0.4, Clock::toggle_pause);
    session.start_frame(0.4, NO_DATE, SIZE);
    session.start_frame(0.5, NO_DATE, SIZE);
    let (_, timeline) = session.history_timeline(SIZE).expect("a recording");
    let start = timeline.at(0.0, 0, 60.0);
    assert_eq!(start.input.orbit(), [0.5, 0.25, 2.0]);
    assert_eq!(start.values.get("size"), Some(&vec![0.75]));
}
