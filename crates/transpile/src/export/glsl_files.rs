//! A scene as complete fragment shaders for OpenGL, declaring the Shadertoy inputs that the
//! code uses.

use tarsus_shader::PassKind;

use super::reserved::unique;
use super::shadertoy::Shadertoy;
use super::source_file::contains_word;

/// A dialect of GLSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlslVersion {
    /// `#version 450 core`
    Core450,
    /// `#version 300 es`
    Es300,
}

/// Type, name and meaning of Shadertoy's uniforms.
const UNIFORMS: &[(&str, &str, &str)] = &[
    ("vec3", "iResolution", "Width, height in pixels, 1."),
    ("float", "iTime", "Seconds since the start."),
    ("float", "iTimeDelta", "Seconds since the previous frame."),
    ("float", "iFrameRate", "Frames per second."),
    ("int", "iFrame", "Frame number, from 0."),
    (
        "vec4",
        "iMouse",
        "Last drag position in pixels from the lower left, and press position; z < 0 while the \
         button is up.",
    ),
    ("vec4", "iDate", "Year, month from 0, day, seconds since midnight."),
];

/// True for passes that [`to_glsl`] writes.
pub fn has_glsl_file(pass: PassKind) -> bool {
    matches!(pass, PassKind::Image | PassKind::Buffer(_))
}

/// Writes every image and buffer pass as a separate fragment shader. Returns names and
/// sources.
pub fn to_glsl(exported: &Shadertoy, version: GlslVersion) -> Vec<(String, String)> {
    let common = exported.passes.iter();
    let common: String =
        common.filter(|pass| pass.kind.is_none()).map(|pass| format!("{}\n", pass.code)).collect();
    let passes = exported.passes.iter();
    let rendered = passes.filter(|pass| pass.kind.is_some_and(has_glsl_file));
    let shaders = rendered.map(|pass| {
        let samplers: Vec<&str> = pass.inputs.iter().map(|input| input.sampler).collect();
        let text = shader(&(common.clone() + &pass.code), &samplers, version);
        (format!("{}.frag", pass.name()), text)
    });
    shaders.collect()
}

fn shader(code: &str, samplers: &[&str], version: GlslVersion) -> String {
    let mut text = match version {
        GlslVersion::Core450 => "#version 450 core\n\n".to_owned(),
        GlslVersion::Es300 => "#version 300 es\nprecision highp float;\nprecision highp int;\n\
             precision highp sampler2D;\nprecision highp sampler3D;\nprecision highp samplerCube;\n\n"
            .to_owned(),
    };
    for (ty, name, meaning) in UNIFORMS {
        if contains_word(code, name) {
            text.push_str(&format!("// {meaning}\nuniform {ty} {name};\n"));
        }
    }
    for (number, sampler) in samplers.iter().enumerate() {
        text.push_str(&format!("uniform {sampler} iChannel{number};\n"));
    }
    let output = unique("color", |name| !contains_word(code, name));
    text.push_str(&format!("layout(location = 0) out vec4 {output};\n\n"));
    text.push_str(code);
    text.push_str(&format!(
        "\n// As always in OpenGL, the first row is at the bottom.\n\
         void main() {{\n    mainImage({output}, gl_FragCoord.xy);\n}}\n",
    ));
    text
}
