//! The live window: a scene that runs, and that the user plays with.
//!
//! ```text
//! winit events ─► Stage ─► Session (clock, input, parameters) ─► Frame
//!                   │                                              │
//! file changes ─► Loader ─► Renderer ──────────────────────► Canvas (live, still)
//!                                                                  │
//! Overlay (egui) ────────────────────────────────────────► Graphics (upscaled, shown)
//! ```
//!
//! Objects by lifetime:
//! - once per program: [`Options`], the event loop, the loader's thread;
//! - once per window: the stage with its session;
//! - once per device: graphics, overlay, canvas, renderer (made anew when the
//!   device is lost).
//!
//! The clock, the keys, the scale and the session are pure; so are the modules
//! they build on, those of [`crate::player`].

mod app;
mod canvas;
mod graphics;
pub mod keys;
mod loader;
mod overlay;
pub mod scale;
mod stage;
mod toasts;
mod upscale;
mod watch;

use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use winit::event_loop::EventLoop;

use crate::capture::Format;
use crate::capture::metadata::{find_scene_near, read_moment, read_timeline};
use crate::player::{Moment, Timeline};
use crate::render::GpuOptions;
use crate::shader::Library;
use crate::shader::Values;

/// What to open, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to show first.
    pub start: Start,
    /// Size of the window in physical pixels; otherwise 800 x 450 points.
    pub size: Option<(u32, u32)>,
    /// Render at this scale per side instead of choosing one.
    pub scale: Option<f64>,
    /// At most so many frames per second.
    pub fps: Option<f64>,
    /// Where scenes and modules come from.
    pub library: Library,
    /// Which adapter.
    pub gpu: GpuOptions,
}

/// What the window begins with.
#[derive(Clone, Debug)]
pub enum Start {
    /// A scene by built-in name or file, with parameters chosen by name.
    Scene(String, Values),
    /// A moment of a scene.
    Moment(String, Moment),
    /// A recording, in the scene it was made in or another.
    Replay(String, Timeline),
}

impl Start {
    /// What a file holds: a scene, the moment of a picture, or a recording.
    ///
    /// # Errors
    /// When a picture or a recording cannot be read.
    pub fn of_file(path: &Path) -> Result<Self> {
        if Format::of(path).is_some_and(Format::has_metadata) {
            let moment = read_moment(path)?;
            let scene = find_scene_near(&moment.scene, path);
            return Ok(Self::Moment(scene, moment));
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        Ok(match extension {
            Some("json") => {
                let timeline = read_timeline(path)?;
                Self::Replay(find_scene_near(&timeline.start.scene, path), timeline)
            }
            _ => Self::Scene(path.display().to_string(), Values::default()),
        })
    }

    /// The scene it takes place in.
    #[must_use]
    pub fn scene(&self) -> &str {
        match self {
            Self::Scene(scene, _) | Self::Moment(scene, _) | Self::Replay(scene, _) => scene,
        }
    }
}

/// Opens the window and stays until it is closed.
///
/// # Errors
/// When there is no display, no adapter that fits it, or it fails beyond repair.
pub fn run(options: Options) -> Result<()> {
    // The library's own reason names lines of its source, which help nobody here.
    let event_loop = EventLoop::<app::Wake>::with_user_event().build().map_err(|_| {
        anyhow!("there is no display to open a window on: `tarsus capture` renders to PNG files without one")
    })?;
    let mut app = app::App::new(options, &event_loop);
    event_loop.run_app(&mut app).context("the window failed")?;
    app.into_result()
}
