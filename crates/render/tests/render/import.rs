//! GLSL converted to WGSL draws the same pictures.

use std::path::PathBuf;

use tarsus_render::{Frame, Inputs, SAMPLE_FORMAT};
use tarsus_shader::{Program, Scene};
use tarsus_transpile::to_wgsl_scene;

use crate::common::drawing::{advance, draw_upwards};
use crate::common::random::Random;
use crate::common::{compose, compose_file, glsl_files, gpu, library, renderer};

const SIZE: (u32, u32) = (16, 9);

/// Converts a GLSL program to WGSL; returns the program and its source.
fn imported(glsl: &Program) -> Result<(Program, String), String> {
    let text = to_wgsl_scene(glsl, None).map_err(|error| error.to_string())?;
    let scene = Scene::from_text(&text, "imported.wgsl");
    let program = tarsus_shader::compose(&scene, &library(), &[]);
    let program = program.map_err(|error| format!("{error}\n{text}"))?;
    Ok((program, text))
}

/// Components of all pixels after `frames` frames, as 32-bit floats.
fn draw(program: &Program, frames: u32) -> Vec<f32> {
    let mut renderer = renderer(gpu(), program, SAMPLE_FORMAT);
    let inputs = |number: u32| {
        let frame = Frame::new(SIZE, number, 60.0);
        let mut frame = frame.at_time(0.5 + f64::from(number) / 60.0);
        frame.mouse = [9.0, 5.0, 3.0, -4.0];
        frame.date = [2024.0, 1.0, 2.0, 3.5];
        Inputs::new(frame)
    };
    for number in 0..frames {
        advance(&mut renderer, &inputs(number));
    }
    draw_upwards(&mut renderer, &inputs(frames - 1)).concat()
}

/// Describes the first difference between the pictures of `glsl` and of its WGSL.
fn difference(glsl: &Program, frames: u32) -> Option<String> {
    let (wgsl, text) = match imported(glsl) {
        Ok(found) => found,
        Err(error) => return Some(error),
    };
    let (expected, drawn) = (draw(glsl, frames), draw(&wgsl, frames));
    // The operations are the same, but compilers may contract a product and a sum.
    let is_near = |(a, b): (&f32, &f32)| a == b || (a - b).abs() <= 2e-5 * b.abs().max(1.0);
    let wrong = drawn.iter().zip(&expected).position(|pair| !is_near(pair))?;
    Some(format!("number {wrong} is {}, not {}\n{text}", drawn[wrong], expected[wrong]))
}

#[test]
fn converted_constructs_draw_same_picture() {
    // Files that do not compile are reported by the tests in `glsl`.
    let files = glsl_files();
    let programs = files.iter().filter_map(|path| Some((path, compose_file(path).ok()?)));
    let programs: Vec<(&PathBuf, Program)> = programs.collect();
    assert!(programs.len() >= 80, "{}", programs.len());
    let wrong = programs.iter().filter_map(|(path, program)| {
        let message = difference(program, 1)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Some(format!("{name}: {message}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} of {} differ:\n{}",
        wrong.len(),
        programs.len(),
        wrong.join("\n")
    );
}

#[test]
fn converted_passes_share_common_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write(
        "Common.glsl",
        "#define DECAY 0.75\nstruct Spot { vec2 at; float size; };\n\
         float disc(Spot spot, vec2 p) { return step(length(p - spot.at), spot.size); }\n\
         float slope(vec2 p) { return dFdy(p.y); }\n",
    );
    write(
        "Buffer A.glsl",
        "float glow = 0.5;\nvec4 old(vec2 p) { return texture(iChannel0, p / iResolution.xy); }\n\
         void mainImage(out vec4 c, in vec2 p) {\n    Spot spot = Spot(vec2(iFrame, 4.0), 2.0);\n    \
         glow *= disc(spot, p);\n    c = old(p - vec2(0.5, 0.0)) * DECAY + glow + slope(p) * 0.1;\n}\n",
    );
    write(
        "Image.glsl",
        "vec4 old(vec2 p) { return texelFetch(iChannel0, ivec2(p), 0); }\n\
         void mainImage(out vec4 c, in vec2 p) {\n    \
         c = old(p) + slope(p) * 0.25 + disc(Spot(vec2(3.0), 1.5), p);\n}\n",
    );
    let program = compose_file(folder.path()).expect("a scene");
    if let Some(message) = difference(&program, 5) {
        panic!("{message}");
    }
    let (_, text) = imported(&program).expect("a scene");
    assert_eq!(text.matches("fn disc(").count(), 1, "{text}");
    for wanted in [
        "fn slope(",
        "fn slope_a(",
        "fn old(p: vec2f)",
        "fn old_a(p: vec2f)",
        "buffers::a(vec2i(p))",
        "/// buffer a\n",
        "fn buffer_a(p: vec2f) -> vec4f",
    ] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }
}

#[test]
fn converted_buffer_keeps_levels() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write(
        "Buffer A.glsl",
        "void mainImage(out vec4 c, in vec2 p) { c = vec4(fract(0.13 * p), 0.5, 1.0); }\n",
    );
    write(
        "Image.glsl",
        "#iChannel0 \"file://Buffer A.glsl\"\n#iChannel0::MinFilter \"LinearMipMapLinear\"\n\
         void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(p) / 4, 2); }\n",
    );
    let program = compose_file(folder.path()).expect("a scene");
    if let Some(message) = difference(&program, 2) {
        panic!("{message}");
    }
}

#[test]
fn converted_cube_map_draws_same_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write(
        "Cube A.glsl",
        "void mainCubemap(out vec4 color, in vec2 p, in vec3 origin, in vec3 ray) {\n    \
         color = vec4(0.5 + 0.5 * ray + origin, p.x / 1024.0);\n}\n",
    );
    write(
        "Image.glsl",
        "#iChannel0 \"file://Cube A.glsl\"\n\
         void mainImage(out vec4 c, in vec2 p) {\n    \
         c = texture(iChannel0, vec3(p / iResolution.xy - 0.5, 0.25));\n}\n",
    );
    let program = compose_file(folder.path()).expect("a scene");
    if let Some(message) = difference(&program, 2) {
        panic!("{message}");
    }
}

/// A shader with constants of random values, whose arithmetic uses them and their negatives.
fn shader_with_constants(random: &mut Random) -> (String, [f32; 3], i32) {
    let values = [0.0; 3].map(|_: f32| random.between(-9.0, 9.0) as f32);
    let count = random.between(5.0, 45.0) as i32;
    let [a, b, c] = values;
    let text = format!(
        "#define FIRST ({a:?})\nconst float second = {b:?}, third = {c:?};\n#define COUNT {count}\n\
         float curve(float x, float k) {{ return k * x * x - FIRST; }}\n\
         void mainImage(out vec4 color, in vec2 p) {{\n    \
         vec3 sum = vec3(second) + vec3(0.0, -FIRST, second);\n    \
         for (int i = 0; i < COUNT; i++) {{\n        \
         sum += vec3(curve(p.x, -third), sin(p.y * FIRST), float(COUNT - i)) * second;\n    \
         }}\n    \
         sum = sum / float(COUNT) - float(-COUNT);\n    \
         color = vec4(sum, 1.0) - clamp(p.xyxy, min(-third, third), max(third, -third));\n}}\n"
    );
    (text, values, count)
}

/// `text` without spaces and without its constants, which are replaced by their values.
fn with_values(text: &str) -> String {
    let mut values = Vec::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        let constant = line.strip_prefix("const ").and_then(|rest| rest.split_once(": "));
        match constant.and_then(|(name, rest)| Some((name, rest.split_once(" = ")?.1))) {
            Some((name, value)) => values.push((name, value.trim_end_matches(';'))),
            None => lines.push(line),
        }
    }
    let mut text = lines.join("\n");
    for (name, value) in values {
        text = text.replace(&format!("f32({name})"), &format!("{value}.0"));
        text = text.replace(name, value).replace("--", "");
    }
    without_spaces(&text)
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn named_constants_keep_their_bits() {
    let mut random = Random(7);
    for _ in 0..25 {
        let (glsl, values, count) = shader_with_constants(&mut random);
        let named = compose(&glsl, "named.glsl", &[]);
        let (_, text) = imported(&named).expect("a scene");
        for (name, value) in ["FIRST", "second", "third"].into_iter().zip(values) {
            assert!(text.contains(&format!("const {name}: f32 = {value:?};\n")), "{text}");
        }
        assert!(text.contains(&format!("const COUNT: i32 = {count};\n")), "{text}");
        // The same numbers in code that is not compiled make the names uncertain.
        let [a, b, c] = values;
        let twice = format!("{glsl}#if 0\n{a:?} {b:?} {c:?} {count}\n#endif\n");
        let (_, unnamed) = imported(&compose(&twice, "unnamed.glsl", &[])).expect("a scene");
        assert!(!unnamed.contains("const "), "{unnamed}");
        assert_eq!(with_values(&text), without_spaces(&unnamed));
        if let Some(message) = difference(&named, 1) {
            panic!("{message}");
        }
    }
}

#[test]
fn local_constants_keep_their_names() {
    let glsl = "float weight(int i) {\n    float k[3] = float[](0.25, 0.5, 0.125);\n    return k[i];\n}\n\
                void shift(inout float x) { if (x > 9.0) return; x += 0.3; }\n\
                void mainImage(out vec4 c, in vec2 p) {\n    \
                vec3 eye = vec3(0.0, 1.5, 0.25);\n    \
                mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);\n    \
                float sum = 0.0;\n    \
                for (int i = 0; i < 3; i++) { sum += dot(eye, vec3(turn * p, weight(i))); }\n    \
                shift(sum);\n    \
                c = vec4(p.x > 3.0 ? eye : eye.zyx, sum);\n}\n";
    let program = compose(glsl, "constants.glsl", &[]);
    let (_, text) = imported(&program).expect("a scene");
    for wanted in [
        "    let eye = vec3f(0.0, 1.5, 0.25);\n",
        "var<private> turn: mat2x2f",
        "var<private> k: array<f32, 3>",
        "select(eye.zyx, eye, p.x > 3.0)",
    ] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }
    assert_eq!(text.matches("return;").count(), 1, "{text}");
    if let Some(message) = difference(&program, 1) {
        panic!("{message}");
    }
}
