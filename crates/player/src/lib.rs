//! Scene time and user input, and the state that a scene receives for each frame.
//!
//! This layer starts no threads, opens no files, and takes real time as an argument in
//! seconds. Everything outside of [`live`], which draws on a GPU, is pure.
//!
//! [`SceneState`] is the single source of truth. The [`Frame`](tarsus_render::Frame)
//! uniform is derived from it, a [`Snapshot`] is its stored form, and a [`Timeline`] is a
//! series of changes to it.

pub mod clock;
mod error;
mod history;
mod input;
mod key_code;
mod keyboard;
pub mod live;
mod rewind;
mod session;
mod snapshot;
mod state;
pub mod timeline;

pub use clock::Clock;
pub use error::ParseError;
pub use input::Input;
pub use key_code::key_code;
pub use keyboard::Keyboard;
pub use rewind::{PastFrame, Plan, PlanStart, REWIND_BUDGET, Rewind, RewindStats};
pub use session::{BufferState, Session};
pub use snapshot::{MAX_TIME, Snapshot};
pub use state::{FRAME_RATE, SceneState};
pub use timeline::Timeline;
