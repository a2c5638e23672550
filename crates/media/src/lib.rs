//! Media files read by scenes: images, cube maps, volumes, videos and recordings.
//!
//! ```text
//! Program.channels ─► Source ─► load ─► Contents ── at a time ─► Texels ─► Renderer
//!  --channel NAME=FILE ──┘        │
//!                                 └─► ChannelError: channel, file and why
//! ```
//!
//! [`Channels`] holds the contents of all channels of a program. Contents that do not
//! depend on time are decoded once, on opening. Videos and recordings are pure functions of
//! time: a given time always yields the same texels, whatever the order of access.
//!
//! Files are untrusted: only regular files are opened, sizes are checked before memory is
//! allocated, and a panic in a decoder is reported as an error.

mod channels;
mod contents;
mod cube;
mod edit_list;
mod entry;
mod error;
mod ffmpeg;
mod frames;
mod image_file;
mod recording;
mod resample;
mod source;
mod spectrum;
mod video;
mod video_info;
mod volume;

pub use self::channels::{ChannelInfo, ChannelLimits, Channels, check_replacements};
pub use self::error::{ChannelError, MediaError};

#[cfg(test)]
mod tests;
