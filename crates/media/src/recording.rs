//! Sound recordings, decoded by `symphonia`.

use std::f32::consts::FRAC_1_SQRT_2;
use std::io::{Cursor, ErrorKind};
use std::sync::Arc;

use symphonia::core::codecs::audio::AudioDecoder;
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;

use super::edit_list;
use super::error::MediaError;

/// Maximum number of samples: half an hour at 48 kHz.
const MAX_SAMPLES: usize = 30 * 60 * 48_000;
/// Accepted sample rates in Hz.
const SAMPLE_RATES: std::ops::RangeInclusive<u32> = 4_000..=384_000;

/// A recording, mixed down to mono.
#[derive(Debug)]
pub(super) struct Recording {
    /// Sample rate in Hz.
    pub(super) rate: u32,
    /// Samples from -1 to 1, possibly beyond, in particular if mixed from 5.1 channels.
    pub(super) samples: Vec<f32>,
}

/// Decodes a whole recording. `extension` is the file extension. A truncated file yields the
/// part that is present.
///
/// # Errors
/// Returns a [`MediaError`] if it is not a recording, too long or damaged.
pub(super) fn decode(bytes: Vec<u8>, extension: &str) -> Result<Recording, MediaError> {
    let bytes: Arc<[u8]> = bytes.into();
    let source = MediaSourceStream::new(Box::new(Cursor::new(bytes.clone())), Default::default());
    let mut hint = Hint::new();
    hint.with_extension(extension);
    let mut format = symphonia::default::get_probe()
        .probe(&hint, source, Default::default(), Default::default())
        .map_err(|error| match error {
            Error::Unsupported(_) | Error::IoError(_) => {
                MediaError::invalid("unknown audio format")
            }
            error => MediaError::damaged(error),
        })?;
    let track = format.default_track(TrackType::Audio);
    let parameters = track
        .and_then(|track| Some((track.id, track.time_base, track.codec_params.as_ref()?.audio()?)));
    let Some((track, time_base, parameters)) = parameters else {
        return Err(MediaError::invalid("it has no sound"));
    };
    let mut decoder = symphonia::default::get_codecs()
        .make_audio_decoder(parameters, &Default::default())
        .map_err(MediaError::damaged)?;
    let mut recording = mix(&mut *format, &mut *decoder, track)?;
    if let Some(unit) = time_base {
        let seconds = edit_list::start(&bytes, track) as f64 * f64::from(unit.numer.get())
            / f64::from(unit.denom.get());
        let skipped = (seconds * f64::from(recording.rate)).round() as usize;
        // Otherwise the file is damaged.
        if skipped < recording.samples.len() {
            recording.samples.drain(..skipped);
        }
    }
    if recording.samples.is_empty() {
        return Err(MediaError::invalid("it has no sound"));
    }
    if !SAMPLE_RATES.contains(&recording.rate) {
        let reason = format!("its sample rate is {} Hz: expected 4000 to 384000", recording.rate);
        return Err(MediaError::invalid(reason));
    }
    Ok(recording)
}

/// Decodes a track and mixes it to mono.
fn mix(
    format: &mut dyn FormatReader,
    decoder: &mut dyn AudioDecoder,
    track: u32,
) -> Result<Recording, MediaError> {
    let mut recording = Recording { rate: 0, samples: Vec::new() };
    let mut interleaved: Vec<f32> = Vec::new();
    loop {
        let packet = match format.next_packet() {
            Ok(Some(packet)) => packet,
            // Also at the start of a chained stream in the same file.
            Ok(None) | Err(Error::ResetRequired) => return Ok(recording),
            Err(Error::IoError(error)) if error.kind() == ErrorKind::UnexpectedEof => {
                return Ok(recording);
            }
            Err(error) => return Err(MediaError::damaged(error)),
        };
        if packet.track_id != track {
            continue;
        }
        let decoded = match decoder.decode(&packet) {
            Ok(decoded) => decoded,
            // Skip damaged packets, as players do.
            Err(Error::DecodeError(_) | Error::IoError(_)) => continue,
            Err(error) => return Err(MediaError::damaged(error)),
        };
        recording.rate = decoded.spec().rate();
        let channels = decoded.spec().channels().count().max(1);
        decoded.copy_to_vec_interleaved(&mut interleaved);
        recording.samples.extend(interleaved.chunks_exact(channels).map(mono));
        if recording.samples.len() > MAX_SAMPLES {
            let minutes = MAX_SAMPLES as f64 / 60.0 / f64::from(recording.rate);
            return Err(MediaError::invalid(format!(
                "it is longer than {minutes:.0} minutes, the limit at its sample rate"
            )));
        }
    }
}

/// Mixes one sample of all channels to mono: 5.1 channels with the weights of the Web Audio
/// API, others by their mean, which is what that API does with stereo and quadraphony.
fn mono(channels: &[f32]) -> f32 {
    let mixed = match *channels {
        [left, right, center, _, left_surround, right_surround] => {
            FRAC_1_SQRT_2 * (left + right) + center + 0.5 * (left_surround + right_surround)
        }
        _ => channels.iter().sum::<f32>() / channels.len() as f32,
    };
    if mixed.is_finite() { mixed } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::ffmpeg;

    /// One second at 44.1 kHz: a 1000 Hz tone at half of full scale on the left, silence on
    /// the right.
    fn recorded(name: &str, codec: &[&str]) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join(name);
        let source = "aevalsrc=0.5*sin(2*PI*1000*t)|0:s=44100:d=1";
        ffmpeg(&["-f", "lavfi", "-i", source], codec, &path);
        std::fs::read(path).expect("a recording")
    }

    fn message(bytes: &[u8]) -> String {
        let error = decode(bytes.to_vec(), "wav").expect_err("rejected").to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    }

    #[test]
    fn all_formats_are_mixed_to_mono() {
        for (name, codec) in [
            ("a.wav", &["-c:a", "pcm_s16le"][..]),
            ("b.wav", &["-c:a", "pcm_f32le"]),
            ("a.flac", &[]),
            ("a.mp3", &["-b:a", "192k"]),
            ("a.ogg", &["-c:a", "libvorbis", "-q:a", "6"]),
            ("a.m4a", &["-c:a", "aac", "-b:a", "192k"]),
            ("a.aac", &["-c:a", "aac", "-b:a", "192k"]),
            ("a.mka", &["-c:a", "flac"]),
        ] {
            let extension = name.split('.').next_back().unwrap_or_default();
            let sound = decode(recorded(name, codec), extension).expect(name);
            assert_eq!(sound.rate, 44_100, "{name}");
            let length = sound.samples.len() as f64;
            // AAC may add up to two blocks of 1024 samples.
            assert!((44_100.0..=46_500.0).contains(&length), "{name}: {length}");
            // A tone of amplitude a has the power a² / 2, measured here in the middle of
            // the recording.
            let middle = &sound.samples[11_025..33_075];
            let power = middle.iter().map(|s| f64::from(s * s)).sum::<f64>() / 22_050.0;
            let amplitude = (2.0 * power).sqrt();
            assert!((amplitude - 0.25).abs() < 0.01, "{name}: {amplitude}");
        }
    }

    #[test]
    fn encoder_delay_is_skipped() {
        let folder = tempfile::tempdir().expect("folder");
        let source = "aevalsrc=if(gte(t\\,0.5)\\,0.5*sin(2*PI*1000*t)\\,0):s=44100:d=1";
        for name in ["a.wav", "a.mp3", "a.ogg", "a.m4a", "a.mov"] {
            let path = folder.path().join(name);
            let video = ["-f", "lavfi", "-i", "color=s=16x16:d=1"];
            let input = ["-f", "lavfi", "-i", source];
            let input = if name == "a.mov" { [video, input].concat() } else { input.to_vec() };
            ffmpeg(&input, &["-b:a", "128k"], &path);
            let sound = decode(std::fs::read(path).expect("a recording"), &name[2..]).expect(name);
            let loud = sound.samples.iter().position(|sample| sample.abs() > 0.25);
            // A twelfth of a period after the start of the tone.
            assert!(loud.is_some_and(|at| at.abs_diff(22_054) < 50), "{name}: {loud:?}");
        }
    }

    #[test]
    fn surround_is_mixed_as_in_browsers() {
        for (channels, levels, expected) in [
            ("quad", "0.1|0.2|0.3|0.4", 0.25),
            ("5.1", "0.1|0.2|0.3|0.4|0.05|0.07", 0.3 * FRAC_1_SQRT_2 + 0.3 + 0.06),
        ] {
            let folder = tempfile::tempdir().expect("folder");
            let source = format!("aevalsrc={levels}:c={channels}:s=44100:d=0.1");
            for name in ["a.wav", "a.flac"] {
                let path = folder.path().join(name);
                ffmpeg(&["-f", "lavfi", "-i", &source], &[], &path);
                let bytes = std::fs::read(path).expect("a recording");
                let sound = decode(bytes, &name[2..]).expect(name);
                let error = (sound.samples[1000] - expected).abs();
                assert!(error < 1e-3, "{channels} in {name}: {}", sound.samples[1000]);
            }
        }
    }

    #[test]
    fn truncated_recording_keeps_present_part() {
        let whole = recorded("a.wav", &["-c:a", "pcm_s16le"]);
        let half = decode(whole[..whole.len() / 2].to_vec(), "wav").expect("a half");
        assert!((20_000..23_000).contains(&half.samples.len()), "{}", half.samples.len());
    }

    #[test]
    fn invalid_recording_error_is_one_sentence() {
        let whole = recorded("a.wav", &["-c:a", "pcm_s16le"]);
        assert_eq!(message(b"fn main_image"), "unknown audio format");
        message(&whole[..20]);
        let data = whole.windows(4).position(|name| name == b"data");
        let head = &whole[..data.expect("a chunk of samples") + 8];
        assert_eq!(message(head), "it has no sound");
        let noise: Vec<u8> =
            (0..4096).map(|at| tarsus_render::noise::random(3, at) as u8).collect();
        message(&noise);
        let mut slow = whole;
        slow[24..28].copy_from_slice(&100u32.to_le_bytes());
        assert!(message(&slow).contains("100 Hz"));
    }
}
