//! Shader modules of a program, lowered for the device.

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

/// Shader modules of a program's passes on a device.
pub(super) struct Modules {
    made: Vec<Made>,
}

struct Made {
    of: Arc<naga::Module>,
    /// The only pass that uses the module; `None` if passes share it.
    kind: Option<PassKind>,
    module: wgpu::ShaderModule,
}

impl Made {
    fn is_for(&self, pass: &Pass) -> bool {
        Arc::ptr_eq(&self.of, &pass.module) && self.kind.is_none_or(|kind| kind == pass.kind)
    }
}

/// Adapter properties that determine how a module is lowered.
#[derive(Clone, Copy)]
struct Traits<'a> {
    /// A software renderer, on which every instruction counts.
    is_software: bool,
    /// The backend is OpenGL, perhaps ES 3.0.
    is_opengl: bool,
    /// Layout of the uniforms in a texture, if the pass reads them from one.
    texels: Option<&'a Places>,
}

impl Traits<'_> {
    /// True if each pass gets its own module, in which more can be hoisted. With separate
    /// modules, software OpenGL in browsers never finishes some scenes.
    fn separates_passes(self) -> bool {
        self.is_software && !self.is_opengl
    }
}

/// True if the device is a software renderer.
pub(super) fn is_software(device: &wgpu::Device) -> bool {
    device.adapter_info().device_type == wgpu::DeviceType::Cpu
}

impl Modules {
    /// Creates the modules of `passes`, which bind `uniforms`.
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

    /// The module of `pass`, which must be one of the passes given to [`Self::new`].
    pub(super) fn of(&self, pass: &Pass) -> &wgpu::ShaderModule {
        let mut made = self.made.iter();
        let made = made.find(|made| made.is_for(pass));
        &made.expect("every pass has a module").module
    }
}

/// Lowers the module of a pass for the device.
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

/// Removes entry points of other passes and everything that only they use.
fn keep_only(module: &mut naga::Module, pass: &Pass) {
    let entries = &mut module.entry_points;
    entries.retain(|entry| {
        let name = entry.name.as_str();
        name == pass.fragment_entry || Some(name) == pass.vertex_entry
    });
    compact(module, KeepUnused::No);
}

/// Optimizes a module for software renderers; returns it unchanged if the result is
/// invalid.
fn sped_up(module: naga::Module, kind: PassKind, traits: Traits<'_>) -> naga::Module {
    let mut faster = module.clone();
    choose_elements(&mut faster);
    work_out_first(&mut faster);
    // Per-frame passes draw a few texels, which takes less time than compiling unrolled
    // loops.
    if kind != PassKind::PerFrame || !traits.separates_passes() {
        write_out(&mut faster);
    }
    // GLSL has no pointers: the calls would copy whole arrays in and out.
    if !traits.is_opengl {
        compare_indices(&mut faster);
    }
    // Replacing an argument with a literal can make the module invalid, for instance by a
    // division by 0 that is never reached.
    let validated = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&faster);
    match validated {
        Ok(_) => faster,
        Err(_) => module,
    }
}

/// Pads uniform blocks to a multiple of 16 bytes, as OpenGL requires. The bound buffers
/// are padded likewise.
fn pad(module: &mut naga::Module) {
    let uniforms = module.global_variables.iter();
    let uniforms = uniforms.filter(|(_, global)| global.space == naga::AddressSpace::Uniform);
    for handle in uniforms.map(|(_, global)| global.ty).collect::<Vec<_>>() {
        let mut ty = module.types[handle].clone();
        // `replace` requires a type that differs from the old one.
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

    /// Modules of a pass for software renderers on Vulkan and on OpenGL, the adapters
    /// that need the most lowering.
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
    /// Paths of the files in a folder of this package.
    fn files(folder: &str) -> Vec<PathBuf> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(folder).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        files.filter(|path| Form::is_shader(path)).collect()
    }

    /// Checks that the modules of the scenes in `files` are valid and deterministic;
    /// returns the number of scenes that compile.
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

    /// With separate modules, software OpenGL in browsers never finishes the image of
    /// `tracks`.
    #[test]
    fn opengl_passes_share_one_module() {
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

    /// naga rejects literals in such expressions even if they are never reached.
    #[test]
    fn invalid_lowering_keeps_original_module() {
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
    fn lowered_scenes_are_valid_and_deterministic() {
        let scenes = files("../../shaders");
        assert_eq!(stays_valid(&scenes), scenes.len());
    }

    #[test]
    fn lowered_glsl_is_valid_and_deterministic() {
        assert!(stays_valid(&files("../glsl/tests/shaders")) > 110);
    }
}
