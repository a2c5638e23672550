//! Loading a scene: reading, composing, pipeline creation. It runs on a task, so that the
//! window stays responsive.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use super::channels::{ChannelCache, Replacements, SceneChannels, open_channels};
use super::start::OpenedFile;
use crate::message::{channel_warning, stored_sources_note};
use crate::reopened::{Cause, find_difference, find_named_scene};
use tarsus_capture::metadata::is_picture;
use tarsus_capture::read_state;
use tarsus_player::live::{LiveChannels as _, LiveScene};
use tarsus_render::{Checkpoint, FORMAT, Gpu, Renderer};
use tarsus_shader::{DebugView, Library, Scene, SourceFiles, compose_with_view};

/// A scene on a device, and what belongs to its first frame.
pub(super) struct LoadedScene {
    /// The scene.
    pub(super) scene: LiveScene<SceneChannels>,
    /// Buffer state stored with the opened picture or recording.
    pub(super) saved_buffers: Option<Checkpoint>,
    /// Reasons why the output may differ from the opened picture, as messages.
    pub(super) warnings: Vec<String>,
    /// Reason why pictures cannot store the sources of the scene, if any.
    pub(super) no_sources: Option<String>,
}

impl LoadedScene {
    /// Reads the buffer state stored with an opened picture or recording, and collects the
    /// reasons why the output may differ from that picture. Closed channels have their own
    /// warnings.
    fn restore(&mut self, opened: &OpenedFile, gpu: &Gpu, has_closed_channels: bool) {
        let OpenedFile { path, snapshot, timeline } = opened;
        let program = &self.scene.program;
        if program.has_state() {
            let start = timeline.as_deref().map(|timeline| &timeline.start);
            match read_state(path, start, program) {
                Ok(saved) => {
                    self.saved_buffers =
                        saved.and_then(|saved| Checkpoint::from_saved(gpu, &saved));
                }
                Err(error) => self.warnings.push(error.to_string()),
            }
        }
        let channels = self.scene.channels.hash().unwrap_or_default();
        let is_known = self.saved_buffers.is_some() || timeline.is_some();
        let warning = find_difference(snapshot, path, program, &channels, is_known);
        let warning =
            warning.filter(|(cause, _)| *cause != Cause::Channels || !has_closed_channels);
        self.warnings.extend(warning.map(|(_, message)| message));
    }
}

/// A request to load a scene.
pub(super) struct LoadRequest {
    /// The device to load it on.
    pub(super) gpu: Arc<Gpu>,
    /// True if the scene may read edited constants from a uniform.
    pub(super) is_edited: bool,
    /// The scene: a built-in name, a file, or a picture that stores its sources.
    pub(super) scene: String,
    /// Requested debug view.
    pub(super) debug_view: Option<DebugView>,
    /// Replacement files for its channels.
    pub(super) replacements: Replacements,
    /// Scene time in seconds of the first frame.
    pub(super) time: f64,
    /// The picture or recording being opened with it.
    pub(super) opened: Option<OpenedFile>,
}

impl LoadRequest {
    /// The picture being opened with it.
    fn picture(&self) -> Option<&OpenedFile> {
        self.opened.as_ref().filter(|opened| opened.timeline.is_none())
    }
}

/// Result of a request.
pub(super) struct LoadReport {
    /// The device of the request.
    pub(super) gpu: Arc<Gpu>,
    /// The scene, or an error message for the screen.
    pub(super) result: Result<LoadedScene, String>,
    /// Files whose change triggers a reload.
    pub(super) files: Vec<PathBuf>,
    /// Time before any of them was read.
    pub(super) started: SystemTime,
}

/// Loads a scene, on a task.
pub(super) fn load(request: LoadRequest, library: &Library, channels: &ChannelCache) -> LoadReport {
    let started = SystemTime::now();
    let picture = request.opened.as_ref().and_then(OpenedFile::sourceless_picture);
    let mut files = Vec::new();
    let result = match find_named_scene(&request.scene, library, picture) {
        Ok((scene, library)) => load_program(&request, &scene, &library, channels, &mut files),
        Err(error) => {
            files.push(PathBuf::from(&request.scene));
            Err(format!("error: {error:#}"))
        }
    };
    LoadReport { gpu: request.gpu, result, files, started }
}

/// Loads a scene that was found, and adds all files that it reads to `files`.
fn load_program(
    request: &LoadRequest,
    scene: &Scene,
    library: &Library,
    channels: &ChannelCache,
    files: &mut Vec<PathBuf>,
) -> Result<LoadedScene, String> {
    let composed = compose_with_view(scene, library, request.debug_view);
    let (mut program, debug_view) = composed.map_err(|error| {
        files.extend_from_slice(&error.files);
        error.to_string()
    })?;
    program.bind(request.replacements.keys());
    let stored = SourceFiles::to_store(scene, &program, library);
    let is_stored = is_picture(&request.scene);
    let mut closed = Vec::new();
    if is_stored {
        closed = program.close_channel_files(request.replacements.keys());
    } else {
        files.extend_from_slice(program.sources.files());
    }
    let limits = request.gpu.device.limits();
    let opened = open_channels(channels, &program, &request.replacements, &limits);
    let opened = opened.map_err(|error| {
        files.extend(channels.lock().files().into_iter().chain(error.file.clone()));
        format!("error: {error}")
    })?;
    files.extend(opened.files());
    let opened = SceneChannels::new(opened, &program);
    let renderer = Renderer::for_gpu(&request.gpu, &program, &[FORMAT], request.is_edited);
    let renderer = pollster::block_on(renderer)
        .map_err(|error| format!("error: {error}\n  in {}", scene.file))?;
    let mut scene = LiveScene::new(program, debug_view, renderer, opened);
    let mut warnings: Vec<String> = closed.iter().map(|channel| channel_warning(channel)).collect();
    let no_sources = stored.as_ref().err().cloned();
    scene.files = stored.unwrap_or_default();
    if let Some(picture) = request.picture().filter(|_| is_stored) {
        warnings.push(stored_sources_note(&picture.path));
    }
    if let (Some(files), Some(picture)) = (&mut scene.files, request.picture()) {
        files.title = picture.snapshot.files.as_ref().and_then(|files| files.title.clone());
    }
    // Sound requires frames to advance even if nothing else changes.
    scene.is_animated |= scene.program.sound.is_some();
    scene.upload_channels(&request.gpu, request.time);
    let mut loaded = LoadedScene { scene, saved_buffers: None, warnings, no_sources };
    if let Some(opened) = &request.opened {
        loaded.restore(opened, &request.gpu, !closed.is_empty());
    }
    Ok(loaded)
}
