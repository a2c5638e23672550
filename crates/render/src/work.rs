//! Size of GPU submissions, adapted so that none takes long: a driver resets a GPU that is
//! busy with one submission for seconds, and nothing else can be drawn meanwhile.

/// Target duration of a submission, in milliseconds.
const TARGET_MS: f64 = 30.0;
/// Number of pixels of the first submission.
const FIRST_PIXELS: u32 = 8192;
/// Minimum number of pixels per submission on a software renderer, where the time of fewer
/// is dominated by the round trip, above all on a busy machine.
const MIN_SOFTWARE_PIXELS: u32 = 8192;
/// Minimum number of pixels per submission on a GPU.
const MIN_GPU_PIXELS: u32 = 256;
/// Maximum factor between two submissions.
const MAX_STEP: f64 = 4.0;

/// Amount of work per submission, in pixels or frames. It starts small, and follows the
/// measured time.
#[derive(Clone, Debug)]
pub struct Work {
    amount: f64,
    min: f64,
    max: f64,
    longest_ms: f64,
}

impl Work {
    /// Creates an amount in pixels of the scene's picture.
    pub fn pixels(is_software: bool) -> Self {
        let min = if is_software { MIN_SOFTWARE_PIXELS } else { MIN_GPU_PIXELS };
        let (amount, min) = (f64::from(FIRST_PIXELS), f64::from(min));
        Self { amount, min, max: f64::from(u32::MAX), longest_ms: 0.0 }
    }

    /// Creates an amount in frames, from 1 to `max`.
    pub fn frames(max: u32) -> Self {
        Self { amount: 1.0, min: 1.0, max: f64::from(max), longest_ms: 0.0 }
    }

    /// Amount of the next submission.
    pub fn amount(&self) -> u32 {
        self.amount as u32
    }

    /// Duration of the longest submission [recorded](Self::record), in milliseconds; 0 if none
    /// was.
    pub fn longest_ms(&self) -> f64 {
        self.longest_ms
    }

    /// Number of rows of the next submission of a picture of this size in pixels, of which
    /// `rest` rows are left. It is even unless it is the rest: GPUs draw in quads of 2×2
    /// pixels, and a shader's derivatives must not depend on the rows.
    pub fn rows(&self, width: u32, rest: u32) -> u32 {
        let rows = self.amount() / width.max(1);
        (rows & !1).max(2).min(rest)
    }

    /// Adapts to a submission of `amount` that took `ms`.
    pub fn record(&mut self, amount: u32, ms: f64) {
        self.longest_ms = self.longest_ms.max(ms);
        let factor = TARGET_MS / ms.max(0.1);
        let amount = f64::from(amount);
        if factor < 1.0 {
            // Also if it was only the rest of a picture.
            self.amount = self.amount.min(amount * factor.max(1.0 / MAX_STEP));
        } else if 2.0 * amount >= self.amount {
            self.amount *= factor.min(MAX_STEP);
        }
        self.amount = self.amount.clamp(self.min, self.max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws pictures of this size whose rows take `ms` each. Returns the numbers of rows
    /// of the submissions of the last one.
    fn bands(work: &mut Work, (width, height): (u32, u32), ms: f64) -> Vec<u32> {
        let mut bands = Vec::new();
        for _ in 0..20 {
            bands.clear();
            let mut rest = height;
            while rest > 0 {
                let rows = work.rows(width, rest);
                work.record(rows * width, ms * f64::from(rows));
                rest -= rows;
                bands.push(rows);
            }
        }
        bands
    }

    #[test]
    fn submissions_take_the_target_duration() {
        let mut work = Work::pixels(false);
        let rows = bands(&mut work, (1280, 720), 0.3);
        let (_, full) = rows.split_last().expect("bands");
        assert!(full.iter().all(|rows| (90..=100).contains(rows)), "{rows:?}");
        assert_eq!(bands(&mut work, (1280, 720), 1e-4), [720]);
        let rows = bands(&mut work, (1280, 720), 1.0);
        assert!(rows.iter().all(|rows| *rows <= 30), "{rows:?}");
    }

    #[test]
    fn slow_pictures_smaller_than_amount_are_cut() {
        let mut work = Work::pixels(false);
        bands(&mut work, (1280, 720), 1e-4);
        let rows = bands(&mut work, (320, 180), 3000.0 / 180.0);
        assert!(rows.iter().all(|rows| *rows == 2), "{rows:?}");
    }

    #[test]
    fn submissions_start_small() {
        let mut work = Work::pixels(false);
        let mut total = 0;
        for _ in 0..3 {
            total += work.amount();
            work.record(work.amount(), 1.0);
        }
        assert_eq!(total, 8192 * (1 + 4 + 16));
        assert_eq!(Work::frames(64).amount(), 1);
    }

    #[test]
    fn amount_stays_within_limits() {
        let mut work = Work::pixels(true);
        work.record(8192, 1e4);
        assert_eq!(work.amount(), 8192);
        assert_eq!(work.rows(10_000, 7), 2, "derivatives need two rows");
        let mut work = Work::frames(64);
        for _ in 0..9 {
            work.record(work.amount(), 0.0);
        }
        assert_eq!(work.amount(), 64);
    }
}
