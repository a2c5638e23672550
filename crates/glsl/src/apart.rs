//! Declarations for a front end that lacks combined samplers and some functions.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::project::CHANNELS;

/// Functions with a channel as their first parameter: return type, name, and remaining
/// parameters.
const OF_CHANNELS: &[(&str, &str, &[&str])] = &[
    ("vec4", "texture", &["vec2"]),
    ("vec4", "texture", &["vec2", "float"]),
    ("vec4", "textureLod", &["vec2", "float"]),
    ("vec4", "textureGrad", &["vec2", "vec2", "vec2"]),
    ("vec4", "texelFetch", &["ivec2", "int"]),
    ("ivec2", "textureSize", &["int"]),
];

/// Defines channels as combined samplers, if no function takes a sampler.
pub(super) fn constructed_channels(text: &mut String, samplers: [&str; CHANNELS]) {
    for (slot, sampler) in samplers.iter().enumerate() {
        let _ = writeln!(
            text,
            "#define iChannel{slot} {sampler}(tarsus_texture{slot}, tarsus_sampler{slot})"
        );
    }
}

/// Defines channels as numbers, so that they can be passed to functions.
pub(super) fn numbered_channels(text: &mut String) {
    for (returned, name, parameters) in OF_CHANNELS {
        let declared = (0..).zip(*parameters).map(|(n, ty)| format!(", {ty} p{n}"));
        let declared: String = declared.collect();
        let given: String = (0..parameters.len()).map(|n| format!(", p{n}")).collect();
        let _ = write!(text, "{returned} tarsus_{name}(int channel{declared}) {{ ");
        for slot in (0..CHANNELS).rev() {
            let head = match slot {
                0 => String::new(),
                slot => format!("if (channel == {slot}) "),
            };
            let _ = write!(
                text,
                "{head}return {name}(sampler2D(tarsus_texture{slot}, tarsus_sampler{slot}){given}); "
            );
        }
        text.push_str("}\n");
    }
    for slot in 0..CHANNELS {
        let _ = writeln!(text, "#define iChannel{slot} {slot}");
    }
    let names: BTreeSet<&str> = OF_CHANNELS.iter().map(|(_, name, _)| *name).collect();
    for name in names {
        let _ = writeln!(text, "#define {name} tarsus_{name}");
    }
    text.push_str("#define sampler2D int\n");
}

/// Defines functions that naga lacks.
pub(super) fn missing_functions(text: &mut String, words: &BTreeSet<&str>) {
    if words.contains("modf") {
        for ty in ["float", "vec2", "vec3", "vec4"] {
            let _ = writeln!(
                text,
                "{ty} modf({ty} x, out {ty} whole) {{ whole = trunc(x); return x - whole; }}"
            );
        }
    }
    if words.contains("matrixCompMult") {
        for size in 2..=4 {
            let columns = (0..size).map(|n| format!("a[{n}] * b[{n}]"));
            let columns: Vec<String> = columns.collect();
            let _ = writeln!(
                text,
                "mat{size} matrixCompMult(mat{size} a, mat{size} b) {{ return mat{size}({}); }}",
                columns.join(", ")
            );
        }
    }
}
