//! Warns about loops that FXC, the older compiler of Direct3D, rejects (X3511): it unrolls every
//! loop that takes derivatives, and fails if the number of iterations varies.

use std::collections::BTreeSet;

use naga::{Block, Expression, Function, Handle, Module, SampleLevel, Statement};

use super::diagnostic::Diagnostic;
use super::ir::{demangle, inner_blocks, leaves_loop, statements};
use super::program::Program;

const HINT: &str = "hint: take derivatives before the loop, or sample with an explicit level, as \
                    `textureSampleLevel` and `textureLod` do";

/// A warning for each function of `program` with such a loop.
#[must_use]
pub fn unrolling_warnings(program: &Program) -> Vec<Diagnostic> {
    let names: BTreeSet<String> =
        program.passes.iter().flat_map(|pass| refused(&pass.module)).collect();
    let sources = &program.sources;
    let warn = |name: &String| {
        let name = demangle(name, sources).display();
        let message = format!(
            "a loop of `{name}` takes derivatives and may end early or late: Direct3D's older \
             compiler cannot unroll it (X3511)"
        );
        sources.error("", message).with_note(HINT).into_warning()
    };
    names.iter().map(warn).collect()
}

/// Functions with a loop of varying length that takes derivatives.
fn refused(module: &Module) -> Vec<String> {
    // Callees come before their callers.
    let mut differentiating = BTreeSet::new();
    let mut names = Vec::new();
    let functions = module.functions.iter().map(|(handle, function)| (Some(handle), function));
    let entries = module.entry_points.iter().map(|entry| (None, &entry.function));
    for (handle, function) in functions.chain(entries) {
        let takes = |block: &[Statement]| takes_derivatives(block, function, &differentiating);
        let is_refused = statements(&function.body).any(|statement| {
            matches!(statement, Statement::Loop { body, .. } if !is_counted(body, function))
                && inner_blocks(statement).into_iter().any(|block| takes(block))
        });
        if is_refused {
            names.extend(function.name.clone());
        }
        if takes(&function.body) {
            differentiating.extend(handle);
        }
    }
    names
}

fn takes_derivatives(
    block: &[Statement],
    function: &Function,
    differentiating: &BTreeSet<Handle<Function>>,
) -> bool {
    statements(block).any(|statement| match statement {
        Statement::Emit(range) => range.clone().any(|handle| {
            use SampleLevel::{Auto, Bias};
            match function.expressions[handle] {
                Expression::ImageSample { level, .. } => matches!(level, Auto | Bias(_)),
                Expression::Derivative { .. } => true,
                _ => false,
            }
        }),
        Statement::Call { function, .. } => differentiating.contains(function),
        _ => false,
    })
}

/// True if a loop ends only by a comparison with a constant at its start.
fn is_counted(body: &Block, function: &Function) -> bool {
    let mut rest = body.iter().skip_while(|statement| matches!(statement, Statement::Emit(_)));
    let Some(Statement::If { condition, accept, reject }) = rest.next() else {
        return false;
    };
    let is_constant = |handle: Handle<Expression>| {
        matches!(function.expressions[handle], Expression::Literal(_) | Expression::Constant(_))
    };
    let compares = match function.expressions[*condition] {
        Expression::Binary { left, right, .. } => is_constant(left) || is_constant(right),
        _ => false,
    };
    let ends = [accept, reject].into_iter().any(|block| matches!(**block, [Statement::Break]));
    compares && ends && !rest.any(leaves_loop)
}

#[cfg(test)]
mod tests {
    use super::super::{Library, Scene, compose};
    use super::*;

    fn warnings(body: &str) -> Vec<String> {
        let text = format!(
            "fn slope(x: f32) -> f32 {{ return fwidth(x); }}\n\
             fn main_image(p: vec2f) -> vec4f {{ var s = p.x; {body} return vec4f(s); }}"
        );
        let scene = Scene::from_text(&text, "s.wgsl");
        let program = compose(&scene, &Library::default(), &[]).expect("a scene");
        unrolling_warnings(&program).into_iter().map(|warning| warning.message).collect()
    }

    #[test]
    fn loops_of_varying_length_with_derivatives_are_found() {
        for body in [
            "for (var i = 0; i < i32(p.y); i++) { s += fwidth(s); }",
            "for (var i = 0; i < 9; i++) { s += slope(s); if s > 4.0 { break; } }",
            "loop { s += 1.0; continuing { s += dpdx(s); break if s > 9.0; } }",
            "for (var i = 0; i < 9; i++) { while s < p.y { s += slope(s); } }",
            "for (var i = 0; i < 9; i++) { for (;;) { if s > 2.0 { return vec4f(slope(s)); } } }",
        ] {
            let found = warnings(body);
            assert_eq!(found.len(), 1, "{body}: {found:?}");
            assert!(found[0].contains("`main_image`") && found[0].contains("X3511"), "{found:?}");
        }
        for body in [
            "s += fwidth(s); for (var i = 0; i < i32(p.y); i++) { s += 1.0; }",
            "for (var i = 0; i < 9; i++) { s += slope(s); }",
            "for (var i = 0; i < 9; i++) { s += slope(s); for (;;) { if s > 2.0 { break; } } }",
            "for (var i = 0; 9 > i; i++) { s += slope(s); switch i { case 1: { break; } default: {} } }",
        ] {
            assert_eq!(warnings(body), [""; 0], "{body}");
        }
    }
}
