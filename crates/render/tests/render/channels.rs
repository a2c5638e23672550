//! Channels, from their files to pixels: orientation, position and time, for every way of
//! reading them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use image::{Rgb, Rgb32FImage, RgbImage};
use tarsus_media::{ChannelLimits, Channels};
use tarsus_render::{
    Depth, FORMAT, Frame, Inputs, Readback, Renderer, SAMPLE_FORMAT, target_texture,
};
use tarsus_shader::Scene;

use crate::common::drawing::texels;
use crate::common::{compose, gpu, library, renderer};

/// A scene in its own folder that draws a picture of 4x4 pixels.
struct Sample {
    folder: tempfile::TempDir,
    renderer: Option<(RefCell<Renderer>, RefCell<Channels>)>,
}

impl Sample {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), renderer: None }
    }

    fn path(&self, file: &str) -> std::path::PathBuf {
        self.folder.path().join(file)
    }

    /// Opens a scene whose colour at `uv` is the expression `colour`. The channel `seen`
    /// is of type `kind` and declared by `comment`; its sampler is `seen_sampler`.
    fn open(&mut self, comment: &str, kind: &str, colour: &str) -> &mut Self {
        let text = format!(
            "#import tarsus::frame
/// {comment}
@group(2) @binding(0) var seen: {kind};
@group(2) @binding(1) var seen_sampler: sampler;
fn at(uv: vec2f) -> vec4f {{ return {colour}; }}
fn main_image(p: vec2f) -> vec4f {{ return vec4f(at(p / frame::frame.resolution).rgb, 1.0); }}
"
        );
        std::fs::write(self.path("scene.wgsl"), text).expect("written");
        let scene = Scene::read(&self.path("scene.wgsl")).expect("a scene");
        let program = tarsus_shader::compose(&scene, &library(), &[]);
        let program = program.unwrap_or_else(|error| panic!("{error}"));
        let channels =
            Channels::open(&program.channels, &BTreeMap::new(), ChannelLimits::default());
        let channels = channels.unwrap_or_else(|error| panic!("{error}"));
        let renderer = renderer(gpu(), &program, FORMAT);
        self.renderer = Some((RefCell::new(renderer), RefCell::new(channels)));
        self
    }

    /// Colours of the picture at a time, rows from the lowest up.
    fn draw(&self, time: f64) -> Vec<[u8; 3]> {
        let (renderer, channels) = self.renderer.as_ref().expect("an open scene");
        let (mut renderer, mut channels) = (renderer.borrow_mut(), channels.borrow_mut());
        let gpu = gpu();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for (number, texels) in channels.update(time).expect("texels") {
            let set = renderer.set_channel(&mut encoder, number, &texels);
            set.expect("it fits");
        }
        gpu.queue.submit([encoder.finish()]);
        let frame = Frame::new((4, 4), 0, 60.0).at_time(time);
        let inputs = Inputs::new(frame);
        let picture =
            tarsus_render::render_picture(gpu, &mut renderer, &inputs).expect("a picture");
        (0..16)
            .map(|at| picture.pixel(at % 4, 3 - at / 4))
            .map(|[red, green, blue, _]| [red, green, blue])
            .collect()
    }

    /// The first component of the pixels at the lower left, lower right, upper left and
    /// upper right.
    fn corners(&self) -> [u8; 4] {
        let colours = self.draw(0.0);
        [0, 3, 12, 15].map(|at: usize| colours[at][0])
    }
}

const SAMPLED: &str = "textureSampleLevel(seen, seen_sampler, uv, 0.0)";
const FLAT: &str = "texture_2d<f32>";

/// Two by two pixels: the upper ones 10 and 20, the lower ones 30 and 40.
fn write_picture(path: &Path) {
    let pixel = |x, y| Rgb([10 * (1 + x + 2 * y) as u8; 3]);
    RgbImage::from_fn(2, 2, pixel).save(path).expect("written");
}

#[test]
fn pictures_are_upright_unless_flipped() {
    let mut sample = Sample::new();
    write_picture(&sample.path("a.png"));
    let mut corners = |comment| sample.open(comment, FLAT, SAMPLED).corners();
    assert_eq!(corners("image \"a.png\", nearest"), [30, 40, 10, 20]);
    assert_eq!(corners("image \"a.png\", nearest, flip"), [10, 20, 30, 40]);
}

#[test]
fn wrap_modes_apply_beyond_edges() {
    let mut sample = Sample::new();
    write_picture(&sample.path("a.png"));
    // From -1 to 3, across the neighbouring copies on the left and the right.
    let around = "textureSampleLevel(seen, seen_sampler, vec2f(4.0 * uv.x - 1.0, 0.25), 0.0)";
    let mut row = |comment| -> Vec<u8> {
        let colours = sample.open(comment, FLAT, around).draw(0.0);
        colours[..4].iter().map(|colour| colour[0]).collect()
    };
    // Sampled at -0.5, 0.5, 1.5 and 2.5; the right texel starts at 0.5.
    assert_eq!(row("image \"a.png\", nearest"), [30, 40, 40, 40]);
    assert_eq!(row("image \"a.png\", nearest, repeat"), [40, 40, 40, 40]);
    let shifted = "textureSampleLevel(seen, seen_sampler, vec2f(4.0 * uv.x - 1.3, 0.25), 0.0)";
    let mut row = |comment| -> Vec<u8> {
        let colours = sample.open(comment, FLAT, shifted).draw(0.0);
        colours[..4].iter().map(|colour| colour[0]).collect()
    };
    // Sampled at -0.8, 0.2, 1.2 and 2.2.
    assert_eq!(row("image \"a.png\", nearest, repeat"), [30, 30, 30, 30]);
    assert_eq!(row("image \"a.png\", nearest, mirror"), [40, 30, 40, 30]);
}

#[test]
fn srgb_is_decoded_only_on_request() {
    let mut sample = Sample::new();
    RgbImage::from_pixel(1, 1, Rgb([188; 3])).save(sample.path("a.png")).expect("written");
    // sRGB 188 is half the linear light.
    let mut first = |comment| i32::from(sample.open(comment, FLAT, SAMPLED).corners()[0]);
    assert_eq!(first("image \"a.png\""), 188);
    assert!((first("image \"a.png\", srgb") - 128).abs() <= 1);
}

#[test]
fn values_above_white_are_kept() {
    let mut sample = Sample::new();
    let sun = Rgb32FImage::from_pixel(1, 1, Rgb([12.0, 0.5, 0.0]));
    for file in ["a.hdr", "a.exr"] {
        sun.save(sample.path(file)).expect("written");
        let divided = "textureSampleLevel(seen, seen_sampler, uv, 0.0) / 16.0";
        sample.open(&format!("image \"{file}\""), FLAT, divided);
        assert_eq!(sample.draw(0.0)[0], [191, 8, 0], "{file}");
    }
}

#[test]
fn mipmap_level_is_the_mean() {
    let mut sample = Sample::new();
    write_picture(&sample.path("a.png"));
    let second = "textureSampleLevel(seen, seen_sampler, uv, 1.0)";
    sample.open("image \"a.png\", mipmap", FLAT, second);
    assert_eq!(sample.corners(), [25; 4]);
}

#[test]
fn sky_directions_match_longitude_and_height() {
    // Red encodes longitude, green the height, from the upper left of the picture.
    let mut sample = Sample::new();
    let pixel = |x: u32, y: u32| Rgb([(x / 2) as u8, (y * 2) as u8, 0]);
    RgbImage::from_fn(256, 128, pixel).save(sample.path("sky.png")).expect("written");
    for (direction, u, v) in [
        ("0, 0, -1", 0.5, 0.5),
        ("1, 0, 0", 0.75, 0.5),
        ("-1, 0, 0", 0.25, 0.5),
        ("0.6, 0, -0.8", 0.6024, 0.5),
        ("0, 0.8, -0.6", 0.5, 0.2048),
        ("0.1, -0.6, -0.8", 0.5198, 0.7038),
        ("0.7, 0.2, 0.69", 0.876, 0.4359),
    ] {
        let colour = format!("textureSampleLevel(seen, seen_sampler, vec3f({direction}), 0.0)");
        sample.open("cube \"sky.png\"", "texture_cube<f32>", &colour);
        let [red, green, _] = sample.draw(0.0)[0];
        // A texel of a face covers two of the picture: 1 of red, 4 of green.
        assert!((f64::from(red) - 128.0 * u).abs() <= 1.5, "{direction}: {red}");
        assert!((f64::from(green) - 256.0 * v).abs() <= 4.0, "{direction}: {green}");
    }
}

#[test]
fn cube_faces_have_correct_orientation() {
    let mut sample = Sample::new();
    for (number, face) in ["px", "nx", "py", "ny", "pz", "nz"].iter().enumerate() {
        // The upper left texel is brighter by 5, the upper right one by 2.
        let pixel = |x, y| {
            let more = if y == 1 {
                0
            } else if x == 0 {
                5
            } else {
                2
            };
            Rgb([40 * number as u8 + more; 3])
        };
        let path = sample.path(&format!("{face}.png"));
        RgbImage::from_fn(2, 2, pixel).save(path).expect("written");
    }
    let files = "cube \"px.png\" \"nx.png\" \"py.png\" \"ny.png\" \"pz.png\" \"nz.png\", nearest";
    for (direction, expected) in [
        // Upper left, upper right and lower, as seen from the centre.
        ("1, 0.5, 0.5", 5),
        ("1, 0.5, -0.5", 2),
        ("1, -0.5, 0.5", 0),
        ("-1, 0.5, -0.5", 45),
        ("-1, 0.5, 0.5", 42),
        // The first row of the top face is at -z, that of the bottom face at +z.
        ("-0.5, 1, -0.5", 85),
        ("-0.5, -1, 0.5", 125),
        ("-0.5, 0.5, 1", 165),
        ("0.5, 0.5, -1", 205),
        ("-0.5, 0.5, -1", 202),
    ] {
        let colour = format!("textureSampleLevel(seen, seen_sampler, vec3f({direction}), 0.0)");
        sample.open(files, "texture_cube<f32>", &colour);
        assert_eq!(sample.corners(), [expected; 4], "{direction}");
    }
}

#[test]
fn volume_slices_run_top_to_bottom() {
    let mut sample = Sample::new();
    // Three slices of 2x2: 40 times the slice, plus 1 on the right, plus 2 in the lower
    // row.
    let pixel = |x, y| Rgb([(40 * (y / 2) + x + 2 * (y % 2)) as u8; 3]);
    RgbImage::from_fn(2, 6, pixel).save(sample.path("fog.png")).expect("written");
    for (depth, more) in [("0.1", 0), ("0.5", 40), ("0.9", 80)] {
        let colour = format!("textureSampleLevel(seen, seen_sampler, vec3f(uv, {depth}), 0.0)");
        sample.open("volume \"fog.png\", nearest", "texture_3d<f32>", &colour);
        assert_eq!(sample.corners(), [2, 3, 0, 1].map(|value| more + value));
    }
}

#[test]
fn green_noise_is_shifted_red() {
    let mut sample = Sample::new();
    // The green of a cell is the red of the cell below, so that slices join without a
    // jump.
    let red = "textureLoad(seen, vec2i(uv * 256.0), 0).xxxx";
    let first = sample.open("noise rgba 256", FLAT, red).draw(0.0);
    let green = "textureLoad(seen, (vec2i(uv * 256.0) + vec2i(37, 239)) % 256, 0).yyyy";
    assert_eq!(sample.open("noise rgba 256", FLAT, green).draw(0.0), first);
    assert!(first.iter().any(|colour| *colour != first[0]));
}

#[test]
fn videos_follow_time_in_any_order() {
    let mut sample = Sample::new();
    // The upper half brightens by 10 in each of 20 frames, at 10 frames per second.
    let film = "color=black:s=64x48:r=10:d=2,format=gray,geq=lum='if(lt(Y,24),10*N,0)'";
    make(&["-f", "lavfi", "-i", film, "-pix_fmt", "yuv420p"], &sample.path("v.mp4"));
    sample.open("video \"v.mp4\"", FLAT, SAMPLED);
    for (time, brightness) in [(0.0, 0), (0.5, 50), (1.99, 190), (0.1, 10), (2.35, 30)] {
        let colours = sample.draw(time);
        let (lower, upper) = (i32::from(colours[1][0]), i32::from(colours[13][0]));
        assert!((upper - brightness).abs() < 8, "{time}: {upper}");
        assert!(lower < 8, "{time}: {lower}");
    }
}

#[test]
fn sound_has_spectrum_and_wave_rows() {
    let mut sample = Sample::new();
    let tone = "aevalsrc=0.5*sin(2*PI*3000*t):s=48000:d=2";
    make(&["-f", "lavfi", "-i", tone], &sample.path("s.wav"));
    // 3000 Hz is at a quarter of the spectrum's row.
    let places = "vec4f(textureSampleLevel(seen, seen_sampler, vec2f(0.2505, 0.25), 0.0).x,
        textureSampleLevel(seen, seen_sampler, vec2f(0.75, 0.25), 0.0).x,
        textureSampleLevel(seen, seen_sampler, vec2f(uv.x, 0.75), 0.0).x, 1.0)";
    sample.open("sound \"s.wav\", nearest", FLAT, places);
    assert_eq!(sample.draw(0.0)[0], [0, 0, 128], "silence at the start");
    let [tone, other, _] = sample.draw(1.0)[0];
    assert_eq!((tone, other), (255, 0));
}

/// Generates a video or a sound file.
fn make(arguments: &[&str], path: &Path) {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin", "-y"]).args(arguments).arg(path);
    assert!(command.status().expect("ffmpeg").success());
}

/// Draws the second frame of a scene on a device with `features`, in floats; also returns the
/// warning about filters.
fn draw_on_device(features: wgpu::Features, scene: &str) -> (Vec<[f32; 4]>, Vec<&'static str>) {
    let program = compose(scene, "scene.wgsl", &[]);
    let adapter = &gpu().adapter;
    let descriptor = wgpu::DeviceDescriptor {
        required_features: features,
        required_limits: adapter.limits(),
        ..Default::default()
    };
    let (device, queue) =
        pollster::block_on(adapter.request_device(&descriptor)).expect("a device");
    let made = Renderer::new(&device, &queue, &program, &[SAMPLE_FORMAT]);
    let mut renderer = pollster::block_on(made).expect("a pipeline");
    let inputs = Inputs::new(Frame::new((48, 16), 0, 60.0));
    let target = target_texture(&device, inputs.size(), Depth::Float).expect("a target");
    let view = target.create_view(&Default::default());
    let mut encoder = device.create_command_encoder(&Default::default());
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    renderer.advance(&mut encoder, &inputs);
    renderer.draw(&mut encoder, &inputs, &view).expect("a format");
    let readback = Readback::encode(&device, &mut encoder, &target, None);
    queue.submit([encoder.finish()]);
    let rgba = readback.finish().expect("a device");
    assert!(pollster::block_on(scope.pop()).is_none(), "{scene}");
    (texels(&rgba).collect(), tarsus_render::adapter_warnings(&device, &program))
}

/// A scene whose colour at `uv` is the expression `colour`; `seen` shows a buffer of 9x5
/// texels and has the options `comment`.
fn buffer_scene(comment: &str, colour: &str) -> String {
    format!(
        "#import tarsus::{{frame, buffers}}
/// buffer a{comment}
@group(2) @binding(0) var seen: texture_2d<f32>;
@group(2) @binding(1) var seen_sampler: sampler;
/// size 9x5
fn buffer_a(p: vec2f) -> vec4f {{
    return vec4f(p, fract(p.x * 0.37 + p.y * p.y * 0.61), step(5.0, p.x) * 9.0);
}}
fn main_image(p: vec2f) -> vec4f {{
    let uv = p / frame::frame.resolution * 2.7 - 0.8;
    return {colour};
}}"
    )
}

#[test]
fn shaders_filter_buffers_where_the_adapter_cannot() {
    // Each sample in its own columns.
    let samples = "array(
        textureSample(seen, seen_sampler, uv),
        textureSampleLevel(seen, seen_sampler, uv, 1.3),
        textureSampleLevel(seen, seen_sampler, uv, 9.0),
        textureSampleBias(seen, seen_sampler, uv, 0.7),
        textureSampleGrad(seen, seen_sampler, uv, vec2f(0.05, 0.0), vec2f(0.0, 0.4)),
        textureLoad(seen, vec2i(p) % vec2i(9, 5), 0),
    )[u32(p.x) / 8u]";
    for comment in ["", ", repeat", ", mirror", ", mipmap", ", mipmap, repeat", ", nearest"] {
        let scene = buffer_scene(comment, samples);
        let (expected, _) = draw_on_device(wgpu::Features::FLOAT32_FILTERABLE, &scene);
        let (drawn, warning) = draw_on_device(wgpu::Features::empty(), &scene);
        assert!(warning.is_empty(), "{comment}");
        for (index, (drawn, expected)) in drawn.iter().zip(&expected).enumerate() {
            let off = drawn.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            // Texels differ by up to 9. Adapters filter with 8 bits, and llvmpipe approximates
            // the level of mipmaps.
            assert!(
                off < if comment.contains("mipmap") { 0.2 } else { 0.04 },
                "{comment}: pixel {index} {drawn:?} {expected:?}"
            );
        }
    }
}

#[test]
fn unfiltered_buffers_are_reported() {
    let none = wgpu::Features::empty();
    let warning = |scene: &str| draw_on_device(none, scene).1;
    let through = "
fn through(image: texture_2d<f32>, filtered: sampler, uv: vec2f) -> vec4f {
    return textureSampleLevel(image, filtered, uv, 0.0);
}";
    for (left, function) in [
        ("through(seen, seen_sampler, uv)", through),
        ("textureSample(seen, seen_sampler, uv, vec2i(1, 0))", ""),
    ] {
        let warning = warning(&(buffer_scene("", left) + function));
        assert!(warning[0].contains("`nearest`"), "{left}: {warning:?}");
    }
    let scene = buffer_scene("", "textureSample(seen, seen_sampler, uv)");
    assert!(draw_on_device(wgpu::Features::FLOAT32_FILTERABLE, &scene).1.is_empty());
}
