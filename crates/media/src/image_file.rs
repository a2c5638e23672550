//! Image files, decoded by `image`.

use std::io::Cursor;

use image::error::ImageFormatHint;
use image::{
    ColorType, DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits,
};

use super::error::{MediaError, check_memory, check_sides};
use half::f16;
use tarsus_render::{TexelFormat, Texels};

/// Maximum size of a decoded image in bytes.
const MAX_IMAGE_BYTES: u64 = 1 << 30;
/// The largest finite half float.
const MAX_HALF: f32 = 65504.0;

/// Decodes an image of at most `limit` pixels per side and applies its orientation tag. The
/// result has red, green, blue and alpha, as bytes or, if the components have more than 8 bits,
/// as floats. With `is_srgb`, 16-bit components are converted to linear light; 8-bit ones are
/// left to the texture format, and floats are already linear.
///
/// # Errors
/// Returns a [`MediaError`] if it is not an image, too large or damaged.
pub(super) fn decode(bytes: &[u8], limit: u32, is_srgb: bool) -> Result<DynamicImage, MediaError> {
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(MediaError::damaged)?;
    if reader.format().is_none() && is_targa(bytes) {
        reader.set_format(ImageFormat::Tga);
    }
    let image = decode_upright(reader, limit)?;
    let color = image.color();
    if !has_high_depth(color) {
        return Ok(image.into_rgba8().into());
    }
    let mut floats = image.into_rgba32f();
    if is_srgb && !is_float(color) {
        to_linear(&mut floats);
    }
    Ok(floats.into())
}

/// Decodes an image and applies its orientation tag.
fn decode_upright(
    mut reader: ImageReader<Cursor<&[u8]>>,
    limit: u32,
) -> Result<DynamicImage, MediaError> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_IMAGE_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(explain)?;
    let (width, height) = decoder.dimensions();
    check_sides(width, height, limit)?;
    if width == 0 || height == 0 {
        return Err(MediaError::invalid("it has no pixels"));
    }
    check_memory(width, height, decoder.total_bytes(), MAX_IMAGE_BYTES)?;
    let bytes_per_value = if has_high_depth(decoder.color_type()) { 16 } else { 4 };
    let pixels = u64::from(width) * u64::from(height);
    check_memory(width, height, pixels * bytes_per_value, MAX_IMAGE_BYTES)?;
    // A damaged orientation tag does not make the image unusable.
    let orientation = decoder.orientation();
    let mut image = DynamicImage::from_decoder(decoder).map_err(explain)?;
    if let Ok(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    Ok(image)
}

/// Targa files have no signature at the start. Version 2 files end with one; for others,
/// image type and pixel depth must be valid.
fn is_targa(bytes: &[u8]) -> bool {
    if bytes.ends_with(b"TRUEVISION-XFILE.\0") {
        return true;
    }
    let Some(head) = bytes.get(..18) else {
        return false;
    };
    let is_type = matches!(head[2], 1 | 2 | 3 | 9 | 10 | 11) && head[1] <= 1;
    is_type && matches!(head[16], 8 | 15 | 16 | 24 | 32)
}

fn explain(error: ImageError) -> MediaError {
    match error {
        ImageError::Unsupported(unsupported)
            if matches!(unsupported.format_hint(), ImageFormatHint::Unknown) =>
        {
            MediaError::invalid("unknown image format")
        }
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            MediaError::invalid("it ends in the middle of the image")
        }
        error => MediaError::damaged(error),
    }
}

/// True if components have more than 8 bits.
fn has_high_depth(color: ColorType) -> bool {
    color.bytes_per_pixel() > color.channel_count()
}

fn is_float(color: ColorType) -> bool {
    matches!(color, ColorType::Rgb32F | ColorType::Rgba32F)
}

/// Converts colours from sRGB to linear; alpha is unchanged.
fn to_linear(floats: &mut [f32]) {
    let (pixels, _) = floats.as_chunks_mut::<4>();
    for value in pixels.iter_mut().flat_map(|pixel| &mut pixel[..3]) {
        *value = if *value <= 0.04045 {
            *value / 12.92
        } else {
            libm::powf((*value + 0.055) / 1.055, 2.4)
        };
    }
}

/// Converts a decoded image to texels with `layers` layers, which are stacked vertically in it.
pub(super) fn into_texels(image: DynamicImage, layers: u32) -> Texels {
    let size = [image.width(), image.height() / layers, layers];
    let (format, bytes) = match image {
        DynamicImage::ImageRgba32F(floats) => (TexelFormat::RgbaHalf, to_half_bytes(&floats)),
        image => (TexelFormat::Rgba8, image.into_rgba8().into_raw()),
    };
    Texels { size, format, bytes }
}

/// Converts to little-endian half floats. Values out of range are clamped and NaN becomes
/// 0, so that shaders get only finite numbers.
pub(super) fn to_half_bytes(floats: &[f32]) -> Vec<u8> {
    let finite = |value: f32| {
        if value.is_nan() { 0.0 } else { value.clamp(-MAX_HALF, MAX_HALF) }
    };
    let halves = floats.iter().map(|&value| f16::from_f32(finite(value)));
    halves.flat_map(f16::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{ImageBuffer, Luma, Rgb, Rgba};

    fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).expect("encoded");
        bytes.into_inner()
    }

    fn message(bytes: &[u8]) -> String {
        let error = decode(bytes, 64, false).expect_err("rejected").to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    }

    /// 3x2 pixels, each with a different colour.
    fn sample() -> DynamicImage {
        let pixel = |x: u32, y: u32| Rgb([40 * x as u8, 100 * y as u8, 7]);
        DynamicImage::ImageRgb8(ImageBuffer::from_fn(3, 2, pixel))
    }

    #[test]
    fn lossless_formats_decode_exactly() {
        use ImageFormat::{Bmp, Farbfeld, Gif, Ico, Png, Pnm, Qoi, Tga, Tiff, WebP};
        let expected: Vec<u8> = sample().into_rgba8().into_raw();
        for format in [Bmp, Ico, Png, Pnm, Qoi, Tga, Tiff, WebP, Gif, Farbfeld] {
            let image = match format {
                Ico | Gif => DynamicImage::ImageRgba8(sample().into_rgba8()),
                Farbfeld => DynamicImage::ImageRgba16(sample().into_rgba16()),
                _ => sample(),
            };
            let image = decode(&encoded(&image, format), 64, false).expect("an image");
            assert_eq!((image.width(), image.height()), (3, 2), "{format:?}");
            assert_eq!(image.into_rgba8().into_raw(), expected, "{format:?}");
        }
    }

    #[test]
    fn grey_image_has_equal_components() {
        let grey = DynamicImage::ImageLuma8(ImageBuffer::from_pixel(1, 1, Luma([90])));
        let image = decode(&encoded(&grey, ImageFormat::Png), 64, false).expect("an image");
        assert_eq!(image.as_bytes(), [90, 90, 90, 255]);
    }

    #[test]
    fn deep_images_keep_their_range() {
        let color = [0.25, 1.5, 1000.0];
        let sun = ImageBuffer::from_pixel(2, 1, Rgb(color));
        for format in [ImageFormat::Hdr, ImageFormat::OpenExr] {
            let image = DynamicImage::ImageRgb32F(sun.clone());
            let image = decode(&encoded(&image, format), 64, true).expect("an image");
            let floats = image.as_rgba32f().expect("it is deep");
            for (found, expected) in floats.iter().zip([0.25, 1.5, 1000.0, 1.0]) {
                // Radiance's shared exponent leaves 8 bits for the largest component.
                let tolerance = if format == ImageFormat::Hdr { 4.0 } else { 0.0 };
                assert!((found - expected).abs() <= tolerance, "{format:?} {floats:?}");
            }
        }
        let half = DynamicImage::ImageRgb16(ImageBuffer::from_pixel(1, 1, Rgb([0x8000u16; 3])));
        let png = encoded(&half, ImageFormat::Png);
        let first = |is_srgb| {
            let image = decode(&png, 64, is_srgb).expect("an image");
            image.as_rgba32f().expect("16 bits are deep").as_raw()[0]
        };
        assert!((first(false) - 0.5).abs() < 1e-4);
        // Half of sRGB is 0.214 in linear light.
        assert!((first(true) - 0.2140).abs() < 1e-3);
    }

    #[test]
    fn exif_orientation_is_applied() {
        let mut jpeg = encoded(&sample(), ImageFormat::Jpeg);
        // Orientation 6: the top of the scene is on the right side of the rows.
        let exif: &[u8] = b"\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        assert_eq!(exif.len(), 0x22 + 2);
        jpeg.splice(2..2, exif.iter().copied());
        let image = decode(&jpeg, 64, false).expect("an image");
        assert_eq!((image.width(), image.height()), (2, 3));
        let bytes = image.as_rgba8().expect("8 bits").as_raw();
        // The lower-left pixel moves to the upper left; its green is 100.
        assert!(bytes[1] > 60 && bytes[5] < 40, "{bytes:?}");
    }

    #[test]
    fn huge_image_rejected_before_allocation() {
        let mut png = encoded(&sample(), ImageFormat::Png);
        png[16..24].copy_from_slice(&[0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40]);
        let check = crc(&png[12..29]);
        png[29..33].copy_from_slice(&check.to_be_bytes());
        assert_eq!(message(&png), "it has 40000x40000 pixels: the limit is 64 per side");
        let error = decode(&png, 65536, false).expect_err("rejected").to_string();
        assert_eq!(error, "its 40000x40000 pixels need 4577 MiB of memory: the limit is 1024");
    }

    /// The CRC of a PNG chunk.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| {
                (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
            })
        })
    }

    #[test]
    fn invalid_image_error_is_one_sentence() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tiff] {
            let whole = encoded(&sample(), format);
            for length in [whole.len() / 2, 20] {
                message(&whole[..length]);
            }
        }
        assert_eq!(message(b"fn main_image"), "unknown image format");
        let mut state = 1u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(4096)
        .collect();
        message(&noise);
    }

    #[test]
    fn unsupported_kind_names_its_format() {
        let mut palette = encoded(&sample(), ImageFormat::Tiff);
        // The photometric interpretation, 262, is 2 for RGB and 3 for a palette.
        let tag = [262u16, 3].map(u16::to_le_bytes).concat();
        let at = palette.windows(4).position(|bytes| bytes == tag).expect("a tag");
        palette[at + 8] = 3;
        let error = message(&palette);
        assert!(
            error.starts_with("it cannot be decoded: The decoder for Tiff does not"),
            "{error}"
        );
        // The header of an uncompressed file: its size, then the pixel format's at 76, whose
        // flag for RGB is 0x40.
        let mut dds = [0; 128];
        dds[..4].copy_from_slice(b"DDS ");
        for (at, value) in [(4, 124), (8, 0x1007), (12, 1), (16, 1), (76, 32), (80, 0x40)] {
            dds[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
        }
        assert_eq!(message(&dds), "it cannot be decoded: The image format `DDS` is not supported");
    }

    #[test]
    fn halves_are_finite() {
        let floats = [0.5, f32::INFINITY, -1e9, f32::NAN];
        let expected = [0x3800u16, 0x7bff, 0xfbff, 0];
        let expected: Vec<u8> = expected.into_iter().flat_map(u16::to_le_bytes).collect();
        assert_eq!(to_half_bytes(&floats), expected);
    }

    #[test]
    fn transparent_pixels_keep_their_alpha() {
        let glass = DynamicImage::ImageRgba8(ImageBuffer::from_pixel(1, 1, Rgba([1, 2, 3, 4])));
        let image = decode(&encoded(&glass, ImageFormat::Png), 64, false).expect("an image");
        assert_eq!(image.as_bytes(), [1, 2, 3, 4]);
    }
}
