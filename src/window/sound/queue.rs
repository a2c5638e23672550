//! Queue of samples between the rendering task and the output device, independent of both.

use std::collections::VecDeque;

use tarsus_shader::SAMPLE_RATE;

/// Samples rendered ahead: a fifth of a second.
const MAX_QUEUED: usize = SAMPLE_RATE as usize / 5;
/// Maximum offset between sound and picture in seconds.
const MAX_OFFSET: f64 = 0.1;

/// Next action of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Continue unchanged.
    Continue,
    /// Stop playing.
    Stop,
    /// Start playing at the sample of this number.
    PlayFrom(u32),
}

/// Samples waiting to be played.
#[derive(Debug, Default)]
pub(super) struct Queue {
    samples: VecDeque<[f32; 2]>,
    /// Number of the next sample to play.
    next: u64,
    plays: bool,
    /// True once the first samples have arrived.
    has_begun: bool,
    /// Number of the current playback; samples of earlier ones are discarded.
    playback: u32,
}

impl Queue {
    /// Next action to play the sound of a scene time in seconds, or silence.
    pub(super) fn next_action(&self, time: Option<f64>) -> Action {
        match time {
            None if self.plays => Action::Stop,
            None => Action::Continue,
            Some(time) => {
                let wanted = time * f64::from(SAMPLE_RATE);
                let apart = (self.next as f64 - wanted).abs() / f64::from(SAMPLE_RATE);
                if self.plays && (apart <= MAX_OFFSET || !self.has_begun) {
                    Action::Continue
                } else {
                    Action::PlayFrom(wanted.clamp(0.0, f64::from(u32::MAX)) as u32)
                }
            }
        }
    }

    /// Starts a playback at sample `first`; playing begins when samples arrive. Returns the
    /// number of the playback.
    pub(super) fn begin(&mut self, first: u32) -> u32 {
        self.stop();
        self.plays = true;
        self.next = first.into();
        self.playback
    }

    /// Stops playing and discards all samples.
    pub(super) fn stop(&mut self) {
        self.samples.clear();
        (self.plays, self.has_begun) = (false, false);
        self.playback = self.playback.wrapping_add(1);
    }

    /// True if samples of this playback are still needed.
    pub(super) fn is_wanted(&self, playback: u32) -> bool {
        self.plays && self.playback == playback
    }

    /// True if more samples should be rendered now.
    pub(super) fn has_room(&self) -> bool {
        self.samples.len() < MAX_QUEUED
    }

    /// Appends samples from number `first` on, rendered for a playback; late samples are
    /// skipped.
    pub(super) fn push(&mut self, playback: u32, first: u64, samples: &[[f32; 2]]) {
        if self.is_wanted(playback) {
            self.has_begun = true;
            let late = self.next.saturating_sub(first);
            let late = usize::try_from(late).unwrap_or(usize::MAX);
            self.samples.extend(samples.iter().skip(late));
        }
    }

    /// Fills the device's buffer with interleaved stereo samples. On underrun it plays
    /// silence, and sound continues at the correct position.
    #[cfg(any(feature = "sound", test))]
    pub(super) fn play(&mut self, out: &mut [f32]) {
        for out in out.chunks_mut(2) {
            let sample = self.samples.pop_front().unwrap_or_default();
            self.next += u64::from(self.has_begun);
            for (out, sample) in out.iter_mut().zip(sample) {
                *out = sample.clamp(-1.0, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples whose value encodes their number.
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
    fn late_samples_are_skipped() {
        let mut queue = Queue::default();
        assert_eq!(played(&mut queue, 2), [0.0; 4], "silence");
        let playback = queue.begin(1000);
        assert_eq!(played(&mut queue, 2), [0.0; 4], "nothing is there yet");
        queue.push(playback, 1000, &samples(1000, 3));
        assert_eq!(played(&mut queue, 5)[..2], samples(1000, 1)[0]);
        // Two samples late: the device has played 1003 and 1004 as silence.
        queue.push(playback, 1003, &samples(1003, 4));
        assert_eq!(played(&mut queue, 1), samples(1005, 1)[0]);
        queue.stop();
        queue.push(playback, 1007, &samples(1007, 4));
        assert_eq!(played(&mut queue, 1), [0.0; 2]);
        assert!(!queue.is_wanted(playback));
    }

    #[test]
    fn sound_follows_time_jumps_and_stops() {
        let mut queue = Queue::default();
        assert_eq!(queue.next_action(None), Action::Continue);
        assert_eq!(queue.next_action(Some(2.0)), Action::PlayFrom(96_000));
        let playback = queue.begin(96_000);
        assert_eq!(
            queue.next_action(Some(2.5)),
            Action::Continue,
            "the first samples take a while"
        );
        queue.push(playback, 96_000, &samples(96_000, 4800));
        assert_eq!(queue.next_action(Some(2.09)), Action::Continue);
        assert_eq!(queue.next_action(Some(2.5)), Action::PlayFrom(120_000));
        assert_eq!(queue.next_action(Some(0.0)), Action::PlayFrom(0));
        played(&mut queue, 4800);
        assert_eq!(queue.next_action(Some(2.19)), Action::Continue);
        assert_eq!(queue.next_action(None), Action::Stop);
    }

    #[test]
    fn full_queue_has_no_room() {
        let mut queue = Queue::default();
        let playback = queue.begin(0);
        assert!(queue.has_room());
        queue.push(playback, 0, &samples(0, MAX_QUEUED as u64));
        assert!(!queue.has_room());
        played(&mut queue, 1);
        assert!(queue.has_room());
    }

    #[test]
    fn samples_are_clamped() {
        let mut queue = Queue::default();
        let playback = queue.begin(0);
        queue.push(playback, 0, &[[7.0, -7.0]]);
        assert_eq!(played(&mut queue, 1), [1.0, -1.0]);
    }
}
