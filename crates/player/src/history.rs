//! The input of the last seconds, kept so that it can be saved as a recording afterwards.
//! Pure: real time is passed in.
//!
//! The history counts its own time, which advances with the frames. While scene
//! time stands still no frames are shown, so a pause counts for at most
//! [`MAX_PAUSE`].

use std::collections::VecDeque;

use super::snapshot::Snapshot;
use super::timeline::{ClockMark, Entry, Event, Timeline};

/// Maximum duration that counts between two frames while scene time stands still, in
/// seconds.
const MAX_PAUSE: f64 = 0.5;

/// A moment in the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    /// History time in seconds.
    pub(super) at: f64,
    /// The clock of the scene.
    clock: ClockMark,
    /// Number of events before it, including dropped ones.
    events: usize,
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
    entries: VecDeque<Entry>,
    /// Number of events dropped because no recording can begin before them.
    dropped: usize,
}

impl History {
    /// Clears the history, when another program begins that it does not fit.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Records that a frame with this clock was started at real time `now`. Returns its moment.
    pub(super) fn add_frame(
        &mut self,
        now: f64,
        clock: ClockMark,
        is_time_stopped: bool,
    ) -> Moment {
        self.at = self.time(now);
        self.frame_at = Some(now);
        self.is_time_stopped = is_time_stopped;
        Moment { at: self.at, clock, events: self.dropped + self.entries.len() }
    }

    /// Drops the events before `first`, the first moment at which a recording can begin.
    pub(super) fn drop_before(&mut self, first: Moment) {
        self.entries.drain(..first.events - self.dropped);
        self.dropped = first.events;
    }

    /// Records an event at real time `now`.
    pub(super) fn record(&mut self, now: f64, event: Event) {
        // Events before the first frame cannot be replayed.
        if self.frame_at.is_some() {
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

    /// Returns the input from `start`, whose frame has this snapshot, up to the last frame.
    /// Returns `None` if that is the same frame.
    pub(super) fn timeline(&self, start: Moment, snapshot: Snapshot) -> Option<Timeline> {
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

    fn mark(time: f64) -> ClockMark {
        ClockMark { time, speed: 1.0 }
    }

    /// Adds frames at 10 Hz between two real times. Returns the moment of the first one.
    fn play(history: &mut History, from: f64, to: f64) -> Moment {
        let frames = ((to - from) * 10.0).round() as u32;
        let moments = (1..=frames).map(|frame| {
            let now = from + f64::from(frame) / 10.0;
            history.add_frame(now, mark(now), false)
        });
        moments.collect::<Vec<_>>()[0]
    }

    fn timeline(history: &History, start: Moment) -> Timeline {
        history.timeline(start, Snapshot::default()).expect("a recording")
    }

    #[test]
    fn dropped_events_leave_timelines_unchanged() {
        let mut history = History::default();
        history.record(0.0, Event::KeyDown(0));
        let first = play(&mut history, 0.0, 1.0);
        assert_eq!(
            timeline(&history, first).events().len(),
            1,
            "the key is before the first frame"
        );
        history.record(1.0, Event::KeyDown(1));
        let second = play(&mut history, 1.0, 2.0);
        history.record(2.0, Event::KeyDown(2));
        play(&mut history, 2.0, 3.0);
        let expected = timeline(&history, second);
        assert_eq!(expected.events().len(), 2);
        history.drop_before(second);
        assert_eq!(history.entries.len(), 1);
        assert_eq!(timeline(&history, second), expected);
    }

    #[test]
    fn long_pause_is_shortened() {
        let mut history = History::default();
        let first = play(&mut history, 0.0, 2.0);
        history.add_frame(2.0, mark(2.0), true);
        history.record(1000.0, Event::Held(true));
        history.add_frame(1000.0, mark(2.0), false);
        play(&mut history, 1000.0, 1001.0);
        let timeline = timeline(&history, first);
        let expected = 1.9 + MAX_PAUSE + 1.0;
        assert!((timeline.duration - expected).abs() < 1e-6, "{}", timeline.duration);
        let held = timeline.events().last().expect("the press");
        assert_eq!(held.event, Event::Held(true));
        assert!(held.at <= 1.9 + MAX_PAUSE + 1e-6);
    }

    #[test]
    fn recording_continues_scene_time() {
        let mut history = History::default();
        let first = play(&mut history, 50.0, 53.0);
        let timeline = timeline(&history, first);
        let time = |at| timeline.at(at, 0, 10.0).time;
        assert!((time(0.0) - 50.1).abs() < 1e-9);
        assert!((time(2.0) - 52.1).abs() < 1e-9);
    }
}
