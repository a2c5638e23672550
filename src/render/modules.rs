//! The modules of a program on a device.

use std::borrow::Cow;
use std::sync::Arc;

use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::constant_arrays::choose_elements;
use super::shared_values::work_out_first;
use super::turns::write_out;
use super::vector_selects::choose_components;
use crate::shader::Pass;

/// The modules of a program's passes on the device, each once.
pub(super) struct Modules {
    made: Vec<(Arc<naga::Module>, wgpu::ShaderModule)>,
}

/// What modules have to heed of an adapter.
#[derive(Clone, Copy)]
struct Traits {
    /// Processors draw, which feel every instruction.
    is_software: bool,
    /// It speaks OpenGL, perhaps ES 3.0.
    is_opengl: bool,
}

/// True if processors draw what the device is asked to.
pub(super) fn is_software(device: &wgpu::Device) -> bool {
    device.adapter_info().device_type == wgpu::DeviceType::Cpu
}

impl Modules {
    pub(super) fn new<'a>(
        device: &wgpu::Device,
        passes: impl IntoIterator<Item = &'a Pass>,
    ) -> Self {
        let traits = Traits {
            is_software: is_software(device),
            is_opengl: device.adapter_info().backend == wgpu::Backend::Gl,
        };
        let mut made: Vec<(Arc<naga::Module>, _)> = Vec::new();
        for pass in passes {
            if made.iter().all(|made| !Arc::ptr_eq(&made.0, &pass.module)) {
                let module = prepared(&pass.module, traits);
                let descriptor = wgpu::ShaderModuleDescriptor {
                    label: Some(pass.kind.label()),
                    source: wgpu::ShaderSource::Naga(Cow::Owned(module)),
                };
                let module = device.create_shader_module(descriptor);
                made.push((Arc::clone(&pass.module), module));
            }
        }
        Self { made }
    }

    /// The module of `pass`, one of those that the modules were made for.
    pub(super) fn of(&self, pass: &Pass) -> &wgpu::ShaderModule {
        let mut made = self.made.iter();
        let module = made.find(|made| Arc::ptr_eq(&made.0, &pass.module));
        &module.expect("every pass has a module").1
    }
}

/// A module as it goes to the device.
fn prepared(module: &naga::Module, traits: Traits) -> naga::Module {
    let mut module = module.clone();
    pad(&mut module);
    if traits.is_opengl {
        choose_components(&mut module);
    }
    if traits.is_software {
        module = sped_up(module);
    }
    module
}

/// A module that says the same in fewer instructions.
fn sped_up(module: naga::Module) -> naga::Module {
    let mut faster = module.clone();
    choose_elements(&mut faster);
    work_out_first(&mut faster);
    write_out(&mut faster);
    // Where a literal comes to the place of what was not known before, as of an argument, the
    // module may not be valid any more: a division by 0 that is never reached.
    let validated = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&faster);
    match validated {
        Ok(_) => faster,
        Err(_) => module,
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::shader::{Library, Scene, compose};

    /// An adapter for which everything is done.
    const ALL: Traits = Traits {
        is_software: true,
        is_opengl: true,
    };

    /// Paths of files in a folder of this package.
    fn files(folder: &str) -> Vec<PathBuf> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(folder).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        files.filter(|path| path.is_file()).collect()
    }

    /// Prepares what is in the files, and gives how many files became programs.
    fn stays_valid(files: &[PathBuf]) -> usize {
        let library = Library::embedded();
        let programs = files.iter().filter_map(|path| {
            let scene = Scene::read(path).expect("a scene");
            let program = compose(&scene, &library, &[]).ok()?;
            for pass in program.all_passes() {
                let module = prepared(&pass.module, ALL);
                Validator::new(ValidationFlags::all(), Capabilities::all())
                    .validate(&module)
                    .unwrap_or_else(|error| panic!("{path:?}: {:?}", error.into_inner()));
                let again = prepared(&pass.module, ALL);
                assert_eq!(format!("{module:?}"), format!("{again:?}"), "{path:?}");
            }
            Some(())
        });
        programs.count()
    }

    /// Literals that come into such expressions are refused there, though nothing reaches them.
    #[test]
    fn what_would_not_be_valid_any_more_stays_as_it_is() {
        for value in [
            "f32(select(i, i % n, n > 0))",
            "f32(select(i, i / n, n > 0))",
            "f32(select(u32(i), u32(i) << u32(n + 32), n > 0))",
            "select(0.5, frame::frame.date[n - 1], n > 0)",
            "select(0.5, frame::frame.date[n + 4], n > 0)",
        ] {
            let text = format!(
                "#import tarsus::frame
                 const NONE = 0;
                 fn value(i: i32, n: i32) -> f32 {{ return {value}; }}
                 fn main_image(p: vec2f) -> vec4f {{
                     var sum = 0.0;
                     for (var i = 0; i < 90; i++) {{ sum += value(i32(frame::frame.time), NONE); }}
                     return vec4f(sum);
                 }}"
            );
            let scene = Scene::from_text(&text, "scene.wgsl");
            let program = compose(&scene, &Library::embedded(), &[]).expect("a program");
            let module = prepared(&program.all_passes().next().expect("a pass").module, ALL);
            Validator::new(ValidationFlags::all(), Capabilities::all())
                .validate(&module)
                .unwrap_or_else(|error| panic!("{value}: {:?}", error.into_inner()));
        }
    }

    #[test]
    fn scenes_stay_valid_and_are_the_same_every_time() {
        let scenes = files("shaders");
        assert_eq!(stays_valid(&scenes), scenes.len());
    }

    #[cfg(feature = "glsl")]
    #[test]
    fn glsl_stays_valid_and_is_the_same_every_time() {
        assert!(stays_valid(&files("tests/shader/glsl")) > 110);
    }
}
