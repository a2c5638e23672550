//! Picture files, which appear under their names only once complete.

use std::io::{self, Write};
use std::path::Path;

use super::format::Format;
use super::metadata::{Metadata, sidecar_path};
use super::sink::Header;
use super::spec::CaptureSpec;
use super::still;
use super::stream;
use super::streamed_png::StreamedPng;
use super::tiles::BAND_BYTES;
use tarsus_files::{FileError, PartFile};
use tarsus_render::{Depth, Picture};

/// Maximum bytes of pixels that all encoder threads hold together.
const MAX_ENCODER_BYTES: usize = 1 << 30;

/// Properties shared by all pictures of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct PictureForm {
    /// Format of the files.
    pub format: Format,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Bit depth per component.
    pub depth: Depth,
    /// True for pictures on standard output.
    pub is_stdout: bool,
}

impl PictureForm {
    /// Properties of the pictures of `spec`.
    pub(super) fn new(spec: &CaptureSpec) -> Self {
        Self {
            format: spec.output.format,
            size: spec.size,
            depth: spec.quality.depth,
            is_stdout: spec.output.is_stdout(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.size.0 as usize * self.size.1 as usize * self.depth.pixel_bytes()
    }

    /// True if a picture is encoded whole, false if in bands. This depends on its size and not on
    /// its tiles, which must not change the file.
    pub(super) fn is_encoded_whole(&self) -> bool {
        self.format != Format::Png || self.bytes() <= BAND_BYTES
    }

    /// Maximum bytes that `threads` encoders of `frames` pictures hold together, in bands of
    /// `band` bytes.
    pub(super) fn memory_bytes(&self, threads: usize, frames: usize, band: u64) -> u64 {
        let threads = self.encoder_count(threads);
        if !self.is_encoded_whole() {
            // One is drawn, and one waits while another is encoded.
            return (1 + 2 * threads.min(frames.max(1)) as u64) * band;
        }
        // One per thread, and one being drawn.
        let pictures = (threads + 1).min(frames.max(1)) as u64;
        // The picture without alpha, and its encoded file.
        let encoders = threads as u64 * (self.bytes() as u64 * 3 / 2);
        encoders + pictures * self.bytes() as u64
    }

    /// Number of encoders, at most `threads`, that fit into [`MAX_ENCODER_BYTES`].
    pub(super) fn encoder_count(&self, threads: usize) -> usize {
        if self.is_encoded_whole() {
            threads.min(MAX_ENCODER_BYTES / self.bytes().max(1)).max(1)
        } else {
            threads
        }
    }
}

/// Writes the picture that `rows` make up, as they arrive. If rows are missing at the end, the
/// picture was abandoned and no file remains.
pub(super) fn write_picture(
    form: &PictureForm,
    Header { path, metadata }: &Header,
    rows: impl IntoIterator<Item = Picture>,
) -> Result<(), FileError> {
    let failed = |error| FileError::write(path, error);
    if form.is_stdout {
        let written = stream::stdout().and_then(|mut file| encode(form, metadata, &mut file, rows));
        return written.map(drop).map_err(failed);
    }
    let mut part = PartFile::create_in_folder(path)?;
    if !encode(form, metadata, &mut part, rows).map_err(failed)? {
        return Ok(());
    }
    // Write the sidecar first, so that a picture never exists without it.
    if form.format.has_sidecar() {
        write_sidecar(path, metadata)?;
    }
    part.keep()
}

/// Encodes the picture that `rows` make up; returns false if rows are missing.
fn encode(
    form: &PictureForm,
    metadata: &Metadata,
    to: &mut impl Write,
    rows: impl IntoIterator<Item = Picture>,
) -> io::Result<bool> {
    if form.is_encoded_whole() {
        let Some(picture) = rows.into_iter().next() else {
            return Ok(false);
        };
        to.write_all(&still::encode(form, picture, metadata)?)?;
        return Ok(true);
    }
    let mut file = StreamedPng::new(to, form.size, form.depth, metadata)?;
    let mut done = 0;
    for rows in rows {
        file.rows(&rows)?;
        done += rows.height;
    }
    let is_complete = done == form.size.1;
    if is_complete {
        file.finish()?;
    }
    Ok(is_complete)
}

fn write_sidecar(picture: &Path, metadata: &Metadata) -> Result<(), FileError> {
    let path = sidecar_path(picture);
    let text = metadata.sidecar();
    let text = text.map_err(|error| FileError::write(&path, error))?;
    tarsus_files::write(&path, text.as_bytes())
}

/// Writes `picture` to `path` as an RGB PNG with `metadata`, byte for byte as a run would.
/// The file appears under its name only once it is complete; its folder is created if
/// necessary.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write_png(path: &Path, picture: &Picture, metadata: &Metadata) -> Result<(), FileError> {
    let form = PictureForm {
        format: Format::Png,
        size: (picture.width, picture.height),
        depth: picture.depth(),
        is_stdout: false,
    };
    let header = Header { path: path.to_path_buf(), metadata: metadata.clone() };
    tarsus_files::make_folder(path)?;
    write_picture(&form, &header, [picture.clone()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::read_snapshot;
    use crate::tests::{metadata, picture};

    fn form(format: Format, size: (u32, u32)) -> PictureForm {
        PictureForm { format, size, depth: Depth::Eight, is_stdout: false }
    }

    #[test]
    fn only_large_pngs_are_streamed() {
        assert!(form(Format::Png, (3840, 2160)).is_encoded_whole());
        assert!(!form(Format::Png, (20_000, 12_000)).is_encoded_whole());
        assert!(form(Format::Jpeg, (20_000, 12_000)).is_encoded_whole());
        assert_eq!(form(Format::Png, (20_000, 12_000)).encoder_count(8), 8);
        assert_eq!(form(Format::Jpeg, (20_000, 12_000)).encoder_count(8), 1);
        assert_eq!(form(Format::Jpeg, (1280, 720)).encoder_count(8), 8);
    }

    #[test]
    fn formats_without_text_get_sidecar() {
        let folder = tempfile::tempdir().expect("folder");
        let picture = picture(Depth::Eight);
        let size = (picture.width, picture.height);
        for format in Format::ALL.into_iter().filter(|format| !format.is_video()) {
            let path = folder.path().join(format!("a.{}", format.extension()));
            let header = Header { path: path.clone(), metadata: metadata() };
            let depth = format.depths()[0];
            let picture = crate::tests::picture(depth);
            let form = PictureForm { format, size, depth, is_stdout: false };
            write_picture(&form, &header, [picture]).expect("written");
            assert_eq!(Metadata::read(&path).expect("metadata"), metadata());
            assert_eq!(read_snapshot(&path).expect("a snapshot").scene, "é.wgsl");
            let beside = sidecar_path(&path).exists();
            assert_eq!(beside, format != Format::Png, "{format:?}");
        }
    }

    #[test]
    fn abandoned_picture_leaves_no_file() {
        let folder = tempfile::tempdir().expect("folder");
        let rows = picture(Depth::Eight);
        // A large PNG is streamed.
        for (format, height, rows) in
            [(Format::Png, 1 << 20, vec![rows.clone()]), (Format::Jpeg, rows.height, Vec::new())]
        {
            let header = Header { path: folder.path().join("deep/a"), metadata: metadata() };
            let form = form(format, (37, height));
            tarsus_files::make_folder(&header.path).expect("folder");
            write_picture(&form, &header, rows).expect("given up");
            let entries = std::fs::read_dir(folder.path().join("deep")).expect("folder");
            assert_eq!(entries.count(), 0);
        }
    }
}
