//! Values of the picture and the buffers under the pointer, read back asynchronously.

use super::canvas::submit;
use super::pointer::Position;
use super::readback::Readback;
use tarsus_render::Gpu;

/// Maximum number of textures: the picture and the buffers.
const MAX_TEXTURES: usize = 8;
/// Space for each texel in the readback buffer, in bytes.
const TEXEL_BYTES: usize = 16;

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
pub(super) struct Probe {
    readback: Readback,
    /// The texels of a reading in flight, without values; true for those of floats.
    pending: Vec<(Texel, bool)>,
    key: Option<ProbeKey>,
    /// Result of the last reading.
    pub(super) texels: Vec<Texel>,
}

impl Probe {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            readback: Readback::new(gpu, "probe", (MAX_TEXTURES * TEXEL_BYTES) as u64),
            pending: Vec::new(),
            key: None,
            texels: Vec::new(),
        }
    }

    /// Returns true while a reading is in flight.
    pub(super) fn is_reading(&self) -> bool {
        self.readback.is_reading()
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
        submit(gpu, |encoder| {
            for Source { name, texture, is_top_down } in sources.take(MAX_TEXTURES) {
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
                        buffer: &self.readback.buffer,
                        layout: wgpu::TexelCopyBufferLayout {
                            offset: (texels.len() * TEXEL_BYTES) as u64,
                            bytes_per_row: None,
                            rows_per_image: None,
                        },
                    },
                    wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 },
                );
                let texel = Texel { name: name.to_owned(), at: [column, row], value: [0.0; 4] };
                texels.push((texel, texture.format() == wgpu::TextureFormat::Rgba32Float));
            }
        });
        self.readback.start();
        self.pending = texels;
    }

    /// Takes a finished reading, after the device was polled. Returns true if there was one.
    pub(super) fn take(&mut self) -> bool {
        let Some(bytes) = self.readback.take() else {
            return false;
        };
        let texels = self.pending.drain(..).zip(bytes.chunks_exact(TEXEL_BYTES));
        let texels = texels.map(|((texel, is_float), bytes)| {
            let value = match is_float {
                true => bytemuck::pod_read_unaligned(bytes),
                false => [0, 1, 2, 3].map(|component: usize| f32::from(bytes[component]) / 255.0),
            };
            Texel { value, ..texel }
        });
        self.texels = texels.collect();
        true
    }
}
