//! How long the adapter draws each pass of a scene, by its own clock.

use tarsus_render::{Gpu, Renderer, Timestamps};
use tarsus_shader::PassKind;

/// Of so many frames one is timed: reading the clock costs a little.
const EVERY: u32 = 6;
/// Weight of the newest value in a running average.
const NEWEST: f64 = 0.4;

/// The passes of one scene and their times. Without an adapter's clock it has none.
#[derive(Default)]
pub(super) struct PassTimes {
    timestamps: Option<Timestamps>,
    passes: Vec<PassKind>,
    /// Milliseconds of each pass, averaged; empty before the first frame.
    ms: Vec<f64>,
    /// Frames since the last one that was timed.
    frames: u32,
    is_timing: bool,
}

impl PassTimes {
    /// For the passes of a scene.
    pub(super) fn new(gpu: &Gpu, renderer: &Renderer) -> Self {
        let passes: Vec<_> = renderer.passes().collect();
        Self {
            timestamps: Timestamps::new(gpu, passes.len()),
            passes,
            ..Self::default()
        }
    }

    /// What times the next frame, if it is to be timed: all of its passes have to
    /// be drawn.
    pub(super) fn begin(&mut self) -> Option<&Timestamps> {
        self.frames += 1;
        self.is_timing = self.timestamps.is_some() && self.frames >= EVERY;
        self.current()
    }

    /// What times the frame under way, if it is timed.
    pub(super) fn current(&self) -> Option<&Timestamps> {
        self.timestamps.as_ref().filter(|_| self.is_timing)
    }

    /// The frame under way is not timed: its passes are not drawn together.
    pub(super) fn give_up(&mut self) {
        self.is_timing = false;
    }

    /// The frame is drawn.
    pub(super) fn finish(&mut self, gpu: &Gpu) {
        if !std::mem::take(&mut self.is_timing) {
            return;
        }
        self.frames = 0;
        // A device that fails says so elsewhere.
        let read = self.timestamps.as_ref().map(|times| times.read(gpu));
        if let Some(Ok(times)) = read {
            self.add(times.iter().map(|time| time.as_secs_f64() * 1e3).collect());
        }
    }

    fn add(&mut self, newest: Vec<f64>) {
        if self.ms.len() != newest.len() {
            self.ms = newest;
            return;
        }
        for (average, newest) in self.ms.iter_mut().zip(newest) {
            *average += NEWEST * (newest - *average);
        }
    }

    /// The times in words; nothing without any.
    pub(super) fn line(&self) -> Option<String> {
        let sum: f64 = self.ms.iter().sum();
        let passes = self.passes.iter().zip(&self.ms);
        let words: Vec<String> = passes
            .map(|(pass, ms)| format!("{} {ms:.1}", pass.label().trim_start_matches("buffer ")))
            .collect();
        match &words[..] {
            [] => None,
            [_] => Some(format!("GPU {sum:.1} ms")),
            words => Some(format!("GPU {sum:.1} ms: {}", words.join("  "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::Buffer;

    #[test]
    fn the_line_names_every_pass() {
        let mut times = PassTimes {
            passes: vec![PassKind::Buffer(Buffer::A), PassKind::Image],
            ..PassTimes::default()
        };
        assert_eq!(times.line(), None);
        times.add(vec![1.0, 2.0]);
        assert_eq!(
            times.line().as_deref(),
            Some("GPU 3.0 ms: a 1.0  image 2.0")
        );
        times.add(vec![2.0, 2.0]);
        assert_eq!(
            times.line().as_deref(),
            Some("GPU 3.4 ms: a 1.4  image 2.0")
        );
    }

    #[test]
    fn without_a_clock_nothing_is_timed() {
        let mut times = PassTimes::default();
        assert!((0..20).all(|_| times.begin().is_none()));
    }
}
