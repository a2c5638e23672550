//! Live rendering of a session, independent of the kind of screen. The window and the web
//! page both draw through this layer.
//!
//! ```text
//! events ─► Engine::handle ─► Pointer ─► Session ─► Inputs
//!                                           │         │
//! clock ──► Engine::update ──► Pacing       ▼         ▼
//!                          Rewind ─► LiveScene ─► Canvas (live, still)
//!                                                     │
//! surface ◄─ Engine::present ◄─ Upscaler ◄────────────┘
//! ```
//!
//! Nothing here reads a clock or depends on a window, and [`Engine::update`] never waits for
//! the GPU.

mod canvas;
mod engine;
mod pacing;
mod pass_times;
mod pointer;
mod probe;
mod ranges;
mod scale;
mod scene;
mod schedule;
mod screenshot;
mod textures;
mod tiles;
mod upscale;

pub use canvas::{GpuWork, SAMPLES};
pub use engine::{DeviceState, Engine, InputEvent, Status, Tick, Update};
pub use pacing::{POLL_INTERVAL, Pacing};
pub use pointer::{Button, PIXELS_PER_NOTCH, PointerEvent, Position, TouchPhase};
pub use probe::Texel;
pub use scale::ScaleController;
pub use scene::{LiveChannels, LiveScene};
pub use schedule::{FrameTiming, NextWake};
pub use screenshot::Screenshot;
pub use tiles::Tile;
