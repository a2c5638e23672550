//! Pictures and videos, verified by other programs: `image`, ffprobe and ffmpeg must read
//! them back.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{MOVING, SOFT, Workspace, decode, psnr, stderr};

const WIDTH: usize = 160;
const HEIGHT: usize = 90;
const PIXELS: usize = WIDTH * HEIGHT;

/// Width, height, frames per second and number of frames, as ffprobe reports them.
fn probe(path: &Path) -> String {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-select_streams", "v"])
        .args(["-show_entries", "stream=width,height,avg_frame_rate,nb_read_frames"])
        .args(["-of", "csv=p=0"])
        .arg(path)
        .output()
        .expect("ffprobe is installed");
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// All frames as RGB, decoded by ffmpeg.
fn decoded(path: &Path) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(path)
        .args(["-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24"])
        .args(["-sws_flags", "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp", "-"])
        .output()
        .expect("ffmpeg is installed");
    assert!(output.status.success(), "{}", stderr(&output));
    output.stdout
}

/// All frames as RGB, captured as PNG files.
fn frames(workspace: &Workspace, scene: &str, count: u32, fps: u32) -> Vec<u8> {
    workspace
        .capture(scene, &format!("--size {WIDTH}x{HEIGHT} --fps {fps} --frames {count} -o png"));
    (0..count)
        .flat_map(|number| decode(&workspace.path(&format!("png/frame_{number:05}.png"))).rgb)
        .collect()
}

#[test]
fn video_matches_frames() {
    let workspace = Workspace::new();
    let expected = frames(&workspace, SOFT, 24, 24);
    for film in ["a.mp4", "a.webm"] {
        workspace.capture(SOFT, &format!("--size {WIDTH}x{HEIGHT} --fps 24 --frames 24 -o {film}"));
        let path = workspace.path(film);
        assert_eq!(probe(&path), "160,90,24/1,24", "{film}");
        let found = decoded(&path);
        let ratio = psnr(&found, &expected);
        assert!(ratio >= 35.0, "{film}: {ratio} dB");
        // A wrong matrix or range shifts the mean of a whole picture; compression does not.
        for channel in 0..3 {
            let mean = |rgb: &[u8]| {
                let sum: u64 = rgb.iter().skip(channel).step_by(3).map(|&c| u64::from(c)).sum();
                sum as f64 / (rgb.len() / 3) as f64
            };
            let off = (mean(&found) - mean(&expected)).abs();
            assert!(off < 1.0, "{film}, channel {channel}: off by {off}");
        }
    }
}

#[test]
fn video_is_deterministic() {
    let workspace = Workspace::new();
    for film in ["mp4", "webm"] {
        for name in ["a", "b"] {
            workspace.capture(SOFT, &format!("--size 64x36 --fps 24 --frames 6 -o {name}.{film}"));
        }
        let read =
            |name: &str| std::fs::read(workspace.path(&format!("{name}.{film}"))).expect("film");
        assert!(read("a") == read("b"), "{film}");
    }
}

#[test]
fn animated_png_is_exact() {
    let workspace = Workspace::new();
    let expected = frames(&workspace, MOVING, 10, 30);
    for tile in ["", "--tile 32"] {
        workspace.capture(
            MOVING,
            &format!("--size {WIDTH}x{HEIGHT} --fps 30 --frames 10 -o a.apng {tile}"),
        );
        assert_eq!(probe(&workspace.path("a.apng")), "160,90,30/1,10");
        assert!(decoded(&workspace.path("a.apng")) == expected);
    }
    workspace.capture(MOVING, "--size 160x90 --fps 30 --frames 10 -o b.png --format apng");
    let read = |name| std::fs::read(workspace.path(name)).expect("film");
    assert!(read("a.apng") == read("b.png"));
}

#[test]
fn gif_matches_frames() {
    let workspace = Workspace::new();
    let expected = frames(&workspace, SOFT, 25, 25);
    workspace.capture(SOFT, &format!("--size {WIDTH}x{HEIGHT} --fps 25 --frames 25 -o a.gif"));
    assert_eq!(probe(&workspace.path("a.gif")), "160,90,25/1,25");
    let ratio = psnr(&decoded(&workspace.path("a.gif")), &expected);
    // The limit for a frame of gradients in 256 colours.
    assert!(ratio >= 35.0, "{ratio} dB");
}

#[test]
fn gif_with_few_colours_is_exact() {
    let workspace = Workspace::new();
    let scene = workspace.path("flat.wgsl");
    let text = "#import tarsus::frame::frame
    fn main_image(at: vec2f) -> vec4f {
        let on = distance(at, vec2f(80.0 + 200.0 * frame.time, 45.0)) < 20.0;
        return vec4f(select(vec3f(0.1, 0.2, 0.3), vec3f(0.9, 0.5, 0.1), on), 1.0);
    }";
    std::fs::write(&scene, text).expect("scene");
    let scene = scene.to_str().expect("a name");
    let expected = frames(&workspace, scene, 8, 25);
    workspace.capture(scene, &format!("--size {WIDTH}x{HEIGHT} --fps 25 --frames 8 -o a.gif"));
    assert!(decoded(&workspace.path("a.gif")) == expected);
}

#[test]
fn raw_frames_are_exact() {
    let workspace = Workspace::new();
    let expected = frames(&workspace, MOVING, 5, 30);
    let run = format!("--size {WIDTH}x{HEIGHT} --fps 30 --frames 5");
    for tile in ["", "--tile 64"] {
        let raw = workspace.capture(MOVING, &format!("{run} --format raw -o - {tile}"));
        assert_eq!(raw.len(), 5 * 4 * PIXELS);
        let rgb: Vec<u8> = raw.chunks_exact(4).flat_map(|rgba| &rgba[..3]).copied().collect();
        assert!(rgb == expected);
    }
    workspace.capture(MOVING, &format!("{run} -o a.rgba"));
    let file = std::fs::read(workspace.path("a.rgba")).expect("file");
    assert!(file == workspace.capture(MOVING, &format!("{run} --format raw")));
}

#[test]
fn messages_go_to_standard_error() {
    let workspace = Workspace::new();
    let run = "--size 16x9 --frames 3 --format raw --json";
    let output = workspace.output(&format!("capture {MOVING} {run}"));
    assert!(output.status.success());
    assert_eq!(output.stdout.len(), 3 * 4 * 16 * 9);
    let errors = stderr(&output);
    let json = errors.lines().filter(|line| line.starts_with('{'));
    let messages: Vec<serde_json::Value> =
        json.map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(messages[0]["adapter"].is_string(), "{errors}");
    assert_eq!(messages.last().expect("a summary")["written"], 3);
}

#[test]
fn y4m_can_be_piped_into_ffmpeg() {
    let workspace = Workspace::new();
    let expected = frames(&workspace, MOVING, 5, 30);
    let run = format!("--size {WIDTH}x{HEIGHT} --fps 30 --frames 5 --format y4m -o -");
    let y4m = workspace.capture(MOVING, &run);
    let mut ffmpeg = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "yuv4mpegpipe", "-i", "-", "-c:v", "ffv1"])
        .arg(workspace.path("a.mkv"))
        .stdin(Stdio::piped())
        .spawn()
        .expect("ffmpeg is installed");
    let mut pipe = ffmpeg.stdin.take().expect("a pipe");
    pipe.write_all(&y4m).expect("piped");
    drop(pipe);
    assert!(ffmpeg.wait().expect("ended").success());
    assert_eq!(probe(&workspace.path("a.mkv")), "160,90,30/1,5");
    let ratio = psnr(&decoded(&workspace.path("a.mkv")), &expected);
    // Limited range in 8 bits and back costs at most a step or two per component.
    assert!(ratio >= 48.0, "{ratio} dB");
}

#[test]
fn sixteen_bits_refine_eight() {
    let workspace = Workspace::new();
    workspace.capture(SOFT, "--size 160x90 --time 0.2 -o plain.png");
    workspace.capture(SOFT, "--size 160x90 --time 0.2 -o deep.png --depth 16");
    let (plain, deep) = (decode(&workspace.path("plain.png")), decode(&workspace.path("deep.png")));
    assert_eq!((plain.bits, deep.bits), (8, 16));
    let words = deep.rgb.chunks_exact(2).map(|w| u32::from(u16::from_be_bytes([w[0], w[1]])));
    let mut fine = 0;
    for (word, &byte) in words.zip(&plain.rgb) {
        let eighth = word as f32 / 257.0;
        // Both are rounded from the same value.
        assert!((eighth - f32::from(byte)).abs() <= 0.51, "{eighth} {byte}");
        fine += u32::from(word % 257 != 0);
    }
    assert!(fine > 30_000, "only {fine} values are not eight-bit ones");
}

#[test]
fn png_contains_its_snapshot() {
    let workspace = Workspace::new();
    workspace.capture(MOVING, "--size 32x18 --fps 24 --frame 12 -o a.png --set radius=0.4");
    let texts = decode(&workspace.path("a.png")).texts;
    let moment: serde_json::Value = serde_json::from_str(&texts["tarsus"]).expect("JSON");
    assert_eq!(moment["time"], 0.5);
    assert_eq!(moment["parameters"]["radius"][0], 0.4);
    assert_eq!(texts["tarsus-hash"].len(), 2 * 32 + 1);
}

const STILL: &str = "--size 160x90 --time 0.2";

/// A picture as the `image` crate decodes it.
fn opened(workspace: &Workspace, name: &str) -> image::DynamicImage {
    image::open(workspace.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn lossless_pictures_equal_png() {
    let workspace = Workspace::new();
    for (depth, names) in
        [("8", &["a.webp", "a.tif", "a.tiff", "a.qoi"][..]), ("16", &["a.tif"][..])]
    {
        workspace.capture(MOVING, &format!("{STILL} --depth {depth} -o a.png"));
        let expected = opened(&workspace, "a.png");
        for name in names {
            workspace.capture(MOVING, &format!("{STILL} --depth {depth} -o {name}"));
            let found = opened(&workspace, name);
            assert_eq!(found.color(), expected.color(), "{name}");
            assert!(found.as_bytes() == expected.as_bytes(), "{name} of {depth} bits");
        }
    }
}

#[test]
fn jpeg_is_close_to_png() {
    let workspace = Workspace::new();
    for scene in [SOFT, MOVING] {
        workspace.capture(scene, &format!("{STILL} -o a.png"));
        workspace.capture(scene, &format!("{STILL} -o a.jpg"));
        let ratio =
            psnr(opened(&workspace, "a.jpg").as_bytes(), opened(&workspace, "a.png").as_bytes());
        assert!(ratio >= 35.0, "{ratio} dB");
    }
    assert!(decoded(&workspace.path("a.jpg")).len() == 3 * PIXELS, "ffmpeg reads it");
}

/// Converts a display value to linear light, by the sRGB curve of IEC 61966-2-1.
fn linear(display: f64) -> f64 {
    if display <= 0.040_45 { display / 12.92 } else { ((display + 0.055) / 1.055).powf(2.4) }
}

#[test]
fn exr_is_in_linear_light() {
    let workspace = Workspace::new();
    for quality in ["", "--ssaa 4"] {
        workspace.capture(SOFT, &format!("{STILL} {quality} --depth 16 -o a.png"));
        workspace.capture(SOFT, &format!("{STILL} {quality} -o a.exr"));
        let display = opened(&workspace, "a.png").into_rgb16().into_raw();
        let light = opened(&workspace, "a.exr").into_rgb32f().into_raw();
        assert_eq!(light.len(), display.len());
        for (&word, &light) in display.iter().zip(&light) {
            // The PNG is rounded to half a step, and the slope of the curve is at most 2.4.
            let step = |offset: f64| linear((f64::from(word) + offset) / 65_535.0);
            let range = step(-1.0) - 1e-6..=step(1.0) + 1e-6;
            assert!(range.contains(&f64::from(light)), "{word} {light} {quality}");
        }
    }
}

#[test]
fn exr_keeps_values_above_one() {
    let workspace = Workspace::new();
    let text = "fn main_image(at: vec2f) -> vec4f {
        return vec4f(2.0, select(0.25, 1.5, at.x > 8.0), 0.0, 1.0);
    }";
    std::fs::write(workspace.path("bright.wgsl"), text).expect("scene");
    for quality in ["", "--ssaa 8"] {
        workspace.capture("bright.wgsl", &format!("--size 16x4 {quality} -o a.exr"));
        let light = opened(&workspace, "a.exr").into_rgb32f();
        for (x, green) in [(1, 0.25), (14, 1.5)] {
            let [red, found, blue] = light.get_pixel(x, 1).0.map(f64::from);
            assert!((red - linear(2.0)).abs() < 1e-3, "{red}");
            assert!((found - linear(green)).abs() < 1e-3, "{found}");
            assert_eq!(blue, 0.0);
        }
    }
}

#[test]
fn folders_and_patterns_take_any_format() {
    let workspace = Workspace::new();
    let run = "--size 32x18 --frames 3";
    workspace.capture(MOVING, &format!("{run} --format jpg -o out"));
    workspace.capture(MOVING, &format!("{run} -o more/f_%02d.qoi"));
    let names = |folder: &str| workspace.files(folder).into_keys().collect::<Vec<_>>();
    let expected: Vec<String> = (0..3)
        .flat_map(|n| [format!("frame_0000{n}.jpg"), format!("frame_0000{n}.jpg.json")])
        .collect();
    assert_eq!(names("out"), expected);
    assert_eq!(names("more").len(), 6);
    assert!(names("more").contains(&"f_02.qoi".to_owned()));
}

#[test]
fn sidecar_restores_the_snapshot() {
    let workspace = Workspace::new();
    let run = "--size 32x18 --fps 24 --frame 12 --set radius=0.4 --mouse 20,5";
    workspace.capture(MOVING, &format!("{run} -o a.png"));
    for name in ["a.jpg", "a.webp", "a.tif", "a.exr", "a.qoi"] {
        workspace.capture(MOVING, &format!("{run} -o {name}"));
        let sidecar = std::fs::read_to_string(workspace.path(&format!("{name}.json")));
        let sidecar: serde_json::Value =
            serde_json::from_str(&sidecar.expect("a sidecar")).expect("JSON");
        assert_eq!(sidecar["tarsus"]["time"], 0.5, "{name}");
        assert_eq!(sidecar["tarsus-hash"].as_str().map(str::len), Some(2 * 32 + 1));
        workspace.capture(name, "-o again.png");
        assert!(
            decode(&workspace.path("again.png")).rgb == decode(&workspace.path("a.png")).rgb,
            "{name}"
        );
    }
    std::fs::remove_file(workspace.path("a.jpg.json")).expect("removed");
    let message = workspace.expect_error("a.jpg", "-o again.png", 1);
    assert!(message.contains("a.jpg.json does not exist"), "{message}");
}

#[test]
fn tiles_do_not_change_any_format() {
    let workspace = Workspace::new();
    for name in ["a.jpg", "a.exr", "a.webp"] {
        workspace.capture(MOVING, &format!("{STILL} -o {name}"));
        let whole = std::fs::read(workspace.path(name)).expect("whole");
        workspace.capture(MOVING, &format!("{STILL} --tile 32 -o {name}"));
        assert!(std::fs::read(workspace.path(name)).expect("tiled") == whole, "{name}");
    }
}

#[test]
fn standard_output_takes_one_picture() {
    let workspace = Workspace::new();
    for format in ["png", "jpg", "exr"] {
        let run = format!("--size 32x18 --time 0.5 -o - --format {format}");
        let bytes = workspace.capture(MOVING, &run);
        workspace.capture(MOVING, &format!("--size 32x18 --time 0.5 -o a.{format}"));
        let file = std::fs::read(workspace.path(&format!("a.{format}"))).expect("a picture");
        assert!(bytes == file, "{format}");
    }
    assert_eq!(workspace.names("."), ["a.exr", "a.exr.json", "a.jpg", "a.jpg.json", "a.png"]);
}
