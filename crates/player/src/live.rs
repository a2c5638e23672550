//! Live rendering of a session, independent of the kind of screen. The window and the web
//! page both draw through this layer.
//!
//! ```text
//! Session ─► Inputs ─► Canvas (live, still) ─► Upscaler ─► surface
//!    │                    ▲
//!    └► Rewind ─► Checkpoints (buffers)        Pacing (when, and how large)
//! ```
//!
//! Nothing here blocks on the GPU, reads a clock or depends on a window.

mod buffers;
mod canvas;
mod pacing;
mod pointer;
pub mod ranges;
pub mod samples;
pub mod scale;
mod still;
pub mod textures;
mod upscale;

pub use buffers::{Checkpoints, Drawn};
pub use canvas::{Canvas, Done, Drawing, SAMPLES, Taken};
pub use pacing::{POLL_INTERVAL, Pacing};
pub use pointer::{
    Button, PIXELS_PER_NOTCH, Pointer, PointerContext, PointerEvent, Position, TouchPhase,
};
pub use upscale::Upscaler;
