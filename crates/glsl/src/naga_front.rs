//! Compiles GLSL with naga's front end: in builds without the reference compiler, and as
//! its fallback.
//!
//! It accepts less than browsers' compilers do, so the prelude adapts the source.

use std::collections::BTreeSet;

use naga::front::glsl::{Frontend, Options, ParseErrors};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Module, ShaderStage};

use super::lexer;
use super::module::sort_functions;
use super::prelude::{PassContext, SamplerStyle};
use super::unit::position;

/// Compiles a pass.
///
/// # Errors
/// Returns a log in the reference compiler's format, one line per error.
pub(super) fn compile(context: &PassContext<'_>) -> Result<Module, String> {
    let head = "#version 450\n#define GL_ES 1\n#define GL_FRAGMENT_PRECISION_HIGH 1\n\
                #define highp\n#define mediump\n#define lowp\n#define in\n";
    let text = context.source(head, SamplerStyle::Separate);
    let parsed = Frontend::default().parse(&Options::from(ShaderStage::Fragment), &text);
    let mut module = parsed.map_err(|errors| log(&errors, &text))?;
    if let Some(log) = dropped_initializer(&module, context) {
        return Err(log);
    }
    sort_functions(&mut module);
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    match validator.validate(&module) {
        Ok(_) => Ok(module),
        Err(error) => Err(format!("ERROR: 0:1:0: '' : {}", error.into_inner())),
    }
}

/// A log line about the first global variable whose initializer naga drops without a message,
/// because it is not constant.
fn dropped_initializer(module: &Module, context: &PassContext<'_>) -> Option<String> {
    let globals = module.global_variables.iter().map(|(_, global)| global);
    let dropped =
        globals.filter(|global| global.space == AddressSpace::Private && global.init.is_none());
    let dropped: BTreeSet<&str> = dropped.filter_map(|global| global.name.as_deref()).collect();
    let (name, span) = lexer::words(context.code).find(|(name, span)| {
        let (before, after) = (&context.code[..span.start], context.code[span.end..].trim_start());
        let size = after.strip_prefix('[').and_then(|size| size.split_once(']'));
        let after = size.map_or(after, |(_, after)| after.trim_start());
        let in_macro = || {
            let joined = before.replace("\\\n", "");
            joined.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('#'))
        };
        dropped.contains(name)
            && after.starts_with('=')
            && !in_macro()
            && before.matches('{').count() == before.matches('}').count()
    })?;
    let (file, line) = position(context.text, span.start);
    let column = column(context.text, span.start);
    Some(format!(
        "ERROR: {file}:{line}:{column}: '{name}' :  the initializer is not constant: assign the \
         value in a function\n"
    ))
}

/// Number of the character at byte `at` in its line, from 1.
fn column(text: &str, at: usize) -> usize {
    text[..at].rsplit('\n').next().map_or(0, |line| line.chars().count() + 1)
}

/// Formats errors as log lines. naga ignores `#line`, so file and line are read from the
/// source text.
fn log(errors: &ParseErrors, text: &str) -> String {
    let lines = errors.errors.iter().map(|error| {
        let start = error.meta.to_range().map_or(0, |range| range.start);
        let at = text.floor_char_boundary(start);
        let (file, line) = position(text, at);
        let column = column(text, at);
        format!("ERROR: {file}:{line}:{column}: '' : {}\n", error.kind)
    });
    lines.collect()
}
