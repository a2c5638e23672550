//! The open window, which connects all other parts.
//!
//! [`Viewer::window_event`] handles user input, and tasks report by calling other methods.
//! [`Viewer::update`] drives the rest: it lets the engine start its next work and returns when
//! to be called again. Nothing in it blocks.

mod commands;
mod drawing;
mod input;
mod scene;

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use egui::ColorImage;
use winit::event_loop::ActiveEventLoop;

use super::Options;
use super::channels::SceneChannels;
use super::devices::{Devices, Opening, more_informative};
use super::graphics::Graphics;
use super::host::HostWindow;
use super::loader::LoadedScene;
use super::loading::LoadingProgress;
use super::platform::{self, RealTime, Reports, Tasks};
use super::previews::Previews;
use super::recording::RecordingFile;
use super::scene_size::SceneSize;
use super::sound::Sound;
use super::source::SceneSource;
use super::start::OpenedFile;
use super::ui::OverlayState;
use super::video::{CaptureSettings, VideoExport};
use crate::message::Progress;
use tarsus_player::live::{self, FrameTiming, Pacing};

/// Time limit for closing the window.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

/// Time limit for closing the window while files are being written.
const CLOSE_WITH_FILES_TIMEOUT: Duration = Duration::from_secs(10);

/// The live engine with the channels of the window.
pub(super) type Engine = live::Engine<SceneChannels>;

/// An open window and its state.
pub(super) struct Viewer {
    // Field order is drop order: devices, surface and engine before the window, and last
    // the tasks, which may still use either and are waited for.
    devices: Devices,
    engine: Engine,
    window: HostWindow,
    time: RealTime,
    source: SceneSource,
    /// True if the scene is to be loaded once the GPU is free.
    is_load_due: bool,
    /// A scene that is loaded but not shown yet.
    loaded_scene: Option<LoadedScene>,
    /// Progress of the scene being prepared.
    loading: LoadingProgress,
    scene_size: SceneSize,
    ui: OverlayState,
    /// Number of screenshots being written.
    unwritten_screenshots: u32,
    /// The file of the running recording.
    recording: Option<RecordingFile>,
    /// Settings of captures, and of screenshots.
    capture: CaptureSettings,
    /// The running export of a video.
    video: Option<VideoExport>,
    /// Pictures for the grid.
    previews: Previews,
    sound: Sound,
    /// Set once the program should end, with the error that ends it, if any.
    pub(super) end: Option<Result<()>>,
    tasks: Tasks,
}

/// Opening and closing.
impl Viewer {
    /// Opens a window and starts opening a device.
    ///
    /// # Errors
    /// If the system cannot open a window.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        options: Options,
        reports: Reports,
    ) -> Result<Self> {
        let own_size = options.start.opened.as_ref().and_then(OpenedFile::size);
        let window = HostWindow::open(event_loop, options.size.or(own_size))?;
        let source = SceneSource::new(&options, reports.clone());
        let mut tasks = Tasks::new(reports);
        source.warm_up(&options.start.scene, &mut tasks);
        let devices = Devices::new(&window.handle, options.capture.gpu.clone());
        let session = options.start.into_session(false);
        let pacing = Pacing::new(options.scale, options.fps);
        let mut engine = Engine::new(session, pacing, FrameTiming::Timer);
        engine.set_rewind_budget(options.rewind_memory);
        engine.resize(window.size);
        let mut viewer = Self {
            devices,
            engine,
            window,
            time: RealTime::start(),
            source,
            is_load_due: false,
            loaded_scene: None,
            loading: LoadingProgress::default(),
            scene_size: SceneSize::new(options.size),
            ui: OverlayState::new(),
            unwritten_screenshots: 0,
            recording: None,
            capture: options.capture,
            video: None,
            previews: Previews::default(),
            sound: Sound::default(),
            end: None,
            tasks,
        };
        viewer.open_device(None);
        Ok(viewer)
    }

    /// Closes the window within seconds, even if the GPU is stuck in an endless picture.
    /// Saves the running recording. Returns the error that ended the window, if any.
    pub(super) fn close(mut self) -> Result<()> {
        self.window.handle.set_visible(false);
        self.video = None;
        self.previews.running = None;
        let has_recording = self.save_recording();
        let timeout = match self.unsaved_screenshots() {
            0 if !has_recording => CLOSE_TIMEOUT,
            _ => CLOSE_WITH_FILES_TIMEOUT,
        };
        let end = self.end.take().unwrap_or(Ok(()));
        let failure = end.as_ref().err().map(|error| format!("{error:#}"));
        platform::end_after(timeout, failure.clone());
        let is_stuck = self.devices.blocks_exit(&self.engine, self.time.now());
        self.tasks.wait();
        if is_stuck {
            platform::end(failure.as_deref());
        }
        end
    }

    /// Starts opening a device; `reason` is shown if it replaces another.
    fn open_device(&mut self, reason: Option<&'static str>) {
        self.loading.clear();
        self.sound.stop();
        self.source.is_loading = false;
        // The old surface must be dropped before the window can have a new one.
        self.devices.close(&mut self.engine, self.time.now());
        self.try_next_backend(Opening::new(reason, &self.devices.options));
    }

    /// Continues to open a device, or ends the program if no backend is left.
    fn try_next_backend(&mut self, opening: Opening) {
        if let Err(error) = self.devices.try_next_backend(opening, &mut self.tasks) {
            self.end = Some(Err(error));
        }
    }

    /// Handles the result of an attempt to open a device.
    pub(super) fn device_opened(&mut self, mut opening: Opening, result: Result<Graphics>) {
        match result {
            Ok(graphics) => {
                self.devices.adopt(graphics, &mut self.engine);
                self.resize_surface();
                if let Some(reason) = opening.reason {
                    self.show_message(reason);
                }
                self.load();
            }
            Err(error) => {
                opening.failure = more_informative(opening.failure, error);
                self.try_next_backend(opening);
            }
        }
    }
}

/// Reports of tasks.
impl Viewer {
    /// A file of the scene has changed.
    pub(super) fn files_changed(&mut self) {
        self.source.files_changed(self.time.now());
    }

    /// A screenshot was written, or writing failed.
    pub(super) fn screenshot_saved(&mut self, message: String) {
        self.unwritten_screenshots -= 1;
        self.show_result(message);
    }

    /// A scene was opened in the editor, perhaps as a `copy`, or opening failed.
    pub(super) fn edited(&mut self, copy: Option<&Path>, message: String) {
        if let Some(copy) = copy {
            self.continue_in(copy.display().to_string());
        }
        self.show_result(message);
    }

    /// A video export has progressed.
    pub(super) fn show_video_progress(&mut self, progress: &Progress) {
        if let Some(video) = &mut self.video {
            video.progress = format!("film: {progress}");
        }
    }

    /// A video export has ended.
    pub(super) fn video_ended(&mut self, message: String) {
        self.video = None;
        self.show_result(message);
    }

    /// The picture of a scene for the grid was drawn, or cannot be.
    pub(super) fn preview_finished(&mut self, scene: String, picture: Option<ColorImage>) {
        self.previews.finish(scene, picture);
        self.ui.redraw = true;
        self.draw_preview();
    }

    pub(super) fn show_message(&mut self, text: impl Into<String>) {
        self.ui.show_message(self.time.now(), text);
    }

    pub(super) fn show_result(&mut self, text: impl Into<String>) {
        self.ui.show_result(self.time.now(), text);
    }
}
