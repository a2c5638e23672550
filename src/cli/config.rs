//! Arguments of `tarsus config`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  tarsus config                       all settings, and the file that stores them
  tarsus config media ~/shadertoy     find Shadertoy's own media in this folder
  tarsus config media none            forget the folder";

/// `tarsus config`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
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
