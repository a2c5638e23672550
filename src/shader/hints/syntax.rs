//! Mistakes in the grammar: words of other languages, missing signs, too much depth.

use super::super::limits;
use super::super::words::foreign_type;
use super::place::{Place, Told};

/// `float x = 1.0;`, in a function or outside.
pub(super) fn foreign_declaration(told: &mut Told, place: &Place<'_>) -> bool {
    let parsed = told.message.starts_with("expected");
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
    told.span = place.span(at);
    if place.word(at + 2) == "(" {
        told.retell(
            format!("`{foreign} {name}(…)` is GLSL"),
            format!("write `fn {name}(…) -> {wgsl} {{ … }}`"),
        );
    } else if place.before() == "(" || place.word(at.wrapping_sub(1)) == "(" {
        told.retell(
            format!("`{foreign} {name}` is GLSL"),
            format!("write `var {name} = …`"),
        );
    } else {
        told.retell(
            format!("`{foreign} {name}` is GLSL"),
            format!("write `var {name}: {wgsl} = …;`, or `let` if it does not change"),
        );
    }
    true
}

/// `a ? b : c`, `void f()`, `struct A { x: f32; }`.
pub(super) fn foreign_syntax(told: &mut Told, place: &Place<'_>) -> bool {
    if !told.message.starts_with("expected") {
        return false;
    }
    match place.here() {
        "?" => told.retell(
            "WGSL has no `condition ? a : b`",
            "write `select(b, a, condition)`: the value for false comes first",
        ),
        "void" => told.retell(
            "`void` is GLSL",
            format!("write `fn {}(…) {{ … }}`", place.word(place.at + 1)),
        ),
        "function" | "def" | "func" | "inline" | "static" | "uniform" | "in" | "out"
        | "varying" => {
            let hint = "functions begin with `fn`, variables with `let`, `var` or `const`";
            told.retell(format!("`{}` is no keyword of WGSL", place.here()), hint);
        }
        ";" if told.message.contains("`,`") => {
            told.hint("the members of a struct have `,` between them");
        }
        "let" if told.message.contains("global item") => told.retell(
            "`let` is for functions",
            "outside of them write `const NAME = …;`, or `var<private> NAME = …;`",
        ),
        "and" => told.retell("`and` is no operator", "write `&&`"),
        "or" => told.retell("`or` is no operator", "write `||`"),
        "=" if told.message.starts_with("expected `)`") => told.hint("equality is `==`"),
        ")" if told.message.starts_with("expected `:`") => {
            told.hint("parameters have types: `x: f32`");
        }
        _ if told.message.starts_with("expected `{`") => {
            told.hint("the body of `if`, `for` and `while` stands in braces: `if a > b { … }`");
        }
        "#" => told.retell(
            format!("`#{}` is no directive here", place.word(place.at + 1)),
            "constants are written `const NAME = 1.0;`",
        ),
        _ => return false,
    }
    true
}

/// A `;` that is missing at the end of the line before.
pub(super) fn missing_end(told: &mut Told, place: &Place<'_>) -> bool {
    if !told.message.starts_with("expected `;`") || place.at == 0 {
        return false;
    }
    let last = place.all[place.at - 1].span.clone();
    let next = place
        .span(place.at)
        .map_or(place.text.len(), |span| span.start);
    if !place.text[last.end..next].contains('\n') {
        return false;
    }
    told.span = Some(last.end.saturating_sub(1)..last.end);
    told.message = "expected `;` at the end of this line".to_owned();
    "`;` is missing after this".clone_into(&mut told.label);
    true
}

/// `override fn map` where `override fn raymarch::map` is meant.
pub(super) fn override_without_module(told: &mut Told, place: &Place<'_>) {
    if place.before() == "override" && place.here() == "fn" {
        let name = place.word(place.at + 1);
        told.retell(
            format!("`override fn {name}` does not say whose function it replaces"),
            format!("write the module: `override fn raymarch::{name}(…)`"),
        );
    }
}

/// What the parser refuses to go into.
pub(super) fn depth(told: &mut Told, place: &Place<'_>) -> bool {
    if !told.message.contains("internal WGSL front end error") {
        return false;
    }
    told.span = limits::deepest(place.text).or(told.span.clone());
    told.retell(
        "this is nested too deeply",
        "name parts of it with `let`, or move them to a function",
    );
    true
}
