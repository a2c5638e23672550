//! `--channel`: replacement files for a scene's channels.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::parse;

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
