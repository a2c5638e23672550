//! The open window, which connects all other parts.
//!
//! [`Viewer::window_event`] handles user input, [`Viewer::user_event`] handles task
//! reports, and [`Viewer::advance`] drives the rest: it finishes GPU work, starts the next
//! piece and returns when to be called again. Nothing in it blocks.

mod commands;
mod drawing;
mod dropping;
mod input;
mod scene;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Error, Result};
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};

use super::channels::Replacements;
use super::device::DeviceResources;
use super::dropped::DroppedFile;
use super::editing::Edited;
use super::event::{UserEvent, sender};
use super::host::HostWindow;
use super::keys::Modifiers;
use super::opening::{DeviceOpener, DeviceState, Opened};
use super::options::Options;
use super::platform::{self, Instant, RealTime, Sender, Tasks};
use super::saves::{SaveResult, Saves};
use super::scenes::SceneList;
use super::sound::Sound;
use super::source::SceneSource;
use super::start::{OpenedPicture, Start};
use super::ui::Ui;
use super::video::{CaptureSettings, VideoExporter, VideoReport};
use tarsus_player::Session;
use tarsus_player::live::{Pacing, Pointer};
use tarsus_shader::{DebugView, Library};

/// Seconds that an outdated picture may take before its device is abandoned.
const PATIENCE: f64 = 3.0;

/// Maximum number of abandoned devices that are still rendering, each of which holds memory
/// and processors.
const MOST_GIVEN_UP: usize = 4;

/// Time limit for closing the window.
const GRACE: Duration = Duration::from_secs(3);

/// Time limit for closing the window while files are being written.
const GRACE_OF_FILES: Duration = Duration::from_secs(10);

/// Time of the next call to [`Viewer::advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// On the next event.
    Event,
    /// At this time at the latest.
    At(Instant),
}

/// An open window and its state.
pub(super) struct Viewer {
    // Field order is drop order: device and surface before the window, and last the tasks,
    // which may still use either and are waited for.
    device: DeviceState,
    opener: DeviceOpener,
    window: HostWindow,
    time: RealTime,
    session: Session,
    /// GPU memory for rewinding, in bytes.
    rewind_memory: u64,
    /// Replacement files for the scene's channels.
    replacements: Replacements,
    source: SceneSource,
    scenes: SceneList,
    /// Requested debug view.
    lens: Option<DebugView>,
    /// The opened picture, until its scene is loaded.
    picture: Option<OpenedPicture>,
    library: Library,
    pacing: Pacing,
    ui: Ui,
    pointer: Pointer,
    drop: Option<DroppedFile>,
    modifiers: Modifiers,
    saves: Saves,
    sound: Sound,
    videos: VideoExporter,
    edited: Sender<Edited>,
    /// True if the picture being rendered is outdated, because another scene or device was
    /// requested.
    is_outdated: bool,
    /// Abandoned devices that are still rendering.
    given_up: Vec<DeviceResources>,
    quit: bool,
    tasks: Tasks,
}

/// Opening, suspending, closing.
impl Viewer {
    /// Opens a window without a device; [`Self::resume`] starts opening one.
    ///
    /// # Errors
    /// If the system cannot open a window.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        options: Options,
        events: &EventLoopProxy<UserEvent>,
    ) -> Result<Self> {
        let window = HostWindow::open(event_loop, options.size.or(options.start.size()))?;
        let capture = CaptureSettings {
            program: options.program,
            library: options.library.clone(),
            gpu: options.gpu.clone(),
        };
        let opener = DeviceOpener::new(
            Arc::clone(&window.handle),
            event_loop.owned_display_handle(),
            options.gpu,
            sender(events, |opened| UserEvent::DeviceOpened(Box::new(opened))),
        );
        let mut scenes = SceneList::builtin();
        scenes.add(&options.start.scene);
        let source = SceneSource::new(
            options.library.clone(),
            sender(events, |report| UserEvent::Loaded(Box::new(report))),
            sender(events, |()| UserEvent::FilesChanged),
        );
        let mut tasks = Tasks::default();
        source.warm_up(&options.start.scene, &mut tasks);
        let (lens, picture) = (options.start.lens(None), options.start.opened());
        let mut session = options.start.into_session(false);
        session.rewind_mut().set_budget(options.rewind_memory);
        Ok(Self {
            device: DeviceState::Suspended,
            opener,
            window,
            time: RealTime::start(),
            lens,
            picture,
            library: options.library,
            session,
            rewind_memory: options.rewind_memory,
            replacements: options.channels,
            source,
            scenes,
            pacing: Pacing::new(options.scale, options.fps),
            ui: Ui::new(),
            pointer: Pointer::default(),
            drop: None,
            modifiers: Modifiers::default(),
            saves: Saves::new(options.folder, sender(events, UserEvent::Saved)),
            sound: Sound::new(sender(events, UserEvent::Sound)),
            videos: VideoExporter::new(capture, sender(events, UserEvent::Video)),
            edited: sender(events, UserEvent::Edited),
            is_outdated: false,
            given_up: Vec::new(),
            quit: false,
            tasks,
        })
    }

    /// Starts opening a device, replacing any existing one, because the window may have a
    /// surface now.
    ///
    /// # Errors
    /// If no backend has a surface for the window.
    pub(super) fn resume(&mut self) -> Result<()> {
        self.open_device(None)
    }

    /// Drops the device, because the system takes the surface away.
    pub(super) fn suspend(&mut self) {
        self.drop_device();
    }

    /// Closes the window within seconds, even if the GPU is stuck in an endless picture.
    /// Saves the running recording. `failure` is the error that ended the window, if any.
    pub(super) fn close(mut self, failure: Option<&Error>) {
        self.window.handle.set_visible(false);
        self.videos.cancel();
        self.save_recording();
        let grace = match self.saves.waiting() {
            Some(_) => GRACE_OF_FILES,
            None => GRACE,
        };
        let failure = failure.map(|error| format!("{error:#}"));
        platform::end_after(grace, failure.clone());
        let is_stuck = self.is_stuck() || !self.given_up.is_empty();
        drop(std::mem::take(&mut self.tasks));
        if is_stuck {
            platform::end(failure.as_deref());
        }
    }

    /// True once the program should end.
    pub(super) fn wants_to_quit(&self) -> bool {
        self.quit
    }

    /// Starts opening a device; `replaces` is the reason if it replaces another.
    fn open_device(&mut self, replaces: Option<&'static str>) -> Result<()> {
        // The old surface must be dropped before the window can have a new one.
        self.drop_device();
        self.device = self.opener.begin(replaces, &mut self.tasks)?;
        Ok(())
    }

    fn drop_device(&mut self) {
        let is_stuck = self.is_stuck();
        let unfinished = self
            .device
            .ready_mut()
            .and_then(|device| device.canvas.take_screenshot());
        if let Some(screenshot) = unfinished {
            self.saves.retake(&screenshot);
        }
        self.ui.compiling.failed();
        self.sound.stop();
        self.is_outdated = false;
        let device = std::mem::replace(&mut self.device, DeviceState::Suspended);
        if is_stuck && let DeviceState::Ready(device) = device {
            // Dropping the device would wait for the picture.
            self.given_up.push(*device);
        }
    }

    /// Drops abandoned devices that have finished their picture after all.
    fn free_given_up(&mut self, now: f64) {
        self.given_up.retain_mut(|device| {
            let gpu = &device.graphics.gpu;
            // Errors of an abandoned device are irrelevant.
            let _ = gpu.device.poll(wgpu::PollType::Poll);
            !gpu.is_lost() && device.canvas.finish(gpu, now).is_none()
        });
    }

    /// True if the GPU has been busy with one picture for so long that a new device is the
    /// faster way to the next picture, and not too many devices have been abandoned.
    fn is_stuck(&self) -> bool {
        let device = self.device.ready();
        let since = device.and_then(|device| device.canvas.busy_since());
        since.is_some_and(|since| self.time.now() - since > PATIENCE)
            && self.given_up.len() < MOST_GIVEN_UP
    }

    fn device_opened(&mut self, opened: Opened) -> Result<()> {
        let opening = match std::mem::replace(&mut self.device, DeviceState::Suspended) {
            DeviceState::Opening(opening) => opening,
            other => {
                self.device = other;
                return Ok(());
            }
        };
        let replaces_lost = opening.replaces();
        self.device = self.opener.opened(opening, opened, &mut self.tasks)?;
        let Some(device) = self.device.ready_mut() else {
            return Ok(());
        };
        device.graphics.resize(self.window.size());
        self.pacing.use_adapter(device.graphics.gpu.is_software());
        if let Some(reason) = replaces_lost {
            self.say(reason);
        }
        self.load();
        self.changed();
        Ok(())
    }
}

/// Reports of tasks.
impl Viewer {
    /// Handles a report of a task or of the file watcher.
    ///
    /// # Errors
    /// If no device can be opened.
    pub(super) fn user_event(&mut self, event: UserEvent) -> Result<()> {
        match event {
            UserEvent::DeviceOpened(opened) => return self.device_opened(*opened),
            UserEvent::Loaded(report) => self.loaded(*report),
            UserEvent::FilesChanged => self.source.files_changed(self.time.now()),
            UserEvent::Saved(SaveResult {
                name,
                message,
                is_screenshot,
            }) => {
                match is_screenshot {
                    true => self.saves.screenshot_finished(&name),
                    false => self.saves.release_name(&name),
                }
                self.say(message);
            }
            UserEvent::Edited(Edited { copy, message }) => {
                if let Some(copy) = copy {
                    self.open_file(Start::scene(copy.display().to_string()));
                }
                self.say(message);
            }
            UserEvent::Sound(message) => self.say(message),
            UserEvent::Video(VideoReport::Progress(progress)) => {
                self.videos.set_progress(progress);
                self.ui.redraw = true;
            }
            UserEvent::Video(VideoReport::Ended(message, names)) => {
                names.iter().for_each(|name| self.saves.release_name(name));
                self.videos.finish();
                self.say(message);
            }
        }
        Ok(())
    }

    fn say(&mut self, text: impl Into<String>) {
        self.ui.say(self.time.now(), text);
    }

    /// Marks the picture as changed, which restarts the still.
    fn changed(&mut self) {
        self.pacing.changed(self.time.now());
        self.ui.redraw = true;
    }

    /// Size of the picture in physical pixels.
    fn size(&self) -> (u32, u32) {
        let size = match self.device.ready() {
            Some(device) => device.graphics.size(),
            None => self.window.size(),
        };
        (size.0.max(1), size.1.max(1))
    }
}
