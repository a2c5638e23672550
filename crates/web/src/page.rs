//! The `player` module's JavaScript interface, as documented in the crate.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, JSON};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::channels::ChannelData;
use super::composed::Composed;
use super::files::parse_files;
use super::player::{self, Player};
use super::screen::Backend;
use super::snapshot::{picture_file, rows_to_compress, snapshot_in};
use super::{browser, js_error};
use tarsus_player::clock::Clock;
use tarsus_player::live::{
    Button, InputEvent, PIXELS_PER_NOTCH, PointerEvent, Position, Screenshot, TouchPhase,
};
use tarsus_player::{Session, Snapshot, Timeline};
use tarsus_render::{Picture, TexelFormat, Texels};
use tarsus_shader::{SourceFiles, Values};

/// Returns the snapshot in a PNG as JSON, or `undefined` if it has none.
#[wasm_bindgen(js_name = snapshotOf)]
pub fn snapshot_of(png: &[u8]) -> Option<String> {
    snapshot_in(png).map(str::to_owned)
}

/// A scene on a canvas.
#[wasm_bindgen]
pub struct Viewer {
    player: Rc<RefCell<Player>>,
    /// Size of the canvas, in CSS pixels.
    size: [f64; 2],
}

#[wasm_bindgen]
impl Viewer {
    /// Opens a device for a canvas, whose size `resize` sets.
    ///
    /// # Errors
    /// Throws if there is no device, or no such backend.
    pub async fn create(canvas: HtmlCanvasElement, backend: String) -> Result<Viewer, JsError> {
        let backend = Backend::named(&backend).map_err(js_error)?;
        let player = Player::open(canvas, backend).await.map_err(js_error)?;
        Ok(Self { player: Rc::new(RefCell::new(player)), size: [1.0, 1.0] })
    }

    /// Shows a scene composed by the studio. Resolves to a description of the scene.
    ///
    /// # Errors
    /// Throws if the scene cannot be read.
    pub fn load(&self, composed: &str) -> Result<js_sys::Promise, JsError> {
        let composed = Composed::parse(composed).map_err(js_error)?;
        let player = Rc::clone(&self.player);
        Ok(wasm_bindgen_futures::future_to_promise(async move {
            Ok(object(&player::load(&player, composed).await))
        }))
    }

    /// Renders an animation frame; `now` is in milliseconds. Returns false if there is
    /// nothing to do until the next input.
    pub fn frame(&self, now: f64) -> bool {
        player::frame(&self.player, now / 1e3)
    }

    /// Handles the loss of the canvas's WebGL context.
    #[wasm_bindgen(js_name = loseContext)]
    pub fn lose_context(&self) {
        self.with(Player::lose_context);
    }

    /// Adapts to the size of the canvas, in CSS pixels.
    pub fn resize(&mut self, width: f64, height: f64, ratio: f64) {
        self.size = [width.max(1.0), height.max(1.0)];
        let pixels = self.size.map(|side| (side * ratio).round() as u32);
        self.with(|player| player.resize((pixels[0], pixels[1])));
    }

    /// Handles a mouse: `kind` is `down`, `move`, `up` or `leave`. Positions are in CSS
    /// pixels.
    pub fn pointer(&self, kind: &str, button: u8, x: f64, y: f64) {
        let button = match button {
            0 => Some(Button::Primary),
            2 => Some(Button::Secondary),
            _ => None,
        };
        let moved = PointerEvent::Moved(self.position(x, y));
        match (kind, button) {
            ("down", Some(button)) => {
                self.pointer_event(moved);
                self.pointer_event(PointerEvent::Pressed(button));
            }
            ("up", Some(button)) => self.pointer_event(PointerEvent::Released(button)),
            ("move", _) => self.pointer_event(moved),
            ("leave", _) => self.pointer_event(PointerEvent::Left),
            _ => {}
        }
    }

    /// Handles a finger by its identifier: `kind` is `down`, `move` or `up`.
    pub fn touch(&self, kind: &str, finger: i32, x: f64, y: f64) {
        let phase = match kind {
            "down" => TouchPhase::Started,
            "move" => TouchPhase::Moved,
            "up" => TouchPhase::Ended,
            _ => return,
        };
        self.pointer_event(PointerEvent::Touched {
            finger: finger as u64,
            phase,
            at: self.position(x, y),
        });
    }

    /// Handles a wheel turned by `delta` CSS pixels, where down is positive.
    pub fn wheel(&self, delta: f64) {
        self.pointer_event(PointerEvent::Scrolled(-delta / PIXELS_PER_NOTCH));
    }

    fn position(&self, x: f64, y: f64) -> Position {
        [x / self.size[0], y / self.size[1]]
    }

    fn pointer_event(&self, event: PointerEvent) {
        self.handle(InputEvent::Pointer(event));
    }

    fn handle(&self, event: InputEvent) {
        self.with(|player| player.engine.handle(browser::now(), event));
    }

    /// Resets parameters and camera to their defaults.
    #[wasm_bindgen(js_name = resetView)]
    pub fn reset_view(&self) {
        self.with(|player| player.engine.session.reset_view(browser::now()));
    }

    /// Handles a key that went down or up, by its `keyCode`.
    pub fn key(&self, code: u32, down: bool) {
        let Ok(code) = u8::try_from(code) else {
            return;
        };
        self.handle(if down { InputEvent::KeyDown(code) } else { InputEvent::KeyUp(code) });
    }

    /// Releases every key and the button, for a canvas that loses focus.
    #[wasm_bindgen(js_name = releaseAll)]
    pub fn release_all(&self) {
        self.handle(InputEvent::FocusLost);
    }

    /// Pauses or resumes scene time.
    #[wasm_bindgen(js_name = setPaused)]
    pub fn set_paused(&self, paused: bool) {
        self.with(|player| {
            if player.engine.session.clock.is_paused() != paused {
                let session = &mut player.engine.session;
                session.with_clock(browser::now(), |clock| clock.set_paused(paused));
            }
        });
    }

    /// Stops scene time until the next call of `frame`, without pausing the scene.
    pub fn rest(&self) {
        self.with(|player| {
            let is_paused = player.engine.session.clock.is_paused();
            player.engine.session.clock.set_paused(is_paused);
        });
    }

    /// Returns to time 0, with empty buffers.
    pub fn restart(&self) {
        self.with(|player| player.engine.session.restart(browser::now()));
    }

    /// Goes to a time in seconds.
    pub fn seek(&self, seconds: f64) {
        self.with(|player| {
            let size = player.engine.size();
            player.engine.session.seek_time(browser::now(), seconds, size);
        });
    }

    /// Steps by a number of sixtieths of a second, forward or back.
    pub fn step(&self, frames: i32) {
        self.with(|player| {
            let size = player.engine.size();
            player.engine.session.step_by(browser::now(), frames, size);
        });
    }

    /// Switches to the next higher or lower speed.
    #[wasm_bindgen(js_name = changeSpeed)]
    pub fn change_speed(&self, faster: bool) {
        self.with(|player| {
            let session = &mut player.engine.session;
            let change = if faster { Clock::speed_up } else { Clock::slow_down };
            session.with_clock(browser::now(), change);
        });
    }

    /// Returns the value of every parameter.
    pub fn values(&self) -> JsValue {
        self.with(|player| {
            let session = &player.engine.session;
            object(&json!(session.parameters.resolve(session.values())))
        })
    }

    /// Sets the components of a parameter.
    ///
    /// # Errors
    /// Throws if there is no such parameter, or if the value does not fit.
    #[wasm_bindgen(js_name = setValue)]
    pub fn set_value(&self, name: &str, components: &[f64]) -> Result<(), JsError> {
        self.with(|player| {
            let set = player.engine.session.set(browser::now(), name, components);
            set.map_err(|wrong| js_error(wrong.to_string()))
        })
    }

    /// Fixes the render scale, per side of the canvas; without `scale`, it adapts to the GPU.
    #[wasm_bindgen(js_name = setScale)]
    pub fn set_scale(&self, scale: Option<f64>) {
        self.with(|player| {
            player.engine.pacing.scale.fix(scale.map(|scale| scale.clamp(0.05, 1.0)));
            player.engine.session.request_frame();
        });
    }

    /// Renders samples of the scene's sound, from number `first` on: `count` of the left
    /// channel, then as many of the right one, as a `Float32Array`.
    pub fn sound(&self, first: u32, count: u32) -> js_sys::Promise {
        let player = Rc::clone(&self.player);
        wasm_bindgen_futures::future_to_promise(async move {
            let samples = player::sound(&player, first, count).await;
            let samples = samples.map_err(|error| JsValue::from(js_error(error)))?;
            Ok(js_sys::Float32Array::from(samples.as_slice()).into())
        })
    }

    /// Returns the current frame as a PNG with its snapshot, which also contains the
    /// sources in `files`, given as JSON. `compress` compresses its pixels with zlib.
    ///
    /// # Errors
    /// Throws if `files` cannot be read.
    pub fn screenshot(
        &self,
        compress: Function,
        files: Option<String>,
    ) -> Result<js_sys::Promise, JsError> {
        let files = files.map(|json| parse_files(&json)).transpose().map_err(js_error)?;
        let player = Rc::clone(&self.player);
        Ok(wasm_bindgen_futures::future_to_promise(async move {
            let png = match player::screenshot(&player).await {
                Ok(screenshot) => encode_png(screenshot, files, &compress).await,
                Err(reason) => Err(reason),
            };
            png.map(|png| js_sys::Uint8Array::from(&png[..]).into())
                .map_err(|reason| js_error(format!("cannot take a screenshot: {reason}")).into())
        }))
    }

    /// Returns the snapshot of the current frame, as JSON.
    pub fn snapshot(&self) -> String {
        self.with(|player| player.engine.snapshot().to_json())
    }

    /// Opens a snapshot, given as JSON, and pauses there.
    ///
    /// # Errors
    /// Throws if the snapshot cannot be read.
    #[wasm_bindgen(js_name = openSnapshot)]
    pub fn open_snapshot(&self, snapshot: &str) -> Result<(), JsError> {
        let snapshot = Snapshot::parse(snapshot)
            .map_err(|wrong| js_error(format!("cannot read the snapshot: {wrong}")))?;
        self.with(|player| {
            let scene = player.engine.session.scene.clone();
            let session = Session::at_snapshot(scene, &snapshot);
            player.engine.restart_with(session);
        });
        Ok(())
    }

    /// Starts a recording.
    #[wasm_bindgen(js_name = startRecording)]
    pub fn start_recording(&self) {
        self.with(|player| {
            let size = player.engine.size();
            player.engine.session.start_recording(browser::now(), size);
        });
    }

    /// Ends the recording and returns its timeline as JSON, or `undefined` without a
    /// recording.
    #[wasm_bindgen(js_name = stopRecording)]
    pub fn stop_recording(&self) -> Option<String> {
        let timeline = self.with(|player| player.engine.session.stop_recording(browser::now()));
        timeline.map(|timeline| timeline.to_json())
    }

    /// Replays a timeline, given as JSON, with the current scene.
    ///
    /// # Errors
    /// Throws if the timeline cannot be read, or does not fit the scene.
    pub fn replay(&self, timeline: &str) -> Result<(), JsError> {
        let wrong = |wrong| js_error(format!("cannot read the timeline: {wrong}"));
        let timeline = Timeline::parse(timeline).map_err(wrong)?;
        self.with(|player| {
            timeline.check(&player.engine.session.parameters).map_err(wrong)?;
            let scene = player.engine.session.scene.clone();
            let session = Session::replaying(scene, timeline, Values::default());
            player.engine.restart_with(session);
            Ok(())
        })
    }

    /// Sets the picture of channel `name`: red, green, blue and alpha, rows from the top.
    /// The faces of a cube and the slices of a volume are stacked vertically.
    ///
    /// # Errors
    /// Throws the reason if the bytes are not such a picture, or do not fit the channel.
    #[wasm_bindgen(js_name = setChannel)]
    pub fn set_channel(
        &self,
        name: String,
        rgba: Vec<u8>,
        width: u32,
        height: u32,
    ) -> Result<(), JsError> {
        if rgba.len() as u64 != 4 * u64::from(width) * u64::from(height) || rgba.is_empty() {
            return Err(JsError::new(&format!(
                "expected 4 bytes for each of {width}x{height} pixels"
            )));
        }
        let picture = Picture { width, height, rgba };
        self.with(|player| player.set_picture(name, ChannelData::Picture(picture)))
            .map_err(js_error)
    }

    /// Sets the texels of channel `name`, decoded by the native program. `format` is
    /// `grey8`, `rgba8` or `rgba16f`; the layers of a cube or a volume follow each other.
    ///
    /// # Errors
    /// Throws the reason if the number of bytes does not match the size, or the texels do not
    /// fit the channel.
    #[wasm_bindgen(js_name = setTexels)]
    pub fn set_texels(
        &self,
        name: String,
        bytes: Vec<u8>,
        format: &str,
        width: u32,
        height: u32,
        layers: u32,
    ) -> Result<(), JsError> {
        let texels = Texels {
            size: [width, height, layers],
            format: match format {
                "grey8" => TexelFormat::Grey8,
                "rgba8" => TexelFormat::Rgba8,
                "rgba16f" => TexelFormat::RgbaHalf,
                _ => return Err(JsError::new("unknown texel format")),
            },
            bytes,
        };
        self.with(|player| player.set_picture(name, ChannelData::Texels(texels))).map_err(js_error)
    }

    /// Returns the current state of device and scene.
    pub fn state(&self) -> JsValue {
        self.with(|player| object(&player.state()))
    }

    /// Lists the buffers and channels of the scene.
    pub fn contents(&self) -> JsValue {
        self.with(|player| {
            let tiles = player.engine.tiles().into_iter();
            object(&tiles.map(|tile| json!({ "name": tile.name, "detail": tile.detail })).collect())
        })
    }

    /// Shows a buffer or channel by its number from 1 instead of the scene's picture; 0
    /// shows the picture.
    #[wasm_bindgen(js_name = showTexture)]
    pub fn show_texture(&self, number: u32) {
        let index = number.checked_sub(1).map(|index| index as usize);
        self.with(|player| player.engine.show_full_size(index));
    }

    fn with<T>(&self, act: impl FnOnce(&mut Player) -> T) -> T {
        act(&mut self.player.borrow_mut())
    }
}

fn object(json: &Value) -> JsValue {
    JSON::parse(&json.to_string()).unwrap_or_default()
}

/// Encodes a screenshot as PNG with its snapshot and the scene's sources.
async fn encode_png(
    screenshot: Screenshot,
    files: Option<SourceFiles>,
    compress: &Function,
) -> Result<Vec<u8>, String> {
    let Screenshot { picture, mut snapshot, .. } = screenshot;
    let rows = rows_to_compress(picture.width, &picture.rgba);
    let compressed = browser::compress(&rows, compress).await;
    let compressed = compressed.map_err(|_| "this browser does not support CompressionStream")?;
    let size = (picture.width, picture.height);
    snapshot.files = files.or(snapshot.files);
    Ok(picture_file(size, &compressed, &snapshot.to_json()))
}
