//! Hints about module-scope variables and features of other shader stages.

use super::super::parameters::PARAMETER_TYPES;
use super::super::signatures::members;
use super::site::{ErrorSite, Explanation};

const PARAMETERS_HINT: &str =
    "parameters are bound with `@group(1) @binding(0) var<uniform> params: Params;`";

/// Explains a variable outside of functions without an address space.
pub(super) fn address_space(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let name = declared_variable(site);
    explanation.replace(
        format!("`var {name}` outside of a function has no address space"),
        format!("write `var<private> {name}`, or `const {name}` if it never changes"),
    )
}

/// Explains a resource without a binding.
pub(super) fn missing_binding(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let name = declared_variable(site);
    let ty = site.find(|at| site.word(at) == ":").map_or("", |at| site.word(at + 1));
    let hint = if ty.starts_with("texture") || ty == "sampler" {
        "channels are bound with `@group(2) @binding(0)`; a comment names the source"
    } else {
        PARAMETERS_HINT
    };
    explanation.replace(format!("`{name}` has no binding"), hint)
}

/// Explains a resource with the binding of another one.
pub(super) fn taken_binding(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let group = (0..site.at).rev().find(|&at| site.word(at) == "group");
    let is_of_tarsus = group.is_some_and(|at| site.word(at + 2) == "0");
    let (owner, hint) = if is_of_tarsus {
        ("group 0 is reserved for tarsus", PARAMETERS_HINT)
    } else {
        ("another variable has it", "give each variable of a group its own `@binding(…)`")
    };
    explanation.replace(format!("this binding is taken: {owner}"), hint)
}

/// Explains parameters of the type bool.
pub(super) fn bool_parameter(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    if !explanation.message.contains("not host-shareable") {
        return None;
    }
    let is_bool = |at: &usize| site.word(*at) == "bool" && site.word(at - 1) == ":";
    explanation.span = site.span((1..site.all.len()).find(is_bool)?);
    explanation.replace(
        "a parameter cannot be a bool",
        "write `u32`, with a comment that ends in `= on` or `= off`, and test `!= 0u`",
    )
}

/// Explains parameters that are arrays.
pub(super) fn array_parameter(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let ty = site.find(|at| site.word(at) == ":").map_or("", |at| site.word(at + 1));
    let mut members = members(site.text, ty).into_iter();
    if let Some(array) = members.find(|member| member.ty.starts_with("array")) {
        explanation.span = Some(array.span);
    }
    explanation.message = PARAMETER_TYPES.to_owned();
    explanation.notes.clear();
    Some(())
}

/// Name in the first `var` after the start of the error.
fn declared_variable<'a>(site: &ErrorSite<'a>) -> &'a str {
    let keyword = site.find(|at| site.word(at) == "var");
    let name = keyword.and_then(|keyword| {
        site.find(|at| at >= keyword && matches!(site.word(at + 1), ":" | "="))
    });
    name.map_or("this variable", |at| site.word(at))
}
