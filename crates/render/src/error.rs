//! Errors of drawing and readback, and capture of those of pipeline creation.

use std::future::Future;

use thiserror::Error;

use super::modules::Modules;
use tarsus_shader::PassKind;

/// Reasons why a program or a picture of it cannot be drawn or read back.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The picture exceeds the adapter's texture size limit.
    #[error("cannot draw {width}x{height}: this adapter supports at most {limit} pixels per side")]
    TooLarge {
        /// Requested width.
        width: u32,
        /// Requested height.
        height: u32,
        /// The adapter's limit per side.
        limit: u32,
    },
    /// The contents do not fit the channel's shape.
    #[error("cannot fill a channel: {0}")]
    Channel(String),
    /// The program has no image pass.
    #[error("the program has no image pass")]
    NoImagePass,
    /// The target has an sRGB format, which would encode display-ready colours again.
    #[error(
        "cannot draw to a target of format {0:?}: scenes return display-ready colours\n\
         hint: use {without_srgb:?}", without_srgb = .0.remove_srgb_suffix()
    )]
    SrgbTarget(wgpu::TextureFormat),
    /// A buffer of fixed size exceeds the adapter's limit.
    #[error(
        "cannot create {pass}: its size is {}x{}, and this adapter draws at most {limit} texels per \
         side", .size.0, .size.1
    )]
    BufferTooLarge {
        /// The buffer.
        pass: PassKind,
        /// Its width and height in texels.
        size: (u32, u32),
        /// Maximum texels per side on this adapter.
        limit: u32,
    },
    /// The adapter cannot draw to textures of 32-bit floats: WebGL2 without the extension
    /// `EXT_color_buffer_float`.
    #[error(
        "this adapter cannot draw to 32-bit floats, which buffers, per-frame values and \
         averages of samples are\nhint: a browser with WebGPU can"
    )]
    NoFloatTargets,
    /// The driver rejected a shader or pipeline.
    #[error("cannot create the pipelines: {reason}")]
    Rejected {
        /// Message of the driver.
        reason: String,
        /// WGSL to which lines in the message refer, by the first pass that uses it. Only
        /// browsers with WebGPU get WGSL.
        sources: Vec<(PassKind, String)>,
    },
    /// The device failed, with the driver's message.
    #[error("the device failed: {0}")]
    Device(String),
}

impl RenderError {
    pub(super) fn rejected(error: &wgpu::Error, modules: Modules<'_>) -> Self {
        let reason = error.to_string();
        // wgpu reports it as text only.
        if reason.contains("Rgba32Float due to downlevel restrictions") {
            Self::NoFloatTargets
        } else {
            Self::Rejected { reason, sources: modules.into_sources() }
        }
    }
}

/// Error scopes that catch the device errors of the current thread until [`Self::end`].
pub(super) struct ErrorScopes {
    /// Drivers report shader compile failures as internal errors, not as validation
    /// errors.
    internal: wgpu::ErrorScopeGuard,
    validation: wgpu::ErrorScopeGuard,
}

impl ErrorScopes {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self {
            internal: device.push_error_scope(wgpu::ErrorFilter::Internal),
            validation: device.push_error_scope(wgpu::ErrorFilter::Validation),
        }
    }

    /// Closes the scopes and returns the first error.
    pub(super) fn end(self) -> impl Future<Output = Option<wgpu::Error>> {
        let (validation, internal) = (self.validation.pop(), self.internal.pop());
        async { validation.await.or(internal.await) }
    }
}
