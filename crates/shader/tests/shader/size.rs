//! Sizes that scenes declare for their picture and their buffers.

use tarsus_shader::{Buffer, PassKind, Program, Scene, compose};

const MAIN: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }";
const BUFFER: &str = "fn buffer_b(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }";

fn composed(text: &str) -> Result<Program, String> {
    compose(&Scene::from_text(text, "s.wgsl"), &crate::library(), &[])
        .map_err(|error| format!("{error}"))
}

#[test]
fn constants_and_comments_declare_sizes() {
    let period = "const LOOP_SECONDS = 2.0;\nconst SIZE = vec2u(8, 6);";
    for (before, size) in [
        ("const SIZE = vec2u(640, 360);", Some((640, 360))),
        ("const SIZE: vec2u = vec2u(64u);", Some((64, 64))),
        ("const SIZE = vec2(640, 360);", Some((640, 360))),
        ("const SIZE: vec2<u32> = vec2<u32>(640u, 360u);", Some((640, 360))),
        ("const W = 16u;\nconst SIZE = vec2u(2 * W, W);", Some((32, 16))),
        (period, Some((8, 6))),
        ("/// size 640x360", Some((640, 360))),
        ("/// The scene.\n///   size   640x360\n/// More.", Some((640, 360))),
        ("/// size 7x7\nconst W = 16u;", None),
        // Constants and comments that are about something else.
        ("const SIZE = 0.25;", None),
        ("fn f() -> f32 { const SIZE = vec2f(3.0, 2.0); return SIZE.x; }", None),
        ("const SIZE = vec3f(1.0, 2.0, 3.0);", None),
        ("// const SIZE = vec2u(640, 360);", None),
        ("/// size of the picture", None),
        ("/// The size 640x360.", None),
        ("// size 640x360", None),
        ("", None),
    ] {
        let program = composed(&format!("{before}\n{MAIN}")).expect(before);
        assert_eq!(program.size, size, "{before}");
    }
    let program = composed(&format!("/// size 25x1\n{BUFFER}\n/// size 9x9\n{MAIN}"));
    let program = program.expect("a program");
    assert_eq!(program.size, Some((9, 9)));
    let passes = program.passes.iter().map(|pass| (pass.kind, pass.size_for((9, 9)), pass.size));
    let expected =
        [(PassKind::Buffer(Buffer::B), (25, 1), Some((25, 1))), (PassKind::Image, (9, 9), None)];
    assert_eq!(passes.collect::<Vec<_>>(), expected);
}

#[test]
fn invalid_sizes_name_line_and_fix() {
    let cube = "fn buffer_cube(p: vec2f, r: vec3f) -> vec4f { return vec4f(1.0); }";
    let constant = |value: &str| format!("// Size.\nconst SIZE = {value};\n{MAIN}");
    let comment = |value: &str, rest: &str| format!("// Size.\n/// size {value}\n{rest}");
    let buffer = format!("{BUFFER}\n{MAIN}");
    let type_message = "must be the size of the picture in pixels, such as `const SIZE = vec2u(";
    for (text, place, message) in [
        (constant("vec2u(0, 5)"), (2, 7), "`SIZE` is 0x5: expected sides of 1 to 65536 pixels"),
        (constant("vec2u(5, 70000)"), (2, 7), "expected sides of 1 to 65536 pixels"),
        (constant("vec2u()"), (2, 7), "`SIZE` is 0x0"),
        (constant("vec2f(5.0, 5.0)"), (2, 7), type_message),
        (constant("vec2(5.0, 5.0)"), (2, 7), type_message),
        (constant("vec2i(5, 5)"), (2, 7), type_message),
        (constant("vec2<f32>(5.0)"), (2, 7), type_message),
        (comment("5x0", MAIN), (2, 5), "the size is 5x0: expected sides of 1 to 65536 pixels"),
        (comment("512", MAIN), (2, 5), "invalid size `512`: expected width and height"),
        (comment("-5x5", MAIN), (2, 5), "invalid size `-5x5`"),
        (comment("5x5 pixels", MAIN), (2, 5), "invalid size `5x5 pixels`"),
        (comment("9x9\n/// size 8x8", MAIN), (2, 5), "the comment of `main_image` has two sizes"),
        (comment("9x8193", &buffer), (2, 5), "expected sides of 1 to 8192 texels"),
        (comment("9x9", &format!("{cube}\n{MAIN}")), (2, 5), "`buffer_cube` cannot have a size"),
        (format!("/// size 9x9\n{MAIN}\nconst SIZE = vec2u(9, 9);"), (3, 7), "has two sizes"),
        (format!("const LOOP_SECONDS = 2.0;\n{}", constant("vec2(5.0)")), (3, 7), type_message),
    ] {
        let scene = Scene::from_text(&text, "s.wgsl");
        let result = compose(&scene, &crate::library(), &[]);
        let error = result.err().unwrap_or_else(|| panic!("accepted: {text}")).diagnostic;
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.line_column(), Some(place), "{text}: {error}");
    }
}
