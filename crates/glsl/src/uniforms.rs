//! `#iUniform`: values the user can change.
//!
//! They become members of a single uniform block, described like the members of a WGSL
//! `struct Params`.

use super::clean::clean;
use super::directive::Directive;
use super::lexer::is_word;
use super::project::Project;
use tarsus_shader::front_end::Checked;

/// Name of the uniform block.
const BLOCK: &str = "TarsusParameters";

/// All `#iUniform`s of a project, without duplicates.
pub(super) struct Uniforms(Vec<Uniform>);

/// A single `#iUniform`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Uniform {
    name: String,
    glsl_type: &'static str,
    wgsl_type: &'static str,
    /// Label, range and default, in the form of a `struct Params` member comment.
    comment: String,
}

impl Uniforms {
    /// Collects the `#iUniform`s from all sources of a project.
    ///
    /// # Errors
    /// Returns a [`Diagnostic`] for an invalid directive.
    pub(super) fn collect(project: &Project) -> Checked<Self> {
        let mut found: Vec<Uniform> = Vec::new();
        let sources = &project.sources;
        let passes = project.passes.iter().map(|pass| &pass.name);
        for name in project.common.iter().chain(passes) {
            for (directive, span) in clean(sources, name)?.directives {
                let Directive::Uniform(uniform) = directive else {
                    continue;
                };
                match found.iter().find(|other| other.name == uniform.name) {
                    None => found.push(uniform),
                    Some(same) if *same == uniform => {}
                    Some(_) => {
                        let message = format!("`{}` has two `#iUniform` that differ", uniform.name);
                        return Err(sources.error(name, message).at(span));
                    }
                }
            }
        }
        Ok(Self(found))
    }

    /// The GLSL declaration of the uniform block.
    pub(super) fn declaration(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let member = |uniform: &Uniform| format!("{} {}; ", uniform.glsl_type, uniform.name);
        let members: String = self.0.iter().map(member).collect();
        format!("layout(std140, set = 1, binding = 0) uniform {BLOCK} {{ {members}}};\n")
    }

    /// A WGSL struct with doc comments that describe the values.
    pub(super) fn wgsl_struct(&self) -> String {
        let members = self.0.iter().map(|uniform| {
            let Uniform { name, wgsl_type, comment, .. } = uniform;
            format!("    /// {comment}\n    {name}: {wgsl_type},\n")
        });
        format!("struct {BLOCK} {{\n{}}}\n", members.collect::<String>())
    }
}

impl Uniform {
    /// Parses `float x = 1.0 in { 0.0, 5.0 }`; `None` if it is not of this form.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (head, value) = text.split_once('=')?;
        let [ty, name] = head.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        if name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(is_word) {
            return None;
        }
        let (glsl_type, wgsl_type, components) = match ty {
            "float" => ("float", "f32", 1),
            "int" => ("int", "i32", 1),
            "vec2" => ("vec2", "vec2f", 2),
            "vec3" | "color3" => ("vec3", "vec3f", 3),
            "vec4" | "color4" => ("vec4", "vec4f", 4),
            _ => return None,
        };
        let (value, range) = match value.split_once(" in") {
            Some((value, range)) => (value, Some(range)),
            None => (value.split(" step").next().unwrap_or(value), None),
        };
        let mut values = numbers(value)?;
        if values.len() == 1 {
            values = vec![values[0]; components];
        }
        let (min, max) = match range {
            None => values.iter().fold((0.0f64, 1.0f64), |(min, max), value| {
                (min.min(2.0 * value), max.max(2.0 * value))
            }),
            Some(range) => {
                let (inside, _) = range.split_once('{')?.1.split_once('}')?;
                let &[min, max] = numbers(inside)?.as_slice() else { return None };
                (min, max)
            }
        };
        if values.len() != components || min >= max {
            return None;
        }
        let comment = if ty.starts_with("color") {
            let byte = |value: &f64| format!("{:02x}", (value * 255.0).round() as u8);
            format!("{name} = #{}", values.iter().map(byte).collect::<String>())
        } else {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            format!("{name} [{min}, {max}] = {}", values.join(", "))
        };
        Some(Self { name: name.to_owned(), glsl_type, wgsl_type, comment })
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
            ("vec2 p = vec2(0.5) in { -1, 1 }", "vec2f p [-1, 1] = 0.5, 0.5"),
            ("color3 c = color3(1.0, 0.5, 0)", "vec3f c = #ff8000"),
        ] {
            let uniform = Uniform::read(text).expect(text);
            assert_eq!(format!("{} {}", uniform.wgsl_type, uniform.comment), expected);
        }
        for text in [
            "float x",
            "float = 1.0",
            "double x = 1.0",
            "float 1x = 1.0",
            "float x = y",
            "float x = inf",
            "vec3 x = vec3(1, 2)",
            "float x = 1.0 in { 5.0, 0.0 }",
        ] {
            assert_eq!(Uniform::read(text), None, "{text}");
        }
    }
}
