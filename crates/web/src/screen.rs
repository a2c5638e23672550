//! A canvas of the page and the device that draws to it.

use std::sync::Arc;

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlCanvasElement, WebGl2RenderingContext};

use tarsus_player::live::Engine;
use tarsus_render::{Gpu, GpuOptions};

/// Background colour before the first picture.
const BACKGROUND: wgpu::Color = wgpu::Color::BLACK;

/// Graphics API of the browser.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Backend {
    WebGpu,
    WebGl2,
}

impl Backend {
    /// Parses the name of a backend.
    ///
    /// # Errors
    /// Returns a message that lists the valid names.
    pub(super) fn named(name: &str) -> Result<Self, String> {
        match name {
            "webgpu" => Ok(Self::WebGpu),
            "webgl2" => Ok(Self::WebGl2),
            _ => Err(format!("invalid value `{name}` for the backend: expected webgpu or webgl2")),
        }
    }

    /// Name for users.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::WebGpu => "WebGPU",
            Self::WebGl2 => "WebGL2",
        }
    }

    /// The backend to try if this one fails.
    pub(super) fn other(self) -> Self {
        match self {
            Self::WebGpu => Self::WebGl2,
            Self::WebGl2 => Self::WebGpu,
        }
    }
}

/// Returns true if a canvas that was drawn to has a lost context. wgpu cannot open a device
/// on one: it panics.
pub(super) fn has_lost_context(canvas: &HtmlCanvasElement, backend: Backend) -> bool {
    backend == Backend::WebGl2
        && webgl2_context(canvas).is_some_and(|context| context.is_context_lost())
}

/// The context of a canvas that draws with WebGL2.
fn webgl2_context(canvas: &HtmlCanvasElement) -> Option<WebGl2RenderingContext> {
    canvas.get_context("webgl2").ok().flatten()?.dyn_into().ok()
}

/// A canvas and its device.
pub(super) struct Screen {
    pub(super) gpu: Arc<Gpu>,
    /// Names of the backend and the adapter.
    pub(super) description: String,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    context: Option<WebGl2RenderingContext>,
    /// True once the context was lost, even if the browser has restored it since.
    is_context_gone: bool,
}

impl Screen {
    /// Opens a device for `canvas`.
    ///
    /// # Errors
    /// Returns a message for the user if there is no device.
    pub(super) async fn open(canvas: &HtmlCanvasElement, backend: Backend) -> Result<Self, String> {
        let instance = wgpu::Instance::new(Gpu::instance_descriptor(match backend {
            Backend::WebGpu => wgpu::Backends::BROWSER_WEBGPU,
            Backend::WebGl2 => wgpu::Backends::GL,
        }));
        let target = wgpu::SurfaceTarget::Canvas(canvas.clone());
        let surface = instance.create_surface(target).map_err(|_| {
            format!("cannot draw here: this browser does not offer {}", backend.name())
        })?;
        let gpu = Gpu::for_surface(&instance, &surface, &GpuOptions::default())
            .await
            .map_err(|error| format!("cannot draw here: {error}"))?;
        let size = (canvas.width().max(1), canvas.height().max(1));
        let config = gpu.surface_configuration(&surface, size);
        let mut config = config.map_err(|reason| format!("cannot draw here: {reason}"))?;
        config.alpha_mode = wgpu::CompositeAlphaMode::Opaque;
        surface.configure(&gpu.device, &config);
        // The context that the surface already uses.
        let context = (backend == Backend::WebGl2).then(|| webgl2_context(canvas)).flatten();
        let description = match gpu.adapter.get_info().name.trim() {
            "" => backend.name().to_owned(),
            adapter => format!("{} · {adapter}", backend.name()),
        };
        let gpu = Arc::new(gpu);
        Ok(Self { description, context, is_context_gone: false, surface, config, gpu })
    }

    /// Returns true once the device or the context is lost.
    pub(super) fn is_lost(&self) -> bool {
        let context = self.context.as_ref();
        self.is_context_gone
            || self.gpu.is_lost()
            || context.is_some_and(WebGl2RenderingContext::is_context_lost)
    }

    /// Records that the context was lost.
    pub(super) fn lose_context(&mut self) {
        self.is_context_gone = true;
    }

    /// Maximum side of a picture, in pixels.
    pub(super) fn max_side(&self) -> u32 {
        self.gpu.device.limits().max_texture_dimension_2d
    }

    /// Format of the canvas.
    pub(super) fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Shows the engine's picture, or the background. Returns false if the canvas cannot
    /// take a picture now.
    pub(super) fn present(&mut self, engine: &mut Engine<()>) -> bool {
        use wgpu::CurrentSurfaceTexture as Current;
        // A resized canvas is empty until it is drawn to.
        if engine.size() != (self.config.width, self.config.height) {
            (self.config.width, self.config.height) = engine.size();
            self.surface.configure(&self.gpu.device, &self.config);
        }
        let frame = match self.surface.get_current_texture() {
            Current::Success(frame) | Current::Suboptimal(frame) => frame,
            _ => {
                self.surface.configure(&self.gpu.device, &self.config);
                return false;
            }
        };
        let view = frame.texture.create_view(&Default::default());
        self.gpu.submit(|encoder| engine.present(encoder, &view, BACKGROUND, |_| {}));
        self.gpu.queue.present(frame);
        true
    }
}
