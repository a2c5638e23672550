//! The live window: runs a scene interactively.
//!
//! ```text
//! winit events ─► Viewer ─► live::Engine (session, scene, pictures) ─► Graphics (surface)
//!                   │            ▲                                        ▲
//! file changes ─► SceneSource ─► LoadedScene                              │
//! Overlay (egui) ─────────────────────────────────────────────────────────┘
//! ```
//!
//! Objects by lifetime:
//! - once per program: [`Options`] and the event loop;
//! - once per window: the viewer with its engine and user interface;
//! - once per device: surface and overlay, and what the engine keeps on the device
//!   (recreated when the device is lost).
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
mod devices;
mod editing;
mod graphics;
mod host;
mod key_codes;
pub mod keys;
mod loader;
mod loading;
mod overlay;
mod overlay_renderer;
mod picker;
mod platform;
mod pointer;
mod previews;
mod recording;
mod scene_size;
mod scenes;
mod sound;
mod source;
mod start;
mod status;
mod ui;
mod video;
mod viewer;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Error, Result};
use winit::event_loop::EventLoop;

use self::platform::{Reports, UserEvent};
use self::viewer::Viewer;
use crate::commands::signals;
use tarsus_files::exit_process;

pub use self::start::{OpenedFile, Start, is_recording};
pub use self::video::CaptureSettings;

/// Time in which the window closes after a signal.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Options of the live window, for [`run`].
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
    /// What the window shares with the captures that it starts.
    pub capture: CaptureSettings,
}

/// Opens the window and runs it until it is closed.
///
/// # Errors
/// If there is no display, no compatible adapter, or the window fails irrecoverably.
pub fn run(options: Options) -> Result<()> {
    let event_loop = EventLoop::<UserEvent>::with_user_event().build().map_err(|error| {
        let reason = open_failure(&error.to_string(), &format!("{error:?}"));
        Error::msg(format!(
            "cannot open a window: {reason}; hint: `tarsus capture` renders to files without one"
        ))
    })?;
    let events = event_loop.create_proxy();
    // Fails only after the window is closed.
    let reports = Reports::new(move |report| drop(events.send_event(report)));
    let signalled = reports.clone();
    let quit = move |code| {
        // Saves a running recording and cancels a video, as closing the window does.
        signalled.send(Viewer::quit);
        thread::sleep(QUIT_TIMEOUT);
        exit_process(code);
    };
    signals::listen(quit).context("cannot listen for Ctrl-C")?;
    let mut app = app::App::new(options, reports);
    event_loop.run_app(&mut app).context("the window failed")?;
    app.result
}

/// The reason why winit cannot open a window, from its error as text and as debug text.
/// The text begins with a line of winit's source, and only the debug text names a missing
/// library.
fn open_failure(text: &str, debug_text: &str) -> String {
    let reason = text.split_once(".rs:").map_or(text, |(_, rest)| rest);
    let reason = reason.split_once(": ").map_or(reason, |(_, rest)| rest);
    let detail = debug_text.split_once("detail: \"").map(|(_, rest)| rest);
    // The detail lists every name under which the library was searched for.
    let library = detail.and_then(|detail| detail.split(['"', ';']).next());
    let has_no_display = reason.contains("DISPLAY") || reason.contains("connection to X server");
    match library {
        Some(library) if !library.is_empty() => library.to_owned(),
        _ if has_no_display => "there is no display".to_owned(),
        _ => reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_failure_names_the_reason() {
        let unset = "os error at /src/mod.rs:765: neither WAYLAND_DISPLAY nor WAYLAND_SOCKET nor \
                     DISPLAY is set.";
        assert_eq!(open_failure(unset, "Os(OsError)"), "there is no display");
        let refused = "os error at /src/mod.rs:788: Failed to open connection to X server";
        assert_eq!(open_failure(refused, "Os(OsError)"), "there is no display");
        let library = "os error at /src/mod.rs:788: Failed to load one of xlib's shared libraries";
        let debug_text = "Os(OsError { line: 788, error: XNotSupported(LibraryOpenError(OpenError { \
                          kind: Library, detail: \"libXcursor.so.1: cannot open shared object file: \
                          No such file or directory; libXcursor.so: cannot open shared object file\" \
                          })) })";
        assert_eq!(
            open_failure(library, debug_text),
            "libXcursor.so.1: cannot open shared object file: No such file or directory"
        );
        assert_eq!(
            open_failure("EventLoop can't be recreated", "RecreationAttempt"),
            "EventLoop can't be recreated"
        );
    }
}
