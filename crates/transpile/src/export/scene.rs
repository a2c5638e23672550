//! Functions, resources and samplers of a scene, for its export.

use std::collections::{BTreeSet, HashMap};

use naga::{Function, GlobalVariable, Handle};
use tarsus_shader::ir::calls;
use tarsus_shader::{ChannelSampler, Resource};

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

    /// The samplers with which `functions` sample a texture, without those that repeat another's
    /// filter and wrap mode.
    pub(super) fn samplers(
        &self,
        texture: Resource,
        functions: &[Handle<Function>],
    ) -> Vec<&ChannelSampler> {
        let infos = functions.iter().map(|&function| &self.analysis.info[function]);
        let keys = infos.flat_map(|info| &info.sampling_set);
        let keys = keys.filter(|key| self.resource(key.image) == Some(texture));
        let found: BTreeSet<Resource> = keys.filter_map(|key| self.resource(key.sampler)).collect();
        let mut samplers: Vec<&ChannelSampler> = Vec::new();
        for resource in found {
            if let Resource::Sampler(index) = resource {
                let sampler = &self.program.samplers[index];
                let mode = (sampler.filter, sampler.wrap);
                if samplers.iter().all(|other| (other.filter, other.wrap) != mode) {
                    samplers.push(sampler);
                }
            }
        }
        samplers
    }
}
