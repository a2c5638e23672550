//! Declarations for a front end that lacks combined samplers and some functions.

use std::collections::BTreeSet;

use super::prelude::sampler_type;
use super::project::CHANNELS;
use tarsus_shader::ChannelShape;

/// Functions with a channel of a shape as their first parameter: return type, name, and
/// remaining parameters.
fn channel_functions(shape: ChannelShape) -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let (at, texel, size) = match shape {
        ChannelShape::Texture2d => ("vec2", "ivec2", "ivec2"),
        ChannelShape::Cube => ("vec3", "", "ivec2"),
        ChannelShape::Volume => ("vec3", "ivec3", "ivec3"),
    };
    let mut functions = vec![
        ("vec4", "texture", vec![at]),
        ("vec4", "texture", vec![at, "float"]),
        ("vec4", "textureLod", vec![at, "float"]),
        ("vec4", "textureGrad", vec![at, at, at]),
        (size, "textureSize", vec!["int"]),
    ];
    if !texel.is_empty() {
        functions.push(("vec4", "texelFetch", vec![texel, "int"]));
    }
    functions
}

/// Type and value that stand for a channel that is passed to functions. Each shape has its own
/// type, which selects the function.
fn channel_number(shape: ChannelShape, slot: usize) -> (&'static str, String) {
    match shape {
        ChannelShape::Texture2d => ("int", slot.to_string()),
        ChannelShape::Cube => ("uint", format!("{slot}u")),
        ChannelShape::Volume => ("float", format!("{slot}.0")),
    }
}

/// Declares the channels, and functions that naga lacks, for a source with these `words`.
pub(super) fn channels(shapes: [ChannelShape; CHANNELS], words: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    for (slot, shape) in shapes.into_iter().enumerate() {
        let texture = sampler_type(shape).replace("sampler", "texture");
        let binding = 2 * slot;
        text += &format!(
            "layout(set = 2, binding = {binding}) uniform {texture} tarsus_texture{slot};\n\
             layout(set = 2, binding = {}) uniform sampler tarsus_sampler{slot};\n",
            binding + 1
        );
    }
    let takes_samplers = ChannelShape::ALL.iter().any(|shape| words.contains(sampler_type(*shape)));
    text += &if takes_samplers { numbered_channels(shapes) } else { constructed_channels(shapes) };
    text + &missing_functions(words)
}

/// Defines channels as combined samplers, if no function takes a sampler.
fn constructed_channels(shapes: [ChannelShape; CHANNELS]) -> String {
    let channels = (0..).zip(shapes).map(|(slot, shape)| {
        let sampler = sampler_type(shape);
        format!("#define iChannel{slot} {sampler}(tarsus_texture{slot}, tarsus_sampler{slot})\n")
    });
    channels.collect()
}

/// Defines channels as numbers, so that they can be passed to functions.
fn numbered_channels(shapes: [ChannelShape; CHANNELS]) -> String {
    let mut text = String::new();
    let mut names = BTreeSet::new();
    for shape in ChannelShape::ALL.into_iter().filter(|shape| shapes.contains(shape)) {
        let sampler = sampler_type(shape);
        let ty = channel_number(shape, 0).0;
        for (result, name, parameters) in channel_functions(shape) {
            let declared = (0..).zip(&parameters).map(|(n, ty)| format!(", {ty} p{n}"));
            let declared: String = declared.collect();
            let arguments: String = (0..parameters.len()).map(|n| format!(", p{n}")).collect();
            text += &format!("{result} tarsus_{name}({ty} channel{declared}) {{ ");
            let mut slots = (0..CHANNELS).filter(|slot| shapes[*slot] == shape).rev().peekable();
            while let Some(slot) = slots.next() {
                if slots.peek().is_some() {
                    let number = channel_number(shape, slot).1;
                    text += &format!("if (channel == {number}) ");
                }
                let sampler = format!("{sampler}(tarsus_texture{slot}, tarsus_sampler{slot})");
                text += &format!("return {name}({sampler}{arguments}); ");
            }
            text += "}\n";
            names.insert(name);
        }
    }
    for (slot, shape) in shapes.into_iter().enumerate() {
        text += &format!("#define iChannel{slot} {}\n", channel_number(shape, slot).1);
    }
    for name in names {
        text += &format!("#define {name} tarsus_{name}\n");
    }
    for shape in ChannelShape::ALL {
        text += &format!("#define {} {}\n", sampler_type(shape), channel_number(shape, 0).0);
    }
    text
}

/// Functions that naga takes for vectors only, for numbers.
pub(super) const NUMBER_FUNCTIONS: &[(&str, &str)] = &[
    ("dot", "float dot(float a, float b) { return a * b; }\n"),
    ("normalize", "float normalize(float a) { return sign(a); }\n"),
    ("reflect", "float reflect(float a, float n) { return a - 2.0 * n * a * n; }\n"),
    (
        "faceforward",
        "float faceforward(float n, float a, float b) { return a * b < 0.0 ? n : -n; }\n",
    ),
    (
        "refract",
        "float refract(float a, float n, float eta) {
    float k = 1.0 - eta * eta * (1.0 - n * a * n * a);
    return k < 0.0 ? 0.0 : eta * a - (eta * n * a + sqrt(k)) * n;
}
",
    ),
];

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
    for (name, function) in NUMBER_FUNCTIONS {
        if words.contains(name) {
            text += function;
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
