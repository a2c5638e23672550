//! Declarations for a front end that lacks combined samplers and some functions.

use std::collections::BTreeSet;

use super::prelude::channel_types;
use super::project::CHANNELS;
use tarsus_shader::ChannelShape;

/// Functions with a channel as their first parameter: return type, name, and remaining
/// parameters.
const CHANNEL_FUNCTIONS: &[(&str, &str, &[&str])] = &[
    ("vec4", "texture", &["vec2"]),
    ("vec4", "texture", &["vec2", "float"]),
    ("vec4", "textureLod", &["vec2", "float"]),
    ("vec4", "textureGrad", &["vec2", "vec2", "vec2"]),
    ("vec4", "texelFetch", &["ivec2", "int"]),
    ("ivec2", "textureSize", &["int"]),
];

/// Declares the channels, and functions that naga lacks, for a source with these `words`.
pub(super) fn channels(shapes: [ChannelShape; CHANNELS], words: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    for (slot, shape) in shapes.into_iter().enumerate() {
        let (binding, (_, texture)) = (2 * slot, channel_types(shape));
        text += &format!(
            "layout(set = 2, binding = {binding}) uniform {texture} tarsus_texture{slot};\n\
             layout(set = 2, binding = {}) uniform sampler tarsus_sampler{slot};\n",
            binding + 1
        );
    }
    let is_flat = shapes == [ChannelShape::Texture2d; CHANNELS];
    text += &match words.contains("sampler2D") && is_flat {
        true => numbered_channels(),
        false => constructed_channels(shapes),
    };
    text + &missing_functions(words)
}

/// Defines channels as combined samplers, if no function takes a sampler.
fn constructed_channels(shapes: [ChannelShape; CHANNELS]) -> String {
    let channels = (0..).zip(shapes).map(|(slot, shape)| {
        let sampler = channel_types(shape).0;
        format!("#define iChannel{slot} {sampler}(tarsus_texture{slot}, tarsus_sampler{slot})\n")
    });
    channels.collect()
}

/// Defines channels as numbers, so that they can be passed to functions.
fn numbered_channels() -> String {
    let mut text = String::new();
    for (result, name, parameters) in CHANNEL_FUNCTIONS {
        let declared = (0..).zip(*parameters).map(|(n, ty)| format!(", {ty} p{n}"));
        let declared: String = declared.collect();
        let arguments: String = (0..parameters.len()).map(|n| format!(", p{n}")).collect();
        text += &format!("{result} tarsus_{name}(int channel{declared}) {{ ");
        for slot in (0..CHANNELS).rev() {
            if slot > 0 {
                text += &format!("if (channel == {slot}) ");
            }
            let sampler = format!("sampler2D(tarsus_texture{slot}, tarsus_sampler{slot})");
            text += &format!("return {name}({sampler}{arguments}); ");
        }
        text += "}\n";
    }
    for slot in 0..CHANNELS {
        text += &format!("#define iChannel{slot} {slot}\n");
    }
    let names: BTreeSet<&str> = CHANNEL_FUNCTIONS.iter().map(|(_, name, _)| *name).collect();
    for name in names {
        text += &format!("#define {name} tarsus_{name}\n");
    }
    text + "#define sampler2D int\n"
}

/// Defines functions that naga lacks.
fn missing_functions(words: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    if words.contains("modf") {
        for ty in ["float", "vec2", "vec3", "vec4"] {
            text += &format!(
                "{ty} modf({ty} x, out {ty} whole) {{ whole = trunc(x); return x - whole; }}\n"
            );
        }
    }
    if words.contains("matrixCompMult") {
        for size in 2..=4 {
            let columns: Vec<String> = (0..size).map(|n| format!("a[{n}] * b[{n}]")).collect();
            let (ty, columns) = (format!("mat{size}"), columns.join(", "));
            text += &format!("{ty} matrixCompMult({ty} a, {ty} b) {{ return {ty}({columns}); }}\n");
        }
    }
    text
}
