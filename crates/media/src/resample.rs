//! Resamples recordings to one of the two sample rates common in browsers, so that the
//! position of a frequency in the spectrum does not depend on the file's sample rate.

use super::recording::Recording;
use std::f64::consts::PI;

/// Sample rates left unchanged, in Hz.
const UNCHANGED_RATES: [u32; 2] = [44_100, 48_000];
/// Sample rate that others are converted to, in Hz.
const TARGET_RATE: u32 = 48_000;
/// Zero crossings of the filter kernel on each side.
const CROSSINGS: f64 = 16.0;

/// The recording, looped and at a common sample rate.
impl Recording {
    /// Sample rate in Hz: 44100 or 48000.
    pub(super) fn common_rate(&self) -> u32 {
        if self.has_common_rate() { self.rate } else { TARGET_RATE }
    }

    fn has_common_rate(&self) -> bool {
        UNCHANGED_RATES.contains(&self.rate)
    }

    /// Sample number `at` from time 0. Negative indices are silent; the recording loops at
    /// its end.
    pub(super) fn sample(&self, at: i64) -> f64 {
        if at < 0 {
            0.0
        } else if self.has_common_rate() {
            self.recorded(at)
        } else {
            self.filtered(at)
        }
    }

    fn recorded(&self, at: i64) -> f64 {
        let samples = &self.samples;
        if at < 0 {
            return 0.0;
        }
        f64::from(samples[at as usize % samples.len()])
    }

    /// Low-pass filters the recording at the lower of both rates: a Hann-windowed sinc,
    /// normalized to sum 1.
    fn filtered(&self, at: i64) -> f64 {
        let scaled = at * i64::from(self.rate);
        let whole = scaled.div_euclid(i64::from(TARGET_RATE));
        let part = scaled.rem_euclid(i64::from(TARGET_RATE)) as f64 / f64::from(TARGET_RATE);
        let cutoff = (f64::from(TARGET_RATE) / f64::from(self.rate)).min(1.0);
        let reach = CROSSINGS / cutoff;
        let (mut sum, mut weights) = (0.0, 0.0);
        for offset in -(reach as i64)..=reach as i64 + 1 {
            let distance = offset as f64 - part;
            if distance.abs() >= reach {
                continue;
            }
            let hann = 0.5 + 0.5 * libm::cos(PI * distance / reach);
            let weight = sinc(cutoff * distance) * hann;
            sum += weight * self.recorded(whole + offset);
            weights += weight;
        }
        sum / weights
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { libm::sin(PI * x) / (PI * x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(rate: u32, hertz: f64) -> Recording {
        let sample = |at: u32| (2.0 * PI * hertz * f64::from(at) / f64::from(rate)).sin() as f32;
        let samples = (0..rate).map(sample).collect();
        Recording { rate, samples }
    }

    #[test]
    fn common_rates_are_unchanged_and_loop() {
        let samples = vec![0.25, -0.5, 1.0];
        let sound = Recording { rate: 44_100, samples };
        assert_eq!(sound.common_rate(), 44_100);
        let read: Vec<f64> = (-2..5).map(|at| sound.sample(at)).collect();
        assert_eq!(read, [0.0, 0.0, 0.25, -0.5, 1.0, 0.25, -0.5]);
    }

    #[test]
    fn tone_frequency_survives_resampling() {
        for rate in [8_000, 22_050, 96_000, 192_000] {
            let sound = tone(rate, 1000.0);
            assert_eq!(sound.common_rate(), 48_000);
            for at in 2000..2100 {
                let expected = (2.0 * PI * 1000.0 * at as f64 / 48_000.0).sin();
                let found = sound.sample(at);
                // Well below its cutoff the filter is flat to about 0.1 %.
                assert!((found - expected).abs() < 2e-3, "{rate} {at}: {found} {expected}");
            }
        }
    }

    #[test]
    fn frequencies_above_target_rate_are_removed() {
        let sound = tone(96_000, 40_000.0);
        let peak = (2000..2200).map(|at| sound.sample(at).abs()).fold(0.0, f64::max);
        assert!(peak < 1e-3, "{peak}");
    }
}
