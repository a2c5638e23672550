//! Time and input: what a scene receives, and when. Pure: no threads, no files,
//! and real time comes in as seconds.
//!
//! [`SceneState`] is the one truth. The [`Frame`](tarsus_render::Frame) uniform is
//! derived from it, a [`Moment`] is its stored form, and a [`Timeline`] is a series
//! of changes to it.

pub mod clock;
mod error;
mod finite;
mod history;
mod input;
mod key_code;
mod keyboard;
pub mod live;
mod moment;
mod rewind;
mod session;
mod state;
pub mod timeline;

pub use clock::Clock;
pub use error::ParseError;
pub use input::Input;
pub use keyboard::Keyboard;
pub use moment::{LATEST_TIME, LONGEST_SIDE, Moment};
pub use rewind::{Base, Memory, Plan, REWIND_BUDGET, Remembered, Rewind};
pub use session::{BufferContents, Session};
pub use state::{FRAME_RATE, SceneState};
pub use timeline::Timeline;
