//! Changes to modules without which a driver draws something else or refuses them, and warnings
//! where it does so all the same.

mod deep_branches;
mod divisions;
mod filtering;
mod packing;
mod vector_selects;

use naga::compact::{KeepUnused, compact};
use tarsus_shader::ir::{edit_block, functions_mut, statements};
use tarsus_shader::{Pass, Program};

use crate::channel_textures::filters_float32_in_shaders;
use crate::copy::Copier;
use crate::llvmpipe;
use deep_branches::has_deep_branches;
use divisions::divide_by_zero;
pub(super) use filtering::{Unfiltered, unfiltered_bindings};
use filtering::{UnfilteredBindings, filter_buffers, leaves_unfiltered};
use packing::replace_packing;
use vector_selects::choose_components;

/// Warnings about what the adapter of `device` draws differently in `program`.
pub fn adapter_warnings(device: &wgpu::Device, program: &Program) -> Vec<&'static str> {
    let mut warnings = Vec::new();
    if filters_float32_in_shaders(device, program) && leaves_unfiltered(program) {
        warnings.push(
            "this adapter cannot filter 32-bit floats: buffers that are sampled with an offset, \
             or through arguments of a function, use `nearest`",
        );
    }
    let mut passes = program.all_passes();
    if llvmpipe::is_llvmpipe(&device.adapter_info())
        && passes.any(|pass| has_deep_branches(&pass.module))
    {
        warnings.push(
            "llvmpipe ignores conditions inside 80 others, as in a `switch` that returns from 80 \
             cases or in a chain of 80 `else if`: the picture can be wrong on this adapter",
        );
    }
    warnings
}

/// Lowers the module of a pass for an adapter and its driver. `unfiltered` textures are filtered
/// in the shader. If the pass `has_texels`, it can sample per-frame values.
pub(super) fn lower_for_adapter(
    adapter: &wgpu::AdapterInfo,
    pass: &Pass,
    unfiltered: &UnfilteredBindings,
    has_texels: bool,
) -> naga::Module {
    let optimizes_for_llvmpipe = llvmpipe::is_enabled(adapter);
    let mut module = (*pass.module).clone();
    filter_buffers(&mut module, unfiltered);
    if optimizes_for_llvmpipe {
        remove_other_passes(&mut module, pass);
    }
    for function in functions_mut(&mut module.functions, &mut module.entry_points) {
        let mut budget = MAX_REPEATED;
        repeat_cases(&mut function.body, &mut function.expressions, &mut budget);
    }
    replace_packing(&mut module);
    if llvmpipe::is_llvmpipe(adapter) {
        divide_by_zero(&mut module);
    }
    pad_uniform_blocks(&mut module);
    // `Gl` includes OpenGL ES 3.0.
    if adapter.backend == wgpu::Backend::Gl {
        log::info!("lowering the pass {} for OpenGL", pass.kind.label());
        choose_components(&mut module);
        remove_final_returns(&mut module);
    }
    if optimizes_for_llvmpipe {
        module = llvmpipe::optimize(module, pass, has_texels);
    }
    module
}

/// Repeats the statements of a case in those that fall through to it. In SPIR-V naga lets them
/// fall to a wrong case if others have no statements, and in WGSL for browsers it writes none.
/// Nested switches double with each level: `budget` is the number of statements to repeat at most.
fn repeat_cases(
    block: &mut naga::Block,
    expressions: &mut naga::Arena<naga::Expression>,
    budget: &mut usize,
) {
    edit_block(block, &mut |statement| {
        let naga::Statement::Switch { cases, .. } = statement else {
            return;
        };
        let mut next = naga::Block::new();
        for case in cases.iter_mut().rev() {
            if case.fall_through && case.body.is_empty() {
                continue;
            }
            if !reaches_end(&case.body) {
                case.fall_through = false;
            } else if case.fall_through
                && let Some(left) = budget.checked_sub(statements(&next).count())
            {
                *budget = left;
                case.fall_through = false;
                case.body.extend_block(Copier::new(expressions).block(&next));
            }
            next = case.body.clone();
        }
    });
}

/// Maximum number of statements that are repeated in a function.
const MAX_REPEATED: usize = 10_000;

/// True if the end of `block` may be reached, and not only left by a jump.
fn reaches_end(block: &naga::Block) -> bool {
    match block.last() {
        Some(naga::Statement::Block(inner)) => reaches_end(inner),
        Some(naga::Statement::If { accept, reject, .. }) => {
            reaches_end(accept) || reaches_end(reject)
        }
        last => !last.is_some_and(naga::Statement::is_terminator),
    }
}

/// Removes entry points of other passes and everything that only they use.
fn remove_other_passes(module: &mut naga::Module, pass: &Pass) {
    let vertex = pass.vertex_entry();
    let entries = &mut module.entry_points;
    entries.retain(|entry| {
        let name = entry.name.as_str();
        name == pass.kind.entry() || Some(name) == vertex
    });
    compact(module, KeepUnused::No);
}

/// Pads uniform blocks to a multiple of 16 bytes, as OpenGL requires. The bound buffers
/// are padded likewise.
fn pad_uniform_blocks(module: &mut naga::Module) {
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

/// Removes returns where a function without a result ends anyway. naga's front ends add one to
/// each arm of a final `if`. With them, SwiftShader in Chromium took 104 s to compile the image
/// of `strandbeest`, which calls such functions at 80 places, and without them 2 s.
fn remove_final_returns(module: &mut naga::Module) {
    for (_, function) in module.functions.iter_mut() {
        if function.result.is_none() {
            remove_returns_at_end(&mut function.body);
        }
    }
}

fn remove_returns_at_end(block: &mut naga::Block) {
    if let Some(naga::Statement::Return { value: None }) = block.last() {
        block.cull(block.len() - 1..);
    }
    match block.last_mut() {
        Some(naga::Statement::Block(inner)) => remove_returns_at_end(inner),
        Some(naga::Statement::If { accept, reject, .. }) => {
            remove_returns_at_end(accept);
            remove_returns_at_end(reject);
        }
        Some(naga::Statement::Switch { cases, .. }) => {
            for case in cases.iter_mut().filter(|case| !case.fall_through) {
                remove_returns_at_end(&mut case.body);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Mutex;

    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use naga::{Arena, Block, Expression, Literal, Span, Statement, SwitchCase, SwitchValue};
    use tarsus_shader::{Builtins, Form, Library, PassKind, Scene, compose};

    use super::*;

    /// Modules of a pass for llvmpipe on Vulkan and for OpenGL, the adapters that need the
    /// most lowering.
    fn lower_for_vulkan_and_opengl(pass: &Pass) -> [naga::Module; 2] {
        [wgpu::Backend::Vulkan, wgpu::Backend::Gl].map(|backend| {
            let adapter = wgpu::AdapterInfo {
                driver: "llvmpipe".to_owned(),
                ..wgpu::AdapterInfo::new(wgpu::DeviceType::Cpu, backend)
            };
            let has_texels = pass.kind != PassKind::PerFrame;
            lower_for_adapter(&adapter, pass, &UnfilteredBindings::new(), has_texels)
        })
    }

    fn library() -> Library {
        let builtins = Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES };
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
    fn count_valid(files: &[PathBuf]) -> usize {
        let library = library();
        let programs = files.iter().filter_map(|path| {
            let scene = Scene::read(path).expect("a scene");
            let program = compose(&scene, &library, &[]).ok()?;
            for pass in program.all_passes() {
                let modules = lower_for_vulkan_and_opengl(pass);
                for module in &modules {
                    Validator::new(ValidationFlags::all(), Capabilities::all())
                        .validate(module)
                        .unwrap_or_else(|error| panic!("{path:?}: {:?}", error.into_inner()));
                }
                let again = lower_for_vulkan_and_opengl(pass);
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
            let [vulkan, opengl] = lower_for_vulkan_and_opengl(pass);
            let fragments = |module: &naga::Module| {
                let entries = module.entry_points.iter();
                entries.filter(|entry| entry.stage == naga::ShaderStage::Fragment).count()
            };
            let all = fragments(&pass.module);
            assert_eq!((fragments(&vulkan), fragments(&opengl)), (1, all));
            assert!(all > 1);
        }
    }

    #[test]
    fn functions_without_result_return_only_early() {
        let text = "var<private> sum: f32;
            fn add(x: f32) {
                if x < 0.0 { return; }
                if x > 0.5 {
                    switch u32(x) {
                        case 0u: { sum += x; }
                        default: { sum -= x; return; }
                    }
                } else {
                    sum += 0.5;
                }
            }
            fn main_image(p: vec2f) -> vec4f { add(p.x); return vec4f(sum); }";
        let program =
            compose(&Scene::from_text(text, "scene.wgsl"), &library(), &[]).expect("a program");
        let pass = program.all_passes().next().expect("a pass");
        let [_, opengl] = lower_for_vulkan_and_opengl(pass);
        let functions = opengl.functions.iter().filter(|(_, function)| function.result.is_none());
        let returns: Vec<_> = functions
            .map(|(_, function)| format!("{:?}", function.body).matches("Return").count())
            .collect();
        assert_eq!(returns, [1]);
    }

    static WARNINGS: Warnings = Warnings(Mutex::new(Vec::new()));

    struct Warnings(Mutex<Vec<String>>);

    impl log::Log for Warnings {
        fn enabled(&self, _: &log::Metadata<'_>) -> bool {
            true
        }

        fn log(&self, record: &log::Record<'_>) {
            let mut warnings = self.0.lock().expect("warnings");
            warnings.push(record.args().to_string());
        }

        fn flush(&self) {}
    }

    /// naga rejects literals in such expressions even if they are never reached.
    #[test]
    fn invalid_optimization_is_undone_and_logged() {
        log::set_logger(&WARNINGS).expect("no other logger");
        log::set_max_level(log::LevelFilter::Warn);
        let mut originals = 0;
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
            let [optimized, _] = lower_for_vulkan_and_opengl(pass);
            let mut original = (*pass.module).clone();
            remove_other_passes(&mut original, pass);
            pad_uniform_blocks(&mut original);
            originals += usize::from(format!("{optimized:?}") == format!("{original:?}"));
            Validator::new(ValidationFlags::all(), Capabilities::all())
                .validate(&optimized)
                .unwrap_or_else(|error| panic!("{value}: {:?}", error.into_inner()));
        }
        assert!(originals >= 2, "{originals}");
        let warnings = WARNINGS.0.lock().expect("warnings");
        let start = "cannot optimise the pass image, ";
        let count = warnings.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!(count, originals, "{warnings:?}");
    }

    #[test]
    fn lowered_scenes_are_valid_and_deterministic() {
        let scenes = files("../../shaders");
        assert_eq!(count_valid(&scenes), scenes.len());
    }

    #[test]
    fn lowered_glsl_is_valid_and_deterministic() {
        assert!(count_valid(&files("../glsl/tests/shaders")) > 110);
    }

    /// A switch of cases, each with its statements and whether it falls through to the next.
    fn switch(cases: Vec<(Vec<Statement>, bool)>) -> (Statement, Arena<Expression>) {
        let mut expressions = Arena::new();
        let selector = expressions.append(Expression::Literal(Literal::I32(0)), Span::UNDEFINED);
        let cases = cases.into_iter().map(|(body, fall_through)| SwitchCase {
            value: SwitchValue::Default,
            body: Block::from_vec(body),
            fall_through,
        });
        (Statement::Switch { selector, cases: cases.collect() }, expressions)
    }

    /// Lengths of the cases after the change, and whether they fall through.
    fn repeated(cases: Vec<(Vec<Statement>, bool)>) -> Vec<(usize, bool)> {
        let (statement, mut expressions) = switch(cases);
        let mut block = Block::from_vec(vec![statement]);
        repeat_cases(&mut block, &mut expressions, &mut MAX_REPEATED.clone());
        let Statement::Switch { cases, .. } = &block[0] else { panic!("{block:?}") };
        cases.iter().map(|case| (statements(&case.body).count(), case.fall_through)).collect()
    }

    #[test]
    fn cases_repeat_those_they_fall_to() {
        let one = || Statement::Block(Block::new());
        let cases = vec![
            (vec![one()], true),
            (vec![], true),
            (vec![one(), one()], true),
            (vec![one(), Statement::Break], false),
        ];
        assert_eq!(repeated(cases), [(5, false), (0, true), (4, false), (2, false)]);
    }

    #[test]
    fn cases_that_jump_repeat_nothing() {
        let inner = Statement::Block(Block::from_vec(vec![Statement::Continue]));
        let cases = vec![(vec![inner], true), (vec![Statement::Break], false)];
        assert_eq!(repeated(cases), [(2, false), (1, false)]);
    }

    #[test]
    fn nested_switches_repeat_within_a_limit() {
        let one = || Statement::Block(Block::new());
        let mut inner = one();
        for _ in 0..14 {
            inner = switch(vec![(vec![one()], true), (vec![inner], false)]).0;
        }
        let [(first, _), (second, _)] =
            repeated(vec![(vec![one()], true), (vec![inner], false)])[..]
        else {
            panic!("other cases");
        };
        assert!(first + second < MAX_REPEATED + 100, "{first} and {second}");
    }
}
