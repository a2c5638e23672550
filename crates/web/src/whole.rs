//! A list of a scene's buffers and channels, and a view of one of them instead of the
//! picture.

use serde_json::{Value, json};

use super::scene::LoadedScene;
use tarsus_player::live::ranges::Ranges;
use tarsus_player::live::samples::Samples;
use tarsus_player::live::textures::{Shape, TexturePainter, described, holds_floats, target};
use tarsus_render::Gpu;
use tarsus_shader::{ChannelShape, PassKind};

/// A buffer or channel that is shown instead of the picture.
pub(super) struct Whole {
    index: usize,
    painter: TexturePainter,
    picture: Option<wgpu::Texture>,
    /// Sampled values, from which the display ranges are chosen.
    samples: Samples,
    ranges: Ranges,
}

impl Whole {
    /// Creates a view of the buffer or channel with this number from 0; channels follow
    /// the buffers.
    pub(super) fn new(gpu: &Gpu, index: usize) -> Self {
        Self {
            index,
            painter: TexturePainter::new(&gpu.device),
            picture: None,
            samples: Samples::new(gpu),
            ranges: Ranges::default(),
        }
    }

    /// Number of the buffer or channel.
    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// Draws the picture with `size` pixels. Returns `None` if the scene has no such
    /// buffer or channel.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        scene: &LoadedScene,
        size: (u32, u32),
    ) -> Option<&wgpu::Texture> {
        let (_, texture, shape) = contents(scene).nth(self.index)?;
        let texture = (texture?, shape);
        let Self {
            painter, samples, ..
        } = self;
        if holds_floats(texture.0) && !samples.is_reading() {
            samples.begin(gpu, |encoder, target| {
                painter.sample(&gpu.device, encoder, texture, target);
            });
        }
        let fits = |texture: &wgpu::Texture| (texture.width(), texture.height()) == size;
        let old = self.picture.take().filter(fits);
        let picture = self
            .picture
            .insert(old.unwrap_or_else(|| target(gpu, size)));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.painter
            .draw(&gpu.device, &mut encoder, texture, &self.ranges, picture);
        gpu.queue.submit([encoder.finish()]);
        Some(picture)
    }

    /// Returns true while values are being read back.
    pub(super) fn is_measuring(&self) -> bool {
        self.samples.is_reading()
    }

    /// Takes the values read back since the device was polled. Returns true if they
    /// change the display ranges.
    pub(super) fn take_values(&mut self) -> bool {
        let Some(texels) = self.samples.take() else {
            return false;
        };
        let ranges = Ranges::of(&texels, &self.ranges);
        std::mem::replace(&mut self.ranges, ranges) != ranges
    }
}

/// Returns the names and formats of a scene's buffers and channels, as JSON: `[{name,
/// detail}]`.
pub(super) fn listed(scene: &LoadedScene) -> Value {
    contents(scene)
        .map(|(name, texture, _)| {
            json!({ "name": name, "detail": texture.map(described).unwrap_or_default() })
        })
        .collect()
}

/// Iterates over the buffers and channels in the order of their numbers.
fn contents(scene: &LoadedScene) -> impl Iterator<Item = (String, Option<&wgpu::Texture>, Shape)> {
    let buffers = scene.renderer.contents().map(|(kind, texture)| {
        let shape = match kind {
            PassKind::Cube => Shape::Cube,
            _ => Shape::Plane,
        };
        (kind.label().to_owned(), Some(texture), shape)
    });
    let channels = scene.composed.program.channels.iter().enumerate();
    let channels = channels.map(|(index, channel)| {
        let shape = match channel.shape {
            ChannelShape::Texture2d => Shape::Plane,
            ChannelShape::Cube => Shape::Cube,
            ChannelShape::Volume => Shape::Volume,
        };
        (channel.name.clone(), scene.renderer.channel(index), shape)
    });
    buffers.chain(channels)
}
