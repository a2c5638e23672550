//! Channels in captures: the right file, at the right time, also for hashes and sound.

use std::path::Path;
use std::process::Command;

use crate::common::{MOVING, Workspace, decode, stderr, stdout};

const PICTURE: &str = "#import tarsus::frame::frame
/// image \"wood.png\", nearest
@group(2) @binding(0) var wood: texture_2d<f32>;
fn main_image(frag_coord: vec2f) -> vec4f { return textureLoad(wood, vec2i(0), 0); }
";

/// The picture shows the current video frame; the buffer sums all frames shown.
const FILM: &str = "#import tarsus::frame::frame
#import tarsus::buffers
/// video \"film.mkv\", nearest
@group(2) @binding(0) var film: texture_2d<f32>;
fn buffer_a(frag_coord: vec2f) -> vec4f {
    return buffers::a(vec2i(frag_coord)) + textureLoad(film, vec2i(0), 0);
}
fn main_image(frag_coord: vec2f) -> vec4f {
    let now = textureLoad(film, vec2i(0), 0).x;
    return vec4f(now, 0.1 * buffers::a(vec2i(0)).x, 0.0, 1.0);
}
";

const SIZE: &str = "--size 8x4 --fps 10";

fn picture(path: &Path, red: u8) {
    let file = std::fs::File::create(path).expect("a file");
    let mut encoder = png::Encoder::new(file, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    let pixels = [red, 20, 30].repeat(4);
    writer.write_image_data(&pixels).expect("pixels");
}

/// Writes a lossless video at ten frames per second; frame n has the grey level 20 n.
fn film(workspace: &Workspace) {
    let grey = |number: u8| vec![20 * number; 16 * 16];
    let frames: Vec<u8> = (0..10).flat_map(grey).collect();
    std::fs::write(workspace.path("film.grey"), frames).expect("frames");
    let status = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "rawvideo", "-pix_fmt", "gray"])
        .args(["-s", "16x16", "-r", "10", "-i", "film.grey"])
        .args(["-c:v", "ffv1", "-pix_fmt", "gray", "film.mkv"])
        .current_dir(workspace.folder.path())
        .status();
    assert!(status.expect("ffmpeg is installed").success());
}

fn first_pixel(workspace: &Workspace, name: &str) -> [u8; 3] {
    let rgb = decode(&workspace.path(name)).rgb;
    [rgb[0], rgb[1], rgb[2]]
}

#[test]
fn channel_shows_default_or_replacement_file() {
    let workspace = Workspace::with_scene(PICTURE);
    picture(&workspace.path("wood.png"), 200);
    picture(&workspace.path("oak.png"), 100);
    workspace.capture("s.wgsl", &format!("{SIZE} -o a.png"));
    assert_eq!(first_pixel(&workspace, "a.png"), [200, 20, 30]);
    workspace.capture("s.wgsl", &format!("{SIZE} -o b.png --channel wood=oak.png"));
    assert_eq!(first_pixel(&workspace, "b.png"), [100, 20, 30]);
    // With tiles and several samples, too.
    let fine = "--tile 2 --ssaa 3 --shutter 180 --shutter-samples 2";
    workspace.capture("s.wgsl", &format!("{SIZE} -o c.png {fine}"));
    assert_eq!(first_pixel(&workspace, "c.png"), [200, 20, 30]);
}

#[test]
fn reopened_picture_needs_its_channel_files() {
    let workspace = Workspace::with_scene(PICTURE);
    picture(&workspace.path("wood.png"), 200);
    picture(&workspace.path("oak.png"), 100);
    workspace.capture("s.wgsl", &format!("{SIZE} -o a.png --channel wood=oak.png"));
    workspace.capture("a.png", "-o again.png --channel wood=oak.png --strict");
    let words = workspace.text_of("capture a.png -o other.png", 0);
    let expected = "the files of the channels are not those of a.png";
    assert!(words.contains("warning: ") && words.contains(expected), "{words}");
    assert!(words.contains("hint: `--channel NAME=FILE` names others"), "{words}");
    let message = workspace.expect_error("a.png", "-o other.png --strict", 1);
    assert!(message.contains(expected), "{message}");
}

#[test]
fn changed_channel_file_invalidates_frames() {
    let workspace = Workspace::with_scene(PICTURE);
    picture(&workspace.path("wood.png"), 200);
    let kept = || {
        let output =
            workspace.capture("s.wgsl", &format!("{SIZE} --frames 2 -o out --resume --json"));
        let summary: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
        summary["kept"].as_u64()
    };
    assert_eq!(kept(), Some(0));
    assert_eq!(kept(), Some(2));
    picture(&workspace.path("wood.png"), 201);
    assert_eq!(kept(), Some(0));
}

#[test]
fn video_channel_follows_frame_time() {
    let workspace = Workspace::with_scene(FILM);
    film(&workspace);
    workspace.capture("s.wgsl", &format!("{SIZE} --frames 6 -o out"));
    let mut sum = 0.0;
    for number in 0..6u8 {
        let [now, all, _] = first_pixel(&workspace, &format!("out/frame_0000{number}.png"));
        assert_eq!(now, 20 * number, "frame {number}");
        // The buffer has seen each frame once.
        sum += f64::from(20 * number);
        assert!((f64::from(all) - 0.1 * sum).abs() <= 1.0, "frame {number}: {all}");
    }
    workspace.capture("s.wgsl", &format!("{SIZE} --frame 5 -o alone.png"));
    let alone = std::fs::read(workspace.path("alone.png")).expect("bytes");
    let whole = std::fs::read(workspace.path("out/frame_00005.png")).expect("bytes");
    assert!(alone == whole);
    // The video advances while the shutter is open, the buffer does not.
    workspace.capture(
        "s.wgsl",
        "--size 8x4 --fps 2.5 --frame 1 --shutter 360 --shutter-samples 4 --tile 4 -o blur.png",
    );
    let [now, all, _] = first_pixel(&workspace, "blur.png");
    let light = |byte: f64| ((byte / 255.0 + 0.055) / 1.055).powf(2.4);
    let mean = [80.0, 100.0, 120.0, 140.0].map(light).iter().sum::<f64>() / 4.0;
    let expected = 255.0 * (1.055 * mean.powf(1.0 / 2.4) - 0.055);
    assert!((f64::from(now) - expected).abs() <= 1.5, "{now} for {expected}");
    assert!(all.abs_diff(8) <= 1, "frames at 0 and 0.4 s: {all}");
}

#[test]
fn sound_shader_reads_channels() {
    let workspace = Workspace::with_scene(
        "
/// image \"wood.png\", nearest
@group(2) @binding(0) var wood: texture_2d<f32>;
fn main_sound(sample: u32, time: f32) -> vec2f { return textureLoad(wood, vec2i(0), 0).xy; }
fn main_image(frag_coord: vec2f) -> vec4f { return vec4f(frag_coord.x); }
",
    );
    picture(&workspace.path("wood.png"), 51);
    workspace.capture("s.wgsl", &format!("{SIZE} --frames 1 -o a.wav"));
    let mut wav = hound::WavReader::open(workspace.path("a.wav")).expect("a WAV file");
    let first: f32 = wav.samples().next().expect("a sample").expect("a float");
    assert!((first - 0.2).abs() < 1e-6, "{first}");
}

#[test]
fn check_opens_every_channel() {
    let workspace = Workspace::with_scene(PICTURE);
    let missing = workspace.text_of("check s.wgsl", 1);
    assert!(missing.contains("cannot read channel `wood` from wood.png"), "{missing}");
    picture(&workspace.path("wood.png"), 200);
    let found = workspace.output(&format!("check s.wgsl {MOVING}"));
    let message = stdout(&found);
    let expected = format!(
        "s.wgsl: scene, no errors\n  channel wood: image of 2x2 from wood.png\n\
         {MOVING}: scene, no errors\n"
    );
    assert!(found.status.success() && message == expected, "{message}");
    let unknown = workspace.text_of("check s.wgsl --channel oak=wood.png", 1);
    assert!(unknown.contains("channel `oak`") && unknown.contains("wood"), "{unknown}");
}

#[test]
fn unreadable_channels_are_reported() {
    let workspace = Workspace::with_scene(PICTURE);
    std::fs::write(workspace.path("broken.png"), "no picture").expect("file");
    for (channel, expected) in [
        ("wood=nowhere.png", "there is no such file"),
        ("wood=broken.png", "cannot read channel `wood` from broken.png"),
        ("grass=broken.png", "the scene has wood"),
    ] {
        let message =
            workspace.expect_error("s.wgsl", &format!("{SIZE} -o a.png --channel {channel}"), 1);
        assert!(message.contains(expected), "{channel}: {message}");
    }
    let none = workspace.expect_error(MOVING, "--channel wood=broken.png -o a.png", 1);
    assert!(none.contains("the scene has no channels"), "{none}");
    assert!(!workspace.path("a.png").exists());
}

#[test]
fn bench_fills_channels_and_times_passes() {
    let workspace = Workspace::with_scene(FILM);
    film(&workspace);
    let output = workspace.output("bench s.wgsl --size 16x9,32x18 --times 3 --json");
    assert!(output.status.success(), "{}", stderr(&output));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for size in summary["sizes"].as_array().expect("sizes") {
        // With timestamp queries, the adapter reports the time of each pass.
        let Some(whole) = size["gpu"]["median_ms"].as_f64() else {
            continue;
        };
        for pass in ["buffer a", "image"] {
            let median = size["passes"][pass]["median_ms"].as_f64();
            assert!(median.is_some_and(|median| median <= whole), "{size}");
        }
    }
}
