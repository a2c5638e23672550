//! PNG files of pictures that are too large to hold in memory, written row by row.
//!
//! The `image` crate encodes whole pictures only, so this module uses the `png` crate
//! directly.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use super::metadata::Metadata;
use tarsus_render::{Depth, Picture, drop_alpha, to_big_endian};

/// Bytes of compressed data per chunk.
const CHUNK_BYTES: usize = 1 << 16;

/// An RGB PNG being written to `W`. Its bytes depend only on pixels and metadata, not on
/// how the rows are split across calls.
pub(super) struct StreamedPng<W> {
    encoder: png::StreamWriter<'static, Spool>,
    spool: Spool,
    to: W,
    depth: Depth,
    row: Vec<u8>,
}

impl<W: Write> StreamedPng<W> {
    pub(super) fn new(
        to: W,
        (width, height): (u32, u32),
        depth: Depth,
        metadata: &Metadata,
    ) -> io::Result<Self> {
        let spool = Spool::default();
        let mut encoder = png::Encoder::new(spool.clone(), width, height);
        configure(&mut encoder, depth, metadata)?;
        let encoder = encoder.write_header()?.into_stream_writer_with_size(CHUNK_BYTES)?;
        Ok(Self {
            encoder,
            spool,
            to,
            depth,
            row: vec![0; 3 * depth.pixel_bytes() / 4 * width as usize],
        })
    }

    /// Writes the next rows.
    pub(super) fn rows(&mut self, rows: &Picture) -> io::Result<()> {
        for rgba in rows.rows() {
            drop_alpha(rgba, self.depth, &mut self.row);
            to_big_endian(&mut self.row, self.depth);
            self.encoder.write_all(&self.row)?;
        }
        self.spool.drain(&mut self.to)
    }

    /// Completes the file and returns the writer.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.encoder.finish()?;
        self.spool.drain(&mut self.to)?;
        Ok(self.to)
    }
}

/// Configures the `png` encoder with the fastest compression, so that rendering does not
/// wait for files. Choosing the best filter for each row takes a fifth more time than one
/// filter for all, and saves a quarter of the size for a natural scene.
pub(super) fn configure<W: Write>(
    encoder: &mut png::Encoder<'_, W>,
    depth: Depth,
    metadata: &Metadata,
) -> Result<(), png::EncodingError> {
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(match depth {
        Depth::Eight => png::BitDepth::Eight,
        // PNG has no float format.
        Depth::Sixteen | Depth::Float => png::BitDepth::Sixteen,
    });
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    for (keyword, text) in metadata.texts() {
        encoder.add_itxt_chunk(keyword.to_owned(), text.to_owned())?;
    }
    Ok(())
}

/// Memory between encoder and file. The encoder must never see a full disk: in places it
/// assumes that writing succeeds, and would panic.
#[derive(Clone, Default)]
struct Spool(Rc<RefCell<Vec<u8>>>);

impl Spool {
    fn drain(&self, to: &mut impl Write) -> io::Result<()> {
        let mut bytes = self.0.borrow_mut();
        to.write_all(&bytes)?;
        bytes.clear();
        Ok(())
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{FullAfter, metadata, picture};

    fn in_bands(picture: &Picture, rows: usize) -> Vec<u8> {
        let size = (picture.width, picture.height);
        let mut writer =
            StreamedPng::new(Vec::new(), size, picture.depth(), &metadata()).expect("a header");
        let row = picture.width as usize * picture.depth().pixel_bytes();
        for band in picture.rgba.chunks(rows * row) {
            let band = Picture {
                width: picture.width,
                height: (band.len() / row) as u32,
                rgba: band.to_vec(),
            };
            writer.rows(&band).expect("rows");
        }
        writer.finish().expect("an end")
    }

    #[test]
    fn decoded_pixels_match() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let picture = picture(depth);
            let bytes = in_bands(&picture, 50);
            let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().expect("PNG");
            let mut pixels = vec![0; reader.output_buffer_size().expect("size")];
            let info = reader.next_frame(&mut pixels).expect("pixels");
            assert_eq!((info.width, info.height), (37, 50));
            assert_eq!(info.bit_depth as u8, depth.bits());
            assert!(pixels == picture.rgb());
        }
    }

    #[test]
    fn bytes_do_not_depend_on_bands() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let picture = picture(depth);
            for rows in [1, 2, 7, 49] {
                assert!(in_bands(&picture, rows) == in_bands(&picture, 50), "{rows} rows");
            }
        }
    }

    #[test]
    fn full_disk_is_always_an_error() {
        let picture = picture(Depth::Eight);
        let write = |room: usize| -> io::Result<()> {
            let mut writer =
                StreamedPng::new(FullAfter(room), (37, 50), Depth::Eight, &metadata())?;
            writer.rows(&picture)?;
            writer.finish().map(|_| ())
        };
        let length = (0..).find(|&room| write(room).is_ok()).expect("a length");
        assert!(length > 1000, "{length}");
        for room in 0..length {
            let kind = write(room).expect_err("full").kind();
            assert_eq!(kind, io::ErrorKind::StorageFull, "after {room} bytes");
        }
    }
}
