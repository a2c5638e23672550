//! Upload of the uniforms of each draw.
//!
//! A buffer written before a submit has its last contents in every draw of that submit.
//! So each draw gets its own slot, selected by dynamic offsets. The slots of a buffer are
//! handed out in order and never reused; a full buffer is replaced, and stays alive as
//! long as commands use it.

use super::frame::Frame;
use super::inputs::{Inputs, KEYBOARD_COLUMNS, KEYBOARD_ROWS, KeyboardTexels};
use super::uniform_texels::{UniformTexels, are_read_by};
use tarsus_shader::{PassKind, Program};

/// Number of draws that share a buffer.
const SLOTS: u32 = 64;

/// Offsets and sizes within a slot, in bytes.
#[derive(Clone, Copy)]
struct SlotLayout {
    parameters: u32,
    parameters_size: u32,
    keyboard: u32,
    size: u32,
}

/// A buffer of slots.
struct Chunk {
    buffer: wgpu::Buffer,
    used: u32,
}

/// Location of one draw's uniforms.
#[derive(Clone, Copy)]
pub(super) struct DrawUniforms {
    /// Number of the buffer; a different one requires new bind groups.
    pub chunk: u64,
    /// Dynamic offset of all uniforms in the slot.
    pub offset: u32,
}

/// The uniforms of one program's passes.
pub(super) struct Uniforms {
    queue: wgpu::Queue,
    device: wgpu::Device,
    layout: SlotLayout,
    chunk: Chunk,
    /// Number of the current buffer.
    number: u64,
    keyboard: Option<wgpu::Texture>,
    /// Copy of the uniforms in a texture, on adapters that read textures faster.
    texels: Option<UniformTexels>,
}

impl Uniforms {
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue, program: &Program) -> Self {
        let alignment = device.limits().min_uniform_buffer_offset_alignment;
        let after = |bytes: u32| bytes.next_multiple_of(alignment);
        let parameters = after(size_of::<Frame>() as u32);
        let parameters_size = program.parameters.size().next_multiple_of(16) as u32;
        let keyboard = after(parameters + parameters_size);
        let reads_keyboard = program.reads_keyboard();
        let keyboard_size = if reads_keyboard {
            size_of::<KeyboardTexels>() as u32
        } else {
            0
        };
        let layout = SlotLayout {
            parameters,
            parameters_size,
            keyboard,
            size: after(keyboard + keyboard_size),
        };
        Self {
            layout,
            chunk: new_chunk(device, layout),
            number: 0,
            keyboard: reads_keyboard.then(|| keyboard_texture(device)),
            texels: UniformTexels::new(device, program, parameters, keyboard),
            device: device.clone(),
            queue: queue.clone(),
        }
    }

    /// Writes `inputs` to a new slot.
    pub(super) fn take(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: &Inputs,
    ) -> DrawUniforms {
        if self.chunk.used >= SLOTS {
            self.chunk = new_chunk(&self.device, self.layout);
            self.number += 1;
        }
        let offset = self.chunk.used * self.layout.size;
        self.chunk.used += 1;
        self.write(offset, inputs);
        if let Some(texture) = &self.keyboard {
            // Encoded rather than written by the queue, so that every draw sees its own
            // keys.
            encoder.copy_buffer_to_texture(
                wgpu::TexelCopyBufferInfo {
                    buffer: &self.chunk.buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: u64::from(offset + self.layout.keyboard),
                        bytes_per_row: Some(KEYBOARD_COLUMNS),
                        rows_per_image: None,
                    },
                },
                texture.as_image_copy(),
                texture.size(),
            );
        }
        if let Some(texels) = &self.texels {
            texels.copy_slot(encoder, &self.chunk.buffer, offset);
        }
        DrawUniforms {
            chunk: self.number,
            offset,
        }
    }

    /// Binding of `Frame` in the current buffer.
    pub(super) fn frame(&self) -> wgpu::BindingResource<'_> {
        self.part(0, size_of::<Frame>() as u32)
    }

    /// Binding of the parameters in the current buffer.
    pub(super) fn parameters(&self) -> wgpu::BindingResource<'_> {
        self.part(self.layout.parameters, self.layout.parameters_size)
    }

    /// View of the keyboard texture, if the program reads it.
    pub(super) fn keyboard(&self) -> Option<wgpu::TextureView> {
        let texture = self.keyboard.as_ref()?;
        Some(texture.create_view(&Default::default()))
    }

    /// The uniform texture that a pass reads instead of uniforms, if it does.
    pub(super) fn texels_for(&self, kind: PassKind) -> Option<&UniformTexels> {
        self.texels.as_ref().filter(|_| are_read_by(kind))
    }

    fn part(&self, offset: u32, size: u32) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.chunk.buffer,
            offset: u64::from(offset),
            size: std::num::NonZeroU64::new(u64::from(size)),
        })
    }

    fn write(&self, offset: u32, inputs: &Inputs) {
        let mut bytes = vec![0; self.layout.size as usize];
        let mut put = |at: u32, part: &[u8]| {
            bytes[at as usize..at as usize + part.len()].copy_from_slice(part);
        };
        put(0, bytemuck::bytes_of(&inputs.frame));
        let length = inputs
            .parameters
            .len()
            .min(self.layout.parameters_size as usize);
        put(self.layout.parameters, &inputs.parameters[..length]);
        if self.keyboard.is_some() {
            put(self.layout.keyboard, &inputs.keyboard);
        }
        let buffer = &self.chunk.buffer;
        self.queue.write_buffer(buffer, u64::from(offset), &bytes);
    }
}

fn new_chunk(device: &wgpu::Device, layout: SlotLayout) -> Chunk {
    Chunk {
        buffer: device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("uniforms"),
            size: u64::from(SLOTS * layout.size),
            usage: wgpu::BufferUsages::UNIFORM
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }),
        used: 0,
    }
}

fn keyboard_texture(device: &wgpu::Device) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("keyboard"),
        size: wgpu::Extent3d {
            width: KEYBOARD_COLUMNS,
            height: KEYBOARD_ROWS,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}
