//! The live engine: plays a session on a device. Window and page are adapters around it
//! that own a surface, convert input events and have a user interface.

use std::collections::VecDeque;
use std::sync::Arc;

use super::canvas::{Canvas, LivePicture, SAMPLES, Submission};
use super::pacing::{POLL_INTERVAL, Pacing};
use super::pass_times::PassTimes;
use super::pointer::{Pointer, PointerContext, PointerEvent, Position};
use super::probe::{Probe, Source, Texel};
use super::scale::scaled;
use super::scene::{LiveChannels, LiveScene};
use super::schedule::{FrameTiming, NextWake, Situation, Step, next_step, presents_at_submission};
use super::screenshot::{PendingScreenshot, Screenshot};
use super::tiles::{self, Tile, Tiles};
use super::upscale::Upscaler;
use crate::timeline::{Event, Timeline};
use crate::{BufferState, REWIND_BUDGET, Session, Snapshot};
use tarsus_render::{Checkpoint, FullscreenPass, Gpu, RenderError};
use tarsus_shader::PassKind;

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

/// Time of a call to [`Engine::advance`].
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

/// Progress of the scene's first picture, which also compiles its shaders in many
/// drivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstPicture {
    Pending,
    Drawing,
    Drawn,
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
    first_picture: FirstPicture,
    /// True if the session's painted frame has not been drawn yet.
    is_picture_due: bool,
    /// True if the surface shows an older picture or interface.
    needs_present: bool,
    /// Number of samples of the still that was presented last.
    samples_presented: u32,
}

/// Plays a session on a device. Nothing in it blocks, reads a clock or knows a window.
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
    /// True if a frame was started since the last [`Self::take_new_frame`].
    has_new_frame: bool,
    /// GPU memory for rewinding, in bytes.
    rewind_budget: u64,
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
            has_new_frame: false,
            rewind_budget: REWIND_BUDGET,
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
            first_picture: FirstPicture::Pending,
            is_picture_due: false,
            needs_present: true,
            samples_presented: 0,
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
        self.rewind_budget = budget;
        self.session.rewind_mut().set_budget(budget);
    }

    fn set_session(&mut self, session: Session) {
        self.session = session;
        self.session.rewind_mut().set_budget(self.rewind_budget);
    }

    /// Starts another session with the scene on the device, if there is one, whose buffers
    /// are emptied.
    pub fn restart_with(&mut self, session: Session) {
        self.set_session(session);
        if let Some(device) = &mut self.device {
            device.canvas.clear();
            device.is_picture_due = false;
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
            device.is_picture_due = false;
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
        device.first_picture = FirstPicture::Pending;
        device.canvas.abandon_picture();
        device.is_picture_due = false;
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

    /// Copies the buffer state. On a software renderer, this blocks on the picture being drawn.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        let device = self.device.as_ref()?;
        let renderer = &device.scene.as_ref()?.renderer;
        device.gpu.submit(|encoder| renderer.checkpoint(encoder))
    }

    /// Returns the last seconds of play as a recording, with the buffer state at its start
    /// unless the buffers are empty there.
    pub fn last_seconds(&self) -> Option<(Timeline, Option<Checkpoint>)> {
        let known = self.session.history_with_buffers(self.size);
        let Some((number, timeline)) = known.filter(|_| self.has_buffers()) else {
            return Some((self.session.history_timeline(self.size)?, None));
        };
        Some((timeline, self.session.rewind().checkpoint(number).cloned()))
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
    /// Handles finished work and starts the next piece. Returns when to call again.
    pub fn advance(&mut self, tick: &Tick) -> NextWake {
        let now = tick.now;
        self.pacing.set_refresh_rate(tick.refresh_rate);
        let is_busy = self.finish(now);
        let busy = NextWake::At(now + POLL_INTERVAL);
        if !tick.is_visible {
            return if is_busy { busy } else { NextWake::Input };
        }
        let step = |engine: &Self| match engine.situation() {
            Some(situation) => next_step(now, engine.timing, &engine.pacing, &situation),
            None => Step::Wait(NextWake::Input),
        };
        match step(self) {
            Step::Wait(wake) => return wake,
            Step::StartFrame => {
                self.start_frame(tick);
                self.draw(now);
            }
            Step::Draw => self.draw(now),
            Step::Screenshot => self.begin_screenshot(now),
            Step::Refine => return self.refine(now),
        }
        match step(self) {
            Step::Wait(wake) => wake,
            _ => busy,
        }
    }

    /// The facts that decide the next step; `None` without a working device.
    fn situation(&self) -> Option<Situation> {
        let device = self.device.as_ref().filter(|device| !device.gpu.is_lost())?;
        Some(Situation {
            unfinished: device.canvas.unfinished(),
            needs_present: device.needs_present,
            has_scene: device.scene.is_some(),
            is_frame_open: device.is_picture_due || self.session.rewind().is_behind(),
            needs_screenshot: self.screenshots_due > 0
                && !device.canvas.is_drawing_screenshot()
                && !self.session.is_stale(),
            needs_frame: self.session.needs_frame(),
        })
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
        device.needs_present |= device.tiles.take_measurements();
        device.needs_present |= device.probe.take();
        while let Some(work) = self.device.as_mut().and_then(|device| device.canvas.finish(now)) {
            self.handle_completed(now, work);
        }
        self.busy_since().is_some()
    }

    fn handle_completed(&mut self, now: f64, work: Submission) {
        let Some(device) = &mut self.device else {
            return;
        };
        match work {
            Submission::Live { is_last: true, picture, .. } => {
                let LivePicture { times, scale, is_timed, follows_timed, .. } = picture;
                let timed = is_timed.then(|| device.pass_times.finish(&device.gpu));
                let times = match timed.flatten() {
                    _ if self.pacing.is_software() => Some(times),
                    Some(gpu_times) => Some(gpu_times),
                    // The GPU time of the picture before it is more exact.
                    None => (!follows_timed).then_some(times),
                };
                let is_first = device.first_picture == FirstPicture::Drawing;
                if let Some(times) = times {
                    self.pacing.record_scene_ms(now, times.picture, scale, !is_first);
                    if !is_first {
                        self.pacing.record_buffers_ms(times.buffers);
                    }
                }
                if is_first {
                    device.first_picture = FirstPicture::Drawn;
                }
                device.needs_present |= !presents_at_submission(self.timing, &self.pacing);
            }
            Submission::Live { .. } | Submission::Outdated => {}
            Submission::Advance(_) => {
                device.needs_present |= self.session.rewind().is_behind();
            }
            Submission::Band(_) => {
                device.needs_present |= device.canvas.samples() != device.samples_presented;
            }
            Submission::Screenshot(pending) => {
                let finished = pending.finish(&device.gpu);
                self.finish_screenshot(finished);
            }
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
        self.session.paint(now, tick.date, self.live_size());
        self.has_new_frame = true;
        let is_running = !self.session.clock.is_paused();
        if let Some(fps) = self.pacing.record_frame(now, is_running) {
            self.session.set_frame_rate(fps);
        }
        let Some(DeviceState {
            gpu, scene: Some(scene), canvas, pass_times, is_picture_due, ..
        }) = &mut self.device
        else {
            return;
        };
        *is_picture_due = true;
        let is_ready = scene.is_ready(&self.session, now);
        let rewind = self.session.rewind_mut();
        let is_behind = rewind.is_behind();
        // While time stands still, the same frame is drawn without an advance.
        let is_new = is_behind || !rewind.has_buffers();
        let timestamps = is_new.then(|| pass_times.begin()).flatten();
        if is_ready && is_behind {
            canvas.advance_before(gpu, |encoder| {
                scene.advance(encoder, rewind, 1, timestamps, now);
            });
        }
    }

    /// Draws the painted frame once its channels and buffers are ready. Until then, this
    /// advances the buffers.
    fn draw(&mut self, now: f64) {
        let live_size = self.live_size();
        let Some(DeviceState {
            gpu,
            scene: Some(scene),
            canvas,
            pass_times,
            first_picture,
            is_picture_due,
            needs_present,
            ..
        }) = &mut self.device
        else {
            return;
        };
        if !scene.is_ready(&self.session, now) {
            return pass_times.cancel();
        }
        let rewind = self.session.rewind_mut();
        if rewind.is_behind() {
            pass_times.cancel();
            return canvas.advance(gpu, now, |encoder, frames| {
                scene.advance(encoder, rewind, frames, None, now);
            });
        }
        if !canvas.is_painting() {
            if *first_picture == FirstPicture::Pending {
                *first_picture = FirstPicture::Drawing;
                self.pacing.scale.reset();
            }
            scene.upload_channels(gpu, self.session.painted().time);
            let inputs = scene.inputs(&self.session, live_size);
            let scale = self.pacing.scale.scale();
            let follows_timed = pass_times.is_pending();
            let size = scaled(self.size, scale);
            canvas.begin_picture(gpu, inputs, size, scale, now, follows_timed);
        }
        let is_complete = canvas.paint(gpu, &mut scene.renderer, pass_times.current(), now);
        match is_complete {
            true => pass_times.submitted(),
            false => pass_times.cancel(),
        }
        *is_picture_due = !is_complete;
        *needs_present |= is_complete && presents_at_submission(self.timing, &self.pacing);
    }

    /// Refines the still of the painted frame, once nothing has changed for a while.
    fn refine(&mut self, now: f64) -> NextWake {
        let (size, settled) = (self.size, self.pacing.settled_at());
        let Some(device) = &mut self.device else {
            return NextWake::Input;
        };
        match &mut device.scene {
            Some(_) if device.canvas.samples() < SAMPLES && now < settled => NextWake::At(settled),
            Some(scene) if device.canvas.samples() < SAMPLES => {
                let inputs = scene.inputs(&self.session, size);
                let renderer = &mut scene.renderer;
                device.canvas.refine(&device.gpu, renderer, &inputs, now);
                NextWake::At(now + POLL_INTERVAL)
            }
            _ => match device.is_reading() {
                true => NextWake::At(now + POLL_INTERVAL),
                false => NextWake::Input,
            },
        }
    }

    /// Draws the painted frame once more for a screenshot.
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
            Ok(pending) => device.canvas.track_screenshot(&device.gpu, pending, now),
            Err(error) => self.finish_screenshot(Err(error)),
        }
    }

    /// Returns true if the interface on top of the picture should be drawn with the next
    /// frame instead of at once: either the picture changes with it, or the scene runs so
    /// fast that nobody notices the difference. Drawing it at once would present the older
    /// picture again, which delays the next one.
    pub fn is_about_to_draw(&self, now: f64) -> bool {
        let Some(device) = self.device.as_ref().filter(|device| device.scene.is_some()) else {
            return false;
        };
        let is_waiting = device.is_picture_due || self.session.rewind().is_behind();
        device.first_picture == FirstPicture::Drawn
            && !is_waiting
            && self.session.needs_frame()
            && (self.session.is_stale() || self.pacing.frame_ms() < SOON * 1e3)
            && self.pacing.next_frame() < now + SOON
    }
}

/// Presenting.
impl<C: LiveChannels> Engine<C> {
    /// Encodes the surface's contents into `target`: the latest picture, or
    /// the buffer or channel selected instead, scaled to the surface, over `background`.
    /// `overlay` draws on top of it.
    pub fn present(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        background: wgpu::Color,
        overlay: impl FnOnce(&mut wgpu::RenderPass<'static>),
    ) {
        let Some(device) = &mut self.device else {
            return;
        };
        device.needs_present = false;
        device.samples_presented = device.canvas.samples();
        let full_size = self.full_size.zip(device.scene.as_ref());
        let full_size = full_size.and_then(|(index, scene)| {
            let (program, renderer) = (&scene.program, &scene.renderer);
            device.tiles.draw_full_size(&device.gpu, program, renderer, index, self.size)
        });
        let size = self.size;
        let picture = match full_size {
            Some(texture) => Some(texture.clone()),
            None => device
                .canvas
                .picture()
                .map(|picture| device.upscaler.smooth(encoder, picture, size)),
        };
        let pass = FullscreenPass { background, ..target.into() }.begin(encoder, "surface");
        let mut pass = pass.forget_lifetime();
        if let Some(picture) = &picture {
            device.upscaler.draw(&mut pass, picture, size);
        }
        overlay(&mut pass);
    }

    /// Shows a buffer or channel by its index among the [tiles](Self::tiles), or the
    /// scene's picture for `None`.
    pub fn show_full_size(&mut self, index: Option<usize>) {
        self.full_size = index;
        self.request_present();
    }

    /// Index of the buffer or channel that is shown instead of the picture.
    pub fn full_size(&self) -> Option<usize> {
        self.full_size
    }

    /// Values shown as black and white in the buffer or channel shown instead of the
    /// picture, if not 0 and 1.
    pub fn full_size_range(&self) -> Option<String> {
        self.device.as_ref()?.tiles.range(self.full_size?)
    }

    /// Starts reading the values of the picture and the buffers at `at`.
    /// [`Self::probed`] returns them a little later.
    pub fn probe(&mut self, at: Position) {
        let frame = self.session.clock.index();
        let Some(DeviceState { gpu, scene: Some(scene), canvas, probe, .. }) = &mut self.device
        else {
            return;
        };
        let picture = canvas.picture().into_iter();
        let picture = picture.map(|texture| Source { name: "Picture", texture, is_top_down: true });
        let planes = scene.renderer.contents().filter(|(kind, _)| *kind != PassKind::Cube);
        let buffers = planes.map(|(kind, texture)| Source {
            name: kind.label(),
            texture,
            is_top_down: false,
        });
        probe.begin(gpu, (at, frame, canvas.samples()), picture.chain(buffers));
    }

    /// The values that were read last.
    pub fn probed(&self) -> &[Texel] {
        self.device.as_ref().map_or(&[], |device| &device.probe.texels[..])
    }

    /// The buffers and channels of the scene, without their value ranges.
    pub fn tiles(&self) -> Vec<Tile> {
        let scene = self.scene();
        let tiles = scene.map(|scene| tiles::list(&scene.program, &scene.renderer));
        tiles.into_iter().flatten().map(|(tile, _)| tile).collect()
    }

    /// Draws a thumbnail of each buffer and channel. Returns their tiles and textures.
    pub fn draw_thumbnails(&mut self) -> (Vec<Tile>, &[wgpu::Texture]) {
        let Some(DeviceState { gpu, scene: Some(scene), tiles, .. }) = &mut self.device else {
            return (Vec::new(), &[]);
        };
        let drawn = tiles.draw_thumbnails(gpu, &scene.program, &scene.renderer);
        (drawn, &tiles.thumbnails)
    }

    /// Presents again, because the interface on top of the picture or the surface has
    /// changed.
    pub fn request_present(&mut self) {
        self.device.iter_mut().for_each(|device| device.needs_present = true);
    }

    /// Presents nothing for now, because the surface is hidden.
    pub fn skip_present(&mut self) {
        self.device.iter_mut().for_each(|device| device.needs_present = false);
    }
}

/// Status.
impl<C: LiveChannels> Engine<C> {
    /// Returns true once the device is lost and has to be opened again.
    pub fn is_lost(&self) -> bool {
        self.device.as_ref().is_some_and(|device| device.gpu.is_lost())
    }

    /// Real time at which the current piece of work was submitted, if the GPU is busy.
    pub fn busy_since(&self) -> Option<f64> {
        self.device.as_ref()?.canvas.busy_since()
    }

    /// Real time at which the GPU began the current piece of work, if it is busy: those that were
    /// submitted together run one after the other.
    pub fn working_since(&self) -> Option<f64> {
        self.device.as_ref()?.canvas.working_since()
    }

    /// Real time at which the live picture that is being drawn was begun, if there is one.
    pub fn picture_since(&self) -> Option<f64> {
        self.device.as_ref()?.canvas.picture_since()
    }

    /// Returns true if submitting now, as for presenting, does not block on the scene.
    pub fn can_submit(&self) -> bool {
        self.busy_since().is_none() || presents_at_submission(self.timing, &self.pacing)
    }

    /// Returns true once a picture of the scene was drawn.
    pub fn is_drawn(&self) -> bool {
        let device = self.device.as_ref();
        device.is_some_and(|device| device.first_picture == FirstPicture::Drawn)
    }

    /// Returns true while only samples of the still are pending.
    pub fn is_settled(&self) -> bool {
        self.is_current() && self.samples() > 0
    }

    /// True if the latest picture is that of the current frame.
    pub fn is_current(&self) -> bool {
        let is_due = self.device.as_ref().is_none_or(|device| device.is_picture_due);
        let is_behind = self.session.rewind().is_behind();
        self.is_drawn() && !self.session.needs_frame() && !is_behind && !is_due
    }

    /// Number of samples of the still, or 0 while the live picture is shown.
    pub fn samples(&self) -> u32 {
        let device = self.device.as_ref();
        device.map_or(0, |device| device.canvas.samples())
    }

    /// Size of the latest picture, in pixels.
    pub fn picture_size(&self) -> Option<(u32, u32)> {
        let picture = self.device.as_ref()?.canvas.picture()?;
        Some((picture.width(), picture.height()))
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

    /// Returns true once for each new frame.
    pub fn take_new_frame(&mut self) -> bool {
        std::mem::take(&mut self.has_new_frame)
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
        self.gpu.is_lost() || self.canvas.finish(now).is_some()
    }
}

#[cfg(test)]
mod tests;
