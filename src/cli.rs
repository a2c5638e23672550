//! The command line: what can be typed, and what it means.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::capture::{FrameSelection, Output};
use crate::gpu::GpuOptions;

const EXAMPLES: &str = "\
Examples:
  tarsus                                        the creature, in a window
  tarsus new my.wgsl                            a scene of your own to start from
  tarsus view my.wgsl                           and its window: edit and see
  tarsus capture creature --duration 1          60 frames into captures/creature/
  tarsus capture creature --time 3 -o walk.png  one picture
  tarsus capture my.wgsl --size 800x450         a scene of your own
  tarsus check my.wgsl                          is it right?

Exit codes: 0 done, 1 it failed, 2 the command line is wrong, 130 interrupted.";

/// The scene shown when none is asked for.
const DEFAULT_SCENE: &str = "creature";

/// A shader toy for legs: two-bone inverse kinematics at every pixel.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do; the window opens if nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open a scene in a window (the default)
    View(ViewArgs),
    /// Write a scene to start from
    New(NewArgs),
    /// Render frames to PNG without a window or display
    Capture(CaptureArgs),
    /// Validate scenes and modules and show what is wrong with them
    Check(CheckArgs),
    /// List the built-in scenes
    Scenes,
    /// List the graphics adapters and mark the one that would be used
    Adapters(AdapterArgs),
}

/// Which adapter to draw with.
#[derive(Args, Clone, Debug, Default)]
pub struct AdapterArgs {
    /// Part of an adapter's name, its number in `tarsus adapters`, or `software`
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Use this graphics API only: vulkan, metal, dx12 or gl
    #[arg(long, value_name = "API", value_parser = parse_backend)]
    pub backend: Option<wgpu::Backend>,
}

impl AdapterArgs {
    /// The same, for the device.
    #[must_use]
    pub fn options(&self) -> GpuOptions {
        GpuOptions {
            adapter: self.adapter.clone(),
            backend: self.backend,
        }
    }
}

/// `tarsus view`
#[derive(Args, Debug)]
#[command(after_help = "H in the window shows what keys and mouse do.")]
pub struct ViewArgs {
    /// A built-in scene, a .wgsl file, or a .png that tarsus wrote
    #[arg(default_value = DEFAULT_SCENE, value_name = "SCENE|FILE.wgsl|FILE.png")]
    pub scene: String,
    /// Give a parameter of the scene a value; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<(u32, u32)>,
    /// Render at this part of the resolution per side, from 0.05 to 1, instead
    /// of whatever holds the frame rate
    #[arg(long, value_name = "S", value_parser = parse_scale, allow_negative_numbers = true)]
    pub scale: Option<f64>,
    /// At most N frames per second
    #[arg(long, value_name = "N", value_parser = parse_fps, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Play input recorded with Alt+R
    #[arg(long, value_name = "FILE.json")]
    pub replay: Option<PathBuf>,
    /// Which adapter.
    #[command(flatten)]
    pub adapter: AdapterArgs,
}

impl Default for ViewArgs {
    /// As if `tarsus view` was typed and nothing else.
    fn default() -> Self {
        Self {
            scene: DEFAULT_SCENE.to_owned(),
            set: Vec::new(),
            size: None,
            scale: None,
            fps: None,
            replay: None,
            adapter: AdapterArgs::default(),
        }
    }
}

/// `tarsus new`
#[derive(Args, Debug)]
pub struct NewArgs {
    /// The file to write; it must not exist yet
    #[arg(value_name = "NAME.wgsl")]
    pub file: PathBuf,
}

/// `tarsus capture`
#[derive(Args, Debug)]
#[command(after_help = "Frame n is always at n / fps; the same command gives the same bytes.")]
pub struct CaptureArgs {
    /// A built-in scene (see `tarsus scenes`) or a .wgsl file
    #[arg(default_value = DEFAULT_SCENE, value_name = "SCENE|FILE.wgsl")]
    pub scene: String,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    pub size: (u32, u32),
    /// Frames per second
    #[arg(long, value_name = "N", default_value = "60", value_parser = parse_fps, allow_negative_numbers = true)]
    pub fps: f64,
    /// Which moment or moments; frame 0 unless given.
    #[command(flatten)]
    pub moments: MomentArgs,
    /// A .png file, a folder, or a pattern such as out/{frame:05}.png or out/%05d.png
    /// [default: captures/<scene>/]
    #[arg(short, long, value_name = "PATH", value_parser = parse_output)]
    pub output: Option<Output>,
    /// Give a parameter of the scene a value; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Which adapter.
    #[command(flatten)]
    pub adapter: AdapterArgs,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// The flags that choose moments, of which one may be given.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct MomentArgs {
    /// One picture at T seconds
    #[arg(long, value_name = "T", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    /// One picture: frame N
    #[arg(long, value_name = "N")]
    frame: Option<u32>,
    /// N frames from 0, or the frames from A up to but not including B
    #[arg(long, value_name = "N|A..B", value_parser = parse_frames)]
    frames: Option<Range<u32>>,
    /// As many frames as fill S seconds
    #[arg(long, value_name = "S", value_parser = parse_duration, allow_negative_numbers = true)]
    duration: Option<f64>,
}

impl MomentArgs {
    /// The moments asked for, at `fps`.
    ///
    /// # Errors
    /// One sentence when a duration holds no frame or too many.
    pub fn selection(&self, fps: f64) -> Result<FrameSelection, String> {
        if let Some(time) = self.time {
            return Ok(FrameSelection::Time(time));
        }
        if let Some(frames) = &self.frames {
            return Ok(FrameSelection::Frames(frames.clone()));
        }
        if let Some(duration) = self.duration {
            let count = (duration * fps).round();
            if !(1.0..=f64::from(u32::MAX)).contains(&count) {
                return Err(format!(
                    "--duration {duration} at {fps} fps is {count} frames"
                ));
            }
            return Ok(FrameSelection::Frames(0..count as u32));
        }
        let frame = self.frame.unwrap_or(0);
        Ok(FrameSelection::Frames(frame..frame.saturating_add(1)))
    }
}

/// `tarsus check`
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Scenes (with `main_image`) or modules (with `#define_import_path`)
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
}

/// Longest side of a picture.
const LONGEST_SIDE: u32 = 65_536;

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let form = || "give width and height in pixels, such as 1280x720".to_owned();
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(form)?;
    let side = |side: &str| {
        let side: u32 = side.trim().parse().map_err(|_| form())?;
        match side {
            1..=LONGEST_SIDE => Ok(side),
            _ => Err(format!("a side has 1 to {LONGEST_SIDE} pixels")),
        }
    };
    Ok((side(width)?, side(height)?))
}

fn parse_number(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .ok_or_else(|| "give a number".to_owned())
}

fn parse_fps(text: &str) -> Result<f64, String> {
    match parse_number(text)? {
        fps if (0.001..=1e6).contains(&fps) => Ok(fps),
        _ => Err("frames per second are more than 0 and at most 1000000".to_owned()),
    }
}

fn parse_scale(text: &str) -> Result<f64, String> {
    match parse_number(text)? {
        scale if (0.05..=1.0).contains(&scale) => Ok(scale),
        _ => Err("a scale is from 0.05 to 1".to_owned()),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match parse_number(text)? {
        time if time >= 0.0 => Ok(time),
        _ => Err("time starts at 0 seconds".to_owned()),
    }
}

fn parse_duration(text: &str) -> Result<f64, String> {
    match parse_number(text)? {
        duration if duration > 0.0 => Ok(duration),
        _ => Err("a duration is more than 0 seconds".to_owned()),
    }
}

fn parse_frames(text: &str) -> Result<Range<u32>, String> {
    let form = || "give a number of frames such as 60, or a range such as 60..120".to_owned();
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| form());
    let frames = match text.split_once("..") {
        Some((from, to)) => number(from)?..number(to)?,
        None => 0..number(text)?,
    };
    if frames.is_empty() {
        return Err(format!(
            "{text} holds no frame: the second number must be larger"
        ));
    }
    Ok(frames)
}

fn parse_output(text: &str) -> Result<Output, String> {
    Output::parse(text).map_err(|error| error.to_string())
}

fn parse_backend(text: &str) -> Result<wgpu::Backend, String> {
    match text.to_lowercase().as_str() {
        "vulkan" | "vk" => Ok(wgpu::Backend::Vulkan),
        "metal" => Ok(wgpu::Backend::Metal),
        "dx12" | "d3d12" => Ok(wgpu::Backend::Dx12),
        "gl" | "opengl" => Ok(wgpu::Backend::Gl),
        _ => Err("there are vulkan, metal, dx12 and gl".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_and_frames_are_read() {
        assert_eq!(parse_size("1280x720"), Ok((1280, 720)));
        for wrong in ["", "0x10", "10", "-1x5", "9999999x1", "axb", "1x2x3"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_frames("60"), Ok(0..60));
        assert_eq!(parse_frames("5..9"), Ok(5..9));
        for wrong in ["5..2", "0", "5..5", "a..b", "-1"] {
            assert!(parse_frames(wrong).is_err(), "{wrong}");
        }
        for wrong in ["nan", "inf", "-3", "0"] {
            assert!(parse_fps(wrong).is_err(), "{wrong}");
        }
        assert!(parse_seconds("nan").is_err());
    }
}
