//! The sound of a run as a file: a WAV, or raw samples for a video encoder.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use super::error::CaptureError;
use super::plan::Plan;
use super::sound_track::{self, SoundTrack};
use super::step::Progress;
use super::wav::{self, Wav};
use tarsus_files::{FileError, PartFile};
use tarsus_render::Depth;
use tarsus_shader::SAMPLE_RATE;

/// Writes the sound of `plan` as a WAV file. `progress` may stop it.
pub(super) fn write_wav(
    track: &mut SoundTrack<'_>,
    plan: &Plan,
    (path, depth): (&Path, Depth),
    progress: &mut Progress<'_>,
) -> Result<ControlFlow<()>, CaptureError> {
    let (samples, most) = (sound_track::count(plan)?, wav::most_samples(depth));
    if samples > most {
        let [seconds, most] = [samples, most].map(|n| n as f64 / f64::from(SAMPLE_RATE));
        return Err(CaptureError::SoundTooLong { seconds, most });
    }
    let mut wav = Wav::begin(path, samples, depth)?;
    let made = track.make(plan, progress, |samples| Ok(wav.write(samples)?))?;
    if made.is_continue() {
        wav.finish()?;
    }
    Ok(made)
}

/// Writes the sound of `plan` into a hidden file next to the video at `path`, as
/// little-endian 32-bit floats. The file exists as long as the returned [`PartFile`].
pub(super) fn write_beside(
    track: &mut SoundTrack<'_>,
    plan: &Plan,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<(PartFile, ControlFlow<()>), CaptureError> {
    sound_track::count(plan)?;
    let mut part = PartFile::create(path)?;
    let made = track.make(plan, progress, |samples| {
        let mut bytes = Vec::with_capacity(size_of_val(samples));
        let written = wav::write_samples(&mut bytes, samples, Depth::Float);
        let written = written.and_then(|()| part.file().write_all(&bytes));
        Ok(written.map_err(|error| FileError::write(path, error))?)
    })?;
    Ok((part, made))
}
