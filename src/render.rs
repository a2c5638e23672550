//! From a checked scene to pixels: device, renderer, targets, readback.
//!
//! Nothing here knows a window, a clock or a file.

mod accumulate;
mod device;
mod drawable;
mod frame;
mod fullscreen;
mod inputs;
pub mod measure;
mod picture;
mod renderer;
mod target;
mod timestamps;
mod uniforms;

pub use accumulate::{Accumulator, SAMPLE_FORMAT, sample_offset};
pub use device::{Gpu, GpuError, GpuOptions, describe, list_adapters};
pub use drawable::drawable;
pub use frame::{Frame, NEVER};
pub use fullscreen::{Cover, Fullscreen};
pub use inputs::{Inputs, KEYBOARD_COLUMNS, KEYBOARD_ROWS, KeyboardTexels};
pub use picture::{Assembler, Depth, Picture, drop_alpha, to_big_endian};
pub use renderer::{Renderer, RendererError};
pub use target::{FORMAT, RenderError, RenderTarget, format, still};
pub use timestamps::Timestamps;
