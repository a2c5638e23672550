//! Command-line arguments and their parsers.

mod capture;
mod export;
mod merge;
mod parse;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "window")]
mod view;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use self::capture::{
    CaptureArgs, DEFAULT_FPS, ReportArgs, Sweep, Timeout, frames_for_duration,
};
pub use self::export::{ExportArgs, PerFrameArg, Target};
pub use self::merge::MergeArgs;
#[cfg(feature = "serve")]
pub use self::serve::ServeArgs;
#[cfg(feature = "window")]
pub use self::view::ViewArgs;
use tarsus_render::GpuOptions;

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

Exit codes: 0 success, 1 failure, 2 invalid command line, 130 interrupted
(Ctrl-C), 143 terminated (SIGTERM).";

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
    /// Parses the command line of this process. A scene in place of a command is viewed.
    pub fn from_command_line() -> Self {
        let mut arguments: Vec<_> = std::env::args_os().collect();
        let is_verbose = |argument: &&OsString| *argument == "-v" || *argument == "--verbose";
        let first = arguments.iter().skip(1).find(|argument| !is_verbose(argument));
        if first.is_some_and(|first| is_scene(first)) {
            arguments.insert(1, "view".into());
        }
        Self::parse_from(arguments)
    }
}

impl Command {
    /// True if standard error carries one JSON object per line.
    pub fn prints_json_messages(&self) -> bool {
        match self {
            Self::Capture(args) => args.report.json,
            Self::Merge(args) => args.report.json,
            _ => false,
        }
    }
}

/// True for a path, a folder, and the name of a built-in scene.
fn is_scene(argument: &OsStr) -> bool {
    let path = Path::new(argument);
    let is_flag = argument.as_encoded_bytes().starts_with(b"-");
    let is_name = tarsus_scenes::SCENES.iter().any(|(name, ..)| argument == *name);
    let is_path = path.extension().is_some() || path.components().count() > 1;
    // `docs` in a checkout is the command.
    let is_command = argument
        .to_str()
        .is_some_and(|name| name == "help" || Cli::command().find_subcommand(name).is_some());
    // `fawn` for `fawn.wgsl` is no scene, but the error about scenes names that file.
    let lacks_extension = || ["wgsl", "glsl"].iter().any(|end| path.with_extension(end).is_file());
    is_name || !is_flag && (is_path || (path.is_dir() || lacks_extension()) && !is_command)
}

/// The subcommands of `tarsus`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open a scene in a window (the default)
    #[cfg(feature = "window")]
    View(ViewArgs),
    /// Open a scene in a window (this build has none)
    #[cfg(not(feature = "window"))]
    View(NoWindowArgs),
    /// Write a scene to start from
    New(NewArgs),
    /// Render frames and videos without a window or display
    Capture(Box<CaptureArgs>),
    /// Merge the frames of several captures into one video
    Merge(MergeArgs),
    /// Write a scene as a web page, for shadertoy.com, or as plain GLSL or WGSL
    Export(ExportArgs),
    /// Serve the web page: scenes, an editor, and your file as you edit it
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Convert Shadertoy GLSL into a WGSL scene
    Import(ImportArgs),
    /// Validate scenes and modules and report their errors
    Check(CheckArgs),
    /// Print the reference of the modules that a scene can import
    Docs(DocsArgs),
    /// Time a scene, or compare its fast path with its reference renderer
    Bench(BenchArgs),
    /// Compile GLSL for the process that started this one
    #[cfg(feature = "glsl")]
    #[command(hide = true)]
    GlslCompiler,
    /// List the built-in scenes, or those in a folder
    Scenes(ScenesArgs),
    /// List the graphics adapters and mark the default one
    #[command(after_help = ADAPTERS)]
    Adapters(AdapterArgs),
    /// Print or change settings that persist between runs
    Config(ConfigArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
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
    /// File to write
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

Names and comments before functions are kept. Macros and named numbers are
resolved, and unused functions are removed. docs/shadertoy.md has more.";

/// `tarsus import`
#[derive(Args, Debug)]
#[command(after_help = IMPORT)]
pub struct ImportArgs {
    /// A .glsl file, a folder with an Image.glsl, or Shadertoy's JSON
    #[arg(value_name = "FILE|FOLDER")]
    pub scene: String,
    /// The .wgsl file to write, or `-` for standard output
    #[arg(short, long, value_name = "FILE.wgsl|-")]
    pub output: PathBuf,
    /// Overwrite existing files
    #[arg(short, long)]
    pub force: bool,
}

const DOCS: &str = "\
Examples:
  tarsus docs            all modules, a line each
  tarsus docs ik         functions and types of tarsus::ik with their comments";

/// `tarsus docs`
#[derive(Args, Debug)]
#[command(after_help = DOCS)]
pub struct DocsArgs {
    /// A module, such as limb; without it, all modules are listed
    #[arg(value_name = "MODULE")]
    pub module: Option<String>,
}

const CONFIG: &str = "\
Examples:
  tarsus config                       all settings, and the file that stores them
  tarsus config media ~/shadertoy     find Shadertoy's own media in this folder
  tarsus config media none            forget the folder";

/// `tarsus config`
#[derive(Args, Debug)]
#[command(after_help = CONFIG)]
pub struct ConfigArgs {
    /// Setting to print or change; without one, all are printed
    #[arg(value_enum)]
    pub setting: Option<Setting>,
    /// New value; `none` removes the setting
    #[arg(value_name = "VALUE|none")]
    pub value: Option<OsString>,
}

/// Settings that persist between runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Setting {
    /// Folder with the media that Shadertoy shaders name by path, such as /media/a/….png
    Media,
}

const COMPLETIONS: &str = "\
Examples:
  tarsus completions bash > ~/.local/share/bash-completion/completions/tarsus
  tarsus completions fish > ~/.config/fish/completions/tarsus.fish
  tarsus completions zsh > ~/.zfunc/_tarsus      with ~/.zfunc in fpath";

const MAN: &str = "\
Examples:
  tarsus man ~/.local/share/man/man1 && man tarsus-capture";

/// `tarsus completions`
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS)]
pub struct CompletionsArgs {
    /// Shell to complete commands in
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `tarsus man`
#[derive(Args, Debug)]
#[command(after_help = MAN)]
pub struct ManArgs {
    /// Folder for tarsus.1 and a page per command, created if missing
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
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

/// `tarsus scenes`
#[derive(Args, Debug)]
#[command(after_help = SCENES)]
pub struct ScenesArgs {
    /// List the scenes in this folder instead of the built-in ones
    pub folder: Option<PathBuf>,
    /// Print a JSON array of objects with `name` and `summary`
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `tarsus view` in a build without a window; anything is accepted.
#[cfg(not(feature = "window"))]
#[derive(Args, Debug, Default)]
#[command(disable_help_flag = true)]
pub struct NoWindowArgs {
    /// Ignored.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _rest: Vec<std::ffi::OsString>,
}

/// Selects the graphics adapter.
#[derive(Args, Clone, Debug, Default)]
pub struct AdapterArgs {
    /// Part of an adapter's name, its number in `tarsus adapters`, or `software`
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Use only this graphics API: vulkan, metal or dx12
    #[arg(long, value_name = "API", value_parser = parse::backend)]
    pub backend: Option<wgpu::Backend>,
}

impl AdapterArgs {
    /// Converts the arguments to device options, without timestamps.
    pub fn options(&self) -> GpuOptions {
        GpuOptions {
            adapter: self.adapter.clone(),
            backend: self.backend,
            timestamps: false,
            pipeline_cache: dirs::cache_dir().map(|folder| folder.join("tarsus")),
        }
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
    #[arg(long = "size", value_name = "WxH", value_delimiter = ',', value_parser = parse::size)]
    sizes: Vec<(u32, u32)>,
    /// Number of frames to time, or of reloads with --reload
    #[arg(long, value_name = "N", default_value = "10", value_parser = parse::count)]
    pub times: usize,
    /// Length of the part of the scene to sample, in seconds
    #[arg(long, value_name = "S", default_value = "24", value_parser = parse::duration)]
    pub span: f64,
    /// Number of times to render each frame
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse::count)]
    pub repeats: usize,
    /// Alternate each frame with a second variant and print the speed ratio: `reference`
    /// for the scene's reference renderer, which also prints how closely the images agree,
    /// or NAME=VALUE for another value of a parameter
    #[arg(long, value_name = "reference|NAME=VALUE", value_parser = parse::baseline)]
    pub against: Option<Baseline>,
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

/// Baseline to compare a scene with.
#[derive(Clone, Debug)]
pub enum Baseline {
    /// The scene's reference renderer
    Reference,
    /// The scene with another parameter value, `NAME=VALUE`
    Parameter(String),
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
