//! What the window is opened with.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::start::Start;
use tarsus_render::GpuOptions;
use tarsus_shader::Library;

/// What to open, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to show first.
    pub start: Start,
    /// Files in place of those of the scene's channels, by the channel's name.
    pub channels: BTreeMap<String, PathBuf>,
    /// Size of the window in physical pixels; otherwise that of the moment to
    /// start from, or 800 x 450 points.
    pub size: Option<(u32, u32)>,
    /// Render at this scale per side instead of choosing one.
    pub scale: Option<f64>,
    /// At most so many frames per second.
    pub fps: Option<f64>,
    /// Bytes that the adapter may spend on the way back in time of scenes with
    /// buffers.
    pub rewind_memory: u64,
    /// Where scenes and modules come from.
    pub library: Library,
    /// Where screenshots, recordings and films go, in a folder per scene.
    pub folder: PathBuf,
    /// The program that makes films of what was played: its `capture` is called.
    pub program: PathBuf,
    /// Which adapter.
    pub gpu: GpuOptions,
}
