//! Shared helpers: one device, scenes by name, pictures by pointer position, values read
//! from a scene, and snapshots.

pub(crate) mod compute;
pub(crate) mod drawing;
pub(crate) mod floats;
pub(crate) mod probe;
pub(crate) mod programs;
pub(crate) mod random;
pub(crate) mod reference;
pub(crate) mod running;
mod snapshot;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tarsus_render::{FORMAT, Frame, Gpu, GpuOptions, Inputs, Picture, Renderer};
use tarsus_shader::{Builtins, Library, Program, Scene, Values};

pub(crate) use snapshot::{assert_alike, assert_snapshot};

/// The device shared by all tests.
pub(crate) fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        pollster::block_on(Gpu::headless(&GpuOptions::default()))
            .expect("an adapter (see scripts/setup.sh)")
    })
}

/// Compiles a scene from its source with the modules of this checkout. `file` is used in
/// messages; `definitions` enable parts of the scene and its modules.
pub(crate) fn compose(text: &str, file: &str, definitions: &[&str]) -> Program {
    tarsus_shader::compose(&Scene::from_text(text, file), &library(), definitions)
        .unwrap_or_else(|error| panic!("{file} does not compile\n{error}"))
}

/// Compiles the scene at `path`; returns the message of an error.
pub(crate) fn compose_file(path: &Path) -> Result<Program, String> {
    let scene = Scene::read(path).map_err(|error| error.to_string())?;
    tarsus_shader::compose(&scene, &library(), &[]).map_err(|error| error.to_string())
}

/// The GLSL shaders of the tests of `tarsus-glsl`, sorted by name.
pub(crate) fn glsl_files() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../glsl/tests/shaders");
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

/// The modules and scenes of this checkout.
pub(crate) fn library() -> Library {
    let builtins = Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES };
    Library::new(builtins)
        .with_front_end(tarsus_glsl::GLSL)
        .with_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders"))
}

/// Creates a renderer of `program` for targets of `format`.
pub(crate) fn renderer(gpu: &Gpu, program: &Program, format: wgpu::TextureFormat) -> Renderer {
    pollster::block_on(Renderer::new(&gpu.device, &gpu.queue, program, &[format]))
        .expect("a pipeline")
}

/// A scene with its renderer and parameters.
pub(crate) struct SceneRenderer {
    program: Program,
    renderer: RefCell<Renderer>,
    values: Values,
}

impl SceneRenderer {
    /// A built-in scene from the checkout, with its parameters at their defaults.
    pub(crate) fn built_in(name: &str) -> Self {
        let scene = Scene::find(name, &library()).expect("a scene");
        Self::of_text(&scene.text, &scene.file)
    }

    /// A scene from its source; `file` is used in messages.
    pub(crate) fn of_text(text: &str, file: &str) -> Self {
        Self::defined(text, file, &[])
    }

    /// Like [`Self::of_text`], with definitions.
    pub(crate) fn defined(text: &str, file: &str, definitions: &[&str]) -> Self {
        let program = compose(text, file, definitions);
        let renderer = RefCell::new(renderer(gpu(), &program, FORMAT));
        Self { program, renderer, values: Values::default() }
    }

    /// Sets a parameter with `NAME=VALUE`, as after `--set`.
    pub(crate) fn set(&mut self, assignment: &str) -> &mut Self {
        self.program.parameters.assign(&mut self.values, assignment).expect("an assignment");
        self
    }

    fn inputs(&self, frame: &Frame) -> Inputs {
        Inputs::new(*frame).with_values(self.values.clone())
    }

    /// Advances the buffers by one frame.
    pub(crate) fn advance(&self, frame: &Frame) {
        drawing::advance(&mut self.renderer.borrow_mut(), &self.inputs(frame));
    }

    /// Draws one frame.
    pub(crate) fn draw(&self, frame: &Frame) -> Picture {
        let mut renderer = self.renderer.borrow_mut();
        tarsus_render::render_picture(gpu(), &mut renderer, &self.inputs(frame)).expect("a picture")
    }

    /// Draws the frame at `time_secs` with an idle mouse.
    pub(crate) fn at_time(&self, size: (u32, u32), time_secs: f64) -> Picture {
        self.draw(&Frame::new(size, 0, 60.0).at_time(time_secs))
    }

    /// Draws the first frame with the pointer hovering at `pixel`, y up.
    pub(crate) fn with_pointer(&self, size: (u32, u32), pixel: [f64; 2]) -> Picture {
        let mut frame = Frame::new(size, 0, 60.0);
        frame.pointer = [pixel[0] as f32, pixel[1] as f32, 1.0, 0.0];
        self.draw(&frame)
    }
}
