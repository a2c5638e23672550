//! The input of the last seconds, kept so that it can be saved as a recording afterwards.
//! Pure: real time is passed in.
//!
//! The history counts its own time, which advances with the frames. While scene
//! time stands still no frames are shown, so a pause counts for at most
//! [`MAX_PAUSE`].

use std::collections::VecDeque;

use super::snapshot::Snapshot;
use super::timeline::{ClockMark, Entry, Event, Timeline};

/// Length of the history, in seconds.
const MAX_DURATION: f64 = 30.0;
/// Minimum interval between two possible starting points of a recording, in seconds.
const START_INTERVAL: f64 = 1.0;
/// Maximum duration that counts between two frames while scene time stands still, in
/// seconds.
const MAX_PAUSE: f64 = 0.5;

/// A moment in the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    /// History time in seconds.
    at: f64,
    /// The clock of the scene.
    clock: ClockMark,
    /// Number of events before it, including dropped ones.
    events: usize,
}

/// A possible starting point of a recording.
#[derive(Clone, Debug)]
struct StartPoint {
    moment: Moment,
    snapshot: Snapshot,
}

/// The input of the last seconds.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// History time of the last frame, in seconds.
    at: f64,
    /// Real time of the last frame, in seconds.
    frame_at: Option<f64>,
    /// True if scene time has stood still since the last frame.
    is_time_stopped: bool,
    start_points: VecDeque<StartPoint>,
    /// True if time has jumped since the last frame.
    has_jumped: bool,
    /// History time of the first frame after the last jump.
    jumped_at: f64,
    entries: VecDeque<Entry>,
    /// Number of events dropped because they precede the first starting point.
    dropped: usize,
}

impl History {
    /// Clears the history, when another program begins that it does not fit.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Notes that the next frame does not follow the last one.
    pub(super) fn jump(&mut self) {
        self.has_jumped = true;
    }

    /// Records that a frame was started at real time `now`. Returns true if
    /// [`Self::add_start_point`] should be called for it.
    pub(super) fn add_frame(&mut self, now: f64, is_time_stopped: bool) -> bool {
        self.at = self.time(now);
        self.frame_at = Some(now);
        self.is_time_stopped = is_time_stopped;
        if std::mem::take(&mut self.has_jumped) {
            self.jumped_at = self.at;
        }
        let newest = self.start_points.back();
        newest.is_none_or(|newest| self.at >= newest.moment.at + START_INTERVAL)
    }

    /// The moment of the last frame, whose clock is `clock`.
    pub(super) fn moment(&self, clock: ClockMark) -> Moment {
        Moment { at: self.at, clock, events: self.dropped + self.entries.len() }
    }

    /// Adds a starting point at the moment of the last frame, with its snapshot.
    pub(super) fn add_start_point(&mut self, moment: Moment, snapshot: Snapshot) {
        self.start_points.push_back(StartPoint { moment, snapshot });
        let is_old = |start: &mut StartPoint| self.at > start.moment.at + MAX_DURATION;
        while self.start_points.pop_front_if(is_old).is_some() {}
        let first = self.start_points.front().map_or(self.dropped, |oldest| oldest.moment.events);
        self.entries.drain(..first - self.dropped);
        self.dropped = first;
    }

    /// Records an event at real time `now`.
    pub(super) fn record(&mut self, now: f64, event: Event) {
        // Events before the first starting point cannot be replayed.
        if !self.start_points.is_empty() {
            let at = self.time(now);
            self.entries.push_back(Entry { at, event });
        }
    }

    /// History time at real time `now`.
    fn time(&self, now: f64) -> f64 {
        let passed = self.frame_at.map_or(0.0, |last| (now - last).max(0.0));
        let most = if self.is_time_stopped { MAX_PAUSE } else { f64::INFINITY };
        self.at + passed.min(most)
    }

    /// Returns the last seconds, up to the last frame, as a recording of frames
    /// of `size` pixels. Returns `None` before the second frame.
    pub(super) fn timeline(&self, size: (u32, u32)) -> Option<Timeline> {
        let mut start_points = self.start_points.iter();
        let start = start_points.find(|start| self.at <= start.moment.at + MAX_DURATION)?;
        self.timeline_from(start.moment, Snapshot { size, ..start.snapshot.clone() })
    }

    /// Returns true if the history still contains everything since `moment`, and time has not
    /// jumped.
    pub(super) fn is_continuous_since(&self, moment: Moment) -> bool {
        moment.at >= self.jumped_at && moment.events >= self.dropped
    }

    /// Like [`Self::timeline`], but from the frame at `start`, which has this snapshot.
    pub(super) fn timeline_from(&self, start: Moment, snapshot: Snapshot) -> Option<Timeline> {
        let duration = self.at - start.at;
        if duration <= 0.0 {
            return None;
        }
        let clock = Entry { at: 0.0, event: Event::Clock(start.clock) };
        let later = self
            .entries
            .iter()
            .skip(start.events - self.dropped)
            .filter(|entry| entry.at <= self.at)
            .map(|entry| Entry { at: entry.at - start.at, event: entry.event.clone() });
        let entries = std::iter::once(clock).chain(later).collect();
        Some(Timeline::new(snapshot, duration, entries, Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNS: f64 = 1.0;

    fn mark(time: f64, speed: f64) -> ClockMark {
        ClockMark { time, speed }
    }

    /// Adds frames at 10 Hz between two real times.
    fn play(history: &mut History, from: f64, to: f64) {
        let frames = ((to - from) * 10.0).round() as u32;
        for frame in 1..=frames {
            let now = from + f64::from(frame) / 10.0;
            if history.add_frame(now, false) {
                history.add_start_point(history.moment(mark(now, RUNS)), Snapshot::default());
            }
        }
    }

    #[test]
    fn history_keeps_only_last_seconds() {
        let mut history = History::default();
        assert_eq!(history.timeline((4, 2)), None, "nothing was played");
        for second in 0..100u32 {
            let now = f64::from(second);
            history.record(now, Event::KeyDown(second as u8));
            play(&mut history, now, now + 1.0);
        }
        let timeline = history.timeline((4, 2)).expect("a recording");
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
        assert!(history.entries.len() <= 31, "memory does not grow");
        assert!(history.start_points.len() <= 32);
    }

    #[test]
    fn long_pause_is_shortened() {
        let mut history = History::default();
        play(&mut history, 0.0, 2.0);
        history.add_frame(2.0, true);
        history.record(1000.0, Event::Held(true));
        history.add_frame(1000.0, false);
        play(&mut history, 1000.0, 1001.0);
        let timeline = history.timeline((4, 2)).expect("a recording");
        let expected = 1.9 + MAX_PAUSE + 1.0;
        assert!((timeline.duration - expected).abs() < 1e-6, "{}", timeline.duration);
        let held = timeline.events().last().expect("the press");
        assert_eq!(held.event, Event::Held(true));
        assert!(held.at <= 1.9 + MAX_PAUSE + 1e-6);
    }

    #[test]
    fn recording_continues_scene_time() {
        let mut history = History::default();
        play(&mut history, 50.0, 53.0);
        let timeline = history.timeline((4, 2)).expect("a recording");
        let time = |at| timeline.at(at, 0, 10.0).time;
        assert!((time(0.0) - 50.1).abs() < 1e-9);
        assert!((time(2.0) - 52.1).abs() < 1e-9);
    }

    #[test]
    fn cleared_history_has_no_timeline() {
        let mut history = History::default();
        play(&mut history, 0.0, 2.0);
        history.clear();
        assert_eq!(history.timeline((4, 2)), None);
        history.record(3.0, Event::Held(true));
        play(&mut history, 3.0, 4.0);
        let timeline = history.timeline((4, 2)).expect("a recording");
        assert_eq!(timeline.events().len(), 1, "the press is before the start");
    }
}
