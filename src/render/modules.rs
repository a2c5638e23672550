//! The modules of a program on a device.

use std::borrow::Cow;
use std::sync::Arc;

use super::turns::write_several;
use crate::shader::Pass;

/// The modules of a program's passes on the device, each once.
pub(super) struct Modules {
    device: wgpu::Device,
    /// True if processors draw, which feel every instruction.
    is_software: bool,
    made: Vec<(Arc<naga::Module>, wgpu::ShaderModule)>,
}

impl Modules {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self {
            device: device.clone(),
            is_software: device.adapter_info().device_type == wgpu::DeviceType::Cpu,
            made: Vec::new(),
        }
    }

    /// The module of `pass`.
    pub(super) fn get(&mut self, pass: &Pass) -> &wgpu::ShaderModule {
        let is_same = |made: &(Arc<naga::Module>, _)| Arc::ptr_eq(&made.0, &pass.module);
        let at = self.made.iter().position(is_same).unwrap_or_else(|| {
            let mut module = naga::Module::clone(&pass.module);
            pad(&mut module);
            if self.is_software {
                write_several(&mut module);
            }
            let descriptor = wgpu::ShaderModuleDescriptor {
                label: Some(pass.kind.label()),
                source: wgpu::ShaderSource::Naga(Cow::Owned(module)),
            };
            let module = self.device.create_shader_module(descriptor);
            self.made.push((Arc::clone(&pass.module), module));
            self.made.len() - 1
        });
        &self.made[at].1
    }
}

/// Gives uniforms whole sixteens of bytes, as OpenGL's are; what is bound has them.
fn pad(module: &mut naga::Module) {
    let uniforms = module.global_variables.iter();
    let uniforms = uniforms.filter(|(_, global)| global.space == naga::AddressSpace::Uniform);
    for handle in uniforms.map(|(_, global)| global.ty).collect::<Vec<_>>() {
        let mut ty = module.types[handle].clone();
        // A type can be replaced only by another one.
        if let naga::TypeInner::Struct { span, .. } = &mut ty.inner
            && !span.is_multiple_of(16)
        {
            *span = span.next_multiple_of(16);
            module.types.replace(handle, ty);
        }
    }
}
