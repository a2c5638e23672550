//! Loads scenes on a task (reading, composing, pipeline creation), so that the window stays
//! responsive.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::channels::{ChannelCache, Replacements, SceneChannels};
use super::platform::{Sender, Tasks};
use super::start::OpenedPicture;
use tarsus_capture::{has_complete_history, read_state};
use tarsus_player::live::{Checkpoints, Drawn};
use tarsus_player::{BufferState, FRAME_RATE, Rewind, Session};
use tarsus_render::{Checkpoint, FORMAT, Gpu, Inputs, Renderer, Timestamps};
use tarsus_shader::{ComposeError, DebugView, Form, Library, Program, Scene};

/// A scene on a device, ready to render, kept as one unit from loading to replacement.
pub(super) struct LoadedScene {
    /// Name of the scene for folders and titles.
    pub(super) name: String,
    /// The composed program: parameters, hash and inputs.
    pub(super) program: Program,
    /// Renders into targets of [`FORMAT`].
    pub(super) renderer: Renderer,
    /// Active debug view: the requested one, or none if the scene does no ray marching.
    pub(super) lens: Option<DebugView>,
    /// Buffer states for rewinding.
    pub(super) checkpoints: Checkpoints,
    /// Contents of its channels.
    pub(super) channels: SceneChannels,
    /// Buffer state stored with the opened picture, until it is restored.
    pub(super) held: Option<Checkpoint>,
    /// Reasons why the output may differ from the opened picture, as messages.
    pub(super) doubts: Vec<String>,
}

impl LoadedScene {
    /// Inputs of the scene for the session's newest frame, at `size` pixels.
    pub(super) fn inputs(&self, session: &Session, size: (u32, u32)) -> Inputs {
        session.painted().inputs(&self.program, size)
    }

    /// True if the scene has buffers.
    pub(super) fn has_buffers(&self) -> bool {
        self.renderer.has_state()
    }

    /// Encodes at most `most` advances of the buffers towards the shown frame, timed by
    /// `timestamps`.
    pub(super) fn follow(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        rewind: &mut Rewind,
        most: usize,
        timestamps: Option<&Timestamps>,
        now: f64,
    ) {
        let mut drawn = Drawn {
            queue,
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

    /// True once the channels are decoded for the next frame to render: the first frame
    /// that the buffers lack, or the picture. `now` is real time in seconds.
    pub(super) fn is_ready(&mut self, session: &Session, now: f64) -> bool {
        let rewind = session.rewind();
        let lacking = rewind.is_behind().then(|| rewind.plan().frames.start);
        let lacking = lacking.and_then(|frame| rewind.get(frame));
        let state = lacking.map_or(session.painted(), |frame| &frame.state);
        self.channels.prepare(state.time, now)
    }

    /// Uploads the channel contents for the session's newest frame.
    pub(super) fn follow_channels(&mut self, gpu: &Gpu, session: &Session) {
        self.fill_channels(gpu, session.painted().time);
    }

    /// Uploads the channel contents for a scene time in seconds.
    fn fill_channels(&mut self, gpu: &Gpu, time: f64) {
        if self.program.channels.is_empty() {
            return;
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.channels.follow(&mut encoder, &mut self.renderer, time);
        gpu.queue.submit([encoder.finish()]);
    }

    /// Reads the buffer state stored with an opened picture, and collects the reasons why
    /// the output may differ from that picture.
    fn go_back_to(&mut self, picture: &OpenedPicture, gpu: &Gpu) {
        let OpenedPicture { path, snapshot } = picture;
        if !snapshot.hash.is_empty() && snapshot.hash != self.program.hash {
            let doubt = "the scene has changed since the picture was taken";
            self.doubts.push(doubt.to_owned());
        }
        if !self.has_buffers() {
            return;
        }
        match read_state(path) {
            Ok(held) => {
                let (device, queue) = (&gpu.device, &gpu.queue);
                let held = held.and_then(|held| Checkpoint::from_saved(device, queue, &held));
                self.held = held;
            }
            Err(error) => self.doubts.push(error.to_string()),
        }
        let channels = self.channels.hash().unwrap_or_default();
        if self.held.is_none()
            && !has_complete_history(snapshot, &self.program, &channels, FRAME_RATE)
        {
            let doubt = "the picture does not tell what was played before it: its buffers run \
                         with the input of its snapshot";
            self.doubts.push(doubt.to_owned());
        }
    }

    /// Takes a checkpoint of the buffer state, if one is due.
    pub(super) fn keep(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        rewind: &mut Rewind,
    ) {
        let drawn = Drawn {
            queue,
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

    /// Restores the buffer state of the opened picture, or else takes over that of `old` if
    /// both scenes have buffers. Returns the resulting state.
    pub(super) fn adopt(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        old: Option<&Self>,
    ) -> BufferState {
        if let Some(held) = self.held.take() {
            self.renderer.restore(encoder, &held);
            return BufferState::Restored(held.size());
        }
        match old {
            _ if !self.has_buffers() => BufferState::None,
            Some(old) if old.has_buffers() => {
                self.renderer.adopt_state(encoder, &old.renderer);
                BufferState::Kept
            }
            _ => BufferState::Empty,
        }
    }
}

/// A request to load a scene.
pub(super) struct LoadRequest {
    /// The device to load it on.
    pub(super) gpu: Arc<Gpu>,
    /// The scene, a built-in name or a file.
    pub(super) scene: String,
    /// Requested debug view.
    pub(super) lens: Option<DebugView>,
    /// Replacement files for its channels.
    pub(super) replacements: Replacements,
    /// Scene time in seconds of the first frame.
    pub(super) time: f64,
    /// The picture being opened with it.
    pub(super) picture: Option<OpenedPicture>,
}

impl LoadRequest {
    /// True if the request is for this scene on this device in this debug view.
    pub(super) fn is_for(&self, gpu: &Arc<Gpu>, scene: &str, lens: Option<DebugView>) -> bool {
        Arc::ptr_eq(&self.gpu, gpu) && self.scene == scene && self.lens == lens
    }
}

/// Result of a request.
pub(super) struct LoadReport {
    /// The request.
    pub(super) request: LoadRequest,
    /// The scene, or an error message for the screen.
    pub(super) result: Result<LoadedScene, String>,
    /// Files whose change triggers a reload.
    pub(super) files: Vec<PathBuf>,
}

/// Loads one scene at a time; of the requests that arrive meanwhile only the newest is
/// kept.
pub(super) struct Loader {
    library: Arc<Library>,
    channels: ChannelCache,
    reports: Sender<LoadReport>,
    is_busy: bool,
    next: Option<LoadRequest>,
}

impl Loader {
    /// Creates a loader for scenes whose modules are in `library`; a report of each goes to
    /// `reports`.
    pub(super) fn new(library: Library, reports: Sender<LoadReport>) -> Self {
        Self {
            library: Arc::new(library),
            channels: ChannelCache::default(),
            reports,
            is_busy: false,
            next: None,
        }
    }

    /// Runs the one-time initialization of the shader front end for the form of `scene`, in
    /// parallel with opening the device.
    pub(super) fn warm_up(&self, scene: &str, tasks: &mut Tasks) {
        let form = Form::of(Path::new(scene));
        let library = Arc::clone(&self.library);
        tasks.spawn(async move { tarsus_shader::warm_up(form, &library) });
    }

    /// Requests a scene; a [`LoadReport`] follows unless a newer request replaces it.
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

    /// Handles the arrival of a report: starts the waiting request, if any.
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
    let result = match Renderer::new_warmed_up(device, queue, &program, &[FORMAT]).await {
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

/// Composes the scene with a debug view, or without one if the scene does no ray marching,
/// so that paging through scenes with a debug view works for all of them.
fn compose(
    scene: &Scene,
    library: &Library,
    lens: Option<DebugView>,
) -> Result<(Program, Option<DebugView>), ComposeError> {
    let definitions = lens.map_or_else(Vec::new, |lens| lens.definitions().to_vec());
    match tarsus_shader::compose(scene, library, &definitions) {
        Err(error) if error.debug_view_needs_rays => compose(scene, library, None),
        composed => Ok((composed?, lens)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_through(lens: Option<DebugView>, text: &str) -> Result<Option<DebugView>, String> {
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
    fn debug_view_without_rays_is_ignored() {
        let main = "fn main_image(p: vec2f) -> vec4f { return vec4f(0.0); }";
        let rays = include_str!("../../tests/fixtures/ball.wgsl");
        let lens = Some(DebugView::Depth);
        assert_eq!(seen_through(lens, rays), Ok(lens));
        assert_eq!(seen_through(lens, main), Ok(None));
        assert_eq!(seen_through(None, rays), Ok(None));
        let wrong = main.replace("0.0", "wrong");
        assert_eq!(seen_through(lens, &wrong), seen_through(None, &wrong));
        assert!(seen_through(lens, &wrong).is_err());
    }
}
