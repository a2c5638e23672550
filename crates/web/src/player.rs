//! A scene played on a canvas of the page: the live engine, the canvas, and the pictures
//! that the page provides for channels.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlCanvasElement;

use super::browser;
use super::channels::{ChannelData, Pictures, fill_channel, fill_channels};
use super::composed::{Composed, title_of};
use super::report;
use super::screen::{Backend, Screen, has_lost_context};
use tarsus_player::Session;
use tarsus_player::live::{
    Engine, FrameTiming, LiveScene, NextWake, POLL_INTERVAL, Pacing, Screenshot, Tick,
};
use tarsus_render::{FORMAT, Gpu, RenderError, Renderer, SoundRenderer};
use tarsus_shader::{Program, Values};

/// Interval for polling a busy GPU, in milliseconds.
const POLL_MS: i32 = (POLL_INTERVAL * 2e3) as i32;
/// Interval for trying to reopen a lost device, in milliseconds.
const RESTORE_INTERVAL: i32 = 100;
/// Maximum time to wait for a context that is lost from the start, in seconds.
const RESTORE_LIMIT: f64 = 10.0;

/// A canvas with its scene, shared with the tasks that wait for the GPU.
pub(super) struct Player {
    pub(super) engine: Engine<()>,
    element: HtmlCanvasElement,
    backend: Backend,
    /// `None` while a new device is being opened.
    screen: Option<Screen>,
    pictures: Pictures,
    /// Renders the sound of the scene, if it has one.
    sound: Option<SoundRenderer>,
    /// Number of loads requested, so that only the last one is shown.
    loads: u32,
    /// Number of loads in progress.
    loading: u32,
    /// True while a task polls the GPU.
    is_polling: bool,
    /// True if the last animation frame presented the picture of the current frame, which the
    /// canvas keeps until the next one.
    is_presented: bool,
    /// The last error of the device or a channel, for [`Self::state`].
    error: Option<String>,
}

impl Player {
    /// Opens a device for a canvas, once its context is not lost.
    ///
    /// # Errors
    /// Returns a message for the user if there is no device.
    pub(super) async fn open(element: HtmlCanvasElement, backend: Backend) -> Result<Self, String> {
        let end = browser::now() + RESTORE_LIMIT;
        while has_lost_context(&element, backend) {
            if browser::now() > end {
                return Err("cannot draw here: the graphics device was lost".to_owned());
            }
            browser::sleep(RESTORE_INTERVAL).await;
        }
        let screen = Screen::open(&element, backend).await?;
        let session = Session::new(String::new(), Values::default());
        let pacing = Pacing::new(None, None);
        let mut player = Self {
            engine: Engine::new(session, pacing, FrameTiming::Display),
            backend,
            screen: None,
            pictures: Pictures::new(),
            sound: None,
            loads: 0,
            loading: 0,
            is_polling: false,
            is_presented: false,
            error: None,
            element,
        };
        let size = (player.element.width(), player.element.height());
        player.use_screen(screen);
        player.resize(size);
        Ok(player)
    }

    fn use_screen(&mut self, screen: Screen) {
        let gpu = Arc::clone(&screen.gpu);
        let is_software = gpu.is_software();
        self.engine.open_device(gpu, screen.format(), is_software);
        self.screen = Some(screen);
    }

    /// Returns true while there is no device.
    fn is_lost(&self) -> bool {
        self.screen.as_ref().is_none_or(Screen::is_lost)
    }

    /// The device, unless it is lost. On a lost context, wgpu panics.
    fn working_gpu(&self) -> Option<Arc<Gpu>> {
        let device = self.engine.device().filter(|_| !self.is_lost());
        device.map(|device| Arc::clone(&device.gpu))
    }

    /// Handles the loss of the canvas's context.
    pub(super) fn lose_context(&mut self) {
        self.screen.iter_mut().for_each(Screen::lose_context);
    }

    /// Adapts to the size of the canvas, in physical pixels.
    pub(super) fn resize(&mut self, (width, height): (u32, u32)) {
        let limit = self.screen.as_ref().map_or(8192, Screen::max_side);
        self.engine.resize((width.min(limit), height.min(limit)));
    }

    /// Returns the current state of device and scene.
    pub(super) fn state(&self) -> Value {
        let Engine { session, pacing, .. } = &self.engine;
        let (clock, frame) = (&session.clock, session.frame_state());
        let plan = session.rewind().plan().frames;
        let now = browser::now();
        let status = self.engine.status();
        json!({
            "backend": self.screen.as_ref().map_or("", |screen| &screen.description),
            "isSoftware": pacing.is_software(),
            "isLost": self.is_lost(),
            "isDrawn": status.is_drawn,
            "isSettled": status.is_current && status.samples > 0,
            "isPresented": self.is_presented,
            "followsTime": session.follows_time(),
            "isPaused": clock.is_paused(),
            "speed": clock.speed(),
            "time": frame.time,
            "frame": frame.index,
            "recorded": session.recorded(now),
            "fps": pacing.fps(),
            "scale": pacing.scale.scale(),
            "samples": status.samples,
            "waiting": plan.end.saturating_sub(plan.start),
            "busy": status.work.map_or(0.0, |work| now - work.submitted_at),
            "error": self.error,
        })
    }

    /// Sets the picture of a channel.
    ///
    /// # Errors
    /// Returns the reason if the texels do not match their size, or the picture does not fit the
    /// channel.
    pub(super) fn set_picture(&mut self, name: String, picture: ChannelData) -> Result<(), String> {
        if let ChannelData::Texels(texels) = &picture
            && !texels.has_expected_bytes()
        {
            return Err("the number of bytes does not match the size".to_owned());
        }
        self.engine.session.request_frame();
        let gpu = self.working_gpu();
        if let (Some(scene), Some(gpu)) = (self.engine.scene_mut(), gpu) {
            let index = scene.program.channels.iter().position(|channel| channel.name == name);
            if let Some(index) = index {
                let sound = self.sound.as_mut();
                fill_channel(scene, sound, &gpu, index, Some(&picture))?;
            }
        }
        self.pictures.insert(name, picture);
        Ok(())
    }

    /// Shows a loaded scene. A scene with the same title as the previous one continues
    /// its session.
    fn show(
        &mut self,
        composed: Composed,
        renderer: Renderer,
        sound: Result<Option<SoundRenderer>, String>,
    ) -> Value {
        let Some(gpu) = self.working_gpu() else {
            return report::superseded();
        };
        let (sound, mut error) = match sound {
            Ok(sound) => (sound, None),
            Err(error) => (None, Some(format!("cannot render the sound: {error}"))),
        };
        self.sound = sound;
        let loaded = report::loaded(&composed, self.sound.is_some());
        let Composed { main, debug_view, program } = composed;
        let mut scene = LiveScene::new(program, debug_view, renderer, ());
        if title_of(&main) == title_of(&self.engine.session.scene) {
            self.engine.session.scene = main;
        } else {
            self.pictures.clear();
            let is_paused = self.engine.session.clock.is_paused();
            let mut session = Session::new(main, Values::default());
            session.clock.set_paused(is_paused);
            self.engine.open(session);
        }
        // Sound requires frames to advance even if nothing else changes.
        scene.is_animated |= self.sound.is_some();
        let filled = fill_channels(&mut scene, self.sound.as_mut(), &gpu, &self.pictures);
        error = filled.err().or(error);
        self.error = error;
        self.engine.show(scene, None);
        loaded
    }

    /// Handles completed GPU work. Returns true while the GPU is busy.
    fn finish(&mut self) -> bool {
        let is_busy = self.engine.finish(browser::now());
        if let Some(error) = self.engine.take_error() {
            self.error = Some(format!("the device failed: {error}"));
        }
        is_busy
    }

    /// Presents the engine's picture. Returns false if the canvas cannot take a
    /// picture now.
    fn present(&mut self) -> bool {
        let screen = self.screen.as_mut();
        screen.is_some_and(|screen| screen.present(&mut self.engine))
    }
}

/// Renders a frame of the page at real time `now`, in seconds. Returns false if there is
/// nothing to do until the next input.
pub(super) fn frame(shared: &Rc<RefCell<Player>>, now: f64) -> bool {
    let Ok(mut player) = shared.try_borrow_mut() else {
        return true;
    };
    if player.screen.is_none() {
        return true;
    }
    if player.is_lost() {
        player.screen = None;
        spawn_local(restore(Rc::clone(shared)));
        return true;
    }
    player.is_presented = false;
    player.finish();
    let tick = Tick { now, date: browser::date(), refresh_rate: None, is_visible: true };
    let mut wake = player.engine.update(&tick).wake;
    // Browsers copy the canvas after this frame, and some wait for the GPU then: behind a first
    // picture, which may never end, the page would freeze.
    let status = player.engine.status();
    let has_picture = status.is_drawn;
    if wake == NextWake::Present && (has_picture || status.work.is_none()) {
        if !player.present() {
            return true;
        }
        player.is_presented = player.engine.status().is_current;
        if has_picture {
            wake = player.engine.update(&tick).wake;
        }
    }
    if player.engine.status().work.is_some() && !std::mem::replace(&mut player.is_polling, true) {
        spawn_local(poll_gpu(Rc::clone(shared)));
    }
    let is_first_load = player.engine.scene().is_none() && player.loading > 0;
    wake != NextWake::Input || is_first_load
}

/// Polls the GPU, which measures its time more precisely than the frames of the page.
async fn poll_gpu(shared: Rc<RefCell<Player>>) {
    loop {
        browser::sleep(POLL_MS).await;
        let mut player = shared.borrow_mut();
        if player.is_lost() || !player.finish() {
            player.is_polling = false;
            return;
        }
    }
}

/// Opens a new device after the old one was lost, and restores the scene if it has been
/// drawn before.
async fn restore(shared: Rc<RefCell<Player>>) {
    let (element, backend, old) = {
        let mut player = shared.borrow_mut();
        let main = player.engine.session.scene.clone();
        // A scene that has not been drawn may be the reason for the loss.
        let has_picture = player.engine.status().is_drawn;
        player.sound = None;
        let device = player.engine.close_device().filter(|_| has_picture);
        let old = device.and_then(|device| device.scene).map(|scene| Composed {
            main,
            debug_view: scene.debug_view,
            program: scene.program,
        });
        (player.element.clone(), player.backend, old)
    };
    let screen = loop {
        browser::sleep(RESTORE_INTERVAL).await;
        if Rc::strong_count(&shared) == 1 {
            return;
        }
        if has_lost_context(&element, backend) {
            continue;
        }
        match Screen::open(&element, backend).await {
            Ok(screen) if !screen.is_lost() => break screen,
            Ok(_) | Err(_) => {}
        }
    };
    shared.borrow_mut().use_screen(screen);
    if let Some(composed) = old {
        load(&shared, composed).await;
    }
    frame(&shared, browser::now());
}

/// Creates the pipelines of a scene, then shows it. The previous scene stays until then,
/// and also if this one fails. Returns a report for the page.
pub(super) async fn load(shared: &Rc<RefCell<Player>>, composed: Composed) -> Value {
    let (number, gpu) = {
        let mut player = shared.borrow_mut();
        player.loads += 1;
        player.loading += 1;
        (player.loads, player.working_gpu())
    };
    let created = match &gpu {
        Some(gpu) => Some(create_renderers(gpu, &composed.program).await),
        None => None,
    };
    let mut player = shared.borrow_mut();
    player.loading -= 1;
    // Meanwhile, the device may have been lost, and replaced.
    let is_same = gpu.zip(player.working_gpu()).is_some_and(|(old, new)| Arc::ptr_eq(&old, &new));
    let Some(created) = created.filter(|_| is_same) else {
        return report::lost(&composed.main);
    };
    match created {
        Err(error) => {
            let other = player.backend.other().name();
            report::rejected(&error, &composed.program, &composed.main, other)
        }
        Ok(_) if number != player.loads => report::superseded(),
        Ok((renderer, sound)) => player.show(composed, renderer, sound),
    }
}

/// Creates the pipelines of a scene, and those of its sound. A sound that fails is silent.
async fn create_renderers(
    gpu: &Gpu,
    program: &Program,
) -> Result<(Renderer, Result<Option<SoundRenderer>, String>), RenderError> {
    let renderer = Renderer::for_gpu(gpu, program, &[FORMAT], true).await?;
    let sound = SoundRenderer::new(&gpu.device, &gpu.queue, program).await;
    Ok((renderer, sound.map_err(|error| report::error_text(&error))))
}

/// Renders `count` samples of the scene's sound from number `first` on, without blocking:
/// those of the left channel, then those of the right one.
///
/// # Errors
/// Returns a message if there is no sound or the device fails.
pub(super) async fn sound(
    shared: &Rc<RefCell<Player>>,
    first: u32,
    count: u32,
) -> Result<Vec<f32>, String> {
    let line = |error: RenderError| report::one_line(&error.to_string());
    let block = {
        let mut player = shared.borrow_mut();
        if player.is_lost() {
            return Err("the graphics device is gone".to_owned());
        }
        let Player { engine, sound, .. } = &mut *player;
        let (Some(sound), Some(scene)) = (sound, engine.scene()) else {
            return Err("the scene has no sound".to_owned());
        };
        let inputs = engine.session.frame_state().sound_inputs(&scene.program);
        sound.start(&inputs, first, count).map_err(line)?
    };
    loop {
        if let Some(samples) = block.try_finish().map_err(line)? {
            let channel = |at: usize| samples.iter().map(move |sample| sample[at]);
            return Ok(channel(0).chain(channel(1)).collect());
        }
        if shared.borrow().is_lost() {
            return Err("the graphics device is gone".to_owned());
        }
        browser::sleep(POLL_MS).await;
    }
}

/// Draws the current frame once more, in the same way as a capture.
///
/// # Errors
/// Returns a message if there is no device or scene.
pub(super) async fn screenshot(shared: &Rc<RefCell<Player>>) -> Result<Screenshot, String> {
    shared.borrow_mut().engine.request_screenshot();
    loop {
        frame(shared, browser::now());
        {
            let mut player = shared.borrow_mut();
            if let Some(screenshot) = player.engine.take_screenshot() {
                return screenshot.map_err(|error| error.to_string());
            }
            if player.is_lost() || player.engine.scene().is_none() {
                return Err("there is no scene or no device".to_owned());
            }
        }
        browser::sleep(POLL_MS).await;
    }
}
