//! Draws a validated program of `tarsus-shader` on any wgpu device, into a render pass of
//! yours or into a picture.
//!
//! ```text
//! Program ─► Renderer::new    once
//!            ├─► advance      draws the next frame of the buffers
//!            ├─► prepare      uploads the frame's inputs
//!            └─► paint        draws the image into a render pass
//! ```
//!
//! This layer does not depend on windows, clocks or files.
//!
//! ```no_run
//! use tarsus_render::{Frame, Inputs, Renderer, wgpu};
//! use tarsus_shader::{Library, Scene, compose};
//!
//! # async fn draw(
//! #     device: &wgpu::Device,
//! #     queue: &wgpu::Queue,
//! #     view: &wgpu::TextureView,
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//! let source = "fn main_image(p: vec2f) -> vec4f { return vec4f(p / 400.0, 0.5, 1.0); }";
//! let program = compose(&Scene::from_text(source, "ramp.wgsl"), &Library::default(), &[])?;
//! let format = wgpu::TextureFormat::Rgba8Unorm;
//! let mut renderer = Renderer::new(device, queue, &program, &[format]).await?;
//!
//! let inputs = Inputs::new(Frame::new((400, 400), 0, 60.0));
//! let mut encoder = device.create_command_encoder(&Default::default());
//! renderer.advance(&mut encoder, &inputs);
//! renderer.prepare(&mut encoder, &inputs);
//! let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
//!     color_attachments: &[Some(wgpu::RenderPassColorAttachment {
//!         view,
//!         depth_slice: None,
//!         resolve_target: None,
//!         ops: Default::default(),
//!     })],
//!     ..Default::default()
//! });
//! renderer.paint(&mut pass, format)?;
//! drop(pass);
//! queue.submit([encoder.finish()]);
//! # Ok(())
//! # }
//! ```

mod accumulate;
mod buffer_state;
mod calls;
mod channel_textures;
mod checkpoint;
mod compiled;
mod copy;
mod device;
mod edited_constants;
mod error;
mod frame;
mod fullscreen;
mod gpu_objects;
mod llvmpipe;
mod loops;
mod mips;
mod modules;
pub mod noise;
mod per_frame;
mod picture;
mod readback;
mod renderer;
mod resources;
mod scene_pass;
mod sound;
mod target;
mod texels;
mod timestamps;
mod uniforms;
mod work;
mod workarounds;

/// The wgpu version that this crate draws with.
pub use wgpu;

pub use accumulate::{Accumulator, SAMPLE_FORMAT};
pub use buffer_state::{BUFFER_FORMAT, CUBE_FORMAT, checkpoint_bytes, content_bytes, state_bytes};
pub use channel_textures::view_dimension;
pub use checkpoint::{Checkpoint, SavedContent, SavedState};
pub use device::{Gpu, GpuError, GpuOptions, describe, list_adapters};
pub use error::RenderError;
pub use frame::{Frame, Inputs, KEYBOARD_COLUMNS, KEYBOARD_ROWS, KeyboardTexels, NEVER, Viewport};
pub use fullscreen::{FullscreenPass, fullscreen_pipeline};
pub use gpu_objects::{
    UNIFORM, bind_group, create_buffer, drawable, float_texture, fragment_layout, reuse_drawable,
};
pub use picture::{Depth, Picture, drop_alpha, to_big_endian};
pub use readback::{Readback, readback_buffer};
pub use renderer::Renderer;
pub use sound::{SoundBlock, SoundRenderer};
pub use target::{FORMAT, render_picture, target_texture};
pub use texels::{TexelFormat, Texels, volume_depth};
pub use timestamps::Timestamps;
pub use work::Work;
pub use workarounds::adapter_warnings;
