//! `#iUniform`: values that the user can change.
//!
//! They become the members of one uniform, and are described as the members of a
//! WGSL `struct Params` are.

use std::fmt::Write as _;

use super::cleaned::clean;
use super::directive::Directive;
use super::project::Project;
use super::uniform::Uniform;
use tarsus_shader::Diagnostic;

/// Name of the uniform's block.
const BLOCK: &str = "TarsusParameters";

/// All of a project, each once.
pub(super) struct Uniforms(Vec<Uniform>);

/// Collects the `#iUniform`s of all texts of a project.
///
/// # Errors
/// A [`Diagnostic`] at a wrong directive.
pub(super) fn of(project: &Project) -> Result<Uniforms, Box<Diagnostic>> {
    let mut found: Vec<Uniform> = Vec::new();
    let sources = &project.sources;
    for name in project.texts() {
        let cleaned = clean(sources.text(name)).map_err(|(message, span)| {
            sources.diagnostic(name, message, Some(span), String::new(), Vec::new())
        })?;
        for (directive, span) in cleaned.directives {
            let Directive::Uniform(uniform) = directive else {
                continue;
            };
            match found.iter().find(|other| other.name == uniform.name) {
                None => found.push(uniform),
                Some(same) if *same == uniform => {}
                Some(_) => {
                    let message = format!("`{}` has two `#iUniform` that differ", uniform.name);
                    let note = Vec::new();
                    return Err(sources.diagnostic(name, message, Some(span), String::new(), note));
                }
            }
        }
    }
    Ok(Uniforms(found))
}

impl Uniforms {
    /// How they are declared in GLSL.
    pub(super) fn declared(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let mut text = format!("layout(std140, set = 1, binding = 0) uniform {BLOCK} {{ ");
        for uniform in &self.0 {
            let _ = write!(text, "{} {}; ", uniform.glsl, uniform.name);
        }
        text + "};\n"
    }

    /// A WGSL struct with comments that describe them.
    pub(super) fn described(&self) -> String {
        let mut text = format!("struct {BLOCK} {{\n");
        for Uniform {
            name,
            wgsl,
            comment,
            ..
        } in &self.0
        {
            let _ = write!(text, "    /// {comment}\n    {name}: {wgsl},\n");
        }
        text + "}\n"
    }
}
