//! What the tests share: one device, scenes by name, pictures by pointer
//! position, numbers read out of a scene, and snapshots.

pub(crate) mod compute;
pub(crate) mod floats;
pub(crate) mod probe;
pub(crate) mod random;
pub(crate) mod reference;
mod snapshot;

use std::sync::OnceLock;

use tarsus::render::{self, FORMAT, Frame, Gpu, GpuOptions, Picture, Renderer};
use tarsus::shader::{self, Composed, Library, Scene};

pub(crate) use snapshot::{assert_alike, assert_snapshot};

/// The device that all tests share.
pub(crate) fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        pollster::block_on(Gpu::headless(&GpuOptions::default()))
            .expect("an adapter (see scripts/setup.sh)")
    })
}

/// Composes a scene from its text with the modules of this checkout. `file` is
/// for messages; `definitions` switch parts of scene and modules on.
pub(crate) fn compose(text: &str, file: &str, definitions: &[&str]) -> Composed {
    shader::compose(
        text,
        file,
        None,
        &Library::for_working_directory(),
        definitions,
    )
    .unwrap_or_else(|error| panic!("{file} does not compile\n{error}"))
}

/// A renderer of `composed` into targets of `format`.
pub(crate) fn renderer(gpu: &Gpu, composed: &Composed, format: wgpu::TextureFormat) -> Renderer {
    pollster::block_on(Renderer::new(gpu, composed, format)).expect("a pipeline")
}

/// A scene with its parameters, ready to be drawn.
pub(crate) struct SceneRenderer {
    composed: Composed,
    renderer: Renderer,
    values: Vec<[f64; 4]>,
}

impl SceneRenderer {
    /// A built-in scene as it stands in the checkout, its parameters at their
    /// defaults.
    pub(crate) fn built_in(name: &str) -> Self {
        let scene = Scene::find(name, &Library::for_working_directory()).expect("a scene");
        Self::of_text(&scene.text, &scene.file)
    }

    /// A scene from its text; `file` is for messages.
    pub(crate) fn of_text(text: &str, file: &str) -> Self {
        let composed = compose(text, file, &[]);
        let renderer = renderer(gpu(), &composed, FORMAT);
        let values = composed.parameters.defaults();
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
            .set(&mut self.values, assignment)
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
