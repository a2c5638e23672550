//! Names of a pass's inputs in a tarsus scene.

use std::collections::HashMap;

use naga::{GlobalVariable, Handle, Module};
use tarsus_shader::{Buffer, Pass, PassKind, Resource};

use super::channels::Channels;
use crate::export::ExportError;
use crate::export::host::{Host, PerFrameSource, bound_resources};
use crate::export::text::{ExprText, Parts};

/// Private variable that the prelude declares before the author's source.
const RESOLUTION: &str = "iResolution";
/// Variables that contain the fragment position: in the image pass, and in other passes.
const FRAGMENT_POSITIONS: [&str; 2] = ["tarsus_place", "gl_FragCoord"];

/// Inputs of one pass.
pub(super) struct SceneHost<'a> {
    resources: HashMap<Handle<GlobalVariable>, Resource>,
    resolution: Option<Handle<GlobalVariable>>,
    channels: &'a Channels<'a>,
}

impl<'a> SceneHost<'a> {
    pub(super) fn new(module: &Module, pass: &Pass, channels: &'a Channels<'a>) -> Self {
        let is_resolution = |global: &GlobalVariable| {
            global.binding.is_none() && global.name.as_deref() == Some(RESOLUTION)
        };
        Self {
            resources: bound_resources(module, &pass.bindings),
            resolution: module.global_variables.fetch_if(is_resolution),
            channels,
        }
    }
}

/// True for the variable that contains the fragment position in a pass of this kind.
pub(super) fn is_fragment_position(global: &GlobalVariable, kind: PassKind) -> bool {
    let number = usize::from(kind != PassKind::Image);
    global.name.as_deref() == Some(FRAGMENT_POSITIONS[number])
}

/// True for a variable of the host, which a scene does not have.
pub(super) fn is_host_variable(global: &GlobalVariable) -> bool {
    let name = global.name.as_deref().unwrap_or_default();
    name == RESOLUTION || name.starts_with("tarsus_") || FRAGMENT_POSITIONS.contains(&name)
}

impl Host for SceneHost<'_> {
    fn resource(&self, global: Handle<GlobalVariable>) -> Option<Resource> {
        self.resources.get(&global).copied()
    }

    fn frame(&self, member: &str) -> Result<ExprText, ExportError> {
        Ok(ExprText::atom(match member {
            "index" => "i32(frame::frame.index)".to_owned(),
            member => format!("frame::frame.{member}"),
        }))
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
            resource => {
                let unbound = || ExportError::invalid("a texture is not bound");
                self.channels.variable(resource).ok_or_else(unbound)
            }
        }
    }

    fn replacement(&self, global: Handle<GlobalVariable>) -> Option<ExprText> {
        const PARTS: Parts = &[("xy", "frame::frame.resolution"), ("z", "1.0")];
        let is_resolution = self.resolution == Some(global);
        is_resolution.then(|| ExprText::vector("vec3f(frame::frame.resolution, 1.0)", PARTS))
    }

    fn buffer(&self, resource: Resource) -> Option<Buffer> {
        self.channels.buffer(resource)
    }
}
