//! Round trips of built-in scenes: exported to Shadertoy, read back as its JSON, and
//! imported from there as WGSL, each draws the same picture.

use tarsus_render::{Depth, FORMAT, Frame, Inputs, Picture, Renderer};
use tarsus_shader::{Program, Scene, Values};
use tarsus_transpile::{PerFrame, shadertoy_json, to_shadertoy, to_wgsl_scene};

use crate::common::drawing::{advance, draw};
use crate::common::programs::{Constructs, program};
use crate::common::{gpu, library, renderer};

const SIZE: (u32, u32) = (64, 36);
/// Minimum peak signal-to-noise ratio in dB: operations in a different order round
/// differently.
const MIN_PSNR_DB: f64 = 45.0;

fn compose(text: &str, file: &str) -> Program {
    let scene = Scene::from_text(text, file);
    let program = tarsus_shader::compose(&scene, &library(), &[]);
    program.unwrap_or_else(|error| panic!("{file}: {error}\n{text}"))
}

/// The scene, its Shadertoy export, and that export imported as WGSL.
fn round_trip(scene: &Scene, per_frame: PerFrame) -> [Program; 3] {
    let native = compose(&scene.text, &scene.file);
    let export = to_shadertoy(&native, &Values::default(), per_frame).expect("an export");
    let json = shadertoy_json("round trip", &native, &export);
    let exported = compose(&json, "exported.json");
    let text = to_wgsl_scene(&exported, None).expect("WGSL");
    let imported = compose(&text, "imported.wgsl");
    [native, exported, imported]
}

/// A program that is drawn frame by frame.
struct Run {
    program: Program,
    renderer: Renderer,
    drawn: u32,
}

impl Run {
    fn new(program: Program) -> Self {
        let renderer = renderer(gpu(), &program, FORMAT);
        Self { program, renderer, drawn: 0 }
    }

    /// Draws the picture at a time; scenes with buffers are advanced up to frame
    /// `number`.
    fn draw(&mut self, number: u32, time: f64) -> Picture {
        let inputs =
            |number: u32, time: f64| Inputs::new(Frame::new(SIZE, number, 60.0).at_time(time));
        // Without state, earlier frames have no effect on the last one.
        let first = if self.program.has_state() { self.drawn } else { number };
        let begin = time - f64::from(number) / 60.0;
        for number in first..=number {
            let time = begin + f64::from(number) / 60.0;
            advance(&mut self.renderer, &inputs(number, time));
        }
        self.drawn = number + 1;
        draw(&mut self.renderer, &inputs(number, time), Depth::Eight)
    }
}

/// Draws all three programs at `moments` (frame number and time) and compares them.
fn assert_alike(scene: &Scene, per_frame: PerFrame, moments: &[(u32, f64)]) {
    let name = &scene.file;
    let mut runs = round_trip(scene, per_frame).map(Run::new);
    for &(number, time) in moments {
        let [native, exported, imported] = runs.each_mut().map(|run| run.draw(number, time));
        for (what, drawn) in [("exported", exported), ("imported", imported)] {
            let agreement = native.psnr_db(&drawn);
            assert!(
                agreement >= MIN_PSNR_DB,
                "{name} {what}, frame {number}, {time} s: {agreement:.1} dB"
            );
        }
    }
}

/// Frame numbers and times for scenes without state.
const TIMES: [(u32, f64); 3] = [(30, 0.5), (180, 3.0), (435, 7.25)];

fn assert_scenes_alike(names: &[&str], per_frame: PerFrame, moments: &[(u32, f64)]) {
    for name in names {
        assert_alike(&Scene::find(name, &library()).expect("a scene"), per_frame, moments);
    }
}

#[test]
fn flat_scenes_survive_round_trip() {
    let flat = ["ik_diagram", "ik_field", "line_walker", "simple_ik"];
    assert_scenes_alike(&flat, PerFrame::Auto, &TIMES);
}

#[test]
fn animals_survive_round_trip() {
    let animals = ["creature", "strider", "crane", "strandbeest", "herd"];
    assert_scenes_alike(&animals, PerFrame::Auto, &TIMES);
}

const FRAMES: [(u32, f64); 3] = [(0, 0.0), (5, 5.0 / 60.0), (24, 0.4)];

#[test]
fn buffers_survive_round_trip() {
    assert_scenes_alike(&["tracks", "spider"], PerFrame::Auto, &FRAMES);
}

/// `TARSUS_INLINE=spider` compares the spider, whose shaders llvmpipe compiles for minutes.
#[test]
fn inline_per_frame_survives_round_trip() {
    let names = std::env::var("TARSUS_INLINE");
    let names = names.unwrap_or_else(|_| "strandbeest,herd".to_owned());
    let names: Vec<&str> = names.split(',').collect();
    assert_scenes_alike(&names, PerFrame::Inline, &FRAMES);
}

/// The scenes that `tarsus new` writes, and a walker with other legs.
#[test]
fn new_scenes_survive_round_trip() {
    let starter = include_str!("../../../../src/commands/new/starter.wgsl");
    let walker = include_str!("../../../../src/commands/new/walker.wgsl");
    let beetle = walker.replace("#define LEGS 4", "#define LEGS 6");
    assert_ne!(beetle, walker);
    for text in [starter, walker, &beetle] {
        assert_alike(&Scene::from_text(text, "new.wgsl"), PerFrame::Auto, &TIMES);
    }
}

/// Forty legs need more values per frame than most scenes.
#[test]
fn centipede_survives_round_trip() {
    let centipede = include_str!("../../../../tests/fixtures/centipede.wgsl");
    let scene = Scene::from_text(centipede, "centipede.wgsl");
    assert_alike(&scene, PerFrame::Auto, &FRAMES[..2]);
}

/// The first round trip folds constants and renames; from then on nothing changes or grows.
#[test]
fn second_round_trip_keeps_text() {
    let scenes = ["line_walker", "simple_ik", "ik_diagram", "spider", "strider", "tracks"];
    let scenes = scenes.map(|name| Scene::find(name, &library()).expect("a scene"));
    let random = program(3, Constructs { uniforms: true, ..Constructs::default() });
    for scene in scenes.into_iter().chain([Scene::from_text(&random, "random.wgsl")]) {
        let imported = |text: &str| {
            let program = compose(text, "scene.wgsl");
            let export = to_shadertoy(&program, &Values::default(), PerFrame::Auto);
            let json = shadertoy_json("scene", &program, &export.expect("an export"));
            to_wgsl_scene(&compose(&json, "scene.json"), None).expect("WGSL")
        };
        let second = imported(&imported(&scene.text));
        let third = imported(&second);
        let mut lines = second.lines().zip(third.lines());
        assert_eq!(lines.find(|(before, after)| before != after), None, "{}", scene.file);
        assert_eq!(second.len(), third.len(), "{}", scene.file);
    }
}
