//! Copies of the buffer state: textures on the GPU, for rewinding, and bytes, for
//! storing.

use super::buffer_state::{BufferState, content_bytes, row_bytes, texture};
use super::device::Gpu;
use super::error::RenderError;
use super::readback::Readback;
use tarsus_shader::PassKind;

/// Contents of the buffers and the cube after one frame, on the GPU.
#[derive(Clone, Debug, Default)]
pub struct Checkpoint {
    size: (u32, u32),
    contents: Vec<(PassKind, wgpu::Texture)>,
}

/// A [`Checkpoint`] as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedState {
    /// Size of the picture in pixels.
    pub size: (u32, u32),
    /// Contents of each pass, in drawing order.
    pub contents: Vec<SavedContent>,
}

/// Contents of one buffer or cube pass, as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedContent {
    /// The pass.
    pub kind: PassKind,
    /// Size in texels; of a face, for the cube.
    pub size: (u32, u32),
    /// Rows from the lowest up, with four little-endian floats per texel: 32-bit for a
    /// buffer, 16-bit for the cube, whose faces follow one another.
    pub bytes: Vec<u8>,
}

impl Checkpoint {
    /// Encodes a copy of the current contents.
    pub(super) fn take(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        state: &BufferState,
    ) -> Self {
        let contents = state.contents().map(|(kind, newest)| {
            let copy = texture(device, kind, size_of(newest), false);
            encoder.copy_texture_to_texture(
                newest.as_image_copy(),
                copy.as_image_copy(),
                newest.size(),
            );
            (kind, copy)
        });
        Self { contents: contents.collect(), size: state.size() }
    }

    /// Size of the picture in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// GPU memory used, in bytes.
    pub fn bytes(&self) -> u64 {
        let contents = self.contents.iter();
        contents.map(|(kind, texture)| content_bytes(*kind, size_of(texture))).sum()
    }

    pub(super) fn contents(&self) -> impl Iterator<Item = (PassKind, &wgpu::Texture)> {
        self.contents.iter().map(|(kind, texture)| (*kind, texture))
    }

    /// Reads the contents back and blocks until the GPU has finished.
    ///
    /// # Errors
    /// [`RenderError::Device`] if the device fails.
    pub fn read(&self, gpu: &Gpu) -> Result<SavedState, RenderError> {
        let contents = self.contents.iter().map(|(kind, texture)| {
            let readback =
                gpu.submit(|encoder| Readback::encode(&gpu.device, encoder, texture, None));
            let bytes = readback.finish()?;
            Ok(SavedContent { kind: *kind, size: size_of(texture), bytes })
        });
        Ok(SavedState { size: self.size, contents: contents.collect::<Result<_, RenderError>>()? })
    }

    /// Uploads stored contents to the GPU. Returns `None` if the length of any content
    /// does not match its size.
    pub fn from_saved(gpu: &Gpu, state: &SavedState) -> Option<Self> {
        let contents = state.contents.iter().map(|content| {
            let expected = content_bytes(content.kind, content.size);
            (content.bytes.len() as u64 == expected).then(|| {
                let texture = texture(&gpu.device, content.kind, content.size, false);
                gpu.queue.write_texture(
                    texture.as_image_copy(),
                    &content.bytes,
                    wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(row_bytes(content.kind, texture.width())),
                        rows_per_image: Some(texture.height()),
                    },
                    texture.size(),
                );
                (content.kind, texture)
            })
        });
        Some(Self { contents: contents.collect::<Option<_>>()?, size: state.size })
    }
}

/// Width and height of a texture in texels.
fn size_of(texture: &wgpu::Texture) -> (u32, u32) {
    (texture.width(), texture.height())
}
