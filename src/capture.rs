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
mod format;
mod gif;
pub mod metadata;
mod plan;
mod play;
mod png;
mod quality;
mod resume;
mod run;
mod seam;
mod sequence;
mod sink;
mod stream;
mod tile_renderer;
mod tiles;
mod video;

use thiserror::Error;

pub use self::film::{Film, FilmPlan};
pub use self::format::{Format, Output};
pub use self::gif::{MAX_FPS as GIF_MAX_FPS, MAX_SIDE as GIF_MAX_SIDE};
pub use self::plan::{FrameSelection, Plan, PlanError, Shard, Slot};
pub use self::play::{Play, Source};
pub use self::png::Texts;
pub use self::quality::{Quality, Shutter};
pub use self::resume::{Existing, HASH_KEYWORD, Stamp, existing};
pub use self::run::{Outcome, Shape, Shot, run};
pub use self::seam::Seam;
pub use self::sequence::{Sequence, write_png};
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
