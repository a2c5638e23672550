//! Round trips of built-in scenes: exported to Shadertoy, read back as its JSON, and
//! imported from there as WGSL, each draws the same picture.

use tarsus_render::{Depth, Frame, Inputs, RenderTarget, Renderer, format};
use tarsus_shader::{Program, Scene, Values};
use tarsus_transpile::{PerFrame, shadertoy_json, to_shadertoy, to_wgsl_scene};

use crate::common::{gpu, library, renderer};

pub(crate) const SIZE: (u32, u32) = (64, 36);
/// Least peak signal-to-noise ratio in dB: operations in a different order round
/// differently.
const LEAST: f64 = 45.0;

fn compose(text: &str, file: &str) -> Program {
    let scene = Scene::from_text(text, file);
    let program = tarsus_shader::compose(&scene, &library(), &[]);
    program.unwrap_or_else(|error| panic!("{file}: {error}\n{text}"))
}

/// The scene, its Shadertoy export, and that export imported as WGSL.
fn there_and_back(name: &str) -> [Program; 3] {
    let scene = Scene::find(name, &library()).expect("a scene");
    let native = compose(&scene.text, &scene.file);
    let exported = to_shadertoy(&native, &Values::default(), PerFrame::Auto).expect("an export");
    let json = shadertoy_json(name, &native, &exported);
    let there = compose(&json, "there.json");
    let text = to_wgsl_scene(&there, None).expect("WGSL");
    let back = compose(&text, "back.wgsl");
    [native, there, back]
}

/// A program that is drawn frame by frame.
pub(crate) struct Run {
    program: Program,
    renderer: Renderer,
    drawn: u32,
}

impl Run {
    pub(crate) fn new(program: Program) -> Self {
        let renderer = renderer(gpu(), &program, format(Depth::Eight));
        Self {
            program,
            renderer,
            drawn: 0,
        }
    }

    /// Draws the picture at a time; scenes with buffers are advanced up to frame
    /// `number`.
    pub(crate) fn draw(&mut self, number: u32, time: f64) -> Vec<u8> {
        let gpu = gpu();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let bytes = self.program.parameters.default_bytes();
        let inputs = |number: u32, time: f64| {
            Inputs::new(Frame::new(SIZE, number, 60.0).at_time(time), bytes.clone())
        };
        // Without state, earlier frames have no effect on the last one.
        let first = if self.program.has_state() {
            self.drawn
        } else {
            number
        };
        let begin = time - f64::from(number) / 60.0;
        for number in first..=number {
            let time = begin + f64::from(number) / 60.0;
            self.renderer
                .advance(&gpu.queue, &mut encoder, &inputs(number, time), None);
        }
        self.drawn = number + 1;
        let mut target = RenderTarget::new(&gpu.device, SIZE, Depth::Eight).expect("a target");
        let shown = inputs(number, time);
        self.renderer
            .draw(&gpu.queue, &mut encoder, &shown, target.view())
            .expect("a target");
        target.read_back(&mut encoder, ()).expect("a buffer");
        let submission = gpu.queue.submit([encoder.finish()]);
        let finished = target.finish(Some(submission)).expect("a device");
        assert_eq!(gpu.take_error(), None);
        finished.expect("a picture").1.rgba
    }
}

/// Peak signal-to-noise ratio of two pictures, in dB.
pub(crate) fn psnr(a: &[u8], b: &[u8]) -> f64 {
    let squares = a
        .iter()
        .zip(b)
        .map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
    let mean = squares.sum::<f64>() / a.len() as f64;
    10.0 * (255.0 * 255.0 / mean).log10()
}

/// Draws all three programs at `moments` (frame number and time) and compares them.
fn assert_alike(name: &str, moments: &[(u32, f64)]) {
    let mut runs = there_and_back(name).map(Run::new);
    for &(number, time) in moments {
        let [native, there, back] = runs.each_mut().map(|run| run.draw(number, time));
        for (what, drawn) in [("there", there), ("back", back)] {
            let agreement = psnr(&native, &drawn);
            assert!(
                agreement >= LEAST,
                "{name} {what}, frame {number}, {time} s: {agreement:.1} dB"
            );
        }
    }
}

/// Frame numbers and times for scenes without state.
const TIMES: [(u32, f64); 3] = [(30, 0.5), (180, 3.0), (435, 7.25)];

#[test]
fn flat_scenes_survive_round_trip() {
    for name in ["ik_diagram", "ik_field", "line_walker"] {
        assert_alike(name, &TIMES);
    }
}

#[test]
fn animals_survive_round_trip() {
    for name in ["creature", "spider", "strider", "crane", "herd"] {
        assert_alike(name, &TIMES);
    }
}

#[test]
fn buffers_survive_round_trip() {
    assert_alike("tracks", &[(0, 0.0), (5, 5.0 / 60.0), (24, 0.4)]);
}
