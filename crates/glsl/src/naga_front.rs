//! Compiles GLSL with naga's front end, in builds without the reference compiler.
//!
//! It accepts less than browsers' compilers do, so the prelude adapts the source, and
//! [`Tokens`] rewrites what naga gets wrong.

mod repair;
mod tokens;

use std::error::Error as _;
use std::iter;

use naga::front::glsl::{Frontend, Options};
use naga::valid::{Capabilities, ValidationError, ValidationFlags, Validator};
use naga::{AddressSpace, Module, ShaderStage, WithSpan};

use self::tokens::{Error, Tokens};
use super::module::sort_functions;
use super::prelude::{PassContext, SamplerStyle};
use super::unit::position;

/// Compiles a pass.
///
/// # Errors
/// Returns a log in the reference compiler's format, one line per error.
pub(super) fn compile(context: &PassContext<'_>) -> Result<Module, String> {
    let head = "#version 450\n#define GL_ES 1\n#define GL_FRAGMENT_PRECISION_HIGH 1\n\
                #define __FILE__ 0\n\
                #define highp\n#define mediump\n#define lowp\n#define in\n";
    let text = context.source(head, SamplerStyle::Separate);
    let log =
        |errors: Vec<Error>| errors.iter().map(|error| line(error, &text)).collect::<String>();
    parse(&text).map_err(log)
}

fn parse(source: &str) -> Result<Module, Vec<Error>> {
    let mut tokens = Tokens::new(source).map_err(|error| vec![error])?;
    tokens.remove_unreachable();
    tokens.split_declarations();
    tokens.size_arrays();
    tokens.name_parameters();
    tokens.inline_sizes();
    tokens.convert_conditions();
    tokens.complete_statements();
    tokens.limit_divisions();
    tokens.copy_columns();
    tokens.store_indices().map_err(|error| vec![error])?;
    tokens.branch_at_operators();
    let mut module = parse_tokens(&mut tokens)?;
    // naga drops initializers that are not constant, or that it cannot evaluate.
    let globals = &module.global_variables;
    let without_value = globals
        .iter()
        .filter(|(_, global)| global.space == AddressSpace::Private && global.init.is_none());
    let declarators = without_value.filter_map(|(handle, _)| globals.get_span(handle).to_range());
    if tokens.assign_in_main(declarators) {
        tokens.branch_at_operators();
        module = parse_tokens(&mut tokens)?;
    }
    sort_functions(&mut module);
    repair::repair(&mut module);
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    match validator.validate(&module) {
        Ok(_) => Ok(module),
        Err(error) => Err(vec![validation_error(&error, &tokens)]),
    }
}

/// The cause of an invalid module, at the expression or statement to blame.
fn validation_error(error: &WithSpan<ValidationError>, tokens: &Tokens) -> Error {
    let causes = iter::successors(error.as_inner().source(), |&cause| cause.source());
    let message = causes.last().map_or_else(|| error.as_inner().to_string(), ToString::to_string);
    let spans = error.spans().filter_map(|(span, _)| span.to_range());
    let at = spans.last().map_or(0, |span| tokens.offset(span.start));
    Error { at, message: self::message(&message) }
}

/// Parses `tokens`. Constants whose values naga cannot compute become variables.
fn parse_tokens(tokens: &mut Tokens) -> Result<Module, Vec<Error>> {
    let options = Options::from(ShaderStage::Fragment);
    // Errors of the source before its integer constants became variables.
    let mut original = None;
    loop {
        let errors = match Frontend::default().parse(&options, &tokens.text()) {
            Ok(module) => return Ok(module),
            Err(errors) => errors.errors,
        };
        let place = |error: &naga::front::glsl::Error| Some(error.meta.to_range()?.start);
        let located = errors.iter().map(|error| Error {
            at: place(error).map_or(0, |at| tokens.offset(at)),
            message: message(&error.kind.to_string()),
        });
        let located: Vec<Error> = located.collect();
        let unknown_value = errors.iter().find(|error| {
            let message = error.kind.to_string();
            message.contains("constant expression") || message.contains("runtime-expression")
        });
        let Some(unknown_value) = unknown_value else { return Err(located) };
        if place(unknown_value).is_some_and(|at| tokens.remove_constant(at))
            || tokens.remove_constants(false)
        {
            continue;
        }
        // Without integer constants, valid sizes of arrays have unknown values too.
        let original = original.get_or_insert(located);
        if !tokens.remove_constants(true) {
            return Err(std::mem::take(original));
        }
    }
}

/// naga's message, or that for what naga does not implement, in GLSL's terms.
fn message(reason: &str) -> String {
    let known = [
        ("qual(Array", "cannot compare arrays or structures: compare their elements"),
        ("qual(Struct", "cannot compare arrays or structures: compare their elements"),
        ("unsupported matrix", "a structure cannot have a matrix with two rows: write its columns"),
        ("Size exceeds limit", "an array is too large"),
    ];
    let found = known.into_iter().find(|(part, _)| reason.contains(part));
    found.map_or(reason, |(_, message)| message).to_owned()
}

/// A log line. naga ignores `#line`, so file and line are read from the source text.
fn line(error: &Error, source: &str) -> String {
    let at = source.floor_char_boundary(error.at);
    let (file, line) = position(source, at);
    let line_text = source[..at].rsplit('\n').next();
    let column = line_text.map_or(0, |line| line.chars().count() + 1);
    format!("ERROR: {file}:{line}:{column}: '' : {}\n", error.message)
}
