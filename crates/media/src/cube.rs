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
use super::image_file::{DecodedImage, Values};
use tarsus_render::Texels;

/// Checks that a face is square and as large as the first one.
///
/// # Errors
/// Returns a [`MediaError`] if it is not.
pub(super) fn check_face(face: &DecodedImage, first: &DecodedImage) -> Result<(), MediaError> {
    let (width, height, side) = (face.width, face.height, first.width);
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
pub(super) fn check_equirectangular(image: &DecodedImage) -> Result<(), MediaError> {
    let (width, height) = (image.width, image.height);
    if width != 2 * height || height < 2 {
        return Err(MediaError::invalid(format!(
            "it has {width}x{height} pixels: an equirectangular image must be twice as wide as \
             high"
        )));
    }
    Ok(())
}

/// Mirrors six faces, or one equirectangular image, vertically: +y becomes -y.
pub(super) fn flip(images: &mut [DecodedImage]) {
    images.iter_mut().for_each(|image| image.flip(image.width));
    if images.len() > 3 {
        images.swap(2, 3);
    }
}

/// A cube map from six images that [`check_face`] accepts.
pub(super) fn from_faces(faces: Vec<DecodedImage>) -> Texels {
    let side = faces.first().map_or(0, |face| face.width);
    let has_floats = faces.iter().any(|face| matches!(face.values, Values::Floats(_)));
    let mut bytes = Vec::new();
    let mut floats = Vec::new();
    for face in faces {
        match face.values {
            Values::Bytes(values) if has_floats => {
                floats.extend(values.iter().map(|&value| f32::from(value) / 255.0));
            }
            Values::Bytes(values) => bytes.extend(values),
            Values::Floats(values) => floats.extend(values),
        }
    }
    let values = if has_floats { Values::Floats(floats) } else { Values::Bytes(bytes) };
    stack_faces(side, values)
}

/// A cube map from an image that [`check_equirectangular`] accepts. A face has half its
/// height.
pub(super) fn from_equirectangular(image: &DecodedImage) -> Texels {
    let side = image.height / 2;
    let values = match &image.values {
        Values::Bytes(bytes) => {
            let floats = faces(side, &Source::new(image, bytes, f32::from));
            Values::Bytes(floats.iter().map(|value| value.round() as u8).collect())
        }
        Values::Floats(floats) => Values::Floats(faces(side, &Source::new(image, floats, |v| v))),
    };
    stack_faces(side, values)
}

fn stack_faces(side: u32, values: Values) -> Texels {
    let column = DecodedImage { width: side, height: 6 * side, values };
    column.into_texels(6)
}

/// The values of the six faces, concatenated.
fn faces<T: Copy + Sync>(side: u32, source: &Source<'_, T>) -> Vec<f32> {
    let mut values = vec![0.0; 6 * 4 * side as usize * side as usize];
    let face_values = values.len() / 6;
    thread::scope(|scope| {
        for (face, values) in values.chunks_exact_mut(face_values).enumerate() {
            scope.spawn(move || {
                for (at, pixel) in values.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    let place = |i: u32| (2 * i + 1) as f32 / side as f32 - 1.0;
                    let (x, y) = (at as u32 % side, at as u32 / side);
                    *pixel = source.sample(direction(face, place(x), place(y)));
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

/// An equirectangular image as a function of direction.
struct Source<'a, T> {
    width: u32,
    height: u32,
    values: &'a [T],
    number: fn(T) -> f32,
}

impl<'a, T: Copy> Source<'a, T> {
    fn new(image: &DecodedImage, values: &'a [T], number: fn(T) -> f32) -> Self {
        Self { width: image.width, height: image.height, values, number }
    }

    /// The value in a direction, bilinearly interpolated.
    fn sample(&self, [x, y, z]: [f32; 3]) -> [f32; 4] {
        // libm gives the same texels on all machines.
        let longitude = libm::atan2f(x, -z);
        let from_zenith = libm::atan2f(libm::sqrtf(x * x + z * z), y);
        let u = (0.5 + longitude / (2.0 * PI)) * self.width as f32 - 0.5;
        let v = from_zenith / PI * self.height as f32 - 0.5;
        let (left, top) = (u.floor(), v.floor());
        let (right_part, lower_part) = (u - left, v - top);
        let row = |y: f32| {
            let (a, b) = (self.pixel(left, y), self.pixel(left + 1.0, y));
            blend(a, b, right_part)
        };
        blend(row(top), row(top + 1.0), lower_part)
    }

    /// A pixel; x wraps around.
    fn pixel(&self, x: f32, y: f32) -> [f32; 4] {
        let x = (x as i64).rem_euclid(i64::from(self.width)) as usize;
        let y = (y as i64).clamp(0, i64::from(self.height) - 1) as usize;
        let at = 4 * (y * self.width as usize + x);
        std::array::from_fn(|i| (self.number)(self.values[at + i]))
    }
}

fn blend(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part)
}

#[cfg(test)]
mod tests {
    use super::super::image_file::to_half_bytes;
    use super::*;
    use tarsus_render::TexelFormat;

    fn square(side: u32, value: u8) -> DecodedImage {
        DecodedImage {
            width: side,
            height: side,
            values: Values::Bytes(vec![value; 4 * (side * side) as usize]),
        }
    }

    #[test]
    fn faces_are_concatenated_in_order() {
        let faces = (0..6).map(|number| square(2, number)).collect();
        let cube = from_faces(faces);
        assert_eq!((cube.size, cube.format), ([2, 2, 6], TexelFormat::Rgba8));
        let first: Vec<u8> = cube.bytes.chunks(16).map(|face| face[0]).collect();
        assert_eq!(first, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn flipped_cube_is_mirrored_in_y() {
        let face = |number: u8| DecodedImage {
            width: 2,
            height: 2,
            values: Values::Bytes((0..16).map(|at| 16 * number + at).collect()),
        };
        let mut faces: Vec<_> = (0..6).map(face).collect();
        let upright = from_faces((0..6).map(face).collect());
        flip(&mut faces);
        let flipped = from_faces(faces);
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
        faces[3].values = Values::Floats(vec![2.0; 4]);
        let cube = from_faces(faces);
        assert_eq!(cube.format, TexelFormat::RgbaHalf);
        assert_eq!(cube.bytes[16..24], to_half_bytes(&[1.0; 4]));
        assert_eq!(cube.bytes[24..32], to_half_bytes(&[2.0; 4]));
    }

    #[test]
    fn mismatched_faces_are_rejected() {
        let message =
            |face: &DecodedImage, first| check_face(face, first).expect_err("rejected").to_string();
        let first = square(2, 0);
        assert!(check_face(&square(2, 1), &first).is_ok());
        assert!(message(&square(3, 0), &first).contains("3x3 pixels and the first face 2x2"));
        let flat = DecodedImage { height: 1, ..square(2, 0) };
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
        let pixel = |at: u32| [(at % width) as u8, 2 * (at / width) as u8, 0, 255];
        let image = DecodedImage {
            width,
            height,
            values: Values::Bytes((0..width * height).flat_map(pixel).collect()),
        };
        let cube = from_equirectangular(&image);
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
        let pixel = |at: u32| if at % 8 < 4 { [0u8; 4] } else { [255; 4] };
        let image = DecodedImage {
            width: 8,
            height: 4,
            values: Values::Bytes((0..32).flat_map(pixel).collect()),
        };
        let source = match &image.values {
            Values::Bytes(bytes) => Source::new(&image, bytes, f32::from),
            Values::Floats(_) => panic!("bytes"),
        };
        let [behind, ..] = source.sample([0.0, 0.0, 1.0]);
        assert!((behind - 127.5).abs() < 0.5, "half of both edges: {behind}");
    }
}
