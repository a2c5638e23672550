//! The validated module of a scene and the bindings of its variables.

use std::collections::{BTreeSet, HashMap};

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Function, GlobalVariable, Handle, Module};

use super::error::ExportError;
use super::facts::Facts;
use super::names::Item;
use super::signature::Signatures;
use tarsus_shader::Resource;
use tarsus_shader::ir::calls;
use tarsus_shader::{Filter, Wrap};
use tarsus_shader::{Pass, Program};

/// A validated module.
pub(super) struct Checked<'a> {
    pub module: &'a Module,
    pub info: ModuleInfo,
}

impl<'a> Checked<'a> {
    pub(super) fn new(pass: &'a Pass) -> Result<Self, ExportError> {
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::default());
        let info = validator
            .validate(&pass.module)
            .map_err(|error| ExportError::Invalid(error.as_inner().to_string()))?;
        Ok(Self {
            module: &pass.module,
            info,
        })
    }
}

/// The module of all passes of a scene.
pub(super) struct SceneModule<'a> {
    program: &'a Program,
    pub facts: Facts<'a>,
    resources: HashMap<Handle<GlobalVariable>, Resource>,
}

impl<'a> SceneModule<'a> {
    pub(super) fn new(program: &'a Program, checked: &'a Checked<'a>) -> Self {
        let module = checked.module;
        let mut resources = HashMap::new();
        for binding in program
            .passes
            .iter()
            .chain(&program.sound)
            .chain(&program.per_frame)
            .flat_map(|pass| &pass.bindings)
        {
            let is_it = |global: &GlobalVariable| {
                global.binding.is_some_and(|place| {
                    (place.group, place.binding) == (binding.group, binding.binding)
                })
            };
            let globals = module.global_variables.iter();
            for (handle, _) in globals.filter(|(_, global)| is_it(global)) {
                resources.insert(handle, binding.resource);
            }
        }
        Self {
            program,
            facts: Facts::new(module, &checked.info, Signatures::new()),
            resources,
        }
    }

    /// The resource bound to a variable.
    pub(super) fn resource(&self, global: Handle<GlobalVariable>) -> Option<Resource> {
        self.resources.get(&global).copied()
    }

    /// The scene's own function `name`.
    pub(super) fn function(&self, name: &str) -> Option<Handle<Function>> {
        let functions = self.facts.module.functions.iter();
        functions
            .filter(|(_, function)| function.name.as_deref() == Some(name))
            .map(|(handle, _)| handle)
            .next()
    }

    /// Number of expressions in a function and its callees, counting every call.
    pub(super) fn size_of(&self, function: Handle<Function>) -> usize {
        let mut sizes: HashMap<Handle<Function>, usize> = HashMap::new();
        for (handle, found) in self.facts.module.functions.iter() {
            let own = found.expressions.len();
            let called = calls(&found.body).into_iter();
            let called: usize = called.filter_map(|callee| sizes.get(&callee)).sum();
            sizes.insert(handle, own.saturating_add(called));
        }
        sizes.get(&function).copied().unwrap_or(0)
    }

    /// Filter and wrap mode with which `roots` sample a texture.
    pub(super) fn sampling(&self, resource: Resource, roots: &[Item]) -> (Filter, Wrap) {
        let mut samplers = BTreeSet::new();
        for root in roots {
            let Item::Function(function) = root else {
                continue;
            };
            for key in &self.facts.info[*function].sampling_set {
                if self.resource(key.image) == Some(resource) {
                    samplers.extend(self.resource(key.sampler));
                }
            }
        }
        match (samplers.first(), resource) {
            (Some(&Resource::Sampler(index)), _) => {
                let sampler = &self.program.samplers[index];
                (sampler.filter, sampler.wrap)
            }
            (_, Resource::Cube) => (Filter::Linear, Wrap::Clamp),
            _ => (Filter::Nearest, Wrap::Clamp),
        }
    }
}
