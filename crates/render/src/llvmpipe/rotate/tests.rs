use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Block, Module, Statement};

use super::rotate_loops;
use tarsus_shader::ir::statements;

/// Body of the first loop in a function with these statements, after rotation, and the length
/// of its continuing block. Checks that the result is valid.
fn rotated(text: &str) -> (Block, usize) {
    let module = module(text);
    let mut rotated = module.clone();
    rotate_loops(&mut rotated);
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&rotated)
        .unwrap_or_else(|error| panic!("{text}: {:?}", error.into_inner()));
    first_loop(&rotated)
}

fn module(text: &str) -> Module {
    let text = format!(
        "fn is_low(x: f32) -> bool {{ return x < 9.0; }}
         @fragment fn main(@location(0) place: vec2f) -> @location(0) vec4f {{
             var sum = 0.0;
             {text}
             return vec4f(sum);
         }}"
    );
    naga::front::wgsl::parse_str(&text).expect("a module")
}

fn first_loop(module: &Module) -> (Block, usize) {
    let mut all = statements(&module.entry_points[0].function.body);
    let found = all.find_map(|statement| match statement {
        Statement::Loop { body, continuing, .. } => Some((body.clone(), continuing.len())),
        _ => None,
    });
    found.expect("a loop")
}

/// Statements of `body` that may leave the loop.
fn exits(body: &Block) -> usize {
    statements(body).filter(|statement| matches!(statement, Statement::Break)).count()
}

fn ends_with_test(body: &Block) -> bool {
    let breaks = |block: &Block| matches!(&block[..], [Statement::Break]);
    match body.last() {
        Some(Statement::If { accept, reject, .. }) => breaks(accept) || breaks(reject),
        _ => false,
    }
}

#[test]
fn loops_test_again_at_end() {
    for text in [
        "while sum < place.x { sum += 1.0; }",
        "while sum < place.x && sum < 9.0 || place.y < sum { sum += 1.0; }",
        "for (var i = 0; i < i32(place.x); i++) { sum += 1.0; }",
        "for (var i = 0; i < 99; i++) { sum += 1.0; }",
        "loop { if sum > place.x { break; } sum += 1.0; continuing { sum += 2.0; } }",
    ] {
        let (body, continuing) = rotated(text);
        assert!(ends_with_test(&body) && continuing == 0, "{text}: {body:#?}");
        assert_eq!(exits(&body), 2, "{text}");
    }
}

#[test]
fn tests_at_end_are_not_repeated() {
    let (body, continuing) = rotated("loop { sum += 1.0; continuing { break if sum > place.x; } }");
    assert!(ends_with_test(&body) && continuing == 0);
    assert_eq!(exits(&body), 1);
}

#[test]
fn tests_with_effects_are_not_repeated() {
    for text in [
        "loop { sum += 1.0; if sum > place.x { break; } continuing { sum *= 2.0; } }",
        "loop { var a = sum; if a > 9.0 { a = place.x; } sum = a; if a > 1.0 { break; } sum += 1.0; }",
        "loop { if is_low(sum) { break; } sum += 1.0; }",
        "loop { if place.x > 0.0 { return vec4f(); } if sum > 9.0 { break; } sum += 1.0; }",
    ] {
        let (body, continuing) = rotated(text);
        assert_eq!((exits(&body), continuing), (1, 0), "{text}");
    }
}

#[test]
fn other_loops_stay() {
    for text in [
        // The driver unrolls it.
        "for (var i = 0; i < 6; i++) { sum += 1.0; }",
        "for (var i = 0; i < i32(place.x); i++) { if sum > 2.0 { continue; } sum += place.x; }",
        "loop { sum += 1.0; break; }",
    ] {
        let (body, continuing) = first_loop(&module(text));
        let (after, continuing_after) = rotated(text);
        assert_eq!((body.len(), continuing), (after.len(), continuing_after), "{text}");
    }
}
