//! Hashes of everything that makes a picture. Existing frames are judged by them, never by
//! their names.

use std::path::Path;

use super::metadata::{HASH_KEYWORD, Metadata};
use super::png_file;
use super::spec::Quality;
use tarsus_player::Snapshot;
use tarsus_render::{Gpu, Inputs};
use tarsus_shader::ContentHash;

/// Hash of everything that the frames of a run share.
pub struct RunHash(ContentHash);

impl RunHash {
    /// Creates the hash of pictures of `quality`, of the program with this hash, drawn by
    /// `gpu` with the channel files of this hash, if the scene reads any. Adapter and driver are
    /// included because others may round differently.
    pub fn new(
        gpu: &Gpu,
        program_hash: &str,
        quality: &Quality,
        channel_hash: Option<&str>,
    ) -> Self {
        let mut hash = renderer_hash(gpu, program_hash)
            .with(&[quality.depth.bits()])
            .with(&quality.samples.to_le_bytes());
        if quality.shutter > 0.0 {
            hash = hash
                .with(&quality.shutter.to_bits().to_le_bytes())
                .with(&quality.shutter_samples.to_le_bytes());
        }
        Self(channel_hash.iter().fold(hash, |hash, files| hash.with(files.as_bytes())))
    }

    /// Builds the metadata of a picture that shows `snapshot` and averages `times`, the
    /// inputs at every shutter time. Sample positions within a pixel follow from the number
    /// of samples. The hash has two parts: one of everything that made the picture, one of
    /// the part shared with the other frames of its run. Path and sources of the scene are part
    /// of it as the hash of the program.
    pub fn metadata(&self, times: impl Iterator<Item = Inputs>, snapshot: &Snapshot) -> Metadata {
        let hashed = Snapshot { scene: String::new(), files: None, ..snapshot.clone() };
        let own = self.0.clone().with(hashed.to_json().as_bytes());
        let own = times.fold(own, |hash, inputs| inputs.hash(hash));
        Metadata {
            snapshot: Some(snapshot.to_json()),
            hash: Some(format!("{}-{}", own.hex(), self.0.hex())),
        }
    }
}

/// Hash of a program, and of the adapter, driver and tarsus version that draw it.
pub(super) fn renderer_hash(gpu: &Gpu, program_hash: &str) -> ContentHash {
    let info = gpu.adapter.get_info();
    let common = [
        env!("CARGO_PKG_VERSION"),
        program_hash,
        &info.name,
        &info.driver,
        &info.driver_info,
        &info.backend.to_string(),
    ];
    common.iter().fold(ContentHash::default(), |hash, text| hash.with(text.as_bytes()))
}

/// Hash stored in the PNG at `path`, empty if it has none; `None` if the PNG is damaged.
pub fn stored_hash(path: &Path) -> Option<String> {
    let mut reader = png_file::open(path).ok()?.read_info().ok()?;
    // Decode every row, one at a time, so that every checksum is verified.
    while reader.next_row().ok()?.is_some() {}
    reader.finish().ok()?;
    Some(png_file::text(reader.info(), HASH_KEYWORD).ok()?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_png;
    use tarsus_render::Picture;

    fn metadata(hash: &str) -> Metadata {
        Metadata { snapshot: Some("{}".to_owned()), hash: Some(hash.to_owned()) }
    }

    #[test]
    fn stored_hash_is_read() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        assert_eq!(stored_hash(&path), None);
        let picture =
            Picture { width: 40, height: 30, rgba: (0..4800).map(|i| (i * 7) as u8).collect() };
        write_png(&path, &picture, &metadata("1")).expect("written");
        assert_eq!(stored_hash(&path).as_deref(), Some("1"));
        write_png(&path, &picture, &Metadata::default()).expect("written");
        assert_eq!(stored_hash(&path).as_deref(), Some(""));
    }

    #[test]
    fn damaged_file_is_detected() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let picture =
            Picture { width: 40, height: 30, rgba: (0..4800).map(|i| (i * 7) as u8).collect() };
        write_png(&path, &picture, &metadata("1")).expect("written");
        let whole = std::fs::read(&path).expect("read");
        for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
            std::fs::write(&path, &whole[..length]).expect("cut");
            assert_eq!(stored_hash(&path), None, "{length} bytes");
        }
        for at in (whole.len() / 2..whole.len()).step_by(101) {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            std::fs::write(&path, &changed).expect("changed");
            assert_ne!(stored_hash(&path).as_deref(), Some("1"), "byte {at}");
        }
    }
}
