//! egui's output on the GPU. From the second frame in which nothing changes it is drawn from
//! a texture: a software renderer takes longer for its many triangles.

use egui::epaint::{ClippedPrimitive, Primitive, TextureId};
use egui::{Rect, TexturesDelta};
use tarsus_render::{
    FullscreenPass, bind_group, drawable, float_texture, fragment_layout, fullscreen_pipeline,
};

use super::graphics::OverlayFrame;

/// Draws egui's output over the surface.
pub(super) struct OverlayRenderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    egui: egui_wgpu::Renderer,
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
    format: wgpu::TextureFormat,
    /// The last frame. Its triangles are uploaded.
    primitives: Vec<ClippedPrimitive>,
    pixels_per_point: f32,
    size: (u32, u32),
    /// The last frame as a texture, if it was kept.
    kept: Option<wgpu::BindGroup>,
    /// True if a texture of egui has changed since.
    is_stale: bool,
}

impl OverlayRenderer {
    /// Creates the pipelines for surfaces of `format`.
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Self {
        let texture = float_texture(false, wgpu::TextureViewDimension::D2);
        let layout = fragment_layout(device, "overlay", &[(0, texture)]);
        let module = device.create_shader_module(wgpu::include_wgsl!("overlay.wgsl"));
        let target = wgpu::ColorTargetState {
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            ..format.into()
        };
        Self {
            device: device.clone(),
            queue: queue.clone(),
            egui: egui_wgpu::Renderer::new(device, format, Default::default()),
            pipeline: fullscreen_pipeline(device, (&module, "overlay"), &layout, target),
            layout,
            format,
            primitives: Vec::new(),
            pixels_per_point: 1.0,
            size: (0, 0),
            kept: None,
            is_stale: false,
        }
    }

    /// Registers `texture` for egui.
    pub(super) fn register(&mut self, texture: &wgpu::Texture) -> TextureId {
        let view = texture.create_view(&Default::default());
        self.egui.register_native_texture(&self.device, &view, wgpu::FilterMode::Nearest)
    }

    /// Applies egui's texture updates, which is necessary even if nothing can be drawn now.
    pub(super) fn upload(&mut self, textures: &mut TexturesDelta) {
        self.is_stale |= !textures.set.is_empty();
        for (id, deltas) in textures.set.drain() {
            for delta in &deltas {
                self.egui.update_texture(&self.device, &self.queue, id, delta);
            }
        }
        for id in textures.free.drain() {
            self.egui.free_texture(&id);
        }
    }

    /// Encodes what [`Self::paint`] needs for `frame` on a surface of `size`.
    pub(super) fn prepare(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: OverlayFrame,
        size: (u32, u32),
    ) {
        let is_same = !std::mem::take(&mut self.is_stale)
            && self.size == size
            && self.pixels_per_point == frame.pixels_per_point
            && are_same(&self.primitives, &frame.primitives);
        if !is_same {
            self.kept = None;
            self.size = size;
            self.pixels_per_point = frame.pixels_per_point;
            self.primitives = frame.primitives;
            let (device, queue) = (&self.device, &self.queue);
            let screen = self.screen();
            self.egui.update_buffers(device, queue, encoder, &self.primitives, &screen);
        } else if self.kept.is_none() && can_be_kept(&self.primitives) {
            self.kept = Some(self.keep(encoder));
        }
    }

    /// Draws the overlay over the surface.
    pub(super) fn paint(&self, pass: &mut wgpu::RenderPass<'static>) {
        let Some(texture) = &self.kept else {
            self.egui.render(pass, &self.primitives, &self.screen());
            return;
        };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, texture, &[]);
        for area in areas(&self.primitives) {
            let corner = |point: egui::Pos2, round: fn(f32) -> f32| {
                let place = point.to_vec2() * self.pixels_per_point;
                [(place.x, self.size.0), (place.y, self.size.1)]
                    .map(|(place, side)| (round(place).max(0.0) as u32).min(side))
            };
            let [left, top] = corner(area.min, f32::floor);
            let [right, bottom] = corner(area.max, f32::ceil);
            pass.set_scissor_rect(left, top, right - left, bottom - top);
            pass.draw(0..3, 0..1);
        }
    }

    /// Encodes the drawing of the overlay into a texture.
    fn keep(&self, encoder: &mut wgpu::CommandEncoder) -> wgpu::BindGroup {
        let texture = drawable(&self.device, "overlay", self.size, self.format);
        let view = texture.create_view(&Default::default());
        let pass = FullscreenPass { background: wgpu::Color::TRANSPARENT, ..(&view).into() };
        let mut pass = pass.begin(encoder, "overlay").forget_lifetime();
        self.egui.render(&mut pass, &self.primitives, &self.screen());
        let resource = wgpu::BindingResource::TextureView(&view);
        bind_group(&self.device, "overlay", &self.layout, [(0, resource)])
    }

    fn screen(&self) -> egui_wgpu::ScreenDescriptor {
        egui_wgpu::ScreenDescriptor {
            size_in_pixels: [self.size.0, self.size.1],
            pixels_per_point: self.pixels_per_point,
        }
    }
}

/// True if both frames look the same, as long as their textures do.
fn are_same(before: &[ClippedPrimitive], now: &[ClippedPrimitive]) -> bool {
    let same = |(before, now): (&ClippedPrimitive, &ClippedPrimitive)| {
        let meshes = match (&before.primitive, &now.primitive) {
            (Primitive::Mesh(before), Primitive::Mesh(now)) => before == now,
            _ => false,
        };
        meshes && before.clip_rect == now.clip_rect
    };
    before.len() == now.len() && before.iter().zip(now).all(same)
}

/// False for an empty frame, and for one that shows textures of ours, which change.
fn can_be_kept(primitives: &[ClippedPrimitive]) -> bool {
    let is_fixed = |one: &ClippedPrimitive| match &one.primitive {
        Primitive::Mesh(mesh) => matches!(mesh.texture_id, TextureId::Managed(_)),
        Primitive::Callback(_) => false,
    };
    !primitives.is_empty() && primitives.iter().all(is_fixed)
}

/// Areas that cover the primitives and do not overlap.
fn areas(primitives: &[ClippedPrimitive]) -> Vec<Rect> {
    let mut areas: Vec<Rect> = Vec::new();
    for one in primitives {
        let Primitive::Mesh(mesh) = &one.primitive else { continue };
        let mut area = mesh.calc_bounds().intersect(one.clip_rect).expand(1.0);
        while let Some(other) = areas.iter().position(|other| other.intersects(area)) {
            area = area.union(areas.swap_remove(other));
        }
        if area.is_positive() {
            areas.push(area);
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use egui::{Color32, Context, Order, pos2, vec2};
    use tarsus_render::{Depth, Gpu, GpuOptions, Picture, Readback, drawable, target_texture};

    use super::*;

    const SIZE: (u32, u32) = (120, 80);

    struct Bench {
        gpu: Gpu,
        context: Context,
        overlay: OverlayRenderer,
    }

    impl Bench {
        fn new() -> Self {
            let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).expect("a device");
            let overlay = OverlayRenderer::new(&gpu.device, &gpu.queue, tarsus_render::FORMAT);
            Self { gpu, context: Context::default(), overlay }
        }

        /// Draws a frame of two overlapping areas and one apart, with corners of `radius`,
        /// over grey, and returns its pixels.
        fn draw(&mut self, radius: f32, image: Option<TextureId>) -> Picture {
            let points = vec2(SIZE.0 as f32, SIZE.1 as f32);
            let input = egui::RawInput {
                screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, points)),
                ..Default::default()
            };
            let output = self.context.run_ui(input, |ui| {
                for (index, (x, y)) in [(3.0, 4.0), (20.0, 10.0), (70.3, 50.6)].iter().enumerate() {
                    let painter = ui
                        .ctx()
                        .layer_painter(egui::LayerId::new(Order::Middle, egui::Id::unique(index)));
                    let area = Rect::from_min_size(pos2(*x, *y), vec2(40.0, 22.0));
                    painter.rect_filled(
                        area,
                        radius,
                        Color32::from_rgba_unmultiplied(200, 90, 30, 120),
                    );
                    let font = egui::FontId::monospace(11.0);
                    let white = Color32::WHITE;
                    painter.text(area.center(), egui::Align2::CENTER_CENTER, "12.3", font, white);
                    if let Some(image) = image {
                        let whole = Rect::from_min_size(pos2(0.0, 0.0), vec2(1.0, 1.0));
                        painter.image(image, area, whole, white);
                    }
                }
            });
            let frame = OverlayFrame {
                primitives: self.context.tessellate(output.shapes, output.pixels_per_point),
                textures: output.textures_delta,
                pixels_per_point: output.pixels_per_point,
            };
            self.present(frame)
        }

        fn present(&mut self, mut frame: OverlayFrame) -> Picture {
            let device = &self.gpu.device;
            let target = target_texture(device, SIZE, Depth::Eight).expect("a target");
            let view = target.create_view(&Default::default());
            let mut encoder = device.create_command_encoder(&Default::default());
            self.overlay.upload(&mut frame.textures);
            self.overlay.prepare(&mut encoder, frame, SIZE);
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.5, g: 0.5, b: 0.5, a: 1.0 }),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            self.overlay.paint(&mut pass.forget_lifetime());
            let readback = Readback::encode(device, &mut encoder, &target, None);
            self.gpu.queue.submit([encoder.finish()]);
            let rgba = readback.finish().expect("a device");
            assert_eq!(self.gpu.take_error(), None);
            Picture { width: SIZE.0, height: SIZE.1, rgba }
        }
    }

    #[test]
    fn unchanged_overlay_is_drawn_from_a_texture() {
        let mut bench = Bench::new();
        let mut kept = Vec::new();
        let pictures = [6.0, 6.0, 6.0, 2.0, 2.0].map(|radius| {
            let picture = bench.draw(radius, None);
            kept.push(bench.overlay.kept.is_some());
            picture
        });
        assert_eq!(kept, [false, true, true, false, true]);
        assert!(pictures[0].rgba.iter().any(|&byte| byte > 240), "text");
        for pair in [[0, 1], [0, 2], [3, 4]] {
            let [direct, kept] = pair.map(|index| &pictures[index].rgba);
            let off = direct.iter().zip(kept).map(|(one, other)| one.abs_diff(*other)).max();
            assert!(off <= Some(2), "{pair:?}: {off:?}");
        }
        assert_ne!(pictures[2].rgba, pictures[3].rgba);
    }

    #[test]
    fn changing_textures_are_never_kept() {
        let mut bench = Bench::new();
        let texture = drawable(&bench.gpu.device, "own", (1, 1), tarsus_render::FORMAT);
        let own = bench.overlay.register(&texture);
        for _ in 0..4 {
            bench.draw(6.0, Some(own));
            assert!(bench.overlay.kept.is_none());
        }
        bench.draw(6.0, None);
        bench.draw(6.0, None);
        assert!(bench.overlay.kept.is_some());
        bench.overlay.is_stale = true;
        bench.draw(6.0, None);
        assert!(bench.overlay.kept.is_none(), "a texture of egui has changed");
    }
}
