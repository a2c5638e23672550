//! One pass of a scene: its pipelines and bind groups.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use parking_lot::Mutex;

use super::compiled::{self, Compiled};
use super::edited_constants;
use super::error::ErrorScopes;
use super::fullscreen::create_pipeline;
use super::gpu_objects::{UNIFORM, bind_group, float_texture, layout_entry, unfiltered};
use super::llvmpipe::PerFrameTexels;
use super::modules::CompiledModule;
use super::resources::Resources;
use tarsus_shader::{Binding, Pass, PassKind, Resource};

/// Sets of bind groups that a pass keeps: one per parity of the buffers it reads.
const CACHED_SETS: usize = 2;

/// A bind group layout, its entries and the bindings.
struct BindGroupTemplate {
    layout: wgpu::BindGroupLayout,
    entries: Vec<wgpu::BindGroupLayoutEntry>,
    bindings: Vec<Binding>,
}

/// The bind groups of a pass for one generation of the resources and one parity of the
/// buffers.
struct BindGroupSet {
    generation: u64,
    parity: usize,
    groups: Vec<wgpu::BindGroup>,
}

/// Stack of a thread that compiles, as large as that of a main thread: naga and drivers recurse.
const STACK_BYTES: usize = 8 << 20;

/// Creates pipelines for passes and formats, unless they exist. If `is_ahead`, all but the last
/// are created on threads of their own, because the driver of a GPU compiles one for up
/// to a second; returns the first error there. The caller's scopes catch the others. Browsers
/// compile in other processes.
pub(super) fn create_pipelines(
    device: &wgpu::Device,
    pipelines: &[(&ScenePass, wgpu::TextureFormat)],
    is_ahead: bool,
) -> Option<wgpu::Error> {
    let create = |&(pass, format): &(&ScenePass, wgpu::TextureFormat)| {
        pass.pipeline(format);
    };
    let in_threads = is_ahead && cfg!(not(target_arch = "wasm32"));
    let Some((last, others)) = pipelines.split_last().filter(|_| in_threads) else {
        pipelines.iter().for_each(create);
        return None;
    };
    thread::scope(|scope| {
        let start = |one| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let run = move || {
                let scopes = ErrorScopes::new(device);
                create(one);
                // Native devices know their errors at once.
                pollster::block_on(scopes.end())
            };
            // The system may have no thread left.
            thread.spawn_scoped(scope, run).map_err(|_| create(one)).ok()
        };
        let threads: Vec<_> = others.iter().filter_map(start).collect();
        create(last);
        let join = |thread: ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        let errors: Vec<Option<wgpu::Error>> = threads.into_iter().map(join).collect();
        errors.into_iter().flatten().next()
    })
}

/// A pass with its pipelines and bind groups.
pub(super) struct ScenePass {
    /// The kind of pass.
    pub kind: PassKind,
    /// Size in texels, if it differs from that of the picture.
    pub size: Option<(u32, u32)>,
    device: wgpu::Device,
    module: CompiledModule,
    vertex_entry: Option<&'static str>,
    templates: Vec<BindGroupTemplate>,
    /// Texels that the pass samples instead of per-frame values in a uniform.
    texels: Option<PerFrameTexels>,
    compiled: Compiled,
    pipelines: Mutex<Vec<(wgpu::TextureFormat, wgpu::RenderPipeline)>>,
    /// The current set of bind groups, then older ones.
    cached: Vec<BindGroupSet>,
    /// Number of sets created so far.
    #[cfg(test)]
    pub created_sets: usize,
}

impl ScenePass {
    /// Prepares `pass`, whose shader module is `module`, without a pipeline.
    pub(super) fn new(
        device: &wgpu::Device,
        pass: &Pass,
        module: &CompiledModule,
        resources: &Resources,
    ) -> Self {
        let bound_groups = pass.bindings.iter().map(|binding| binding.group);
        let of_constants = module.edited_constants.as_ref().map(|_| edited_constants::GROUP);
        let group_count = bound_groups.chain(of_constants).max().map_or(0, |last| last + 1);
        let texels = resources.texels_for(pass);
        let templates = (0..group_count).map(|group| {
            let of_pass = pass.bindings.iter().copied();
            let bindings: Vec<_> = of_pass.filter(|one| one.group == group).collect();
            let mut entries = layout_entries(&bindings, resources, texels.is_some());
            entries.retain(|entry| module.declares(group, entry.binding));
            if group == edited_constants::GROUP && module.edited_constants.is_some() {
                entries.push(edited_constants::layout_entry());
            }
            let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("scene"),
                entries: &entries,
            });
            BindGroupTemplate { layout, entries, bindings }
        });
        Self {
            kind: pass.kind,
            size: pass.size,
            device: device.clone(),
            module: module.clone(),
            vertex_entry: pass.vertex_entry(),
            templates: templates.collect(),
            texels: texels.cloned(),
            compiled: resources.compiled.clone(),
            pipelines: Mutex::default(),
            cached: Vec::new(),
            #[cfg(test)]
            created_sets: 0,
        }
    }

    fn bindings(&self) -> impl Iterator<Item = &Binding> {
        self.templates.iter().flat_map(|group| &group.bindings)
    }

    /// True if the pass reads edited constants from a uniform.
    pub(super) fn reads_edited_constants(&self) -> bool {
        self.module.edited_constants.is_some()
    }

    /// True if the pass reads per-frame values.
    pub(super) fn reads_per_frame(&self) -> bool {
        let mut groups = self.templates.iter();
        groups.any(|group| has_per_frame_values(&group.bindings))
    }

    /// True if the pass reads anything but uniforms and keys.
    pub(super) fn reads_buffers_or_channels(&self) -> bool {
        self.bindings().any(|binding| {
            matches!(binding.resource, Resource::Buffer(_) | Resource::Cube | Resource::Channel(_))
        })
    }

    /// Selects the bind groups for the current textures of `resources`, which the next
    /// [`Self::paint`] uses.
    pub(super) fn bind(&mut self, resources: &Resources) {
        let (generation, parity) = (resources.generation, resources.state.parity());
        let is_current = |set: &BindGroupSet| set.parity == parity;
        self.cached.retain(|set| set.generation == generation);
        match self.cached.iter().position(is_current) {
            Some(position) => self.cached.swap(0, position),
            None => {
                self.cached.truncate(CACHED_SETS - 1);
                let set = BindGroupSet { generation, parity, groups: self.bind_groups(resources) };
                self.cached.insert(0, set);
                #[cfg(test)]
                {
                    self.created_sets += 1;
                }
            }
        }
    }

    /// Draws the pass over the viewport of `pass`, whose target has `format`. Draws
    /// nothing before the first [`Self::bind`].
    pub(super) fn paint(&self, pass: &mut wgpu::RenderPass<'_>, format: wgpu::TextureFormat) {
        let Some(set) = self.cached.first() else {
            return;
        };
        pass.set_pipeline(&self.pipeline(format));
        for (index, group) in (0..).zip(&set.groups) {
            pass.set_bind_group(index, group, &[]);
        }
        pass.draw(0..3, 0..1);
    }

    /// The pipeline for targets of `format`, created on first use.
    pub(super) fn pipeline(&self, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
        let mut pipelines = self.pipelines.lock();
        if let Some((_, pipeline)) = pipelines.iter().find(|(other, _)| *other == format) {
            return pipeline.clone();
        }
        let layouts = self.templates.iter().map(|group| Some(&group.layout));
        let layouts: Vec<_> = layouts.collect();
        let entries: Vec<_> = self.templates.iter().map(|group| &group.entries).collect();
        let key = compiled::key(&(self.module.key, self.kind.entry(), entries, format));
        let create = || {
            let label = self.kind.label();
            let vertex = self.vertex_entry.map(|entry| (&self.module.module, entry));
            let fragment = (&self.module.module, self.kind.entry());
            let pipeline =
                create_pipeline(&self.device, label, vertex, fragment, &layouts, format.into());
            log::info!("created the pipeline of the pass {label}");
            pipeline
        };
        let pipeline = self.compiled.pipelines.get_or_create(key, create);
        pipelines.push((format, pipeline.clone()));
        pipeline
    }

    fn bind_groups(&self, resources: &Resources) -> Vec<wgpu::BindGroup> {
        let numbered = (0..).zip(&self.templates);
        numbered.map(|(number, group)| self.bind_group(number, group, resources)).collect()
    }

    fn bind_group(
        &self,
        number: u32,
        group: &BindGroupTemplate,
        resources: &Resources,
    ) -> wgpu::BindGroup {
        let keyboard = resources.uniforms.keyboard();
        let views: Vec<Option<wgpu::TextureView>> =
            group.bindings.iter().map(|binding| state_view(binding.resource, resources)).collect();
        let of_scene = group.bindings.iter().zip(&views).filter_map(|(binding, content)| {
            let keys = || Some(wgpu::BindingResource::TextureView(keyboard.as_ref()?));
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
            Some((binding.binding, resource))
        });
        let texels = self.texels.iter().filter(|_| has_per_frame_values(&group.bindings));
        let edited = self.module.edited_constants.iter();
        let constants = edited
            .filter(|_| number == edited_constants::GROUP)
            .map(|buffer| (edited_constants::BINDING, buffer.as_entire_binding()));
        let available = of_scene.chain(texels.flat_map(PerFrameTexels::resources)).chain(constants);
        let declared = available.filter(|(binding, _)| self.module.declares(number, *binding));
        bind_group(&self.device, self.kind.label(), &group.layout, declared)
    }
}

/// View of the current texture of a buffer or cube resource. A buffer that no pass draws
/// also has a texture, which is 0.
fn state_view(resource: Resource, resources: &Resources) -> Option<wgpu::TextureView> {
    let kind = match resource {
        Resource::Buffer(buffer) => PassKind::Buffer(buffer),
        Resource::Cube => PassKind::Cube,
        Resource::Channel(index) => resources.channels.shown_pass(index)?,
        _ => return None,
    };
    Some(resources.state.newest(kind)?.create_view(&wgpu::TextureViewDescriptor {
        dimension: (kind == PassKind::Cube).then_some(wgpu::TextureViewDimension::Cube),
        ..Default::default()
    }))
}

fn has_per_frame_values(bindings: &[Binding]) -> bool {
    let mut bindings = bindings.iter();
    bindings.any(|binding| binding.resource == Resource::PerFrame)
}

fn layout_entries(
    bindings: &[Binding],
    resources: &Resources,
    has_texels: bool,
) -> Vec<wgpu::BindGroupLayoutEntry> {
    let entries = bindings.iter().map(|binding| {
        let visibility = match binding.resource {
            Resource::Frame => wgpu::ShaderStages::VERTEX_FRAGMENT,
            _ => wgpu::ShaderStages::FRAGMENT,
        };
        let ty = match binding.resource {
            Resource::Frame | Resource::Parameters | Resource::PerFrame => UNIFORM,
            Resource::Keyboard => float_texture(true, wgpu::TextureViewDimension::D2),
            Resource::Buffer(_) => unfiltered(),
            Resource::Cube => float_texture(true, wgpu::TextureViewDimension::Cube),
            Resource::Channel(index) => float_texture(
                resources.channels.is_filterable(index),
                resources.channels.dimension(index),
            ),
            Resource::CubeSampler => {
                wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)
            }
            Resource::Sampler(index) => {
                wgpu::BindingType::Sampler(resources.channels.sampler_type(index))
            }
        };
        layout_entry(binding.binding, visibility, ty)
    });
    let mut entries: Vec<_> = entries.collect();
    if has_texels && has_per_frame_values(bindings) {
        entries.extend(PerFrameTexels::layout_entries());
    }
    entries
}
