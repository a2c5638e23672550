//! Shared test fixtures.

use std::io::{self, Write};

use super::metadata::Metadata;
use tarsus_render::{Depth, Picture};
use tarsus_shader::{Builtins, Library, Program, Scene, compose};

/// The built-in scenes and modules.
pub(super) fn library() -> Library {
    Library::new(Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES })
}

/// A program of this source.
pub(super) fn program(text: &str) -> Program {
    compose(&Scene::from_text(text, "s.wgsl"), &library(), &[]).expect("a program")
}

/// A small picture whose neighbouring components differ.
pub(super) fn picture(depth: Depth) -> Picture {
    let (width, height) = (37, 50);
    let components = 4 * width * height;
    let rgba = match depth {
        Depth::Float => (0..components)
            .flat_map(|i| ((i * i / 7 % 1000) as f32 / 250.0 - 0.5).to_le_bytes())
            .collect(),
        _ => {
            (0..components as usize * depth.pixel_bytes() / 4).map(|i| (i * i / 7) as u8).collect()
        }
    };
    Picture { width, height, rgba }
}

pub(super) fn metadata() -> Metadata {
    Metadata { snapshot: Some("{\"scene\":\"é.wgsl\"}".to_owned()), hash: Some("00ff".to_owned()) }
}

/// Writer that accepts this many bytes, then reports a full disk.
pub(super) struct FullAfter(pub usize);

impl Write for FullAfter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.min(bytes.len()) {
            0 => Err(io::ErrorKind::StorageFull.into()),
            taken => {
                self.0 -= taken;
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
