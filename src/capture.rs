//! Offline rendering: frames by number, exact and whole, into PNG files.
//!
//! Objects by lifetime:
//! - once per run: [`Plan`] (which frames go where), [`Encoders`] (threads);
//! - once per size: [`Offscreen`] (target texture and readback buffers);
//! - once per frame: a [`Frame`], then its [`Picture`] on its way to a file.
//!
//! The next frame renders while earlier ones are read back and encoded. Every
//! queue is bounded, so memory does not grow with the number of frames.

mod offscreen;
mod picture;
mod plan;
mod writer;

use std::ops::ControlFlow;
use std::path::PathBuf;

use thiserror::Error;

pub use offscreen::{FORMAT, Offscreen};
pub use picture::Picture;
pub use plan::{FrameSelection, Output, Plan, PlanError};
pub use writer::{Encoders, Job, write_png};

use crate::files::FileError;
use crate::frame::Frame;
use crate::gpu::Gpu;
use crate::moment::Moment;
use crate::renderer::Renderer;

/// Why a run stopped before its last frame.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// The picture is larger than the adapter can draw.
    #[error("{width}x{height} is larger than the {limit} pixels per side this adapter can draw")]
    TooLarge {
        /// Asked-for width.
        width: u32,
        /// Asked-for height.
        height: u32,
        /// The adapter's limit per side.
        limit: u32,
    },
    /// The device gave up.
    #[error("the adapter failed: {0}")]
    Device(String),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

/// Renders one frame and waits for its pixels.
///
/// # Errors
/// [`CaptureError`] when the size is too large or the device fails.
pub fn still(gpu: &Gpu, renderer: &Renderer, frame: &Frame) -> Result<Picture, CaptureError> {
    let size = (frame.resolution[0] as u32, frame.resolution[1] as u32);
    let mut offscreen = Offscreen::new(gpu, size)?;
    renderer.render(gpu, offscreen.view(), frame);
    offscreen.start_readback(gpu, ())?;
    let ((), picture) = offscreen
        .finish_readback(gpu)?
        .ok_or_else(|| CaptureError::Device("it lost the frame".to_owned()))?;
    Ok(picture)
}

/// Renders every frame of `plan` into its file; `describe` gives the moment
/// that is written beside the pixels of a frame. `progress` hears how many
/// frames were begun and may break the run off; frames in hand are still
/// written whole. Returns the number of frames written.
///
/// # Errors
/// [`CaptureError`] at the first frame that cannot be drawn or written.
pub fn run(
    gpu: &Gpu,
    renderer: &Renderer,
    plan: &Plan,
    describe: impl Fn(&Frame) -> Moment,
    mut progress: impl FnMut(usize) -> ControlFlow<()>,
) -> Result<usize, CaptureError> {
    let mut offscreen = Offscreen::new(gpu, plan.size)?;
    let encoders = Encoders::start();
    let mut begun = 0;
    for (frame, path) in plan.frames() {
        if progress(begun).is_break() {
            break;
        }
        if offscreen.is_full() {
            pass_on(gpu, &mut offscreen, &encoders)?;
        }
        renderer.render(gpu, offscreen.view(), &frame);
        offscreen.start_readback(gpu, (path, describe(&frame)))?;
        begun += 1;
    }
    while pass_on(gpu, &mut offscreen, &encoders)? {}
    encoders.finish()?;
    Ok(begun)
}

/// Hands the oldest frame under way to the encoders; false when there is none.
fn pass_on(
    gpu: &Gpu,
    offscreen: &mut Offscreen<(PathBuf, Moment)>,
    encoders: &Encoders,
) -> Result<bool, CaptureError> {
    let Some(((path, moment), picture)) = offscreen.finish_readback(gpu)? else {
        return Ok(false);
    };
    encoders.push(Job {
        path,
        moment,
        picture,
    })?;
    Ok(true)
}
