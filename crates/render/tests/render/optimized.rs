//! The optimisations for llvmpipe change no picture.

use std::path::Path;
use std::process::Command;

use crate::common::drawing::{advance, draw, texels};
use crate::common::{gpu, library, renderer};
use tarsus_render::{Depth, Frame, Inputs, SAMPLE_FORMAT};
use tarsus_shader::{Scene, compose};

const SIZE: (u32, u32) = (48, 27);

/// Maximum difference of a component, a hundredth of a level of 255. The driver folds
/// constants of unrolled iterations, which changes the last bits of `cells`.
const MAX_DIFFERENCE: f32 = 4e-5;

/// Variable with the folder in which the process without optimisations leaves its pictures.
const FOLDER: &str = "TARSUS_TEST_UNOPTIMIZED";

/// The built-in scenes and the GLSL shaders of the benchmarks.
fn scenes() -> Vec<Scene> {
    let names = tarsus_scenes::SCENES.iter().map(|(name, ..)| *name);
    let scenes = names.map(|name| Scene::find(name, &library()).expect("a scene"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/glsl");
    let files = std::fs::read_dir(folder).expect("a folder");
    let files = files.map(|file| Scene::read(&file.expect("a file").path()).expect("a shader"));
    scenes.chain(files).collect()
}

/// A frame of each scene in floats, by name.
fn pictures() -> Vec<(String, Vec<u8>)> {
    let draw_scene = |scene: Scene| {
        let program = compose(&scene, &library(), &[]).expect("a program");
        let mut renderer = renderer(gpu(), &program, SAMPLE_FORMAT);
        let mut inputs = Inputs::new(Frame::new(SIZE, 0, 60.0));
        for time in [2.4, 2.5] {
            inputs.frame = inputs.frame.at_time(time);
            advance(&mut renderer, &inputs);
        }
        let picture = draw(&mut renderer, &inputs, Depth::Float);
        (scene.name, picture.rgba)
    };
    scenes().into_iter().map(draw_scene).collect()
}

/// Draws all scenes in this process, and without optimisations in another one.
#[test]
fn optimizations_change_no_picture() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        for (name, picture) in pictures() {
            std::fs::write(Path::new(&folder).join(name), picture).expect("a file");
        }
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut unoptimized = Command::new(std::env::current_exe().expect("a path"))
        .args(["--exact", "optimized::optimizations_change_no_picture"])
        .env("TARSUS_OPTIMIZE", "0")
        .env(FOLDER, folder.path())
        .spawn()
        .expect("a process");
    let optimized = pictures();
    assert!(unoptimized.wait().expect("a process").success());
    assert!(optimized.len() > 15, "{}", optimized.len());
    let differs = |(name, picture): &(String, Vec<u8>)| {
        let other = std::fs::read(folder.path().join(name)).expect("a picture");
        let mut pairs = texels(picture).flatten().zip(texels(&other).flatten());
        let is_close =
            |(a, b): (f32, f32)| a.to_bits() == b.to_bits() || (a - b).abs() < MAX_DIFFERENCE;
        picture.len() != other.len() || !pairs.all(is_close)
    };
    let differing: Vec<_> = optimized.iter().filter(|one| differs(one)).collect();
    let names: Vec<_> = differing.iter().map(|(name, _)| name).collect();
    assert!(differing.is_empty(), "{names:?}");
}
