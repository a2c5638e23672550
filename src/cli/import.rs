//! Arguments of `tarsus import`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tarsus import toy.glsl -o toy.wgsl      and then `tarsus view toy.wgsl`
  tarsus import toy.json -o toy.wgsl      all passes in one file
  tarsus import toy/ -o -                 a folder with an Image.glsl

Names and comments before functions are kept. Macros and named numbers are
resolved, and unused functions are removed. docs/shadertoy.md has more.";

/// `tarsus import`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
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
