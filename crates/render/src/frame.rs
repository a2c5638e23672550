//! Inputs of a scene for one draw: the [`Frame`], parameters and keyboard.
//!
//! A picture is a pure function of (scene, parameters, `Frame`): anything that can change
//! a pixel between frames must be a field here.

use bytemuck::{Pod, Zeroable};

use super::picture::Depth;
use tarsus_shader::{CUBE_SIDE, ContentHash, Values};

/// Age of a press or release that has not happened yet, in seconds.
pub const NEVER: f32 = 1e6;

/// Rectangle of a target that a whole picture fills, in texels, y down. It may extend
/// beyond the target, which then shows a tile of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Upper left corner.
    pub origin: [f32; 2],
    /// Width and height.
    pub size: [f32; 2],
}

/// Size, time, pointer and all else that every scene can read of a frame. All before the
/// [`time`](Self::time) is the uniform of every scene, the twin of `Frame` in `frame.wgsl` of
/// `tarsus-shader`. Values that are read together share a vector of four, which some adapters read
/// in one load.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Frame {
    /// Size of the whole picture in physical pixels.
    pub resolution: [f32; 2],
    /// Offset of the sample from the pixel centre, in pixels, y up.
    pub sample_offset: [f32; 2],
    /// Top left corner of the tile being drawn, in pixels of the picture, y down.
    tile_origin: [f32; 2],
    /// Distance of neighbouring texels of the target, in pixels of the picture: 1, or
    /// more in a preview with fewer texels than pixels.
    stride: [f32; 2],
    /// Point on the lens that the sample looks through, in the unit disc, y up; the
    /// centre without supersampling.
    pub lens: [f32; 2],
    /// The time that shaders read, set by [`Self::uniform`].
    shader_time: f32,
    /// Quantization step of the output ([`Depth::step`]).
    ///
    /// [`Depth::step`]: super::Depth::step
    pub output_step: f32,
    /// Shadertoy's `iMouse`: pixels, y up; the signs of `zw` encode press and click.
    pub mouse: [f32; 4],
    /// Hovering pointer: `xy` in pixels, y up; `z` = 1 inside the picture; `w` = 1 while
    /// pressed.
    pub pointer: [f32; 4],
    /// Orbit set by the user: yaw and pitch in radians, zoom factor, unused.
    pub orbit: [f32; 4],
    /// Shadertoy's `iDate`: year, month from 0, day, seconds since midnight.
    pub date: [f32; 4],
    /// Seconds since the button was pressed, or [`NEVER`].
    pub press_age: f32,
    /// Seconds since the button was released, or [`NEVER`].
    pub release_age: f32,
    /// Seconds since the previous frame.
    pub time_delta: f32,
    /// Frames per second.
    pub frame_rate: f32,
    /// Frame number, counted from 0.
    pub index: u32,
    /// Cube face being drawn, from 0 to 5, or the number of the first sound sample.
    cube_face_or_sample: u32,
    /// Padding to a multiple of 16 bytes, always 0.
    unused: [f32; 2],
    /// Seconds since the start. A scene with `LOOP_SECONDS` reads the remainder after whole
    /// loops.
    pub time: f64,
}

/// Size of the uniform.
pub(super) const FRAME_BYTES: usize = std::mem::offset_of!(Frame, time);

impl Frame {
    /// Frame `index` of an offline run at `fps`, for a target of `resolution` pixels unless
    /// [`Self::set_viewport`] is called: time is exactly `index / fps`, the mouse is idle,
    /// and the date is fixed.
    pub fn new(resolution: (u32, u32), index: u32, fps: f64) -> Self {
        Self {
            resolution: [resolution.0 as f32, resolution.1 as f32],
            sample_offset: [0.0; 2],
            tile_origin: [0.0; 2],
            stride: [1.0; 2],
            lens: [0.0; 2],
            shader_time: 0.0,
            output_step: Depth::Eight.step(),
            mouse: [0.0; 4],
            pointer: [0.0; 4],
            orbit: [0.0, 0.0, 1.0, 0.0],
            date: [0.0; 4],
            press_age: NEVER,
            release_age: NEVER,
            time_delta: (1.0 / fps) as f32,
            frame_rate: fps as f32,
            index,
            cube_face_or_sample: 0,
            unused: [0.0; 2],
            time: f64::from(index) / fps,
        }
    }

    /// The uniform for a scene that repeats after `period` seconds, if it does. Time is reduced in
    /// f64, while it is still exact, so that motion is as smooth after hours as at the start. A
    /// period that is not positive and finite is ignored.
    pub(super) fn uniform(&self, period: Option<f64>) -> [u8; FRAME_BYTES] {
        let shader_time = reduce_by_period(self.time, period) as f32;
        let mut bytes = [0; FRAME_BYTES];
        bytes.copy_from_slice(&bytemuck::bytes_of(&Self { shader_time, ..*self })[..FRAME_BYTES]);
        bytes
    }

    /// The same frame at another time, in seconds.
    #[must_use]
    pub fn at_time(self, secs: f64) -> Self {
        Self { time: secs, ..self }
    }

    /// Sets where the target shows the picture. By default its upper left corner is that
    /// of the target, and each texel is one pixel.
    pub fn set_viewport(&mut self, viewport: Viewport) {
        let [x, y] = [0, 1].map(|axis| {
            let pixels = f64::from(self.resolution[axis]);
            let stride = (pixels / f64::from(viewport.size[axis])) as f32;
            (0.0 - viewport.origin[axis] * stride, stride)
        });
        self.tile_origin = [x.0, y.0];
        self.stride = [x.1, y.1];
    }

    /// The same frame for the whole picture, drawn from the target's upper left corner.
    pub(super) fn without_tile(self) -> Self {
        Self { tile_origin: [0.0; 2], cube_face_or_sample: 0, ..self }
    }

    /// The same frame for a target of the picture's size, with a cube face or the number
    /// of its first sound sample.
    pub(super) fn for_face_or_sample(self, cube_face_or_sample: u32) -> Self {
        Self { tile_origin: [0.0; 2], stride: [1.0; 2], cube_face_or_sample, ..self }
    }

    /// The same frame for a face of the cube, whose side is then the resolution. The mouse stays
    /// in pixels of the picture, as on Shadertoy.
    pub(super) fn for_face(self, face: u32) -> Self {
        Self { resolution: [CUBE_SIDE as f32; 2], ..self.for_face_or_sample(face) }
    }

    /// The same frame for a buffer of another size: mouse and pointer are in its texels.
    pub(super) fn resized(self, (width, height): (u32, u32)) -> Self {
        let resolution = [width as f32, height as f32];
        let mut frame = Self { resolution, ..self };
        for (axis, side) in resolution.into_iter().enumerate() {
            let scale = side / self.resolution[axis];
            frame.mouse[axis] *= scale;
            frame.mouse[axis + 2] *= scale;
            frame.pointer[axis] *= scale;
        }
        frame
    }

    /// Sets the sample offset and lens point of sample `index`.
    pub fn set_sample(&mut self, index: u32) {
        self.sample_offset = sample_offset(index);
        self.lens = lens_point(index);
    }
}

/// Reduces a time in seconds modulo the period.
fn reduce_by_period(time: f64, period: Option<f64>) -> f64 {
    match period {
        // The floating-point remainder is exact.
        Some(period) if period > 0.0 && period.is_finite() => time % period,
        _ => time,
    }
}

/// Width of the keyboard texture: one column per JavaScript key code.
pub const KEYBOARD_COLUMNS: u32 = 256;
/// Height of the keyboard texture: rows for held, pressed and toggled keys.
pub const KEYBOARD_ROWS: u32 = 3;

/// Keyboard texture, row by row: 255 if on, else 0.
pub type KeyboardTexels = [u8; (KEYBOARD_COLUMNS * KEYBOARD_ROWS) as usize];

/// Inputs of a scene for one draw. A picture is a pure function of its program and these
/// inputs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Inputs {
    /// Size, time and pointer.
    pub frame: Frame,
    /// Values of the scene's parameters; those not in it have their defaults.
    pub values: Values,
    /// State of the keyboard.
    pub keyboard: KeyboardTexels,
}

impl Inputs {
    /// Inputs with this frame, all parameters at their defaults, and no key down.
    pub fn new(frame: Frame) -> Self {
        let keyboard = [0; (KEYBOARD_COLUMNS * KEYBOARD_ROWS) as usize];
        Self { frame, values: Values::default(), keyboard }
    }

    /// The same inputs with these values of the scene's parameters.
    #[must_use]
    pub fn with_values(self, values: Values) -> Self {
        Self { values, ..self }
    }

    /// Adds the inputs to a hash.
    pub fn hash(&self, hash: ContentHash) -> ContentHash {
        let hash = hash.with(&self.frame.uniform(None)).with(&self.frame.time.to_le_bytes());
        let hash = self.values.iter().fold(hash, |hash, (name, value)| {
            hash.with(name.as_bytes()).with(bytemuck::cast_slice(value))
        });
        hash.with(&self.keyboard)
    }

    /// Width and height of the whole picture in pixels.
    pub fn size(&self) -> (u32, u32) {
        let [width, height] = self.frame.resolution;
        (width as u32, height as u32)
    }
}

/// Offset of sample `index` from the pixel centre in pixels, each coordinate from -0.5 up
/// to 0.5. Sample 0 is exactly the centre.
///
/// The samples are the points of the R2 lattice (M. Roberts, 2018, "The unreasonable
/// effectiveness of quasirandom sequences") taken alternately forwards and backwards from
/// the centre. Every prefix is a contiguous run of the lattice, thus evenly spread, and
/// every prefix of odd length has its mean at the centre.
pub fn sample_offset(index: u32) -> [f32; 2] {
    // 1/p and 1/p² for the plastic number p, the real root of p³ = p + 1.
    const STEP: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];
    let place = f64::from(index.div_ceil(2));
    let signed = if index % 2 == 1 { place } else { -place };
    STEP.map(|step| {
        let steps = signed * step;
        (steps - steps.round()) as f32
    })
}

/// Point on the lens for sample `index`, in the unit disc. Sample 0 is exactly the
/// centre.
///
/// Radii follow the van der Corput sequence in base 2, so that every prefix is spread
/// evenly over the disc's area; angles are multiples of the golden angle.
pub fn lens_point(index: u32) -> [f32; 2] {
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    let area = f64::from(index.reverse_bits()) / 4_294_967_296.0;
    let (sin, cos) = (f64::from(index) * GOLDEN_ANGLE).sin_cos();
    [cos, sin].map(|direction| (area.sqrt() * direction) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::mem::offset_of;
    use tarsus_shader::{Library, Scene, compose};

    const TEN_HOURS: f64 = 36_000.0;

    fn uniform_at(time: f64, period: Option<f64>) -> [u8; FRAME_BYTES] {
        Frame::new((640, 360), 7, 60.0).at_time(time).uniform(period)
    }

    #[test]
    fn offline_time_is_index_over_fps() {
        for (index, fps) in [(0, 60.0), (1, 60.0), (59, 24.0), (100_000, 30.0)] {
            let frame = Frame::new((16, 9), index, fps);
            assert_eq!(frame.time, f64::from(index) / fps);
            assert_eq!(frame.index, index);
        }
    }

    #[test]
    fn frame_repeats_after_ten_hours() {
        // A period of 4 s and these times are exact in f64, even ten hours later.
        for time in [0.0, 0.5, 1.25, 3.0 + 59.0 / 64.0] {
            let twin = uniform_at(time, Some(4.0));
            assert_eq!(uniform_at(TEN_HOURS + time, Some(4.0)), twin);
            assert_ne!(uniform_at(TEN_HOURS + time, None), twin);
        }
    }

    #[test]
    fn invalid_period_is_ignored() {
        for period in [0.0, -4.0, f64::NAN, f64::INFINITY] {
            assert_eq!(uniform_at(9.5, Some(period)), uniform_at(9.5, None));
        }
    }

    proptest! {
        #[test]
        fn first_period_is_unchanged(
            period in 1e-3..1e4f64,
            fraction in 0.0..1.0f64,
        ) {
            let time = period * fraction;
            prop_assume!(time < period);
            prop_assert_eq!(uniform_at(time, Some(period)), uniform_at(time, None));
        }

        /// The only error left is the rounding of the sum itself, a few picoseconds.
        #[test]
        fn later_periods_repeat_the_first(
            period in 0.1..60.0f64,
            fraction in 0.001..0.999f64,
            periods in 1..100_000u32,
        ) {
            let time = period * fraction;
            let late = f64::from(periods) * period + time;
            let off = (reduce_by_period(late, Some(period)) - time).abs();
            prop_assert!(off <= 2.0 * late * f64::EPSILON, "{off}");
        }
    }

    #[test]
    fn size_is_a_multiple_of_sixteen() {
        assert_eq!(FRAME_BYTES % 16, 0);
    }

    #[test]
    fn frame_has_the_same_layout_in_rust_and_wgsl() {
        let text = "#import tarsus::frame
fn main_image(p: vec2f) -> vec4f { return vec4f(frame::frame.time); }";
        let scene = Scene::from_text(text, "frame.wgsl");
        let program = compose(&scene, &Library::default(), &[]).expect("a scene");
        let module = &program.passes[0].module;
        let (size, members) = module
            .types
            .iter()
            .find_map(|(_, ty)| match &ty.inner {
                naga::TypeInner::Struct { members, span }
                    if ty.name.as_deref().is_some_and(|name| name.starts_with("Frame")) =>
                {
                    Some((*span, members))
                }
                _ => None,
            })
            .expect("struct Frame");
        let shader: Vec<(&str, u32)> = members
            .iter()
            .map(|member| match (member.name.as_deref().expect("name"), member.offset) {
                ("time", offset) => ("shader_time", offset),
                other => other,
            })
            .collect();
        macro_rules! offsets {
            ($($field:ident),*) => {
                vec![$((stringify!($field), offset_of!(Frame, $field) as u32)),*]
            };
        }
        let rust = offsets![
            resolution,
            sample_offset,
            tile_origin,
            stride,
            lens,
            shader_time,
            output_step,
            mouse,
            pointer,
            orbit,
            date,
            press_age,
            release_age,
            time_delta,
            frame_rate,
            index,
            cube_face_or_sample,
            unused
        ];
        assert_eq!(shader, rust);
        assert_eq!(size as usize, FRAME_BYTES);
    }

    #[test]
    fn never_is_the_same_in_rust_and_wgsl() {
        let text = Library::default().module_text("tarsus::frame").expect("frame");
        assert!(text.contains("const NEVER: f32 = 1e6;"));
        assert_eq!(NEVER, 1e6);
    }

    #[test]
    fn first_sample_is_pixel_centre() {
        assert_eq!(sample_offset(0), [0.0, 0.0]);
    }

    #[test]
    fn samples_are_distinct_and_inside_pixel() {
        let offsets: Vec<_> = (0..256).map(sample_offset).collect();
        for (i, a) in offsets.iter().enumerate() {
            assert!(a.iter().all(|c| (-0.5..0.5).contains(c)), "{a:?}");
            for b in &offsets[..i] {
                let distance = (a[0] - b[0]).hypot(a[1] - b[1]);
                // 256 points on a square grid would be 1/16 apart.
                assert!(distance > 0.5 / 16.0, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn every_prefix_is_evenly_spread() {
        for count in [4, 9, 16, 25, 64, 255] {
            let offsets: Vec<_> = (0..count).map(sample_offset).collect();
            // The fraction of samples left of (or below) a line must match its position.
            for axis in [0, 1] {
                for line in [-0.25, 0.0, 0.25] {
                    let below = offsets.iter().filter(|o| o[axis] < line).count();
                    let fraction = below as f32 / count as f32;
                    // A low-discrepancy sequence stays within a few samples.
                    let allowed = 2.0 / count as f32;
                    assert!(
                        (fraction - (line + 0.5)).abs() <= allowed,
                        "{count} {line} {fraction}"
                    );
                }
            }
            if count % 2 == 1 {
                let mean =
                    |axis: usize| offsets.iter().map(|o| o[axis]).sum::<f32>() / count as f32;
                assert!(mean(0).abs() < 1e-6 && mean(1).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn lens_points_cover_disc_evenly() {
        assert_eq!(lens_point(0), [0.0, 0.0]);
        for count in [16, 64, 256] {
            let points: Vec<_> = (0..count).map(lens_point).collect();
            assert!(points.iter().all(|[x, y]| x.hypot(*y) < 1.0));
            let part = |is: &dyn Fn(f32, f32) -> bool| {
                let points = points.iter().filter(|[x, y]| is(*x, *y));
                points.count() as f32 / count as f32
            };
            let allowed = 3.0 / count as f32;
            // Half of the disc's area, and its quarters.
            assert!((part(&|x, y| x * x + y * y < 0.5) - 0.5).abs() <= allowed);
            for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                let quarter = part(&|x, y| sx * x > 0.0 && sy * y > 0.0);
                assert!((quarter - 0.25).abs() <= allowed, "{count} {quarter}");
            }
        }
    }
}
