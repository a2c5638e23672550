use std::collections::HashSet;

use naga::compact::{KeepUnused, compact};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Block, Expression, Function, Handle, MathFunction, Module, Statement};

use super::hoist_uniform_expressions;
use tarsus_shader::ir::inner_blocks;

/// Declarations for the statements under test.
const MODULE: &str = "
    struct Light { height: f32, place: vec2f }
    struct Frame { time: f32, @align(16) light: Light, values: array<vec4f, 8> }
    @group(0) @binding(0) var<uniform> frame: Frame;
    var<private> counted: f32;

    fn value(index: u32) -> vec4f { return frame.values[index]; }
    fn light() -> Light { return Light(sin(frame.time), frame.light.place); }
    fn turn(angle: f32) -> mat2x2f {
        let s = sin(angle);
        var c: f32;
        c = sin(angle + 1.5707963);
        return mat2x2f(c, s, -s, c);
    }
    fn turn_at(angle: ptr<function, f32>) -> mat2x2f { return turn(*angle); }
    fn turn_on(angle: ptr<function, f32>) -> f32 { *angle += 1.0; return sin(*angle); }
    fn count() -> f32 { counted += 1.0; return frame.time; }
    fn lit(dark: bool) -> f32 {
        if dark { return 0.0; }
        return sin(frame.time);
    }
    fn distance(p: vec2f) -> f32 { return length(turn(frame.time) * p); }";

/// Number of sines inside and outside loops, in reachable functions. Calls in loops evaluate
/// their function in the loop.
fn sines(module: &Module) -> (usize, usize) {
    fn add(module: &Module, function: &Function, block: &Block, in_loop: bool, sines: &mut Sines) {
        for statement in block {
            match statement {
                Statement::Emit(range) => {
                    let is_sine = |at| match function.expressions[at] {
                        Expression::Math { fun, .. } => fun == MathFunction::Sin,
                        _ => false,
                    };
                    let found = range.clone().filter(|at| is_sine(*at));
                    let found = found.map(|at| (std::ptr::from_ref(function), at));
                    if in_loop { sines.0.extend(found) } else { sines.1.extend(found) }
                }
                Statement::Call { function, .. } => {
                    let called = &module.functions[*function];
                    add(module, called, &called.body, in_loop, sines);
                }
                _ => {}
            }
            let in_loop = in_loop || matches!(statement, Statement::Loop { .. });
            for inner in inner_blocks(statement) {
                add(module, function, inner, in_loop, sines);
            }
        }
    }
    let mut module = module.clone();
    compact(&mut module, KeepUnused::No);
    let mut sines = Sines::default();
    let entry = &module.entry_points[0].function;
    add(&module, entry, &entry.body, false, &mut sines);
    (sines.0.len(), sines.1.difference(&sines.0).count())
}

/// Sines by function, inside and outside loops.
type Sines = (
    HashSet<(*const Function, Handle<Expression>)>,
    HashSet<(*const Function, Handle<Expression>)>,
);

/// Number of sines inside and outside loops after hoisting in an entry point with these
/// statements.
fn sines_after(statements: &str) -> (usize, usize) {
    let text = format!(
        "{MODULE}
         @fragment fn main(@location(0) place: vec2f) -> @location(0) vec4f {{
             var p = place;
             var a: f32;
             var b: vec2f;
             {statements}
             return vec4f(p, counted, 1.0);
         }}"
    );
    let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
    let before = sines(&module);
    hoist_uniform_expressions(&mut module);
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{statements}: {:?}", error.into_inner()));
    assert!(before.0 + before.1 > 0, "{statements}");
    sines(&module)
}

#[test]
fn uniform_expressions_are_hoisted() {
    for (body, count) in [
        ("p.x += sin(frame.time) * p.y;", 1),
        ("p.x += sin(frame.time); p.y -= sin(frame.time);", 1),
        ("p.x += sin(2.0 * frame.time) + sin(frame.light.place.x);", 2),
        ("p.x += sin(value(3u).y);", 1),
        ("p.x += sin(value(3u).y) + sin(value(4u).y);", 2),
        ("p.x += lit(p.y > 1.0);", 1),
        ("p = turn(frame.time) * p;", 2),
        ("a = 0.3 * frame.time; p.x += sin(a); p.y += sin(a);", 1),
        ("b = vec2f(frame.time); p.x += sin(b.y);", 1),
        ("p.x += distance(p);", 2),
        ("p.x += light().height;", 1),
        ("var l = light(); p.x += l.height;", 1),
        ("let a = 0.3 * frame.time; p = turn(a) * p;", 2),
        ("var a = 0.3 * frame.time; p = turn_at(&a) * p;", 2),
        ("if p.x > 0.5 { p.x -= sin(frame.time); }", 1),
        ("if sin(frame.time) > 0.5 { p.x -= 1.0; }", 1),
        ("for (var j = 0; j < 40; j++) { p.x -= sin(frame.time); }", 1),
        ("switch i { case 1: { p.x += sin(frame.time); } default: { p.y += 1.0; } }", 1),
        ("loop { p.x += 1.0; continuing { p.y += 1.0; break if p.y > sin(frame.time); } }", 1),
    ] {
        let text = format!("for (var i = 0; i < 90; i++) {{ {body} }}");
        assert_eq!(sines_after(&text), (0, count), "{body}");
    }
}

#[test]
fn varying_expressions_stay_in_loop() {
    for (body, inside) in [
        ("p.x += sin(p.y + frame.time);", 1),
        ("p.x += sin(value(u32(i)).y);", 1),
        ("a = frame.time; a += p.x; p.y += sin(a);", 1),
        ("p.y += sin(a); a = frame.time;", 1),
        ("if p.x > 0.0 { a = frame.time; } p.y += sin(a);", 1),
        ("b.x = frame.time; p.y += sin(b.x);", 1),
        ("a = frame.time; p.x += turn_on(&a); p.y += sin(a);", 2),
        ("p = turn(p.x) * p;", 2),
        ("p.x += sin(counted); counted = frame.time;", 1),
        // The call has a side effect.
        ("p.x += sin(count());", 1),
    ] {
        let text = format!("for (var i = 0; i < 90; i++) {{ {body} }}");
        assert_eq!(sines_after(&text).0, inside, "{body}");
    }
}

#[test]
fn modules_without_loops_are_unchanged() {
    for statements in ["p.x += sin(frame.time);", "p.x += distance(p);"] {
        let text = format!(
            "{MODULE}
             @fragment fn main(@location(0) place: vec2f) -> @location(0) vec4f {{
                 var p = place;
                 {statements}
                 return vec4f(p, 0.0, 1.0);
             }}"
        );
        let module = naga::front::wgsl::parse_str(&text).expect("a module");
        let mut changed = module.clone();
        hoist_uniform_expressions(&mut changed);
        assert_eq!(format!("{module:?}"), format!("{changed:?}"));
    }
}

#[test]
fn exponential_call_chains_stay_small() {
    let mut text = String::from(
        "@group(0) @binding(0) var<uniform> time: f32;\nfn chain0(x: f32) -> f32 { return sin(x); }\n",
    );
    for n in 1..60 {
        text += &format!(
            "fn chain{n}(x: f32) -> f32 {{ return chain{m}(x) + chain{m}(x + 1.0); }}\n",
            m = n - 1
        );
    }
    text += "@fragment fn main() -> @location(0) vec4f {
        var sum = 0.0;
        for (var i = 0; i < 90; i++) { sum += chain59(time) + chain3(time); }
        return vec4f(sum);
    }";
    let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
    let before = module.functions.len();
    hoist_uniform_expressions(&mut module);
    // The prologue and the getters of the time and of the short chain.
    assert_eq!(module.functions.len(), before + 3);
    let (_, prologue) = module.functions.iter().nth(2).expect("the prologue");
    assert!(prologue.expressions.len() < 100);
}

/// Checks whether hoisting inserts a call of the prologue into a module whose vertex entry
/// point has these statements.
#[track_caller]
fn assert_hoists(vertex: &str, is_hoisted: bool) {
    let text = format!(
        "@group(0) @binding(0) var<uniform> time: f32;
         fn swayed() -> f32 {{ return sin(time); }}
         @vertex fn corner() -> @builtin(position) vec4f {{
             var sum = 0.0;
             for (var i = 0; i < 90; i++) {{ sum += {vertex}; }}
             return vec4f(sum);
         }}
         @fragment fn image() -> @location(0) vec4f {{
             var sum = 0.0;
             for (var i = 0; i < 90; i++) {{ sum += swayed(); }}
             return vec4f(sum);
         }}"
    );
    let mut module = naga::front::wgsl::parse_str(&text).expect("a module");
    hoist_uniform_expressions(&mut module);
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .expect("a valid module");
    let first = [0, 1].map(|point| &module.entry_points[point].function.body[0]);
    let calls = first.map(|first| matches!(first, Statement::Call { result: None, .. }));
    assert_eq!(calls, [false, is_hoisted], "{vertex}");
}

#[test]
fn prologue_runs_in_fragment_stage_only() {
    assert_hoists("sin(time)", true);
    // In the vertex stage the function would read a variable that nothing sets.
    assert_hoists("swayed()", false);
}
