//! GLSL shaders by theme: each is drawn, and its pixels are those that were worked out by
//! hand. The files begin with `// = R G B` for all pixels, or `// (X, Y) = R G B` for one.

use std::path::PathBuf;

use tarsus::render::{Depth, Frame, Inputs, RenderTarget, format};
use tarsus::shader::{self, Program, Scene};

use crate::common::{gpu, library, renderer};

const SIZE: (u32, u32) = (4, 4);

/// What a file says of its pixels: one of them, or all; and the colour.
type Expectation = (Option<[u32; 2]>, [f32; 3]);

fn expectations(text: &str) -> Vec<Expectation> {
    let heads = text.lines().map_while(|line| line.strip_prefix("// "));
    let read = heads.filter_map(|head| {
        let (place, color) = head.split_once('=')?;
        let numbers = |text: &str| -> Vec<f32> {
            let words = text
                .split([' ', ',', '(', ')'])
                .filter(|word| !word.is_empty());
            words.map(|word| word.parse().expect("a number")).collect()
        };
        let place = match numbers(place)[..] {
            [x, y] => Some([x as u32, y as u32]),
            _ => None,
        };
        Some((place, numbers(color).try_into().expect("three numbers")))
    });
    read.collect()
}

fn compose(path: &std::path::Path) -> Result<Program, String> {
    let scene = Scene::read(path).map_err(|error| error.to_string())?;
    shader::compose(&scene, &library(), &[]).map_err(|error| error.to_string())
}

/// The pixels of a program, rows from the lowest.
fn draw(program: &Program, frame: &Frame) -> Vec<[f32; 4]> {
    let gpu = gpu();
    let (width, height) = (frame.resolution[0] as u32, frame.resolution[1] as u32);
    let mut renderer = renderer(gpu, program, format(Depth::Float));
    let mut target =
        RenderTarget::new(&gpu.device, (width, height), Depth::Float).expect("a target");
    let inputs = Inputs::new(*frame, program.parameters.default_bytes());
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    renderer.advance(&mut encoder, &inputs);
    renderer.draw(&mut encoder, target.view(), &inputs, 0..u32::MAX);
    target.read_back(&mut encoder, ()).expect("a buffer");
    let submission = gpu.queue.submit([encoder.finish()]);
    let finished = target.finish(Some(submission)).expect("a device");
    assert_eq!(gpu.take_error(), None);
    let picture = finished.expect("a picture").1;
    let rows = picture.rgba.chunks_exact(16 * width as usize).rev();
    rows.flat_map(|row| row.chunks_exact(16).map(bytemuck::pod_read_unaligned))
        .collect()
}

fn frame() -> Frame {
    Frame {
        mouse: [1.0, 2.0, 3.0, -4.0],
        date: [2024.0, 1.0, 2.0, 3.5],
        ..Frame::at_time(SIZE, 3, 0.5, 16.0)
    }
}

/// What is wrong with the pixels of the shader at `path`.
fn disagreement(path: &std::path::Path) -> Option<String> {
    let program = match compose(path) {
        Ok(program) => program,
        Err(error) => return Some(error),
    };
    let text = std::fs::read_to_string(path).expect("a shader");
    let expected = expectations(&text);
    assert!(!expected.is_empty(), "{} says nothing", path.display());
    let pixels = draw(&program, &frame());
    for (place, color) in expected {
        for (index, pixel) in (0..).zip(&pixels) {
            let at = [index % SIZE.0, index / SIZE.0];
            // Rounding of one operation, and of the adapter's own sin and exp.
            let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= 2e-5 * b.abs().max(1.0);
            let agrees = pixel.iter().zip(&color).all(is_near);
            if place.is_none_or(|place| place == at) && !agrees {
                return Some(format!("at {at:?} is {pixel:?}, not {color:?}"));
            }
        }
    }
    None
}

#[test]
fn every_construct_has_the_value_that_was_worked_out_by_hand() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/shader/glsl");
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    assert!(files.len() >= 80, "{}", files.len());
    let wrong = files.iter().filter_map(|path| {
        let told = disagreement(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Some(format!("{name}: {told}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} of {} shaders disagree:\n{}",
        wrong.len(),
        files.len(),
        wrong.join("\n")
    );
}
