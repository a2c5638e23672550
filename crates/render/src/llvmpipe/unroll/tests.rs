use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Block, Module, Statement};

use super::unroll_and_rotate_loops;
use tarsus_shader::ir::{inner_blocks, statements};

/// Number of loops and stores in an entry point.
#[derive(Debug, PartialEq)]
struct Count {
    loops: usize,
    stores: usize,
}

/// Counts before and after unrolling in an entry point with these statements. Checks that the
/// result is valid.
fn counts(statements: &str) -> (Count, Count) {
    let text = format!(
        "const STEP = vec2f(0.0, 0.1);
         fn next(at: ptr<function, i32>) -> f32 {{ *at += 1; return f32(*at); }}
         @fragment fn main(@location(0) place: vec2f) -> @location(0) vec4f {{
             var sum = 0.0;
             var i: i32;
             {statements}
             return vec4f(sum);
         }}"
    );
    let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
    let before = count(&module);
    unroll_and_rotate_loops(&mut module);
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{statements}: {:?}", error.into_inner()));
    (before, count(&module))
}

fn count(module: &Module) -> Count {
    fn in_block(block: &Block, is: fn(&Statement) -> bool) -> usize {
        let each = block.iter().map(|statement| {
            let inner = inner_blocks(statement);
            let inner: usize = inner.into_iter().map(|block| in_block(block, is)).sum();
            usize::from(is(statement)) + inner
        });
        each.sum()
    }
    let body = &module.entry_points[0].function.body;
    Count {
        loops: in_block(body, |statement| matches!(statement, Statement::Loop { .. })),
        stores: in_block(body, |statement| matches!(statement, Statement::Store { .. })),
    }
}

#[test]
fn counted_loops_are_unrolled_by_divisors() {
    for (counted, factor) in [
        ("for (i = 0; i < 8; i++) { sum += place.x; }", 4),
        ("for (i = -3; i <= 2; i++) { sum += place.x; }", 2),
        ("for (i = 0; i < 0; i++) { sum += place.x; }", 4),
        // Left to the driver.
        ("for (i = 0; i < 7; i++) { sum += place.x; }", 1),
        ("for (i = i32(place.x); i < 8; i++) { sum += place.x; }", 1),
    ] {
        let (before, after) = counts(counted);
        assert_eq!((before.loops, after.loops), (1, 1), "{counted}");
        // Each iteration stores the sum and the counter.
        assert_eq!(after.stores, before.stores + (factor - 1) * 2, "{counted}");
    }
}

#[test]
fn short_loops_are_unrolled_by_four() {
    for short in [
        "loop { if sum > 9.0 { break; } sum += place.x; continuing { i++; } }",
        "loop { sum += place.x; if sum < 9.0 { i++; } continuing { break if sum > 9.0; } }",
        "while sum < 9.0 { sum += place.x; switch i { case 1: { i = 2; } default: { break; } } }",
        "loop { if sum > 9.0 { return vec4f(); } sum += next(&i); if sum > 8.0 { continue; } else { i++; } }",
        "for (i = 0; i < 96; i++) { var a = sum; a += 1.0; sum = a; }",
    ] {
        let (before, after) = counts(short);
        assert_eq!((before.loops, after.loops), (1, 1), "{short}");
        let outside = counts("").0.stores + usize::from(short.starts_with("for"));
        let (single, unrolled) = (before.stores - outside, after.stores - outside);
        assert_eq!(unrolled, 4 * single, "{short}");
    }
}

#[test]
fn longer_loops_are_unrolled_by_two() {
    let (before, after) = counts("while sum < 9.0 { sum += sin(sum) * cos(sum) * exp(sum); }");
    assert_eq!(after.stores, before.stores + 1);
}

#[test]
fn long_nested_or_continued_loops_stay() {
    let long = "sum = sin(sum) * cos(sum) * tan(sum);".repeat(3);
    for same in [
        format!("while sum < 9.0 {{ {long} }}"),
        "for (i = 0; i < 4; i++) { if sum > 2.0 { continue; } sum += place.x; }".into(),
        "loop { sum += 1.0; break; }".into(),
        "loop { sum += 1.0; return vec4f(); }".into(),
    ] {
        let (before, after) = counts(&same);
        assert_eq!(before, after, "{same}");
    }
    let (before, after) =
        counts("for (i = 0; i < 4; i++) { loop { sum += 1.0; if sum > 9.0 { break; } } }");
    assert_eq!(after.loops, before.loops);
    assert_eq!(after.stores, before.stores + 3, "the inner loop");
}

#[test]
fn loops_that_sum_fractions_stay() {
    for (body, factor) in [
        ("sum += 0.05;", 1),
        ("if sum < 1.0 { sum = 0.5 - sum; } else { sum -= 0.1; }", 1),
        ("var at = place; at += vec2f(0.0, 0.1); sum += at.y; place_sum += vec2f(0.5);", 1),
        ("sum = sum + 0.1 + place.x;", 1),
        ("place_sum.y += 0.1; sum += 2.0;", 1),
        ("place_sum += STEP; sum += 2.0;", 1),
        ("sum += 2.0;", 4),
        ("sum = sum * 0.3 + place.x;", 4),
        ("sum = 0.05 + place.x;", 4),
    ] {
        let looped = format!("var place_sum = vec2f(); while sum < 9.0 {{ {body} }}");
        let (before, after) = counts(&looped);
        let outside = counts("").0.stores;
        assert_eq!(after.stores - outside, factor * (before.stores - outside), "{body}");
    }
}

#[test]
fn unrolling_stops_at_cost_limit() {
    let many = "while sum < 9.0 { sum += place.x; }".repeat(4000);
    let (before, after) = counts(&many);
    assert!(after.stores > before.stores + 1000);
    assert!(after.stores < before.stores + 3 * 4000);
}

/// Body of the first loop in a function with these statements, after rotation, and the length
/// of its continuing block. Checks that the result is valid. Loops that sum fractions are not
/// unrolled.
fn rotated(text: &str) -> (Block, usize) {
    let module = module(text);
    let mut rotated = module.clone();
    unroll_and_rotate_loops(&mut rotated);
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
        "while sum < place.x { sum += 0.5; }",
        "while sum < place.x && sum < 9.0 || place.y < sum { sum += 0.5; }",
        "for (var i = 0; i < i32(place.x); i++) { sum += 0.5; }",
        "for (var i = 0; i < 99; i++) { sum += 0.5; }",
        "loop { if sum > place.x { break; } sum += 0.5; continuing { sum += 2.0; } }",
    ] {
        let (body, continuing) = rotated(text);
        assert!(ends_with_test(&body) && continuing == 0, "{text}: {body:#?}");
        assert_eq!(exits(&body), 2, "{text}");
    }
}

#[test]
fn tests_at_end_are_not_repeated() {
    let (body, continuing) = rotated("loop { sum += 0.5; continuing { break if sum > place.x; } }");
    assert!(ends_with_test(&body) && continuing == 0);
    assert_eq!(exits(&body), 1);
}

#[test]
fn tests_with_effects_are_not_repeated() {
    for text in [
        "loop { sum += 0.5; if sum > place.x { break; } continuing { sum *= 2.0; } }",
        "loop { var a = sum; if a > 9.0 { a = place.x; } sum = a; if a > 1.0 { break; } sum += 0.5; }",
        "loop { if is_low(sum) { break; } sum += 0.5; }",
        "loop { if place.x > 0.0 { return vec4f(); } if sum > 9.0 { break; } sum += 0.5; }",
    ] {
        let (body, continuing) = rotated(text);
        assert_eq!((exits(&body), continuing), (1, 0), "{text}");
    }
}

#[test]
fn other_loops_stay() {
    for text in [
        // The driver unrolls it.
        "for (var i = 0; i < 6; i++) { sum += 0.5; }",
        "for (var i = 0; i < i32(place.x); i++) { if sum > 2.0 { continue; } sum += place.x; }",
        "loop { sum += 0.5; break; }",
    ] {
        let (body, continuing) = first_loop(&module(text));
        let (after, continuing_after) = rotated(text);
        assert_eq!((body.len(), continuing), (after.len(), continuing_after), "{text}");
    }
}
