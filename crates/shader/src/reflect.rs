//! Properties of a scene derived from its validated module, such as its period and whether
//! it is animated, and checks for code that adapters reject.

use std::sync::Arc;

use naga::back::PipelineConstants;
use naga::back::pipeline_constants::process_overrides;
use naga::valid::ModuleInfo;
use naga::{
    AddressSpace, Expression, Function, GlobalVariable, Handle, Module, Statement, Type, TypeInner,
};

use super::bindings::is_frame;
use super::diagnostic::Checked;
use super::entry::{LOOP_SECONDS, PERIOD_PROBE};
use super::ir::{Variable, functions, root_variable, statements};
use super::names::demangle;
use super::source_map::SourceMap;

/// Maximum size of a variable of a pixel in bytes: that of Direct3D's 4096 registers for arrays.
/// llvmpipe is slow from 4 KB on, but a limit for its sake would forbid what GPUs can do.
const MAX_VARIABLE_BYTES: u32 = 1 << 16;
/// Members of the frame uniform that change without user input.
pub(super) const TIME_DEPENDENT_MEMBERS: &[&str] =
    &["time", "time_delta", "date", "press_age", "release_age", "frame_rate", "index"];
/// Members of the frame uniform that follow the pointer and its button.
pub(super) const POINTER_MEMBERS: &[&str] = &["mouse", "pointer", "press_age", "release_age"];

/// Replaces every `override` of a validated module with a constant of its value. Nothing sets
/// overrides from outside, and naga's back ends require that they are replaced.
///
/// # Errors
/// Returns an error at the first `override` without a value, or if a value has none at compile
/// time.
pub(super) fn replace_overrides(
    module: &Arc<Module>,
    info: ModuleInfo,
    sources: &SourceMap,
) -> Checked<(Arc<Module>, ModuleInfo)> {
    if module.overrides.is_empty() {
        return Ok((Arc::clone(module), info));
    }
    let mut overrides = module.overrides.iter();
    if let Some((_, missing)) = overrides.find(|(_, found)| found.init.is_none()) {
        let name = demangle(missing.name.as_deref().unwrap_or_default(), sources);
        let written = name.display();
        let message = format!("`override {written}` has no value");
        let hint = format!(
            "hint: write `const {written} = …;`, or make it a member of `struct Params` to set \
             it from outside"
        );
        return Err(sources.error_at(name.module, name.item, message).with_note(hint));
    }
    let replaced = process_overrides(module, &info, None, &PipelineConstants::default());
    let mut replaced = replaced.map_err(|error| {
        let message = format!("cannot evaluate an `override`: {error}");
        sources.error("", message).with_note("hint: write `const` instead of `override`")
    })?;
    // The replaced ones stay listed, without a use.
    replaced.0.to_mut().overrides.clear();
    Ok((Arc::new(replaced.0.into_owned()), replaced.1.into_owned()))
}

/// Checks the size of private and local variables. They occupy registers of each pixel, and
/// adapters crash on large ones.
///
/// # Errors
/// Returns an error at the first variable that is too large.
pub(super) fn require_small_variables(module: &Module, sources: &SourceMap) -> Checked<()> {
    let mut layouter = naga::proc::Layouter::default();
    if layouter.update(module.to_ctx()).is_err() {
        return Ok(());
    }
    let is_large = |ty: Handle<Type>| layouter[ty].size > MAX_VARIABLE_BYTES;
    let error = |item: Option<&str>, local: Option<&str>, ty: Handle<Type>| {
        let name = demangle(item.unwrap_or_default(), sources);
        let variable = local.map_or_else(|| name.display(), str::to_owned);
        let size = layouter[ty].size;
        let message =
            format!("`{variable}` takes {size} bytes per pixel: the limit is {MAX_VARIABLE_BYTES}");
        let hint = "hint: a table that never changes is a `const`; a buffer holds more";
        sources.error_at(name.module, name.item, message).with_note(hint)
    };
    for (_, global) in module.global_variables.iter() {
        if global.space == AddressSpace::Private && is_large(global.ty) {
            return Err(error(global.name.as_deref(), None, global.ty));
        }
    }
    for function in functions(module) {
        let locals = &function.local_variables;
        if let Some((handle, local)) = locals.iter().find(|(_, local)| is_large(local.ty)) {
            let mut error = error(function.name.as_deref(), local.name.as_deref(), local.ty);
            error.linked = locals.get_span(handle).to_range();
            return Err(error);
        }
    }
    Ok(())
}

/// Checks that functions receive pointers to whole variables only; the code generated for
/// adapters cannot express pointers to parts.
///
/// # Errors
/// Returns an error at the first pointer to a part of a variable that a function passes.
pub(super) fn require_whole_variables(module: &Module, sources: &SourceMap) -> Checked<()> {
    for function in functions(module) {
        let Some((callee, pointer)) = partial_pointer(module, function) else {
            continue;
        };
        let name = demangle(function.name.as_deref().unwrap_or_default(), sources);
        let message = format!(
            "`{}` passes `{}` a pointer to part of a variable",
            name.display(),
            demangle(callee, sources).display()
        );
        let hint = "hint: copy it to a variable, `var part = …;`, pass that and write it back \
                    after the call";
        let mut error = sources.error_at(name.module, name.item, message).with_note(hint);
        error.linked = function.expressions.get_span(pointer).to_range();
        return Err(error);
    }
    Ok(())
}

/// The first pointer to a part of a variable that is passed, and the name of the callee.
fn partial_pointer<'m>(
    module: &'m Module,
    function: &Function,
) -> Option<(&'m str, Handle<Expression>)> {
    let is_pointer = |number: u32| {
        let argument = function.arguments.get(number as usize);
        argument.is_some_and(|argument| module.types[argument.ty].inner.pointer_space().is_some())
    };
    let is_part = |&argument: &Handle<Expression>| {
        let is_access = matches!(
            function.expressions[argument],
            Expression::Access { .. } | Expression::AccessIndex { .. }
        );
        is_access
            && match root_variable(function, argument) {
                Some(Variable::Argument(number)) => is_pointer(number),
                root => root.is_some(),
            }
    };
    statements(&function.body).find_map(|statement| match statement {
        Statement::Call { function: callee, arguments, .. } => {
            let name = module.functions[*callee].name.as_deref();
            Some((name.unwrap_or_default(), *arguments.iter().find(|&part| is_part(part))?))
        }
        _ => None,
    })
}

/// Period of the scene in seconds, if a constant declares it.
///
/// # Errors
/// Returns an error if that constant is not positive.
pub(super) fn period(module: &Module, sources: &SourceMap) -> Checked<Option<f64>> {
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
    let message = format!("`{LOOP_SECONDS}` is {seconds}: expected a positive number of seconds");
    let hint = "hint: give it the seconds after which the scene repeats, or remove it";
    Err(sources.error_at("", LOOP_SECONDS, message).with_note(hint))
}

/// False only if none of these `functions` of `module` reads one of these members of the frame.
pub fn reads_frame<'f>(
    module: &Module,
    functions: impl IntoIterator<Item = &'f Function>,
    wanted: &[&str],
) -> bool {
    let mut globals = module.global_variables.iter();
    let Some((frame, global)) = globals.find(|(_, global)| is_frame(module, global)) else {
        return false;
    };
    let TypeInner::Struct { members, .. } = &module.types[global.ty].inner else {
        return true;
    };
    let is_wanted = |index: u32| {
        let member = members.get(index as usize);
        let name = member.and_then(|member| member.name.as_deref());
        name.is_none_or(|name| wanted.contains(&name))
    };
    functions.into_iter().any(|function| reads(function, frame, is_wanted))
}

/// True if `function` reads a member of `frame` that satisfies `wanted`, or loads the whole
/// frame.
fn reads(function: &Function, frame: Handle<GlobalVariable>, wanted: impl Fn(u32) -> bool) -> bool {
    let is_frame = |handle: Handle<Expression>| {
        function.expressions[handle] == Expression::GlobalVariable(frame)
    };
    let mut expressions = function.expressions.iter();
    expressions.any(|(_, expression)| match *expression {
        Expression::AccessIndex { base, index } => is_frame(base) && wanted(index),
        Expression::Load { pointer } => is_frame(pointer),
        _ => false,
    })
}
