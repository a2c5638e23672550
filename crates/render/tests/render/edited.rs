//! Scenes whose constants are edited: they are read from a uniform.

use tarsus_render::{FORMAT, Frame, Gpu, GpuOptions, Inputs, Picture, Renderer, render_picture};
use tarsus_shader::Scene;

use crate::common::{compose, library};

const SIZE: (u32, u32) = (160, 90);

/// A scene without uniforms, with a channel at the number of the constants' binding.
const FLAT: &str = "/// nothing
@group(2) @binding(11) var seen: texture_2d<f32>;
fn main_image(p: vec2f) -> vec4f {
    return vec4f(0.5, p.x / 160.0, textureLoad(seen, vec2i(0), 0).r, 1.0);
}";

/// Scene, code in it, and what an author tries there.
const EDITS: [(&str, &str, [&str; 2]); 5] = [
    // Four uniforms.
    ("herd", "LOOP_SECONDS: f32 = 24.0", ["LOOP_SECONDS: f32 = 23.0", "LOOP_SECONDS: f32 = 22.0"]),
    ("flat.wgsl", "0.5", ["0.75", "0.25"]),
    ("simple_ik", "FEMUR: f32 = 0.62", ["FEMUR: f32 = 0.7", "FEMUR: f32 = 0.8"]),
    ("simple_ik", "vec3f(4.5, 2.3, 0.95)", ["vec3f(4.0)", "vec3f(2.0)"]),
    (
        "line_walker",
        "SUN: vec2f = vec2f(0.66",
        ["SUN: vec2f = vec2f(0.56", "SUN: vec2f = vec2f(0.36"],
    ),
];

fn picture(gpu: &Gpu, mut renderer: Renderer) -> Picture {
    let frame = Frame::new(SIZE, 0, 60.0).at_time(1.5);
    let inputs = Inputs::new(frame);
    render_picture(gpu, &mut renderer, &inputs).expect("a picture")
}

/// Number of components that differ visibly.
fn differences(a: &Picture, b: &Picture) -> usize {
    let pairs = a.rgba.iter().zip(&b.rgba);
    pairs.filter(|(a, b)| a.abs_diff(**b) > 2).count()
}

/// The scene after each edit of a sequence, as an editor shows it, against the scene compiled
/// anew.
#[test]
fn edited_constants_draw_what_compiled_ones_draw() {
    let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).expect("an adapter");
    for (name, old, values) in EDITS {
        let original = match Scene::find(name, &library()) {
            Ok(scene) => scene.text,
            Err(_) => FLAT.to_owned(),
        };
        let texts = values.map(|value| {
            let text = original.replace(old, value);
            assert!(text != original, "{name} has no `{old}`");
            text
        });
        let mut previous: Option<Picture> = None;
        for text in std::iter::once(&original).chain(&texts).chain(&texts[..1]) {
            let program = compose(text, name, &[]);
            let edited = pollster::block_on(Renderer::for_gpu(&gpu, &program, &[FORMAT], true));
            let edited = picture(&gpu, edited.expect("a renderer"));
            let exact = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
            let exact = picture(&gpu, pollster::block_on(exact).expect("a renderer"));
            // A last bit can move an edge.
            let wrong = differences(&edited, &exact);
            assert!(wrong <= 6, "{name}: {wrong}");
            if let Some(previous) = previous.replace(edited) {
                let edits = differences(&previous, &exact);
                assert!(edits > 100, "{name}: the edit changes {edits}");
            }
        }
    }
}
