//! Sizes that scenes declare for their picture and their buffers.

use tarsus_shader::{Buffer, PassKind, Program, Scene, compose};

const MAIN: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }";
const BUFFER: &str = "fn buffer_b(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }";

fn composed(text: &str) -> Result<Program, String> {
    compose(&Scene::from_text(text, "s.wgsl"), &crate::library(), &[])
        .map_err(|error| format!("{error}"))
}

#[test]
fn comments_declare_sizes() {
    for (before, size) in [
        ("/// size 640x360", Some((640, 360))),
        ("/// The scene.\n///   size   640x360\n/// More.", Some((640, 360))),
        ("/// size 7x7\nconst W = 16u;", None),
        // Comments that are about something else, and constants.
        ("const SIZE = vec2u(640, 360);", None),
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
    let comment = |value: &str, rest: &str| format!("// Size.\n/// size {value}\n{rest}");
    let buffer = format!("{BUFFER}\n{MAIN}");
    for (text, place, message) in [
        (comment("5x0", MAIN), (2, 5), "invalid size `5x0`: expected width and height of 1"),
        (comment("5x70000", MAIN), (2, 5), "of 1 to 65536 pixels, such as 512x512"),
        (comment("512", MAIN), (2, 5), "invalid size `512`: expected width and height"),
        (comment("-5x5", MAIN), (2, 5), "invalid size `-5x5`"),
        (comment("5x5 pixels", MAIN), (2, 5), "invalid size `5x5 pixels`"),
        (comment("9x8193", &buffer), (2, 5), "of 1 to 8192 texels, such as 512x512"),
        (comment("9x9", &format!("{cube}\n{MAIN}")), (2, 5), "`buffer_cube` cannot have a size"),
    ] {
        let scene = Scene::from_text(&text, "s.wgsl");
        let result = compose(&scene, &crate::library(), &[]);
        let error = result.err().unwrap_or_else(|| panic!("accepted: {text}")).diagnostic;
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.line_column(), Some(place), "{text}: {error}");
    }
}
