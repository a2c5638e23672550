//! The uniforms of each draw, on their way to the adapter.
//!
//! A buffer that is written before a submit shows its last content to every draw
//! of that submit. So each draw gets a slot of its own, chosen by dynamic offsets:
//! slots of one buffer are handed out in order and never again; a full buffer is
//! replaced, and lives on as long as commands use it.

use super::frame::Frame;
use super::inputs::{Inputs, KEYBOARD_COLUMNS, KEYBOARD_ROWS, KeyboardTexels};
use super::uniform_texels::{UniformTexels, are_read_by};
use tarsus_shader::{PassKind, Program};

/// Draws that share a buffer.
const SLOTS: u32 = 64;

/// Places within a slot, in bytes.
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

/// Where the uniforms of one draw are.
#[derive(Clone, Copy)]
pub(super) struct DrawUniforms {
    /// Number of its buffer: another one asks for other bind groups.
    pub chunk: u64,
    /// The dynamic offset of every uniform in it.
    pub offset: u32,
}

/// The uniforms of one program's passes.
pub(super) struct Uniforms {
    queue: wgpu::Queue,
    device: wgpu::Device,
    layout: SlotLayout,
    chunk: Chunk,
    /// Number of the newest buffer.
    number: u64,
    keyboard: Option<wgpu::Texture>,
    /// The same as texels, on an adapter that reads these faster.
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

    /// Takes a slot for `inputs`.
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
            // In the encoder and not by the queue, so that every draw sees its own.
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

    /// The `Frame` of the newest buffer's slots.
    pub(super) fn frame(&self) -> wgpu::BindingResource<'_> {
        self.part(0, size_of::<Frame>() as u32)
    }

    /// The parameters of the newest buffer's slots.
    pub(super) fn parameters(&self) -> wgpu::BindingResource<'_> {
        self.part(self.layout.parameters, self.layout.parameters_size)
    }

    /// The texture of keys, where the program reads them.
    pub(super) fn keyboard(&self) -> Option<wgpu::TextureView> {
        let texture = self.keyboard.as_ref()?;
        Some(texture.create_view(&Default::default()))
    }

    /// The texels that a pass reads in place of uniforms, if it does.
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
