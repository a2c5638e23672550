//! Samples between the task that makes them and the device that plays them. Pure.

use std::collections::VecDeque;

use tarsus_shader::SAMPLE_RATE;

/// Samples that are made ahead: a fifth of a second.
const AHEAD: usize = SAMPLE_RATE as usize / 5;
/// Seconds that sound and picture may be apart.
const APART: f64 = 0.1;

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// As before.
    GoOn,
    /// Silence.
    Stop,
    /// Continue at the sample of this number.
    PlayFrom(u32),
}

/// Samples that wait to be played.
#[derive(Debug, Default)]
pub(super) struct Queue {
    samples: VecDeque<[f32; 2]>,
    /// Number of the sample that is played next.
    next: u64,
    plays: bool,
    /// The first samples have arrived.
    has_begun: bool,
    /// Counts the beginnings: what is made for an earlier one is not played.
    beginning: u32,
}

impl Queue {
    /// What to do to play what belongs to a scene time in seconds, or nothing.
    pub(super) fn step(&self, time: Option<f64>) -> Step {
        match time {
            None if self.plays => Step::Stop,
            None => Step::GoOn,
            Some(time) => {
                let wanted = time * f64::from(SAMPLE_RATE);
                let apart = (self.next as f64 - wanted).abs() / f64::from(SAMPLE_RATE);
                match self.plays && (apart <= APART || !self.has_begun) {
                    true => Step::GoOn,
                    false => Step::PlayFrom(wanted.clamp(0.0, f64::from(u32::MAX)) as u32),
                }
            }
        }
    }

    /// Plays from the sample `first` on, once it is there. Gives the number of this
    /// beginning.
    pub(super) fn begin(&mut self, first: u32) -> u32 {
        self.stop();
        self.plays = true;
        self.next = first.into();
        self.beginning
    }

    /// Plays nothing.
    pub(super) fn stop(&mut self) {
        self.samples.clear();
        (self.plays, self.has_begun) = (false, false);
        self.beginning = self.beginning.wrapping_add(1);
    }

    /// True if samples of this beginning are still wanted.
    pub(super) fn is_wanted(&self, beginning: u32) -> bool {
        self.plays && self.beginning == beginning
    }

    /// True if more samples are wanted now.
    pub(super) fn has_room(&self) -> bool {
        self.samples.len() < AHEAD
    }

    /// Samples from number `first` on, made for a beginning; those that come too
    /// late are left out.
    pub(super) fn add(&mut self, beginning: u32, first: u64, samples: &[[f32; 2]]) {
        if self.is_wanted(beginning) {
            self.has_begun = true;
            let late = self.next.saturating_sub(first);
            let late = usize::try_from(late).unwrap_or(usize::MAX);
            self.samples.extend(samples.iter().skip(late));
        }
    }

    /// Fills the next samples of the device, left and right in turn. Where there are
    /// none in time it is silent, and sound goes on where it should be.
    pub(super) fn play(&mut self, out: &mut [f32]) {
        for out in out.chunks_mut(2) {
            let sample = self.samples.pop_front().unwrap_or_default();
            self.next += u64::from(self.has_begun);
            for (out, sample) in out.iter_mut().zip(sample) {
                // What is no number would hurt.
                *out = if sample.is_finite() {
                    sample.clamp(-1.0, 1.0)
                } else {
                    0.0
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples that say their number.
    fn samples(first: u64, count: u64) -> Vec<[f32; 2]> {
        let sample = |number: u64| [number as f32 * 1e-6, -(number as f32) * 1e-6];
        (first..first + count).map(sample).collect()
    }

    fn played(queue: &mut Queue, count: usize) -> Vec<f32> {
        let mut out = vec![9.0; 2 * count];
        queue.play(&mut out);
        out
    }

    #[test]
    fn samples_are_played_in_their_order_and_late_ones_not_at_all() {
        let mut queue = Queue::default();
        assert_eq!(played(&mut queue, 2), [0.0; 4], "silence");
        let beginning = queue.begin(1000);
        assert_eq!(played(&mut queue, 2), [0.0; 4], "nothing is there yet");
        queue.add(beginning, 1000, &samples(1000, 3));
        assert_eq!(played(&mut queue, 5)[..2], samples(1000, 1)[0]);
        // Two samples too late: the device has played 1003 and 1004 as silence.
        queue.add(beginning, 1003, &samples(1003, 4));
        assert_eq!(played(&mut queue, 1), samples(1005, 1)[0]);
        queue.stop();
        queue.add(beginning, 1007, &samples(1007, 4));
        assert_eq!(played(&mut queue, 1), [0.0; 2]);
        assert!(!queue.is_wanted(beginning));
    }

    #[test]
    fn sound_follows_where_time_jumps_and_stops() {
        let mut queue = Queue::default();
        assert_eq!(queue.step(None), Step::GoOn);
        assert_eq!(queue.step(Some(2.0)), Step::PlayFrom(96_000));
        let beginning = queue.begin(96_000);
        assert_eq!(
            queue.step(Some(2.5)),
            Step::GoOn,
            "the first samples take a while"
        );
        queue.add(beginning, 96_000, &samples(96_000, 4800));
        assert_eq!(queue.step(Some(2.09)), Step::GoOn);
        assert_eq!(queue.step(Some(2.5)), Step::PlayFrom(120_000));
        assert_eq!(queue.step(Some(0.0)), Step::PlayFrom(0));
        played(&mut queue, 4800);
        assert_eq!(queue.step(Some(2.19)), Step::GoOn);
        assert_eq!(queue.step(None), Step::Stop);
    }

    #[test]
    fn no_more_is_made_than_is_wanted() {
        let mut queue = Queue::default();
        let beginning = queue.begin(0);
        assert!(queue.has_room());
        queue.add(beginning, 0, &samples(0, AHEAD as u64));
        assert!(!queue.has_room());
        played(&mut queue, 1);
        assert!(queue.has_room());
    }

    #[test]
    fn nothing_louder_than_the_device_takes() {
        let mut queue = Queue::default();
        let beginning = queue.begin(0);
        queue.add(beginning, 0, &[[7.0, -7.0], [f32::NAN, f32::INFINITY]]);
        assert_eq!(played(&mut queue, 2), [1.0, -1.0, 0.0, 0.0]);
    }
}
