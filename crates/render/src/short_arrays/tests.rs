use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Expression, Module};

use super::{Pointers, compare_indices, way};
use crate::calls::functions;

/// Functions that were added to a module with these declarations, which draws what is left
/// in `p` by statements, and whether an array of it is still indexed by numbers that are not
/// known.
fn after(declarations: &str, statements: &str) -> (usize, bool) {
    let text = format!(
        "struct Ball {{ at: vec3f, radius: f32, cells: array<i32, 3> }}
         {declarations}
         @fragment fn main(@location(0) @interpolate(flat) i: i32,
                           @location(1) @interpolate(flat) u: u32) -> @location(0) vec4f {{
             var p = vec4f();
             {statements}
             return p;
         }}"
    );
    let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
    let before = module.functions.len();
    compare_indices(&mut module);
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{statements}: {:?}", error.into_inner()));
    (module.functions.len() - before, is_indexed(&module))
}

/// True if something loads from or stores to an element whose number is not known.
fn is_indexed(module: &Module) -> bool {
    functions(module).any(|function| {
        let mut pointers = Pointers::default();
        pointers.add(&function.body);
        let loads = function
            .expressions
            .iter()
            .filter_map(|(_, expression)| match expression {
                Expression::Load { pointer } => Some(*pointer),
                _ => None,
            });
        let used: Vec<_> = loads.chain(pointers.stored).collect();
        let ways = used.into_iter().flat_map(|pointer| way(function, pointer));
        let mut expressions = ways.map(|handle| &function.expressions[handle]);
        expressions.any(|expression| matches!(expression, Expression::Access { .. }))
    })
}

const PRIVATE: &str = "var<private> a: array<f32, 4>;";
const LOCAL: &str = "var a: array<f32, 4>;";

#[test]
fn places_in_short_arrays_are_found_by_functions() {
    for (statements, functions) in [
        ("p.x = a[i];", 1),
        ("a[i] = 2.0;", 1),
        ("a[u] = 2.0; a[i] = a[u]; p.x = a[2];", 3),
        ("a[i] += 1.0; a[1] = 2.0;", 2),
        (
            "for (var n = 0; n < 9; n++) { if a[i] > 2.0 { a[i] = f32(n); } }",
            2,
        ),
    ] {
        assert_eq!(
            after(PRIVATE, statements),
            (functions, false),
            "{statements}"
        );
        let local = format!("{LOCAL} {statements}");
        assert_eq!(after("", &local), (functions, false), "{statements}");
    }
}

#[test]
fn what_is_inside_of_elements_is_found_too() {
    for (statements, functions) in [
        ("p.x = balls[i].radius; balls[u].radius = 2.0;", 2),
        ("p.x = balls[i].at.y; balls[i].at = vec3f(1.0);", 2),
        (
            "let ball = balls[i]; p.x = ball.radius; balls[u] = ball;",
            2,
        ),
        ("p.x = f32(balls[i].cells[2]);", 1),
    ] {
        let declaration = "var<private> balls: array<Ball, 3>;";
        assert_eq!(
            after(declaration, statements),
            (functions, false),
            "{statements}"
        );
    }
}

#[test]
fn arrays_that_stay_in_memory_stay_as_they_are() {
    for (declaration, statements) in [
        ("var<private> a: array<f32, 17>;", "a[i] = 1.0;"),
        ("var<private> a: array<array<f32, 3>, 3>;", "a[i][u] = 1.0;"),
        (
            "var<private> a: array<array<f32, 3>, 3>;",
            "p.x = a[1][u]; a[i][0] = 1.0;",
        ),
        (
            "var<private> a: array<Ball, 3>;",
            "p.x = f32(a[1].cells[u]) + a[i].radius;",
        ),
        (
            "var<private> a: array<vec2f, 3>;",
            "p.x = a[i][u]; a[i] = vec2f(2.0);",
        ),
        (
            "fn sum(all: ptr<function, array<f32, 3>>, i: i32) -> f32 { return (*all)[i]; }",
            "var a: array<f32, 3>; a[i] = 1.0; p.x = sum(&a, i);",
        ),
        (
            "var<private> a: array<f32, 3>;
             fn sum(all: ptr<private, array<f32, 3>>, i: i32) -> f32 { return (*all)[i]; }
             fn other(i: i32) -> f32 { return sum(&a, i); }",
            "a[i] = 1.0; p.x = other(i);",
        ),
    ] {
        assert_eq!(
            after(declaration, statements),
            (0, true),
            "{declaration} {statements}"
        );
    }
}
