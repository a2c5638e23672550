//! Scenes made ready on a thread of their own, so that the window stays awake
//! while a shader is read, composed and turned into a pipeline.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use crate::render::FORMAT;
use crate::render::Gpu;
use crate::render::Renderer;
use crate::shader::Scene;
use crate::shader::{self, ComposeError, Lens, Library, Parameters, Program};

/// A scene ready to be drawn.
pub(super) struct Ready {
    pub(super) renderer: Renderer,
    pub(super) parameters: Parameters,
    /// Seconds after which the scene repeats itself.
    pub(super) period: Option<f64>,
    pub(super) reads_keyboard: bool,
    /// True unless the scene stands still while nobody does anything.
    pub(super) moves: bool,
    /// Hash of all its texts.
    pub(super) hash: String,
    /// What it is seen through: the lens asked for, unless that would be blind.
    pub(super) lens: Option<Lens>,
}

/// What came of a request.
pub(super) struct Loaded {
    /// The device it is for.
    pub(super) gpu: Arc<Gpu>,
    /// The scene as it was asked for.
    pub(super) wanted: String,
    /// The lens that was asked for.
    pub(super) lens: Option<Lens>,
    /// Its name for folders and titles.
    pub(super) name: String,
    /// The scene, or the error for the screen.
    pub(super) result: Result<Ready, String>,
    /// Files whose change makes another load worth while.
    pub(super) files: Vec<PathBuf>,
}

struct Request {
    gpu: Arc<Gpu>,
    wanted: String,
    lens: Option<Lens>,
}

/// The thread that loads.
pub(super) struct Loader {
    requests: Sender<Request>,
}

impl Loader {
    /// Starts the thread; `deliver` is called on it for every request.
    pub(super) fn start(library: Library, deliver: impl Fn(Loaded) + Send + 'static) -> Self {
        let (requests, queue) = channel::<Request>();
        thread::spawn(move || {
            while let Ok(mut request) = queue.recv() {
                // Only the newest request matters.
                while let Ok(newer) = queue.try_recv() {
                    request = newer;
                }
                deliver(load(&request, &library));
            }
        });
        Self { requests }
    }

    /// Asks for a scene through a lens; the answer comes later.
    pub(super) fn request(&self, gpu: &Arc<Gpu>, wanted: &str, lens: Option<Lens>) {
        let request = Request {
            gpu: Arc::clone(gpu),
            wanted: wanted.to_owned(),
            lens,
        };
        // The thread lives as long as its sender.
        let _ = self.requests.send(request);
    }
}

fn load(request: &Request, library: &Library) -> Loaded {
    let (gpu, wanted, lens) = (
        Arc::clone(&request.gpu),
        request.wanted.clone(),
        request.lens,
    );
    let scene = match Scene::find(&wanted, library) {
        Ok(scene) => scene,
        Err(error) => {
            return Loaded {
                gpu,
                name: wanted.clone(),
                files: vec![PathBuf::from(&wanted)],
                wanted,
                lens,
                result: Err(error.to_string()),
            };
        }
    };
    let (result, files) = prepare(&request.gpu, &scene, library, lens);
    Loaded {
        gpu,
        wanted,
        lens,
        name: scene.name,
        result,
        files,
    }
}

fn prepare(
    gpu: &Gpu,
    scene: &Scene,
    library: &Library,
    lens: Option<Lens>,
) -> (Result<Ready, String>, Vec<PathBuf>) {
    let (composed, lens) = match compose(scene, library, lens) {
        Ok(composed) => composed,
        Err(error) => return (Err(error.to_string()), error.files),
    };
    let files = composed.sources.files().to_vec();
    let renderer = pollster::block_on(Renderer::new(&gpu.device, &gpu.queue, &composed, FORMAT));
    let result = match renderer {
        Ok(renderer) => Ok(Ready {
            renderer,
            reads_keyboard: composed.reads_keyboard(),
            moves: composed.is_animated,
            period: composed.period,
            parameters: composed.parameters,
            hash: composed.hash,
            lens,
        }),
        Err(error) => Err(format!("error: {error}\n  in {}", scene.file)),
    };
    (result, files)
}

/// Composes the scene as seen through a lens, or plainly where that is blind:
/// whoever pages through scenes with a lens wants to see the others too.
fn compose(
    scene: &Scene,
    library: &Library,
    lens: Option<Lens>,
) -> Result<(Program, Option<Lens>), ComposeError> {
    let definitions = lens.map_or_else(Vec::new, |lens| lens.definitions().to_vec());
    match shader::compose(scene, library, &definitions) {
        Err(error) if error.lens_needs_rays => compose(scene, library, None),
        composed => Ok((composed?, lens)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_through(lens: Option<Lens>, text: &str) -> Result<Option<Lens>, String> {
        let scene = Scene {
            name: "scene".to_owned(),
            file: "scene.wgsl".to_owned(),
            path: None,
            text: text.to_owned(),
        };
        let composed = compose(&scene, &Library::embedded(), lens);
        composed
            .map(|(_, lens)| lens)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_blind_lens_is_left_out_and_errors_stay() {
        let main = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.0); }";
        let rays = include_str!("../../tests/fixtures/ball.wgsl");
        let lens = Some(Lens::Depth);
        assert_eq!(seen_through(lens, rays), Ok(lens));
        assert_eq!(seen_through(lens, main), Ok(None));
        assert_eq!(seen_through(None, rays), Ok(None));
        let wrong = main.replace("0.0", "wrong");
        assert_eq!(seen_through(lens, &wrong), seen_through(None, &wrong));
        assert!(seen_through(lens, &wrong).is_err());
    }
}
