//! Frame pacing: the time of the next frame, the render scale, and the measured frame
//! rate. Pure: real time is passed in as seconds since the window opened.

use super::scale::{ScaleController, gpu_levels, software_levels};

/// Interval for polling asynchronous work such as the GPU or ffmpeg, in seconds.
pub const POLL_INTERVAL: f64 = 0.001;
/// Delay after the last change before the still is refined, in seconds.
const SETTLE_DELAY: f64 = 0.15;
/// Refresh rate of a screen that does not report one, and maximum frame rate of a software
/// renderer, in hertz.
const DEFAULT_RATE: f64 = 60.0;
/// Refresh rates outside of this range are not believed, in hertz.
const REFRESH_RATES: std::ops::RangeInclusive<f64> = 20.0..=1000.0;
/// Fraction of a frame period that a GPU may spend on buffers and picture.
const USABLE_PERIOD: f64 = 0.9;
/// Ratio of the interval between frames to the refresh interval. Slightly slower frames
/// leave no queue in front of the screen; a queue would delay each picture by up to two
/// refresh intervals.
const SLOWDOWN: f64 = 1.002;
/// Longer intervals between frames are ignored by the frame rate, unless the picture took
/// long, in seconds.
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
    /// Refresh rate of the screen in hertz.
    refresh_rate: f64,
    /// Real time at which the last frame began.
    frame_at: f64,
    /// Earliest real time of the next frame.
    next_frame: f64,
    /// Real time of the last change that affects the picture.
    changed_at: f64,
    /// Average interval between frames, in seconds.
    interval: Average,
    /// Time for the last picture, in milliseconds.
    last_scene_ms: f64,
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
        let rate = fps_cap.map_or(DEFAULT_RATE, |cap| cap.min(DEFAULT_RATE));
        Self {
            scale: ScaleController::new(scale, gpu_levels(rate)),
            fps_cap,
            is_software: false,
            refresh_rate: DEFAULT_RATE,
            frame_at: 0.0,
            next_frame: 0.0,
            changed_at: 0.0,
            interval: Average::default(),
            last_scene_ms: 0.0,
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
    pub(super) fn set_software(&mut self, is_software: bool) {
        self.is_software = is_software;
        self.set_levels();
        self.scale.reset();
    }

    /// Adapts to the refresh rate of the screen in hertz, if known.
    pub(super) fn set_refresh_rate(&mut self, rate: Option<f64>) {
        let rate = rate.filter(|rate| REFRESH_RATES.contains(rate));
        let rate = rate.unwrap_or(DEFAULT_RATE);
        if rate != self.refresh_rate {
            self.refresh_rate = rate;
            self.set_levels();
        }
    }

    fn set_levels(&mut self) {
        let levels = if self.is_software { software_levels } else { gpu_levels };
        self.scale.set_levels(levels(self.max_rate()));
    }

    /// Maximum frame rate in frames per second. A software renderer presents without
    /// waiting for the screen, and frames faster than the screen are wasted.
    fn max_rate(&self) -> f64 {
        match (self.is_software, self.fps_cap) {
            (true, cap) => cap.unwrap_or(DEFAULT_RATE),
            (false, Some(cap)) => cap.min(self.refresh_rate),
            (false, None) => self.refresh_rate,
        }
    }

    /// Records that a frame's scene at `scale` was finished at time `now` and took `ms`.
    /// The first frames also compile the shader, so they should not count for the average.
    pub(super) fn record_scene_ms(&mut self, now: f64, ms: f64, scale: f64, counts: bool) {
        let (buffers, present) = (self.buffers_ms.value(), self.present_ms.value());
        let is_software = self.is_software;
        self.scale.observe(now, ms, scale, |period| {
            scene_budget(1e3 * period, buffers, is_software.then_some(present))
        });
        if counts {
            self.last_scene_ms = ms;
            self.scene_ms.add(ms);
        }
    }

    /// Returns the earliest real time of the next frame.
    pub(super) fn next_frame(&self) -> f64 {
        self.next_frame
    }

    /// Interval between two refreshes of the screen, in seconds.
    pub(super) fn refresh_interval(&self) -> f64 {
        1.0 / self.refresh_rate
    }

    /// Returns true if each refresh of the screen may show another frame.
    pub(super) fn follows_every_refresh(&self) -> bool {
        self.is_software || self.scale.level().period * self.max_rate() < 1.5
    }

    /// Returns the real time at which the picture counts as settled if nothing changes.
    pub(super) fn settled_at(&self) -> f64 {
        self.changed_at.max(self.frame_at) + SETTLE_DELAY
    }

    /// Records a change that affects the picture.
    pub(super) fn record_change(&mut self, now: f64) {
        self.changed_at = now;
    }

    /// Records that a frame began. Returns the frame rate if `counts`: frames of a paused
    /// scene follow the user instead of the clock.
    pub(super) fn record_frame(&mut self, now: f64, counts: bool) -> Option<f64> {
        let period = if self.is_software {
            1.0 / self.max_rate()
        } else {
            self.scale.level().period * SLOWDOWN
        };
        // Frames that begin a little late do not delay the later ones.
        let is_on_time = !self.is_software && now - self.next_frame < 0.5 * period;
        let begin = if is_on_time { self.next_frame } else { now };
        self.next_frame = begin + period;
        let interval = now - std::mem::replace(&mut self.frame_at, now);
        let is_slow = interval >= MAX_INTERVAL;
        if !counts || (is_slow && interval >= 2e-3 * self.last_scene_ms) {
            return None;
        }
        if is_slow {
            // An average would take many pictures to become true.
            self.interval = Average::default();
        }
        self.interval.add(interval);
        self.fps()
    }

    /// Records that the buffers of a frame took `ms`, or 0 without buffers.
    pub(super) fn record_buffers_ms(&mut self, ms: f64) {
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

/// Returns the time budget of the picture in a frame of `period` milliseconds whose buffers
/// take `buffers` milliseconds. `present` is the time for presenting with a software
/// renderer.
fn scene_budget(period: f64, buffers: f64, present: Option<f64>) -> f64 {
    // Reducing the picture's scale does not make the buffers faster.
    let least = 0.5 * buffers;
    match present {
        Some(present) => (period - present - buffers - 2.0).max(least).max(4.0),
        None => (USABLE_PERIOD * period - buffers).max(least),
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
    fn buffers_and_presenting_reduce_budget() {
        assert_eq!(scene_budget(16.0, 0.0, None), 14.4);
        assert_eq!(scene_budget(16.0, 4.0, None), 10.4);
        assert_eq!(scene_budget(16.0, 120.0, None), 60.0, "half of the buffers");
        assert_eq!(scene_budget(33.0, 0.0, Some(0.0)), 31.0);
        assert_eq!(scene_budget(33.0, 3.0, Some(5.0)), 23.0);
        assert_eq!(scene_budget(33.0, 0.0, Some(1e6)), 4.0, "never nothing");
    }

    #[test]
    fn only_software_renderer_counts_presenting() {
        let mut pacing = Pacing::new(None, None);
        pacing.record_present_ms(5.0);
        assert_eq!(pacing.frame_ms(), 0.0, "a GPU waits for vertical sync");
        pacing.set_software(true);
        pacing.record_present_ms(5.0);
        assert_eq!(pacing.frame_ms(), 5.0);
    }

    #[test]
    fn frames_begin_on_a_grid() {
        let mut pacing = Pacing::new(Some(1.0), None);
        pacing.set_refresh_rate(Some(100.0));
        // The first frames choose the level.
        for _ in 0..2 {
            pacing.record_scene_ms(0.0, 1.0, 1.0, true);
        }
        pacing.record_frame(1.0, true);
        for late in [0.0, 0.003, 0.001] {
            let planned = pacing.next_frame();
            pacing.record_frame(planned + late, true);
            let next = pacing.next_frame();
            assert!((next - planned - 0.01 * SLOWDOWN).abs() < 1e-9, "{late}");
        }
        pacing.record_frame(5.0, true);
        assert!((pacing.next_frame() - 5.0 - 0.01 * SLOWDOWN).abs() < 1e-9);
    }

    #[test]
    fn caps_limit_frame_rate() {
        let interval = |is_software, refresh_rate, cap| {
            let mut pacing = Pacing::new(Some(1.0), cap);
            pacing.set_software(is_software);
            pacing.set_refresh_rate(refresh_rate);
            for _ in 0..2 {
                pacing.record_scene_ms(0.0, 1.0, 1.0, true);
            }
            pacing.record_frame(1.0, true);
            ((pacing.next_frame() - 1.0) * 1e6).round()
        };
        assert_eq!(interval(true, Some(100.0), None), 16_667.0);
        assert_eq!(interval(true, Some(100.0), Some(10.0)), 100_000.0);
        let slow = |seconds: f64| (seconds * 1e6 * SLOWDOWN).round();
        assert_eq!(interval(false, Some(100.0), None), slow(0.01));
        assert_eq!(interval(false, Some(100.0), Some(10.0)), slow(0.1));
        assert_eq!(interval(false, Some(100.0), Some(1e3)), slow(0.01));
        assert_eq!(interval(false, Some(1.0), None), slow(1.0 / 60.0));
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
    fn slow_pictures_count_at_once() {
        let mut pacing = Pacing::new(None, None);
        for frame in 0..50 {
            pacing.record_frame(0.03 * f64::from(frame), true);
        }
        pacing.record_scene_ms(4.0, 3000.0, 1.0, true);
        let fps = pacing.record_frame(4.5, true).expect("a rate");
        assert!((fps - 1.0 / 3.03).abs() < 1e-3, "{fps}");
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
