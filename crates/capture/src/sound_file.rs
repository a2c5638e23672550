//! The sound of a run as a WAV file, alone or for a video encoder: the samples from its first
//! frame to the end of its last. The samples of a frame use the same inputs as its picture.

use std::fs::File;
use std::io::{self, BufWriter};
use std::ops::Range;

use hound::{SampleFormat, WavSpec, WavWriter};

use super::error::{CaptureError, Progress, Stage, Step, report};
use super::frames::Frame;
use super::spec::{CaptureSpec, SpecError};
use tarsus_files::{FileError, PartFile};
use tarsus_media::Channels;
use tarsus_render::{Depth, Gpu, SoundRenderer};
use tarsus_shader::{Program, SAMPLE_RATE};

/// Maximum number of samples rendered at once.
const MAX_BLOCK_SAMPLES: u32 = 1 << 16;

/// Bytes that the headers of a WAV file take at most.
const HEADER_BYTES: u32 = 68;

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
fn sample_count(spec: &CaptureSpec) -> Result<u64, SpecError> {
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

/// Checks that a file can take the sound of all frames.
pub(super) fn check_length(spec: &CaptureSpec) -> Result<(), SpecError> {
    let samples = sample_count(spec)?;
    let most = max_samples(&wav_spec(spec.quality.depth));
    if samples <= most {
        return Ok(());
    }
    let hint = match spec.quality.depth {
        _ if !spec.output.format.is_sound() => "use a shorter length or `--mute`",
        Depth::Sixteen => "use a shorter length",
        Depth::Eight | Depth::Float => "use a shorter length or `--depth 16`",
    };
    let [seconds, most] = [samples, most].map(|n| n as f64 / f64::from(SAMPLE_RATE));
    Err(SpecError(format!(
        "cannot write {seconds:.0} s of sound to a WAV file, which holds at most {most:.0} s \
         (videos are encoded from one); hint: {hint}"
    )))
}

/// Writes the sound of a run into a hidden file next to its output: 16-bit integers for
/// [`Depth::Sixteen`], otherwise 32-bit floats. `None` for a scene without sound. `progress` is
/// called before every block of samples and may stop the run.
pub(super) fn write(
    gpu: &Gpu,
    program: &Program,
    mut channels: Channels,
    spec: &CaptureSpec,
    progress: &mut Progress<'_>,
) -> Result<Option<PartFile>, CaptureError> {
    let renderer = SoundRenderer::new(&gpu.device, &gpu.queue, program);
    let Some(mut renderer) = pollster::block_on(renderer)? else {
        return Ok(None);
    };
    let path = spec.output.path(0);
    let part = PartFile::create(&path)?;
    let failed = |error| FileError::write(&path, io_error(error));
    let format = wav_spec(spec.quality.depth);
    let writer = WavWriter::new(BufWriter::new(part.handle()?), format);
    let mut writer = writer.map_err(failed)?;
    let total = spec.frame_count() as u64;
    for (done, frame) in (0..).zip(spec.frames()) {
        let Range { start, end } = sample_range(&frame, spec.fps);
        let end = end as u32;
        for first in (start as u32..end).step_by(MAX_BLOCK_SAMPLES as usize) {
            report(progress, Step::Progress { stage: Stage::Sound, done, total })?;
            for (number, texels) in channels.update(frame.state.time)? {
                renderer.set_channel(number, &texels)?;
            }
            let inputs = frame.state.inputs(program, spec.size);
            let samples = renderer.render(&inputs, first, MAX_BLOCK_SAMPLES.min(end - first))?;
            write_samples(&mut writer, &samples).map_err(failed)?;
        }
    }
    writer.finalize().map_err(failed)?;
    Ok(Some(part))
}

fn wav_spec(depth: Depth) -> WavSpec {
    let (bits_per_sample, sample_format) = match depth {
        Depth::Sixteen => (16, SampleFormat::Int),
        Depth::Eight | Depth::Float => (32, SampleFormat::Float),
    };
    WavSpec { channels: 2, sample_rate: SAMPLE_RATE, bits_per_sample, sample_format }
}

/// Maximum number of samples in a file, limited by its 32-bit lengths.
fn max_samples(format: &WavSpec) -> u64 {
    let bytes = u32::from(format.channels * format.bits_per_sample / 8);
    u64::from((u32::MAX - HEADER_BYTES) / bytes)
}

/// Appends samples: left and right, from -1 to 1.
fn write_samples(
    writer: &mut WavWriter<BufWriter<File>>,
    samples: &[[f32; 2]],
) -> hound::Result<()> {
    let format = writer.spec().sample_format;
    for &number in samples.iter().flatten() {
        match format {
            SampleFormat::Float => writer.write_sample(number)?,
            SampleFormat::Int => {
                let number = (number.clamp(-1.0, 1.0) * 32_767.0).round();
                writer.write_sample(number as i16)?;
            }
        }
    }
    Ok(())
}

/// Converts an encoding error, unwrapping I/O errors.
fn io_error(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use crate::spec::{FrameSelection, Quality};

    #[test]
    fn file_has_all_samples() {
        let samples = [[0.0, 1.0], [-1.0, 0.5], [2.0, -2.0]];
        for depth in [Depth::Float, Depth::Sixteen] {
            let file = tempfile::tempfile().expect("a file");
            let writer = BufWriter::new(file.try_clone().expect("a handle"));
            let mut writer = WavWriter::new(writer, wav_spec(depth)).expect("a header");
            write_samples(&mut writer, &samples[..2]).expect("written");
            write_samples(&mut writer, &samples[2..]).expect("written");
            writer.finalize().expect("finished");
            let mut file = file;
            io::Seek::rewind(&mut file).expect("rewound");
            let mut reader = hound::WavReader::new(file).expect("a WAV file");
            assert_eq!(reader.spec(), wav_spec(depth));
            let is_float = depth == Depth::Float;
            let numbers: Vec<f32> = match is_float {
                true => reader.samples::<f32>().map(|n| n.expect("float")).collect(),
                false => reader
                    .samples::<i16>()
                    .map(|n| f32::from(n.expect("integer")) / 32_767.0)
                    .collect(),
            };
            let largest = if is_float { 2.0 } else { 1.0 };
            let half = numbers[3];
            assert!((half - 0.5).abs() < 1e-4, "{half}");
            assert_eq!(numbers[4..], [largest, -largest]);
        }
    }

    #[test]
    fn long_sound_gets_hint() {
        let check = |name: &str, depth| {
            check_length(&CaptureSpec {
                output: Output::parse(name, None).expect("an output"),
                frames: FrameSelection::Frames(0..60 * 4 * 3600),
                quality: Quality { depth, ..Quality::PLAIN },
                ..CaptureSpec::default()
            })
        };
        for (name, depth, hint) in
            [("a.mp4", Depth::Eight, "or `--mute`"), ("a.wav", Depth::Float, "or `--depth 16`")]
        {
            let message = check(name, depth).expect_err("four hours").to_string();
            assert!(message.ends_with(hint), "{message}");
        }
        assert_eq!(check("a.wav", Depth::Sixteen), Ok(()));
    }

    #[test]
    fn files_hold_more_than_an_hour() {
        for depth in [Depth::Float, Depth::Sixteen] {
            let most = max_samples(&wav_spec(depth));
            assert!(most > 3600 * u64::from(SAMPLE_RATE));
        }
    }

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
