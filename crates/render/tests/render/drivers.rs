//! Shaders that a driver draws wrongly without a workaround.

use tarsus_render::{Frame, adapter_warnings};

use crate::common::floats::Floats;
use crate::common::{compose, gpu};

/// Text with `line` for each of `count` branches, where `#` is its number.
fn branches(count: usize, line: &str) -> String {
    (0..count).map(|i| line.replace('#', &i.to_string())).collect()
}

#[test]
fn branches_without_warning_are_not_too_deep() {
    // The time keeps the branches from becoming tables.
    let some = "f32(#) * 2.0 + frame::frame.time";
    let returns = format!("if i == #u {{ return {some}; }}");
    // As many of each as give no warning.
    for (name, count, before, line, after) in [
        (
            "switch",
            74,
            "switch i {",
            format!("case #u: {{ return {some}; }}"),
            "default: { return -1.0; } }",
        ),
        ("returns", 75, "", returns, "return -1.0;"),
        (
            "chain",
            75,
            "var result = 0.0;",
            format!("if i == #u {{ result = {some}; }} else "),
            "{ result = -1.0; } return result;",
        ),
    ] {
        let scene = format!(
            "#import tarsus::frame
             fn value(i: u32) -> f32 {{ {before} {} {after} }}
             fn main_image(p: vec2f) -> vec4f {{ return vec4f(value(u32(p.x))); }}",
            branches(count, &line)
        );
        let program = compose(&scene, "scene.wgsl", &[]);
        assert_eq!(adapter_warnings(&gpu().device, &program), [""; 0], "{name}");
        let size = (count as u32 + 1, 1);
        let drawn = Floats::new(&scene, &[], size).read(&Frame::new(size, 0, 60.0));
        let expected = (0..count).map(|i| 2.0 * i as f32).chain([-1.0]);
        assert!(drawn.iter().map(|value| value[0]).eq(expected), "{name}: {drawn:?}");
    }
}

#[test]
fn constants_are_packed_with_their_signs() {
    let text = "fn main_image(p: vec2f) -> vec4f {
        return unpack4x8snorm(pack4x8snorm(vec4f(-127.0, 64.0, -32.0, 1.0) / 127.0)) * 127.0;
    }";
    let frame = Frame::new((1, 1), 0, 60.0);
    let packed = Floats::new(text, &[], (1, 1)).read(&frame)[0].map(f32::round);
    assert_eq!(packed, [-127.0, 64.0, -32.0, 1.0]);
}
