//! How well a loop closes: the step from its last frame to its first, compared
//! with the steps beside it.

use super::error::CaptureError;
use super::job::Job;
use crate::render::{FORMAT, Gpu, Renderer, still};

/// Longest side of the frames that are compared, in pixels.
const SIDE: u32 = 640;

/// Mean differences between neighbouring frames, in 8-bit steps per component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seam {
    /// From the last frame to the first.
    pub wrap: f64,
    /// The mean of the steps before and after.
    pub neighbours: f64,
}

impl Seam {
    /// Measures the loop of `frames` frames that `job` renders.
    ///
    /// # Errors
    /// [`CaptureError`] when the frames cannot be drawn.
    pub fn measure(gpu: &Gpu, job: &Job<'_>, frames: u32) -> Result<Self, CaptureError> {
        let renderer = Renderer::new(&gpu.device, &gpu.queue, job.program, FORMAT);
        let mut renderer = pollster::block_on(renderer)?;
        let (size, fps) = (reduced(job.plan.size), job.plan.fps);
        let mut picture = |number: u32| -> Result<_, CaptureError> {
            let number = number % frames;
            let state = job.source.state(number, f64::from(number) / fps, fps);
            let inputs = state.inputs(job.program, size);
            Ok(still(gpu, &mut renderer, &inputs)?)
        };
        let around = [2 * frames - 2, frames - 1, 0, 1];
        let [before, last, first, after] = around.map(&mut picture);
        let (before, last, first, after) = (before?, last?, first?, after?);
        Ok(Self {
            wrap: difference(&last.rgba, &first.rgba),
            neighbours: 0.5
                * (difference(&before.rgba, &last.rgba) + difference(&first.rgba, &after.rgba)),
        })
    }

    /// The wrap-around step in units of its neighbours; 1 for a perfect loop.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        if self.wrap == self.neighbours {
            return 1.0;
        }
        self.wrap / self.neighbours
    }
}

/// The same shape, at most [`SIDE`] pixels long.
fn reduced((width, height): (u32, u32)) -> (u32, u32) {
    let factor = (f64::from(SIDE) / f64::from(width.max(height))).min(1.0);
    let side = |side: u32| ((f64::from(side) * factor) as u32).max(1);
    (side(width), side(height))
}

fn difference(a: &[u8], b: &[u8]) -> f64 {
    let sum: u64 = a
        .iter()
        .zip(b)
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / a.len() as f64
}
