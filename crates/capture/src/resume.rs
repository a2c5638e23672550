//! Frames that are there already: which are whole and just what this run would
//! write. A frame is judged by what stands in it, never by its name.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::metadata::{HASH_KEYWORD, Metadata};
use super::quality::{Quality, Shutter};
use super::reader;
use tarsus_player::Moment;
use tarsus_render::{Gpu, Inputs};
use tarsus_shader::ContentHash;

/// What all frames of a run have in common.
pub struct Stamp {
    common: ContentHash,
    /// How long the shutter is open, where it is, and at how many times it is seen.
    shutter: Option<(f64, u32)>,
}

impl Stamp {
    /// A stamp for pictures of the program with this hash, drawn by `gpu` (another
    /// adapter or driver may round otherwise) and made of `quality`.
    #[must_use]
    pub fn new(gpu: &Gpu, program_hash: &str, quality: &Quality) -> Self {
        let drawn_by = drawn_by(gpu, program_hash);
        let common = drawn_by.with(&[quality.depth.bits()]);
        let Shutter { degrees, samples } = quality.shutter;
        Self {
            common: common.with(&quality.samples.to_le_bytes()),
            shutter: (degrees > 0.0).then_some((degrees, samples)),
        }
    }

    /// The same for pictures of a scene that reads files, whose contents have this
    /// hash.
    #[must_use]
    pub fn with_channels(self, hash: &str) -> Self {
        Self {
            common: self.common.with(hash.as_bytes()),
            ..self
        }
    }

    /// The metadata of the picture that shows `moment` and is the average of
    /// `times`: the inputs at every time while the shutter is open. Where in the
    /// pixel the samples lie follows from their number. Its hash has two parts, of all
    /// that made the picture and of what it has in common with the others of its run.
    #[must_use]
    pub fn metadata(&self, times: impl Iterator<Item = Inputs>, moment: &Moment) -> Metadata {
        let moment = moment.to_json();
        let hash = times.fold(
            self.common.clone().with(moment.as_bytes()),
            |hash, inputs| {
                hash.with(bytemuck::bytes_of(&inputs.frame))
                    .with(&inputs.parameters)
                    .with(&inputs.keyboard)
            },
        );
        let common = match self.shutter {
            Some((degrees, samples)) => (self.common.clone())
                .with(&degrees.to_bits().to_le_bytes())
                .with(&samples.to_le_bytes()),
            None => self.common.clone(),
        };
        Metadata {
            moment: Some(moment),
            hash: Some(format!("{}-{}", hash.hex(), common.hex())),
        }
    }
}

/// Stands for a program and for what draws it.
pub(super) fn drawn_by(gpu: &Gpu, program_hash: &str) -> ContentHash {
    let info = gpu.adapter.get_info();
    let common = [
        env!("CARGO_PKG_VERSION"),
        program_hash,
        &info.name,
        &info.driver,
        &info.driver_info,
        &info.backend.to_string(),
    ];
    common.iter().fold(ContentHash::default(), |hash, text| {
        hash.with(text.as_bytes())
    })
}

/// What is at a frame's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Nothing.
    Nothing,
    /// The frame, whole.
    Same,
    /// A picture made otherwise.
    Other,
    /// Something that is no whole picture.
    Damaged,
}

/// Looks at the PNG at `path`, which would carry `metadata`.
#[must_use]
pub fn existing(path: &Path, metadata: &Metadata) -> Existing {
    if !path.exists() {
        return Existing::Nothing;
    }
    let Ok(file) = reader::open(path) else {
        return Existing::Damaged;
    };
    match read(file) {
        Some(hash) if metadata.hash.as_ref() == Some(&hash) => Existing::Same,
        Some(_) => Existing::Other,
        None => Existing::Damaged,
    }
}

/// The hash in a PNG, empty if there is none; nothing if the PNG is not whole.
fn read(file: File) -> Option<String> {
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().ok()?;
    // Every row, so that every checksum is compared, but one at a time.
    while reader.next_row().ok()?.is_some() {}
    reader.finish().ok()?;
    let texts = &reader.info().utf8_text;
    let hash = texts.iter().find(|chunk| chunk.keyword == HASH_KEYWORD);
    hash.map_or(Ok(String::new()), reader::text_of).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_png;
    use tarsus_render::Picture;

    fn metadata(hash: &str) -> Metadata {
        Metadata {
            moment: Some("{}".to_owned()),
            hash: Some(hash.to_owned()),
        }
    }

    #[test]
    fn only_a_whole_frame_with_the_same_hash_is_the_same() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        assert_eq!(existing(&path, &metadata("1")), Existing::Nothing);
        let picture = Picture {
            width: 40,
            height: 30,
            rgba: (0..4800).map(|i| (i * 7) as u8).collect(),
        };
        write_png(&path, &picture, &metadata("1")).expect("written");
        assert_eq!(existing(&path, &metadata("1")), Existing::Same);
        assert_eq!(existing(&path, &metadata("2")), Existing::Other);
        write_png(&path, &picture, &Metadata::default()).expect("written");
        assert_eq!(existing(&path, &metadata("1")), Existing::Other);
    }

    #[test]
    fn a_cut_or_changed_file_is_damaged() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let picture = Picture {
            width: 40,
            height: 30,
            rgba: (0..4800).map(|i| (i * 7) as u8).collect(),
        };
        write_png(&path, &picture, &metadata("1")).expect("written");
        let whole = std::fs::read(&path).expect("read");
        for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
            std::fs::write(&path, &whole[..length]).expect("cut");
            assert_eq!(
                existing(&path, &metadata("1")),
                Existing::Damaged,
                "{length} bytes"
            );
        }
        for at in (whole.len() / 2..whole.len()).step_by(101) {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            std::fs::write(&path, &changed).expect("changed");
            assert_ne!(existing(&path, &metadata("1")), Existing::Same, "byte {at}");
        }
    }
}
