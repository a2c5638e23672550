//! `#iUniform`: values the user can change.
//!
//! They become members of a single uniform block, described like the members of a WGSL
//! `struct Params`.

use std::fmt::Write as _;

use super::cleaned::clean;
use super::directive::Directive;
use super::project::Project;
use super::uniform::Uniform;
use tarsus_shader::Diagnostic;

/// Name of the uniform block.
const BLOCK: &str = "TarsusParameters";

/// All `#iUniform`s of a project, without duplicates.
pub(super) struct Uniforms(Vec<Uniform>);

/// Collects the `#iUniform`s from all sources of a project.
///
/// # Errors
/// Returns a [`Diagnostic`] for an invalid directive.
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
    /// The GLSL declaration of the uniform block.
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

    /// A WGSL struct with doc comments that describe the values.
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
