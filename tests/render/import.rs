//! GLSL that became WGSL draws what the GLSL draws.

use std::path::{Path, PathBuf};

use tarsus::render::{Depth, Frame, Inputs, RenderTarget, format};
use tarsus::shader::{self, Program, Scene, to_wgsl_scene};

use crate::common::{gpu, library, renderer};

const SIZE: (u32, u32) = (16, 9);

fn compose(path: &Path) -> Result<Program, String> {
    let scene = Scene::read(path).map_err(|error| error.to_string())?;
    shader::compose(&scene, &library(), &[]).map_err(|error| error.to_string())
}

/// A scene in WGSL, and its text.
fn imported(glsl: &Program) -> Result<(Program, String), String> {
    let text = to_wgsl_scene(glsl, None).map_err(|error| error.to_string())?;
    let scene = Scene::from_text(&text, "imported.wgsl");
    let program = shader::compose(&scene, &library(), &[]);
    let program = program.map_err(|error| format!("{error}\n{text}"))?;
    Ok((program, text))
}

/// The pixels of a program after some frames, in 32-bit floats.
fn draw(program: &Program, frames: u32) -> Vec<f32> {
    let gpu = gpu();
    let mut renderer = renderer(gpu, program, format(Depth::Float));
    let mut target = RenderTarget::new(&gpu.device, SIZE, Depth::Float).expect("a target");
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let frame = |number: u32| Frame {
        mouse: [9.0, 5.0, 3.0, -4.0],
        date: [2024.0, 1.0, 2.0, 3.5],
        ..Frame::at_time(SIZE, number, 0.5 + f64::from(number) / 60.0, 60.0)
    };
    let bytes = program.parameters.default_bytes();
    for number in 0..frames {
        renderer.advance(&mut encoder, &Inputs::new(frame(number), bytes.clone()));
    }
    let inputs = Inputs::new(frame(frames - 1), bytes);
    renderer.draw(&mut encoder, target.view(), &inputs, 0..u32::MAX);
    target.read_back(&mut encoder, ()).expect("a buffer");
    let submission = gpu.queue.submit([encoder.finish()]);
    let finished = target.finish(Some(submission)).expect("a device");
    assert_eq!(gpu.take_error(), None);
    let picture = finished.expect("a picture").1;
    let values = picture.rgba.chunks_exact(4);
    values.map(bytemuck::pod_read_unaligned).collect()
}

/// What is different in the pictures of the GLSL at `path` and of its WGSL.
fn difference(path: &Path, frames: u32) -> Option<String> {
    let glsl = match compose(path) {
        Ok(program) => program,
        Err(error) => return Some(error),
    };
    let (wgsl, text) = match imported(&glsl) {
        Ok(found) => found,
        Err(error) => return Some(error),
    };
    let (expected, drawn) = (draw(&glsl, frames), draw(&wgsl, frames));
    // The same operations; compilers may contract a product and a sum.
    let is_near = |(a, b): (&f32, &f32)| a == b || (a - b).abs() <= 2e-5 * b.abs().max(1.0);
    let wrong = drawn
        .iter()
        .zip(&expected)
        .position(|pair| !is_near(pair))?;
    Some(format!(
        "number {wrong} is {}, not {}\n{text}",
        drawn[wrong], expected[wrong]
    ))
}

fn glsl_files() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/shader/glsl");
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

#[test]
fn every_construct_draws_the_same_as_wgsl() {
    let files = glsl_files();
    assert!(files.len() >= 80, "{}", files.len());
    let wrong = files.iter().filter_map(|path| {
        let told = difference(path, 1)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Some(format!("{name}: {told}"))
    });
    let wrong: Vec<String> = wrong.collect();
    let count = wrong.len();
    assert!(
        wrong.is_empty(),
        "{count} of {} differ:\n{}",
        files.len(),
        wrong.join("\n")
    );
}
