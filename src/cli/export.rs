//! Arguments of `tarsus export`.

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
the channels as listed at the top of each file. docs/shadertoy.md lists the differences.";

/// `tarsus export`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExportArgs {
    /// A built-in scene (see `tarsus scenes`) or a .wgsl file; for a web page also
    /// Shadertoy GLSL
    #[arg(value_name = "SCENE|FILE")]
    pub scene: String,
    /// Target to export for; without it, a web page that plays the scene
    #[arg(long, value_enum, value_name = "TARGET")]
    pub to: Option<Target>,
    /// Output folder, created if missing. A web page can also be a single .html file, and
    /// `-` writes the only file of another target to standard output
    #[arg(short, long, value_name = "FILE.html|DIR|-")]
    pub output: PathBuf,
    /// Set a parameter of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Run `per_frame` at each pixel, in separate buffers, or in these only if it is expensive
    #[arg(long, value_enum, value_name = "WHERE", default_value = "auto")]
    pub per_frame: PerFrameArg,
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
    /// Complete fragment shaders for OpenGL 4.5 with Shadertoy's uniforms, one per pass
    Glsl,
    /// Complete fragment shaders for OpenGL ES 3.0 and WebGL 2, one per pass
    GlslEs,
}

/// Placement of `per_frame` in the exported shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PerFrameArg {
    /// In separate buffers if it is expensive, else at each pixel
    Auto,
    /// At each pixel
    Inline,
    /// In separate buffers, if enough are free
    Buffer,
}
