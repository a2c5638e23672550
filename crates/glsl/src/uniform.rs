//! A single `#iUniform`: a value the user can change.

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Uniform {
    pub name: String,
    /// GLSL type.
    pub glsl: &'static str,
    /// WGSL type.
    pub wgsl: &'static str,
    /// Label, range and default, in the form of a `struct Params` member comment.
    pub comment: String,
}

impl Uniform {
    /// Parses `float x = 1.0 in { 0.0, 5.0 }`.
    ///
    /// # Errors
    /// Returns a message that describes the invalid part.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let example = "expected `#iUniform float NAME = 1.0 in { 0.0, 5.0 }`";
        let wrong = |what: &str| format!("`#iUniform` {what}: {example}");
        let (head, value) = text.split_once('=').ok_or_else(|| wrong("has no value"))?;
        let mut head = head.split_whitespace();
        let (Some(ty), Some(name), None) = (head.next(), head.next(), head.next()) else {
            return Err(wrong("names no type and name"));
        };
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(wrong(&format!("cannot be called `{name}`")));
        }
        let (glsl, wgsl, components, is_color) = match ty {
            "float" => ("float", "f32", 1, false),
            "int" => ("int", "i32", 1, false),
            "vec2" => ("vec2", "vec2f", 2, false),
            "vec3" => ("vec3", "vec3f", 3, false),
            "vec4" => ("vec4", "vec4f", 4, false),
            "color3" => ("vec3", "vec3f", 3, true),
            "color4" => ("vec4", "vec4f", 4, true),
            _ => {
                return Err(format!(
                    "there is no `#iUniform` of type `{ty}`: there are float, int, vec2 to vec4, \
                     color3 and color4"
                ));
            }
        };
        let (value, range) = match value.split_once(" in") {
            Some((value, range)) => (value, Some(range)),
            None => (value.split(" step").next().unwrap_or(value), None),
        };
        let mut numbers = numbers(value).ok_or_else(|| wrong("has a value that is no number"))?;
        if numbers.len() == 1 {
            numbers = vec![numbers[0]; components];
        }
        if numbers.len() != components {
            return Err(wrong(&format!("`{name}` has {} components", numbers.len())));
        }
        let range = match range {
            Some(range) => {
                let inside = range
                    .split_once('{')
                    .and_then(|(_, rest)| rest.split_once('}'));
                let ends = inside.and_then(|(inside, _)| self::numbers(inside));
                match ends.as_deref() {
                    Some(&[least, most]) if least < most => (least, most),
                    _ => return Err(wrong("has no range from a least to a most")),
                }
            }
            None => {
                let least = numbers
                    .iter()
                    .fold(0.0f64, |least, value| least.min(2.0 * value));
                let most = numbers
                    .iter()
                    .fold(1.0f64, |most, value| most.max(2.0 * value));
                (least, most)
            }
        };
        let comment = match is_color {
            true => {
                let byte = |value: &f64| format!("{:02x}", (value * 255.0).round() as u8);
                format!("{name} = #{}", numbers.iter().map(byte).collect::<String>())
            }
            false => {
                let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
                format!("{name} [{}, {}] = {}", range.0, range.1, numbers.join(", "))
            }
        };
        Ok(Self {
            name: name.to_owned(),
            glsl,
            wgsl,
            comment,
        })
    }
}

/// Parses `1.0`, `1.0, 2.0` or `vec2(1.0, 2.0)`.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let text = text.trim().trim_end_matches(';').trim();
    let inside = match text.split_once('(') {
        Some((_, rest)) => rest.strip_suffix(')')?,
        None => text,
    };
    let all = inside.split(',').map(|number| {
        let number = number.trim().trim_end_matches(['f', 'F']).parse::<f64>();
        number.ok().filter(|number| number.is_finite())
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniforms_are_described_as_parameters() {
        for (text, expected) in [
            ("float x = 1.0 in { 0.0, 5.0 }", "f32 x [0, 5] = 1"),
            ("float x = 1.0 in{0., 5.} step 0.2 ", "f32 x [0, 5] = 1"),
            ("float x = 3.0", "f32 x [0, 6] = 3"),
            ("int n = 2 in { 1, 4 }", "i32 n [1, 4] = 2"),
            (
                "vec2 p = vec2(0.5) in { -1, 1 }",
                "vec2f p [-1, 1] = 0.5, 0.5",
            ),
            ("color3 c = color3(1.0, 0.5, 0)", "vec3f c = #ff8000"),
        ] {
            let uniform = Uniform::read(text).expect(text);
            assert_eq!(format!("{} {}", uniform.wgsl, uniform.comment), expected);
        }
        for (text, expected) in [
            ("float x", "has no value"),
            ("float = 1.0", "names no type and name"),
            ("double x = 1.0", "of type `double`"),
            ("float 1x = 1.0", "cannot be called `1x`"),
            ("float x = y", "no number"),
            ("float x = inf", "no number"),
            ("vec3 x = vec3(1, 2)", "2 components"),
            ("float x = 1.0 in { 5.0, 0.0 }", "no range"),
        ] {
            let told = Uniform::read(text).expect_err(text);
            assert!(told.contains(expected), "{told}");
        }
    }
}
