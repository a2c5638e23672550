//! One pass of a scene: its pipeline and bind groups.

use std::ops::Range;

use super::fullscreen::{Cover, Fullscreen};
use super::resources::Resources;
use super::uniform_texels;
use super::uniforms::DrawUniforms;
use tarsus_shader::{Binding, Pass, PassKind, Resource};

/// A bind group layout and its bindings.
struct Group {
    layout: wgpu::BindGroupLayout,
    bindings: Vec<Binding>,
}

/// Cached bind groups, with the uniform chunk and the resource generation they were
/// created for.
struct Bound {
    chunk: u64,
    generation: u64,
    groups: Vec<wgpu::BindGroup>,
}

/// A pass with its pipeline and bind groups, ready to be drawn.
pub(super) struct ScenePass {
    /// The kind of pass.
    pub kind: PassKind,
    device: wgpu::Device,
    pipeline: wgpu::RenderPipeline,
    groups: Vec<Group>,
    bound: Option<Bound>,
}

/// Target of one draw of a pass.
pub(super) struct Target<'a> {
    pub view: &'a wgpu::TextureView,
    /// Rows to draw, counted from the top; `0..u32::MAX` means all.
    pub rows: Range<u32>,
    pub timestamps: Option<wgpu::RenderPassTimestampWrites<'a>>,
}

impl ScenePass {
    /// Creates the pipeline of `pass`, whose shader module is `module`.
    pub(super) fn new(
        device: &wgpu::Device,
        pass: &Pass,
        module: &wgpu::ShaderModule,
        format: wgpu::TextureFormat,
        resources: &Resources,
    ) -> Self {
        let count = pass.bindings.iter().map(|binding| binding.group + 1).max();
        let count = match resources.uniforms.texels_for(pass.kind) {
            Some(_) => uniform_texels::GROUP,
            None => count.unwrap_or(0),
        };
        let groups = (0..count).map(|group| {
            let of_group = pass
                .bindings
                .iter()
                .filter(|binding| binding.group == group);
            let bindings: Vec<Binding> = of_group.copied().collect();
            Group {
                layout: layout(device, &bindings, resources),
                bindings,
            }
        });
        let groups: Vec<Group> = groups.collect();
        let layouts = groups.iter().map(|group| &group.layout);
        let texels = resources.uniforms.texels_for(pass.kind);
        let texels = texels.map(|texels| &texels.layout);
        let layouts: Vec<_> = layouts.chain(texels).map(Some).collect();
        let fullscreen = Fullscreen {
            label: pass.kind.label(),
            vertex: pass.vertex_entry.map(|entry| (module, entry)),
            fragment: (module, pass.fragment_entry),
            layouts: &layouts,
            format,
        };
        Self {
            kind: pass.kind,
            pipeline: fullscreen.pipeline(device),
            groups,
            bound: None,
            device: device.clone(),
        }
    }

    /// True if the pass reads per-frame values.
    pub(super) fn reads_per_frame(&self) -> bool {
        let mut bindings = self.groups.iter().flat_map(|group| &group.bindings);
        bindings.any(|binding| binding.resource == Resource::PerFrame)
    }

    /// Encodes the pass with the uniforms of `slot`.
    pub(super) fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: Target<'_>,
        slot: DrawUniforms,
        resources: &Resources,
    ) {
        let is_bound =
            |bound: &Bound| bound.chunk == slot.chunk && bound.generation == resources.generation;
        let bound = match self.bound.take().filter(is_bound) {
            Some(bound) => bound,
            None => Bound {
                chunk: slot.chunk,
                generation: resources.generation,
                groups: self.bind(resources),
            },
        };
        let groups = self.groups.iter();
        let mut offsets: Vec<Vec<u32>> = groups
            .map(|group| dynamic_offsets(&group.bindings, slot.offset))
            .collect();
        offsets.resize(bound.groups.len(), Vec::new());
        let groups = bound.groups.iter().zip(offsets.iter().map(Vec::as_slice));
        let groups: Vec<_> = groups.collect();
        let cover = Cover {
            label: self.kind.label(),
            target: target.view,
            rows: target.rows,
            timestamps: target.timestamps,
        };
        cover.encode(encoder, &self.pipeline, &groups, 0);
        self.bound = Some(bound);
    }

    fn bind(&self, resources: &Resources) -> Vec<wgpu::BindGroup> {
        let groups = self.groups.iter();
        let texels = resources.uniforms.texels_for(self.kind);
        groups
            .map(|group| self.bind_group(group, resources))
            .chain(texels.map(|texels| texels.group.clone()))
            .collect()
    }

    fn bind_group(&self, group: &Group, resources: &Resources) -> wgpu::BindGroup {
        let keys = resources.uniforms.keyboard();
        let views: Vec<Option<wgpu::TextureView>> = group
            .bindings
            .iter()
            .map(|binding| content_view(binding.resource, resources))
            .collect();
        let bindings = group.bindings.iter().zip(&views);
        let entries = bindings.filter_map(|(binding, content)| {
            let keys = || Some(wgpu::BindingResource::TextureView(keys.as_ref()?));
            let resource = match binding.resource {
                _ if let Some(content) = content => wgpu::BindingResource::TextureView(content),
                Resource::Frame => resources.uniforms.frame(),
                Resource::Parameters => resources.uniforms.parameters(),
                Resource::PerFrame => resources.per_frame.as_entire_binding(),
                Resource::Keyboard => keys()?,
                Resource::Buffer(_) | Resource::Cube => return None,
                Resource::CubeSampler => wgpu::BindingResource::Sampler(&resources.cube_sampler),
                Resource::Channel(index) => resources.channels.channel(index).or_else(keys)?,
                Resource::Sampler(index) => resources.channels.sampler(index)?,
            };
            Some(wgpu::BindGroupEntry {
                binding: binding.binding,
                resource,
            })
        });
        let entries: Vec<_> = entries.collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.kind.label()),
            layout: &group.layout,
            entries: &entries,
        })
    }
}

/// View of the current texture of a buffer or cube resource. A buffer that no pass draws
/// also has a texture, which is 0.
fn content_view(resource: Resource, resources: &Resources) -> Option<wgpu::TextureView> {
    let simulation = &resources.simulation;
    let resource = match resource {
        Resource::Channel(index) => match resources.channels.content(index)? {
            PassKind::Buffer(buffer) => Resource::Buffer(buffer),
            _ => Resource::Cube,
        },
        resource => resource,
    };
    match resource {
        Resource::Buffer(buffer) => {
            let texture = simulation.newest(PassKind::Buffer(buffer))?;
            Some(texture.create_view(&Default::default()))
        }
        Resource::Cube => {
            let texture = simulation.newest(PassKind::Cube)?;
            Some(texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::Cube),
                ..Default::default()
            }))
        }
        _ => None,
    }
}

/// Dynamic offsets of a group: one for each uniform in a slot, in binding order.
fn dynamic_offsets(bindings: &[Binding], offset: u32) -> Vec<u32> {
    let uniforms = bindings.iter().filter(|binding| has_slot(binding.resource));
    uniforms.map(|_| offset).collect()
}

/// True for uniforms that have a slot per draw.
fn has_slot(resource: Resource) -> bool {
    matches!(resource, Resource::Frame | Resource::Parameters)
}

fn layout(
    device: &wgpu::Device,
    bindings: &[Binding],
    resources: &Resources,
) -> wgpu::BindGroupLayout {
    let texture = |filterable, view_dimension| wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension,
        multisampled: false,
    };
    let entries = bindings.iter().map(|binding| wgpu::BindGroupLayoutEntry {
        binding: binding.binding,
        visibility: match binding.resource {
            Resource::Frame => wgpu::ShaderStages::VERTEX_FRAGMENT,
            _ => wgpu::ShaderStages::FRAGMENT,
        },
        ty: match binding.resource {
            Resource::Frame | Resource::Parameters | Resource::PerFrame => {
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: has_slot(binding.resource),
                    min_binding_size: None,
                }
            }
            Resource::Keyboard => texture(true, wgpu::TextureViewDimension::D2),
            // Not every adapter can filter 32-bit floats.
            Resource::Buffer(_) => texture(false, wgpu::TextureViewDimension::D2),
            Resource::Cube => texture(true, wgpu::TextureViewDimension::Cube),
            Resource::Channel(index) => texture(
                resources.channels.is_filterable(index),
                resources.channels.dimension(index),
            ),
            Resource::CubeSampler => {
                wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)
            }
            Resource::Sampler(index) => {
                wgpu::BindingType::Sampler(resources.channels.sampler_type(index))
            }
        },
        count: None,
    });
    let entries: Vec<_> = entries.collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("scene"),
        entries: &entries,
    })
}
