//! Values of the picture and the buffers under the pointer, read back asynchronously.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::canvas::submit;
use super::pointer::Position;
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

/// What a reading depends on: position, number of the frame, and samples of the still.
pub(super) type ProbeKey = (Position, u32, u32);

/// Repeated readings of a texel of each texture.
pub(super) struct Probe {
    buffer: wgpu::Buffer,
    /// The texels of a reading in flight, without values, and whether each consists of
    /// floats. The receiver gets whether mapping succeeded.
    reading: Option<(Vec<(Texel, bool)>, Receiver<bool>)>,
    key: Option<ProbeKey>,
    texels: Vec<Texel>,
}

impl Probe {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            buffer: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("probe"),
                size: (MAX_TEXTURES * TEXEL_BYTES) as u64,
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }),
            reading: None,
            key: None,
            texels: Vec::new(),
        }
    }

    /// Result of the last reading.
    pub(super) fn texels(&self) -> &[Texel] {
        &self.texels
    }

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
                        buffer: &self.buffer,
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
        let (sender, receiver) = channel();
        self.buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
            // The receiver is gone with its device.
            let _ = sender.send(mapped.is_ok());
        });
        self.reading = Some((texels, receiver));
    }

    /// Takes a finished reading, after the device was polled. Returns true if it changes
    /// the result.
    pub(super) fn take(&mut self) -> bool {
        let is_mapped = match self.reading.as_ref().map(|(_, receiver)| receiver.try_recv()) {
            None | Some(Err(TryRecvError::Empty)) => return false,
            Some(Ok(is_mapped)) => is_mapped,
            Some(Err(TryRecvError::Disconnected)) => false,
        };
        let Some((texels, _)) = self.reading.take().filter(|_| is_mapped) else {
            return false;
        };
        if let Ok(bytes) = self.buffer.get_mapped_range(..) {
            let bytes = bytes.chunks_exact(TEXEL_BYTES);
            let texels = texels.into_iter().zip(bytes).map(|((texel, is_float), bytes)| {
                let value = match is_float {
                    true => bytemuck::pod_read_unaligned(bytes),
                    false => {
                        [0, 1, 2, 3].map(|component: usize| f32::from(bytes[component]) / 255.0)
                    }
                };
                Texel { value, ..texel }
            });
            self.texels = texels.collect();
        }
        self.buffer.unmap();
        true
    }
}
