//! The command line of a new scene.

use std::path::PathBuf;

use clap::Args;

/// `tarsus new`
#[derive(Args, Debug)]
pub struct NewArgs {
    /// The file to write; it must not exist yet
    #[arg(value_name = "NAME.wgsl")]
    pub file: PathBuf,
}
