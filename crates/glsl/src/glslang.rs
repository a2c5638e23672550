//! Compiles GLSL to SPIR-V with the reference compiler.

mod process;

use std::cell::Cell;
use std::time::Duration;

use glslang::error::GlslangError;
use glslang::{
    Compiler, CompilerOptions, ShaderInput, ShaderMessage, ShaderSource, ShaderStage, Target,
};

pub(super) use process::failure;
pub use process::{serve_compiler, use_compiler_process};

/// Time limit of the compilations of one pass.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a compiled pass, many times that of any real one, because the host spends
/// time and memory on every instruction.
pub(super) const MAX_WORDS: usize = 1 << 20;

/// GLSL version and extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub(super) enum Dialect {
    /// GLSL ES 3.00, as browsers take it. It can be checked only, not compiled.
    Strict,
    /// GLSL ES 3.10 with implicit conversions: more than WebGL2.
    Es,
    /// GLSL 4.50: functions may have the names of built-in functions.
    Desktop,
}

impl Dialect {
    /// The first lines of the source.
    pub(super) fn head(self) -> &'static str {
        match self {
            Self::Strict => {
                "#version 300 es\n\
                 precision highp float; precision highp int; precision highp sampler2D; \
                 precision highp sampler3D; precision highp samplerCube;\n"
            }
            Self::Es => {
                "#version 310 es\n\
                 #extension GL_EXT_shader_implicit_conversions : enable\n\
                 #extension GL_EXT_shader_non_constant_global_initializers : enable\n\
                 #extension GL_EXT_samplerless_texture_functions : enable\n\
                 precision highp float; precision highp int; precision highp sampler2D; \
                 precision highp sampler3D; precision highp samplerCube; \
                 precision highp texture2D;\n\
                 #define highp\n#define mediump\n#define lowp\n"
            }
            Self::Desktop => {
                "#version 450\n\
                 #extension GL_EXT_samplerless_texture_functions : enable\n\
                 #extension GL_EXT_spirv_intrinsics : enable\n\
                 #define GL_ES 1\n\
                 #define GL_FRAGMENT_PRECISION_HIGH 1\n\
                 #extension GL_EXT_spirv_intrinsics : disable\n\
                 #define highp\n#define mediump\n#define lowp\n"
            }
        }
    }
}

/// Compiles the fragment shader `text` to SPIR-V; in [`Dialect::Strict`] only checks it, and
/// returns nothing.
///
/// # Errors
/// Returns the compiler's log, one line per finding. It stops at the first error unless
/// `all` is set; later errors may only be consequences. In a child process it takes at most
/// `time_left`, which shrinks by the time taken.
pub(super) fn compile(
    text: &str,
    dialect: Dialect,
    all: bool,
    time_left: &Cell<Duration>,
) -> Result<Vec<u32>, String> {
    process::compile(text, dialect, all, time_left)
        .unwrap_or_else(|| compile_here(text, dialect, all))
}

/// Like [`compile`], in this process.
fn compile_here(text: &str, dialect: Dialect, all: bool) -> Result<Vec<u32>, String> {
    let compiler = Compiler::acquire().ok_or("ERROR: cannot start the GLSL compiler")?;
    let source = ShaderSource::from(text);
    let is_strict = dialect == Dialect::Strict;
    let mut options = CompilerOptions {
        messages: ShaderMessage::DISPLAY_ERROR_COLUMN | ShaderMessage::SUPPRESS_WARNINGS,
        ..CompilerOptions::default()
    };
    match is_strict {
        true => options.target = Target::None(None),
        false => options.messages |= ShaderMessage::SPV_RULES | ShaderMessage::VULKAN_RULES,
    }
    if all {
        options.messages |= ShaderMessage::CASCADING_ERRORS;
    }
    let no_definitions: Option<&[(&str, Option<&str>)]> = None;
    let input = ShaderInput::new(&source, ShaderStage::Fragment, &options, no_definitions, None)
        .map_err(log)?;
    let shader = compiler.create_shader(input).map_err(log)?;
    match is_strict {
        true => Ok(Vec::new()),
        false => {
            let words = shader.compile().map_err(log)?;
            match words.len() {
                ..=MAX_WORDS => Ok(words),
                count => Err(format!(
                    "ERROR: it compiles to {count} words of SPIR-V, and the limit is {MAX_WORDS}"
                )),
            }
        }
    }
}

/// Initializes the compiler's built-in functions, a cost otherwise paid by the first
/// compilation.
pub(super) fn warm_up() {
    for dialect in [Dialect::Strict, Dialect::Es] {
        // Only the side effect is needed.
        let _ = compile(&smallest(dialect), dialect, false, &TIMEOUT.into());
    }
}

fn smallest(dialect: Dialect) -> String {
    format!("{}void main() {{}}\n", dialect.head())
}

fn log(error: GlslangError) -> String {
    match error {
        GlslangError::PreprocessError(log)
        | GlslangError::ParseError(log)
        | GlslangError::MapIoError(log)
        | GlslangError::LinkError(log) => log.log,
        other => format!("ERROR: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warm_up_shader_compiles() {
        use Dialect::{Desktop, Es, Strict};
        for dialect in [Strict, Es, Desktop] {
            let made = compile(&smallest(dialect), dialect, false, &TIMEOUT.into());
            assert_eq!(made.map(|words| words.is_empty()), Ok(dialect == Strict));
        }
    }
}
