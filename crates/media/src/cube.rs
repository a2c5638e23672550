//! Cube maps from six images or one equirectangular image.
//!
//! Faces are in WebGPU's order, +x -x +y -y +z -z, and in WebGPU's orientation: seen from
//! the centre of the cube, with +y up on the four side faces and the first row at the top.
//!
//! The centre of an equirectangular image is in direction -z, where an unrotated camera
//! looks; +x is to its right and +y at its top.

use std::f32::consts::PI;
use std::thread;

use super::error::MediaError;
use super::image_file::{into_texels, to_half_bytes};
use image::DynamicImage;
use image::metadata::Orientation;
use tarsus_render::{TexelFormat, Texels};
use tarsus_shader::ChannelShape;

/// Checks that a face is square and as large as the first one.
///
/// # Errors
/// Returns a [`MediaError`] if it is not.
pub(super) fn check_face(face: &DynamicImage, first: &DynamicImage) -> Result<(), MediaError> {
    let (width, height, side) = (face.width(), face.height(), first.width());
    if width != height {
        return Err(MediaError::invalid(format!(
            "it has {width}x{height} pixels: a face of a cube must be square"
        )));
    }
    if width != side {
        return Err(MediaError::invalid(format!(
            "it has {width}x{height} pixels and the first face {side}x{side}: the six faces of \
             a cube must have the same size"
        )));
    }
    Ok(())
}

/// Checks that an equirectangular image is twice as wide as high.
///
/// # Errors
/// Returns a [`MediaError`] if it is not.
pub(super) fn check_equirectangular(image: &DynamicImage) -> Result<(), MediaError> {
    let (width, height) = (image.width(), image.height());
    if width != 2 * height || height < 2 {
        return Err(MediaError::invalid(format!(
            "it has {width}x{height} pixels: an equirectangular image must be twice as wide as \
             high"
        )));
    }
    Ok(())
}

/// A cube map from six images that [`check_face`] accepts. With `is_flipped`, +y becomes -y.
pub(super) fn from_faces(faces: Vec<DynamicImage>, is_flipped: bool) -> Texels {
    let is_deep = |face: &DynamicImage| matches!(face, DynamicImage::ImageRgba32F(_));
    let has_floats = faces.iter().any(is_deep);
    let format = if has_floats { TexelFormat::RgbaHalf } else { TexelFormat::Rgba8 };
    let side = faces.first().map_or(0, DynamicImage::width);
    let mut cube = Texels { size: [side, side, 6], format, bytes: Vec::new() };
    for face in faces {
        let face = if has_floats { face.into_rgba32f().into() } else { face };
        cube.bytes.extend(into_texels(face, 1).bytes);
    }
    if is_flipped {
        cube.flip(ChannelShape::Cube);
    }
    cube
}

/// A cube map from an image that [`check_equirectangular`] accepts. A face has half its
/// height. With `is_flipped`, +y becomes -y.
pub(super) fn from_equirectangular(mut image: DynamicImage, is_flipped: bool) -> Texels {
    if is_flipped {
        image.apply_orientation(Orientation::FlipVertical);
    }
    let size = (image.width(), image.height());
    let (format, bytes) = match image {
        DynamicImage::ImageRgba32F(image) => {
            let values = faces(size, |x, y| image.get_pixel(x, y).0);
            (TexelFormat::RgbaHalf, to_half_bytes(&values))
        }
        image => {
            let image = image.into_rgba8();
            let values = faces(size, |x, y| image.get_pixel(x, y).0.map(f32::from));
            (TexelFormat::Rgba8, values.iter().map(|value| value.round() as u8).collect())
        }
    };
    let side = size.1 / 2;
    Texels { size: [side, side, 6], format, bytes }
}

/// The values of the six faces of an equirectangular image of this size, concatenated. `pixel`
/// reads the image.
fn faces(size: (u32, u32), pixel: impl Fn(u32, u32) -> [f32; 4] + Sync) -> Vec<f32> {
    let side = size.1 / 2;
    let mut values = vec![0.0; 6 * 4 * side as usize * side as usize];
    let face_values = values.len() / 6;
    let pixel = &pixel;
    thread::scope(|scope| {
        for (face, values) in values.chunks_exact_mut(face_values).enumerate() {
            scope.spawn(move || {
                for (at, texel) in values.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    let place = |i: u32| (2 * i + 1) as f32 / side as f32 - 1.0;
                    let (x, y) = (at as u32 % side, at as u32 / side);
                    *texel = sample(size, pixel, direction(face, place(x), place(y)));
                }
            });
        }
    });
    values
}

/// The direction through a point of a face, with s to the right and t downwards from -1 to
/// 1.
fn direction(face: usize, s: f32, t: f32) -> [f32; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// The value of an equirectangular image of this size in a direction, bilinearly interpolated.
fn sample(
    (width, height): (u32, u32),
    pixel: impl Fn(u32, u32) -> [f32; 4],
    [x, y, z]: [f32; 3],
) -> [f32; 4] {
    // libm gives the same texels on all machines.
    let longitude = libm::atan2f(x, -z);
    let from_zenith = libm::atan2f(libm::sqrtf(x * x + z * z), y);
    let u = (0.5 + longitude / (2.0 * PI)) * width as f32 - 0.5;
    let v = from_zenith / PI * height as f32 - 0.5;
    let (left, top) = (u.floor(), v.floor());
    let (right_part, lower_part) = (u - left, v - top);
    let nearest = |x: f32, y: f32| {
        let x = (x as i64).rem_euclid(i64::from(width)) as u32;
        let y = (y as i64).clamp(0, i64::from(height) - 1) as u32;
        pixel(x, y)
    };
    let row = |y: f32| blend(nearest(left, y), nearest(left + 1.0, y), right_part);
    blend(row(top), row(top + 1.0), lower_part)
}

fn blend(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, Rgba32FImage, RgbaImage};

    fn rectangle(width: u32, height: u32, value: u8) -> DynamicImage {
        RgbaImage::from_pixel(width, height, Rgba([value; 4])).into()
    }

    fn square(side: u32, value: u8) -> DynamicImage {
        rectangle(side, side, value)
    }

    #[test]
    fn faces_are_concatenated_in_order() {
        let faces = (0..6).map(|number| square(2, number)).collect();
        let cube = from_faces(faces, false);
        assert_eq!((cube.size, cube.format), ([2, 2, 6], TexelFormat::Rgba8));
        let first: Vec<u8> = cube.bytes.chunks(16).map(|face| face[0]).collect();
        assert_eq!(first, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn flipped_cube_is_mirrored_in_y() {
        let face = |number: u8| {
            let bytes = (0..16).map(|at| 16 * number + at).collect();
            DynamicImage::from(RgbaImage::from_raw(2, 2, bytes).expect("16 bytes"))
        };
        let cube = |is_flipped| from_faces((0..6).map(face).collect(), is_flipped);
        let (upright, flipped) = (cube(false), cube(true));
        for direction in [
            [1.0, 0.5, 0.4],
            [-1.0, 0.5, 0.4],
            [0.4, 1.0, 0.5],
            [0.4, -1.0, 0.5],
            [0.4, 0.5, 1.0],
            [0.4, 0.5, -1.0],
        ] {
            let [x, y, z] = direction;
            assert_eq!(looked_up(&flipped, direction), looked_up(&upright, [x, -y, z]));
        }
    }

    #[test]
    fn one_deep_face_makes_cube_deep() {
        let mut faces: Vec<_> = (0..6).map(|_| square(1, 255)).collect();
        faces[3] = Rgba32FImage::from_pixel(1, 1, Rgba([2.0; 4])).into();
        let cube = from_faces(faces, false);
        assert_eq!(cube.format, TexelFormat::RgbaHalf);
        assert_eq!(cube.bytes[16..24], to_half_bytes(&[1.0; 4]));
        assert_eq!(cube.bytes[24..32], to_half_bytes(&[2.0; 4]));
    }

    #[test]
    fn mismatched_faces_are_rejected() {
        let message =
            |face: &DynamicImage, first| check_face(face, first).expect_err("rejected").to_string();
        let first = square(2, 0);
        assert!(check_face(&square(2, 1), &first).is_ok());
        assert!(message(&square(3, 0), &first).contains("3x3 pixels and the first face 2x2"));
        let flat = rectangle(2, 1, 0);
        assert!(message(&flat, &first).contains("2x1 pixels: a face of a cube must be square"));
        assert!(check_equirectangular(&square(4, 0)).is_err());
        assert!(check_equirectangular(&flat).is_err(), "too small");
    }

    /// Face and texel that WebGPU samples in a direction, from the table in the OpenGL ES
    /// 3.0 specification, section 3.8.10.
    fn looked_up(cube: &Texels, [x, y, z]: [f32; 3]) -> [u8; 4] {
        let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
        let (face, sc, tc, most) = if ax >= ay && ax >= az {
            if x > 0.0 { (0, -z, -y, ax) } else { (1, z, -y, ax) }
        } else if ay >= az {
            if y > 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
        } else if z > 0.0 {
            (4, x, -y, az)
        } else {
            (5, -x, -y, az)
        };
        let side = cube.size[0];
        let place = |c: f32| (((c / most + 1.0) / 2.0 * side as f32) as u32).min(side - 1);
        let at = 4 * ((face * side + place(tc)) * side + place(sc)) as usize;
        [0, 1, 2, 3].map(|i| cube.bytes[at + i])
    }

    #[test]
    fn equirectangular_directions_match_cube_lookup() {
        // The colour encodes the position: longitude in red, height in green.
        let (width, height) = (256u32, 128u32);
        let pixel = |x: u32, y: u32| Rgba([x as u8, 2 * y as u8, 0, 255]);
        let image = RgbaImage::from_fn(width, height, pixel);
        let cube = from_equirectangular(image.into(), false);
        assert_eq!(cube.size, [64, 64, 6]);
        for (direction, u, v) in [
            ([0.0, 0.0, -1.0], 0.5, 0.5),
            ([1.0, 0.0, 0.0], 0.75, 0.5),
            ([-1.0, 0.0, 0.0], 0.25, 0.5),
            ([0.6, 0.0, -0.8], 0.6024, 0.5),
            ([0.0, 0.8, -0.6], 0.5, 0.2048),
            ([0.0, -0.6, -0.8], 0.5, 0.7048),
            ([0.7, 0.2, 0.69], 0.876, 0.4359),
        ] {
            let [red, green, ..] = looked_up(&cube, direction);
            // A texel of the cube covers at most two image pixels.
            let near = |found: u8, expected: f32| (f32::from(found) - 256.0 * expected).abs() < 4.0;
            assert!(near(red, u), "{direction:?}: {red} for {u}");
            assert!(near(green, v), "{direction:?}: {green} for {v}");
        }
        let [_, zenith, ..] = looked_up(&cube, [0.01, 1.0, 0.01]);
        let [_, nadir, ..] = looked_up(&cube, [0.01, -1.0, 0.01]);
        assert!(zenith < 4 && nadir > 250, "{zenith} {nadir}");
    }

    #[test]
    fn equirectangular_image_wraps_around() {
        let pixel = |x: u32, _| [if x < 4 { 0.0 } else { 255.0 }; 4];
        let [behind, ..] = sample((8, 4), pixel, [0.0, 0.0, 1.0]);
        assert!((behind - 127.5).abs() < 0.5, "half of both edges: {behind}");
    }
}
