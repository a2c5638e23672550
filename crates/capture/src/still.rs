//! Still pictures that are encoded whole.

use std::io::{self, Cursor};

use image::codecs::jpeg::JpegEncoder;
use image::codecs::openexr::OpenExrEncoder;
use image::codecs::qoi::QoiEncoder;
use image::codecs::tiff::TiffEncoder;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::format::Format;
use super::metadata::Metadata;
use super::picture_file::PictureForm;
use super::streamed_png::configure;
use tarsus_render::{Depth, Picture, drop_alpha, to_big_endian};

/// JPEG quality from 1 to 100: visually lossless, with full chroma resolution.
const JPEG_QUALITY: u8 = 95;

/// Encodes pictures of one format, size and depth one after the other, reusing the same
/// memory.
pub(super) struct StillEncoder {
    pub(super) form: PictureForm,
    /// Pixels of the current picture, without alpha.
    rgb: Vec<u8>,
    /// Number of bytes in `rgb` that are filled.
    filled: usize,
    /// The encoded file. It is built in memory, because encoders in places assume that
    /// writing succeeds and must not see a full disk.
    encoded: Cursor<Vec<u8>>,
}

impl StillEncoder {
    pub(super) fn new(form: PictureForm) -> Self {
        Self { form, rgb: vec![0; form.bytes() / 4 * 3], filled: 0, encoded: Cursor::default() }
    }

    /// Begins a picture, dropping the rows of an abandoned one.
    pub(super) fn begin(&mut self) {
        self.filled = 0;
    }

    /// Adds the next rows of the picture.
    pub(super) fn rows(&mut self, rows: &Picture) {
        let end = self.filled + rows.rgba.len() / 4 * 3;
        drop_alpha(&rows.rgba, self.form.depth, &mut self.rgb[self.filled..end]);
        self.filled = end;
    }

    /// True if the picture has all its rows.
    pub(super) fn is_whole(&self) -> bool {
        self.filled == self.rgb.len()
    }

    /// Encodes the picture, which must be complete, and returns the bytes of the file,
    /// including `metadata` if its format has text chunks.
    pub(super) fn encode(&mut self, metadata: &Metadata) -> io::Result<&[u8]> {
        self.encoded.get_mut().clear();
        self.encoded.set_position(0);
        let to = &mut self.encoded;
        let (depth, (width, height)) = (self.form.depth, self.form.size);
        if self.form.format == Format::Png {
            let mut encoder = png::Encoder::new(to, width, height);
            configure(&mut encoder, depth, metadata)?;
            to_big_endian(&mut self.rgb, depth);
            encoder.write_header()?.write_image_data(&self.rgb)?;
            return Ok(self.encoded.get_ref());
        }
        let rgb = &self.rgb;
        let color = match depth {
            Depth::Eight => ExtendedColorType::Rgb8,
            Depth::Sixteen => ExtendedColorType::Rgb16,
            Depth::Float => ExtendedColorType::Rgb32F,
        };
        let encoded = match self.form.format {
            Format::Jpeg => JpegEncoder::new_with_quality(to, JPEG_QUALITY)
                .write_image(rgb, width, height, color),
            Format::WebP => WebPEncoder::new_lossless(to).write_image(rgb, width, height, color),
            Format::Tiff => TiffEncoder::new(to).write_image(rgb, width, height, color),
            Format::Exr => OpenExrEncoder::new(to).write_image(rgb, width, height, color),
            _ => QoiEncoder::new(to).write_image(rgb, width, height, color),
        };
        encoded.map_err(io::Error::other)?;
        Ok(self.encoded.get_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streamed_png::StreamedPng;
    use crate::tests::{metadata, picture};
    use image::ImageFormat;

    fn encoded(format: Format, depth: Depth, rows: usize) -> Vec<u8> {
        let picture = picture(depth);
        let size = (picture.width, picture.height);
        let mut encoder = StillEncoder::new(PictureForm { format, size, depth });
        // An abandoned picture must leave no trace.
        encoder.rows(&picture);
        encoder.begin();
        let row = picture.width as usize * depth.pixel_bytes();
        for band in picture.rgba.chunks(rows * row) {
            assert!(!encoder.is_whole());
            encoder.rows(&Picture {
                width: picture.width,
                height: (band.len() / row) as u32,
                rgba: band.to_vec(),
            });
        }
        assert!(encoder.is_whole());
        encoder.encode(&metadata()).expect("encoded").to_vec()
    }

    fn decoded(bytes: &[u8], format: ImageFormat) -> image::DynamicImage {
        image::load_from_memory_with_format(bytes, format).expect("a picture")
    }

    #[test]
    fn lossless_formats_round_trip() {
        for (format, kind, depth) in [
            (Format::Png, ImageFormat::Png, Depth::Eight),
            (Format::Png, ImageFormat::Png, Depth::Sixteen),
            (Format::Tiff, ImageFormat::Tiff, Depth::Eight),
            (Format::Tiff, ImageFormat::Tiff, Depth::Sixteen),
            (Format::WebP, ImageFormat::WebP, Depth::Eight),
            (Format::Qoi, ImageFormat::Qoi, Depth::Eight),
            (Format::Exr, ImageFormat::OpenExr, Depth::Float),
        ] {
            let picture = picture(depth);
            let mut rgb = vec![0; picture.rgba.len() / 4 * 3];
            drop_alpha(&picture.rgba, depth, &mut rgb);
            let image = decoded(&encoded(format, depth, 50), kind);
            assert_eq!((image.width(), image.height()), (37, 50));
            let bytes = match depth {
                Depth::Eight => image.to_rgb8().into_raw(),
                Depth::Sixteen => bytemuck::cast_slice(&image.to_rgb16()).to_vec(),
                Depth::Float => bytemuck::cast_slice(&image.to_rgb32f()).to_vec(),
            };
            assert!(bytes == rgb, "{format:?} {depth:?}");
        }
    }

    #[test]
    fn bytes_do_not_depend_on_bands() {
        for (format, depth) in
            [(Format::Png, Depth::Eight), (Format::Jpeg, Depth::Eight), (Format::Exr, Depth::Float)]
        {
            for rows in [1, 7, 49] {
                assert!(encoded(format, depth, rows) == encoded(format, depth, 50));
            }
        }
    }

    #[test]
    fn png_encoders_draw_equal_pictures() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let picture = picture(depth);
            let size = (picture.width, picture.height);
            let mut streamed =
                StreamedPng::new(Vec::new(), size, depth, &metadata()).expect("a header");
            streamed.rows(&picture).expect("rows");
            let streamed = streamed.finish().expect("an end");
            let [one, other] = [encoded(Format::Png, depth, 50), streamed]
                .map(|bytes| decoded(&bytes, ImageFormat::Png));
            assert!(one == other, "{depth:?}");
        }
    }

    #[test]
    fn png_metadata_precedes_pixels() {
        let bytes = encoded(Format::Png, Depth::Eight, 50);
        let reader = png::Decoder::new(Cursor::new(bytes)).read_info();
        let reader = reader.expect("PNG");
        let texts = reader.info().utf8_text.iter();
        let texts: Vec<(String, String)> =
            texts.map(|chunk| (chunk.keyword.clone(), chunk.get_text().expect("text"))).collect();
        let expected: Vec<(String, String)> = metadata()
            .texts()
            .map(|(keyword, text)| (keyword.to_owned(), text.to_owned()))
            .collect();
        assert_eq!(texts, expected);
    }
}
