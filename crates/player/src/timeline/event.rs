//! Timed input events.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::input::Input;
use crate::key_code;

/// JavaScript key codes of Shift, Ctrl and Alt.
const MODIFIERS: [u8; 3] = [16, 17, 18];

/// A single input event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The pointer moved to this position, in fractions of the picture from its lower
    /// left corner.
    Pointer([f64; 2]),
    /// The pointer left the picture.
    Leave,
    /// The button went down, or up.
    Held(bool),
    /// The camera moved to this yaw and pitch in radians and this zoom factor.
    Orbit([f64; 3]),
    /// A key went down, by JavaScript code.
    #[serde(deserialize_with = "key_code::deserialize_key")]
    KeyDown(u8),
    /// A key came up, by JavaScript code.
    #[serde(deserialize_with = "key_code::deserialize_key")]
    KeyUp(u8),
    /// A parameter was set.
    Set {
        /// Its name.
        name: String,
        /// Its components.
        value: Vec<f64>,
    },
    /// The speed of scene time changed, or it jumped.
    Clock(ClockMark),
}

/// Speed of scene time from a given point on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockMark {
    /// Scene time at that point, in seconds.
    pub time: f64,
    /// Seconds of scene time per second; 0 while paused.
    pub speed: f64,
}

/// An event with its time since the start of the recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Time in seconds, not negative.
    pub at: f64,
    /// The event.
    #[serde(flatten, deserialize_with = "event")]
    pub event: Event,
}

/// Deserializes the one event among the fields of an entry. Without this, serde would
/// take the first event it recognizes and ignore the other fields.
fn event<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Event, D::Error> {
    let fields = Map::deserialize(deserializer)?;
    match fields.len() {
        1 => Event::deserialize(Value::Object(fields)).map_err(D::Error::custom),
        0 => Err(D::Error::custom(
            "missing event: expected `pointer`, `leave`, `held`, `orbit`, `key_down`, `key_up`, \
             `set` or `clock`",
        )),
        _ => {
            let names: Vec<_> = fields.keys().map(|name| format!("`{name}`")).collect();
            let names = names.join(" and ");
            Err(D::Error::custom(format!(
                "entry has several events, {names}: expected one per entry"
            )))
        }
    }
}

impl Event {
    /// Applies the event to `input`, at the time and speed of `clock`. Parameter and clock
    /// events are not input and have no effect here.
    pub fn apply(&self, input: &mut Input, clock: ClockMark) {
        let now = clock.time;
        match *self {
            Self::Pointer(position) => input.move_pointer(position),
            Self::Leave => input.leave(),
            Self::Held(true) if clock.speed == 0.0 => input.press_in_pause(now),
            Self::Held(true) => input.press(now),
            Self::Held(false) => input.release(now),
            Self::Orbit(orbit) => input.set_orbit(orbit),
            Self::KeyDown(code) => input.keyboard.press(code),
            Self::KeyUp(code) => input.keyboard.release(code),
            Self::Set { .. } | Self::Clock(_) => {}
        }
    }

    /// Returns the events that release every held key and the button.
    pub fn release_events(input: &Input) -> Vec<Self> {
        let [down, ..] = input.keyboard.codes();
        let button = input.is_held().then_some(Self::Held(false));
        button.into_iter().chain(down.into_iter().map(Self::KeyUp)).collect()
    }

    /// Returns true for incidental events: a hovering pointer, the release of a key that
    /// was not down, and modifier keys.
    pub fn is_incidental(&self, input: &Input) -> bool {
        match self {
            Self::Pointer(_) | Self::Leave => !input.is_held(),
            Self::KeyDown(code) => MODIFIERS.contains(code),
            Self::KeyUp(code) => MODIFIERS.contains(code) || !input.keyboard.is_down(*code),
            _ => false,
        }
    }
}
