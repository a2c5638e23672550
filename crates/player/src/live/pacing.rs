//! Frame pacing: the time of the next frame, the render scale, and the measured frame
//! rate. Pure: real time is passed in as seconds since the window opened.

use super::scale::{Budget, ScaleController};

/// Interval for polling asynchronous work such as the GPU or ffmpeg, in seconds.
pub const POLL_INTERVAL: f64 = 0.001;
/// Delay after the last change before the still is refined, in seconds.
const SETTLE_DELAY: f64 = 0.15;
/// Target frame rate on a GPU, in frames per second.
const GPU_FPS: f64 = 60.0;
/// Target frame rate on a software renderer, in frames per second.
const SOFTWARE_FPS: f64 = 30.0;
/// Minimum frame rate that is accepted to keep the scale legible, in frames per second.
const MIN_FPS: f64 = 15.0;
/// Longer intervals between frames are ignored by the frame rate, in seconds.
const MAX_INTERVAL: f64 = 0.5;
/// Weight of the newest value in a running average.
const SMOOTHING: f64 = 0.15;

/// Time budget, render scale and rate of the frames.
#[derive(Clone, Debug)]
pub struct Pacing {
    /// Chooses the render scale.
    pub scale: ScaleController,
    fps_cap: Option<f64>,
    is_software: bool,
    /// Real time at which the last frame began.
    painted_at: f64,
    /// Real time of the last change that affects the picture.
    changed_at: f64,
    /// Average interval between frames, in seconds.
    interval: Average,
    /// Average time for the picture, in milliseconds.
    scene_ms: Average,
    /// Average time for the buffers at any scale of the picture, in milliseconds.
    buffers_ms: Average,
    /// Average time from the finished scene to the screen with a software renderer, in
    /// milliseconds.
    present_ms: Average,
}

impl Pacing {
    /// Creates a pacing with a fixed `scale`, if given, and at most `fps_cap` frames per
    /// second.
    pub fn new(scale: Option<f64>, fps_cap: Option<f64>) -> Self {
        Self {
            scale: ScaleController::new(scale),
            fps_cap,
            is_software: false,
            painted_at: 0.0,
            changed_at: 0.0,
            interval: Average::default(),
            scene_ms: Average::default(),
            buffers_ms: Average::default(),
            present_ms: Average::default(),
        }
    }

    /// Returns true for a software renderer.
    pub fn is_software(&self) -> bool {
        self.is_software
    }

    /// Adapts to another GPU or software renderer.
    pub fn set_software(&mut self, is_software: bool) {
        self.is_software = is_software;
        self.scale.reset();
    }

    /// Returns the time budget of the scene, after subtracting the other parts of a
    /// frame.
    fn budget(&self) -> Budget {
        let fps = match self.is_software {
            true => SOFTWARE_FPS,
            false => GPU_FPS,
        };
        let fps = self.fps_cap.map_or(fps, |cap| cap.min(fps));
        let rest = self.present_ms.value() + self.buffers_ms.value() + 2.0;
        // Reducing the picture's scale does not make the buffers faster.
        let least = (0.5 * self.buffers_ms.value()).max(4.0);
        let ms_at = |fps: f64| (1000.0 / fps - rest).max(least);
        Budget {
            ms: ms_at(fps),
            max_ms: ms_at(fps.min(MIN_FPS)),
        }
    }

    /// Returns the earliest real time of the next frame on a screen with this refresh
    /// rate in hertz. A software renderer presents without waiting for the screen, and
    /// frames faster than the screen are wasted.
    pub fn next_frame(&self, refresh_rate: Option<f64>) -> f64 {
        let hertz = match refresh_rate {
            // Slightly faster than the screen, whose vertical sync then sets the rate.
            Some(rate) if !self.is_software => rate * 1.1,
            _ => GPU_FPS,
        };
        self.painted_at + 1.0 / self.fps_cap.unwrap_or(hertz)
    }

    /// Returns the real time at which the picture counts as settled if nothing changes.
    pub fn settled_at(&self) -> f64 {
        self.changed_at.max(self.painted_at) + SETTLE_DELAY
    }

    /// Records a change that affects the picture.
    pub fn record_change(&mut self, now: f64) {
        self.changed_at = now;
    }

    /// Records that a frame began. Returns the frame rate if `counts`: frames of a paused
    /// scene follow the user instead of the clock.
    pub fn record_frame(&mut self, now: f64, counts: bool) -> Option<f64> {
        let interval = now - std::mem::replace(&mut self.painted_at, now);
        if !counts || interval >= MAX_INTERVAL {
            return None;
        }
        self.interval.add(interval);
        self.fps()
    }

    /// Records that the scene of a frame took `ms`. The first frames also compile the
    /// shader, so they should not count for the average.
    pub fn record_scene_ms(&mut self, ms: f64, counts: bool) {
        let budget = self.budget();
        self.scale.observe(ms, budget);
        if counts {
            self.scene_ms.add(ms);
        }
    }

    /// Records that the buffers of a frame took `ms`, or 0 without buffers.
    pub fn record_buffers_ms(&mut self, ms: f64) {
        self.buffers_ms.add(ms);
    }

    /// Records that presenting took `ms`. On a GPU this time is spent waiting for
    /// vertical sync, and does not count. A software renderer does not wait, but presents
    /// with the processors that draw the scene.
    pub fn record_present_ms(&mut self, ms: f64) {
        if self.is_software {
            self.present_ms.add(ms);
        }
    }

    /// Average frame rate in frames per second, once known.
    pub fn fps(&self) -> Option<f64> {
        (self.interval.value() > 0.0).then(|| 1.0 / self.interval.value())
    }

    /// Average time from the start of a frame to the screen, in milliseconds.
    pub fn frame_ms(&self) -> f64 {
        self.scene_ms.value() + self.buffers_ms.value() + self.present_ms.value()
    }
}

/// A running average.
#[derive(Clone, Copy, Debug, Default)]
struct Average(Option<f64>);

impl Average {
    fn add(&mut self, newest: f64) {
        let average = self.0.unwrap_or(newest);
        self.0 = Some(average + SMOOTHING * (newest - average));
    }

    /// Returns the average, or 0 before the first value.
    fn value(self) -> f64 {
        self.0.unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_follows_adapter_or_lower_cap() {
        let budget = |is_software, cap| {
            let mut pacing = Pacing::new(None, cap);
            pacing.set_software(is_software);
            pacing.budget().ms
        };
        assert!(budget(true, None) > budget(false, None));
        assert_eq!(budget(true, Some(120.0)), budget(true, None));
        assert_eq!(budget(false, Some(30.0)), budget(true, None));
        assert!(budget(false, Some(5.0)) > budget(true, None));
    }

    #[test]
    fn frames_may_be_late_within_limits() {
        for (is_software, cap) in [(true, None), (false, None), (true, Some(20.0))] {
            let mut pacing = Pacing::new(None, cap);
            pacing.set_software(is_software);
            let budget = pacing.budget();
            assert!(budget.max_ms > budget.ms, "{is_software} {cap:?}");
            assert!(budget.max_ms < 1000.0 / MIN_FPS);
        }
        let capped = Pacing::new(None, Some(5.0)).budget();
        assert_eq!(capped.max_ms, capped.ms, "slower by the user's own wish");
    }

    #[test]
    fn presenting_reduces_budget() {
        let mut pacing = Pacing::new(None, None);
        let before = pacing.budget().ms;
        pacing.record_present_ms(5.0);
        assert_eq!(pacing.budget().ms, before, "a GPU waits for vertical sync");
        pacing.set_software(true);
        let before = pacing.budget().ms;
        pacing.record_present_ms(5.0);
        assert_eq!(pacing.budget().ms, before - 5.0);
        pacing.record_buffers_ms(3.0);
        assert_eq!(pacing.budget().ms, before - 8.0, "so do the buffers");
        pacing.record_present_ms(1e6);
        assert_eq!(pacing.budget().ms, 4.0, "never nothing");
        let mut pacing = Pacing::new(None, None);
        pacing.record_buffers_ms(120.0);
        assert_eq!(pacing.budget().ms, 60.0, "half of what the buffers take");
    }

    #[test]
    fn frames_follow_screen_unless_capped() {
        let mut pacing = Pacing::new(None, None);
        pacing.record_frame(1.0, true);
        assert!((pacing.next_frame(Some(100.0)) - (1.0 + 1.0 / 110.0)).abs() < 1e-12);
        pacing.set_software(true);
        assert!((pacing.next_frame(Some(100.0)) - (1.0 + 1.0 / 60.0)).abs() < 1e-12);
        let mut capped = Pacing::new(None, Some(10.0));
        capped.record_frame(1.0, true);
        assert!((capped.next_frame(Some(100.0)) - 1.1).abs() < 1e-12);
    }

    #[test]
    fn pauses_do_not_count_as_slow_frames() {
        let mut pacing = Pacing::new(None, None);
        assert_eq!(pacing.record_frame(100.0, true), None);
        let near = |fps: Option<f64>| fps.is_some_and(|fps| (fps - 50.0).abs() < 1e-6);
        assert!(near(pacing.record_frame(100.02, true)));
        assert_eq!(pacing.record_frame(200.0, true), None);
        assert_eq!(pacing.record_frame(200.3, false), None, "paused");
        assert!(near(pacing.fps()));
    }

    #[test]
    fn picture_settles_after_frames_and_changes() {
        let mut pacing = Pacing::new(None, None);
        pacing.record_frame(1.0, true);
        let after_frame = pacing.settled_at();
        pacing.record_change(2.0);
        assert_eq!(pacing.settled_at(), after_frame + 1.0);
        assert!(after_frame > 1.0);
    }
}
