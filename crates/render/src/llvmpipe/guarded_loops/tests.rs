use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Expression, Statement};

use super::merge_guards;
use tarsus_shader::ir::statements;

/// Number of guards that merge into their loop. Checks that the result is valid, and that each
/// of them becomes a `select`.
fn merged(statements_of_main: &str) -> usize {
    let text = format!(
        "fn next(at: ptr<function, i32>) -> f32 {{ *at += 1; return f32(*at); }}
         @fragment fn main(@location(0) place: vec2f) -> @location(0) vec4f {{
             var sum = 0.0;
             let is_near = place.x < 1.0;
             {statements_of_main}
             return vec4f(sum);
         }}"
    );
    let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
    let counts = |module: &naga::Module| {
        let function = &module.entry_points[0].function;
        let is_if = |statement: &&Statement| matches!(statement, Statement::If { .. });
        let is_choice = |value: &&Expression| matches!(value, Expression::Select { .. });
        let values = function.expressions.iter().map(|(_, value)| value);
        (statements(&function.body).filter(is_if).count(), values.filter(is_choice).count())
    };
    let before = counts(&module);
    merge_guards(&mut module);
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{statements_of_main}: {:?}", error.into_inner()));
    let after = counts(&module);
    assert_eq!(before.0 - after.0, after.1 - before.1, "{statements_of_main}");
    before.0 - after.0
}

#[test]
fn guards_merge_into_counted_loops() {
    for guarded in [
        "if is_near { for (var i = 0; i < 4; i++) { sum += place.x; } }",
        "if is_near { for (var i = 7; i >= 1; i -= 2) { sum += place.x; } }",
        "if is_near { { for (var i = -1; i <= 1; i++) { sum += place.x; } } }",
        "for (var k = 0; k < 3; k++) { if sum < 9.0 { for (var i = 0; i < 4; i++) { sum += 1.0; } } }",
        "if is_near { for (var i = 0; i < 4; i++) { if sum > 2.0 { continue; } sum += place.x; } }",
    ] {
        assert_eq!(merged(guarded), 1, "{guarded}");
    }
}

#[test]
fn other_guards_stay() {
    for other in [
        // More than a loop.
        "if is_near { sum = 1.0; for (var i = 0; i < 4; i++) { sum += place.x; } }",
        "if is_near { for (var i = 0; i < 4; i++) { sum += place.x; } sum *= 2.0; }",
        "if is_near { for (var i = 0; i < 4; i++) { sum += place.x; } } else { sum = 1.0; }",
        // Loops with an unknown number of iterations.
        "if is_near { for (var i = 0; i < i32(sum); i++) { sum += place.x; } }",
        "if is_near { for (var i = 0; i < 4; i++) { if sum > 9.0 { break; } sum += place.x; } }",
        // A counter that is read after the loop, or starts at several values.
        "var i = 2; if is_near { for (i = 0; i < 4; i++) { sum += place.x; } } sum += f32(i);",
        "var i = 2; if is_near { for (; i < 4; i++) { sum += place.x; } } sum += next(&i);",
        "var i = 0; for (var k = 0; k < 3; k++) { if is_near { for (; i < 4; i++) { sum += 1.0; } } }",
        "var i = 2; sum += f32(i); if is_near { for (i = 0; i < 4; i++) { sum += place.x; } }",
    ] {
        assert_eq!(merged(other), 0, "{other}");
    }
}
