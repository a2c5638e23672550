//! Arguments of `tarsus new`.

use std::path::PathBuf;

use clap::Args;

/// `tarsus new`
#[derive(Args, Debug)]
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
