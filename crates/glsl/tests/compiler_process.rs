//! Hostile sources, compiled in a child process as the program does: each is compiled, or is one
//! error that names the file, and the next source compiles.
//!
//! The test is its own child, so it has no harness.

use tarsus_shader::{Library, Scene};

const CHILD: &str = "glsl-compiler";

const RED: &str =
    "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0, 0.0, 0.0, step(2.0, p.x)); }\n";

fn main() {
    if std::env::args().nth(1).as_deref() == Some(CHILD) {
        return tarsus_glsl::serve_compiler().expect("pipes");
    }
    let program = std::env::current_exe().expect("a path");
    tarsus_glsl::use_compiler_process(program, CHILD);
    for (text, expected) in failing() {
        let message = compose(&text).expect_err(head(&text));
        assert!(message.contains("s.glsl") && message.contains(expected), "{message}");
        assert!(!message.contains('\u{1b}'), "{message}");
        assert_eq!(compose(RED), Ok(()), "after {}", head(&text));
    }
    for text in compiling() {
        assert_eq!(compose(&text), Ok(()), "{}", head(&text));
    }
}

fn compose(text: &str) -> Result<(), String> {
    let library = Library::default().with_front_end(tarsus_glsl::GLSL);
    let composed = tarsus_shader::compose(&Scene::from_text(text, "s.glsl"), &library, &[]);
    composed.map(|_| ()).map_err(|error| error.to_string())
}

fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(80)]
}

/// A shader with these statements, which may change `x`.
fn body(statements: &str) -> String {
    format!(
        "void mainImage(out vec4 c, in vec2 p) {{ float x = p.x;\n{statements}\nc = vec4(x); }}\n"
    )
}

/// A shader with `before`, `part` 2^`doublings` times by macros, and `after` as statements.
fn expanded(before: &str, part: &str, doublings: usize, after: &str) -> String {
    let double = |n: usize| format!("#define A{} A{n} A{n}\n", n + 1);
    let macros: String = (0..doublings).map(double).collect();
    format!("#define A0 {part}\n{macros}{}", body(&format!("{before} A{doublings} {after}")))
}

/// Texts that fail, with a part of their error.
fn failing() -> Vec<(String, &'static str)> {
    let repeated = |before: &str, part: &str, count: usize, after: &str| {
        body(&[before, &part.repeat(count), after].concat())
    };
    let after_red = |text: &str| [RED, text].concat();
    let before_red = |text: &str| [text, RED].concat();
    let structs: String =
        (0..9).map(|n| format!("struct S{} {{ S{n} a[1000]; }};\n", n + 1)).collect();
    let functions: String =
        (0..12_000).map(|n| format!("float f{}(float x) {{ return f{n}(x); }}\n", n + 1)).collect();
    const CRASH: &str = "the GLSL compiler crashed";
    const EXPRESSION: &str = "this expression has more than 2000 operators";
    vec![
        // The compiler overflows its stack, or writes where it must not.
        (expanded("x = (", "x = 1.0,", 14, "x);"), CRASH),
        (expanded("x = 1.0", "+ x", 16, ";"), CRASH),
        (expanded("x = ", "-", 16, "x;"), "nested too deeply"),
        (repeated("x = (", "1.0, ", 100_000, "1.0);"), CRASH),
        (before_red("struct R { float o[]; };\nfloat f(float x) { return R(x).o[0]; }\n"), ""),
        (
            before_red(
                "#define N 0\nstruct R { float o[N]; };\nfloat f(float x) { return R(x).o[0]; }\n",
            ),
            "",
        ),
        // It takes too long, or too much memory.
        (expanded("x = x", "+ sin(x)", 40, ";"), "s.glsl"),
        // It counts the depth itself.
        (expanded("", "if (x > 0.0) x = 1.0; else", 13, "x = 2.0;"), "nested too deeply"),
        (before_red(&format!("#if {}1\n#endif\n", "1 + ".repeat(100_000))), ""),
        (before_red("#define A B\n#define B A\n#if A\n#endif\n"), ""),
        (before_red(&"#else\n#endif\n".repeat(1000)), ""),
        (before_red("# #if 1\n#else\n"), ""),
        (before_red("a \"\\\"\"\n#else\n"), ""),
        (before_red("#define A A A\nfloat f = A;\n"), ""),
        // Limits of every source.
        (after_red(&"// x\n".repeat(3 << 20)), "bytes: the limit is"),
        (after_red(&"#define X \\\n".repeat(5000)), ""),
        (format!("float f0(float x) {{ return x; }}\n{functions}{RED}"), ""),
        (body(&format!("x = {}1.0{};", "(".repeat(5000), ")".repeat(5000))), "nested more than 64"),
        (body(&"{".repeat(5000)), "nested more than 64"),
        (repeated("x = x", " + x", 100_000, ";"), EXPRESSION),
        (repeated("x = ", "x > 1.0 ? 1.0 : ", 20_000, "0.0;"), EXPRESSION),
        (repeated("x = ", "- ", 100_000, "x;"), EXPRESSION),
        (repeated("x = vec4(1.0)", ".xyzw", 20_000, ".x;"), EXPRESSION),
        (repeated("", "x = ", 50_000, "1.0;"), EXPRESSION),
        (
            repeated("", "if (x > 1.0) x = 2.0; else ", 20_000, "x = 1.0;"),
            "`else` follow each other",
        ),
        (repeated("x = ", "sin(x) * 1.000001 + 2.0;\nx = ", 400_000, "1.0;"), "bytes"),
        // Errors that the compiler reports.
        (repeated("", "if (x > 1.0) ", 20_000, "x = 1.0;"), ""),
        (repeated("", "for (;;) ", 20_000, "break;"), ""),
        (repeated("", "nothing;\n", 20_000, ""), "`nothing`: undeclared identifier"),
        (repeated("float y", "[2]", 60, &format!("; y{0} = x; x = y{0};", "[0]".repeat(60))), ""),
        (format!("struct S0 {{ float x; }};\n{structs}S9 all;\n{RED}"), ""),
        (before_red(&format!("float x[{}];\n", u32::MAX)), ""),
        (before_red("float x[1000000];\n"), ""),
        (before_red(&"struct ".repeat(100_000)), ""),
        (before_red("/* never closed"), ""),
        (before_red(&"#".repeat(1000)), ""),
        (before_red("\""), ""),
        (after_red("\0"), "zero byte"),
        (after_red("\u{feff}\u{202e}\u{1b}[2J"), ""),
        (String::new(), ""),
    ]
}

fn compiling() -> Vec<String> {
    let samplers: String = (0..12)
        .map(|n| {
            format!(
                "vec4 f{}(sampler2D a, sampler2D b) {{ return f{n}(a, b) + f{n}(b, a) + f{n}(a, a); }}\n",
                n + 1
            )
        })
        .collect();
    vec![
        format!("struct R {{ float x; }};\n{}{RED}", "#define X 1\n".repeat(50_000)),
        format!(
            "vec4 f0(sampler2D a, sampler2D b) {{ return texture(a, vec2(0.0)) + texture(b, vec2(0.0)); }}\n\
             {samplers}void mainImage(out vec4 c, in vec2 p) {{ c = f12(iChannel0, iChannel1); }}\n"
        ),
    ]
}
