//! Shadertoy's JSON format.

use tarsus_shader::{Scene, compose};

use crate::harness::{fuzz, told_well};
use crate::text::{edited, json_words, text_of};

const SEEDS: &[&str] = &[
    r#"[{"ver": "0.1", "info": {"id": "a", "name": "x"}, "renderpass": [
{"name": "Image", "type": "image", "code": "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p) + texture(iChannel1, p.xyy); }",
 "inputs": [{"channel": 0, "type": "buffer", "id": "4dXGR8", "sampler": {"filter": "linear", "wrap": "clamp", "vflip": "true", "srgb": "false", "internal": "byte"}},
 {"channel": 1, "type": "cubemap", "id": "4dX3Rr", "filepath": "/media/a/94284d43be78f00eb6b298e6d78656a1b34e2b91b34940d02f1ca8b22310e8a0.png"}],
 "outputs": [{"id": "4dfGRr", "channel": 0}]},
{"name": "Buf A", "type": "buffer", "code": "void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(p), 0) + f(p.x); }",
 "inputs": [{"channel": 0, "ctype": "keyboard", "id": 33}], "outputs": [{"id": "4dXGR8", "channel": 0}]},
{"name": "Common", "type": "common", "code": "float f(float x) { return x; }", "inputs": [], "outputs": []},
{"name": "Sound", "type": "sound", "code": "vec2 mainSound(int s, float t) { return vec2(sin(t)); }", "inputs": [], "outputs": []},
{"name": "Cube A", "type": "cubemap", "code": "void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) { c = vec4(d, 1.0); }", "inputs": [], "outputs": []}
]}]"#,
    r#"{"Shader": {"info": {"name": "y"}, "renderpass": [{"inputs": [{"id": 17, "src": "/media/a/x.jpg", "ctype": "texture", "channel": "0", "sampler": {"filter": "mipmap", "wrap": "repeat"}},
{"type": "volume", "channel": 1}, {"type": "musicstream", "channel": 2}, {"type": "webcam", "channel": 3}], "code": "void mainImage(out vec4 c, vec2 p) {\n c = vec4(iTime);\n}\n", "name": "", "type": "image"}]}}"#,
];

const WORDS: &[&str] = &[
    "-1",
    "1e999",
    "4294967296",
    "\"\"",
    "\"renderpass\": ",
    "\"code\": ",
    "\"inputs\": ",
    "\"outputs\": ",
    "\"image\"",
    "\"buffer\"",
    "\"common\"",
    "\"sound\"",
    "\"cubemap\"",
    "\"keyboard\"",
    "\"texture\"",
    "\"video\"",
    "\"volume\"",
    "\"mic\"",
    "\"channel\": 4",
    "\"channel\": -1",
    "\"id\": ",
    "\"type\": ",
    "\"name\": \"Buffer E\"",
    "\\u0000",
    "\\ud800",
    "\\n",
    "\\u001b[2J",
    "iChannel3",
    "texture(",
    "void mainImage(out vec4 c, vec2 p) {}",
];

#[test]
fn shadertoy_json_never_panics() {
    let library = tarsus::library();
    fuzz(
        "shadertoy",
        600,
        edited(5),
        |edited| text_of(edited, SEEDS, &json_words(WORDS)).into_bytes(),
        |edited| {
            let text = text_of(edited, SEEDS, &json_words(WORDS));
            match compose(&Scene::from_text(&text, "fuzz.json"), &library, &[]) {
                Ok(program) => {
                    let mut warnings = program.warnings.iter();
                    warnings.try_for_each(|warning| told_well(&warning.to_string(), "fuzz.json"))
                }
                Err(error) => told_well(&error.to_string(), "fuzz.json"),
            }
        },
    );
}
