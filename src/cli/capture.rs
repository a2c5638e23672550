//! Arguments of `tarsus capture`.

use std::num::NonZeroU32;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::{AdapterArgs, ChannelArgs, MetadataArgs, parse};
use tarsus_capture::{DEFAULT_TILE, Format, Quality, Shard};
use tarsus_render::Depth;
use tarsus_shader::DebugView;

const AFTER_HELP: &str = "\
Frame n is always at n / fps; the same command gives the same bytes, whatever
the number of threads, the size of the tiles, or the number of shards.

Examples:
  tarsus capture creature --duration 1 --ssaa 8 -o frames/
  tarsus capture creature --loop -o walk.mp4
  tarsus capture creature --size 20000x12000 -o poster.png
  tarsus capture creature --frames 600 -o frames/ --shard 2/4 --resume
  tarsus merge frames/ --frames 600 -o walk.mp4
  tarsus capture creature --sweep height=0.6..1.1 --columns 4 -o heights.png
  tarsus capture creature --frames 60 -o - --format y4m | ffmpeg -i - walk.mkv

In a scene with buffers frame n needs all frames before it, which are run first:
  tarsus capture pond.wgsl --frame 6000 -o pond.png --checkpoint-every 600 --resume
  tarsus capture pond.wgsl --frames 6000 -o out --checkpoint-every 500 --checkpoints-only
  tarsus capture pond.wgsl --frames 6000 -o out --shard 2/4        starts at frame 1500

Sound, alone or with video:
  tarsus capture song.wgsl --duration 30 -o song.wav
  tarsus capture song.wgsl --duration 30 -o song.mp4";

/// Stall timeout; `None` waits forever. The alias keeps clap from treating the option as an
/// optional argument.
pub type Timeout = Option<Duration>;

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
    /// Frames to render; frame 0 by default.
    #[command(flatten)]
    pub frames: FrameArgs,
    /// Destination and format of the pictures.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Samples and bit depth.
    #[command(flatten)]
    pub quality: QualityArgs,
    /// Content of the pictures.
    #[command(flatten)]
    pub content: ContentArgs,
    /// Files for the channels.
    #[command(flatten, next_help_heading = "Scene")]
    pub channels: ChannelArgs,
    /// Checkpoints of a scene with buffers.
    #[command(flatten)]
    pub checkpoints: CheckpointArgs,
    /// Division of the work, and resources.
    #[command(flatten)]
    pub work: WorkArgs,
    /// Selects the adapter.
    #[command(flatten, next_help_heading = "Work")]
    pub adapter: AdapterArgs,
    /// Messages, checks and their strictness.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Options that select the frames.
#[derive(Args, Debug)]
#[command(next_help_heading = "Frames")]
pub struct FrameArgs {
    /// Frames per second, also as a fraction such as 30000/1001 [default: that of the picture, or
    /// 60, 50 for GIF]
    #[arg(long, value_name = "N", value_parser = parse::fps, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Mutually exclusive selections.
    #[command(flatten)]
    pub selection: Option<SelectionArgs>,
    /// Warm-up periods of the buffers before the one that --loop shows: at least as many
    /// periods as the buffers remember
    #[arg(long, value_name = "N", default_value = "1", requires = "is_loop")]
    pub warm_up: u32,
}

/// Mutually exclusive options that select the frames. All but the loop exclude warm-up periods:
/// clap ignores that these require the loop if another option excludes it.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct SelectionArgs {
    /// One picture at T seconds
    #[arg(long, value_name = "T", value_parser = parse::time, allow_negative_numbers = true, conflicts_with = "warm_up")]
    pub time: Option<f64>,
    /// One picture: frame N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..i64::from(u32::MAX)), conflicts_with = "warm_up")]
    pub frame: Option<u32>,
    /// N frames from 0, or frames A up to but excluding B
    #[arg(long = "frames", value_name = "N|A..B", value_parser = parse::frame_range, conflicts_with = "warm_up")]
    pub range: Option<Range<u32>>,
    /// The number of frames that fill S seconds
    #[arg(long, value_name = "S", value_parser = parse::duration, allow_negative_numbers = true, conflicts_with = "warm_up")]
    pub duration: Option<f64>,
    /// One period of a looping scene: the last frame leads back to the first. If buffers
    /// read earlier frames, which frame 0 lacks, a later period (see --warm-up)
    #[arg(long = "loop")]
    pub is_loop: bool,
}

/// Destination and format of the pictures.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// A file that ends in .png, .jpg, .jpeg, .webp, .tif, .tiff, .exr, .qoi, .apng, .gif, .mp4,
    /// .webm, .rgba, .y4m or .wav; a folder; a pattern such as out/{frame:05}.png or
    /// out/%05d.png, with one frame number, in the name of the file; or - for standard output,
    /// with --format [default: captures/SCENE/]
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<String>,
    /// Output format, if the output's name does not determine it
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(|_| true))]
    pub format: Option<Format>,
    /// Width and height in pixels [default: those of the picture, or of the scene if it
    /// declares a size, or 1280x720]
    #[arg(long, value_name = "WxH", value_parser = parse::size, allow_hyphen_values = true)]
    pub size: Option<(u32, u32)>,
    /// Omit the scene's sound from an .mp4 or .webm
    #[arg(long)]
    pub mute: bool,
    /// Content of the metadata.
    #[command(flatten)]
    pub metadata: MetadataArgs,
}

/// Maximum number of samples of either kind; more would exceed the precision of the sum.
const MAX_SAMPLES: i64 = 4096;

/// Samples and bit depth.
#[derive(Args, Debug)]
#[command(next_help_heading = "Quality")]
pub struct QualityArgs {
    /// Samples per pixel, averaged in linear light
    #[arg(long, value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..=MAX_SAMPLES))]
    ssaa: u32,
    /// Motion blur: shutter angle in degrees; 360 exposes the whole frame
    #[arg(long, value_name = "DEG", default_value = "0", value_parser = parse::shutter, allow_negative_numbers = true)]
    shutter: f64,
    /// Points in time that motion blur averages, each with the samples of --ssaa
    #[arg(long, value_name = "N", default_value = "16",
        value_parser = clap::value_parser!(u32).range(1..=MAX_SAMPLES))]
    shutter_samples: u32,
    /// Bits per component: 8, or 16 in PNG, TIFF or APNG, or per sample in WAV [default: 8; 32-bit
    /// floats in EXR and WAV]
    #[arg(long, value_name = "BITS", value_parser = parse::depth)]
    pub depth: Option<Depth>,
}

/// Content of the pictures.
#[derive(Args, Debug)]
#[command(next_help_heading = "Scene")]
pub struct ContentArgs {
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Render a debug view instead of the picture: steps, normals, depth, isolines,
    /// overshoot or bounds of the ray marching, in scenes that use tarsus::raymarch or
    /// tarsus::terrain; or nan, which marks infinities and NaN in magenta and counts them
    #[arg(long, value_name = "VIEW")]
    pub debug_view: Option<DebugView>,
    /// Hold the mouse button down at this point, in pixels from the lower left corner
    #[arg(long, value_name = "X,Y", value_parser = parse::point, allow_negative_numbers = true, conflicts_with = "replay")]
    pub mouse: Option<[f64; 2]>,
    /// Replay a recording or keyframes of time, mouse and keys (see docs/timeline.md)
    #[arg(long, value_name = "FILE.json")]
    pub replay: Option<PathBuf>,
    /// Write a contact sheet: one picture for each of several values of a parameter, spread
    /// from A to B or listed
    #[arg(long, value_name = "NAME=A..B|A,B,…", value_parser = parse::sweep, conflicts_with_all =
        ["range", "duration", "is_loop", "resume", "shard", "dry_run", "checkpoints_only"])]
    pub sweep: Option<Sweep>,
    /// Pictures in a row of the contact sheet
    #[arg(long, value_name = "N", default_value = "4", requires = "sweep",
        value_parser = clap::value_parser!(u32).range(1..=32))]
    pub columns: u32,
    /// Rows of the contact sheet for values from A to B
    #[arg(long, value_name = "N", default_value = "1", requires = "sweep",
        value_parser = clap::value_parser!(u32).range(1..=32))]
    pub rows: u32,
}

/// Values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Name of the parameter.
    pub name: String,
    values: SweepValues,
}

#[derive(Clone, Debug, PartialEq)]
enum SweepValues {
    Range(f64, f64),
    List(Vec<String>),
}

impl Sweep {
    /// Parses `NAME=A..B` or `NAME=A,B,…`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (name, values) = text.split_once('=')?;
        let values = match values.split_once("..") {
            Some((from, to)) => SweepValues::Range(from.parse().ok()?, to.parse().ok()?),
            None => SweepValues::List(values.split(',').map(str::to_owned).collect()),
        };
        Some(Self { name: name.to_owned(), values })
    }

    /// The values as text: those of a list, or `count` from the first to the last. Integers may
    /// be fewer, since each occurs once.
    pub fn values(&self, count: u32, are_integers: bool) -> Vec<String> {
        match &self.values {
            SweepValues::List(values) => values.clone(),
            SweepValues::Range(from, to) => {
                let steps = f64::from(count.saturating_sub(1).max(1));
                let value = |step: u32| from + (to - from) * f64::from(step) / steps;
                // Four digits of the step, so that small values stay apart.
                let size = if from == to { from.abs() } else { (to - from).abs() / steps };
                let digits = match size {
                    0.0 => 4,
                    size => (3 - size.log10().floor() as i32).clamp(4, 300),
                };
                let scale = if are_integers { 1.0 } else { 10f64.powi(digits) };
                // Adding 0 removes the sign of -0.
                let rounded = |value: f64| (value * scale).round() / scale + 0.0;
                let mut values: Vec<f64> = (0..count).map(|step| rounded(value(step))).collect();
                values.dedup();
                values.iter().map(f64::to_string).collect()
            }
        }
    }
}

/// Options for checkpoints: files that store the buffer state after a frame.
#[derive(Args, Debug)]
#[command(next_help_heading = "Checkpoints of scenes with buffers")]
pub struct CheckpointArgs {
    /// Store the buffer state of a scene every N frames, for --resume and --shard to start
    /// from. A file takes 16 bytes per pixel of each buffer
    #[arg(long, value_name = "N", value_parser = parse::interval)]
    pub checkpoint_every: Option<NonZeroU32>,
    /// Folder of the checkpoints; if given, they are used even without --resume [default:
    /// checkpoints/ in the output folder, or NAME.checkpoints/ beside one file]
    #[arg(long, value_name = "DIR")]
    pub checkpoints: Option<PathBuf>,
    /// Store checkpoints without rendering pictures, so that many shards can start in
    /// parallel
    #[arg(long, requires = "checkpoint_every")]
    pub checkpoints_only: bool,
}

/// Division of the work, and resources.
#[derive(Args, Debug)]
#[command(next_help_heading = "Work")]
pub struct WorkArgs {
    /// Keep complete frames that were rendered with the same settings
    #[arg(long)]
    pub resume: bool,
    /// Render shard I of N: every N-th frame, or for a scene with buffers, whose frames
    /// depend on earlier ones, the I-th of N contiguous ranges
    #[arg(long, value_name = "I/N", value_parser = parse::shard)]
    pub shard: Option<Shard>,
    /// Longest side of the tiles that large frames are split into
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TILE, value_parser = clap::value_parser!(u32).range(2..))]
    pub tile: u32,
    /// Threads that encode pictures [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Limit memory, such as 500M or 2G, by using fewer threads and smaller tiles;
    /// --dry-run prints the estimate, which includes ffmpeg for MP4 and WebM
    #[arg(long, value_name = "SIZE", value_parser = parse::bytes)]
    pub max_memory: Option<u64>,
    /// Stop if nothing, not even a tile or a sample, finishes for this many seconds; `none`
    /// waits forever
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = parse::timeout)]
    pub timeout: Timeout,
}

/// Messages, checks and their strictness.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Report")]
pub struct ReportArgs {
    /// Print the planned output, the peak memory and the adapter without writing anything.
    /// An adapter that is missing or cannot draw the scene is only reported, but is an error
    /// with --strict or --resume
    #[arg(long)]
    pub dry_run: bool,
    /// Turn warnings into errors: the scene of a picture or the files of its channels have
    /// changed, its buffers depend on unrecorded input, --resume would overwrite frames made
    /// with other settings, the folder contains frames of another run, the adapter cannot draw
    /// all of the scene, a dry run finds no usable adapter, or the debug view nan finds any
    #[arg(long)]
    pub strict: bool,
    /// Print the summary as JSON to standard output, and messages to standard error as one
    /// JSON object per line: {"adapter": …}, {"note": …}, {"warning": …}, {"error": …}, and
    /// {"progress": {"step": …, "done": …, "total": …, "rate": …}} every second, with the
    /// step "frames", "buffers" or "sound". With `-o -` the summary is the last of them
    #[arg(long)]
    pub json: bool,
    /// Print only errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Default frame rate in frames per second.
pub const DEFAULT_FPS: f64 = tarsus_player::FRAME_RATE;

/// Accepted frame rates in frames per second.
pub const FPS_RANGE: RangeInclusive<f64> = 0.001..=1e6;

/// Parses an accepted format by name or extension; the help lists their summaries.
pub(super) fn format_parser(
    is_accepted: impl Fn(&Format) -> bool,
) -> impl TypedValueParser<Value = Format> {
    let values = Format::ALL.into_iter().filter(is_accepted).map(|format| {
        PossibleValue::new(format.name()).help(format.summary()).aliases(format.extensions())
    });
    PossibleValuesParser::new(values)
        .try_map(|name| Format::from_name(&name).ok_or("expected the name of a format"))
}

impl FrameArgs {
    /// True if one period of the scene was selected.
    pub fn is_loop(&self) -> bool {
        let selection = self.selection.as_ref();
        selection.is_some_and(|selection| selection.is_loop)
    }
}

impl QualityArgs {
    /// The rendering quality, with components of `depth`.
    pub fn quality(&self, depth: Depth) -> Quality {
        Quality {
            samples: self.ssaa,
            shutter: self.shutter,
            shutter_samples: self.shutter_samples,
            depth,
        }
    }
}

impl WorkArgs {
    /// Number of encoder threads: the one given, or one per processor.
    pub fn threads(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(processors, usize::from)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::{DEFAULT_FPS, Sweep};
    use crate::cli::Cli;
    use tarsus_capture::Format;
    use tarsus_render::Depth;

    #[test]
    fn help_agrees_with_formats() {
        let program = Cli::command();
        let capture = program.find_subcommand("capture").expect("a command");
        let help = |name: &str| {
            let mut arguments = capture.get_arguments();
            let option = arguments.find(|argument| argument.get_id() == name).expect("an option");
            option.get_help().expect("a help text").to_string()
        };
        let help_of_fps = help("fps");
        for format in Format::ALL.into_iter().filter(|format| format.fps_range().1 < DEFAULT_FPS) {
            let limit = format!("{} for {}", format.fps_range().1, format.title());
            assert!(help_of_fps.contains(&limit), "{limit}: {help_of_fps}");
        }
        let help_of_depth = help("depth");
        let titles = |is_listed: fn(&Format) -> bool, word: &str| {
            let formats = Format::ALL.into_iter().filter(is_listed);
            let titles: Vec<&str> = formats.map(Format::title).collect();
            let (last, others) = titles.split_last().expect("a format");
            format!("{} {word} {last}", others.join(", "))
        };
        let has_16_bits =
            |format: &Format| !format.is_sound() && format.depths().contains(&Depth::Sixteen);
        for expected in [
            format!("16 in {},", titles(has_16_bits, "or")),
            format!("floats in {}]", titles(|format| format.depths()[0] == Depth::Float, "and")),
        ] {
            assert!(help_of_depth.contains(&expected), "{expected}: {help_of_depth}");
        }
        let help = help("output");
        for extension in Format::ALL.into_iter().flat_map(Format::extensions) {
            let listed = [",", ";", " or"].map(|end| format!(".{extension}{end}"));
            assert!(listed.iter().any(|listed| help.contains(listed)), "{extension}: {help}");
        }
    }

    #[test]
    fn sweep_rounds_relative_to_step() {
        for (sweep, expected) in [
            ("a=0..1", ["0", "0.3333", "0.6667", "1"].as_slice()),
            ("a=0.00001..0.00003", &["0.00001", "0.000016667", "0.000023333", "0.00003"]),
            ("a=-0.00003..0.00003", &["-0.00003", "-0.00001", "0.00001", "0.00003"]),
            ("a=0.00001..0.00001", &["0.00001"]),
            ("a=0..0", &["0"]),
            ("a=0..3000", &["0", "1000", "2000", "3000"]),
        ] {
            let values = Sweep::parse(sweep).expect(sweep).values(4, false);
            assert_eq!(values, expected, "{sweep}");
        }
    }
}
