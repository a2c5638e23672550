//! Queue of samples between the rendering task and the output device, independent of both.

use std::collections::VecDeque;

use tarsus_shader::SAMPLE_RATE;

/// Samples rendered ahead: a fifth of a second.
const MAX_QUEUED: usize = SAMPLE_RATE as usize / 5;
/// Maximum offset between sound and picture in seconds.
const MAX_OFFSET: f64 = 0.1;

/// Samples waiting to be played.
#[derive(Debug, Default)]
pub(super) struct Queue {
    samples: VecDeque<[f32; 2]>,
    /// Number of the next sample to play.
    next: u64,
    /// Number of the next sample to render.
    rendered: u32,
    plays: bool,
    /// True once the first samples have arrived.
    has_begun: bool,
    /// Number of the current playback; samples of earlier ones are discarded.
    playback: u32,
}

impl Queue {
    /// Plays the sound of a scene time in seconds from now on, once samples arrive, or silence.
    /// Returns true if playing has started or stopped.
    pub(super) fn follow(&mut self, time: Option<f64>) -> bool {
        let wanted = time.unwrap_or_default() * f64::from(SAMPLE_RATE);
        let apart = (self.next as f64 - wanted).abs() / f64::from(SAMPLE_RATE);
        let has_jumped = self.has_begun && apart > MAX_OFFSET;
        let has_switched = self.plays != time.is_some();
        if has_switched || (self.plays && has_jumped) {
            self.samples.clear();
            (self.plays, self.has_begun) = (time.is_some(), false);
            self.playback = self.playback.wrapping_add(1);
            self.rendered = wanted.clamp(0.0, f64::from(u32::MAX)) as u32;
            self.next = self.rendered.into();
        }
        has_switched
    }

    /// True while sound is played.
    pub(super) fn plays(&self) -> bool {
        self.plays
    }

    /// Number of the playback and of the first sample to render now, if more are needed.
    pub(super) fn next_block(&self) -> Option<(u32, u32)> {
        let has_room = self.samples.len() < MAX_QUEUED && self.rendered < u32::MAX;
        (self.plays && has_room).then_some((self.playback, self.rendered))
    }

    /// Appends the [next block](Self::next_block), rendered for a playback; late samples are
    /// skipped.
    pub(super) fn push(&mut self, playback: u32, samples: &[[f32; 2]]) {
        if self.plays && self.playback == playback {
            self.has_begun = true;
            let late = self.next.saturating_sub(self.rendered.into());
            let late = usize::try_from(late).unwrap_or(usize::MAX);
            self.samples.extend(samples.iter().skip(late));
            self.rendered = self.rendered.saturating_add(samples.len() as u32);
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
        assert!(queue.follow(Some(1000.0 / f64::from(SAMPLE_RATE))));
        let (playback, first) = queue.next_block().expect("a block");
        assert_eq!(first, 1000);
        assert_eq!(played(&mut queue, 2), [0.0; 4], "nothing is there yet");
        queue.push(playback, &samples(1000, 3));
        assert_eq!(played(&mut queue, 5)[..2], samples(1000, 1)[0]);
        // Two samples late: the device has played 1003 and 1004 as silence.
        queue.push(playback, &samples(1003, 4));
        assert_eq!(played(&mut queue, 1), samples(1005, 1)[0]);
        assert!(queue.follow(None));
        queue.push(playback, &samples(1007, 4));
        assert_eq!(played(&mut queue, 1), [0.0; 2]);
        assert_eq!(queue.next_block(), None);
    }

    #[test]
    fn sound_follows_time_jumps_and_stops() {
        let mut queue = Queue::default();
        let first = |queue: &Queue| queue.next_block().expect("a block").1;
        assert!(!queue.follow(None) && !queue.plays());
        assert!(queue.follow(Some(2.0)));
        assert_eq!(first(&queue), 96_000);
        assert!(!queue.follow(Some(2.5)));
        assert_eq!(first(&queue), 96_000, "the first samples take a while");
        let (playback, _) = queue.next_block().expect("a block");
        queue.push(playback, &samples(96_000, 4800));
        queue.follow(Some(2.09));
        assert_eq!(first(&queue), 100_800, "it goes on");
        assert!(!queue.follow(Some(2.5)));
        assert_eq!(first(&queue), 120_000);
        let (playback, _) = queue.next_block().expect("a block");
        queue.push(playback, &samples(120_000, 4800));
        queue.follow(Some(0.0));
        assert_eq!(first(&queue), 0);
        assert!(queue.follow(None) && !queue.plays());
    }

    #[test]
    fn full_queue_needs_no_block() {
        let mut queue = Queue::default();
        queue.follow(Some(0.0));
        let (playback, _) = queue.next_block().expect("a block");
        queue.push(playback, &samples(0, MAX_QUEUED as u64));
        assert_eq!(queue.next_block(), None);
        played(&mut queue, 1);
        assert_eq!(queue.next_block(), Some((playback, MAX_QUEUED as u32)));
    }

    #[test]
    fn samples_are_clamped() {
        let mut queue = Queue::default();
        queue.follow(Some(0.0));
        let (playback, _) = queue.next_block().expect("a block");
        queue.push(playback, &[[7.0, -7.0]]);
        assert_eq!(played(&mut queue, 1), [1.0, -1.0]);
    }
}
