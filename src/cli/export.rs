//! The command line of scenes elsewhere: as pages, and in other languages.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  tarsus export creature -o creature.html               a page that plays it, in one file
  tarsus export my.wgsl -o site/                        a folder for a web server
  tarsus export creature --to shadertoy -o creature/    a file per pass, and the JSON
  tarsus export ik_field --to shadertoy -o - | xclip    straight to the clipboard
  tarsus export my.wgsl --to shadertoy --set arm=0.8 -o my/

On Shadertoy: open a new shader, add the tabs that have a file, paste each, and set
the channels as the head of each file says. docs/shadertoy.md has what differs.";

/// `tarsus export`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExportArgs {
    /// A built-in scene (see `tarsus scenes`) or a .wgsl file; for a page also GLSL as
    /// Shadertoy runs it
    #[arg(value_name = "SCENE|FILE")]
    pub scene: String,
    /// What it is to run in; without it, a web page that plays the scene
    #[arg(long, value_enum, value_name = "TARGET")]
    pub to: Option<Target>,
    /// A folder for all files, made if it is not there; for a page also the one file
    /// that it is to be, and for other targets `-` for the text of the only one on
    /// standard output
    #[arg(short, long, value_name = "FILE.html|DIR|-")]
    pub output: PathBuf,
    /// Give a parameter of the scene a value; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Where `per_frame` runs: at each pixel, in Buffer A, or in Buffer A if it costs
    /// much and no buffer is in use
    #[arg(long, value_enum, value_name = "WHERE", default_value = "auto")]
    pub per_frame: PerFrameArg,
    /// The built page, in place of the one that is built in or in target/web
    #[arg(long, value_name = "DIR", env = "TARSUS_SITE")]
    pub site: Option<PathBuf>,
}

/// What a scene can be written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// GLSL ES 3.00 to paste into shadertoy.com, a file per pass, and its JSON
    Shadertoy,
    /// One WGSL file with all that the scene imports; its head says what to bind
    Wgsl,
    /// Complete fragment shaders for OpenGL 4.5 with Shadertoy's uniforms, one per pass
    Glsl,
    /// The same for OpenGL ES 3.0 and WebGL 2
    GlslEs,
}

/// Where `per_frame` runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PerFrameArg {
    /// In Buffer A if it costs much and no buffer is in use, else at each pixel
    Auto,
    /// At each pixel
    Inline,
    /// In Buffer A, if no buffer is in use
    Buffer,
}
