//! State of the buffers and the cube, the only data that a scene keeps from frame to
//! frame.
//!
//! Row 0 of a buffer is its lowest. A pass that reads itself has two textures and draws
//! into the older one; other passes have one. Mipmaps, for channels that read them with the
//! filter `mipmap`, are regenerated whenever the contents change.

use super::fullscreen::{FullscreenPass, fullscreen_pipeline};
use super::gpu_objects::{bind_group, fragment_layout, unfiltered};
use tarsus_shader::{Pass, PassKind, Program};

/// Format of the buffers.
pub const BUFFER_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;
/// Format of the cube, which every adapter can filter.
pub const CUBE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Faces of the cube.
pub(super) const CUBE_FACES: u32 = 6;

/// A texture of a pass.
struct StateTexture {
    /// View of the whole texture.
    view: wgpu::TextureView,
    /// View of each layer to draw into: the six faces of a cube, or one.
    targets: Vec<wgpu::TextureView>,
    /// Its smaller levels, if it has any.
    mips: Vec<MipLevel>,
}

/// Textures of one buffer or cube pass.
struct PassState {
    kind: PassKind,
    /// Size in texels; `None` for that of the picture.
    size: Option<(u32, u32)>,
    /// One texture, or two if the pass reads itself.
    textures: Vec<StateTexture>,
    /// Index of the current texture.
    current_index: usize,
    /// Generates mipmaps, if a channel reads them.
    mips: Option<BufferMips>,
}

/// Textures of all buffer and cube passes.
pub(super) struct BufferState {
    device: wgpu::Device,
    /// Size of the picture in pixels.
    size: (u32, u32),
    passes: Vec<PassState>,
}

impl BufferState {
    /// Creates the textures, all 0, for pictures of `size`.
    pub(super) fn new(device: &wgpu::Device, program: &Program, size: (u32, u32)) -> Self {
        let passes = program.state_passes().map(|pass| {
            let has_mips = has_mips(program, pass.kind);
            let mips = has_mips.then(|| BufferMips::new(device, state_format(pass.kind)));
            let textures = 0..1 + usize::from(reads_itself(program, pass));
            let side = pass.size_for(size);
            let textures = textures.map(|_| StateTexture::new(device, pass.kind, side, &mips));
            let fixed = (pass.kind == PassKind::Cube).then_some(side).or(pass.size);
            PassState {
                kind: pass.kind,
                size: fixed,
                textures: textures.collect(),
                current_index: 0,
                mips,
            }
        });
        Self { passes: passes.collect(), size, device: device.clone() }
    }

    /// Size of the picture in pixels.
    pub(super) fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Which texture of each pass is the current one: bit `n` is its index for pass `n`.
    pub(super) fn parity(&self) -> usize {
        let passes = self.passes.iter().enumerate();
        passes.map(|(n, pass)| pass.current_index << n).sum()
    }

    /// Clears everything to 0, in new textures.
    pub(super) fn clear(&mut self) {
        for pass in &mut self.passes {
            pass.clear(&self.device, pass.size.unwrap_or(self.size));
        }
    }

    /// Resizes the buffers that have no size of their own, with new textures. Contents are
    /// aligned to the lower left corner; new area is 0.
    pub(super) fn resize(&mut self, encoder: &mut wgpu::CommandEncoder, size: (u32, u32)) {
        self.size = size;
        for pass in &mut self.passes {
            if pass.size.is_none() {
                let current = pass.current().texture().clone();
                pass.replace_with(&self.device, encoder, size, &current);
            }
        }
    }

    /// View of the current texture of a pass.
    pub(super) fn view(&self, kind: PassKind) -> Option<&wgpu::TextureView> {
        let pass = self.passes.iter().find(|pass| pass.kind == kind)?;
        Some(&pass.current().view)
    }

    /// The view that pass `index` draws layer `layer` into next.
    pub(super) fn target(&self, index: usize, layer: u32) -> &wgpu::TextureView {
        let pass = &self.passes[index];
        &pass.textures[pass.next()].targets[layer as usize]
    }

    /// Marks the target of pass `index` as drawn: it becomes the current texture and gets
    /// its mipmaps.
    pub(super) fn finish_pass(&mut self, encoder: &mut wgpu::CommandEncoder, index: usize) {
        let pass = &mut self.passes[index];
        pass.current_index = pass.next();
        pass.generate_mips(encoder);
    }

    /// All buffer and cube passes with their current textures.
    pub(super) fn contents(&self) -> impl Iterator<Item = (PassKind, &wgpu::Texture)> {
        let passes = self.passes.iter();
        passes.map(|pass| (pass.kind, pass.current().texture()))
    }

    /// Replaces the contents of passes that are also in `contents` with copies, and the
    /// size of the picture with `size`.
    pub(super) fn copy_from<'a>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        size: (u32, u32),
        contents: impl Iterator<Item = (PassKind, &'a wgpu::Texture)>,
    ) {
        if self.size != size {
            self.resize(encoder, size);
        }
        for (kind, from) in contents {
            let own = self.passes.iter_mut();
            for pass in own.filter(|pass| pass.kind == kind) {
                pass.replace_with(&self.device, encoder, pass.size.unwrap_or(size), from);
            }
        }
    }
}

impl StateTexture {
    fn new(
        device: &wgpu::Device,
        kind: PassKind,
        size: (u32, u32),
        mips: &Option<BufferMips>,
    ) -> Self {
        let texture = texture(device, kind, size, mips.is_some());
        let layers = 0..texture.depth_or_array_layers();
        Self {
            targets: layers.map(|layer| level_view(&texture, layer, 0)).collect(),
            mips: mips.iter().flat_map(|mips| mips.levels(&texture)).collect(),
            view: texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: (kind == PassKind::Cube).then_some(wgpu::TextureViewDimension::Cube),
                ..Default::default()
            }),
        }
    }

    fn texture(&self) -> &wgpu::Texture {
        self.view.texture()
    }
}

impl PassState {
    fn next(&self) -> usize {
        (self.current_index + 1) % self.textures.len()
    }

    /// The current texture.
    fn current(&self) -> &StateTexture {
        &self.textures[self.current_index]
    }

    /// Replaces the textures with new ones that are 0.
    fn clear(&mut self, device: &wgpu::Device, size: (u32, u32)) {
        for old in &mut self.textures {
            *old = StateTexture::new(device, self.kind, size, &self.mips);
        }
    }

    /// Generates the mipmaps of the current texture.
    fn generate_mips(&self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(mips) = &self.mips {
            mips.encode(encoder, &self.current().mips);
        }
    }

    /// Copies as much of `from` as fits into the current texture, of `size` texels. The
    /// textures are replaced unless `from` fills them.
    fn replace_with(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        size: (u32, u32),
        from: &wgpu::Texture,
    ) {
        let is_filled =
            from.size() == self.current().texture().size() && size == (from.width(), from.height());
        if !is_filled {
            self.clear(device, size);
        }
        let to = self.current().texture();
        encoder.copy_texture_to_texture(
            from.as_image_copy(),
            to.as_image_copy(),
            wgpu::Extent3d {
                width: from.width().min(to.width()),
                height: from.height().min(to.height()),
                depth_or_array_layers: from.depth_or_array_layers(),
            },
        );
        self.generate_mips(encoder);
    }
}

/// Bytes of texture memory for the buffers and the cube of a program with pictures of
/// `size`.
pub fn state_bytes(program: &Program, size: (u32, u32)) -> u64 {
    let bytes = program.state_passes().map(|pass| {
        let textures = 1 + u64::from(reads_itself(program, pass));
        let texture = content_bytes(pass.kind, pass.size_for(size));
        let mips = u64::from(has_mips(program, pass.kind)) * texture / 3;
        textures * (texture + mips)
    });
    bytes.sum()
}

/// Bytes of the contents of the buffers and the cube of a program with pictures of `size`:
/// of a checkpoint.
pub fn checkpoint_bytes(program: &Program, size: (u32, u32)) -> u64 {
    program.state_passes().map(|pass| content_bytes(pass.kind, pass.size_for(size))).sum()
}

/// Bytes of the contents of the pass `kind`, `size` texels large, without mip levels.
pub fn content_bytes(kind: PassKind, size: (u32, u32)) -> u64 {
    let extent = extent(kind, size);
    let rows = u64::from(extent.height) * u64::from(extent.depth_or_array_layers);
    rows * u64::from(row_bytes(kind, extent.width))
}

/// Bytes of a row of `width` texels of the pass `kind`.
pub(super) fn row_bytes(kind: PassKind, width: u32) -> u32 {
    width * state_format(kind).block_copy_size(None).unwrap_or(0)
}

/// Creates a texture of the pass `kind`, `size` texels large, all 0, with mip levels if it
/// `has_mips`.
pub(super) fn texture(
    device: &wgpu::Device,
    kind: PassKind,
    size: (u32, u32),
    has_mips: bool,
) -> wgpu::Texture {
    let size = extent(kind, size);
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(kind.label()),
        size,
        mip_level_count: if has_mips { size.max_mips(wgpu::TextureDimension::D2) } else { 1 },
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: state_format(kind),
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC
            | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// Extent of a texture of the pass `kind`, `size` texels large.
fn extent(kind: PassKind, (width, height): (u32, u32)) -> wgpu::Extent3d {
    let depth_or_array_layers = if kind == PassKind::Cube { CUBE_FACES } else { 1 };
    wgpu::Extent3d { width, height, depth_or_array_layers }
}

/// Format of the textures of a pass.
pub(super) fn state_format(kind: PassKind) -> wgpu::TextureFormat {
    match kind {
        PassKind::Cube => CUBE_FORMAT,
        _ => BUFFER_FORMAT,
    }
}

/// True if a channel reads mipmaps of the pass `kind`.
fn has_mips(program: &Program, kind: PassKind) -> bool {
    let mut channels = program.channels.iter();
    channels.any(|channel| channel.has_mipmaps && channel.shown_pass() == Some(kind))
}

fn reads_itself(program: &Program, pass: &Pass) -> bool {
    program.inputs(pass).any(|input| input == pass.kind)
}

/// One level of a layer of a texture.
pub(super) struct MipLevel {
    /// Binds the next larger level.
    larger: wgpu::BindGroup,
    view: wgpu::TextureView,
}

/// Generates mipmaps for textures of one format.
pub(super) struct BufferMips {
    device: wgpu::Device,
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

impl BufferMips {
    /// Creates the pipeline for textures of `format`, which may be a float format that
    /// the device cannot filter.
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let layout = fragment_layout(device, "mips", &[(0, unfiltered())]);
        let module = device.create_shader_module(wgpu::include_wgsl!("buffer_mips.wgsl"));
        let pipeline = fullscreen_pipeline(device, (&module, "halve"), &layout, format);
        Self { pipeline, layout, device: device.clone() }
    }

    /// The levels of `texture` below the largest, layer by layer.
    pub(super) fn levels(&self, texture: &wgpu::Texture) -> Vec<MipLevel> {
        let layers = 0..texture.depth_or_array_layers();
        let levels = layers.flat_map(|layer| {
            (1..texture.mip_level_count()).map(move |level| {
                let larger = level_view(texture, layer, level - 1);
                MipLevel { larger: self.bind(&larger), view: level_view(texture, layer, level) }
            })
        });
        levels.collect()
    }

    fn bind(&self, larger: &wgpu::TextureView) -> wgpu::BindGroup {
        let larger = wgpu::BindingResource::TextureView(larger);
        bind_group(&self.device, "mips", &self.layout, [(0, larger)])
    }

    /// Encodes `levels`, which belong to one texture.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, levels: &[MipLevel]) {
        for level in levels {
            let pass = FullscreenPass::from(&level.view);
            pass.draw(encoder, "mips", &self.pipeline, &level.larger);
        }
    }
}

/// View of one mip level of one layer.
pub(super) fn level_view(texture: &wgpu::Texture, layer: u32, level: u32) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2),
        base_array_layer: layer,
        array_layer_count: Some(1),
        base_mip_level: level,
        mip_level_count: Some(1),
        ..Default::default()
    })
}
