//! Names of a pass's inputs in a tarsus scene.

use std::collections::HashMap;

use naga::{GlobalVariable, Handle, Module};

use super::channels::Channels;
use crate::export::ExportError;
use crate::export::host::{Host, PerFrameSource};
use tarsus_shader::Pass;
use tarsus_shader::PassKind;
use tarsus_shader::Resource;

/// Private variable that the prelude declares before the author's source, and its
/// replacements in a scene: as a whole, and for its `xy` components.
const RESOLUTION: (&str, &str, &str) = (
    "iResolution",
    "vec3f(frame::frame.resolution, 1.0)",
    "frame::frame.resolution",
);
/// Variables that contain the fragment position: in the image pass, and in other passes.
const PLACES: [&str; 2] = ["tarsus_place", "gl_FragCoord"];

/// Inputs of one pass.
pub(super) struct SceneHost<'a> {
    resources: HashMap<Handle<GlobalVariable>, Resource>,
    resolution: Option<Handle<GlobalVariable>>,
    channels: &'a Channels,
}

impl<'a> SceneHost<'a> {
    pub(super) fn new(module: &Module, pass: &Pass, channels: &'a Channels) -> Self {
        let mut resources = HashMap::new();
        for (handle, global) in module.global_variables.iter() {
            let binding = pass.bindings.iter().find(|binding| {
                let place = (binding.group, binding.binding);
                global
                    .binding
                    .is_some_and(|found| (found.group, found.binding) == place)
            });
            if let Some(binding) = binding {
                resources.insert(handle, binding.resource);
            }
        }
        Self {
            resources,
            resolution: named(module, &[RESOLUTION.0]),
            channels,
        }
    }
}

/// Variable with one of these names.
fn named(module: &Module, names: &[&str]) -> Option<Handle<GlobalVariable>> {
    let mut globals = module.global_variables.iter();
    let is_it = |global: &GlobalVariable| {
        let name = global.name.as_deref().unwrap_or_default();
        global.binding.is_none() && names.contains(&name)
    };
    globals
        .find(|(_, global)| is_it(global))
        .map(|(handle, _)| handle)
}

/// True for the variable that contains the fragment position in a pass of this kind.
pub(super) fn is_place(global: &GlobalVariable, kind: PassKind) -> bool {
    let number = usize::from(kind != PassKind::Image);
    global.name.as_deref() == Some(PLACES[number])
}

/// True for a variable of the host, which a scene does not have.
pub(super) fn is_hosts(global: &GlobalVariable) -> bool {
    let name = global.name.as_deref().unwrap_or_default();
    name == RESOLUTION.0 || name.starts_with("tarsus_") || PLACES.contains(&name)
}

impl Host for SceneHost<'_> {
    fn resource(&self, global: Handle<GlobalVariable>) -> Option<Resource> {
        self.resources.get(&global).copied()
    }

    fn frame(&self, member: &str) -> Result<String, ExportError> {
        Ok(match member {
            "index" => "i32(frame::frame.index)".to_owned(),
            member => format!("frame::frame.{member}"),
        })
    }

    fn parameter(&self, member: &str) -> String {
        format!("params.{member}")
    }

    fn per_frame(&self) -> Result<PerFrameSource, ExportError> {
        Ok(PerFrameSource::Nothing)
    }

    fn texture(&self, resource: Resource) -> Result<String, ExportError> {
        match resource {
            Resource::Keyboard => Ok("keyboard::keyboard".to_owned()),
            resource => self
                .channels
                .variable(resource)
                .ok_or_else(|| ExportError::Invalid("a texture is not bound".to_owned())),
        }
    }

    fn replaced(&self, global: Handle<GlobalVariable>) -> Option<(&'static str, &'static str)> {
        (self.resolution == Some(global)).then_some((RESOLUTION.1, RESOLUTION.2))
    }

    fn texel(&self, resource: Resource) -> Option<&'static str> {
        self.channels.texel(resource)
    }
}
