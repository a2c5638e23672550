//! Compiles GLSL with naga's front end: in builds without the reference compiler, and as
//! its fallback.
//!
//! It accepts less than browsers' compilers do, so the prelude adapts the source.

use naga::front::glsl::{Frontend, Options, ParseErrors};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Module, ShaderStage};

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
    let mut module = parse(&text)?;
    if let Some(text) = with_assignments(&module, &text) {
        module = parse(&text)?;
    }
    sort_functions(&mut module);
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    match validator.validate(&module) {
        Ok(_) => Ok(module),
        Err(error) => Err(format!("ERROR: 0:1:0: '' : {}", error.into_inner())),
    }
}

fn parse(text: &str) -> Result<Module, String> {
    let parsed = Frontend::default().parse(&Options::from(ShaderStage::Fragment), text);
    parsed.map_err(|errors| log(&errors, text))
}

/// Moves initializers of global variables into `main`: those that naga left out of `module`
/// without a message, because they are not constant or it cannot evaluate them. Returns `None` if
/// there are none.
fn with_assignments(module: &Module, text: &str) -> Option<String> {
    let mut changed = text.to_owned();
    let mut assignments = String::new();
    for (handle, global) in module.global_variables.iter() {
        let span = module.global_variables.get_span(handle).to_range().unwrap_or_default();
        // The span of a global is its declarator, unless a macro wrote that.
        let (Some(declarator), Some(name)) = (text.get(span.clone()), &global.name) else {
            continue;
        };
        let is_whole = !declarator.contains([';', '#']);
        let Some((declared, value)) = declarator.split_once('=').filter(|_| is_whole) else {
            continue;
        };
        if global.space == AddressSpace::Private && global.init.is_none() {
            assignments += &format!("{name} = {value};\n");
            // Blanks keep the other spans valid.
            let range = span.start + declared.len()..span.end;
            let blank = text[range.clone()].bytes();
            let blank = blank.map(|byte| if byte == b'\n' { '\n' } else { ' ' });
            changed.replace_range(range, &blank.collect::<String>());
        }
    }
    let start = "void main() {\n";
    let at = changed.rfind(start)? + start.len();
    changed.insert_str(at, &assignments);
    (!assignments.is_empty()).then_some(changed)
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
