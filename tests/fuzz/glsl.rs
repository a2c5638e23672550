//! GLSL scenes. The seeds are those of the tests, which cover all features of Shadertoy.

use std::path::Path;

use tarsus_shader::{Scene, compose};
use tarsus_transpile::to_wgsl_scene;

use crate::harness::{fuzz, told_well};
use crate::text::{edited, text_of};

const WORDS: &[&str] = &[
    "#define ",
    "#define X(a, b) a##b\n",
    "#undef ",
    "#if ",
    "#ifdef GL_ES\n",
    "#else\n",
    "#elif 1\n",
    "#endif\n",
    "#line 4294967295\n",
    "#version 300 es\n",
    "#extension all : enable\n",
    "#include <a>\n",
    "#pragma ",
    "#error ",
    "#iChannel0 \"a.png\"\n",
    "#iUniform float a = 1.0 in {0, 2}\n",
    "\\\n",
    "precision highp float;",
    "uniform ",
    "uniform sampler2D iChannel0;",
    "in ",
    "out ",
    "inout ",
    "const ",
    "varying ",
    "layout(location = 0) ",
    "struct S {",
    "void mainImage(out vec4 c, in vec2 p) {",
    "void mainSound(",
    "void mainCubemap(",
    "void main() {",
    "void ",
    "float ",
    "int ",
    "uint ",
    "bool ",
    "vec4(",
    "ivec3 ",
    "mat3x2(",
    "double ",
    "sampler2D ",
    "samplerCube ",
    "float[]",
    "[4294967295]",
    "[-1]",
    "[0]",
    ".xyzw",
    ".stpq",
    ".length()",
    "iResolution",
    "iTime",
    "iMouse",
    "iChannel0",
    "iChannelResolution[9]",
    "iKeyboard",
    "gl_FragCoord",
    "gl_FragColor",
    "texture(",
    "texelFetch(",
    "textureGrad(",
    "dFdx(",
    "for (;;) {",
    "while (true) {",
    "do {",
    "switch (1) {",
    "case 1:",
    "default:",
    "break;",
    "continue;",
    "return",
    "discard;",
    "if (",
    "else ",
    "?",
    ":",
    ",",
    ";",
    "++",
    "--",
    "<<=",
    "^^",
    "1 / 0",
    "1 % 0",
    "1 << 99",
    "1.0e999",
    "0xffffffffu",
    "/*",
    "*/",
    "//",
    "main",
    "mainImage",
    "filter",
    "sample",
    "gl_",
    "__",
];

/// Sources of the scenes in a folder, sorted by file name.
pub fn seeds(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).expect("a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("entry").path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "glsl"));
    let read = |file| std::fs::read_to_string(file).expect("a text");
    files.iter().map(read).collect()
}

#[test]
fn glsl_scenes_never_panic() {
    let seeds = [seeds("crates/glsl/tests/shaders"), seeds("benches/glsl")].concat();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let library = tarsus::library();
    fuzz(
        "glsl",
        500,
        edited(8),
        |edited| text_of(edited, &seeds, WORDS).into_bytes(),
        |edited| {
            let text = text_of(edited, &seeds, WORDS);
            match compose(&Scene::from_text(&text, "fuzz.glsl"), &library, &[]) {
                Ok(program) => match to_wgsl_scene(&program, None) {
                    Ok(_) => Ok(()),
                    Err(error) => told_well(&format!("fuzz.glsl: {error}"), "fuzz.glsl"),
                },
                Err(error) => told_well(&error.to_string(), "fuzz.glsl"),
            }
        },
    );
}
