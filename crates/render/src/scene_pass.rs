//! One pass of a scene: its pipelines and bind groups.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use parking_lot::Mutex;

use super::compiled::{self, Compiled, Key};
use super::edited_constants;
use super::error::ErrorScopes;
use super::fullscreen::create_pipeline;
use super::gpu_objects::bind_group;
use super::llvmpipe::PerFrameTexels;
use super::modules::CompiledModule;
use super::resources::Resources;
use tarsus_shader::{Binding, Pass, PassKind, Resource};

/// Sets of bind groups that a pass keeps: one per parity of the buffers it reads.
const CACHED_SETS: usize = 2;

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
    bindings: Vec<Binding>,
    /// Bind group layouts, by the number of the group.
    layouts: Vec<wgpu::BindGroupLayout>,
    /// Hash of the layouts.
    layouts_key: Key,
    /// Texels that the pass samples instead of per-frame values in a uniform, and their group.
    texels: Option<(u32, PerFrameTexels)>,
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
        let of_scene = pass.bindings.iter();
        let of_scene = of_scene.map(|binding| (binding.group, resources.layout_entry(binding)));
        let texels = resources.texels_for(pass).zip(pass.binding_of(Resource::PerFrame));
        let of_texels = texels.iter().flat_map(|(_, values)| {
            PerFrameTexels::layout_entries().map(|entry| (values.group, entry))
        });
        let of_constants = module.edited_constants.iter();
        let of_constants =
            of_constants.map(|_| (edited_constants::GROUP, edited_constants::layout_entry()));
        let entries = of_scene.chain(of_texels).chain(of_constants);
        let entries: Vec<_> =
            entries.filter(|(group, entry)| module.declares(*group, entry.binding)).collect();
        let group_count = entries.iter().map(|(group, _)| group + 1).max().unwrap_or(0);
        let layouts = (0..group_count).map(|group| {
            let own = entries.iter().filter(|(other, _)| *other == group);
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("scene"),
                entries: &own.map(|(_, entry)| *entry).collect::<Vec<_>>(),
            })
        });
        Self {
            kind: pass.kind,
            size: pass.size,
            device: device.clone(),
            module: module.clone(),
            vertex_entry: pass.vertex_entry(),
            bindings: pass.bindings.clone(),
            layouts: layouts.collect(),
            layouts_key: compiled::key(&entries),
            texels: texels.map(|(texels, values)| (values.group, texels.clone())),
            compiled: resources.compiled.clone(),
            pipelines: Mutex::default(),
            cached: Vec::new(),
            #[cfg(test)]
            created_sets: 0,
        }
    }

    /// True if the pass reads edited constants from a uniform.
    pub(super) fn reads_edited_constants(&self) -> bool {
        self.module.edited_constants.is_some()
    }

    /// True if the pass reads per-frame values.
    pub(super) fn reads_per_frame(&self) -> bool {
        self.bindings.iter().any(|binding| binding.resource == Resource::PerFrame)
    }

    /// True if the pass reads anything but uniforms and keys.
    pub(super) fn reads_buffers_or_channels(&self) -> bool {
        self.bindings.iter().any(|binding| {
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
        let layouts: Vec<_> = self.layouts.iter().map(Some).collect();
        let key = compiled::key(&(self.module.key, self.kind.entry(), self.layouts_key, format));
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
        let of_scene = self.bindings.iter().filter_map(|binding| {
            Some((binding.group, binding.binding, resources.binding(binding.resource)?))
        });
        let of_texels = self.texels.iter().flat_map(|(group, texels)| {
            texels.resources().map(|(binding, resource)| (*group, binding, resource))
        });
        let of_constants = self.module.edited_constants.iter().map(|buffer| {
            (edited_constants::GROUP, edited_constants::BINDING, buffer.as_entire_binding())
        });
        let bound = of_scene.chain(of_texels).chain(of_constants);
        let bound: Vec<_> =
            bound.filter(|(group, binding, _)| self.module.declares(*group, *binding)).collect();
        let groups = (0..).zip(&self.layouts).map(|(group, layout)| {
            let own = bound.iter().filter(|(other, ..)| *other == group);
            let own = own.map(|(_, binding, resource)| (*binding, resource.clone()));
            bind_group(&self.device, self.kind.label(), layout, own)
        });
        groups.collect()
    }
}
