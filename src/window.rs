//! The live window: a scene that runs, and that the user plays with.
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
//! - once per device: graphics, overlay, canvas and the loaded scene (made anew
//!   when the device is lost).
//!
//! The session remembers the frames of the last seconds and says which of them is
//! shown; the buffers of the scene follow it there, forward by advances and back by
//! checkpoints. They advance once for every new frame and for nothing else.
//!
//! Nothing waits on the event loop: devices, scenes and files are made by tasks
//! that report back as events. Tasks, time and files of the system are reached
//! through one module, `platform`.

mod app;
mod channels;
mod compiling;
mod device;
mod dropped;
mod editing;
mod event;
mod film;
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
mod viewer;
mod watch;

use anyhow::{Context as _, Result, anyhow};
use winit::event_loop::EventLoop;

pub use self::options::Options;
#[cfg(test)]
pub use self::start::StartKind;
pub use self::start::{Content, Start};

/// Opens the window and stays until it is closed.
///
/// # Errors
/// When there is no display, no adapter that fits it, or it fails beyond repair.
pub fn run(options: Options) -> Result<()> {
    // The library's own reason names lines of its source, which help nobody here.
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
