//! The only draw path. It encodes into the caller's command encoder and submits
//! nothing, so that scenes, user interface and somebody else's passes share one
//! submission. It knows nothing of windows, clocks or files.
//!
//! Objects by lifetime:
//! - once per scene: [`Renderer`] (pipeline, bind group layouts);
//! - once per draw: the [`Inputs`] given to [`Renderer::draw`], in a slot of
//!   uniforms that no other draw sees.

use std::borrow::Cow;
use std::ops::Range;

use thiserror::Error;

use super::fullscreen::{Cover, Fullscreen};
use super::inputs::Inputs;
use super::timestamps::Timestamps;
use super::uniforms::Uniforms;
use crate::shader::{Pass, Program};

/// Why a program cannot be drawn on this device.
#[derive(Debug, Error)]
pub enum RendererError {
    /// It has no pass.
    #[error("the program has no pass to draw")]
    NoPass,
    /// The driver's own words.
    #[error("the adapter refused the shader: {0}")]
    Refused(String),
}

/// Draws one program into targets of one format.
pub struct Renderer {
    pipeline: wgpu::RenderPipeline,
    uniforms: Uniforms,
}

impl Renderer {
    /// Builds the pipeline of `program` for targets of `format`, which must not
    /// be an sRGB format: scenes return display-ready colours.
    ///
    /// # Errors
    /// [`RendererError`] when there is nothing to draw or the driver refuses the
    /// pipeline.
    pub async fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
        format: wgpu::TextureFormat,
    ) -> Result<Self, RendererError> {
        debug_assert!(!format.is_srgb(), "scenes return display-ready colours");
        let image = program.passes.last().ok_or(RendererError::NoPass)?;
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let uniforms = Uniforms::new(device, queue, program, &image.bindings);
        let pipeline = pipeline(device, image, &uniforms, format);
        match scope.pop().await {
            Some(error) => Err(RendererError::Refused(error.to_string())),
            None => Ok(Self { pipeline, uniforms }),
        }
    }

    /// Encodes the picture of `inputs` over `rows` of `target`, counted from the
    /// top; `0..u32::MAX` is all of them, others stay as they are. Band by band
    /// this is the same picture as in one go.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        inputs: &Inputs,
        rows: Range<u32>,
    ) {
        self.encode(encoder, target, inputs, rows, None);
    }

    /// Encodes the whole picture and notes how long the adapter takes.
    pub fn draw_timed(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        inputs: &Inputs,
        timestamps: &Timestamps,
    ) {
        self.encode(encoder, target, inputs, 0..u32::MAX, Some(timestamps));
        timestamps.resolve(encoder);
    }

    fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        inputs: &Inputs,
        rows: Range<u32>,
        timestamps: Option<&Timestamps>,
    ) {
        let bindings = self.uniforms.prepare(encoder, inputs);
        let groups: Vec<_> = bindings
            .groups
            .iter()
            .zip(bindings.offsets.iter().map(Vec::as_slice))
            .collect();
        let cover = Cover {
            label: "scene",
            target,
            rows,
            timestamps: timestamps.map(Timestamps::writes),
        };
        cover.encode(encoder, &self.pipeline, &groups, 0);
    }
}

fn pipeline(
    device: &wgpu::Device,
    pass: &Pass,
    uniforms: &Uniforms,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(pass.label),
        source: wgpu::ShaderSource::Naga(Cow::Owned(pass.module.clone())),
    });
    let fullscreen = Fullscreen {
        label: pass.label,
        vertex: Some((&module, pass.vertex_entry)),
        fragment: (&module, pass.fragment_entry),
        layouts: &uniforms.layouts(),
        format,
    };
    fullscreen.pipeline(device)
}
