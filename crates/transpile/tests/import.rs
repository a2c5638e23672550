//! Source of imported scenes.

use tarsus_shader::{Library, Scene, compose};
use tarsus_transpile::to_wgsl_scene;

#[test]
fn uniforms_become_parameters() {
    let library = Library::default().with_front_end(tarsus_glsl::GLSL);
    let scene = "#iUniform float speed = 2.0 in { 0.0, 5.0 }\n\
                 #iUniform color3 tint = color3(1.0, 0.5, 0.0)\n\
                 #iUniform vec2 place = vec2(0.25, -1) in { -1.5, 1.5 }\n\
                 #iUniform int unused = 3\n\
                 void mainImage(out vec4 c, in vec2 p) {\n    \
                 c = vec4(tint * speed, place.x + place.y);\n}\n";
    let program = compose(&Scene::from_text(scene, "test.glsl"), &library, &[]);
    let text = to_wgsl_scene(&program.expect("a program"), None).expect("a scene");
    let expected = "struct Params {\n    \
                    /// speed [0, 5] = 2\n    speed: f32,\n    \
                    /// tint = #ff8000\n    tint: vec3f,\n    \
                    /// place [-1.5, 1.5] = 0.25, -1\n    place: vec2f,\n    \
                    /// unused [0, 6] = 3\n    unused: i32,\n}\n\
                    @group(1) @binding(0) var<uniform> params: Params;\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn arguments_of_omitted_calls_keep_effects() {
    let library = Library::default().with_front_end(tarsus_glsl::GLSL);
    let scene = "float n = 0.0;\n\
                 float next() { n += 1.0; return n; }\n\
                 void ignore(float x) { x *= 2.0; }\n\
                 void mainImage(out vec4 c, in vec2 p) { ignore(next()); c = vec4(n); }\n";
    let program = compose(&Scene::from_text(scene, "test.glsl"), &library, &[]);
    let text = to_wgsl_scene(&program.expect("a program"), None).expect("a scene");
    assert!(text.contains("next();\n") && !text.contains("ignore"), "{text}");
}
