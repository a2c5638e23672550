//! Arguments of `tarsus view`.

use std::path::PathBuf;

use clap::{Args, Parser};

use super::{AdapterArgs, ChannelArgs, parse};
use tarsus_player::REWIND_BUDGET;

/// Default memory for rewinding, in MiB.
const REWIND_MEMORY: u32 = (REWIND_BUDGET >> 20) as u32;

const EXAMPLES: &str = "\
Examples:
  tarsus my.wgsl                                   the same as `tarsus view my.wgsl`
  tarsus toys/                                     the scenes of a folder: Tab shows the next
  tarsus view creature --set height=0.9            a built-in scene with another value
  tarsus view captures/pond/screenshot_001.png     go on from a screenshot

Press H in the window for keys and mouse.";

/// `tarsus view`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ViewArgs {
    /// A built-in scene (see `tarsus scenes`), a .wgsl file, Shadertoy GLSL (a .glsl file,
    /// a folder with an Image.glsl, or exported JSON), a folder of scenes to page through, a
    /// picture written by tarsus, or a recording; without it, the scene of `--replay`, or `creature`
    #[arg(value_name = "SCENE|FILE|FOLDER|PICTURE")]
    pub scene: Option<String>,
    /// Set a parameter of the scene, overriding that of a picture or a recording; may be
    /// repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Files for the channels.
    #[command(flatten)]
    pub channels: ChannelArgs,
    /// Width and height in pixels; by default those of the opened picture, or of the scene
    /// if it declares a size, or 800x450 points
    #[arg(long, value_name = "WxH", value_parser = parse::size)]
    pub size: Option<(u32, u32)>,
    /// Render at this fraction of the resolution per side, from 0.05 to 1, instead of
    /// adapting it to the frame rate
    #[arg(long, value_name = "S", value_parser = parse::scale, allow_negative_numbers = true)]
    pub scale: Option<f64>,
    /// Limit the frame rate to N frames per second
    #[arg(long, value_name = "N", value_parser = parse::fps, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// GPU memory in MiB for rewinding scenes with buffers; ten seconds are kept if they
    /// fit
    #[arg(long, value_name = "MIB", default_value_t = REWIND_MEMORY)]
    pub rewind_memory: u32,
    /// Replay input recorded with Alt+R, in SCENE or in the scene of the recording
    #[arg(long, value_name = "FILE.json")]
    pub replay: Option<PathBuf>,
    /// Selects the adapter.
    #[command(flatten)]
    pub adapter: AdapterArgs,
}

impl Default for ViewArgs {
    /// The arguments of `tarsus view` alone.
    fn default() -> Self {
        #[derive(Parser)]
        struct Line {
            #[command(flatten)]
            view: ViewArgs,
        }
        Line::parse_from([""]).view
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_help() {
        assert_eq!(ViewArgs::default().rewind_memory, REWIND_MEMORY);
    }
}
