//! Offline rendering: frames by number, exact and whole, into files.
//!
//! Objects by lifetime:
//! - once per run: [`Plan`] (which frames go where), [`Play`] (what the scene is
//!   told, and when), a [`Sink`] with its threads;
//! - once per size: the tiles of a picture, and the painter with its target
//!   and readback buffers;
//! - once per frame: a [`Shot`] (the samples it is the average of, and its file),
//!   then rows of its [`Picture`] on their way to a file.
//!
//! The next tile renders while earlier ones are read back and encoded. Every
//! queue is bounded, so memory does not grow with the number of frames, and
//! pictures pass through it in bands, so it hardly grows with their size.

mod apng;
pub mod files;
mod film;
#[cfg(test)]
mod fixtures;
mod format;
mod gif;
pub mod metadata;
mod output;
mod picture_file;
mod plan;
mod play;
mod poster;
mod quality;
mod resume;
mod run;
mod seam;
mod sequence;
mod sink;
mod still;
mod stream;
mod tile_renderer;
mod tiles;
mod video;

use thiserror::Error;

pub use self::film::{Film, FilmPlan};
pub use self::format::{Format, FormatError, FormatSpec, Kind, MetadataPlace};
pub use self::metadata::Metadata;
pub use self::output::{Output, OutputError};
pub use self::picture_file::write_png;
pub use self::plan::{FrameSelection, Plan, PlanError, Shard, Slot};
pub use self::play::{Play, Source};
pub use self::quality::{Quality, Shutter};
pub use self::resume::{Existing, Stamp, existing};
pub use self::run::{Outcome, Shape, Shot, run};
pub use self::seam::Seam;
pub use self::sequence::Sequence;
pub use self::sink::{Header, Sink};
pub use self::tiles::DEFAULT_TILE;

use self::files::FileError;
use crate::render::{RenderError, RendererError};

/// Why a run stopped before its last frame.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// The picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The scene cannot be drawn on this adapter.
    #[error(transparent)]
    Renderer(#[from] RendererError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] FileError),
}
