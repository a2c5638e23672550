//! A compiler that runs in a process of its own.
#![cfg(all(unix, feature = "glslang"))]

use tarsus_shader::{Library, Scene};

#[test]
fn crashed_compiler_is_one_error() {
    tarsus_glsl::use_compiler_process("/bin/false".into(), "");
    let library = Library::default().with_front_end(tarsus_glsl::GLSL);
    let text = "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }\n";
    for _ in 0..2 {
        let composed = tarsus_shader::compose(&Scene::from_text(text, "s.glsl"), &library, &[]);
        let message = composed.expect_err("no compiler").to_string();
        let expected = "error: cannot compile the shader: the GLSL compiler crashed";
        assert!(message.starts_with(expected), "{message}");
        assert!(message.contains("s.glsl"), "{message}");
    }
}
