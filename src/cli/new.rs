//! The command line of a new scene.

use std::path::PathBuf;

use clap::Args;

/// `tarsus new`
#[derive(Args, Debug)]
pub struct NewArgs {
    /// Begin with a walking animal on four legs, see docs/your_first_creature.md
    #[arg(long)]
    pub walker: bool,

    /// The file to write; it must not exist yet
    #[arg(value_name = "NAME.wgsl")]
    pub file: PathBuf,
}
