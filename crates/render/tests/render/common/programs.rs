//! Random WGSL programs whose pictures are exact.
//!
//! All floats are multiples of 1/8 and small, so that no operation rounds, and a pixel is a
//! hash of all variables. Pictures of one program agree in every bit or show an error.

use super::random::Random;

/// Constructs that not every way of drawing supports.
#[derive(Clone, Copy, Default)]
pub(crate) struct Constructs {
    /// Derivatives, which compute shaders lack.
    pub derivatives: bool,
    /// A buffer that reads its previous content.
    pub buffers: bool,
    /// The time and `per_frame`, instead of constants.
    pub uniforms: bool,
    /// The number of short programs that share one picture, one above the other with
    /// [`SHORT_ROWS`] each; 0 for one long program.
    pub short: usize,
}

/// The height of the picture of a short program.
pub(crate) const SHORT_ROWS: u32 = 8;

/// Types, variables and functions that every program can use. Names of members and variables
/// are those that a target language might confuse.
const DEFINITIONS: &str = "
const TABLE = array<i32, 5>(7, -3, 12, 5, -9);
struct Item { xy: vec2f, length: i32, r: f32 }
struct Pair { item: Item, yx: vec2f }
var<private> count: i32 = 3;
var<private> level: f32;
var<private> kept: array<i32, 4>;
var<private> shared_item: Item;
fn wrap(v: f32) -> f32 {
    return floor((v - 16.0 * floor(v * 0.0625)) * 8.0) * 0.125 - 8.0;
}
fn wrap_2(v: vec2f) -> vec2f { return vec2f(wrap(v.x), wrap(v.y)); }
fn to_float(n: i32) -> f32 { return f32(n & 63) * 0.125; }
fn to_int(v: f32) -> i32 { return i32(floor(v * 8.0)); }
fn bump(by: i32) -> i32 {
    count = count * 3 + by;
    return count >> 1u;
}
fn is_bumped(by: i32) -> bool { return (bump(by) & 1) == 0; }
fn peek() -> i32 { return count ^ kept[1]; }
fn raise(by: f32) -> f32 {
    level = wrap(level * 0.5 + by);
    return level;
}
fn poke(sample: ptr<function, i32>, by: i32) -> i32 {
    *sample = *sample * 5 + by;
    if *sample % 3 == 0 { return by; }
    return *sample & 31;
}
fn poke_global(input: ptr<private, i32>, by: i32) -> bool {
    *input += by;
    return (*input & 2) == 0;
}
fn poke_count(by: i32) -> bool { return poke_global(&count, by); }
fn turn(v: ptr<function, vec2f>, by: f32) -> f32 {
    let old = *v;
    *v = wrap_2(mat2x2f(0.0, 1.0, -1.0, 0.0) * old + by);
    return old.x;
}
fn change(item: ptr<function, Item>, by: f32) -> Item {
    (*item).xy.y = wrap((*item).xy.x + by);
    (*item).length += 1;
    return *item;
}
fn chunk(v: vec2f) -> f32 { return v.x * 0.5 + v.y; }
fn value_at(index: u32, time: f32) -> vec4f {
    return vec4f(time, wrap(f32(index) * 0.375 + time), 0.25, 0.5);
}
fn hash(h: u32, v: i32) -> u32 { return ((h ^ u32(v)) * 16777619u) ^ (h >> 15u); }
";

const UNIFORMS: &str = "#import tarsus::frame
fn now() -> f32 { return wrap(frame::frame.time); }
fn datum(index: u32) -> vec4f { return frame::per_frame_value(index & 63u); }
fn per_frame(index: u32) -> vec4f {
    return value_at(index, now() + raise(f32(index & 7u) * 0.5));
}
";

/// The same with the values at [`TIME`].
const CONSTANTS: &str = "
fn now() -> f32 { return wrap(3.125); }
fn datum(index: u32) -> vec4f {
    return value_at(index & 63u, now() + wrap(f32(index & 7u) * 0.5));
}
";

/// Time for which programs with and without uniforms draw the same picture.
pub(crate) const TIME: f64 = 3.125;

/// Statements before the random ones: a value of every type.
const VARIABLES: &str = "
var n = i32(place.x) * 3 - i32(place.y);
var m = u32(place.y) + 1u;
var t = wrap(place.x * 0.5 - place.y);
var q = wrap_2(place.yx * 0.5);
var c = n > 4;
var own: array<f32, 3>;
var item = Item(vec2f(t, 1.0), n, 0.5);
var pair = Pair(item, q);
";

const RESULT: &str = "
var h = hash(2166136261u, n);
h = hash(h, i32(m));
h = hash(h, to_int(t));
h = hash(h, to_int(q.x) * 129 + to_int(q.y));
h = hash(h, i32(c) + 2 * to_int(level));
h = hash(h, to_int(own[0]) + 129 * to_int(own[1]) + 16641 * to_int(own[2]));
h = hash(h, to_int(item.xy.x) + 129 * to_int(item.xy.y) + 16641 * item.length);
h = hash(h, to_int(pair.item.xy.x) + 129 * to_int(pair.yx.y) + 16641 * pair.item.length);
h = hash(h, to_int(shared_item.xy.y) + 129 * shared_item.length + to_int(shared_item.r));
h = hash(h, kept[0] + 3 * kept[1] + 7 * kept[2] + 13 * kept[3]);
h = hash(h, count);
return vec4f(unpack4x8unorm(h ^ (h >> 8u)).xyz, 1.0);
";

struct Writer {
    random: Random,
    constructs: Constructs,
    /// Number of names given so far.
    names: usize,
}

/// Program `number`: a scene.
pub(crate) fn program(number: u64, constructs: Constructs) -> String {
    let mut writer = Writer { random: Random(number), constructs, names: 0 };
    writer.program()
}

impl Writer {
    /// A random number below `most`.
    fn below(&mut self, most: usize) -> usize {
        (self.random.next() * most as f64) as usize
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// An expression of type `i32`.
    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(5) == 0 {
            let literal = self.below(40) as i32 - 12;
            return match self.below(10) {
                0..3 => "n".into(),
                3 => "i32(m)".into(),
                4 => "count".into(),
                5 => "item.length".into(),
                6 => format!("kept[{}]", self.index(4)),
                7 => format!("TABLE[{}]", self.index(5)),
                _ => format!("{literal}i"),
            };
        }
        let d = depth - 1;
        match self.below(20) {
            0..2 => format!("({} + {})", self.int(d), self.int(d)),
            2 => format!("({} - {})", self.int(d), self.int(d)),
            3 => format!("({} * {})", self.int(d), self.int(d)),
            4 => format!("({} / {})", self.int(d), 1 + self.below(7)),
            5 => format!("({} % {})", self.int(d), 1 + self.below(7)),
            6 => format!("({} ^ {})", self.int(d), self.int(d)),
            7 => format!("({} << u32(n + {}))", self.int(d), self.int(d)),
            8 => format!("({} >> (m & 15u))", self.int(d)),
            9 => format!("select({}, {}, {})", self.int(d), self.int(d), self.bool(d)),
            10 => format!("bump({})", self.int(d)),
            11 => format!("select({}, bump({}), {})", self.int(d), self.int(d), self.bool(d)),
            12 => format!("poke(&n, {})", self.int(d)),
            13 => "peek()".into(),
            14 => format!("to_int({})", self.float(d)),
            15 => format!("max({}, -({}))", self.int(d), self.int(d)),
            16 => format!("change(&item, {}).length", self.float(d)),
            17 => format!("vec2i({}, {}).yx.x", self.int(d), self.int(d)),
            18 => format!("first_own({}, {})", self.float(d), self.int(d)),
            _ => format!("dot(vec2i({}, n), vec2i(1, {}))", self.int(d), self.int(d)),
        }
    }

    /// An index of an array of `size` elements, sometimes out of range.
    fn index(&mut self, size: usize) -> String {
        match self.below(5) {
            0 => self.below(size).to_string(),
            1 => format!("m % {size}u"),
            2 => "n & 3".into(),
            3 => "m".into(),
            _ => "n".into(),
        }
    }

    /// An expression of type `u32`.
    fn uint(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.below(8) {
            0 => "m".into(),
            1 => format!("{}u", self.below(50)),
            2 => format!("u32({})", self.int(d)),
            3 => format!("(m >> u32(n ^ {}))", self.int(d)),
            4 => format!("u32(abs({}))", self.int(d)),
            5 => format!("(m << ({} & 31u))", if depth == 0 { "7u".into() } else { self.uint(d) }),
            6 => format!("(m % {}u)", 1 + self.below(9)),
            _ => format!("min(m * 3u, u32({}))", self.int(d)),
        }
    }

    /// An expression of type `f32`: a multiple of 1/8 from -8 to 8.
    fn float(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(5) == 0 {
            let literal = (self.below(60) as f32 - 30.0) * 0.125;
            return match self.below(13) {
                0..2 => "t".into(),
                2 => "q.x".into(),
                3 => "q.yx.x".into(),
                4 => "level".into(),
                5 => "item.xy.y".into(),
                6 => "pair.item.xy.x".into(),
                7 => "pair.yx.x".into(),
                8 => format!("own[{}]", self.index(3)),
                9 => "shared_item.r".into(),
                10 => "now()".into(),
                11 => format!("datum({}).y", self.uint(0)),
                _ => format!("{literal:?}"),
            };
        }
        let d = depth - 1;
        match self.below(17) {
            0 => format!("wrap({} + {})", self.float(d), self.float(d)),
            1 => format!("wrap({} - {})", self.float(d), self.float(d)),
            2..4 => format!("wrap({} * {})", self.float(d), self.float(d)),
            4 => format!("min({}, {})", self.float(d), self.float(d)),
            5 => format!("abs({})", self.float(d)),
            6 => format!("select({}, {}, {})", self.float(d), self.float(d), self.bool(d)),
            7 => format!("select({}, raise({}), {})", self.float(d), self.float(d), self.bool(d)),
            8 => format!("raise({})", self.float(d)),
            9 => format!("turn(&q, {})", self.float(d)),
            10 => format!("to_float({})", self.int(d)),
            11 => format!("fract({})", self.float(d)),
            12 => format!("wrap(dot(q, vec2f({}, 0.5)))", self.float(d)),
            13 => format!("wrap(({} * {}).y)", self.matrix(d), self.vector(d)),
            14 => format!("wrap(chunk({}))", self.vector(d)),
            15 => format!("({} % 4.0)", self.float(d)),
            _ => format!("wrap({}.x)", self.vector(d)),
        }
    }

    fn matrix(&mut self, depth: usize) -> String {
        format!("mat2x2f({}, vec2f(0.5, t))", self.vector(depth))
    }

    /// An expression of type `vec2f`.
    fn vector(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0..2 => "q".into(),
            2 => "item.xy".into(),
            3 => "pair.item.xy.yx".into(),
            4 => format!("vec2f({}, {})", self.float(d), self.float(d)),
            5 => format!("wrap_2(q * {})", self.float(d)),
            6 => format!(
                "select(q, {}, vec2<bool>({}, {}))",
                self.vector(d),
                self.bool(d),
                self.bool(d)
            ),
            7 => format!("change(&item, {}).xy", self.float(d)),
            _ => format!("-({})", self.vector(d)),
        }
    }

    fn bool(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(6) == 0 {
            return self.pick(&["c", "(n > 3)", "(t < 0.5)", "((m & 1u) == 0u)"]).into();
        }
        let d = depth - 1;
        match self.below(14) {
            0 => format!("({} && {})", self.bool(d), self.bool(d)),
            1 => format!("({} || {})", self.bool(d), self.bool(d)),
            2 => format!("({} & {})", self.bool(d), self.bool(d)),
            3 => format!("({} | {})", self.bool(d), self.bool(d)),
            4 => format!("!({})", self.bool(d)),
            5 => format!("is_bumped({})", self.int(d)),
            6 => format!("({} & is_bumped({}))", self.bool(d), self.int(d)),
            7 => format!("({} || poke_count({}))", self.bool(d), self.int(d)),
            8 => format!("poke_global(&count, {})", self.int(d)),
            9 => format!("({} < {})", self.int(d), self.int(d)),
            10 => format!("({} >= {})", self.float(d), self.float(d)),
            11 => format!("any({} > {})", self.vector(d), self.vector(d)),
            12 => format!("({} == {})", self.int(d), self.int(d)),
            _ => format!("({} != {})", self.bool(d), self.bool(d)),
        }
    }

    /// One to four statements. `loops` is the number of enclosing loops.
    fn block(&mut self, depth: usize, loops: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(3) {
            text += &match depth {
                0 => self.simple(loops),
                _ => self.statement(depth, loops),
            };
        }
        text
    }

    /// A statement without inner blocks, except for jumps.
    fn simple(&mut self, loops: usize) -> String {
        match self.below(23) {
            0..2 => format!("n = {};\n", self.int(3)),
            2 => format!("m = {};\n", self.uint(2)),
            3..5 => format!("t = {};\n", self.float(3)),
            5 => format!("q = wrap_2({});\n", self.vector(3)),
            6 => format!("c = {};\n", self.bool(3)),
            7 => format!("own[{}] = {};\n", self.index(3), self.float(2)),
            8 => format!("kept[{}] = {};\n", self.index(4), self.int(2)),
            9 => format!("item.xy = wrap_2({});\n", self.vector(2)),
            10 => format!("item.length += {};\n", self.int(2)),
            11 => "pair.item = item;\n".into(),
            12 => format!("pair.yx.y = {};\n", self.float(2)),
            13 => format!("shared_item = Item({}, {}, t);\n", self.vector(1), self.int(1)),
            14 => format!("_ = poke_count({});\n", self.int(1)),
            15 => format!("_ = bump({});\n", self.int(2)),
            16 => format!("kept[n & 3] += bump({});\n", self.int(1)),
            17 => format!("q.y = {};\n", self.float(2)),
            18 => format!("q[m & 1u] = {};\n", self.float(1)),
            19 => "n++;\n".into(),
            20 if loops > 0 => format!("if {} {{ break; }}\n", self.bool(2)),
            21 if loops > 0 => format!("if {} {{ continue; }}\n", self.bool(2)),
            _ => {
                let name = self.name("value");
                format!(
                    "let {name} = {};\nt = {};\nn += to_int({name});\n",
                    self.float(2),
                    self.float(2)
                )
            }
        }
    }

    fn statement(&mut self, depth: usize, loops: usize) -> String {
        let d = depth - 1;
        match self.below(9) {
            0 => format!("if {} {{\n{}}}\n", self.bool(3), self.block(d, loops)),
            1 => format!(
                "if {} {{\n{}}} else {{\n{}}}\n",
                self.bool(2),
                self.block(d, loops),
                self.block(d, loops)
            ),
            2 => format!(
                "switch {} {{\ncase 1, default: {{\n{}}}\ncase 0, 2: {{\n{}}}\ncase -3: {{\n{}}}\n}}\n",
                self.int(1),
                self.case(d, loops),
                self.case(d, loops),
                self.case(d, loops)
            ),
            3 => {
                let declared = match self.below(3) {
                    0 => format!("var n = {};\n", self.int(1)),
                    1 => format!("var t = {};\n", self.float(1)),
                    _ => format!("var q = {};\n", self.vector(1)),
                };
                format!("{{\n{declared}{}kept[2] ^= n + to_int(t);\n}}\n", self.block(d, loops))
            }
            4..6 if loops < 2 => self.loop_statement(d, loops + 1),
            _ => self.simple(loops),
        }
    }

    /// A `case` may end in `break`, which leaves the `switch`.
    fn case(&mut self, depth: usize, loops: usize) -> String {
        let text = self.block(depth, loops);
        match self.below(4) {
            0 => format!("{text}if {} {{ break; }}\nn += 3;\n", self.bool(1)),
            _ => text,
        }
    }

    /// A loop that ends even if lines are removed from it.
    fn loop_statement(&mut self, depth: usize, loops: usize) -> String {
        let i = self.name("round");
        let count = 1 + self.below(5);
        let body = self.block(depth, loops);
        match self.below(6) {
            0 => format!("var {i} = 0;\nwhile {i} < {count} {{ {i}++;\n{body}}}\n"),
            1 => format!("for (var {i} = {count}u; {i} > 0u; {i}--) {{\n{body}}}\n"),
            2 => format!("for (var {i} = 0; {i} < {count}; {i}++) {{\nkept[{i}] ^= n;\n{body}}}\n"),
            // The bound comes first: of some loops that only leave at their end, Mesa 22's
            // OpenGL ES and Vulkan drivers draw different pictures.
            3 => format!(
                "var {i} = 0;\nloop {{ if {i} > {count} {{ break; }} {i}++;\n{body}\
                 continuing {{ n ^= {i}; break if {}; }}\n}}\n",
                self.bool(1)
            ),
            _ => {
                let (value, step) = (self.name("value"), self.name("step"));
                format!(
                    "var {i} = 0;\nloop {{ if {i} >= {count} {{ break; }} {i}++;\n\
                     let {value} = {};\nlet {step} = {};\n{body}\
                     continuing {{ t = wrap(t + {value}); n += {step}; }}\n}}\n",
                    self.float(2),
                    self.int(2)
                )
            }
        }
    }

    /// A statement in uniform control flow with derivatives.
    fn derivative(&mut self) -> String {
        let value = match self.below(3) {
            0 => "place.x * place.x * 0.125".to_owned(),
            1 => format!("({} + place.y)", self.float(1)),
            _ => self.float(2),
        };
        let derivative = match self.below(3) {
            0 => format!("dpdx({value})"),
            1 => format!("dpdy({value})"),
            _ => format!("slope({value})"),
        };
        match self.below(4) {
            0 => format!("t = wrap(select({}, {derivative}, {}));\n", self.float(1), self.bool(2)),
            1 => format!("c = {} & ({derivative} > {});\n", self.bool(1), self.float(1)),
            2 => {
                let name = self.name("slope");
                format!(
                    "let {name} = {derivative};\nif {} {{ t = wrap(t + {name}); }}\n",
                    self.bool(2)
                )
            }
            _ => format!("q = wrap_2(vec2f({derivative}, {}));\n", self.float(1)),
        }
    }

    /// A function with random statements and early returns.
    fn function(&mut self) -> String {
        // It cannot call itself.
        let mut body = self.block(1, 0);
        body += &format!("if {} {{ return {}; }}\n", self.bool(2), self.int(1));
        if self.constructs.short == 0 {
            body += &self.loop_statement(1, 1);
        }
        body += &format!(
            "for (var j = 0; j < 3; j++) {{\nif {} {{ return j; }}\nn += 3;\n}}\n",
            self.bool(2)
        );
        let body = body.replace("first_own(", "mix_values(");
        format!(
            "fn mix_values(v: f32, by: i32) -> i32 {{ return to_int(v) ^ by; }}\n\
             fn first_own(mix: f32, input: i32) -> i32 {{\nlet place = vec2f(mix, 1.0);\n{VARIABLES}n = input;\n\
             {body}return n ^ to_int(t);\n}}\n"
        )
    }

    /// The statements of a long program.
    fn long(&mut self) -> String {
        let mut body = String::new();
        if self.constructs.derivatives {
            for _ in 0..self.below(3) {
                body += &self.simple(0);
                body += &self.derivative();
            }
        }
        body += &self.block(2, 0);
        body += &self.loop_statement(1, 1);
        if self.below(3) == 0 {
            body += &format!("if {} {{ return vec4f(0.0, 0.6, 1.0, 1.0); }}\n", self.bool(2));
        }
        body += &self.block(1, 0);
        let old = if self.constructs.buffers {
            "let old = buffers::a(vec2i(place));\nt = wrap(old.x + t);\n"
        } else {
            ""
        };
        format!("{VARIABLES}{old}{body}{RESULT}")
    }

    /// The statements of several short programs, each with its own rows.
    fn shorts(&mut self) -> String {
        let mut cases = String::new();
        for number in 0..self.constructs.short {
            let mut body = String::new();
            if self.constructs.derivatives {
                body += &self.derivative();
            }
            body += &self.block(1, 0);
            cases += &format!("case {number}: {{\n{body}}}\n");
        }
        let old = if self.constructs.buffers {
            "level = wrap(buffers::a(vec2i(frag_coord)).x);\n"
        } else {
            ""
        };
        format!(
            "let row = i32(place.y) / {SHORT_ROWS};\nplace.y -= f32(row * {SHORT_ROWS});\n\
             {VARIABLES}{old}switch row {{\n{cases}default: {{}}\n}}\n{RESULT}"
        )
    }

    fn program(&mut self) -> String {
        let function = self.function();
        let body = match self.constructs.short {
            0 => self.long(),
            _ => self.shorts(),
        };
        let mut text = String::new();
        let mut before = String::new();
        if self.constructs.buffers {
            let depth = if self.constructs.short > 0 { 1 } else { 2 };
            text += "#import tarsus::buffers\n";
            before = format!(
                "fn buffer_a(frag_coord: vec2f) -> vec4f {{\n\
                 let place = floor(frag_coord);\nlet old = buffers::a(vec2i(place) - vec2i(1, 0));\n\
                 {VARIABLES}t = wrap(t + old.x);\nq = wrap_2(old.zw + q);\n{}\
                 return vec4f(wrap(t), old.x, wrap(q.x), wrap(q.y));\n}}\n",
                self.block(depth, 0)
            );
        }
        if self.constructs.derivatives {
            text += "fn slope(v: f32) -> f32 { return wrap(dpdx(v) * 0.5 + 1.0); }\n";
        }
        text += if self.constructs.uniforms { UNIFORMS } else { CONSTANTS };
        format!(
            "{text}{DEFINITIONS}{function}{before}fn main_image(frag_coord: vec2f) -> vec4f {{\n\
             var place = floor(frag_coord);{body}}}\n"
        )
    }
}
