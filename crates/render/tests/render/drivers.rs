//! Shaders that a driver draws wrongly without a workaround.

use std::fmt::Write as _;

use tarsus_render::Frame;

use crate::common::floats::Floats;

/// Number of branches, more than llvmpipe nests.
const COUNT: usize = 95;

/// Values that `fn value(i: u32) -> f32` of `text` returns for 0 to `COUNT`.
fn values(text: &str) -> Vec<f32> {
    let text = format!(
        "#import tarsus::frame
         {text}
         fn main_image(p: vec2f) -> vec4f {{ return vec4f(value(u32(p.x))); }}"
    );
    let frame = Frame::new((COUNT as u32 + 1, 1), 0, 60.0);
    Floats::new(&text, &[], (COUNT as u32 + 1, 1))
        .read(&frame)
        .iter()
        .map(|value| value[0])
        .collect()
}

/// Text with `line` for each branch, where `#` is its number.
fn branches(line: &str) -> String {
    (0..COUNT).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "{}", line.replace('#', &i.to_string()));
        text
    })
}

#[test]
fn deep_branches_are_not_ignored() {
    // The time keeps the branches from becoming tables.
    let some = "f32(#) * 2.0 + frame::frame.time";
    let switch = branches(&format!("case #u: {{ return {some}; }}"));
    let returns = branches(&format!("if i == #u {{ return {some}; }}"));
    let chain = branches(&format!("if i == #u {{ result = {some}; }} else"));
    let returning = branches(&format!("if i == #u {{ return {some}; }} else"));
    let looped = branches(&format!(
        "for (var k = 0u; k < 3u; k++) {{ if i == #u && k == 2u {{ return {some}; }} }}"
    ));
    let nested = branches(&format!(
        "switch k {{ case 0u: {{ if i == #u {{ return {some}; }} }} default: {{ sum += 1.0; }} }}"
    ));
    // Eight returns in each of twelve functions, which call each other.
    let calls: String = (0..COUNT.div_ceil(8))
        .map(|number| {
            let own = returns.lines().skip(8 * number).take(8);
            let next =
                number.checked_sub(1).map_or("-1.0".to_owned(), |next| format!("call_{next}(i)"));
            format!(
                "fn call_{number}(i: u32) -> f32 {{ {} return {next}; }}\n",
                own.collect::<String>()
            )
        })
        .collect();
    for (name, text) in [
        (
            "switch",
            format!(
                "fn value(i: u32) -> f32 {{ switch i {{ {switch} default: {{ return -1.0; }} }} }}"
            ),
        ),
        ("returns", format!("fn value(i: u32) -> f32 {{ {returns} return -1.0; }}")),
        (
            "chain",
            format!(
                "fn value(i: u32) -> f32 {{ var result = 0.0; {chain} {{ result = -1.0; }} return result; }}"
            ),
        ),
        (
            "returning chain",
            format!("fn value(i: u32) -> f32 {{ {returning} {{ return -1.0; }} }}"),
        ),
        ("loops", format!("fn value(i: u32) -> f32 {{ {looped} return -1.0; }}")),
        (
            "switches in a loop",
            format!(
                "fn value(i: u32) -> f32 {{ var sum = 0.0; for (var k = 0u; k < 1u; k++) {{ {nested} }} return -1.0 + sum; }}"
            ),
        ),
        ("calls", format!("{calls} fn value(i: u32) -> f32 {{ return call_11(i); }}")),
    ] {
        let expected: Vec<f32> = (0..COUNT).map(|i| 2.0 * i as f32).chain([-1.0]).collect();
        assert_eq!(values(&text), expected, "{name}");
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
