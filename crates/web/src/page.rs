//! What JavaScript calls, as the documentation of the crate lists it.

use std::cell::RefCell;
use std::rc::Rc;

use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::composed::Composed;
use super::player::{self, Player, Start};
use super::scene::{Decoded, Shown};
use super::screen::Backend;
use super::{browser, moment};
use tarsus_player::live;
use tarsus_player::timeline::Event;
use tarsus_player::{Moment, Session, Timeline};
use tarsus_render::{TexelFormat, Texels};
use tarsus_shader::Values;

/// Milliseconds between two looks at a picture that is read back.
const READ_INTERVAL: i32 = 2;

/// The moment that a PNG shows, as JSON; nothing where it is not one of tarsus.
#[wasm_bindgen(js_name = momentOf)]
#[must_use]
pub fn moment_of(png: &[u8]) -> Option<String> {
    moment::moment_in(png).map(str::to_owned)
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Options {
    backend: String,
    paused: bool,
    time: f64,
    scale: Option<f64>,
}

/// A scene on a canvas.
#[wasm_bindgen]
pub struct Viewer {
    player: Rc<RefCell<Player>>,
    /// Where the pointer was seen last, and whether it turns the camera.
    pointer: [f64; 2],
    is_orbiting: bool,
    /// Size of the canvas in CSS pixels.
    size: [f64; 2],
}

#[wasm_bindgen]
impl Viewer {
    /// Opens the device of a canvas.
    ///
    /// # Errors
    /// When there is none, or an option is wrong.
    pub async fn create(canvas: HtmlCanvasElement, options: String) -> Result<Viewer, JsError> {
        let options: Options = match options.as_str() {
            "" => Options::default(),
            options => parsed("the options", options)?,
        };
        let start = Start {
            backend: Backend::named(&options.backend).map_err(error)?,
            is_paused: options.paused,
            time: options.time,
            scale: options.scale,
        };
        let size =
            [canvas.client_width(), canvas.client_height()].map(|side| f64::from(side).max(1.0));
        let player = Player::open(canvas, &start).await.map_err(error)?;
        Ok(Self {
            player: Rc::new(RefCell::new(player)),
            pointer: [0.0; 2],
            is_orbiting: false,
            size,
        })
    }

    /// What it draws with.
    #[must_use]
    pub fn backend(&self) -> String {
        self.player.borrow().backend()
    }

    /// Shows a scene that the studio has composed; gives what there is to know about it,
    /// as JSON.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn load(&self, composed: &str) -> Result<js_sys::Promise, JsError> {
        let composed = Composed::parse(composed).map_err(error)?;
        let player = Rc::clone(&self.player);
        Ok(wasm_bindgen_futures::future_to_promise(async move {
            let told = player::load(&player, composed).await;
            Ok(told.to_string().into())
        }))
    }

    /// One animation frame; `now` in milliseconds. False if there is nothing to do
    /// until the user does something.
    pub fn frame(&self, now: f64) -> bool {
        player::frame(&self.player, now / 1e3)
    }

    /// Follows the size of the canvas in CSS pixels.
    pub fn resize(&mut self, width: f64, height: f64, ratio: f64) {
        self.size = [width.max(1.0), height.max(1.0)];
        let pixels = self.size.map(|side| (side * ratio).round() as u32);
        self.with(|player| player.resize((pixels[0], pixels[1])));
    }

    /// The pointer went down, moved, went up or left; places in CSS pixels.
    pub fn pointer(&mut self, kind: &str, button: u8, x: f64, y: f64) {
        let before = std::mem::replace(&mut self.pointer, [x, y]);
        let (is_held, orbit) =
            self.with(|player| (player.session.is_held(), player.session.orbit()));
        let pointed = live::pointed([x, y], self.size);
        let events = match (kind, button) {
            ("down", 2) => {
                self.is_orbiting = true;
                Vec::new()
            }
            ("up", 2) => {
                self.is_orbiting = false;
                Vec::new()
            }
            ("down", 0) => vec![pointed, Event::Held(true)],
            ("up", 0) if is_held => vec![Event::Held(false)],
            ("move", _) if self.is_orbiting => {
                let moved = [x - before[0], y - before[1]];
                vec![live::orbited(moved, self.size[1], orbit)]
            }
            ("move", _) => vec![pointed],
            ("leave", _) if !is_held => vec![Event::Leave],
            _ => Vec::new(),
        };
        self.events(events);
    }

    /// A wheel turned by so many CSS pixels, down is positive.
    pub fn wheel(&self, delta: f64) {
        let orbit = self.with(|player| player.session.orbit());
        let notches = -delta / live::PIXELS_PER_NOTCH;
        self.events([live::zoomed(notches.clamp(-10.0, 10.0) as f32, orbit)]);
    }

    /// Two fingers are `scale` times as far apart as before.
    pub fn pinch(&self, scale: f64) {
        let [yaw, pitch, zoom] = self.with(|player| player.session.orbit());
        self.events([Event::Orbit([yaw, pitch, zoom * scale as f32])]);
    }

    /// Turns the camera as a drag by so many CSS pixels does.
    pub fn orbit(&self, dx: f64, dy: f64) {
        let orbit = self.with(|player| player.session.orbit());
        self.events([live::orbited([dx, dy], self.size[1], orbit)]);
    }

    /// Parameters and camera as at the start.
    #[wasm_bindgen(js_name = resetView)]
    pub fn reset_view(&self) {
        self.with(|player| player.session.reset_view(browser::now()));
    }

    /// A key went down or up, by its `keyCode`.
    pub fn key(&self, code: u32, down: bool) {
        let Ok(code) = u8::try_from(code) else {
            return;
        };
        self.events([match down {
            true => Event::KeyDown(code),
            false => Event::KeyUp(code),
        }]);
    }

    /// Releases every key and the button: the canvas no longer receives them.
    #[wasm_bindgen(js_name = releaseAll)]
    pub fn release_all(&mut self) {
        self.is_orbiting = false;
        self.with(|player| player.session.let_go(browser::now()));
    }

    /// Time runs.
    pub fn play(&self) {
        self.set_paused(false);
    }

    /// Time stands still.
    pub fn pause(&self) {
        self.set_paused(true);
    }

    fn set_paused(&self, paused: bool) {
        self.with(|player| {
            if player.session.clock.is_paused() != paused {
                let session = &mut player.session;
                session.with_clock(browser::now(), |clock| clock.set_paused(paused));
            }
        });
    }

    /// True while time stands still.
    #[wasm_bindgen(js_name = isPaused)]
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.with(|player| player.session.clock.is_paused())
    }

    /// `frame` is not called for a while: time stands still until it is.
    pub fn rest(&self) {
        self.with(|player| {
            let is_paused = player.session.clock.is_paused();
            player.session.clock.set_paused(is_paused);
        });
    }

    /// Back to time 0; buffers begin empty.
    pub fn restart(&self) {
        self.with(|player| player.session.restart(browser::now()));
    }

    /// Goes to a time in seconds.
    pub fn seek(&self, seconds: f64) {
        self.with(|player| player.seek(seconds));
    }

    /// So many sixtieths of a second on, or back.
    pub fn step(&self, frames: i32) {
        self.with(|player| player.step(frames));
    }

    /// Time of the frame that is shown, in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.with(|player| player.session.painted().time)
    }

    /// Number of the frame that is shown.
    #[wasm_bindgen(js_name = frameNumber)]
    #[must_use]
    pub fn frame_number(&self) -> u32 {
        self.with(|player| player.session.painted().index)
    }

    /// Frames per second; 0 while that is not known.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.with(|player| player.pacing.fps().unwrap_or(0.0))
    }

    /// Seconds of scene time per second.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.with(|player| player.session.clock.speed())
    }

    /// Runs slower or faster, from a tenth to four times.
    #[wasm_bindgen(js_name = setSpeed)]
    pub fn set_speed(&self, speed: f64) {
        self.with(|player| {
            let session = &mut player.session;
            session.with_clock(browser::now(), |clock| clock.set_speed(speed));
        });
    }

    /// The value of every parameter, as JSON.
    #[must_use]
    pub fn values(&self) -> String {
        let values = self.with(|player| player.session.parameters.resolve(player.session.values()));
        json!(values).to_string()
    }

    /// Gives a parameter a value: a number, or a list of its components, as JSON.
    ///
    /// # Errors
    /// When there is no such parameter, or the value does not fit.
    #[wasm_bindgen(js_name = setValue)]
    pub fn set_value(&self, name: &str, value: &str) -> Result<(), JsError> {
        let value: Value = parsed("the value", value)?;
        let components: Option<Vec<f64>> = match &value {
            Value::Array(list) => list.iter().map(Value::as_f64).collect(),
            one => one.as_f64().map(|one| vec![one]),
        };
        let components = components.ok_or_else(|| {
            JsError::new(&format!(
                "invalid value for parameter `{name}`: expected numbers"
            ))
        })?;
        self.with(|player| {
            let session = &mut player.session;
            session
                .parameters
                .check_components(name, components.len())
                .map_err(|wrong| error(wrong.to_string()))?;
            let now = browser::now();
            session.set(now, name, &components);
            player.pacing.changed(now);
            Ok(())
        })
    }

    /// Every parameter is at its default again.
    #[wasm_bindgen(js_name = resetValues)]
    pub fn reset_values(&self) {
        self.with(|player| {
            let session = &mut player.session;
            let defaults = session.parameters.resolve(&Values::default());
            for (name, components) in defaults.iter() {
                session.set(browser::now(), name, components);
            }
        });
    }

    /// The part of the sides of the canvas that is drawn.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.with(|player| player.pacing.scale.scale())
    }

    /// Draws this part of the sides of the canvas from now on.
    #[wasm_bindgen(js_name = setScale)]
    pub fn set_scale(&self, scale: f64) {
        self.with(|player| {
            player.pacing.scale.fix(Some(scale.clamp(0.05, 1.0)));
            player.session.touch();
        });
    }

    /// Lets the scale follow the adapter, or holds it where it is.
    pub fn adaptive(&self, on: bool) {
        self.with(|player| {
            let scale = player.pacing.scale.scale();
            player.pacing.scale.fix((!on).then_some(scale));
            player.session.touch();
        });
    }

    /// Samples of the refined still that is shown; 0 for the live picture.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.with(|player| player.samples())
    }

    /// The frame that is shown as a PNG with its moment.
    pub fn screenshot(&self) -> js_sys::Promise {
        let player = Rc::clone(&self.player);
        wasm_bindgen_futures::future_to_promise(async move {
            let png = screenshot(&player).await;
            png.map(|png| js_sys::Uint8Array::from(&png[..]).into())
                .map_err(|reason| error(format!("cannot take a screenshot: {reason}")).into())
        })
    }

    /// What the frame that is shown is a function of, as JSON.
    #[must_use]
    pub fn moment(&self) -> String {
        self.with(|player| player.moment().to_json())
    }

    /// Goes to a moment, given as JSON, and stays there.
    ///
    /// # Errors
    /// When it cannot be read.
    #[wasm_bindgen(js_name = openMoment)]
    pub fn open_moment(&self, moment: &str) -> Result<(), JsError> {
        let moment = Moment::parse(moment)
            .map_err(|wrong| error(format!("cannot read the moment: {wrong}")))?;
        self.with(|player| {
            let scene = player.session.scene.clone();
            player.begin(Session::at_moment(scene, &moment));
        });
        Ok(())
    }

    /// Begins a recording.
    #[wasm_bindgen(js_name = startRecording)]
    pub fn start_recording(&self) {
        self.with(|player| {
            let size = player.still_size();
            player.session.start_recording(browser::now(), size);
        });
    }

    /// Ends the recording: a timeline, as JSON. Nothing where there is none.
    #[wasm_bindgen(js_name = stopRecording)]
    #[must_use]
    pub fn stop_recording(&self) -> Option<String> {
        let timeline = self.with(|player| player.session.stop_recording(browser::now()));
        timeline.map(|timeline| timeline.to_json())
    }

    /// Seconds recorded so far.
    #[must_use]
    pub fn recorded(&self) -> Option<f64> {
        self.with(|player| player.session.recorded(browser::now()))
    }

    /// Plays a timeline, given as JSON, with the scene that is shown.
    ///
    /// # Errors
    /// When it cannot be read, or does not fit the scene.
    pub fn replay(&self, timeline: &str) -> Result<(), JsError> {
        let wrong = |wrong| error(format!("cannot read the timeline: {wrong}"));
        let timeline = Timeline::parse(timeline).map_err(wrong)?;
        self.with(|player| {
            timeline.check(&player.session.parameters).map_err(wrong)?;
            let scene = player.session.scene.clone();
            player.begin(Session::replaying(scene, timeline, Values::default()));
            Ok(())
        })
    }

    /// Gives the channel `name` a picture: red, green, blue and alpha, rows from the
    /// top. The faces of a cube, and the slices of a volume, stand below each other.
    ///
    /// # Errors
    /// When the bytes are no such picture, or do not fit the channel.
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
                "cannot fill channel `{name}`: expected four bytes for each of {width}x{height} \
                 pixels"
            )));
        }
        let picture = Decoded {
            width,
            height,
            rgba,
        };
        self.with(|player| {
            let shown = Rc::new(Shown::Picture(picture));
            player.pictures.insert(name, shown);
            player.fill_channels().map_err(error)
        })
    }

    /// Gives the channel `name` the texels that the program has decoded: `format` is
    /// `grey8`, `rgba8` or `rgba16f`, and the layers of a cube or a volume follow each
    /// other.
    ///
    /// # Errors
    /// When the bytes are not so many texels, or do not fit the channel.
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
        let wrong = |what: &str| error(format!("cannot fill channel `{name}`: {what}"));
        let texels = Texels {
            size: [width, height, layers],
            format: match format {
                "grey8" => TexelFormat::Grey8,
                "rgba8" => TexelFormat::Rgba8,
                "rgba16f" => TexelFormat::RgbaHalf,
                _ => return Err(wrong("there is no such format of texels")),
            },
            bytes,
        };
        let sides = [height, layers, texels.format.bytes() as u32];
        let expected = sides
            .iter()
            .try_fold(width, |all, &part| all.checked_mul(part));
        if expected.is_none_or(|bytes| bytes == 0 || bytes as usize != texels.bytes.len()) {
            return Err(wrong("its bytes are not as many as its size asks for"));
        }
        self.with(|player| {
            let shown = Rc::new(Shown::Texels(texels));
            player.pictures.insert(name, shown);
            player.fill_channels().map_err(error)
        })
    }

    /// What a page shows beside the picture, as JSON.
    #[must_use]
    pub fn state(&self) -> String {
        self.with(|player| player.state().to_string())
    }

    /// Buffers and channels of the scene, as JSON.
    #[must_use]
    pub fn contents(&self) -> String {
        self.with(|player| player.contents().to_string())
    }

    /// Shows one of them in place of the picture, by its number from 1; 0 shows the
    /// picture.
    #[wasm_bindgen(js_name = showWhole)]
    pub fn show_whole(&self, number: u32) {
        self.with(|player| player.show_whole(number.checked_sub(1)));
    }

    /// True once a picture of the scene was drawn.
    #[wasm_bindgen(js_name = isDrawn)]
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.with(|player| player.is_drawn())
    }

    /// True while nothing is to come but samples of the still that is shown.
    #[wasm_bindgen(js_name = isSettled)]
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.with(|player| player.is_settled())
    }

    /// True while there is no device; another one is opened by itself.
    #[wasm_bindgen(js_name = isLost)]
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.with(|player| player.is_lost())
    }

    fn with<T>(&self, act: impl FnOnce(&mut Player) -> T) -> T {
        act(&mut self.player.borrow_mut())
    }

    fn events(&self, events: impl IntoIterator<Item = Event>) {
        self.with(|player| {
            for event in events {
                player.event(event);
            }
        });
    }
}

/// Draws the newest frame once more, at the size of the canvas.
async fn screenshot(player: &Rc<RefCell<Player>>) -> Result<Vec<u8>, String> {
    let (mut target, moment) = {
        let mut player = player.borrow_mut();
        let player = &mut *player;
        let size = player.still_size();
        let moment = player.moment().to_json();
        let inputs = player
            .scene
            .as_ref()
            .map(|scene| scene.inputs(&player.session, size));
        let inputs = inputs.ok_or("there is no scene")?;
        let target = player.draw_once(size, &inputs)?;
        (target, moment)
    };
    let picture = loop {
        if let Some(((), picture)) = target.try_finish().map_err(|error| error.to_string())? {
            break picture;
        }
        if player.borrow().is_lost() {
            return Err("the device is lost".to_owned());
        }
        browser::sleep(READ_INTERVAL).await;
    };
    let rows = moment::rows_to_compress(picture.width, &picture.rgba);
    let compressed = browser::compress(&rows).await;
    let compressed = compressed.map_err(|_| "this browser does not compress")?;
    let size = (picture.width, picture.height);
    Ok(moment::picture_file(size, &compressed, &moment))
}

fn parsed<T: serde::de::DeserializeOwned>(what: &str, json: &str) -> Result<T, JsError> {
    serde_json::from_str(json).map_err(|wrong| error(format!("cannot read {what}: {wrong}")))
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn error(message: String) -> JsError {
    JsError::new(&message)
}
