//! What scenes read from files: pictures, cube maps, volumes, films and recordings.
//!
//! ```text
//! Program.channels ─► Source ─► load ─► Contents ── at a time ─► Texels ─► Renderer
//!  --channel NAME=FILE ──┘        │
//!                                 └─► ChannelError: channel, file and why
//! ```
//!
//! [`Channels`] holds the contents of all channels of a program. What does not depend
//! on time is decoded once, when they are opened. Films and recordings are pure
//! functions of time: the same time gives the same texels, in whatever order times
//! come.
//!
//! Files may be anybody's: only regular ones are opened, sizes are checked before
//! memory is taken, and a decoder that panics is an error.

mod channels;
mod contents;
mod cube;
mod entry;
mod error;
mod ffmpeg;
mod file;
mod film_info;
#[cfg(test)]
mod fixtures;
mod frames;
mod limits;
mod picture;
mod recording;
mod resample;
mod source;
mod spectrum;
mod video;
mod volume;

pub use self::channels::{ChannelInfo, Channels};
pub use self::error::{ChannelError, MediaError};
pub use self::limits::ChannelLimits;
