//! Hints about assignments and return values.

use super::super::signatures::{Item, ItemKind, items};
use super::place::{Explanation, NO_VALUE, OTHER_TYPE, Place};

/// Explains an assignment to something that cannot be assigned to.
pub(super) fn assignment(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    if !explanation.message.starts_with("invalid left-hand side") {
        return false;
    }
    let root = place.here();
    let member = place.word(place.at + 2);
    let by = place.declared_by(root).map(|at| place.word(at));
    let is_swizzle = place.word(place.at + 1) == "."
        && member.len() > 1
        && member.chars().all(|c| "xyzwrgba".contains(c));
    match by {
        Some("let" | "const") => explanation.replace(
            format!(
                "`{root}` cannot change: it is declared with `{}`",
                by.unwrap_or_default()
            ),
            format!("declare it with `var {root}`"),
        ),
        Some("(" | ",") => explanation.replace(
            format!("`{root}` cannot change: it is a parameter"),
            format!("copy it first: `var my_{root} = {root};`"),
        ),
        _ if is_swizzle => {
            let ones: Vec<String> = member.chars().map(|c| format!("{root}.{c} = …;")).collect();
            explanation.replace(
                format!("`{root}.{member}` cannot be assigned as a whole"),
                format!("assign each component: `{}`", ones.join(" ")),
            );
        }
        _ => return false,
    }
    true
}

/// Explains a function that ends without a value or returns a value of another type.
pub(super) fn return_value(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    if !matches!(explanation.message.as_str(), NO_VALUE | OTHER_TYPE) {
        return false;
    }
    let start = explanation.span.as_ref().map_or(0, |span| span.start);
    let function = items(place.text)
        .into_iter()
        .find(|item| item.kind == ItemKind::Function && item.end > start);
    let Some(function) = function else {
        return false;
    };
    if explanation.message == OTHER_TYPE {
        returned_type(explanation, place, &function);
        return true;
    }
    if place.here() != "return" {
        explanation.span = Some(function.end - 1..function.end);
    }
    explanation.replace(
        format!("`{}` ends here without a value", function.name),
        format!(
            "every way through `{}` ends in `return …;`",
            function.signature
        ),
    );
    true
}

/// Explains a `return` with a type other than the function's. The error starts where the
/// value was computed, which may be in an earlier declaration.
fn returned_type(explanation: &mut Explanation, place: &Place<'_>, function: &Item) {
    let made = (place.before() != "return").then(|| place.made());
    let inside = |at: &usize| {
        let span = &place.all[*at].span;
        span.start > function.span.start && span.end < function.end
    };
    let returns = (0..place.all.len()).filter(inside);
    let returns = returns.filter(|&at| place.word(at) == "return");
    let returned = made.and_then(|made| {
        let mut named = returns.clone().filter(|at| place.word(at + 1) == made);
        named.next().or_else(|| returns.clone().next_back())
    });
    explanation.span = returned
        .and_then(|at| place.span(at + 1))
        .or(explanation.span.take());
    let name = &function.name;
    let Some((_, ty)) = function.signature.split_once("-> ") else {
        let hint = format!(
            "write `{} -> f32`, or whichever type it is",
            function.signature
        );
        explanation.replace(
            format!("`{name}` returns nothing, and here is a value"),
            hint,
        );
        return;
    };
    let message = format!("`{name}` returns `{ty}`, and this is of another type");
    match ty {
        "vec4f" => explanation.replace(
            message,
            "write `vec4f(rgb, 1.0)` for a colour of three components",
        ),
        _ => explanation.replace(
            message,
            format!("write `{ty}(…)`, or change the type behind `->`"),
        ),
    }
}
