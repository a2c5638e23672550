//! The modules of a program on a device.

use std::borrow::Cow;
use std::sync::Arc;

use crate::shader::Pass;

/// The modules of a program's passes on the device, each once.
pub(super) struct Modules {
    device: wgpu::Device,
    made: Vec<(Arc<naga::Module>, wgpu::ShaderModule)>,
}

impl Modules {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self {
            device: device.clone(),
            made: Vec::new(),
        }
    }

    /// The module of `pass`.
    pub(super) fn get(&mut self, pass: &Pass) -> &wgpu::ShaderModule {
        let is_same = |made: &(Arc<naga::Module>, _)| Arc::ptr_eq(&made.0, &pass.module);
        let at = self.made.iter().position(is_same).unwrap_or_else(|| {
            let module = self
                .device
                .create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: Some(pass.kind.label()),
                    source: wgpu::ShaderSource::Naga(Cow::Owned(padded(&pass.module))),
                });
            self.made.push((Arc::clone(&pass.module), module));
            self.made.len() - 1
        });
        &self.made[at].1
    }
}

/// The module with uniforms of whole sixteens of bytes, as OpenGL's are; what is
/// bound has them.
fn padded(module: &naga::Module) -> naga::Module {
    let mut module = module.clone();
    let uniforms = module.global_variables.iter();
    let uniforms = uniforms.filter(|(_, global)| global.space == naga::AddressSpace::Uniform);
    for handle in uniforms.map(|(_, global)| global.ty).collect::<Vec<_>>() {
        let mut ty = module.types[handle].clone();
        if let naga::TypeInner::Struct { span, .. } = &mut ty.inner
            && *span % 16 != 0
        {
            *span = span.next_multiple_of(16);
            module.types.replace(handle, ty);
        }
    }
    module
}
