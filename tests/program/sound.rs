//! The sound of a scene in WAV files and videos, compared with its formula.

use std::process::Command;

use hound::{SampleFormat, WavReader};

use crate::common::{MOVING, Workspace};

/// Two sine tones with a whole number of periods per second, at a level set by a parameter.
const TONES: &str = "#import tarsus::frame::frame
const LOOP_SECONDS: f32 = 0.5;
struct Params {
    /// Level [0, 1] = 0.5
    level: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn tone(sample: u32, frequency: u32) -> f32 {
    return sin(6.2831853 * f32(sample * frequency % 48000u) / 48000.0);
}
fn main_sound(sample: u32, time: f32) -> vec2f {
    return params.level * vec2f(tone(sample, 440u), tone(sample, 1000u));
}
fn main_image(frag_coord: vec2f) -> vec4f { return vec4f(frame.time); }
";

const SIZE: &str = "--size 32x18";

fn expected(sample: usize, level: f64) -> [f64; 2] {
    let phase = |frequency: usize| (sample * frequency % 48_000) as f64 / 48_000.0;
    [440, 1000].map(|frequency| level * (std::f64::consts::TAU * phase(frequency)).sin())
}

/// Reads a WAV file: sample format, bits per number and samples.
fn wav(workspace: &Workspace, name: &str) -> (SampleFormat, u16, Vec<[f64; 2]>) {
    let mut reader = WavReader::open(workspace.path(name)).expect("a WAV file");
    let spec = reader.spec();
    assert_eq!((spec.channels, spec.sample_rate), (2, 48_000));
    let numbers: Vec<f64> = match spec.sample_format {
        SampleFormat::Float => {
            reader.samples::<f32>().map(|number| f64::from(number.expect("a float"))).collect()
        }
        SampleFormat::Int => reader
            .samples::<i16>()
            .map(|number| f64::from(number.expect("an integer")) / 32_767.0)
            .collect(),
    };
    let pairs = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    let samples = pairs.collect();
    (spec.sample_format, spec.bits_per_sample, samples)
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f64> {
    let words = bytes.chunks_exact(4);
    words.map(|bytes| f64::from(f32::from_le_bytes(bytes.try_into().expect("4"))))
}

/// Largest deviation from the formula, from sample `first` on.
fn off(samples: &[[f64; 2]], first: usize, level: f64) -> f64 {
    let pairs = samples.iter().enumerate().flat_map(|(number, found)| {
        let expected = expected(first + number, level);
        [0, 1].map(|side| (found[side] - expected[side]).abs())
    });
    pairs.fold(0.0, f64::max)
}

#[test]
fn samples_match_formula() {
    let workspace = Workspace::with_scene(TONES);
    workspace.capture("s.wgsl", &format!("{SIZE} --fps 30 --frames 45 -o a.wav"));
    let (form, bits, samples) = wav(&workspace, "a.wav");
    assert_eq!((form, bits, samples.len()), (SampleFormat::Float, 32, 72_000));
    // Vulkan allows an absolute error of 2^-11 for `sin`.
    let off_by = off(&samples, 0, 0.5);
    assert!(off_by < 5e-4, "{off_by}");
    assert_eq!(workspace.names("").len(), 2, "nothing else is written");
}

#[test]
fn frames_values_and_depth_are_applied() {
    let workspace = Workspace::with_scene(TONES);
    // 30000/1001 fps: frame 10 begins at sample 16016, frame 25 at sample 40040.
    let run = format!("{SIZE} --fps 30000/1001 --frames 10..25 --set level=1");
    workspace.capture("s.wgsl", &format!("{run} -o a.wav --depth 16"));
    let (form, bits, samples) = wav(&workspace, "a.wav");
    assert_eq!((form, bits, samples.len()), (SampleFormat::Int, 16, 40_040 - 16_016));
    let off_by = off(&samples, 16_016, 1.0);
    assert!(off_by < 5e-4, "{off_by}");
    workspace.capture("s.wgsl", &format!("{SIZE} --loop --fps 10 -o loop.wav"));
    assert_eq!(wav(&workspace, "loop.wav").2.len(), 24_000);
}

#[test]
fn samples_use_inputs_of_their_frame() {
    let text = "#import tarsus::frame::frame
        fn main_sound(sample: u32, time: f32) -> vec2f {
            let none = 0.0 * f32(sample);
            return vec2f(f32(frame.index) * 0.01, select(frame.time, none / none, sample == 7u));
        }
        fn main_image(frag_coord: vec2f) -> vec4f { return vec4f(frame.time); }
        ";
    let workspace = Workspace::with_scene(text);
    workspace.capture("s.wgsl", &format!("{SIZE} --fps 100 --frames 9 -o a.wav"));
    let (_, _, samples) = wav(&workspace, "a.wav");
    assert_eq!(samples.len(), 9 * 480);
    for (number, sample) in samples.iter().enumerate() {
        let frame = (number / 480) as f64;
        assert!((sample[0] - 0.01 * frame).abs() < 1e-6, "sample {number}");
        assert!(sample[1].is_finite(), "sample {number}");
        assert!(number == 7 || (sample[1] - frame / 100.0).abs() < 1e-6, "sample {number}");
    }
}

fn ffprobe(workspace: &Workspace, name: &str, entries: &str) -> Vec<String> {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "a", "-show_entries", entries])
        .args(["-of", "default=noprint_wrappers=1:nokey=1"])
        .arg(workspace.path(name))
        .output()
        .expect("ffprobe is installed");
    let message = String::from_utf8(output.stdout).expect("text");
    message.lines().map(str::to_owned).collect()
}

fn decoded(workspace: &Workspace, name: &str) -> Vec<[f64; 2]> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(workspace.path(name))
        .args(["-map", "0:a", "-f", "f32le", "-"])
        .output()
        .expect("ffmpeg is installed");
    let numbers: Vec<f64> = floats(&output.stdout).collect();
    let pairs = numbers.chunks_exact(2);
    pairs.map(|pair| [pair[0], pair[1]]).collect()
}

#[test]
fn videos_carry_the_whole_sound() {
    let workspace = Workspace::with_scene(TONES);
    let run = format!("{SIZE} --fps 30 --frames 45");
    for (film, codec) in [("a.mp4", "aac"), ("a.webm", "opus")] {
        workspace.capture("s.wgsl", &format!("{run} -o {film}"));
        let stream = ffprobe(&workspace, film, "stream=codec_name,sample_rate,channels");
        assert_eq!(stream, [codec, "48000", "2"], "{film}");
        let samples = decoded(&workspace, film);
        // AAC has blocks of 1024 samples; players skip what is beyond the end.
        assert!((72_000..72_000 + 1024).contains(&samples.len()), "{film}");
        let squares = |shift: usize| -> f64 {
            let pairs = samples[1000 + shift..70_000 + shift].iter().enumerate();
            let errors = pairs.map(|(number, found)| {
                let expected = expected(1000 + number, 0.5);
                (found[0] - expected[0]).powi(2) + (found[1] - expected[1]).powi(2)
            });
            errors.sum::<f64>() / 2.0 / 69_000.0
        };
        // Codec errors are far below the signal; a shift by one sample would be far above
        // them.
        let [exact, late] = [0, 1].map(|shift| 10.0 * squares(shift).log10());
        assert!(exact < -45.0 && late > exact + 10.0, "{film}: {exact} and {late} dB");
        assert_eq!(workspace.names("").iter().filter(|name| name.starts_with('.')).count(), 0);
    }
    let length = ffprobe(&workspace, "a.mp4", "stream=duration");
    assert_eq!(length, ["1.500000"]);
    let again = std::fs::read(workspace.path("a.mp4")).expect("a film");
    workspace.capture("s.wgsl", &format!("{run} -o b.mp4"));
    assert!(again == std::fs::read(workspace.path("b.mp4")).expect("a film"), "the same file");
}

#[test]
fn video_can_be_mute() {
    let workspace = Workspace::with_scene(TONES);
    let run = format!("{SIZE} --fps 30 --frames 6");
    workspace.capture("s.wgsl", &format!("{run} -o a.mp4 --mute"));
    workspace.capture(MOVING, &format!("{run} -o b.mp4"));
    for film in ["a.mp4", "b.mp4"] {
        assert!(ffprobe(&workspace, film, "stream=codec_name").is_empty(), "{film}");
    }
}

#[test]
fn invalid_sound_requests_are_reported() {
    let workspace = Workspace::with_scene(TONES);
    let none = workspace.expect_error(MOVING, "-o a.wav", 2);
    assert!(none.contains("the scene has no sound"), "{none}");
    for (arguments, code, expected) in [
        ("-o a.wav --mute", 2, "`--mute`"),
        ("-o a.wav --frames 2 --shard 1/2", 2, "`--shard`"),
        ("-o a.wav --resume", 2, "`--resume`"),
        ("-o a.wav --depth 8", 2, "--depth 8"),
        ("-o a.wav --fps 0.001 --frames 100", 2, "24.9 hours"),
        ("-o a.mp4 --fps 0.001 --frames 100 --dry-run", 2, "24.9 hours"),
        ("-o a.wav --fps 1 --frames 80000 --dry-run", 2, "holds at most"),
    ] {
        let message = workspace.expect_error("s.wgsl", arguments, code);
        assert!(message.contains(expected), "{arguments}: {message}");
    }
    assert_eq!(workspace.names(""), ["s.wgsl"], "no part stays");
}
