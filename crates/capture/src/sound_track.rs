//! The sound of a run: the samples from its first frame to the end of its last, in blocks.
//! The samples of a frame use the same inputs as its picture.

use std::ops::Range;

use super::error::{CaptureError, Progress, Stage, Step, report};
use super::frames::Frame;
use super::spec::{CaptureSpec, SpecError};
use tarsus_media::Channels;
use tarsus_render::{Gpu, SoundRenderer};
use tarsus_shader::{Program, SAMPLE_RATE};

/// Maximum number of samples rendered at once.
const MAX_BLOCK_SAMPLES: u32 = 1 << 16;

/// Renders the sound of a run.
pub(super) struct SoundTrack<'a> {
    program: &'a Program,
    renderer: SoundRenderer,
    channels: Channels,
}

/// Number of the sample at a time in seconds.
fn sample_number(time: f64) -> f64 {
    (time * f64::from(SAMPLE_RATE)).round()
}

/// Sample numbers of a frame.
fn sample_range(frame: &Frame, fps: f64) -> Range<f64> {
    sample_number(frame.time)..sample_number(end_time(frame, fps))
}

/// End time of a frame, bit-identical to the start of the next.
fn end_time(frame: &Frame, fps: f64) -> f64 {
    let number = f64::from(frame.number);
    if frame.time == number / fps { (number + 1.0) / fps } else { frame.time + 1.0 / fps }
}

/// Number of samples from the first frame of a run to the end of its last.
///
/// # Errors
/// [`SpecError`] if a sample number exceeds the 32 bits that shaders have.
pub(super) fn sample_count(spec: &CaptureSpec) -> Result<u64, SpecError> {
    let (Some(first), Some(last)) = (spec.frames().next(), spec.last_frame()) else {
        return Ok(0);
    };
    let end = sample_range(&last, spec.fps).end;
    if end > f64::from(u32::MAX) {
        let hours = f64::from(u32::MAX) / f64::from(SAMPLE_RATE) / 3600.0;
        return Err(SpecError(format!(
            "cannot render sound after {hours:.1} hours: sample numbers have 32 bits; hint: choose \
             earlier frames"
        )));
    }
    Ok((end - sample_range(&first, spec.fps).start) as u64)
}

impl<'a> SoundTrack<'a> {
    /// Prepares the sound of `program`; `None` for a scene without sound.
    pub(super) fn new(
        gpu: &Gpu,
        program: &'a Program,
        channels: Channels,
    ) -> Result<Option<Self>, CaptureError> {
        let renderer = SoundRenderer::new(&gpu.device, &gpu.queue, program);
        let renderer = pollster::block_on(renderer)?;
        Ok(renderer.map(|renderer| Self { program, renderer, channels }))
    }

    /// Renders all samples of a run and passes them to `take` in order. `progress` is
    /// called before every block and may stop the rendering.
    pub(super) fn render(
        &mut self,
        spec: &CaptureSpec,
        progress: &mut Progress<'_>,
        mut take: impl FnMut(&[[f32; 2]]) -> Result<(), CaptureError>,
    ) -> Result<(), CaptureError> {
        let total = spec.frame_count() as u64;
        for (done, frame) in (0..).zip(spec.frames()) {
            let samples = sample_range(&frame, spec.fps);
            let (mut first, end) = (samples.start as u32, samples.end as u32);
            while first < end {
                report(progress, Step::Progress { stage: Stage::Sound, done, total })?;
                let count = (end - first).min(MAX_BLOCK_SAMPLES);
                take(&self.render_block(spec, &frame, first, count)?)?;
                first += count;
            }
        }
        Ok(())
    }

    fn render_block(
        &mut self,
        spec: &CaptureSpec,
        frame: &Frame,
        first: u32,
        count: u32,
    ) -> Result<Vec<[f32; 2]>, CaptureError> {
        for (number, texels) in self.channels.update(frame.state.time)? {
            self.renderer.set_channel(number, &texels)?;
        }
        let inputs = frame.state.inputs(self.program, spec.size);
        Ok(self.renderer.render(&inputs, first, count)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::FrameSelection;

    fn spec(fps: f64, frames: FrameSelection) -> CaptureSpec {
        CaptureSpec { size: (4, 2), fps, frames, ..CaptureSpec::default() }
    }

    #[test]
    fn samples_fill_frames_without_gaps() {
        for fps in [60.0, 24.0, 30_000.0 / 1001.0, 7.3, 1e5] {
            let spec = spec(fps, FrameSelection::Frames(10..500));
            let mut next = sample_number(10.0 / fps);
            for frame in spec.frames() {
                let samples = sample_range(&frame, fps);
                assert_eq!(samples.start, next, "{fps}");
                next = samples.end;
            }
            let expected = sample_number(500.0 / fps) - sample_number(10.0 / fps);
            assert_eq!(sample_count(&spec).expect("samples"), expected as u64);
        }
        let second = spec(60.0, FrameSelection::Frames(0..60));
        assert_eq!(sample_count(&second).expect("samples"), 48_000);
    }

    #[test]
    fn single_picture_lasts_one_frame() {
        let spec = spec(60.0, FrameSelection::Time(1.234));
        assert_eq!(sample_count(&spec).expect("samples"), 800);
    }

    #[test]
    fn sound_after_25_hours_is_rejected() {
        for (hours, is_accepted) in [(24, true), (25, false)] {
            let spec = spec(1.0, FrameSelection::Frames(0..hours * 3600));
            assert_eq!(sample_count(&spec).is_ok(), is_accepted);
        }
    }
}
