//! Random programs draw the same picture in every way: with and without the optimisations
//! for software renderers, exported and read back, and converted between WGSL and GLSL.
//!
//! `TARSUS_PROGRAMS=1000` draws more of them, `TARSUS_PROGRAMS=700..800` those. With
//! `TARSUS_SHORT_PROGRAMS=16` each picture holds 16 short programs, which is faster.

use std::iter;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use tarsus_render::{Depth, FORMAT, Frame, Inputs};
use tarsus_shader::{Program, Scene, Values};
use tarsus_transpile::{PerFrame, shadertoy_json, to_shadertoy, to_wgsl, to_wgsl_scene};

use crate::common::compute::Compute;
use crate::common::drawing::{advance, draw};
use crate::common::programs::{Constructs, SHORT_ROWS, TIME, program};
use crate::common::{gpu, library, renderer};
use crate::export::drawn_by_gles;

/// Number of short programs per picture: 0 if each has one long program.
fn shorts() -> usize {
    std::env::var("TARSUS_SHORT_PROGRAMS").map_or(0, |text| text.parse().expect("a number"))
}

fn size() -> (u32, u32) {
    (16, SHORT_ROWS * shorts().max(1) as u32)
}

/// Numbers of the programs to draw.
fn numbers(usual: u64) -> Range<u64> {
    let number = |text: &str| text.parse().expect("a number");
    match std::env::var("TARSUS_PROGRAMS") {
        Err(_) => 0..usual,
        Ok(text) => match text.split_once("..") {
            Some((first, end)) => number(first)..number(end),
            None => 0..number(&text),
        },
    }
}

fn compose(text: &str, file: &str) -> Result<Program, String> {
    let scene = Scene::from_text(text, file);
    let program = tarsus_shader::compose(&scene, &library(), &[]);
    program.map_err(|error| error.to_string())
}

/// Red, green and blue of every pixel, from the top.
type Pixels = Vec<[u8; 3]>;

/// The picture of a program; with buffers, that of its third frame.
fn pixels(program: &Program) -> Pixels {
    let mut renderer = renderer(gpu(), program, FORMAT);
    let inputs = |number| {
        let frame = Frame::new(size(), number, 60.0).at_time(TIME);
        Inputs::new(frame)
    };
    let frames = if program.has_state() { 3 } else { 1 };
    for number in 0..frames {
        advance(&mut renderer, &inputs(number));
    }
    rgb(&draw(&mut renderer, &inputs(frames - 1), Depth::Eight).rgba)
}

fn rgb(rgba: &[u8]) -> Pixels {
    let pixels = rgba.chunks_exact(4);
    pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}

/// A way to draw a program after conversion.
#[derive(Clone, Copy, Debug)]
enum Route {
    /// Exported to Shadertoy and read back.
    Shadertoy,
    /// The same, then imported as WGSL.
    Import,
    /// Exported to one WGSL file.
    Wgsl,
    /// Exported to GLSL and drawn by OpenGL ES.
    Gles,
}

const ROUTES: [Route; 4] = [Route::Shadertoy, Route::Import, Route::Wgsl, Route::Gles];

fn draw_on(route: Route, native: &Program) -> Result<Pixels, String> {
    if let Route::Wgsl = route {
        let text = to_wgsl(native, &Values::default()).map_err(|error| error.to_string())?;
        let module = naga::front::wgsl::parse_str(&text);
        let module = Arc::new(module.map_err(|error| error.to_string())?);
        let mut program = native.clone();
        let passes = program.passes.iter_mut();
        for pass in passes.chain(&mut program.per_frame) {
            pass.module = Arc::clone(&module);
        }
        return Ok(pixels(&program));
    }
    let exported = to_shadertoy(native, &Values::default(), PerFrame::Auto);
    let exported = exported.map_err(|error| error.to_string())?;
    if let Route::Gles = route {
        return Ok(rgb(&drawn_by_gles(&exported, size(), &[TIME])?[0].rgba));
    }
    let json = shadertoy_json("random", native, &exported);
    let read = compose(&json, "exported.json")?;
    if let Route::Shadertoy = route {
        return Ok(pixels(&read));
    }
    let text = to_wgsl_scene(&read, None).map_err(|error| error.to_string())?;
    Ok(pixels(&compose(&text, "imported.wgsl")?))
}

/// The difference between the pictures of a program and of its conversion.
fn difference(native: &Program, expected: &Pixels, route: Route) -> Option<String> {
    match draw_on(route, native) {
        Ok(drawn) => count_different(&drawn, expected),
        Err(error) => Some(error),
    }
}

const DIFFER: &str = "pixels differ";

fn count_different(drawn: &Pixels, expected: &Pixels) -> Option<String> {
    let pairs = drawn.iter().zip(expected);
    let count = pairs.filter(|(drawn, expected)| drawn != expected).count();
    (count > 0).then(|| format!("{count} of {} {DIFFER}", expected.len()))
}

/// Removes blocks, the outermost first, then lines from the end, as long as `is_wrong`
/// holds.
fn minimize(text: &str, is_wrong: &dyn Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let shorten = |lines: &mut Vec<&str>, at: usize, needs_block: bool| {
        let mut open = 0;
        let block = lines[at..].iter().position(|line| {
            open += line.matches('{').count() as i32 - line.matches('}').count() as i32;
            open <= 0
        });
        let end = at + block.unwrap_or(0) + 1;
        if needs_block && end < at + 3 {
            return false;
        }
        // Without the block, or without its first and last line.
        let inside = &lines[at + 1..(end - 1).max(at + 1)];
        let shorter = [&lines[..at], &lines[end..]].concat();
        let unwrapped = [&lines[..at], inside, &lines[end..]].concat();
        let mut all = [shorter, unwrapped].into_iter();
        let found = all.find(|lines| is_wrong(&lines.join("\n")));
        let is_found = found.is_some();
        *lines = found.unwrap_or_else(|| std::mem::take(lines));
        is_found
    };
    let mut at = 0;
    while at < lines.len() {
        if !shorten(&mut lines, at, true) {
            at += 1;
        }
    }
    for at in (0..lines.len()).rev() {
        if at < lines.len() {
            shorten(&mut lines, at, false);
        }
    }
    lines.join("\n")
}

/// The shortest program found that goes wrong as `text` does on `route`.
fn minimize_difference(text: &str, route: Route, difference: &str) -> String {
    let kind = |difference: &str| difference.contains(DIFFER);
    minimize(text, &|shorter| {
        let Ok(native) = compose(shorter, "random.wgsl") else {
            return false;
        };
        let found = self::difference(&native, &pixels(&native), route);
        found.is_some_and(|found| kind(&found) == kind(difference))
    })
}

/// A conversion that draws another picture, or fails.
struct Wrong {
    number: u64,
    route: Route,
    difference: String,
}

/// What is wrong with the conversions of the program `number`; an error if it is invalid.
fn check(number: u64) -> Result<Vec<Wrong>, String> {
    let constructs = constructs_of(number);
    let native = compose(&program(number, constructs), "random.wgsl")?;
    let expected = pixels(&native);
    // The program for OpenGL ES has no feedback.
    let has_feedback = |route: &Route| matches!(route, Route::Gles) && constructs.buffers;
    let routes = ROUTES.into_iter().filter(|route| !has_feedback(route));
    let wrong = routes.filter_map(|route| {
        let difference = difference(&native, &expected, route)?;
        eprintln!("{number} {route:?}: {difference}");
        Some(Wrong { number, route, difference })
    });
    Ok(wrong.collect())
}

fn constructs_of(number: u64) -> Constructs {
    Constructs {
        derivatives: number.is_multiple_of(2),
        buffers: number.is_multiple_of(3),
        uniforms: number.is_multiple_of(5),
        short: shorts(),
    }
}

#[test]
fn converted_programs_draw_same() {
    let numbers = numbers(100);
    let count = numbers.end - numbers.start;
    let next = AtomicU64::new(numbers.start);
    let check_all = || {
        let taken = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let taken = taken.take_while(|number| numbers.contains(number));
        taken.map(check).collect::<Vec<_>>()
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let checked: Vec<Result<Vec<Wrong>, String>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(check_all)).collect();
        let checked = workers.into_iter().map(|worker| worker.join().expect("a check"));
        checked.flatten().collect()
    });
    // Constant expressions that overflow are invalid.
    let invalid = checked.iter().filter(|checked| checked.is_err()).count() as u64;
    assert!(invalid * 20 <= count + 20, "{invalid} of {count} programs are invalid");
    let wrong: Vec<Wrong> = checked.into_iter().flatten().flatten().collect();
    if let Some(first) = wrong.first() {
        let text = program(first.number, constructs_of(first.number));
        panic!(
            "{} pictures of {count} programs are wrong; number {} on {:?}: {}\n{}",
            wrong.len(),
            first.number,
            first.route,
            first.difference,
            minimize_difference(&text, first.route, &first.difference)
        );
    }
}

/// Programs on which an earlier version of the exporter or importer went wrong, without
/// their head and end: the statements change `n`.
const FIXED: &[(&str, &str)] = &[
    (
        "a `let` of the body in `continuing`",
        "var k = n; loop { let b = k * 2; k++; if (k & 3) == 1 { continue; } if k > n + 6 { break; }
         n ^= k; continuing { n += b; } }",
    ),
    (
        "`break if` after a `continue` in a `switch`",
        "var k = 0; loop { let b = k ^ n; switch n & 3 { case 1: { n += 5; continue; } default: {} }
         n += 2; continuing { k++; n -= b & 7; break if k > 6; } }",
    ),
    ("a call in `select`", "n = select(n, bump(3), n > 4) + calls;"),
    ("a call after `&`", "if (n > 4) & (bump(2) > 9) { n += 7; } n += calls;"),
    ("a call after `|`", "let c = (n > 4) | (bump(2) > 9); if c { n += 7; } n += calls;"),
    ("a derivative in `select`", "n = i32(select(0.5, dpdx(place.x * place.x), n > 4) * 8.0);"),
    ("a derivative by rows", "n = i32(dpdy(place.y * place.y) * 8.0);"),
    ("an ignored call that stores through a pointer", "_ = bump_behind(4); n += calls;"),
    ("members named as swizzles", "var q = Names(place, n); q.xy.y = 3.0; n = i32(q.xy.x + q.xy.y) + q.length;"),
    ("shift counts above 31", "n = (n << u32(n + 40)) ^ (n >> u32(n + 35));"),
    ("indices out of range", "var own = array<i32, 3>(4, 7, 9); own[n] += 5; n = own[n + 1] + own[1];"),
    ("`case` beside `default`", "switch n & 7 { case 1, default: { n += 9; } case 3: {} }"),
    ("`<` and `>` in one list", "n = select(1, 2, all(vec2<bool>((n < 5), n > 3)));"),
    ("addresses of values", "n = bump(select(bump(n), -bump(2 * n), n > 4 && calls > 9)) + shift(&n, 2);"),
];

#[test]
fn fixed_programs_draw_same() {
    for (what, statements) in FIXED {
        let text = format!(
            "struct Names {{ xy: vec2f, length: i32 }}
             var<private> calls: i32 = 3;
             fn bump(by: i32) -> i32 {{ calls = calls * 3 + by; return calls >> 1u; }}
             fn add(to: ptr<private, i32>, by: i32) -> i32 {{ *to += by; return by; }}
             fn bump_behind(by: i32) -> i32 {{ return add(&calls, by); }}
             fn shift(at: ptr<function, i32>, by: i32) -> i32 {{ *at += by; return by; }}
             fn main_image(frag_coord: vec2f) -> vec4f {{
                 let place = floor(frag_coord);
                 var n = i32(place.x) * 3 - i32(place.y);
                 {statements}
                 return unpack4x8unorm(u32(n) * 16777619u);
             }}"
        );
        let native = compose(&text, "fixed.wgsl").unwrap_or_else(|error| panic!("{what}: {error}"));
        let expected = pixels(&native);
        for route in ROUTES {
            let difference = difference(&native, &expected, route);
            assert_eq!(difference, None, "{what}, {route:?}");
        }
    }
}

/// Variables of a `per_frame` that runs inline.
#[test]
fn inline_per_frame_has_own_variables() {
    let text = "#import tarsus::frame
        var<private> calls: i32 = 3;
        var<private> table: array<i32, 2>;
        fn per_frame(index: u32) -> vec4f {
            calls = calls * 2 + i32(index);
            table[index & 1u] += calls;
            if calls > 8 { return vec4f(1.0, f32(calls), 2.0, 0.0); }
            return vec4f(f32(calls), f32(table[0]), f32(table[1]), 0.0);
        }
        fn main_image(frag_coord: vec2f) -> vec4f {
            calls = i32(frag_coord.x);
            let a = frame::per_frame_value(u32(frag_coord.y) & 3u);
            let b = frame::per_frame_value(1u);
            let sum = u32(a.x) * 7u + u32(a.y) * 5u + u32(b.x + b.y * 3.0 + b.z);
            return unpack4x8unorm((u32(calls) * 31u + sum) * 16777619u);
        }";
    let native = compose(text, "inline.wgsl").expect("a scene");
    let expected = pixels(&native);
    for route in ROUTES {
        assert_eq!(difference(&native, &expected, route), None, "{route:?}");
    }
}

/// Compute shaders are not optimised.
#[test]
fn lowered_programs_draw_same() {
    let compute = Compute::shared();
    let (width, height) = size();
    let rows = (0..height).rev();
    let places = rows.flat_map(|y| (0..width).map(move |x| [x as f32 + 0.5, y as f32 + 0.5]));
    let inputs: Vec<_> = places.map(|[x, y]| [[x, y, 0.0, 0.0]]).collect();
    for number in numbers(16) {
        let uniforms = Constructs { uniforms: true, ..Constructs::default() };
        let Ok(lowered) = compose(&program(number, uniforms), "random.wgsl") else {
            continue;
        };
        let constant = program(number, Constructs::default());
        let plain = format!(
            "{constant}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {{
    return array<vec4f, 1>(main_image(input[0].xy));
}}"
        );
        let expected = compute.evaluate::<1, 1>(&plain, &inputs);
        let byte = |value: f32| (255.0 * value).round() as u8;
        let expected = expected.iter().map(|[[r, g, b, _]]| [*r, *g, *b].map(byte));
        let different = count_different(&pixels(&lowered), &expected.collect());
        assert_eq!(different, None, "program {number}:\n{constant}");
    }
}
