//! GPU times of a scene's passes, from timestamp queries.

use super::canvas::FrameTimes;
use tarsus_render::{Gpu, Renderer, Timestamps};
use tarsus_shader::PassKind;

/// One of this many frames is timed on a software renderer, where timestamps have a small
/// cost and say no more than the time of the whole frame.
const TIMED_EVERY: u32 = 6;
/// Weight of the newest value in the running average.
const SMOOTHING: f64 = 0.4;

/// Use of the timestamp queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Timing {
    #[default]
    Idle,
    /// The frame being encoded is timed.
    Encoding,
    /// The GPU has yet to finish a timed frame.
    Submitted,
}

/// Pass times of one scene; empty if the device has no timestamps.
#[derive(Default)]
pub(super) struct PassTimes {
    timestamps: Option<Timestamps>,
    passes: Vec<PassKind>,
    /// Average milliseconds per pass; empty before the first timed frame.
    ms: Vec<f64>,
    /// One of this many frames is timed.
    timed_every: u32,
    /// Frames since the last timed one.
    frames: u32,
    timing: Timing,
}

impl PassTimes {
    /// Creates the timer for the passes of a scene.
    pub(super) fn new(gpu: &Gpu, renderer: &Renderer) -> Self {
        let passes: Vec<_> = renderer.passes().collect();
        Self {
            timestamps: Timestamps::new(gpu, passes.len()),
            passes,
            timed_every: if gpu.is_software() { TIMED_EVERY } else { 1 },
            ..Self::default()
        }
    }

    /// Starts a frame; returns the timestamps if this frame is timed, which requires all of
    /// its passes to be rendered together.
    pub(super) fn begin(&mut self) -> Option<&Timestamps> {
        self.frames += 1;
        if self.timing == Timing::Idle && self.frames >= self.timed_every {
            self.timing = Timing::Encoding;
        }
        self.current()
    }

    /// Timestamps of the current frame, if it is timed.
    pub(super) fn current(&self) -> Option<&Timestamps> {
        let is_timed = self.timing == Timing::Encoding;
        self.timestamps.as_ref().filter(|_| is_timed)
    }

    /// True while the times of an earlier frame are pending, so that no other frame is timed.
    pub(super) fn is_pending(&self) -> bool {
        self.timing == Timing::Submitted
    }

    /// Cancels timing of the current frame, because its passes are not rendered together.
    pub(super) fn cancel(&mut self) {
        if self.timing == Timing::Encoding {
            self.timing = Timing::Idle;
        }
    }

    /// Records that the current frame was submitted.
    pub(super) fn submitted(&mut self) {
        if self.current().is_some() {
            self.timing = Timing::Submitted;
        }
    }

    /// Reads the times of the finished frame, which was timed.
    pub(super) fn finish(&mut self, gpu: &Gpu) -> Option<FrameTimes> {
        if self.timing != Timing::Submitted {
            return None;
        }
        self.timing = Timing::Idle;
        self.frames = 0;
        // Device errors are reported elsewhere.
        let times = self.timestamps.as_ref()?.finish_read(gpu).ok()?;
        let times: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
        let (picture, buffers) = times.split_last()?;
        let frame_times = FrameTimes { buffers: buffers.iter().sum(), picture: *picture };
        self.add(times);
        Some(frame_times)
    }

    fn add(&mut self, newest: Vec<f64>) {
        if self.ms.len() != newest.len() {
            self.ms = newest;
            return;
        }
        for (average, newest) in self.ms.iter_mut().zip(newest) {
            *average += SMOOTHING * (newest - *average);
        }
    }

    /// Describes the times; `None` without any.
    pub(super) fn describe(&self) -> Option<String> {
        let sum: f64 = self.ms.iter().sum();
        let passes = self.passes.iter().zip(&self.ms);
        let texts: Vec<String> = passes
            .map(|(pass, ms)| format!("{} {ms:.1}", pass.label().trim_start_matches("buffer ")))
            .collect();
        match &texts[..] {
            [] => None,
            [_] => Some(format!("GPU {sum:.1} ms")),
            texts => Some(format!("GPU {sum:.1} ms: {}", texts.join("  "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::Buffer;

    #[test]
    fn description_names_every_pass() {
        let mut times = PassTimes {
            passes: vec![PassKind::Buffer(Buffer::A), PassKind::Image],
            ..PassTimes::default()
        };
        assert_eq!(times.describe(), None);
        times.add(vec![1.0, 2.0]);
        assert_eq!(times.describe().as_deref(), Some("GPU 3.0 ms: a 1.0  image 2.0"));
        times.add(vec![2.0, 2.0]);
        assert_eq!(times.describe().as_deref(), Some("GPU 3.4 ms: a 1.4  image 2.0"));
    }

    #[test]
    fn no_timestamps_means_no_times() {
        let mut times = PassTimes::default();
        assert!((0..20).all(|_| times.begin().is_none()));
    }
}
