//! The sound of a run: the samples from its first frame to the end of its last, in blocks.
//! The samples of a frame use the same inputs as its picture.

use std::ops::{ControlFlow, Range};

use super::error::CaptureError;
use super::frame_source::SourceCursor;
use super::plan::{Plan, PlannedFrame};
use super::run_channels::ChannelFeed;
use super::run_frames::RunSettings;
use super::step::{Progress, Step};
use tarsus_render::{Gpu, SoundRenderer};
use tarsus_shader::SAMPLE_RATE;

/// Maximum number of samples rendered at once.
const BLOCK: u32 = 1 << 16;

/// Renders the sound of a run.
pub(super) struct SoundTrack<'a> {
    settings: RunSettings<'a>,
    renderer: SoundRenderer,
    channels: Option<ChannelFeed>,
    cursor: SourceCursor,
}

/// Number of the sample at a time in seconds.
fn sample_at(time: f64) -> f64 {
    (time * f64::from(SAMPLE_RATE)).round()
}

/// Sample numbers of a frame.
fn samples_of(frame: &PlannedFrame, fps: f64) -> Range<f64> {
    sample_at(frame.time)..sample_at(end_of(frame, fps))
}

/// End time of a frame, bit-identical to the start of the next.
fn end_of(frame: &PlannedFrame, fps: f64) -> f64 {
    let number = f64::from(frame.number);
    if frame.time == number / fps {
        (number + 1.0) / fps
    } else {
        frame.time + 1.0 / fps
    }
}

/// Number of samples from the first frame of `plan` to the end of its last.
///
/// # Errors
/// [`CaptureError::SoundTooLate`] if a sample number exceeds the 32 bits that shaders have.
pub(super) fn count(plan: &Plan) -> Result<u64, CaptureError> {
    let first = plan.frames().next();
    let (Some(first), Some(last)) = (first, plan.frames().last()) else {
        return Ok(0);
    };
    let end = samples_of(&last, plan.fps).end;
    if end > f64::from(u32::MAX) {
        return Err(CaptureError::SoundTooLate {
            hours: f64::from(u32::MAX) / f64::from(SAMPLE_RATE) / 3600.0,
        });
    }
    Ok((end - samples_of(&first, plan.fps).start) as u64)
}

impl<'a> SoundTrack<'a> {
    /// Prepares the sound of a run; `None` for a scene without sound.
    pub(super) fn new(
        gpu: &Gpu,
        settings: RunSettings<'a>,
        channels: Option<ChannelFeed>,
    ) -> Result<Option<Self>, CaptureError> {
        let renderer = SoundRenderer::new(&gpu.device, &gpu.queue, settings.program);
        let renderer = pollster::block_on(renderer)?;
        Ok(renderer.map(|renderer| Self {
            renderer,
            channels,
            cursor: settings.source.cursor(),
            settings,
        }))
    }

    /// Renders all samples of `plan` and passes them to `take` in order. `progress` is
    /// called before every block and may stop the rendering.
    pub(super) fn make(
        &mut self,
        plan: &Plan,
        progress: &mut Progress<'_>,
        mut take: impl FnMut(&[[f32; 2]]) -> Result<(), CaptureError>,
    ) -> Result<ControlFlow<()>, CaptureError> {
        let until = plan.len();
        for (done, frame) in plan.frames().enumerate() {
            let samples = samples_of(&frame, plan.fps);
            let (mut first, end) = (samples.start as u32, samples.end as u32);
            while first < end {
                if progress(Step::Sounding { done, until }).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                let count = (end - first).min(BLOCK);
                take(&self.block(&frame, first, count)?)?;
                first += count;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn block(
        &mut self,
        frame: &PlannedFrame,
        first: u32,
        count: u32,
    ) -> Result<Vec<[f32; 2]>, CaptureError> {
        let RunSettings {
            program,
            source,
            size,
            fps,
            ..
        } = self.settings;
        let state = source.state_from(&mut self.cursor, frame.number, frame.time, fps);
        if let Some(channels) = &mut self.channels {
            channels.follow_sound(&mut self.renderer, state.time)?;
        }
        let inputs = state.inputs(program, size);
        let mut samples = self.renderer.render(&inputs, first, count)?;
        // Players treat NaN and infinity as full volume.
        let numbers = samples.iter_mut().flatten();
        numbers
            .filter(|number| !number.is_finite())
            .for_each(|number| *number = 0.0);
        Ok(samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Output;
    use crate::plan::FrameSelection;
    use crate::shard::Shard;

    fn plan(fps: f64, selection: FrameSelection) -> Plan {
        let output = Output::default_for("a", None);
        Plan::new((4, 2), fps, selection, output, Shard::default()).expect("a plan")
    }

    #[test]
    fn samples_fill_frames_without_gaps() {
        for fps in [60.0, 24.0, 30_000.0 / 1001.0, 7.3, 1e5] {
            let plan = plan(fps, FrameSelection::Frames(10..500));
            let mut next = sample_at(10.0 / fps);
            for frame in plan.frames() {
                let samples = samples_of(&frame, fps);
                assert_eq!(samples.start, next, "{fps}");
                next = samples.end;
            }
            let expected = sample_at(500.0 / fps) - sample_at(10.0 / fps);
            assert_eq!(count(&plan).expect("samples"), expected as u64);
        }
        let second = plan(60.0, FrameSelection::Frames(0..60));
        assert_eq!(count(&second).expect("samples"), 48_000);
    }

    #[test]
    fn single_picture_lasts_one_frame() {
        let plan = plan(60.0, FrameSelection::Time(1.234));
        assert_eq!(count(&plan).expect("samples"), 800);
    }

    #[test]
    fn sound_after_25_hours_is_rejected() {
        let plan = plan(1.0, FrameSelection::Frames(0..24 * 3600));
        assert!(count(&plan).is_ok());
        let plan = self::plan(1.0, FrameSelection::Frames(0..25 * 3600));
        assert!(count(&plan).is_err());
    }
}
