//! The live window: runs a scene interactively.
//!
//! ```text
//! winit events ─► Viewer ─► Session (clock, input, values) ─► Inputs
//!                   │                                           │
//! file changes ─► SceneSource ─► LoadedScene (Renderer) ─► Canvas (live, still)
//!                                                               │
//! Overlay (egui) ─────────────────────────────────────► Graphics (upscaled, shown)
//! ```
//!
//! Objects by lifetime:
//! - once per program: [`Options`] and the event loop;
//! - once per window: the viewer with its session, pacing and user interface;
//! - once per device: graphics, overlay, canvas and the loaded scene (recreated when the
//! device is lost).
//!
//! The session remembers the frames of the last seconds and determines which of them is
//! shown. The buffers of the scene follow, forward by advancing and back by checkpoints.
//! They advance once per new frame and never otherwise.
//!
//! The event loop never blocks: devices, scenes and files are handled by tasks that report
//! back as events. Tasks, time and files of the system are accessed only through the
//! `platform` module.

mod app;
mod channels;
mod compiling;
mod device;
mod dropped;
mod editing;
mod event;
mod graphics;
mod host;
mod key_codes;
pub mod keys;
mod loader;
mod opening;
mod options;
mod overlay;
mod painting;
mod panel;
mod pass_times;
mod picker;
mod platform;
mod pointer;
mod recording;
mod saves;
mod scenes;
mod sound;
mod source;
mod start;
mod status;
mod toasts;
mod ui;
mod video;
mod viewer;

use anyhow::{Context as _, Result, anyhow};
use winit::event_loop::EventLoop;

pub use self::options::Options;
#[cfg(test)]
pub use self::start::StartKind;
pub use self::start::{Content, Start};

/// Opens the window and runs it until it is closed.
///
/// # Errors
/// If there is no display, no compatible adapter, or the window fails irrecoverably.
pub fn run(options: Options) -> Result<()> {
    // The error of winit names lines of its source, which does not help the user.
    let event_loop = EventLoop::<event::UserEvent>::with_user_event()
        .build()
        .map_err(|_| {
            anyhow!(
                "cannot open a window: there is no display (`tarsus capture` renders to files \
                 without one)"
            )
        })?;
    let mut app = app::App::new(options, &event_loop);
    event_loop.run_app(&mut app).context("the window failed")?;
    app.into_result()
}
