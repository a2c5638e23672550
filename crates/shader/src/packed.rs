//! Composed programs as JSON, for a player without a front end. The modules are WGSL that
//! naga can parse without the sources; comments have already been evaluated.

use std::borrow::Cow;
use std::sync::Arc;

use naga::TypeInner;
use naga::back::wgsl::{WriterFlags, write_string};
use naga::compact::{KeepUnused, compact};
use serde::{Deserialize, Serialize};

use super::bindings::FRAME;
use super::ir::validate;
use super::names::{is_mangled, item_of};
use super::program::Program;

/// A program without its sources.
#[derive(Deserialize, Serialize)]
struct Packed<'a> {
    modules: Vec<String>,
    /// Index in `modules` for each pass, in the order of [`Program::all_passes`].
    indices: Vec<usize>,
    program: Cow<'a, Program>,
}

/// Serialises a program to JSON. Functions of the scene keep their names with `keeps_names`, so
/// that messages of a browser's compiler can be traced to them.
///
/// # Errors
/// Returns the error of naga's validator or writer, in one sentence.
pub fn pack(program: &Program, keeps_names: bool) -> Result<String, String> {
    let mut modules: Vec<&Arc<naga::Module>> = Vec::new();
    let mut indices = Vec::new();
    for pass in program.all_passes() {
        let known = modules.iter().position(|module| Arc::ptr_eq(module, &pass.module));
        indices.push(known.unwrap_or(modules.len()));
        if known.is_none() {
            modules.push(&pass.module);
        }
    }
    let modules = modules
        .into_iter()
        .map(|module| text_of(module, keeps_names))
        .collect::<Result<_, _>>()
        .map_err(|error| format!("cannot pack the program: {error}"))?;
    let packed = Packed { modules, indices, program: Cow::Borrowed(program) };
    serde_json::to_string(&packed).map_err(|error| error.to_string())
}

/// Writes a module as WGSL without unused items and indentation. Functions, structs, arguments and
/// variables lose their names; with `keeps_names` functions of the scene keep theirs.
fn text_of(module: &naga::Module, keeps_names: bool) -> Result<String, String> {
    let mut module = module.clone();
    compact(&mut module, KeepUnused::No);
    for (_, function) in module.functions.iter_mut() {
        function.name.take_if(|name| !keeps_names || is_mangled(name));
        function.named_expressions.clear();
        let arguments = function.arguments.iter_mut().map(|argument| &mut argument.name);
        let variables = function.local_variables.iter_mut().map(|(_, variable)| &mut variable.name);
        arguments.chain(variables).for_each(|name| *name = None);
    }
    let structs =
        module.types.iter().filter(|(_, ty)| matches!(ty.inner, TypeInner::Struct { .. }));
    let structs: Vec<_> = structs.map(|(handle, ty)| (handle, ty.clone())).collect();
    for (handle, mut ty) in structs {
        let is_frame = ty.name.as_deref().is_some_and(|name| item_of(name) == FRAME);
        ty.name = Some(if is_frame { FRAME.to_owned() } else { format!("S{}", handle.index()) });
        if module.types.get(&ty).is_none() {
            module.types.replace(handle, ty);
        }
    }
    for (_, global) in module.global_variables.iter_mut() {
        global.name = None;
    }
    for (handle, constant) in module.constants.iter_mut() {
        constant.name = Some(format!("c{}", handle.index()));
    }
    let info = validate(&module).map_err(|errors| errors.concat())?;
    let written = write_string(&module, &info, WriterFlags::empty());
    let written = written.map_err(|error| error.to_string())?;
    Ok(written.lines().map(str::trim_start).collect::<Vec<_>>().join("\n"))
}

/// Reads a program written by [`pack`]. It has no sources, so that diagnostics cannot point
/// into them.
///
/// # Errors
/// Returns the problem in one sentence.
pub fn unpack(json: &str) -> Result<Program, String> {
    read(json).map_err(|error| format!("cannot read the program: {error}"))
}

fn read(json: &str) -> Result<Program, String> {
    let packed: Packed<'_> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let parse = |text: &String| match naga::front::wgsl::parse_str(text) {
        Ok(module) => Ok(Arc::new(module)),
        Err(error) => Err(error.message().to_owned()),
    };
    let modules: Vec<_> = packed.modules.iter().map(parse).collect::<Result<_, _>>()?;
    let mut program = packed.program.into_owned();
    let mut indices = packed.indices.into_iter();
    for pass in program.all_passes_mut() {
        let module = indices.next().and_then(|index| modules.get(index));
        pass.module = Arc::clone(module.ok_or("a pass has no module")?);
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pass, Scene, compose};

    fn composed(scene: &Scene) -> Program {
        compose(scene, &crate::test_library(), &[]).expect("a program")
    }

    fn same(a: &Program, b: &Program) {
        assert_eq!(a.channels, b.channels);
        assert_eq!(a.samplers, b.samplers);
        assert_eq!(a.parameters, b.parameters);
        assert_eq!(a.size, b.size);
        assert_eq!((a.period, a.is_animated, &a.hash), (b.period, b.is_animated, &b.hash));
        let passes = |program: &Program| -> Vec<_> {
            let content =
                |pass: &Pass| (pass.kind, pass.vertex_entry(), pass.bindings.clone(), pass.size);
            program.all_passes().map(content).collect()
        };
        assert_eq!(passes(a), passes(b));
        let distinct = |program: &Program| {
            let first = &program.passes[0].module;
            program.passes.iter().filter(|pass| Arc::ptr_eq(&pass.module, first)).count()
        };
        assert_eq!(distinct(a), distinct(b), "modules that are shared stay shared");
    }

    #[test]
    fn built_in_scenes_survive_packing() {
        for (name, ..) in tarsus_scenes::SCENES {
            let scene = Scene::find(name, &crate::test_library()).expect("a scene");
            let program = composed(&scene);
            let json = pack(&program, false).expect("packed");
            let again = unpack(&json).unwrap_or_else(|error| panic!("{name}: {error}"));
            same(&program, &again);
            for pass in again.per_frame.iter().chain(&again.passes) {
                let entries = &pass.module.entry_points;
                let mut entries = entries.iter().map(|entry| entry.name.as_str());
                assert!(entries.any(|entry| entry == pass.kind.entry()), "{}", pass.kind);
            }
        }
    }

    #[test]
    fn sound_survives_packing() {
        let text = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }
fn main_sound(sample: u32, time: f32) -> vec2f { return vec2f(time); }";
        let program = composed(&Scene::from_text(text, "a.wgsl"));
        assert!(program.sound.is_some());
        same(&program, &unpack(&pack(&program, false).expect("packed")).expect("unpacked"));
    }

    #[test]
    fn authors_functions_may_keep_their_names() {
        let text = "fn function_1(a: f32, b: f32) -> f32 { var local_1 = a; local_1 += b; return local_1; }
fn twice(c: f32) -> f32 { return function_1(c, c); }
fn main_image(p: vec2f) -> vec4f { return vec4f(twice(p.x)); }";
        let program = composed(&Scene::from_text(text, "a.wgsl"));
        for (keeps_names, head) in [(false, "fn function_2("), (true, "fn twice(")] {
            let json = pack(&program, keeps_names).expect("packed");
            assert!(json.contains(head) && !json.contains("local_1 += b"), "{json}");
            let again = unpack(&json).expect("unpacked");
            assert!(validate(&again.passes[0].module).is_ok());
        }
    }

    #[test]
    fn sizes_survive_packing() {
        let text = "/// size 3x2
fn buffer_a(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }
/// size 9x5
fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }";
        let program = composed(&Scene::from_text(text, "a.wgsl"));
        assert_eq!((program.size, program.passes[0].size), (Some((9, 5)), Some((3, 2))));
        same(&program, &unpack(&pack(&program, false).expect("packed")).expect("unpacked"));
    }

    #[test]
    fn unpack_rejects_invalid_json() {
        for text in ["", "{}", "[1]"] {
            let error = unpack(text).expect_err("refused");
            assert!(error.starts_with("cannot read the program: "), "{error}");
        }
        let program = composed(&Scene::from_text(
            "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }",
            "a.wgsl",
        ));
        let json = pack(&program, false).expect("packed");
        assert!(unpack(&json.replace("fn ", "nf ")).is_err());
        assert!(unpack(&json.replace("\"indices\":[0]", "\"indices\":[7]")).is_err());
    }
}
