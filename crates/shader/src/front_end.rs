//! What a crate needs to turn another language into a [`Program`].

use std::fmt::Debug;

use crate::compose_error::ComposeError;
use crate::library::Library;
use crate::program::Program;
use crate::scene::Scene;

pub use crate::diagnostic::line_range;
pub use crate::form::{MAX_ENTRIES, is_shadertoy};
pub use crate::guard::run as catch_panics;
pub use crate::limits::{Excess, check as check_limits, check_size, unclosed as unclosed_bracket};
pub use crate::source_map::Source;
pub use crate::suggest::nearest;

/// Composes scenes that are written in another language than WGSL.
pub trait FrontEnd: Debug + Sync {
    /// Makes a program of `scene`.
    ///
    /// # Errors
    /// [`ComposeError`] with the first error.
    fn compose(
        &self,
        scene: &Scene,
        library: &Library,
        definitions: &[&str],
    ) -> Result<Program, ComposeError>;

    /// Does the work that only the first scene of a process needs.
    fn warm_up(&self);
}
