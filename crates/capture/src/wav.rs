//! WAV files with two channels, written as the samples arrive.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use tarsus_files::{FileError, PartFile};
use tarsus_render::Depth;
use tarsus_shader::SAMPLE_RATE;

/// Left and right.
const CHANNELS: u32 = 2;
// Format codes in the `fmt ` chunk, for integers and floats.
const PCM: u16 = 1;
const FLOAT: u16 = 3;
/// Size of the header, up to the first sample, in bytes.
const HEADER_BYTES: u32 = 58;

/// A WAV file being written. It appears under its name once it is complete.
pub(super) struct Wav {
    part: PartFile,
    depth: Depth,
}

/// Bytes per sample of one channel.
fn sample_bytes(depth: Depth) -> u32 {
    match depth {
        Depth::Float => 4,
        Depth::Eight | Depth::Sixteen => 2,
    }
}

/// Maximum number of samples in a file, limited by its 32-bit lengths.
pub(super) fn most_samples(depth: Depth) -> u64 {
    u64::from((u32::MAX - HEADER_BYTES) / (CHANNELS * sample_bytes(depth)))
}

impl Wav {
    /// Creates a file for `samples` samples, at most [`most_samples`]: 32-bit floats for
    /// [`Depth::Float`], otherwise 16-bit integers.
    pub(super) fn begin(path: &Path, samples: u64, depth: Depth) -> Result<Self, FileError> {
        let mut part = PartFile::create(path)?;
        let header = header(samples as u32, depth);
        let written = part.file().write_all(&header);
        written.map_err(|error| FileError::write(path, error))?;
        Ok(Self { part, depth })
    }

    /// Appends samples: left and right, from -1 to 1.
    pub(super) fn write(&mut self, samples: &[[f32; 2]]) -> Result<(), FileError> {
        let mut file = BufWriter::new(self.part.file());
        let written = write_samples(&mut file, samples, self.depth);
        let written = written.and_then(|()| file.flush());
        drop(file);
        written.map_err(|error| FileError::write(self.part.path(), error))
    }

    /// Renames the complete file into place.
    pub(super) fn finish(self) -> Result<(), FileError> {
        self.part.keep()
    }
}

/// Encodes samples as in a WAV file.
pub(super) fn write_samples(
    to: &mut impl Write,
    samples: &[[f32; 2]],
    depth: Depth,
) -> io::Result<()> {
    for &number in samples.iter().flatten() {
        match depth {
            Depth::Float => to.write_all(&number.to_le_bytes())?,
            Depth::Eight | Depth::Sixteen => {
                let number = (number.clamp(-1.0, 1.0) * 32_767.0).round() as i16;
                to.write_all(&number.to_le_bytes())?;
            }
        }
    }
    Ok(())
}

fn header(samples: u32, depth: Depth) -> Vec<u8> {
    let bytes = sample_bytes(depth);
    let data = samples * CHANNELS * bytes;
    let form = if depth == Depth::Float { FLOAT } else { PCM };
    let mut header = Vec::with_capacity(HEADER_BYTES as usize);
    header.extend(b"RIFF");
    header.extend((HEADER_BYTES - 8 + data).to_le_bytes());
    header.extend(b"WAVEfmt ");
    header.extend(18u32.to_le_bytes());
    header.extend(form.to_le_bytes());
    header.extend((CHANNELS as u16).to_le_bytes());
    header.extend(SAMPLE_RATE.to_le_bytes());
    header.extend((SAMPLE_RATE * CHANNELS * bytes).to_le_bytes());
    header.extend(((CHANNELS * bytes) as u16).to_le_bytes());
    header.extend((8 * bytes as u16).to_le_bytes());
    header.extend(0u16.to_le_bytes());
    // Required if samples are not integers, and allowed if they are.
    header.extend(b"fact");
    header.extend(4u32.to_le_bytes());
    header.extend(samples.to_le_bytes());
    header.extend(b"data");
    header.extend(data.to_le_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_has_header_and_all_samples() {
        let folder = tempfile::tempdir().expect("folder");
        let samples = [[0.0, 1.0], [-1.0, 0.5], [2.0, -2.0]];
        for (depth, bytes, last) in [
            (Depth::Float, 8, &2.0f32.to_le_bytes()[..]),
            (Depth::Sixteen, 4, &32_767i16.to_le_bytes()[..]),
        ] {
            let path = folder.path().join(format!("{bytes}.wav"));
            let mut wav = Wav::begin(&path, 3, depth).expect("begun");
            assert!(!path.exists(), "only when it is whole");
            wav.write(&samples[..2]).expect("written");
            wav.write(&samples[2..]).expect("written");
            wav.finish().expect("finished");
            let found = std::fs::read(&path).expect("bytes");
            assert_eq!(found.len(), HEADER_BYTES as usize + 3 * bytes);
            let word = |at: usize| u32::from_le_bytes(found[at..at + 4].try_into().expect("4"));
            assert_eq!(word(4) as usize, found.len() - 8);
            assert_eq!((word(24), word(46)), (48_000, 3));
            assert_eq!(word(54) as usize, 3 * bytes);
            let third = HEADER_BYTES as usize + 2 * bytes;
            assert_eq!(&found[third..third + bytes / 2], last, "{depth:?}");
        }
    }

    #[test]
    fn longest_file_has_valid_header() {
        for depth in [Depth::Float, Depth::Sixteen] {
            let samples = most_samples(depth);
            assert_eq!(header(samples as u32, depth).len(), HEADER_BYTES as usize);
            assert!(samples > 3600 * u64::from(SAMPLE_RATE));
        }
    }
}
