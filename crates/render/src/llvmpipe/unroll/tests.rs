use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Block, Module, Statement};

use super::unroll_loops;
use tarsus_shader::ir::inner_blocks;

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
    unroll_loops(&mut module);
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
