//! Arguments of `tarsus new`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tarsus new walker.wgsl && tarsus walker.wgsl    forty lines to change while they run
  tarsus new --walker fawn.wgsl                   an animal of your own";

/// `tarsus new`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
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
