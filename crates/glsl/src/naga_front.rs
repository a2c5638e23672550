//! Compiles GLSL with naga's front end: in builds without the reference compiler, and as
//! its fallback.
//!
//! It accepts less than browsers' compilers do, so the prelude adapts the source.

use naga::front::glsl::{Frontend, Options, ParseErrors};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Module, ShaderStage};

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
    sort_functions(&mut module);
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    match validator.validate(&module) {
        Ok(_) => Ok(module),
        Err(error) => Err(format!("ERROR: 0:1:0: '' : {}", error.into_inner())),
    }
}

/// Formats errors as log lines. naga ignores `#line`, so file and line are read from the
/// source text.
fn log(errors: &ParseErrors, text: &str) -> String {
    let lines = errors.errors.iter().map(|error| {
        let start = error.meta.to_range().map_or(0, |range| range.start);
        let at = text.floor_char_boundary(start);
        let (file, line) = position(text, at);
        let line_text = text[..at].rsplit('\n').next();
        let column = line_text.map_or(0, |line| line.chars().count() + 1);
        format!("ERROR: {file}:{line}:{column}: '' : {}\n", error.kind)
    });
    lines.collect()
}
