//! GLSL converted to WGSL draws the same pictures.

use std::path::PathBuf;

use tarsus_render::{Frame, Inputs, SAMPLE_FORMAT};
use tarsus_shader::{Program, Scene};
use tarsus_transpile::to_wgsl_scene;

use crate::common::drawing::{advance, draw_upwards};
use crate::common::{compose_file, glsl_files, gpu, library, renderer};

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
        Inputs::new(frame, program.parameters.default_bytes())
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
