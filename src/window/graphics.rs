//! The window's surface, and presenting to it.

use std::sync::Arc;

use anyhow::{Error, Result, ensure};
use winit::window::Window;

use super::overlay_renderer::OverlayRenderer;
use super::viewer::Engine;
use tarsus_render::{Gpu, GpuOptions};

/// Background colour before the first picture.
const BACKGROUND: wgpu::Color = wgpu::Color { r: 0.055, g: 0.06, b: 0.07, a: 1.0 };

/// Output of egui for one frame.
pub(super) struct OverlayFrame {
    pub(super) primitives: Vec<egui::ClippedPrimitive>,
    pub(super) textures: egui::TexturesDelta,
    pub(super) pixels_per_point: f32,
}

/// Consecutive frames without a surface after which it counts as permanently lost.
const MAX_LOST_FRAMES: u32 = 100;

/// Surface and egui renderer of one device.
pub(super) struct Graphics {
    pub(super) gpu: Arc<Gpu>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    /// The size is 0 before the first [`Self::resize`].
    config: wgpu::SurfaceConfiguration,
    /// True if the surface has to be configured before the next frame: a window that is being
    /// resized reports many sizes between two frames.
    is_outdated: bool,
    pub(super) overlay: OverlayRenderer,
    /// Consecutive frames without a surface.
    lost_frames: u32,
}

impl Graphics {
    /// Opens a device that can present to `surface`, and its renderers. The surface shows
    /// nothing before [`Self::resize`].
    ///
    /// # Errors
    /// If no adapter supports the surface and the options.
    pub(super) async fn open(
        instance: wgpu::Instance,
        surface: wgpu::Surface<'static>,
        options: &GpuOptions,
    ) -> Result<Self> {
        let gpu = Gpu::for_surface(&instance, &surface, options).await?;
        let config = gpu.surface_configuration(&surface, (0, 0));
        let mut config = config.map_err(Error::msg)?;
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let format = config.format;
        Ok(Self {
            overlay: OverlayRenderer::new(&gpu.device, &gpu.queue, format),
            gpu: Arc::new(gpu),
            instance,
            surface,
            config,
            is_outdated: false,
            lost_frames: 0,
        })
    }

    /// Resizes the surface to the window's size in physical pixels. If the size is zero,
    /// the old surface is kept.
    pub(super) fn resize(&mut self, (width, height): (u32, u32)) {
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        let size = (width.min(limit), height.min(limit));
        if width > 0 && height > 0 && size != (self.config.width, self.config.height) {
            (self.config.width, self.config.height) = size;
            self.is_outdated = true;
        }
    }

    /// Format of the surface.
    pub(super) fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Size of the surface in physical pixels.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.config.width, self.config.height)
    }

    /// Presents the engine's picture with the overlay on top, or later if the surface has no
    /// frame now. Returns false if the window is not visible.
    ///
    /// # Errors
    /// If the surface is permanently lost. A surface that is lost for a few frames
    /// recovers, or its window is gone and a close event follows.
    pub(super) fn present(
        &mut self,
        window: &Arc<Window>,
        engine: &mut Engine,
        mut overlay: OverlayFrame,
    ) -> Result<bool> {
        use wgpu::CurrentSurfaceTexture as Current;
        self.overlay.upload(&mut overlay.textures);
        if self.is_outdated {
            self.surface.configure(&self.gpu.device, &self.config);
            if self.gpu.take_error().is_some() {
                return self.recover(window);
            }
            self.is_outdated = false;
        }
        match self.surface.get_current_texture() {
            Current::Success(frame) | Current::Suboptimal(frame) => {
                let size = self.size();
                let view = frame.texture.create_view(&Default::default());
                self.gpu.submit(|encoder| {
                    self.overlay.prepare(encoder, overlay, size);
                    engine.present(encoder, &view, BACKGROUND, |pass| self.overlay.paint(pass));
                });
                window.pre_present_notify();
                self.gpu.queue.present(frame);
                self.lost_frames = 0;
            }
            Current::Occluded => return Ok(false),
            Current::Timeout => {}
            Current::Outdated | Current::Validation => self.is_outdated = true,
            Current::Lost => return self.recover(window),
        }
        Ok(true)
    }

    /// Replaces the lost surface, which is configured before the next frame.
    fn recover(&mut self, window: &Arc<Window>) -> Result<bool> {
        ensure!(self.lost_frames < MAX_LOST_FRAMES, "the surface of the window is lost");
        self.lost_frames += 1;
        if let Ok(surface) = self.instance.create_surface(Arc::clone(window)) {
            self.surface = surface;
            self.is_outdated = true;
        }
        Ok(true)
    }
}
