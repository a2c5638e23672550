//! Properties of a scene derived from its validated module, such as its period and whether
//! it is animated, and checks for code that adapters reject.

use naga::{
    AddressSpace, Block, Expression, Function, GlobalVariable, Handle, Module, Statement, TypeInner,
};

use super::bindings::{at_declaration, is_frame};
use super::blocks::inner_blocks;
use super::diagnostic::Diagnostic;
use super::entry::{LOOP_SECONDS, PERIOD_PROBE};
use super::names::split;
use super::operands::{Variable, root};
use super::source_map::SourceMap;

/// Maximum size of a private variable in bytes.
const MAX_PRIVATE_BYTES: u32 = 1 << 16;
/// Members of the frame uniform that change without user input.
const CHANGING: &[&str] = &[
    "time",
    "time_delta",
    "date",
    "press_age",
    "release_age",
    "frame_rate",
    "index",
];

/// Checks that every `override` has a value, because pipelines do not set override
/// constants.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first `override` without a value.
pub(super) fn require_values(module: &Module, sources: &SourceMap) -> Result<(), Box<Diagnostic>> {
    let open = module
        .overrides
        .iter()
        .find(|(_, open)| open.init.is_none());
    let Some((_, open)) = open else {
        return Ok(());
    };
    let name = split(open.name.as_deref().unwrap_or_default(), sources);
    let written = name.written();
    let message = format!("`override {written}` has no value");
    let hint = format!(
        "hint: write `const {written} = …;`, or make it a member of `struct Params` to set it from outside"
    );
    Err(at_declaration(&name, sources, message, hint))
}

/// Checks the size of private variables. They occupy registers of each pixel, and adapters
/// crash on large ones.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first variable that is too large.
pub(super) fn require_memory(module: &Module, sources: &SourceMap) -> Result<(), Box<Diagnostic>> {
    let mut layouter = naga::proc::Layouter::default();
    if layouter.update(module.to_ctx()).is_err() {
        return Ok(());
    }
    let too_large = module.global_variables.iter().find(|(_, global)| {
        global.space == AddressSpace::Private && layouter[global.ty].size > MAX_PRIVATE_BYTES
    });
    let Some((_, global)) = too_large else {
        return Ok(());
    };
    let name = split(global.name.as_deref().unwrap_or_default(), sources);
    let message = format!(
        "`{}` takes {} bytes of every pixel: the limit is {MAX_PRIVATE_BYTES}",
        name.written(),
        layouter[global.ty].size
    );
    let hint = "hint: a table that never changes is a `const`".to_owned();
    Err(at_declaration(&name, sources, message, hint))
}

/// Checks that functions receive pointers to whole variables only; the code generated for
/// adapters cannot express pointers to parts.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first function that passes a pointer to a part of a
/// variable.
pub(super) fn require_whole_variables(
    module: &Module,
    sources: &SourceMap,
) -> Result<(), Box<Diagnostic>> {
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    let functions = module.functions.iter().map(|(_, function)| function);
    for function in functions.chain(entries) {
        let Some(called) = gets_a_part(module, function, &function.body) else {
            continue;
        };
        let name = split(function.name.as_deref().unwrap_or_default(), sources);
        let called = split(called, sources);
        let message = format!(
            "`{}` hands `{}` a pointer to a part of a variable",
            name.written(),
            called.written()
        );
        let hint = "hint: hand over a variable of its own, `var part = …;`, and write it back after the call".to_owned();
        return Err(at_declaration(&name, sources, message, hint));
    }
    Ok(())
}

/// Name of the first function that a block passes a pointer to a part of a variable.
fn gets_a_part<'m>(module: &'m Module, function: &Function, block: &Block) -> Option<&'m str> {
    let is_pointer = |argument: u32| {
        let argument = function.arguments.get(argument as usize);
        argument.is_some_and(|argument| module.types[argument.ty].inner.pointer_space().is_some())
    };
    let is_part = |argument: Handle<Expression>| {
        let is_whole = !matches!(
            function.expressions[argument],
            Expression::Access { .. } | Expression::AccessIndex { .. }
        );
        !is_whole
            && match root(function, argument) {
                Some(Variable::Argument(argument)) => is_pointer(argument),
                root => root.is_some(),
            }
    };
    block.iter().find_map(|statement| match statement {
        Statement::Call {
            function: called,
            arguments,
            ..
        } => {
            let gets_one = arguments.iter().any(|argument| is_part(*argument));
            gets_one.then(|| {
                module.functions[*called]
                    .name
                    .as_deref()
                    .unwrap_or_default()
            })
        }
        other => {
            let mut inner = inner_blocks(other).into_iter();
            inner.find_map(|block| gets_a_part(module, function, block))
        }
    })
}

/// Period of the scene in seconds, if a constant declares it.
///
/// # Errors
/// Returns a [`Diagnostic`] if that constant is not positive.
pub(super) fn period(module: &Module, sources: &SourceMap) -> Result<Option<f64>, Box<Diagnostic>> {
    let named = |wanted: &str| {
        let mut constants = module.constants.iter();
        constants.find(|(_, constant)| constant.name.as_deref() == Some(wanted))
    };
    let Some((_, constant)) = named(PERIOD_PROBE).or_else(|| named(LOOP_SECONDS)) else {
        return Ok(None);
    };
    let seconds = match module.global_expressions[constant.init] {
        Expression::Literal(naga::Literal::F32(value)) => f64::from(value),
        Expression::Literal(naga::Literal::I32(value)) => f64::from(value),
        Expression::Literal(naga::Literal::U32(value)) => f64::from(value),
        _ => return Ok(None),
    };
    if seconds > 0.0 && seconds.is_finite() {
        return Ok(Some(seconds));
    }
    let why = if seconds == 0.0 {
        "a period of 0 seconds never passes"
    } else {
        "time does not run backward"
    };
    Err(sources.diagnostic(
        "",
        format!("`{LOOP_SECONDS}` is {seconds}: {why}"),
        sources.declaration("", LOOP_SECONDS),
        String::new(),
        vec!["hint: give it the seconds after which the scene repeats, or remove it".to_owned()],
    ))
}

/// Conservative test for animation: true if the image may change without user input, false
/// only if it cannot.
pub(super) fn is_animated(module: &Module) -> bool {
    let Some(frame) = frame(module) else {
        return false;
    };
    let TypeInner::Struct { members, .. } = &module.types[module.global_variables[frame].ty].inner
    else {
        return true;
    };
    let changes_by_itself = |index: u32| {
        let name = members
            .get(index as usize)
            .and_then(|member| member.name.as_deref());
        name.is_none_or(|name| CHANGING.contains(&name))
    };
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    let functions = module.functions.iter().map(|(_, function)| function);
    entries
        .chain(functions)
        .any(|function| reads(function, frame, changes_by_itself))
}

/// Variable of the frame uniform.
fn frame(module: &Module) -> Option<Handle<GlobalVariable>> {
    let mut globals = module.global_variables.iter();
    globals
        .find(|(_, global)| is_frame(module, global))
        .map(|(handle, _)| handle)
}

/// True if `function` reads a member of `frame` that satisfies `wanted`, or loads the whole
/// frame.
fn reads(function: &Function, frame: Handle<GlobalVariable>, wanted: impl Fn(u32) -> bool) -> bool {
    let is_frame = |handle: Handle<Expression>| matches!(function.expressions[handle], Expression::GlobalVariable(global) if global == frame);
    function
        .expressions
        .iter()
        .any(|(_, expression)| match *expression {
            Expression::AccessIndex { base, index } => is_frame(base) && wanted(index),
            Expression::Load { pointer } => is_frame(pointer),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use crate::{Program, Scene, compose};

    fn program(text: &str) -> Program {
        let scene = Scene::from_text(text, "s.wgsl");
        compose(&scene, &crate::test_library(), &[]).expect("a scene")
    }

    fn is_animated(body: &str) -> bool {
        let text =
            format!("#import tarsus::frame\nfn main_image(p: vec2f) -> vec4f {{ {body} }}\n");
        program(&text).is_animated
    }

    #[test]
    fn scenes_that_read_time_are_animated() {
        assert!(is_animated("return vec4f(sin(frame::frame.time));"));
        assert!(is_animated("return vec4f(f32(frame::frame.index));"));
        assert!(is_animated("return frame::frame.date;"));
        assert!(
            is_animated("let f = frame::frame; return f.mouse;"),
            "taken as a whole"
        );
    }

    #[test]
    fn scenes_without_time_are_static() {
        assert!(!is_animated("return vec4f(1.0);"));
        assert!(!is_animated(
            "return vec4f(p / frame::frame.resolution, 0.0, 1.0);"
        ));
        assert!(!is_animated(
            "return frame::frame.mouse + frame::frame.pointer + frame::frame.orbit;"
        ));
        assert!(!is_animated("return vec4f(frame::centred(p), 0.0, 1.0);"));
    }
}
