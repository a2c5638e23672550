//! Loop error: the difference between the last frame of a loop and its first, compared with
//! the differences between neighbouring frames.

use super::error::CaptureError;
use super::run_channels::RunChannels;
use super::run_frames::RunSettings;
use tarsus_render::{FORMAT, Gpu, Renderer, render_picture};

/// Longest side of the compared frames, in pixels.
pub(super) const SIDE: u32 = 640;

/// Mean differences between neighbouring frames, in 8-bit steps per component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seam {
    /// Difference from the last frame to the first.
    pub wrap: f64,
    /// Mean of the differences just before and just after.
    pub neighbours: f64,
}

impl Seam {
    /// Measures the loop of `frames` frames that a run with `settings` has, for a scene
    /// without buffers.
    ///
    /// # Errors
    /// [`CaptureError`] if the frames cannot be drawn.
    pub fn measure(
        gpu: &Gpu,
        settings: RunSettings<'_>,
        channels: Option<&RunChannels>,
        frames: u32,
    ) -> Result<Self, CaptureError> {
        let RunSettings {
            program,
            source,
            fps,
            ..
        } = settings;
        let renderer = Renderer::new(&gpu.device, &gpu.queue, program, &[FORMAT]);
        let mut renderer = pollster::block_on(renderer)?;
        let size = reduced(settings.size);
        let feed = channels.map(|channels| channels.feed(program));
        let mut feed = feed.transpose()?;
        let mut picture = |number: u32| -> Result<_, CaptureError> {
            let number = number % frames;
            let state = source.state(number, f64::from(number) / fps, fps);
            if let Some(feed) = &mut feed {
                let mut encoder = gpu.device.create_command_encoder(&Default::default());
                feed.follow(&mut encoder, &mut renderer, state.time)?;
                gpu.queue.submit([encoder.finish()]);
            }
            let inputs = state.inputs(program, size);
            Ok(render_picture(gpu, &mut renderer, &inputs)?)
        };
        let around = [2 * frames - 2, frames - 1, 0, 1];
        let [before, last, first, after] = around.map(&mut picture);
        let (before, last, first, after) = (before?, last?, first?, after?);
        Ok(Self::between(
            &before.rgba,
            &last.rgba,
            &first.rgba,
            &after.rgba,
        ))
    }

    /// Computes the loop error from the components of four pictures: the second to last,
    /// the last, the first and the second.
    pub(super) fn between<T: Copy + Into<f64>>(
        before: &[T],
        last: &[T],
        first: &[T],
        after: &[T],
    ) -> Self {
        Self {
            wrap: difference(last, first),
            neighbours: 0.5 * (difference(before, last) + difference(first, after)),
        }
    }

    /// Wrap-around difference relative to its neighbours; 1 for a perfect loop.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        if self.wrap == self.neighbours {
            return 1.0;
        }
        self.wrap / self.neighbours
    }
}

/// Scales a size down to at most [`SIDE`] pixels per side, keeping its aspect ratio.
fn reduced((width, height): (u32, u32)) -> (u32, u32) {
    let factor = (f64::from(SIDE) / f64::from(width.max(height))).min(1.0);
    let side = |side: u32| ((f64::from(side) * factor) as u32).max(1);
    (side(width), side(height))
}

fn difference<T: Copy + Into<f64>>(a: &[T], b: &[T]) -> f64 {
    let pairs = a.iter().zip(b);
    let sum: f64 = pairs
        .map(|(&a, &b)| (Into::<f64>::into(a) - Into::<f64>::into(b)).abs())
        .sum();
    sum / a.len() as f64
}
