//! Upload of the uniforms of each draw.
//!
//! A buffer written by the queue has its last contents in every draw of a submission. So
//! each upload gets its own slot of a staging buffer, and the encoder copies it to where
//! the passes read it. Slots are handed out in order and never reused; a full staging
//! buffer is replaced, and stays alive as long as commands use it.

use super::frame::{FRAME_BYTES, Frame, Inputs, KEYBOARD_COLUMNS, KEYBOARD_ROWS, KeyboardTexels};
use super::gpu_objects::{create_buffer, flat_texture};
use tarsus_shader::{Parameters, Program};

/// Number of uploads that share a staging buffer.
const SLOTS: u32 = 64;

/// Offsets and sizes within a slot, in bytes. The frame is at 0.
#[derive(Clone, Copy)]
struct SlotLayout {
    parameters: u32,
    parameters_size: u32,
    keyboard: u32,
    size: u32,
}

/// The uniforms of one program's passes.
pub(super) struct Uniforms {
    device: wgpu::Device,
    queue: wgpu::Queue,
    parameters: Parameters,
    /// Time in seconds after which the scene repeats, if it does.
    period: Option<f64>,
    layout: SlotLayout,
    staging: wgpu::Buffer,
    /// Number of slots in use.
    used: u32,
    /// The frame and the parameters, as the passes bind them.
    buffer: wgpu::Buffer,
    keyboard: Option<wgpu::TextureView>,
    /// Contents of the slot uploaded last; empty at first.
    current: Vec<u8>,
    /// Contents of the slot to upload next.
    next: Vec<u8>,
}

impl Uniforms {
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue, program: &Program) -> Self {
        let alignment = device.limits().min_uniform_buffer_offset_alignment;
        let align = |bytes: u32| bytes.next_multiple_of(alignment);
        let parameters = align(FRAME_BYTES as u32);
        let parameters_size = program.parameters.size().next_multiple_of(16) as u32;
        let keyboard = align(parameters + parameters_size);
        let reads_keyboard = program.reads_keyboard();
        let keyboard_size = if reads_keyboard { size_of::<KeyboardTexels>() as u32 } else { 0 };
        let layout = SlotLayout {
            parameters,
            parameters_size,
            keyboard,
            size: align(keyboard + keyboard_size),
        };
        Self {
            parameters: program.parameters.clone(),
            period: program.period,
            layout,
            staging: staging_buffer(device, layout),
            used: 0,
            buffer: create_buffer(
                device,
                "uniforms",
                u64::from(keyboard),
                wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            ),
            keyboard: reads_keyboard.then(|| keyboard_texture(device)),
            current: Vec::new(),
            next: vec![0; layout.size as usize],
            device: device.clone(),
            queue: queue.clone(),
        }
    }

    /// The uniforms as bytes, for `frame` instead of the frame of `inputs`.
    pub(super) fn pack(&mut self, frame: &Frame, inputs: &Inputs) -> &[u8] {
        let SlotLayout { parameters, keyboard, .. } = self.layout;
        let mut write = |at: u32, part: &[u8]| {
            self.next[at as usize..at as usize + part.len()].copy_from_slice(part);
        };
        write(0, &frame.uniform(self.period));
        write(parameters, &self.parameters.bytes(&inputs.values));
        if self.keyboard.is_some() {
            write(keyboard, &inputs.keyboard);
        }
        &self.next
    }

    /// Encodes the upload of `inputs`, whose frame is replaced by `frame`, unless they are
    /// uploaded already.
    pub(super) fn upload(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame,
        inputs: &Inputs,
    ) {
        self.pack(frame, inputs);
        if self.next == self.current {
            return;
        }
        if self.used >= SLOTS {
            self.staging = staging_buffer(&self.device, self.layout);
            self.used = 0;
        }
        let offset = self.used * self.layout.size;
        self.used += 1;
        self.queue.write_buffer(&self.staging, u64::from(offset), &self.next);
        let size = u64::from(self.layout.keyboard);
        encoder.copy_buffer_to_buffer(&self.staging, offset.into(), &self.buffer, 0, size);
        let keys = self.layout.keyboard as usize..;
        if let Some(keyboard) = &self.keyboard
            && self.current.get(keys.clone()) != self.next.get(keys)
        {
            encoder.copy_buffer_to_texture(
                wgpu::TexelCopyBufferInfo {
                    buffer: &self.staging,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: u64::from(offset + self.layout.keyboard),
                        bytes_per_row: Some(KEYBOARD_COLUMNS),
                        rows_per_image: None,
                    },
                },
                keyboard.texture().as_image_copy(),
                keyboard.texture().size(),
            );
        }
        self.current.clone_from(&self.next);
    }

    /// Binding of the frame.
    pub(super) fn frame(&self) -> wgpu::BindingResource<'_> {
        self.binding(0, FRAME_BYTES as u32)
    }

    /// Binding of the parameters.
    pub(super) fn parameters(&self) -> wgpu::BindingResource<'_> {
        self.binding(self.layout.parameters, self.layout.parameters_size)
    }

    /// View of the keyboard texture, if the program reads it.
    pub(super) fn keyboard(&self) -> Option<&wgpu::TextureView> {
        self.keyboard.as_ref()
    }

    fn binding(&self, offset: u32, size: u32) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.buffer,
            offset: u64::from(offset),
            size: std::num::NonZeroU64::new(u64::from(size)),
        })
    }
}

fn staging_buffer(device: &wgpu::Device, layout: SlotLayout) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    create_buffer(device, "uniform staging", u64::from(SLOTS * layout.size), usage)
}

fn keyboard_texture(device: &wgpu::Device) -> wgpu::TextureView {
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
    let size = (KEYBOARD_COLUMNS, KEYBOARD_ROWS);
    let texture = flat_texture(device, "keyboard", size, wgpu::TextureFormat::R8Unorm, usage);
    texture.create_view(&Default::default())
}
