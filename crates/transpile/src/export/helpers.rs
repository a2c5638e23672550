//! Helper functions for built-ins that the target language lacks.

use naga::Scalar;

use super::language::Language;
use super::reserved::words;
use super::types::value_type;

/// Functions of scalars, by their result type, where `T` is any, and by their name. Words in
/// capitals are placeholders.
const GLSL: &str = include_str!("helpers.glsl");
/// Functions with comments, by name. Words in capitals are placeholders.
const WGSL: &str = include_str!("helpers.wgsl");

/// Names and texts of the GLSL helpers.
fn glsl_helpers() -> impl Iterator<Item = (&'static str, &'static str)> {
    GLSL.trim_end().split("\n\n").map(|text| {
        let head = text.split('(').next().unwrap_or_default();
        (head.rsplit(' ').next().unwrap_or_default(), text)
    })
}

/// Names of all GLSL helpers, which no declaration may take.
pub(super) fn glsl_names() -> impl Iterator<Item = &'static str> {
    glsl_helpers().map(|(name, _)| name).chain(["int_dot"])
}

/// The helpers that a file needs, each after those it calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Helpers {
    pub texts: Vec<String>,
}

impl Helpers {
    fn add(&mut self, text: &str) {
        let text = format!("{text}\n");
        if !self.texts.contains(&text) {
            self.texts.push(text);
        }
    }

    /// Adds GLSL helper `name` for values of `scalar` with `size` components: the function of
    /// scalars and, for vectors, a component-wise overload.
    pub(super) fn need_glsl(&mut self, name: &str, scalar: Scalar, size: usize) {
        let ty = value_type(scalar, 1, Language::Glsl).unwrap_or_default();
        if name == "int_dot" {
            return self.add(&int_dot(&ty, scalar, size));
        }
        let with_type = |ty: &str| {
            let head = format!("{ty} {name}(");
            glsl_helpers().find(|(_, text)| text.starts_with(&head))
        };
        let any = || glsl_helpers().find(|(known, _)| *known == name);
        let found = with_type(&ty).or_else(|| with_type("T")).or_else(any);
        let Some((_, text)) = found else {
            return;
        };
        let text = text.replace("T ", &format!("{ty} "));
        let (head, body) = text.split_once(") {").unwrap_or_default();
        for called in glsl_names().filter(|called| words(body).any(|word| word == *called)) {
            self.need_glsl(called, Scalar::U32, 1);
        }
        self.add(&text);
        if size > 1 && head.starts_with(&ty) {
            self.add(&componentwise(head, name, scalar, size));
        }
    }

    /// Adds `modf_parts` or `frexp_parts` for values of type `value`, which return the
    /// structure `result`.
    pub(super) fn need_parts(&mut self, name: &str, result: &str, value: &str, size: usize) {
        let (whole, is_nonzero) = match size {
            1 => ("int".to_owned(), "v != 0.0".to_owned()),
            size => (format!("ivec{size}"), format!("notEqual(v, {value}(0.0))")),
        };
        for (_, text) in glsl_helpers().filter(|(known, _)| *known == name) {
            let text = text.replace("RESULT", result).replace("VALUE", value);
            let text = text.replace("WHOLE", &whole);
            self.add(&text.replace("IS_NONZERO", &is_nonzero));
        }
    }

    /// Adds WGSL helper `name` for values of type `ty` with `size` components, and returns
    /// the name of its overload.
    pub(super) fn need_wgsl(&mut self, name: &str, ty: &str, size: usize) -> String {
        let (result, bits) = match size {
            1 => ("bool".to_owned(), "u32".to_owned()),
            size => (format!("vec{size}<bool>"), format!("vec{size}u")),
        };
        let overload = format!("{name}_{ty}");
        let heads = [format!("fn {overload}("), format!("fn {name}_TYPE(")];
        let mut texts = WGSL.trim_end().split("\n\n");
        if let Some(text) = texts.find(|text| heads.iter().any(|head| text.contains(head))) {
            let text = text.replace("TYPE", ty).replace("BOOL", &result);
            self.add(&text.replace("BITS", &bits));
        }
        overload
    }
}

/// The overload for vectors of the function of scalars with this head. Its counts and offsets
/// of bits stay scalars.
fn componentwise(head: &str, name: &str, scalar: Scalar, size: usize) -> String {
    let vector = |scalar| value_type(scalar, size, Language::Glsl).unwrap_or_default();
    let (_, list) = head.split_once('(').unwrap_or_default();
    let parameters: Vec<(&str, &str)> =
        list.split(", ").filter_map(|parameter| parameter.split_once(' ')).collect();
    let is_scalar = |name: &str| matches!(name, "offset" | "count");
    let declared = parameters.iter().map(|&(ty, name)| match ty {
        ty if is_scalar(name) => format!("{ty} {name}"),
        "bool" => format!("{} {name}", vector(Scalar::BOOL)),
        _ => format!("{} {name}", vector(scalar)),
    });
    let declared = declared.collect::<Vec<_>>().join(", ");
    let calls = "xyzw"[..size].chars().map(|component| {
        let arguments = parameters.iter().map(|(_, name)| {
            if is_scalar(name) { (*name).to_owned() } else { format!("{name}.{component}") }
        });
        format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
    });
    let calls = calls.collect::<Vec<_>>().join(", ");
    let ty = vector(scalar);
    format!("{ty} {name}({declared}) {{\n    return {ty}({calls});\n}}")
}

fn int_dot(result: &str, scalar: Scalar, size: usize) -> String {
    let ty = value_type(scalar, size, Language::Glsl).unwrap_or_default();
    let products = "xyzw"[..size].chars().map(|c| format!("a.{c} * b.{c}"));
    let sum = products.collect::<Vec<_>>().join(" + ");
    format!("{result} int_dot({ty} a, {ty} b) {{\n    return {sum};\n}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helper_dependencies_precede_it_once() {
        let mut helpers = Helpers::default();
        helpers.need_glsl("first_leading_bit", Scalar::I32, 2);
        helpers.need_glsl("first_leading_bit", Scalar::I32, 2);
        let all = helpers.texts.concat();
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
