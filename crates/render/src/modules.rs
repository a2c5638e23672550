//! The modules of a program on a device.

use std::borrow::Cow;
use std::sync::Arc;

use naga::compact::{KeepUnused, compact};
use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::constant_arrays::choose_elements;
use super::shared_values::work_out_first;
use super::short_arrays::compare_indices;
use super::turns::write_out;
use super::uniform_texels::{Places, read_texels};
use super::uniforms::Uniforms;
use super::vector_selects::choose_components;
use tarsus_shader::{Pass, PassKind};

/// The modules of a program's passes on the device.
pub(super) struct Modules {
    made: Vec<Made>,
}

struct Made {
    of: Arc<naga::Module>,
    /// The only pass that it is for.
    kind: Option<PassKind>,
    module: wgpu::ShaderModule,
}

impl Made {
    fn is_for(&self, pass: &Pass) -> bool {
        Arc::ptr_eq(&self.of, &pass.module) && self.kind.is_none_or(|kind| kind == pass.kind)
    }
}

/// What the module of a pass has to heed of an adapter.
#[derive(Clone, Copy)]
struct Traits<'a> {
    /// Processors draw, which feel every instruction.
    is_software: bool,
    /// It speaks OpenGL, perhaps ES 3.0.
    is_opengl: bool,
    /// Where the texels of uniforms are, if the pass is to read those.
    texels: Option<&'a Places>,
}

impl Traits<'_> {
    /// True if each pass has a module of its own, of which more can be worked out first. With
    /// that browsers' software OpenGL never gets done with some.
    fn separates_passes(self) -> bool {
        self.is_software && !self.is_opengl
    }
}

/// True if processors draw what the device is asked to.
pub(super) fn is_software(device: &wgpu::Device) -> bool {
    device.adapter_info().device_type == wgpu::DeviceType::Cpu
}

impl Modules {
    /// For passes that bind `uniforms`.
    pub(super) fn new<'a>(
        device: &wgpu::Device,
        uniforms: &Uniforms,
        passes: impl IntoIterator<Item = &'a Pass>,
    ) -> Self {
        let mut made: Vec<Made> = Vec::new();
        for pass in passes {
            if made.iter().all(|made| !made.is_for(pass)) {
                let texels = uniforms.texels_for(pass.kind);
                let traits = Traits {
                    is_software: is_software(device),
                    is_opengl: device.adapter_info().backend == wgpu::Backend::Gl,
                    texels: texels.map(|texels| &texels.places),
                };
                let descriptor = wgpu::ShaderModuleDescriptor {
                    label: Some(pass.kind.label()),
                    source: wgpu::ShaderSource::Naga(Cow::Owned(prepared(pass, traits))),
                };
                made.push(Made {
                    of: Arc::clone(&pass.module),
                    kind: traits.separates_passes().then_some(pass.kind),
                    module: device.create_shader_module(descriptor),
                });
            }
        }
        Self { made }
    }

    /// The module of `pass`, one of those that the modules were made for.
    pub(super) fn of(&self, pass: &Pass) -> &wgpu::ShaderModule {
        let mut made = self.made.iter();
        let made = made.find(|made| made.is_for(pass));
        &made.expect("every pass has a module").module
    }
}

/// The module of a pass as it goes to the device.
fn prepared(pass: &Pass, traits: Traits<'_>) -> naga::Module {
    let mut module = (*pass.module).clone();
    if traits.separates_passes() {
        keep_only(&mut module, pass);
    }
    pad(&mut module);
    if traits.is_opengl {
        choose_components(&mut module);
    }
    if traits.is_software {
        module = sped_up(module, pass.kind, traits);
    }
    if let Some(places) = traits.texels {
        read_texels(&mut module, places);
    }
    module
}

/// Takes away what belongs to other passes alone.
fn keep_only(module: &mut naga::Module, pass: &Pass) {
    let entries = &mut module.entry_points;
    entries.retain(|entry| {
        let name = entry.name.as_str();
        name == pass.fragment_entry || Some(name) == pass.vertex_entry
    });
    compact(module, KeepUnused::No);
}

/// A module that says the same in fewer instructions.
fn sped_up(module: naga::Module, kind: PassKind, traits: Traits<'_>) -> naga::Module {
    let mut faster = module.clone();
    choose_elements(&mut faster);
    work_out_first(&mut faster);
    // A few texels are drawn faster than the longer loops are compiled.
    if kind != PassKind::PerFrame || !traits.separates_passes() {
        write_out(&mut faster);
    }
    // GLSL has no pointers: calls would copy whole arrays in and out.
    if !traits.is_opengl {
        compare_indices(&mut faster);
    }
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
    use tarsus_shader::{Builtins, Form, Library, Scene, compose};

    /// The modules of a pass for the adapters for which the most is done.
    fn prepared_for_all(pass: &Pass) -> [naga::Module; 2] {
        let firsts = [((0, 0), 0), ((1, 0), 16), ((0, 8), 48)];
        let firsts = firsts.map(|((group, binding), first)| {
            let binding = naga::ResourceBinding { group, binding };
            (binding, first)
        });
        let places = Places {
            firsts: firsts.into(),
            width: 128,
        };
        [false, true].map(|is_opengl| {
            let traits = Traits {
                is_software: true,
                is_opengl,
                texels: Some(&places),
            };
            prepared(pass, traits)
        })
    }

    fn library() -> Library {
        let builtins = Builtins {
            scenes: tarsus_scenes::SCENES,
            modules: tarsus_scenes::MODULES,
        };
        Library::new(builtins).with_front_end(tarsus_glsl::GLSL)
    }

    /// Paths of files in a folder of this package.
    fn files(folder: &str) -> Vec<PathBuf> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(folder).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        files.filter(|path| Form::is_shader(path)).collect()
    }

    /// Prepares what is in the files, and gives how many files became programs.
    fn stays_valid(files: &[PathBuf]) -> usize {
        let library = library();
        let programs = files.iter().filter_map(|path| {
            let scene = Scene::read(path).expect("a scene");
            let program = compose(&scene, &library, &[]).ok()?;
            for pass in program.all_passes() {
                let modules = prepared_for_all(pass);
                for module in &modules {
                    Validator::new(ValidationFlags::all(), Capabilities::all())
                        .validate(module)
                        .unwrap_or_else(|error| panic!("{path:?}: {:?}", error.into_inner()));
                }
                let again = prepared_for_all(pass);
                assert_eq!(format!("{modules:?}"), format!("{again:?}"), "{path:?}");
            }
            Some(())
        });
        programs.count()
    }

    /// Browsers' software OpenGL would wait for ever for the image of `tracks`.
    #[test]
    fn in_opengl_passes_share_their_module() {
        let scene = Scene::read(
            &PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shaders/tracks.wgsl"),
        )
        .expect("a scene");
        let program = compose(&scene, &library(), &[]).expect("a program");
        for pass in program.all_passes() {
            let [vulkan, opengl] = prepared_for_all(pass);
            let fragments = |module: &naga::Module| {
                let entries = module.entry_points.iter();
                entries
                    .filter(|entry| entry.stage == naga::ShaderStage::Fragment)
                    .count()
            };
            let all = fragments(&pass.module);
            assert_eq!((fragments(&vulkan), fragments(&opengl)), (1, all));
            assert!(all > 1);
        }
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
            let program = compose(&scene, &library(), &[]).expect("a program");
            let pass = program.all_passes().next().expect("a pass");
            for module in prepared_for_all(pass) {
                Validator::new(ValidationFlags::all(), Capabilities::all())
                    .validate(&module)
                    .unwrap_or_else(|error| panic!("{value}: {:?}", error.into_inner()));
            }
        }
    }

    #[test]
    fn scenes_stay_valid_and_are_the_same_every_time() {
        let scenes = files("../../shaders");
        assert_eq!(stays_valid(&scenes), scenes.len());
    }

    #[test]
    fn glsl_stays_valid_and_is_the_same_every_time() {
        assert!(stays_valid(&files("../glsl/tests/shaders")) > 110);
    }
}
