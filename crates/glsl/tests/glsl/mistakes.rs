//! Errors of wrong GLSL scenes.

use tarsus_shader::Scene;

#[cfg(feature = "glslang")]
use crate::scenes::of_text;
use crate::scenes::{RED, folder, of_path};

#[cfg(feature = "glslang")]
#[test]
fn errors_use_author_lines_and_names() {
    let body = |body: &str| format!("void mainImage(out vec4 c, in vec2 p) {{\n{body}\n}}\n");
    for (text, expected) in [
        (
            body("  float a = vec2(1.0);"),
            &[
                "s.glsl:2:11",
                "error: cannot convert from `vec2` to `float`",
            ][..],
        ),
        (
            body("  c = vec4(colour, 1.0);"),
            &["s.glsl:2:12", "`colour`: undeclared identifier"],
        ),
        (
            body("  c = vec4(f(1.0));"),
            &["s.glsl:2:12", "`f`: no matching overloaded function"],
        ),
        (body("  c.xyq = vec3(1.0);"), &["s.glsl:2:5", "`xyq`"]),
        (
            body("  float a = length(p*8.0*2.0*3.5*1.25).x*2.0+1.5;"),
            &["s.glsl:2:40", "error: a number has no components, only a vector has them"],
        ),
        (
            body("  float a = 1.0 // one\n\n  float b;"),
            &["s.glsl:2:15", "`;` is missing after this"],
        ),
        (
            body("  float a = 1.0 float b;"),
            &[
                "s.glsl:2:17",
                "syntax error: unexpected `float`, expected `,` or `;`",
            ],
        ),
        (
            body("  c = vec4(smoothtep(0.0, 1.0, p.x));"),
            &["s.glsl:2:12", "did you mean `smoothstep`?"],
        ),
        (
            "float wave(float x) { return x; }\n".to_owned() + &body("  c = vec4(wawe(p.x));"),
            &["s.glsl:3:12", "did you mean `wave`?"],
        ),
        (
            format!("#iChannel0 \"keybord\"\n{}", body("  c = vec4(1.0);")),
            &["s.glsl:1:1", "there is no input \"keybord\"", "did you mean \"keyboard\"?"],
        ),
        (
            body("  c = vec4(iTme);"),
            &["s.glsl:2:12", "did you mean `iTime`?"],
        ),
        (
            body("  if (true) {"),
            &["s.glsl:2:13", "unexpected end of file"],
        ),
        (
            body("#if 1\n  c = vec4(1.0);"),
            &["s.glsl", "missing #endif"],
        ),
        (
            body("  sample = 1.0;"),
            &["s.glsl:2:3", "`sample`: undeclared identifier"],
        ),
        (
            format!(
                "#define BAD(x) (x + wrong)\n{}",
                body("\n  c = vec4(BAD(1.0));")
            ),
            &["s.glsl:4:", "`wrong`: undeclared identifier"],
        ),
        (
            body("  float a = vec2(1.0);\n  c = vec4(nothing);"),
            &["s.glsl:2:11", "also s.glsl:3:12: `nothing`"],
        ),
        (body("  iTime = 2.0;"), &["s.glsl:2:9", "error: cannot assign to an input"]),
        (body("  iMouse.xy += 2.0;"), &["s.glsl:2:13", "cannot assign to an input"]),
        (body("  ++iFrame;"), &["s.glsl:2:3", "cannot assign to an input"]),
        (
            body("  const float a[2] = float[2](1.0, 2.0); a[int(p.x)] = 2.0;"),
            &["s.glsl:2:", "cannot assign to a constant"],
        ),
        (
            "void f(const float k) { k = 2.0; }\n".to_owned() + RED,
            &["s.glsl:1:28", "error: cannot assign to `k`: it is a constant"],
        ),
        (body("  sin(p.x) = 2.0;"), &["s.glsl:2:12", "cannot assign to this expression"]),
        (body("  float whole = modf(2.5, iTime);"), &["cannot assign to an input"]),
        (
            body("  /* é */ float ü = 1.0;"),
            &["s.glsl:2:17", "invalid character `ü` (U+00FC)", "letters a to z"],
        ),
        (body("  float\u{a0}x = 1.0;"), &["s.glsl:2:8", "(U+00A0)", "type a space"]),
        (
            "float map(vec3 p,\n  float x) { return x; }\n".to_owned()
                + "float map(vec3); float map(vec3 p) { return p.x; }\n"
                + &body("  c = vec4(map(p));"),
            &["s.glsl:5:12", "= it is declared as `map(vec3 p)`, `map(vec3 p, float x)`, `map(vec3)`"],
        ),
        (body("  float a = \"hi\";"), &["s.glsl:2:13", "error: GLSL has no strings"]),
        (body("  p(c);"), &["s.glsl:2:3", "`p`: cannot use function syntax on variable\n"]),
        // Only a warning without the second line.
        (
            body("  float a = 0;\n  c = vec3(a);"),
            &["s.glsl:3:5", "`vec3` to `out vec4`"],
        ),
        // `inverse` is no mistake.
        (
            "const mat2 m = inverse(mat2(2.0));\n".to_owned() + &body("  c = vec3(m[0], 1.0);"),
            &["s.glsl:3:5", "error: cannot convert from `vec3`"],
        ),
        (
            "const int n = int(inverse(mat2(0.5))[0][0]);\nfloat a[n];\n".to_owned() + RED,
            &["s.glsl:1:13", "error: global initializers must be constant", "also s.glsl:2:9"],
        ),
        (
            "#error stop here\n".to_owned() + RED,
            &["s.glsl:1", "stop here"],
        ),
        (
            "float a[1 << 30];\n".to_owned() + &body("  c = vec4(a[int(p.x)]);"),
            &["an array has 1073741824 numbers, and the limit is 16777216"],
        ),
        (
            "float f(float x) { return f(x); }\n".to_owned() + RED,
            &["s.glsl:1:7", "`f` calls itself"],
        ),
        (
            "float g(float x);\nfloat f(float x) { return g(x); }\nfloat g(float x) { return f(x); }\n"
                .to_owned()
                + RED,
            &["s.glsl:", "call each other"],
        ),
        (
            "float g(float x);\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(g(1.0)); }\n"
                .to_owned(),
            &["s.glsl:1:7", "`g` is declared but never defined"],
        ),
        (
            body("  c = vec4(0.0); do { c.x += 0.1; } while (true);"),
            &["s.glsl:2:18", "this loop never ends"],
        ),
        (
            body("  do { for (int i = 0; i < 9; i++) c.x += 0.1; } while (!false);"),
            &["s.glsl:2:3", "this loop never ends"],
        ),
        (
            body("  switch (int(p.x)) { default: c.x += 1.0; case 2: c.y += 1.0; }"),
            &["in `mainImage`, a `default` falls through to another case: move it to the end"],
        ),
        (
            "void main() {}\n".to_owned(),
            &["there is no `mainImage` in s.glsl"],
        ),
        (
            "void mainimage(out vec4 c, in vec2 p) {}\n".to_owned(),
            &["s.glsl:1:6", "mainImage"],
        ),
        (
            "vec4 mainImage(vec2 p) { return vec4(0.0); }\n".to_owned(),
            &["s.glsl", "mainImage"],
        ),
        (
            "#iChannel0 file\n".to_owned() + RED,
            &["s.glsl:1:1", "has no file"],
        ),
        (
            "#iUniform float x\n".to_owned() + RED,
            &["s.glsl:1:1", "expected `#iUniform float NAME = 1.0"],
        ),
        (
            "#include \"x.glsl\"\n".to_owned() + RED,
            &["s.glsl:1:1", "has no folder"],
        ),
    ] {
        let message = of_text(&text)
            .err()
            .unwrap_or_else(|| panic!("no error in {text}"));
        for part in expected {
            assert!(message.contains(part), "{part} is not in\n{message}\nof\n{text}");
        }
        assert!(
            !message.contains("_author") && !message.contains("tarsus_"),
            "{message}"
        );
    }
}

#[test]
fn errors_name_common_and_included_files() {
    let made = folder(&[
        (
            "Image.glsl",
            "#include \"lib/a.glsl\"\nvoid mainImage(out vec4 c, in vec2 p) {\n  c = vec4(f());\n}\n",
        ),
        ("Common.glsl", "float k() { return 1.0; }\n"),
        ("lib/a.glsl", "// a\n\nfloat f() { return g(); }\n"),
    ]);
    let message = of_path(made.path()).expect_err("g is missing");
    assert!(message.contains("a.glsl:3:20"), "{message}");
    std::fs::write(made.path().join("Common.glsl"), "float k;\nfloat g() { return k.z; }\n")
        .expect("written");
    let message = of_path(made.path()).expect_err("k has no z");
    assert!(message.contains("Common.glsl:2:"), "{message}");
    std::fs::write(made.path().join("Common.glsl"), "float g() { return 1.0; }\n")
        .expect("written");
    std::fs::write(
        made.path().join("Image.glsl"),
        "#include \"lib/a.glsl\"\nvoid mainImage(out vec4 c, in vec2 p) {\n  c = wrong;\n}\n",
    )
    .expect("written");
    let message = of_path(made.path()).expect_err("wrong is not there");
    assert!(message.contains("Image.glsl:3:7"), "{message}");
}

#[test]
fn errors_of_all_passes_are_reported() {
    let made = folder(&[
        ("Buffer A.glsl", "void mainImage(out vec4 c, in vec2 p) { c = first; }\n"),
        ("Image.glsl", "void mainImage(out vec4 c, in vec2 p) {\n  c = second;\n}\n"),
    ]);
    let message = of_path(made.path()).expect_err("two errors");
    assert!(message.contains("Buffer A.glsl:1:45"), "{message}");
    assert!(message.contains("= also ") && message.contains("Image.glsl:2:7: "), "{message}");
    std::fs::write(made.path().join("Common.glsl"), "float f() { return both; }\n")
        .expect("written");
    let message = of_path(made.path()).expect_err("errors");
    assert_eq!(message.matches("Common.glsl:1:20").count(), 1, "{message}");
}

#[test]
fn includes_are_confined_and_bounded() {
    let made = folder(&[
        (
            "scene/a.glsl",
            "#include \"b.glsl\"\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(B); }\n",
        ),
        ("scene/b.glsl", "#define B 1.0\n"),
        ("secret.glsl", "secret\n"),
        ("scene/out.glsl", "#include \"../secret.glsl\"\n"),
        ("scene/self.glsl", "#include \"self.glsl\"\n"),
        ("scene/circle.glsl", "#include \"circle2.glsl\"\n"),
        ("scene/circle2.glsl", "#include \"circle.glsl\"\n"),
        ("scene/etc.glsl", "#include \"/etc/passwd\"\n"),
        ("scene/twice.glsl", "#include \"many.glsl\"\n#include \"many.glsl\"\n"),
        ("scene/many.glsl", &"#include \"b.glsl\"\n".repeat(300)),
    ]);
    let scene = made.path().join("scene");
    let program = of_path(&scene.join("a.glsl")).expect("a scene");
    assert_eq!(program.sources.files().len(), 2, "{:?}", program.sources.files());
    for (file, expected) in [
        ("out.glsl", "outside the scene"),
        ("etc.glsl", "outside the scene"),
        ("self.glsl", "includes itself"),
        ("circle.glsl", "includes itself"),
        ("twice.glsl", "more than 256"),
    ] {
        let path = scene.join(file);
        let text = std::fs::read_to_string(&path).expect("a file");
        std::fs::write(&path, text + RED).expect("written");
        let message = of_path(&path).expect_err(file);
        assert!(message.contains(expected), "{message}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(made.path().join("secret.glsl"), scene.join("link.glsl"))
            .expect("a link");
        std::fs::write(scene.join("l.glsl"), format!("#include \"link.glsl\"\n{RED}"))
            .expect("written");
        let message = of_path(&scene.join("l.glsl")).expect_err("a link to the outside");
        assert!(message.contains("outside the scene"), "{message}");
    }
}

#[test]
fn unknown_scenes_have_clear_errors() {
    let library = crate::library();
    let message = Scene::find("nowhere", &library).expect_err("no scene").to_string();
    assert!(message.contains(".glsl") && message.contains("Image.glsl"), "{message}");
    let message = Scene::find("nowhere.frag", &library).expect_err("no file").to_string();
    assert!(message.starts_with("cannot read nowhere.frag: "), "{message}");
}
