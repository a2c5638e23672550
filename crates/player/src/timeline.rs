//! Recorded input: a snapshot to start from and a series of changes to it, in a small
//! JSON file.
//!
//! A session records every [`Event`]. [`Timeline::at`] computes the state at any time of the
//! recording. It is a pure function, so frames can be rendered in any order and at any size.
//!
//! Such a file can also be written by hand, with [`Keyframe`]s instead of events.

mod event;
mod file;
mod keyframes;
mod replay;

pub use self::event::{ClockMark, Entry, Event};
pub use self::keyframes::{Ease, Keyframe, Value};
pub use self::replay::Timeline;
