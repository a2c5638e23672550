use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Expression, Module};

use super::choose_elements;

/// The number of functions that choose in a module with these declarations and this value,
/// and whether its private arrays are still indexed by numbers that are not known.
fn chosen(declarations: &str, value: &str) -> (usize, bool) {
    let text = format!(
        "struct Ball {{ at: vec3f, radius: f32, cells: array<i32, 3> }}
         {declarations}
         fn twice(i: i32) -> i32 {{ return 2 * i; }}
         fn change(number: ptr<private, f32>) {{ *number = 2.0; }}
         @fragment fn main(@location(0) @interpolate(flat) i: i32,
                           @location(1) @interpolate(flat) u: u32) -> @location(0) vec4f {{
             return vec4f({value}) + vec4f(f32(twice(twice(i))));
         }}"
    );
    let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
    let before = module.functions.len();
    choose_elements(&mut module);
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{value}: {:?}", error.into_inner()));
    (module.functions.len() - before, is_indexed(&module))
}

/// True if something loads from an element whose number is not known.
fn is_indexed(module: &Module) -> bool {
    let function = &module.entry_points[0].function;
    let leads_through_index = |mut at| loop {
        match function.expressions[at] {
            Expression::Access { .. } => return true,
            Expression::AccessIndex { base, .. } => at = base,
            _ => return false,
        }
    };
    let mut expressions = function.expressions.iter();
    expressions.any(|(_, expression)| match *expression {
        Expression::Load { pointer } => leads_through_index(pointer),
        _ => false,
    })
}

const NUMBERS: &str = "var<private> numbers: array<f32, 3> = array<f32, 3>(1.0, 2.0, 4.0);";
const BALLS: &str = "var<private> balls: array<Ball, 2> = array<Ball, 2>(
    Ball(vec3f(1.0, 2.0, 3.0), 0.5, array<i32, 3>(1, 2, 3)), Ball());";

#[test]
fn elements_of_constant_arrays_are_chosen_by_functions() {
    for (declarations, value, functions) in [
        (NUMBERS, "numbers[i]", 1),
        (NUMBERS, "numbers[u] + numbers[i] + numbers[i + 1]", 2),
        (BALLS, "balls[i].radius + balls[u].at.y", 2),
        (
            BALLS,
            "f32(balls[i].cells[1]) + dot(balls[i].at, balls[i].at)",
            2,
        ),
        (
            "var<private> points: array<vec2f, 2> = array<vec2f, 2>(vec2f(3.0), vec2f());",
            "points[i].x",
            1,
        ),
    ] {
        assert_eq!(chosen(declarations, value), (functions, false), "{value}");
    }
}

#[test]
fn arrays_that_may_change_stay() {
    for changed in [
        "fn other() -> f32 { numbers[1] = 3.0; return 1.0; }",
        "fn other() -> f32 { change(&numbers[1]); return 1.0; }",
        "fn other() -> f32 { loop { numbers = array<f32, 3>(); break; } return 1.0; }",
    ] {
        let declarations = format!("{NUMBERS} {changed}");
        assert_eq!(
            chosen(&declarations, "numbers[i] + other()"),
            (0, true),
            "{changed}"
        );
    }
}

#[test]
fn what_is_long_or_no_number_stays() {
    for (ty, of, value) in [
        ("array<i32, 3>", "", "f32(numbers[i])"),
        ("array<i32, 99>", "= array<i32, 99>()", "f32(numbers[i])"),
        ("array<bool, 2>", "= array<bool, 2>()", "f32(numbers[i])"),
        (
            "array<Ball, 2>",
            "= array<Ball, 2>()",
            "f32(numbers[i].cells[u])",
        ),
        ("array<Ball, 2>", "= array<Ball, 2>()", "numbers[i].at[u]"),
    ] {
        let declaration = format!("var<private> numbers: {ty} {of};");
        assert_eq!(chosen(&declaration, value), (0, true), "{declaration}");
    }
}
