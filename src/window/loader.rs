//! Scenes made ready on a thread of their own, so that the window stays awake
//! while a shader is read, composed and turned into a pipeline.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use crate::capture::FORMAT;
use crate::gpu::Gpu;
use crate::renderer::Renderer;
use crate::scene::Scene;
use crate::shader::{self, Library, Parameters};

/// A scene ready to be drawn.
pub(super) struct Ready {
    pub(super) renderer: Renderer,
    pub(super) parameters: Parameters,
    pub(super) reads_keyboard: bool,
    /// True unless the scene stands still while nobody does anything.
    pub(super) moves: bool,
    /// Hash of all its texts.
    pub(super) hash: String,
}

/// What came of a request.
pub(super) struct Loaded {
    /// The device it is for.
    pub(super) gpu: Arc<Gpu>,
    /// The scene as it was asked for.
    pub(super) wanted: String,
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

    /// Asks for a scene; the answer comes later.
    pub(super) fn request(&self, gpu: &Arc<Gpu>, wanted: &str) {
        let request = Request {
            gpu: Arc::clone(gpu),
            wanted: wanted.to_owned(),
        };
        // The thread lives as long as its sender.
        let _ = self.requests.send(request);
    }
}

fn load(request: &Request, library: &Library) -> Loaded {
    let (gpu, wanted) = (Arc::clone(&request.gpu), request.wanted.clone());
    let scene = match Scene::find(&wanted, library) {
        Ok(scene) => scene,
        Err(error) => {
            return Loaded {
                gpu,
                name: wanted.clone(),
                files: vec![PathBuf::from(&wanted)],
                wanted,
                result: Err(error.to_string()),
            };
        }
    };
    let (result, files) = prepare(&request.gpu, &scene, library);
    Loaded {
        gpu,
        wanted,
        name: scene.name,
        result,
        files,
    }
}

fn prepare(gpu: &Gpu, scene: &Scene, library: &Library) -> (Result<Ready, String>, Vec<PathBuf>) {
    let (text, file, path) = (&scene.text, &scene.file, scene.path.as_deref());
    let composed = match shader::compose(text, file, path, library, &[]) {
        Ok(composed) => composed,
        Err(error) => return (Err(error.to_string()), error.files),
    };
    let renderer = pollster::block_on(Renderer::new(gpu, &composed, FORMAT));
    let result = match renderer {
        Ok(renderer) => Ok(Ready {
            renderer,
            reads_keyboard: composed.reads_keyboard,
            moves: composed.moves,
            parameters: composed.parameters,
            hash: composed.hash,
        }),
        Err(error) => Err(format!("error: {error}\n  in {file}")),
    };
    (result, composed.files)
}
