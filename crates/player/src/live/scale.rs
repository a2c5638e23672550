//! Adaptive frame rate and render scale.
//!
//! Pure: frame times go in, and a [`Level`] comes out, a scale per side with a frame
//! period. The level falls at once when frames are late. It rises only when a better one
//! would have fitted for a second, or longer after a rise that failed, so that it does not
//! oscillate.

use std::collections::VecDeque;

/// Scales per side, in descending order. Their areas differ by a factor of at most 1.8.
const SCALES: &[f64] =
    &[1.0, 0.85, 0.7, 0.6, FAST_SCALE, 0.4, LEGIBLE_SCALE, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0];
/// Scale per side below which a GPU lowers its frame rate first.
const FAST_SCALE: f64 = 0.5;
/// Minimum scale per side at which text stays legible.
const LEGIBLE_SCALE: f64 = 1.0 / 3.0;

/// Divisors of a refresh rate may be this much below a wanted frame rate.
const RATE_TOLERANCE: f64 = 0.95;
/// Frame rate that full scale is sacrificed for on a GPU, in frames per second.
const FLUID_FPS: f64 = 60.0;
/// Frame rate that half the scale is sacrificed for on a GPU; target frame rate of a
/// software renderer.
const STEADY_FPS: f64 = 30.0;
/// Frame rate that legibility is sacrificed for.
const LEGIBLE_FPS: f64 = 15.0;

/// Fraction of the budget that the predicted time at a better level may fill.
const HEADROOM: f64 = 0.8;
/// Number of consecutive frames that would have fitted before the level rises.
const FRAMES_TO_GROW: u32 = 6;
/// Minimum time for which frames would have fitted, and since the last change, before the
/// level rises, in seconds.
const GROW_DELAY: f64 = 1.0;
/// A level that holds for a shorter time than this after the level rose was a mistake: the
/// delay before the next rise doubles, up to [`MAX_GROW_DELAY`]. In seconds.
const TRIAL_TIME: f64 = 10.0;
/// Longest delay before the level rises, in seconds.
const MAX_GROW_DELAY: f64 = 60.0;
/// Weight of the newest frame in the average.
const SMOOTHING: f64 = 0.3;
/// Number of frames whose median counts, so that a single late frame does not.
const MEDIAN_FRAMES: usize = 3;

/// A render scale with the frame period that it is meant for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Render scale per side.
    pub scale: f64,
    /// Time between two frames, in seconds.
    pub period: f64,
}

impl Level {
    /// Share of the processing power that a scene may use, up to a constant factor.
    fn capacity(&self) -> f64 {
        self.period / (self.scale * self.scale)
    }
}

/// Lists the levels of a GPU for a screen with `rate` refreshes per second, best first:
/// full scale at each divisor of the rate down to about 60 frames per second, then smaller
/// scales, lower frame rates, and illegible scales.
pub(super) fn gpu_levels(rate: f64) -> Vec<Level> {
    let last_divisor = |fps: f64| ((rate / (RATE_TOLERANCE * fps)) as u32).max(1);
    let [fluid, steady, legible] = [FLUID_FPS, STEADY_FPS, LEGIBLE_FPS].map(last_divisor);
    let scales = |largest: f64, smallest: f64| {
        let scales = SCALES.iter().copied();
        scales.filter(move |scale| (smallest..=largest).contains(scale))
    };
    let full = (1..=fluid).map(|divisor| (divisor, 1.0));
    let fast = (fluid..=steady)
        .flat_map(|divisor| scales(1.0, FAST_SCALE).map(move |scale| (divisor, scale)));
    let small = scales(FAST_SCALE, LEGIBLE_SCALE).map(|scale| (steady, scale));
    let slow = (steady..=legible).map(|divisor| (divisor, LEGIBLE_SCALE));
    let illegible = scales(LEGIBLE_SCALE, 0.0).map(|scale| (legible, scale));
    let mut levels: Vec<Level> = Vec::new();
    for (divisor, scale) in full.chain(fast).chain(small).chain(slow).chain(illegible) {
        let period = f64::from(divisor) / rate;
        let level = Level { scale, period };
        // A level that gains little is not worth a visible change.
        let gains = |last: &Level| level.capacity() > 1.1 * last.capacity();
        if levels.last().is_none_or(gains) {
            levels.push(level);
        }
    }
    levels
}

/// Lists the levels of a software renderer with at most `rate` frames per second, best
/// first. Frames may be late before text becomes illegible.
pub(super) fn software_levels(rate: f64) -> Vec<Level> {
    let levels = SCALES.iter().map(|&scale| {
        let fps = if scale > LEGIBLE_SCALE { STEADY_FPS } else { LEGIBLE_FPS };
        Level { scale, period: 1.0 / rate.min(fps) }
    });
    levels.collect()
}

/// Chooses the level of each frame.
#[derive(Clone, Debug)]
pub struct ScaleController {
    fixed: Option<f64>,
    /// All levels, best first; never empty.
    levels: Vec<Level>,
    index: usize,
    /// Times of the last frames extrapolated to full scale, in milliseconds.
    recent: VecDeque<f64>,
    /// Average of their medians.
    full_ms: Option<f64>,
    /// Consecutive frames that would have fitted a better level: time of the first one,
    /// and their number.
    fitting: Option<(f64, u32)>,
    /// Time of the last change of the level, in seconds.
    changed_at: f64,
    /// True if the last change was a rise.
    has_risen: bool,
    /// Delay before the next rise, in seconds.
    grow_delay: f64,
    /// Number of frames to ignore: the first ones compile the shader.
    ignored: u32,
}

impl ScaleController {
    /// Creates a controller that starts at the last of `levels`, or keeps the `fixed` scale.
    pub(super) fn new(fixed: Option<f64>, levels: Vec<Level>) -> Self {
        Self {
            fixed,
            index: levels.len() - 1,
            levels,
            recent: VecDeque::new(),
            full_ms: None,
            fitting: None,
            changed_at: f64::NEG_INFINITY,
            has_risen: false,
            grow_delay: GROW_DELAY,
            ignored: 1,
        }
    }

    /// Replaces the levels, and continues at the best one with at most the current scale.
    pub(super) fn set_levels(&mut self, levels: Vec<Level>) {
        let scale = self.level().scale;
        let index = levels.iter().position(|level| level.scale <= scale);
        self.index = index.unwrap_or(levels.len() - 1);
        self.levels = levels;
        self.forget_times();
    }

    /// Fixes the scale, or lets it adapt again.
    pub fn fix(&mut self, scale: Option<f64>) {
        self.fixed = scale;
    }

    /// Returns true if the scale is fixed.
    pub fn is_fixed(&self) -> bool {
        self.fixed.is_some()
    }

    /// Returns the scale per side of the next frame, at most 1.
    pub fn scale(&self) -> f64 {
        self.level().scale
    }

    /// Returns the current level.
    pub(super) fn level(&self) -> Level {
        self.at(self.index)
    }

    /// Returns the level of this index, with the fixed scale if there is one.
    fn at(&self, index: usize) -> Level {
        let Level { scale, period } = self.levels[index];
        Level { scale: self.fixed.unwrap_or(scale), period }
    }

    /// Discards the measurements, which do not apply to another scene or adapter. Its
    /// first frame compiles the shader and is ignored.
    pub(super) fn reset(&mut self) {
        self.forget_times();
        self.ignored = 1;
    }

    fn forget_times(&mut self) {
        self.recent.clear();
        self.full_ms = None;
        self.fitting = None;
        self.grow_delay = GROW_DELAY;
    }

    /// Records at time `now` in seconds that a frame at `scale` took `ms`, and adjusts the
    /// level to the budget in milliseconds that `budget` returns for a frame period.
    pub(super) fn observe(&mut self, now: f64, ms: f64, scale: f64, budget: impl Fn(f64) -> f64) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        self.recent.push_back(ms / (scale * scale));
        if self.recent.len() > MEDIAN_FRAMES {
            self.recent.pop_front();
        }
        let mut sorted: Vec<f64> = self.recent.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let median = sorted[(sorted.len() - 1) / 2];
        let is_first = self.full_ms.is_none();
        let previous = self.full_ms.unwrap_or(median);
        let mut average = previous + SMOOTHING * (median - previous);
        let load =
            |level: Level, full_ms: f64| full_ms * level.scale * level.scale / budget(level.period);
        let is_late = load(self.level(), average) > 1.0;
        if is_late {
            // One change to a level that holds the new load, instead of several.
            average = average.max(median);
        }
        self.full_ms = Some(average);
        let mut indices = 0..self.levels.len();
        let fitting = indices.find(|&index| load(self.at(index), average) <= HEADROOM);
        let best = fitting.unwrap_or(self.levels.len() - 1);
        if is_first {
            self.change(now, best);
        } else if is_late && best > self.index {
            // A load at the limit of a level must not make the scale swing.
            let was_mistake = self.has_risen && now - self.changed_at < TRIAL_TIME;
            let delay = if was_mistake { 2.0 * self.grow_delay } else { GROW_DELAY };
            self.grow_delay = delay.min(MAX_GROW_DELAY);
            self.change(now, best);
        } else if best < self.index {
            let (since, frames) = self.fitting.unwrap_or((now, 0));
            self.fitting = Some((since, frames + 1));
            if frames + 1 >= FRAMES_TO_GROW && now - since.max(self.changed_at) >= self.grow_delay {
                self.change(now, best);
            }
        } else {
            self.fitting = None;
        }
    }

    fn change(&mut self, now: f64, index: usize) {
        if self.index != index {
            self.changed_at = now;
            self.has_risen = index < self.index;
        }
        self.index = index;
        self.fitting = None;
    }
}

/// Returns the size of the scene's target for a window of `size` at `scale`, at least one
/// pixel per side.
pub(super) fn scaled(size: (u32, u32), scale: f64) -> (u32, u32) {
    let side = |side: u32| ((f64::from(side) * scale).round() as u32).max(1);
    (side(size.0), side(size.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Budget in milliseconds of a frame period in seconds.
    fn budget(period: f64) -> f64 {
        900.0 * period
    }

    fn controller() -> ScaleController {
        ScaleController::new(None, software_levels(60.0))
    }

    /// Runs `frames` frames of a scene that takes `full_ms` at full scale, 20 per second.
    fn run(controller: &mut ScaleController, full_ms: f64, frames: usize) -> Vec<f64> {
        let start = controller.changed_at.max(0.0) + 100.0;
        (0..frames)
            .map(|frame| {
                let scale = controller.scale();
                let ms = 1.0 + full_ms * scale * scale;
                controller.observe(start + 0.05 * frame as f64, ms, scale, budget);
                scale
            })
            .collect()
    }

    #[test]
    fn levels_descend_from_refresh_rate() {
        for (rate, expected) in [
            (60.0, vec![60.0, 30.0, 20.0, 15.0]),
            (75.0, vec![75.0, 37.5, 25.0, 18.75, 15.0]),
            (144.0, vec![144.0, 72.0, 48.0, 36.0, 28.8]),
            (240.0, vec![240.0, 120.0, 80.0, 60.0, 48.0]),
            (10.0, vec![10.0]),
        ] {
            let levels = gpu_levels(rate);
            let mut rates: Vec<f64> = levels.iter().map(|level| 1.0 / level.period).collect();
            rates.dedup_by(|one, other| (*one - *other).abs() < 1e-9);
            for (found, expected) in rates.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-9, "{rate}: {rates:?}");
            }
            assert!(rates.iter().all(|fps| *fps > 14.0 || rate < 15.0));
            let full = |level: &&Level| level.scale == 1.0;
            let slowest = levels.iter().rfind(full).expect("full scale");
            assert!(1.0 / slowest.period >= rate.min(57.0), "{rate}: {levels:?}");
            for pair in levels.windows(2) {
                assert!(pair[1].capacity() > pair[0].capacity(), "{rate}: {pair:?}");
            }
            assert_eq!(levels.last().map(|level| level.scale), Some(1.0 / 6.0));
        }
    }

    #[test]
    fn scale_settles_within_budget() {
        for full_ms in (1..2000).step_by(10).map(f64::from) {
            let mut controller = controller();
            run(&mut controller, full_ms, 300);
            let rest = run(&mut controller, full_ms, 100);
            let scale = rest[0];
            assert!(rest.iter().all(|one| *one == scale), "{full_ms}: swings");
            let ms = |scale: f64| 1.0 + full_ms * scale * scale;
            let budget = |scale: f64| budget(if scale > 0.34 { 1.0 / 30.0 } else { 1.0 / 15.0 });
            assert!(ms(scale) <= budget(scale) || scale < 0.17, "{full_ms}");
            if let Some(larger) = SCALES.iter().rfind(|one| **one > scale) {
                let share = ms(*larger) / budget(*larger);
                assert!(share > 0.7, "{full_ms}: {larger} fits");
            }
        }
    }

    #[test]
    fn sudden_load_reduces_scale_quickly() {
        let mut controller = controller();
        run(&mut controller, 10.0, 100);
        assert_eq!(controller.scale(), 1.0);
        let scales = run(&mut controller, 200.0, 7);
        assert!(scales[6] <= 0.4, "{scales:?}");
    }

    #[test]
    fn load_at_limit_changes_scale_rarely() {
        // Full scale takes 10 ms, and half a second in every two 17 ms of a budget of 15 ms.
        let mut controller = ScaleController::new(None, gpu_levels(60.0));
        let scales: Vec<f64> = (0..7200)
            .map(|frame| {
                let now = f64::from(frame) / 60.0;
                let scale = controller.scale();
                let full_ms = if now % 2.0 < 0.5 { 17.0 } else { 10.0 };
                controller.observe(now, full_ms * scale * scale, scale, budget);
                scale
            })
            .collect();
        let changes = |scales: &[f64]| scales.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(changes(&scales) <= 14, "{} changes in two minutes", changes(&scales));
        assert!(changes(&scales[3600..]) <= 2, "swings in the second minute");
    }

    #[test]
    fn single_late_frame_keeps_scale() {
        let mut controller = controller();
        run(&mut controller, 10.0, 100);
        controller.observe(200.0, 900.0, 1.0, budget);
        assert_eq!(run(&mut controller, 10.0, 10), [1.0; 10]);
    }

    #[test]
    fn first_frame_is_ignored() {
        let mut controller = controller();
        controller.observe(0.0, 900.0, 1.0 / 6.0, budget);
        assert_eq!(controller.scale(), 1.0 / 6.0);
        controller.observe(0.1, 0.5, 1.0 / 6.0, budget);
        assert_eq!(controller.scale(), 1.0);
    }

    #[test]
    fn fixed_scale_only_lowers_frame_rate() {
        let mut controller = ScaleController::new(Some(0.5), gpu_levels(60.0));
        let scales = run(&mut controller, 80.0, 50);
        assert!(scales.iter().all(|scale| *scale == 0.5));
        assert_eq!(controller.level().period, 1.0 / 30.0);
        controller.fix(None);
        assert!(!controller.is_fixed());
        run(&mut controller, 1e5, 50);
        assert_eq!(controller.scale(), 1.0 / 6.0);
    }

    #[test]
    fn targets_have_at_least_one_pixel() {
        assert_eq!(scaled((1, 1), 1.0 / 6.0), (1, 1));
        assert_eq!(scaled((800, 450), 0.5), (400, 225));
    }
}
