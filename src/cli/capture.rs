//! Arguments of `tarsus capture`.

use std::num::NonZeroU32;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::{AdapterArgs, ChannelArgs, parse_duration, parse_number, parse_size};
use tarsus_capture::{
    CheckpointSettings, DEFAULT_TILE, Format, FrameSelection, Quality, Shard, Shutter,
};
use tarsus_player::MAX_TIME;
use tarsus_render::Depth;
use tarsus_shader::Lens;

const AFTER_HELP: &str = "\
Frame n is always at n / fps; the same command gives the same bytes, whatever
the number of threads, the size of the tiles, or the number of shares.

Examples:
  tarsus capture creature --duration 1 --ssaa 8 -o frames/
  tarsus capture creature --loop -o walk.mp4
  tarsus capture creature --size 20000x12000 -o poster.png
  tarsus capture creature --frames 600 -o frames/ --shard 2/4 --resume
  tarsus capture creature --frames 60 -o - --format y4m | ffmpeg -i - walk.mkv

In a scene with buffers frame n needs all frames before it, which are run first:
  tarsus capture pond.wgsl --frame 6000 -o pond.png --checkpoint-every 600 --resume
  tarsus capture pond.wgsl --frames 6000 -o out --checkpoint-every 500 --checkpoints-only
  tarsus capture pond.wgsl --frames 6000 -o out --shard 2/4        begins at frame 1500

Sound, alone or with its picture:
  tarsus capture song.wgsl --duration 30 -o song.wav
  tarsus capture song.wgsl --duration 30 -o song.mp4";

/// Stall timeout; `None` waits forever. The alias keeps clap from treating the option as an
/// optional argument.
type Timeout = Option<Duration>;

/// `tarsus capture`
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct CaptureArgs {
    /// A built-in scene (see `tarsus scenes`), a .wgsl file, Shadertoy GLSL (a .glsl file,
    /// a folder with an Image.glsl, or exported JSON), or a picture written by tarsus, such
    /// as a .png, whose snapshot is rendered again [default: that of the replayed file, or
    /// creature]
    #[arg(value_name = "SCENE|FILE|FOLDER|PICTURE")]
    pub scene: Option<String>,
    /// Width and height in pixels [default: 1280x720]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<(u32, u32)>,
    /// Frames per second
    #[arg(long, value_name = "N", help = fps_help(), value_parser = parse_fps, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Selects the frames to render; frame 0 by default.
    #[command(flatten)]
    pub moments: MomentArgs,
    /// Warm-up periods of the buffers before the one that --loop shows: at least as many
    /// periods as the buffers remember
    #[arg(long, value_name = "N", default_value = "1", requires = "looped")]
    pub lead: u32,
    /// Output path
    #[arg(short, long, value_name = "PATH", help = output_help())]
    pub output: Option<String>,
    /// Output format, if the output's name does not determine it
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub format: Option<Format>,
    /// Bits per component
    #[arg(long, value_name = "BITS", help = depth_help(), value_parser = parse_depth)]
    pub depth: Option<Depth>,
    /// Omit the scene's sound from an .mp4 or .webm
    #[arg(long)]
    pub mute: bool,
    /// Samples per pixel, averaged in linear light
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_samples)]
    pub ssaa: u32,
    /// Motion blur: shutter angle in degrees; 360 exposes the whole frame
    #[arg(long, value_name = "DEG", default_value = "0", value_parser = parse_shutter, allow_negative_numbers = true)]
    pub shutter: f64,
    /// Points in time that motion blur averages, each with the samples of --ssaa
    #[arg(long, value_name = "N", default_value = "16", value_parser = parse_samples)]
    pub shutter_samples: u32,
    /// Longest side of the tiles that large frames are split into
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TILE, value_parser = clap::value_parser!(u32).range(2..))]
    pub tile: u32,
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Files for the channels.
    #[command(flatten)]
    pub channels: ChannelArgs,
    /// Render a debug view instead of the picture: steps, normals, depth, isolines or
    /// overshoot of the ray marching, in scenes that use tarsus::raymarch or
    /// tarsus::terrain
    #[arg(long, value_name = "LENS", value_parser = parse_lens)]
    pub lens: Option<Lens>,
    /// Hold the mouse button down at this point, in pixels from the lower left corner
    #[arg(long, value_name = "X,Y", value_parser = parse_point, allow_negative_numbers = true, conflicts_with = "replay")]
    pub mouse: Option<[f64; 2]>,
    /// Replay a recording or keyframes (see docs/timeline.md)
    #[arg(long, value_name = "FILE.json")]
    pub replay: Option<PathBuf>,
    /// Keep complete frames that were rendered with the same settings
    #[arg(long)]
    pub resume: bool,
    /// Render shard I of N: every N-th frame, or for a scene with buffers, whose frames
    /// depend on earlier ones, the I-th of N contiguous ranges
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Merge the PNG frames in these folders, written by the shards of one run, into one
    /// video. Missing frames and frames of other runs are reported. --frames sets the
    /// expected number, otherwise the highest number found; --dry-run only checks
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = [
        "scene", "size", "time", "frame", "looped", "lead", "depth", "mute", "ssaa", "shutter",
        "shutter_samples", "tile", "set", "channels", "lens", "mouse", "replay", "resume", "shard",
        "checkpoint_every", "checkpoints", "checkpoints_only", "threads", "max_memory", "timeout",
        "adapter", "backend",
    ])]
    pub gather: Vec<PathBuf>,
    /// Checkpoints of a scene with buffers.
    #[command(flatten)]
    pub checkpoints: CheckpointArgs,
    /// Threads that encode pictures [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Limit memory, such as 500M or 2G, by using fewer threads and smaller tiles;
    /// --dry-run prints the estimate
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,
    /// Stop if nothing, not even a tile or a sample, finishes for this many seconds; `none`
    /// waits forever
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = parse_timeout)]
    pub timeout: Timeout,
    /// Turn warnings into errors: the scene of a picture has changed, its buffers depend on
    /// unrecorded input, or a dry run finds no adapter
    #[arg(long)]
    pub strict: bool,
    /// Selects the adapter.
    #[command(flatten)]
    pub adapter: AdapterArgs,
    /// Print the planned output, the peak memory and the adapter without writing anything.
    /// A missing adapter is only reported, but is an error with --strict or --resume
    #[arg(long)]
    pub dry_run: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
    /// Print only errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Default frame rate in frames per second.
pub const DEFAULT_FPS: f64 = 60.0;

fn fps_help() -> String {
    let slower: String = Format::all()
        .map(Format::spec)
        .filter(|spec| spec.max_fps < DEFAULT_FPS)
        .map(|spec| format!(", {} for {}", spec.max_fps, spec.title))
        .collect();
    format!(
        "Frames per second, also as a fraction such as 30000/1001 [default: {DEFAULT_FPS}{slower}]"
    )
}

fn output_help() -> String {
    format!(
        "A file that ends in {}; a folder; a pattern such as out/{{frame:05}}.png or \
         out/%05d.png; or - for standard output [default: captures/SCENE/]",
        Format::all_endings()
    )
}

fn depth_help() -> String {
    let [deep, float] = [Depth::Sixteen, Depth::Float].map(Format::titles_with);
    format!(
        "Bits per component: 8, or 16 in {deep}, or of a sample of sound in WAV \
         [default: 8; 32-bit floats in {float} and WAV]"
    )
}

/// Parses a format by name or extension, with the help text of the format table.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    let values = Format::all().map(Format::spec).map(|spec| {
        PossibleValue::new(spec.name)
            .help(spec.summary)
            .aliases(spec.endings)
    });
    PossibleValuesParser::new(values)
        .try_map(|name| Format::from_name(&name).ok_or("expected the name of a format"))
}

fn parse_lens(text: &str) -> Result<Lens, String> {
    Lens::from_name(text).ok_or_else(|| {
        let names = Lens::ALL.map(Lens::name).join(", ");
        format!("expected one of {names}")
    })
}

impl CaptureArgs {
    /// The rendering quality, with components of `depth`.
    #[must_use]
    pub fn quality(&self, depth: Depth) -> Quality {
        Quality {
            samples: self.ssaa,
            shutter: Shutter {
                degrees: self.shutter,
                samples: self.shutter_samples,
            },
            depth,
        }
    }
}

/// Options for checkpoints: files that store the buffer state after a frame.
#[derive(Args, Debug)]
pub struct CheckpointArgs {
    /// Store the buffer state of a scene every N frames, for --resume and --shard to start
    /// from. A file takes 16 bytes per pixel of each buffer
    #[arg(long, value_name = "N", value_parser = parse_every)]
    checkpoint_every: Option<NonZeroU32>,
    /// Folder of the checkpoints; if given, they are used even without --resume [default:
    /// checkpoints/ in the output folder]
    #[arg(long, value_name = "DIR")]
    checkpoints: Option<PathBuf>,
    /// Store checkpoints without rendering pictures, so that many shards can start in
    /// parallel
    #[arg(long, requires = "checkpoint_every")]
    pub checkpoints_only: bool,
}

impl CaptureArgs {
    /// The run's checkpoint settings, in the folder `default` unless another was given;
    /// `None` if checkpoints are neither read nor written.
    ///
    /// # Errors
    /// A one-sentence message if checkpoints are requested and there is no folder for them.
    pub fn checkpoints(
        &self,
        default: Option<PathBuf>,
    ) -> Result<Option<CheckpointSettings>, String> {
        let CheckpointArgs {
            checkpoint_every: every,
            checkpoints,
            ..
        } = &self.checkpoints;
        let is_read = self.resume || self.shard.is_some() || checkpoints.is_some();
        if !is_read && every.is_none() {
            return Ok(None);
        }
        let Some(folder) = checkpoints.clone().or(default) else {
            return match every {
                None => Ok(None),
                Some(_) => Err(
                    "cannot store checkpoints beside pictures that go to standard output: name a \
                     folder with `--checkpoints`"
                        .to_owned(),
                ),
            };
        };
        Ok(Some(CheckpointSettings {
            folder,
            is_read,
            every: *every,
        }))
    }

    /// Name of an option that only applies to scenes with buffers, if one was given.
    #[must_use]
    pub fn flag_of_buffers(&self) -> Option<&'static str> {
        let asked = &self.checkpoints;
        if asked.checkpoint_every.is_some() {
            return Some("--checkpoint-every");
        }
        asked.checkpoints.is_some().then_some("--checkpoints")
    }
}

/// Mutually exclusive options that select the frames.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct MomentArgs {
    /// One picture at T seconds
    #[arg(long, value_name = "T", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    /// One picture: frame N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..i64::from(u32::MAX)))]
    frame: Option<u32>,
    /// N frames from 0, or frames A up to but excluding B
    #[arg(long, value_name = "N|A..B", value_parser = parse_frames)]
    frames: Option<Range<u32>>,
    /// The number of frames that fill S seconds
    #[arg(long, value_name = "S", value_parser = parse_duration, allow_negative_numbers = true)]
    duration: Option<f64>,
    /// One period of a looping scene: the last frame leads back to the first. For a scene
    /// with buffers, whose state is empty at frame 0, a later period (see --lead)
    #[arg(long = "loop")]
    pub looped: bool,
}

impl MomentArgs {
    /// True if any option was given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        let by_number = self.frame.is_some() || self.frames.is_some();
        by_number || self.time.is_some() || self.duration.is_some() || self.looped
    }

    /// The selected frames at `fps`; `None` if no option was given.
    ///
    /// # Errors
    /// A one-sentence message if a duration contains no frame or too many.
    pub fn selection(&self, fps: f64) -> Result<Option<FrameSelection>, String> {
        if let Some(time) = self.time {
            return Ok(Some(FrameSelection::Time(time)));
        }
        if let Some(frames) = &self.frames {
            return Ok(Some(FrameSelection::Frames(frames.clone())));
        }
        if let Some(duration) = self.duration {
            return frames_of("--duration", duration, fps).map(Some);
        }
        let one = |frame: u32| FrameSelection::Frames(frame..frame.saturating_add(1));
        Ok(self.frame.map(one))
    }
}

/// The frames that fill `seconds`. `what` names the option in error messages.
///
/// # Errors
/// A one-sentence message if the duration contains no frame or too many.
pub fn frames_of(what: &str, seconds: f64, fps: f64) -> Result<FrameSelection, String> {
    let count = (seconds * fps).round();
    if (1.0..=f64::from(u32::MAX)).contains(&count) {
        return Ok(FrameSelection::Frames(0..count as u32));
    }
    let other = if count < 1.0 { "longer" } else { "shorter" };
    Err(format!(
        "{what}: {seconds} s at {fps} fps rounds to {count} frames: use a {other} duration"
    ))
}

/// Parses a number, or a fraction such as television's 30000/1001.
pub(super) fn parse_fps(text: &str) -> Result<f64, String> {
    let fps = match text.split_once('/') {
        Some((numerator, denominator)) => parse_number(numerator)? / parse_number(denominator)?,
        None => parse_number(text)?,
    };
    match fps {
        fps if (0.001..=1e6).contains(&fps) => Ok(fps),
        _ => Err("expected 0.001 to 1000000 frames per second".to_owned()),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match parse_number(text)? {
        time if (0.0..=MAX_TIME).contains(&time) => Ok(time),
        _ => Err(format!("expected 0 seconds or more, at most {MAX_TIME:e}")),
    }
}

fn parse_frames(text: &str) -> Result<Range<u32>, String> {
    let form = || "expected a number of frames such as 60, or a range such as 60..120".to_owned();
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| form());
    let frames = match text.split_once("..") {
        Some((from, to)) => number(from)?..number(to)?,
        None => 0..number(text)?,
    };
    if frames.is_empty() {
        return Err("expected at least one frame, such as 60..120".to_owned());
    }
    Ok(frames)
}

/// Parses a number of bytes, with K, M or G for powers of 1024.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let form = || "expected a size such as 500M or 2G".to_owned();
    let text = text.trim_end_matches(['B', 'b']).trim_end_matches('i');
    let power = match text.chars().last() {
        Some('k' | 'K') => 10,
        Some('m' | 'M') => 20,
        Some('g' | 'G') => 30,
        _ => 0,
    };
    let number = text.trim_end_matches(char::is_alphabetic);
    if text.len() - number.len() > usize::from(power > 0) {
        return Err(form());
    }
    let number = parse_number(number.trim()).map_err(|_| form())?;
    let bytes = number * f64::from(1u32 << power);
    if (1.0..1e18).contains(&bytes) {
        return Ok(bytes as u64);
    }
    Err(form())
}

/// Parses a number of seconds, or `none`.
fn parse_timeout(text: &str) -> Result<Timeout, String> {
    if text == "none" {
        return Ok(None);
    }
    match parse_number(text) {
        Ok(seconds) if (0.1..=1e9).contains(&seconds) => Ok(Some(Duration::from_secs_f64(seconds))),
        _ => Err("expected 0.1 seconds or more, or `none`".to_owned()),
    }
}

fn parse_depth(text: &str) -> Result<Depth, String> {
    match text {
        "8" => Ok(Depth::Eight),
        "16" => Ok(Depth::Sixteen),
        _ => Err("expected 8 or 16".to_owned()),
    }
}

/// Maximum number of samples of either kind; more would exceed the precision of the sum.
const MOST_SAMPLES: u32 = 4096;

fn parse_samples(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(count @ 1..=MOST_SAMPLES) => Ok(count),
        _ => Err(format!("expected a whole number from 1 to {MOST_SAMPLES}")),
    }
}

fn parse_shutter(text: &str) -> Result<f64, String> {
    match parse_number(text)? {
        degrees if (0.0..=360.0).contains(&degrees) => Ok(degrees),
        _ => Err("expected 0 to 360 degrees".to_owned()),
    }
}

fn parse_every(text: &str) -> Result<NonZeroU32, String> {
    let every = text.parse();
    every.map_err(|_| "expected a whole number of frames, at least 1".to_owned())
}

fn parse_point(text: &str) -> Result<[f64; 2], String> {
    let form = || "expected two numbers such as 640,360".to_owned();
    let (x, y) = text.split_once(',').ok_or_else(form)?;
    let part = |text: &str| parse_number(text.trim()).map_err(|_| form());
    Ok([part(x)?, part(y)?])
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let form = || "expected a share such as 2/4, from 1/4 to 4/4".to_owned();
    let (index, count) = text.split_once('/').ok_or_else(form)?;
    let part = |text: &str| text.trim().parse::<u32>().map_err(|_| form());
    let (index, count) = (part(index)?, part(count)?);
    if index == 0 || index > count {
        return Err(form());
    }
    Ok(Shard { index, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_frames_and_rates_are_parsed() {
        assert_eq!(parse_size("1280x720"), Ok((1280, 720)));
        for wrong in ["", "0x10", "10", "-1x5", "9999999x1", "axb", "1x2x3"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_frames("60"), Ok(0..60));
        assert_eq!(parse_frames("5..9"), Ok(5..9));
        for wrong in ["5..2", "0", "5..5", "a..b", "-1"] {
            assert!(parse_frames(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_fps("30000/1001"), Ok(30_000.0 / 1001.0));
        for wrong in ["nan", "inf", "-3", "0", "30/0", "0/0", "30/", "1/2/3"] {
            assert!(parse_fps(wrong).is_err(), "{wrong}");
        }
        for wrong in ["nan", "-1", "1e39"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shards_points_and_sizes_are_parsed() {
        assert_eq!(parse_shard("2/4"), Ok(Shard { index: 2, count: 4 }));
        for wrong in ["0/4", "5/4", "4", "a/b", "1/0", "-1/2"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_point("1.5,-2"), Ok([1.5, -2.0]));
        for wrong in ["1", "1,2,3", "a,b", "nan,0"] {
            assert!(parse_point(wrong).is_err(), "{wrong}");
        }
        for (text, bytes) in [
            ("4096", 4096),
            ("1k", 1024),
            ("500M", 500 << 20),
            ("1.5GiB", 3 << 29),
            ("2GB", 2 << 30),
        ] {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for wrong in ["", "0", "-1M", "5X", "MM", "1KM", "nan"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
        for wrong in ["-1", "361", "nan"] {
            assert!(parse_shutter(wrong).is_err(), "{wrong}");
        }
        for wrong in ["0", "-1", "5000", "1.5"] {
            assert!(parse_samples(wrong).is_err(), "{wrong}");
        }
    }
}
