//! Random programs draw the same with and without the transformations for software
//! renderers (unrolling short loops, lowering dynamic indexing of tables and arrays,
//! hoisting uniform expressions, reading uniforms as texels).

use crate::common::compute::Compute;
use crate::common::floats::Floats;
use tarsus_render::Frame;

const SIZE: (u32, u32) = (16, 8);
const TIME: f32 = 3.1;

/// Functions that programs can call, and arrays they can index.
const DEFINITIONS: &str = "
#import tarsus::frame
var<private> table = array<vec2f, 5>(
    vec2f(0.3, -0.8), vec2f(1.1, 0.2), vec2f(-0.6, 0.5), vec2f(0.9, -1.3), vec2f(-0.1, 0.7));
var<private> counted: f32;
var<private> kept: array<vec2f, 4>;
fn value_at(index: u32, time: f32) -> vec4f {
    return vec4f(0.1037 * f32(index) - 0.4113, time, fract(0.37 * f32(index)), 0.5);
}
struct Rotation { matrix: mat2x2f, shift: f32 }
fn rotate(angle: f32) -> Rotation {
    let s = sin(angle);
    var c = cos(angle);
    if c > 0.99 { c = 0.99; }
    return Rotation(mat2x2f(c, s, -s, c), s * c);
}
fn count(by: f32) -> f32 {
    // Continuous, and not steep: a last bit stays a last bit.
    counted = abs(fract(counted + 0.1 * abs(by)) - 0.5);
    return counted;
}
fn move_on(q: ptr<function, vec2f>, time: f32) -> f32 {
    *q = rotate(0.7 * time).matrix * *q;
    for (var i = 0; i < 3; i++) {
        if (*q).x > 0.8 { return time; }
        *q = sin(*q + 0.3);
    }
    return (*q).y;
}
";

/// Generates programs; the same number gives the same program.
struct Writer {
    state: u64,
    /// Number of loop counters named so far.
    counters: usize,
}

impl Writer {
    fn new(number: u64) -> Self {
        let state = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self { state, counters: 0 }
    }

    /// Random number below `most`.
    fn below(&mut self, most: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) % most
    }

    /// Random literal of moderate size.
    fn literal(&mut self) -> String {
        format!("{:?}", self.below(30) as f32 * 0.1 - 1.5)
    }

    /// Random float expression, at most `depth` operators deep.
    fn value(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(4) == 0 {
            return match self.below(13) {
                0 | 1 => "time".into(),
                2 => "q.x".into(),
                3 => "q.y".into(),
                4 => "sum.z".into(),
                5 => "f32(n)".into(),
                6 => "table[n % 5].y".into(),
                7 => "kept[n % 4].x".into(),
                8 => "own[n % 3]".into(),
                9 => format!("datum({}u).x", self.below(9)),
                10 => "datum(u32(n) * 2u + 1u).z".into(),
                11 => "datum(u32(n)).y".into(),
                _ => self.literal(),
            };
        }
        let [a, b] = [0, 1].map(|_| self.value(depth - 1));
        match self.below(12) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("(0.5 * {a} * sin({b}))"),
            3 => format!("min({a}, {b})"),
            4 => format!("abs({a})"),
            5 => format!("cos({a})"),
            6 => format!("mix({a}, f32({b}), 0.3)"),
            7 => format!("select({a}, {b}, {})", self.condition(depth - 1)),
            8 => format!("rotate({a}).shift"),
            9 => format!("(rotate(0.4 * time).matrix * vec2f({a}, {b})).x"),
            10 => format!("count({a})"),
            _ => "move_on(&q, time)".into(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let [a, b] = [0, 1].map(|_| self.value(depth));
        match self.below(4) {
            0 => format!("{a} < {b} && n < 5"),
            1 => format!("n == {}", self.below(7)),
            _ => format!("{a} < {b}"),
        }
    }

    /// One to four random statements; `loops` is the number of enclosing loops.
    fn block(&mut self, depth: u32, loops: u32) -> String {
        let statements = 1 + self.below(4);
        (0..statements)
            .map(|_| self.statement(depth, loops))
            .collect()
    }

    fn statement(&mut self, depth: u32, loops: u32) -> String {
        let most = if depth == 0 { 8 } else { 15 };
        match self.below(most) {
            0 | 1 => format!("q = sin(vec2f({}, {}));\n", self.value(2), self.value(2)),
            2 => format!("sum += 0.1 * sin(vec4f({}));\n", self.value(3)),
            3 => format!("n = (n + {}) % 7;\n", 1 + self.below(6)),
            4 if loops > 0 => {
                let leave = if self.below(3) == 0 {
                    "continue"
                } else {
                    "break"
                };
                format!("if {} {{ {leave}; }}\n", self.condition(2))
            }
            4 => format!("counted = sin({});\n", self.value(2)),
            5 => format!("kept[n % 4] = sin(vec2f({}, q.x));\n", self.value(2)),
            6 => format!("kept[(n + 1) % 3].y = sin({});\n", self.value(2)),
            7 => format!("own[n % 3] = sin({});\n", self.value(2)),
            8 | 9 => format!(
                "if {} {{\n{}}} else {{\n{}}}\n",
                self.condition(2),
                self.block(depth - 1, loops),
                self.block(depth - 1, loops)
            ),
            10 => format!(
                "switch n {{ case 1: {{\n{}}} case 2, 3: {{\n{}}} default: {{\n{}}} }}\n",
                self.block(depth - 1, loops),
                self.block(depth - 1, loops),
                self.block(depth - 1, loops)
            ),
            _ if loops > 1 => format!("sum = sin(sum + {});\n", self.value(2)),
            _ => self.loop_statement(depth - 1, loops + 1),
        }
    }

    fn loop_statement(&mut self, depth: u32, loops: u32) -> String {
        let (i, iterations) = (format!("i{}", self.counters), 1 + self.below(11));
        self.counters += 1;
        let body = self.block(depth, loops);
        match self.below(4) {
            0 => format!("var {i} = 0;\nwhile {i} < {iterations} {{\n{i}++;\n{body}}}\n"),
            1 => format!(
                "var {i} = 0;\nloop {{\n{body}continuing {{ {i}++; break if {i} > {iterations} || {}; }}\n}}\n",
                self.condition(1)
            ),
            2 => format!("for (var {i} = {iterations}u; {i} > 0u; {i}--) {{\n{body}}}\n"),
            _ => format!("for (var {i} = 0; {i} < {iterations}; {i}++) {{\n{body}}}\n"),
        }
    }

    fn program(&mut self) -> String {
        let body = self.block(3, 0);
        let end = self.loop_statement(2, 1);
        format!(
            "{DEFINITIONS}
fn drawn(place: vec2f, time: f32) -> vec4f {{
var own: array<f32, 3>;
var q = 0.3 * place;
var sum = vec4f(0.0);
var n = i32(place.x) % 7;
{body}{end}return sum + vec4f(q, counted, f32(n));
}}"
        )
    }
}

/// Largest difference of any component.
fn distance(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f32::max)
}

#[test]
fn random_programs_draw_same_when_lowered() {
    let compute = Compute::shared();
    let cases =
        std::env::var("TARSUS_PROGRAMS").map_or(16, |cases| cases.parse().expect("a number"));
    let frame = Frame::new(SIZE, 0, 60.0).at_time(TIME.into());
    let places = (0..SIZE.1)
        .rev()
        .flat_map(|y| (0..SIZE.0).map(move |x| [x as f32 + 0.5, y as f32 + 0.5]));
    // Each position is followed by one that differs in the last few bits, which measures
    // their effect: rounding depends on what the driver compiles, and programs with loops
    // can be steep.
    let beside = 1.0 + 1e-6;
    let inputs: Vec<_> = places
        .flat_map(|[x, y]| [[x, y, TIME, 0.0], [x, y, TIME, 0.0].map(|one| beside * one)])
        .map(|input| [input])
        .collect();
    let mut steep = 0;
    for number in 0..cases {
        let program = Writer::new(number).program();
        let changed = format!(
            "{program}
fn datum(index: u32) -> vec4f {{ return frame::per_frame_value(index); }}
fn per_frame(index: u32) -> vec4f {{ return value_at(index, frame::frame.time); }}
fn main_image(frag_coord: vec2f) -> vec4f {{ return drawn(frag_coord, frame::frame.time); }}"
        );
        let plain = format!(
            "{program}
fn datum(index: u32) -> vec4f {{ return value_at(index, {TIME:?}); }}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {{
    return array<vec4f, 1>(drawn(input[0].xy, input[0].z));
}}"
        );
        let drawn = Floats::new(&changed, &[], SIZE).read(&frame);
        let expected = compute.evaluate::<1, 1>(&plain, &inputs);
        for (drawn, at) in drawn.iter().zip(expected.chunks(2)) {
            let [here, beside] = [at[0][0], at[1][0]];
            let slack = distance(&beside, &here);
            assert!(
                distance(drawn, &here) < 1e-4 + 10.0 * slack,
                "program {number}: {drawn:?} for {here:?} in\n{program}"
            );
            steep += u32::from(slack > 1e-4);
        }
    }
    // Steep pixels must be too few to hide errors.
    let all = cases * u64::from(SIZE.0 * SIZE.1);
    assert!(u64::from(steep) < all / 10, "{steep} of {all}");
}
