//! Definition of a run: what to render, at which quality, into which files, and which shard
//! of them. Plain data, validated against the scene by [`CaptureSpec::check`].

use std::iter::StepBy;
use std::ops::Range;

use thiserror::Error;

use super::checkpoints::CheckpointSettings;
use super::format::Format;
use super::output::{Destination, Output};
use super::sound_file;
use super::tiles::DEFAULT_TILE;
use tarsus_player::{Input, SceneState, Snapshot, Timeline};
use tarsus_render::Depth;
use tarsus_shader::{DebugView, Program, SourceFiles, Values};

/// Definition of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct CaptureSpec {
    /// Name of the scene as given by the user.
    pub scene: String,
    /// Sources of the scene to store in the pictures, if any.
    pub files: Option<SourceFiles>,
    /// Debug view that the scene was composed with, if any.
    pub debug_view: Option<DebugView>,
    /// Parameter values that override those of `input`.
    pub values: Values,
    /// Source of time and input.
    pub input: InputSource,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames per second.
    pub fps: f64,
    /// Frames to render.
    pub frames: FrameSelection,
    /// For a scene whose frames need those before them: number of warm-up frames, which
    /// have no files, so that file number 0 shows frame `warm_up`. `None` if the frames are
    /// independent.
    pub warm_up: Option<u32>,
    /// Part of the frames for this run.
    pub shard: Shard,
    /// Destination and format of the pictures.
    pub output: Output,
    /// Samples, motion blur and bit depth.
    pub quality: Quality,
    /// Longest side of a tile, in pixels.
    pub tile: u32,
    /// Number of threads that encode still pictures.
    pub threads: usize,
    /// True to keep existing frames that are complete and identical to the ones the run
    /// would write.
    pub resume: bool,
    /// True to leave the scene's sound out of a video.
    pub is_mute: bool,
    /// True to measure the loop error from the rendered pictures.
    pub measures_loop_error: bool,
    /// For a scene with buffers: checkpoints to start from and to write.
    pub checkpoints: Option<CheckpointSettings>,
}

/// Source of time and input.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSource {
    /// Constant input.
    Constant(Box<Input>),
    /// A recording or keyframes.
    Timeline(Box<Timeline>),
    /// The snapshot of a picture.
    Snapshot(Box<Snapshot>),
}

impl Default for InputSource {
    /// No input.
    fn default() -> Self {
        Self::Constant(Box::default())
    }
}

/// Requested frames.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameSelection {
    /// One picture at this time, in seconds.
    Time(f64),
    /// Frames by number; frame n is at n / fps seconds.
    Frames(Range<u32>),
}

/// Error for a definition that contradicts itself, or that does not fit the format or the
/// scene. The message names the option to change.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct SpecError(pub(super) String);

impl Default for CaptureSpec {
    /// Frame 0 at the default size into the folder `captures`.
    fn default() -> Self {
        Self {
            scene: String::new(),
            files: None,
            debug_view: None,
            values: Values::default(),
            input: InputSource::default(),
            size: (1280, 720),
            fps: 60.0,
            frames: FrameSelection::Frames(0..1),
            warm_up: None,
            shard: Shard::default(),
            output: Output::default_for("", None),
            quality: Quality::PLAIN,
            tile: DEFAULT_TILE,
            threads: 1,
            resume: false,
            is_mute: false,
            measures_loop_error: false,
            checkpoints: None,
        }
    }
}

impl CaptureSpec {
    /// Checks that the output can take the requested frames of `program`.
    ///
    /// # Errors
    /// [`SpecError`] for the first contradiction.
    pub fn check(&self, program: &Program) -> Result<(), SpecError> {
        let format = self.output.format;
        let title = format.title();
        let is_single = matches!(self.output.destination, Destination::File(_));
        let frames = self.all_file_numbers().len();
        let destination = self.destination();
        Err(SpecError(if format.is_video() && self.shard.count > 1 {
            "cannot split a video or its sound with `--shard`; hint: render PNG frames, then \
             merge them with `tarsus merge`"
                .to_owned()
        } else if is_single && !format.is_video() && frames > 1 {
            let stem = self.output.path(0).with_extension("");
            format!(
                "cannot write {frames} frames to a single file {destination}: expected a folder, \
                 a pattern such as {}_{{frame:05}}.{}, or `--format apng`",
                stem.display(),
                format.extension()
            )
        } else if self.output.is_stdout() && !format.is_video() && frames > 1 {
            format!(
                "cannot write {frames} pictures to {destination}: expected one frame, or a format \
                 such as `--format y4m`"
            )
        } else if self.resume && self.output.is_stdout() {
            format!("cannot resume {title} on {destination} with `--resume`")
        } else if self.resume && !format.can_resume() {
            let reason = resume_obstacle(format);
            format!("cannot resume {title} with `--resume`: {reason}")
        } else if format.is_sound() && program.sound.is_none() {
            format!(
                "cannot write {destination}: the scene has no sound; hint: write \
                 `fn main_sound(sample: u32, time: f32) -> vec2f {{ … }}`"
            )
        } else if format.is_sound() && self.is_mute {
            format!("cannot write {destination} with `--mute`: the format contains only sound")
        } else if (format.is_sound() || format.uses_ffmpeg())
            && program.sound.is_some()
            && !self.is_mute
        {
            return sound_file::check_length(self);
        } else {
            return Ok(());
        }))
    }

    /// Computes the state of frame `number` at `time` in seconds, at `fps` frames per second. A
    /// pure function: frames may be requested in any order.
    pub(super) fn state(&self, number: u32, time: f64, fps: f64) -> SceneState {
        let mut state = match &self.input {
            InputSource::Constant(input) => {
                SceneState { input: Input::clone(input), ..SceneState::at(time, number, fps) }
            }
            InputSource::Snapshot(snapshot) => SceneState { time, ..snapshot.state.clone() },
            InputSource::Timeline(timeline) => timeline.at(time, number, fps),
        };
        state.values.extend(self.values.clone());
        state
    }

    /// State of the snapshot, if the run draws its picture again.
    pub(super) fn snapshot_state(&self) -> Option<&SceneState> {
        match &self.input {
            InputSource::Snapshot(snapshot) => Some(&snapshot.state),
            InputSource::Constant(_) | InputSource::Timeline(_) => None,
        }
    }

    /// Last frame that the buffers run for the picture of frame `number`: that frame, or
    /// the frame of the snapshot.
    pub(super) fn last_buffer_frame(&self, number: u32) -> u32 {
        self.snapshot_state().map_or(number, |state| state.index)
    }

    /// Frames per second at which the buffers run: a snapshot can have its own rate.
    pub(super) fn buffer_fps(&self) -> f64 {
        self.snapshot_state().and_then(SceneState::run_rate).unwrap_or(self.fps)
    }

    /// State in which the buffers run frame `number`. Before a snapshot it is
    /// [`SceneState::state_before`].
    pub(super) fn buffer_state(&self, number: u32) -> SceneState {
        let fps = self.buffer_fps();
        let state = self.state(number, f64::from(number) / fps, fps);
        match self.snapshot_state() {
            Some(_) => state.state_before(number, fps),
            None => state,
        }
    }
}

/// Why files of `format` cannot be resumed.
fn resume_obstacle(format: Format) -> &'static str {
    if format.is_sound() {
        "sound is always rendered from the start"
    } else if format.is_video() {
        "a video is always rendered from the start; hint: use a folder of PNG frames"
    } else {
        "only PNG frames carry the hash it compares"
    }
}

/// One of several disjoint parts of the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the shard, from 1.
    pub index: u32,
    /// Number of shards.
    pub count: u32,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

impl Shard {
    /// Contiguous part of `frames` for this shard, for frames that depend on earlier ones.
    /// Lengths differ by at most one frame between shards.
    pub(super) fn contiguous(self, frames: Range<u32>) -> Range<u32> {
        let length = u64::from(frames.end.saturating_sub(frames.start));
        let bound = |index: u32| {
            let before = length * u64::from(index) / u64::from(self.count);
            frames.start + before as u32
        };
        bound(self.index - 1)..bound(self.index)
    }

    /// Every `count`-th number of `frames` for this shard, for independent frames.
    /// Interleaving balances the load, because slow frames often follow each other.
    pub(super) fn interleaved(self, frames: Range<u32>) -> StepBy<Range<u32>> {
        let (own, at) = (self.index - 1, frames.start % self.count);
        // Distance to the first number of this shard; past the end if it has none.
        let ahead = if at <= own { own - at } else { own + (self.count - at) };
        let first = frames.start.saturating_add(ahead).min(frames.end);
        (first..frames.end).step_by(self.count as usize)
    }
}

/// Sampling and bit depth of pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples per pixel at every shutter time; 1 samples the pixel's centre.
    pub samples: u32,
    /// Motion blur: shutter angle in degrees. At 360° the shutter stays open until the next
    /// frame. It opens at the frame's time.
    pub shutter: f64,
    /// Number of times that motion blur averages, spread evenly over the open shutter.
    pub shutter_samples: u32,
    /// Bit depth per component.
    pub depth: Depth,
}

impl Quality {
    /// One sample per pixel, 8 bits, no motion blur.
    pub const PLAIN: Self =
        Self { samples: 1, shutter: 0.0, shutter_samples: 1, depth: Depth::Eight };

    /// True if pictures average several samples.
    pub fn is_average(&self) -> bool {
        self.samples > 1 || self.shutter_count() > 1
    }

    /// Times in seconds that a picture at `time` averages.
    pub(super) fn shutter_times(&self, time: f64, fps: f64) -> impl Iterator<Item = f64> + use<> {
        let count = self.shutter_count();
        let open = self.shutter / 360.0 / fps;
        (0..count).map(move |index| {
            // Each sample lies in the middle of its interval.
            let into = match count {
                1 => 0.0,
                _ => open * (f64::from(index) + 0.5) / f64::from(count),
            };
            time + into
        })
    }

    /// Number of times that a picture averages; 1 without motion blur.
    fn shutter_count(&self) -> u32 {
        if self.shutter > 0.0 { self.shutter_samples } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::program;

    fn spec(output: &str) -> CaptureSpec {
        CaptureSpec {
            frames: FrameSelection::Frames(0..2),
            output: Output::parse(output, None).expect("an output"),
            ..CaptureSpec::default()
        }
    }

    #[test]
    fn output_must_take_the_frames() {
        let program = program("fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }");
        let check = |spec: CaptureSpec| match spec.check(&program) {
            Ok(()) => "fine".to_owned(),
            Err(error) => error.to_string(),
        };
        let message = check(spec("a.png"));
        assert!(message.contains("2 frames to a single file a.png"), "{message}");
        let one = FrameSelection::Frames(5..6);
        assert_eq!(check(CaptureSpec { frames: one, ..spec("a.png") }), "fine");
        assert_eq!(check(spec("a.gif")), "fine");
        let shard = Shard { index: 1, count: 2 };
        let message = check(CaptureSpec { shard, ..spec("a.gif") });
        assert!(message.contains("cannot split a video"), "{message}");
        for (output, expected) in [
            ("a.gif", "a video is always"),
            ("a.wav", "sound is always"),
            ("f_%d.jpg", "only PNG frames"),
        ] {
            let message = check(CaptureSpec { resume: true, ..spec(output) });
            assert!(message.contains(expected), "{message}");
        }
        let message = check(spec("a.wav"));
        assert!(message.contains("cannot write a.wav: the scene has no sound"), "{message}");
    }

    #[test]
    fn single_sample_is_not_averaged() {
        for (degrees, samples) in [(0.0, 1), (180.0, 1), (0.0, 16)] {
            let quality = Quality { shutter: degrees, shutter_samples: samples, ..Quality::PLAIN };
            assert!(!quality.is_average());
            assert!(quality.shutter_times(2.5, 60.0).eq([2.5]));
        }
    }

    #[test]
    fn times_span_the_open_shutter() {
        let quality = Quality { samples: 3, shutter: 180.0, shutter_samples: 4, ..Quality::PLAIN };
        let times: Vec<f64> = quality.shutter_times(1.0, 10.0).collect();
        assert_eq!(times.len(), 4);
        let mean = times.iter().sum::<f64>() / 4.0;
        assert!((mean - 1.025).abs() < 1e-12, "the middle of 50 ms");
        assert!(times.iter().all(|time| (1.0..1.05).contains(time)));
    }
}
