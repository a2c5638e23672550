//! Recording of live input into a timeline.

use super::event::{ClockMark, Entry, Event};
use super::replay::Timeline;
use crate::snapshot::Snapshot;

/// Collects the events of a recording.
#[derive(Clone, Debug)]
pub struct Recorder {
    start: Snapshot,
    duration: f64,
    events: Vec<Entry>,
}

impl Recorder {
    /// Starts a recording at the snapshot `start`, with the clock running as in `clock`.
    pub fn new(start: Snapshot, clock: ClockMark) -> Self {
        let entry = Entry { at: 0.0, event: Event::Clock(clock) };
        Self { start, duration: 0.0, events: vec![entry] }
    }

    /// Adds an event `at` seconds after the start. Events are kept in order of time: a
    /// late event takes the time of the one before it.
    pub fn record(&mut self, at: f64, event: Event) {
        self.duration = self.duration.max(at);
        let at = self.duration;
        self.events.push(Entry { at, event });
    }

    /// Ends the recording after `duration` seconds, or at the last event if that is
    /// later.
    #[must_use]
    pub fn finish(self, duration: f64) -> Timeline {
        let duration = self.duration.max(duration);
        Timeline::new(self.start, duration, self.events, Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_events_keep_order() {
        let clock = ClockMark { time: 2.0, speed: 1.0 };
        let mut recorder = Recorder::new(Snapshot::default(), clock);
        recorder.record(1.0, Event::Held(true));
        recorder.record(0.5, Event::Held(false));
        let timeline = recorder.finish(0.75);
        assert_eq!(timeline.duration, 1.0);
        let times: Vec<f64> = timeline.events().iter().map(|entry| entry.at).collect();
        assert_eq!(times, [0.0, 1.0, 1.0]);
        assert_eq!(timeline.events()[0].event, Event::Clock(clock));
    }
}
