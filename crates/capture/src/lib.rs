//! Offline rendering: exact, complete frames by number, written to files.
//!
//! Objects by lifetime:
//! - once per run: a [`Job`] with its [`Plan`] (which frames go where), its [`FrameSource`]
//!   (the scene's state at any time) and a [`Sink`] with its threads;
//! - once per picture size: the tiling of a picture, and the tile renderer with its target
//!   and readback buffers;
//! - once per frame: a [`Header`] (file path and metadata), then the picture's rows on
//!   their way to the file;
//! - once per sample: its inputs, computed when the sample is drawn.
//!
//! The next tile renders while earlier tiles are read back and encoded. Every queue is
//! bounded, so memory use does not grow with the number of frames or samples. Pictures are
//! processed in bands; PNG files larger than a band are also encoded in bands, so memory
//! use hardly grows with picture size.

mod apng;
mod captions;
mod checkpoint_file;
mod checkpoints;
mod container;
mod error;
mod exposure;
mod film;
mod film_writer;
#[cfg(test)]
mod fixtures;
mod format;
mod frame_renderer;
mod frame_source;
mod gather;
mod gif;
mod held;
mod history;
mod job;
pub mod memory;
pub mod metadata;
mod named_scene;
mod output;
mod pattern;
mod picture_file;
mod plan;
mod poster;
mod quality;
mod resume;
mod run_channels;
mod run_frames;
mod seam;
mod seam_sink;
mod sequence;
mod shard;
mod simulator;
mod sink;
mod sound_file;
mod sound_track;
mod step;
mod still;
mod stream;
mod tile_renderer;
mod tiles;
mod video;
mod wav;

pub use self::checkpoint_file::CheckpointError;
pub use self::checkpoints::CheckpointSettings;
pub use self::error::CaptureError;
pub use self::film::Film;
pub use self::film_writer::FilmPlan;
pub use self::format::{Format, FormatError, FormatSpec, Kind, MetadataPlace};
pub use self::frame_source::{FrameSource, InputSource, SourceCursor};
pub use self::gather::{GatherError, Gathered};
pub use self::held::{HeldError, held_path, read_held, write_held};
pub use self::history::holds_whole_history;
pub use self::job::{Found, Job, RenderSettings, Summary};
pub use self::metadata::Metadata;
pub use self::named_scene::NamedSceneError;
pub use self::output::{Output, OutputError};
pub use self::pattern::Pattern;
pub use self::picture_file::write_png;
pub use self::plan::{FrameSelection, Plan, PlanError, PlannedFrame};
pub use self::quality::{Quality, Shutter};
pub use self::resume::{Existing, Stamp, existing};
pub use self::run_channels::{ChannelFeed, RunChannels};
pub use self::run_frames::{RunFrame, RunFrames, RunSettings};
pub use self::seam::Seam;
pub use self::sequence::Sequence;
pub use self::shard::Shard;
pub use self::sink::{Header, Sink};
pub use self::step::Step;
pub use self::tiles::DEFAULT_TILE;
