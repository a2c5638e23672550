//! Advancing, drawing and reading back with the shared device.

use tarsus_render::{Depth, Inputs, Picture, Readback, Renderer, SavedState, target_texture};
use tarsus_shader::{Buffer, PassKind};

use super::gpu;

/// Submits what `encode` encodes.
pub(crate) fn submit<T>(encode: impl FnOnce(&mut wgpu::CommandEncoder) -> T) -> T {
    let gpu = gpu();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let result = encode(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
    result
}

/// Advances the buffers by one frame.
pub(crate) fn advance(renderer: &mut Renderer, inputs: &Inputs) {
    submit(|encoder| renderer.advance(encoder, inputs));
}

/// Encodes a picture of `size` with `encode` and reads it back.
pub(crate) fn read_back(
    size: (u32, u32),
    depth: Depth,
    encode: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::TextureView),
) -> Picture {
    let gpu = gpu();
    let target = target_texture(&gpu.device, size, depth).expect("a target");
    let readback = submit(|encoder| {
        encode(encoder, &target.create_view(&Default::default()));
        Readback::encode(&gpu.device, encoder, &target, None)
    });
    let rgba = readback.finish().expect("a device");
    assert_eq!(gpu.take_error(), None);
    Picture { width: size.0, height: size.1, rgba }
}

/// Draws the picture of `inputs`.
pub(crate) fn draw(renderer: &mut Renderer, inputs: &Inputs, depth: Depth) -> Picture {
    read_back(inputs.size(), depth, |encoder, view| {
        let drawn = renderer.draw(encoder, inputs, view);
        drawn.expect("a format");
    })
}

/// Draws the picture of `inputs` in floats, with rows from the lowest up.
pub(crate) fn draw_upwards(renderer: &mut Renderer, inputs: &Inputs) -> Vec<[f32; 4]> {
    let picture = draw(renderer, inputs, Depth::Float);
    let rows = picture.rgba.chunks_exact(16 * picture.width as usize);
    rows.rev().flat_map(texels).collect()
}

/// Pixels in 32-bit floats.
pub(crate) fn texels(bytes: &[u8]) -> impl Iterator<Item = [f32; 4]> {
    bytes.chunks_exact(16).map(bytemuck::pod_read_unaligned)
}

/// The buffer state.
pub(crate) fn saved_state(renderer: &Renderer) -> SavedState {
    let gpu = gpu();
    let checkpoint = submit(|encoder| renderer.checkpoint(encoder)).expect("buffers");
    checkpoint.read(gpu).expect("a device")
}

/// Contents of a buffer, with rows from the lowest up.
pub(crate) fn buffer(renderer: &Renderer, buffer: Buffer) -> Vec<[f32; 4]> {
    let contents = saved_state(renderer).contents.into_iter();
    let mut found = contents.filter(|content| content.kind == PassKind::Buffer(buffer));
    texels(&found.next().expect("the buffer").bytes).collect()
}
