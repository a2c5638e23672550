//! Offline rendering: exact, complete frames by number, written to files.
//!
//! A [`CaptureSpec`] is plain data: the scene's input, the frames, and the files they go
//! into. A [`CaptureRun`] renders it on a device:
//!
//! ```text
//! CaptureSpec::frames() ─► Frame ─► TileRenderer ─► Sink (files or one video)
//!                            └─► Metadata ──────────┘
//! ```
//!
//! Objects by lifetime:
//! - once per run: the tile renderer with its targets and readback buffers, the scene's
//!   buffers, and a [`Sink`] with its threads;
//! - once per frame: a [`Frame`] and a [`Header`] (file path and metadata), then the
//!   picture's rows on their way to the file;
//! - once per sample: its inputs, computed when the sample is drawn.
//!
//! The next tile renders while earlier tiles are read back and encoded. Every queue is
//! bounded, so memory use does not grow with the number of frames or samples. PNG files with more
//! than 64 MiB of pixels are assembled and encoded in bands, so their memory use hardly grows with
//! picture size. Other formats and videos need whole pictures.

mod apng;
mod buffers;
mod checkpoint_file;
mod checkpoints;
mod error;
mod existing_files;
mod ffmpeg;
mod format;
mod frames;
mod gif;
mod loop_error;
pub mod memory;
mod merge;
pub mod metadata;
mod named_scene;
mod origin;
mod output;
mod pattern;
mod picture_file;
mod png_file;
mod run;
mod run_hash;
mod sink;
mod snapshot_state;
mod sound_file;
mod spec;
mod still;
mod stream;
mod streamed_png;
mod tile_renderer;
mod tiles;
mod video_encoder;

pub use self::buffers::has_complete_history;
pub use self::checkpoints::CheckpointSettings;
pub use self::error::{CaptureError, Stage, Step, is_complete};
pub use self::format::{Format, even_size, fit_size};
pub use self::frames::Frame;
pub use self::merge::MergeInput;
pub use self::metadata::Metadata;
pub use self::output::{Destination, Output};
pub use self::pattern::Pattern;
pub use self::picture_file::write_png;
pub use self::run::{CaptureRun, ExistingFrames, Summary};
pub use self::run_hash::{RunHash, stored_hash};
pub use self::sink::{Header, Sink};
pub use self::snapshot_state::{
    picture_identity, read_state, recording_identity, state_path, write_state,
};
pub use self::spec::{CaptureSpec, FrameSelection, InputSource, Quality, Shard, SpecError};
pub use self::tiles::DEFAULT_TILE;

#[cfg(test)]
mod tests;
