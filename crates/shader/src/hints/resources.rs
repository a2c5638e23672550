//! Hints about module-scope variables and features of other shader stages.

use super::super::parameters::PARAMETER_TYPES;
use super::super::signatures::members;
use super::site::{ErrorSite, Explanation, Rewording, reword};

const PARAMETERS_HINT: &str =
    "parameters are bound with `@group(1) @binding(0) var<uniform> params: Params;`";

const REWORDINGS: &[Rewording] = &[
    ("Capability Capabilities(", "", "scenes can only use features that every adapter supports"),
    (
        "unknown address space",
        "",
        "a scene has `var<private>`, and `var<uniform>` for its parameters",
    ),
    ("Bindings for", "this binding is taken: group 0 is reserved for tarsus", PARAMETERS_HINT),
];

/// Explains errors about module-scope variables.
pub(super) fn address_space(explanation: &mut Explanation, site: &ErrorSite<'_>) -> bool {
    if explanation.starts_with("Type isn't compatible with address space Handle") {
        let name = declared_variable(site);
        explanation.replace(
            format!("`var {name}` outside of a function has no address space"),
            format!("write `var<private> {name}`, or `const {name}` if it never changes"),
        );
        return true;
    }
    if explanation.starts_with("Binding decoration is missing") {
        let name = declared_variable(site);
        explanation.replace(format!("`{name}` has no binding"), PARAMETERS_HINT);
        return true;
    }
    if explanation.message.contains("not host-shareable") {
        let is_bool = |at: &usize| site.word(*at) == "bool" && site.word(at - 1) == ":";
        let Some(at) = (1..site.all.len()).find(is_bool) else {
            return false;
        };
        explanation.span = site.span(at);
        explanation.replace(
            "a parameter cannot be a bool",
            "write `u32`, with a comment that ends in `= on` or `= off`, and test `!= 0u`",
        );
        return true;
    }
    if explanation.starts_with("The array stride ") {
        let ty = site.find(|at| site.word(at) == ":").map_or("", |at| site.word(at + 1));
        let mut members = members(site.text, ty).into_iter();
        if let Some(array) = members.find(|member| member.ty.starts_with("array")) {
            explanation.span = Some(array.span);
        }
        explanation.message = PARAMETER_TYPES.to_owned();
        explanation.notes.clear();
        return true;
    }
    reword(explanation, REWORDINGS)
}

/// Name in the first `var` after the start of the error.
fn declared_variable<'a>(site: &ErrorSite<'a>) -> &'a str {
    let keyword = site.find(|at| site.word(at) == "var");
    let name = keyword.and_then(|keyword| {
        site.find(|at| at >= keyword && matches!(site.word(at + 1), ":" | "="))
    });
    name.map_or("this variable", |at| site.word(at))
}

/// Explains functions that belong to another shader stage.
pub(super) fn stage(explanation: &mut Explanation, site: &ErrorSite<'_>) -> bool {
    if !explanation.message.contains("forbidden at this stage") {
        return false;
    }
    let is_compute = |name: &str| {
        name.ends_with("Barrier") || name.starts_with("atomic") || name == "workgroupUniformLoad"
    };
    let found = site.all.iter().find(|token| is_compute(token.text));
    if let Some(token) = found {
        explanation.span = Some(token.span.clone());
    }
    let name = found.map_or("this", |token| token.text);
    explanation.replace(
        format!("`{name}` works in compute shaders only"),
        "remove it: fragment shaders have no barriers or atomics",
    );
    true
}
