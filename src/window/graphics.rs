//! Device, surface and what draws to the window: made when the window opens,
//! and made anew when the device is lost.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::upscale::Upscaler;
use crate::render::{Gpu, GpuOptions};

/// What the window shows before the first picture.
const BACKGROUND: wgpu::Color = wgpu::Color {
    r: 0.055,
    g: 0.06,
    b: 0.07,
    a: 1.0,
};

/// What egui wants drawn.
pub(super) struct Interface {
    pub(super) primitives: Vec<egui::ClippedPrimitive>,
    pub(super) textures: egui::TexturesDelta,
    pub(super) pixels_per_point: f32,
}

/// How presenting went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presented {
    /// It is on the screen.
    Shown,
    /// Nobody can see the window.
    Hidden,
    /// Not this time: try again.
    Again,
    /// The surface is lost and could not be made anew: perhaps the window is
    /// gone, and its end is still to be heard of.
    Lost,
}

/// The way to the screen.
pub(super) struct Graphics {
    pub(super) gpu: Arc<Gpu>,
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    upscaler: Upscaler,
    interface: egui_wgpu::Renderer,
}

impl Graphics {
    /// Opens device and surface.
    ///
    /// # Errors
    /// When no adapter fits the window or the options.
    pub(super) fn open(
        window: &Arc<Window>,
        display: &OwnedDisplayHandle,
        options: &GpuOptions,
    ) -> Result<Self> {
        let open = |mut descriptor: wgpu::InstanceDescriptor| {
            descriptor.display = Some(Box::new(display.clone()));
            let instance = wgpu::Instance::new(descriptor);
            let surface = instance.create_surface(Arc::clone(window))?;
            Ok((instance, surface))
        };
        let (gpu, surface) = pollster::block_on(Gpu::for_surface(options, &open))?;
        let config = configuration(&gpu, &surface, window)?;
        surface.configure(&gpu.device, &config);
        let format = config.format;
        Ok(Self {
            upscaler: Upscaler::new(&gpu.device, format),
            interface: egui_wgpu::Renderer::new(&gpu.device, format, Default::default()),
            gpu: Arc::new(gpu),
            window: Arc::clone(window),
            surface,
            config,
        })
    }

    /// Follows the window's size. A window without pixels keeps the old surface.
    pub(super) fn resize(&mut self, (width, height): (u32, u32)) {
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        let size = (width.min(limit), height.min(limit));
        if width > 0 && height > 0 && size != (self.config.width, self.config.height) {
            (self.config.width, self.config.height) = size;
            self.surface.configure(&self.gpu.device, &self.config);
        }
    }

    /// Size of the surface in physical pixels.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.config.width, self.config.height)
    }

    /// Shows `picture`, or the background, with the interface on top.
    pub(super) fn present(
        &mut self,
        picture: Option<&wgpu::Texture>,
        interface: Interface,
    ) -> Presented {
        use wgpu::CurrentSurfaceTexture as Current;
        let mut interface = interface;
        self.upload(&mut interface.textures);
        let frame = match self.surface.get_current_texture() {
            Current::Success(frame) | Current::Suboptimal(frame) => frame,
            Current::Occluded => return Presented::Hidden,
            Current::Timeout | Current::Validation => return Presented::Again,
            Current::Outdated => {
                self.surface.configure(&self.gpu.device, &self.config);
                return Presented::Again;
            }
            Current::Lost => return self.recover(),
        };
        self.draw(&frame, picture, &interface);
        self.window.pre_present_notify();
        self.gpu.queue.present(frame);
        Presented::Shown
    }

    fn recover(&mut self) -> Presented {
        let Ok(surface) = self.gpu.instance.create_surface(Arc::clone(&self.window)) else {
            return Presented::Lost;
        };
        self.surface = surface;
        self.surface.configure(&self.gpu.device, &self.config);
        Presented::Again
    }

    /// Textures have to be taken over even when nothing can be drawn now.
    fn upload(&mut self, textures: &mut egui::TexturesDelta) {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        for (id, deltas) in textures.set.drain() {
            for delta in &deltas {
                self.interface.update_texture(device, queue, id, delta);
            }
        }
        for id in textures.free.drain() {
            self.interface.free_texture(&id);
        }
    }

    fn draw(
        &mut self,
        frame: &wgpu::SurfaceTexture,
        picture: Option<&wgpu::Texture>,
        interface: &Interface,
    ) {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        let (width, height) = (self.config.width, self.config.height);
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: [width, height],
            pixels_per_point: interface.pixels_per_point,
        };
        let view = frame.texture.create_view(&Default::default());
        let mut encoder = device.create_command_encoder(&Default::default());
        let primitives = &interface.primitives;
        self.interface
            .update_buffers(device, queue, &mut encoder, primitives, &screen);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("window"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(BACKGROUND),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            let mut pass = pass.forget_lifetime();
            if let Some(picture) = picture {
                self.upscaler
                    .draw(device, queue, &mut pass, picture, (width, height));
            }
            self.interface.render(&mut pass, primitives, &screen);
        }
        queue.submit([encoder.finish()]);
    }
}

/// Waits for vertical sync and takes display-ready colours as they are.
fn configuration(
    gpu: &Gpu,
    surface: &wgpu::Surface<'_>,
    window: &Window,
) -> Result<wgpu::SurfaceConfiguration> {
    let limit = gpu.device.limits().max_texture_dimension_2d;
    let size = window.inner_size();
    let (width, height) = (size.width.clamp(1, limit), size.height.clamp(1, limit));
    let mut config = surface
        .get_default_config(&gpu.adapter, width, height)
        .context("the adapter cannot draw to this window")?;
    let formats = surface.get_capabilities(&gpu.adapter).formats;
    config.format = formats
        .into_iter()
        .find(|format| !format.is_srgb())
        .context("the window takes no plain colour format")?;
    config.present_mode = wgpu::PresentMode::AutoVsync;
    Ok(config)
}
