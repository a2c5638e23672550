//! What the picture tests share: one device per test binary, scenes by name,
//! pictures by pointer position, and snapshots.
//!
//! A missing adapter fails the tests: Mesa's software renderer is enough.

// Every test binary compiles this file and uses its own part of it.
#![allow(dead_code, unused_imports)]

mod snapshot;

use std::sync::OnceLock;

use tarsus::render::Frame;
use tarsus::render::Renderer;
use tarsus::render::{self, FORMAT, Picture};
use tarsus::render::{Gpu, GpuOptions};
use tarsus::shader::Scene;
use tarsus::shader::{self, Composed, Library, Values};

pub(crate) use snapshot::{assert_alike, assert_snapshot};

/// The device all tests of a binary share.
pub(crate) fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        pollster::block_on(Gpu::headless(&GpuOptions::default()))
            .expect("an adapter (see scripts/setup.sh)")
    })
}

/// A scene with its parameters, ready to be drawn.
pub(crate) struct Stage {
    composed: Composed,
    renderer: Renderer,
    values: Values,
}

impl Stage {
    /// A built-in scene as it stands in the checkout, its parameters at their
    /// defaults.
    pub(crate) fn scene(name: &str) -> Self {
        let scene = Scene::find(name, &Library::for_working_directory()).expect("a scene");
        Self::of_text(&scene.text, &scene.file)
    }

    /// A scene from its text; `file` is for messages.
    pub(crate) fn of_text(text: &str, file: &str) -> Self {
        let composed = shader::compose(text, file, None, &Library::for_working_directory(), &[])
            .unwrap_or_else(|error| panic!("{file} does not compile\n{error}"));
        let renderer =
            pollster::block_on(Renderer::new(gpu(), &composed, FORMAT)).expect("a pipeline");
        let values = Values::default();
        Self {
            composed,
            renderer,
            values,
        }
    }

    /// Gives a parameter a value: `NAME=VALUE`, as after `--set`.
    pub(crate) fn set(&mut self, assignment: &str) -> &mut Self {
        self.composed
            .parameters
            .assign(&mut self.values, assignment)
            .expect("an assignment");
        self
    }

    /// Draws one frame.
    pub(crate) fn draw(&self, frame: &Frame) -> Picture {
        let bytes = self.composed.parameters.bytes(&self.values);
        self.renderer.set_parameters(gpu(), &bytes);
        render::still(gpu(), &self.renderer, frame).expect("a picture")
    }

    /// Draws the moment `time_secs` with nobody touching the mouse.
    pub(crate) fn at_time(&self, size: (u32, u32), time_secs: f64) -> Picture {
        self.draw(&Frame::at_time(size, 0, time_secs, 60.0))
    }

    /// Draws the start with the pointer hovering at `pixel`, y up.
    pub(crate) fn with_pointer(&self, size: (u32, u32), pixel: [f64; 2]) -> Picture {
        let mut frame = Frame::offline(size, 0, 60.0);
        frame.pointer = [pixel[0] as f32, pixel[1] as f32, 1.0, 0.0];
        self.draw(&frame)
    }
}
