//! Hints about syntax errors: constructs of other languages, missing punctuation, excessive
//! nesting.

use super::super::limits;
use super::super::words::foreign_type;
use super::place::{Explanation, Place};

/// Explains `float x = 1.0;`, inside or outside a function.
pub(super) fn foreign_declaration(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    let parsed = explanation.message.starts_with("expected");
    let before = place.at.checked_sub(1);
    let candidates = [Some(place.at), before];
    let ty = candidates
        .into_iter()
        .flatten()
        .find(|&at| foreign_type(place.word(at)).is_some());
    let (true, Some(at)) = (parsed, ty) else {
        return false;
    };
    let Some(wgsl) = foreign_type(place.word(at)) else {
        return false;
    };
    let foreign = place.word(at);
    let name = place.word(at + 1);
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return false;
    }
    explanation.span = place.span(at);
    if place.word(at + 2) == "(" {
        explanation.replace(
            format!("`{foreign} {name}(…)` is GLSL"),
            format!("write `fn {name}(…) -> {wgsl} {{ … }}`"),
        );
    } else if place.before() == "(" || place.word(at.wrapping_sub(1)) == "(" {
        explanation.replace(
            format!("`{foreign} {name}` is GLSL"),
            format!("write `var {name} = …`"),
        );
    } else {
        explanation.replace(
            format!("`{foreign} {name}` is GLSL"),
            format!("write `var {name}: {wgsl} = …;`, or `let` if it does not change"),
        );
    }
    true
}

/// Explains `a ? b : c`, `void f()`, `struct A { x: f32; }`.
pub(super) fn foreign_syntax(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    if !explanation.message.starts_with("expected") {
        return false;
    }
    match place.here() {
        "?" => explanation.replace(
            "WGSL has no `condition ? a : b`",
            "write `select(b, a, condition)`: the value for false comes first",
        ),
        "void" => explanation.replace(
            "`void` is GLSL",
            format!("write `fn {}(…) {{ … }}`", place.word(place.at + 1)),
        ),
        "function" | "def" | "func" | "inline" | "static" | "uniform" | "in" | "out"
        | "varying" => {
            let hint = "functions begin with `fn`, variables with `let`, `var` or `const`";
            explanation.replace(format!("`{}` is no keyword of WGSL", place.here()), hint);
        }
        ";" if explanation.message.contains("`,`") => {
            explanation.hint("the members of a struct have `,` between them");
        }
        "let" if explanation.message.contains("global item") => explanation.replace(
            "`let` is for functions",
            "outside of them write `const NAME = …;`, or `var<private> NAME = …;`",
        ),
        "and" => explanation.replace("`and` is no operator", "write `&&`"),
        "or" => explanation.replace("`or` is no operator", "write `||`"),
        "=" if explanation.message.starts_with("expected `)`") => {
            explanation.hint("equality is `==`");
        }
        ")" if explanation.message.starts_with("expected `:`") => {
            explanation.hint("parameters have types: `x: f32`");
        }
        _ if explanation.message.starts_with("expected `{`") => {
            explanation
                .hint("the body of `if`, `for` and `while` stands in braces: `if a > b { … }`");
        }
        "#" => explanation.replace(
            format!("`#{}` is no directive here", place.word(place.at + 1)),
            "constants are written `const NAME = 1.0;`",
        ),
        _ => return false,
    }
    true
}

/// Explains a missing `;` at the end of the previous line.
pub(super) fn missing_end(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    if !explanation.message.starts_with("expected `;`") || place.at == 0 {
        return false;
    }
    let last = place.all[place.at - 1].span.clone();
    let next = place
        .span(place.at)
        .map_or(place.text.len(), |span| span.start);
    if !place.text[last.end..next].contains('\n') {
        return false;
    }
    explanation.span = Some(last.end.saturating_sub(1)..last.end);
    explanation.message = "expected `;` at the end of this line".to_owned();
    "`;` is missing after this".clone_into(&mut explanation.label);
    true
}

/// Explains `override fn map` where `override fn raymarch::map` is intended.
pub(super) fn override_without_module(explanation: &mut Explanation, place: &Place<'_>) {
    if place.before() == "override" && place.here() == "fn" {
        let name = place.word(place.at + 1);
        explanation.replace(
            format!("`override fn {name}` does not say whose function it replaces"),
            format!("write the module: `override fn raymarch::{name}(…)`"),
        );
    }
}

/// Explains nesting that exceeds the parser's limit.
pub(super) fn depth(explanation: &mut Explanation, place: &Place<'_>) -> bool {
    if !explanation
        .message
        .contains("internal WGSL front end error")
    {
        return false;
    }
    explanation.span = limits::deepest(place.text).or(explanation.span.clone());
    explanation.replace(
        "this is nested too deeply",
        "name parts of it with `let`, or move them to a function",
    );
    true
}
