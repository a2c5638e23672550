//! Recording of live input into a timeline.

use super::event::{ClockMark, Entry, Event};
use super::replay::Timeline;
use crate::snapshot::Snapshot;

/// Collects the events of a recording.
#[derive(Debug)]
pub(crate) struct Recorder {
    start: Snapshot,
    /// Real time of the start.
    since: f64,
    /// Time of the last event, in seconds since the start.
    last: f64,
    events: Vec<Entry>,
}

impl Recorder {
    /// Starts a recording at real time `now` and the snapshot `start`, with the clock running
    /// as in `clock`.
    pub(crate) fn new(now: f64, start: Snapshot, clock: ClockMark) -> Self {
        let entry = Entry { at: 0.0, event: Event::Clock(clock) };
        Self { start, since: now, last: 0.0, events: vec![entry] }
    }

    /// Adds an event. Events are kept in order of time: a late event takes the time of the
    /// one before it.
    pub(crate) fn record(&mut self, now: f64, event: Event) {
        self.last = self.last.max(self.seconds(now));
        self.events.push(Entry { at: self.last, event });
    }

    /// Seconds recorded so far.
    pub(crate) fn seconds(&self, now: f64) -> f64 {
        now - self.since
    }

    /// Returns the recording up to now, or up to the last event if that is later.
    pub(crate) fn timeline(&self, now: f64) -> Timeline {
        let duration = self.last.max(self.seconds(now));
        Timeline::new(self.start.clone(), duration, self.events.clone(), Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_events_keep_order() {
        let clock = ClockMark { time: 2.0, speed: 1.0 };
        let mut recorder = Recorder::new(10.0, Snapshot::default(), clock);
        recorder.record(11.0, Event::Held(true));
        recorder.record(10.5, Event::Held(false));
        let timeline = recorder.timeline(10.75);
        assert_eq!(timeline.duration, 1.0);
        let times: Vec<f64> = timeline.events().iter().map(|entry| entry.at).collect();
        assert_eq!(times, [0.0, 1.0, 1.0]);
        assert_eq!(timeline.events()[0].event, Event::Clock(clock));
    }
}
