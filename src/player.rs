//! Time and input: what a scene is told, and when. Pure: no threads, no files,
//! and real time comes in as seconds.

pub mod clock;
mod input;
pub mod keyboard;
mod moment;
mod session;
pub mod timeline;

pub use clock::Clock;
pub use input::Input;
pub use keyboard::Keyboard;
pub use moment::{KEYWORD, Moment, MomentError};
pub use session::Session;
pub use timeline::Timeline;
