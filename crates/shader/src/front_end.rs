//! Tools for crates that turn another language into a [`Program`].
//!
//! A front end implements [`FrontEnd`], and a program passes it to
//! [`Library::with_front_end`](crate::Library::with_front_end). It ends in
//! [`Program::from_modules`]; its errors are [`SourceMap::error`](crate::SourceMap::error)s.

use std::fmt::Debug;

use crate::compose::ComposeError;
use crate::library::Library;
use crate::program::Program;
use crate::scene::Scene;

pub use crate::channel_comment::{contradiction, read_source};
pub use crate::diagnostic::{Checked, line_range};
pub use crate::form::{MAX_ENTRIES, is_shadertoy};
pub use crate::guard::run as catch_panics;
pub use crate::limits::{check as check_limits, check_size, unclosed as unclosed_bracket};
pub use crate::preprocess::blank;
pub use crate::source_map::Source;
pub use crate::suggest::nearest;

/// Composes scenes that are written in another language than WGSL.
pub trait FrontEnd: Debug + Sync {
    /// Composes a program from `scene`. The media that it reads are in the folder of
    /// `library`; `definitions` select a debug view.
    ///
    /// # Errors
    /// Returns a [`ComposeError`] for the first error found.
    fn compose(
        &self,
        scene: &Scene,
        library: &Library,
        definitions: &[&str],
    ) -> Result<Program, ComposeError>;

    /// Initializes what the first scene of a process needs.
    fn warm_up(&self);
}
