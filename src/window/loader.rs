//! Scenes are read, composed and turned into a pipeline on a task, so that the
//! window stays responsive.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::channels::{ChannelCache, Replacements, SceneChannels};
use super::platform::{Sender, Tasks};
use super::start::OpenedPicture;
use tarsus_capture::{holds_whole_history, read_held};
use tarsus_player::live::{Checkpoints, Drawn};
use tarsus_player::{BufferContents, FRAME_RATE, Rewind, Session};
use tarsus_render::{Checkpoint, FORMAT, Gpu, Inputs, Renderer, Timestamps};
use tarsus_shader::{ComposeError, Form, Lens, Library, Program, Scene};

/// A scene on a device, ready to be drawn. It stays whole from the loader to its
/// end.
pub(super) struct LoadedScene {
    /// Its name for folders and titles.
    pub(super) name: String,
    /// What was composed: parameters, hash, what the scene reads.
    pub(super) program: Program,
    /// Draws it into targets of [`FORMAT`].
    pub(super) renderer: Renderer,
    /// The lens it is seen through: the one asked for, or none where the scene
    /// traces no rays.
    pub(super) lens: Option<Lens>,
    /// Contents of its buffers that one can go back to.
    pub(super) checkpoints: Checkpoints,
    /// The contents of its channels.
    pub(super) channels: SceneChannels,
    /// What its buffers held in the picture that is opened, until they hold it again.
    pub(super) held: Option<Checkpoint>,
    /// Why what is shown may not be the picture that is opened, in words.
    pub(super) doubts: Vec<String>,
}

impl LoadedScene {
    /// What the scene receives for the newest frame of `session`, at `size` pixels.
    pub(super) fn inputs(&self, session: &Session, size: (u32, u32)) -> Inputs {
        session.painted().inputs(&self.program, size)
    }

    /// True if the scene has buffers.
    pub(super) fn has_buffers(&self) -> bool {
        self.renderer.has_state()
    }

    /// Encodes at most `most` advances of the buffers on their way to the frame that
    /// is shown, timed by `timestamps`.
    pub(super) fn follow(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        rewind: &mut Rewind,
        most: usize,
        timestamps: Option<&Timestamps>,
        now: f64,
    ) {
        let mut drawn = Drawn {
            program: &self.program,
            renderer: &mut self.renderer,
            timestamps,
        };
        let channels = &mut self.channels;
        self.checkpoints.follow(
            encoder,
            &mut drawn,
            rewind,
            most,
            |encoder, renderer, time| {
                let is_ready = channels.prepare(time, now);
                if is_ready {
                    channels.follow(encoder, renderer, time);
                }
                is_ready
            },
        );
    }

    /// True once the channels have what comes next: the first frame that the buffers
    /// lack, or the picture. `now` is real time in seconds.
    pub(super) fn is_ready(&mut self, session: &Session, now: f64) -> bool {
        let rewind = session.rewind();
        let lacking = rewind.is_behind().then(|| rewind.plan().frames.start);
        let lacking = lacking.and_then(|frame| rewind.get(frame));
        let state = lacking.map_or(session.painted(), |frame| &frame.state);
        self.channels.prepare(state.time, now)
    }

    /// Gives the channels what they hold for the newest frame of `session`.
    pub(super) fn follow_channels(&mut self, gpu: &Gpu, session: &Session) {
        self.fill_channels(gpu, session.painted().time);
    }

    /// Gives the channels what they hold at a scene time in seconds.
    fn fill_channels(&mut self, gpu: &Gpu, time: f64) {
        if self.program.channels.is_empty() {
            return;
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.channels.follow(&mut encoder, &mut self.renderer, time);
        gpu.queue.submit([encoder.finish()]);
    }

    /// Finds out what the buffers held in a picture that is opened, and how far what is
    /// shown may be from it.
    fn go_back_to(&mut self, picture: &OpenedPicture, gpu: &Gpu) {
        let OpenedPicture { path, moment } = picture;
        if !moment.hash.is_empty() && moment.hash != self.program.hash {
            let doubt = "the scene has changed since the picture was taken";
            self.doubts.push(doubt.to_owned());
        }
        if !self.has_buffers() {
            return;
        }
        match read_held(path) {
            Ok(held) => {
                let (device, queue) = (&gpu.device, &gpu.queue);
                let held = held.and_then(|held| Checkpoint::from_saved(device, queue, &held));
                self.held = held;
            }
            Err(error) => self.doubts.push(error.to_string()),
        }
        let channels = self.channels.hash().unwrap_or_default();
        if self.held.is_none() && !holds_whole_history(moment, &self.program, &channels, FRAME_RATE)
        {
            let doubt = "the picture does not tell what was played before it: its buffers run \
                         with the input of its moment";
            self.doubts.push(doubt.to_owned());
        }
    }

    /// Takes a checkpoint of what the buffers hold, if one is wanted.
    pub(super) fn keep(&mut self, encoder: &mut wgpu::CommandEncoder, rewind: &mut Rewind) {
        let drawn = Drawn {
            program: &self.program,
            renderer: &mut self.renderer,
            timestamps: None,
        };
        let shown = (rewind.position(), rewind.get(rewind.position()));
        if let (frame, Some(remembered)) = shown {
            let at = (frame, remembered.size);
            self.checkpoints.keep(encoder, &drawn, rewind, at);
        }
    }

    /// Goes on with what the buffers held in the picture that is opened, or with what
    /// those of `old` hold, if both have any: says what its own hold then.
    pub(super) fn adopt(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        old: Option<&Self>,
    ) -> BufferContents {
        if let Some(held) = self.held.take() {
            self.renderer.restore(encoder, &held);
            return BufferContents::Restored(held.size());
        }
        match old {
            _ if !self.has_buffers() => BufferContents::None,
            Some(old) if old.has_buffers() => {
                self.renderer.adopt_state(encoder, &old.renderer);
                BufferContents::Kept
            }
            _ => BufferContents::Empty,
        }
    }
}

/// What is to be loaded.
pub(super) struct LoadRequest {
    /// The device it is for.
    pub(super) gpu: Arc<Gpu>,
    /// The scene by built-in name or file.
    pub(super) scene: String,
    /// What it is to be seen through.
    pub(super) lens: Option<Lens>,
    /// Files in place of those of its channels.
    pub(super) replacements: Replacements,
    /// Scene time in seconds at which it is shown first.
    pub(super) time: f64,
    /// The picture that is opened with it.
    pub(super) picture: Option<OpenedPicture>,
}

impl LoadRequest {
    /// True if it asks for this scene on this device through this lens.
    pub(super) fn is_for(&self, gpu: &Arc<Gpu>, scene: &str, lens: Option<Lens>) -> bool {
        Arc::ptr_eq(&self.gpu, gpu) && self.scene == scene && self.lens == lens
    }
}

/// The answer to a request.
pub(super) struct LoadReport {
    /// What was asked for.
    pub(super) request: LoadRequest,
    /// The scene, or the error for the screen.
    pub(super) result: Result<LoadedScene, String>,
    /// Files whose change makes another load worth while.
    pub(super) files: Vec<PathBuf>,
}

/// Loads one scene at a time; of the requests that come meanwhile only the newest
/// is kept.
pub(super) struct Loader {
    library: Arc<Library>,
    channels: ChannelCache,
    reports: Sender<LoadReport>,
    is_busy: bool,
    next: Option<LoadRequest>,
}

impl Loader {
    /// Loads scenes whose modules are in `library`, and sends a report of each to `reports`.
    pub(super) fn new(library: Library, reports: Sender<LoadReport>) -> Self {
        Self {
            library: Arc::new(library),
            channels: ChannelCache::default(),
            reports,
            is_busy: false,
            next: None,
        }
    }

    /// Readies what scenes of the form of `scene` need, beside what comes before its request.
    pub(super) fn warm_up(&self, scene: &str, tasks: &mut Tasks) {
        let form = Form::of(Path::new(scene));
        let library = Arc::clone(&self.library);
        tasks.spawn(async move { tarsus_shader::warm_up(form, &library) });
    }

    /// Asks for a scene; a [`LoadReport`] follows unless a newer request comes.
    pub(super) fn request(&mut self, request: LoadRequest, tasks: &mut Tasks) {
        if self.is_busy {
            self.next = Some(request);
            return;
        }
        self.is_busy = true;
        let (library, reports) = (Arc::clone(&self.library), self.reports.clone());
        let channels = self.channels.clone();
        tasks.spawn(async move {
            reports.send(load(request, &library, &channels).await);
        });
    }

    /// A report has arrived: the request that waits for it begins.
    pub(super) fn finished(&mut self, tasks: &mut Tasks) {
        self.is_busy = false;
        if let Some(next) = self.next.take() {
            self.request(next, tasks);
        }
    }
}

async fn load(request: LoadRequest, library: &Library, channels: &ChannelCache) -> LoadReport {
    let (result, files) = match Scene::find(&request.scene, library) {
        Ok(scene) => prepare(&request, scene, library, channels).await,
        Err(error) => {
            let files = vec![PathBuf::from(&request.scene)];
            (Err(format!("error: {error}")), files)
        }
    };
    LoadReport {
        request,
        result,
        files,
    }
}

async fn prepare(
    request: &LoadRequest,
    scene: Scene,
    library: &Library,
    channels: &ChannelCache,
) -> (Result<LoadedScene, String>, Vec<PathBuf>) {
    let (program, lens) = match compose(&scene, library, request.lens) {
        Ok(composed) => composed,
        Err(error) => return (Err(error.to_string()), error.files),
    };
    let mut files = program.sources.files().to_vec();
    let limits = request.gpu.device.limits();
    let opened = channels.open(&program, &request.replacements, &limits);
    let opened = match opened {
        Ok(opened) => SceneChannels::new(opened, &program),
        Err(error) => {
            files.extend(channels.files().into_iter().chain(error.file.clone()));
            return (Err(format!("error: {error}")), files);
        }
    };
    files.extend(opened.files());
    let (device, queue) = (&request.gpu.device, &request.gpu.queue);
    let result = match Renderer::new(device, queue, &program, FORMAT).await {
        Ok(renderer) => {
            let mut scene = LoadedScene {
                name: scene.name,
                program,
                renderer,
                lens,
                checkpoints: Checkpoints::default(),
                channels: opened,
                held: None,
                doubts: Vec::new(),
            };
            scene.fill_channels(&request.gpu, request.time);
            if let Some(picture) = &request.picture {
                scene.go_back_to(picture, &request.gpu);
            }
            Ok(scene)
        }
        Err(error) => Err(format!("error: {error}\n  in {}", scene.file)),
    };
    (result, files)
}

/// Composes the scene as seen through a lens, or plainly where the lens has
/// nothing to show: paging through scenes with a lens shows the others too.
fn compose(
    scene: &Scene,
    library: &Library,
    lens: Option<Lens>,
) -> Result<(Program, Option<Lens>), ComposeError> {
    let definitions = lens.map_or_else(Vec::new, |lens| lens.definitions().to_vec());
    match tarsus_shader::compose(scene, library, &definitions) {
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
        let composed = compose(&scene, &tarsus::library(), lens);
        composed
            .map(|(_, lens)| lens)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_lens_without_rays_is_left_out_and_errors_stay() {
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
