//! Hints about module-scope variables and features of other shader stages.

use super::place::{Explanation, Place};

/// Explains errors about module-scope variables.
pub(super) fn address_space(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    if explanation
        .message
        .starts_with("Type isn't compatible with address space Handle")
    {
        let name = declared_variable(place);
        explanation.replace(
            format!("`var {name}` outside of a function has no address space"),
            format!("write `var<private> {name}`, or `const {name}` if it never changes"),
        );
        return true;
    }
    if explanation.message.contains("not host-shareable") {
        let is_bool = |at: &usize| place.word(*at) == "bool" && place.word(at - 1) == ":";
        let Some(at) = (1..place.all.len()).find(is_bool) else {
            return false;
        };
        explanation.span = place.span(at);
        explanation.replace(
            "a parameter cannot be a bool",
            "write `u32`, with a comment that ends in `= on` or `= off`, and test `!= 0u`",
        );
        return true;
    }
    if explanation
        .message
        .starts_with("Binding decoration is missing")
    {
        let name = declared_variable(place);
        explanation.replace(
            format!("`{name}` is not bound to a place"),
            "parameters are bound with `@group(1) @binding(0) var<uniform> params: Params;`",
        );
        return true;
    }
    if explanation.message.starts_with("Capability Capabilities(") {
        explanation.hint("a scene keeps to what every adapter has");
        return true;
    }
    if explanation.message.starts_with("unknown address space") {
        explanation.hint("a scene has `var<private>`, and `var<uniform>` for its parameters");
        return true;
    }
    if explanation.message.starts_with("Bindings for") {
        explanation.replace(
            "this place is taken: group 0 belongs to tarsus",
            "parameters are bound with `@group(1) @binding(0) var<uniform> params: Params;`",
        );
        return true;
    }
    false
}

/// Name in the first `var` after the start of the error.
fn declared_variable<'a>(place: &Place<'a>) -> &'a str {
    let Some(at) = (place.at..place.all.len()).find(|&at| place.word(at) == "var") else {
        return "this variable";
    };
    let is_name = |at: &usize| matches!(place.word(at + 1), ":" | "=");
    (at..place.all.len())
        .find(is_name)
        .map_or("this variable", |at| place.word(at))
}

/// Explains functions that belong to another shader stage.
pub(super) fn stage(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    if !explanation.message.contains("forbidden at this stage") {
        return false;
    }
    let is_compute = |name: &str| {
        name.ends_with("Barrier") || name.starts_with("atomic") || name == "workgroupUniformLoad"
    };
    let found = (0..place.all.len()).find(|&at| is_compute(place.word(at)));
    let what = found.map_or("this", |at| place.word(at));
    let message = format!("`{what}` works in compute shaders only, and a scene is drawn");
    explanation.span = found
        .and_then(|at| place.span(at))
        .or(explanation.span.clone());
    explanation.replace(
        message,
        "remove it: the pixels of a scene do not wait for each other",
    );
    true
}
