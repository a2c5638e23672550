//! The sound of a run as a file: a WAV, or raw samples for a video encoder.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use hound::{SampleFormat, WavSpec, WavWriter};

use super::error::{CaptureError, Progress};
use super::sound_track::{self, SoundTrack};
use super::spec::{CaptureSpec, SpecError};
use tarsus_files::{FileError, PartFile};
use tarsus_render::Depth;
use tarsus_shader::SAMPLE_RATE;

/// Bytes that the headers of a WAV file take at most.
const HEADER_BYTES: u32 = 68;

/// Checks that the format can take the sound of all frames.
pub(super) fn check_length(spec: &CaptureSpec) -> Result<(), SpecError> {
    let samples = sound_track::sample_count(spec)?;
    let most = max_samples(&wav_spec(spec.quality.depth == Depth::Float));
    if samples <= most || !spec.output.format.is_sound() {
        return Ok(());
    }
    let [seconds, most] = [samples, most].map(|n| n as f64 / f64::from(SAMPLE_RATE));
    Err(SpecError(format!(
        "cannot write {seconds:.0} s of sound: a WAV file holds at most {most:.0} s"
    )))
}

/// Writes the sound of a run as a WAV file: 32-bit floats for [`Depth::Float`], otherwise
/// 16-bit integers. `progress` may stop it.
pub(super) fn write_wav(
    track: &mut SoundTrack<'_>,
    spec: &CaptureSpec,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<(), CaptureError> {
    let is_float = spec.quality.depth == Depth::Float;
    let format = wav_spec(is_float);
    let part = PartFile::create(path)?;
    let failed = |error| FileError::write(path, io_error(error));
    let writer = WavWriter::new(BufWriter::new(part.handle()?), format);
    let mut writer = writer.map_err(failed)?;
    track.render(spec, progress, |samples| {
        let written = write_samples(&mut writer, samples, is_float);
        Ok(written.map_err(failed)?)
    })?;
    writer.finalize().map_err(failed)?;
    Ok(part.keep()?)
}

/// Writes the sound of a run into a hidden file next to the video at `path`, as
/// little-endian 32-bit floats. The file exists as long as the returned [`PartFile`].
pub(super) fn write_raw(
    track: &mut SoundTrack<'_>,
    spec: &CaptureSpec,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<PartFile, CaptureError> {
    let mut part = PartFile::create(path)?;
    track.render(spec, progress, |samples| {
        let numbers = samples.iter().flatten();
        let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        let written = part.write_all(&bytes);
        Ok(written.map_err(|error| FileError::write(path, error))?)
    })?;
    Ok(part)
}

fn wav_spec(is_float: bool) -> WavSpec {
    WavSpec {
        channels: 2,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: if is_float { 32 } else { 16 },
        sample_format: if is_float { SampleFormat::Float } else { SampleFormat::Int },
    }
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
    is_float: bool,
) -> hound::Result<()> {
    for &number in samples.iter().flatten() {
        match is_float {
            true => writer.write_sample(number)?,
            false => {
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

    #[test]
    fn file_has_all_samples() {
        let samples = [[0.0, 1.0], [-1.0, 0.5], [2.0, -2.0]];
        for is_float in [true, false] {
            let file = tempfile::tempfile().expect("a file");
            let writer = BufWriter::new(file.try_clone().expect("a handle"));
            let mut writer = WavWriter::new(writer, wav_spec(is_float)).expect("a header");
            write_samples(&mut writer, &samples[..2], is_float).expect("written");
            write_samples(&mut writer, &samples[2..], is_float).expect("written");
            writer.finalize().expect("finished");
            let mut file = file;
            io::Seek::rewind(&mut file).expect("rewound");
            let mut reader = hound::WavReader::new(file).expect("a WAV file");
            assert_eq!(reader.spec(), wav_spec(is_float));
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
    fn files_hold_more_than_an_hour() {
        for is_float in [true, false] {
            let most = max_samples(&wav_spec(is_float));
            assert!(most > 3600 * u64::from(SAMPLE_RATE));
        }
    }
}
