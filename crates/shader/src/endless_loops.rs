//! Rejects loops without an exit. naga accepts them; the WGSL compilers of browsers refuse them
//! and the GPU would never finish.

use std::ops::Range;

use naga::{Expression, Function, Handle, Literal, Module, Statement, UnaryOperator};

use super::diagnostic::Diagnostic;
use super::ir::{functions, literal, statements};
use super::names::demangle;
use super::source_map::SourceMap;
use super::tokens::tokens;

const HINT: &str = "hint: leave it with `break` or `return`";

/// Checks that every loop has an exit.
///
/// # Errors
/// Returns a [`Diagnostic`] at the first loop that has none.
pub(super) fn require_exits(module: &Module, sources: &SourceMap) -> Result<(), Box<Diagnostic>> {
    for function in functions(module) {
        let constant = |condition| constant(module, function, condition);
        let loops = statements(&function.body).filter_map(|statement| match statement {
            Statement::Loop { body, continuing, break_if } => {
                let is_left = break_if.is_some_and(|condition| constant(condition) != Some(false));
                let leaves = |block| ways(block, true, &constant).0;
                Some(is_left || leaves(body) || leaves(continuing))
            }
            _ => None,
        });
        let exits: Vec<bool> = loops.collect();
        if let Some(index) = exits.iter().position(|exits| !exits) {
            let name = demangle(function.name.as_deref().unwrap_or_default(), sources);
            let places = sources.names().filter_map(|module| {
                let found = loops_of(sources.text(module), name.item)?;
                // A preprocessor may have removed some.
                (found.len() == exits.len()).then(|| (module, found[index].clone()))
            });
            let mut places: Vec<_> = places.collect();
            let own = places.iter().position(|(module, _)| *module == name.module);
            let place = (!places.is_empty()).then(|| places.swap_remove(own.unwrap_or(0)));
            let (module, span) = place.unzip();
            let span = span.or_else(|| sources.declaration(name.module, name.item));
            let message = match span {
                Some(_) => "this loop never ends".to_owned(),
                None => format!("a loop of `{}` never ends", name.display()),
            };
            let error = sources.error(module.unwrap_or(name.module), message);
            return Err(error.at(span).with_note(HINT));
        }
    }
    Ok(())
}

/// Value of a condition that is constant.
fn constant(module: &Module, function: &Function, condition: Handle<Expression>) -> Option<bool> {
    match function.expressions[condition] {
        // naga inverts the condition of GLSL's `do` for `break_if`.
        Expression::Unary { op: UnaryOperator::LogicalNot, expr } => {
            constant(module, function, expr).map(|value| !value)
        }
        _ => match literal(module, function, condition) {
            Some(Literal::Bool(value)) => Some(value),
            _ => None,
        },
    }
}

/// Returns whether control can leave the loop around `block` from it, and whether it can reach
/// the block's end. `breaks` is false in a `switch` or an inner loop, where `break` does not
/// leave the loop. `constant` is the value of a constant condition, such as that of `while
/// true`, which never ends the loop.
fn ways(
    block: &[Statement],
    breaks: bool,
    constant: &dyn Fn(Handle<Expression>) -> Option<bool>,
) -> (bool, bool) {
    let either = |(a, b): (bool, bool), (c, d): (bool, bool)| (a || c, b || d);
    let mut leaves = false;
    for statement in block {
        let (leaves_here, goes_on) = match statement {
            Statement::Return { .. } | Statement::Kill => (true, false),
            Statement::Break => (breaks, !breaks),
            Statement::Continue => (false, false),
            Statement::Block(inner) => ways(inner, breaks, constant),
            Statement::If { condition, accept, reject } => match constant(*condition) {
                Some(true) => ways(accept, breaks, constant),
                Some(false) => ways(reject, breaks, constant),
                None => either(ways(accept, breaks, constant), ways(reject, breaks, constant)),
            },
            Statement::Switch { cases, .. } => {
                let cases = cases.iter().map(|case| ways(&case.body, false, constant));
                cases.fold((false, false), either)
            }
            Statement::Loop { body, .. } => (ways(body, false, constant).0, true),
            _ => (false, true),
        };
        leaves |= leaves_here;
        if !goes_on {
            return (leaves, false);
        }
    }
    (leaves, true)
}

/// Keywords of the loops in the body of a function, in WGSL or GLSL. `None` if the text does not
/// define it.
fn loops_of(text: &str, function: &str) -> Option<Vec<Range<usize>>> {
    let mut depth = 0;
    let mut previous = "";
    // The function's name was read, then its body was entered.
    let (mut is_named, mut is_inside) = (false, false);
    let mut found = Vec::new();
    // Depths of the `do`s whose `while` has not been read.
    let mut open = Vec::new();
    for token in tokens(text) {
        match token.text {
            "(" if depth == 0 => is_named = previous == function,
            ";" if depth == 0 => is_named = false,
            "{" if depth == 0 => is_inside = is_named,
            "}" if depth == 1 && is_inside => return Some(found),
            "while" if open.last() == Some(&depth) && matches!(previous, "}" | ";") => {
                open.pop();
            }
            "loop" | "for" | "while" | "do" if is_inside => {
                found.push(token.span.clone());
                open.extend((token.text == "do").then_some(depth));
            }
            _ => {}
        }
        depth = token.depth_after(depth);
        previous = token.text;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Library, Scene, compose};
    use super::*;

    /// Line, column and message of the error in a scene with this function body.
    fn error(body: &str) -> Option<(Option<(usize, usize)>, String)> {
        let text = format!(
            "fn main_image(p: vec2f) -> vec4f {{\n var i = 0u;\n{body}\n return vec4f(p, f32(i), 1.0);\n}}\nconst ON = true;\n"
        );
        let scene = Scene::from_text(&text, "s.wgsl");
        let error = compose(&scene, &Library::default(), &[]).err()?;
        Some((error.diagnostic.line_column(), error.diagnostic.message))
    }

    #[test]
    fn loops_without_exit_are_located() {
        for (body, place) in [
            ("loop { i += 1u; }", (3, 1)),
            ("// a loop\nfor (;;) { i += 1u; }", (4, 1)),
            ("loop { if p.x > 1.0 { continue; } i += 1u; }", (3, 1)),
            ("loop { continue; break; }", (3, 1)),
            ("loop { { continue; } break; }", (3, 1)),
            ("loop { if p.x > 1.0 { continue; } else { i++; continue; } break; }", (3, 1)),
            ("loop { switch i { default: { continue; } } break; }", (3, 1)),
            ("loop { switch i { default: { if false { return vec4f(p, p); } } } }", (3, 1)),
            ("for (var j = 0u; j < 9u; j++) { loop { i += j; } }", (3, 33)),
            ("loop { for (;;) { if i > 9u { break; } i++; } }", (3, 1)),
            ("while true { i += 1u; }", (3, 1)),
            ("while !false { i += 1u; }", (3, 1)),
            ("while ON { if !ON { break; } i += 1u; }", (3, 1)),
            ("for (; true; i++) { continue; }", (3, 1)),
            ("loop { i += 1u; continuing { break if false; } }", (3, 1)),
            ("loop { switch i { case 3u: { break; } default: { i++; } } }", (3, 1)),
        ] {
            let expected = (Some(place), "this loop never ends".to_owned());
            assert_eq!(error(body), Some(expected), "{body}");
        }
    }

    #[test]
    fn loops_with_exit_are_accepted() {
        for body in [
            "loop { i += 1u; if i > 9u { break; } }",
            "loop { i += 1u; continuing { break if i > 9u; } }",
            "loop { switch i { case 9u: { return vec4f(p, p); } default: { i++; } } }",
            "while true { i += 1u; if i > 9u { break; } }",
            "while p.x > 2.0 { i += 1u; }",
            "for (; p.x > 2.0;) { i += 1u; }",
            "loop { loop { if i > 9u { return vec4f(p, p); } i++; } }",
        ] {
            assert_eq!(error(body), None, "{body}");
        }
    }

    #[test]
    fn loops_are_found_in_the_function() {
        let text = "float g(int);\nvoid f() { for (;;) {} }\nfloat g(int a) {\n  while (a > 0) { do { a--; } while (a > 3); }\n  return 1.0;\n}\n";
        let found = loops_of(text, "g").expect("a function");
        let words: Vec<&str> = found.into_iter().map(|span| &text[span]).collect();
        assert_eq!(words, ["while", "do"]);
        assert_eq!(loops_of(text, "h"), None);
        let text = "void f() { do { for (;;) {} } while (true); do while (a) b; while (c); }";
        let found = loops_of(text, "f").expect("a function");
        assert_eq!(found.iter().map(|span| span.start).collect::<Vec<_>>(), [11, 16, 44, 47]);
    }
}
