//! Buffers: order, feedback, size and reload, compared with rules computed on the CPU.

use tarsus_render::{Checkpoint, Depth, Frame, Inputs, Renderer, SAMPLE_FORMAT, Viewport};
use tarsus_shader::Buffer;

use crate::common::drawing::{
    advance, buffer, draw_upwards, read_back, saved_state, submit, texels,
};
use crate::common::random::Random;
use crate::common::{compose, gpu, renderer};

const SIZE: (u32, u32) = (37, 23);

/// A running scene with buffers.
struct Running {
    renderer: Renderer,
    size: (u32, u32),
    index: u32,
}

impl Running {
    fn new(text: &str) -> Self {
        let program = compose(text, "buffers.wgsl", &[]);
        Self { renderer: renderer(gpu(), &program, SAMPLE_FORMAT), size: SIZE, index: 0 }
    }

    fn inputs(&self) -> Inputs {
        Inputs::new(Frame::new(self.size, self.index, 60.0))
    }

    /// Advances the buffers by one frame.
    fn advance(&mut self) {
        let inputs = self.inputs();
        advance(&mut self.renderer, &inputs);
        self.index += 1;
    }

    /// The picture, rows from the lowest up.
    fn image(&mut self) -> Vec<[f32; 4]> {
        let inputs = self.inputs();
        draw_upwards(&mut self.renderer, &inputs)
    }

    /// Contents of a buffer, rows from the lowest up.
    fn buffer(&self, which: Buffer) -> Vec<[f32; 4]> {
        buffer(&self.renderer, which)
    }
}

/// Conway's game of life, dead beyond the edges, seeded by a hash of the pixel.
const LIFE: &str = "
#import tarsus::frame::frame
#import tarsus::buffers
fn seed(pixel: vec2i) -> f32 {
    let number = u32(pixel.x) * 7919u + u32(pixel.y) * 104729u;
    return f32((number * number >> 7u) & 1u);
}
fn alive(pixel: vec2i) -> i32 { return i32(buffers::a(pixel).x); }
fn buffer_a(frag_coord: vec2f) -> vec4f {
    let pixel = vec2i(frag_coord);
    if frame.index == 0u { return vec4f(seed(pixel), frag_coord, 1.0); }
    var around = -alive(pixel);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) { around += alive(pixel + vec2i(x, y)); }
    }
    let lives = around == 3 || (around == 2 && alive(pixel) == 1);
    return vec4f(select(0.0, 1.0, lives), frag_coord, 1.0);
}
fn main_image(frag_coord: vec2f) -> vec4f { return buffers::a(vec2i(frag_coord)); }
";

fn life_seed(x: u32, y: u32) -> bool {
    let number = x.wrapping_mul(7919).wrapping_add(y.wrapping_mul(104_729));
    (number.wrapping_mul(number) >> 7) & 1 == 1
}

fn life_step(cells: &[bool]) -> Vec<bool> {
    let (width, height) = (SIZE.0 as i32, SIZE.1 as i32);
    let at = |x: i32, y: i32| {
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        inside && cells[(y * width + x) as usize]
    };
    let cell = |index: i32| {
        let (x, y) = (index % width, index / width);
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let around = around.filter(|&(dx, dy)| (dx, dy) != (0, 0) && at(x + dx, y + dy)).count();
        around == 3 || (around == 2 && at(x, y))
    };
    (0..width * height).map(cell).collect()
}

#[test]
fn life_matches_cpu_for_100_frames() {
    let mut running = Running::new(LIFE);
    let indices = || (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y)));
    let mut cells: Vec<bool> = indices().map(|(x, y)| life_seed(x, y)).collect();
    for frame in 0..100 {
        running.advance();
        let expected: Vec<[f32; 4]> = indices()
            .zip(&cells)
            .map(|((x, y), &alive)| {
                let alive = if alive { 1.0 } else { 0.0 };
                [alive, x as f32 + 0.5, y as f32 + 0.5, 1.0]
            })
            .collect();
        if frame % 9 == 0 || frame == 99 {
            assert_eq!(running.buffer(Buffer::A), expected, "frame {frame}");
            assert_eq!(running.image(), expected, "frame {frame}");
        }
        cells = life_step(&cells);
    }
    assert!(cells.iter().any(|&alive| alive), "all died: no test");
}

/// The heat equation with insulated edges: one explicit step per frame.
const HEAT: &str = "
#import tarsus::frame::frame
#import tarsus::buffers
fn heat(pixel: vec2i) -> f32 {
    let last = vec2i(frame.resolution) - 1;
    return buffers::b(clamp(pixel, vec2i(0), last)).x;
}
fn buffer_b(frag_coord: vec2f) -> vec4f {
    let pixel = vec2i(frag_coord);
    if frame.index == 0u { return vec4f(f32((pixel.x * 31 + pixel.y * 17) % 100)); }
    let around = heat(pixel + vec2i(1, 0)) + heat(pixel - vec2i(1, 0))
        + heat(pixel + vec2i(0, 1)) + heat(pixel - vec2i(0, 1));
    return vec4f(heat(pixel) + 0.2 * (around - 4.0 * heat(pixel)));
}
fn main_image(frag_coord: vec2f) -> vec4f { return buffers::sample_bilinear(buffers::buffer_b, frag_coord / frame.resolution); }
";

#[test]
fn heat_matches_cpu_for_100_frames() {
    let mut running = Running::new(HEAT);
    let (width, height) = (i64::from(SIZE.0), i64::from(SIZE.1));
    let mut heat: Vec<f64> = (0..width * height)
        .map(|index| ((index % width * 31 + index / width * 17) % 100) as f64)
        .collect();
    for _ in 0..100 {
        running.advance();
    }
    for _ in 1..100 {
        let at = |x: i64, y: i64| {
            heat[(y.clamp(0, height - 1) * width + x.clamp(0, width - 1)) as usize]
        };
        heat = (0..width * height)
            .map(|index| {
                let (x, y) = (index % width, index / width);
                let around = at(x + 1, y) + at(x - 1, y) + at(x, y + 1) + at(x, y - 1);
                at(x, y) + 0.2 * (around - 4.0 * at(x, y))
            })
            .collect();
    }
    // A step averages, so it does not amplify errors; each adds a few halves of the last
    // bit of 100, which are 4e-6.
    let tolerance = 100.0 * 4.0 * 4e-6;
    for (found, expected) in running.buffer(Buffer::B).iter().zip(&heat) {
        assert!((f64::from(found[0]) - expected).abs() < tolerance);
    }
    // At pixel centres the filter returns the texel itself.
    for (found, expected) in running.image().iter().zip(&heat) {
        assert!((f64::from(found[0]) - expected).abs() < tolerance + 1e-3);
    }
}

/// Every buffer stores the frame counts it reads from all four buffers.
const ORDER: &str = "
#import tarsus::frame::frame
#import tarsus::buffers
fn seen() -> vec4f {
    let first = vec2i(0);
    return vec4f(buffers::a(first).w, buffers::b(first).w, buffers::c(first).w, buffers::d(first).w);
}
fn stored(place: vec2f) -> vec4f {
    let seen = seen();
    let frames = f32(frame.index) + 1.0;
    // Texel 0 has the number of the frame, texel 1 the value read.
    return select(seen, vec4f(frames), place.x < 1.0);
}
fn buffer_a(frag_coord: vec2f) -> vec4f { return stored(frag_coord); }
fn buffer_b(frag_coord: vec2f) -> vec4f { return stored(frag_coord); }
fn buffer_c(frag_coord: vec2f) -> vec4f { return stored(frag_coord); }
fn buffer_d(frag_coord: vec2f) -> vec4f { return stored(frag_coord); }
fn main_image(frag_coord: vec2f) -> vec4f { return seen(); }
";

#[test]
fn later_buffers_lag_one_frame() {
    let mut running = Running::new(ORDER);
    for frame in 1..=5 {
        running.advance();
        let (now, before) = (frame as f32, frame as f32 - 1.0);
        for (number, buffer) in Buffer::ALL.into_iter().enumerate() {
            let expected = [0, 1, 2, 3].map(|seen| if seen < number { now } else { before });
            assert_eq!(running.buffer(buffer)[1], expected, "{buffer:?} in frame {frame}");
        }
        assert_eq!(running.image()[0], [now; 4], "the picture sees all of this frame");
    }
}

#[test]
fn buffers_start_and_restart_at_zero() {
    let mut running = Running::new(ORDER);
    assert_eq!(running.image()[0], [0.0; 4]);
    running.advance();
    assert_eq!(running.image()[0], [1.0; 4]);
    running.renderer.clear_state();
    assert_eq!(running.image()[0], [0.0; 4]);
}

#[test]
fn pictures_do_not_advance_buffers() {
    let mut running = Running::new(LIFE);
    running.advance();
    let before = saved_state(&running.renderer);
    let pictures: Vec<_> = (0..3).map(|_| running.image()).collect();
    assert!(pictures.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(saved_state(&running.renderer), before);
}

/// Writes each pixel's position in the first frame and keeps it.
const PLACES: &str = "
#import tarsus::frame::frame
#import tarsus::buffers
fn buffer_a(frag_coord: vec2f) -> vec4f {
    if frame.index == 0u { return vec4f(frag_coord, frame.resolution); }
    return buffers::a(vec2i(frag_coord));
}
fn buffer_c(frag_coord: vec2f) -> vec4f { return buffers::a(vec2i(frag_coord)); }
fn main_image(frag_coord: vec2f) -> vec4f { return buffers::c(vec2i(frag_coord)); }
";

#[test]
fn resize_keeps_lower_left_corner() {
    for (width, height) in [(50, 30), (20, 10), (50, 10), (20, 30), (1, 1)] {
        let mut running = Running::new(PLACES);
        running.advance();
        running.size = (width, height);
        running.advance();
        let found = running.buffer(Buffer::A);
        assert_eq!(found.len(), (width * height) as usize);
        for (index, texel) in (0u32..).zip(found) {
            let (x, y) = (index % width, index / width);
            let old = x < SIZE.0 && y < SIZE.1;
            let place = [x as f32 + 0.5, y as f32 + 0.5, SIZE.0 as f32, SIZE.1 as f32];
            let expected = if old { place } else { [0.0; 4] };
            assert_eq!(texel, expected, "{width}x{height} at {x}, {y}");
        }
    }
}

/// Feedback through all neighbours that never dies out, and depends on the frame's size.
const FEEDBACK: &str = "
#import tarsus::frame::frame
#import tarsus::buffers
fn buffer_a(frag_coord: vec2f) -> vec4f {
    let pixel = vec2i(frag_coord);
    let around = buffers::a(pixel + vec2i(1, 0)) + 0.5 * buffers::a(pixel - vec2i(0, 1));
    let uv = frag_coord / frame.resolution;
    return fract(around + vec4f(uv, 0.137, vec2f(textureDimensions(buffers::buffer_a)).x * 0.01));
}
fn buffer_b(frag_coord: vec2f) -> vec4f { return vec4f(frag_coord, frame.resolution); }
fn main_image(frag_coord: vec2f) -> vec4f { return buffers::a(vec2i(frag_coord)); }
";

/// A buffer of fixed size in pictures of any size against a buffer of pictures of that size.
#[test]
fn fixed_buffer_ignores_picture_size() {
    let fixed = FEEDBACK.replace("fn buffer_a", "/// size 37x23\nfn buffer_a");
    let (mut expected, mut found) = (Running::new(FEEDBACK), Running::new(&fixed));
    let mut random = Random(11);
    let mut stored = None;
    for step in 0..300 {
        let side = |random: &mut Random, most: u32| 1 + (random.next() * f64::from(most)) as u32;
        match (random.next() * 12.0) as u32 {
            0..5 => [&mut expected, &mut found].into_iter().for_each(Running::advance),
            5..8 => found.size = (side(&mut random, 90), side(&mut random, 60)),
            8 => {
                let take =
                    |running: &Running| submit(|encoder| running.renderer.checkpoint(encoder));
                stored = Some((take(&expected).expect("buffers"), take(&found).expect("buffers")));
            }
            9 => {
                if let Some((of_expected, of_found)) = &stored {
                    submit(|encoder| expected.renderer.restore(encoder, of_expected));
                    submit(|encoder| found.renderer.restore(encoder, of_found));
                }
            }
            10 => {
                // Through bytes and into another renderer.
                let state = saved_state(&found.renderer);
                let sizes = state.contents.iter().map(|content| content.size);
                assert_eq!(sizes.collect::<Vec<_>>(), [(37, 23), state.size], "step {step}");
                let gpu = gpu();
                let read = Checkpoint::from_saved(gpu, &state);
                let read = read.expect("as many bytes");
                let next = Running::new(&fixed);
                found = Running { size: found.size, index: found.index, ..next };
                submit(|encoder| found.renderer.restore(encoder, &read));
            }
            _ => {
                let next = Running::new(&fixed);
                let old = std::mem::replace(&mut found.renderer, next.renderer);
                submit(|encoder| found.renderer.adopt_state(encoder, &old));
            }
        }
        let [of_expected, of_found] = [&expected, &found].map(|running| running.buffer(Buffer::A));
        assert!(of_expected == of_found, "step {step}");
    }
    assert!(found.index > 50 && found.buffer(Buffer::A).iter().any(|texel| texel[0] > 0.0));
    found.size = (50, 30);
    found.advance();
    let [width, height] = found.buffer(Buffer::B)[0][2..].try_into().expect("a size");
    assert_eq!([width, height], [50.0, 30.0], "the other buffer follows the picture");
    let (image, buffer) = (found.image(), found.buffer(Buffer::A));
    for y in 0..30 {
        for x in 0..50 {
            let inside = x < 37 && y < 23;
            let expected = if inside { buffer[y * 37 + x] } else { [0.0; 4] };
            assert_eq!(image[y * 50 + x], expected, "at {x}, {y}");
        }
    }
}

#[test]
fn edited_size_keeps_lower_left_corner() {
    let sized =
        |size: &str| PLACES.replace("fn buffer_a", &format!("/// size {size}\nfn buffer_a"));
    let mut running = Running::new(&sized("8x4"));
    running.advance();
    let old = running.renderer;
    let mut next = Running::new(&sized("6x5"));
    next.index = 1;
    submit(|encoder| next.renderer.adopt_state(encoder, &old));
    next.advance();
    for (index, texel) in (0u32..).zip(next.buffer(Buffer::A)) {
        let (x, y) = (index % 6, index / 6);
        let place = [x as f32 + 0.5, y as f32 + 0.5, 8.0, 4.0];
        assert_eq!(texel, if y < 4 { place } else { [0.0; 4] }, "at {x}, {y}");
    }
}

#[test]
fn fixed_buffer_sees_scaled_pointer_and_common_values() {
    let text = "
#import tarsus::frame::{frame, per_frame_value}
#import tarsus::buffers
fn per_frame(index: u32) -> vec4f { return vec4f(frame.resolution, frame.mouse.xy); }
/// size 16x8
fn buffer_a(frag_coord: vec2f) -> vec4f { return frame.mouse; }
/// size 16x8
fn buffer_b(frag_coord: vec2f) -> vec4f { return frame.pointer; }
fn buffer_c(frag_coord: vec2f) -> vec4f { return per_frame_value(0u); }
fn main_image(frag_coord: vec2f) -> vec4f { return frame.mouse; }
";
    let mut running = Running::new(text);
    running.size = (64, 64);
    let mut inputs = running.inputs();
    inputs.frame.mouse = [32.0, 16.0, 8.0, -24.0];
    inputs.frame.pointer = [4.0, 40.0, 1.0, 1.0];
    advance(&mut running.renderer, &inputs);
    assert_eq!(running.buffer(Buffer::A)[0], [8.0, 2.0, 2.0, -3.0]);
    assert_eq!(running.buffer(Buffer::B)[0], [1.0, 5.0, 1.0, 1.0]);
    assert_eq!(running.buffer(Buffer::C)[0], [64.0, 64.0, 32.0, 16.0]);
    assert_eq!(draw_upwards(&mut running.renderer, &inputs)[0], inputs.frame.mouse);
}

#[test]
fn channel_of_fixed_buffer_has_its_size() {
    let text = "
/// size 4x2
fn buffer_a(frag_coord: vec2f) -> vec4f { return vec4f(floor(frag_coord), 0.0, 1.0); }
/// buffer a, mipmap
@group(2) @binding(0) var table: texture_2d<f32>;
@group(2) @binding(1) var table_sampler: sampler;
fn main_image(frag_coord: vec2f) -> vec4f {
    let mean = textureSampleLevel(table, table_sampler, vec2f(0.5), 2.0);
    return vec4f(vec2f(textureDimensions(table)), mean.xy);
}
";
    let mut running = Running::new(text);
    running.advance();
    for size in [SIZE, (5, 70)] {
        running.size = size;
        running.advance();
        assert!(running.image().iter().all(|texel| *texel == [4.0, 2.0, 1.5, 0.5]), "{size:?}");
    }
}

#[test]
fn edited_scene_keeps_remaining_buffers() {
    let mut running = Running::new(PLACES);
    running.advance();
    let kept = running.buffer(Buffer::A);
    // The edit adds one buffer and removes another.
    let edited = PLACES.replace("buffer_c", "buffer_d").replace("buffers::c", "buffers::d");
    let mut next = Running::new(&edited);
    next.index = 1;
    let old = running.renderer;
    submit(|encoder| next.renderer.adopt_state(encoder, &old));
    assert_eq!(next.buffer(Buffer::A), kept);
    assert!(next.buffer(Buffer::D).iter().all(|texel| *texel == [0.0; 4]));
    next.advance();
    assert_eq!(next.buffer(Buffer::D), kept);
}

#[test]
fn checkpoint_restores_exact_state() {
    let mut running = Running::new(LIFE);
    (0..20).for_each(|_| running.advance());
    let gpu = gpu();
    let checkpoint = submit(|encoder| running.renderer.checkpoint(encoder)).expect("buffers");
    let stored = checkpoint.read(gpu).expect("a device");
    assert_eq!(checkpoint.bytes(), stored.contents[0].bytes.len() as u64);
    assert_eq!(checkpoint.bytes(), u64::from(SIZE.0 * SIZE.1) * 16);
    (0..30).for_each(|_| running.advance());
    let later = saved_state(&running.renderer);
    // Restored on the GPU, and through bytes into another renderer.
    submit(|encoder| running.renderer.restore(encoder, &checkpoint));
    assert_eq!(saved_state(&running.renderer), stored);
    running.index = 20;
    (0..30).for_each(|_| running.advance());
    assert_eq!(saved_state(&running.renderer), later);
    let mut other = Running::new(LIFE);
    let read = Checkpoint::from_saved(gpu, &stored);
    let read = read.expect("as many bytes");
    submit(|encoder| other.renderer.restore(encoder, &read));
    other.index = 20;
    (0..30).for_each(|_| other.advance());
    assert_eq!(saved_state(&other.renderer), later);
}

#[test]
fn checkpoint_rejects_wrong_length() {
    let gpu = gpu();
    let mut state = saved_state(&Running::new(LIFE).renderer);
    state.contents[0].bytes.pop();
    let read = Checkpoint::from_saved(gpu, &state);
    assert!(read.is_none());
}

/// Counts frames in the cube, in units of its size, and writes the direction of each texel.
const CUBE: &str = "
#import tarsus::frame::frame
#import tarsus::buffers
fn buffer_cube(frag_coord: vec2f, ray: vec3f) -> vec4f {
    return vec4f(ray, buffers::cube(ray).w + frame.resolution.x / 1024.0);
}
fn main_image(frag_coord: vec2f) -> vec4f {
    let angles = frag_coord / frame.resolution * vec2f(6.2831853, 3.1415927);
    let direction = vec3f(cos(angles.x) * sin(angles.y), cos(angles.y), sin(angles.x) * sin(angles.y));
    let found = buffers::cube(3.0 * direction);
    return vec4f(abs(found.xyz - direction), found.w);
}
";

#[test]
fn cube_reads_match_drawn_directions() {
    let mut running = Running::new(CUBE);
    for frame in 1..=3 {
        running.advance();
        for texel in running.image() {
            assert_eq!(texel[3], frame as f32);
            // Half a texel of a face with 1024 per side, and the last bit of a 16-bit
            // float.
            assert!(texel[..3].iter().all(|off| *off < 2.5e-3), "{texel:?}");
        }
    }
}

#[test]
fn preview_with_stride_shows_whole_picture() {
    let text = "
#import tarsus::frame
fn main_image(frag_coord: vec2f) -> vec4f { return vec4f(frag_coord, frame::pixel_size(), 1.0); }
";
    let mut running = Running::new(text);
    let whole = (3 * SIZE.0, 2 * SIZE.1);
    running.size = whole;
    let mut inputs = running.inputs();
    inputs.frame.set_viewport(Viewport { origin: [0.0; 2], size: [SIZE.0 as f32, SIZE.1 as f32] });
    let picture = read_back(SIZE, Depth::Float, |encoder, view| {
        let drawn = running.renderer.draw(encoder, &inputs, view);
        drawn.expect("a format");
    });
    let found: Vec<_> = texels(&picture.rgba).collect();
    // The first row is the top row.
    let top = whole.1 as f32 - 1.0;
    let size = 2.0 / whole.1 as f32 * 2.0;
    assert_eq!(found[0], [1.5, top, size, 1.0]);
    assert_eq!(found[1], [4.5, top, size, 1.0]);
    assert_eq!(found[SIZE.0 as usize], [1.5, top - 2.0, size, 1.0]);
}

#[test]
fn filtered_reads_are_bilinear() {
    let text = "
#import tarsus::frame::frame
#import tarsus::buffers
fn value(pixel: vec2f) -> f32 { return fract(sin(dot(pixel, vec2f(12.9898, 78.233))) * 437.5); }
fn buffer_a(frag_coord: vec2f) -> vec4f { return vec4f(value(floor(frag_coord))); }
fn main_image(frag_coord: vec2f) -> vec4f {
    // From beyond one corner to beyond the other.
    let uv = (frag_coord / frame.resolution - 0.5) * 1.3 + 0.5;
    return vec4f(uv, buffers::sample_bilinear(buffers::buffer_a, uv).x, 1.0);
}
";
    let mut running = Running::new(text);
    running.advance();
    let stored = running.buffer(Buffer::A);
    let (width, height) = (i64::from(SIZE.0), i64::from(SIZE.1));
    let at = |x: i64, y: i64| {
        let (x, y) = (x.clamp(0, width - 1), y.clamp(0, height - 1));
        f64::from(stored[(y * width + x) as usize][0])
    };
    for [u, v, found, _] in running.image() {
        let place = [f64::from(u) * width as f64 - 0.5, f64::from(v) * height as f64 - 0.5];
        let [x, y] = place.map(|part| part.floor() as i64);
        let [s, t] = place.map(|part| part - part.floor());
        let mix = |a: f64, b: f64, part: f64| a + (b - a) * part;
        let expected =
            mix(mix(at(x, y), at(x + 1, y), s), mix(at(x, y + 1), at(x + 1, y + 1), s), t);
        // uv in f32 is off by 40 texels times 6e-8, and neighbouring texels may differ by
        // 1.
        assert!((f64::from(found) - expected).abs() < 1e-4);
    }
}

#[test]
fn keys_and_parameters_reach_the_buffers() {
    let text = "
#import tarsus::keyboard
#import tarsus::buffers
struct Params { /// Step [0, 9] = 2
    step: f32, }
@group(1) @binding(0) var<uniform> params: Params;
fn buffer_a(frag_coord: vec2f) -> vec4f {
    let key = select(0.0, 100.0, keyboard::is_down(65u));
    return buffers::a(vec2i(frag_coord)) + params.step + key;
}
fn main_image(frag_coord: vec2f) -> vec4f { return buffers::a(vec2i(0)); }
";
    let mut running = Running::new(text);
    let mut random = Random(7);
    let mut expected = 0.0;
    for _ in 0..20 {
        let step = random.between(0.0, 9.0).floor() as f32;
        let is_down = random.next() < 0.5;
        let mut inputs = running.inputs();
        inputs.values.insert("step".to_owned(), vec![step.into()]);
        inputs.keyboard[65] = if is_down { 255 } else { 0 };
        advance(&mut running.renderer, &inputs);
        expected += step + if is_down { 100.0 } else { 0.0 };
        assert_eq!(running.buffer(Buffer::A)[0][0], expected);
    }
    assert_eq!(running.image()[0][0], expected);
}
