//! Uniform expressions that are hoisted out of loops for software renderers keep their
//! values.

use crate::common::floats::Floats;
use tarsus_render::Frame;

/// A scene whose loops use values that depend only on `time`, an expression.
fn scene(time: &str) -> Floats {
    let text = format!(
        "#import tarsus::frame
         struct Wave {{ turn: mat2x2f, shift: vec2f, bits: vec2u }}
         fn turn(angle: f32) -> mat2x2f {{
             let s = sin(angle);
             var c = cos(angle);
             c = c * 1.01;
             return mat2x2f(c, s, -s, c);
         }}
         fn wave(time: f32, number: f32) -> Wave {{
             let at = time * 0.37 + number;
             return Wave(turn(exp2(0.1 * at)), vec2f(atan2(at, 2.0), sqrt(at)), vec2u(u32(at), 7u));
         }}
         fn bent(p: ptr<function, vec2f>, time: f32) -> f32 {{
             *p = turn(0.7 * time) * *p;
             return length(*p);
         }}
         fn folded(p: vec2f, seconds: f32) -> vec2f {{
             let many = wave(seconds, 3.0);
             var q = abs(p) - many.shift * 0.2;
             if q.x > fract(seconds * 1.7) {{ q = many.turn * q.yx; }}
             return q + 0.01 * bent(&q, seconds) + vec2f(f32(many.bits.x % many.bits.y) * 0.01);
         }}
         fn main_image(frag_coord: vec2f) -> vec4f {{
             var p = frame::centred(frag_coord);
             var sum = vec2f(0.0);
             for (var i = 0; i < 40; i++) {{
                 let seconds = {time};
                 p = folded(p, seconds);
                 switch i % 3 {{
                     case 1: {{ sum += sin(p * log2(seconds + 2.0)); }}
                     case 2: {{ p *= min(1.0, 2.0 / (dot(p, p) + tan(0.1 * seconds))); }}
                     default: {{ continue; }}
                 }}
                 if dot(p, p) > 50.0 + cos(seconds) {{ break; }}
             }}
             return vec4f(p, sum);
         }}"
    );
    Floats::new(&text, &[], (48, 32))
}

/// In the second scene the compiler cannot prove that the time is the same in every
/// pixel.
#[test]
fn hoisted_expressions_are_bit_identical() {
    let first = scene("frame::frame.time");
    let inside = scene("select(frame::frame.time, 0.0, frag_coord.x < -1.0)");
    for time in [0.0, 0.4, 3.1, 17.0] {
        let frame = Frame::new((48, 32), 0, 60.0).at_time(time);
        let [first, inside] = [&first, &inside].map(|scene| scene.read(&frame));
        let bits = |pixels: Vec<[f32; 4]>| pixels.concat().into_iter().map(f32::to_bits);
        assert!(bits(first.clone()).eq(bits(inside)), "{time}");
        assert!(first.iter().any(|pixel| pixel != &first[0]));
    }
}
