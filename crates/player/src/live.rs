//! A live picture on its way to a screen, whichever screen that is: the window and
//! the page both draw through this.
//!
//! ```text
//! Session ─► Inputs ─► Canvas (live, still) ─► Upscaler ─► surface
//!    │                    ▲
//!    └► Rewind ─► Checkpoints (buffers)        Pacing (when, and how large)
//! ```
//!
//! Nothing here waits for the adapter, reads a clock or knows what a window is.

mod buffers;
mod canvas;
mod gesture;
mod pacing;
pub mod ranges;
pub mod samples;
pub mod scale;
mod still;
pub mod textures;
mod upscale;

pub use buffers::{Checkpoints, Drawn};
pub use canvas::{Canvas, Done, Drawing, SAMPLES, Taken};
pub use gesture::{PIXELS_PER_NOTCH, orbited, pointed, zoomed};
pub use pacing::{POLL_INTERVAL, Pacing};
pub use upscale::Upscaler;
