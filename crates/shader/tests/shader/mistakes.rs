//! The commonest mistakes of beginners and their diagnostics: the position, the problem
//! in the author's own names, and a correction.

use tarsus_shader::{Scene, compose};

/// A source, the line and column of its error, and parts of the message and of a hint.
struct Mistake {
    text: &'static str,
    place: (usize, usize),
    message: &'static str,
    hint: &'static str,
}

/// A scene whose `main_image` begins on line 1 and contains the given lines.
macro_rules! scene {
    ($($line:literal)*) => {
        concat!("fn main_image(p: vec2f) -> vec4f {\n", $("    ", $line, "\n",)* "}\n")
    };
}

const PARAMS: &str = "@group(1) @binding(0) var<uniform> params: Params;";

const MISTAKES: &[Mistake] = &[
    // Names.
    Mistake {
        text: concat!(
            "#import tarsus::limb\n",
            scene!("return vec4f(limb::leg_dist(vec3f(p, 0.0)));")
        ),
        place: (3, 18),
        message: "there is no `limb::leg_dist`",
        hint: "did you mean `limb::leg_distance`?\n`fn leg_distance(p: vec3f, leg: ik::Leg",
    },
    Mistake {
        text: scene!("return vec4f(limb::leg_distance(p));"),
        place: (2, 18),
        message: "`limb` is not imported",
        hint: "add `#import tarsus::limb`",
    },
    Mistake {
        text: concat!(
            "#import tarsus::raymarch\nfn raymarch::map(p: vec3f) -> f32 { return 1.0; }\n",
            scene!("return vec4f(raymarch::map(vec3f(p, 0.0)));")
        ),
        place: (2, 4),
        message: "`raymarch::map` is a function of a module",
        hint: "write `override fn raymarch::map` to replace it",
    },
    Mistake {
        text: concat!(
            "#import tarsus::raymarch\n",
            "override fn raymarch::map(p: vec3f) -> f32 { return 1.0; }\n",
            "override fn raymarch::map(p: vec3f) -> f32 { return 2.0; }\n",
            scene!("return vec4f(raymarch::map(vec3f(p, 0.0)));")
        ),
        place: (3, 13),
        message: "`raymarch::map` is overridden twice",
        hint: "remove one of the two functions",
    },
    Mistake {
        text: concat!(
            "#import tarsus::sdf::smooth_union\n#import tarsus::raymarch::smooth_union\n",
            scene!("return vec4f(smooth_union(p.x, p.y, 0.1));")
        ),
        place: (2, 9),
        message: "two imports have the name `smooth_union`",
        hint: "give it another name, `#import tarsus::raymarch::smooth_union as my_smooth_union`",
    },
    Mistake {
        text: concat!("#import tarsus::{sdf\n", scene!("return vec4f(1.0);")),
        place: (1, 17),
        message: "this `{` is never closed",
        hint: "",
    },
    Mistake {
        text: concat!("#if LEG == 3\n#endif\n", scene!("return vec4f(1.0);")),
        place: (1, 1),
        message: "`LEG` is not defined",
        hint: "write `#define NAME value` at the head of the scene",
    },
    Mistake {
        text: concat!("#ifdef LEGS\n", scene!("return vec4f(1.0);")),
        place: (1, 1),
        message: "this condition has no `#endif`",
        hint: "end it with a line `#endif`",
    },
    Mistake {
        text: concat!("#else\n#endif\n", scene!("return vec4f(1.0);")),
        place: (1, 1),
        message: "`#else` without `#if`",
        hint: "write `#if` or `#ifdef` above it",
    },
    Mistake {
        text: scene!("lett x = 1.0;" "return vec4f(x);"),
        place: (2, 5),
        message: "`lett` is not a keyword",
        hint: "did you mean `let`?",
    },
    Mistake {
        text: concat!("fn f() {\n    let x = 1.0;\n", scene!("return vec4f(1.0);")),
        place: (1, 8),
        message: "this `{` is never closed",
        hint: "the next function, `main_image`, begins inside of it",
    },
    Mistake {
        text: concat!("#import tarsus::limbs\n", scene!("return vec4f(limbs::f(p));")),
        place: (1, 9),
        message: "there is no module `tarsus::limbs`",
        hint: "did you mean `tarsus::limb`?",
    },
    Mistake {
        text: concat!("#import tarsus::terain\n", scene!("return vec4f(1.0);")),
        place: (1, 9),
        message: "there is no module `tarsus::terain`",
        hint: "did you mean `tarsus::terrain`?",
    },
    Mistake {
        text: concat!("#import limb\n", scene!("return vec4f(limb::f(p));")),
        place: (1, 9),
        message: "there is no module `limb`",
        hint: "write `#import tarsus::limb`",
    },
    Mistake {
        text: concat!("#import tarsus::sdf::spher\n", scene!("return vec4f(1.0);")),
        place: (1, 22),
        message: "the module `tarsus::sdf` has no `spher`",
        hint: "did you mean `tarsus::sdf::sphere`?",
    },
    Mistake {
        text: scene!("return vec4f(leg_distance(p));"),
        place: (2, 18),
        message: "`leg_distance` is not defined",
        hint: "add `#import tarsus::limb` and write `limb::leg_distance`",
    },
    Mistake {
        text: concat!("#import tarsus::frame\n", scene!("return vec4f(frame.time);")),
        place: (3, 18),
        message: "`frame` is the name of an imported module",
        hint: "write `frame::frame.time`",
    },
    Mistake {
        text: concat!("#import tarsus::frame\n", scene!("return vec4f(frame::frame.tim);")),
        place: (3, 31),
        message: "there is no member `tim`",
        hint: "did you mean `time`?",
    },
    Mistake {
        text: scene!("let colour = vec4f(1.0);" "return colou;"),
        place: (3, 12),
        message: "`colou` is not defined",
        hint: "did you mean `colour`?",
    },
    Mistake {
        text: concat!("#import tarsus::sdf\n", scene!("let colour = vec4f(1.0);" "return colou;")),
        place: (4, 12),
        message: "`colou` is not defined",
        hint: "did you mean `colour`?",
    },
    Mistake {
        text: scene!("return vec4f(iTime);"),
        place: (2, 18),
        message: "`iTime` is not defined",
        hint: "`#import tarsus::frame` and write `frame::frame.time`",
    },
    // Overrides.
    Mistake {
        text: concat!(
            "#import tarsus::raymarch\n",
            "override fn raymarch::mapp(p: vec3f) -> f32 { return 1.0; }\n",
            scene!("return vec4f(1.0);")
        ),
        place: (2, 23),
        message: "there is no `raymarch::mapp` to override",
        hint: "did you mean `raymarch::map`?\n`fn map(p: vec3f) -> f32`",
    },
    Mistake {
        text: concat!(
            "#import tarsus::raymarch\n",
            "// A ball.\n",
            "override fn raymarch::map(p: vec2f) -> f32 { return 1.0; }\n",
            scene!("return vec4f(1.0);")
        ),
        place: (3, 23),
        message: "`raymarch::map` is overridden with a different signature",
        hint: "`override fn raymarch::map(p: vec3f) -> f32 { … }`",
    },
    Mistake {
        text: concat!(
            "#import tarsus::raymarch\n",
            "override fn raymarch::map(p: vec3f) -> f32 { return lenght(p); }\n",
            scene!("return vec4f(1.0);")
        ),
        place: (2, 53),
        message: "`lenght` is not defined",
        hint: "did you mean `length`?",
    },
    Mistake {
        text: concat!(
            "#import tarsus::raymarch\n",
            "override fn map(p: vec3f) -> f32 { return 1.0; }\n",
            scene!("return vec4f(1.0);")
        ),
        place: (2, 10),
        message: "`override fn map` does not name a module",
        hint: "`override fn raymarch::map(…)`",
    },
    Mistake {
        text: concat!(
            "#import tarsus::walker\n",
            "override fn walker::clearance(x: f32) -> f32 { return x; }\n",
            scene!("return vec4f(walker::clearance());")
        ),
        place: (2, 21),
        message: "`walker::clearance` is overridden with a different signature",
        hint: "`override fn walker::clearance() -> f32 { … }`",
    },
    Mistake {
        text: concat!(
            "#import tarsus::walker\n",
            "override fn walker::clearance() -> f32 {\n    let x = 1.0;\n}\n",
            "fn last() -> f32 { return 1.0; }\n",
            scene!("return vec4f(walker::clearance());")
        ),
        place: (4, 1),
        message: "`walker::clearance` ends here without a value",
        hint: "every path through `fn walker::clearance() -> f32` must end in `return …;`",
    },
    Mistake {
        text: concat!(
            "#import tarsus::walker\n",
            "override fn walker::clearance() -> f32 { return vec3f(1.0); }\n",
            scene!("return vec4f(walker::clearance());")
        ),
        place: (2, 49),
        message: "`walker::clearance` returns `f32`, and this is of another type",
        hint: "write `v.x` for a component of a vector",
    },
    Mistake {
        text: concat!(
            "#import tarsus::walker\n",
            "override fn walker::trunk_bound() -> walker::Capsule {\n",
            "    var radius = 1.0;\n    radius += 1.0;\n    return radius;\n",
            "    return walker::Capsule(vec3f(0.0), vec3f(1.0), radius);\n}\n",
            scene!("return vec4f(walker::clearance());")
        ),
        place: (5, 12),
        message: "`walker::trunk_bound` returns `walker::Capsule`, and this is of another type",
        hint: "write `walker::Capsule(…)`",
    },
    // Other languages.
    Mistake {
        text: "#version 300 es\nprecision highp float;\nvoid main() { }\n",
        place: (1, 1),
        message: "this is GLSL",
        hint: "fn main_image(frag_coord: vec2f) -> vec4f",
    },
    Mistake {
        text: "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }\n",
        place: (1, 1),
        message: "this is GLSL",
        hint: "name the file .glsl to run it, or convert it with `tarsus import`",
    },
    Mistake {
        text: concat!("const float TAU = 6.28;\n", scene!("return vec4f(TAU);")),
        place: (1, 7),
        message: "`float TAU` is GLSL",
        hint: "write `const TAU: f32 = …;`",
    },
    Mistake {
        text: concat!(
            "struct Ball { at: vec2f, size: f32 }\n",
            scene!("let ball = Ball(p);" "return vec4f(ball.size);")
        ),
        place: (3, 16),
        message: "`Ball` has 2 members, not 1",
        hint: "write `Ball(at, size)`",
    },
    Mistake {
        text: scene!("let v = 1.0 + p;" "return vec4f(v, 1.0);"),
        place: (3, 12),
        message: "`vec4f` takes 4 components, not 3",
        hint: "a vec2f counts as two",
    },
    Mistake {
        text: "fn mainImage(p: vec2f) -> vec4f { return vec4f(1.0); }\n",
        place: (1, 4),
        message: "there is no `main_image`",
        hint: "fn main_image(frag_coord: vec2f) -> vec4f",
    },
    Mistake {
        text: scene!("float x = 1.0;" "return vec4f(x);"),
        place: (2, 5),
        message: "`float x` is GLSL",
        hint: "write `var x: f32 = …;`",
    },
    Mistake {
        text: scene!("for (int i = 0; i < 4; i++) { }" "return vec4f(1.0);"),
        place: (2, 10),
        message: "`int i` is GLSL",
        hint: "write `var i: i32 = …;`",
    },
    Mistake {
        text: scene!("let x = p.x > 0.0 ? 1.0 : 0.0;" "return vec4f(x);"),
        place: (2, 23),
        message: "no `condition ? a : b`",
        hint: "select(b, a, condition)",
    },
    Mistake {
        text: scene!("return vec4f(mod(p.x, 1.0));"),
        place: (2, 18),
        message: "`mod` is not defined",
        hint: "x - y * floor(x / y)",
    },
    // Types.
    Mistake {
        text: scene!("var i = 3;" "let x = 0.45 * i;" "return vec4f(x);"),
        place: (3, 20),
        message: "`i` is an integer (i32) used with floats (f32)",
        hint: "write `f32(i)`",
    },
    Mistake {
        text: scene!("let n: u32 = 3u;" "return vec4f(p.x * n);"),
        place: (3, 24),
        message: "`n` is an integer (u32) used with floats (f32)",
        hint: "write `f32(n)`",
    },
    Mistake {
        text: scene!("let a = vec3f(1.0);" "let b = a * p;" "return vec4f(b, 1.0);"),
        place: (3, 13),
        message: "`vec3f * vec2f` does not exist",
        hint: "as many components",
    },
    Mistake {
        text: scene!("if p > 0.5 { return vec4f(1.0); }" "return vec4f(0.0);"),
        place: (2, 8),
        message: "`vec2f > f32` does not exist",
        hint: "compare one component",
    },
    Mistake {
        text: scene!("return vec4f(pow(p, 2.0), 0.0, 1.0);"),
        place: (2, 18),
        message: "`pow`",
        hint: "`vec2f(2.0)`",
    },
    Mistake {
        text: concat!("#import tarsus::sdf\n", scene!("return vec4f(sdf::sphere(vec3f(p, 0.0)));")),
        place: (3, 18),
        message: "`sdf::sphere` takes 2 arguments, not 1",
        hint: "fn sphere(p: vec3f, radius: f32) -> f32",
    },
    Mistake {
        text: concat!(
            "#import tarsus::sdf\n#import tarsus::raymarch\n",
            scene!("let s = raymarch::Sample(1.0, 0u);"
                "_ = raymarch::smooth_union(s, s, 0.1);"
                "return vec4f(sdf::smooth_union(p.x, p.y));")
        ),
        place: (6, 18),
        message: "`sdf::smooth_union` takes 3 arguments, not 2",
        hint: "fn smooth_union(a: f32, b: f32, k: f32) -> f32",
    },
    Mistake {
        text: scene!("let a: vec3 = vec3f(1.0);" "return vec4f(a, 1.0);"),
        place: (2, 12),
        message: "template argument",
        hint: "as in `vec3f`",
    },
    Mistake {
        text: concat!("#import tarsus::sdf\n", scene!("return vec4f(sdf::sphere(p, 1.0));")),
        place: (3, 30),
        message: "argument 1 of `sdf::sphere` is of another type",
        hint: "fn sphere(p: vec3f, radius: f32) -> f32",
    },
    Mistake {
        text: scene!("let c = vec3f(1.0);" "return c;"),
        place: (3, 12),
        message: "`main_image` returns `vec4f`, and this is of another type",
        hint: "write `vec4f(rgb, 1.0)`",
    },
    Mistake {
        text: concat!("fn f(x: f32) { return x; }\n", scene!("return vec4f(1.0);")),
        place: (1, 23),
        message: "`f` declares no return type",
        hint: "write `fn f(x: f32) -> f32`",
    },
    Mistake {
        text: scene!("var v = vec3f(1.0);" "v = p;" "return vec4f(v, 1.0);"),
        place: (3, 9),
        message: "a value of another type is assigned",
        hint: "vec3f(v, 0.0)",
    },
    Mistake {
        text: scene!("var i = 3;" "let x: f32 = 0.45 * i;" "return vec4f(x);"),
        place: (3, 25),
        message: "`i` is an integer (i32) used with floats (f32)",
        hint: "write `f32(i)`",
    },
    Mistake {
        text: scene!("var n = 1;" "n = 2.5;" "return vec4f(f32(n));"),
        place: (3, 5),
        message: "a float (f32) is assigned to `n`, an integer (i32)",
        hint: "declare `var n: f32`, or write `i32(…)`",
    },
    Mistake {
        text: scene!("var n = 1;" "n += p.x;" "return vec4f(f32(n));"),
        place: (3, 5),
        message: "a float (f32) is assigned to `n`, an integer (i32)",
        hint: "declare `var n: f32`, or write `i32(…)`",
    },
    Mistake {
        text: scene!("for (var i = 0; i < 2; i++) { let a = vec2f(p.x, i); }"
            "return vec4f(1.0);"),
        place: (2, 54),
        message: "component 2 of `vec2f` is `f32`, and this is `i32`",
        hint: "WGSL has no implicit conversions: write `f32(i)`",
    },
    Mistake {
        text: scene!("let i = 1;" "let a = vec2<u32>(i, 2u);" "return vec4f(1.0);"),
        place: (3, 23),
        message: "component 1 of `vec2u` is `u32`, and this is `i32`",
        hint: "write `u32(i)`",
    },
    Mistake {
        text: concat!(
            "struct Ball { at: vec2<f32>, size: f32 }\n",
            scene!("let ball = Ball(vec3f(p, 0.0), 1.0);" "return vec4f(ball.size);")
        ),
        place: (3, 21),
        message: "member `at` of `Ball` is `vec2f`, and this is `vec3f`",
        hint: "give it a `vec2f`",
    },
    Mistake {
        text: concat!(
            "struct Ball { at: vec2<f32>, size: f32 }\n",
            scene!("let i = 2;" "let ball = Ball(p, i);" "return vec4f(ball.size);")
        ),
        place: (4, 24),
        message: "member `size` of `Ball` is `f32`, and this is `i32`",
        hint: "write `f32(i)`",
    },
    Mistake {
        text: scene!("let a = array<vec2f, 2>(p.xy, p.x);" "return vec4f(a[0], 0.0, 1.0);"),
        place: (2, 35),
        message: "component 2 of `array<vec2f, 2>` is `vec2f`, and this is `f32`",
        hint: "give it a `vec2f`",
    },
    Mistake {
        text: scene!("let m = mat2x2f(vec3f(1.0), p);" "return vec4f(m * p, 0.0, 1.0);"),
        place: (2, 21),
        message: "component 1 of `mat2x2f` is `vec2f`, and this is `vec3f`",
        hint: "give it a `vec2f`",
    },
    Mistake {
        text: concat!(
            "struct Ball { at: vec2<f32>, size: f32 }\n",
            scene!("let ball = Ball(p, 1.0);" "let x = ball + p.x;" "return vec4f(1.0);")
        ),
        place: (4, 13),
        message: "`Ball + f32` does not exist",
        hint: "operators take numbers, vectors and matrices: name a member",
    },
    Mistake {
        text: scene!("let i = 1;" "let a = p + vec2(i, i);" "return vec4f(1.0);"),
        place: (3, 13),
        message: "`vec2f + vec2i` does not exist",
        hint: "WGSL has no implicit conversions: write `vec2f(x)` for the vec2i",
    },
    Mistake {
        text: scene!("let c = vec3f(1.0);" "return vec4f(max(c, 0.5), 1.0);"),
        place: (3, 18),
        message: "argument 2 of `max` is `f32`, and one before it is `vec3f`",
        hint: "write `vec3f(0.5)`",
    },
    Mistake {
        text: scene!("let c = vec3f(1.0);" "return vec4f(max(0.5, c), 1.0);"),
        place: (3, 18),
        message: "argument 2 of `max` is `vec3f`, and one before it is `f32`",
        hint: "write `vec3f(x)` for the number",
    },
    Mistake {
        text: scene!("let i = 1;" "return vec4f(max(p.x, i));"),
        place: (3, 18),
        message: "argument 2 of `max` is `i32`, and one before it is `f32`",
        hint: "write `f32(i)`",
    },
    Mistake {
        text: scene!("return vec4f(select(p, 1.0, true), 0.0, 1.0);"),
        place: (2, 18),
        message: "the first two arguments of `select` are of different types",
        hint: "write `vec2f(x)` for the other one",
    },
    Mistake {
        text: scene!("let m = mat3x3f(1.0);" "return vec4f(1.0);"),
        place: (2, 21),
        message: "cannot cast a f32 to a mat3x3<f32>",
        hint: "a matrix takes its columns",
    },
    Mistake {
        text: scene!("return vec4f(length(p, p));"),
        place: (2, 18),
        message: "too many arguments passed to `length`",
        hint: "`distance(a, b)`",
    },
    // Members, constants and reserved words.
    Mistake {
        text: concat!(
            "#import tarsus::land\n",
            "struct Params { height: f32, coat: vec3f }\n",
            "@group(1) @binding(0) var<uniform> params: Params;\n",
            scene!("return vec4f(params.colour, 1.0);")
        ),
        place: (5, 25),
        message: "there is no member `colour`",
        hint: "`Params` has height, coat",
    },
    Mistake {
        text: concat!(
            "struct Ball { size: f32 }\n",
            scene!("let ball = Ball(1.0);" "return vec4f(ball.sise);")
        ),
        place: (4, 23),
        message: "there is no member `sise`",
        hint: "did you mean `size`?",
    },
    Mistake {
        text: concat!("#define PI 3.14159\n", scene!("return vec4f(PI);")),
        place: (3, 18),
        message: "`PI` is not defined",
        hint: "`#define` in line 1 does not substitute values: write `const PI = 3.14159;`",
    },
    Mistake {
        text: scene!("let patch = 1.0;" "return vec4f(patch);"),
        place: (2, 9),
        message: "name `patch` is a reserved keyword",
        hint: "choose another name",
    },
    // Names of other languages.
    Mistake {
        text: scene!("return texture(wood, p);"),
        place: (2, 12),
        message: "`texture` is not defined",
        hint: "write `textureSample(wood, wood_sampler, uv)`",
    },
    // Statements.
    Mistake {
        text: concat!("let a = 1.0;\n", scene!("return vec4f(a);")),
        place: (1, 1),
        message: "`let` is for functions",
        hint: "`const NAME = …;`",
    },
    Mistake {
        text: scene!("if p.x > 0.0 and p.y > 0.0 { }" "return vec4f(1.0);"),
        place: (2, 18),
        message: "`and` is not a WGSL operator",
        hint: "write `&&`",
    },
    Mistake {
        text: scene!("if p.x > 0.0 return vec4f(1.0);" "return vec4f(0.0);"),
        place: (2, 18),
        message: "expected `{`",
        hint: "needs braces",
    },
    Mistake {
        text: scene!("let x = 1.0" "return vec4f(x);"),
        place: (2, 15),
        message: "expected `;` at the end of this line",
        hint: "`;` is missing after this",
    },
    Mistake {
        text: scene!("if p.x > 0.0 {" "    return vec4f(1.0);"),
        place: (2, 18),
        message: "this `{` is never closed",
        hint: "",
    },
    Mistake {
        text: scene!("let x = 1.0;" "}" "return vec4f(x);"),
        place: (4, 5),
        message: "expected `fn`, `const`, `var`, `struct` or `alias`, found \"return\"",
        hint: "a `}` above",
    },
    Mistake {
        text: scene!("let x = 1.0;" "x = 2.0;" "return vec4f(x);"),
        place: (3, 5),
        message: "`x` cannot change: it is declared with `let`",
        hint: "declare it with `var x`",
    },
    Mistake {
        text: scene!("var x = 1.0;" "var x = 2.0;" "return vec4f(x);"),
        place: (3, 9),
        message: "redefinition of `x`",
        hint: "to assign it again, omit `let` and `var`; otherwise choose another name",
    },
    Mistake {
        text: concat!("struct Ball { size: f32, size: vec2f }\n", scene!("return vec4f(1.0);")),
        place: (1, 26),
        message: "redefinition of `size`",
        hint: "hint: choose another name",
    },
    Mistake {
        text: scene!("p.x = 1.0;" "return vec4f(p, 0.0, 1.0);"),
        place: (2, 5),
        message: "`p` cannot change: it is a parameter",
        hint: "`var my_p = p;`",
    },
    Mistake {
        text: scene!("var c = vec4f(1.0);" "c.xy = p;" "return c;"),
        place: (3, 5),
        message: "`c.xy` cannot be assigned as a whole",
        hint: "`c.x = …; c.y = …;`",
    },
    Mistake {
        text: scene!("let x = 1.0;"),
        place: (3, 1),
        message: "`main_image` ends here without a value",
        hint: "`return …;`",
    },
    Mistake {
        text: scene!("workgroupBarrier();" "return vec4f(1.0);"),
        place: (2, 5),
        message: "barriers and atomics work in compute shaders only",
        hint: "remove them",
    },
    Mistake {
        text: scene!("float x;" "return vec4f(x);"),
        place: (2, 5),
        message: "`float x` is GLSL",
        hint: "write `var x: f32;`",
    },
    Mistake {
        text: scene!("let i: i32 = 3; let m = 2u;" "return vec4f(f32(i + m));"),
        place: (3, 22),
        message: "`i32 + u32` does not exist",
        hint: "write `i32(x)` for the u32",
    },
    Mistake {
        text: scene!("for (var i = 0; i < 3u; i++) { }" "return vec4f(1.0);"),
        place: (2, 21),
        message: "`i32 < u32` does not exist",
        hint: "write `i32(x)` for the u32",
    },
    Mistake {
        text: scene!("let i = 3;" "let m: u32 = i;" "return vec4f(1.0);"),
        place: (3, 9),
        message: "the type of `m` is expected to be `u32`",
        hint: "write `u32(x)`",
    },
    Mistake {
        text: scene!("float a[3];" "return vec4f(1.0);"),
        place: (2, 5),
        message: "`float a` is GLSL",
        hint: "write `var a: array<f32, 3>;`",
    },
    Mistake {
        text: scene!("float a[] = float[2](1.0, 2.0);" "return vec4f(1.0);"),
        place: (2, 5),
        message: "`float a` is GLSL",
        hint: "write `var a: array<f32, N> = …;`",
    },
    Mistake {
        text: scene!("let n = 2u;" "let v = vec2i(p) * n;" "return vec4f(1.0);"),
        place: (3, 13),
        message: "`vec2i * u32` does not exist",
        hint: "write `vec2i(x)` for the number",
    },
    Mistake {
        text: concat!("#import tarsus::sdf\nuse tarsus::ik;\n", scene!("return vec4f(1.0);")),
        place: (2, 5),
        message: "`tarsus::ik` is not imported",
        hint: "add a line `#import tarsus::ik`",
    },
    Mistake {
        text: concat!("struct Ball = { size: f32 }\n", scene!("return vec4f(1.0);")),
        place: (1, 13),
        message: "expected `{`",
        hint: "needs braces",
    },
    Mistake {
        text: concat!("struct Params { size: f32 }\n", scene!("return vec4f(params.size);")),
        place: (3, 18),
        message: "`params` is not defined",
        hint: "declare it: `@group(1) @binding(0) var<uniform> params: Params;`",
    },
    Mistake {
        text: scene!("return vec4f(LOOP_SECONDS);"),
        place: (2, 18),
        message: "`LOOP_SECONDS` is not defined",
        hint: "declare it: `const LOOP_SECONDS: f32",
    },
    Mistake {
        text: concat!("// A scene.\n/* Draws.\n", scene!("return vec4f(1.0);")),
        place: (2, 1),
        message: "this comment is never closed",
        hint: "it ends with `*/`",
    },
    Mistake {
        text: scene!("return vec4f(#{SIZE});"),
        place: (2, 18),
        message: "`SIZE` is not defined",
        hint: "write `#define NAME value`",
    },
    Mistake {
        text: concat!("#include \"a.wgsl\"\n", scene!("return vec4f(1.0);")),
        place: (1, 1),
        message: "`#include` is not WGSL",
        hint: "write `#import \"file.wgsl\"`",
    },
    Mistake {
        text: concat!("import tarsus::sdf;\n", scene!("return vec4f(1.0);")),
        place: (1, 8),
        message: "`tarsus::sdf` is not imported",
        hint: "add a line `#import tarsus::sdf`, and write `sdf::`",
    },
    Mistake {
        text: concat!("use sdf;\n", scene!("return vec4f(1.0);")),
        place: (1, 1),
        message: "`use` is not a WGSL keyword",
        hint: "a line such as `#import tarsus::sdf`",
    },
    Mistake {
        text: concat!("#import \"shapes\"\n", scene!("return vec4f(1.0);")),
        place: (1, 9),
        message: "there is no module `\"shapes\"`",
        hint: "write the whole name of the file, `\"shapes.wgsl\"`",
    },
    Mistake {
        text: concat!("#import tarsus::sdf::*\n", scene!("return vec4f(1.0);")),
        place: (1, 22),
        message: "there is no module `*`",
        hint: "or its items, `#import shapes::{ball, cube}`",
    },
    Mistake {
        text: scene!("if p.x = 1.0 { }" "return vec4f(1.0);"),
        place: (2, 12),
        message: "expected `{`",
        hint: "equality is `==`",
    },
    Mistake {
        text: scene!("if p.x > 1.0 { } else (p.x > 0.0) { }" "return vec4f(1.0);"),
        place: (2, 27),
        message: "expected `{`",
        hint: "is written `else if a > b { … }`",
    },
    Mistake {
        text: concat!(
            "#import tarsus::ik\n",
            scene!("let a = ik.solve2(p, 1.0, 1.0, 1.0);"
            "return vec4f(1.0);")
        ),
        place: (3, 13),
        message: "`ik` is the name of an imported module",
        hint: "write `ik::solve2`",
    },
    Mistake {
        text: concat!("#define SQ(x) ((x)*(x))\n", scene!("return vec4f(SQ(p.x));")),
        place: (3, 18),
        message: "`SQ` is not defined",
        hint: "write a function, `fn SQ(x: f32) -> f32 { … }`",
    },
    Mistake {
        text: scene!("let step = 1.0;" "return vec4f(step(0.0, p.x));"),
        place: (3, 18),
        message: "local declaration cannot be called",
        hint: "a variable hides the function",
    },
    Mistake {
        text: scene!("let a = \"text\";" "return vec4f(1.0);"),
        place: (2, 13),
        message: "WGSL has no strings",
        hint: "`tarsus::text`",
    },
    Mistake {
        text: concat!("const A = array(1.0, 2.0);\n", scene!("return vec4f(A[5]);")),
        place: (3, 18),
        message: "this index is not in the array",
        hint: "the first element has the index 0",
    },
    Mistake {
        text: concat!(
            "#import tarsus::buffers\nfn buffer_A(p: vec2f) -> vec4f { return vec4f(1.0); }\n",
            scene!("return buffers::a(vec2i(p));")
        ),
        place: (2, 4),
        message: "the scene reads buffer a but does not define `buffer_a`",
        hint: "write `fn buffer_a(",
    },
    Mistake {
        text: concat!(
            "#import tarsus::walker\n#define LEGS four\n",
            scene!("return vec4f(walker::clearance());")
        ),
        place: (2, 1),
        message: "`LEGS` is `four`: expected an integer",
        hint: "",
    },
    Mistake {
        text: concat!("var x: f32 = 1.0;\n", scene!("return vec4f(x);")),
        place: (1, 1),
        message: "a `var` outside of a function has no address space",
        hint: "`var<private>`",
    },
];

/// The diagnostic of a source: message, position, and label and notes.
fn diagnose(text: &str) -> (String, Option<(usize, usize)>, String) {
    let scene = Scene::from_text(text, "learner.wgsl");
    let Err(error) = compose(&scene, &crate::library(), &[]) else {
        panic!("this composes:\n{text}");
    };
    let diagnostic = &error.diagnostic;
    let shown = error.to_string();
    assert!(!shown.contains('·'), "{shown}");
    let notes = format!("{}\n{}", diagnostic.label, diagnostic.notes.join("\n"));
    (diagnostic.message.clone(), diagnostic.line_column(), notes)
}

fn require(text: &str, place: (usize, usize), words: &str, hint: &str) {
    let (message, found, notes) = diagnose(text);
    assert_eq!(found, Some(place), "{message}\n{text}");
    assert!(message.contains(words), "`{message}` without `{words}`\n{text}");
    assert!(notes.contains(hint), "`{notes}` without `{hint}`\n{text}");
}

#[test]
fn common_mistakes_have_position_and_hint() {
    assert!(MISTAKES.len() >= 20);
    for mistake in MISTAKES {
        require(mistake.text, mistake.place, mistake.message, mistake.hint);
    }
}

#[test]
fn unknown_modules_are_marked_without_their_item() {
    for (used, marked) in [("skf::foo", "skf"), ("limb::foo", "limb"), ("a::b::foo", "a::b")] {
        let text = format!("fn main_image(p: vec2f) -> vec4f {{ return vec4f({used}(p)); }}");
        let error = compose(&Scene::from_text(&text, "s.wgsl"), &crate::library(), &[]);
        let span = error.expect_err(used).diagnostic.span.expect("a place");
        assert_eq!(&text[span], marked);
    }
}

#[test]
fn names_of_entry_points_are_reserved() {
    let main = scene!("return vec4f(1.0);");
    for (item, column, name) in [
        ("struct TarsusPlace { a: f32 }", 8, "TarsusPlace"),
        ("fn tarsus_is_empty() -> bool { return true; }", 4, "tarsus_is_empty"),
        ("fn tarsus_frag_coord(x: f32) -> f32 { return x; }", 4, "tarsus_frag_coord"),
        ("const TARSUS_LOOP_SECONDS = 1; const LOOP_SECONDS = 2;", 7, "TARSUS_LOOP_SECONDS"),
    ] {
        let words = format!("the name `{name}` is reserved");
        require(&format!("{main}{item}\n"), (4, column), &words, "choose another name");
    }
}

#[test]
fn definitions_may_have_comments() {
    let text = "#import tarsus::walker
#define LEGS 8 /* eight */ // legs
/*
#define PER_FRAME_VALUES many
*/
fn main_image(p: vec2f) -> vec4f { return vec4f(walker::clearance()); }";
    assert!(compose(&Scene::from_text(text, "s.wgsl"), &crate::library(), &[]).is_ok());
}

#[test]
fn module_without_its_path_gets_a_hint() {
    let (message, place, notes) = diagnose("fn ball(p: vec3f) -> f32 { return length(p) - 1.0; }");
    assert_eq!((&*message, place), ("there is no `main_image` in learner.wgsl", None));
    assert!(notes.contains("a module begins with `#define_import_path NAME`"), "{notes}");
}

/// A scene with one parameter, its comment on line 2 and its member on line 3.
fn with_parameter(comment: &str, member: &str, binding: &str) -> String {
    let main = scene!("return vec4f(1.0);");
    format!("struct Params {{\n  /// {comment}\n  {member}\n}}\n{binding}\n{main}")
}

#[test]
fn parameter_errors_point_at_member() {
    let group_0 = PARAMS.replace("group(1)", "group(0)");
    let storage = PARAMS.replace("uniform", "storage");
    for (comment, member, binding, place, message, hint) in [
        ("On = on", "a: bool,", PARAMS, (3, 3), "a parameter is an f32, i32 or u32", "a `u32`"),
        ("X", "a: mat2x2f,", PARAMS, (3, 3), "a parameter is an f32, i32 or u32", ""),
        ("X", "a: array<f32, 4>,", PARAMS, (3, 3), "a parameter is an f32, i32 or u32", ""),
        ("X", "a: array<vec4f, 4>,", PARAMS, (3, 3), "a parameter is an f32, i32 or u32", ""),
        ("X {} = a", "a: u32,", PARAMS, (3, 3), "invalid choice `{}`", ""),
        ("X {a, } = a", "a: u32,", PARAMS, (3, 3), "expected names", ""),
        ("X {b, c, b} = b", "a: u32,", PARAMS, (3, 3), "`b` is a choice twice", ""),
        ("X [0, 1e400] = 1", "a: f32,", PARAMS, (3, 3), "invalid range `[0, 1e400]`", ""),
        ("X [0, 1 = 0.5", "a: f32,", PARAMS, (3, 3), "invalid range `[0, 1`", ""),
        ("X 0, 1] = 0.5", "a: f32,", PARAMS, (3, 3), "invalid range", ""),
        ("X [0, 1] = half", "a: f32,", PARAMS, (3, 3), "invalid default `half`", ""),
        ("X [0, 1] = 1", "a: f32,", &group_0, (5, 36), "parameters are `@group(1)", ""),
        ("X [0, 1] = 1", "a: f32,", &storage, (5, 36), "parameters are `@group(1)", ""),
    ] {
        require(&with_parameter(comment, member, binding), place, message, hint);
    }
    let function = format!("fn f(flag: bool) {{ }}\n{PARAMS}");
    let later = format!("{PARAMS}\n{}", with_parameter("X", "a: bool,", ""));
    let nested = with_parameter("X", "a: vec2<bool>,", PARAMS);
    for (text, place) in [
        (with_parameter("X", "a: array<f32, 4>,", &function), (3, 3)),
        (later, (4, 3)),
        (nested, (1, 8)),
    ] {
        require(&text, place, "a parameter is an f32, i32 or u32", "a `u32`");
    }
    let used = with_parameter("X = 1", "a: f32,", &group_0).replace("f(1.0)", "f(params.a)");
    require(&used, (5, 23), "another variable, or of tarsus", "@group(1) @binding(0)");
}

#[test]
fn unsupported_declarations_have_positioned_errors() {
    let main = scene!("return vec4f(1.0);");
    for (declaration, column, message) in [
        ("var<storage> k: array<f32>;", 1, "this variable has no binding"),
        ("@group(1) @binding(3) var<storage> k: array<f32>;", 36, "cannot bind `k`"),
        ("@group(1) @binding(3) var<storage, read_write> k: array<f32>;", 48, "cannot bind `k`"),
        ("@group(1) @binding(1) var<uniform> k: vec4f;", 36, "cannot bind `k`"),
        ("@group(2) @binding(0) var k: texture_2d<f32>;", 27, "channel `k`: it has no source"),
        ("@group(0) @binding(1) var k: texture_3d<f32>;", 27, "cannot bind `k`"),
        ("@group(0) @binding(1) var k: texture_2d<f32>;", 27, "group 0 is reserved for tarsus"),
        ("@group(2) @binding(0) var k: sampler;", 27, "sampler `k`: no texture has its name"),
        ("@group(2) @binding(0) var k: texture_2d_array<f32>;", 27, "cannot bind `k`"),
        ("@group(0) @binding(0) var<uniform> k: vec4f;", 36, "cannot bind `k`"),
        ("var<workgroup> k: f32;", 16, "scenes have no workgroup memory"),
        ("var<push_constant> k: f32;", 5, "push_constant"),
        ("var<immediate> k: f32;", 1, "IMMEDIATES"),
        ("var<private> k: atomic<u32>;", 1, "a variable cannot have this type"),
        ("override n = 4u; var<private> k: array<f32, n>;", 18, "cannot have this type"),
        ("fn f() { var k = f16(1.0); }", 18, "this number type is not supported"),
        ("fn f() { var k: i64; }", 17, "this number type is not supported"),
        ("fn f() { let k = 2.0lf; }", 18, "this number type is not supported"),
        ("fn f() { var k: array<f32, 16385>; k[0] = 1.0; }", 10, "`k` takes 65540 bytes"),
        ("var<private> k: array<vec4f, 1000000>;", 14, "takes 16000000 bytes"),
    ] {
        let text = format!("// A scene.\n{declaration}\n{main}");
        let (shown, place, _) = diagnose(&text);
        assert!(shown.contains(message), "{shown}\n{declaration}");
        let (line, found) = place.expect("a place");
        assert_eq!(line, 2, "{shown}\n{declaration}");
        assert_eq!(found, column, "{shown}");
    }
    let half = format!("enable f16; fn f() {{ var k = 2.0h; }}\n{main}");
    require(&half, (1, 8), "this number type is not supported", "write `f32`");
    let point = format!("@fragment fn f() -> @location(0) vec4f {{ return vec4f(); }}\n{main}");
    let (shown, place, notes) = diagnose(&point.replace("vec4f(1.0)", "f()"));
    assert_eq!((shown.as_str(), place), ("entry point cannot be called", Some((3, 12))));
    assert!(!notes.contains("variable"), "{notes}");
    let grain = "/// noise grey 8\n@group(2) @binding(0) var k: texture_2d<f32>;\n";
    let read = scene!("return textureLoad(k, vec2u(), 0) + textureLoad(l, vec2u(), 0);");
    let twice = format!("{grain}{}{read}", grain.replace("var k", "var l"));
    require(&twice, (4, 23), "that of another variable", "`@binding(…)` of their own");
    let unbound = concat!("var k: texture_2d<f32>;\n", scene!("return vec4f(1.0);"));
    require(unbound, (1, 1), "has no binding", "channels with `@group(2)`");
    let open = concat!("override k: f32;\n", scene!("return vec4f(k);"));
    require(open, (1, 10), "`override k` has no value", "write `const k = …;`");
    let overriding = "#import tarsus::raymarch\noverride fn raymarch::map(p: vec3f) -> f32 \
                      { var a: array<f32, 20000>; return a[u32(p.x)]; }\n";
    let large = format!("{overriding}{}", scene!("return vec4f(raymarch::map(vec3f(p, 0.0)));"));
    require(&large, (2, 46), "`a` takes 80000 bytes per pixel", "is a `const`");
    let doubled = "fn doubled(q: ptr<function, f32>) -> f32 { return *q * 2.0; }\n";
    for (part, is_part) in [
        ("var b = p; return vec4f(doubled(&b.x));", true),
        ("var b = array(p.x, p.y); let i = u32(p.x); return vec4f(doubled(&b[i]));", true),
        ("var b = p.x; return vec4f(doubled(&b));", false),
        ("var b = p; var part = b.x; return vec4f(doubled(&part));", false),
    ] {
        let text = format!("{doubled}fn main_image(p: vec2f) -> vec4f {{ {part} }}\n");
        let scene = Scene::from_text(&text, "s.wgsl");
        match compose(&scene, &crate::library(), &[]) {
            Ok(_) => assert!(!is_part, "{part}"),
            Err(found) => {
                let error = found.to_string();
                assert!(is_part, "{error}");
                // naga itself rejects pointers to vector components.
                let own = error.contains("`main_image` passes `doubled` a pointer to part");
                assert!(own || part.contains("b = p;"), "{error}");
                let column = text.lines().nth(1).and_then(|line| line.find("b[i]"));
                let place = column.map(|column| (2, column + 1));
                assert!(!own || found.diagnostic.line_column() == place, "{error}");
            }
        }
    }
    let given = format!("override k: f32 = 1.0;\n{main}");
    assert!(compose(&Scene::from_text(&given, "s.wgsl"), &crate::library(), &[]).is_ok());
}
