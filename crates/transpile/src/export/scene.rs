//! Functions, resources and samplers of a scene, for its export.

use std::collections::HashMap;

use naga::{Function, GlobalVariable, Handle};
use tarsus_shader::ir::calls;
use tarsus_shader::{ChannelSampler, Filter, Resource, Wrap};

use super::shadertoy::Exporter;

/// Properties of the scene's module.
impl Exporter<'_> {
    /// The resource bound to a variable.
    pub(super) fn resource(&self, global: Handle<GlobalVariable>) -> Option<Resource> {
        self.resources.get(&global).copied()
    }

    /// The scene's own function `name`.
    pub(super) fn function(&self, name: &str) -> Option<Handle<Function>> {
        let functions = &self.analysis.module.functions;
        functions.fetch_if(|function| function.name.as_deref() == Some(name))
    }

    /// Number of expressions in a function and its callees, counting every call.
    pub(super) fn size_of(&self, function: Handle<Function>) -> usize {
        let mut sizes: HashMap<Handle<Function>, usize> = HashMap::new();
        for (handle, found) in self.analysis.module.functions.iter() {
            let own = found.expressions.len();
            let called = calls(&found.body).into_iter();
            let called: usize = called.filter_map(|callee| sizes.get(&callee)).sum();
            sizes.insert(handle, own.saturating_add(called));
        }
        sizes.get(&function).copied().unwrap_or(0)
    }

    /// The sampler with which `function` samples a texture.
    pub(super) fn sampler(&self, resource: Resource, function: Handle<Function>) -> ChannelSampler {
        let keys = self.analysis.info[function].sampling_set.iter();
        let keys = keys.filter(|key| self.resource(key.image) == Some(resource));
        let sampler = keys.filter_map(|key| self.resource(key.sampler)).min();
        let filter = match (sampler, resource) {
            (Some(Resource::Sampler(index)), _) => return self.program.samplers[index].clone(),
            (_, Resource::Cube) => Filter::Linear,
            (_, Resource::Channel(index)) if self.program.channels[index].has_mipmaps => {
                Filter::Mipmap
            }
            _ => Filter::Nearest,
        };
        ChannelSampler { name: String::new(), filter, wrap: Wrap::Clamp }
    }
}
