//! Helper functions for WGSL built-ins that GLSL ES 3.00 lacks.

use std::collections::BTreeSet;

use super::wgsl_helpers;

/// Names of all helpers, which no declaration may take.
pub(super) const NAMES: &[&str] = &[
    "remainder",
    "choose",
    "both",
    "either",
    "int_dot",
    "count_one_bits",
    "count_leading_zeros",
    "count_trailing_zeros",
    "first_leading_bit",
    "first_trailing_bit",
    "reverse_bits",
    "extract_bits",
    "insert_bits",
    "modf_parts",
    "frexp_parts",
    "quantized",
    "pack_4x8_snorm",
    "pack_4x8_unorm",
    "unpack_4x8_snorm",
    "unpack_4x8_unorm",
];

/// The helpers that a file needs, each after those it calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Helpers {
    known: BTreeSet<String>,
    texts: Vec<String>,
}

impl Helpers {
    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }

    fn add(&mut self, text: String) {
        if self.known.insert(text.clone()) {
            self.texts.push(text);
        }
    }

    /// Adds a function of type `scalar`, and for `size` > 1 its component-wise vector
    /// overload.
    fn componentwise(&mut self, name: &str, scalar: &str, size: usize, parameters: &[Parameter]) {
        let heads: Vec<String> = parameters
            .iter()
            .map(|parameter| format!("{} {}", parameter.ty.unwrap_or(scalar), parameter.name))
            .collect();
        let body = body(name, scalar);
        self.add(format!(
            "{scalar} {name}({}) {{\n{body}}}\n",
            heads.join(", ")
        ));
        if size < 2 {
            return;
        }
        let vector = |scalar: &str| format!("{}vec{size}", vector_prefix(scalar));
        let heads: Vec<String> = parameters
            .iter()
            .map(|parameter| {
                let ty = match (parameter.ty, parameter.is_vector) {
                    (ty, true) => vector(ty.unwrap_or(scalar)),
                    (ty, false) => ty.unwrap_or(scalar).to_owned(),
                };
                format!("{ty} {}", parameter.name)
            })
            .collect();
        let parts: Vec<String> = "xyzw"[..size]
            .chars()
            .map(|component| {
                let arguments: Vec<String> = parameters
                    .iter()
                    .map(|parameter| match parameter.is_vector {
                        true => format!("{}.{component}", parameter.name),
                        false => parameter.name.to_owned(),
                    })
                    .collect();
                format!("{name}({})", arguments.join(", "))
            })
            .collect();
        let ty = vector(scalar);
        self.add(format!(
            "{ty} {name}({}) {{\n    return {ty}({});\n}}\n",
            heads.join(", "),
            parts.join(", ")
        ));
    }

    /// Adds helper `name` for values of `scalar` with `size` components.
    pub(super) fn need(&mut self, name: &str, scalar: &str, size: usize) {
        let value = Parameter::vector("v");
        match name {
            "remainder" | "both" | "either" => {
                let parameters = [Parameter::vector("a"), Parameter::vector("b")];
                self.componentwise(name, scalar, size, &parameters);
            }
            "choose" => {
                let condition = Parameter {
                    ty: Some("bool"),
                    ..Parameter::vector("condition")
                };
                let parameters = [Parameter::vector("a"), Parameter::vector("b"), condition];
                self.componentwise(name, scalar, size, &parameters);
            }
            "int_dot" => self.int_dot(scalar, size),
            "count_leading_zeros" | "count_trailing_zeros" => {
                self.need("count_one_bits", "uint", 1);
                self.through_uint(name, scalar, size);
            }
            "first_leading_bit" | "first_trailing_bit" => {
                let zeros = name.replace("first", "count").replace("_bit", "_zeros");
                self.need(&zeros, "uint", 1);
                self.through_uint(name, scalar, size);
            }
            "count_one_bits" | "reverse_bits" => self.through_uint(name, scalar, size),
            "extract_bits" => {
                let parameters = [value, Parameter::uint("offset"), Parameter::uint("count")];
                self.componentwise(name, scalar, size, &parameters);
            }
            "insert_bits" => {
                let bits = Parameter::vector("bits");
                let parameters = [
                    value,
                    bits,
                    Parameter::uint("offset"),
                    Parameter::uint("count"),
                ];
                self.componentwise(name, scalar, size, &parameters);
            }
            "quantized" => self.componentwise(name, scalar, size, &[value]),
            _ => self.add(packing(name).to_owned()),
        }
    }

    /// Adds WGSL helper `name`.
    pub(super) fn need_in_wgsl(&mut self, name: &str, ty: &str, size: usize) {
        self.add(wgsl_helpers::helper(name, ty, size));
    }

    /// Adds a bit function; the `int` version converts through `uint`.
    fn through_uint(&mut self, name: &str, scalar: &str, size: usize) {
        if scalar == "int" {
            self.need(name, "uint", 1);
        }
        self.componentwise(name, scalar, size, &[Parameter::vector("v")]);
    }

    fn int_dot(&mut self, scalar: &str, size: usize) {
        let ty = format!("{}vec{size}", vector_prefix(scalar));
        let parts: Vec<String> = "xyzw"[..size]
            .chars()
            .map(|component| format!("a.{component} * b.{component}"))
            .collect();
        self.add(format!(
            "{scalar} int_dot({ty} a, {ty} b) {{\n    return {};\n}}\n",
            parts.join(" + ")
        ));
    }

    /// Adds `modf`: fraction and whole part, as the structure `result`.
    pub(super) fn need_modf(&mut self, result: &str, value: &str) {
        self.add(format!(
            "{result} modf_parts({value} v) {{\n    return {result}(v - trunc(v), trunc(v));\n}}\n"
        ));
    }

    /// Adds `frexp`: a fraction in [0.5, 1) and a power of two, as the structure `result`.
    pub(super) fn need_frexp(&mut self, result: &str, value: &str, size: usize) {
        let whole = match size {
            1 => "int".to_owned(),
            size => format!("ivec{size}"),
        };
        let is_other = match size {
            1 => "v != 0.0".to_owned(),
            _ => format!("notEqual(v, {value}(0.0))"),
        };
        self.add(format!(
            "{result} frexp_parts({value} v) {{\n    \
             {whole} bits = floatBitsToInt(v);\n    \
             {whole} other = {whole}({is_other});\n    \
             {value} fraction = intBitsToFloat(bits & {whole}(0x807FFFFF) | {whole}(0x3F000000));\n    \
             return {result}(fraction * {value}(other), ((bits >> 23 & {whole}(255)) - 126) * other);\n}}\n"
        ));
    }
}

#[derive(Clone, Copy)]
struct Parameter {
    name: &'static str,
    /// Scalar type, if it differs from the result's.
    ty: Option<&'static str>,
    /// True if the parameter is a vector in the vector overload.
    is_vector: bool,
}

impl Parameter {
    fn vector(name: &'static str) -> Self {
        Self {
            name,
            ty: None,
            is_vector: true,
        }
    }

    fn uint(name: &'static str) -> Self {
        Self {
            name,
            ty: Some("uint"),
            is_vector: false,
        }
    }
}

fn vector_prefix(scalar: &str) -> &'static str {
    match scalar {
        "int" => "i",
        "uint" => "u",
        "bool" => "b",
        _ => "",
    }
}

/// Body of a helper for scalars of type `scalar`.
fn body(name: &str, scalar: &str) -> &'static str {
    match (name, scalar) {
        ("remainder", "float") => "    return a - b * trunc(a / b);\n",
        ("remainder", _) => "    return a - a / b * b;\n",
        ("choose", _) => "    return condition ? b : a;\n",
        ("both", _) => "    return a && b;\n",
        ("either", _) => "    return a || b;\n",
        ("count_one_bits", "uint") => {
            "    v -= v >> 1 & 0x55555555u;\n    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);\n    \
             return (v + (v >> 4) & 0x0F0F0F0Fu) * 0x01010101u >> 24;\n"
        }
        ("count_one_bits", _) => "    return int(count_one_bits(uint(v)));\n",
        ("count_leading_zeros", "uint") => {
            "    v |= v >> 1;\n    v |= v >> 2;\n    v |= v >> 4;\n    v |= v >> 8;\n    v |= v >> 16;\n    \
             return 32u - count_one_bits(v);\n"
        }
        ("count_leading_zeros", _) => "    return int(count_leading_zeros(uint(v)));\n",
        ("count_trailing_zeros", "uint") => "    return count_one_bits(~v & v - 1u);\n",
        ("count_trailing_zeros", _) => "    return int(count_trailing_zeros(uint(v)));\n",
        ("first_leading_bit", "uint") => {
            "    return v == 0u ? 0xFFFFFFFFu : 31u - count_leading_zeros(v);\n"
        }
        ("first_leading_bit", _) => "    return int(first_leading_bit(uint(v < 0 ? ~v : v)));\n",
        ("first_trailing_bit", "uint") => {
            "    return v == 0u ? 0xFFFFFFFFu : count_trailing_zeros(v);\n"
        }
        ("first_trailing_bit", _) => "    return int(first_trailing_bit(uint(v)));\n",
        ("reverse_bits", "uint") => {
            "    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;\n    \
             v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;\n    \
             v = (v >> 4 & 0x0F0F0F0Fu) | (v & 0x0F0F0F0Fu) << 4;\n    \
             v = (v >> 8 & 0x00FF00FFu) | (v & 0x00FF00FFu) << 8;\n    return v >> 16 | v << 16;\n"
        }
        ("reverse_bits", _) => "    return int(reverse_bits(uint(v)));\n",
        ("extract_bits", _) => {
            "    offset = min(offset, 32u);\n    count = min(count, 32u - offset);\n    \
             if (count == 0u) return v - v;\n    return v << (32u - count - offset) >> (32u - count);\n"
        }
        ("insert_bits", "uint") => {
            "    offset = min(offset, 32u);\n    count = min(count, 32u - offset);\n    \
             if (count == 0u) return v;\n    uint mask = 0xFFFFFFFFu >> (32u - count) << offset;\n    \
             return v & ~mask | bits << offset & mask;\n"
        }
        ("insert_bits", _) => {
            "    offset = min(offset, 32u);\n    count = min(count, 32u - offset);\n    \
             if (count == 0u) return v;\n    int mask = int(0xFFFFFFFFu >> (32u - count) << offset);\n    \
             return v & ~mask | bits << offset & mask;\n"
        }
        _ => "    return unpackHalf2x16(packHalf2x16(vec2(v, 0.0))).x;\n",
    }
}

fn packing(name: &str) -> &'static str {
    match name {
        "pack_4x8_snorm" => {
            "uint pack_4x8_snorm(vec4 v) {\n    \
             ivec4 i = ivec4(floor(clamp(v, -1.0, 1.0) * 127.0 + 0.5)) & 255;\n    \
             return uint(i.x | i.y << 8 | i.z << 16 | i.w << 24);\n}\n"
        }
        "pack_4x8_unorm" => {
            "uint pack_4x8_unorm(vec4 v) {\n    \
             uvec4 i = uvec4(floor(clamp(v, 0.0, 1.0) * 255.0 + 0.5));\n    \
             return i.x | i.y << 8 | i.z << 16 | i.w << 24;\n}\n"
        }
        "unpack_4x8_snorm" => {
            "vec4 unpack_4x8_snorm(uint v) {\n    \
             ivec4 i = ivec4(int(v) << 24, int(v) << 16, int(v) << 8, int(v)) >> 24;\n    \
             return max(vec4(i) / 127.0, -1.0);\n}\n"
        }
        _ => {
            "vec4 unpack_4x8_unorm(uint v) {\n    \
             return vec4(v & 255u, v >> 8 & 255u, v >> 16 & 255u, v >> 24) / 255.0;\n}\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helper_dependencies_precede_it_once() {
        let mut helpers = Helpers::default();
        helpers.need("first_leading_bit", "int", 2);
        helpers.need("first_leading_bit", "int", 2);
        let all = helpers.texts().concat();
        let at = |text: &str| all.find(text).unwrap_or_else(|| panic!("{text} in {all}"));
        assert!(at("uint count_one_bits(uint v)") < at("uint count_leading_zeros(uint v)"));
        assert!(at("uint count_leading_zeros(uint v)") < at("uint first_leading_bit(uint v)"));
        assert!(at("uint first_leading_bit(uint v)") < at("int first_leading_bit(int v)"));
        at(
            "ivec2 first_leading_bit(ivec2 v) {\n    return ivec2(first_leading_bit(v.x), first_leading_bit(v.y));",
        );
        assert_eq!(all.matches("ivec2 first_leading_bit(ivec2").count(), 1);
    }
}
