//! Recorded input: a start and a series of changes to it, in a small JSON file.
//!
//! Recording: a [`Recorder`] collects every [`Event`]. Replaying: [`Timeline::at`]
//! gives the state at any time of the recording. It is a pure function: the state
//! of each frame can be had on its own, in any order and at any size.
//!
//! The same file can be written by hand, with [`Keyframe`]s in place of events.

mod event;
mod file;
mod keyframes;
mod recorder;
mod replay;

pub use self::event::{Assignment, ClockMark, Entry, Event};
pub use self::keyframes::{Ease, Keyframe, Value};
pub use self::recorder::Recorder;
pub use self::replay::{Cursor, Timeline};
