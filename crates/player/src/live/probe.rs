//! Values of the picture and the buffers under the pointer, read back asynchronously.

use super::canvas::take_finished;
use super::pointer::Position;
use tarsus_render::{Gpu, Readback, readback_buffer};

/// Maximum number of textures: the picture and the buffers.
const MAX_TEXTURES: u32 = 8;
/// Maximum size of a texel, in bytes.
const TEXEL_BYTES: u32 = 16;

/// A texel under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Texel {
    /// Name of the buffer, or `Picture`.
    pub name: String,
    /// Column and row, from the lower left corner.
    pub at: [u32; 2],
    /// Red, green, blue and alpha.
    pub value: [f32; 4],
}

/// A texture to read from.
pub(super) struct Source<'a> {
    pub(super) name: &'static str,
    pub(super) texture: &'a wgpu::Texture,
    /// True if the first row is at the top.
    pub(super) is_top_down: bool,
}

/// Position, number of the frame and samples of the still that a reading is valid for.
pub(super) type ProbeKey = (Position, u32, u32);

/// Repeated readings of a texel of each texture.
#[derive(Default)]
pub(super) struct Probe {
    /// The reading in flight.
    reading: Option<Readback>,
    /// Its texels, without values; true for those of floats.
    pending: Vec<(Texel, bool)>,
    key: Option<ProbeKey>,
    /// Result of the last reading.
    pub(super) texels: Vec<Texel>,
}

impl Probe {
    /// Returns true while a reading is in flight.
    pub(super) fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// Starts a reading, unless one is in flight or `key` was read already.
    pub(super) fn begin<'a>(
        &mut self,
        gpu: &Gpu,
        key: ProbeKey,
        sources: impl Iterator<Item = Source<'a>>,
    ) {
        if self.is_reading() || self.key == Some(key) {
            return;
        }
        self.key = Some(key);
        let [x, y] = key.0;
        let mut texels = Vec::new();
        let buffer = readback_buffer(&gpu.device, TEXEL_BYTES, MAX_TEXTURES);
        let distance = buffer.size() / u64::from(MAX_TEXTURES);
        let readback = gpu.submit(|encoder| {
            for Source { name, texture, is_top_down } in sources.take(MAX_TEXTURES as usize) {
                let (width, height) = (texture.width(), texture.height());
                let last = |side: u32| side.saturating_sub(1);
                let column = ((x * f64::from(width)) as u32).min(last(width));
                let from_top = ((y * f64::from(height)) as u32).min(last(height));
                let row = last(height) - from_top;
                encoder.copy_texture_to_buffer(
                    wgpu::TexelCopyTextureInfo {
                        origin: wgpu::Origin3d {
                            x: column,
                            y: if is_top_down { from_top } else { row },
                            z: 0,
                        },
                        ..texture.as_image_copy()
                    },
                    wgpu::TexelCopyBufferInfo {
                        buffer: &buffer,
                        layout: wgpu::TexelCopyBufferLayout {
                            offset: texels.len() as u64 * distance,
                            bytes_per_row: None,
                            rows_per_image: None,
                        },
                    },
                    wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 },
                );
                let texel = Texel { name: name.to_owned(), at: [column, row], value: [0.0; 4] };
                texels.push((texel, texture.format() == wgpu::TextureFormat::Rgba32Float));
            }
            Readback::of_buffer(&gpu.device, encoder, buffer, TEXEL_BYTES, MAX_TEXTURES)
        });
        self.reading = Some(readback);
        self.pending = texels;
    }

    /// Takes a finished reading. Returns true if there was one.
    pub(super) fn take(&mut self) -> bool {
        let Some(bytes) = take_finished(&mut self.reading) else {
            return false;
        };
        let texels = self.pending.drain(..).zip(bytes.chunks_exact(TEXEL_BYTES as usize));
        let texels = texels.map(|((texel, is_float), bytes)| {
            let value = if is_float {
                bytemuck::pod_read_unaligned(bytes)
            } else {
                [0, 1, 2, 3].map(|component: usize| f32::from(bytes[component]) / 255.0)
            };
            Texel { value, ..texel }
        });
        self.texels = texels.collect();
        true
    }
}
