//! Adaptive render scale that keeps frames within their time budget.
//!
//! Pure: frame times go in, and a scale per side comes out. The scale falls at once when
//! frames are late. It rises only when a larger scale would have fitted several times in
//! a row, so that it does not oscillate. If text would become illegible, frames may be
//! late before the scale falls further.

/// Scales per side, in ascending order. Their areas differ by a factor of at most 1.8.
const STEPS: &[f64] = &[
    1.0 / 6.0,
    1.0 / 5.0,
    1.0 / 4.0,
    MIN_LEGIBLE_SCALE,
    0.4,
    0.5,
    0.6,
    0.7,
    0.85,
    1.0,
];
/// Fraction of the budget that the predicted time at a larger scale may fill.
const HEADROOM: f64 = 0.8;
/// Number of consecutive fast frames before the scale rises.
const FAST_FRAMES_TO_GROW: u32 = 6;
/// Weight of the newest frame in the average.
const SMOOTHING: f64 = 0.3;

/// Minimum scale per side at which text stays legible.
const MIN_LEGIBLE_SCALE: f64 = 1.0 / 3.0;

/// Time budget of a scene's frame, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Budget at the target frame rate.
    pub ms: f64,
    /// Budget at the minimum frame rate accepted to keep the scale at [`MIN_LEGIBLE_SCALE`]; not
    /// less than `ms`.
    pub max_ms: f64,
}

impl Budget {
    /// Returns the budget of a frame at `scale` per side, in milliseconds.
    fn at(self, scale: f64) -> f64 {
        if scale > MIN_LEGIBLE_SCALE {
            self.ms
        } else {
            self.max_ms
        }
    }
}

/// Chooses the scale for each frame.
#[derive(Clone, Debug)]
pub struct ScaleController {
    fixed: Option<f64>,
    step: usize,
    /// Average time of a frame extrapolated to full scale, in milliseconds.
    full_ms: Option<f64>,
    /// Number of consecutive frames after which a larger scale would have fitted.
    fast_frames: u32,
    /// Number of frames to ignore: the first ones compile the shader.
    ignored: u32,
}

impl ScaleController {
    /// Creates a controller that starts at the smallest scale, or keeps the `fixed` one.
    #[must_use]
    pub fn new(fixed: Option<f64>) -> Self {
        Self {
            fixed,
            step: 0,
            full_ms: None,
            fast_frames: 0,
            ignored: 1,
        }
    }

    /// Fixes the scale, or lets it adapt again.
    pub fn fix(&mut self, scale: Option<f64>) {
        self.fixed = scale;
    }

    /// Scale of the buffers, and of the stills of scenes with buffers: the fixed scale,
    /// or 1. Buffers do not follow the speed of the GPU.
    #[must_use]
    pub fn nominal(&self) -> f64 {
        self.fixed.unwrap_or(1.0)
    }

    /// Returns true if the scale is fixed.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.fixed.is_some()
    }

    /// Returns the scale per side of the next frame, at most 1.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.fixed.unwrap_or(STEPS[self.step])
    }

    /// Discards the measurements, which do not apply to another scene or adapter. Its
    /// first frame compiles the shader and is ignored.
    pub fn reset(&mut self) {
        self.full_ms = None;
        self.fast_frames = 0;
        self.ignored = 1;
    }

    /// Records that a frame at [`Self::scale`] took `ms`, and adjusts the scale to the
    /// `budget`.
    pub fn observe(&mut self, ms: f64, budget: Budget) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        let scale = self.scale();
        let newest = ms / (scale * scale);
        let first = self.full_ms.is_none();
        let average = self.full_ms.unwrap_or(newest);
        let average = average + SMOOTHING * (newest - average);
        self.full_ms = Some(average);
        if self.fixed.is_some() {
            return;
        }
        let fitting = largest_fitting(average, budget);
        if first {
            self.step = fitting;
        } else if fitting < self.step && average * scale * scale > budget.at(scale) {
            self.step = fitting;
            self.fast_frames = 0;
        } else if fitting > self.step {
            self.fast_frames += 1;
            if self.fast_frames >= FAST_FRAMES_TO_GROW {
                self.step += 1;
                self.fast_frames = 0;
            }
        } else {
            self.fast_frames = 0;
        }
    }
}

fn largest_fitting(full_ms: f64, budget: Budget) -> usize {
    STEPS
        .iter()
        .rposition(|&scale| full_ms * scale * scale <= HEADROOM * budget.at(scale))
        .unwrap_or(0)
}

/// Returns the size of the scene's target for a window of `size` at `scale`, at least one
/// pixel per side.
#[must_use]
pub fn scaled(size: (u32, u32), scale: f64) -> (u32, u32) {
    let side = |side: u32| ((f64::from(side) * scale).round() as u32).max(1);
    (side(size.0), side(size.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Budget = Budget {
        ms: 30.0,
        max_ms: 60.0,
    };

    /// Runs `frames` frames of a scene that takes `full_ms` at full scale.
    fn run(controller: &mut ScaleController, full_ms: f64, frames: usize) -> Vec<f64> {
        (0..frames)
            .map(|_| {
                let scale = controller.scale();
                controller.observe(1.0 + full_ms * scale * scale, BUDGET);
                scale
            })
            .collect()
    }

    #[test]
    fn scale_settles_within_budget() {
        for full_ms in [0.1, 10.0, 25.0, 40.0, 100.0, 300.0, 700.0, 1500.0] {
            let mut controller = ScaleController::new(None);
            run(&mut controller, full_ms, 200);
            let rest = run(&mut controller, full_ms, 100);
            assert!(
                rest.iter().all(|scale| *scale == rest[0]),
                "{full_ms}: swings"
            );
            let ms = 1.0 + full_ms * rest[0] * rest[0];
            assert!(ms <= BUDGET.at(rest[0]), "{full_ms}: {ms} at {}", rest[0]);
            let next = STEPS.iter().find(|step| **step > rest[0]);
            if let Some(next) = next {
                let larger = 1.0 + full_ms * next * next;
                let allowed = HEADROOM * BUDGET.at(*next);
                assert!(larger > 0.8 * allowed, "{full_ms}: {next} fits");
            }
        }
    }

    #[test]
    fn frame_rate_falls_before_legibility() {
        for full_ms in (10..2000).step_by(10).map(f64::from) {
            let mut controller = ScaleController::new(None);
            let scale = run(&mut controller, full_ms, 300)[299];
            let ms = |scale: f64| 1.0 + full_ms * scale * scale;
            if ms(MIN_LEGIBLE_SCALE) <= 0.75 * BUDGET.max_ms {
                assert!(scale >= MIN_LEGIBLE_SCALE, "{full_ms}: {scale}");
            } else if ms(MIN_LEGIBLE_SCALE) > BUDGET.max_ms {
                assert!(scale < MIN_LEGIBLE_SCALE, "{full_ms}: {scale}");
            }
            if ms(scale) > BUDGET.ms {
                assert!(scale <= MIN_LEGIBLE_SCALE, "{full_ms}: late at {scale}");
            }
            if ms(MIN_LEGIBLE_SCALE) <= BUDGET.ms {
                assert!(ms(scale) <= BUDGET.ms, "{full_ms}: late without need");
            }
        }
    }

    #[test]
    fn heaviest_scene_gets_smallest_scale() {
        let mut controller = ScaleController::new(None);
        assert_eq!(run(&mut controller, 1e5, 50)[49], 1.0 / 6.0);
    }

    #[test]
    fn sudden_load_reduces_scale_quickly() {
        let mut controller = ScaleController::new(None);
        run(&mut controller, 10.0, 100);
        assert_eq!(controller.scale(), 1.0);
        let scales = run(&mut controller, 200.0, 6);
        assert!(scales[5] <= 0.4, "{scales:?}");
    }

    #[test]
    fn single_late_frame_keeps_scale() {
        let mut controller = ScaleController::new(None);
        run(&mut controller, 10.0, 100);
        controller.observe(60.0, BUDGET);
        assert_eq!(run(&mut controller, 10.0, 10)[9], 1.0);
    }

    #[test]
    fn first_frame_is_ignored() {
        let mut controller = ScaleController::new(None);
        controller.observe(900.0, BUDGET);
        controller.observe(1.0, BUDGET);
        assert_eq!(controller.scale(), 0.7);
    }

    #[test]
    fn fixed_scale_does_not_adapt() {
        let mut controller = ScaleController::new(Some(0.5));
        assert!(
            run(&mut controller, 1e4, 50)
                .iter()
                .all(|scale| *scale == 0.5)
        );
        controller.fix(None);
        assert!(!controller.is_fixed());
        assert_eq!(run(&mut controller, 1e4, 50)[49], 1.0 / 6.0);
    }

    #[test]
    fn targets_have_at_least_one_pixel() {
        assert_eq!(scaled((1, 1), 1.0 / 6.0), (1, 1));
        assert_eq!(scaled((800, 450), 0.5), (400, 225));
    }
}
