//! Compiles GLSL to SPIR-V with the reference compiler.

use glslang::error::GlslangError;
use glslang::{
    Compiler, CompilerOptions, GlslProfile, ShaderInput, ShaderMessage, ShaderSource, ShaderStage,
    SourceLanguage, SpirvVersion, Target, VulkanVersion,
};

/// GLSL version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// GLSL ES 3.10: slightly more than WebGL2.
    Es,
    /// GLSL 4.50: adds implicit conversions and redefinition of built-in functions.
    Desktop,
}

impl Dialect {
    /// The first lines of the source.
    pub(super) fn head(self) -> &'static str {
        match self {
            Self::Es => {
                "#version 310 es\n\
                 #extension GL_EXT_shader_non_constant_global_initializers : enable\n\
                 #extension GL_EXT_samplerless_texture_functions : enable\n\
                 precision highp float; precision highp int; precision highp sampler2D; \
                 precision highp sampler3D; precision highp samplerCube; \
                 precision highp texture2D;\n"
            }
            Self::Desktop => {
                "#version 450\n\
                 #extension GL_EXT_samplerless_texture_functions : enable\n\
                 #define highp\n#define mediump\n#define lowp\n"
            }
        }
    }

    fn version(self) -> (i32, GlslProfile) {
        match self {
            Self::Es => (310, GlslProfile::ES),
            Self::Desktop => (450, GlslProfile::Core),
        }
    }
}

/// Compiles the fragment shader `text`.
///
/// # Errors
/// Returns the compiler's log, one line per finding. It stops at the first error unless
/// `all` is set; later errors may only be consequences.
pub(super) fn compile(text: &str, dialect: Dialect, all: bool) -> Result<Vec<u32>, String> {
    let compiler = Compiler::acquire().ok_or("ERROR: cannot start the GLSL compiler")?;
    let source = ShaderSource::from(text);
    let mut messages = ShaderMessage::DISPLAY_ERROR_COLUMN
        | ShaderMessage::SPV_RULES
        | ShaderMessage::VULKAN_RULES
        | ShaderMessage::SUPPRESS_WARNINGS;
    if all {
        messages |= ShaderMessage::CASCADING_ERRORS;
    }
    let options = CompilerOptions {
        source_language: SourceLanguage::GLSL,
        target: Target::Vulkan {
            version: VulkanVersion::Vulkan1_0,
            spirv_version: SpirvVersion::SPIRV1_0,
        },
        version_profile: Some(dialect.version()),
        messages,
    };
    let no_definitions: Option<&[(&str, Option<&str>)]> = None;
    let input = ShaderInput::new(
        &source,
        ShaderStage::Fragment,
        &options,
        no_definitions,
        None,
    )
    .map_err(log)?;
    let shader = compiler.create_shader(input).map_err(log)?;
    shader.compile().map_err(log)
}

/// Initializes the compiler's built-in functions, a cost otherwise paid by the first
/// compilation.
pub(super) fn warm_up() {
    // Only the side effect is needed.
    let _ = compile(&smallest(), Dialect::Es, false);
}

fn smallest() -> String {
    format!("{}void main() {{}}\n", Dialect::Es.head())
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
        assert!(
            !compile(&smallest(), Dialect::Es, false)
                .expect("a module")
                .is_empty()
        );
    }
}
