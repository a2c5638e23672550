//! Arguments of `tarsus serve`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tarsus serve                     the gallery of built-in scenes
  tarsus serve my.wgsl --open      your scene in the browser: edit, save and see
  tarsus serve shadertoy_folder/   GLSL passes, edited in your own editor

The page is what scripts/web.sh builds. It listens on 127.0.0.1 only, so other
machines cannot reach it.";

/// `tarsus serve`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
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
