//! The live engine: plays a session on a device. Window and page are adapters around it
//! that own a surface, convert input events and have a user interface.

mod presenting;

use std::collections::VecDeque;
use std::sync::Arc;

use super::canvas::{Canvas, GpuWork, LivePicture, SAMPLES, Submission};
use super::pacing::{POLL_INTERVAL, Pacing};
use super::pass_times::PassTimes;
use super::pointer::{Pointer, PointerContext, PointerEvent};
use super::probe::Probe;
use super::scale::scaled;
use super::scene::{LiveChannels, LiveScene};
use super::schedule::{FrameTiming, NextWake, Situation, Step, next_step, presents_at_submission};
use super::screenshot::{PendingScreenshot, Screenshot};
use super::tiles::Tiles;
use super::upscale::Upscaler;
use crate::timeline::{Event, Timeline};
use crate::{BufferState, Session, Snapshot};
use tarsus_render::{Checkpoint, Gpu, RenderError};

/// Delay that nobody notices, in seconds.
const SOON: f64 = 0.05;

/// An input event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputEvent {
    /// An event of a mouse or a touch screen.
    Pointer(PointerEvent),
    /// An event of a mouse or a touch screen that a user interface on top of the picture
    /// consumed.
    ConsumedPointer(PointerEvent),
    /// A key went down, by JavaScript code.
    KeyDown(u8),
    /// A key came up.
    KeyUp(u8),
    /// The picture lost the focus: everything that is held is released.
    FocusLost,
}

/// Time of a call to [`Engine::update`].
#[derive(Clone, Copy, Debug)]
pub struct Tick {
    /// Real time, in seconds.
    pub now: f64,
    /// Shadertoy's `iDate`: year, month from 0, day, seconds since midnight.
    pub date: [f64; 4],
    /// Refresh rate of the screen in hertz, if known.
    pub refresh_rate: Option<f64>,
    /// False if nothing that is presented can be seen.
    pub is_visible: bool,
}

/// Outcome of a call to [`Engine::update`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// When to call again.
    pub wake: NextWake,
    /// True if the call has started a frame.
    pub is_new_frame: bool,
}

/// Progress of the picture, and of the work on the GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Status {
    /// True once a picture of the scene is finished.
    pub is_drawn: bool,
    /// True if the latest picture is that of the current frame.
    pub is_current: bool,
    /// Number of samples of the still, or 0 while the live picture is shown.
    pub samples: u32,
    /// Size of the latest picture in pixels, if there is one.
    pub picture_size: Option<(u32, u32)>,
    /// Real time at which the live picture that is being drawn was begun, if there is one.
    pub picture_since: Option<f64>,
    /// Work that the GPU has not finished, if it is busy.
    pub work: Option<GpuWork>,
    /// True if submitting now, as for presenting, does not block on the scene.
    pub can_submit: bool,
}

/// GPU resources of the engine; recreated with the device.
pub struct DeviceState<C> {
    /// The device.
    pub gpu: Arc<Gpu>,
    /// The scene, once it is loaded.
    pub scene: Option<LiveScene<C>>,
    upscaler: Upscaler,
    canvas: Canvas,
    tiles: Tiles,
    /// Reads values under the pointer.
    probe: Probe,
    pass_times: PassTimes,
    /// Number of samples of the picture on the surface; `None` if it or the interface is
    /// outdated.
    presented: Option<u32>,
}

/// Plays a session on a device, independent of the window or page that presents it.
///
/// On a software renderer, everything that submits, such as [`Self::show`], [`Self::present`] and
/// [`Self::probe`], waits for unfinished work, perhaps forever, unless [`Status::can_submit`].
pub struct Engine<C> {
    /// Time, input, parameters and the frames of the last seconds.
    pub session: Session,
    /// Frame rate and render scale.
    pub pacing: Pacing,
    /// Index of the buffer or channel shown instead of the picture.
    full_size: Option<usize>,
    timing: FrameTiming,
    pointer: Pointer,
    /// Size of the surface, and of stills and screenshots, in physical pixels.
    size: (u32, u32),
    /// Number of requested screenshots that are not finished.
    screenshots_due: u32,
    screenshots: VecDeque<Result<Screenshot, RenderError>>,
    device: Option<DeviceState<C>>,
}

/// Device, size and scene.
impl<C: LiveChannels> Engine<C> {
    /// Creates an engine without a device.
    pub fn new(session: Session, pacing: Pacing, timing: FrameTiming) -> Self {
        Self {
            session,
            pacing,
            full_size: None,
            timing,
            pointer: Pointer::default(),
            size: (1, 1),
            screenshots_due: 0,
            screenshots: VecDeque::new(),
            device: None,
        }
    }

    /// Draws on a device from now on, for surfaces of `format`. The scene has to be loaded
    /// again.
    pub fn open_device(&mut self, gpu: Arc<Gpu>, format: wgpu::TextureFormat, is_software: bool) {
        self.pacing.set_software(is_software);
        self.device = Some(DeviceState {
            upscaler: Upscaler::new(&gpu, format),
            gpu,
            scene: None,
            canvas: Canvas::new(is_software),
            tiles: Tiles::default(),
            probe: Probe::default(),
            pass_times: PassTimes::default(),
            presented: None,
        });
    }

    /// Detaches the device and returns its resources. An unfinished screenshot is drawn
    /// again on the next device.
    pub fn close_device(&mut self) -> Option<DeviceState<C>> {
        self.session.rewind_mut().drop_checkpoints();
        self.device.take()
    }

    /// The device and the scene on it.
    pub fn device(&self) -> Option<&DeviceState<C>> {
        self.device.as_ref()
    }

    /// The scene, once it is loaded.
    pub fn scene(&self) -> Option<&LiveScene<C>> {
        self.device.as_ref()?.scene.as_ref()
    }

    /// The scene, once it is loaded, with mutable channels.
    pub fn scene_mut(&mut self) -> Option<&mut LiveScene<C>> {
        self.device.as_mut()?.scene.as_mut()
    }

    /// Adapts to the size of the surface, in physical pixels.
    pub fn resize(&mut self, (width, height): (u32, u32)) {
        let size = (width.max(1), height.max(1));
        if size != self.size {
            self.size = size;
            self.session.request_frame();
        }
    }

    /// Size of the surface, and of stills and screenshots, in physical pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Size of the live picture as seen by the scene. A scene with buffers sees the size of the
    /// surface, so that its state depends neither on the speed of the GPU nor on the scale.
    fn live_size(&self) -> (u32, u32) {
        if self.has_buffers() { self.size } else { scaled(self.size, self.pacing.scale.scale()) }
    }

    /// True if the scene has buffers.
    pub fn has_buffers(&self) -> bool {
        self.scene().is_some_and(|scene| scene.renderer.has_state())
    }

    /// Sets the GPU memory for rewinding scenes with buffers, in bytes.
    pub fn set_rewind_budget(&mut self, budget: u64) {
        self.session.rewind_mut().budget = budget;
    }

    /// Replaces the session. The new one keeps the GPU memory for rewinding.
    fn set_session(&mut self, mut session: Session) {
        session.rewind_mut().budget = self.session.rewind().budget;
        self.session = session;
    }

    /// Starts another session with the scene on the device, if there is one, whose buffers
    /// are emptied.
    pub fn restart_with(&mut self, session: Session) {
        self.set_session(session);
        if let Some(device) = &mut self.device {
            device.canvas.clear();
            if let Some(scene) = &mut device.scene {
                scene.reset(&mut self.session);
            }
        }
    }

    /// Starts another session, whose scene is yet to be loaded, and shows nothing until
    /// then.
    pub fn open(&mut self, session: Session) {
        self.set_session(session);
        self.full_size = None;
        if let Some(device) = &mut self.device {
            device.canvas.clear();
            device.scene = None;
        }
    }

    /// Replaces the scene by a loaded one. The last picture stays on the surface until
    /// the first one of the new scene is drawn. The buffers start from `restored`, or else
    /// continue from those of the previous scene. Returns the resulting state.
    pub fn show(&mut self, scene: LiveScene<C>, restored: Option<&Checkpoint>) -> BufferState {
        let Some(device) = &mut self.device else {
            return BufferState::None;
        };
        let old = device.scene.take();
        let scene = device.scene.insert(scene);
        let state = scene.adopt_buffers(&device.gpu, old.as_ref(), restored, &mut self.session);
        device.pass_times = PassTimes::new(&device.gpu, &scene.renderer);
        device.canvas.abandon_picture();
        self.pacing.scale.reset();
        state
    }
}

/// Input.
impl<C: LiveChannels> Engine<C> {
    /// Handles an input event at real time `now`, in seconds.
    pub fn handle(&mut self, now: f64, event: InputEvent) {
        self.pacing.record_change(now);
        let (event, is_consumed) = match event {
            InputEvent::Pointer(event) => (event, false),
            InputEvent::ConsumedPointer(event) => (event, true),
            InputEvent::KeyDown(code) => return self.session.event(now, Event::KeyDown(code)),
            InputEvent::KeyUp(code) => return self.session.event(now, Event::KeyUp(code)),
            InputEvent::FocusLost => {
                self.pointer.release_all();
                return self.session.release_all(now);
            }
        };
        let (width, height) = self.size;
        let context = PointerContext {
            is_held: self.session.is_held(),
            orbit: self.session.orbit(),
            aspect: f64::from(width) / f64::from(height),
            is_consumed,
            is_paused: self.session.clock.is_paused(),
        };
        for event in self.pointer.handle(event, context) {
            self.session.event(now, event);
        }
    }

    /// Starts a recording at the current frame. Returns true if it starts with the
    /// [buffer state](Self::checkpoint), false if the buffers are empty, not ready, or of
    /// another size than the surface.
    pub fn start_recording(&mut self, now: f64) -> bool {
        self.session.start_recording(now, self.size);
        let rewind = self.session.rewind();
        let current = rewind.get(rewind.position());
        self.has_buffers()
            && !rewind.is_behind()
            && current.is_some_and(|frame| frame.size == self.size)
    }

    /// Copies the buffer state.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        let device = self.device.as_ref()?;
        let renderer = &device.scene.as_ref()?.renderer;
        device.gpu.submit(|encoder| renderer.checkpoint(encoder))
    }

    /// Returns the last seconds of play as a recording, with the buffer state at its start
    /// unless the buffers are empty there.
    pub fn last_seconds(&self) -> Option<(Timeline, Option<Checkpoint>)> {
        let (number, timeline) = self.session.history_timeline(self.size)?;
        let checkpoint = self.session.rewind().checkpoint(number);
        Some((timeline, checkpoint.filter(|state| state.size() == self.size).cloned()))
    }

    /// Requests a screenshot of the current frame; [`Self::take_screenshot`] returns it.
    pub fn request_screenshot(&mut self) {
        self.screenshots_due = self.screenshots_due.saturating_add(1);
    }

    /// Takes the oldest finished screenshot, or the reason why it failed.
    pub fn take_screenshot(&mut self) -> Option<Result<Screenshot, RenderError>> {
        self.screenshots.pop_front()
    }

    /// Number of requested screenshots that are not finished.
    pub fn screenshots_due(&self) -> u32 {
        self.screenshots_due
    }

    /// Returns the snapshot of the current frame.
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = self.session.snapshot(self.size);
        if let Some(scene) = self.scene() {
            snapshot.debug_view = scene.debug_view;
            snapshot.hash.clone_from(&scene.program.hash);
            snapshot.files.clone_from(&scene.files);
        }
        snapshot
    }
}

/// Scheduling of the GPU's work.
impl<C: LiveChannels> Engine<C> {
    /// Handles finished work and starts the next piece.
    pub fn update(&mut self, tick: &Tick) -> Update {
        let now = tick.now;
        self.pacing.set_refresh_rate(tick.refresh_rate);
        let is_busy = self.finish(now);
        let busy = NextWake::At(now + POLL_INTERVAL);
        let wait = |wake| Update { wake, is_new_frame: false };
        if !tick.is_visible {
            return wait(if is_busy { busy } else { NextWake::Input });
        }
        let step = self.next_step(now);
        match step {
            Step::Wait(wake) => return wait(wake),
            Step::StartFrame => {
                self.start_frame(tick);
                self.draw(now);
            }
            Step::Draw => self.draw(now),
            Step::Screenshot => self.begin_screenshot(now),
            Step::Refine => return wait(self.refine(now)),
        }
        let wake = match self.next_step(now) {
            Step::Wait(wake) => wake,
            _ => busy,
        };
        Update { wake, is_new_frame: step == Step::StartFrame }
    }

    fn next_step(&self, now: f64) -> Step {
        match self.situation() {
            Some(situation) => next_step(now, self.timing, &self.pacing, &situation),
            None => Step::Wait(NextWake::Input),
        }
    }

    /// The facts that decide the next step; `None` without a working device.
    fn situation(&self) -> Option<Situation> {
        let device = self.device.as_ref().filter(|device| !device.gpu.is_lost())?;
        Some(Situation {
            unfinished: device.canvas.unfinished(),
            needs_present: device.presented.is_none(),
            has_scene: device.scene.is_some(),
            is_frame_open: self.is_frame_open(),
            needs_screenshot: self.screenshots_due > 0
                && !device.canvas.is_drawing_screenshot()
                && !self.session.is_stale(),
            needs_frame: self.session.needs_frame(),
        })
    }

    /// Returns true if a frame was started whose buffers or picture are not yet submitted.
    fn is_frame_open(&self) -> bool {
        let device = self.device.as_ref();
        device.is_some_and(|device| device.canvas.needs_picture())
            || self.session.rewind().is_behind()
    }

    /// Handles finished work. Returns true while the GPU is busy.
    pub fn finish(&mut self, now: f64) -> bool {
        let Some(device) = &mut self.device else {
            return false;
        };
        // Finished work and device loss are only reported when polling. A polling error
        // shows up as a lost device.
        let _ = device.gpu.device.poll(wgpu::PollType::Poll);
        if device.gpu.is_lost() {
            return false;
        }
        let is_measured = device.tiles.take_measurements();
        if device.probe.take() || is_measured {
            device.presented = None;
        }
        while let Some(work) = self.device.as_mut().and_then(|device| device.canvas.finish(now)) {
            self.handle_completed(now, work);
        }
        self.status().work.is_some()
    }

    fn handle_completed(&mut self, now: f64, work: Submission) {
        let Some(device) = &mut self.device else {
            return;
        };
        let needs_present = match work {
            Submission::Live { is_last: true, picture, .. } => {
                let LivePicture { times, scale, is_timed, follows_timed, .. } = picture;
                let timed = is_timed.then(|| device.pass_times.finish(&device.gpu));
                let times = match timed.flatten() {
                    _ if self.pacing.is_software() => Some(times),
                    Some(gpu_times) => Some(gpu_times),
                    // The GPU time of the picture before it is more exact.
                    None => (!follows_timed).then_some(times),
                };
                let is_first = device
                    .scene
                    .as_mut()
                    .is_some_and(|scene| !std::mem::replace(&mut scene.is_drawn, true));
                if let Some(times) = times {
                    self.pacing.record_scene_ms(now, times.picture, scale, !is_first);
                    if !is_first {
                        self.pacing.record_buffers_ms(times.buffers);
                    }
                }
                !presents_at_submission(self.timing, &self.pacing)
            }
            Submission::Live { .. } | Submission::Buffers | Submission::Outdated => false,
            Submission::Advance(_) => self.session.rewind().is_behind(),
            Submission::Band(_) => device.presented != Some(device.canvas.samples()),
            Submission::Screenshot(pending) => {
                let finished = pending.finish(&device.gpu);
                return self.finish_screenshot(finished);
            }
        };
        if needs_present {
            device.presented = None;
        }
    }

    fn finish_screenshot(&mut self, finished: Result<Screenshot, RenderError>) {
        self.screenshots_due = self.screenshots_due.saturating_sub(1);
        self.screenshots.push_back(finished);
    }

    /// Starts the session's next frame, with the next advance of its buffers.
    fn start_frame(&mut self, tick: &Tick) {
        let now = tick.now;
        if !self.session.clock.is_paused()
            && let Some(event) = self.pointer.resume()
        {
            self.session.event(now, event);
        }
        self.session.start_frame(now, tick.date, self.live_size());
        let is_running = !self.session.clock.is_paused();
        if let Some(fps) = self.pacing.record_frame(now, is_running) {
            self.session.set_frame_rate(fps);
        }
        let Some(DeviceState { gpu, scene: Some(scene), canvas, pass_times, .. }) =
            &mut self.device
        else {
            return;
        };
        canvas.start_frame();
        let is_ready = scene.is_ready(&self.session, now);
        let rewind = self.session.rewind_mut();
        let is_behind = rewind.is_behind();
        // While time stands still, the same frame is drawn without an advance.
        let is_new = is_behind || !rewind.has_buffers();
        let timestamps = is_new.then(|| pass_times.begin()).flatten();
        if is_ready && is_behind {
            gpu.submit(|encoder| scene.advance_buffers(encoder, rewind, 1, timestamps, now));
            canvas.track(gpu, Submission::Buffers, now);
        }
    }

    /// Draws the current frame once its channels and buffers are ready. Until then, this
    /// advances the buffers.
    fn draw(&mut self, now: f64) {
        let live_size = self.live_size();
        let Some(DeviceState { gpu, scene: Some(scene), canvas, pass_times, presented, .. }) =
            &mut self.device
        else {
            return;
        };
        if !scene.is_ready(&self.session, now) {
            return pass_times.cancel();
        }
        let rewind = self.session.rewind_mut();
        if rewind.is_behind() {
            pass_times.cancel();
            let frames = canvas.frames_to_advance();
            gpu.submit(|encoder| scene.advance_buffers(encoder, rewind, frames, None, now));
            return canvas.track(gpu, Submission::Advance(frames), now);
        }
        if canvas.is_picture_due() {
            scene.upload_channels(gpu, self.session.frame_state().time);
            let inputs = scene.inputs(&self.session, live_size);
            let scale = self.pacing.scale.scale();
            let follows_timed = pass_times.is_pending();
            let size = scaled(self.size, scale);
            canvas.begin_picture(gpu, inputs, size, scale, now, follows_timed);
        }
        if !canvas.draw_band(gpu, &mut scene.renderer, pass_times.current(), now) {
            return pass_times.cancel();
        }
        pass_times.submitted();
        if presents_at_submission(self.timing, &self.pacing) {
            *presented = None;
        }
    }

    /// Refines the still of the current frame, once nothing has changed for a while.
    fn refine(&mut self, now: f64) -> NextWake {
        let (size, settled) = (self.size, self.pacing.settled_at());
        let Some(device) = &mut self.device else {
            return NextWake::Input;
        };
        if device.canvas.samples() < SAMPLES
            && let Some(scene) = &mut device.scene
        {
            if now < settled {
                return NextWake::At(settled);
            }
            let inputs = scene.inputs(&self.session, size);
            device.canvas.refine(&device.gpu, &mut scene.renderer, &inputs, now);
            return NextWake::At(now + POLL_INTERVAL);
        }
        if device.is_reading() { NextWake::At(now + POLL_INTERVAL) } else { NextWake::Input }
    }

    /// Draws the current frame once more for a screenshot.
    fn begin_screenshot(&mut self, now: f64) {
        let (size, snapshot) = (self.size, self.snapshot());
        let Some(device) = &mut self.device else {
            return;
        };
        let Some(scene) = &mut device.scene else {
            return;
        };
        let inputs = scene.inputs(&self.session, size);
        match PendingScreenshot::submit(&device.gpu, scene, snapshot, inputs) {
            Ok(pending) => {
                device.canvas.track(&device.gpu, Submission::Screenshot(Box::new(pending)), now);
            }
            Err(error) => self.finish_screenshot(Err(error)),
        }
    }

    /// Returns true if the interface on top of the picture should be drawn with the next
    /// frame instead of at once: either the picture changes with it, or the scene runs so
    /// fast that nobody notices the difference. Drawing it at once would present the older
    /// picture again, which delays the next one.
    pub fn is_about_to_draw(&self, now: f64) -> bool {
        self.scene().is_some_and(|scene| scene.is_drawn)
            && !self.is_frame_open()
            && self.session.needs_frame()
            && (self.session.is_stale() || self.pacing.frame_ms() < SOON * 1e3)
            && self.pacing.next_frame() < now + SOON
    }
}

/// Status.
impl<C: LiveChannels> Engine<C> {
    /// Returns true once the device is lost and has to be opened again.
    pub fn is_lost(&self) -> bool {
        self.device.as_ref().is_some_and(|device| device.gpu.is_lost())
    }

    /// Progress of the picture, and of the work on the GPU.
    pub fn status(&self) -> Status {
        let canvas = self.device.as_ref().map(|device| &device.canvas);
        let work = canvas.and_then(Canvas::current_work);
        let is_drawn = self.scene().is_some_and(|scene| scene.is_drawn);
        let picture = canvas.and_then(Canvas::picture);
        Status {
            is_drawn,
            is_current: is_drawn && !self.session.needs_frame() && !self.is_frame_open(),
            samples: canvas.map_or(0, Canvas::samples),
            picture_size: picture.map(|picture| (picture.width(), picture.height())),
            picture_since: canvas.and_then(Canvas::picture_since),
            can_submit: work.is_none() || presents_at_submission(self.timing, &self.pacing),
            work,
        }
    }

    /// Describes the GPU times of the scene's passes, if the device measures them.
    pub fn pass_times(&self) -> Option<String> {
        self.device.as_ref()?.pass_times.describe()
    }

    /// Returns true if the scene is loaded and reads the pointer.
    pub fn reads_pointer(&self) -> bool {
        let scene = self.scene();
        scene.is_some_and(|scene| scene.program.reads_pointer())
    }

    /// Returns true if the scene is loaded and reads the keyboard.
    pub fn reads_keyboard(&self) -> bool {
        let scene = self.scene();
        scene.is_some_and(|scene| scene.program.reads_keyboard())
    }

    /// Takes the first error that the device has reported since the last call.
    pub fn take_error(&self) -> Option<String> {
        self.device.as_ref()?.gpu.take_error()
    }
}

impl<C> DeviceState<C> {
    /// Returns true while values of textures are being read back.
    fn is_reading(&self) -> bool {
        self.tiles.is_measuring() || self.probe.is_reading()
    }

    /// Returns true once the GPU has finished its work, or is lost. For a device that was
    /// abandoned while it was busy.
    pub fn is_finished(&mut self, now: f64) -> bool {
        // Errors of an abandoned device are irrelevant.
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
        while self.canvas.finish(now).is_some() {}
        self.gpu.is_lost() || self.canvas.current_work().is_none()
    }
}

#[cfg(test)]
mod tests;
