//! Options of the window.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::start::Start;
use tarsus_render::GpuOptions;
use tarsus_shader::Library;

/// Options of the live window, for `window::run`.
#[derive(Clone, Debug)]
pub struct Options {
    /// Scene, picture or recording to start with.
    pub start: Start,
    /// Replacement files for the scene's channels, by channel name.
    pub channels: BTreeMap<String, PathBuf>,
    /// Size of the window in physical pixels; by default that of the opened snapshot, or
    /// 800 x 450 points.
    pub size: Option<(u32, u32)>,
    /// Fixed render scale per side; `None` adapts it to the frame rate.
    pub scale: Option<f64>,
    /// Maximum frame rate in frames per second.
    pub fps: Option<f64>,
    /// GPU memory in bytes for rewinding scenes with buffers.
    pub rewind_memory: u64,
    /// Source of scenes and modules.
    pub library: Library,
    /// Folder for screenshots, recordings and videos, with a subfolder per scene.
    pub folder: PathBuf,
    /// Path of the `tarsus` program, which is run to export videos.
    pub program: PathBuf,
    /// Adapter selection.
    pub gpu: GpuOptions,
}
