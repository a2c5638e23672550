//! Volumes: Shadertoy's own files, and images with vertically stacked slices.
//!
//! Layout of a Shadertoy volume file, little-endian: the bytes `BIN\0`; width, height and
//! depth as 32-bit integers; component count and layout as bytes; component format as a
//! 16-bit integer, 0 for bytes and 10 for 32-bit floats; then the voxels, x fastest and z
//! slowest.

use super::error::MediaError;
use super::image_file::{into_texels, to_half_bytes};
use image::DynamicImage;
use tarsus_render::{TexelFormat, Texels, volume_depth};
use tarsus_shader::ChannelShape;

const SIGNATURE: &[u8] = b"BIN\0";
const HEADER_BYTES: usize = 20;
/// Maximum size of the voxels in bytes.
const MAX_VOXEL_BYTES: u64 = 1 << 30;

/// True for a Shadertoy volume file.
pub(super) fn is_shadertoy(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// Reads a Shadertoy volume of at most `limit` voxels per side. The first row is at v = 0.
/// Missing components are 0, a missing alpha is 1.
///
/// # Errors
/// Returns a [`MediaError`] if the file is truncated, too large or of an unsupported
/// format.
pub(super) fn from_shadertoy(bytes: &[u8], limit: u32) -> Result<Texels, MediaError> {
    let (header, voxels) = bytes
        .split_at_checked(HEADER_BYTES)
        .ok_or_else(|| MediaError::invalid("it ends within its first 20 bytes"))?;
    let number = |at: usize| {
        u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    let size = [number(4), number(8), number(12)];
    let components = usize::from(header[16]);
    let format = u16::from_le_bytes([header[18], header[19]]);
    check_size(size, limit)?;
    let component_bytes = match format {
        0 => 1,
        10 => 4,
        _ => {
            return Err(MediaError::invalid(format!(
                "its components are of format {format}: expected 0 (bytes) or 10 (floats)"
            )));
        }
    };
    if !(1..=4).contains(&components) {
        return Err(MediaError::invalid(format!(
            "its voxels have {components} components: expected 1 to 4"
        )));
    }
    let count = size.iter().map(|&side| side as usize).product::<usize>();
    let expected = count * components * component_bytes;
    let voxels = voxels.get(..expected).ok_or_else(|| {
        let [x, y, z] = size;
        let have = voxels.len();
        MediaError::invalid(format!(
            "it ends after {have} of the {expected} bytes of its {x}x{y}x{z} voxels"
        ))
    })?;
    let (format, bytes) = match (component_bytes, components) {
        (1, 1) => (TexelFormat::Grey8, voxels.to_vec()),
        (1, _) => (TexelFormat::Rgba8, spread(voxels, components, 255)),
        _ => {
            let floats: Vec<f32> =
                voxels.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
            (TexelFormat::RgbaHalf, to_half_bytes(&spread(&floats, components, 1.0)))
        }
    };
    Ok(Texels { size, format, bytes })
}

/// Expands voxels to four components: missing ones are 0, a missing alpha is `opaque`.
fn spread<T: Copy + Default>(values: &[T], components: usize, opaque: T) -> Vec<T> {
    let voxel = |given: &[T]| {
        let mut voxel = [T::default(), T::default(), T::default(), opaque];
        voxel[..components].copy_from_slice(given);
        voxel
    };
    values.chunks_exact(components).flat_map(voxel).collect()
}

/// Makes a volume from an image of square slices stacked vertically, first slice at the
/// top. The last row of a slice is at v = 0; with `is_flipped`, the first row is.
///
/// # Errors
/// Returns a [`MediaError`] if the height is not a multiple of the width, or too large.
pub(super) fn from_slices(
    image: DynamicImage,
    is_flipped: bool,
    limit: u32,
) -> Result<Texels, MediaError> {
    let (width, height) = (image.width(), image.height());
    let depth = volume_depth(width, height).map_err(MediaError::invalid)?;
    check_size([width, width, depth], limit)?;
    let mut texels = into_texels(image, depth);
    if !is_flipped {
        texels.flip(ChannelShape::Volume);
    }
    Ok(texels)
}

fn check_size(size: [u32; 3], limit: u32) -> Result<(), MediaError> {
    let [x, y, z] = size;
    let invalid =
        |reason: String| Err(MediaError::invalid(format!("it has {x}x{y}x{z} voxels: {reason}")));
    if size.contains(&0) {
        return invalid("every side has at least one".to_owned());
    }
    if size.iter().any(|&side| side > limit) {
        return invalid(format!("the limit is {limit} per side"));
    }
    let bytes = size.iter().map(|&side| u64::from(side)).product::<u64>() * 4;
    if bytes > MAX_VOXEL_BYTES {
        let (bytes, limit) = (bytes >> 20, MAX_VOXEL_BYTES >> 20);
        return invalid(format!(
            "they need {bytes} MiB of memory, more than the limit of {limit} MiB"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::RgbaImage;

    fn file(size: [u32; 3], components: u8, format: u16, voxels: &[u8]) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend(size.iter().flat_map(|side| side.to_le_bytes()));
        bytes.extend([components, 0]);
        bytes.extend(format.to_le_bytes());
        bytes.extend(voxels);
        bytes
    }

    fn message(bytes: &[u8]) -> String {
        from_shadertoy(bytes, 64).expect_err("rejected").to_string()
    }

    #[test]
    fn shadertoy_volume_keeps_voxel_order() {
        let grey = file([2, 1, 2], 1, 0, &[1, 2, 3, 4]);
        assert!(is_shadertoy(&grey));
        let volume = from_shadertoy(&grey, 64).expect("a volume");
        assert_eq!((volume.size, volume.format), ([2, 1, 2], TexelFormat::Grey8));
        assert_eq!(volume.bytes, [1, 2, 3, 4]);
        let two = from_shadertoy(&file([1, 1, 2], 2, 0, &[1, 2, 3, 4]), 64).expect("a volume");
        assert_eq!(two.bytes, [1, 2, 0, 255, 3, 4, 0, 255]);
        let floats: Vec<u8> = [0.5f32, -2.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let deep = from_shadertoy(&file([2, 1, 1], 1, 10, &floats), 64).expect("a volume");
        assert_eq!(deep.format, TexelFormat::RgbaHalf);
        assert_eq!(deep.bytes, to_half_bytes(&[0.5, 0.0, 0.0, 1.0, -2.0, 0.0, 0.0, 1.0]));
    }

    #[test]
    fn damaged_volume_error_is_one_sentence() {
        let voxels = [0; 8];
        assert_eq!(message(b"BIN\0\x01"), "it ends within its first 20 bytes");
        assert_eq!(
            message(&file([2, 2, 2], 1, 0, &voxels[..7])),
            "it ends after 7 of the 8 bytes of its 2x2x2 voxels"
        );
        assert!(message(&file([2, 2, 2], 1, 7, &voxels)).contains("format 7"));
        assert!(message(&file([2, 2, 2], 5, 0, &voxels)).contains("5 components"));
        assert!(message(&file([2, 0, 2], 1, 0, &voxels)).contains("at least one"));
        assert!(message(&file([65, 1, 1], 1, 0, &voxels)).contains("the limit is 64 per side"));
        let huge = file([u32::MAX; 3], 4, 10, &voxels);
        assert!(message(&huge).contains("the limit is 64 per side"));
        let error = from_shadertoy(&file([2048; 3], 1, 0, &voxels), 2048).expect_err("rejected");
        assert!(error.to_string().contains("32768 MiB"), "{error}");
    }

    #[test]
    fn slices_are_upright_and_ordered_downwards() {
        // Two slices of 2x2; red is the pixel index.
        let pixels = (0..8).flat_map(|at| [at, 0, 0, 255]).collect();
        let image = DynamicImage::from(RgbaImage::from_raw(2, 4, pixels).expect("8 pixels"));
        let reds = |is_flipped| {
            let volume = from_slices(image.clone(), is_flipped, 64).expect("a volume");
            assert_eq!(volume.size, [2, 2, 2]);
            volume.bytes.iter().step_by(4).copied().collect::<Vec<u8>>()
        };
        assert_eq!(reds(true), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(reds(false), [2, 3, 0, 1, 6, 7, 4, 5]);
        let error = from_slices(image.crop_imm(0, 0, 2, 1), false, 64);
        assert!(error.expect_err("rejected").to_string().contains("2x1 pixels"));
        let error = from_slices(image, false, 1).expect_err("rejected");
        assert!(error.to_string().contains("2x2x2 voxels: the limit is 1 per side"));
    }
}
