//! Command-line arguments and their parsers.

mod capture;
mod parse;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::builder::FalseyValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use self::capture::format_parser;
pub use self::capture::{
    CaptureArgs, CheckpointArgs, DEFAULT_FPS, FPS_RANGE, ReportArgs, SelectionArgs, Sweep, Timeout,
};
use tarsus_capture::Format;
use tarsus_render::GpuOptions;
use tarsus_shader::front_end::nearest;

const EXAMPLES: &str = "\
Examples:
  tarsus                                        the creature, in a window
  tarsus new my.wgsl                            a scene of your own to start from
  tarsus new --walker my.wgsl                   an animal of your own that walks
  tarsus my.wgsl                                open it and edit while it runs
  tarsus capture creature --duration 1          60 frames into captures/creature/
  tarsus capture creature --time 3 -o walk.png  one picture
  tarsus capture my.wgsl --size 800x450         a scene of your own
  tarsus check my.wgsl                          validate a scene
  tarsus export my.wgsl --to shadertoy -o out   paste into shadertoy.com
  tarsus serve my.wgsl --open                   in the browser, while you edit it
  tarsus import toy.glsl -o toy.wgsl            import a Shadertoy shader to continue with
  tarsus docs ik                                list a module's items

Exit codes: 0 success, 1 failure, 2 invalid command line, 129 lost terminal
(SIGHUP), 130 interrupted (Ctrl-C), 143 terminated (SIGTERM). A window that a
signal closes ends with 0.";

/// A shader toy for legs: two-bone inverse kinematics at every pixel.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
pub struct Cli {
    /// Command to run; without one, the window opens.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Load the built-in scenes and modules from this folder (the `shaders` folder of a
    /// tarsus checkout), so that edits take effect without rebuilding
    #[arg(long, global = true, value_name = "DIR", env = "TARSUS_SHADERS", value_parser = parse::shaders)]
    pub shaders: Option<PathBuf>,
    /// Look up media that Shadertoy shaders name by path, such as /media/a/….png, in this
    /// folder, also TARSUS_MEDIA=DIR; `tarsus config media DIR` does so in every run
    #[arg(long, global = true, value_name = "DIR", value_parser = parse::folder)]
    pub media: Option<PathBuf>,
    /// Log on standard error, with the time, which adapter is used and why, files, pipelines
    /// and child processes
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

impl Cli {
    /// Parses the command line of this process, which always has a command: a scene in its
    /// place is viewed, and without either the window opens.
    pub fn from_command_line() -> Self {
        let mut arguments: Vec<_> = std::env::args_os().collect();
        match Self::try_parse_from(&arguments) {
            Ok(cli) if cli.command.is_some() => return cli,
            Ok(_) => arguments.push("view".into()),
            Err(error) if is_for_view(&error, &arguments) => arguments.insert(1, "view".into()),
            Err(error) => exit(error),
        }
        Self::try_parse_from(arguments).unwrap_or_else(|error| exit(error))
    }
}

/// True if `error` means that `arguments` only lack `view`: they begin with a scene, or have
/// options without any command.
fn is_for_view(error: &clap::Error, arguments: &[OsString]) -> bool {
    let program = Cli::command();
    let is_command = |word: &OsString| {
        word == "help" || program.get_subcommands().any(|command| word == command.get_name())
    };
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) => {
            arguments.get(1).is_none_or(|first| first != "help") && is_scene(word)
        }
        (ErrorKind::UnknownArgument, _) => {
            cfg!(feature = "window") && !arguments.iter().any(is_command)
        }
        _ => false,
    }
}

/// Prints an error of the command line and ends the program. clap's tip to pass an unknown
/// option as a value, after `--`, is left out: no command has such values.
fn exit(mut error: clap::Error) -> ! {
    if let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && error.kind() == ErrorKind::UnknownArgument
        && error.get(ContextKind::SuggestedArg).is_none()
    {
        let program = Cli::command();
        let capture = program.find_subcommand("capture");
        let options = capture.into_iter().flat_map(clap::Command::get_arguments);
        let near = nearest(option.trim_start_matches('-'), options.filter_map(clap::Arg::get_long));
        let tips = near.map_or(ContextValue::None, |option| {
            ContextValue::StyledStrs(vec![format!("`tarsus capture` has `--{option}`").into()])
        });
        error.insert(ContextKind::Suggested, tips);
    }
    error.exit()
}

impl Command {
    /// Choice of messages on standard error; the default if the command has none.
    pub fn report(&self) -> ReportArgs {
        match self {
            Self::Capture(args) => args.report,
            Self::Merge(args) => args.report,
            _ => ReportArgs::default(),
        }
    }
}

/// True if `word`, which is not a command, is a path, a folder or the name of a built-in scene,
/// even a misspelt one: the error about scenes suggests it.
fn is_scene(word: &str) -> bool {
    let path = Path::new(word);
    let is_path = path.extension().is_some() || path.components().count() > 1;
    let program = Cli::command();
    let commands = program.get_subcommands().map(clap::Command::get_name).chain(["help"]);
    let scenes = tarsus_scenes::SCENES.iter().map(|(name, ..)| *name);
    let near = nearest(word, scenes.clone().chain(commands));
    let is_name = near.is_some_and(|near| scenes.clone().any(|name| name == near));
    // `fawn` for `fawn.wgsl` is no scene, but the error about scenes names that file.
    let lacks_extension = || ["wgsl", "glsl"].iter().any(|end| path.with_extension(end).is_file());
    is_path || is_name || path.is_dir() || lacks_extension()
}

/// The subcommands of `tarsus`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open a scene in a window (the default)
    View(ViewArgs),
    /// Write a scene to start from
    New(NewArgs),
    /// Render frames and videos without a window or display
    Capture(Box<CaptureArgs>),
    /// Merge the frames of several captures into one video
    Merge(MergeArgs),
    /// Write a scene as a web page, for shadertoy.com, or as plain GLSL or WGSL
    Export(ExportArgs),
    /// Serve the page of scripts/web.sh: scenes, an editor, and your file as you edit it
    Serve(ServeArgs),
    /// Convert Shadertoy GLSL into a WGSL scene
    Import(ImportArgs),
    /// Validate scenes and modules and report their errors
    Check(CheckArgs),
    /// Print the reference of a module that a scene can import, or of a function
    #[command(after_help = DOCS)]
    Docs {
        /// A module, such as limb, or a function or type, such as sdf::sphere; without it, all
        /// modules are listed
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Time a scene, or compare its fast path with its reference renderer
    Bench(BenchArgs),
    /// Compile GLSL for the process that started this one
    #[cfg(feature = "glsl")]
    #[command(hide = true)]
    GlslCompiler,
    /// List the built-in scenes, or those in a folder
    #[command(after_help = SCENES)]
    Scenes {
        /// List the scenes in this folder instead of the built-in ones
        folder: Option<PathBuf>,
        /// Print a JSON array of objects with `name` and `summary`
        #[arg(long)]
        json: bool,
    },
    /// List the graphics adapters and mark the default one
    #[command(after_help = ADAPTERS)]
    Adapters(AdapterArgs),
    /// Print or change settings that persist between runs
    #[command(after_help = CONFIG)]
    Config {
        /// Setting to print or change: `media`, the folder with the media that Shadertoy shaders
        /// name by path, such as /media/a/….png; without one, all are printed
        #[arg(value_parser = ["media"])]
        setting: Option<String>,
        /// New value; `none` removes the setting
        #[arg(value_name = "VALUE|none")]
        value: Option<OsString>,
    },
    /// Print the completions of a shell
    #[command(after_help = COMPLETIONS)]
    Completions {
        /// Shell to complete commands in
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the manual pages
    #[command(after_help = MAN)]
    Man {
        /// Folder for tarsus.1 and a page per command, created if missing
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// Default memory for rewinding, in MiB.
const REWIND_MEMORY: u32 = (tarsus_player::REWIND_BUDGET >> 20) as u32;

const VIEW: &str = "\
Examples:
  tarsus my.wgsl                                   the same as `tarsus view my.wgsl`
  tarsus toys/                                     the scenes of a folder: Tab shows the next
  tarsus view creature --set height=0.9            a built-in scene with another value
  tarsus view captures/pond/screenshot_001.png     go on from a screenshot

Press H in the window for keys and mouse.";

/// `tarsus view`
#[derive(Args, Debug)]
#[command(after_help = VIEW)]
pub struct ViewArgs {
    /// A built-in scene (see `tarsus scenes`), a .wgsl file, Shadertoy GLSL (a .glsl file,
    /// a folder with an Image.glsl, or exported JSON), a folder of scenes to page through, a
    /// picture written by tarsus, or a recording; without it, the scene of `--replay`, or `creature`
    #[arg(value_name = "SCENE|FILE|FOLDER|PICTURE")]
    pub scene: Option<String>,
    /// Set a parameter of the scene, overriding that of a picture or a recording; may be
    /// repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Files for the channels.
    #[command(flatten)]
    pub channels: ChannelArgs,
    /// Width and height in pixels; by default those of the opened picture, or of the scene
    /// if it declares a size, or 800x450 points
    #[arg(long, value_name = "WxH", value_parser = parse::size, allow_hyphen_values = true)]
    pub size: Option<(u32, u32)>,
    /// Render at this fraction of the resolution per side, from 0.05 to 1, instead of
    /// adapting it to the frame rate
    #[arg(long, value_name = "S", value_parser = parse::scale, allow_negative_numbers = true)]
    pub scale: Option<f64>,
    /// Limit the frame rate to N frames per second
    #[arg(long, value_name = "N", value_parser = parse::fps, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// GPU memory in MiB for rewinding scenes with buffers; ten seconds are kept if they
    /// fit
    #[arg(long, value_name = "MIB", default_value_t = REWIND_MEMORY)]
    pub rewind_memory: u32,
    /// Replay input recorded with Alt+R, in SCENE or in the scene of the recording
    #[arg(long, value_name = "FILE.json")]
    pub replay: Option<PathBuf>,
    /// Content of the screenshots' metadata.
    #[command(flatten)]
    pub metadata: MetadataArgs,
    /// Selects the adapter.
    #[command(flatten)]
    pub adapter: AdapterArgs,
}

const MERGE: &str = "\
Missing frames and frames of other runs are reported before anything is written.

Examples:
  tarsus capture creature --frames 600 -o frames/ --shard 2/4    on each machine
  tarsus merge frames/ --frames 600 -o walk.mp4
  tarsus merge one/ two/ --dry-run                               only checks";

const MERGE_DRY_RUN: &str = "Decode and check all frames without writing a video";

const MERGE_STRICT: &str =
    "Turn the warning about parameter values that differ between frames into an error";

/// `tarsus merge`
#[derive(Args, Debug)]
#[command(
    after_help = MERGE,
    mut_arg("dry_run", |arg| arg.help(MERGE_DRY_RUN)),
    mut_arg("strict", |arg| arg.help(MERGE_STRICT))
)]
pub struct MergeArgs {
    /// Folders with the PNG frames that the shards of one run wrote
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The video to write, or `-` for standard output
    #[arg(short, long, value_name = "PATH", required_unless_present = "dry_run")]
    pub output: Option<String>,
    /// Output format, if the output's name does not determine it
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(is_merged), requires = "output")]
    pub format: Option<Format>,
    /// The expected frames: N from 0, or A up to but excluding B [default: up to the
    /// highest number found]
    #[arg(long, value_name = "N|A..B", value_parser = parse::frame_range)]
    pub frames: Option<Range<u32>>,
    /// Frames per second [default: that of the run]
    #[arg(long, value_name = "N", value_parser = parse::fps, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Messages, checks and their strictness.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// True for the formats of silent videos.
fn is_merged(format: &Format) -> bool {
    format.is_video() && !format.is_sound()
}

const EXPORT: &str = "\
Examples:
  tarsus export creature -o creature.html               a page that plays it, in one file
  tarsus export my.wgsl -o site/                        a folder for a web server
  tarsus export creature --to shadertoy -o creature/    a file per pass, and the JSON
  tarsus export ik_field --to shadertoy -o - | xclip    straight to the clipboard
  tarsus export my.wgsl --to shadertoy --set arm=0.8 -o my/

A web page needs that of tarsus: run scripts/web.sh once in a checkout.
On Shadertoy: open a new shader, add the tabs that have a file, paste each, and set
the channels as listed at the top of each file. docs/shadertoy.md lists the differences.";

/// `tarsus export`
#[derive(Args, Debug)]
#[command(after_help = EXPORT)]
pub struct ExportArgs {
    /// A built-in scene (see `tarsus scenes`) or a .wgsl file; for a web page also
    /// Shadertoy GLSL
    #[arg(value_name = "SCENE|FILE")]
    pub scene: String,
    /// Target to export for; without it, a web page that plays the scene
    #[arg(long, value_enum, value_name = "TARGET")]
    pub to: Option<Target>,
    /// Output folder, created if missing, or the file to write, if it is the only one: its
    /// extension is .html, or that of the target's files. `-` writes it to standard output
    #[arg(short, long, value_name = "FILE|DIR|-")]
    pub output: PathBuf,
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Run `per_frame` at each pixel, in separate buffers, or in these only if it is expensive
    #[arg(long, value_name = "WHERE", default_value = "auto",
        value_parser = ["inline", "buffer", "auto"])]
    pub per_frame: String,
    /// Folder of the built web page, instead of the embedded one or target/web
    #[arg(long, value_name = "DIR", env = "TARSUS_SITE")]
    pub site: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(short, long)]
    pub force: bool,
}

/// Export targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// GLSL ES 3.00 to paste into shadertoy.com, one file per pass, and its JSON
    Shadertoy,
    /// One WGSL file including all imports; its header lists the bindings
    Wgsl,
    /// Complete fragment shaders for OpenGL 4.5 with Shadertoy's uniforms, one per pass; cube
    /// map and sound passes are left out
    Glsl,
    /// The same for OpenGL ES 3.0 and WebGL 2
    GlslEs,
}

const SERVE: &str = "\
Examples:
  tarsus serve                     the gallery of built-in scenes
  tarsus serve my.wgsl --open      your scene in the browser: edit, save and see
  tarsus serve shadertoy_folder/   GLSL passes, edited in your own editor

It needs the page: run scripts/web.sh once in a checkout of tarsus. It listens on
127.0.0.1 only, so other machines cannot reach it.";

/// `tarsus serve`
#[derive(Args, Debug)]
#[command(after_help = SERVE)]
pub struct ServeArgs {
    /// A built-in scene (see `tarsus scenes`), a .wgsl file, or Shadertoy GLSL: a .glsl
    /// file, a folder with an Image.glsl, or exported JSON; without it, the gallery
    #[arg(value_name = "SCENE|FILE|FOLDER")]
    pub scene: Option<String>,
    /// Listen on this port; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 8765)]
    pub port: u16,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Folder of the built web page, instead of the embedded one or target/web
    #[arg(long, value_name = "DIR", env = "TARSUS_SITE")]
    pub site: Option<PathBuf>,
}

const NEW: &str = "\
Examples:
  tarsus new walker.wgsl && tarsus walker.wgsl    forty lines to change while they run
  tarsus new --walker fawn.wgsl                   an animal of your own";

/// `tarsus new`
#[derive(Args, Debug)]
#[command(after_help = NEW)]
pub struct NewArgs {
    /// Start from a walking four-legged animal, see docs/your_first_creature.md
    #[arg(long)]
    pub walker: bool,
    /// File to write; without an extension it gets .wgsl
    #[arg(value_name = "NAME.wgsl")]
    pub file: PathBuf,
    /// Overwrite existing files
    #[arg(short, long)]
    pub force: bool,
}

const IMPORT: &str = "\
Examples:
  tarsus import toy.glsl -o toy.wgsl      and then `tarsus view toy.wgsl`
  tarsus import toy.json -o toy.wgsl      all passes in one file
  tarsus import toy/ -o -                 a folder with an Image.glsl
  tarsus import toys.json -o toys         each shader of a file or folder

Names and comments before functions are kept. Macros and named numbers are
resolved, and unused functions are removed. docs/shadertoy.md has more.";

/// `tarsus import`
#[derive(Args, Debug)]
#[command(after_help = IMPORT)]
pub struct ImportArgs {
    /// A .glsl file, Shadertoy's JSON, a folder with an Image.glsl, or a folder of such scenes
    #[arg(value_name = "FILE|FOLDER")]
    pub scene: String,
    /// The .wgsl file to write, a folder for one file per shader, or `-` for standard output
    #[arg(short, long, value_name = "FILE.wgsl|FOLDER|-")]
    pub output: PathBuf,
    /// Overwrite existing files
    #[arg(short, long)]
    pub force: bool,
}

const DOCS: &str = "\
Examples:
  tarsus docs                        all modules, a line each
  tarsus docs ik                     functions and types of tarsus::ik with their comments
  tarsus docs sphere                 this function in all modules that have it
  tarsus docs ik::solve2_clamp       that of one module";

const CONFIG: &str = "\
Examples:
  tarsus config                       all settings, and the file that stores them
  tarsus config media ~/shadertoy     find Shadertoy's own media in this folder
  tarsus config media none            forget the folder";

const COMPLETIONS: &str = "\
Examples:
  tarsus completions bash > ~/.local/share/bash-completion/completions/tarsus
  tarsus completions fish > ~/.config/fish/completions/tarsus.fish
  tarsus completions zsh > ~/.zfunc/_tarsus      with ~/.zfunc in fpath";

const MAN: &str = "\
Examples:
  tarsus man ~/.local/share/man/man1 && man tarsus-capture";

/// Content of the metadata of pictures.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct MetadataArgs {
    /// Leave the sources of the scene out of pictures, which then open only where the scene's
    /// file is
    #[arg(long, env = "TARSUS_NO_SOURCES", value_parser = FalseyValueParser::new())]
    pub no_sources: bool,
}

/// Replacement files for the channels of a scene.
#[derive(Args, Clone, Debug, Default)]
pub struct ChannelArgs {
    /// Use this file for the scene's channel NAME, a texture variable, instead of the file
    /// that the scene names; may be repeated, the last one for a name wins
    #[arg(long = "channel", value_name = "NAME=FILE", value_parser = parse::channel)]
    channels: Vec<(String, PathBuf)>,
}

impl ChannelArgs {
    /// The replacement files by channel name.
    pub fn overrides(&self) -> BTreeMap<String, PathBuf> {
        self.channels.iter().cloned().collect()
    }
}

/// Selects the graphics adapter.
#[derive(Args, Clone, Debug, Default)]
pub struct AdapterArgs {
    /// Its number in `tarsus adapters`, part of its name (a number from 100 on), or `software`
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Use only this graphics API: vulkan, metal or dx12
    #[arg(long, value_name = "API", value_parser = parse::backend)]
    pub backend: Option<wgpu::Backend>,
}

impl AdapterArgs {
    /// Converts the arguments to device options, without timestamps.
    pub fn options(&self) -> GpuOptions {
        GpuOptions { adapter: self.adapter.clone(), backend: self.backend, timestamps: false }
    }
}

/// `tarsus check`
#[derive(Args, Debug)]
#[command(after_help = CHECK)]
pub struct CheckArgs {
    /// Scenes (with `main_image`, or `mainImage` in GLSL), built-in scenes by name, or
    /// modules (with `#define_import_path`); of a folder, all of these
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// Files for the channels.
    #[command(flatten)]
    pub channels: ChannelArgs,
    /// Print one JSON object with the diagnostics of all files, for editors; columns count
    /// characters, `bytes` is a range in the file
    #[arg(long)]
    pub json: bool,
}

const CHECK: &str = "\
Examples:
  tarsus check my.wgsl            errors and warnings with their lines
  tarsus check *.wgsl --json      the same for an editor";

const ADAPTERS: &str = "\
Examples:
  tarsus adapters                     paste the output into a bug report
  tarsus adapters --backend vulkan    those of one graphics API";

const SCENES: &str = "\
Examples:
  tarsus scenes
  tarsus scenes toys/                          those of a folder, to view with `tarsus toys/`
  tarsus scenes --json | jq -r '.[].name'";

const BENCH_FIGURES: &str = "\
Examples:
  tarsus bench my.wgsl                               frame times at two sizes
  tarsus bench creature --against reference          the fast path against every part at every step
  tarsus bench --report report.json                  all scenes, to compare machines

Each figure is the median, with minimum and maximum in brackets. The first is the
wall-clock time of one frame from submission to completion. `GPU` is the part spent
rendering, from GPU timestamps, without program and driver overhead; on a software
renderer it is processor time. Adapters without timestamps report no GPU time. Scenes
with buffers also report each pass; their frames are consecutive from 0 at 60 per
second, because they cannot seek, so --span does not apply.";

/// `tarsus bench`
#[derive(Args, Debug)]
#[command(after_help = BENCH_FIGURES)]
pub struct BenchArgs {
    /// A built-in scene (see `tarsus scenes`), a .wgsl file, or Shadertoy GLSL: a .glsl
    /// file, a folder with an Image.glsl, or exported JSON
    #[arg(default_value = "creature", value_name = "SCENE|FILE|FOLDER")]
    pub scene: String,
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Files for the channels.
    #[command(flatten)]
    pub channels: ChannelArgs,
    /// Sizes to render at, separated by commas [default: 640x360,1280x720, or
    /// 1280x720,3840x2160 with --report]
    #[arg(long = "size", value_name = "WxH", value_delimiter = ',', value_parser = parse::size,
        allow_hyphen_values = true)]
    sizes: Vec<(u32, u32)>,
    /// Number of frames to time, or of reloads with --reload
    #[arg(long, value_name = "N", default_value = "10",
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub times: u32,
    /// Length of the part of the scene to sample, in seconds
    #[arg(long, value_name = "S", default_value = "24", value_parser = parse::duration, allow_negative_numbers = true)]
    pub span: f64,
    /// Number of times to render each frame
    #[arg(long, value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub repeats: u32,
    /// Alternate each frame with a second variant and print the speed ratio: `reference`
    /// for the scene's reference renderer, which also prints how closely the images agree,
    /// or NAME=VALUE for another value of a parameter
    #[arg(long, value_name = "reference|NAME=VALUE", value_parser = parse::against)]
    pub against: Option<String>,
    /// Time a reload instead, as when the scene's file is saved: composing, pipeline
    /// creation and a first small frame. The code changes each time to bypass driver caches
    #[arg(long, conflicts_with_all = ["against", "sizes", "span", "repeats"])]
    pub reload: bool,
    /// Time all built-in scenes, print a table and write it to this file as JSON, to compare
    /// machines and for bug reports. Takes minutes without a GPU
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["scene", "set", "against",
        "reload", "json"])]
    pub report: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Selects the adapter.
    #[command(flatten)]
    pub adapter: AdapterArgs,
}

impl BenchArgs {
    /// The sizes to render at.
    pub fn sizes(&self) -> &[(u32, u32)] {
        match (&self.sizes[..], &self.report) {
            ([], None) => &[(640, 360), (1280, 720)],
            ([], Some(_)) => &[(1280, 720), (3840, 2160)],
            (given, _) => given,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_help_has_an_example() {
        for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let example = format!("tarsus {}", command.get_name());
            assert!(help.contains(&example), "{example}: {help}");
        }
    }

    #[test]
    fn command_line_definition_is_valid() {
        Cli::command().debug_assert();
    }
}
