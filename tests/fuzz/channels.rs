//! Media files for channels: pictures, cubes, volumes, recordings and videos.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use tarsus_media::{ChannelLimits, Channels};
use tarsus_shader::{Program, Scene, compose};

use crate::bytes::{bytes_of, with_checksums};
use crate::harness::{fuzz, told_well};
use crate::text::edited;

macro_rules! seeds {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("seeds/", $name)))),*]
    };
}

type Seeds = &'static [(&'static str, &'static [u8])];

const PICTURES: Seeds = seeds![
    "a.png" "deep.png" "palette.png" "a.jpg" "a.gif" "a.bmp" "a.tga" "a.tiff" "a16.tiff" "a.webp" "a.qoi" "a.ppm"
    "a.pam" "a.hdr" "a.exr" "a.ff" "a.dds" "a.ico"
];
const RECORDINGS: Seeds = seeds!["a.wav" "deep.wav" "a.flac" "a.mp3" "a.ogg" "a.m4a" "vorbis.mka"];
const VOLUMES: Seeds = seeds!["a.bin" "a.png"];
const FILMS: Seeds = seeds!["a.mp4"];

/// A scene with a channel of each shape.
const SCENE: &str = "/// nothing
@group(2) @binding(0) var flat: texture_2d<f32>;
/// nothing
@group(2) @binding(1) var around: texture_cube<f32>;
/// nothing
@group(2) @binding(2) var thick: texture_3d<f32>;
@group(2) @binding(3) var around_sampler: sampler;
fn main_image(p: vec2f) -> vec4f {
    let seen = textureSample(around, around_sampler, p.xyy);
    return seen + textureLoad(flat, vec2i(p), 0) + textureLoad(thick, vec3i(p.xyy), 0);
}
";

fn program() -> Program {
    let scene = Scene::from_text(SCENE, "fuzz.wgsl");
    compose(&scene, &tarsus::library(), &[]).expect("a program")
}

/// Opens the file as a channel's source and updates the channel at several times.
fn read(program: &Program, channel: &str, file: &Path) -> Result<(), String> {
    let replacements = BTreeMap::from([(channel.to_owned(), file.to_path_buf())]);
    let told = |error: tarsus_media::ChannelError| {
        told_well(&tarsus_files::printable(&error.to_string()), &file.display().to_string())
    };
    let limits = ChannelLimits { side: 2048, volume_side: 256 };
    let mut channels = match Channels::open(&program.channels, &replacements, limits) {
        Ok(channels) => channels,
        Err(error) => return told(error),
    };
    for time in [0.0, 1e6] {
        if let Err(error) = channels.update(time) {
            return told(error);
        }
    }
    let _ = channels.hash();
    Ok(())
}

fn fuzz_files(target: &str, cases: u32, channels: &[&str], seeds: Seeds) {
    let folder = tempfile::tempdir().expect("folder");
    let program = program();
    let all: Vec<&[u8]> = seeds.iter().map(|&(_, bytes)| bytes).collect();
    let strategy = (edited(5), any::<bool>(), any::<u8>());
    let bytes = |(edited, is_right, _): &(crate::text::Edited, bool, u8)| {
        let bytes = bytes_of(edited, &all);
        let is_png = bytes.starts_with(b"\x89PNG");
        if is_png && *is_right { with_checksums(bytes) } else { bytes }
    };
    fuzz(target, cases, strategy, bytes, |case| {
        let ((seed, _), _, channel) = case;
        let (name, _) = seeds[usize::from(*seed) % seeds.len()];
        let file = folder.path().join(name);
        std::fs::write(&file, bytes(case)).expect("written");
        read(&program, channels[usize::from(*channel) % channels.len()], &file)
    });
}

#[test]
fn pictures_never_panic() {
    fuzz_files("pictures", 1500, &["flat", "flat", "around", "thick"], PICTURES);
}

#[test]
fn recordings_never_panic() {
    fuzz_files("recordings", 300, &["flat"], RECORDINGS);
}

#[test]
fn volumes_never_panic() {
    fuzz_files("volumes", 1000, &["thick"], VOLUMES);
}

#[test]
fn films_never_panic() {
    fuzz_files("films", 12, &["flat"], FILMS);
}

#[test]
fn all_seeds_are_readable() {
    let folder = tempfile::tempdir().expect("folder");
    let program = program();
    let flat = [PICTURES, RECORDINGS, FILMS].concat();
    let thick = VOLUMES.iter().map(|seed| ("thick", *seed));
    for (channel, (name, bytes)) in flat.into_iter().map(|seed| ("flat", seed)).chain(thick) {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).expect("written");
        let replacements = BTreeMap::from([(channel.to_owned(), file)]);
        let channels = Channels::open(&program.channels, &replacements, ChannelLimits::default());
        // A picture of 16x12 is not a stack of square slices.
        if (channel, name) != ("thick", "a.png") {
            let mut channels = channels.unwrap_or_else(|error| panic!("{name}: {error}"));
            channels.update(0.0).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}
