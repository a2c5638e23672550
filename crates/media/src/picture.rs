//! Picture files, decoded by `image`.

use std::io::Cursor;

use image::{ColorType, DynamicImage, ImageDecoder as _, ImageError, ImageReader, Limits};

use super::error::{MediaError, check_memory};
use tarsus_render::{TexelFormat, Texels, flip_rows, float_to_half};

/// Most bytes of a decoded picture.
const MOST_MEMORY: u64 = 1 << 30;
/// The largest half float.
const MOST_HALF: f32 = 65504.0;

/// A decoded picture: red, green, blue and alpha of every pixel, rows from top to
/// bottom.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    /// Pixels per row.
    pub(super) width: u32,
    /// Number of rows.
    pub(super) height: u32,
    /// Its pixels.
    pub(super) values: Values,
}

/// Four values for each pixel.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    /// From 0 to 255.
    Bytes(Vec<u8>),
    /// From 0 to 1, or beyond where the file has a range of its own.
    Floats(Vec<f32>),
}

/// Decodes a picture of at most `limit` pixels per side. It stands as its file says
/// that it was taken. With `is_srgb` components of 16 bits come out in linear light;
/// those of 8 bits are left to the texture, and floats are linear already.
///
/// # Errors
/// [`MediaError`] when it is no picture, too large, or damaged.
pub(super) fn decode(bytes: &[u8], limit: u32, is_srgb: bool) -> Result<Picture, MediaError> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    if reader.format().is_none() && is_targa(bytes) {
        reader.set_format(image::ImageFormat::Tga);
    }
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(explain)?;
    let (width, height) = decoder.dimensions();
    if width > limit || height > limit {
        return Err(MediaError::TooLarge {
            width,
            height,
            limit,
        });
    }
    if width == 0 || height == 0 {
        return Err(MediaError::invalid("it has no pixels"));
    }
    check_memory(width, height, decoder.total_bytes(), MOST_MEMORY)?;
    let color = decoder.color_type();
    let bytes_per_value = if is_deep(color) { 16 } else { 4 };
    let pixels = u64::from(width) * u64::from(height);
    check_memory(width, height, pixels * bytes_per_value, MOST_MEMORY)?;
    // A picture with damaged notes on how it was taken is still a picture.
    let orientation = decoder.orientation();
    let mut image = DynamicImage::from_decoder(decoder).map_err(explain)?;
    if let Ok(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    let (width, height) = (image.width(), image.height());
    let values = if is_deep(color) {
        let mut floats = image.into_rgba32f().into_raw();
        if is_srgb && !is_float(color) {
            to_linear(&mut floats);
        }
        Values::Floats(floats)
    } else {
        Values::Bytes(image.into_rgba8().into_raw())
    };
    Ok(Picture {
        width,
        height,
        values,
    })
}

/// Targa files do not begin with a mark. Those of version 2 end with one; for the
/// others, the type and the depth of the pixels have to be some that exist.
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
        ImageError::Unsupported(unsupported) => match unsupported.format_hint() {
            image::error::ImageFormatHint::Unknown => {
                MediaError::invalid("it is no picture of a known format")
            }
            _ => MediaError::damaged(unsupported),
        },
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            MediaError::invalid("it ends in the middle of the picture")
        }
        error => MediaError::damaged(error),
    }
}

/// True if its components have more than 8 bits.
fn is_deep(color: ColorType) -> bool {
    color.bytes_per_pixel() > color.channel_count()
}

fn is_float(color: ColorType) -> bool {
    matches!(color, ColorType::Rgb32F | ColorType::Rgba32F)
}

/// Decodes colours from sRGB; alpha stays.
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

impl Picture {
    /// Turns it upside down.
    pub(super) fn flip(&mut self) {
        let row = 4 * self.width as usize;
        match &mut self.values {
            Values::Bytes(bytes) => flip_rows(bytes, row),
            Values::Floats(floats) => flip_rows(floats, row),
        }
    }

    /// Its rows from the first to the last, as texels of `layers` layers that stand
    /// one below the other.
    pub(super) fn into_texels(self, layers: u32) -> Texels {
        let (format, bytes) = match self.values {
            Values::Bytes(bytes) => (TexelFormat::Rgba8, bytes),
            Values::Floats(floats) => (TexelFormat::RgbaHalf, halves(&floats)),
        };
        Texels {
            size: [self.width, self.height / layers, layers],
            format,
            bytes,
        }
    }
}

/// Half floats, the lower byte first. What is beyond their range becomes the end
/// of it, and what is no number 0: shaders get finite numbers.
pub(super) fn halves(floats: &[f32]) -> Vec<u8> {
    let finite = |value: f32| {
        if value.is_nan() {
            0.0
        } else {
            value.clamp(-MOST_HALF, MOST_HALF)
        }
    };
    let halves = floats.iter().map(|&value| float_to_half(finite(value)));
    halves.flat_map(u16::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{ImageBuffer, ImageFormat, Luma, Rgb, Rgba};

    fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).expect("encoded");
        bytes.into_inner()
    }

    fn said(bytes: &[u8]) -> String {
        let error = decode(bytes, 64, false).expect_err("refused").to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    }

    /// Three by two pixels, each of its own colour.
    fn sample() -> DynamicImage {
        let pixel = |x: u32, y: u32| Rgb([40 * x as u8, 100 * y as u8, 7]);
        DynamicImage::ImageRgb8(ImageBuffer::from_fn(3, 2, pixel))
    }

    #[test]
    fn formats_without_loss_give_their_pixels() {
        use ImageFormat::{Bmp, Farbfeld, Gif, Ico, Png, Pnm, Qoi, Tga, Tiff, WebP};
        let expected: Vec<u8> = sample().into_rgba8().into_raw();
        for format in [Bmp, Ico, Png, Pnm, Qoi, Tga, Tiff, WebP, Gif, Farbfeld] {
            let image = match format {
                Ico | Gif => DynamicImage::ImageRgba8(sample().into_rgba8()),
                Farbfeld => DynamicImage::ImageRgba16(sample().into_rgba16()),
                _ => sample(),
            };
            let picture = decode(&encoded(&image, format), 64, false).expect("a picture");
            assert_eq!((picture.width, picture.height), (3, 2), "{format:?}");
            match picture.values {
                Values::Bytes(bytes) => assert_eq!(bytes, expected, "{format:?}"),
                Values::Floats(floats) => {
                    let bytes: Vec<u8> = floats.iter().map(|v| (v * 255.0).round() as u8).collect();
                    assert_eq!(bytes, expected, "{format:?}");
                }
            }
        }
    }

    #[test]
    fn grey_pictures_are_grey_in_every_component() {
        let grey = DynamicImage::ImageLuma8(ImageBuffer::from_pixel(1, 1, Luma([90])));
        let picture = decode(&encoded(&grey, ImageFormat::Png), 64, false).expect("a picture");
        assert_eq!(picture.values, Values::Bytes(vec![90, 90, 90, 255]));
    }

    #[test]
    fn deep_pictures_keep_their_range() {
        let color = [0.25, 1.5, 1000.0];
        let sun = ImageBuffer::from_pixel(2, 1, Rgb(color));
        for format in [ImageFormat::Hdr, ImageFormat::OpenExr] {
            let image = DynamicImage::ImageRgb32F(sun.clone());
            let picture = decode(&encoded(&image, format), 64, true).expect("a picture");
            let Values::Floats(floats) = picture.values else {
                panic!("{format:?} is deep");
            };
            for (found, expected) in floats.iter().zip([0.25, 1.5, 1000.0, 1.0]) {
                // Radiance's shared exponent leaves 8 bits to the largest component.
                let tolerance = if format == ImageFormat::Hdr { 4.0 } else { 0.0 };
                assert!(
                    (found - expected).abs() <= tolerance,
                    "{format:?} {floats:?}"
                );
            }
        }
        let half = DynamicImage::ImageRgb16(ImageBuffer::from_pixel(1, 1, Rgb([0x8000u16; 3])));
        let png = encoded(&half, ImageFormat::Png);
        let first = |is_srgb| match decode(&png, 64, is_srgb).expect("a picture").values {
            Values::Floats(floats) => floats[0],
            Values::Bytes(_) => panic!("16 bits are deep"),
        };
        assert!((first(false) - 0.5).abs() < 1e-4);
        // 0.214 is half of sRGB in linear light.
        assert!((first(true) - 0.2140).abs() < 1e-3);
    }

    #[test]
    fn a_photograph_stands_as_it_was_taken() {
        let mut jpeg = encoded(&sample(), ImageFormat::Jpeg);
        // Orientation 6: the top of the scene is at the right of the rows.
        let exif: &[u8] = b"\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        assert_eq!(exif.len(), 0x22 + 2);
        jpeg.splice(2..2, exif.iter().copied());
        let picture = decode(&jpeg, 64, false).expect("a picture");
        assert_eq!((picture.width, picture.height), (2, 3));
        let Values::Bytes(bytes) = picture.values else {
            panic!("8 bits");
        };
        // What was at the lower left is at the upper left; green is 100 there.
        assert!(bytes[1] > 60 && bytes[5] < 40, "{bytes:?}");
    }

    #[test]
    fn a_huge_picture_is_refused_before_memory_is_taken() {
        let mut png = encoded(&sample(), ImageFormat::Png);
        png[16..24].copy_from_slice(&[0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40]);
        let check = crc(&png[12..29]);
        png[29..33].copy_from_slice(&check.to_be_bytes());
        assert_eq!(
            said(&png),
            "it has 40000x40000 pixels: at most 64 per side fit"
        );
        let error = decode(&png, 65536, false).expect_err("refused").to_string();
        assert_eq!(
            error,
            "its 40000x40000 pixels need 4577 MiB of memory: at most 1024 fit"
        );
    }

    /// The check sum of a chunk of PNG.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| {
                (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
            })
        })
    }

    #[test]
    fn what_is_no_whole_picture_is_told_in_a_sentence() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tiff] {
            let whole = encoded(&sample(), format);
            for length in [whole.len() / 2, 20] {
                said(&whole[..length]);
            }
        }
        assert_eq!(said(b"fn main_image"), "it is no picture of a known format");
        let mut state = 1u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(4096)
        .collect();
        said(&noise);
    }

    #[test]
    fn rows_turn_round() {
        let mut odd = [1, 2, 3, 4, 5, 6];
        flip_rows(&mut odd, 2);
        assert_eq!(odd, [5, 6, 3, 4, 1, 2]);
        let mut even = [1, 2, 3, 4];
        flip_rows(&mut even, 1);
        assert_eq!(even, [4, 3, 2, 1]);
    }

    #[test]
    fn halves_are_finite() {
        let floats = [0.5, f32::INFINITY, -1e9, f32::NAN];
        let expected = [0x3800u16, 0x7bff, 0xfbff, 0];
        let expected: Vec<u8> = expected.into_iter().flat_map(u16::to_le_bytes).collect();
        assert_eq!(halves(&floats), expected);
    }

    #[test]
    fn transparent_pixels_keep_their_alpha() {
        let glass = DynamicImage::ImageRgba8(ImageBuffer::from_pixel(1, 1, Rgba([1, 2, 3, 4])));
        let picture = decode(&encoded(&glass, ImageFormat::Png), 64, false).expect("a picture");
        assert_eq!(picture.values, Values::Bytes(vec![1, 2, 3, 4]));
    }
}
