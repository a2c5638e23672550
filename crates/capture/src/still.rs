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

/// Encodes a picture: the bytes of its file, including `metadata` if its format has text chunks.
pub(super) fn encode(
    form: &PictureForm,
    picture: Picture,
    metadata: &Metadata,
) -> io::Result<Vec<u8>> {
    let mut rgb = vec![0; picture.rgba.len() / 4 * 3];
    drop_alpha(&picture.rgba, form.depth, &mut rgb);
    // Frees memory that encoders need.
    drop(picture);
    // Encoders in places assume that writing succeeds and must not see a full disk.
    let mut encoded = Cursor::default();
    let (to, (width, height)) = (&mut encoded, form.size);
    let color = match form.depth {
        Depth::Eight => ExtendedColorType::Rgb8,
        Depth::Sixteen => ExtendedColorType::Rgb16,
        Depth::Float => ExtendedColorType::Rgb32F,
    };
    let written = match form.format {
        Format::Png => {
            let mut encoder = png::Encoder::new(to, width, height);
            configure(&mut encoder, form.depth, metadata)?;
            to_big_endian(&mut rgb, form.depth);
            encoder.write_header()?.write_image_data(&rgb)?;
            Ok(())
        }
        Format::Jpeg => {
            JpegEncoder::new_with_quality(to, JPEG_QUALITY).write_image(&rgb, width, height, color)
        }
        Format::WebP => WebPEncoder::new_lossless(to).write_image(&rgb, width, height, color),
        Format::Tiff => TiffEncoder::new(to).write_image(&rgb, width, height, color),
        Format::Exr => OpenExrEncoder::new(to).write_image(&rgb, width, height, color),
        _ => QoiEncoder::new(to).write_image(&rgb, width, height, color),
    };
    written.map_err(io::Error::other)?;
    Ok(encoded.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streamed_png::StreamedPng;
    use crate::tests::{metadata, picture};
    use image::ImageFormat;

    fn encoded(format: Format, depth: Depth) -> Vec<u8> {
        let picture = picture(depth);
        let size = (picture.width, picture.height);
        let form = PictureForm { format, size, depth, is_stdout: false };
        encode(&form, picture, &metadata()).expect("encoded")
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
            let image = decoded(&encoded(format, depth), kind);
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
    fn png_encoders_draw_equal_pictures() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let picture = picture(depth);
            let size = (picture.width, picture.height);
            let mut streamed =
                StreamedPng::new(Vec::new(), size, depth, &metadata()).expect("a header");
            streamed.rows(&picture).expect("rows");
            let streamed = streamed.finish().expect("an end");
            let [one, other] = [encoded(Format::Png, depth), streamed]
                .map(|bytes| decoded(&bytes, ImageFormat::Png));
            assert!(one == other, "{depth:?}");
        }
    }

    #[test]
    fn png_metadata_precedes_pixels() {
        let bytes = encoded(Format::Png, Depth::Eight);
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
