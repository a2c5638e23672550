//! What changes a state: one thing the user did, and when.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::finite;
use crate::input::Input;
use crate::key_code;

/// JavaScript codes of Shift, Ctrl and Alt.
const MODIFIERS: [u8; 3] = [16, 17, 18];

/// One thing the user did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The pointer is here: fractions of the picture from its lower left corner.
    Pointer([f64; 2]),
    /// The pointer left the picture.
    Leave,
    /// The button is down, or up.
    Held(bool),
    /// The camera: yaw and pitch in radians, zoom factor.
    #[serde(deserialize_with = "finite::camera")]
    Orbit([f32; 3]),
    /// A key went down, by JavaScript code.
    #[serde(deserialize_with = "key_code::one")]
    KeyDown(u8),
    /// A key came up, by JavaScript code.
    #[serde(deserialize_with = "key_code::one")]
    KeyUp(u8),
    /// A parameter got a value.
    Set(Assignment),
    /// From now on scene time runs like this.
    Clock(ClockMark),
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// The parameter's name.
    pub name: String,
    /// Its components.
    pub value: Vec<f64>,
}

/// How scene time runs from one moment on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockMark {
    /// Scene time at that moment, in seconds.
    pub time: f64,
    /// Seconds of scene time per second; 0 while paused.
    pub speed: f64,
}

/// An event with its time in seconds since the recording began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Seconds, not negative.
    pub at: f64,
    /// What happened.
    #[serde(flatten, deserialize_with = "event")]
    pub event: Event,
}

/// The only event among the fields of an entry: without this, serde would take the first
/// that it knows, and name none where there is no such.
fn event<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Event, D::Error> {
    let fields = Map::deserialize(deserializer)?;
    match fields.len() {
        1 => Event::deserialize(Value::Object(fields)).map_err(D::Error::custom),
        0 => Err(D::Error::custom(
            "nothing happens at this time: expected an event, such as `pointer`",
        )),
        _ => {
            let names: Vec<_> = fields.keys().map(|name| format!("`{name}`")).collect();
            let names = names.join(" and ");
            Err(D::Error::custom(format!(
                "{names} in one entry: expected one event in each"
            )))
        }
    }
}

impl Event {
    /// Applies the event to `input` at scene time `now`. Parameters and clock are
    /// no input and change nothing here.
    pub fn apply(&self, input: &mut Input, now: f64) {
        match *self {
            Self::Pointer(position) => input.point(position),
            Self::Leave => input.leave(),
            Self::Held(true) => input.press(now),
            Self::Held(false) => input.release(now),
            Self::Orbit(orbit) => input.look(orbit),
            Self::KeyDown(code) => input.keyboard.press(code),
            Self::KeyUp(code) => input.keyboard.release(code),
            Self::Set(_) | Self::Clock(_) => {}
        }
    }

    /// The events that release what is held.
    #[must_use]
    pub fn releases(input: &Input) -> Vec<Self> {
        let [down, ..] = input.keyboard.codes();
        let button = input.is_held().then_some(Self::Held(false));
        button
            .into_iter()
            .chain(down.into_iter().map(Self::KeyUp))
            .collect()
    }

    /// True for what happens by the way: a pointer that hovers, a key that was not
    /// down comes up, a key that only makes a shortcut of another.
    #[must_use]
    pub fn is_passing(&self, input: &Input) -> bool {
        match self {
            Self::Pointer(_) | Self::Leave => !input.is_held(),
            Self::KeyDown(code) => MODIFIERS.contains(code),
            Self::KeyUp(code) => MODIFIERS.contains(code) || !input.keyboard.is_down(*code),
            _ => false,
        }
    }
}
