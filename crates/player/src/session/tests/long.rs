//! Sessions of hours, simulated by stepping real time: memory does not grow, no frame
//! takes longer than the first ones, and recordings stay accurate. `TARSUS_LONG=full`
//! runs them in full; otherwise each takes some simulated minutes.

use super::*;
use crate::clock::STEP;
use tarsus_render::Checkpoint;

const SIZE: (u32, u32) = (80, 45);

/// Seconds to play: `full` for the long run, otherwise `short`.
fn seconds(full: u32, short: u32) -> u32 {
    let is_full = std::env::var_os("TARSUS_LONG").is_some_and(|value| value == "full");
    if is_full { full } else { short }
}

fn session() -> Session {
    let mut session = Session::new("s".into(), Values::default());
    session.scene_loaded(Parameters::default(), true, BufferState::Empty);
    session
}

/// Simulates the user's input in a frame: constant mouse movement, and occasional other
/// events.
fn play(session: &mut Session, frame: u32, now: f64) {
    let turn = 0.01 * f64::from(frame);
    let pointer = [0.5 + 0.4 * turn.cos(), 0.5 + 0.4 * turn.sin()];
    session.event(now, Event::Pointer(pointer));
    match frame % 600 {
        100 => session.event(now, Event::Held(true)),
        160 => session.event(now, Event::Held(false)),
        200 => session.event(now, Event::Orbit([turn % 3.0, 0.1, 1.0])),
        300 => session.event(now, Event::KeyDown(65)),
        310 => session.event(now, Event::KeyUp(65)),
        _ => {}
    }
}

/// Starts a frame and advances its buffers as the window does, with a checkpoint of 1 MiB
/// wherever one is wanted.
fn start_frame(session: &mut Session, now: f64) {
    session.start_frame(now, [0.0; 4], SIZE);
    let rewind = session.rewind_mut();
    while rewind.is_behind() {
        let frames = rewind.plan().frames;
        for frame in frames {
            rewind.set_buffer_frame(frame);
            rewind.keep_checkpoint(1 << 20, || Some(Checkpoint::default()));
        }
    }
}

#[test]
fn session_memory_does_not_grow() {
    let mut session = session();
    session.rewind_mut().budget = 32 << 20;
    // Number of remembered frames, checkpoints and events after every minute.
    let mut kept = Vec::new();
    let all = 60 * seconds(8 * 3600, 180);
    for frame in 0..all {
        let now = f64::from(frame) * STEP;
        play(&mut session, frame, now);
        start_frame(&mut session, now);
        if (frame + 1) % 3600 == 0 {
            let rewind = session.rewind();
            let (_, played) = session.history_timeline(SIZE).expect("something");
            assert!(played.duration <= 32.0, "{} s", played.duration);
            let frames = rewind.frames();
            kept.push([
                (frames.end - frames.start) as usize,
                rewind.checkpoints().count(),
                played.events().len(),
            ]);
        }
    }
    for later in &kept[1..] {
        for (first, later) in kept[0].iter().zip(later) {
            assert!(later * 20 <= first * 21 + 40, "{:?} became {later:?}", kept[0]);
        }
    }
    let expected = f64::from(all - 1) * STEP;
    let error = (session.clock.time() - expected).abs();
    assert!(error < 1e-3, "the clock is {error} s off after {expected} s");
}

#[test]
fn long_recording_replays_the_same_frames() {
    let mut session = session();
    start_frame(&mut session, 0.0);
    session.start_recording(0.0, SIZE);
    let all = 60 * seconds(3600, 20);
    let mut seen = Vec::new();
    for frame in 1..=all {
        let now = f64::from(frame) * STEP;
        play(&mut session, frame, now);
        start_frame(&mut session, now);
        if frame % (all / 100) == 0 {
            seen.push((now, session.frame_state().clone()));
        }
    }
    let end = f64::from(all) * STEP;
    let text = session.stop_recording(end).expect("a recording").to_json();
    // A quarter of the largest recording that can be read.
    assert!(text.len() < 64 << 20, "{} bytes", text.len());
    let timeline = Timeline::parse(&text).expect("it is read again");
    assert!((timeline.duration - end).abs() < 1e-9);
    for (at, state) in seen {
        let again = timeline.at(at, state.index, 60.0);
        assert!((again.time - state.time).abs() < 1e-6, "at {at}");
        let [again, state] = [again, state].map(|state| state.frame(SIZE));
        assert_eq!(again.pointer, state.pointer, "at {at}");
        assert_eq!(again.mouse[..3], state.mouse[..3], "at {at}");
        assert_eq!(again.orbit, state.orbit, "at {at}");
    }
}

#[test]
fn paused_session_memory_does_not_grow() {
    for contents in [BufferState::None, BufferState::Empty] {
        let mut session = session();
        session.scene_loaded(Parameters::default(), true, contents);
        let all = 60 * seconds(8 * 3600, 180);
        for frame in 0..all {
            let now = f64::from(frame) * STEP;
            play(&mut session, frame, now);
            start_frame(&mut session, now);
            if frame == 2400 {
                session.with_clock(now, Clock::toggle_pause);
            }
            if frame % 601 == 0
                && let Some((_, played)) = session.history_timeline(SIZE)
            {
                let events = played.events().len();
                assert!(played.duration <= 32.0 && events < 4000, "{events} events");
            }
        }
        let now = f64::from(all) * STEP;
        session.with_clock(now, Clock::toggle_pause);
        start_frame(&mut session, now);
        let (_, timeline) = session.history_timeline(SIZE).expect("a recording");
        let end = timeline.at(timeline.duration, 0, 60.0);
        assert_eq!(end.input.orbit(), session.frame_state().input.orbit());
    }
}
