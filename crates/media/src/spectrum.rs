//! Spectrum and waveform of a recording at a given time, like Shadertoy's.
//!
//! They match the Web Audio API's AnalyserNode with default settings: 2048 samples under a
//! Blackman window, the first 512 frequencies in decibels from -100 to -30, smoothed over
//! time. The API smooths from call to call, at whatever times the calls happen; here a
//! spectrum is computed every 1/60 second, and each step multiplies the weight of all
//! earlier ones by 0.8. The result therefore depends only on the time.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;

use rustfft::num_complex::Complex;
use rustfft::{Fft, FftPlanner};

use super::recording::Recording;
use tarsus_render::{TexelFormat, Texels};

/// Samples per spectrum.
const BLOCK: usize = 2048;
/// Texels per row: frequencies, or samples of the waveform.
const WIDTH: usize = 512;
/// Width, height and layers of the texels.
pub(super) const SIZE: [u32; 3] = [WIDTH as u32, 2, 1];
/// Spectra per second.
const TICKS_PER_SECOND: i64 = 60;
/// Weight factor of a spectrum per tick.
const SMOOTHING: f64 = 0.8;
/// Number of spectra in the sum; the weight of an older one is below -120 dB.
const HISTORY: i64 = 64;
/// Number of cached spectra, so that times may be visited in any order.
const CACHE_SIZE: usize = 256;
/// Fraction of a tick or sample by which times are rounded up, since 0.1 + 0.2 is not
/// exactly 0.3.
const ROUNDING: f64 = 1e-6;
/// Later times are clamped to this one, in seconds: three years.
const MAX_TIME: f64 = 1e8;

/// A recording that can be analysed at any time.
#[derive(Clone)]
pub(super) struct Spectrum {
    sound: Arc<Recording>,
    fft: Arc<dyn Fft<f64>>,
    window: Vec<f64>,
    /// Magnitudes, by tick.
    cache: BTreeMap<i64, Arc<[f64; WIDTH]>>,
}

impl Spectrum {
    pub(super) fn new(recording: Recording) -> Self {
        let window = (0..BLOCK).map(|n| {
            let turn = TAU * n as f64 / BLOCK as f64;
            0.42 - 0.5 * libm::cos(turn) + 0.08 * libm::cos(2.0 * turn)
        });
        Self {
            sound: Arc::new(recording),
            fft: FftPlanner::new().plan_fft_forward(BLOCK),
            window: window.collect(),
            cache: BTreeMap::new(),
        }
    }

    /// The position at a time in seconds: the tick of the spectrum, and the sample at which the
    /// waveform ends. Times before 0 are silent; the recording loops at its end.
    pub(super) fn position(&self, time: f64) -> (i64, i64) {
        let count =
            |per_second: f64| (time.clamp(0.0, MAX_TIME) * per_second + ROUNDING).floor() as i64;
        (count(TICKS_PER_SECOND as f64), count(f64::from(self.sound.common_rate())))
    }

    /// 512x2 texels: the spectrum in the first row, at v = 0.25, and the waveform in the
    /// second, at v = 0.75.
    pub(super) fn texels(&mut self, (tick, end): (i64, i64)) -> Texels {
        let mut bytes = self.frequencies(tick);
        bytes.extend(self.wave(end));
        Texels { size: SIZE, format: TexelFormat::Grey8, bytes }
    }

    /// The oldest 512 of the last 2048 samples, which is what the API writes to an array
    /// shorter than its block.
    fn wave(&self, end: i64) -> impl Iterator<Item = u8> {
        let start = end - BLOCK as i64;
        let samples = (start..start + WIDTH as i64).map(|at| self.sound.sample(at));
        samples.map(|sample| (128.0 * (1.0 + sample)).floor().clamp(0.0, 255.0) as u8)
    }

    fn frequencies(&mut self, tick: i64) -> Vec<u8> {
        let mut smoothed = [0.0; WIDTH];
        let mut weight = 1.0 - SMOOTHING;
        for tick in (tick - HISTORY + 1..=tick).rev() {
            if tick <= 0 {
                break;
            }
            let magnitudes = self.magnitudes(tick);
            for (sum, magnitude) in smoothed.iter_mut().zip(magnitudes.iter()) {
                *sum += weight * magnitude;
            }
            weight *= SMOOTHING;
        }
        smoothed.iter().map(|&magnitude| byte(magnitude)).collect()
    }

    /// The spectrum of the block that ends at a tick.
    fn magnitudes(&mut self, tick: i64) -> Arc<[f64; WIDTH]> {
        if let Some(cache) = self.cache.get(&tick) {
            return Arc::clone(cache);
        }
        let end = tick * i64::from(self.sound.common_rate()) / TICKS_PER_SECOND;
        let start = end - BLOCK as i64;
        let mut block: Vec<Complex<f64>> = (start..end)
            .zip(&self.window)
            .map(|(at, window)| Complex::new(self.sound.sample(at) * window, 0.0))
            .collect();
        self.fft.process(&mut block);
        let magnitudes = Arc::new(std::array::from_fn(|at| block[at].norm() / BLOCK as f64));
        if self.cache.len() >= CACHE_SIZE {
            self.cache.clear();
        }
        self.cache.insert(tick, Arc::clone(&magnitudes));
        magnitudes
    }
}

/// Maps decibels from -100 to -30 to 0 to 255.
fn byte(magnitude: f64) -> u8 {
    let decibels = 20.0 * libm::log10(magnitude);
    // Silence is minus infinity, which clamps as well.
    (255.0 * (decibels + 100.0) / 70.0).floor().clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: u32 = 48_000;

    fn spectrum_of(sample: impl Fn(f64) -> f64, seconds: f64) -> Spectrum {
        let count = (seconds * f64::from(RATE)) as usize;
        let samples = (0..count).map(|at| sample(at as f64 / f64::from(RATE)) as f32);
        let samples = samples.collect();
        Spectrum::new(Recording { rate: RATE, samples })
    }

    fn at(spectrum: &mut Spectrum, time: f64) -> Vec<u8> {
        let position = spectrum.position(time);
        let texels = spectrum.texels(position);
        assert_eq!((texels.size, texels.format), ([512, 2, 1], TexelFormat::Grey8));
        texels.bytes
    }

    /// The magnitude of one frequency of a block, computed directly from the definitions of
    /// the Web Audio API.
    fn by_definition(block: &[f64], frequency: usize) -> f64 {
        let n = block.len() as f64;
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (at, sample) in block.iter().enumerate() {
            let turn = TAU * at as f64 / n;
            let window = (1.0 - 0.16) / 2.0 - 0.5 * turn.cos() + 0.16 / 2.0 * (2.0 * turn).cos();
            let phase = TAU * (frequency * at % block.len()) as f64 / n;
            real += sample * window * phase.cos();
            imaginary -= sample * window * phase.sin();
        }
        (real * real + imaginary * imaginary).sqrt() / n
    }

    #[test]
    fn steady_tone_matches_web_audio_definition() {
        let tone =
            |time: f64| 0.03 * (TAU * 2000.0 * time).sin() + 0.001 * (TAU * 700.0 * time).cos();
        let mut spectrum = spectrum_of(tone, 2.0);
        // All blocks of a steady tone have similar magnitudes, and so does their weighted
        // sum. Near -100 dB they differ by the phase of the side lobes.
        let found = at(&mut spectrum, 1.5);
        let block: Vec<f64> =
            (72_000 - 2048..72_000).map(|at| tone(f64::from(at) / f64::from(RATE))).collect();
        for frequency in [0, 29, 30, 31, 80, 84, 85, 86, 90, 300] {
            let decibels = 20.0 * by_definition(&block, frequency).log10();
            let expected = (255.0 * (decibels + 100.0) / 70.0).clamp(0.0, 255.0);
            let found = f64::from(found[frequency]);
            assert!((found - expected).abs() <= 8.0, "{frequency}: {found} {expected}");
        }
        let most = found[..512].iter().max().expect("a peak");
        let peak = found.iter().position(|value| value == most);
        // 2000 Hz lies at 2000 / 48000 * 2048 = 85.3.
        assert_eq!(peak, Some(85));
    }

    #[test]
    fn waveform_is_oldest_quarter_of_block() {
        let mut spectrum = spectrum_of(|time| time - 1.0, 2.0);
        let found = at(&mut spectrum, 1.0);
        for column in [0, 100, 511] {
            let time = (48_000.0 - 2048.0 + column as f64) / 48_000.0;
            let expected = (128.0 * (1.0 + (time - 1.0))).floor();
            assert_eq!(f64::from(found[512 + column]), expected);
        }
        assert_eq!(at(&mut spectrum, 0.0)[512..], [128; 512], "silence at the start");
    }

    #[test]
    fn smoothing_matches_sixty_calls_per_second() {
        let chirp = |time: f64| 0.3 * (TAU * (300.0 + 900.0 * time) * time).sin();
        let mut spectrum = spectrum_of(chirp, 2.0);
        // Smoothed from call to call, as in a browser.
        let mut smoothed = [0.0; WIDTH];
        for tick in 1..=90 {
            let magnitudes = spectrum.magnitudes(tick);
            for (smoothed, magnitude) in smoothed.iter_mut().zip(magnitudes.iter()) {
                *smoothed = 0.8 * *smoothed + 0.2 * magnitude;
            }
        }
        let expected: Vec<u8> = smoothed.iter().map(|&magnitude| byte(magnitude)).collect();
        assert_eq!(at(&mut spectrum, 1.5)[..512], expected);
    }

    #[test]
    fn texels_do_not_depend_on_order() {
        let noise = |time: f64| (1e5 * (time * 777.0).sin()).fract();
        let times = [0.0, 0.5, 3.25, 0.5167, 0.1 + 0.2, 7.0, 0.3, 3.25];
        let mut spectrum = spectrum_of(noise, 1.3);
        for time in times {
            let alone = at(&mut spectrum_of(noise, 1.3), time);
            assert_eq!(at(&mut spectrum, time), alone, "{time}");
        }
        assert_eq!(at(&mut spectrum, 0.1 + 0.2), at(&mut spectrum, 0.3));
    }

    #[test]
    fn recording_loops_at_its_end() {
        let tone = |time: f64| 0.5 * (TAU * 333.0 * time).sin();
        let mut spectrum = spectrum_of(tone, 2.0);
        assert_eq!(at(&mut spectrum, 1.9), at(&mut spectrum, 3.9));
        assert_ne!(at(&mut spectrum, 1.9), at(&mut spectrum, 1.8));
        let start = at(&mut spectrum, 0.0);
        for time in [-1.0, f64::NEG_INFINITY] {
            assert_eq!(at(&mut spectrum, time), start);
        }
        at(&mut spectrum, f64::INFINITY);
    }
}
