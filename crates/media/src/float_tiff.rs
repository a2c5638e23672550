//! TIFF files with one 32-bit float per pixel, such as height maps, which `image` rejects.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer};
use tiff::ColorType;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;

use super::error::{MediaError, check_memory, check_sides};

/// Decodes a file with at most `limit` pixels per side and `max_bytes` of pixels; `None` if
/// it is not of this kind. Red, green and blue are equal.
///
/// # Errors
/// Returns a [`MediaError`] if it is too large or damaged.
pub(super) fn decode(
    bytes: &[u8],
    limit: u32,
    max_bytes: u64,
) -> Result<Option<DynamicImage>, MediaError> {
    let Ok(decoder) = Decoder::new(Cursor::new(bytes)) else {
        return Ok(None);
    };
    let mut limits = Limits::default();
    limits.decoding_buffer_size = max_bytes as usize;
    let mut decoder = decoder.with_limits(limits);
    if !matches!(decoder.colortype(), Ok(ColorType::Gray(32))) {
        return Ok(None);
    }
    let (width, height) = decoder.dimensions().map_err(MediaError::damaged)?;
    check_sides(width, height, limit)?;
    check_memory(width, height, 16 * u64::from(width) * u64::from(height), max_bytes)?;
    let DecodingResult::F32(values) = decoder.read_image().map_err(MediaError::damaged)? else {
        return Ok(None);
    };
    let pixels = values.iter().flat_map(|&value| [value, value, value, 1.0]).collect();
    let Some(pixels) = ImageBuffer::from_raw(width, height, pixels) else {
        return Err(MediaError::damaged("its pixels are incomplete"));
    };
    let mut image = DynamicImage::ImageRgba32F(pixels);
    // A damaged orientation tag does not make the image unusable.
    let orientation = decoder.get_tag_unsigned(Tag::Orientation).ok();
    if let Some(orientation) = orientation.and_then(Orientation::from_exif) {
        image.apply_orientation(orientation);
    }
    Ok(Some(image))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiff::encoder::{TiffEncoder, colortype};

    /// 3x2 pixels, turned by 90 degrees.
    fn encoded<C: colortype::ColorType>(values: &[C::Inner]) -> Vec<u8>
    where
        [C::Inner]: tiff::encoder::TiffValue,
    {
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut bytes).expect("an encoder");
        let mut image = encoder.new_image::<C>(3, 2).expect("an image");
        image.encoder().write_tag(Tag::Orientation, 6u16).expect("a tag");
        image.write_data(values).expect("encoded");
        bytes.into_inner()
    }

    #[test]
    fn heights_keep_their_range() {
        let file = encoded::<colortype::Gray32Float>(&[-12.5, 0.25, 3.0, 4.0, 5.0, 4000.0]);
        let image = decode(&file, 64, 1 << 20).expect("decoded").expect("a height map");
        assert_eq!((image.width(), image.height()), (2, 3));
        let pixels = image.into_rgba32f();
        let heights: Vec<f32> = pixels.pixels().map(|pixel| pixel[1]).collect();
        assert_eq!(heights, [4.0, -12.5, 5.0, 0.25, 4000.0, 3.0]);
        assert_eq!(pixels[(0, 0)].0, [4.0, 4.0, 4.0, 1.0]);
    }

    #[test]
    fn other_files_are_left_to_image() {
        let file = encoded::<colortype::Gray32>(&[1, 2, 3, 4, 5, 6]);
        assert_eq!(decode(&file, 64, 1 << 20).expect("decoded"), None);
        let file = encoded::<colortype::Gray8>(&[1, 2, 3, 4, 5, 6]);
        assert_eq!(decode(&file, 64, 1 << 20).expect("decoded"), None);
        assert_eq!(decode(b"II*\0", 64, 1 << 20).expect("decoded"), None);
    }

    #[test]
    fn invalid_heights_are_rejected() {
        let file = encoded::<colortype::Gray32Float>(&[0.0; 6]);
        let message = |bytes: &[u8], limit, max_bytes| {
            decode(bytes, limit, max_bytes).expect_err("rejected").to_string()
        };
        assert_eq!(message(&file, 2, 1 << 20), "it has 3x2 pixels: the limit is 2 per side");
        assert!(message(&file, 64, 95).contains("MiB of memory"));
    }
}
