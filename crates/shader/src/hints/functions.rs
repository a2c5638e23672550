//! Hints about assignments and return values.

use super::super::signatures::{Item, function_around};
use super::site::{ErrorSite, Explanation};

/// Explains an assignment to something that cannot be assigned to.
pub(super) fn assignment(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let root = site.token();
    let member = site.word(site.at + 2);
    let keyword = site.declaration_keyword(root).map(|at| site.word(at));
    let is_swizzle = site.word(site.at + 1) == "."
        && member.len() > 1
        && member.chars().all(|c| "xyzwrgba".contains(c));
    match keyword {
        Some(keyword @ ("let" | "const")) => explanation.replace(
            format!("`{root}` cannot change: it is declared with `{keyword}`"),
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
            )
        }
        _ => None,
    }
}

/// Explains a function that ends without a value.
pub(super) fn missing_value(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let function = function_of(explanation, site)?;
    if site.token() != "return" {
        explanation.span = Some(function.end - 1..function.end);
    }
    let Item { name, signature, .. } = function;
    explanation.replace(
        format!("`{name}` ends here without a value"),
        format!("every path through `{signature}` must end in `return …;`"),
    )
}

/// The function that the error is in.
fn function_of(explanation: &Explanation, site: &ErrorSite<'_>) -> Option<Item> {
    let start = explanation.span.as_ref().map_or(0, |span| span.start);
    function_around(site.text, start)
}

/// Explains a `return` with a type other than the function's.
pub(super) fn returned_type(explanation: &mut Explanation, site: &ErrorSite<'_>) -> Option<()> {
    let Item { name, signature, .. } = function_of(explanation, site)?;
    let ty = signature.split_once("-> ").map(|(_, ty)| ty);
    if site.token() == "return" {
        explanation.span = site.span(site.at + 1);
    }
    let Some(ty) = ty else {
        return explanation.replace(
            format!("`{name}` declares no return type but returns a value"),
            format!("write `{signature} -> f32`, or whichever type it is"),
        );
    };
    let hint = match ty {
        "vec4f" => "write `vec4f(rgb, 1.0)` for a colour of three components".to_owned(),
        "f32" => "write `v.x` for a component of a vector, `f32(n)` for an integer".to_owned(),
        _ => format!("write `{ty}(…)`"),
    };
    let message = format!("`{name}` returns `{ty}`, and this is of another type");
    explanation.replace(message, hint)
}
