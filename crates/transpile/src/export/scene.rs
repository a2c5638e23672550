//! Functions, resources and samplers of a scene, for its export.

use std::collections::{HashMap, HashSet};

use naga::{Expression, Function, GlobalVariable, Handle, TypeInner};
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

    /// True if a function or one of its callees reads the resolution of the picture.
    pub(super) fn reads_resolution(&self, function: Handle<Function>) -> bool {
        let mut readers: HashSet<Handle<Function>> = HashSet::new();
        for (handle, found) in self.analysis.module.functions.iter() {
            let mut expressions = found.expressions.iter();
            if expressions.any(|(_, expression)| self.is_resolution(found, expression))
                || calls(&found.body).iter().any(|callee| readers.contains(callee))
            {
                readers.insert(handle);
            }
        }
        readers.contains(&function)
    }

    /// True for an expression in `function` that is the resolution of the picture.
    fn is_resolution(&self, function: &Function, expression: &Expression) -> bool {
        let module = self.analysis.module;
        let Expression::AccessIndex { mut base, index } = *expression else {
            return false;
        };
        if let Expression::Load { pointer } = function.expressions[base] {
            base = pointer;
        }
        let Expression::GlobalVariable(global) = function.expressions[base] else {
            return false;
        };
        match &module.types[module.global_variables[global].ty].inner {
            TypeInner::Struct { members, .. } => {
                self.resource(global) == Some(Resource::Frame)
                    && members[index as usize].name.as_deref() == Some("resolution")
            }
            _ => false,
        }
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
