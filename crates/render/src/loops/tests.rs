use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Function, Module, Statement};

use super::{CountedLoop, bound_loops};
use tarsus_shader::ir;

/// A module whose entry point has these statements.
fn module(statements: &str) -> Module {
    let text = format!(
        "const SIX = 6;
         fn restart(at: ptr<function, i32>) -> f32 {{ *at = 0; return f32(*at); }}
         @fragment fn main(@location(0) place: vec2f) -> @location(0) vec4f {{
             var sum = 0.0;
             {statements}
             return vec4f(sum);
         }}"
    );
    naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{statements}: {error}"))
}

fn loops(function: &Function) -> usize {
    let all = ir::statements(&function.body);
    all.filter(|statement| matches!(statement, Statement::Loop { .. })).count()
}

/// Number of counters that [`bound_loops`] adds. Checks that the result is valid, and that only
/// counted loops remain in it where none is added.
fn added_counters(statements: &str) -> usize {
    let mut module = module(statements);
    let before = module.entry_points[0].function.local_variables.len();
    let all = loops(&module.entry_points[0].function);
    bound_loops(&mut module);
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{statements}: {:?}", error.into_inner()));
    let function = &module.entry_points[0].function;
    assert_eq!(loops(function), all, "{statements}");
    function.local_variables.len() - before
}

#[test]
fn loops_that_only_count_stay() {
    for (statements, iterations) in [
        ("for (var i = 0; i < 4; i++) { sum += place.x; }", Some(4)),
        ("for (var i = 0; i < SIX; i += 2) { sum += place.x; }", Some(3)),
        ("for (var i = -1; i <= 1; i++) { if sum > 2.0 { continue; } sum += place.x; }", Some(3)),
        ("for (var i = 9u; i > 3u; i--) { sum += place.x; }", Some(6)),
        ("for (var i = 9; i >= 0; i -= 4) { sum += place.x; }", Some(3)),
        ("for (var i = 5; i < 5; i++) { sum += place.x; }", Some(0)),
        ("var i: i32; for (; i < 4; i++) { sum += place.x; }", None),
        ("for (var i = i32(place.x); i < 2147483647; i++) { sum += place.x; }", None),
        ("for (var i = 0.5; i < 1e4; i += 0.5) { sum += i; }", None),
        ("for (var i = 8.0; i >= 0.25; i -= 0.25) { sum += i; }", None),
        (
            "for (var i = 0; i < 3; i++) { switch i { case 1: { break; } default: { sum += 1.0; } } }",
            Some(3),
        ),
    ] {
        assert_eq!(added_counters(statements), 0, "{statements}");
        let module = module(statements);
        let function = &module.entry_points[0].function;
        let mut counted = ir::statements(&function.body)
            .filter_map(|statement| CountedLoop::of(statement, function, &module));
        let counted = counted.next().expect("a counted loop");
        assert_eq!(counted.iterations, iterations, "{statements}");
    }
}

#[test]
fn loops_that_may_not_end_get_counters() {
    for statements in [
        "loop { sum += place.x; if sum > 9.0 { break; } }",
        "while sum < 9.0 { sum += place.x; }",
        "loop { sum += 1.0; continuing { break if sum > 9.0; } }",
        // The counter passes the limit by.
        "for (var i = 0; i <= 2147483647; i++) { sum += place.x; }",
        "for (var i = 0; i < 2147483647; i += 2) { sum += place.x; }",
        "for (var i = 9u; i >= 0u; i--) { sum += place.x; }",
        "for (var i = 0; i < 4; i--) { sum += place.x; }",
        "for (var i = 0; i < 4; i += 0) { sum += place.x; }",
        "for (var i = 0; i != 5; i += 2) { sum += place.x; }",
        // The counter stands still.
        "for (var i = 0.0; i < 1e9; i += 1.0) { sum += place.x; }",
        "for (var i = place.x; i < 4.0; i += 1.0) { sum += place.x; }",
        "for (var i = 0.0; i < 4.0; i += 1e-39) { sum += place.x; }",
        // The counter or the limit changes elsewhere.
        "for (var i = 0; i < 4; i++) { i = 0; }",
        "for (var i = 0; i < 4; i++) { sum += restart(&i); }",
        "for (var i = 0; i < 4; i++) { for (var j = 0; j < 3; j++) { i--; } }",
        "for (var n = 4; sum < 9.0; n++) { for (var i = 0; i < n; i++) { sum += 1.0; } }",
        "for (var i = 0; i < 4;) { if sum > 1.0 { i++; } sum += 1.0; }",
    ] {
        assert!(added_counters(statements) > 0, "{statements}");
    }
}

#[test]
fn loops_with_more_exits_get_counters() {
    for statements in [
        "for (var i = 0; i < 4; i++) { if sum > 2.0 { break; } sum += place.x; }",
        "for (var i = 0; i < 4; i++) { if sum > 2.0 { return vec4f(); } sum += place.x; }",
        "for (var i = 0; i < 4; i++) { switch i { case 1: { return vec4f(); } default: {} } }",
        "for (var i = 0; i < 4; i++) { if sum > 2.0 { discard; } }",
    ] {
        assert_eq!(added_counters(statements), 1, "{statements}");
    }
}

#[test]
fn inner_loops_are_judged_separately() {
    let counted = "for (var i = 0; i < 4; i++) { INNER }";
    let whole = |inner| counted.replace("INNER", inner);
    assert_eq!(added_counters(&whole("for (var j = 0; j < 3; j++) { sum += 1.0; }")), 0);
    assert_eq!(added_counters(&whole("while sum < 9.0 { sum += place.x; }")), 1);
}
