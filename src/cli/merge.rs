//! Arguments of `tarsus merge`.

use std::ops::Range;
use std::path::PathBuf;

use clap::Args;

use super::ReportArgs;
use super::capture::format_parser;
use super::parse;
use tarsus_capture::Format;

const AFTER_HELP: &str = "\
Missing frames and frames of other runs are reported before anything is written.

Examples:
  tarsus capture creature --frames 600 -o frames/ --shard 2/4    on each machine
  tarsus merge frames/ --frames 600 -o walk.mp4
  tarsus merge one/ two/ --dry-run                               only checks";

const DRY_RUN_HELP: &str = "Decode and check all frames without writing a video";

const STRICT_HELP: &str =
    "Turn the warning about parameter values that differ between frames into an error";

/// `tarsus merge`
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("dry_run", |arg| arg.help(DRY_RUN_HELP)),
    mut_arg("strict", |arg| arg.help(STRICT_HELP))
)]
pub struct MergeArgs {
    /// Folders with the PNG frames that the shards of one run wrote
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The video to write, or `-` for standard output
    #[arg(short, long, value_name = "PATH", required_unless_present = "dry_run")]
    pub output: Option<String>,
    /// Output format, if the output's name does not determine it
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(is_merged), requires = "output")]
    pub format: Option<Format>,
    /// The expected frames: N from 0, or A up to but excluding B [default: up to the
    /// highest number found]
    #[arg(long, value_name = "N|A..B", value_parser = parse::frame_range)]
    pub frames: Option<Range<u32>>,
    /// Frames per second [default: that of the run]
    #[arg(long, value_name = "N", value_parser = parse::fps, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Messages, checks and their strictness.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// True for the formats of silent videos.
fn is_merged(format: &Format) -> bool {
    format.is_video() && !format.is_sound()
}
