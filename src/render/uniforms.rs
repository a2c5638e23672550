//! What each draw is told, on its way to the adapter.
//!
//! A buffer that is written before a submit shows its last content to every draw
//! of that submit. So each draw gets a slot of its own, chosen by dynamic offsets:
//! slots of one buffer are handed out in order and never again; a full buffer is
//! replaced, and lives on as long as commands use it.

use super::frame::Frame;
use super::inputs::{Inputs, KEYBOARD_COLUMNS, KEYBOARD_ROWS, KeyboardTexels};
use crate::shader::{Binding, Program, Resource};

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

/// One bind group: its layout, and what is bound in it.
struct Group {
    layout: wgpu::BindGroupLayout,
    bindings: Vec<Binding>,
}

/// A buffer of slots with the bind groups that see it.
struct Chunk {
    buffer: wgpu::Buffer,
    groups: Vec<wgpu::BindGroup>,
    used: u32,
}

/// Bind groups and dynamic offsets for one draw.
pub(super) struct DrawBindings<'a> {
    /// In the order of the groups.
    pub groups: &'a [wgpu::BindGroup],
    /// Dynamic offsets of each group.
    pub offsets: Vec<Vec<u32>>,
}

/// The uniforms of one program's passes.
pub(super) struct Uniforms {
    queue: wgpu::Queue,
    device: wgpu::Device,
    groups: Vec<Group>,
    slot: SlotLayout,
    chunk: Option<Chunk>,
    keyboard: Option<wgpu::Texture>,
}

impl Uniforms {
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
        bindings: &[Binding],
    ) -> Self {
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
        let count = bindings.iter().map(|binding| binding.group + 1).max();
        let of_group = |group| {
            bindings
                .iter()
                .filter(move |binding| binding.group == group)
        };
        let groups = (0..count.unwrap_or(0)).map(|group| Group {
            layout: layout(device, of_group(group)),
            bindings: of_group(group).copied().collect(),
        });
        Self {
            groups: groups.collect(),
            slot: SlotLayout {
                parameters,
                parameters_size,
                keyboard,
                size: after(keyboard + keyboard_size),
            },
            chunk: None,
            keyboard: reads_keyboard.then(|| keyboard_texture(device)),
            device: device.clone(),
            queue: queue.clone(),
        }
    }

    /// Layouts of the bind groups, in their order.
    pub(super) fn layouts(&self) -> Vec<Option<&wgpu::BindGroupLayout>> {
        self.groups
            .iter()
            .map(|group| Some(&group.layout))
            .collect()
    }

    /// Takes a slot for `inputs` and gives what to bind for the draw.
    pub(super) fn prepare(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: &Inputs,
    ) -> DrawBindings<'_> {
        let mut chunk = self
            .chunk
            .take()
            .filter(|chunk| chunk.used < SLOTS)
            .unwrap_or_else(|| self.new_chunk());
        let start = chunk.used * self.slot.size;
        chunk.used += 1;
        self.write(&chunk.buffer, start, inputs);
        if let Some(texture) = &self.keyboard {
            // In the encoder and not by the queue, so that every draw sees its own.
            encoder.copy_buffer_to_texture(
                wgpu::TexelCopyBufferInfo {
                    buffer: &chunk.buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: u64::from(start + self.slot.keyboard),
                        bytes_per_row: Some(KEYBOARD_COLUMNS),
                        rows_per_image: None,
                    },
                },
                texture.as_image_copy(),
                texture.size(),
            );
        }
        let offsets = self
            .groups
            .iter()
            .map(|group| dynamic_offsets(&group.bindings, start))
            .collect();
        DrawBindings {
            groups: &self.chunk.insert(chunk).groups,
            offsets,
        }
    }

    fn write(&self, buffer: &wgpu::Buffer, start: u32, inputs: &Inputs) {
        let mut bytes = vec![0; self.slot.size as usize];
        let mut put = |at: u32, part: &[u8]| {
            bytes[at as usize..at as usize + part.len()].copy_from_slice(part);
        };
        put(0, bytemuck::bytes_of(&inputs.frame));
        let length = inputs
            .parameters
            .len()
            .min(self.slot.parameters_size as usize);
        put(self.slot.parameters, &inputs.parameters[..length]);
        if self.keyboard.is_some() {
            put(self.slot.keyboard, &inputs.keyboard);
        }
        self.queue.write_buffer(buffer, u64::from(start), &bytes);
    }

    fn new_chunk(&self) -> Chunk {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("uniforms"),
            size: u64::from(SLOTS * self.slot.size),
            usage: wgpu::BufferUsages::UNIFORM
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let groups = self.groups.iter().map(|group| self.bind(group, &buffer));
        Chunk {
            groups: groups.collect(),
            used: 0,
            buffer,
        }
    }

    fn bind(&self, group: &Group, buffer: &wgpu::Buffer) -> wgpu::BindGroup {
        let keys = self
            .keyboard
            .as_ref()
            .map(|texture| texture.create_view(&Default::default()));
        let part = |offset: u32, size: u32| {
            wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer,
                offset: u64::from(offset),
                size: std::num::NonZeroU64::new(u64::from(size)),
            })
        };
        let entries: Vec<_> = group
            .bindings
            .iter()
            .filter_map(|binding| {
                let resource = match binding.resource {
                    Resource::Frame => part(0, size_of::<Frame>() as u32),
                    Resource::Parameters => part(self.slot.parameters, self.slot.parameters_size),
                    Resource::Keyboard => wgpu::BindingResource::TextureView(keys.as_ref()?),
                };
                Some(wgpu::BindGroupEntry {
                    binding: binding.binding,
                    resource,
                })
            })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("scene"),
            layout: &group.layout,
            entries: &entries,
        })
    }
}

/// One offset for every uniform of a group, in the order of the bindings.
fn dynamic_offsets(bindings: &[Binding], start: u32) -> Vec<u32> {
    let uniforms = bindings.iter().filter(|binding| is_uniform(binding));
    uniforms.map(|_| start).collect()
}

fn is_uniform(binding: &Binding) -> bool {
    matches!(binding.resource, Resource::Frame | Resource::Parameters)
}

fn layout<'a>(
    device: &wgpu::Device,
    bindings: impl Iterator<Item = &'a Binding>,
) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = bindings
        .map(|binding| wgpu::BindGroupLayoutEntry {
            binding: binding.binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: if is_uniform(binding) {
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: true,
                    min_binding_size: None,
                }
            } else {
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: true },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                }
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("scene"),
        entries: &entries,
    })
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
